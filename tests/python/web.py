"""A web server for tests. It counts the bytes it sends, and simulates failures on request."""

import re
import threading
import zlib
from collections import namedtuple
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

# Longer than any test, so a held response ends with its server.
HOLD_TIME = 120

Request = namedtuple("Request", "method path range status sent")
Fault = namedtuple("Fault", "kind value methods")


class Web:
    """Serves `files`, a dictionary of paths to bytes, on a free port of this machine."""

    def __init__(self, ranges):
        self.files = {}
        self.ranges = ranges
        self.etags = True
        self.requests = []
        self.queries = set()
        self.holding = threading.Event()
        # The query that requests must have, valid for GET only.
        self.signature = None
        # Ranges that start here or later are forbidden.
        self.readable = None
        # A barrier at which requests wait for each other.
        self.together = None
        self._released = threading.Event()
        self._faults = {}
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.release()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def url(self, path=""):
        return f"http://127.0.0.1:{self._server.server_address[1]}{path}"

    def fail(self, path, status, times=1, methods=("GET",), skip=0):
        """Answers the next requests for this path with this status, except the first `skip`."""
        self._add(path, Fault(None, None, methods), skip)
        self._add(path, Fault("status", status, methods), times)

    def cut(self, path, after, times=1):
        """Ends the next responses for this path after this many bytes."""
        self._add(path, Fault("cut", after, ("GET",)), times)

    def ignore_range(self, path, times=1):
        """Answers the next requests for a range of this path with the whole file."""
        self._add(path, Fault("whole", None, ("GET",)), times)

    def shorten(self, path, times=1):
        """Answers the next requests for a range of this path with the first half of the range."""
        self._add(path, Fault("short", None, ("GET",)), times)

    def replace_after(self, path, content, skip=0):
        """Replaces a file after the next response with its bytes, not counting the first `skip`."""
        self._add(path, Fault(None, None, ("GET",)), skip)
        self._add(path, Fault("replace", content, ("GET",)), 1)

    def shrink(self, path, size):
        """Makes HEAD report the old size while GET sends a shorter file."""
        self._add(path, Fault("shrink", size, ("GET",)), 100)

    def hold(self, path, after=0):
        """Pauses the next response after this many bytes until `release`, and sets `holding`."""
        self._add(path, Fault("hold", after, ("GET",)), 1)

    def release(self):
        self._released.set()

    def sent(self, path):
        """The number of bytes sent of this path's content."""
        return sum(request.sent for request in self.requests if request.path == path)

    def count(self, path, method="GET"):
        return sum((r.path, r.method) == (path, method) for r in self.requests)

    def _add(self, path, fault, times):
        with self._lock:
            self._faults.setdefault(path, []).extend([fault] * times)

    def _next_fault(self, path, method):
        with self._lock:
            waiting = self._faults.get(path, [])
            for index, fault in enumerate(waiting):
                if method in fault.methods:
                    return waiting.pop(index)
        return Fault(None, None, ())

    def _handler(self):
        web = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_HEAD(self):
                self.answer()

            def do_GET(self):
                self.answer()

            def do_PROPFIND(self):
                """Lists a folder on servers with WebDAV; most do not support it."""
                path = unquote(self.path)
                fault = web._next_fault(path, self.command)
                self.refuse(path, fault.value if fault.kind == "status" else 405)

            def answer(self):
                path, _, query = self.path.partition("?")
                path = unquote(path)
                web.queries.add(query)
                if web.together and self.command == "GET":
                    web.together.wait(HOLD_TIME)
                if web.signature and (query, self.command) != (web.signature, "GET"):
                    return self.refuse(path, 403)
                fault = web._next_fault(path, self.command)
                if fault.kind == "status":
                    return self.refuse(path, fault.value)
                content = web.files.get(path)
                if content is None:
                    return self.refuse(path, 404)
                if fault.kind == "replace":
                    web.files[path] = fault.value
                if fault.kind == "shrink":
                    content = content[: fault.value]
                start, end, status = self.selected(len(content))
                if web.readable is not None and start >= web.readable:
                    return self.refuse(path, 403)
                if start >= end and status == 206:
                    return self.refuse(path, 416, [("Content-Range", f"bytes */{len(content)}")])
                if fault.kind == "short":
                    end = start + (end - start) // 2
                if fault.kind == "whole":
                    start, end, status = 0, len(content), 200
                self.send_response(status)
                self.send_header("Content-Length", str(end - start))
                if status == 206:
                    self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(content)}")
                if web.ranges:
                    self.send_header("Accept-Ranges", "bytes")
                if web.etags:
                    self.send_header("ETag", f'"{zlib.crc32(content)}"')
                self.send_header("Last-Modified", "Tue, 14 Nov 2023 22:13:20 GMT")
                self.end_headers()
                body = content[start:end] if self.command == "GET" else b""
                self.send_body(path, status, body, fault)

            def send_body(self, path, status, body, fault):
                rest = b""
                if fault.kind in ("cut", "hold"):
                    body, rest = body[: fault.value], body[fault.value :]
                web.requests.append(
                    Request(self.command, path, self.headers["Range"], status, len(body))
                )
                try:
                    self.wfile.write(body)
                    self.wfile.flush()
                    if fault.kind == "hold":
                        web.holding.set()
                        web._released.wait(HOLD_TIME)
                        self.wfile.write(rest)
                except ConnectionError:
                    # The client closed the connection.
                    self.close_connection = True
                if fault.kind == "cut" and rest:
                    self.close_connection = True

            def refuse(self, path, status, headers=()):
                web.requests.append(Request(self.command, path, self.headers["Range"], status, 0))
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def selected(self, size):
                """The start and end of the requested bytes, and the status."""
                wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers["Range"] or "")
                if not (web.ranges and wanted):
                    return 0, size, 200
                first, last = wanted.groups()
                if not first:
                    return max(0, size - int(last)), size, 206
                return int(first), min(size, int(last) + 1 if last else size), 206

            def log_message(self, *_):
                """Keeps requests out of the test output."""

        return Handler
