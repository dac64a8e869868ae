#!/usr/bin/env python3
"""Compares how readers of web archives handle damage: which intact records they lose, and which they
alter.

    cargo build --release
    python3 benches/damaged_archives.py [target/release/corpus-sql]

Damages an archive of 40 invented pages in many ways. A record is intact if the damage does not touch it. It is
lost if a reader does not return its address and body, because it stops early, fails or returns something else.
A record is altered if a reader returns its address with another body and reports nothing. Installs
fastwarc, warcio and Daft from PyPI in venvs.
"""

import collections
import gzip
import hashlib
import json
import random
import subprocess
import tempfile
from pathlib import Path
from typing import Callable, NamedTuple

from common import print_table, program, tools

RECORDS = 40
SEED = 20140101

FASTWARC = """
import hashlib, json, sys
from fastwarc.warc import ArchiveIterator
for record in ArchiveIterator(open(sys.argv[1], 'rb'), parse_http=False):
    body = record.reader.read()
    print(json.dumps([record.headers.get('WARC-Target-URI'), hashlib.md5(body).hexdigest()]), flush=True)
"""
WARCIO = """
import hashlib, json, sys
from warcio.archiveiterator import ArchiveIterator
for record in ArchiveIterator(open(sys.argv[1], 'rb'), no_record_parse=True):
    body = record.raw_stream.read()
    print(json.dumps([record.rec_headers.get_header('WARC-Target-URI'), hashlib.md5(body).hexdigest()]), flush=True)
"""
DAFT = """
import hashlib, json, os, sys
os.environ['DAFT_PROGRESS_BAR'] = '0'
import daft
found = daft.read_warc(sys.argv[1]).select('WARC-Target-URI', 'warc_content').to_pydict()
for url, body in zip(found['WARC-Target-URI'], found['warc_content']):
    print(json.dumps([url, hashlib.md5(body or b'').hexdigest()]))
# Python 3.11 sometimes crashes when it ends while Daft's threads run.
sys.stdout.flush()
os._exit(0)
"""
OURS = "SELECT target_uri, md5(body) AS hash FROM read_warc('{}') WHERE error IS NULL"


class Record(NamedTuple):
    url: str
    hash: str
    text: bytes
    member: bytes


class Damaged(NamedTuple):
    name: str
    data: bytes
    # The positions of the records that the damage touches.
    touched: set


