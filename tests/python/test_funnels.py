"""In each stage of a job, all documents, paragraphs and characters are either kept or reported as removed."""

import json
import random
from collections import Counter
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import ROOT, SAMPLES

TEXTS = [
    json.loads(line)["document"] for line in (SAMPLES / "documents" / "pages.jsonl").read_text().splitlines()
]
BLANK = ["", " ", "\n", "\n\n \n\n", "  \n\t\n", "\u3000"]


def random_texts(seed):
    """Texts of the samples in parts, with repetitions, changes and blanks in any place."""
    rng = random.Random(seed)

    def changed(text):
        paragraphs = [paragraph for paragraph in text.split("\n\n") if rng.random() < 0.85]
        if rng.random() < 0.4:
            paragraphs.insert(rng.randrange(len(paragraphs) + 1), rng.choice(rng.choice(TEXTS).split("\n\n")))
        if rng.random() < 0.3:
            paragraphs += rng.sample(paragraphs, min(2, len(paragraphs)))
        if rng.random() < 0.3:
            paragraphs.insert(rng.randrange(len(paragraphs) + 1), rng.choice(BLANK))
        text = "\n\n".join(paragraphs)
        if rng.random() < 0.3:
            text = text.replace(". ", ".[1] ").replace("。", "。\n")
        return text

    texts = [changed(rng.choice(TEXTS)) for _ in range(120)]
    texts += [None, None, *BLANK, *BLANK]
    texts += rng.sample(texts, 20)
    # A passage that is a whole document, except for white space.
    texts += [f"\n {text} \n" for text in rng.sample(TEXTS, 10)]
    rng.shuffle(texts)
    return texts


class Count(NamedTuple):
    documents: int = 0
    paragraphs: int = 0
    characters: int = 0

    def __add__(self, other):
        return Count(*(a + b for a, b in zip(self, other)))

    def __sub__(self, other):
        return Count(*(a - b for a, b in zip(self, other)))


def total(counts):
    return sum(counts, Count())


# The counts of one text: paragraphs and characters.


def whole(text):
    return Count(1, 0, len(text or ""))


def paragraphs(text):
    parts = [part for part in (text or "").split("\n\n") if part.strip(" ")]
    return Count(1, len(parts), sum(map(len, parts)))


def paragraphs_without_line_feeds(text):
    parts = [part for part in (text or "").split("\n\n") if part.strip(" ")]
    return Count(1, len(parts), sum(len(part.replace("\n", "")) for part in parts))


def lines(text):
    parts = text.split("\n") if text else []
    return Count(1, len(parts), sum(map(len, parts)))


def lines_that_are_not_blank(text):
    parts = [part for part in (text or "").split("\n") if part.strip(" ")]
    return Count(1, len(parts), sum(map(len, parts)))


def filtered(text):
    parts = [part for part in (text or "").split("\n") if part.strip()]
    return Count(1, len(parts), len(text or ""))


# The counts that a row of removed.parquet represents.


def removed_text(row):
    return Count(1, 0, row["characters"] or 0)


def removed_passage(row):
    return Count(0, 0, len(row["text"]))


def removed_part(row):
    return Count(0, 1, len(row["text"]))


def removed_by_filter(row):
    return Count(row["level"] == "document", row["paragraphs"], row["characters"])


def decontaminated(row):
    return Count(row["stage"] == "dropped", 0, row["characters"])


class Job(NamedTuple):
    name: str
    variables: dict
    given: callable
    kept: callable
    removed: callable = None


DEDUP = [
    Job("dedup_exact", {}, whole, whole, removed_text),
    Job("dedup_url", {}, whole, whole, removed_text),
    Job("dedup_minhash", {}, whole, whole, removed_text),
    Job("dedup_substring", {"window": "10 words"}, whole, whole, removed_passage),
    Job("dedup_paragraph_exact", {}, paragraphs, paragraphs, removed_part),
    Job("dedup_paragraph_near", {}, paragraphs, paragraphs, removed_part),
    Job("filter_frequent_paragraphs", {"frequency": "3", "count": "2", "key": "part"}, paragraphs, paragraphs, removed_part),
    Job("decontaminate", {"mode": "drop"}, whole, whole, decontaminated),
    Job("decontaminate", {"mode": "cut", "margin": "20"}, whole, whole, decontaminated),
    Job("decontaminate", {"mode": "report"}, whole, whole, decontaminated),
]
CLEANING = [
    Job("filter_documents", {}, filtered, filtered, removed_by_filter),
    Job("clean_chitra", {"lines": "2"}, lines, lines),
    Job("clean_rm_template", {"lines": "2"}, lines_that_are_not_blank, lines_that_are_not_blank),
    Job("clean_sudachi_dict", {}, lines_that_are_not_blank, lines),
    Job("clean_warc_ja", {"lines": "2"}, paragraphs_without_line_feeds, lines),
]


def test_each_job_with_a_summary_is_tested():
    with_summary = {
        path.stem for path in (ROOT / "queries").glob("*.sql") if "/summary.parquet" in path.read_text()
    }
    of_archives = {"corpus", "html_paragraph_filters"}
    assert with_summary == {job.name for job in DEDUP + CLEANING} | of_archives


