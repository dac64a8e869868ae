"""Compares the jobs that remove similar texts with the exact similarity of all pairs of generated texts."""

import json
import re
from collections import Counter, defaultdict

import pyarrow.parquet as pq
import pytest

from conftest import ROOT
from near_duplicate_texts import (
    LONG_KINDS,
    SHORT_KINDS,
    groups_of_documents,
    groups_of_paragraphs,
    invented,
    jaccard,
    merged_pairs,
    normalize,
    score,
    shingles,
)

FAMILIES = 2


@pytest.fixture
def job(run, tmp_path):
    """Runs a job on documents; returns a function that reads the tables that it wrote."""

    def job(name, documents, threads=2, **variables):
        path = tmp_path / "in.jsonl"
        path.write_text("".join(json.dumps(document) + "\n" for document in documents))
        given = {"input": path, "output": tmp_path / "out", **variables}
        arguments = [word for key, value in given.items() for word in ("-v", f"{key}={value}")]
        done = run("--quiet", "--threads", threads, "-f", f"queries/{name}.sql", *arguments)
        assert done.code == 0, done.stderr
        return lambda table: pq.read_table(tmp_path / "out" / f"{table}.parquet").to_pylist()

    return job


def kept_documents(texts, table):
    found = list(range(len(texts)))
    for row in table("removed"):
        found[int(row["url"])] = int(row["kept_url"])
    return found


def check_groups(texts, truth, found):
    result = score(truth, found)
    assert result.precision == 1
    assert result.f1 >= 0.98
    merged, apart = merged_pairs(texts, truth, found, "halves")
    assert merged == 0 and apart > 0
    for kind in ["copies", "width_only", "case_only", "moved"]:
        numbers = [number for number, text in enumerate(texts) if text.kind == kind]
        assert score(*([groups[number] for number in numbers] for groups in (truth, found))).recall == 1


def test_similar_documents_are_found(job):
    texts = invented(3, FAMILIES, (3, 12), LONG_KINDS)
    documents = [{"url": str(number), "document": text.text} for number, text in enumerate(texts)]
    truth = groups_of_documents([normalize(text.text) for text in texts], 5, 0.8)
    table = job("dedup_minhash", documents)
    check_groups(texts, truth, kept_documents(texts, table))
    removed = {row["url"] for row in table("removed")}
    assert table("documents") and removed
    urls = Counter(row["url"] for row in table("documents"))
    assert urls == Counter(row["url"] for row in documents if row["url"] not in removed)
    assert {row["url"]: row["document"] for row in documents if row["url"] in urls} == {
        row["url"]: row["document"] for row in table("documents")
    }


def test_estimates_decide_if_no_text_is_checked(job):
    texts = invented(3, FAMILIES, (3, 12), ["edited", "reworded", "crowds"])
    documents = [{"url": str(number), "document": text.text} for number, text in enumerate(texts)]
    truth = groups_of_documents([normalize(text.text) for text in texts], 5, 0.8)
    found = kept_documents(texts, job("dedup_minhash", documents, margin=0))
    assert score(truth, found).precision < 1


@pytest.fixture
def paragraphs(job):
    """Texts as paragraphs of documents, the job's tables for them, and the paragraph kept for each."""
    texts = invented(4, FAMILIES, (1, 5), LONG_KINDS + SHORT_KINDS)
    # Of equal paragraphs only one is kept, so some documents disappear.
    copies = [text for text in texts if text.kind == "copies"]
    texts += copies
    size = 4
    starts = range(0, len(texts), size)
    parts = [[text.text for text in texts[start : start + size]] for start in starts]
    documents = [
        {"id": 7, "url": str(start), "document": "\n\n".join(part), "hash": ["x", None]}
        for start, part in zip(starts, parts)
    ]
    table = job("dedup_paragraph_near", documents, order="CAST(url AS BIGINT) DESC")
    kept = list(range(len(texts)))
    for row in table("removed"):
        place = int(row["url"]) + row["position"] - 1
        assert row["text"] == texts[place].text
        kept[place] = int(row["kept_url"]) + row["kept_position"] - 1
    return texts, size, table, kept


def test_similar_paragraphs_are_found(paragraphs):
    texts, _, _, kept = paragraphs
    check_groups(texts, groups_of_paragraphs([text.text for text in texts]), kept)


def test_paragraphs_are_taken_out_of_their_documents(paragraphs):
    texts, size, table, kept = paragraphs
    left = defaultdict(list)
    for place, text in enumerate(texts):
        if kept[place] == place:
            left[str(place - place % size)].append(text.text)
    expected = {url: "\n\n".join(parts) for url, parts in left.items()}
    documents = table("documents")
    assert {row["url"]: row["document"] for row in documents} == expected
    assert len(documents) == len(expected) < len(texts) / size
    assert list(documents[0]) == ["id", "url", "document", "hash"]
    assert all(row["id"] == 7 and row["hash"] == ["x", None] for row in documents)
    [summary] = table("summary")
    assert summary["paragraphs_in"] == len(texts)
    assert summary["paragraphs_out"] == sum(map(len, left.values()))
    assert summary["characters_out"] == sum(len(part) for parts in left.values() for part in parts)


def test_the_first_paragraph_of_a_group_is_kept(paragraphs):
    texts, size, table, kept = paragraphs

    def rank(place):
        return -(place - place % size), place

    groups = defaultdict(list)
    for place, other in enumerate(kept):
        groups[other].append(place)
    assert any(len(places) > 2 for places in groups.values())
    for first, places in groups.items():
        assert first == min(places, key=rank)
    for row in table("removed"):
        place = int(row["url"]) + row["position"] - 1
        first, other = (normalize(texts[number].text) for number in (place, kept[place]))
        length = 2 if max(len(first), len(other)) <= 30 else 4
        assert row["similarity"] == pytest.approx(jaccard(shingles(first, length), shingles(other, length)))


