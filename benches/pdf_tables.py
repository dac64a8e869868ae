#!/usr/bin/env python3
"""Scores the tables found in PDFs against known ones, by adjacency relations.

    cargo build --release -p corpus-pdf --example pdf_tables
    python3 benches/pdf_tables.py FOLDER [--program=target/release/examples/pdf_tables] [--files]

FOLDER has NAME.pdf and NAME-str.xml in the format of the ICDAR 2013 table competition. A relation is a
pair of cells that are adjacent in a row or a column, ignoring blank cells. The texts are compared
without white space, punctuation and case. (Göbel and others, A Methodology for Evaluating Algorithms
for Table Understanding in PDF Documents, 2012.) Prints precision, recall, F1 and CPU seconds over all
files, and for each file with --files. pdfplumber and liteparse (PyPI) are also scored if they are
installed.
"""

import json
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from xml.etree import ElementTree

from common import ROOT, cpu_seconds, folder, option, print_scores


def plain(text):
    """Returns the letters, digits and number signs of a text, in lower case."""
    kept = (c for c in text.lower() if unicodedata.category(c)[0] in "LN" or c in "%$€£.,()+-")
    return "".join(kept)


def neighbours(line):
    """Returns pairs of adjacent different cells, ignoring blank ones."""
    filled = [cell for cell in line if cell is not None and cell[1]]
    return [(a, b) for a, b in zip(filled, filled[1:]) if a[0] != b[0]]


def relations(rows):
    """Returns the relations of a table. Rows consist of cells (number, text); a spanning cell is in all
    of its places."""
    pairs = set()
    for way, lines in (("across", rows), ("down", zip(*rows))):
        for line in lines:
            pairs.update((way, *pair) for pair in neighbours(line))
    return Counter((way, a[1], b[1]) for way, a, b in pairs)


def expected(path):
    """The relations of the tables in a file of the competition."""
    total = Counter()
    # Some files are not well-formed, because they contain control characters.
    source = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]|&#x?[01]?[0-9a-f];", "", path.read_text(errors="replace"))
    for region in ElementTree.fromstring(source.encode()).iter("region"):
        places = {}
        for number, cell in enumerate(region.iter("cell")):
            row, column = int(cell.get("start-row")), int(cell.get("start-col"))
            text = plain(cell.findtext("content") or "")
            for r in range(row, int(cell.get("end-row") or row) + 1):
                for c in range(column, int(cell.get("end-col") or column) + 1):
                    places[r, c] = (number, text)
        if places:
            width = max(column for _, column in places) + 1
            height = max(row for row, _ in places) + 1
            total += relations([[places.get((r, c)) for c in range(width)] for r in range(height)])
    return total


def found(tables):
    """Returns the relations of tables, given as lists of rows with texts, and None where a cell
    continues."""
    total = Counter()
    for rows in tables:
        width = max(map(len, rows), default=0)
        cells = [
            [None if text is None else ((r, c), plain(text)) for c, text in enumerate(row)]
            + [None] * (width - len(row))
            for r, row in enumerate(rows)
        ]
        total += relations(cells)
    return total


def ours(paths):
    binary = option("program") or ROOT / "target/release/examples/pdf_tables"
    output = subprocess.run([binary, *paths], capture_output=True, text=True).stdout
    return {line["file"]: line["tables"] for line in map(json.loads, output.splitlines())}


def pdfplumber(paths):
    import pdfplumber as library

    tables = {}
    for path in paths:
        with library.open(path) as document:
            tables[path.name] = [table for page in document.pages for table in page.extract_tables()]
    return tables


def liteparse(paths):
    from liteparse import LiteParse

    parser = LiteParse(output_format="markdown", ocr_enabled=False, quiet=True)
    return {path.name: of_markdown(parser.parse(path).text) for path in paths}


def of_markdown(text):
    """The tables of a Markdown document."""
    tables, rows = [], []
    for line in [*text.splitlines(), ""]:
        line = line.strip()
        if line.startswith("|"):
            cells = [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]
            if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                rows.append(cells)
        elif rows:
            tables.append(rows)
            rows = []
    return tables


def score(name, extract, known):
    started = cpu_seconds()
    tables = extract(list(known))
    seconds = cpu_seconds() - started
    right = total = truth = 0
    for path, want in known.items():
        have = found(tables.get(path.name, []))
        hits = (want & have).total()
        right, total, truth = right + hits, total + have.total(), truth + want.total()
        if "--files" in sys.argv:
            print(f"{name} {path.name}: {hits} right of {have.total()} found and {want.total()} known")
    return [
        name,
        f"{right / max(1, total):.3f}",
        f"{right / max(1, truth):.3f}",
        f"{2 * right / max(1, total + truth):.3f}",
        f"{seconds:.2f}",
    ]


def main():
    known = {}
    for truth in sorted(folder(__doc__).glob("*-str.xml")):
        known[truth.with_name(truth.name.removesuffix("-str.xml") + ".pdf")] = expected(truth)
    heads = ["program", "precision", "recall", "F1", "CPU seconds"]
    print_scores(heads, score, ours, (pdfplumber, liteparse), known)


main()
