"""Jobs refuse values of variables that would have no effect, and say what is allowed."""

import re

import pyarrow.parquet as pq
import pytest

from conftest import ROOT, SAMPLES

SCANS = ["-v", "source=read_hocr", "-v", "key=source_file", "-v", "data=content", "-v", f"input={SAMPLES}/files/"]

REFUSED = [
    ("corpus", "languages=english", "languages: unknown english"),
    ("corpus", "by_characters=ja,jp", "by_characters: unknown jp"),
    ("corpus", "ignored=list_ratio,no_such_rule", "ignored: unknown no_such_rule"),
    ("corpus", "similarity=80", "expected shares from 0 to 1, got 0.65, 80"),
    ("corpus_report", "languages=en,xx", "languages: unknown xx"),
    ("corpus_report", "statuses=2xx", "statuses: expected codes"),
    ("filter_documents", "languages=de,english", "languages: unknown english"),
    ("filter_documents", "confidence=65", "confidence: expected shares"),
    ("filter_documents", "max_short_lines=67", "max_short_lines"),
    ("filter_documents", "max_top_2_gram=-1", "max_top_2_gram"),
    ("dedup_minhash", "similarity=80", "similarity and margin: expected shares"),
    ("dedup_paragraph_near", "similarity=70", "similarity: expected shares"),
    ("decontaminate", "share=50", "share: expected shares"),
    ("template_paragraphs", "share=5", "share: expected shares"),
    ("clean_warc_ja", "kana=5", "kana and japanese: expected shares"),
    ("html_paragraph_filters", "links=40", "hiragana and links: expected shares"),
    ("hocr_cropping", "edge=1.5", "text, picture and edge: expected shares"),
    ("hocr_report", "text=30", "text, picture and edge: expected shares"),
    ("clean_chitra", "shortest=300", "shortest and longest: expected a smallest value up to the largest one, got 300 and 200"),
    ("clean_warc_ja", "longest=5", "shortest and longest"),
    ("filter_documents", "max_characters=10", "min_characters and max_characters"),
    ("filter_documents", "max_words=10", "min_words and max_words: expected a smallest value"),
    ("filter_documents", "min_words=NULL", "min_words and max_words: expected a smallest value up to the largest one, got NULL"),
    ("filter_documents", "min_word_length=11.5", "min_word_length and max_word_length"),
    ("dedup_minhash", "neighbours=0", "neighbours and compared: expected whole numbers from 1 on, got 128, 18, 7, 0, 32"),
    ("dedup_minhash", "bands=NULL", "neighbours and compared: expected whole numbers from 1 on, got 128, NULL, 7, 8, 32"),
    ("dedup_paragraph_near", "compared=0", "neighbours, compared and least: expected whole numbers from 1 on"),
    ("dedup_paragraph_near", "shortest=1.5", "short, shortest and tried: expected whole numbers from 0 on"),
    ("decontaminate", "margin=-1", "margin and max_cuts: expected whole numbers from 0 on, got -1, 10"),
    ("decontaminate", "margin=9223372036854775807", "margin and max_cuts: expected whole numbers"),
    ("pdf_tables", "sureness=80", "sureness: expected shares from 0 to 1"),
    ("pdf_invoice_columns", "bottom=24", "top, bottom and middle: expected shares"),
    ("template_paragraphs", "pages=0", "pages: expected whole numbers from 1 on"),
    ("paragraph_stats", "least=0", "least: expected whole numbers from 1 on"),
    ("clean_rm_template", "lines=-1", "lines: expected whole numbers from 0 on"),
    ("html_paragraph_filters", "most_compression=0.1", "least_compression and most_compression: expected a smallest"),
    ("hocr_cropping", "least=0", "least: expected whole numbers from 1 on"),
    ("dedup_minhash", "similarity=NULL", "similarity and margin: expected shares from 0 to 1, got NULL, 0.1"),
    ("filter_frequent_paragraphs", f"stats={SAMPLES}/documents/", "stats: a file without the columns hash and occurrences"),
    ("merge_stats", f"stats={SAMPLES}/documents/", "stats: a file without the columns hash and occurrences"),
    ("common_crawl_language", "language=ja", "ISO 639-3 in lower case such as jpn, got ja"),
]


@pytest.mark.parametrize(("job", "value", "message"), REFUSED)
def test_values_without_effect_are_refused(run, tmp_path, job, value, message):
    output = ["-v", f"output={tmp_path}/out"] if "${output" in (ROOT / "queries" / f"{job}.sql").read_text() else []
    scans = SCANS if job.startswith("hocr") else []
    ran = run("--quiet", "-f", f"queries/{job}.sql", "-v", value, *output, *scans)
    assert ran.code == 1 and message in ran.stderr, ran.stderr