def test_frequencies_of_paragraphs_and_of_similar_ones(paragraphs):
    texts, _, table, kept = paragraphs
    exact, near = Counter(), Counter()
    for place, text in enumerate(texts):
        if len(text.text) >= 20:
            exact[normalize(text.text)] += 1
            near[kept[place]] += 1
    expected = Counter()
    for normal in exact:
        place = next(place for place, text in enumerate(texts) if normalize(text.text) == normal)
        if near[kept[place]] > 1:
            expected[exact[normal], near[kept[place]]] += 1
    rows = table("stats")
    assert Counter((row["occurrences"], row["near_occurrences"]) for row in rows) == expected
    totals = Counter()
    for row in rows:
        totals[row["kept_hash"]] += row["occurrences"]
    assert all(row["near_occurrences"] == totals[row["kept_hash"]] for row in rows)


# The near-duplicate paragraphs of one of uzushio's tests, which are one group.
MODELS = [
    "docomo STYLE series N-01C",
    "docomo STYLE series SH-03E",
    "4位docomo STYLE series N-01E",
    "5位docomo STYLE series N-03D",
]


def test_models_of_a_series_are_one_group(job):
    others = ["au スマートフォンの新しい機種の一覧", "docomo からのお知らせ：料金プランの改定について"]
    documents = [{"url": str(n), "document": text} for n, text in enumerate(MODELS + others)]
    table = job("dedup_paragraph_near", documents, order="url")
    assert [row["url"] for row in table("documents")] == ["0", "4", "5"]
    assert {row["kept_url"] for row in table("removed")} == {"0"}
    stats = table("stats")
    assert [(row["occurrences"], row["near_occurrences"]) for row in stats] == [(1, 4)] * 4
    assert len({row["kept_hash"] for row in stats}) == 1


def test_short_paragraphs_are_left_alone(job):
    documents = [{"url": str(number), "document": "Short.\n\nIn short."} for number in range(3)]
    table = job("dedup_paragraph_near", documents)
    assert sorted(row["document"] for row in table("documents")) == ["Short.\n\nIn short."] * 3
    assert table("removed") == table("stats") == []


NEAR_JOBS = ["dedup_minhash", "dedup_paragraph_near"]
FRAME = "この頁は皆さんの投稿でできています。 Please read the rules of this board before you post. " * 3


@pytest.mark.parametrize("name", NEAR_JOBS)
@pytest.mark.parametrize("threads", [1, 2])
def test_equal_documents_with_equal_urls(job, name, threads):
    documents = [{"url": "http://a.example/", "document": FRAME}] * 200
    table = job(name, documents, threads=threads)
    assert table("documents") == documents[:1]
    assert len(table("removed")) == 199
    assert {row["similarity"] for row in table("removed")} == {1.0}


@pytest.mark.parametrize("name", NEAR_JOBS)
def test_a_large_group_is_found_whole(job, name):
    documents = [{"url": f"{number:04}", "document": f"{FRAME}{number:04}"} for number in range(1000)]
    table = job(name, documents, order="url")
    assert table("documents") == documents[:1]
    [summary] = table("summary")
    assert summary["largest_group"] == 1000 and summary["groups"] == 1


@pytest.mark.parametrize("name", NEAR_JOBS)
def test_a_large_template_with_other_contents_is_not_merged(job, name):
    words = [f"{number * 7919:x}" for number in range(300 * 40)]
    documents = [
        {"url": f"{number:04}", "document": FRAME + " ".join(words[number * 40 : number * 40 + 40])}
        for number in range(300)
    ]
    table = job(name, documents)
    assert len(table("documents")) == 300 and table("removed") == []


@pytest.mark.parametrize("name", NEAR_JOBS)
def test_null_and_empty_texts(job, name):
    documents = [
        {"url": None, "document": FRAME},
        {"url": None, "document": FRAME},
        {"url": "a", "document": None},
        {"url": "a", "document": ""},
        {"url": "b", "document": " \n\n  "},
    ]
    table = job(name, documents)
    texts = [row["document"] for row in table("documents")]
    assert texts.count(FRAME) == 1
    assert len(texts) == (4 if name == "dedup_minhash" else 1)
    if name == "dedup_paragraph_near":
        gone = sorted((row["url"] or "", row["paragraphs"]) for row in table("removed_documents"))
        assert gone == [("", 1), ("a", 0), ("a", 0), ("b", 0)]
    assert [row["kept_url"] for row in table("removed")] == [None]


@pytest.mark.parametrize("name", NEAR_JOBS + ["dedup_exact", "dedup_url", "dedup_paragraph_exact"])
def test_all_columns_are_kept_whatever_their_names(job, name):
    written = set(re.findall(r"AS ([a-z_]+)", (ROOT / "queries" / f"{name}.sql").read_text()))
    others = {column: column for column in sorted(written - {"url", "document"})} | {"id": 5}
    documents = [{**others, "url": "a", "document": FRAME}, {"url": "b", "document": "other text"}]
    columns = {"text": "document", "id": "url"}
    table = job(name, documents, **columns, **({"shortest": 5} if name == "dedup_paragraph_near" else {}))
    rows = sorted(table("documents"), key=lambda row: row["url"])
    assert rows == [documents[0], {**dict.fromkeys(others), **documents[1]}]
