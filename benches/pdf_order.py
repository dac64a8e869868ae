#!/usr/bin/env python3
"""Measures how well the text of PDFs is in reading order, compared with PyMuPDF and PDFium.

    cargo build --release
    python3 benches/pdf_order.py [--files=FOLDER --references=FOLDER] [--others] [target/release/corpus-sql]

Reads generated pages (pdf_layouts.py, pdf_irregular_pages.py) and compares each text with the known
one; with `--files`, reads your PDFs and compares with NAME.txt in the folder `--references`. Prints for
each kind of page the F1 of bags of words, which ignores order, and the same measure over the longest
common subsequence of words. The difference is the loss due to order. CJK characters and punctuation
marks count as words, so that a misplaced bracket lowers the score. `--others` also measures PyMuPDF and
PDFium, and installs them in a venv.
"""

import re
import shutil
import subprocess
import sys
import unicodedata
from collections import Counter
from pathlib import Path

from common import ROOT, option, print_table, program, tools
from pdf_irregular_pages import IRREGULAR
from pdf_layouts import KINDS, layouts

COUNT = 20
# Longer texts are truncated, because the time grows with the square of the length.
MAX_WORDS = 50_000
JOB = """
    COPY (
        SELECT regexp_replace(regexp_replace(source_file, '^.*/', ''), '[.]pdf$', '.txt') AS name,
               coalesce(pdf_parse(content)['text'], '') AS content
        FROM read_pdf('{input}')
    ) TO '{output}/' STORED AS FILES
"""
CJK = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
WORD = re.compile(f"[{CJK}]|[^\\W{CJK}]+|[^\\w\\s]")


def words(text):
    return WORD.findall(unicodedata.normalize("NFKC", text).replace("\u00ad", ""))[:MAX_WORDS]


def common_subsequence(a, b):
    """The length of the longest common subsequence (Hyyrö 2004); bits are positions in `a`."""
    places = {}
    for place, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << place
    mask = (1 << len(a)) - 1
    rows = mask
    for word in b:
        matches = rows & places.get(word, 0)
        rows = (rows + matches | rows - matches) & mask
    return len(a) - rows.bit_count()


def scores(text, reference):
    """The F1 of the words, and of those in order."""
    found, wanted = words(text), words(reference)
    total = len(found) + len(wanted)
    if not total:
        return 1.0, 1.0
    same = (Counter(found) & Counter(wanted)).total()
    return 2 * same / total, 2 * common_subsequence(wanted, found) / total


def ours(binary, folder, output):
    sql = JOB.format(input=folder, output=output)
    subprocess.run([binary, "--quiet", "-c", sql], check=True)


def other(python, engine, folder, output):
    paths = folder.with_suffix(".list")
    paths.write_text("".join(f"{path}\n" for path in sorted(folder.glob("*.pdf"))))
    script = ROOT / "benches" / "pdf_python.py"
    subprocess.run([python, script, engine, paths, output], check=True, stdout=subprocess.DEVNULL)


def read(path):
    return path.read_text("utf-8", "replace") if path.exists() else ""


def pages(binary):
    """Returns the folder of the PDFs, and the kind, the name and the reference text of each."""
    given, references = option("files"), option("references")
    if given and references:
        named = sorted(Path(references).glob("*.txt"))
        return Path(given).resolve(), [("files", path.stem + ".pdf", read(path)) for path in named]
    folder = fresh(binary.parent / "bench-layouts")
    return folder, layouts(folder, COUNT, KINDS + IRREGULAR)


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def main():
    binary = program()
    folder, made = pages(binary)
    output = binary.parent / "bench-order"
    engines = [("corpus-sql", lambda: ours(binary, folder, output))]
    if "--others" in sys.argv:
        python = tools(binary.parent)
        engines.append(("PyMuPDF", lambda: other(python, "pymupdf", folder, output)))
        engines.append(("PDFium", lambda: other(python, "pypdfium2", folder, output)))
    kinds = {}
    for name, run in engines:
        fresh(output)
        run()
        for kind, file, reference in made:
            found = scores(read((output / file).with_suffix(".txt")), reference)
            kinds.setdefault(kind, {}).setdefault(name, []).append(found)
    means = {
        kind: [sum(column) / len(found) for found in measured.values() for column in zip(*found)]
        for kind, measured in kinds.items()
    }
    means["mean of kinds"] = [sum(column) / len(means) for column in zip(*means.values())]
    rows = [[kind, *(f"{mean:.3f}" for mean in row)] for kind, row in means.items()]
    heads = [head for name, _ in engines for head in (f"{name}: F1", "in order")]
    print_table(["pages", *heads], rows)


if __name__ == "__main__":
    main()
