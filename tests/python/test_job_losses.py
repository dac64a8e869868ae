"""Jobs count what they cannot read or leave out: pages, records, files and items."""

import csv
import gzip
import io
import json
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import SAMPLES
from warcs import as_one_member, cut_response, damaged_response, response

PAGE = "<html><head><title>A page</title></head><body><p>" + "</p><p>".join(
    f"Sentence {number} of a page, {number * 7919 % 1000} words long." for number in range(200)
) + "</p></body></html>"


def read(path):
    return pq.read_table(path).to_pylist()


def table(run, job, *variables):
    ran = run("--quiet", "--format", "csv", "-f", f"queries/{job}.sql", *variables)
    assert ran.code == 0, ran.stderr
    return list(csv.DictReader(io.StringIO(ran.stdout)))


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "pages.warc.gz"
    records = [
        response("http://a.example/whole", PAGE.encode()),
        response("http://a.example/upper", PAGE.encode(), record_type="Application/HTTP; msgtype=response"),
        cut_response("http://a.example/cut", PAGE.encode()),
        damaged_response("http://a.example/damaged", PAGE.encode()),
    ]
    path.write_bytes(b"".join(records))
    return path


@pytest.mark.parametrize(
    "job",
    ["warc_to_document", "warc_main_text", "warc_to_markdown", "warc_links", "warc_to_paragraphs", "warc_tables"],
)
def test_damaged_pages_are_rows_with_an_error(run, tmp_path, archive, job):
    output = tmp_path / "out.parquet"
    ran = run("--fail-on-errors", "-f", f"queries/{job}.sql", "-v", f"input={archive}", "-v", f"output={output}")
    assert ran.code == 3 and "2 rows with errors" in ran.stderr, ran.stderr
    rows = read(output)
    errors = {row["url"]: row["error"].split(":")[0] for row in rows if row["error"]}
    assert errors == {
        "http://a.example/cut": "coding_truncated", "http://a.example/damaged": "coding_invalid",
    }
    if job == "warc_to_document":
        documents = {row["url"]: row["document"] for row in rows}
        assert documents["http://a.example/whole"] == documents["http://a.example/upper"]
        assert documents["http://a.example/whole"].startswith(documents["http://a.example/cut"][:1000])
        assert documents["http://a.example/damaged"] is None


def test_damaged_pages_are_in_the_search_index(run, tmp_path, archive):
    found = table(run, "warc_to_search_index", "-v", f"input={archive}", "-v", f"output={tmp_path}/index")
    assert [row["url"] for row in found] == ["http://a.example/cut", "http://a.example/damaged"]


def test_paragraph_filters_count_damaged_pages(run, tmp_path, archive):
    counts = table(run, "html_paragraph_filters", "-v", f"input={archive}", "-v", f"output={tmp_path}/out")
    assert [counts[0][name] for name in ("stage", "documents_in", "documents_out")] == ["damaged", "4", "2"]
    removed = read(tmp_path / "out" / "removed.parquet")
    damaged = {row["url"] for row in removed if row["stage"] == "damaged"}
    assert damaged == {"http://a.example/cut", "http://a.example/damaged"}
    reasons = {row["url"]: row["reason"].split(":")[0] for row in removed if row["stage"] == "damaged"}
    assert reasons == {"http://a.example/cut": "coding_truncated", "http://a.example/damaged": "coding_invalid"}


def test_packages_in_packages_are_rows_with_an_error(run, tmp_path):
    paper = (SAMPLES / "pdf" / "article.pdf").read_bytes()
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as package:
        package.writestr("deep.pdf", paper)
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as package:
        package.writestr("a.pdf", paper)
        package.writestr("inner.ZIP", inner.getvalue())
        package.writestr("inner.tar.gz", b"")
        package.writestr("notes.txt", b"text")
        package.writestr("__MACOSX/._a.pdf", b"\0\5\x16\7")
        package.writestr("folder/._b.pdf", b"\0\5\x16\7")
    out = tmp_path / "out.parquet"
    run("-f", "queries/pdf_to_document.sql", "-v", f"input={tmp_path}/outer.zip", "-v", f"output={out}")
    rows = {row["url"].split("!")[1]: row["error"] for row in read(out)}
    error = "package in a package: unpack the outer package first"
    assert rows == {"a.pdf": None, "inner.ZIP": error, "inner.tar.gz": error}


def test_errors_without_an_address_name_the_file_and_the_offset(run, tmp_path, archive):
    records = archive.read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(records[:-40])
    (tmp_path / "text.warc").write_text("This is a text.\n")
    for job in ("warc_to_document", "warc_links"):
        out = tmp_path / f"{job}.parquet"
        run("-f", f"queries/{job}.sql", "-v", f"input={tmp_path}/text.warc", "-v", f"output={out}")
        [error] = [row["error"] for row in read(out)]
        assert error.startswith("not a WARC") and f"{tmp_path}/text.warc at 0)"[1:] in error


