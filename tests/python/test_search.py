"""Search indexes in object stores and on web servers."""

import pytest

from conftest import BUCKET
from faulty_store import FaultyStore

# The fillers are incompressible, so that the index has several megabytes.
DOCUMENTS = """
    SELECT value AS id, concat('all word', value) AS text,
           array_to_string(array_transform(range(0, 200), n -> md5(concat(value, ' ', n))), '') AS filler
    FROM generate_series(1, 400)
"""

QUERIES = ["word7", "word1*", '"all word3"', "all -word8", "nothing"]

FOLDER = "out/index"


@pytest.fixture
def index(rows, tmp_path):
    """An index in a local folder."""
    folder = tmp_path / "index"
    rows(f"COPY ({DOCUMENTS}) TO '{folder}' STORED AS SEARCH_INDEX OPTIONS (id 'id', text 'text')")
    return folder


def files(folder):
    names = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    return {name: content for name, content in names.items() if not name.endswith(".lock")}


@pytest.fixture
def stored(index, s3):
    """The same index in S3."""
    for name, content in files(index).items():
        s3.put(f"{FOLDER}/{name}", content)
    return f"s3://{BUCKET}/{FOLDER}"


@pytest.fixture
def served(index, web):
    """The same index on a web server."""
    for name, content in files(index).items():
        web.files[f"/index/{name}"] = content
    return web.url("/index")


def searched(location, query):
    return f"SELECT id, text, filler, score, snippet FROM search('{location}', '{query}', 20)"


@pytest.mark.slow
@pytest.mark.parametrize("query", QUERIES)
def test_s3_gives_the_hits_of_the_local_index(rows, s3, index, stored, query):
    expected = rows(searched(index, query))
    assert rows(searched(stored, query), env=s3.env) == expected
    assert rows(searched(stored + "/", query), env=s3.env) == expected


def test_s3_options_of_the_function(rows, s3, stored):
    options = "".join(f", '{name}', '{value}'" for name, value in s3.options.items())
    sql = f"SELECT id FROM search('{stored}', 'word7', 5, 'snippet', 'text'{options})"
    assert rows(sql) == [{"id": 7}]


def test_several_indexes_by_name_and_by_pattern(rows, s3, index, stored):
    for name, content in files(index).items():
        s3.put(f"out/second/{name}", content)
    both = f"['{stored}', '{index}']"
    assert len(rows(f"SELECT id FROM search({both}, 'word7')", env=s3.env)) == 2
    pattern = f"s3://{BUCKET}/out/*"
    assert len(rows(f"SELECT id FROM search('{pattern}', 'word7')", env=s3.env)) == 2
    assert len(rows(f"SELECT id FROM search('{pattern}/', 'word7')", env=s3.env)) == 2


def test_web_servers_send_parts_of_an_index(rows, web, index, served):
    assert rows(searched(served, "word7")) == rows(searched(index, "word7"))
    total = sum(len(content) for content in web.files.values())
    sent = sum(request.sent for request in web.requests)
    # Most of the index is not needed for one hit.
    assert 0 < sent < total / 2
    assert all(request.status in (200, 206, 404) for request in web.requests)


def test_many_queries_share_what_is_read(rows, web, served):
    sql = f"""
        SELECT count(*) AS n, count(DISTINCT h.id) AS ids
        FROM (SELECT concat('word', value % 400 + 1) AS text FROM generate_series(1, 10000)) AS q,
             LATERAL search('{served}', q.text, 3) AS h
    """
    assert rows(sql) == [{"n": 10000, "ids": 400}]
    # Several threads may request the same block.
    assert len([request for request in web.requests if request.method == "GET"]) < 200
    assert sum(request.sent for request in web.requests) < 10 * sum(map(len, web.files.values()))


def test_lost_requests_are_repeated(rows, web, served):
    path = next(path for path in web.files if path.endswith(".store"))
    web.fail(path, 503)
    web.cut(path, after=10)
    assert [row["id"] for row in rows(searched(served, "word7"))] == [7]


def test_failed_requests_are_named(fails, web, served):
    for extension in [".term", ".store", ".idx"]:
        path = next(path for path in web.files if path.endswith(extension))
        web.fail(path, 403, times=10)
        message = fails(searched(served, "word7"))
        name = path.rsplit("/", 1)[1]
        assert served in message and name in message and "403" in message, message
        web._faults.clear()


def test_a_missing_index(fails, web, s3):
    message = fails(searched(f"s3://{BUCKET}/out/none", "word"), env=s3.env)
    assert f"s3://{BUCKET}/out/none/" in message and "no files" in message, message
    message = fails(searched(f"s3://{BUCKET}/files", "word"), env=s3.env)
    assert "no search index" in message and "corpus-search.json" in message, message
    message = fails(searched(web.url("/none"), "word"))
    assert "no search index" in message and "corpus-search.json" in message, message


@pytest.mark.slow
def test_an_unfinished_upload(fails, s3, index, stored):
    for name in files(index):
        # The list of files that only writers need, and words without positions, may be missing.
        if name == ".managed.json":
            continue
        s3.client.delete_object(Bucket=BUCKET, Key=f"{FOLDER}/{name}")
        message = fails(searched(stored, '"all word7"'), env=s3.env)
        assert stored in message, message
        assert "missing" in message or "damaged" in message, f"{name}: {message}"
        s3.put(f"{FOLDER}/{name}", (index / name).read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("refusal", ["expired", "wrong key"])
@pytest.mark.parametrize("path", ["list-type", ".term"])
def test_rejected_credentials(fails, s3, stored, refusal, path):
    def fault(method, requested):
        return refusal if path in requested else None

    with FaultyStore(s3.endpoint, fault=fault) as store:
        message = fails(searched(stored, "word7"), env={**s3.env, "AWS_ENDPOINT": store.url})
    assert stored in message and "the store rejects the credentials" in message, message
    assert "damaged" not in message, message


@pytest.mark.slow
def test_faults_that_pass_change_nothing(rows, s3, index, stored):
    expected = rows(searched(index, "word1*"))
    with FaultyStore(s3.endpoint, share=0.2) as store:
        env = {**s3.env, "AWS_ENDPOINT": store.url}
        assert rows(searched(stored, "word1*"), env=env) == expected
        assert store.faults.total() > 0


def test_a_server_without_ranges(fails, index, plain_web):
    for name, content in files(index).items():
        plain_web.files[f"/index/{name}"] = content
    message = fails(searched(plain_web.url("/index"), "word7"))
    assert "copy the index" in message, message


def test_an_index_is_not_built_in_a_store(fails, s3):
    sql = f"COPY ({DOCUMENTS}) TO 's3://{BUCKET}/out/new' STORED AS SEARCH_INDEX"
    message = fails(sql, env=s3.env)
    assert "local folder" in message and "upload" in message, message
    assert s3.keys("out/new") == []


def test_a_view_reads_the_index_that_is_there_then(rows, s3, index, stored, tmp_path):
    other = tmp_path / "other"
    rows(f"""
        COPY (SELECT 1000 AS id, 'word7' AS text, NULL::varchar AS filler) TO '{other}'
        STORED AS SEARCH_INDEX OPTIONS (id 'id', text 'text')
    """)
    for name, content in files(other).items():
        s3.put(f"{FOLDER}/{name}", content)
    assert [row["id"] for row in rows(searched(stored, "word7"), env=s3.env)] == [1000]
