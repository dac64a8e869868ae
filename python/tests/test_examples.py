"""Runs the script from which the notebook is made. `UPDATE_EXPECTED=1` rewrites the notebook."""

import json
import os
import re

SCRIPT = "warc_to_plot.py"


def notebook(script):
    """Make a notebook of a script whose cells begin with `# %%`."""
    cells = []
    parts = re.split(r"^# %%(.*)\n", script, flags=re.MULTILINE)[1:]
    for number, (kind, text) in enumerate(zip(parts[::2], parts[1::2])):
        cell = {"cell_type": "code", "execution_count": None, "outputs": []}
        if "[markdown]" in kind:
            text = re.sub(r"^# ?", "", text, flags=re.MULTILINE)
            cell = {"cell_type": "markdown"}
        cells.append({**cell, "id": f"cell-{number}", "metadata": {}, "source": text.strip().splitlines(True)})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def test_the_notebook_is_the_script_and_runs(root, tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data-samples").symlink_to(root / "data-samples")
    path = root / "python" / "examples" / SCRIPT
    script = path.read_text(encoding="utf-8")
    made = json.dumps(notebook(script), indent=1, ensure_ascii=False) + "\n"
    stored = path.with_suffix(".ipynb")
    if os.environ.get("UPDATE_EXPECTED"):
        stored.write_text(made, encoding="utf-8")
    assert stored.read_text(encoding="utf-8") == made
    names = {}
    for cell in json.loads(made)["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), SCRIPT, "exec"), names)
    assert (tmp_path / "pages.png").stat().st_size > 5000
    assert "site.example" in names["pages"]._repr_html_() and len(names["frame"]) > 5
