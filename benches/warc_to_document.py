#!/usr/bin/env python3
"""Measures the cost of extracting the text of web pages, compared with fastwarc + resiliparse and plain
inflation.

    cargo build --release
    python3 benches/warc_to_document.py [--stages] [target/release/corpus-sql]

Runs queries/warc_to_document.sql, which writes Parquet, on a .warc.gz of 60 MB with generated pages
(pages.py). It is kept in the folder of the binary; remove it when its generator has changed. The Python
side extracts the same text, but writes nothing. Prints user CPU seconds without those for starting the
program, the best of three. Only ratios are comparable, because machines and their load differ. Installs
fastwarc, resiliparse and deflate (libdeflate) from PyPI in a venv.

`--stages` prints the cost of each stage of the job, from the record headers to Parquet.
"""

import os
import subprocess
import sys

from common import ROOT, archive, cost, inflation, print_table, program, tools
from crawl import records

SIZE = 60 << 20
JOB = ROOT / "queries" / "warc_to_document.sql"

RESILIPARSE = """
import sys
from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import detect_encoding
from resiliparse.parse.html import HTMLTree
pages = 0
responses = ArchiveIterator(
    open(sys.argv[1], 'rb'), record_types=WarcRecordType.response, parse_http=True, auto_decode='all'
)
for record in responses:
    if (record.http_content_type or '').split(';')[0].strip().lower() == 'text/html':
        body = record.reader.read()
        charset = record.http_charset or detect_encoding(body, from_html_meta=True)
        extract_plain_text(HTMLTree.parse_from_bytes(body, charset), main_content=False)
        pages += 1
print(pages)
"""

HEADS = """
    SELECT count(*) FROM read_warc('{}')
    WHERE warc_type = 'response' AND truncated IS NULL AND content_type LIKE 'application/http%'
"""
BODIES = HEADS.replace("count(*)", "sum(octet_length(body))")
# The stages of a page: its bytes, its charset, its characters, its text.
OF_PAGES = """
    SELECT {} FROM (
        SELECT http_response(body) AS http FROM read_warc('{{}}')
        WHERE warc_type = 'response' AND truncated IS NULL AND content_type LIKE 'application/http%'
    )
    WHERE http['sniffed_type'] = 'text/html'
"""
CHARSET = "charset_detect(http['body'], http['charset'])['charset']"
STAGES = [
    ("heads of records", HEADS),
    ("their bodies", BODIES),
    ("HTTP", OF_PAGES.format("sum(octet_length(http['body']))")),
    ("charset told", OF_PAGES.format(f"count({CHARSET})")),
    ("characters decoded", OF_PAGES.format(f"sum(octet_length(charset_decode(http['body'], {CHARSET})))")),
    ("text", OF_PAGES.format("sum(octet_length(html_document(http['body'], http['charset'])))")),
]


class Job:
    """The job, and parts of it, with one thread or more."""

    def __init__(self, binary, path):
        self.binary, self.path = binary, path
        self.output = binary.parent / "bench.parquet"
        self.starting = cost(*self.command("-c", "SELECT 1")).seconds

    def command(self, *statements, threads=1):
        return [self.binary, "--quiet", "--threads", str(threads), *statements]

    def whole(self, threads=1):
        variables = ["-v", f"input={self.path}", "-v", f"output={self.output}"]
        spent = cost(*self.command("-f", JOB, *variables, threads=threads))
        self.output.unlink()
        return spent._replace(seconds=spent.seconds - self.starting)

    def part(self, sql):
        spent = cost(*self.command("-c", sql.format(self.path)))
        return spent._replace(seconds=spent.seconds - self.starting)


def check_that_pages_are_the_same(job, python):
    """A reader that stops early would be the fastest."""
    count = OF_PAGES.format("count(*)").format(job.path)
    ours = subprocess.check_output(job.command("--format", "csv", "-c", count), text=True)
    theirs = subprocess.check_output([python, "-c", RESILIPARSE, job.path], text=True)
    if ours.split()[-1] != theirs.strip():
        sys.exit(f"corpus-sql reads {ours.split()[-1]} pages, fastwarc {theirs.strip()}")


def compare(job, python):
    check_that_pages_are_the_same(job, python)
    bare = inflation(python, job.path)
    imports = cost(python, "-c", RESILIPARSE, os.devnull).seconds
    theirs = cost(python, "-c", RESILIPARSE, job.path)
    theirs = theirs._replace(seconds=theirs.seconds - imports)
    rows = [("libdeflate, members known beforehand", f"{bare:.2f}", "1.00", "", "", "")]
    for name, spent in [
        ("corpus-sql, warc_to_document.sql", job.whole()),
        ("corpus-sql, the same with two threads", job.whole(threads=2)),
        ("fastwarc + resiliparse (Python), nothing written", theirs),
    ]:
        ratios = f"{spent.seconds / bare:.2f}", f"{theirs.seconds / spent.seconds:.1f}"
        rows.append((name, f"{spent.seconds:.2f}", *ratios, f"{spent.clock:.2f}", f"{spent.memory} MB"))
    heads = ("", "seconds", "ratio to inflation", "times as fast as resiliparse", "on the clock", "peak memory")
    print_table(heads, rows)


def profile(job):
    rows, before = [], 0
    for name, spent in [(name, job.part(sql)) for name, sql in STAGES] + [("Parquet", job.whole())]:
        rows.append((name, f"{spent.seconds:.2f}", f"{spent.seconds - before:.2f}", f"{spent.memory} MB"))
        before = spent.seconds
    print_table(("up to this stage", "seconds", "added by it", "peak memory"), rows)


def main():
    binary = program()
    path = archive(binary.parent / "bench-pages.warc.gz", records, SIZE)
    job = Job(binary, path)
    print(f"{path.stat().st_size / 1e6:.0f} MB; user CPU seconds of one thread\n")
    if "--stages" in sys.argv:
        profile(job)
    else:
        compare(job, tools(binary.parent))


if __name__ == "__main__":
    main()