def make_records(rng):
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(3000)]
    for number in range(RECORDS):
        url = f"http://site.example/{number}"
        page = "<html><body>" + " ".join(rng.choices(words, k=rng.randint(200, 3000))) + "</body></html>"
        body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}".encode()
        head = (
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2014-10-23T06:05:08Z\r\n"
            f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\nWARC-Target-URI: {url}\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        text = head.encode() + body + b"\r\n\r\n"
        yield Record(url, hashlib.md5(body).hexdigest(), text, gzip.compress(text, 6, mtime=0))


def in_member(records, number, change):
    """Changes the bytes of one gzip member."""
    members = [record.member for record in records]
    members[number] = change(members[number])
    return b"".join(members)


def in_text(records, number, change, compressed):
    """Changes the text of one record."""
    texts = [record.text for record in records]
    texts[number] = change(texts[number])
    return b"".join(gzip.compress(text, 6, mtime=0) for text in texts) if compressed else b"".join(texts)


def overwritten(data, at, patch):
    return data[:at] + patch + data[at + len(patch) :]


def damages(records, rng):
    """Returns the archives, each with one kind of damage."""
    whole = b"".join(record.member for record in records)
    plain = b"".join(record.text for record in records)
    yield Damaged("nothing.warc.gz", whole, set())
    yield Damaged("nothing.warc", plain, set())
    for number in (0, 1, 17, RECORDS - 1):
        size = len(records[number].member)
        start = sum(len(record.member) for record in records[:number])
        noise = rng.randbytes(16)
        after = set(range(number, RECORDS))
        yield Damaged(f"cut-{number}.warc.gz", whole[: start + size // 2], after)
        for name, change in {
            "flip": lambda m: overwritten(m, size // 2, bytes([m[size // 2] ^ 0x55])),
            "noise": lambda m: overwritten(m, size // 3, noise),
            "zeros": lambda m: overwritten(m, size // 3, bytes(64)),
            "crc": lambda m: m[:-8] + b"\0\1\2\3" + m[-4:],
            "length": lambda m: m[:-4] + b"\xff\xff\0\0",
            "magic": lambda m: b"XX" + m[2:],
            "half": lambda m: m[: size // 2],
            "no-trailer": lambda m: m[:-8],
        }.items():
            yield Damaged(f"{name}-{number}.warc.gz", in_member(records, number, change), {number})
        for name, change in {
            "junk-after": lambda m: m + b"junk between two members\n",
            "zeros-after": lambda m: m + bytes(512),
        }.items():
            yield Damaged(f"{name}-{number}.warc.gz", in_member(records, number, change), set())
        for name, change in {
            "longer": lambda text: replaced_length(text, 100),
            "shorter": lambda text: replaced_length(text, -100),
            "no-number": lambda text: text.replace(b"Content-Length: ", b"Content-Length: x"),
            "no-length": lambda text: text.replace(b"Content-Length", b"Content-Size"),
            "version": lambda text: text.replace(b"WARC/1.0", b"WRAC/1.0"),
            "no-end": lambda text: text[:-4],
        }.items():
            for compressed, extension in ((True, "warc.gz"), (False, "warc")):
                data = in_text(records, number, change, compressed)
                yield Damaged(f"{name}-{number}.{extension}", data, {number})


def replaced_length(text, by):
    head, rest = text.split(b"Content-Length: ", 1)
    number, rest = rest.split(b"\r\n", 1)
    return head + b"Content-Length: " + str(int(number) + by).encode() + b"\r\n" + rest


class Reader(NamedTuple):
    name: str
    command: Callable


def read(reader, path):
    """Returns the records that a reader finds, and whether it reports an error."""
    done = subprocess.run([str(word) for word in reader.command(path)], capture_output=True, text=True, timeout=300)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    found = [tuple(one.values() if isinstance(one, dict) else one) for one in found]
    return found, done.returncode


def main():
    binary = program()
    python, daft = tools(binary.parent), tools(binary.parent, "requirements-deduplication.txt")
    readers = [
        Reader("corpus-sql", lambda path: [binary, "--quiet", "--format", "ndjson", "-c", OURS.format(path)]),
        Reader("fastwarc", lambda path: [python, "-c", FASTWARC, path]),
        Reader("warcio", lambda path: [python, "-c", WARCIO, path]),
        Reader("Daft `read_warc`", lambda path: [daft, "-c", DAFT, path]),
    ]
    rng = random.Random(SEED)
    records = list(make_records(rng))
    files = list(damages(records, rng))
    counts = {reader.name: collections.Counter() for reader in readers}
    with tempfile.TemporaryDirectory() as folder:
        for damaged in files:
            path = Path(folder) / damaged.name
            path.write_bytes(damaged.data)
            intact = {(r.url, r.hash) for n, r in enumerate(records) if n not in damaged.touched}
            known = {record.url: record.hash for record in records}
            for reader in readers:
                found, code = read(reader, path)
                lost = intact - set(found)
                count = counts[reader.name]
                count["files with losses"] += bool(lost)
                count["records lost"] += len(lost)
                count["altered"] += sum(known.get(url, hash) != hash for url, hash in found)
                count["failures"] += code != 0
                count["deaths"] += code < 0
                if not damaged.touched and damaged.name.startswith("nothing") and lost:
                    raise SystemExit(f"{reader.name} cannot read {damaged.name}")
    intact = sum(len(records) - len(damaged.touched) for damaged in files)
    print(f"{len(files)} archives with {intact} intact records\n")
    heads = ["files with losses", "records lost", "altered", "failures", "deaths"]
    print_table(["", *heads], [[name, *(str(count[head]) for head in heads)] for name, count in counts.items()])


if __name__ == "__main__":
    main()
