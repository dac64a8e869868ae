"""How much of remote files is requested while nobody takes the rows, and with how many requests files are read."""

import gzip
import random
import re
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from conftest import BUCKET, TIMEOUT, s3_env

MAX_AHEAD = 64 << 20
PIECE = 64 << 10
# The time without another byte after which the program is taken to wait.
QUIET_SECONDS = 2
# The data of each case; its files are equal.
TOTAL = 256 << 20

rng = random.Random(43)


def lines(size):
    """Lines of JSON with a text of 100 KB each."""
    line = b'{"text": "' + rng.randbytes(50_000).hex().encode() + b'"}\n'
    return line * (size // len(line))


def warc(size, is_compressed):
    """An archive of records of 200 KB, which do not compress, in members that do not either."""
    body = rng.randbytes(200_000)
    out = BytesIO()
    for number in range(size // len(body)):
        head = (
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
            f"WARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Target-URI: http://x.example/{number}\r\n"
            f"Content-Type: text/plain\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        record = head.encode() + body + b"\r\n\r\n"
        out.write(gzip.compress(record, 1, mtime=0) if is_compressed else record)
    return out.getvalue()


LINES = "CREATE EXTERNAL TABLE t (text TEXT) STORED AS JSON LOCATION '{place}'; SELECT {columns} FROM t"

# The content and the name of each file, and a statement with the columns of the files at a place.
CASES = {
    "small files": (lambda: rng.randbytes(400_000), "{}.bin", "SELECT {columns} FROM read_files('{place}')"),
    "files as long as a start": (lambda: rng.randbytes(4 << 20), "{}.bin", "SELECT {columns} FROM read_files('{place}')"),
    "compressed archives": (lambda: warc(16 << 20, True), "{}.warc.gz", "SELECT {columns} FROM read_warc('{place}')"),
    "archives": (lambda: warc(32 << 20, False), "{}.warc", "SELECT {columns} FROM read_warc('{place}')"),
    "compressed lines": (lambda: gzip.compress(lines(96 << 20), 0), "{}.jsonl.gz", LINES),
    "lines": (lambda: lines(96 << 20), "{}.jsonl", LINES),
}


class Store:
    """A bucket, also as a web server, which counts the bytes of files that it sends."""

    def __init__(self, files):
        store = self
        self.files, self.sent, self.requests, self.lock = files, 0, 0, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                url = urlsplit(self.path)
                query = parse_qs(url.query)
                if "list-type" in query:
                    return self.reply(200, store.listing(query["prefix"][0]), is_file=False)
                name = url.path.removeprefix(f"/{BUCKET}").lstrip("/")
                content = store.files.get(name)
                if content is None:
                    return self.reply(404)
                start, end, status, headers = 0, len(content), 200, {}
                wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers["Range"] or "")
                if wanted:
                    start, end = int(wanted[1]), min(end, int(wanted[2] or end - 1) + 1)
                    status, headers = 206, {"Content-Range": f"bytes {start}-{end - 1}/{len(content)}"}
                with store.lock:
                    store.requests += 1
                self.reply(status, memoryview(content)[start:end], headers)

            do_HEAD = do_GET

            def do_PROPFIND(self):
                self.reply(405)

            def reply(self, status, body=b"", headers={}, is_file=True):
                self.send_response(status)
                fixed = {"ETag": '"1"', "Last-Modified": "Sun, 01 Mar 2026 00:00:00 GMT", "Content-Length": len(body)}
                for key, value in {**fixed, **headers}.items():
                    self.send_header(key, str(value))
                self.end_headers()
                try:
                    for at in range(0, len(body) if self.command == "GET" else 0, PIECE):
                        piece = body[at : at + PIECE]
                        self.wfile.write(piece)
                        with store.lock:
                            store.sent += len(piece) * is_file
                except OSError:
                    # The program has ended.
                    self.close_connection = True

            def log_message(self, *_):
                """Keeps requests out of the output."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 1000

        self.server = Server(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))

    def listing(self, prefix):
        entries = "".join(
            f"<Contents><Key>{name}</Key><LastModified>2026-03-01T00:00:00.000Z</LastModified><ETag>\"1\"</ETag>"
            f"<Size>{len(content)}</Size></Contents>"
            for name, content in self.files.items()
            if name.startswith(prefix)
        )
        return f"<ListBucketResult>{entries}</ListBucketResult>".encode()

    def waiting(self):
        """The number of bytes that the system holds between the store and the program."""
        port = f":{self.server.server_address[1]:04X}"
        connections = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        waiting = 0
        for _, here, there, _, queues, *_ in connections:
            to_send, received = (int(size, 16) for size in queues.split(":"))
            waiting += to_send * here.endswith(port) + received * there.endswith(port)
        return waiting

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture(params=CASES)
def case(request):
    """The files of a case, and its statement."""
    make, pattern, statement = CASES[request.param]
    content = make()
    names = [pattern.format(f"in/{number:04}") for number in range(TOTAL // len(content))]
    return dict.fromkeys(names, content), statement


@pytest.fixture(params=["http", "s3"])
def command(request, binary, clean_env, tmp_path):
    """Returns the command and the environment for a case, with one reader, so that few rows are in operators."""

    def command(store, statement, columns):
        place = f"s3://{BUCKET}/in/"
        if request.param == "http" and statement == LINES:
            place = f"{store.url}/{next(iter(store.files))}"
        elif request.param == "http":
            paths = tmp_path / "paths"
            paths.write_text("".join(f"{name.removeprefix('in/')}\n" for name in store.files))
            place = f"{store.url}/in/', 'paths', '{paths}"
        sql = f"SET datafusion.execution.target_partitions = 1; {statement.format(columns=columns, place=place)}"
        command = [binary, "-q", "--format", "ndjson", "-c", sql]
        return command, {**clean_env, **s3_env(store.url)}

    return command


def test_rows_that_nobody_takes(case, command):
    files, statement = case
    with Store(files) as store:
        line, env = command(store, statement, "*")
        pipe = subprocess.PIPE
        process = subprocess.Popen(line, env=env, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe)
        try:
            wait_until_quiet(store, process)
            requested = store.sent - store.waiting()
        finally:
            process.kill()
            process.communicate()
    print(f"{requested / 2**20:.1f} MiB of {store.sent / 2**20:.1f}")
    assert 0 < requested <= MAX_AHEAD


@pytest.mark.parametrize("case", ["compressed archives", "archives"], indirect=True)
@pytest.mark.parametrize("columns", ["count(*)", "sum(octet_length(body))"])
def test_requests_for_each_file(case, command, columns):
    """One for the size, one for the start, and one for the rest."""
    files, statement = case
    files = dict(list(files.items())[:3])
    with Store(files) as store:
        line, env = command(store, statement, columns)
        subprocess.run(line, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, check=True)
        print(f"{store.requests} requests for {len(files)} files, {store.sent / 2**20:.1f} MiB")
    assert store.requests <= 3 * len(files)


def wait_until_quiet(store, process):
    """Waits until the program takes nothing more."""
    deadline = time.monotonic() + TIMEOUT
    sent, since = 0, time.monotonic()
    while sent == 0 or time.monotonic() - since < QUIET_SECONDS:
        assert time.monotonic() < deadline, "it requests and requests"
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.1)
        if store.sent != sent:
            sent, since = store.sent, time.monotonic()
