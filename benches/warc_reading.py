#!/usr/bin/env python3
"""What reading web archives costs, beside bare inflation and fastwarc.

    cargo build --release
    python3 benches/warc_reading.py [target/release/corpus-sql]

Makes a .warc.gz of 200 MB with invented, real-looking pages (kept in the folder of the binary),
and prints user CPU seconds, the best of three. Ratios are what counts: machines differ, and
other work on them shows. Installs fastwarc and deflate (libdeflate) from PyPI in a venv.
"""

import gzip
import os
import random
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIZE = 200 << 20
RUNS = 3

# Each is run in a process of its own, so that its CPU time is its own.
INFLATE = """
import sys, deflate, struct
data = memoryview(open(sys.argv[1], 'rb').read())
sizes = open(sys.argv[1] + '.sizes').read().split()
at = 0
for pair in sizes:
    size, text = map(int, pair.split(':'))
    deflate.gzip_decompress(data[at:at + size], text)
    at += size
"""
READ_ONLY = "import sys; open(sys.argv[1], 'rb').read()"
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
HEADS = "SELECT count(*) FROM read_warc('{}') WHERE warc_type = 'response' AND target_uri IS NOT NULL"
BODIES = "SELECT sum(octet_length(body)) FROM read_warc('{}')"


def generate(path):
    """Pages of words with the frequencies of a language, one member a record."""
    random.seed(20140101)
    letters = "eeeeetttaaooiinnssrrhhlldducmfwypvbgk"
    words = ["".join(random.choices(letters, k=random.randint(2, 10))) for _ in range(20_000)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    pool = random.choices(words, weights, k=1_000_000)
    written = number = 0
    with open(path, "wb") as out, open(f"{path}.sizes", "w") as sizes:
        while written < SIZE:
            length = int(random.lognormvariate(8.2, 0.9))
            start = random.randrange(len(pool) - 60_000)
            text, at = [], start
            while at - start < length // 3:
                step = random.randint(3, 60)
                text.append(f'<div class="item"><p><a href="/{pool[at]}/">{" ".join(pool[at:at + step])}</a></p></div>')
                at += step
            body = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nServer: nginx\r\n\r\n"
            body += f"<!DOCTYPE html><html><head><title>{pool[start]}</title></head><body>" + "\n".join(text) + "</body></html>"
            record = (
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2014-10-23T06:05:08Z\r\n"
                f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
                f"Content-Length: {len(body)}\r\nContent-Type: application/http; msgtype=response\r\n"
                "WARC-Warcinfo-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\nWARC-IP-Address: 192.0.2.1\r\n"
                f"WARC-Target-URI: http://www.example/{pool[start]}/{number}\r\n"
                "WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n\r\n"
                f"{body}\r\n\r\n"
            ).encode()
            member = gzip.compress(record, 6, mtime=0)
            out.write(member)
            sizes.write(f"{len(member)}:{len(record)} ")
            written += len(member)
            number += 1


def tools(folder):
    """The Python of a venv with what is compared."""
    python = folder / "bench-venv" / "bin" / "python"
    if not python.exists():
        venv.create(folder / "bench-venv", with_pip=True)
        requirements = ROOT / "benches" / "requirements.txt"
        subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", requirements], check=True)
    return python


def cost(*command):
    """User CPU seconds, peak memory in MB and wall seconds of a command, the best of some runs."""
    best, memory, wall = float("inf"), 0, float("inf")
    for _ in range(RUNS):
        started = time.monotonic()
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"failed: {command}")
        best = min(best, usage.ru_utime)
        wall = min(wall, time.monotonic() - started)
        memory = max(memory, usage.ru_maxrss // 1024)
    return best, memory, wall


def main():
    binary = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/corpus-sql").resolve()
    archive = binary.parent / "bench.warc.gz"
    if not archive.exists():
        print("making", archive)
        partial = archive.with_suffix(".part")
        generate(partial)
        Path(f"{partial}.sizes").rename(f"{archive}.sizes")
        partial.rename(archive)
    python = tools(binary.parent)
    sql = [binary, "--quiet", "--threads"]

    reading, _, _ = cost(python, "-c", READ_ONLY, archive)
    inflating, memory, wall = cost(python, "-c", INFLATE, archive)
    bare = inflating - reading
    print(f"{archive.stat().st_size / 1e6:.0f} MB; user CPU seconds, ratio to bare inflation, peak MB, wall seconds")
    print(f"{'libdeflate, members known beforehand':44} {bare:6.2f}  1.00  {memory:5}  {wall:5.2f}")
    starting, _, _ = cost(*sql, "1", "-c", "SELECT 1")
    for name, command, start in [
        ("corpus-sql: filter on heads", [*sql, "1", "-c", HEADS.format(archive)], starting),
        ("corpus-sql: bodies in batches", [*sql, "1", "-c", BODIES.format(archive)], starting),
        ("corpus-sql: bodies in batches, 2 threads", [*sql, "2", "-c", BODIES.format(archive)], starting),
        ("fastwarc: heads", [python, "-c", FASTWARC, archive, "heads"], 0),
        ("fastwarc: bodies", [python, "-c", FASTWARC, archive, "bodies"], 0),
    ]:
        seconds, memory, wall = cost(*command)
        print(f"{name:44} {seconds - start:6.2f}  {(seconds - start) / bare:4.2f}  {memory:5}  {wall:5.2f}")


if __name__ == "__main__":
    main()
