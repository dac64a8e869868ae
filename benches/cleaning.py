#!/usr/bin/env python3
"""The speed of the cleaning and deduplication jobs, from Parquet to Parquet.

    cargo build --release
    benches/cleaning.py [PROGRAM] [--documents=FILE]

reads documents (Parquet with the columns url and document). Without a file, those of data-samples/ are
repeated with different words. Prints user CPU seconds of one thread, MB of text per second, and peak
memory for each job.
"""

import subprocess
import tempfile
from pathlib import Path

from common import ROOT, cost, option, print_table, program

JOBS = [
    "filter_documents",
    "clean_chitra",
    "clean_rm_template",
    "clean_sudachi_dict",
    "clean_warc_ja",
    "dedup_exact",
    "dedup_paragraph_exact",
    "dedup_paragraph_near",
    "dedup_minhash",
]
COPIES = 2000


def invented(binary, path):
    """Writes copies of the samples, each with a number in every line."""
    samples = ROOT / "data-samples" / "documents"
    sql = f"""
        COPY (SELECT url || '?' || value AS url,
                     regexp_replace(document, '。|[.] ', ' ' || value || '. ', 'g') AS document
              FROM '{samples}/' CROSS JOIN range(0, {COPIES}))
        TO '{path}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)')"""
    subprocess.run([binary, "-q", "-c", sql], check=True)


def text_bytes(binary, path):
    """The size of all texts."""
    sql = f"SELECT sum(octet_length(document)) AS bytes FROM '{path}'"
    printed = subprocess.run(
        [binary, "-q", "--format", "csv", "-c", sql], check=True, capture_output=True, text=True
    )
    return int(printed.stdout.split()[-1])


def main():
    binary = program()
    with tempfile.TemporaryDirectory(dir=binary.parent) as folder:
        documents = option("documents")
        if documents is None:
            documents = Path(folder) / "documents.parquet"
            invented(binary, documents)
        size = text_bytes(binary, documents)
        rows = []
        for job in JOBS:
            output = Path(folder) / job
            arguments = ["-f", ROOT / "queries" / f"{job}.sql", "-v", f"input={documents}"]
            measured = cost(
                binary, "-q", "--threads", "1", *arguments, "-v", f"output={output}", times=1
            )
            speed = size / 1e6 / measured.seconds
            rows.append([f"`{job}.sql`", f"{measured.seconds:.2f}", f"{speed:.0f}", f"{measured.memory} MB"])
    print(f"{size / 1e6:.0f} MB of text; user CPU seconds of one thread\n")
    print_table(["", "seconds", "MB/s", "peak memory"], rows)


if __name__ == "__main__":
    main()
