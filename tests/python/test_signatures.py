"""The programs in crates/dedup/SIGNATURES.md compute the same values as the functions."""

import json
import re

import pytest

TEXTS = [
    "The quick brown fox jumps over the lazy dog, and the quick brown fox jumps over the fence.",
    "これは日本語の文書です。重複した段落を探します。𠮷野家の𩸽。",
    "a a a a a a a a a a a a",
    "short",
    "",
    "naïve  café\twith\nodd white\u3000space — twice: naïve  café\twith\nodd white\u3000space",
]


@pytest.fixture(scope="module")
def programs(root):
    text = (root / "crates" / "dedup" / "SIGNATURES.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 2
    names = {}
    for block in blocks:
        exec(block, names)
    return names


@pytest.fixture
def values_of(rows, tmp_path):
    """The values of an SQL expression for all texts."""
    file = tmp_path / "texts.ndjson"
    lines = (json.dumps({"id": id, "text": text}) for id, text in enumerate(TEXTS))
    file.write_text("\n".join(lines), encoding="utf-8")

    def values_of(expression):
        found = rows(f"SELECT {expression} AS value FROM '{file}' ORDER BY id")
        return [row["value"] for row in found]

    return values_of


@pytest.mark.parametrize(("length", "bins"), [(5, 128), (1, 8), (12, 300)])
def test_minhash(programs, values_of, length, bins):
    found = values_of(f"minhash(text, '{length} characters', {bins})")
    assert found == [programs["minhash"](text, length, bins) for text in TEXTS]


@pytest.mark.parametrize(("length", "unit"), [(4, "words"), (5, "characters"), (1, "words")])
def test_windows(programs, values_of, length, unit):
    window = f"'{length} {unit}'"
    hashes = values_of(
        f"array_transform(text_windows(text, {window}), w -> encode(w['hash'], 'hex'))"
    )
    expected = [programs["windows"](text, length, unit) for text in TEXTS]
    assert hashes == [[f"{hash:032x}" for hash in of_text] for of_text in expected]

    found = values_of(f"text_fingerprints(text, {window})")
    expected = [programs["fingerprints"](text, length, unit) for text in TEXTS]
    assert [[number % 2**64 for number in of_text] for of_text in found] == [
        list(of_text) for of_text in expected
    ]
