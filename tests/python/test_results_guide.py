"""The Python in docs/guide/reading-results.md prints what the guide shows (see guides.py)."""

import guides


def test_python_in_the_guide_prints_what_it_shows(run, root, tmp_path, spark):
    output = tmp_path / "documents.parquet"
    job = run("-f", "queries/warc_to_document.sql", "-v", f"output={output}")
    assert job.code == 0, job.stderr

    # The folder of Spark's JVM cannot be changed.
    def prepare(code):
        return code.replace("documents.parquet", output.as_posix())

    guides.check(root / "docs/guide/reading-results.md", prepare)
