"""The parts of a scan, which Spark and Ray read in tasks, have the rows of the whole scan."""

import gzip
from itertools import chain

import pytest
import warcs

import corpus_sql as cs
from corpus_sql._sources import Scan


def rows(*scans):
    return sorted(map(repr, chain.from_iterable(scan.relation().fetchall() for scan in scans)))


def rows_of(relation):
    return sorted(map(repr, relation.fetchall()))


def splits(format, location, size, **options):
    return Scan(format, str(location), {**options, "split_bytes": str(size)}).splits()


def ranges(scans):
    return [scan.options.get("range") for scan in scans]


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A folder with files of all formats that can be divided."""
    folder = tmp_path_factory.mktemp("large")
    pages = [warcs.response(f"http://a.example/{n}", b"<p>" + b"word %d " % n * (n % 50)) for n in range(200)]
    (folder / "pages.warc.gz").write_bytes(b"".join(pages))
    (folder / "plain.warc").write_bytes(b"".join(map(gzip.decompress, pages)))
    lines = "".join(f'{{"n": {n}, "text": "{"é" * (n % 90)}"}}\n' for n in range(500)) + "the last one has no end"
    (folder / "lines.jsonl").write_text(lines, encoding="utf-8")
    with gzip.open(folder / "lines.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(lines)
    for codec in ["deflate", "snappy"]:
        cs.sql(
            f"""COPY (SELECT cast(value AS text) AS key, sha512(cast(value AS text)) AS value
                      FROM generate_series(1, 60000))
                TO '{folder}/{codec}.seq' STORED AS SEQUENCEFILE
                OPTIONS ('codec' '{codec}')"""
        )
    return folder


@pytest.mark.parametrize(
    ("format", "name"),
    [
        ("warc", "pages.warc.gz"),
        ("warc", "plain.warc"),
        ("documents", "pages.warc.gz"),
        ("lines", "lines.jsonl"),
        ("sequencefile", "deflate.seq"),
        ("sequencefile", "snappy.seq"),
    ],
)
def test_ranges_of_a_file_have_its_rows(large, format, name):
    whole = Scan(format, str(large / name))
    expected = rows(whole)
    assert len(expected) >= 200
    size = (large / name).stat().st_size
    for count in [2, 3, 7, 16]:
        parts = splits(format, large / name, -(-size // count))
        assert len(parts) == count and None not in ranges(parts), ranges(parts)
        found = [rows(part) for part in parts]
        assert sorted(chain.from_iterable(found)) == expected
        assert count > 7 or sum(map(bool, found)) > 1, "one range has all rows"


@pytest.mark.parametrize(
    ("format", "path"),
    [
        ("warc", "damaged-warc/cut.warc.gz"),
        ("warc", "damaged-warc/garbled.warc.gz"),
        ("warc", "damaged-warc/length.warc"),
        ("sequencefile", "damaged-sequence/cut.seq"),
        ("mediawiki", "damaged-wiki/cut.xml"),
    ],
)
def test_damage_is_in_one_range(samples, format, path):
    for size in [50, 333, 1000]:
        parts = splits(format, samples / path, size)
        assert len(parts) > 1
        assert rows(*parts) == rows(Scan(format, str(samples / path)))


def test_files_that_cannot_be_divided_stay_whole(large, samples):
    for format, path in [("lines", large / "lines.jsonl.gz"), ("files", large / "lines.jsonl"), ("pdf", samples / "pdf")]:
        whole = Scan(format, str(path))
        parts = splits(format, path, 10)
        assert ranges(parts) == [None] * len(whole.relation().files())
        assert rows(*parts) == rows(whole)


def test_small_files_are_not_divided(large):
    assert ranges(Scan("lines", str(large / "lines.jsonl")).splits()) == [None]


def test_columns_of_folders_are_kept(tmp_path):
    for year in [2023, 2024]:
        folder = tmp_path / f"it's year={year}" / f"year={year}"
        folder.mkdir(parents=True)
        (folder / "a[1].txt").write_text(f"{year}\n" * 20)
    whole = Scan("lines", str(tmp_path))
    assert "year" in whole.relation().columns
    for location in [tmp_path, tmp_path / "*" / "year=*" / "*.txt"]:
        parts = splits("lines", location, 50)
        assert len(parts) == 4
        assert rows(*parts) == rows(Scan("lines", str(location)))
    listed = Scan("lines", [str(tmp_path / f"it's year={year}") for year in [2023, 2024]], {"split_bytes": "50"})
    assert len(listed.splits()) == 4
    assert rows(*listed.splits()) == rows(listed)


def test_columns_have_the_types_of_the_whole(tmp_path):
    for name, key in [("a", "cast(value AS text)"), ("b", "value")]:
        cs.sql(
            f"""COPY (SELECT {key} AS key, 'x' AS value FROM generate_series(1, 1000))
                TO '{tmp_path}/{name}.seq' STORED AS SEQUENCEFILE"""
        )
    size = (tmp_path / "a.seq").stat().st_size // 2
    whole = Scan("sequencefile", str(tmp_path))
    parts = splits("sequencefile", tmp_path, size)
    assert len(parts) > 2
    assert {str(part.relation().schema) for part in parts} == {str(whole.relation().schema)}
    assert rows(*parts) == rows(whole)


def test_lists_of_files_are_divided_and_indexes_are_not(samples):
    listed = {"paths": str(samples / "common-crawl" / "warc.paths.gz")}
    parts = splits("warc", samples, 2000, **listed)
    assert len(parts) > 2 and None not in ranges(parts)
    assert rows(*parts) == rows(Scan("warc", str(samples), listed))
    # A path outside the location is an error row that belongs to no file.
    faulty = {"paths": "VALUES ('web/site.warc.gz'), ('s3://elsewhere/x.warc')"}
    parts = splits("warc", samples, 2000, **faulty)
    assert parts[0].options["paths"] == faulty["paths"] and len(parts) == 1
    assert rows(*parts) == rows(Scan("warc", str(samples), faulty))
    chosen = {"records": "SELECT 'web/site.warc.gz' AS filename, 0 AS \"offset\", 100 AS length"}
    parts = splits("warc", samples, 2000, **chosen)
    assert len(parts) == 1 and len(rows(*parts)) == 1


def test_a_part_of_a_part_is_a_part(large):
    size = (large / "lines.jsonl").stat().st_size
    whole = Scan("lines", str(large / "lines.jsonl"), {"range": f"1000-{size // 2}"})
    parts = splits("lines", large / "lines.jsonl", 3000, range=f"1000-{size // 2}")
    assert len(parts) > 2 and 0 < len(rows(whole)) < 400
    assert rows(*parts) == rows(whole)


def test_a_copy_that_continues_reads_the_part_only(large, tmp_path):
    session = cs.connect(resume=True)
    size = (large / "lines.jsonl").stat().st_size
    written = 0
    for cut in [f"0-{size // 3}", f"{size // 3}-{size}"]:
        sql = "SELECT * FROM read_lines($file, 'range', $cut)"
        part = session.sql(sql, {"file": large / "lines.jsonl", "cut": cut})
        assert 0 < part.write_parquet(f"{tmp_path}/{cut}/") < 400
        found = session.sql(f"SELECT * FROM '{tmp_path}/{cut}/'")
        assert rows_of(found) == rows_of(part)
        written += found.count()
    assert written == 501


def test_mistakes_have_a_message(large):
    with pytest.raises(ValueError, match="split_bytes"):
        splits("lines", large / "lines.jsonl", "all")
    with pytest.raises(cs.SqlError, match="START-END"):
        cs.sql("SELECT * FROM read_lines($file, 'range', '5')", {"file": large / "lines.jsonl"})
    with pytest.raises(cs.SqlError, match="single file"):
        cs.sql("SELECT * FROM read_lines($file, 'range', '0-5')", {"file": large})
    with pytest.raises(cs.SqlError, match="range"):
        cs.sql("SELECT * FROM read_files($file, 'range', '0-5')", {"file": large})
