"""A hostile proxy between a program and an S3 server or a web server. It fails requests, at random or chosen by a
test."""

import http.client
import random
import socket
import struct
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

# The statuses, codes and messages of S3.
REFUSALS = {
    "expired": (400, "ExpiredToken", "The provided token has expired."),
    "expired 403": (403, "ExpiredToken", "The provided token has expired."),
    "skewed": (403, "RequestTimeTooSkewed", "The difference between the request time and the current time is too large."),
    "wrong key": (403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records."),
    "denied": (403, "AccessDenied", "Access Denied."),
    "no upload": (404, "NoSuchUpload", "The specified multipart upload does not exist."),
    429: (429, "TooManyRequests", "Please reduce your request rate."),
    500: (500, "InternalError", "We encountered an internal error. Please try again."),
    503: (503, "SlowDown", "Please reduce your request rate."),
}

# Faults that disappear when a request is retried. `cut` closes the connection before the request is handled, `lost`
# after that, and `half` in the middle of the response, as `reset` does without a goodbye. `slow` handles it late,
# `late` answers late.
PASSING = [429, 500, 503, "cut", "lost", "half", "reset", "slow"]

# Answers of servers between the program and the store, or of broken ones:
# short           half of the range, with a length that agrees with it
# whole           the whole file instead of the range
# wrong range     the bytes after those that were requested
# other etag      an ETag that no other response has
# no etag         none
# no length       a body that ends with the connection
# html            the page of a login or of an error, as a success
# html error      the page of a gateway
# redirect        to the same host, which then answers
# other host      to another name of the host
# loop            to the same place
# https           to the same place with TLS, which this server does not know
# trickle         a byte at a time, without end
# silent          nothing
# endless         a body without end

HTML = b"<!DOCTYPE html><html><head><title>Log in</title></head><body><p>Please log in.</p></body></html>"

REDIRECTED = "redirected"

# Headers that belong to one connection.
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}


class FaultyStore:
    """Passes requests on to `endpoint`. A share of them fails; `fault(method, path)` may choose further faults."""

    def __init__(self, endpoint, share=0.0, seed=1, fault=None):
        self.target = urlsplit(endpoint)
        self.share = share
        self.fault = fault or (lambda method, path: None)
        self.faults = Counter()
        self.requests = []
        self.retry_after = None
        # Whether requests need the header with which the requester pays.
        self.requester_pays = False
        # Changes the content of a response: `changed(method, path, content)`.
        self.changed = None
        self.released = threading.Event()
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def port(self):
        return self._server.server_address[1]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def next_fault(self, method, path):
        with self._lock:
            self.requests.append((method, path))
            found = self.fault(method, path)
            if found is None and self._random.random() < self.share:
                found = self._random.choice(PASSING)
            if found is not None:
                self.faults[found] += 1
            return found

    def new_etag(self):
        with self._lock:
            return f'"{self._random.randrange(1 << 64):x}"'

    def _handler(self):
        store = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self):
                try:
                    super().handle_one_request()
                except ConnectionError:
                    self.close_connection = True  # The program was killed.

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                path = unquote(self.path)
                fault = store.next_fault(self.command, path)
                if store.requester_pays and self.headers.get("x-amz-request-payer") != "requester":
                    fault = "denied"
                if fault == "cut":
                    self.close_connection = True
                elif fault == "silent":
                    store.released.wait()
                    self.close_connection = True
                elif fault in REFUSALS:
                    self.refuse(fault)
                elif fault == "html":
                    self.send_all(200, [("Content-Type", "text/html")], HTML)
                elif fault == "html error":
                    self.send_all(502, [("Content-Type", "text/html")], HTML)
                elif fault in ("redirect", "other host", "loop", "https") and REDIRECTED not in self.path:
                    self.redirect(fault)
                else:
                    if fault == "slow":
                        time.sleep(0.3)
                    self.pass_on(body, fault)

            do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = do_PROPFIND = answer

            def redirect(self, kind):
                place = self.path
                if kind in ("redirect", "other host"):
                    place += ("&" if "?" in place else "?") + REDIRECTED
                base = {"other host": f"http://localhost:{store.port}", "https": f"https://127.0.0.1:{store.port}"}
                self.send_all(307, [("Location", base.get(kind, "") + place)], b"")

            def pass_on(self, body, fault):
                connection = http.client.HTTPConnection(store.target.hostname, store.target.port)
                path = self.path.replace(f"?{REDIRECTED}", "").replace(f"&{REDIRECTED}", "")
                try:
                    headers = {key: value for key, value in self.headers.items() if key.lower() not in HOP_BY_HOP}
                    if fault == "whole":
                        headers = {key: value for key, value in headers.items() if key.lower() != "range"}
                    connection.request(self.command, path, body, headers)
                    response = connection.getresponse()
                    content = response.read()
                finally:
                    connection.close()
                if fault == "late":
                    time.sleep(1)
                if fault == "lost":
                    self.close_connection = True
                    return
                if store.changed:
                    content = store.changed(self.command, unquote(self.path), content)
                headers = {
                    key: value
                    for key, value in response.getheaders()
                    if key.lower() not in HOP_BY_HOP | {"date", "server"}
                }
                self.send_response_of(response, headers, content, fault)

            def send_response_of(self, response, headers, content, fault):
                length = len(content)
                if self.command == "HEAD":
                    length = int(response.getheader("Content-Length") or 0)
                if fault == "short":
                    content = content[: length // 2]
                    length = len(content)
                if fault in ("other etag", "no etag"):
                    headers = {key: value for key, value in headers.items() if key.lower() != "etag"}
                if fault == "other etag":
                    headers["ETag"] = store.new_etag()
                declared = response.getheader("Content-Range")
                if fault == "wrong range" and declared:
                    span, size = declared.removeprefix("bytes ").split("/")
                    first, last = map(int, span.split("-"))
                    headers = {key: value for key, value in headers.items() if key.lower() != "content-range"}
                    headers["Content-Range"] = f"bytes {first + 1}-{last + 1}/{size}"
                self.send_response(response.status)
                for key, value in headers.items():
                    self.send_header(key, value)
                if fault in ("no length", "endless"):
                    self.send_header("Connection", "close")
                else:
                    self.send_header("Content-Length", str(length))
                self.end_headers()
                if self.command == "HEAD":
                    return
                if fault in ("half", "reset"):
                    content = content[: len(content) // 2]
                if fault == "trickle":
                    self.trickle(content)
                elif fault == "endless":
                    while not store.released.is_set():
                        self.wfile.write(content.ljust(1 << 16, b" "))
                else:
                    self.wfile.write(content)
                if fault in ("half", "no length", "endless", "trickle"):
                    self.close_connection = True
                if fault == "reset":
                    self.wfile.flush()
                    # Closing then sends RST instead of FIN.
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self.connection.close()
                    self.close_connection = True

            def trickle(self, content):
                for at in range(len(content)):
                    self.wfile.write(content[at : at + 1])
                    self.wfile.flush()
                    if store.released.wait(0.2):
                        return

            def refuse(self, fault):
                status, code, message = REFUSALS[fault]
                body = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>".encode()
                headers = [("Content-Type", "application/xml")]
                if store.retry_after and status in (429, 503):
                    headers.append(("Retry-After", str(store.retry_after)))
                self.send_all(status, headers, body)

            def send_all(self, status, headers, body):
                self.send_response(status)
                for key, value in headers:
                    self.send_header(key, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            def log_message(self, *_):
                """Keeps requests out of the output."""

        return Handler
