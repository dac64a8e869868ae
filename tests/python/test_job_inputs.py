"""Jobs over documents work whatever the columns of their input are called."""

import json
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import ROOT, SAMPLES

# Columns that a job adds at the end of documents.parquet, whose names the input has already.
OWN = {"filter_documents": ["language_1", "confidence_1"]}

PAGES = [json.loads(line) for line in (SAMPLES / "documents" / "pages.jsonl").read_text().splitlines()]


def sql_of(job):
    return (ROOT / "queries" / f"{job}.sql").read_text()


JOBS = sorted(path.stem for path in (ROOT / "queries").glob("*.sql") if re.search(r"\$\{\w+\.text\}", path.read_text()))


# Jobs share macros, whose names may be those of columns, too.
MACROS = (ROOT / "src" / "sql" / "macros" / "jobs.sql").read_text()


def names_in(sql):
    """The words of a job that may be names: of tables, columns, aliases, fields and functions."""
    code = re.sub(r"--[^\n]*", " ", sql)
    strings = re.findall(r"'((?:[^']|'')*)'", code)
    # Queries in options are also SQL.
    queries = " ".join(text for text in strings if "SELECT" in text)
    code = re.sub(r"'(?:[^']|'')*'", " ", code) + queries
    return set(re.findall(r"(?<![\w$])[a-z_][a-z0-9_]*(?!\w)", code))


def inputs_of(run, job, path):
    """The variables of a job that name its input. Statistics are those of the samples."""
    names = set(re.findall(r"\$\{(\w+)\.text\}", sql_of(job)))
    variables = [word for name in sorted(names) for word in ("-v", f"{name}={path}")]
    if "${stats}" in sql_of(job):
        stats = path.with_name("stats.parquet")
        ran = run("--quiet", "-f", f"tests/queries/{job}.before.sql", "-v", f"output={stats}")
        assert ran.code == 0, ran.stderr
        variables += ["-v", f"stats={stats}"]
    return variables


def colliding_table(job):
    """Documents with a column for each name in the job."""
    names = sorted(names_in(sql_of(job) + MACROS) - {"id", "text", "meta", "date", "url"})
    # Names that a job might choose if its own were in use.
    names += [f"_{name}" for name in names if name.startswith("_")][:3]
    rows = [
        {
            "id": number,
            "date": f"2024-01-{number % 28 + 1:02}",
            "text": page["document"],
            "meta": {"source": f"source {number}", "number": number},
            "url": page["url"],
            **{name: f"{name} {number}" for name in names},
        }
        for number, page in enumerate(PAGES)
    ]
    return pa.Table.from_pylist(rows)


def test_the_names_of_jobs_are_found():
    assert len(JOBS) >= 15
    assert {"_id", "_hash", "_first_id", "characters"} <= names_in(sql_of("dedup_exact"))
    assert {"groups", "numbered", "positions"} <= names_in(MACROS)


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("key", ["url", "id"])
def test_all_columns_are_kept_whatever_they_are_called(run, tmp_path, job, key):
    table = colliding_table(job)
    path = tmp_path / "in.parquet"
    pq.write_table(table, path)
    variables = [] if key == "url" else ["-v", "id=id"]
    if "${input.id}" not in sql_of(job) and "${first.id}" not in sql_of(job):
        variables = []
    output = ["-v", f"output={tmp_path}/out"] if "${output" in sql_of(job) else []
    ran = run("--quiet", "-f", f"queries/{job}.sql", *inputs_of(run, job, path), *output, *variables)
    assert ran.code == 0, ran.stderr
    documents = tmp_path / "out" / "documents.parquet"
    if "documents.parquet'" not in sql_of(job):
        assert not documents.exists()
        return
    found = pq.read_table(documents)
    own = OWN.get(job, [])
    assert found.column_names == table.column_names + own
    given = {row["url"]: row for row in table.to_pylist()}
    assert found.num_rows > 0
    for row in found.to_pylist():
        for name, value in row.items():
            if name != "text" and name not in own:
                assert value == given[row["url"]][name], name


