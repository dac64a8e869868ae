"""Compares the cleaning jobs with a second implementation of their rules, on generated documents."""

import random
import re
import unicodedata
from collections import Counter, defaultdict

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

FORBIDDEN = "禁止語"
TEMPLATES = ["コメントを書く", "次の記事へ\n前の記事へ"]

SENTENCES = [
    "港の朝は魚を運ぶ車の音で始まります。",
    "図書館は駅の北側にあり、夜まで開いています。",
    "𠮷野さんは新しい橋を渡って学校に通っています。",
    "短い",
    "。",
    "",
    "　",
    "川の長さは四十キロである[12]とされる[要出典]。",
    "連絡先は info@mail.example です。",
    "写真は https://photo.example/a?b=c にあります。",
    "ftp://files.example/ にある古い資料を読みました。",
    "見えない\u200b文字と\x07制御文字がある文です。",
    "広い　空白と\tタブと  空白がある文です。",
    "function show() { return 1; } // の文です。",
    "A | B | C と並んだ表のような文です。",
    f"この文には「{FORBIDDEN}」があるのでだめです。",
    "This line is English and has no kana at all.",
    "あ" * 201,
    "𠮷" * 101,
    "コメントを書く",
    "次の記事へ",
    "前の記事へ",
]


def invented_documents(seed):
    """Documents of random sentences. Some lines, paragraphs and documents repeat."""
    chance = random.Random(seed)
    paragraphs = []
    for _ in range(120):
        lines = []
        for _ in range(chance.randrange(1, 9)):
            lines.append(chance.choice(SENTENCES))
            if chance.random() < 0.2:
                lines.append(lines[-1])
        paragraphs.append("\n".join(lines))
    documents = [("https://empty.example/", ""), ("https://null.example/", None)]
    for number in range(200):
        count = chance.randrange(1, 6)
        text = "\n\n".join(chance.choice(paragraphs) for _ in range(count))
        documents.append((f"https://site{number % 17}.example/{number}", text))
    documents.append(documents[5])
    return documents


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


def normalize(line):
    """The characters and white space of uzushio's `chitra`."""
    kept = []
    for character in line:
        category = unicodedata.category(character)
        if character == " " or category[0] not in "CZ":
            kept.append(character)
    return re.sub(r"[\s\u3000]+", " ", "".join(kept))


def remove_citations(line):
    return re.sub(r"\[\d+\]|\[要[^\]]*\]", "", line)


def join_short(lines):
    joined = []
    for line in lines:
        if joined and len(line) <= 2:
            joined[-1] += line
        else:
            joined.append(line)
    return joined


def line_stage(line):
    if re.search(r"[\w-]+@[\w-]+\.[\w.-]+", line):
        return "remove_email"
    if re.search(r"(https?|sftp?)://[\w/:%#$&?()~.=+-]+", line):
        return "remove_url"
    if not 10 <= utf16(line) <= 200:
        return "filter_by_sentence_length"
    return None


def document_stage(lines):
    if len(lines) < 5:
        return "remove_short_document"
    if any(re.search("[{}|]", line) for line in lines):
        return "remove_script_document"
    if any(FORBIDDEN in line for line in lines):
        return "remove_ng_word_document"
    return None


def chitra(lines):
    """Returns the kept lines, the stages of dropped lines, and the stage that drops the document."""
    removed = Counter()
    kept = []
    for line in join_short([normalize(remove_citations(line)) for line in lines]):
        stage = line_stage(line)
        if stage:
            removed[stage, line] += 1
        else:
            kept.append(line)
    return kept, removed, document_stage(kept)


def drop_templates(lines):
    """Returns the kept lines and the dropped ones: repeated lines, then passages of the list."""
    removed = Counter()
    different = []
    for number, line in enumerate(lines):
        if number and line == lines[number - 1]:
            removed["deduplicate_repeating_sentence", line] += 1
        else:
            different.append(line)
    kept = []
    place = 0
    while place < len(different):
        for template in sorted(TEMPLATES, key=len, reverse=True):
            passage = template.split("\n")
            if different[place : place + len(passage)] == passage:
                removed["remove_substring", template] += 1
                place += len(passage)
                break
        else:
            kept.append(different[place])
            place += 1
    return kept, removed


@pytest.fixture(params=[1, 2])
def job(request, run, tmp_path):
    """Runs a job on generated documents; returns these and the tables that it wrote."""
    documents = invented_documents(request.param)
    table = {"url": [url for url, _ in documents], "document": [text for _, text in documents]}
    pq.write_table(pa.table(table), tmp_path / "in.parquet")
    (tmp_path / "words.txt").write_text(FORBIDDEN)
    (tmp_path / "templates.txt").write_text("\n\n".join(TEMPLATES))
    variables = {
        "input": tmp_path / "in.parquet",
        "output": tmp_path / "out",
        "characters": "uzushio",
        "length": "text_characters(line)['utf16']",
        "script": r"[\x7b\x7d|]",
        "ng_words": tmp_path / "words.txt",
        "templates": tmp_path / "templates.txt",
    }

    def job(name):
        file = f"queries/{name}.sql"
        text = open(file).read()
        args = []
        for variable, value in variables.items():
            if f"${{{variable}" in text:
                args += ["-v", f"{variable}={value}"]
        done = run("--threads", 2, "-f", file, *args)
        assert done.code == 0, done.stderr
        tables = {
            table: pq.read_table(tmp_path / "out" / f"{table}.parquet").to_pylist()
            for table in ["documents", "removed", "summary"]
        }
        return documents, tables

    return job


