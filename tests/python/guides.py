"""Runs the Python in a page of the guide, and compares its output with the page.

`UPDATE_EXPECTED=1` rewrites the output there.
"""

import contextlib
import io
import os
import re

# A block of Python, and the block with its output.
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def lines(text):
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def check(path, prepare=lambda code: code):
    """Runs the blocks in the order of the page, with the same names. `prepare` changes the code."""
    text = path.read_text(encoding="utf-8")
    names = {}
    wrong = []

    def shown(example):
        code, expected = example.groups()
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(prepare(code), path.name, "exec"), names)
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
