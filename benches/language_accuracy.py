#!/usr/bin/env python3
"""Measures how often the language of a text is detected, and the cost: the table of docs/language.md.

    cargo build --release -p corpus-language --examples
    benches/language_accuracy.py FOLDER [--languages] [--failures] [--quick | --speed]

reads the texts that benches/language_texts.py wrote into FOLDER, except those from which the model is
trained. Compares with lid.176.ftz (read by our reader), lingua (by its Python package), whatlang and
whichlang (by benches/language_others). `--languages` prints a row per language, `--failures` mistakes;
`--quick` leaves out lingua and speeds, `--speed` prints nothing else.
"""

import json
import os
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from common import ROOT, cost, print_table, tools
from fasttext_models import lid_model
from language_texts import ISO_639_3

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
LENGTHS = 20, 50, 200, 1000
PER_CELL = 40
SOURCES = "udhr", "manpages", "books", "wesnoth"

# The declaration has hundreds of languages. These are in another source, too, or are written by many
# people.
LANGUAGES = """af am ar ast az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr ga gd gl gu he hi hr hu hy id is it ja ka
kk km kn ko lo lt lv mk ml mn mr ms my ne nl nn no oc pa pl pt ro ru si sk sl sq sr sr-latn sv ta te tg th tl tr ug
uk ur uz vi xh zh zu""".split()
SAME = {"fil": "tl", "nb": "no", "nob": "no", "sr-latn": "sr", "sh": "sr"}
# Files of languages with several scripts whose text is in the usual script.
OTHER_SCRIPTS = "az-latn be-cyrl bs-latn kk-cyrl ky-cyrl mn-cyrl ms-latn sr-cyrl tg-cyrl ug-arab uz-latn".split()
FILES = {name: name.partition("-")[0] for name in OTHER_SCRIPTS} | {"fil": "tl"}

NAMES = re.compile(r"[^\W\d]+(,[^\W\d]+){3}")
# Books are translated in part.
ENGLISH = re.compile(r"\b(the|and|you)\b")

# Typical text around the content of pages.
FURNITURE = """https://www.example.com/index.php?id=42 Home Login Facebook Twitter RSS © 2019 Copyright All rights reserved
info@example.com 2014-05-03 12:30 +49 30 1234567 | » 3/5 12,90 € PDF (1.2 MB) WordPress Google Cookies Blog FAQ
IMG_2034.JPG #1 Windows iPhone OK""".split()

LINGUA = """
import sys, time
from lingua import LanguageDetectorBuilder
detector = LanguageDetectorBuilder.from_all_languages().with_preloaded_language_models().build()
started = time.process_time()
for line in open(sys.argv[1], encoding='utf-8', newline='\\n'):
    found = detector.detect_language_of(line)
    if len(sys.argv) == 2:
        print(found.iso_code_639_1.name.lower() if found else '')
if len(sys.argv) > 2:
    print(time.process_time() - started)
"""


def plain(code):
    """Maps the codes of all tools to one code per language."""
    code = ISO_639_3.get(code, code)
    return SAME.get(code, code)


