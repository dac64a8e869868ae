"""Object stores and web servers: complete files are read, and failures are reported."""

import bz2
import gzip
import hashlib
import io
import json
import os
import random
import signal
import subprocess
import tarfile
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import BUCKET, TIMEOUT
from faulty_store import FaultyStore

COLUMNS = "source_file, size, encode(sha256(content), 'hex') AS hash, error"

PACKAGES = ["book.tar.gz", "papers.zip"]


# Formats of COPY to a place that cannot be written.
WRITTEN = ["csv", "json", "parquet"]


def sql_options(options):
    """Options in the syntax of OPTIONS(…)."""
    return ", ".join(f"'{name}' '{value}'" for name, value in options.items())


def function_options(options):
    """Options in the syntax of table function arguments."""
    return "".join(f", '{name}', '{value}'" for name, value in options.items())


def below(rows, folder):
    """The rows with names relative to a folder, sorted, so that stores can be compared."""
    folder = str(folder).rstrip("/") + "/"
    for row in rows:
        assert row["source_file"].startswith(folder), row
    named = [{**row, "source_file": row["source_file"].removeprefix(folder)} for row in rows]
    return sorted(named, key=lambda row: row["source_file"])


def names(rows):
    return sorted(row["source_file"] for row in rows)


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def start(command, folder, env):
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True
    )


def stop(process):
    process.kill()
    process.wait()
    process.stdout.close()
    process.stderr.close()


def wait_until(condition):
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


@pytest.fixture
def local(rows, samples):
    """The rows of local samples, for comparison."""

    def local(folder):
        return below(rows(f"SELECT {COLUMNS} FROM read_files('data-samples/{folder}')"), samples)

    return local


# S3


@pytest.mark.parametrize("folder", ["files", "damaged"])
def test_s3_folder_gives_the_rows_of_the_local_folder(rows, local, s3, folder):
    found = rows(f"SELECT {COLUMNS} FROM read_files('s3://{BUCKET}/{folder}/')", env=s3.env)
    assert below(found, f"s3://{BUCKET}") == local(folder)


def test_s3_options_of_a_table(rows, local, s3):
    sql = f"""
        CREATE EXTERNAL TABLE scans STORED AS FILES
        LOCATION 's3://{BUCKET}/files/' OPTIONS({sql_options(s3.options)});
        SELECT {COLUMNS} FROM scans
    """
    assert below(rows(sql), f"s3://{BUCKET}") == local("files")


def test_s3_options_of_a_table_function(rows, local, s3):
    more = function_options(s3.options)
    found = rows(f"SELECT {COLUMNS} FROM read_files('s3://{BUCKET}/files'{more})")
    assert below(found, f"s3://{BUCKET}") == local("files")


def test_s3_options_win_over_the_environment(rows, s3, closed_port):
    env = {**s3.env, "AWS_ENDPOINT": f"http://127.0.0.1:{closed_port}"}
    more = function_options(s3.options)
    sql = f"SELECT source_file FROM read_files('s3://{BUCKET}/files/papers/'{more})"
    assert len(rows(sql, env=env)) == 1


def test_s3_options_hold_for_the_bucket_from_then_on(rows, s3):
    sql = f"""
        CREATE EXTERNAL TABLE scans STORED AS FILES
        LOCATION 's3://{BUCKET}/files/' OPTIONS({sql_options(s3.options)});
        SELECT count(*) AS n FROM 's3://{BUCKET}/files/papers/decision.pdf'
    """
    assert rows(sql) == [{"n": 1}]


def test_s3_wrong_option_is_named(fails):
    sql = f"SELECT * FROM read_files('s3://{BUCKET}/files/', 'aws.regoin', 'x')"
    assert "unknown object store option 'aws.regoin'" in fails(sql)


