"""Web archives, compared with other tools: warcio and cdxj-indexer."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BUCKET
from warcio.archiveiterator import ArchiveIterator

SOUND = ["crawl.warc.gz", "plain.warc"]


def read_by_warcio(path):
    """Offset, length, type, URI and body of each record."""
    found = []
    with open(path, "rb") as file:
        records = ArchiveIterator(file, no_record_parse=True)
        for record in records:
            body = record.raw_stream.read()
            headers = record.rec_headers
            offset, length = records.get_record_offset(), records.get_record_length()
            found.append(
                (offset, length, headers["WARC-Type"], headers["WARC-Target-URI"], body.hex())
            )
    return found


def tool(name):
    """A program installed with the packages."""
    return Path(sys.executable).parent / name


@pytest.mark.parametrize("name", SOUND)
def test_records_are_those_of_warcio(rows, samples, name):
    path = samples / "warc" / name
    ours = rows(
        f"""SELECT "offset", length, warc_type, target_uri, body FROM read_warc('{path}')
            ORDER BY "offset" """
    )
    assert [tuple(row.values()) for row in ours] == read_by_warcio(path)


@pytest.mark.parametrize("extension", ["warc", "warc.gz"])
def test_what_is_written_is_sound_to_warcio(run, samples, tmp_path, extension):
    source, copy = samples / "warc" / "crawl.warc.gz", tmp_path / f"copy.{extension}"
    written = run("-c", f"COPY (SELECT * FROM read_warc('{source}')) TO '{copy}' STORED AS WARC")
    assert written.code == 0, written.stderr
    checked = subprocess.run([tool("warcio"), "check", "-v", copy], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
    assert "digest pass" in checked.stdout and "digest failed" not in checked.stdout
    before, after = read_by_warcio(source), read_by_warcio(copy)
    assert sorted(row[2:] for row in before) == sorted(row[2:] for row in after)


@pytest.mark.slow
@pytest.mark.parametrize(
    "columns",
    [
        "* REPLACE ('changed' AS body)",
        "* REPLACE (arrow_cast('HTTP/1.1 200 OK\r\n\r\nchanged', 'LargeBinary') AS body)",
        "* REPLACE ('http://new/' AS target_uri, 'sha1:WRONG' AS payload_digest)",
        "headers",
        "warc_type, target_uri, date, content_type, block_digest, payload_digest, 'x' AS body",
        "'revisit' AS warc_type, target_uri, date, record_id AS refers_to, payload_digest, "
        "'application/http' AS content_type, date AS refers_to_date, "
        "'HTTP/1.1 200 OK\r\n\r\n' AS body",
    ],
)
def test_what_is_changed_is_sound_to_warcio(run, samples, tmp_path, columns):
    source, copy = samples / "warc" / "crawl.warc.gz", tmp_path / "copy.warc.gz"
    responses = f"read_warc('{source}') WHERE warc_type = 'response'"
    written = run("-c", f"COPY (SELECT {columns} FROM {responses}) TO '{copy}' STORED AS WARC")
    assert written.code == 0, written.stderr
    checked = subprocess.run([tool("warcio"), "check", "-v", copy], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
    assert "digest failed" not in checked.stdout, checked.stdout
    before = [row for row in read_by_warcio(source) if row[2] == "response"]
    assert len(read_by_warcio(copy)) == len(before)


@pytest.mark.parametrize("name", SOUND)
def test_the_index_is_that_of_cdxj_indexer(run, root, samples, tmp_path, name):
    source, index = samples / "warc" / name, tmp_path / "index.cdxj"
    ran = run("-f", root / "queries" / "warc_cdxj.sql", "-v", f"input={source}", "-v", f"output={index}")
    assert ran.code == 0, ran.stderr
    theirs = subprocess.run(
        [tool("cdxj-indexer"), "--sort", source], capture_output=True, text=True, check=True
    )
    assert theirs.stdout.count("\n") >= 2
    assert index.read_text() == theirs.stdout


def test_an_index_may_hold_any_character(run, root, tmp_path):
    """Quotes, backslashes and tabs in URLs are written as cdxj-indexer does."""
    archive, index = tmp_path / "odd.warc.gz", tmp_path / "index.cdxj"
    url = 'http://www.example/?q="a"\\b,c;d|é日'
    made = run(
        "-c",
        f"""COPY (SELECT 'resource' AS warc_type, '{url}' AS target_uri, 'text/plain' AS content_type,
              'x' AS body, TIMESTAMP '2024-01-02T03:04:05Z' AS date) TO '{archive}' STORED AS WARC""",
    )
    assert made.code == 0, made.stderr
    ran = run("-f", root / "queries" / "warc_cdxj.sql", "-v", f"input={archive}", "-v", f"output={index}")
    assert ran.code == 0, ran.stderr
    theirs = subprocess.run([tool("cdxj-indexer"), archive], capture_output=True, text=True, check=True)
    assert index.read_text() == theirs.stdout


COLUMNS = """"offset", length, warc_type, target_uri, encode(sha256(body), 'hex') AS body, error"""


def remote_rows(rows, url, threads):
    return rows(
        "SET datafusion.optimizer.repartition_file_min_size = 1; "
        f"SET datafusion.execution.target_partitions = {threads}; "
        f"SELECT {COLUMNS} FROM read_warc('{url}') ORDER BY \"offset\", record_id"
    )


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("server", ["web", "plain_web"])
@pytest.mark.parametrize("name", ["crawl.warc.gz", "plain.warc", "package.wacz"])
def test_archives_are_read_from_web_servers(request, rows, samples, name, server, threads):
    """The rows equal those of the local file with and without ranges, whole and split."""
    path = samples / "warc" / name
    local = rows(f"SELECT {COLUMNS} FROM read_warc('{path}') ORDER BY \"offset\", record_id")
    web = request.getfixturevalue(server)
    web.files[f"/{name}"] = path.read_bytes()
    assert remote_rows(rows, web.url(f"/{name}"), threads) == local


@pytest.mark.parametrize("threads", [1, 3])
def test_archives_are_read_from_s3(rows, samples, s3, threads):
    path = samples / "warc" / "crawl.warc.gz"
    local = rows(f"SELECT {COLUMNS} FROM read_warc('{path}') ORDER BY \"offset\", record_id")
    remote = rows(
        "SET datafusion.optimizer.repartition_file_min_size = 1; "
        f"SET datafusion.execution.target_partitions = {threads}; "
        f"SELECT {COLUMNS} FROM read_warc('s3://{BUCKET}/warc/crawl.warc*') ORDER BY \"offset\"",
        env=s3.env,
    )
    assert remote == local


def looked_up(rows, location, index, url="http://www.example/ja"):
    return rows(
        f"SELECT {COLUMNS} FROM read_warc('{location}', 'index', '{index}') WHERE target_uri = '{url}'"
    )


def test_an_index_fetches_one_record_by_one_request(rows, samples, web):
    """No other request is sent, however many and large the archives are."""
    archive = (samples / "warc" / "crawl.warc.gz").read_bytes()
    web.files["/crawl/crawl.warc.gz"] = archive
    found = looked_up(rows, web.url("/crawl/"), samples / "warc" / "crawl.cdxj")
    assert [row["target_uri"] for row in found] == ["http://www.example/ja"]
    assert found == looked_up(rows, samples / "warc", samples / "warc" / "crawl.cdxj")
    assert [(r.method, r.path, r.sent) for r in web.requests] == [
        ("GET", "/crawl/crawl.warc.gz", found[0]["length"])
    ]


@pytest.mark.slow
@pytest.mark.parametrize("length", ["", '"length": "20", ', '"length": "2000", ', '"length": "99999999", '])
@pytest.mark.parametrize("server", ["web", "plain_web"])
def test_an_index_without_true_lengths_leads_to_remote_records(request, rows, samples, tmp_path, server, length):
    """This includes the last record in an index, whose end only the server knows."""
    index = tmp_path / "index.cdxj"
    lines = (samples / "warc" / "crawl.cdxj").read_text().splitlines()
    index.write_text("".join(re.sub(r'"length": "\d+", ', length, line) + "\n" for line in lines))
    web = request.getfixturevalue(server)
    web.files["/crawl/crawl.warc.gz"] = (samples / "warc" / "crawl.warc.gz").read_bytes()
    sql = "SELECT {columns} FROM read_warc('{location}', 'index', '{index}') ORDER BY \"offset\""
    columns = '"offset", length, target_uri, encode(sha256(body), \'hex\') AS body'
    local = sql.format(columns=columns, location=samples / "warc", index=samples / "warc" / "crawl.cdxj")
    remote = sql.format(columns=columns, location=web.url("/crawl/"), index=index)
    assert rows(remote) == rows(local)
    errors = rows(sql.format(columns="error", location=web.url("/crawl/"), index=index))
    assert {error["error"] and error["error"].split(":")[0] for error in errors} == (
        {"wrong length in the index"} if length else {None}
    )


def test_archives_that_a_server_does_not_have_are_rows(rows, samples, web):
    sql = f"SELECT error FROM read_warc('{web.url('/crawl/')}', 'index', '{samples / 'warc' / 'crawl.cdxj'}')"
    assert [bool(row["error"]) for row in rows(sql)] == [True] * 9


@pytest.mark.slow
@pytest.mark.parametrize("options", [["--post-append"], ["--post-append", "--cdx11"], ["--cdx09"], ["--cdx11"]])
def test_indexes_of_cdxj_indexer_lead_to_their_records(run, rows, samples, tmp_path, options):
    """Submitted forms are in the keys of POST requests, but not in the URLs of their records."""
    archive, index = tmp_path / "forms.warc.gz", tmp_path / "index.cdx"
    url = "http://www.example/form?b=1"
    pair = "TIMESTAMP '2024-01-02T03:04:05Z' AS date, '{0}' AS warc_type, '{1}' AS target_uri, {2} AS body"
    request = r"E'POST /form?b=1 HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=2'"
    response = r"E'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>'"
    made = run(
        "-c",
        f"""COPY (SELECT {pair.format("response", url, response)},
                         'application/http;msgtype=response' AS content_type
                  UNION ALL
                  SELECT {pair.format("request", url, request)},
                         'application/http;msgtype=request' AS content_type)
            TO '{archive}' STORED AS WARC""",
    )
    assert made.code == 0, made.stderr
    made = subprocess.run(
        [tool("cdxj-indexer"), *options, archive], capture_output=True, text=True, check=True
    )
    index.write_text(made.stdout)
    found = looked_up(rows, tmp_path, index, url)
    assert [(row["warc_type"], row["target_uri"], row["error"]) for row in found] == [("response", url, None)]


def test_an_index_on_a_web_server_without_ranges(rows, samples, plain_web):
    for name in ["crawl.warc.gz", "crawl.cdxj"]:
        plain_web.files[f"/{name}"] = (samples / "warc" / name).read_bytes()
    found = looked_up(rows, plain_web.url("/"), plain_web.url("/crawl.cdxj"))
    assert found == looked_up(rows, samples / "warc", samples / "warc" / "crawl.cdxj")


def test_an_index_on_s3(rows, samples, s3):
    found = rows(
        f"SELECT {COLUMNS} FROM read_warc('s3://{BUCKET}/warc/', 'index', 's3://{BUCKET}/warc/crawl.cdxj') "
        "WHERE target_uri = 'http://www.example/ja'",
        env=s3.env,
    )
    assert found == looked_up(rows, samples / "warc", samples / "warc" / "crawl.cdxj")


def test_an_archive_that_the_index_names_but_is_missing_is_an_error_row(rows, samples, web):
    found = rows(
        f"SELECT source_file, error FROM read_warc('{web.url('/gone/')}', 'index', "
        f"'{samples / 'warc' / 'crawl.cdxj'}') LIMIT 1"
    )
    assert found[0]["source_file"] == web.url("/gone/crawl.warc.gz")
    assert "404" in found[0]["error"]


def test_one_page_of_a_thousand_archives(rows, samples, web, tmp_path):
    """The index of cdxj-indexer for many archives leads to the one that contains the page."""
    records = samples / "warc" / "crawl.warc.gz"
    lines = []
    for number in range(1000):
        for line in (samples / "warc" / "crawl.cdxj").read_text().splitlines():
            key, rest = line.split(" ", 1)
            rest = rest.replace("crawl.warc.gz", f"{number:04}/crawl.warc.gz")
            lines.append(f"{key} {rest}\n" if number == 617 else f"{key}/{number} {rest}\n")
    index = tmp_path / "all.cdxj"
    index.write_text("".join(sorted(lines)))
    web.files["/0617/crawl.warc.gz"] = records.read_bytes()
    found = looked_up(rows, web.url("/"), index)
    assert [row["target_uri"] for row in found] == ["http://www.example/ja"]
    assert len(web.requests) == 1


def head(kind, number, uri, date, *more):
    """A record without content."""
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>",
        f"WARC-Target-URI: {uri}",
        f"WARC-Date: 2024-01-0{date}T00:00:00Z",
        *more,
        "Content-Length: 0",
    ]
    return "\r\n".join(lines) + "\r\n\r\n\r\n\r\n"


def test_revisits_lead_to_their_originals(run, tmp_path):
    identifier = "WARC-Refers-To: <urn:uuid:00000000-0000-0000-0000-{:012}>".format
    records = [
        head("response", 1, "http://a.example/", 1, "WARC-Payload-Digest: sha1:A"),
        head("response", 2, "http://a.example/", 2, "WARC-Payload-Digest: sha1:B"),
        head("response", 3, "http://c.example/", 3),
        head("revisit", 4, "http://by-identifier.example/", 4, identifier(3), "WARC-Payload-Digest: sha1:A"),
        head(
            "revisit",
            5,
            "http://by-date.example/",
            4,
            identifier(99),
            "WARC-Refers-To-Target-URI: http://a.example/",
            "WARC-Refers-To-Date: 2024-01-02T00:00:00Z",
            "WARC-Payload-Digest: sha1:A",
        ),
        head("revisit", 6, "http://a.example/", 4, "WARC-Payload-Digest: sha1:A"),
        head("revisit", 7, "http://nowhere.example/", 4, "WARC-Refers-To-Date: never"),
        head("revisit", 8, "http://c.example/", 4),
    ]
    archive = tmp_path / "revisits.warc"
    archive.write_text("".join(records), newline="")
    job = run("--format", "ndjson", "-f", "queries/warc_revisits.sql", "-v", f"input={archive}")
    assert job.code == 0, job.stderr
    found = [json.loads(line)["original_offset"] for line in job.stdout.splitlines()]
    first, second, third = (len("".join(records[:number])) for number in range(3))
    assert found == [third, second, first, None, None]
