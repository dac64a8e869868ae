"""The Parquet output of the queries for web pages, read by Python, SQL and Spark tools."""

from datetime import datetime

import pytest
from warcio.archiveiterator import ArchiveIterator

from readers import DuckDB, Polars, PyArrow, Spark

SITE = "http://site.example"
PAIRS = [{"name": "text", "value": "text"}]

COLUMNS = {
    "warc_to_document": {"url": "text", "document": "text", "error": "text"},
    "warc_to_document_fulldata": {
        "source_file": "text",
        "offset": "long",
        "url": "text",
        "date": "time",
        "truncated": "text",
        "warc_headers": PAIRS,
        "http_status": "int",
        "http_headers": PAIRS,
        "media_type": "text",
        "sniffed_type": "text",
        "http_repaired": ["text"],
        "charset": "text",
        "charset_source": "text",
        "title": "text",
        "lang": "text",
        "description": "text",
        "canonical": "text",
        "published": "text",
        "body": "bytes",
        "document": "text",
        "error": "text",
    },
    "warc_to_paragraphs": {
        "url": "text",
        "date": "time",
        "position": "int",
        "path": "text",
        "kind": "text",
        "text": "text",
        "characters": "int",
        "link_characters": "int",
        "error": "text",
    },
    "warc_records": {
        "source_file": "text",
        "offset": "long",
        "length": "long",
        "warc_type": "text",
        "record_id": "text",
        "date": "time",
        "target_uri": "text",
        "content_type": "text",
        "ip_address": "text",
        "payload_digest": "text",
        "block_digest": "text",
        "refers_to": "text",
        "truncated": "text",
        "content_length": "long",
        "headers": PAIRS,
        "error": "text",
    },
    "pdf_to_document": {
        "url": "text",
        "document": "text",
        "title": "text",
        "author": "text",
        "created": "time",
        "pages": "int",
        "pages_ok": "int",
        "has_text": "boolean",
        "garbled": "double",
        "needs_ocr": "boolean",
        "status": "text",
        "error_kind": "text",
        "error_page": "int",
        "error": "text",
    },
    "pdf_words": {
        "url": "text",
        "page": "int",
        "block": "int",
        "line": "int",
        "word": "text",
        **{name: "float" for name in ("x1", "y1", "x2", "y2")},
        "font": "text",
        "size": "float",
        "bold": "boolean",
        "italic": "boolean",
        "color": "text",
        "error": "text",
    },
}

every_query = pytest.mark.parametrize("query", COLUMNS)


@pytest.fixture(params=["pyarrow", "duckdb", "polars", "spark"])
def reader(request):
    if request.param == "spark":
        # Spark is started by the first test that needs it, because it takes long.
        return Spark(request.getfixturevalue("spark"))
    return {"pyarrow": PyArrow, "duckdb": DuckDB, "polars": Polars}[request.param]()


@pytest.fixture
def written(run, root, tmp_path):
    """Runs a query from queries/ on its sample or another input; returns its Parquet file."""

    def written(query, *variables):
        output = tmp_path / f"{query}.parquet"
        file = root / "queries" / f"{query}.sql"
        ran = run("-f", file, "-v", f"output={output}", *variables)
        assert ran.code == 0, ran.stderr
        return output

    return written