@pytest.mark.parametrize(
    ("glob", "expected"),
    [
        ("files/papers/*.pdf", ["papers/decision.pdf"]),
        ("files/**/*.pdf", ["papers/decision.pdf"]),
        ("files/*.pdf", None),
        ("files/s*/page-000[12].hocr", ["scans/page-0001.hocr", "scans/page-0002.hocr"]),
        ("files/scans/page-000?.hocr", ["scans/page-0001.hocr", "scans/page-0002.hocr"]),
    ],
)
def test_s3_globs(rows, fails, s3, glob, expected):
    sql = f"SELECT source_file FROM read_files('s3://{BUCKET}/{glob}')"
    if expected is None:
        assert f"no files at 's3://{BUCKET}/{glob}'" in fails(sql, env=s3.env)
    else:
        found = names(rows(sql, env=s3.env))
        assert found == [f"s3://{BUCKET}/files/{name}" for name in expected]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("out/tables/", [1, 2, 3]),
        ("out/tables", [1, 2, 3]),
        ("out/tables/*.parquet", [1]),
        ("out/tables/*/*.parquet", [2, 3]),
        ("out/tables/**/[12].parquet", [1, 2]),
    ],
)
def test_s3_tables_of_several_folders(rows, s3, location, expected):
    for number, name in enumerate(["1", "a/2", "b c/3"], start=1):
        rows(f"COPY (SELECT {number} AS n) TO 's3://{BUCKET}/out/tables/{name}.parquet'", env=s3.env)
    found = rows(f"SELECT n FROM 's3://{BUCKET}/{location}' ORDER BY n", env=s3.env)
    assert [row["n"] for row in found] == expected
    created = f"""
        CREATE EXTERNAL TABLE t STORED AS PARQUET LOCATION 's3://{BUCKET}/{location}';
        SELECT n FROM t ORDER BY n
    """
    assert rows(created, env=s3.env) == found


@pytest.mark.parametrize("package", PACKAGES)
def test_s3_packages(rows, local, s3, package):
    found = rows(f"SELECT {COLUMNS} FROM read_files('s3://{BUCKET}/files/{package}')", env=s3.env)
    assert below(found, f"s3://{BUCKET}") == local(f"files/{package}")


def test_s3_partitions(rows, s3):
    sql = f"""
        SELECT year, month, size FROM read_files('s3://{BUCKET}/partitioned/')
        WHERE year = 2024
    """
    assert rows(sql, env=s3.env) == [{"year": 2024, "month": "01", "size": 11}]


@pytest.mark.parametrize("name", ["a b.txt", "a+b.txt", "a%20b.txt", "日本.txt", "q?x=1.txt", "#.txt"])
def test_s3_names_are_used_literally(rows, s3, name):
    """This includes characters with a meaning in URLs, because an object's name is not a URL."""
    s3.put(f"out/names/{name}", name.encode())
    found = rows(f"SELECT {COLUMNS} FROM read_files('s3://{BUCKET}/out/names/')", env=s3.env)
    assert [(row["source_file"], row["hash"]) for row in found] == [
        (f"s3://{BUCKET}/out/names/{name}", sha256(name.encode()))
    ]


def test_s3_listing_of_several_pages(rows, s3):
    """S3 lists a thousand objects per page; this server lists two."""
    for number in range(7):
        s3.put(f"out/many/{number}.txt", b"x")
    page = s3.client.list_objects_v2(Bucket=BUCKET, Prefix="out/many/")
    assert page["IsTruncated"]
    found = rows(f"SELECT source_file FROM read_files('s3://{BUCKET}/out/many/')", env=s3.env)
    assert names(found) == [f"s3://{BUCKET}/out/many/{number}.txt" for number in range(7)]


@pytest.mark.parametrize("location", ["nothing", "nothing/", "files/nothing.pdf"])
def test_s3_missing_key(fails, s3, location):
    message = fails(f"SELECT * FROM read_files('s3://{BUCKET}/{location}')", env=s3.env)
    assert f"no files at 's3://{BUCKET}/{location}'" in message


