"""Stores and web servers that answer wrongly: the rows are right, or an error says what, where and what to do."""

import gzip
import hashlib
import random
import re
import subprocess
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from threading import Thread
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

import pytest

from conftest import BUCKET
from faulty_store import FaultyStore
from test_remote import LARGE
from web import Web

RECORDS = 40

# Faults of one response that do not change the result.
HARMLESS = [429, 503, "html error", "cut", "lost", "half", "reset", "short", "whole", "wrong range", "redirect"]

# Faults of which the ways to read a file make one error, and a part of it.
FINAL = {
    "denied": "403 Forbidden (AccessDenied",
    "loop": "too many redirects",
    "short": "it is shorter than declared",
    "wrong range": "the server answered a request for the bytes",
    "half": "the response from http",
    500: "500 Internal Server Error (InternalError",
    "html": "the server answered with a web page",
}


def archive():
    """An archive of records that do not compress."""
    rng = random.Random(43)
    out = BytesIO()
    for number in range(RECORDS):
        body = rng.randbytes(30_000).hex().encode()
        head = (
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
            f"WARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Target-URI: http://x.example/{number}\r\n"
            f"Content-Type: text/plain\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        out.write(gzip.compress(head.encode() + body + b"\r\n\r\n", 1, mtime=0))
    return out.getvalue()


def zipped(seed):
    """A package of stored members. Packages of different seeds have the same size."""
    rng = random.Random(seed)
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for number in range(20):
            info = zipfile.ZipInfo(f"{number:02}.bin", (2026, 1, 1, 0, 0, 0))
            package.writestr(info, rng.randbytes(400_000))
    return out.getvalue()


@pytest.fixture(scope="session")
def table(s3_with_samples, binary, tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "t.parquet"
    copy = f"COPY (SELECT value AS n, sha512(CAST(value AS text)) AS h FROM range(0, 20000)) TO '{path}'"
    subprocess.run([binary, "-q", "-c", copy], check=True)
    return path.read_bytes()


FILES = {"a.warc.gz": archive(), "large.bin": random.Random(1).randbytes(2_000_000)}


@pytest.fixture(params=["s3", "azure", "google", "web"])
def place(request, table, run, tmp_path):
    """A store or a web server with an archive, a table and a large file: its address, and a function that returns
    the variables and the prefix for a proxy before it."""
    files = {**FILES, "t.parquet": table}
    if request.param == "web":
        with Web(ranges=True) as web:
            web.files = {f"/{name}": content for name, content in files.items()}
            yield web.url(), lambda store: ({}, store.url)
        return
    endpoint, env, scheme = {"s3": s3_access, "azure": azure_access, "google": google_access}[request.param](request, tmp_path)
    for name, content in files.items():
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_bytes(content)
    root = f"{scheme}://{BUCKET}/out/hostile"
    copy = f"""
        COPY (SELECT regexp_replace(source_file, '^.*/', '') AS name, content
        FROM read_files('{tmp_path}/in/', 'unpack', 'false')) TO '{root}/' STORED AS FILES
    """
    ran = run("-q", "-c", copy, env=env(endpoint))
    assert ran.code == 0, ran.stderr
    yield endpoint, lambda store: (env(store.url), root)


def s3_access(request, _folder):
    s3 = request.getfixturevalue("s3")
    return s3.endpoint, lambda url: {**s3.env, "AWS_ENDPOINT": url}, "s3"


def azure_access(request, _folder):
    azure = request.getfixturevalue("azurite")
    env = azure.env
    return azure.endpoint, lambda url: {**env, "AZURE_ENDPOINT": env["AZURE_ENDPOINT"].replace(azure.endpoint, url)}, "az"


def google_access(request, folder):
    google = request.getfixturevalue("google")

    def env(url):
        account = folder / "account.json"
        account.write_text(google.account(url=url))
        return {"GOOGLE_SERVICE_ACCOUNT": str(account)}

    return google.url, env, "gs"


LISTING = re.compile(r"[?&](list-type|comp)=")


def first_of_each(fault):
    """A fault of the first request for the content of each file."""
    done = set()

    def choose(method, path):
        name = path.split("?")[0]
        if method != "GET" or LISTING.search(path) or name in done:
            return None
        done.add(name)
        return fault

    return choose


def contents(root):
    return f"""
        SELECT count(*) AS n, count(DISTINCT sha256(body)) AS different, count(error) AS errors
        FROM read_warc('{root}/a.warc.gz');
        SELECT count(*) AS n, count(*) FILTER (WHERE h = sha512(CAST(n AS text))) AS same FROM '{root}/t.parquet';
        SELECT size, encode(sha256(content), 'hex') AS hash, error FROM read_files('{root}/large.bin')
    """


@pytest.mark.parametrize("fault", HARMLESS)
def test_a_wrong_answer_does_not_change_the_rows(rows, place, fault, request):
    if fault == "whole" and "azure" in request.node.name:
        pytest.skip("the signature of a request to Azure has its range, so that a proxy cannot remove that")
    endpoint, access = place
    with FaultyStore(endpoint, fault=first_of_each(fault)) as store:
        env, root = access(store)
        found = rows(contents(root), env=env)
        assert store.faults[fault] == 3
    hashed = hashlib.sha256(random.Random(1).randbytes(2_000_000)).hexdigest()
    assert found == [
        {"n": RECORDS, "different": RECORDS, "errors": 0},
        {"n": 20_000, "same": 20_000},
        {"size": 2_000_000, "hash": hashed, "error": None},
    ]


def always(fault):
    return lambda method, path: fault if method == "GET" and not LISTING.search(path) else None


@pytest.mark.parametrize("fault", FINAL, ids=str)
def test_a_server_that_never_answers_well_is_an_error(run, place, fault, request):
    if fault == "html" and "[web-" in request.node.name:
        pytest.skip("a page is a file of a web server, which is then shorter than before")
    endpoint, access = place
    with FaultyStore(endpoint, fault=always(fault)) as store:
        env, root = access(store)
        queries = [f"SELECT error FROM read_files('{root}/large.bin')", f"SELECT * FROM '{root}/t.parquet'"]
        for query in queries:
            ran = run("--format", "ndjson", "-c", query.replace("error", "error, content"), env=env)
            said = ran.stdout + ran.stderr
            assert FINAL[fault] in said and "panicked" not in said, ran
            assert ("error" in ran.stdout) != (ran.code == 1), ran
            # An answer of the store itself needs no address if the file is named.
            is_named = fault == "denied" and f"cannot read '{root}/" in said
            assert store.url in said or is_named, ran


def test_a_server_that_declares_no_lengths(rows, run, place):
    """The lengths of parts are known from their ranges."""
    endpoint, access = place
    with FaultyStore(endpoint, fault=always("no length")) as store:
        env, root = access(store)
        table = f"SELECT count(*) AS n, count(*) FILTER (WHERE h = sha512(CAST(n AS text))) AS same FROM '{root}/t.parquet'"
        assert rows(table, env=env) == [{"n": 20_000, "same": 20_000}]
        ran = run("-q", "--format", "csv", "-c", f"SELECT size, error FROM read_files('{root}/large.bin')", env=env)
    assert ran.code == 0, ran.stderr
    assert ran.stdout == "size,error\n2000000,\n" or "no Content-Length" in ran.stdout, ran


def test_repeated_requests_are_reported_once_per_file_with_the_reason(run, place):
    endpoint, access = place
    left = {"a.warc.gz": 3, "t.parquet": 2}

    def busy(method, path):
        name = path.rsplit("/", 1)[-1]
        if method != "GET" or not left.get(name):
            return None
        left[name] -= 1
        return 503

    with FaultyStore(endpoint, fault=busy) as store:
        env, root = access(store)
        ran = run("-c", contents(root), env=env)
    assert ran.code == 0, ran.stderr
    warnings = [line for line in ran.stderr.splitlines() if line.startswith("warning: repeating requests for '")]
    assert len(warnings) == 2, ran.stderr
    for name, warning in zip(["a.warc.gz", "t.parquet"], warnings):
        assert f"/{name}': the server answered 503 Service Unavailable (SlowDown: " in warning


@pytest.mark.parametrize("fault", ["half", "reset"])
@pytest.mark.parametrize("chosen", ["list-type=", "uploads", "partNumber=1&", "POST uploadId="])
def test_a_reply_that_breaks_off_is_requested_again(run, rows, s3, fault, chosen):
    left = [fault]

    def first(method, path):
        *methods, part = chosen.split()
        is_chosen = part in path and method in (methods or [method])
        return left.pop() if is_chosen and left else None

    target = f"s3://{BUCKET}/out/reply.parquet"
    copy = f"COPY (SELECT value AS n, sha512(CAST(value AS text)) AS h FROM range(0, {LARGE})) TO '{target}'"
    sql = f"SELECT size FROM read_files('s3://{BUCKET}/files/papers/')" if chosen == "list-type=" else copy
    with FaultyStore(s3.endpoint, fault=first) as store:
        ran = run("-c", sql, env={**s3.env, "AWS_ENDPOINT": store.url})
        assert store.faults[fault] == 1
    assert ran.code == 0, ran.stderr
    if sql == copy:
        assert rows(f"SELECT count(*) AS n FROM '{target}'", env=s3.env) == [{"n": LARGE}]


@pytest.mark.parametrize("earlier", [None, b"older"])
@pytest.mark.parametrize("is_lost", [True, False])
def test_an_upload_whose_completion_was_lost_is_complete(run, s3, earlier, is_lost):
    """Some stores then answer that there is no such upload."""
    answers = ["lost", "no upload"] if is_lost else ["no upload"]

    def completes(method, path):
        return answers.pop(0) if method == "POST" and "uploadId=" in path and answers else None

    if earlier:
        s3.put("out/completed.parquet", earlier)
    copy = f"COPY (SELECT sha512(CAST(value AS text)) AS h FROM range(0, {LARGE})) TO 's3://{BUCKET}/out/completed.parquet'"
    with FaultyStore(s3.endpoint, fault=completes) as store:
        ran = run("-c", copy, env={**s3.env, "AWS_ENDPOINT": store.url})
    assert answers == []
    if is_lost:
        assert ran.code == 0, ran.stderr
        assert s3.get("out/completed.parquet").startswith(b"PAR1")
    else:
        assert ran.code == 1 and "NoSuchUpload" in ran.stderr, ran
        assert s3.keys("out/completed") == ["out/completed.parquet"] * bool(earlier)


@pytest.mark.parametrize("sql", [
    "SELECT * FROM read_files('s3://{}/files/')",
    "COPY (SELECT 1 AS n) TO 's3://{}/out/page.parquet'",
    "COPY (SELECT source_file, size FROM read_files('s3://{}/files/')) TO 's3://{}/out/page/' STORED AS PARQUET",
])
def test_a_web_page_is_no_answer_of_a_store(run, s3, sql):
    """Without this, the page of a login would be an empty list of files."""
    with FaultyStore(s3.endpoint, fault=lambda method, path: None if method == "HEAD" else "html") as store:
        ran = run("--resume", "-c", sql.replace("{}", BUCKET), env={**s3.env, "AWS_ENDPOINT": store.url})
    assert ran.code == 1
    assert "the server answered with a web page" in ran.stderr and "check the endpoint" in ran.stderr, ran.stderr
    assert s3.keys("out/page") == []


@pytest.mark.parametrize("fault", ["redirect", "other host", "loop", "https"])
def test_a_redirected_upload_says_where(fails, s3, fault):
    """A client must not send a file again to another host by itself."""
    with FaultyStore(s3.endpoint, fault=lambda method, path: fault if method == "PUT" else None) as store:
        env = {**s3.env, "AWS_ENDPOINT": store.url}
        message = fails(f"COPY (SELECT 1 AS n) TO 's3://{BUCKET}/out/moved.parquet'", env=env)
    assert "the server redirects the request to '" in message and "endpoint" in message
    assert s3.keys("out/moved") == []


def test_a_wrong_clock_is_not_called_wrong_credentials(fails, s3):
    with FaultyStore(s3.endpoint, fault=lambda method, path: "skewed") as store:
        message = fails(f"SELECT * FROM read_files('s3://{BUCKET}/files/')", env={**s3.env, "AWS_ENDPOINT": store.url})
    assert "RequestTimeTooSkewed" in message and "set the clock of this machine" in message
    assert "renew" not in message


def test_credentials_that_expire_during_a_run_end_it_and_renewed_ones_continue(run, rows, s3):
    folder, target = f"s3://{BUCKET}/files/", f"s3://{BUCKET}/out/renewed/"
    copy = f"COPY (SELECT source_file, size, content FROM read_files('{folder}')) TO '{target}' STORED AS PARQUET"
    count = iter(range(1000))

    def later(method, path):
        return "expired 403" if next(count) >= 12 else None

    with FaultyStore(s3.endpoint, fault=later) as store:
        ran = run("--resume", "-c", copy, env={**s3.env, "AWS_ENDPOINT": store.url})
    assert ran.code == 1 and "the store rejects the credentials (ExpiredToken" in ran.stderr, ran
    ran = run("--resume", "-c", copy, env=s3.env)
    assert ran.code == 0, ran.stderr
    counted = "SELECT count(*) AS n, count(content) AS full FROM {}"
    expected = rows(counted.format(f"read_files('{folder}')"), env=s3.env)
    assert rows(counted.format(f"'{target}'"), env=s3.env) == expected


def test_the_requester_pays_if_an_option_says_so(rows, fails, s3):
    folder = f"s3://{BUCKET}/files/papers/"
    with FaultyStore(s3.endpoint) as store:
        store.requester_pays = True
        env = {**s3.env, "AWS_ENDPOINT": store.url}
        assert "403 Forbidden (AccessDenied" in fails(f"SELECT * FROM read_files('{folder}')", env=env)
        assert len(rows(f"SELECT size FROM read_files('{folder}', 'aws.request_payer', 'true')", env=env)) == 1
        assert len(rows(f"SELECT size FROM read_files('{folder}')", env={**env, "AWS_REQUEST_PAYER": "true"})) == 1


@pytest.mark.parametrize("change_after", range(1, 5))
def test_rows_are_never_from_two_versions_of_a_file(run, s3, change_after):
    """The package is replaced between two requests. Both versions have the same size."""
    old, new = zipped(1), zipped(2)
    assert len(old) == len(new)
    s3.put("out/two.zip", old)
    versions = []
    for content in (old, new):
        package = zipfile.ZipFile(BytesIO(content))
        versions.append(sorted(hashlib.sha256(package.read(name)).hexdigest() for name in package.namelist()))
    count = iter(range(1, 1000))

    def replace(method, path):
        if method == "GET" and path.endswith("two.zip") and next(count) == change_after + 1:
            s3.put("out/two.zip", new)

    with FaultyStore(s3.endpoint, fault=replace) as store:
        sql = f"SELECT encode(sha256(content), 'hex') AS hash, error FROM read_files('s3://{BUCKET}/out/two.zip')"
        ran = run("-q", "--format", "csv", "-c", sql, env={**s3.env, "AWS_ENDPOINT": store.url})
    assert ran.code == 0, ran.stderr
    hashes = re.findall(r"^([0-9a-f]{64}),", ran.stdout, re.M)
    assert set(hashes) <= set(versions[0]) or set(hashes) <= set(versions[1]), ran.stdout
    assert sorted(hashes) in versions or "the file changed on the server" in ran.stdout, ran.stdout


class Listing:
    """An S3 bucket with many keys, in pages of a thousand. It only lists."""

    def __init__(self, keys, endless=False):
        keys = sorted(keys)
        listing = self
        self.pages = 0

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                query = parse_qs(urlsplit(self.path).query)
                start = int(query.get("continuation-token", ["0"])[0])
                listing.pages += 1
                if endless:
                    return self.send_endless()
                entries = "".join(
                    f"<Contents><Key>{escape(key)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
                    f"<ETag>\"1\"</ETag><Size>1</Size></Contents>"
                    for key in keys[start : start + 1000]
                )
                end = start + 1000
                more = f"<NextContinuationToken>{end}</NextContinuationToken>" if end < len(keys) else ""
                self.send(f"<ListBucketResult>{entries}{more}</ListBucketResult>".encode())

            def do_HEAD(self):
                self.send(b"", 404)

            def send(self, body, status=200):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def send_endless(self):
                self.send_response(200)
                self.send_header("Connection", "close")
                self.end_headers()
                self.close_connection = True
                try:
                    while True:
                        self.wfile.write(b" " * (1 << 20))
                except ConnectionError:
                    pass

            def log_message(self, *_):
                """Keeps requests out of the output."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def env(self, s3):
        return {**s3.env, "AWS_ENDPOINT": f"http://127.0.0.1:{self._server.server_address[1]}"}


def test_a_listing_of_100_000_keys(fails, s3):
    with Listing(f"many/{number:06}.txt" for number in range(100_000)) as listing:
        message = fails(f"SELECT * FROM read_files('s3://{BUCKET}/many/*.pdf')", env=listing.env(s3))
        assert "(100000 other files are there)" in message
        assert listing.pages == 100


def test_a_listing_without_end_is_an_error(fails, s3):
    with Listing([], endless=True) as listing:
        message = fails(f"SELECT * FROM read_files('s3://{BUCKET}/many/')", env=listing.env(s3))
    assert "larger than 128 MiB" in message


def test_the_bucket_is_in_the_host_if_an_option_says_so(run, s3):
    """The server is a proxy here, because the name of a bucket does not resolve to this machine."""
    hosts = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            hosts.append((self.headers["Host"], unquote(urlsplit(self.path).path)))
            body = b"<ListBucketResult></ListBucketResult>"
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """Keeps requests out of the output."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    env = {
        **s3.env,
        "AWS_ENDPOINT": "http://store.example",
        "AWS_VIRTUAL_HOSTED_STYLE_REQUEST": "true",
        "AWS_PROXY_URL": f"http://127.0.0.1:{server.server_address[1]}",
    }
    ran = run("-c", f"SELECT * FROM read_files('s3://{BUCKET}/none/')", env=env)
    server.shutdown()
    server.server_close()
    thread.join()
    assert ran.code == 1 and "no files at" in ran.stderr, ran
    assert hosts == [(f"{BUCKET}.store.example", "/")]
