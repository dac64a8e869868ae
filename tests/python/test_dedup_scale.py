"""Deduplication of repetitive and odd documents: the results are right, and the same under a memory
limit, on any number of threads, and after a run that was killed."""

import ast
import random
import subprocess
from collections import defaultdict

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

# With this little memory, sorts and groupings of many small documents spill.
SMALL = "24MB"


def paragraph(chance):
    # A few numbers are drawn often.
    number = int(1 / (chance.random() + 0.0005))
    return f"これは{number}番目の段落です。港の朝は魚を運ぶ車の音で始まります。"


def invented_documents(count):
    """Documents of repeated paragraphs, some of them empty, missing or with the URL of another one."""
    chance = random.Random(7)
    documents = []
    for number in range(count):
        text = "\n\n".join(paragraph(chance) for _ in range(chance.randrange(0, 12)))
        url = f"https://site{number % 13}.example/{number}"
        documents.append((url, chance.choice([text, text, text, text, "", None])))
    documents += [("https://a.example/", "同じ"), ("https://a.example/", "違う"), (None, "同じ"), (None, None)]
    documents += documents[:50]
    return documents


@pytest.fixture
def job(run, root, tmp_path):
    """Runs a job; returns its kept and removed rows, sorted."""

    def job(name, path, *settings, order=None, keep=False):
        output = tmp_path / f"{name}-{len(list(tmp_path.iterdir()))}"
        variables = ["-v", f"input={path}", "-v", f"output={output}"]
        variables += ["-v", f"order={order}"] if order else []
        variables += ["-v", "keep=true"] if keep else []
        done = run(*settings, "-f", root / "queries" / f"{name}.sql", *variables)
        assert done.code == 0, done.stderr
        return rows(output)

    return job


def rows(output):
    tables = [pq.read_table(output / f"{name}.parquet").to_pylist() for name in ("documents", "removed")]
    return [sorted(map(repr, table)) for table in tables]


def write(path, documents, **columns):
    urls, texts = zip(*documents)
    table = {"url": pa.array(urls, pa.string()), "document": pa.array(texts, pa.string())}
    pq.write_table(pa.table(table | columns), path, row_group_size=500)
    return path


@pytest.fixture
def invented(tmp_path):
    return write(tmp_path / "in.parquet", invented_documents(3000))


@pytest.mark.parametrize("name", ["dedup_paragraph_exact", "clean_sudachi_dict", "clean_warc_ja"])
def test_neither_memory_nor_threads_change_the_result(job, invented, name):
    expected = job(name, invented, "--threads", 1)
    assert job(name, invented, "--threads", 4, "--memory-limit", "256MB") == expected
    assert job(name, invented, "--threads", 3, "--memory-limit", SMALL) == expected


def test_the_first_paragraph_in_the_given_order_stays(job, tmp_path):
    documents = [document for document in invented_documents(300) if document[0]]
    documents = list(dict(reversed(documents)).items())
    path = write(tmp_path / "in.parquet", documents)
    found = job("dedup_paragraph_exact", path, order="url DESC")
    seen = set()
    kept, removed = [], []
    for url, text in sorted(documents, reverse=True):
        parts = []
        for position, part in enumerate((text or "").split("\n\n"), 1):
            if part == "":
                continue
            if part in seen:
                removed.append({"url": url, "position": position, "text": part})
            else:
                seen.add(part)
                parts.append(part)
        if parts:
            kept.append({"url": url, "document": "\n\n".join(parts)})
    assert found == [sorted(map(repr, kept)), sorted(map(repr, removed))]


def test_repeated_ids_of_the_input_are_an_ordinary_column(job, tmp_path):
    documents = [("https://a.example/1", "一つ\n\n二つ"), ("https://a.example/2", "二つ\n\n三つ")]
    path = write(tmp_path / "in.parquet", documents, id=[5, 5], hashes=["x", None])
    kept, removed = job("dedup_paragraph_exact", path, order="url")
    assert kept == sorted(
        [
            "{'url': 'https://a.example/1', 'document': '一つ\\n\\n二つ', 'id': 5, 'hashes': 'x'}",
            "{'url': 'https://a.example/2', 'document': '三つ', 'id': 5, 'hashes': None}",
        ]
    )
    assert len(removed) == 1


@pytest.mark.parametrize("name", ["dedup_exact", "dedup_paragraph_exact", "dedup_minhash"])
def test_of_equal_documents_one_stays(job, tmp_path, name):
    documents = [(f"https://a.example/{number}", "どの文書も同じ文章です。") for number in range(5000)]
    kept, removed = job(name, write(tmp_path / "in.parquet", documents), "--memory-limit", "64MB")
    assert (len(kept), len(removed)) == (1, 4999)


@pytest.mark.parametrize("name", ["dedup_exact", "dedup_paragraph_exact", "dedup_minhash"])
def test_documents_without_text_are_no_duplicates(job, tmp_path, name):
    documents = [("https://a.example/", None), (None, None), ("https://b.example/", ""), (None, "一")]
    kept, removed = job(name, write(tmp_path / "in.parquet", documents * 3))
    texts = defaultdict(int)
    for row in kept:
        texts[ast.literal_eval(row)["document"]] += 1
    assert texts["一"] == (3 if name == "dedup_minhash" else 1)
    if name != "dedup_paragraph_exact":
        assert texts[None] == 6


@pytest.mark.parametrize("name", ["dedup_paragraph_exact", "dedup_minhash"])
def test_a_job_that_was_killed_can_be_run_again(job, binary, root, invented, tmp_path, name):
    expected = job(name, invented)
    first = {"dedup_paragraph_exact": "numbered", "dedup_minhash": "signed"}[name]
    output = tmp_path / "killed"
    command = [binary, "-q", "-f", root / "queries" / f"{name}.sql"]
    command += ["-v", f"input={invented}", "-v", f"output={output}"]
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while started.poll() is None and not (output / f"{first}.parquet").exists():
        pass
    started.kill()
    started.wait()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert rows(output) == expected


def test_later_statements_run_alone(job, binary, root, invented, tmp_path):
    expected = job("dedup_paragraph_exact", invented, keep=True)
    whole = next(path for path in tmp_path.iterdir() if path.name.startswith("dedup_paragraph_exact"))
    for name in ("documents", "removed", "summary"):
        (whole / f"{name}.parquet").unlink()
    script = (root / "queries" / "dedup_paragraph_exact.sql").read_text()
    rest = script[script.index("-- The join holds") :]
    (tmp_path / "rest.sql").write_text(rest)
    # The columns are those of the input.
    variables = ["-v", f"output={whole}", "-v", f"input={invented}"]
    subprocess.run([binary, "-q", "-f", tmp_path / "rest.sql", *variables], check=True)
    assert rows(whole) == expected
