#!/usr/bin/env python3
"""Makes corpus_sql/functions.py, so that `help()`, editors and type checkers know the functions.

    python/generate.py LIBRARY > functions.py

LIBRARY is the native library that Cargo has built. When a wheel is built, the file is generated from the documentation
in the library.
"""

import importlib.machinery
import importlib.util
import re
import sys
import textwrap
from pathlib import Path

WIDTH = 100

HEADER = '''"""The scalar functions of SQL, on values and on Arrow arrays.

Bytes and texts are documents, None is NULL, and structs are dictionaries. If an argument is an Arrow
array, from PyArrow, Polars or this package, the others are single values or arrays of the same
length, and the result is an `Array`. The settings `corpus.*` have their defaults.

This file is generated when the package is built.
"""

from typing import Any

from corpus_sql import _native

_calls = {function["name"]: function["call"] for function in _native.functions()}
'''


def load(library):
    """Import the native library without the package, because the package needs the generated file."""
    loader = importlib.machinery.ExtensionFileLoader("_native", str(library))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("_native", loader))
    loader.exec_module(module)
    return module


def parameters(syntax):
    """Return the names of required and of optional arguments."""
    inside = re.fullmatch(r"\w+\((.*)\)", syntax, re.DOTALL).group(1)
    required, _, optional = inside.partition("[")
    return re.findall(r"\w+", required), re.findall(r"\w+", optional)


def wrapped(text, indent, first=None):
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def docstring(function):
    summary, _, rest = " ".join(function["description"].split()).partition(". ")
    parts = [wrapped(summary.rstrip(".") + ".", "    ", "    ")]
    if rest:
        parts.append(wrapped(rest, "    "))
    if function["arguments"]:
        lines = [
            wrapped(f"{name}: {about}", " " * 12, " " * 8) for name, about in function["arguments"]
        ]
        parts.append("\n".join(["    Args:", *lines]))
    shape = function["shape"]
    parts.append(f"    Returns:\n        {shape}, or an Array of them if an argument is an array.")
    example = (function["example"] or "").strip().removeprefix("```sql").removesuffix("```").strip()
    if example:
        parts.append("    In SQL:\n\n" + textwrap.indent(example, " " * 8))
    text = "\n\n".join(parts)
    raw = "r" if "\\" in text else ""
    return f'    {raw}"""{text.strip()}\n    """'


def definition(function):
    name = function["name"]
    required, optional = parameters(function["syntax"])
    given = [f"{name}: object" for name in required] + [
        f"{name}: object = None" for name in optional
    ]
    head = f"def {name}({', '.join(given)}) -> Any:"
    if len(head) > WIDTH:
        head = f"def {name}(\n" + "".join(f"    {one},\n" for one in given) + ") -> Any:"
    passed = ", ".join(required + optional)
    call = f"    return _{name}({passed})"
    if len(call) > WIDTH:
        call = f"    return _{name}(\n        {passed}\n    )"
    return f'\n\n_{name} = _calls["{name}"]\n\n\n{head}\n{docstring(function)}\n{call}\n'


def source(native):
    """Return the text of functions.py."""
    functions = sorted(native.functions(), key=lambda function: function["name"])
    names = "".join(f'    "{function["name"]}",\n' for function in functions)
    head = f"{HEADER}\n__all__ = [\n{names}]\n"
    return head + "".join(definition(function) for function in functions)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(source(load(Path(sys.argv[1]).absolute())))
