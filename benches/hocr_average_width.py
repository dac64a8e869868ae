#!/usr/bin/env python3
"""Measures the job for average block widths of scanned pages, compared with plain inflation and lxml.

    cargo build --release
    python3 benches/hocr_average_width.py [--stages] [target/release/corpus-sql]

Runs queries/hocr_average_width.sql on 20,000 invented pages of hOCR (1 GB, 52 KB a page; hocr_book.py)
in 20 SequenceFiles in compressed blocks, which are made once and kept in the folder of the binary.
Remove them when their generator has changed. lxml reads one file in ten; its time is multiplied by ten.
Prints user CPU seconds without those for starting the program, the best of three. Only ratios are
comparable, because machines and their load differ. hocr_quality.sql, which reads words, is also
measured. Installs lxml and deflate (libdeflate) from PyPI in a venv.

`--stages` prints what each stage of the job adds.
"""

import subprocess
import sys

from common import ROOT, cost, inflation, print_table, program, tools
from hocr_book import PAGES_IN_A_FILE, books

FILES = 20
# A quarter of the pages, to check that memory does not grow with them, and the pages for lxml.
SOME, SAMPLE = "0000[0-4].seq", slice(None, None, 10)
SCALE = 10
JOB = ROOT / "queries" / "hocr_average_width.sql"
QUALITY = ROOT / "queries" / "hocr_quality.sql"
LXML = ROOT / "benches" / "hocr_lxml.py"

INFLATE = """
import sys, deflate
for path in sys.argv[1:]:
    data = memoryview(open(path, 'rb').read())
    for buffer in open(path + '.buffers').read().split():
        at, size, length = map(int, buffer.split(':'))
        deflate.zlib_decompress(data[at:at + size], length)
"""
BLOCKS = "SELECT {} FROM (SELECT hocr_blocks(value, 'utf-8', 'boxes') AS blocks FROM read_sequencefile('{{}}'))"
STAGES = [
    ("keys", "SELECT max(key) FROM read_sequencefile('{}')"),
    ("values, in batches", "SELECT sum(octet_length(value)) FROM read_sequencefile('{}')"),
    ("blocks of the pages", BLOCKS.format("sum(cardinality(blocks))")),
    ("a row for each block", f"SELECT count(b['x2']) FROM ({BLOCKS.format('unnest(blocks) AS b')})"),
]


class Job:
    """The job and parts of it, with one or more threads."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.starting = cost(*self.command("-c", "SELECT 1")).seconds

    def command(self, *statements, threads=1):
        return [self.binary, "--quiet", "--format", "csv", "--threads", str(threads), *statements]

    def whole_command(self, files="*.seq", threads=1, query=JOB):
        return self.command("-f", query, "-v", f"input={self.folder / files}", threads=threads)

    def whole(self, files="*.seq", threads=1, query=JOB):
        return self.without_start(cost(*self.whole_command(files, threads, query)))

    def part(self, sql):
        return self.without_start(cost(*self.command("-c", sql.format(self.folder / "*.seq"))))

    def without_start(self, spent):
        return spent._replace(seconds=spent.seconds - self.starting)


def check_that_widths_are_the_same(job, python, sample):
    theirs = subprocess.check_output([python, LXML, *sample], text=True).splitlines()
    ours = set()
    for path in sample:
        ours.update(subprocess.check_output(job.whole_command(path.name), text=True).splitlines()[1:])
    if ours != set(theirs):
        sys.exit(f"corpus-sql and lxml differ in {len(ours ^ set(theirs))} of {len(theirs)} pages")


def compare(job, python, files):
    sample = files[SAMPLE]
    check_that_widths_are_the_same(job, python, sample)
    bare = inflation(python, *files, code=INFLATE)
    theirs = cost(python, LXML, *sample)
    theirs = theirs._replace(seconds=SCALE * (theirs.seconds - cost(python, LXML).seconds))
    one, two, some = job.whole(), job.whole(threads=2), job.whole(SOME)
    quality = job.whole(query=QUALITY)
    rows = [("libdeflate, buffers known beforehand", f"{bare:.2f}", "1.00", "", "", "")]
    for name, spent, clock in [
        ("corpus-sql, hocr_average_width.sql", one, f"{one.clock:.2f}"),
        ("corpus-sql, the same with two threads", two, f"{two.clock:.2f}"),
        ("corpus-sql, hocr_quality.sql", quality, f"{quality.clock:.2f}"),
        ("lxml (Python), ten times a tenth of the pages", theirs, ""),
    ]:
        ratios = f"{spent.seconds / bare:.2f}", f"{theirs.seconds / spent.seconds:.1f}"
        rows.append((name, f"{spent.seconds:.2f}", *ratios, clock, f"{spent.memory} MB"))
    heads = ("", "seconds", "ratio to inflation", "times as fast as lxml", "on the clock", "peak memory")
    print_table(heads, rows)
    pages = PAGES_IN_A_FILE * len(list(job.folder.glob(SOME)))
    print(f"\nTwo threads are {one.clock / two.clock:.2f} times as fast as one.", end=" ")
    print(f"With {pages:,} pages the peak is {some.memory} MB.", end=" ")
    print(f"hocr_quality.sql costs {quality.seconds / one.seconds:.2f} times as much as hocr_average_width.sql.")


def profile(job):
    rows, before = [], 0
    for name, spent in [(name, job.part(sql)) for name, sql in STAGES] + [("widths by page, sorted", job.whole())]:
        rows.append((name, f"{spent.seconds:.2f}", f"{spent.seconds - before:.2f}", f"{spent.memory} MB"))
        before = spent.seconds
    print_table(("up to this stage", "seconds", "added by it", "peak memory"), rows)


def main():
    binary = program()
    files = books(binary.parent / "bench-books", FILES)
    job = Job(binary, files[0].parent)
    size = sum(path.stat().st_size for path in files)
    print(f"{size / 1e6:.0f} MB, {FILES * PAGES_IN_A_FILE:,} pages; user CPU seconds of one thread\n")
    if "--stages" in sys.argv:
        profile(job)
    else:
        compare(job, tools(binary.parent), files)


if __name__ == "__main__":
    main()
