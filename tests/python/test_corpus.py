"""From web archives to a corpus in one job: each page is kept, or removed for the expected reason."""

import random
import re

import pyarrow.parquet as pq
import pytest

from warcs import cut_response, response

NOUNS = "river bridge teacher garden winter letter market doctor village engine summer window".split()
VERBS = "found crossed painted carried opened watched mended followed visited counted".split()
WAYS = (
    "in the north,after that storm,behind old walls,slowly,with great care,as we have seen,at night,"
    "because of rain,to everybody's surprise,without a word,for many years,on their way home,"
    "under the stars,just in time"
).split(",")


# Texts with a small vocabulary repeat some sequences of words, which these rules would remove.
INVENTED = ["-v", "ignored=duplicated_5_n_grams,duplicated_6_n_grams"]


def article(seed, sentences=40):
    """An English text that breaks no rule."""
    choose = random.Random(seed)
    lines = []
    for _ in range(sentences // 4):
        line = []
        for _ in range(4):
            first, second, third = choose.sample(NOUNS, 3)
            name = "".join(choose.choices("aeioubdlmnrst", k=6)).capitalize()
            words = [f"{name} of the {first}", choose.choice(VERBS), f"that {second}"]
            words += [choose.choice(WAYS), choose.choice(["with", "and then", "for"]), f"a {third}"]
            if choose.random() < 0.5:
                words = [choose.choice(["Later", "But", "There", "Today"]), *words]
            line.append(" ".join(words) + choose.choice([".", ", be it so.", "?", " again."]))
        lines.append(" ".join(line))
    return lines


def japanese(seed):
    choose = random.Random(seed)
    kanji = "山川海空町村駅道店家花木雨雪風朝夜春夏秋冬本紙船車橋庭窓"
    words = [a + b for a in kanji for b in kanji if a != b]
    return [
        "".join(
            f"{choose.choice(words)}の{choose.choice(words)}は{choose.choice(words)}で"
            f"{choose.choice(words)}を見てから{choose.choice(words)}に行った。"
            for _ in range(3)
        )
        for _ in range(12)
    ]


def page(lines):
    paragraphs = "".join(f"<p>{line}</p>" for line in lines)
    return f"<html><head><title>A page</title></head><body><article>{paragraphs}</article></body></html>"


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    """Two archives, and the stage that should remove each page (None: it is kept)."""
    text = article(1)
    edited = list(text)
    edited[3] = edited[3].replace("river", "canal", 1)
    half = text[:5] + article(99)[:5]
    pages = [
        ("first", "http://one.example/a", "2024-01-02T00:00:00Z", text, None),
        ("first", "http://one.example/b", "2024-01-02T00:00:00Z", article(2), "same_url"),
        ("second", "http://one.example/b", "2024-02-02T00:00:00Z", article(3), None),
        ("second", "http://two.example/copy", "2024-01-02T00:00:00Z", text, "same_text"),
        ("second", "http://two.example/edited", "2024-01-02T00:00:00Z", edited, "near_duplicate"),
        ("second", "http://two.example/half", "2024-01-02T00:00:00Z", half, None),
        ("second", "http://two.example/short", "2024-01-02T00:00:00Z", ["Too short."], "quality"),
        ("second", "http://two.example/again", "2024-01-02T00:00:00Z", article(4)[:1] * 20, "quality"),
        ("second", "http://doubleclick.net/x", "2024-01-02T00:00:00Z", article(5), "blocked"),
        ("second", "http://two.example/none", "2024-01-02T00:00:00Z", [], "extract"),
        ("second", "http://two.example/ja", "2024-01-02T00:00:00Z", japanese(6), None),
        ("second", "http://two.example/error", "2024-01-02T00:00:00Z", article(7), "response"),
        ("second", "http://two.example/cut", "2024-01-02T00:00:00Z", article(8), "damaged"),
    ]
    folder = tmp_path_factory.mktemp("crawl")
    for archive in ("first", "second"):
        records = [
            cut_response(url, page(lines).encode())
            if stage == "damaged"
            else response(url, page(lines).encode(), date=date, status=404 if stage == "response" else 200)
            for name, url, date, lines, stage in pages
            if name == archive
        ]
        (folder / f"{archive}.warc.gz").write_bytes(b"".join(records))
    return folder, pages


def outcome(output):
    kept = pq.read_table(output / "corpus.parquet")
    removed = pq.read_table(output / "removed.parquet")
    return (
        sorted(zip(kept["url"].to_pylist(), (str(date)[:10] for date in kept["date"].to_pylist()))),
        sorted(
            (url, stage)
            for url, stage in zip(removed["url"].to_pylist(), removed["stage"].to_pylist())
            if stage != "lines"
        ),
    )


@pytest.mark.slow
def test_each_page_is_kept_or_removed_for_the_right_reason(run, crawl, tmp_path):
    folder, pages = crawl
    job = ["--resume", "-f", "queries/corpus.sql", "-v", f"input={folder}/", "-v", "keep=true", *INVENTED]
    ran = run(*job, "-v", f"output={tmp_path}/out")
    assert ran.code == 0, ran.stderr
    kept, removed = outcome(tmp_path / "out")
    assert kept == sorted((url, date[:10]) for _, url, date, _, stage in pages if stage is None)
    assert removed == sorted((url, stage) for _, url, _, _, stage in pages if stage is not None)

    table = pq.read_table(tmp_path / "out" / "removed.parquet").to_pylist()
    reasons = {row["url"]: row["rules"] for row in table if row["stage"] in ("damaged", "response")}
    assert reasons == {
        "http://two.example/error": ["status_404"], "http://two.example/cut": ["coding_truncated"],
    }
    kept_urls = {row["url"]: row["kept_url"] for row in table if row["kept_url"]}
    assert kept_urls == {
        "http://one.example/b": "http://one.example/b",
        "http://two.example/copy": "http://one.example/a",
        "http://two.example/edited": "http://one.example/a",
    }
    summary = pq.read_table(tmp_path / "out" / "summary.parquet").sort_by("number").to_pylist()
    counts = [(row["pages_in"], row["pages_out"]) for row in summary]
    assert counts[0][0] == len(pages) and counts[-1][1] == len(kept)
    assert all(before[1] == after[0] for before, after in zip(counts, counts[1:]))

    # Nothing is done twice.
    again = run(*job, "-v", f"output={tmp_path}/out")
    assert again.code == 0, again.stderr
    assert len(re.findall("was complete already", again.stderr)) == 12, again.stderr

    # If the output of one step is lost, it and the following steps are made again, with the same result.
    (tmp_path / "out" / "texts.parquet").unlink()
    third = run(*job, "-v", f"output={tmp_path}/out")
    assert third.code == 0, third.stderr
    assert "judged.parquet was complete already" in third.stderr
    assert outcome(tmp_path / "out") == (kept, removed)


def test_only_the_wanted_languages_are_kept(run, crawl, tmp_path):
    folder, _ = crawl
    ran = run(
        "-f", "queries/corpus.sql", "-v", f"input={folder}/", "-v", f"output={tmp_path}/out",
        "-v", "languages=ja,zh", "--threads", "1", *INVENTED,
    )
    assert ran.code == 0, ran.stderr
    kept, removed = outcome(tmp_path / "out")
    assert [url for url, _ in kept] == ["http://two.example/ja"]
    assert ("http://one.example/a", "language") in removed


def test_pages_without_a_url_are_compared_by_their_texts(run, tmp_path):
    archive, output = tmp_path / "pages.warc.gz", tmp_path / "out"
    records = [response(None, page(article(seed)).encode()) for seed in (1, 1, 2)]
    archive.write_bytes(b"".join(records))
    ran = run("-f", "queries/corpus.sql", "-v", f"input={archive}", "-v", f"output={output}", *INVENTED)
    assert ran.code == 0, ran.stderr
    assert pq.read_table(output / "corpus.parquet").num_rows == 2
    removed = pq.read_table(output / "removed.parquet")["stage"].to_pylist()
    assert [stage for stage in removed if stage != "lines"] == ["same_text"]