def test_s3_missing_bucket(fails, s3):
    message = fails("SELECT * FROM read_files('s3://no-such-bucket/files/')", env=s3.env)
    assert "cannot read 's3://no-such-bucket/files/': there is no such bucket" in message
    assert "NoSuchBucket" in message and "<" not in message


@pytest.mark.parametrize("location", ["files/x.pdf", "files/"])
def test_s3_wrong_credentials(fails, s3, web, location):
    """A server that refuses requests simulates S3. The error is reported immediately, without retries."""
    web.fail(f"/{BUCKET}/files/x.pdf", 403, methods=["HEAD", "GET"])
    web.fail(f"/{BUCKET}", 403, methods=["HEAD", "GET"])
    env = {**s3.env, "AWS_ENDPOINT": web.url()}
    message = fails(f"SELECT * FROM read_files('s3://{BUCKET}/{location}')", env=env)
    assert f"cannot read 's3://{BUCKET}/{location}'" in message
    assert "403 Forbidden" in message
    assert len(web.requests) == 1


def test_s3_plain_http_has_to_be_allowed(fails, s3):
    env = {**s3.env, "AWS_ALLOW_HTTP": "false"}
    message = fails(f"SELECT * FROM read_files('s3://{BUCKET}/files/')", env=env)
    assert f"cannot read 's3://{BUCKET}/files/': the endpoint is http" in message
    assert "AWS_ALLOW_HTTP" in message and "builder error" not in message


def test_s3_http_endpoint_allows_plain_http(rows, s3):
    env = {name: value for name, value in s3.env.items() if name != "AWS_ALLOW_HTTP"}
    found = rows(f"SELECT count(*) AS n FROM read_files('s3://{BUCKET}/files/papers/')", env=env)
    assert found == [{"n": 1}]


@pytest.mark.slow
def test_s3_connection_refused(fails, s3, closed_port):
    env = {**s3.env, "AWS_ENDPOINT": f"http://127.0.0.1:{closed_port}"}
    message = fails(f"SELECT * FROM read_files('s3://{BUCKET}/files/papers.zip')", env=env)
    assert f"cannot read 's3://{BUCKET}/files/papers.zip'" in message
    assert f"127.0.0.1:{closed_port}" in message


def test_s3_server_error_is_retried(rows, s3, web, samples):
    content = (samples / "files/papers/decision.pdf").read_bytes()
    path = f"/{BUCKET}/x.pdf"
    web.files[path] = content
    web.fail(path, 500, methods=["HEAD"])
    web.fail(path, 503, methods=["GET"])
    env = {**s3.env, "AWS_ENDPOINT": web.url()}
    found = rows(f"SELECT {COLUMNS} FROM 's3://{BUCKET}/x.pdf'", env=env)
    assert [(row["hash"], row["error"]) for row in found] == [(sha256(content), None)]


# COPY to S3


def test_copy_to_s3_is_read_by_us_and_by_others(run, rows, s3):
    target = f"s3://{BUCKET}/out.parquet"
    copy = f"COPY (SELECT * FROM read_files('data-samples/files')) TO '{target}'"
    ran = run("-c", copy, env=s3.env)
    assert (ran.code, "12 rows written" in ran.stderr) == (0, True), ran.stderr
    expected = rows(f"SELECT {COLUMNS} FROM read_files('data-samples/files') ORDER BY source_file")
    assert rows(f"SELECT {COLUMNS} FROM '{target}' ORDER BY source_file", env=s3.env) == expected
    table = pq.read_table(io.BytesIO(s3.get("out.parquet"))).to_pylist()
    hashes = {row["source_file"]: sha256(row["content"]) for row in table}
    assert hashes == {row["source_file"]: row["hash"] for row in expected}


