"""Files of other programs, whose values or statistics are not those that this program writes."""

import datetime

import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

NAN = float("nan")


@pytest.fixture
def numbers(tmp_path):
    """Two files and a folder of numbers, where statistics of Parquet leave out NaN."""
    for name, ids, values in [("a", [1, 2], [1.0, NAN]), ("b", [3, 4], [7.0, NAN])]:
        for kind in (pa.float64(), pa.float32()):
            folder = tmp_path / str(kind)
            folder.mkdir(exist_ok=True)
            table = pa.table({"id": ids, "x": pa.array(values, kind)})
            pq.write_table(table, folder / f"{name}.parquet", write_page_index=True)
    return tmp_path


@pytest.mark.parametrize("kind", ["double", "float"])
@pytest.mark.parametrize("place", ["a.parquet", "", "*.parquet"])
def test_nan_is_not_the_only_other_number_of_a_file(rows, numbers, kind, place):
    table = f"'{numbers}/{kind}/{place}'"
    found = rows(f"SELECT id, isnan(x) AS is_nan FROM {table} ORDER BY id")
    assert [row["is_nan"] for row in found] == [False, True, False, True][: len(found)]
    assert rows(f"SELECT count(*) AS n FROM {table} WHERE x > 100")[0]["n"] == len(found) // 2


def test_the_greatest_number_is_nan(rows, numbers):
    table = f"'{numbers}/double/'"
    assert rows(f"SELECT id FROM {table} ORDER BY x DESC, id LIMIT 1") == [{"id": 2}]
    assert rows(f"SELECT isnan(max(x)) AS m, min(x) AS least FROM {table}") == [{"m": True, "least": 1.0}]
    assert rows(f"SELECT id FROM {table} WHERE x < 2") == [{"id": 1}]


def test_fields_of_null_are_null(rows, tmp_path):
    table = pa.table({
        "a": [1, 2, 3],
        "s": [{"x": 1, "l": [{"y": 5}, None]}, {"x": 2, "l": []}, None],
    })
    with pa.ipc.new_file(tmp_path / "s.arrow", table.schema) as writer:
        writer.write_table(table)
    file = f"'{tmp_path}/s.arrow'"
    assert rows(f"SELECT a, s.x AS x, s['l'] AS l FROM {file} WHERE s.x IS NULL") == [{"a": 3, "x": None, "l": None}]
    assert rows(f"SELECT s.l[2].y AS y FROM {file} WHERE a = 1") == [{"y": None}]
    assert rows(f"SELECT a FROM {file} WHERE s.x = 0") == []


@pytest.mark.parametrize("kind", [pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")])
def test_times_of_any_precision_compare(rows, tmp_path, kind):
    times = [datetime.time(8, 30), datetime.time(12), None]
    pq.write_table(pa.table({"id": [1, 2, 3], "t": pa.array(times, kind)}), tmp_path / "t.parquet")
    file = f"'{tmp_path}/t.parquet'"
    for condition in [
        "t < TIME '11:00:00'",
        "t = TIME '08:30:00'",
        "t BETWEEN TIME '08:00:00' AND TIME '09:00:00'",
        "t IN (TIME '08:30:00', TIME '09:00:00')",
        "coalesce(t, TIME '12:00:00') < TIME '09:00:00'",
        "CASE WHEN id = 1 THEN t ELSE TIME '23:00:00' END < TIME '09:00:00'",
        "t < '11:00:00'",
    ]:
        assert rows(f"SELECT id FROM {file} WHERE {condition}") == [{"id": 1}], condition
    joined = f"SELECT id FROM {file} JOIN (VALUES (TIMESTAMP '2024-01-01 08:30:00')) v(at) ON t = at::TIME"
    assert rows(joined) == [{"id": 1}]
    assert len(rows(f"SELECT t FROM {file} UNION ALL SELECT TIME '10:00:00'")) == 4


@pytest.mark.parametrize("extension", ["arrow", "parquet"])
def test_categories_are_text(run, rows, tmp_path, extension):
    words = ["a", "b", None, "a"]
    table = polars.DataFrame({
        "w": polars.Series(words, dtype=polars.Categorical),
        "e": polars.Series(words, dtype=polars.Enum(["a", "b"])),
        "l": polars.Series([[word] for word in words], dtype=polars.List(polars.Categorical)),
        "s": [{"c": word} for word in words],
    }, schema_overrides={"s": polars.Struct({"c": polars.Categorical})})
    file = tmp_path / f"in.{extension}"
    table.write_ipc(file) if extension == "arrow" else table.write_parquet(file)
    ran = run("-c", f"COPY (SELECT * FROM '{file}') TO '{tmp_path}/out.parquet'")
    assert ran.code == 0, ran.stderr
    written = pq.read_table(tmp_path / "out.parquet").to_pydict()
    assert written["w"] == written["e"] == words
    assert written["l"] == [[word] for word in words]
    assert written["s"] == [{"c": word} for word in words]
    assert rows(f"SELECT w, count(*) AS n FROM '{file}' WHERE w = 'a' GROUP BY w") == [{"w": "a", "n": 2}]


@pytest.mark.parametrize("extension", ["arrow", "parquet"])
def test_a_type_that_arrow_lacks_is_an_error(run, tmp_path, extension):
    table = polars.DataFrame({"a": [1], "long": polars.Series([[2**100]], dtype=polars.List(polars.Int128))})
    file = tmp_path / f"in.{extension}"
    table.write_ipc(file) if extension == "arrow" else table.write_parquet(file)
    for query in [f"SELECT a FROM '{file}'", f"SELECT count(*) FROM '{tmp_path}/*.{extension}'"]:
        ran = run("-c", query)
        assert ran.code == 1
        assert f"in.{extension}': the column 'long' has the Arrow type Int128" in ran.stderr
        assert "panicked" not in ran.stderr


def test_dictionaries_of_several_files_are_written_as_arrow(run, rows, tmp_path):
    for name in ["a", "b"]:
        words = pa.array([f"{name}{number}" for number in range(3)]).dictionary_encode()
        pq.write_table(pa.table({"w": words, "l": [[1]] * 3}), tmp_path / f"{name}.parquet", row_group_size=1)
    query = f"SELECT * FROM read_parquet('{tmp_path}/*.parquet')"
    rows(f"COPY ({query}) TO '{tmp_path}/copy.arrow'")
    ran = run("--quiet", "-o", tmp_path / "result.arrow", "-c", query)
    assert ran.code == 0, ran.stderr
    for name in ["copy", "result"]:
        table = pa.ipc.open_file(tmp_path / f"{name}.arrow").read_all()
        assert sorted(table["w"].to_pylist()) == ["a0", "a1", "a2", "b0", "b1", "b2"]
