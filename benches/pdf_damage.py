#!/usr/bin/env python3
"""Measures how many words readers recover from PDFs with damaged page content.

    cargo build --release -p corpus-pdf --example pdf_text
    python3 benches/pdf_damage.py --files=FOLDER target/release/examples/pdf_text

Damages the content of one page of each PDF in the folder in several ways: a flipped bit, a missing
byte, half of the stream cut off, the second half overwritten. Each reader's text of that page is
compared with its own text of the intact page. Prints for each kind of damage the share of words that
each reader recovers, the pages of which it recovers at least 95 % and less than half, and the number of
damaged pages that corpus-sql reports. Files are made again from the same seed in each run. PyMuPDF and
PDFium are installed in a venv. `--each` prints the result of each file to stderr.
"""

import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

from common import option, print_table, program, tools

MAX_FILE_BYTES = 5_000_000
MIN_WORDS = 20
# The largest content streams of a file, by page: page number, offset in the file, length, filter.
FIND = """
import json, sys, pymupdf
pymupdf.TOOLS.mupdf_display_errors(False)
for path in sys.stdin.read().splitlines():
    try:
        data = open(path, "rb").read()
        document = pymupdf.open(path)
        if document.needs_pass or document.is_encrypted or document.metadata.get("encryption"):
            continue
        streams = []
        for number in range(min(document.page_count, 50)):
            for xref in document[number].get_contents():
                raw = document.xref_stream_raw(xref)
                at = data.find(raw)
                if len(raw) > 200 and at > 0 and data.find(raw, at + 1) < 0:
                    filter = document.xref_get_key(xref, "Filter")[1]
                    streams.append((len(raw), number + 1, at, filter))
        if streams:
            length, page, at, filter = max(streams)
            print(json.dumps({"path": path, "page": page, "at": at, "length": length, "filter": filter}))
    except Exception:
        continue
"""
# The text of one page by each of the other readers.
READ = """
import json, sys, pymupdf, pypdfium2
pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)
def mupdf(path, page):
    return pymupdf.open(path)[page - 1].get_text()
def pdfium(path, page):
    return pypdfium2.PdfDocument(path)[page - 1].get_textpage().get_text_range()
for line in sys.stdin.read().splitlines():
    path, page = json.loads(line)
    texts = []
    for reader in (mupdf, pdfium):
        try:
            texts.append(reader(path, page))
        except Exception:
            texts.append("")
    print(json.dumps([path, *texts]), flush=True)
"""
READERS = ("corpus-sql", "PyMuPDF", "PDFium")
PAGE = re.compile(r"^(.*), page (\d+)$", re.MULTILINE)


def flip(data, random):
    at = random.randrange(len(data) * 8)
    changed = bytearray(data)
    changed[at // 8] ^= 1 << at % 8
    return bytes(changed)


def drop(data, random):
    at = random.randrange(len(data))
    return data[:at] + data[at + 1 :] + b"\n"


def cut(data, _):
    return data[: len(data) // 2] + b"\n" * (len(data) - len(data) // 2)


def overwrite(data, random):
    half = len(data) // 2
    return data[:half] + random.randbytes(len(data) - half)


def burst(data, random):
    at = random.randrange(max(1, len(data) - 64))
    return data[:at] + random.randbytes(min(64, len(data))) + data[at + 64 :]


DAMAGES = {
    "one bit flipped": flip,
    "one byte missing": drop,
    "64 bytes overwritten": burst,
    "second half missing": cut,
    "second half overwritten": overwrite,
}


def words(text):
    return Counter(re.findall(r"\w+", text))


def saved(found, sound):
    return (words(found) & words(sound)).total() / max(1, words(sound).total())


def ours(binary, cases):
    """The text of the page of each file, and the failure that was reported, if any."""
    texts, failures = {}, {}
    for at in range(0, len(cases), 50):
        part = cases[at : at + 50]
        command = [binary, *(path for path, _ in part)]
        run = subprocess.run(command, capture_output=True, text=True, errors="replace")
        pieces = PAGE.split("\n" + run.stdout)
        for path, number, text in zip(pieces[1::3], pieces[2::3], pieces[3::3]):
            texts[path, int(number)] = text
        for line in run.stderr.splitlines():
            path, _, failure = line.partition(": ")
            failures.setdefault(path, failure)
    return [texts.get(case, "") for case in cases], [failures.get(path) for path, _ in cases]


def others(python, cases):
    """The texts of the page of each file, by PyMuPDF and by PDFium."""
    found, rest = {}, list(cases)
    # A reader may crash: the file counts as empty, and the rest is read by a new process.
    while rest:
        lines = "\n".join(json.dumps(case) for case in rest)
        run = subprocess.run([python, "-c", READ], input=lines, capture_output=True, text=True)
        read = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("[")]
        found.update((path, texts) for path, *texts in read)
        rest = rest[len(read) + 1 :] if run.returncode else []
    return [[found.get(path, ["", ""])[n] for path, _ in cases] for n in (0, 1)]


def main():
    binary = program()
    files = option("files") or sys.exit(__doc__)
    python = tools(binary.parent)
    folder = binary.parent / "bench-damage"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    paths = [str(path) for path in sorted(Path(files).glob("*.pdf")) if path.stat().st_size <= MAX_FILE_BYTES]
    run = subprocess.run([python, "-c", FIND], input="\n".join(paths), capture_output=True, text=True)
    places = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    cases = [(place["path"], place["page"]) for place in places]
    sound = [ours(binary, cases)[0], *others(python, cases)]
    kept = [n for n in range(len(cases)) if all(words(texts[n]).total() >= MIN_WORDS for texts in sound)]
    rows = []
    for name, damage in DAMAGES.items():
        damaged = []
        for n in kept:
            place = places[n]
            data = Path(place["path"]).read_bytes()
            at, end = place["at"], place["at"] + place["length"]
            path = folder / f"{name.replace(' ', '-')}-{n}.pdf"
            path.write_bytes(data[:at] + damage(data[at:end], random.Random(n)) + data[end:])
            damaged.append((str(path), place["page"]))
        texts, failures = ours(binary, damaged)
        by_reader = [texts, *others(python, damaged)]
        for reader, before, after in zip(READERS, sound, by_reader):
            shares = [saved(found, before[n]) for n, found in zip(kept, after)]
            lost = sum(share < 0.95 for share in shares)
            reported = sum(failure is not None for failure in failures)
            silent = sum(share < 0.95 and failure is None for share, failure in zip(shares, failures))
            rows.append(
                [
                    name,
                    reader,
                    str(len(shares)),
                    f"{100 * sum(shares) / len(shares):.1f} %",
                    str(lost),
                    str(sum(share < 0.5 for share in shares)),
                    *((str(reported), str(silent)) if reader == READERS[0] else ("", "")),
                ]
            )
            if "--each" in sys.argv:
                for n, share, (path, _), failure in zip(kept, shares, damaged, failures):
                    print(f"{reader}\t{share:.3f}\t{path}\t{places[n]['path']}\t{places[n]['filter']}\t{failure}", file=sys.stderr)
    heads = ["damage", "reader", "files", "words saved", "lost > 5 %", "lost > 50 %", "reported", "silent"]
    print_table(heads, rows)


if __name__ == "__main__":
    main()
