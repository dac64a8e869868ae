#!/usr/bin/env python3
"""Measures reading from a web server and from S3, with a delay per request and a limited bandwidth.

    cargo build --release
    python3 benches/remote_reading.py [PROGRAM] [--delay=SECONDS] [--rate=MB_PER_SECOND] [--mb=SIZE] [--cases=WORDS]

--delay  the time before each answer, 0.05 by default
--rate   the bandwidth; unlimited by default
--mb     the size of each data set, 64 by default
--cases  only the cases with one of these words, separated by commas

Prints the seconds of reading the same data from the local disk and from the server, the requests, the most of
them at a time, and the bytes that the program asks for while nobody takes its rows.
"""

import asyncio
import gzip
import json
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

from common import option, print_table, program

RUNS = 2
SEED = 43
BUCKET = "bench"
PIECE = 64 << 10
# How long the server sends nothing before the bytes ahead are counted.
QUIET_SECONDS = 2
WORDS = [f"word{number}" for number in range(3000)]


def text(rng, size):
    return " ".join(rng.choices(WORDS, k=size // 8)).encode()


def warc(rng, size):
    """An archive of compressed records."""
    parts, written, number = [], 0, 0
    while written < size:
        body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>" + text(rng, rng.randint(20_000, 90_000))
        head = (
            "WARC/1.0\r\nWARC-Type: response\r\n"
            f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
            f"WARC-Date: 2026-03-01T00:00:00Z\r\nWARC-Target-URI: http://www.example/{number}\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        parts.append(gzip.compress(head.encode() + body + b"\r\n\r\n", 1, mtime=0))
        written += len(parts[-1])
        number += 1
    return b"".join(parts)


def pdf(rng, size):
    """A small PDF with an attachment of noise, because only its bytes are read."""
    noise = rng.randbytes(size)
    head = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
    stream = b"3 0 obj<</Length %d>>stream\n" % size + noise + b"\nendstream endobj\n"
    return head + stream + b"trailer<</Root 1 0 R>>\n%%EOF\n"


def make(folder, size):
    """Files with these names and contents: one large archive, many archives, and many small files."""
    rng = random.Random(SEED)
    (folder / "one").mkdir()
    (folder / "one/0.warc.gz").write_bytes(warc(rng, size))
    (folder / "archives").mkdir()
    for number in range(16):
        (folder / f"archives/{number:03}.warc.gz").write_bytes(warc(rng, size // 16))
    for name, each in [("papers", 400_000), ("notes", 20_000)]:
        (folder / name).mkdir()
        for number in range(size // each):
            (folder / name / f"{number:05}.pdf").write_bytes(pdf(rng, each))


class Line:
    """The connection whose bandwidth all responses share."""

    def __init__(self, rate):
        self.rate = rate
        self.free = 0.0

    async def carry(self, size):
        if not self.rate:
            return
        now = time.monotonic()
        self.free = max(self.free, now) + size / self.rate
        if self.free > now:
            await asyncio.sleep(self.free - now)


class Server:
    def __init__(self, folder, delay, rate):
        self.folder, self.delay, self.line = folder, delay, Line(rate)
        self.reset()

    def reset(self):
        self.requests = self.sent = self.now = self.most = 0

    async def handle(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                method, target = head.split(" ", 2)[:2]
                if target in ("/_count", "/_reset"):
                    counts = {"requests": self.requests, "sent": self.sent, "most": self.most}
                    if target == "/_reset":
                        self.reset()
                    self.head(writer, 200, len(json.dumps(counts)))
                    writer.write(json.dumps(counts).encode())
                    continue
                self.requests += 1
                self.now += 1
                self.most = max(self.most, self.now)
                try:
                    await asyncio.sleep(self.delay)
                    await self.answer(writer, method, urlsplit(target), head)
                finally:
                    self.now -= 1
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def head(self, writer, status, length, more=""):
        writer.write(f"HTTP/1.1 {status} OK\r\nContent-Length: {length}\r\n{more}\r\n".encode())

    async def answer(self, writer, method, target, head):
        path = unquote(target.path).removeprefix(f"/{BUCKET}").lstrip("/")
        if not path and "list-type" in target.query:
            listing = self.listing(parse_qs(target.query).get("prefix", [""])[0])
            self.head(writer, 200, len(listing))
            writer.write(listing)
            return
        file = self.folder / path
        if not file.is_file():
            return self.head(writer, 404, 0)
        size = file.stat().st_size
        start, end, status, more = 0, size, 200, f'ETag: "{size}"\r\nLast-Modified: Sun, 01 Mar 2026 00:00:00 GMT\r\n'
        wanted = re.search(r"(?im)^range: bytes=(\d+)-(\d*)", head)
        if wanted:
            start = int(wanted[1])
            end = min(size, int(wanted[2]) + 1) if wanted[2] else size
            status, more = 206, more + f"Content-Range: bytes {start}-{end - 1}/{size}\r\n"
        self.head(writer, status, end - start, more)
        if method == "HEAD":
            return
        with file.open("rb") as content:
            content.seek(start)
            while start < end:
                piece = content.read(min(PIECE, end - start))
                start += len(piece)
                await self.line.carry(len(piece))
                writer.write(piece)
                self.sent += len(piece)
                await writer.drain()

    def listing(self, prefix):
        files = sorted(path for path in (self.folder / prefix).rglob("*") if path.is_file())
        entries = "".join(
            f"<Contents><Key>{escape(path.relative_to(self.folder).as_posix())}</Key>"
            f"<LastModified>2026-03-01T00:00:00.000Z</LastModified><ETag>\"{path.stat().st_size}\"</ETag>"
            f"<Size>{path.stat().st_size}</Size></Contents>"
            for path in files
        )
        return f"<ListBucketResult><IsTruncated>false</IsTruncated>{entries}</ListBucketResult>".encode()


def serve(folder, delay, rate, port):
    async def main():
        server = Server(folder, delay, rate)
        listening = await asyncio.start_server(server.handle, "127.0.0.1", 0, backlog=1000)
        port.send(listening.sockets[0].getsockname()[1])
        await listening.serve_forever()

    asyncio.run(main())


def count(base, what="count"):
    with urllib.request.urlopen(f"{base}/_{what}") as answer:
        return json.load(answer)


def query(kind, place, paths):
    """Reads all bodies or contents below a place."""
    options = f", 'paths', '{paths}'" if paths else ""
    if kind == "warc":
        return f"SELECT count(*), sum(octet_length(body)) FROM read_warc('{place}'{options})"
    return f"SELECT count(*), sum(octet_length(content)) FROM read_files('{place}'{options})"


def seconds(command, env):
    best = None
    for _ in range(RUNS):
        started = time.monotonic()
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"failed: {command}\n{done.stderr}")
        taken = time.monotonic() - started
        best = min(best or taken, taken)
    return best, done.stdout


def bytes_ahead(command, env, base):
    """The bytes sent while nobody reads the output."""
    count(base, "reset")
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    sent, since = -1, time.monotonic()
    while time.monotonic() - since < QUIET_SECONDS:
        time.sleep(0.2)
        now = count(base)["sent"]
        if now != sent:
            sent, since = now, time.monotonic()
    process.kill()
    process.stdout.close()
    process.wait()
    return sent


def main():
    binary = program()
    delay, rate = float(option("delay") or 0.05), float(option("rate") or 0) * 1e6
    size = int(option("mb") or 64) << 20
    words = (option("cases") or "").split(",")
    folder = Path(tempfile.mkdtemp())
    near, far = multiprocessing.Pipe()
    try:
        make(folder, size)
        process = multiprocessing.Process(target=serve, args=(folder, delay, rate, far), daemon=True)
        process.start()
        base = f"http://127.0.0.1:{near.recv()}"
        env = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        env.update(AWS_ENDPOINT=base, AWS_ACCESS_KEY_ID="key", AWS_SECRET_ACCESS_KEY="secret", AWS_REGION="eu-west-1")
        rows = []
        for name, kind in [("one", "warc"), ("archives", "warc"), ("papers", "files"), ("notes", "files")]:
            files = sorted((folder / name).iterdir())
            total = sum(file.stat().st_size for file in files)
            paths = folder / f"{name}.paths"
            paths.write_text("".join(f"{file.name}\n" for file in files))
            local, expected = seconds([binary, "-q", "-c", query(kind, f"{folder}/{name}/", "")], env)
            for way, place, listed in [
                ("HTTP", f"{base}/{name}/", str(paths)),
                ("S3", f"s3://{BUCKET}/{name}/", ""),
            ]:
                label = f"{name}, {len(files)} files, {way}"
                if not any(word in label for word in words):
                    continue
                count(base, "reset")
                taken, found = seconds([binary, "-q", "-c", query(kind, place, listed)], env)
                if found != expected:
                    sys.exit(f"{label}: {found} instead of {expected}")
                counts = count(base)
                payload = "body" if kind == "warc" else "content"
                everything = query(kind, place, listed).replace(f"count(*), sum(octet_length({payload}))", payload)
                ahead = bytes_ahead([binary, "-q", "--format", "ndjson", "-c", everything], env, base)
                rows.append([
                    label, f"{local:.2f}", f"{taken:.2f}", f"{total / taken / 1e6:.0f}",
                    str(counts["requests"] // RUNS), str(counts["most"]), f"{ahead / 2**20:.0f}",
                ])
        print_table(["", "local s", "remote s", "MB/s", "requests", "at a time", "MiB ahead"], rows)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
