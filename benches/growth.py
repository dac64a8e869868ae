"""Measures how time and memory of jobs grow with their input: each runs on 1, 16 and 64 parts, with one
thread and two. Then it measures inputs of unusual shapes."""

import gzip
import multiprocessing
import os
import shutil
from typing import NamedTuple

from common import ROOT, archive, spent, table
from contests import BOOKS, linked
from crawl import records
from deduplication import PARAGRAPHS, Bench
from hocr_book import books
from pdf_papers import papers
from warc_to_document import SIZE

SIZES = (1, 16, 64)
THREADS = (1, 2)
BOOKS_IN_A_PART = 5
PAPERS_IN_A_PART = 100
PARAGRAPHS_IN_A_PART = 250_000
WIDTHS = ["--output", os.devnull, "-f", ROOT / "queries" / "hocr_average_width.sql"]
PDFS = """
    COPY (SELECT source_file, pdf_parse(content)['text'] AS document FROM read_pdf('{}'))
    TO '{}' STORED AS PARQUET
"""


class Growing(NamedTuple):
    name: str
    # A function that returns the arguments for a number of parts.
    command: object


def jobs(place):
    output = place.folder / "bench-growth-output"
    pages = archive(place.folder / "bench-pages.warc.gz", records, SIZE)
    scans = books(place.folder / "bench-books", BOOKS)[:BOOKS_IN_A_PART]
    pdfs = sorted(papers(place.folder / "bench-papers", 3 * PAPERS_IN_A_PART).glob("*.pdf"))[:PAPERS_IN_A_PART]
    bench = Bench(place.binary)

    def files(paths, times):
        return linked(place.folder / "bench-growth", paths, times)

    def documents(times):
        return bench.made(f"growth-{times}", PARAGRAPHS, count=times * PARAGRAPHS_IN_A_PART)

    def query(name, given):
        words = ["-f", ROOT / "queries" / f"{name}.sql"]
        return Growing(f"`{name}.sql`", lambda times: [*words, "-v", f"input={given(times)}", "-v", f"output={output}"])

    return [
        query("warc_to_document", lambda times: files([pages], times)),
        Growing("`hocr_average_width.sql`", lambda times: [*WIDTHS, "-v", f"input={files(scans, times)}"]),
        Growing("`pdf_parse`", lambda times: ["-c", PDFS.format(files(pdfs, times), output)]),
        query("filter_documents", documents),
        query("dedup_paragraph_exact", documents),
    ]


def rows(place):
    output = place.folder / "bench-growth-output"
    for job in jobs(place):
        for threads in THREADS:
            costs = []
            for size in SIZES:
                command = [place.binary, "--quiet", "--threads", threads, *job.command(size)]
                costs.append(spent(*command))
                shutil.rmtree(output) if output.is_dir() else output.unlink(missing_ok=True)
            first, last = costs[0], costs[-1]
            yield (
                job.name,
                str(threads),
                *(f"{one.seconds:.1f} / {one.clock:.1f} s, {one.memory} MB" for one in costs),
                f"{last.seconds / first.seconds / SIZES[-1]:.2f}",
            )
    shutil.rmtree(place.folder / "bench-growth", ignore_errors=True)


def results(place):
    sizes = [f"{size} x" for size in SIZES]
    return table(("", "threads", *sizes, "CPU per part, 64 x to 1 x"), rows(place))


class Shape(NamedTuple):
    name: str
    # The size of the pages or texts.
    megabytes: int
    command: list


def page(size):
    """A record with a page of about `size` bytes. Each paragraph differs from the others."""
    paragraphs = []
    left = size
    while left > 0:
        paragraphs.append(f"<p>Paragraph {left} says that the river rose by {left % 97} feet in the night.")
        left -= len(paragraphs[-1])
    return crawl_record("<!doctype html><title>A page</title>" + "\n".join(paragraphs))


def crawl_record(html):
    body = html.encode()
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n"
        "WARC-Date: 2021-01-15T22:13:20Z\r\nWARC-Target-URI: https://example.org/\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def repeated(path, size, count):
    """Writes an archive that has a page of about `size` bytes `count` times."""
    member = gzip.compress(page(size), 6, mtime=0)
    with open(path, "wb") as out:
        for _ in range(count):
            out.write(member)


def shapes(place):
    """Makes each input, and removes it after it was measured."""
    folder = place.folder / "bench-shapes"
    output = place.folder / "bench-growth-output"
    job = ["-f", ROOT / "queries" / "warc_to_document.sql", "-v", f"output={output}"]

    def pages(name, file, size, count):
        folder.mkdir()
        # In a separate process, because the peak memory of a process includes that of its parent at the start.
        making = multiprocessing.Process(target=repeated, args=(folder / file, size, count))
        making.start()
        making.join()
        if making.exitcode:
            raise SystemExit(f"cannot make {file}")
        return Shape(name, size * count // 10**6, [*job, "-v", f"input={folder / file}"])

    yield pages("200,000 pages of 1 kB", "small.warc.gz", 1_000, 200_000)
    shutil.rmtree(folder)
    yield pages("20 pages of 50 MB", "large.warc.gz", 50_000_000, 20)
    shutil.rmtree(folder)
    yield pages("one file of 20 GB decompressed, pages of 100 kB", "long.warc.gz", 100_000, 200_000)
    shutil.rmtree(folder)
    folder.mkdir()
    for number in range(100_000):
        (folder / f"{number:06}.txt").write_text(f"Report {number}: the river rose by {number % 97} feet.\n")
    sql = f"COPY (SELECT file_name, text FROM documents('{folder}/')) TO '{output}' STORED AS PARQUET"
    yield Shape("`documents` of a folder with 100,000 text files", 4, ["-c", sql])
    shutil.rmtree(folder)


def of_shapes(place):
    output = place.folder / "bench-growth-output"
    shutil.rmtree(place.folder / "bench-shapes", ignore_errors=True)

    def rows():
        for shape in shapes(place):
            run = spent(place.binary, "--quiet", "--threads", 1, *shape.command)
            shutil.rmtree(output) if output.is_dir() else output.unlink(missing_ok=True)
            yield shape.name, f"{shape.megabytes:,} MB", f"{run.seconds:.1f} / {run.clock:.1f} s", f"{run.memory} MB"

    return table(("", "size", "CPU / elapsed", "memory"), rows())
