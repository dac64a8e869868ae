"""Parquet output as read by other tools: plain types and correct values."""

import gzip
import tarfile
import zipfile
from datetime import datetime, timezone

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

# The modification time of all members of the sample packages.
MEMBER_TIME = datetime(2023, 11, 14, 22, 13, 20, tzinfo=timezone.utc)


@pytest.fixture(scope="module")
def contents(samples):
    """The expected content by source_file, read with Python's own libraries."""
    files = samples / "files"
    expected = {}
    for path in files.rglob("*"):
        if path.suffix in (".hocr", ".pdf"):
            expected[str(path)] = path.read_bytes()
        elif path.name.endswith(".hocr.gz"):
            expected[str(path)] = gzip.decompress(path.read_bytes())
    book = files / "book.tar.gz"
    with tarfile.open(book) as package:
        for member in filter(tarfile.TarInfo.isfile, package):
            content = package.extractfile(member).read()
            if member.name.endswith(".gz"):
                content = gzip.decompress(content)
            expected[f"{book}!{member.name}"] = content
    papers = files / "papers.zip"
    with zipfile.ZipFile(papers) as package:
        for name in package.namelist():
            expected[f"{papers}!{name}"] = package.read(name)
    return expected


@pytest.fixture
def packed(run, tmp_path, root):
    """The samples, converted to Parquet by the query for users."""
    output = tmp_path / "packed.parquet"
    query = root / "queries" / "files_to_parquet.sql"
    ran = run("-f", query, "-v", "input=data-samples/files", "-v", f"output={output}")
    assert ran.code == 0, ran.stderr
    return output


def test_the_types_are_plain(packed):
    """There are no views and dictionaries, which old readers do not support."""
    schema = pq.read_schema(packed)
    assert {field.name: field.type for field in schema} == {
        "source_file": pa.string(),
        "size": pa.int64(),
        "modified": pa.timestamp("us", tz="UTC"),
        "content": pa.binary(),
        "error": pa.string(),
    }


def test_parquet_itself_knows_the_types(packed):
    """Readers without Arrow only see Parquet's own types."""
    schema = pq.ParquetFile(packed).schema
    types = [(schema.column(n).physical_type, schema.column(n).logical_type) for n in range(5)]
    assert [physical for physical, _ in types] == [
        "BYTE_ARRAY",
        "INT64",
        "INT64",
        "BYTE_ARRAY",
        "BYTE_ARRAY",
    ]
    assert [logical.type for _, logical in types] == ["STRING", "NONE", "TIMESTAMP", "NONE", "STRING"]


def test_pyarrow_reads_every_row(packed, contents):
    table = pq.read_table(packed).to_pylist()
    assert {row["source_file"]: row["content"] for row in table} == contents
    assert len(table) == len(contents)
    for row in table:
        assert (row["size"], row["error"]) == (len(row["content"]), None)
        if "!" in row["source_file"]:
            assert row["modified"] == MEMBER_TIME


def test_duckdb_reads_every_row(packed, contents):
    relation = duckdb.sql(f"SELECT source_file, content FROM '{packed}'")
    assert dict(relation.fetchall()) == contents
    types = duckdb.sql(f"SELECT * FROM '{packed}'").types
    assert list(map(str, types)) == [
        "VARCHAR",
        "BIGINT",
        "TIMESTAMP WITH TIME ZONE",
        "BLOB",
        "VARCHAR",
    ]
    [(members,)] = duckdb.sql(
        f"SELECT count(*) FROM '{packed}' WHERE epoch_us(modified) = 1700000000000000"
    ).fetchall()
    assert members == sum("!" in name for name in contents)


def test_what_cannot_be_read_is_a_row_with_its_error(run, root, samples, tmp_path):
    output = tmp_path / "damaged.parquet"
    query = root / "queries" / "files_to_parquet.sql"
    ran = run("-f", query, "-v", "input=data-samples/damaged", "-v", f"output={output}")
    assert ran.code == 0, ran.stderr
    table = pq.read_table(output, columns=["source_file", "error"]).to_pylist()
    packages = {row["source_file"].split("!")[0] for row in table}
    assert packages == {str(path) for path in (samples / "damaged").iterdir()}
    [cut] = [row["error"] for row in table if row["source_file"].endswith("cut.txt.gz")]
    assert cut.startswith("truncated compressed file")


@pytest.fixture
def hive(run, tmp_path):
    """A folder partitioned by the kind of file."""
    output = tmp_path / "by-kind"
    sql = f"""
        COPY (
            SELECT source_file, size,
                   regexp_match(source_file, '([a-z]+)(\\.gz)?$')[1] AS kind
            FROM read_files('data-samples/files')
        ) TO '{output}/' STORED AS PARQUET PARTITIONED BY (kind)
    """
    ran = run("-c", sql)
    assert ran.code == 0, ran.stderr
    return output


