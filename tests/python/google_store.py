"""Google Cloud Storage for tests: gcp-storage-emulator behind a proxy that adds what the emulator lacks.

The emulator knows the JSON API. Programs that use the XML API, such as object_store, need listings, multipart uploads
and deletions in XML, and an answer to a wrong key.
"""

import base64
import json
import re
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from urllib.parse import parse_qs, quote, unquote, urlsplit
from xml.sax.saxutils import escape

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from gcp_storage_emulator.server import create_server

# Objects per page of a listing.
PAGE = 2


def new_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


class GoogleStore:
    """A store with one bucket, for requests signed with its key."""

    def __init__(self, bucket, port):
        self.bucket = bucket
        self.key = new_key()
        self.refused = 0
        self.uploads = {}
        self._numbers = count(1)
        self._emulator = create_server("127.0.0.1", port, in_memory=True, default_bucket=bucket)
        self._api = f"http://127.0.0.1:{port}"
        self._front = ThreadingHTTPServer(("127.0.0.1", 0), handler(self))
        self._front.daemon_threads = True
        self._thread = threading.Thread(target=self._front.serve_forever, args=(0.05,))

    def __enter__(self):
        self._emulator.start()
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._front.shutdown()
        self._front.server_close()
        self._thread.join()
        self._emulator.stop()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._front.server_address[1]}"

    def account(self, key=None, url=None):
        """The file of a service account, with the right key or another one, for this address or another one."""
        private = (key or self.key).private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        return json.dumps({
            "type": "service_account",
            "private_key": private.decode(),
            "private_key_id": "1",
            "client_email": "test@example.org",
            "gcs_base_url": url or self.url,
        })

    def call(self, method, path, body=None, headers=None):
        """A request to the emulator: status, headers and body."""
        request = urllib.request.Request(
            self._api + path, data=body, method=method, headers=headers or {}
        )
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, dict(answer.headers), answer.read()
        except urllib.error.HTTPError as error:
            return error.code, dict(error.headers), error.read()

    def put(self, name, content):
        status, _, body = self.call("PUT", f"/{self.bucket}/{quote(name)}", content)
        assert status < 300, body

    def get(self, name):
        status, _, body = self.call("GET", f"/{self.bucket}/{quote(name)}")
        assert status == 200, body
        return body

    def objects(self, prefix=""):
        path = f"/storage/v1/b/{self.bucket}/o?prefix={quote(prefix, safe='')}"
        status, _, body = self.call("GET", path)
        assert status == 200, body
        return sorted(json.loads(body).get("items", []), key=lambda item: item["name"])

    def keys(self, prefix=""):
        return [item["name"] for item in self.objects(prefix)]

    def is_signed(self, header):
        """Whether a token is signed with the key of the store."""
        parts = (header or "").removeprefix("Bearer ").split(".")
        if len(parts) != 3:
            return False
        try:
            self.key.public_key().verify(
                decoded(parts[2]), ".".join(parts[:2]).encode(), padding.PKCS1v15(), hashes.SHA256()
            )
        except InvalidSignature:
            return False
        return True

    def listing(self, query):
        """The page of a listing in XML."""
        def value(name):
            return query.get(name, [""])[0]

        found = [item for item in self.objects(value("prefix")) if item["name"] > value("start-after")]
        contents, folders = [], []
        for item in found:
            rest = item["name"][len(value("prefix")):]
            if value("delimiter") and value("delimiter") in rest:
                folder = value("prefix") + rest.split(value("delimiter"))[0] + value("delimiter")
                folders += [folder] * (folder not in folders)
            else:
                contents.append(item)
        start = int(value("continuation-token") or 0)
        page = contents[start : start + PAGE]
        more = ""
        if start + PAGE < len(contents):
            more = f"<NextContinuationToken>{start + PAGE}</NextContinuationToken>"
        entries = "".join(
            f"<Contents><Key>{escape(item['name'])}</Key><LastModified>{item['updated']}</LastModified>"
            f"<ETag>{item['etag']}</ETag><Size>{item['size']}</Size></Contents>"
            for item in page
        )
        prefixes = "".join(
            f"<CommonPrefixes><Prefix>{escape(folder)}</Prefix></CommonPrefixes>" for folder in folders
        )
        return f"<ListBucketResult>{entries}{prefixes}{more}</ListBucketResult>".encode()

    def begin_upload(self):
        upload = str(next(self._numbers))
        self.uploads[upload] = {}
        return f"<InitiateMultipartUploadResult><UploadId>{upload}</UploadId></InitiateMultipartUploadResult>".encode()

    def complete_upload(self, upload, name, manifest):
        parts = self.uploads.pop(upload)
        numbers = [int(number) for number in re.findall(r"<PartNumber>(\d+)<", manifest.decode())]
        self.put(name, b"".join(parts[number] for number in numbers))
        return b"<CompleteMultipartUploadResult><ETag>1</ETag></CompleteMultipartUploadResult>"


def handler(store):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def handle_any(self):
            target = urlsplit(self.path)
            query = parse_qs(target.query, keep_blank_values=True)
            bucket, _, name = unquote(target.path).lstrip("/").partition("/")
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if not store.is_signed(self.headers.get("Authorization")):
                store.refused += 1
                self.answer_error(401, "Invalid Credentials")
            elif bucket != store.bucket:
                self.answer_error(404, "The specified bucket does not exist.")
            elif not name:
                self.answer(200, store.listing(query))
            elif "uploads" in query:
                self.answer(200, store.begin_upload())
            elif "partNumber" in query:
                store.uploads[query["uploadId"][0]][int(query["partNumber"][0])] = body
                self.answer(200, b"", {"ETag": "1"})
            elif "uploadId" in query and self.command == "DELETE":
                store.uploads.pop(query["uploadId"][0], None)
                self.answer(204, b"")
            elif "uploadId" in query:
                self.answer(200, store.complete_upload(query["uploadId"][0], name, body))
            else:
                self.pass_on(bucket, name, body)

        do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_any

        def pass_on(self, bucket, name, body):
            path = f"/{bucket}/{quote(name)}"
            if self.command == "DELETE":
                status, _, answer = store.call("DELETE", f"/storage/v1/b/{bucket}/o/{quote(name, safe='')}")
                return self.answer(status, answer)
            exists = name in store.keys(name)
            if self.command == "PUT":
                if self.headers.get("x-goog-if-generation-match") == "0" and exists:
                    return self.answer_error(412, "At least one of the pre-conditions you specified did not hold.")
                store.put(name, self.copied(body))
                return self.answer(200, b"", {"ETag": "1", "x-goog-generation": "1"})
            if not exists:
                return self.answer_error(404, "The specified key does not exist.")
            content = store.get(name)
            headers = {"ETag": "1", "Last-Modified": "Wed, 01 Jan 2025 00:00:00 GMT", "x-goog-generation": "1"}
            part = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
            if part is None:
                return self.answer(200, content, headers)
            first, last = part.groups()
            start = int(first) if first else max(len(content) - int(last), 0)
            end = min(int(last) + 1, len(content)) if first and last else len(content)
            headers["Content-Range"] = f"bytes {start}-{end - 1}/{len(content)}"
            return self.answer(206, content[start:end], headers)

        def copied(self, body):
            source = self.headers.get("x-goog-copy-source")
            return store.get(unquote(source).partition("/")[2]) if source else body

        def answer_error(self, status, message):
            error = {"error": {"code": status, "message": message}}
            self.answer(status, json.dumps(error).encode(), {"Content-Type": "application/json"})

        def answer(self, status, body, headers=None):
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD" and status != 204:
                self.wfile.write(body)

    return Handler