def with_furniture(rng, text):
    words = text.split(" ")
    for _ in range(max(2, len(words) // 6)):
        words.insert(rng.randrange(len(words) + 1), rng.choice(FURNITURE))
    return " ".join(word.upper() if rng.random() < 0.05 else word for word in words)


def make_texts(folder):
    """Pieces of all languages, sources and lengths: (language, source, length, text)."""
    path = folder / "language_pieces.jsonl"
    if path.exists():
        return [json.loads(line) for line in path.open(encoding="utf-8")]
    rng = random.Random(2)
    pieces = []
    for source in SOURCES:
        files = {
            file: file.read_text("utf-8").splitlines() for file in sorted((folder / "texts" / source).glob("*.txt"))
        }
        counts = Counter(line for lines in files.values() for line in set(lines))
        for file, lines in files.items():
            language = FILES.get(file.stem, file.stem)
            if language not in LANGUAGES:
                continue
            # A line in several languages is in English, or a name. Lists of names have no spaces.
            own = (line for line in lines if language == "en" or counts[line] == 1)
            text = " ".join(
                line for line in own if not NAMES.search(line) and (language == "en" or not ENGLISH.search(line))
            )
            if len(text) < 4000:
                continue
            for length in LENGTHS:
                for _ in range(PER_CELL):
                    start = rng.randrange(len(text) - length)
                    # Start at a word if words are separated.
                    space = text.find(" ", start, start + 30) + 1
                    start = min(space or start, len(text) - length)
                    piece = text[start : start + length]
                    if sum(map(str.isalpha, piece)) < length / 2:
                        continue
                    pieces.append((language, source, length, piece))
                    if source in ("udhr", "wesnoth"):
                        pieces.append((language, "web", length, with_furniture(rng, piece)))
    with path.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(piece, ensure_ascii=False) + "\n" for piece in pieces)
    return pieces


def engines(folder, python):
    others = TARGET / "language-others"
    if not others.exists():
        manifest = ROOT / "benches/language_others/Cargo.toml"
        build = ["cargo", "build", "--release", "--manifest-path", manifest, "--target-dir", TARGET.parent]
        subprocess.run(build, check=True)
    return {
        "built-in": ([TARGET / "examples/language_detect"], ["--time"]),
        "lid.176.ftz": ([TARGET / "examples/fasttext_predict", lid_model(python)], []),
        "lingua": ([python, "-c", LINGUA], ["--time"]),
        "whatlang": ([others, "whatlang"], ["--time"]),
        "whichlang": ([others, "whichlang"], ["--time"]),
    }


def answers(name, command, path):
    command = [str(word) for word in [*command, path]] + (["1"] if name == "lid.176.ftz" else [])
    printed = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout
    return [plain(line.split("\t")[0].removeprefix("__label__")) for line in printed.split("\n")[:-1]]


def share(cell):
    return f"{100 * sum(cell) / len(cell):.1f}" if cell else "–"


def print_sources(names, right, known):
    """Prints accuracy by source and length, over the languages that an engine knows, and over those
    that all engines know."""
    common = set.intersection(*known.values())
    for title, languages in (("languages of the built-in model", known["built-in"]), ("languages of all", common)):
        rows = []
        for source in dict.fromkeys(source for _, source, _ in right[names[0]]):
            for length in LENGTHS:
                cells = []
                for name in names:
                    found = [
                        hit
                        for (language, own, size), hits in right[name].items()
                        if own == source and size == length and language in languages
                        for hit in hits
                    ]
                    cells.append(share(found))
                rows.append((source, str(length), *cells))
        print(f"\n{title}: {' '.join(sorted(languages))}\n")
        print_table(("texts", "characters", *names), rows)


def print_languages(names, right):
    rows = []
    for language in sorted({language for language, _, _ in right[names[0]]}):
        cells = []
        for length in LENGTHS:
            cell = [
                hit
                for (own, _, size), hits in right["built-in"].items()
                if own == language and size == length
                for hit in hits
            ]
            cells.append(share(cell))
        others = [
            share([hit for (own, _, _), hits in right[name].items() if own == language for hit in hits])
            for name in names
        ]
        rows.append((language, *cells, *others))
    print()
    print_table(("language", *map(str, LENGTHS), *(f"{name}, all lengths" for name in names)), rows)


def speeds(folder, found):
    """Returns MB per second of user CPU time, on texts of 50 and of 1000 characters, and on pages of
    20,000."""
    rng = random.Random(3)
    pieces = make_texts(folder)
    sets = {}
    for length in (50, 1000):
        sets[length] = [text for _, _, size, text in pieces if size == length]
    long = defaultdict(list)
    for language, source, size, text in pieces:
        if size == 1000:
            long[language, source].append(text)
    sets[20_000] = [" ".join(rng.choices(texts, k=20)) for texts in long.values() for _ in range(2)]
    empty = folder / "nothing.txt"
    empty.write_text("")
    rows = []
    for name, (command, timing) in found.items():
        row = [name]
        for length, texts in sets.items():
            path = folder / f"speed_{length}.txt"
            slow = name == "lingua"
            texts = texts[::40] if slow else texts * (20 if length == 50 else 4)
            path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8", newline="\n")
            if slow:
                # It measures its own time, because loading its models takes much longer than these
                # texts.
                run = [*command, path, *timing]
                took = float(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
            else:
                took = cost(*command, path, *timing).seconds - cost(*command, empty, *timing).seconds
            row.append(f"{path.stat().st_size / 1e6 / max(took, 0.001):.1f}")
        rows.append(row)
    print()
    print_table(("MB/s", *(f"{length} characters" for length in sets)), rows)


def main():
    folder = Path(sys.argv[1])
    python = tools(folder)
    pieces = make_texts(folder)
    path = folder / "language_pieces.txt"
    path.write_text("".join(f"{text}\n" for *_, text in pieces), encoding="utf-8", newline="\n")
    found = engines(folder, python)
    if "--speed" in sys.argv:
        return speeds(folder, found)
    if "--quick" in sys.argv:
        found.pop("lingua")
    right = {name: defaultdict(list) for name in found}
    known = {}
    for name, (command, _) in found.items():
        results = answers(name, command, path)
        assert len(results) == len(pieces), name
        hits, mistakes = defaultdict(int), Counter()
        for (language, source, length, _), result in zip(pieces, results):
            hit = result == plain(language)
            right[name][plain(language), source, length].append(hit)
            hits[plain(language)] += hit
            if not hit and length >= 200:
                mistakes[language, result] += 1
        # An engine does not support a language without a correct answer.
        known[name] = {language for language, count in hits.items() if count > 2}
        if "--failures" in sys.argv:
            print(name, *(f"{a}>{b}:{count}" for (a, b), count in mistakes.most_common(60)))
    print_sources(list(found), right, known)
    if "--languages" in sys.argv:
        print_languages(list(found), right)
    if "--quick" not in sys.argv:
        speeds(folder, found)
    return None


if __name__ == "__main__":
    main()
