#!/usr/bin/env python3
"""Measures the cost of reading web archives, compared with plain inflation, fastwarc and Daft.

    cargo build --release
    python3 benches/warc_reading.py [target/release/corpus-sql]

Makes a .warc.gz of 200 MB with simple generated pages (kept in the folder of the binary), and prints
user CPU seconds, the best of three. Only ratios are comparable, because machines and their load differ.
Installs fastwarc, Daft and deflate (libdeflate) from PyPI in venvs.
"""

import random

from common import archive, cost, inflation, print_table, program, tools

SIZE = 200 << 20

FASTWARC = """
import sys
from fastwarc.warc import ArchiveIterator
bodies = sys.argv[2] == 'bodies'
count = size = 0
for record in ArchiveIterator(open(sys.argv[1], 'rb'), parse_http=False):
    if record.headers.get('WARC-Type') == 'response' and record.headers.get('WARC-Target-URI'):
        count += 1
    if bodies:
        size += len(record.reader.read())
"""
DAFT = """
import os, sys
os.environ['DAFT_PROGRESS_BAR'] = '0'
import daft
if len(sys.argv) > 1:
    daft.read_warc(sys.argv[1]).agg(daft.col('warc_content').length().sum()).collect()
# Python 3.11 sometimes crashes when it ends while Daft's threads run.
os._exit(0)
"""
HEADS = "SELECT count(*) FROM read_warc('{}') WHERE warc_type = 'response' AND target_uri IS NOT NULL"
BODIES = "SELECT sum(octet_length(body)) FROM read_warc('{}')"


def records():
    """Pages of words with the word frequencies of a language."""
    random.seed(20140101)
    letters = "eeeeetttaaooiinnssrrhhlldducmfwypvbgk"
    words = ["".join(random.choices(letters, k=random.randint(2, 10))) for _ in range(20_000)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    pool = random.choices(words, weights, k=1_000_000)
    number = 0
    while True:
        length = int(random.lognormvariate(8.2, 0.9))
        start = random.randrange(len(pool) - 60_000)
        text, at = [], start
        while at - start < length // 3:
            step = random.randint(3, 60)
            text.append(f'<div class="item"><p><a href="/{pool[at]}/">{" ".join(pool[at:at + step])}</a></p></div>')
            at += step
        body = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nServer: nginx\r\n\r\n"
        body += f"<!DOCTYPE html><html><head><title>{pool[start]}</title></head><body>" + "\n".join(text) + "</body></html>"
        yield (
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2014-10-23T06:05:08Z\r\n"
            f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
            f"Content-Length: {len(body)}\r\nContent-Type: application/http; msgtype=response\r\n"
            "WARC-Warcinfo-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\nWARC-IP-Address: 192.0.2.1\r\n"
            f"WARC-Target-URI: http://www.example/{pool[start]}/{number}\r\n"
            "WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n\r\n"
            f"{body}\r\n\r\n"
        ).encode()
        number += 1


def main():
    binary = program()
    path = archive(binary.parent / "bench.warc.gz", records, SIZE)
    python, daft = tools(binary.parent), tools(binary.parent, "requirements-deduplication.txt")
    bare = inflation(python, path)
    sql = [binary, "--quiet", "--threads"]
    starting = cost(*sql, "1", "-c", "SELECT 1").seconds

    rows = [("libdeflate, members known beforehand", f"{bare:.2f}", "1.00", "", "")]
    for name, command, start in [
        ("corpus-sql, filter on heads", [*sql, "1", "-c", HEADS.format(path)], starting),
        ("corpus-sql, all bodies in batches", [*sql, "1", "-c", BODIES.format(path)], starting),
        ("corpus-sql, the same with two threads", [*sql, "2", "-c", BODIES.format(path)], starting),
        ("fastwarc (Python), heads", [python, "-c", FASTWARC, path, "heads"], 0),
        ("fastwarc (Python), bodies", [python, "-c", FASTWARC, path, "bodies"], 0),
        ("Daft (Python), bodies, all cores", [daft, "-c", DAFT, path], cost(daft, "-c", DAFT).seconds),
    ]:
        spent = cost(*command)
        seconds = spent.seconds - start
        rows.append((name, f"{seconds:.2f}", f"{seconds / bare:.2f}", f"{spent.clock:.2f}", f"{spent.memory} MB"))
    print(f"{path.stat().st_size / 1e6:.0f} MB; user CPU seconds, and their ratio to bare inflation\n")
    print_table(("", "seconds", "ratio", "on the clock", "peak memory"), rows)


if __name__ == "__main__":
    main()