def run_job(run, tmp_path, job, seed):
    texts = random_texts(seed)
    # Some pages were crawled twice.
    rows = [
        {"url": f"http://pages.example/{number // 2}", "number": number, "document": text}
        for number, text in enumerate(texts)
    ]
    path = tmp_path / "in.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    given = {"input": path, "output": tmp_path / "out", **job.variables}
    if job.name == "filter_frequent_paragraphs":
        given["stats"] = tmp_path / "stats.parquet"
        counted = ["-v", f"input={path}", "-v", f"output={given['stats']}"]
        assert run("--quiet", "-f", "queries/paragraph_stats.sql", *counted).code == 0
    arguments = [word for key, value in given.items() for word in ("-v", f"{key}={value}")]
    ran = run("--quiet", "-f", f"queries/{job.name}.sql", *arguments)
    assert ran.code == 0, ran.stderr

    def table(name):
        return pq.read_table(tmp_path / "out" / f"{name}.parquet").to_pylist()

    return rows, table


def ends(row):
    """The counts before and after a row of the summary. Some jobs have no paragraphs."""
    return tuple(
        Count(row[f"documents_{end}"], row.get(f"paragraphs_{end}") or 0, row[f"characters_{end}"])
        for end in ("in", "out")
    )


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("job", DEDUP, ids=lambda job: "-".join([job.name, *job.variables.values()]))
def test_deduplicated_documents_add_up(run, tmp_path, job, seed):
    rows, table = run_job(run, tmp_path, job, seed)
    (summary,) = table("summary")
    before, after = ends(summary)
    kept, removed = table("documents"), table("removed")
    assert before == total(job.given(row["document"]) for row in rows)
    assert after == total(job.kept(row["document"]) for row in kept)
    lost = total(job.removed(row) for row in removed)
    if job.removed in (removed_part, removed_passage):
        # Documents that are lost because all of their paragraphs and passages are removed.
        lost += total(Count(1, 0, row.get("characters", 0)) for row in table("removed_documents"))
    assert before - after == lost
    assert removed or job.variables.get("mode") == "report"


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("job", CLEANING, ids=lambda job: job.name)
def test_cleaned_documents_add_up_by_stage(run, tmp_path, job, seed):
    rows, table = run_job(run, tmp_path, job, seed)
    summary = sorted(table("summary"), key=lambda row: row["number"])
    steps = [ends(row) for row in summary]
    kept, removed = table("documents"), table("removed")
    assert steps[0][0] == total(job.given(row["document"]) for row in rows)
    assert steps[-1][1] == total(job.kept(row["document"]) for row in kept)
    assert all(one[1] == other[0] for one, other in zip(steps, steps[1:]))
    documents = Counter(row["stage"] for row in removed if row["level"] == "document")
    for row, (before, after) in zip(summary, steps):
        assert before.documents - after.documents == documents[row["stage"]], row["stage"]
        assert min(after) >= 0
        if job.removed:
            of_stage = [one for one in removed if one["stage"] == row["stage"]]
            assert before - after == total(map(job.removed, of_stage)), row["stage"]
    # Each document is kept or removed, once.
    outcomes = Counter(row["url"] for row in kept)
    outcomes.update(row["url"] for row in removed if row["level"] == "document")
    assert outcomes == Counter(row["url"] for row in rows)


def test_pages_of_a_corpus_add_up_by_stage(run, tmp_path):
    # Rules that keep more of the samples.
    ignored = "gopher_short_doc,gopher_enough_stop_words,too_few_sentences,short_line_ratio,char_dup_ratio,line_punct_ratio"
    ran = run(
        "--quiet", "-f", "queries/corpus.sql", "-v", f"output={tmp_path}/out", "-v", "confidence=0.1",
        "-v", f"ignored={ignored}",
    )
    assert ran.code == 0, ran.stderr
    summary = pq.read_table(tmp_path / "out" / "summary.parquet").sort_by("number").to_pylist()
    removed = pq.read_table(tmp_path / "out" / "removed.parquet").to_pylist()
    kept = pq.read_table(tmp_path / "out" / "corpus.parquet").to_pylist()
    pages = [text for file in (tmp_path / "out" / "pages").iterdir() for text in pq.read_table(file)["document"].to_pylist()]
    assert (summary[0]["pages_in"], summary[0]["characters_in"]) == (len(pages), sum(map(len, pages)))
    last = summary[-1]
    assert (last["pages_out"], last["characters_out"]) == (len(kept), sum(len(row["document"]) for row in kept))
    assert kept and any(row["stage"] == "lines" for row in removed)
    for row in summary:
        of_stage = [one for one in removed if one["stage"] == row["stage"]]
        assert row["characters_in"] - row["characters_out"] == sum(one["characters"] for one in of_stage)
        pages_removed = 0 if row["stage"] == "lines" else len(of_stage)
        assert row["pages_in"] - row["pages_out"] == pages_removed


def test_filtered_pages_add_up(run, tmp_path):
    ran = run("--quiet", "-f", "queries/html_paragraph_filters.sql", "-v", f"output={tmp_path}/out", "-v", "final_length=20")
    assert ran.code == 0, ran.stderr
    summary = pq.read_table(tmp_path / "out" / "summary.parquet").sort_by("number").to_pylist()
    removed = pq.read_table(tmp_path / "out" / "removed.parquet").to_pylist()
    kept = pq.read_table(tmp_path / "out" / "documents.parquet").to_pylist()
    steps = [ends(row) for row in summary]
    assert steps[-1][1].documents == len(kept)
    assert all(one[1] == other[0] for one, other in zip(steps, steps[1:]))
    documents = Counter(row["stage"] for row in removed if row["level"] == "document")
    dropped = Counter(row["stage"] for row in removed if row["level"] == "paragraph")
    for row, (before, after) in zip(summary, steps):
        assert before.documents - after.documents == documents[row["stage"]]
        if row["stage"] in ("boilerplate", "repeated"):
            assert before.paragraphs - after.paragraphs == dropped[row["stage"]]
