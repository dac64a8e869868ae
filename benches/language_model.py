#!/usr/bin/env python3
"""Makes the built-in model of language detection, crates/language/src/detect/model.ftz.

    cargo build --release -p corpus-language --example language_words
    benches/language_model.py FOLDER

learns from the texts that benches/language_texts.py wrote into FOLDER: messages and help of LibreOffice
and Firefox (MPL-2.0), of GNOME (CC-BY-SA, GPL), KDE (LGPL, GPL) and Freeciv (GPL). The model holds
weights of single words and of groups of letters, no texts. Takes about ten minutes. Training runs on
two threads, so each run gives a slightly different model.
"""

import os
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from common import ROOT, tools

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
WORDS = TARGET / "release/examples/language_words"
MODEL = ROOT / "crates/language/src/detect/model.ftz"

SOURCES = "libreoffice", "mozilla", "gnome", "kde", "freeciv"
# Scripts that several languages share.
SCRIPTS = "Latn", "Cyrl", "Arab", "Deva", "Beng", "Hani"
# The number of characters per language. Languages with more texts on the web get more, which makes them
# likelier.
DEFAULT_CHARACTERS = 450_000
MORE_CHARACTERS = dict.fromkeys(
    "de fr es pt it nl ru pl tr ja zh vi id cs sv hu ro fi da uk ar fa hi bg no".split(), 1_000_000
) | {"en": 1_600_000}
FEWER_CHARACTERS = dict.fromkeys("af ast br cy dsb eo fil fy ga gd gn hsb is kab nn oc rm sr-latn tg ug uz xh zu".split(), 220_000)
# Languages with less are left out.
MIN_CHARACTERS = 100_000
# These are also left out: languages that would be confused with a similar one with many more texts, and
# Oromo, whose messages are half English.
LEFT_OUT = set(
    """
    ach an brx bs ff ia fur kok kok-latn lij mni nr nso om sc sco skr son ss st szl tn trs ts ve cak ks
    ks-deva mai sd be-latn bs-cyrl kk-latn tt-latn uz-cyrl
    """.split()
)
# A line that occurs in this many languages belongs to none of them: it is a name, or English.
MIN_SHARED_LANGUAGES = 4
LENGTHS = 8, 400
HAN = re.compile("[々㐀-䶿一-鿿]{2,}")

TRAIN = """
import sys, fasttext
fasttext.FastText.eprint = lambda message: None
texts, path = sys.argv[1:3]
model = fasttext.train_supervised(
    texts, dim=16, lr=0.6, epoch=5, minn=1, maxn=4, bucket=400000, minCount=10, loss="softmax", thread=2, verbose=1
)
model.save_model(path + ".bin")
model.quantize(input=texts, cutoff=60000, retrain=True, qnorm=True, lr=0.3, epoch=1, thread=2, verbose=1)
model.save_model(path)
"""


def languages(folder):
    """The paragraphs of each language, without those that occur in many languages."""
    lines = {}
    for source in SOURCES:
        for path in sorted((folder / "texts" / source).glob("*.txt")):
            lines.setdefault(path.stem, []).extend(path.read_text("utf-8").splitlines())
    counts = Counter(line for found in lines.values() for line in set(found))
    english = set(lines["en"])
    for name, found in lines.items():
        kept = (line for line in dict.fromkeys(found) if counts[line] < MIN_SHARED_LANGUAGES and line not in english)
        yield name, list(dict.fromkeys(found) if name == "en" else kept)


def samples(rng, lines, wanted_characters):
    """Pieces of all lengths, of consecutive words."""
    low, high = LENGTHS
    rng.shuffle(lines)
    piece, wanted, made = "", 0, 0
    for line in lines:
        if made > wanted_characters:
            return
        for word in line.split(" "):
            if len(piece) >= wanted:
                if piece:
                    yield piece
                made += len(piece)
                piece, wanted = "", low * (high / low) ** rng.random()
            piece += word + " "
        # Some pieces are whole messages.
        if rng.random() < 0.5 and len(piece) > low:
            yield piece
            piece = ""


def normalized(pieces):
    """The words of pieces in their main script."""
    lines = "".join(piece.strip() + "\n" for piece in pieces)
    ran = subprocess.run([WORDS], input=lines, capture_output=True, text=True, check=True, encoding="utf-8")
    return [line.split("\t") for line in ran.stdout.split("\n")[:-1]]


def main():
    folder = Path(sys.argv[1])
    python = tools(folder)
    rng = random.Random(1)
    examples = []
    for name, lines in languages(folder):
        if name in LEFT_OUT:
            continue
        if name == "ja":
            # Text with kana is always Japanese, so only names and titles without kana have to be
            # learned.
            lines = [run for line in lines for run in HAN.findall(line)]
        most = MORE_CHARACTERS.get(name) or FEWER_CHARACTERS.get(name, DEFAULT_CHARACTERS)
        # Parts of a piece are removed: numbers, punctuation, words in other scripts.
        found = normalized(samples(rng, lines, most * 3 // 2))
        # Messages in another script are not translated.
        script = max(SCRIPTS, key=lambda script: sum(own == script for own, _ in found))
        found = [words for own, words in found if own == script and words.strip()]
        if sum(map(len, found)) < MIN_CHARACTERS:
            continue
        rng.shuffle(found)
        size = 0
        label = f"__label__{name.partition('-')[0] if name != 'ku-arab' else 'ckb'}_{script}"
        for words in found:
            size += len(words)
            if size > most:
                break
            examples.append(f"{label} {words.strip()}\n")
        print(name, script, min(size, most), file=sys.stderr)
    rng.shuffle(examples)
    texts = folder / "model_texts.txt"
    texts.write_text("".join(examples), encoding="utf-8")
    subprocess.run([python, "-c", TRAIN, texts, MODEL], check=True, cwd=folder)
    trained = Path(f"{MODEL}.bin")
    trained.rename(folder / "model.bin")
    print(MODEL, MODEL.stat().st_size, "bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
