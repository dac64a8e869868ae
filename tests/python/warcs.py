"""Generates records of web archives for tests."""

import gzip
import itertools

numbers = itertools.count()


def response(
    url, body, date="2024-01-01T00:00:00Z", status=200, content_type="text/html; charset=utf-8", coding=None,
    record_type="application/http; msgtype=response",
):
    """A compressed record of a response. Without a URL, the record has no such field."""
    coded = f"Content-Encoding: {coding}\r\n" if coding else ""
    http = f"HTTP/1.1 {status} OK\r\nContent-Type: {content_type}\r\n{coded}\r\n".encode() + body
    uri = f"WARC-Target-URI: {url}\r\n" if url else ""
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\n"
        f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{next(numbers):012}>\r\n"
        f"WARC-Date: {date}\r\n{uri}"
        f"Content-Type: {record_type}\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + b"\r\n\r\n", compresslevel=1)


def cut_response(url, body):
    """A response whose compressed body lacks its second half."""
    coded = gzip.compress(body)
    return response(url, coded[: len(coded) // 2], coding="gzip")


def damaged_response(url, body):
    """A response whose body cannot be decompressed at all."""
    coded = gzip.compress(body)
    return response(url, coded[:10] + b"\xff" * (len(coded) - 10), coding="gzip")


def as_one_member(records):
    """An archive of these records that is compressed as a whole."""
    return gzip.compress(b"".join(map(gzip.decompress, records)))
