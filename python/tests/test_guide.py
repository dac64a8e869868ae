"""The Python in docs/guide/python.md prints what the guide shows. `UPDATE_EXPECTED=1` rewrites the output."""

import contextlib
import io
import os
import re

GUIDE = "docs/guide/python.md"

# A block of Python, and the block with its output.
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def lines(text):
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def test_python_in_the_guide_prints_what_it_shows(root, tmp_path, monkeypatch):
    (tmp_path / "data-samples").symlink_to(root / "data-samples")
    monkeypatch.chdir(tmp_path)
    path = root / GUIDE
    text = path.read_text(encoding="utf-8")
    names = {}
    wrong = []

    def shown(example):
        code, expected = example.groups()
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, GUIDE, "exec"), names)
        found = lines(printed.getvalue())
        if found != lines(expected):
            wrong.append((code, found))
        found = "".join(f"{line}\n" for line in found)
        return f"```python\n{code}```\n\n```text\n{found}```"

    updated, count = EXAMPLE.subn(shown, text)
    assert count == len(re.findall(r"^```python$", text, re.MULTILINE)) > 0
    if os.environ.get("UPDATE_EXPECTED"):
        path.write_text(updated, encoding="utf-8")
    else:
        assert not wrong