@pytest.mark.parametrize("job", JOBS)
def test_the_columns_with_the_text_and_the_key_can_be_named(run, tmp_path, job):
    has_key = re.search(r"\$\{\w+\.id\}", sql_of(job))
    output = "${output" in sql_of(job)
    results = []
    for number, (text, key) in enumerate([("document", "url"), ("the \"body\"", "a key")]):
        rows = [{key: page["url"], text: page["document"]} for page in PAGES]
        path = tmp_path / f"{number}.parquet"
        pq.write_table(pa.Table.from_pylist(rows), path)
        variables = ["-v", f"text={text}", *(["-v", f"id={key}"] if has_key else [])] if number else []
        # A job that does not need a key also works if no column has a usual name for it.
        target = ["-v", f"output={tmp_path}/out{number}"] if output else []
        ran = run("--quiet", "--format", "csv", "-f", f"queries/{job}.sql", *inputs_of(run, job, path), *target, *variables)
        assert ran.code == 0, ran.stderr
        documents = tmp_path / f"out{number}" / "documents.parquet"
        kept = sorted(
            (row[key], row[text]) for row in pq.read_table(documents).to_pylist()
        ) if documents.exists() else None
        results.append((ran.stdout, kept))
    assert results[0] == results[1]


def test_an_input_without_a_known_column_is_an_error(run, tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"name": "a", "body": "b"}\n')
    job = ["-f", "queries/dedup_exact.sql", "-v", f"input={path}", "-v", f"output={tmp_path}/out"]
    ran = run(*job)
    assert ran.code == 2
    assert "has no column text or content or document" in ran.stderr and "-v text=…" in ran.stderr
    assert "name, body" in ran.stderr or "body, name" in ran.stderr
    ran = run(*job, "-v", "text=body", "-v", "id=nmae")
    assert ran.code == 2 and "has no column 'nmae'" in ran.stderr
    assert not (tmp_path / "out").exists()
    ran = run(*job, "-v", "text=body", "-v", "id=name")
    assert ran.code == 0, ran.stderr


def test_steps_are_removed_at_the_end_unless_they_are_kept(run, tmp_path):
    job = ["-f", "queries/dedup_minhash.sql", "-v", f"output={tmp_path}/out/"]
    ran = run(*job)
    assert ran.code == 0, ran.stderr
    assert "//" not in ran.stderr
    results = ["documents", "largest", "removed", "sizes", "summary"]
    assert sorted(path.stem for path in (tmp_path / "out").iterdir()) == results
    assert re.search(r"\d+ files with steps removed", ran.stderr), ran.stderr
    mine = tmp_path / "out" / "mine.parquet"
    mine.write_bytes(b"mine")
    kept = run(*job, "-v", "keep=true")
    assert kept.code == 0, kept.stderr
    assert len(list((tmp_path / "out").iterdir())) > 20
    assert "with steps" not in kept.stderr
    # Only the intermediate files that this run has replaced are removed.
    again = run(*job)
    assert again.code == 0, again.stderr
    assert sorted(path.stem for path in (tmp_path / "out").iterdir()) == sorted([*results, "mine"])


def test_steps_of_a_failed_run_stay(run, tmp_path):
    sql = (
        f"COPY (SELECT 1 AS a) TO '{tmp_path}/a.parquet' STORED AS PARQUET OPTIONS (keep 'false');"
        "SELECT CAST('x' AS INT)"
    )
    assert run("-c", sql).code == 1
    assert (tmp_path / "a.parquet").exists()
    assert run("-c", sql.replace("'x'", "'1'")).code == 0
    assert not (tmp_path / "a.parquet").exists()


def test_a_step_is_a_file(fails, tmp_path):
    copy = f"COPY (SELECT 1 AS a) TO '{tmp_path}/out/' STORED AS PARQUET OPTIONS (keep '{{}}')"
    assert "needs a file" in fails(copy.format("false"))
    assert "expected 'true' or 'false'" in fails(copy.format("never"))
