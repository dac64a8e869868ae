"""Generates the records of a crawl: pages, other files, and the requests.

Everything comes from a seeded generator and is always the same.
"""

import base64
import gzip
import hashlib
import itertools
import random

from pages import make_page, make_site
from words import LONGEST_PHRASE, Topic, languages

SEED = 20140101
SITES = 400
PAGES_IN_A_ROW = 12


def records():
    """The records of an endless crawl."""
    rng = random.Random(SEED)
    spoken = languages(rng)
    sites = [make_site(number, rng, spoken) for number in range(SITES)]
    crawl = Crawl(rng)
    yield crawl.record("warcinfo", "application/warc-fields", [], b"software: made up\r\n")
    while True:
        # A crawler fetches some pages of a site before it moves to the next.
        site = rng.choice(sites)
        for _ in range(PAGES_IN_A_ROW):
            yield from crawl.page(site) if rng.random() < 0.88 else crawl.no_page(site)


class Crawl:
    def __init__(self, rng):
        self.rng = rng
        self.numbers = itertools.count(1)

    def record(self, kind, content_type, fields, content):
        lines = [
            "WARC/1.0",
            f"WARC-Type: {kind}",
            f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{next(self.numbers):012}>",
            "WARC-Date: 2021-01-15T22:13:20Z",
            *fields,
            f"Content-Type: {content_type}",
            f"Content-Length: {len(content)}",
        ]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + content + b"\r\n\r\n"

    def capture(self, site, status, headers, body):
        """The request for a page or file, and the response."""
        path = f"/{self.rng.choice(site.names)}/{self.rng.randrange(10**6)}"
        target = f"WARC-Target-URI: https://{site.host}{path}"
        request = [f"GET {path} HTTP/1.1", f"Host: {site.host}", "User-Agent: made-up", "Accept: */*"]
        yield self.record("request", "application/http; msgtype=request", [target], http(request, b""))
        head = [f"HTTP/1.1 {status}", "Server: nginx", "Date: Fri, 15 Jan 2021 22:13:20 GMT"]
        head += [*headers, "Vary: Accept-Encoding", f'ETag: "{self.rng.getrandbits(64):x}"', "Connection: close"]
        content = http(head, body)
        fields = [
            target,
            "WARC-IP-Address: 192.0.2.1",
            f"WARC-Payload-Digest: {digest(body)}",
            f"WARC-Block-Digest: {digest(content)}",
        ]
        yield self.record("response", "application/http; msgtype=response", fields, content)

    def page(self, site):
        body = make_page(site, self.rng)
        headers = [f"Content-Type: text/html; charset={site.header}" if site.header else "Content-Type: text/html"]
        # Never both, because fastwarc 2.0.1, which is compared, stops at the first record with both.
        kind = self.rng.random()
        if kind < 0.08:
            body = gzip.compress(body, 6, mtime=0)
            headers.append("Content-Encoding: gzip")
        elif kind < 0.16:
            body = chunked(body)
            headers.append("Transfer-Encoding: chunked")
        status = "200 OK" if self.rng.random() < 0.95 else "404 Not Found"
        return self.capture(site, status, headers, body)

    def no_page(self, site):
        rng = self.rng
        kind = rng.random()
        if kind < 0.2:
            return self.capture(site, "301 Moved Permanently", ["Content-Type: text/html", "Location: /"], b"")
        if kind < 0.6:
            media_type = rng.choice(("image/jpeg", "image/png"))
            body = rng.randbytes(int(rng.lognormvariate(8.3, 0.8)))
        else:
            media_type = rng.choice(("text/css", "application/javascript", "application/json"))
            body = Topic(site.language, rng).phrase(300, LONGEST_PHRASE).encode()
        return self.capture(site, "200 OK", [f"Content-Type: {media_type}"], body)


def http(head, body):
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def chunked(body, size=8000):
    chunks = (body[at : at + size] for at in range(0, len(body), size))
    return b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"


def digest(data):
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()