def removed_paragraphs(tables):
    """Returns the paragraphs dropped from each URL, by stage."""
    found = defaultdict(Counter)
    for row in tables["removed"]:
        if row["level"] == "paragraph":
            found[row["url"]][row["stage"], row["text"]] += 1
    return found


def removed_documents(tables):
    rows = [row for row in tables["removed"] if row["level"] == "document"]
    return Counter((row["url"], row["stage"]) for row in rows)


def check_summary(documents, tables):
    """Checks that the numbers in the summary agree with the other tables."""
    summary = tables["summary"]
    assert summary[0]["documents_in"] == len(documents)
    assert summary[-1]["documents_out"] == len(tables["documents"])
    kept = [row["document"].split("\n") for row in tables["documents"]]
    assert summary[-1]["paragraphs_out"] == sum(map(len, kept))
    assert summary[-1]["characters_out"] == sum(len("".join(lines)) for lines in kept)
    dropped = Counter(stage for _, stage in removed_documents(tables).elements())
    for row, after in zip(summary, summary[1:]):
        for measure in ["documents", "paragraphs", "characters"]:
            assert row[f"{measure}_out"] == after[f"{measure}_in"]
    for row in summary:
        assert row["documents_in"] - row["documents_out"] == dropped[row["stage"]]


def test_chitra(job):
    documents, tables = job("clean_chitra")
    expected, dropped, removed = Counter(), Counter(), defaultdict(Counter)
    for url, text in documents:
        kept, lines, stage = chitra((text or "").split("\n") if text else [])
        removed[url] += lines
        if stage:
            dropped[url, stage] += 1
        else:
            expected[url, "\n".join(kept)] += 1
    assert len(expected) > 5 and len(set(stage for _, stage in dropped)) == 3
    assert Counter((row["url"], row["document"]) for row in tables["documents"]) == expected
    assert removed_documents(tables) == dropped
    assert removed_paragraphs(tables) == {url: lines for url, lines in removed.items() if lines}
    check_summary(documents, tables)


def test_rm_template(job):
    documents, tables = job("clean_rm_template")
    duplicates = Counter(text or "" for _, text in documents)
    dropped = removed_documents(tables)
    by_stage = Counter(stage for _, stage in dropped.elements())
    assert by_stage["deduplicate_element"] == len(documents) - len(duplicates) > 0
    removed = removed_paragraphs(tables)
    texts = dict(documents)
    for row in tables["documents"]:
        lines = [line for line in texts[row["url"]].split("\n") if line.strip(" ")]
        kept, expected = drop_templates(lines)
        assert len(kept) >= 5
        assert row["document"] == "\n".join(kept)
        assert removed[row["url"]] == expected
    for (url, stage), _ in dropped.items():
        lines = [line for line in (texts[url] or "").split("\n") if line.strip(" ")]
        assert stage == "deduplicate_element" or len(drop_templates(lines)[0]) < 5
    check_summary(documents, tables)


def test_sudachi_dict(job):
    documents, tables = job("clean_sudachi_dict")
    kept = [line for row in tables["documents"] for line in row["document"].split("\n")]
    assert len(kept) == len(set(kept)), "a line is kept twice"
    expected = set()
    for _, text in documents:
        for line in (text or "").split("\n"):
            if line.strip(" "):
                expected.add(normalize(line))
    assert set(kept) == expected
    check_summary(documents, tables)


def is_japanese(paragraph):
    kana = len(re.findall("[\u3040-\u30ff]", paragraph))
    han = len(re.findall("[\u4e00-\u9fff]", paragraph))
    length = utf16(paragraph)
    return length > 0 and kana / length > 0.05 and (kana + han) / length > 0.7


@pytest.mark.slow
def test_warc_ja(job):
    documents, tables = job("clean_warc_ja")
    removed = removed_paragraphs(tables)
    dropped = removed_documents(tables)
    # Each Japanese paragraph is kept once in the whole corpus.
    everywhere = Counter()
    for _, text in documents:
        parts = [part for part in (text or "").split("\n\n") if part.strip(" ")]
        everywhere.update(part for part in parts if is_japanese(part))
    repeated = Counter()
    for stages in removed.values():
        for (stage, text), count in stages.items():
            if stage == "deduplicate_element":
                repeated[text] += count
    assert repeated == Counter({text: count - 1 for text, count in everywhere.items() if count > 1})
    # The further stages depend on which of them is kept.
    expected = Counter()
    urls = Counter(url for url, _ in documents)
    for url, text in documents:
        if urls[url] > 1:
            continue
        parts = [part for part in (text or "").split("\n\n") if part.strip(" ")]
        foreign = Counter(("filter_japanese", part) for part in parts if not is_japanese(part))
        assert Counter({k: n for k, n in removed[url].items() if k[0] == "filter_japanese"}) == foreign
        parts = [part for part in parts if is_japanese(part)]
        for (stage, part), count in removed[url].items():
            if stage == "deduplicate_element":
                # The later ones of a document are repeated.
                for _ in range(count):
                    parts.reverse()
                    parts.remove(part)
                    parts.reverse()
        lines = "\n".join(parts).split("\n") if parts else []
        if len(lines) < 5:
            assert dropped[url, "remove_short_document"] == 1
            continue
        kept, _, stage = chitra(lines)
        if stage:
            again = "_again" if stage == "remove_short_document" else ""
            assert dropped[url, stage + again] == 1
            continue
        kept, _ = drop_templates(kept)
        if len(kept) < 5:
            assert dropped[url, "remove_short_document_at_end"] == 1
        else:
            expected[url, "\n".join(kept)] += 1
    found = Counter((row["url"], row["document"]) for row in tables["documents"])
    assert {key: count for key, count in found.items() if urls[key[0]] == 1} == expected
    check_summary(documents, tables)