def test_copy_to_s3_with_options(rows, s3):
    sql = f"""
        COPY (SELECT 1 AS n) TO 's3://{BUCKET}/out/one.parquet' OPTIONS({sql_options(s3.options)});
        SELECT n FROM 's3://{BUCKET}/out/one.parquet'
    """
    assert rows(sql)[-1] == {"n": 1}


def test_copy_to_s3_partitioned(rows, s3):
    sql = f"""
        COPY (SELECT value, value % 3 AS part FROM generate_series(1, 10))
        TO 's3://{BUCKET}/out/parts/' STORED AS PARQUET PARTITIONED BY (part);
        CREATE EXTERNAL TABLE parts STORED AS PARQUET PARTITIONED BY (part)
        LOCATION 's3://{BUCKET}/out/parts/';
        SELECT part, sum(value) AS s FROM parts GROUP BY part ORDER BY part
    """
    found = rows(sql, env=s3.env)[-3:]
    assert [(str(row["part"]), row["s"]) for row in found] == [("0", 18), ("1", 22), ("2", 15)]


# Enough rows for a multipart upload; they do not compress.
LARGE = 170_000


def test_large_copy_to_s3_is_complete(run, s3):
    copy = f"""
        COPY (SELECT sha512(CAST(value AS text)) AS h FROM generate_series(1, {LARGE}))
        TO 's3://{BUCKET}/out/large.parquet'
    """
    ran = run("-c", copy, env=s3.env)
    assert ran.code == 0, ran.stderr
    head = s3.client.head_object(Bucket=BUCKET, Key="out/large.parquet")
    assert "-" in head["ETag"], "it was to be an upload of several parts"
    table = pq.read_table(io.BytesIO(s3.get("out/large.parquet")))
    expected = (hashlib.sha512(str(n).encode()).digest() for n in range(1, LARGE + 1))
    assert sorted(table["h"].to_pylist()) == sorted(expected)


@pytest.mark.slow
@pytest.mark.parametrize("extension", ["parquet", "csv", "json"])
@pytest.mark.parametrize("rows", [1_000, LARGE])
def test_failing_copy_to_s3_leaves_nothing(fails, s3, extension, rows):
    """Neither an object nor uploaded parts, which would be invisible but cost money."""
    copy = f"""
        COPY (
            SELECT encode(sha512(CAST(value AS text)), 'hex') AS h, 1 / ({rows} - value) AS n
            FROM generate_series(1, {rows})
        ) TO 's3://{BUCKET}/out/bad.{extension}'
    """
    assert "division by zero" in fails(copy, env=s3.env)
    assert s3.keys("out") == []
    assert s3.unfinished_uploads() == []


def test_failing_copy_keeps_the_older_object(fails, s3):
    s3.put("out/kept.parquet", b"older")
    copy = f"COPY (SELECT 1 / (9 - value) AS n FROM generate_series(1, 9)) TO 's3://{BUCKET}/out/kept.parquet'"
    fails(copy, env=s3.env)
    assert s3.get("out/kept.parquet") == b"older"


@pytest.mark.parametrize("extension", WRITTEN)
def test_copy_to_a_missing_bucket_fails(fails, s3, extension):
    copy = f"COPY (SELECT 1 AS n) TO 's3://no-such-bucket/x.{extension}'"
    message = fails(copy, env=s3.env)
    assert "NoSuchBucket" in message
    assert "bug" not in message


