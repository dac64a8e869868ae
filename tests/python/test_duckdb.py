"""Statements that DuckDB also runs: both must return the same values."""

import json
import math
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from conftest import TIMEOUT

# One statement per line, or several with semicolons, of which the last result counts.
STATEMENTS = [
    line
    for line in (Path(__file__).parent / "duckdb.sql").read_text().splitlines()
    if line and not line.startswith("--")
]

DOCUMENTS = """
    CREATE TABLE docs AS SELECT * FROM (VALUES
        (1, 'https://a.com/x', 'en', 3), (2, 'https://b.com/y', 'de', 1),
        (3, 'https://a.com/z', 'en', NULL), (4, 'https://c.org/w', 'fr', 2),
        (5, NULL, 'de', 5)) t (id, url, lang, n);
    COPY docs TO 'docs.parquet'; COPY docs TO 'docs.csv'; COPY docs TO 'docs.jsonl' (FORMAT json);
    CREATE TABLE pages AS SELECT * FROM (VALUES
        (1, 'https://a.com/x', 'First page', 'Hello world. This is a text about cats.', 'en',
         TIMESTAMP '2024-01-05 10:00:00', ['cats', 'pets'],
         [{'href': 'https://b.com', 'rel': 'nofollow'}, {'href': '/y', 'rel': NULL}],
         {'author': 'Ann', 'year': 2020}, '{"k": 1, "tags": ["a", "b"], "n": {"m": 2.5}}', [0.1, 0.2]),
        (2, 'https://b.com/y?q=1', 'Zweite Seite', 'Das ist ein Text ueber Hunde und Katzen', 'de',
         TIMESTAMP '2024-02-10 12:30:15.5', ['dogs', 'cats', 'pets'],
         [{'href': 'https://a.com/x', 'rel': 'me'}],
         {'author': 'Bob', 'year': 2021}, '{"k": 2, "tags": []}', [0.3, 0.2]),
        (3, 'https://a.com/z', NULL, '', 'en', TIMESTAMP '2024-02-11 00:00:00', [], [],
         {'author': NULL, 'year': 2020}, '{"k": null}', [1, 0]),
        (4, 'https://c.org/w', 'Trois', 'Le texte, avec des mots et des mots encore', 'fr',
         NULL, NULL, NULL, NULL, NULL, NULL))
        t (id, url, title, text, lang, date, tags, links, meta, js, emb);
    COPY pages TO 'pages.parquet';
"""

# Forms that COPY does not write.
FILES = {
    "scalars.json": "[1, 2, 3]",
    "texts.json": '["a", "b,]", null]',
    "lists.json": "[[1, 2], [3]]",
    "objects.json": '{\n  "id": 1,\n  "a": {"b": [1,\n  {"c":"d}"}]}\n}\n{\n  "id": 2, "x": null\n}\n',
    "numbers.json": '{"a": 1, "b": 1e400, "c": "1e999"}\n{"a": 2, "b": -1e400, "c": "x"}\n{"a": 3, "b": 1.5, "c": "y"}\n',
    "comma.csv": "id;price;n\n1;1,5;3\n2;2,75;4\n3;;5\n",
}

# For statements that read folders key=value.
FOLDERS = """
    COPY (SELECT id AS a, lang AS b, 2020 + n AS year, '0' || n AS month FROM 'docs.parquet' WHERE n IS NOT NULL)
        TO 'hive' (FORMAT csv, PARTITION_BY (year, month))
"""


def plain(value):
    """Returns a value as in JSON, because numbers and times have many types."""
    match value:
        case None | bool():
            return value
        case int() | float() | Decimal():
            number = float(value)
            return f"{number:.9g}" if math.isfinite(number) else str(number)
        case datetime():
            return plain(value.replace(tzinfo=None).isoformat())
        case date() | time():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case bytes():
            return value.hex()
        case list() | tuple():
            return [plain(item) for item in value]
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
        case str():
            # Python writes microseconds.
            text = re.sub(r"(T\d\d:\d\d:\d\d\.\d{3})$", r"\g<1>000", value.removesuffix("Z"))
            return text.removesuffix("T00:00:00") if len(text) == 19 else text
    return str(value)


@pytest.fixture(scope="module")
def results(binary, tmp_path_factory):
    """The rows of each statement here and in DuckDB, or the error here."""
    base = tmp_path_factory.mktemp("duckdb")

    def run(number):
        sql = STATEMENTS[number]
        folders = [base / f"{number}-{name}" for name in ("here", "duckdb")]
        for folder in folders:
            folder.mkdir()
            for name, text in FILES.items():
                (folder / name).write_text(text)
            with duckdb.connect() as connection:
                connection.execute(f"SET file_search_path = '{folder}'")
                tables = [*DOCUMENTS.split(";"), *([FOLDERS] if "hive/" in sql else [])]
                for statement in tables:
                    connection.execute(statement.replace("TO '", f"TO '{folder}/"))
        command = [binary, "-q", "--format", "ndjson", "-c", sql]
        ran = subprocess.run(
            command, cwd=folders[0], capture_output=True, text=True, timeout=TIMEOUT
        )
        with duckdb.connect() as connection:
            connection.execute(f"SET file_search_path = '{folders[1]}'")
            connection.execute("SET timezone = 'UTC'")
            if sql.startswith("COPY"):
                # DuckDB finds files in the folder, but writes them to the current one.
                sql = sql.replace(") TO '", f") TO '{folders[1]}/")
            expected = [list(map(plain, row)) for row in connection.execute(sql).fetchall()]
        if ran.returncode:
            return ran.stderr, expected
        rows = [json.loads(line) for line in ran.stdout.splitlines()]
        found = [list(map(plain, row.values())) for row in rows]
        return found[max(0, len(found) - len(expected)) :], expected

    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(run, range(len(STATEMENTS))))


@pytest.mark.parametrize("number", range(len(STATEMENTS)), ids=STATEMENTS)
def test_values_are_those_of_duckdb(results, number):
    found, expected = results[number]
    assert found == expected
