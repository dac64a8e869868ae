"""Measures how time and memory of jobs grow with their input: each runs on one part and on sixteen,
with one thread and two."""

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

SIZES = (1, 16)
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
                f"{last.memory / first.memory:.2f}",
            )
    shutil.rmtree(place.folder / "bench-growth", ignore_errors=True)


def results(place):
    sizes = [f"{size} x" for size in SIZES]
    return table(("", "threads", *sizes, "CPU per part, ratio", "memory, ratio"), rows(place))
