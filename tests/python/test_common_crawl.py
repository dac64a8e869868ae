"""Records that an index of a crawl names, on web servers and S3, with few requests."""

import random
import threading

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import BUCKET
from warcs import response

PREFIX = "crawl-data/CC-MAIN-2024-10/segments/1/warc"


class Crawl:
    """Archives of a generated crawl, and the rows of its columnar index."""

    def __init__(self, archives, records, padding=0):
        self.files = {}
        self.index = []
        noise = random.Random(7)
        for number in range(archives):
            name = f"{PREFIX}/CC-MAIN-{number:05}.warc.gz"
            content = b""
            for page in range(records):
                host = f"host{page % 5}.example"
                url = f"http://{host}/{number}/{page}"
                member = response(url, f"<p>Page {page} of {number}</p>".encode())
                self.index.append(
                    {
                        "url": url,
                        "url_host_name": host,
                        "url_host_registered_domain": host,
                        "fetch_status": 200,
                        "content_digest": "",
                        "content_mime_detected": "text/html",
                        "content_languages": "jpn" if page % 2 else "eng",
                        "warc_filename": name,
                        "warc_record_offset": len(content),
                        "warc_record_length": len(member),
                    }
                )
                content += member + noise.randbytes(padding)
            self.files[name] = content

    def write_index(self, path, rows=None):
        pq.write_table(pa.Table.from_pylist(self.index if rows is None else rows), path)
        return path

    def serve(self, web):
        for name, content in self.files.items():
            web.files[f"/{name}"] = content

    def write(self, folder):
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


COLUMNS = "target_uri, \"offset\", length, encode(sha256(body), 'hex') AS body, error"


def read(location, query, columns=COLUMNS):
    query = str(query).replace("'", "''")
    return f"SELECT {columns} FROM read_warc('{location}', 'records', '{query}') ORDER BY 1, 2"


@pytest.fixture
def crawl():
    return Crawl(archives=20, records=30)


@pytest.fixture
def index(crawl, tmp_path):
    return crawl.write_index(tmp_path / "index.parquet")


def are_all(found, crawl):
    """Whether these are all records, without errors."""
    urls = sorted(row["url"] for row in crawl.index)
    return [(row["target_uri"], row["error"]) for row in found] == [(url, None) for url in urls]


@pytest.mark.parametrize("server", ["web", "plain_web"])
def test_records_of_a_web_server_are_those_of_the_local_copy(request, rows, crawl, index, tmp_path, server):
    web = request.getfixturevalue(server)
    crawl.serve(web)
    crawl.write(tmp_path)
    query = f"SELECT * FROM '{index}' WHERE content_languages = 'jpn' AND url_host_name = 'host1.example'"
    local = rows(read(tmp_path, query))
    assert rows(read(web.url("/"), query)) == local
    assert [row["error"] for row in local] == [None] * 20 * 3


def test_records_on_s3(rows, crawl, index, s3, tmp_path):
    for name, content in crawl.files.items():
        s3.put(f"out/{name}", content)
    s3.put("out/index.parquet", index.read_bytes())
    crawl.write(tmp_path)
    query = "SELECT * FROM '{}' WHERE url_host_name = 'host2.example'"
    local = rows(read(tmp_path, query.format(index)))
    location = f"s3://{BUCKET}/out/"
    assert rows(read(location, query.format(f"{location}index.parquet")), env=s3.env) == local
    assert [row["error"] for row in local] == [None] * 20 * 6


def test_records_close_together_are_one_request(rows, crawl, index, web):
    crawl.serve(web)
    assert are_all(rows(read(web.url("/"), index)), crawl)
    assert {request.method for request in web.requests} == {"GET"}
    assert len(web.requests) == 20
    assert sum(request.sent for request in web.requests) == sum(map(len, crawl.files.values()))


def test_records_far_apart_are_separate_requests(rows, web, tmp_path):
    crawl = Crawl(archives=3, records=4, padding=300 << 10)
    crawl.serve(web)
    assert are_all(rows(read(web.url("/"), crawl.write_index(tmp_path / "index.parquet"))), crawl)
    assert sorted(request.sent for request in web.requests) == sorted(
        row["warc_record_length"] for row in crawl.index
    )


def test_many_requests_run_at_a_time(rows, crawl, index, web):
    """No request is answered before 20 have arrived."""
    crawl.serve(web)
    web.together = threading.Barrier(20)
    assert are_all(rows(read(web.url("/"), index)), crawl)
    assert not web.together.broken


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["refused", "cut", "short", "whole"])
@pytest.mark.parametrize("etags", [True, False])
def test_answers_that_fail_are_requested_again(rows, crawl, index, web, fault, etags):
    crawl.serve(web)
    web.etags = etags
    for name in list(crawl.files)[::7]:
        match fault:
            case "refused":
                web.fail(f"/{name}", 503, times=2)
            case "cut":
                web.cut(f"/{name}", after=1000)
            case "short":
                web.shorten(f"/{name}", times=2)
            case "whole":
                web.ignore_range(f"/{name}")
    assert are_all(rows(read(web.url("/"), index)), crawl)


