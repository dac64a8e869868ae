"""The data sources and functions in Spark."""

import os
import sys

import pytest
import warcs
from pyspark.errors import PySparkException
from readers import spark_session

from corpus_sql import spark as corpus_spark
from corpus_sql._sources import FORMATS


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = spark_session(tmp_path_factory.mktemp("spark"))
    session.conf.set("spark.sql.session.timeZone", "UTC")
    corpus_spark.register(session)
    yield session
    session.stop()


# Spark reads these files itself.
DATA_FILES = {"csv", "csv_auto", "json", "json_auto", "jsonl", "ndjson", "ndjson_auto", "parquet"}


def test_sources_give_the_rows_of_sql(spark, con, samples):
    readers = {
        row[0].removeprefix("read_")
        for row in con.sql(
            "SELECT name FROM corpus_functions() WHERE kind = 'table' AND starts_with(name, 'read_')"
        ).fetchall()
    }
    assert set(FORMATS) == readers - DATA_FILES
    for format, folder in [("warc", "web"), ("warc", "damaged-warc"), ("pdf", "pdf"), ("sequencefile", "book"), ("files", "files"), ("documents", "office")]:
        rows = spark.read.format(format).load(str(samples / folder))
        expected = con.sql(f"SELECT * FROM read_{format}($folder)", {"folder": samples / folder})
        assert rows.columns == expected.columns
        assert rows.count() == expected.count(), folder
        assert rows.rdd.getNumPartitions() == len(expected.files()), folder
        assert sorted(row.source_file for row in rows.select("source_file").collect()) == sorted(
            row[0] for row in con.sql(f"SELECT source_file FROM read_{format}($folder)", {"folder": samples / folder}).fetchall()
        )


def test_values_keep_their_type(spark, con, samples):
    folder = {"folder": samples / "web"}
    found = spark.read.format("warc").load(str(samples / "web")).orderBy("source_file", "offset").collect()
    sql = "SELECT target_uri, \"offset\", body, headers, date FROM read_warc($folder) ORDER BY source_file, \"offset\""
    expected = con.sql(sql, folder).fetchall()
    for row, (uri, offset, body, headers, date) in zip(found, expected, strict=True):
        assert [row.target_uri, row.offset, bytes(row.body)] == [uri, offset, body]
        assert [header.asDict() for header in row.headers] == headers
        assert row.date == date.replace(tzinfo=None)


def test_columns_filters_and_options_reach_the_source(spark, con, samples):
    reader = spark.read.format("warc").schema("target_uri string, warc_type string")
    rows = reader.load(str(samples / "web"))
    assert rows.columns == ["target_uri", "warc_type"]
    for condition in [
        "warc_type = 'response'",
        "target_uri LIKE 'http://site.example/poem%' AND warc_type <> 'request'",
        "target_uri IN ('http://site.example/poem', 'it''s') OR target_uri IS NULL",
        "target_uri IN ('http://site.example/poem', 'it''s')",
        "target_uri IS NOT NULL AND contains(target_uri, 'poem') AND NOT (target_uri = 'http://site.example/poem')",
        "target_uri <=> NULL",
        "target_uri > 'http://site.example/n'",
    ]:
        sql = condition.replace("<=>", "IS NOT DISTINCT FROM")
        expected = con.sql(f"SELECT target_uri FROM read_warc($folder) WHERE {sql}", {"folder": samples / "web"})
        found = [(row.target_uri,) for row in rows.where(condition).collect()]
        assert sorted(found, key=str) == sorted(expected.fetchall(), key=str), condition
    assert rows.where("warc_type = 'response'").count() > 0
    failing = spark.read.format("warc").option("corpus.on_error", "fail").load(str(samples / "damaged-warc"))
    with pytest.raises(PySparkException, match="corpus.on_error is 'fail'"):
        failing.collect()
    damaged = spark.read.format("warc").load(str(samples / "damaged-warc"))
    assert damaged.where("error IS NOT NULL").count() > 0
    with pytest.raises(PySparkException, match="nonsense"):
        spark.read.format("warc").option("nonsense", "1").load(str(samples / "web"))
    with pytest.raises(PySparkException, match="name the files"):
        spark.read.format("warc").load()


@pytest.mark.parametrize("years", [[2023, 2024], ["2023", "none"]])
def test_folders_named_by_values_are_columns(spark, con, samples, tmp_path, years):
    for year in years:
        folder = tmp_path / f"year={year}"
        folder.mkdir()
        (folder / "a.txt").write_text("x")
    rows = spark.read.format("files").load(str(tmp_path))
    assert sorted(row.year for row in rows.select("year").collect()) == years
    assert rows.rdd.getNumPartitions() == 2


def test_large_files_are_several_tasks(spark, con, tmp_path):
    pages = [warcs.response(f"http://a.example/{n}", b"x" * (n % 90)) for n in range(300)]
    (tmp_path / "a.warc.gz").write_bytes(b"".join(pages))
    whole = spark.read.format("warc").load(str(tmp_path))
    assert whole.rdd.getNumPartitions() == 1
    divided = spark.read.format("warc").option("split_bytes", "10000").load(str(tmp_path))
    assert divided.rdd.getNumPartitions() > 3
    found = [row.offset for row in divided.where("warc_type = 'response'").select("offset").collect()]
    assert sorted(found) == [row.offset for row in whole.orderBy("offset").select("offset").collect()]
    assert len(found) == 300


def test_functions_are_those_of_sql(spark, con, samples):
    rows = spark.read.format("warc").load(str(samples / "web")).where("warc_type = 'response'")
    found = rows.selectExpr(
        "target_uri",
        "html_main_text(http_response(body).body, http_response(body).charset) AS text",
        "charset_detect(http_response(body).body).charset AS charset",
        "text_normalize(target_uri, 'nfkc') AS normal",
        "size(text_words(target_uri)) AS words",
    ).collect()
    sql = """
        SELECT target_uri, html_main_text(page['body'], page['charset']),
               charset_detect(page['body'])['charset'], text_normalize(target_uri, 'nfkc'),
               cardinality(text_words(target_uri))
        FROM (SELECT *, http_response(body) AS page FROM read_warc($folder) WHERE warc_type = 'response')"""
    expected = con.sql(sql, {"folder": samples / "web"}).fetchall()
    assert len(found) > 5
    assert sorted(map(tuple, found), key=str) == sorted(expected, key=str)
    assert spark.sql("SELECT url_domain('http://a.b.co.uk/') AS d").first().d == "b.co.uk"
