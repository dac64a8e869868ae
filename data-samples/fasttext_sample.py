"""A tiny supervised model in fastText's format: it distinguishes good moods from bad ones."""

import struct

MAGIC, VERSION = 793712314, 12
SOFTMAX, SUPERVISED = 3, 3
WORD, LABEL = 0, 1
DIMENSION = 2

GOOD, BAD, NEUTRAL = (2.0, -2.0), (-2.0, 2.0), (0.0, 0.0)
WORDS = {
    "</s>": NEUTRAL,
    "good": GOOD,
    "happy": GOOD,
    "sunny": GOOD,
    "bad": BAD,
    "sad": BAD,
    "rainy": BAD,
    "day": NEUTRAL,
}
LABELS = ["__label__good", "__label__bad"]


def matrix(rows):
    header = struct.pack("<qq", len(rows), DIMENSION)
    return header + b"".join(struct.pack(f"<{DIMENSION}f", *row) for row in rows)


def entry(text, kind):
    return text.encode() + b"\0" + struct.pack("<qb", 10, kind)


def model():
    # dim, ws, epoch, minCount, neg, wordNgrams, loss, model, bucket, minn, maxn, lrUpdateRate; t
    arguments = struct.pack(
        "<12id", DIMENSION, 5, 5, 1, 5, 1, SOFTMAX, SUPERVISED, 0, 0, 0, 100, 1e-4
    )
    words = [entry(word, WORD) for word in WORDS] + [entry(label, LABEL) for label in LABELS]
    dictionary = struct.pack("<iiiqq", len(words), len(WORDS), len(LABELS), 100, -1)
    inputs = b"\0" + matrix(list(WORDS.values()))
    outputs = b"\0" + matrix([(1.0, 0.0), (0.0, 1.0)])
    return struct.pack("<ii", MAGIC, VERSION) + arguments + dictionary + b"".join(words) + inputs + outputs
