#!/usr/bin/env python3
"""Counts the golden rules of pysbd for English that `text_sentences` and pysbd itself follow.

    cargo build --release
    benches/sentences.py [PROGRAM] [--failures]

The rules are in pysbd's source package, which is fetched from PyPI. It has none for other languages.
`--failures` prints the texts that are split differently.
"""

import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from common import print_table, program

VERSION = "0.3.3"
PYSBD = """
import json, sys
import pysbd
segmenter = pysbd.Segmenter(language='en', clean=False)
print(json.dumps([[part.strip() for part in segmenter.segment(text)] for text in json.load(sys.stdin)]))
"""


def source(folder):
    """The folder of pysbd's source package."""
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "pysbd", f"pysbd=={VERSION}"]
    subprocess.run(fetch, cwd=folder, check=True)
    with tarfile.open(next(folder.glob("pysbd-*.tar.gz"))) as archive:
        archive.extractall(folder, filter="data")
    return folder / f"pysbd-{VERSION}"


def ours(binary, folder, texts):
    path = folder / "texts.jsonl"
    path.write_text("".join(json.dumps({"place": place, "text": text}) + "\n" for place, text in enumerate(texts)))
    query = f"SELECT array_transform(text_sentences(text), s -> s['text']) AS parts FROM '{path}' ORDER BY place"
    printed = subprocess.check_output([binary, "--quiet", "--format", "ndjson", "-c", query], text=True)
    return [json.loads(line)["parts"] for line in printed.splitlines()]


def main():
    binary = program()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        package = source(folder)
        sys.path[:0] = [str(package / "benchmarks")]
        from english_golden_rules import GOLDEN_EN_RULES

        texts = [text for text, _ in GOLDEN_EN_RULES]
        theirs = subprocess.run(
            [sys.executable, "-c", PYSBD], cwd=package, input=json.dumps(texts), check=True, capture_output=True, text=True
        )
        found = {"corpus-sql": ours(binary, folder, texts), f"pysbd {VERSION}": json.loads(theirs.stdout)}
    for (_, expected), parts in zip(GOLDEN_EN_RULES, found["corpus-sql"], strict=True):
        if parts != expected and "--failures" in sys.argv:
            print(f"expected {expected}\n   found {parts}", file=sys.stderr)
    rows = []
    for engine, results in found.items():
        right = sum(parts == expected for (_, expected), parts in zip(GOLDEN_EN_RULES, results, strict=True))
        rows.append((engine, f"{right} of {len(GOLDEN_EN_RULES)}"))
    print_table(("", "rules"), rows)


if __name__ == "__main__":
    main()
