#!/usr/bin/env python3
"""Measures the cost of dedup_substring.sql by the size of the corpus.

    cargo build --release
    benches/repeated_passages.py [PROGRAM] [--megabytes=100,1000]

makes documents of words by Zipf's law. A quarter of them have the header and footer of their site, of 60 to
200 words each, and a fifth quote 50 to 80 words of another document. Prints user CPU and elapsed seconds,
peak memory, and the size of the intermediate files in addition to the copy of the documents, with
--memory-limit 1GB.
"""

import itertools
import json
import multiprocessing
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from common import ROOT, cost, option, print_table, program

SITES = 2000
OUTPUTS = {"numbered", "documents", "removed", "summary"}


def invented(size):
    """Generates JSON lines until their texts have `size` characters."""
    chance = random.Random(3)
    letters = "etaoinshrdlucmfwypvb"
    vocabulary = ["".join(chance.choices(letters, k=chance.randrange(2, 10))) for _ in range(50_000)]
    weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(vocabulary))))

    def words(least, most):
        return chance.choices(vocabulary, cum_weights=weights, k=chance.randrange(least, most))

    sites = [[" ".join(words(60, 200)) for _ in range(2)] for _ in range(SITES)]
    quotes = []
    for number in itertools.count():
        if size <= 0:
            return
        body = words(100, 1200)
        parts = [" ".join(body)]
        if chance.random() < 0.3:
            quotes.append(" ".join(body[20 : chance.randrange(70, 100)]))
        if chance.random() < 0.2 and quotes:
            parts.append(chance.choice(quotes))
        site = int(chance.paretovariate(0.2)) % SITES
        if chance.random() < 0.25:
            parts = [sites[site][0], *parts, sites[site][1]]
        document = "\n\n".join(parts)
        size -= len(document)
        yield json.dumps({"url": f"https://site{site}.example/{number}", "document": document})


def write(path, size):
    with open(path, "w") as file:
        file.writelines(f"{line}\n" for line in invented(size))


def make(binary, path, size):
    """Writes documents as Parquet. A separate process generates them, so that their memory does not count
    for the job."""
    lines = path.with_suffix(".jsonl")
    making = multiprocessing.Process(target=write, args=(lines, size))
    making.start()
    making.join()
    if making.exitcode:
        sys.exit(f"could not make {lines}")
    sql = f"COPY (SELECT * FROM '{lines}') TO '{path}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)')"
    subprocess.run([binary, "-q", "-c", sql], check=True)
    lines.unlink()


def main():
    binary = program()
    rows = []
    with tempfile.TemporaryDirectory(dir=binary.parent) as folder:
        for megabytes in (option("megabytes") or "100,1000").split(","):
            documents = Path(folder) / "documents.parquet"
            make(binary, documents, int(megabytes) * 1_000_000)
            output = Path(folder) / "output"
            arguments = ["-f", ROOT / "queries" / "dedup_substring.sql", "--memory-limit", "1GB"]
            variables = ["-v", f"input={documents}", "-v", f"output={output}"]
            measured = cost(binary, "-q", *arguments, *variables, times=1)
            files = [file for file in output.iterdir() if file.stem not in OUTPUTS]
            between = sum(file.stat().st_size for file in files) / 1e6
            figures = [f"{measured.seconds:.0f}", f"{measured.clock:.0f}", f"{measured.memory} MB", f"{between:.0f} MB"]
            rows.append([f"{megabytes} MB", *figures])
    print_table(["text", "CPU seconds", "elapsed", "peak memory", "intermediate files"], rows)


if __name__ == "__main__":
    main()