@pytest.mark.slow
@pytest.mark.parametrize("fault", [None, "late"])
@pytest.mark.parametrize("target", ["endless.parquet", "endless.csv", "endless/"])
def test_interrupted_copy_to_s3_leaves_nothing(binary, clean_env, root, s3, target, fault):
    """The copy is stopped while parts are uploaded, which would be invisible but cost money, or before the store has
    answered with the id of the upload."""
    copy = f"""
        SET datafusion.execution.parquet.max_row_group_size = 10000;
        COPY (
            SELECT encode(sha512(CAST(value AS text)), 'hex') AS h
            FROM generate_series(1, 1000000000)
        ) TO 's3://{BUCKET}/out/{target}' STORED AS {"CSV" if target.endswith(".csv") else "PARQUET"}
    """
    resume = ["--resume"] if target.endswith("/") else []
    with FaultyStore(s3.endpoint, fault=lambda _, path: fault if "?uploads" in path else None) as store:
        env = {**clean_env, **s3.env, "AWS_ENDPOINT": store.url}
        process = start([binary, *resume, "-c", copy], root, env)
        try:
            wait_until(s3.unfinished_uploads)
            os.kill(process.pid, signal.SIGINT)
            _, stderr = process.communicate(timeout=TIMEOUT / 4)
        finally:
            stop(process)
        assert bool(store.faults) == bool(fault)
    assert process.returncode == 130, stderr
    assert s3.keys("out") == []
    assert s3.unfinished_uploads() == []


# HTTP


@pytest.fixture(params=["web", "plain_web"], ids=["ranges", "no-ranges"])
def any_web(request):
    """Servers with and without range support, which must not change the result."""
    return request.getfixturevalue(request.param)


def serve_samples(web, samples):
    for path in (samples / "files").rglob("*"):
        if path.is_file():
            web.files["/" + path.relative_to(samples).as_posix()] = path.read_bytes()


@pytest.mark.parametrize("name", [*PACKAGES, "papers/decision.pdf", "scans/page-0003.hocr.gz"])
def test_http_gives_the_rows_of_the_local_file(rows, local, any_web, samples, name):
    serve_samples(any_web, samples)
    found = rows(f"SELECT {COLUMNS} FROM read_files('{any_web.url('/files/' + name)}')")
    assert below(found, any_web.url()) == local(f"files/{name}")


@pytest.mark.parametrize("name", ["papers.zip", "papers/decision.pdf"])
def test_http_file_as_a_table(rows, local, any_web, samples, name):
    serve_samples(any_web, samples)
    found = rows(f"SELECT {COLUMNS} FROM '{any_web.url('/files/' + name)}'")
    assert below(found, any_web.url()) == local(f"files/{name}")


def test_http_table_and_list_of_urls(rows, web, samples):
    serve_samples(web, samples)
    pages = [web.url(f"/files/scans/page-000{n}.hocr") for n in (1, 2)]
    sql = f"CREATE EXTERNAL TABLE page STORED AS HOCR LOCATION '{pages[0]}'; SELECT source_file FROM page"
    assert names(rows(sql)) == pages[:1]
    assert names(rows(f"SELECT source_file FROM read_files({pages})")) == pages


def test_http_encoded_url(rows, web):
    web.files["/a b/日本.txt"] = b"found"
    found = rows(f"SELECT {COLUMNS} FROM read_files('{web.url('/a%20b/%E6%97%A5%E6%9C%AC.txt')}')")
    assert [row["hash"] for row in found] == [sha256(b"found")]


def test_http_reads_no_more_than_it_needs(rows, web):
    """The size is known without the content, and the start of a file shows whether it is compressed."""
    web.files["/large.bin"] = random.Random(1).randbytes(5_000_000)
    found = rows(f"SELECT size FROM read_files('{web.url('/large.bin')}')")
    assert found == [{"size": 5_000_000}]
    assert web.sent("/large.bin") < 100_000


@pytest.mark.parametrize("source", ["read_files('{}')", "'{}'"])
@pytest.mark.parametrize("status", [405, 501])
def test_http_folder_says_what_to_do(fails, web, source, status):
    for path in ["/folder", "/folder/"]:
        web.fail(path, status, times=100, methods=["PROPFIND"])
    message = fails(f"SELECT * FROM {source.format(web.url('/folder/'))}")
    assert f"cannot list '{web.url('/folder/')}': most web servers list no files" in message
    assert "'paths'" in message and "PROPFIND" not in message
    assert len(web.requests) <= 1


