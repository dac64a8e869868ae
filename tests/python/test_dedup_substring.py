"""Compares dedup_substring.sql with a second implementation that compares all windows of all documents."""

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from windows import tokens


def cover(count, length, firsts, number):
    """Returns the document in which each repeated token is kept. `firsts` has the first place of each window."""
    ranges = []
    for position, (document, first) in enumerate(firsts):
        if (document, first) != (number, position):
            start = max(position, first + length) if document == number else position
            if start < position + length:
                ranges.append((start, position + length, document))
    sources = [None] * count
    for start, end, document in sorted(ranges):
        for token in reversed(range(start, end)):
            if sources[token] is not None:
                break
            sources[token] = document
    return sources


def expected_ranges(documents, length, unit):
    """(url, start, end, url of the first) of each passage that occurred before."""
    first_places = {}
    found = []
    ordered = sorted((url, text) for url, text in documents if text)
    for number, (url, text) in enumerate(ordered):
        split = tokens(text, unit)
        firsts = []
        for position in range(len(split) - length + 1):
            window = tuple(token for _, token in split[position : position + length])
            firsts.append(first_places.setdefault(window, (number, position)))
        sources = cover(len(split), length, firsts, number)
        starts = [start for start, _ in split] + [len(text)]
        token = 0
        while token < len(split):
            end = token
            while end < len(split) and sources[end] == sources[token]:
                end += 1
            if sources[token] is not None:
                found.append((url, starts[token], starts[end], ordered[sources[token]][0]))
            token = end
    return found


def small_alphabet(seed, separators=(" ", "  ", "\n\n", "\u3000")):
    """Random texts of few words, with passages copied between and inside them."""
    chance = random.Random(seed)
    words = ["a", "bb", "日本", "ä", "C,", "c"][: chance.randrange(2, 7)]
    documents = []
    passages = [[]]
    for number in range(40):
        text = []
        for _ in range(chance.randrange(0, 8)):
            if chance.random() < 0.5:
                text += chance.choice(passages)
            else:
                text += [chance.choice(words) for _ in range(chance.randrange(1, 40))]
        for _ in range(3):
            start = chance.randrange(len(text) + 1)
            passages.append(text[start : start + chance.randrange(5, 60)])
        joined = "".join(word + chance.choice(separators) for word in text)
        documents.append((f"https://{number % 7}.example/{number:03}", joined))
    chance.shuffle(documents)
    return documents


def hostile():
    """Repetitions, runs, empty texts, and documents that are parts of others."""
    chance = random.Random(7)
    copied = " ".join(str(chance.randrange(10**6)) for _ in range(90))
    words = copied.split()
    documents = [
        ("https://a.example/empty", ""),
        ("https://a.example/null", None),
        ("https://a.example/space", " \n"),
        ("https://b.example/run", "a" * 3000),
        ("https://b.example/words", "ha " * 3000),
        ("https://b.example/period", "tick tack tock " * 400),
        ("https://c.example/once", copied),
        ("https://c.example/inside", f"{copied} and again {copied}"),
        ("https://c.example/start", " ".join(words[:60]) + " end"),
        ("https://c.example/end", "start " + " ".join(words[30:])),
        ("https://c.example/short", " ".join(words[:20])),
        ("https://c.example/z", " ".join(words[:40] + ["other"] + words[40:])),
    ]
    return documents + [(f"https://d.example/{n:04}", copied) for n in range(1000)]


CASES = {
    "words": (small_alphabet(1), 8, "words"),
    "many words": (small_alphabet(2), 25, "words"),
    "two words": (small_alphabet(3), 2, "words"),
    "one word": (small_alphabet(4), 1, "words"),
    "characters": (small_alphabet(5, [" "]), 30, "characters"),
    "normalized words": (small_alphabet(6), 9, "normalized words"),
    "normalized characters": (small_alphabet(7), 31, "normalized characters"),
    "hostile words": (hostile(), 30, "words"),
    "hostile characters": (hostile(), 50, "characters"),
}


@pytest.fixture
def job(run, root, tmp_path):
    """Runs the job on documents; returns the tables it wrote."""

    def job(documents, window, *options):
        documents = pa.table(
            {
                "url": [url for url, _ in documents],
                "document": pa.array([text for _, text in documents], pa.string()),
                "number": list(range(len(documents))),
            }
        )
        # Several row groups, so that several threads read them.
        pq.write_table(documents, tmp_path / "documents.parquet", row_group_size=16)
        output = tmp_path / "deduplicated"
        variables = [f"input={tmp_path}/documents.parquet", f"output={output}", f"window={window}"]
        arguments = [part for variable in variables for part in ("-v", variable)]
        done = run("-q", *options, "-f", root / "queries/dedup_substring.sql", *arguments)
        assert done.code == 0, done.stderr
        names = ["documents", "removed", "summary"]
        return {name: pq.read_table(output / f"{name}.parquet").to_pylist() for name in names}

    return job


@pytest.mark.parametrize("case", CASES)
def test_repeated_passages_are_those_of_a_comparison_of_all_windows(job, case):
    documents, length, unit = CASES[case]
    tables = job(documents, f"{length} {unit}")
    removed = [(row["url"], row["start"], row["end"], row["first_url"]) for row in tables["removed"]]
    expected = expected_ranges(documents, length, unit)
    assert sorted(removed) == sorted(expected)
    assert len(expected) > 5

    texts = dict(documents)
    for row in tables["removed"]:
        assert row["text"] == texts[row["url"]][row["start"] : row["end"]]
    kept = {}
    for number, (url, text) in enumerate(documents):
        ranges = sorted(row[1:3] for row in expected if row[0] == url)
        for start, end in reversed(ranges):
            text = text[:start] + text[end:]
        if not ranges or text.strip():
            kept[number] = (url, text)
    assert {row["number"]: (row["url"], row["document"]) for row in tables["documents"]} == kept

    (summary,) = tables["summary"]
    assert summary["documents_in"] == len(documents)
    assert summary["documents_out"] == len(kept)
    assert summary["characters_out"] == sum(len(text or "") for _, text in kept.values())
    assert summary["passages"] == len(expected)


def test_a_megabyte_of_one_letter_keeps_one_window(job):
    documents = [("https://a.example/1", "a" * 1_000_000), ("https://a.example/2", "a" * 500_000)]
    tables = job(documents, "100 characters", "--memory-limit", "1GB")
    assert [row["document"] for row in tables["documents"]] == ["a" * 100]
    removed = sorted((row["url"], row["start"], row["end"]) for row in tables["removed"])
    assert removed == [("https://a.example/1", 100, 1_000_000), ("https://a.example/2", 0, 500_000)]


def test_documents_without_repeats_stay_as_they_are(job):
    documents = [("https://a.example/1", "one two three"), ("https://a.example/2", None)]
    tables = job(documents, "3 words")
    assert sorted(row["number"] for row in tables["documents"]) == [0, 1]
    assert tables["removed"] == []
    (summary,) = tables["summary"]
    assert summary["characters_out"] == summary["characters_in"] == 13
