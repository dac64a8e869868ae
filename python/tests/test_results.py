"""Results in Python, and in the libraries that take Arrow streams."""

import datetime
import decimal

import duckdb
import pandas
import polars
import pyarrow
import pytest

import corpus_sql as cs

TYPES = """
    SELECT 1::tinyint AS small, -5 AS number, 18446744073709551615::bigint unsigned AS large, 0.5 AS float,
           true AS flag, 'é' AS text, x'00ff' AS bytes, NULL AS nothing, CAST('1.50' AS decimal(9, 2)) AS money,
           DATE '2024-02-29' AS day, TIMESTAMP '2024-02-29T01:02:03.000004' AS time,
           arrow_cast(TIMESTAMP '2024-02-29T01:02:03', 'Timestamp(Nanosecond, Some("+00:00"))') AS utc,
           TIME '01:02:03' AS clock, [1, NULL] AS list, {a: 'x', b: [2]} AS struct, MAP {'k': 1} AS map,
           arrow_cast('same', 'Dictionary(Int32, Utf8)') AS dictionary,
           arrow_cast([1, 2], 'FixedSizeList(2 x Int64)') AS pair"""

VALUES = {
    "small": 1,
    "number": -5,
    "large": 18446744073709551615,
    "float": 0.5,
    "flag": True,
    "text": "é",
    "bytes": b"\x00\xff",
    "nothing": None,
    "money": decimal.Decimal("1.50"),
    "day": datetime.date(2024, 2, 29),
    "time": datetime.datetime(2024, 2, 29, 1, 2, 3, 4),
    "utc": datetime.datetime(2024, 2, 29, 1, 2, 3, tzinfo=datetime.timezone.utc),
    "clock": datetime.time(1, 2, 3),
    "list": [1, None],
    "struct": {"a": "x", "b": [2]},
    "map": {"k": 1},
    "dictionary": "same",
    "pair": [1, 2],
}


def test_values_become_those_of_python(con):
    relation = con.sql(TYPES)
    assert dict(zip(relation.columns, relation.fetchone())) == VALUES
    assert [batch.to_pylist() for batch in relation] == [[VALUES]]
    assert relation.schema["text"] == "text"
    assert list(relation.schema) == relation.columns == list(VALUES)


def test_libraries_take_results_without_pyarrow_or_with_it(con):
    relation = con.sql("SELECT value AS n, 'x' || value AS text FROM generate_series(1, 20000)")
    assert relation.count() == 20000
    for table in [relation.arrow(), pyarrow.table(relation)]:
        assert isinstance(table, pyarrow.Table) and table.num_rows == 20000
        assert sorted(table["n"].to_pylist()) == list(range(1, 20001))
    for frame in [relation.pl(), polars.DataFrame(relation)]:
        assert isinstance(frame, polars.DataFrame)
        assert frame["n"].sum() == 200010000 and frame["text"].max() == "x9999"
    assert isinstance(relation.df(), pandas.DataFrame)
    assert relation.df()["n"].sum() == 200010000
    assert duckdb.sql("SELECT sum(n), count(DISTINCT text) FROM relation").fetchall() == [
        (200010000, 20000)
    ]
    batches = [pyarrow.record_batch(batch) for batch in relation]
    assert sum(batch.num_rows for batch in batches) == 20000
    assert pyarrow.schema(relation).names == ["n", "text"]


def test_errors_reach_the_library_that_reads_a_stream(con):
    failing = con.sql("SELECT 10 / (value - 5000) AS n FROM generate_series(1, 10000)")

    def with_duckdb():
        rows = failing
        assert rows is not None
        duckdb.sql("SELECT sum(n) FROM rows").fetchall()

    for use in [
        with_duckdb,
        lambda: polars.DataFrame(failing),
        lambda: pyarrow.table(failing),
    ]:
        with pytest.raises(Exception, match="(?i)division by zero"):
            use()