@pytest.mark.parametrize("languages", ["de, en", " DE,En ", "en,de,"])
def test_lists_may_have_spaces_and_upper_case(run, tmp_path, languages):
    folder = tmp_path / "documents"
    ran = run(
        "--quiet", "-f", "queries/filter_documents.sql", "-v", f"output={folder}", "-v", f"languages={languages}"
    )
    assert ran.code == 0, ran.stderr
    plain = run(
        "--quiet", "-f", "queries/filter_documents.sql", "-v", f"output={tmp_path}/plain", "-v", "languages=de,en"
    )
    assert ran.stdout == plain.stdout
    assert pq.read_table(folder / "documents.parquet").num_rows > 0


def test_languages_of_a_model_are_not_checked(run, tmp_path):
    model = SAMPLES / "language" / "mood.bin"
    ran = run(
        "--quiet", "-f", "queries/filter_documents.sql", "-v", f"output={tmp_path}/out", "-v", "languages=happy",
        "-v", f"language_model={model}", "-v", "by_characters=",
    )
    assert ran.code == 0, ran.stderr


def test_statistics_of_another_key_are_refused(run, tmp_path):
    stats = tmp_path / "stats.parquet"
    ran = run("--quiet", "-f", "queries/paragraph_stats.sql", "-v", f"output={stats}")
    assert ran.code == 0, ran.stderr
    job = ["--quiet", "-f", "queries/filter_frequent_paragraphs.sql", "-v", f"stats={stats}", "-v", "frequency=2"]
    ran = run(*job, "-v", f"output={tmp_path}/wrong")
    assert ran.code == 1 and "add -v key=part" in ran.stderr, ran.stderr
    ran = run(*job, "-v", "key=part", "-v", f"output={tmp_path}/right")
    assert ran.code == 0, ran.stderr
    assert pq.read_table(tmp_path / "right" / "removed.parquet").num_rows > 0
    # No paragraph is that frequent, whatever the key.
    ran = run(*job[:-1], "frequency=100000", "-v", f"output={tmp_path}/none")
    assert ran.code == 0, ran.stderr


MACROS = (ROOT / "src" / "sql" / "macros" / "jobs.sql").read_text()


def listed(macro):
    body = MACROS.split(f"CREATE MACRO {macro}() AS", 1)[1].split(";", 1)[0]
    return set(re.findall(r"'([^']*)'", body))


def test_the_known_languages_are_those_of_the_detection():
    detection = ROOT / "crates" / "language" / "src" / "detect"
    labels = re.findall(rb"__label__([a-z]+)_", (detection / "model.ftz").read_bytes())
    known = {label.decode() for label in labels}
    known |= set(re.findall(r'Some\("(\w+)"\);', (detection / "script.rs").read_text()))
    known |= set(re.findall(r'language: "(\w+)"', (detection / "frequent_words.rs").read_text()))
    assert len(known) > 90 and listed("job_languages") == known


def test_the_known_rules_are_those_of_the_functions():
    quality = ROOT / "crates" / "text" / "src" / "quality"
    parts = ["gopher", "gopher_repetition", "c4", "fineweb", "characters"]
    text = "".join((quality / f"{part}.rs").read_text() for part in parts)
    rules = listed("job_quality_rules")
    assert len(rules) > 50 and all(f'"{rule}"' in text for rule in rules)
    named = {
        rule
        for path in (ROOT / "tests" / "queries").glob("*.expected")
        for rule in re.findall(r'""(gopher_\w+|top_\w+|dup\w+|\w+_ratio|too_\w+)""', path.read_text())
    }
    assert named and named <= rules


def test_ids_that_are_no_urls_count_as_one_host(run, tmp_path):
    documents = tmp_path / "documents.jsonl"
    lines = [f'{{"id": "{number}", "text": "Text {number}\\n\\nAll rights reserved."}}' for number in range(4)]
    documents.write_text("\n".join(lines))
    output = tmp_path / "templates.parquet"
    ran = run("--quiet", "-f", "queries/template_paragraphs.sql", "-v", f"input={documents}", "-v", f"output={output}")
    assert ran.code == 0, ran.stderr
    rows = pq.read_table(output, columns=["host", "pages", "text"]).to_pylist()
    assert rows == [{"host": None, "pages": 4, "text": "All rights reserved."}]