def test_http_missing_file(fails, web):
    message = fails(f"SELECT * FROM read_files('{web.url('/nothing.pdf')}')")
    assert web.url("/nothing.pdf") in message


def test_http_missing_file_is_called_missing(fails, web):
    """Web servers have no folders, so a 404 is final."""
    message = fails(f"SELECT * FROM read_files('{web.url('/nothing.pdf')}')")
    assert "PROPFIND" not in message
    assert "404" in message or "no such file" in message


def test_http_one_missing_file_of_two(fails, web):
    web.files["/there.txt"] = b"there"
    urls = [web.url("/there.txt"), web.url("/nothing.txt")]
    assert urls[1] in fails(f"SELECT * FROM read_files({urls})")


def test_http_file_of_unknown_format_says_so(fails, web):
    web.files["/x.txt"] = b"x"
    message = fails(f"SELECT * FROM '{web.url('/x.txt')}'")
    assert "no such file" not in message
    assert "read_files(" in message


def test_http_glob_says_that_it_cannot_be(fails, web):
    message = fails(f"SELECT * FROM read_files('{web.url('/*.txt')}')")
    assert "PROPFIND" not in message


@pytest.mark.slow
@pytest.mark.parametrize("extension", WRITTEN)
def test_copy_to_http_fails_without_blaming_datafusion(fails, web, extension):
    """Most web servers accept no files, which is not a bug."""
    message = fails(f"COPY (SELECT 1 AS n) TO '{web.url('/out.' + extension)}'")
    assert "bug" not in message
    assert web.url("/out." + extension) in message


def test_http_connection_refused(fails, closed_port):
    url = f"http://127.0.0.1:{closed_port}/x.pdf"
    assert f"cannot read '{url}'" in fails(f"SELECT * FROM '{url}'")


@pytest.mark.slow
@pytest.mark.parametrize("status", [500, 503])
def test_http_server_error_is_retried(rows, any_web, samples, status):
    serve_samples(any_web, samples)
    path = "/files/papers/decision.pdf"
    any_web.fail(path, status, methods=["HEAD"])
    any_web.fail(path, status, times=2)
    found = rows(f"SELECT {COLUMNS} FROM '{any_web.url(path)}'")
    assert [(row["hash"], row["error"]) for row in found] == [
        (sha256(any_web.files[path]), None)
    ]


def test_http_permanent_server_error_is_reported(fails, web):
    web.files["/x.pdf"] = b"%PDF-"
    web.fail("/x.pdf", 500, times=100, methods=["HEAD"])
    message = fails(f"SELECT * FROM '{web.url('/x.pdf')}'")
    assert "500 Internal Server Error" in message


def wiki_pages(number):
    page = "<page><title>t</title><id>1</id><revision><id>2</id><text>{}</text></revision></page>\n"
    return "".join(page.format("x" * 4000) for _ in range(number))


def large_files():
    """Files of each format that several threads read in ranges, with the function that reads them."""
    record = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n"
    chance = random.Random(3)
    bodies = ["".join(chance.choices("abcdefgh", k=4000)) for _ in range(100)]
    records = [record.format(len(body), body).encode() for body in bodies]
    wiki = f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">\n{wiki_pages(100)}</mediawiki>\n'
    streams = [wiki_pages(1).encode() for _ in range(2000)]
    return {
        "read_warc x.warc": b"".join(records),
        "read_warc x.warc.gz": b"".join(map(gzip.compress, records)),
        "documents y.warc.gz": b"".join(map(gzip.compress, records)),
        "read_lines x.txt": "\n".join(bodies).encode(),
        "read_mediawiki x.xml": wiki.encode(),
        "read_mediawiki x.xml.bz2": b"".join(map(bz2.compress, streams)),
    }


