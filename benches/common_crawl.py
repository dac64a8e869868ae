#!/usr/bin/env python3
"""Compares reading records that a columnar index names with plain HTTP requests for the same ranges.

An index of a million rows names 1,000 records of 200 archives on a local web server, which delays each
answer like a network. curl requests the same ranges with the same concurrency.

    benches/common_crawl.py [PROGRAM] [--delay=SECONDS] [--gap=BYTES]

--delay  the time before an answer, 0.03 by default
--gap    the bytes between two records of an archive, 300000 by default, enough for separate requests
"""

import asyncio
import gzip
import multiprocessing
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from common import RUNS, option, program

ARCHIVES = 200
RECORDS_PER_ARCHIVE = 5
INDEX_ROWS = 1_000_000
BODY_BYTES = 20_000
# The requests that a scan sends ahead: MAX_WEB_REQUESTS in src/sources/scan/prefetch.rs.
CONCURRENCY = 64
SEED = 24


def record(rng, url):
    body = rng.randbytes(BODY_BYTES).hex().encode()[:BODY_BYTES]
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\n"
        f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{rng.getrandbits(40):012}>\r\n"
        f"WARC-Date: 2024-03-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + b"\r\n\r\n", 1, mtime=0)


def make_crawl(gap):
    """The records by path and offset, and the rows of the index."""
    rng = random.Random(SEED)
    records, rows = {}, []
    for archive in range(ARCHIVES):
        path, offset = f"crawl/{archive:05}.warc.gz", 1000
        for page in range(RECORDS_PER_ARCHIVE):
            url = f"http://wanted.example/{archive}/{page}"
            member = record(rng, url)
            records[path, offset] = member
            rows.append((url, "wanted.example", path, offset, len(member)))
            offset += len(member) + gap
    return records, rows


def write_index(path, rows):
    rng = random.Random(SEED)
    every = INDEX_ROWS // len(rows)
    columns = [[], [], [], [], []]
    for number in range(INDEX_ROWS):
        host = f"host{rng.randrange(50_000)}.example"
        row = (f"http://{host}/{number}", host, f"crawl/{number % ARCHIVES:05}.warc.gz", number * 9000, 9000)
        row = rows[number // every] if number % every == 0 else row
        for column, value in zip(columns, row):
            column.append(value)
    names = ["url", "url_host_name", "warc_filename", "warc_record_offset", "warc_record_length"]
    pq.write_table(pa.table(dict(zip(names, columns))), path)


class Server(asyncio.Protocol):
    """Answers requests for ranges. Bytes between the records are zero."""

    def __init__(self, records, delay):
        self.records, self.delay, self.pending = records, delay, b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.pending += data
        while b"\r\n\r\n" in self.pending:
            request, self.pending = self.pending.split(b"\r\n\r\n", 1)
            asyncio.get_running_loop().call_later(self.delay, self.answer, request.decode())

    def answer(self, request):
        path = request.split(" ", 2)[1].lstrip("/")
        start, end = map(int, re.search(r"(?im)^range: bytes=(\d+)-(\d+)", request).groups())
        body = bytearray(end + 1 - start)
        for offset in {offset for name, offset in self.by_range(path, start, end)}:
            member = self.records[path, offset]
            at = offset - start
            body[at : at + len(member)] = member
        head = (
            f"HTTP/1.1 206 Partial Content\r\nContent-Length: {len(body)}\r\n"
            f"Content-Range: bytes {start}-{end}/1000000000\r\n"
            "Last-Modified: Fri, 01 Mar 2024 00:00:00 GMT\r\n\r\n"
        )
        self.transport.write(head.encode() + bytes(body))

    def by_range(self, path, start, end):
        if (path, start) in self.records and len(self.records[path, start]) == end + 1 - start:
            return [(path, start)]
        return [key for key in self.records if key[0] == path and start <= key[1] <= end]


def serve(records, delay, port):
    async def main():
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Server(records, delay), "127.0.0.1", 0, backlog=1000)
        port.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


def timed(command, **how):
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True, **how)
    return time.perf_counter() - start, done.stdout


def main():
    binary = program()
    delay, gap = float(option("delay") or 0.03), int(option("gap") or 300_000)
    records, rows = make_crawl(gap)
    ours, port = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(records, delay, port), daemon=True)
    server.start()
    address = f"http://127.0.0.1:{ours.recv()}"
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "index.parquet"
        write_index(index, rows)
        query = f"SELECT * FROM ''{index}'' WHERE url_host_name = ''wanted.example''"
        sql = (
            "SELECT count(*) AS n, count(error) AS errors, sum(length(body)) AS bytes "
            f"FROM read_warc('{address}/', 'records', '{query}')"
        )
        find = f"SELECT count(*) FROM '{index}' WHERE url_host_name = 'wanted.example'"
        config = Path(folder) / "curl"
        ranges = [
            f'url = "{address}/{path}"\nrange = {offset}-{offset + length - 1}\noutput = /dev/null\n'
            for _, _, path, offset, length in rows
        ]
        config.write_text("next\n".join(ranges))
        curl = ["curl", "-s", "-Z", "--parallel-max", str(CONCURRENCY), "-K", config]
        commands = {
            "corpus-sql": [binary, "-q", "--format", "csv", "-c", sql],
            "the query on the index alone": [binary, "-q", "--format", "csv", "-c", find],
            "curl": curl,
        }
        print(f"| {ARCHIVES * RECORDS_PER_ARCHIVE} records, {delay} s per answer | s |\n| --- | --- |")
        for name, command in commands.items():
            runs = [timed(command) for _ in range(RUNS)]
            print(f"| {name} | {min(seconds for seconds, _ in runs):.2f} |")
            if name == "corpus-sql":
                print(runs[0][1].splitlines()[1], file=sys.stderr)
    server.terminate()


if __name__ == "__main__":
    main()
