"""Datasets of Ray."""

import pytest
import warcs

ray = pytest.importorskip("ray", reason="Ray is not installed")

import corpus_sql as cs  # noqa: E402
from corpus_sql import ray as corpus_ray  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100_000_000)
    yield
    ray.shutdown()


def test_sources_give_the_rows_of_sql(con, samples):
    folder = str(samples / "web")
    dataset = corpus_ray.read_warc(
        folder,
        columns=["target_uri", "body"],
        where="warc_type = $type",
        params={"type": "response"},
    )
    expected = con.sql(
        "SELECT target_uri, body FROM read_warc($folder) WHERE warc_type = 'response'", {"folder": folder}
    )
    found = [(row["target_uri"], row["body"]) for row in dataset.take_all()]
    assert sorted(found) == sorted(expected.fetchall()) and len(found) > 10
    texts = dataset.map_batches(
        lambda batch: batch.append_column("host", cs.url_host(batch["target_uri"])), batch_format="pyarrow"
    )
    assert {row["host"] for row in texts.take_all()} == {cs.url_host(uri) for uri, _ in found}
    assert corpus_ray.read("pdf", str(samples / "pdf"), columns=["source_file"]).count() == con.sql(
        "SELECT * FROM read_pdf($folder)", {"folder": samples / "pdf"}
    ).count()


def test_large_files_are_several_tasks(tmp_path):
    pages = [warcs.response(f"http://a.example/{n}", b"x" * (n % 90)) for n in range(300)]
    (tmp_path / "a.warc.gz").write_bytes(b"".join(pages))
    whole = corpus_ray.read_warc(str(tmp_path), columns=["target_uri"])
    divided = corpus_ray.read_warc(str(tmp_path), columns=["target_uri"], split_bytes=10_000)
    assert whole.materialize().num_blocks() == 1
    assert divided.materialize().num_blocks() > 3
    found = sorted(row["target_uri"] for row in divided.take_all())
    assert found == sorted(f"http://a.example/{n}" for n in range(300))


def test_mistakes_are_found_before_a_task_runs(samples):
    with pytest.raises(ValueError, match="warc"):
        corpus_ray.read("wrac", str(samples))
    with pytest.raises(cs.SqlError, match="oops"):
        corpus_ray.read_warc(str(samples / "web"), where="oops = 1")
    with pytest.raises(cs.IoError, match="nowhere"):
        corpus_ray.read_warc("nowhere/")
