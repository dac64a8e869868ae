#!/usr/bin/env python3
"""Measures the cost of extracting the text of PDFs, compared with PDFium, PyMuPDF, liteparse,
pdf-inspector and pdf.js.

    cargo build --release
    python3 benches/pdf_text.py [--files=FOLDER] [--others] [target/release/corpus-sql]

Reads the PDFs below a folder, or generated ones (pdf_papers.py; kept in the folder of the binary), and
prints CPU seconds (user and system, of all processes), the best of two. corpus-sql uses one thread,
reads PDFs in a worker process or in its own, and writes Parquet. The others extract the text of every
page in one process, and write nothing. Files that crash one of them are left out for all. Only ratios
are comparable, because machines differ. Installs the others from PyPI in a venv, and pdfjs-dist from
npm.

`--others` measures only the other programs.
"""

import subprocess
import sys

from common import cost, print_table, program
from pdf_engines import Files, Outcome, engines

TIMES = 2
JOB = """
    COPY (
        SELECT source_file, pdf['pages'] AS pages, pdf['text'] AS document
        FROM (SELECT source_file, pdf_parse(content) AS pdf FROM read_pdf('{input}'))
    ) TO '{output}' STORED AS PARQUET
"""
OUTCOME = "SELECT count(*) - count(document), sum(character_length(document)) FROM '{output}'"


def measure_ours(binary, files, isolation):
    sql = [binary, "--quiet", "--threads", "1", "--format", "csv", "-c"]
    output = binary.parent / "bench-pdfs.parquet"
    where = f"SET corpus.pdf_isolation = '{isolation}'"
    spent = cost(*sql, where, JOB.format(input=files.folder, output=output), times=TIMES)
    told = subprocess.check_output([*sql, OUTCOME.format(output=output)], text=True)
    failed, characters = told.split()[-1].split(",")
    output.unlink()
    return f"corpus-sql, in a {isolation}", Outcome(int(failed), int(characters or 0)), spent


def main():
    binary = program()
    files = Files(binary.parent)
    compared = engines(binary.parent)
    outcomes = files.without_crashes(compared)
    measured = []
    if "--others" not in sys.argv:
        measured = [measure_ours(binary, files, isolation) for isolation in ("process", "thread")]
    for engine in compared:
        measured.append((engine.name, outcomes[engine.name], cost(*engine.command, files.list, times=TIMES)))

    count = len(files.paths)
    first = measured[0][2].cpu
    rows = []
    for name, outcome, spent in measured:
        speed = f"{60 * count / spent.cpu:,.0f}", f"{spent.cpu / first:.1f}"
        characters = f"{outcome.characters / 1e6:.2f}"
        rows.append((name, f"{spent.cpu:.2f}", *speed, str(outcome.failed), characters, f"{spent.memory} MB"))
    print(f"{count} documents, {sum(path.stat().st_size for path in files.paths) / 1e6:.0f} MB\n")
    heads = ("", "CPU seconds", "documents per CPU minute", "times the CPU", "failed", "M characters", "peak memory")
    print_table(heads, rows)


if __name__ == "__main__":
    main()