def revisits(count):
    """Responses, and a revisit of each."""
    originals = [response(f"http://a.example/{number}", PAGE.encode()) for number in range(count)]
    again = []
    for number in range(count):
        head = (
            f"WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:uuid:again-{number}>\r\n"
            f"WARC-Date: 2024-02-01T00:00:00Z\r\nWARC-Target-URI: http://a.example/{number}\r\n"
            f"WARC-Refers-To-Target-URI: http://a.example/{number}\r\n"
            "WARC-Refers-To-Date: 2024-01-01T00:00:00Z\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
        )
        again.append(gzip.compress(head.encode()))
    return originals + again


def test_records_of_an_archive_that_is_compressed_as_a_whole_are_told_apart(run, tmp_path):
    whole, apart = tmp_path / "whole.warc.gz", tmp_path / "apart.warc.gz"
    whole.write_bytes(as_one_member(revisits(5)))
    apart.write_bytes(b"".join(revisits(5)))
    for archive in (whole, apart):
        found = table(run, "warc_revisits", "-v", f"input={archive}")
        assert [row["target_uri"] for row in found] == [row["original_uri"] for row in found]
        assert len(found) == 5
        counts = run("--quiet", "--format", "ndjson", "-f", "queries/html_engines.sql", "-v", f"input={archive}")
        assert counts.code == 0, counts.stderr
        assert json.loads(counts.stdout.splitlines()[0])["pages"] == 5
        assert json.loads(counts.stdout.splitlines()[0])["pages_that_differ"] == 0


def test_an_archive_that_is_compressed_as_a_whole_has_no_index(run, tmp_path):
    archive, index = tmp_path / "whole.warc.gz", tmp_path / "index.cdxj"
    archive.write_bytes(as_one_member(revisits(2)))
    ran = run("-f", "queries/warc_cdxj.sql", "-v", f"input={archive}", "-v", f"output={index}")
    assert ran.code == 1 and "compressed as a whole" in ran.stderr and not index.exists()
    # The advice helps.
    ran = run("-c", f"COPY (SELECT * FROM read_warc('{archive}')) TO '{tmp_path}/new.warc.gz' STORED AS WARC")
    assert ran.code == 0, ran.stderr
    ran = run("-f", "queries/warc_cdxj.sql", "-v", f"input={tmp_path}/new.warc.gz", "-v", f"output={index}")
    assert ran.code == 0, ran.stderr
    assert len(index.read_text().splitlines()) == 4


HOCR = """<html><body><div class="ocr_page" title="bbox 0 0 1000 1000"><div class="ocr_carea" title="bbox 100 100 900 900">
<span class="ocr_line" title="bbox 100 100 900 200"><span class="ocrx_word" title="bbox 100 100 200 200; x_wconf 90">Word{}</span></span>
</div></div></body></html>"""
BLANK = '<html><body><div class="ocr_page" title="bbox 0 0 1000 1000"></div></body></html>'
SCANS = ["-v", "source=read_hocr", "-v", "key=source_file", "-v", "data=content"]


@pytest.fixture
def book(tmp_path):
    """A book with four pages, one of them blank, and four files that are no pages."""
    folder = tmp_path / "scans" / "book"
    folder.mkdir(parents=True)
    for number in (1, 2, 10):
        (folder / f"page-{number}.hocr").write_text(HOCR.format(number))
    (folder / "page-3.hocr").write_text(BLANK)
    (folder / "page-4.hocr").write_text("<html><body><p>no page</p></body></html>")
    (folder / "page-5.xml").write_text("<DjVuXML><BODY/></DjVuXML>")
    (folder / "page-6.hocr").write_text("")
    (folder / "page-7.hocr").write_bytes(bytes(range(256)))
    return folder


BAD = ["page-4.hocr", "page-5.xml", "page-6.hocr", "page-7.hocr"]


def names(rows, column="key"):
    return [row[column].rsplit("/", 1)[1] for row in rows]


def test_a_book_counts_its_errors_and_has_its_pages_in_order(run, tmp_path, book):
    output = tmp_path / "books.parquet"
    ran = run("--fail-on-errors", "-f", "queries/hocr_to_books.sql", "-v", f"input={book}/", "-v", f"output={output}")
    assert ran.code == 3 and "1 row with errors" in ran.stderr, ran.stderr
    [row] = read(output)
    assert row["document"].split() == ["Word1", "Word2", "Word10"]
    assert (row["pages"], row["errors"]) == (4, 4) and row["error"]


