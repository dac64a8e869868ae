"""Generates records of web archives for tests."""

import gzip
import itertools

numbers = itertools.count()


def response(url, body, date="2024-01-01T00:00:00Z", status=200, content_type="text/html; charset=utf-8"):
    """A compressed record of a response."""
    http = f"HTTP/1.1 {status} OK\r\nContent-Type: {content_type}\r\n\r\n".encode() + body
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\n"
        f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{next(numbers):012}>\r\n"
        f"WARC-Date: {date}\r\nWARC-Target-URI: {url}\r\n"
        "Content-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + b"\r\n\r\n", compresslevel=1)