def test_tables_of_libraries_can_be_queried(con):
    rows = {"n": [1, 2, None], "text": ["a", None, "ü"]}
    table = pyarrow.table(rows)
    duck = duckdb.connect()
    duck.register("rows", table)
    data = {
        "table": table,
        "batch": table.to_batches()[0],
        "reader": table.to_reader(),
        "polars": polars.DataFrame(rows),
        "pandas": pandas.DataFrame({"n": pandas.array(rows["n"], "Int64"), "text": rows["text"]}),
        "duckdb": duck.sql("FROM rows"),
        "batches": iter(con.sql("SELECT * FROM (VALUES (1, 'a'), (2, NULL), (NULL, 'ü')) AS t(n, text)")),
    }
    for name, value in data.items():
        con.register(name, value)
        # Twice: the rows are held.
        for _ in range(2):
            found = con.sql(f'SELECT n, text FROM "{name}" ORDER BY n').fetchall()
            assert found == [(1, "a"), (2, None), (None, "ü")], name
    con.register("table", polars.DataFrame({"other": [1]}))
    assert con.sql('SELECT * FROM "table"').columns == ["other"]
    con.unregister("table")
    with pytest.raises(cs.SqlError, match="not found"):
        con.sql('SELECT * FROM "table"')
    with pytest.raises(TypeError, match="__arrow_c_stream__.*dict"):
        con.register("x", rows)


def test_a_relation_of_the_session_becomes_a_view(con):
    con.register("endless", con.sql("SELECT value FROM generate_series(1, 1000000000000)"))
    assert con.sql("SELECT * FROM endless LIMIT 1").fetchall() == [(1,)]
    other = cs.connect()
    other.register("few", con.sql("SELECT 7 AS n"))
    assert other.sql("SELECT * FROM few").fetchall() == [(7,)]


def test_results_are_shown(con, capsys):
    many = con.sql("SELECT value AS n FROM generate_series(1, 100000)")
    many.show(max_rows=4)
    shown = capsys.readouterr().out
    assert shown.count("\n") < 15 and "4 of 100,000 rows shown; show(max_rows=…) shows more" in shown
    assert "the first 20 rows" in repr(many) and "|     20 |" in repr(many)
    assert repr(many) == repr(many)
    one = con.sql("SELECT '<b>&' AS \"<a>\", NULL AS nothing")
    assert "the first" not in repr(one)
    html = one._repr_html_()
    assert "&lt;b&gt;&amp;" in html and "&lt;a&gt;" in html and "<b>" not in html
    assert "NULL" in html
    long = con.sql("SELECT repeat('x', 100000) AS text, CAST('GET /' AS bytea) AS bytes")._repr_html_()
    assert len(long) < 1000 and "GET /" in long
    con.sql("SELECT 1 AS n WHERE false").show()
    assert "n" in capsys.readouterr().out
    plan = con.sql("EXPLAIN FORMAT indent SELECT value AS n FROM generate_series(1, 5) WHERE value % 2 = 1 ORDER BY 1")
    plan.show(width=40)
    for text in [capsys.readouterr().out, repr(plan)]:
        assert "FilterExec" in text and "generate_series" in text and "…" not in text


def test_empty_results_keep_their_columns(con):
    none = con.sql("SELECT 1 AS n, 'a' AS text WHERE false")
    assert none.fetchall() == [] and none.fetchone() is None and none.count() == 0
    assert list(none) == []
    assert none.arrow().schema.names == none.pl().columns == ["n", "text"]


def test_parquet_is_written_completely_or_not_at_all(con, tmp_path):
    rows = con.sql("SELECT value AS n, value % 2 AS odd FROM generate_series(1, 10)")
    assert rows.write_parquet(tmp_path / "x.parquet", compression="zstd(3)") == 10
    assert con.sql(f"SELECT sum(n) FROM '{tmp_path}/x.parquet'").fetchone() == (55,)
    assert rows.write_parquet(tmp_path / "parts/", partition_by=["odd"]) == 10
    assert sorted(path.name for path in (tmp_path / "parts").iterdir()) == ["odd=0", "odd=1"]
    failing = con.sql("SELECT 1 / (value - 5) AS n FROM generate_series(1, 10)")
    with pytest.raises(cs.Error, match="division by zero"):
        failing.write_parquet(tmp_path / "y.parquet")
    assert not (tmp_path / "y.parquet").exists()
    with pytest.raises(cs.Error, match="nonsense"):
        rows.write_parquet(tmp_path / "z.parquet", nonsense=1)


def test_fetchone_goes_on(con):
    relation = con.sql("SELECT * FROM range(20000) t(i)")
    found = []
    while row := relation.fetchone():
        found.append(row[0])
    assert found == list(range(20000))
    assert relation.fetchone() is None and relation.count() == 20000


def test_fields_of_null_are_null(con):
    con.register("structs", pyarrow.table({"a": [1, 2], "s": [{"x": 1}, None]}))
    assert con.sql("SELECT a, s.x FROM structs ORDER BY a").fetchall() == [(1, 1), (2, None)]
