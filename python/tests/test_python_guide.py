"""The Python in docs/guide/python.md prints what the guide shows (see tests/python/guides.py)."""

import guides


def test_python_in_the_guide_prints_what_it_shows(root, tmp_path, monkeypatch):
    (tmp_path / "data-samples").symlink_to(root / "data-samples")
    monkeypatch.chdir(tmp_path)
    guides.check(root / "docs/guide/python.md")
