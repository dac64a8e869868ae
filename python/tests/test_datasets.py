"""Data sets of Hugging Face."""

import datasets
import pyarrow
import pytest

import corpus_sql as cs


@pytest.fixture(autouse=True)
def no_bars(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    datasets.disable_progress_bars()


@pytest.fixture
def pages(con, samples):
    return con.sql(
        """SELECT target_uri AS url, html_main_text(http['body'], http['charset']) AS text, http['status'] AS status
           FROM (SELECT target_uri, http_response(body) AS http FROM read_warc($folder) WHERE warc_type = 'response')
           ORDER BY url""",
        {"folder": samples / "web"},
    )


def rows_of(sql):
    for batch in cs.sql(sql):
        yield from batch.to_pylist()


def test_a_result_is_a_data_set(pages):
    dataset = datasets.Dataset(pyarrow.table(pages))
    assert dataset.column_names == ["url", "text", "status"]
    assert [tuple(row.values()) for row in dataset] == pages.fetchall() and len(dataset) > 10


def test_rows_of_a_generator_become_a_data_set(con, pages, tmp_path):
    # Without a fingerprint, the library would pickle the generator of a data set.
    def rows():
        for batch in pages:
            yield from batch.to_pylist()

    dataset = datasets.Dataset.from_generator(rows, fingerprint="pages", cache_dir=str(tmp_path))
    assert [tuple(row.values()) for row in dataset] == pages.fetchall()
    dataset.to_parquet(tmp_path / "pages.parquet")
    kwargs = {"sql": f"SELECT * FROM '{tmp_path}/pages.parquet' ORDER BY url"}
    streamed = datasets.IterableDataset.from_generator(rows_of, gen_kwargs=kwargs).take(3)
    assert [tuple(row.values()) for row in streamed] == pages.fetchall()[:3]


def test_a_data_set_is_a_table(con, pages):
    dataset = datasets.Dataset.from_dict({"url": ["http://site.example/poem", "x"], "label": [1, 0]})
    con.register("labels", dataset)
    con.register("pages", pages)
    found = con.sql("SELECT label, status FROM labels JOIN pages USING (url)").fetchall()
    assert found == [(1, 200)]


def test_a_selection_of_a_data_set_has_its_rows_only(con):
    dataset = datasets.Dataset.from_dict({"n": range(100)}).filter(lambda row: row["n"] % 10 == 0).select([1, 3])
    con.register("some", dataset)
    assert con.sql("SELECT n FROM some ORDER BY n").fetchall() == [(10,), (30,)]


def test_a_stream_and_an_empty_data_set_are_tables_and_a_dictionary_is_not(con):
    dataset = datasets.Dataset.from_dict({"n": range(2500)})
    con.register("stream", dataset.to_iterable_dataset())
    con.register("nothing", dataset.select([]))
    assert con.sql("SELECT (SELECT sum(n) FROM stream), (SELECT count(n) FROM nothing)").fetchone() == (3123750, 0)
    with pytest.raises(TypeError, match="DatasetDict"):
        con.register("both", datasets.DatasetDict(train=dataset))
