"""Runs the Python in docs/guide/reading-results.md, and compares its output with the guide.

`UPDATE_EXPECTED=1` rewrites the output there.
"""

import contextlib
import io
import os
import re

GUIDE = "docs/guide/reading-results.md"

# A block of Python, and the block with its output.
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def lines(text):
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def test_python_in_the_guide_prints_what_it_shows(run, root, tmp_path, spark):
    output = tmp_path / "documents.parquet"
    job = run("-f", "queries/warc_to_document.sql", "-v", f"output={output}")
    assert job.code == 0, job.stderr
    path = root / GUIDE
    text = path.read_text(encoding="utf-8")
    names = {}
    wrong = []

    def shown(example):
        code, expected = example.groups()
        # The folder of Spark's JVM cannot be changed.
        here = code.replace("documents.parquet", output.as_posix())
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(here, GUIDE, "exec"), names)
        found = lines(printed.getvalue())
        if found != lines(expected):
            wrong.append((code, found))
        found = "".join(f"{line}\n" for line in found)
        return f"```python\n{code}```\n\n```text\n{found}```"

    updated, count = EXAMPLE.subn(shown, text)
    assert count == text.count("```python") > 0
    if os.environ.get("UPDATE_EXPECTED"):
        path.write_text(updated, encoding="utf-8")
    else:
        assert not wrong