@pytest.mark.parametrize("name", large_files())
def test_http_range_that_cannot_be_read_is_an_error(run, web, name):
    function, file = name.split()
    web.files[f"/{file}"] = large_files()[name]
    # The last of two ranges starts after it.
    web.readable = len(web.files[f"/{file}"]) // 3
    select = f"SELECT count(*) AS n, count(error) AS errors FROM {function}('{web.url(f'/{file}')}')"
    ran = run(
        "--quiet", "--fail-on-errors", "--threads", "2", "--format", "ndjson",
        "-c", "SET datafusion.optimizer.repartition_file_min_size = 1", "-c", select,
    )
    assert ran.code == 3, ran
    assert json.loads(ran.stdout)["errors"] >= 1


def test_http_files_are_read_with_one_thread(run, web):
    web.files["/x.txt"] = b"a\nb\n"
    select = f"SELECT count(*) AS n FROM read_lines('{web.url('/x.txt')}')"
    ran = run("--quiet", "--threads", "1", "--format", "ndjson", "-c", select)
    assert json.loads(ran.stdout) == {"n": 2}, ran


@pytest.mark.parametrize("broken_request", range(3))
def test_http_refused_request_is_an_error_row(rows, web, broken_request):
    """For any of the requests: rows without an error must be correct."""
    web.files["/x.bin"] = random.Random(2).randbytes(100_000)
    web.fail("/x.bin", 403, skip=broken_request)
    found = rows(f"SELECT {COLUMNS} FROM read_files('{web.url('/x.bin')}')")
    assert_right_or_error(found, [sha256(web.files["/x.bin"])])




@pytest.mark.parametrize("broken_request", [0, 1, 2, 3])
def test_http_refused_request_of_a_compressed_file(run, web, samples, broken_request):
    """The size is that of the content. If it cannot be determined, an error is counted."""
    serve_samples(web, samples)
    path = "/files/scans/page-0003.hocr.gz"
    web.fail(path, 403, skip=broken_request)
    ran = run("--format", "csv", "-c", f"SELECT size FROM read_files('{web.url(path)}')")
    assert ran.code == 0, ran.stderr
    assert ran.stdout == "size\n643\n" or "1 error" in ran.stderr, ran


@pytest.mark.slow
@pytest.mark.parametrize("broken_request", range(4))
def test_http_refused_request_of_a_zip(rows, local, any_web, samples, broken_request):
    check_refused_request(rows, local, any_web, samples, "papers.zip", broken_request)




@pytest.mark.parametrize("broken_request", [0, 1, 2, 3])
def test_http_refused_request_of_a_tar(rows, local, web, samples, broken_request):
    check_refused_request(rows, local, web, samples, "book.tar.gz", broken_request)


@pytest.mark.parametrize("broken_request", [0, 1, 2, 3])
def test_http_refused_request_of_a_tar_without_ranges(rows, local, plain_web, samples, broken_request):
    check_refused_request(rows, local, plain_web, samples, "book.tar.gz", broken_request)


def check_refused_request(rows, local, web, samples, package, broken_request):
    serve_samples(web, samples)
    path = f"/files/{package}"
    web.fail(path, 403, skip=broken_request)
    found = rows(f"SELECT {COLUMNS} FROM read_files('{web.url(path)}')")
    assert_right_or_error(found, [row["hash"] for row in local(f"files/{package}")])


def assert_right_or_error(found, hashes):
    """Rows without an error have one of these hashes; if one is missing, an error explains it."""
    right = [row["hash"] for row in found if not row["error"]]
    assert set(right) <= set(hashes), found
    assert sorted(right) == sorted(hashes) or any(row["error"] for row in found), found


def large_package(members, size):
    """A .tar.gz with incompressible members, and their hashes."""
    contents = [random.Random(number).randbytes(size) for number in range(members)]
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as package:
        for number, content in enumerate(contents):
            info = tarfile.TarInfo(f"{number:03}.bin")
            info.size = size
            package.addfile(info, io.BytesIO(content))
    return out.getvalue(), [sha256(content) for content in contents]