def test_all_ocr_jobs_name_the_files_without_a_page(run, tmp_path, book):
    quality = table(run, "hocr_quality", *SCANS, "-v", f"input={book}/")
    whole, pages = quality[0], quality[1:]
    assert (whole["pages"], whole["empty_pages"], whole["errors"]) == ("4", "1", "4")
    assert names(pages)[-1] == "page-10.hocr"
    assert names(row for row in pages if row["error"]) == BAD
    assert sum(int(row["pages"]) for row in pages) == 4

    widths = table(run, "hocr_block_width", "-v", f"input={book}/")
    assert names((row for row in widths if row["error"]), "source_file") == BAD

    cropped = table(run, "hocr_cropping", *SCANS, "-v", f"input={book}/")
    assert names(row for row in cropped if row["error"]) == BAD

    reported = table(run, "hocr_report", *SCANS, "-v", f"input={book}/", "-v", f"output={tmp_path}/report")
    assert names(reported) == BAD

    indexed = table(run, "hocr_to_search_index", "-v", f"input={book}/", "-v", f"output={tmp_path}/index")
    assert names(indexed, "url") == BAD


def test_files_are_packed_and_counted_once(run, tmp_path, book):
    packed = tmp_path / "scans.seq"
    ran = run("-f", "queries/hocr_to_sequencefile.sql", "-v", f"input={book}/", "-v", f"output={packed}")
    assert ran.code == 0, ran.stderr
    assert "8 files" in ran.stderr and "1 × empty file" in ran.stderr, ran.stderr


def test_pages_without_a_key_are_counted(run, tmp_path):
    scans = tmp_path / "scans.seq"
    values = ", ".join(f"'{HOCR.format(number % 4)}'" for number in range(6)).replace("\n", " ")
    made = run("-c", f"COPY (SELECT NULL AS key, unnest([{values}]) AS value) TO '{scans}' STORED AS SEQUENCEFILE")
    assert made.code == 0, made.stderr
    pages = table(run, "hocr_quality", "-v", f"input={scans}")
    assert pages[0]["pages"] == "6" and pages[0]["missing_pages"] == "0"
    assert sum(int(row["pages"]) for row in pages[1:]) == 6
    output = tmp_path / "books.parquet"
    sequence = ["-v", "source=read_sequencefile", "-v", "key=key", "-v", "data=value"]
    ran = run("--quiet", "-f", "queries/hocr_to_books.sql", *sequence, "-v", f"input={scans}", "-v", f"output={output}")
    assert ran.code == 0, ran.stderr
    assert [(row["url"], row["pages"]) for row in read(output)] == [(str(scans), 6)]


def test_an_item_without_an_answer_is_found(run, tmp_path):
    question = " ".join(f"word{number}" for number in range(18))
    benchmark, documents = tmp_path / "items.jsonl", tmp_path / "documents.jsonl"
    benchmark.write_text(json.dumps({"id": 1, "question": question, "answer": None}))
    documents.write_text(json.dumps({"url": "a", "document": f"Before. {question} After."}))
    [summary] = table(
        run, "decontaminate", "-v", f"benchmark={benchmark}", "-v", f"input={documents}", "-v", f"output={tmp_path}/out"
    )
    assert (summary["items_found"], summary["documents_out"]) == ("1", "0")


@pytest.mark.parametrize("job", ["dedup_exact", "dedup_url", "dedup_minhash"])
def test_a_summary_counts_what_came_in(run, tmp_path, job):
    """Not what was kept and removed, so that a loss would show."""
    documents = [json.loads(line) for line in (SAMPLES / "documents" / "pages.jsonl").read_text().splitlines()]
    [summary] = table(run, job, "-v", f"output={tmp_path}/out")
    kept = read(tmp_path / "out" / "documents.parquet")
    assert int(summary["documents_in"]) == len(documents)
    assert int(summary["characters_in"]) == sum(len(page["document"]) for page in documents)
    assert int(summary["documents_out"]) == len(kept)
    assert int(summary["characters_out"]) == sum(len(page["document"]) for page in kept)


def test_blank_paragraphs_are_not_in_common(run, tmp_path):
    texts = {"first": "one\n\n\n\ntwo", "second": "three\n\n \n\n\n\nfour"}
    for name, text in texts.items():
        pq.write_table(pa.table({"url": [name], "document": [text]}), tmp_path / f"{name}.parquet")
    variables = [word for name in texts for word in ("-v", f"{name}={tmp_path}/{name}.parquet")]
    found = {row["what"]: row for row in table(run, "crawl_overlap", *variables)}
    assert [found["paragraphs"][name] for name in ("first", "second", "both")] == ["2", "2", "0"]
