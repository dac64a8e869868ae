#!/usr/bin/env python3
"""Scores main texts and kinds of pages, and compares two versions of the rules.

    main_text.py texts PAGES PROGRAM OUT     the main text of each page, by a program
    main_text.py score TRUTH OUT [OTHER…]    F1 by kind of page; how others differ from OUT

PAGES is a folder of ID.html.gz. PROGRAM is the example main_texts of corpus-html:
cargo build --release -p corpus-html --example main_texts. TRUTH has a line of JSON for each page:
{"id": …, "type": …, "text": …}, as in WCXB. F1 is that of bags of words, and its mean over pages.
For an ablation, build PROGRAM without a rule, write its OUT, and give it as OTHER.
"""

import collections
import gzip
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def decoded(data):
    declared = re.search(rb"charset=[\"']?([\w-]+)", data[:4096], re.IGNORECASE)
    names = ["utf-8", declared[1].decode() if declared else "cp1252"]
    for name in names:
        try:
            return data.decode(name).replace("\0", "")
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("utf-8", "replace").replace("\0", "")


def write_texts(pages, program, out):
    files = sorted(pathlib.Path(pages).glob("*.html.gz"))
    texts = "\0".join(decoded(gzip.decompress(file.read_bytes())) for file in files)
    with tempfile.NamedTemporaryFile() as joined:
        joined.write(texts.encode("utf-8", "replace"))
        joined.flush()
        run = subprocess.run([program, joined.name], stdout=subprocess.PIPE, check=True)
    with open(out, "w", encoding="utf-8") as lines:
        for file, result in zip(files, run.stdout.decode().split("\0"), strict=True):
            kind, _, text = result.partition("\n")
            name = file.name.removesuffix(".html.gz")
            lines.write(json.dumps({"id": name, "kind": kind, "text": text}) + "\n")


def words(text):
    return collections.Counter(re.findall(r"\w+", text.lower()))


def f1(got, wanted):
    got, wanted = words(got), words(wanted)
    if not got or not wanted:
        return float(not got and not wanted)
    common = (got & wanted).total()
    return 2 * common / (got.total() + wanted.total())


def read(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as lines:
        return {row["id"]: row for row in map(json.loads, lines)}


def mean(values):
    return sum(values) / max(len(values), 1)


def score(truth, paths):
    truth = read(truth)
    # Halves by name: one for finding rules, one for checking them.
    half = {name: f"half {hashlib.md5(name.encode()).digest()[0] & 1}" for name in truth}
    groups = collections.defaultdict(list)
    for name, row in truth.items():
        for group in ("all", half[name], row["type"]):
            groups[group].append(name)
    first = None
    for path in paths:
        rows = read(path)
        text = {name: rows.get(name, {}).get("text", "") for name in truth}
        scores = {name: f1(text[name], truth[name]["text"]) for name in truth}
        first = first or (text, scores)
        changed = sum(text[name] != first[0][name] for name in truth)
        print(f"{path}: {changed} pages differ from the first")
        for group, names in sorted(groups.items()):
            value = mean([scores[name] for name in names])
            change = value - mean([first[1][name] for name in names])
            print(f"  {group:14} {len(names):5} pages  F1 {value:.4f}  {change:+.4f}")
        kinds = collections.Counter((truth[n]["type"], rows[n]["kind"]) for n in truth if n in rows)
        for (wanted, kind), count in sorted(kinds.items()):
            if path == paths[0]:
                print(f"  {wanted:14} recognized as {kind:14} {count:5}")


def main(arguments):
    match arguments:
        case ["texts", pages, program, out]:
            write_texts(pages, program, out)
        case ["score", truth, *paths] if paths:
            score(truth, paths)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