def captures(path):
    """The responses of an archive and their bodies, read by warcio."""
    with open(path, "rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "response":
                yield record, record.raw_stream.read()


def in_order(rows):
    """Sorts rows, because several threads write the rows of an archive in an arbitrary order."""
    return sorted(rows, key=lambda row: row["offset"])


def pairs(headers):
    """Headers without blanks around their names, which some servers send."""
    return [{"name": name.strip(), "value": value} for name, value in headers]


@pytest.mark.slow
@every_query
def test_every_column_has_a_plain_type(written, reader, query):
    """No views, dictionaries or large texts, which old readers do not support."""
    assert reader.columns(written(query)) == COLUMNS[query]


@every_query
@pytest.mark.parametrize("reader", ["duckdb", "polars", "spark"], indirect=True)
def test_all_see_what_pyarrow_sees(written, reader, query):
    path = written(query)
    rows = PyArrow().rows(path)
    assert rows
    assert reader.rows(path) == rows


def test_documents_are_the_text_of_pages(written, reader):
    rows = reader.rows(written("warc_to_document"))
    documents = {row["url"].removeprefix(SITE): row["document"] for row in rows}
    assert len(documents) == len(rows)
    assert {"/news/bridge", "/poem", "/german", "/soup"} <= documents.keys()
    assert not {"/empty", "/picture"} & documents.keys()
    assert "Bridge reopens after two years" in documents["/news/bridge"]
    assert "called it “a good day for both sides of the river”." in documents["/news/bridge"]
    assert "Schöne Grüße aus Köln" in documents["/german"]
    assert "この詩は例として作られたものであり" in documents["/poem"]
    # The same page in three charsets: one is declared wrongly and one not at all.
    assert documents["/poem"] == documents["/poem-wrong"] == documents["/poem-wide"]


def test_full_data_keeps_every_response(written, reader, samples):
    archive = samples / "web" / "site.warc.gz"
    rows = in_order(reader.rows(written("warc_to_document_fulldata", "-v", f"input={archive}")))
    expected = list(captures(archive))
    assert len(rows) == len(expected)
    for row, (record, body) in zip(rows, expected):
        assert row["url"] == record.rec_headers["WARC-Target-URI"]
        assert row["warc_headers"] == pairs(record.rec_headers.headers)
        assert row["http_headers"] == pairs(record.http_headers.headers)
        assert row["http_status"] == int(record.http_headers.get_statuscode())
        if not row["url"].endswith("/broken"):
            assert row["body"] == body


def test_full_data_says_what_was_lost(written, reader):
    rows = reader.rows(written("warc_to_document_fulldata"))
    errors = {row["url"].removeprefix(SITE): row["error"] for row in rows}
    assert errors["/news/bridge"] is None
    assert errors["/empty"] == "no text"
    assert errors["/broken"]


def test_full_data_has_the_metadata_of_pages(written, reader):
    rows = reader.rows(written("warc_to_document_fulldata"))
    [page] = [row for row in rows if row["url"] == f"{SITE}/news/bridge"]
    assert page["title"] == "Bridge reopens | The Daily Sample"
    assert page["description"] == "The old bridge is open again."
    assert page["lang"] == "en"
    assert (page["charset"], page["charset_source"]) == ("UTF-8", "http")
    [picture] = [row for row in rows if row["url"] == f"{SITE}/picture"]
    assert (picture["media_type"], picture["title"], picture["document"]) == ("image/png", None, None)


def test_paragraphs_are_counted_through_each_page(written, reader):
    rows = reader.rows(written("warc_to_paragraphs"))
    errors = [row for row in rows if row["error"]]
    assert [row["url"] for row in errors] == [f"{SITE}/broken"] and errors[0]["text"] is None
    pages = {}
    for row in (row for row in rows if not row["error"]):
        pages.setdefault(row["url"].removeprefix(SITE), []).append(row)
        assert 0 <= row["link_characters"] <= row["characters"] == len(row["text"])
    assert "/news/bridge" in pages
    for paragraphs in pages.values():
        positions = [paragraph["position"] for paragraph in paragraphs]
        assert positions == list(range(1, len(paragraphs) + 1))
    bridge = {row["text"]: row for row in pages["/news/bridge"]}
    assert bridge["Bridge reopens after two years"]["kind"] == "h1"
    menu = bridge["News\nSport"]
    assert (menu["kind"], menu["link_characters"]) == ("list", len("NewsSport"))


def test_records_have_their_dates_and_headers(written, reader, samples):
    archive = samples / "warc" / "crawl.warc.gz"
    rows = in_order(reader.rows(written("warc_records", "-v", f"input={archive}")))
    responses = [row for row in rows if row["warc_type"] == "response"]
    expected = [record.rec_headers for record, _ in captures(archive)]
    assert [row["headers"] for row in responses] == [pairs(headers.headers) for headers in expected]
    dates = [datetime.fromisoformat(headers["WARC-Date"]) for headers in expected]
    assert [row["date"] for row in responses] == dates
