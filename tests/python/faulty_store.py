"""A proxy between a program and an S3 server that fails requests, at random or chosen by a test."""

import http.client
import random
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

# The statuses, codes and messages of S3.
REFUSALS = {
    "expired": (400, "ExpiredToken", "The provided token has expired."),
    "wrong key": (403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records."),
    "denied": (403, "AccessDenied", "Access Denied."),
    429: (429, "TooManyRequests", "Please reduce your request rate."),
    500: (500, "InternalError", "We encountered an internal error. Please try again."),
    503: (503, "SlowDown", "Please reduce your request rate."),
}

# Faults that disappear when a request is retried. `cut` closes the connection before the request is handled, `lost`
# after that, and `half` in the middle of the response. `slow` handles it late, `late` answers late.
PASSING = [429, 500, 503, "cut", "lost", "half", "slow"]

# Headers that belong to one connection.
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}


class FaultyStore:
    """Passes requests on to `endpoint`. A share of them fails; `fault(method, path)` may choose further faults."""

    def __init__(self, endpoint, share=0.0, seed=1, fault=None):
        self.target = urlsplit(endpoint)
        self.share = share
        self.fault = fault or (lambda method, path: None)
        self.faults = Counter()
        self.retry_after = None
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def next_fault(self, method, path):
        with self._lock:
            found = self.fault(method, path)
            if found is None and self._random.random() < self.share:
                found = self._random.choice(PASSING)
            if found is not None:
                self.faults[found] += 1
            return found

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
                fault = store.next_fault(self.command, unquote(self.path))
                if fault == "cut":
                    self.close_connection = True
                elif fault in REFUSALS:
                    self.refuse(fault)
                else:
                    if fault == "slow":
                        time.sleep(0.3)
                    self.pass_on(body, fault)

            do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = answer

            def pass_on(self, body, fault):
                connection = http.client.HTTPConnection(store.target.hostname, store.target.port)
                try:
                    headers = {key: value for key, value in self.headers.items() if key.lower() not in HOP_BY_HOP}
                    connection.request(self.command, self.path, body, headers)
                    response = connection.getresponse()
                    content = response.read()
                finally:
                    connection.close()
                if fault == "late":
                    time.sleep(1)
                if fault == "lost":
                    self.close_connection = True
                    return
                self.send_response(response.status)
                for key, value in response.getheaders():
                    if key.lower() not in HOP_BY_HOP | {"date", "server"}:
                        self.send_header(key, value)
                length = response.getheader("Content-Length") if self.command == "HEAD" else len(content)
                self.send_header("Content-Length", str(length or 0))
                self.end_headers()
                if fault == "half":
                    content = content[: len(content) // 2]
                    self.close_connection = True
                self.wfile.write(content)

            def refuse(self, fault):
                status, code, message = REFUSALS[fault]
                body = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>".encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/xml")
                self.send_header("Content-Length", str(len(body)))
                if store.retry_after and status in (429, 503):
                    self.send_header("Retry-After", str(store.retry_after))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            def log_message(self, *_):
                """Keeps requests out of the output."""

        return Handler