@pytest.mark.slow
@pytest.mark.parametrize("etags", [True, False], ids=["etags", "no-etags"])
@pytest.mark.parametrize("times", [1, 1000], ids=["once", "always"])
def test_http_cut_response(rows, any_web, times, etags):
    """Requests the rest, or reports that the row is incomplete."""
    any_web.etags = etags
    any_web.files["/large.bin"] = random.Random(3).randbytes(3_000_000)
    any_web.cut("/large.bin", after=1_000_000, times=times)
    found = rows(f"SELECT {COLUMNS} FROM read_files('{any_web.url('/large.bin')}')")
    assert_right_or_error(found, [sha256(any_web.files["/large.bin"])])


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 1000], ids=["once", "always"])
@pytest.mark.parametrize("after", [100, 500_000])
def test_http_cut_package(rows, any_web, times, after):
    content, hashes = large_package(members=20, size=50_000)
    any_web.files["/large.tar.gz"] = content
    any_web.cut("/large.tar.gz", after=after, times=times)
    found = rows(f"SELECT {COLUMNS} FROM read_files('{any_web.url('/large.tar.gz')}')")
    assert_right_or_error(found, hashes)


def test_http_cut_response_fails_if_errors_are_to_fail(fails, plain_web):
    plain_web.files["/large.bin"] = random.Random(3).randbytes(3_000_000)
    plain_web.cut("/large.bin", after=1_000_000, times=1000)
    url = plain_web.url("/large.bin")
    message = fails(f"SET corpus.on_error = 'fail'; SELECT content FROM read_files('{url}')")
    assert url in message


def test_http_file_that_shrinks_between_listing_and_reading(rows, plain_web):
    """Fewer bytes than the Content-Length of the HEAD response are reported."""
    plain_web.files["/x.txt"] = b"x" * 1000
    plain_web.shrink("/x.txt", 400)
    [row] = rows(f"SELECT {COLUMNS} FROM read_files('{plain_web.url('/x.txt')}')")
    assert row["error"]


def test_http_parquet_file_that_is_replaced_is_never_read_as_a_mixture(fails, rows, web):
    def version(first):
        written = io.BytesIO()
        values = pa.array(range(first, first + 400_000), pa.int64())
        table = pa.table({"a": values, "b": values})
        pq.write_table(table, written, row_group_size=100_000, compression="none", use_dictionary=False)
        return written.getvalue()

    old, new = version(0), version(1_000_000)
    assert len(old) == len(new)
    web.files["/numbers.parquet"] = old
    # The first response has the footer.
    web.replace_after("/numbers.parquet", new, skip=1)
    sql = f"SELECT min(a + 0) AS first, max(b + 0) AS last FROM '{web.url('/numbers.parquet')}'"
    message = fails(sql)
    assert "numbers.parquet" in message and "changed on the server" in message
    assert rows(sql) == [{"first": 1_000_000, "last": 1_399_999}]


def test_interrupt_while_the_network_waits(binary, clean_env, root, web):
    """Ctrl-C does not wait for a server that does not respond."""
    web.files["/large.bin"] = random.Random(4).randbytes(2_000_000)
    web.hold("/large.bin")
    sql = f"SELECT content FROM read_files('{web.url('/large.bin')}')"
    process = start([binary, "-c", sql], root, clean_env)
    try:
        assert web.holding.wait(TIMEOUT)
        os.kill(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=TIMEOUT / 4)
    finally:
        stop(process)
    assert (process.returncode, "interrupted" in stderr) == (130, True), stderr


def test_http_url_with_a_query_keeps_it_or_says_so(run, web):
    """The query is part of the address, for example in signed URLs, and must not be lost silently."""
    web.files["/x.txt"] = b"x"
    ran = run("-q", "-c", f"SELECT size FROM read_files('{web.url('/x.txt?version=2')}')")
    assert ran.code == 1 or web.queries == {"version=2"}, ran
