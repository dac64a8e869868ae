"""Statements, parameters, scripts and errors."""

import datetime
import threading

import pytest

import corpus_sql as cs
from corpus_sql import _native


def test_parameters_keep_their_type_and_are_never_sql(con):
    for value in [
        "it's -- $x ' OR 1=1",
        -3,
        2**64 - 1,
        0.25,
        True,
        None,
        b"\x00\xff'",
        datetime.date(2024, 2, 29),
        datetime.datetime(2024, 2, 29, 1, 2, 3, 4),
        ["a", "it's"],
    ]:
        assert con.sql("SELECT $x AS x", {"x": value}).fetchall() == [(value,)]
    assert con.sql("SELECT $1 + $2", [1, 2]).fetchone() == (3,)
    assert con.sql("SELECT value FROM generate_series(1, 9) LIMIT $n", {"n": 2}).count() == 2
    zone = datetime.timezone(datetime.timedelta(hours=9))
    time = datetime.datetime(2024, 2, 29, tzinfo=zone)
    assert con.sql("SELECT $t", {"t": time}).fetchone() == (time,)


@pytest.mark.parametrize(
    ("sql", "params", "message"),
    [
        ("SELECT $a", None, r"\$a has no value"),
        ("SELECT $input", {"inptu": 1}, r"no statement uses the parameter \$inptu; did you mean \$input"),
        ("SELECT 1", {"a": 1}, "no parameters"),
        ("SELECT $1", [1, 2], r"\$2"),
    ],
)
def test_missing_and_unused_parameters_are_errors(con, sql, params, message):
    with pytest.raises(cs.SqlError, match=message):
        con.sql(sql, params)


def test_wrong_parameters_are_type_errors(con):
    for params in ["text", 1, {"x": object()}, {"x": {"a": 1}}]:
        with pytest.raises(TypeError):
            con.sql("SELECT $x", params)


def test_statements_that_write_run_immediately(con, tmp_path):
    assert con.sql("CREATE VIEW v AS SELECT 1 AS n UNION ALL SELECT 2") is None
    assert con.sql("SET corpus.max_html_depth = 10") is None
    target = tmp_path / "x.parquet"
    assert con.sql(f"COPY v TO '{target}'").fetchall() == [(2,)]
    assert con.sql(f"CREATE VIEW w AS SELECT * FROM v; COPY w TO '{target}'; SELECT max(n) AS m FROM w").fetchall() == [(2,)]
    assert con.sql("-- nothing") is None
    assert [row[0] for row in con.sql("SHOW FUNCTIONS LIKE 'html_meta'").fetchall()] == ["html_meta"]


def test_errors_have_classes_and_the_messages_of_the_command_line(con, samples, tmp_path):
    with pytest.raises(cs.SqlError, match="^syntax error"):
        con.sql("SELEKT 1")
    with pytest.raises(cs.SqlError, match="html_main_text"):
        con.sql("SELECT html_main_txt(x'')")
    with pytest.raises(cs.IoError, match="^no such file or folder: 'nowhere/'"):
        con.sql("SELECT * FROM read_warc('nowhere/')").fetchall()
    con.sql("SET corpus.on_error = 'fail'")
    damaged = con.sql("SELECT * FROM read_warc($folder)", {"folder": samples / "damaged-warc"})
    for use in [damaged.fetchall, lambda: list(damaged), damaged.arrow, damaged.pl]:
        with pytest.raises(cs.DataError, match="corpus.on_error is 'fail'") as caught:
            use()
        assert "damaged-warc" in caught.value.file
        assert isinstance(caught.value.offset, int)
    for kind in [cs.SqlError, cs.IoError, cs.DataError]:
        assert issubclass(kind, cs.Error)
    for wrong in [{"threads": 0}, {"memory_limit": "1KB"}, {"memory_limit": "much"}]:
        with pytest.raises(ValueError, match=next(iter(wrong))):
            cs.connect(**wrong)


def test_a_query_of_the_package_runs_with_its_variables(con, samples, tmp_path):
    assert "warc_to_document" in cs.queries()
    target = tmp_path / "documents.parquet"
    summary = con.run_file("warc_to_document", input=samples / "web", output=target)
    assert summary.rows_written == 12 and summary.files == 2
    # One page is cut.
    assert summary.errors == 1
    assert summary.written[0]["target"] == str(target)
    assert con.sql(f"SELECT count(*) FROM '{target}'").fetchone() == (12,)
    assert con.run_file("queries/warc_to_document.sql", input=samples / "web", output=target).rows_written == 12
    with pytest.raises(cs.SqlError, match="did you mean 'input'"):
        con.run_file("warc_to_document", inptu="x")
    with pytest.raises(cs.IoError, match="warc_to_document"):
        con.run_file("warc_to_documents")


def test_a_job_runs_by_its_name(con, samples, tmp_path):
    target = tmp_path / "documents.parquet"
    summary = con.run("warc_to_document", input=samples / "web", output=target)
    assert summary.rows_written == 12 and summary.written[0]["target"] == str(target)
    report = cs.run("warc_report", input=samples / "web", most=1)
    assert report.results[0].count() == report.rows_returned > 0
    with pytest.raises(cs.SqlError, match="did you mean 'input'"):
        con.run("warc_to_document", inptu="x")
    with pytest.raises(cs.SqlError, match="no job 'warc_to_documents'; similar names: warc_to_document,"):
        con.run("warc_to_documents")
    assert all(_native.job(name)[0] == name for name in cs.queries())


def test_scripts_return_the_results_of_their_queries(con, tmp_path):
    script = tmp_path / "script.sql"
    script.write_text("SELECT ${n} AS a;\nCREATE VIEW v AS SELECT $text AS b;\nSELECT * FROM v;\nSELECT 1 WHERE false")
    summary = con.run_file(script, n=5, params={"text": "x"})
    assert [result.fetchall() for result in summary.results] == [[(5,)], [("x",)], []]
    assert summary.statements == 4 and summary.rows_returned == 2
    script.write_text("SELECT 1;\nSELECT oops")
    with pytest.raises(cs.SqlError, match="oops"):
        con.run_file(script)
    script.write_text("SELECT 1;\nSELEKT 2")
    with pytest.raises(cs.SqlError, match="script.sql:2: syntax error"):
        con.run_file(script)


def test_sessions_are_separate_and_the_default_one_is_shared():
    cs.sql("CREATE OR REPLACE VIEW of_default AS SELECT 1 AS n")
    found = []
    thread = threading.Thread(target=lambda: found.append(cs.sql("SELECT * FROM of_default").fetchall()))
    thread.start()
    thread.join()
    assert found == [[(1,)]]
    with pytest.raises(cs.SqlError):
        cs.connect().sql("SELECT * FROM of_default")