def test_s3_answers_that_are_whole_files_are_requested_again(rows, crawl, index, web, s3):
    for name, content in crawl.files.items():
        web.files[f"/{BUCKET}/{name}"] = content
        web.ignore_range(f"/{BUCKET}/{name}")
    env = {**s3.env, "AWS_ENDPOINT": web.url()}
    assert are_all(rows(read(f"s3://{BUCKET}/", index), env=env), crawl)


def test_archives_that_never_answer_as_requested_are_rows_with_errors(rows, crawl, index, web):
    crawl.serve(web)
    name = list(crawl.files)[2]
    web.shorten(f"/{name}", times=1000)
    found = rows(read(web.url("/"), index, "source_file, \"offset\", error"))
    assert len(found) == len(crawl.index)
    assert {row["source_file"] for row in found if row["error"]} == {web.url(f"/{name}")}
    assert sum(row["error"] is not None for row in found) == 30


def test_archives_that_cannot_be_read_are_rows_with_errors(rows, crawl, index, web):
    crawl.serve(web)
    gone, forbidden = list(crawl.files)[3:5]
    del web.files[f"/{gone}"]
    web.fail(f"/{forbidden}", 403, times=1000)
    found = rows(read(web.url("/"), index, "source_file, \"offset\", error"))
    assert len(found) == len(crawl.index)
    wrong = [row["source_file"] for row in found if row["error"]]
    assert wrong == [web.url(f"/{name}") for name in (gone, forbidden) for _ in range(30)]
    # One request for all records of such an archive.
    assert web.count(f"/{gone}") == web.count(f"/{forbidden}") == 1


def test_another_record_than_the_index_names_is_an_error(rows, crawl, web, tmp_path):
    crawl.serve(web)
    crawl.index[5]["url"] = "http://elsewhere.example/"
    crawl.index[9]["warc_record_offset"] += 3
    index = crawl.write_index(tmp_path / "index.parquet")
    found = rows(read(web.url("/"), index, "error, 1 AS one"))
    assert len(found) == len(crawl.index)
    reasons = [row["error"].split(":")[0] for row in found if row["error"]]
    assert reasons == ["no record where the index says", "not the record in the index"]


def test_a_limit_ends_the_query(rows, crawl, index, web):
    crawl.serve(web)
    query = f"SELECT * FROM read_warc('{web.url('/')}', 'records', '{index}') LIMIT 3"
    assert len(rows(query)) == 3


@pytest.fixture(params=["web", "s3"])
def served(request, crawl, index):
    """The location of the crawl and that of its index, on a web server or S3, and its environment."""
    server = request.getfixturevalue(request.param)
    if request.param == "web":
        crawl.serve(server)
        return server.url("/"), index, {}
    for name, content in crawl.files.items():
        server.put(f"out/{name}", content)
    server.put("out/index/part-0.parquet", index.read_bytes())
    location = f"s3://{BUCKET}/out/"
    return location, f"{location}index/", server.env


def run_query(run, name, env, **variables):
    options = [part for pair in variables.items() for part in ("-v", "{}={}".format(*pair))]
    ran = run("-f", f"queries/{name}.sql", "--format", "csv", *options, env=env)
    assert ran.code == 0, ran.stderr
    return ran.stdout.splitlines()[1:]


def test_the_pages_of_a_domain(run, crawl, served, tmp_path):
    location, index, env = served
    output = tmp_path / "domain.parquet"
    variables = {"input": location, "index": index, "domain": "host3.example", "output": output}
    run_query(run, "common_crawl_domain", env, **variables)
    expected = {row["url"] for row in crawl.index if row["url_host_name"] == "host3.example"}
    table = pq.read_table(output).to_pylist()
    assert {row["url"] for row in table} == expected
    assert len(table) == len(expected)
    assert all(row["text"].startswith("Page ") and row["error"] is None for row in table)


def test_the_pages_of_a_language(run, served, tmp_path):
    location, index, env = served
    output = tmp_path / "language.parquet"
    variables = {"input": location, "index": index, "pages": 100, "output": output}
    run_query(run, "common_crawl_language", env, **variables)
    table = pq.read_table(output).to_pylist()
    assert len(table) == 100
    assert all(int(row["url"].rsplit("/", 1)[1]) % 2 == 1 for row in table)


def test_the_largest_hosts_are_found_in_the_index_alone(run, crawl, served):
    _, index, env = served
    found = [line.split(",")[:2] for line in run_query(run, "common_crawl_hosts", env, index=index)]
    assert sorted(found) == [[f"host{number}.example", "120"] for number in range(5)]
