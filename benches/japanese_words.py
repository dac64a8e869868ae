#!/usr/bin/env python3
"""Compares ways to find the words of Japanese texts, for docs/language.md.

    cargo build --release -p corpus-text --example japanese_words
    benches/japanese_words.py FOLDER [--files=FOLDER]

reads the Japanese texts of benches/language_texts.py from which the model was not trained, and UTF-8
texts of yours. The expected words are those of Sudachi, in short units (mode A) and long ones (mode C).
A word is correct if both its ends are. White space and words without a Japanese character do not count.
Seconds are user CPU time on one core, including the start for tools that are programs.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

from pathlib import Path

from common import ROOT, cost, option, print_table, tools
from japanese_model import KANA, MAX_CHARACTERS, sudachi

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
WORDS = TARGET / "release/examples/japanese_words"
SOURCES = "wesnoth", "udhr", "books", "manpages"
LINES = 2000
JAPANESE = re.compile("[ぁ-ゖ゙-ゟ゠-ヺー-ヿㇰ-ㇿｦ-ﾟ一-鿿々㐀-䶿豈-﫿]")

# Splits the lines of stdin, a list of JSON; prints the seconds, then the words of each line, as JSON.
SPLITTERS = {
    "TinySegmenter": "import tinysegmenter\nsplit = tinysegmenter.TinySegmenter().tokenize",
    "BudouX, phrases": "import budoux\nsplit = budoux.load_default_japanese_parser().parse",
    "BudouX, words": """
import budoux, pathlib
model = pathlib.Path(budoux.__file__).parent / "models/ja_word.json"
split = budoux.Parser(json.loads(model.read_text())).parse""",
    "MeCab, IPADIC": """
import fugashi, ipadic
tagger = fugashi.GenericTagger(ipadic.MECAB_ARGS)
split = lambda line: [word.surface for word in tagger(line)]""",
    "MeCab, UniDic-lite": """
import fugashi
tagger = fugashi.Tagger()
split = lambda line: [word.surface for word in tagger(line)]""",
    "Janome": """
from janome.tokenizer import Tokenizer
tokenizer = Tokenizer(wakati=True)
split = lambda line: list(tokenizer.tokenize(line))""",
    "Sudachi, mode C": """
from sudachipy import Dictionary, SplitMode
tokenizer = Dictionary(dict="core").tokenizer(mode=SplitMode.C)
split = lambda line: [word.surface() for word in tokenizer.tokenize(line)]""",
}
RUN = """
import json, sys, time
{splitter}
lines = json.load(sys.stdin)
split(lines[0])
started = time.process_time()
words = [split(line) for line in lines]
json.dump([time.process_time() - started, words], sys.stdout)
"""


def texts(folder):
    """Some lines of each source."""
    for source in SOURCES:
        yield source, (folder / "texts" / source / "ja.txt").read_text("utf-8").splitlines()
    if option("files"):
        found = sorted(Path(option("files")).iterdir())
        yield "other", [line for path in found for line in path.read_text("utf-8").splitlines()]


def chosen(lines):
    lines = dict.fromkeys(line.strip() for line in lines if KANA.search(line))
    lines = [line for line in lines if len(line) <= MAX_CHARACTERS]
    return random.Random(1).sample(lines, min(len(lines), LINES))


def ours(lines, method):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lines"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        with path.open() as file:
            found = subprocess.run([WORDS, method], stdin=file, capture_output=True, check=True).stdout
        # The text is long enough to make the start of the program negligible.
        repeated = Path(folder) / "repeated"
        times = 1 + 20_000_000 // path.stat().st_size
        repeated.write_bytes(path.read_bytes() * times)
        seconds = cost("sh", "-c", f"{WORDS} {method} < {repeated} 2> /dev/null").seconds / times
    return seconds, [line.split("\x1f") for line in found.decode().split("\n")[:-1]]


def spans(words):
    """Returns the positions of words with a Japanese character, without counting white space."""
    at = 0
    for word in words:
        length = len(re.sub(r"\s", "", word))
        if JAPANESE.search(word):
            yield at, at + length
        at += length


def agreement(found, right):
    """F1 of words and of their ends, in percent."""
    counts = [0] * 6
    for words, right_words in zip(found, right, strict=True):
        words, right_words = set(spans(words)), set(spans(right_words))
        ends, right_ends = ({end for span in both for end in span} for both in (words, right_words))
        for at, (one, other) in enumerate([(words, right_words), (ends, right_ends)]):
            for place, number in enumerate((len(one & other), len(one), len(other))):
                counts[3 * at + place] += number
    return [200 * counts[at] / max(counts[at + 1] + counts[at + 2], 1) for at in (0, 3)]


def main():
    folder = Path(sys.argv[1])
    python = tools(folder)
    rows, speeds = [], {}
    for source, lines in texts(folder):
        lines = chosen(lines)
        size = len("".join(lines).encode())
        right = {
            mode: [line.split("\x1f") for line in sudachi(python, lines, mode).decode().split("\n")[:-1]]
            for mode in "AC"
        }
        results = {"model": ours(lines, "model"), "rules": ours(lines, "rules")}
        for name, splitter in SPLITTERS.items():
            program = RUN.format(splitter=splitter)
            ran = subprocess.run([python, "-c", program], input=json.dumps(lines).encode(), capture_output=True, check=True)
            results[name] = json.loads(ran.stdout)
        for name, (seconds, words) in results.items():
            scores = [score for mode in "AC" for score in agreement(words, right[mode])]
            rows.append([source, name, *(f"{score:.1f}" for score in scores)])
            speeds.setdefault(name, []).append(f"{size / 1e6 / seconds:.2f}")
        print(source, len(lines), "lines,", sum(map(len, lines)), "characters", file=sys.stderr)
    print_table(["texts", "", "words, A", "boundaries, A", "words, C", "boundaries, C"], rows)
    print()
    print_table(["MB/s", *(source for source, _ in texts(folder))], [[name, *speed] for name, speed in speeds.items()])


if __name__ == "__main__":
    main()
