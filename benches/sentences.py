#!/usr/bin/env python3
"""Counts the golden rules of pysbd that `text_sentences` and pysbd itself follow, by language.

    cargo build --release
    benches/sentences.py [PROGRAM] [--failures]

pysbd publishes no rules except those for English, but the source package of cleave-sbd has all of them.
Both are fetched from PyPI. Rules about cleaning text are left out. `--failures` prints the texts that are
split differently.
"""

import json
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections import Counter
from pathlib import Path

from common import print_table, program

RULES = "cleave-sbd==0.3.0b1"
PYSBD = "pysbd==0.3.4"
# The language codes of pysbd.
LANGUAGES = {
    "amharic": "am", "arabic": "ar", "armenian": "hy", "bulgarian": "bg", "burmese": "my", "chinese": "zh",
    "danish": "da", "deutsch": "de", "dutch": "nl", "english": "en", "french": "fr", "greek": "el", "hindi": "hi",
    "italian": "it", "japanese": "ja", "kazakh": "kk", "marathi": "mr", "persian": "fa", "polish": "pl",
    "russian": "ru", "slovak": "sk", "spanish": "es", "urdu": "ur",
}  # fmt: skip
SPLIT = """
import json, sys
import pysbd
segmenters = {}
found = []
for language, text in json.load(sys.stdin):
    if language not in segmenters:
        segmenters[language] = pysbd.Segmenter(language=language, clean=False)
    found.append([part.strip() for part in segmenters[language].segment(text)])
print(json.dumps(found))
"""


def fetch(folder, package, *options):
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *options, package]
    subprocess.run(command, cwd=folder, check=True)


def rules(folder):
    """The language, the text and the sentences of each rule."""
    fetch(folder, RULES, "--no-binary", ":all:")
    with tarfile.open(next(folder.glob("cleave_sbd-*.tar.gz"))) as archive:
        archive.extractall(folder, filter="data")
    [lists] = folder.glob("cleave_sbd-*/tests/data/lang")
    for language in LANGUAGES:
        for name, found in tomllib.loads((lists / f"{language}.toml").read_text("utf-8")).items():
            if "clean" not in name and "pdf" not in name:
                for rule in found:
                    yield language, rule["text"], [part.strip() for part in rule["expected"]]


def ours(binary, folder, texts):
    path = folder / "texts.jsonl"
    path.write_text("".join(json.dumps({"place": place, "text": text}) + "\n" for place, text in enumerate(texts)))
    query = f"SELECT array_transform(text_sentences(text), s -> s['text']) AS parts FROM '{path}' ORDER BY place"
    printed = subprocess.check_output([binary, "--quiet", "--format", "ndjson", "-c", query], text=True)
    return [json.loads(line)["parts"] for line in printed.splitlines()]


def theirs(folder, texts):
    fetch(folder, PYSBD)
    [wheel] = folder.glob("pysbd-*.whl")
    environment = {"PYTHONPATH": str(wheel)}
    command = [sys.executable, "-c", SPLIT]
    return json.loads(subprocess.check_output(command, input=json.dumps(texts), text=True, env=environment))


def main():
    binary = program()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cases = list(rules(folder))
        found = {
            "corpus-sql": ours(binary, folder, [text for _, text, _ in cases]),
            "pysbd": theirs(folder, [(LANGUAGES[language], text) for language, text, _ in cases]),
        }
    if "--failures" in sys.argv:
        for (language, _, expected), parts in zip(cases, found["corpus-sql"], strict=True):
            if parts != expected:
                print(f"{language}: expected {expected}\n   found {parts}", file=sys.stderr)
    count = Counter(language for language, _, _ in cases)
    right = {
        engine: Counter(
            language for (language, _, expected), parts in zip(cases, results, strict=True) if parts == expected
        )
        for engine, results in found.items()
    }
    rows = [(language, count[language], *(each[language] for each in right.values())) for language in count]
    rows.append(("all", count.total(), *(each.total() for each in right.values())))
    print_table(("", "rules", *right), [list(map(str, row)) for row in rows])


if __name__ == "__main__":
    main()
