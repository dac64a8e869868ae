"""Compares decontaminate.sql with a second implementation that compares all n-grams."""

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from windows import tokens

LENGTH = 6
UNIT = "normalized words"
WORDS = ["Alpha", "beta,", "—", "gámma", "DELTA", "ｅｐｓ", "ゼータ!", "eta", "theta"]


def invented(seed):
    """Items of a benchmark, and documents that quote some of them with other punctuation and letter forms."""
    chance = random.Random(seed)
    items = []
    for number in range(30):
        words = [chance.choice(WORDS) + chance.choice("123") for _ in range(chance.randrange(0, 40))]
        items.append((f"item {number}", " ".join(words)))
    items.append(("null", None))
    documents = [("https://null.example/", None), ("https://empty.example/", "")]
    for number in range(150):
        text = []
        for _ in range(chance.randrange(1, 5)):
            text += [chance.choice(WORDS) + chance.choice("4567") for _ in range(chance.randrange(60))]
            if chance.random() < 0.3:
                quoted = (chance.choice(items)[1] or "").split()
                start = chance.randrange(len(quoted) + 1)
                quote = quoted[start : start + chance.randrange(40)]
                text += [chance.choice([str.upper, str.lower])(word) for word in quote]
        joined = "".join(word + chance.choice([" ", "… ", "\n\n"]) for word in text)
        documents.append((f"https://site.example/{number}", joined))
    return items, documents


def ngrams(text):
    split = [token for _, token in tokens(text or "", UNIT)]
    return [tuple(split[at : at + LENGTH]) for at in range(len(split) - LENGTH + 1)]


def expected(items, documents, share):
    """Returns the common n-grams of each document and item, and the number of characters that they cover."""
    listed = {item: set(ngrams(text)) for item, text in items}
    pairs, covered = {}, {}
    for url, text in documents:
        found = ngrams(text)
        matched = set()
        for item, hashes in listed.items():
            common = hashes.intersection(found)
            if common and len(common) / len(hashes) >= share:
                pairs[url, item] = (len(common), len(common) / len(hashes))
                matched |= common
        if matched:
            starts = [start for start, _ in tokens(text, UNIT)] + [len(text)]
            covered[url] = {
                character
                for at, ngram in enumerate(found)
                if ngram in matched
                for character in range(starts[at], starts[at + LENGTH])
            }
    return pairs, covered


@pytest.fixture
def job(run, root, tmp_path):
    """Runs the job; returns the tables it wrote."""

    def job(items, documents, **variables):
        table = {"id": [name for name, _ in items], "text": [text for _, text in items]}
        pq.write_table(pa.table(table), tmp_path / "benchmark.parquet")
        table = {
            "url": [url for url, _ in documents],
            "document": [text for _, text in documents],
            "number": list(range(len(documents))),
        }
        pq.write_table(pa.table(table), tmp_path / "documents.parquet", row_group_size=16)
        variables = {
            "input": tmp_path / "documents.parquet",
            "benchmark": tmp_path / "benchmark.parquet",
            "output": tmp_path / "out",
            "item_text": "text",
            "ngram": f"{LENGTH} {UNIT}",
            **variables,
        }
        arguments = [part for pair in variables.items() for part in ("-v", "=".join(map(str, pair)))]
        done = run("-q", "-f", root / "queries/decontaminate.sql", *arguments)
        if done.code:
            return done.stderr
        names = ["documents", "contaminated", "passages", "items", "summary"]
        return {name: pq.read_table(tmp_path / "out" / f"{name}.parquet").to_pylist() for name in names}

    return job


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("share", [0, 0.5])
def test_contaminated_documents_are_those_of_a_comparison_of_all_ngrams(job, seed, share):
    items, documents = invented(seed)
    pairs, covered = expected(items, documents, share)
    assert 10 < len(covered) < len(documents) - 10
    tables = job(items, documents, share=share)
    found = {(row["url"], row["item"]): (row["ngrams"], row["share"]) for row in tables["contaminated"]}
    assert found == pairs
    kept = {row["number"]: (row["url"], row["document"]) for row in tables["documents"]}
    assert kept == {n: pair for n, pair in enumerate(documents) if pair[0] not in covered}

    texts = dict(documents)
    passages = {}
    for row in tables["passages"]:
        passages.setdefault(row["url"], []).extend(range(row["start"], row["end"]))
        assert row["text"] == texts[row["url"]][row["start"] : row["end"]]
        assert (row["url"], row["item"]) in pairs
    assert {url: sorted(found) for url, found in passages.items()} == {
        url: sorted(found) for url, found in covered.items()
    }

    assert {row["item"]: (row["ngrams"], row["documents"]) for row in tables["items"]} == {
        item: (len(set(ngrams(text))), sum(1 for pair in pairs if pair[1] == item))
        for item, text in items
    }
    (summary,) = tables["summary"]
    assert summary["documents_in"] == len(documents)
    assert summary["documents_out"] == len(kept)
    assert summary["contaminated"] == len(covered)


@pytest.mark.parametrize("margin", [0, 15])
def test_passages_are_cut_with_a_margin(job, margin):
    items, documents = invented(3)
    _, covered = expected(items, documents, 0)
    tables = job(items, documents, mode="cut", margin=margin, max_cuts=1000)
    kept = {}
    for number, (url, text) in enumerate(documents):
        if url in covered:
            near = range(-margin, margin + 1)
            cut = {character + by for character in covered[url] for by in near}
            text = "".join(c for at, c in enumerate(text) if at not in cut)
            if not text.strip():
                continue
        kept[number] = (url, text)
    assert {row["number"]: (row["url"], row["document"]) for row in tables["documents"]} == kept


def test_documents_with_many_passages_are_removed_and_reported_ones_stay(job):
    quote = "one two three four five six"
    items = [("a", quote), ("b", "seven eight nine ten eleven twelve")]
    documents = [("many", f"{quote} x {quote} x {quote} x"), ("once", f"x {quote} x"), ("none", "x")]
    tables = job(items, documents, mode="cut", margin=0, max_cuts=2)
    assert sorted((row["url"], row["document"]) for row in tables["documents"]) == [
        ("none", "x"),
        ("once", "x x"),
    ]
    tables = job(items, documents, mode="report")
    assert sorted((row["url"], row["document"]) for row in tables["documents"]) == sorted(documents)
    assert len(tables["contaminated"]) == 2
    assert "mode: expected drop, cut or report" in job(items, documents, mode="delete")
