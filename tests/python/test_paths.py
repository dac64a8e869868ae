"""Lists of files on web servers and S3: each is read, with one request if it is small."""

import gzip
import hashlib
import random
import threading

import pytest

from conftest import BUCKET

COLUMNS = "source_file, size, encode(sha256(content), 'hex') AS hash, error"


@pytest.fixture
def documents():
    """Many small files, one that takes two requests, and an empty one."""
    noise = random.Random(5)
    sizes = [*range(1, 40), (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20, 0]
    return {f"a/{number}.bin": noise.randbytes(size) for number, size in enumerate(sizes)}


def serve(web, documents):
    for name, content in documents.items():
        web.files[f"/files/{name}"] = content
    web.files["/list.txt.gz"] = gzip.compress("\n".join(documents).encode())


def read(location, paths):
    return f"SELECT {COLUMNS} FROM read_files('{location}', 'paths', '{paths}') ORDER BY source_file"


def expected(documents, prefix):
    rows = [
        {
            "source_file": f"{prefix}{name}",
            "size": len(content),
            "hash": hashlib.sha256(content).hexdigest(),
            "error": None,
        }
        for name, content in documents.items()
    ]
    return sorted(rows, key=lambda row: row["source_file"])


@pytest.mark.parametrize("server", ["web", "plain_web"])
def test_a_list_of_files_on_a_web_server(request, rows, documents, server):
    web = request.getfixturevalue(server)
    serve(web, documents)
    found = rows(read(web.url("/files/"), web.url("/list.txt.gz")))
    assert found == expected(documents, web.url("/files/"))


def test_a_small_file_is_one_request(rows, documents, web, tmp_path):
    small = {name: content for name, content in documents.items() if 0 < len(content) <= 1 << 20}
    serve(web, small)
    paths = tmp_path / "paths.txt"
    paths.write_text("".join(f"{name}\n" for name in small))
    assert rows(read(web.url("/files"), paths)) == expected(small, web.url("/files/"))
    assert sorted((r.method, r.path) for r in web.requests) == sorted(("GET", f"/files/{name}") for name in small)


def test_many_files_are_requested_at_a_time(rows, web, tmp_path):
    """No request is answered before 30 have arrived."""
    documents = {f"{number}.txt": b"text" * number for number in range(30)}
    documents["0.txt"] = b"x"
    serve(web, documents)
    paths = tmp_path / "paths.txt"
    paths.write_text("".join(f"{name}\n" for name in documents))
    web.together = threading.Barrier(30)
    assert rows(read(web.url("/files/"), paths)) == expected(documents, web.url("/files/"))


def test_small_files_with_known_sizes_are_requested_at_a_time(rows, web):
    """The sizes of named files are requested first. Only a query for the content fetches it."""
    documents = {f"{number}.txt": b"text" * (number + 1) for number in range(20)}
    serve(web, documents)
    urls = ", ".join(f"'{web.url('/files/')}{name}'" for name in documents)
    web.together = threading.Barrier(20)
    found = rows(f"SELECT {COLUMNS} FROM read_files([{urls}]) ORDER BY source_file")
    assert found == expected(documents, web.url("/files/"))
    assert all(web.count(f"/files/{name}") == 1 for name in documents)


def test_names_and_sizes_need_no_content(rows, web):
    documents = {f"{number}.txt": b"text" for number in range(5)}
    serve(web, documents)
    urls = ", ".join(f"'{web.url('/files/')}{name}'" for name in documents)
    sql = f"SELECT source_file, size FROM read_files([{urls}], 'unpack', 'false')"
    assert [row["size"] for row in rows(sql)] == [4] * 5
    assert {request.method for request in web.requests} == {"HEAD"}


def test_a_small_file_that_changed_after_its_listing_is_an_error(rows, web):
    web.files.update({"/a.txt": b"first", "/b.txt": b"b"})
    web.shrink("/a.txt", 3)
    found = rows(f"SELECT {COLUMNS} FROM read_files(['{web.url('/a.txt')}', '{web.url('/b.txt')}'])")
    errors = {row["source_file"]: row["error"] for row in found}
    assert "it had 5 bytes and now has 3" in errors[web.url("/a.txt")]
    assert errors[web.url("/b.txt")] is None


def test_a_file_that_changes_between_two_requests_is_an_error(rows, web, tmp_path):
    documents = {"big.bin": bytes(3 << 20), **{f"{number}.bin": b"x" for number in range(20)}}
    serve(web, documents)
    paths = tmp_path / "paths.txt"
    paths.write_text("".join(f"{name}\n" for name in documents))
    web.replace_after("/files/big.bin", bytes(2 << 20))
    found = rows(read(web.url("/files/"), paths))
    assert [row["error"] is None for row in found] == [True] * 20 + [False]
    assert "changed on the server" in found[-1]["error"]


def test_files_that_are_missing_are_rows(rows, web, documents):
    serve(web, documents)
    del web.files["/files/a/3.bin"]
    web.fail("/files/a/5.bin", 403, times=10, methods=["GET", "HEAD"])
    found = rows(read(web.url("/files/"), web.url("/list.txt.gz")))
    assert len(found) == len(documents)
    wrong = [row for row in found if row["error"]]
    assert [row["source_file"] for row in wrong] == [web.url(f"/files/a/{n}.bin") for n in (3, 5)]
    assert "404" in wrong[0]["error"]
    assert "403" in wrong[1]["error"]


def test_a_list_on_s3(rows, s3, documents):
    for name, content in documents.items():
        s3.put(f"out/{name}", content)
    s3.put("out/list.txt", "\n".join(documents).encode())
    location = f"s3://{BUCKET}/out/"
    found = rows(read(location, f"{location}list.txt"), env=s3.env)
    assert found == expected(documents, location)


def test_full_urls_and_encoded_names(rows, web, tmp_path):
    web.files["/files/a b.txt"] = b"blank"
    web.files["/files/日本.txt"] = b"japanese"
    paths = tmp_path / "paths.txt"
    paths.write_text(f"{web.url('/files/a%20b.txt')}\n日本.txt\nhttp://127.0.0.1:1/x.txt\n")
    found = rows(read(web.url("/files/"), paths))
    by_size = {row["size"]: row["error"] for row in found}
    assert by_size.keys() == {5, 8, None}
    assert "http://127.0.0.1:1/x.txt' in row 3 is not in" in by_size[None]


def test_archives_of_a_list_are_read_in_ranges(rows, web, samples, tmp_path):
    """If there are few files, their sizes are requested, so that several threads can read one file."""
    web.files["/w/crawl.warc.gz"] = (samples / "warc" / "crawl.warc.gz").read_bytes()
    paths = tmp_path / "paths.txt"
    paths.write_text("crawl.warc.gz\n")
    sql = "SELECT count(*) AS n, count(error) AS errors FROM read_warc('{}', 'paths', '{}')"
    assert rows(sql.format(web.url("/w/"), paths)) == [{"n": 12, "errors": 0}]
    assert {(r.method, r.path) for r in web.requests} == {("HEAD", "/w/crawl.warc.gz"), ("GET", "/w/crawl.warc.gz")}


SIGNATURE = "X-Amz-Signature=a%2Fb%3D&expires=1+2"


@pytest.mark.parametrize("server", ["web", "plain_web"])
def test_signed_urls(request, rows, samples, server):
    """A signature is valid for GET only, and for the exact query."""
    web = request.getfixturevalue(server)
    web.signature = SIGNATURE
    for name in ["papers/decision.pdf", "papers.zip"]:
        web.files[f"/f/{name}"] = (samples / "files" / name).read_bytes()
    url = web.url(f"/f/papers/decision.pdf?{SIGNATURE}")
    content = web.files["/f/papers/decision.pdf"]
    for source in [f"read_files('{url}')", f"'{url}'"]:
        found = rows(f"SELECT {COLUMNS} FROM {source}")
        assert found == [
            {
                "source_file": url,
                "size": len(content),
                "hash": hashlib.sha256(content).hexdigest(),
                "error": None,
            }
        ]
    members = rows(f"SELECT source_file, error FROM read_files('{web.url('/f/papers.zip')}?{SIGNATURE}')")
    assert [row["error"] for row in members] == [None, None]
    assert members[0]["source_file"].startswith(web.url(f"/f/papers.zip?{SIGNATURE}!"))


def test_a_list_of_signed_urls(rows, web, tmp_path, documents):
    web.signature = SIGNATURE
    serve(web, documents)
    paths = tmp_path / "paths.txt"
    paths.write_text("".join(f"{web.url('/files/')}{name}?{SIGNATURE}\n" for name in documents))
    found = rows(read(web.url("/"), paths))
    plain = [{**row, "source_file": row["source_file"].split("?")[0]} for row in found]
    assert plain == expected(documents, web.url("/files/"))


def test_a_signed_url_that_expired_is_an_error(fails, web):
    web.signature = SIGNATURE
    web.files["/x.pdf"] = b"x"
    url = web.url("/x.pdf?X-Amz-Signature=old")
    assert "403 Forbidden" in fails(f"SELECT * FROM read_files('{url}')")


def test_a_presigned_url_of_s3(rows, s3):
    s3.put("out/a b.txt", b"text")
    url = s3.client.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": "out/a b.txt"})
    assert [row["size"] for row in rows(f"SELECT size FROM read_files('{url}')")] == [4]


def test_an_empty_file_at_a_signed_url(rows, web):
    web.signature = SIGNATURE
    web.files["/empty.txt"] = b""
    found = rows(f"SELECT size, error FROM read_files('{web.url('/empty.txt')}?{SIGNATURE}')")
    assert found == [{"size": 0, "error": None}]


@pytest.mark.slow
@pytest.mark.parametrize("extension", ["parquet", "csv", "csv.gz", "json", "jsonl"])
def test_signed_urls_of_tables(run, rows, web, tmp_path, extension):
    """Formats that DataFusion reads: by their extension, which is before the query."""
    web.signature = SIGNATURE
    table = "SELECT value AS n, concat('text ', value) AS text FROM generate_series(1, 500)"
    name = f"table.1.{extension}"
    compressed = extension.endswith(".gz")
    rows(f"COPY ({table}) TO '{tmp_path}/plain.{extension.removesuffix('.gz')}'")
    content = (tmp_path / f"plain.{extension.removesuffix('.gz')}").read_bytes()
    web.files[f"/a b/{name}"] = gzip.compress(content) if compressed else content
    url = web.url(f"/a%20b/{name}?{SIGNATURE}")
    expected = [{"n": 500, "sum": 125250, "last": "text 99"}]
    sql = "SELECT count(*) AS n, sum(n) AS sum, max(text) AS last FROM"
    assert rows(f"{sql} '{url}'") == expected
    if not compressed and extension != "jsonl":
        create = f"CREATE EXTERNAL TABLE t STORED AS {extension.upper()} LOCATION '{url}'"
        assert rows(f"{create}; {sql} t") == expected
    assert web.queries == {SIGNATURE}
    expired = web.url(f"/a%20b/{name}?X-Amz-Signature=old")
    ran = run("-q", "-c", f"{sql} '{expired}'")
    assert ran.code == 1 and "403" in ran.stderr, ran.stderr