def kind_of(name):
    return name.removesuffix(".gz").rsplit(".", 1)[1]


def test_a_partitioned_folder_is_a_dataset_for_pyarrow(hive, contents):
    table = ds.dataset(hive, partitioning="hive").to_table().to_pylist()
    assert {row["source_file"]: row["kind"] for row in table} == {
        name: kind_of(name) for name in contents
    }
    assert all(row["size"] == len(contents[row["source_file"]]) for row in table)


def test_a_partitioned_folder_is_a_dataset_for_duckdb(hive, contents):
    rows = duckdb.sql(
        f"SELECT source_file, kind FROM read_parquet('{hive}/**/*.parquet', hive_partitioning = true)"
    ).fetchall()
    assert dict(rows) == {name: kind_of(name) for name in contents}
    assert len(rows) == len(contents)


def test_a_partitioned_folder_holds_its_partitions_and_nothing_else(hive, contents):
    """Readers of datasets treat every file as data."""
    kinds = {f"kind={kind_of(name)}" for name in contents}
    assert {path.name for path in hive.iterdir()} == kinds
    assert {path.suffix for path in hive.rglob("*") if path.is_file()} == {".parquet"}


def test_special_values_survive(run, tmp_path):
    """NULL differs from the empty text, bytes need not be text, and years before 1970 are valid."""
    output = tmp_path / "special.parquet"
    sql = f"""
        COPY (
            SELECT * FROM (VALUES
                (1, NULL, decode('00ff80', 'hex'), TIMESTAMP '1890-06-01 12:00:00'),
                (2, '', decode('', 'hex'), TIMESTAMP '2024-02-29 23:59:59.123456'),
                (3, '日本語 🦆', NULL, NULL)
            ) AS v(n, text, bytes, time) ORDER BY n
        ) TO '{output}'
    """
    ran = run("-c", sql)
    assert ran.code == 0, ran.stderr
    expected = [
        (1, None, b"\x00\xff\x80", datetime(1890, 6, 1, 12)),
        (2, "", b"", datetime(2024, 2, 29, 23, 59, 59, 123456)),
        (3, "日本語 🦆", None, None),
    ]
    read = pq.read_table(output)
    read = read.set_column(3, "time", read["time"].cast(pa.timestamp("us")))
    assert [tuple(row.values()) for row in read.to_pylist()] == expected
    assert duckdb.sql(f"SELECT n, text, bytes, time::TIMESTAMP FROM '{output}'").fetchall() == expected


@pytest.mark.parametrize("setting, unit", [(None, "us"), ("nanoseconds", "ns")])
def test_times_are_in_the_unit_of_the_setting(run, tmp_path, setting, unit):
    """Spark cannot read nanoseconds, also inside lists and structs."""
    output = tmp_path / "times.parquet"
    change = f"SET corpus.parquet_timestamps = '{setting}';" if setting else ""
    sql = f"""
        {change}
        COPY (
            SELECT TIMESTAMP(9) '2024-02-29 23:59:59.123456789' AS time,
                [TIMESTAMP(9) '1890-06-01 12:00:00'] AS list,
                named_struct('at', TIMESTAMP(9) '2024-01-01 00:00:00', 'n', 1) AS struct
            ORDER BY time
        ) TO '{output}'
    """
    ran = run("-c", sql)
    assert ran.code == 0, ran.stderr
    schema = pq.read_schema(output)
    assert schema.field("time").type == pa.timestamp(unit)
    assert schema.field("list").type.value_type == pa.timestamp(unit)
    assert schema.field("struct").type.field("at").type == pa.timestamp(unit)
    table = pq.read_table(output)
    fraction = {"us": 123456000, "ns": 123456789}[unit]
    time = table["time"].cast(pa.timestamp("ns")).cast(pa.int64())[0].as_py()
    assert time % 1_000_000_000 == fraction
    assert table["list"][0].as_py()[0] == datetime(1890, 6, 1, 12)
    assert table["struct"][0].as_py()["n"] == 1


@pytest.mark.parametrize("rows", [0, 300_000])
def test_empty_and_large_results_are_complete(run, tmp_path, rows):
    output = tmp_path / "many.parquet"
    sql = f"""
        COPY (SELECT value AS n, 'row ' || value AS t FROM generate_series(1, {rows}))
        TO '{output}'
    """
    ran = run("-c", sql)
    assert ran.code == 0, ran.stderr
    table = pq.read_table(output)
    assert table.schema.names == ["n", "t"]
    assert table.schema.field("t").type == pa.string()
    assert pc.sum(table["n"]).as_py() in (rows * (rows + 1) // 2, None)
    assert table.num_rows == rows
