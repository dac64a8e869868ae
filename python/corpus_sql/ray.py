"""The sources as datasets of Ray.

    from corpus_sql import ray as corpus_ray

    pages = corpus_ray.read_warc("crawl/", columns=["target_uri", "body"], where="warc_type = 'response'")
    pages.map_batches(…)

The package must be installed on all nodes. Each file, or byte range of a large file, is a task whose
rows are passed on as they are read. The scalar functions take the columns of batches:
`html_main_text(batch["body"])` in `map_batches(…, batch_format="pyarrow")`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import ray

from corpus_sql._sources import (
    DEFAULT_SPLIT_BYTES,
    FORMATS,
    SPLIT_BYTES,
    Scan,
    batches,
    plain_schema,
)

if TYPE_CHECKING:
    from ray.data import Dataset

__all__ = ["read", *(f"read_{format}" for format in FORMATS)]


def read(
    format: str,
    location: str | Sequence[str],
    *,
    columns: Sequence[str] | None = None,
    where: str | None = None,
    params: Mapping[str, Any] | None = None,
    options: Mapping[str, str] | None = None,
    split_bytes: int = DEFAULT_SPLIT_BYTES,
) -> Dataset:
    """Read one of the sources, such as "warc", with a task per file.

    Args:
        format: The name of the source, such as "warc" for `read_warc` in SQL.
        location: A file, a folder, a glob or a URL, or a list of them, which all nodes can read.
        columns: The columns to read; by default all of them.
        where: A condition in SQL. `params` has the values of `$name` in it.
        params: Values for the condition.
        options: Options of the source, and settings, which start with `corpus.`.
        split_bytes: Larger files are read by several tasks, if their format can be divided.
    """
    if format not in FORMATS:
        raise ValueError(f"format: expected one of {', '.join(FORMATS)}, got '{format}'")
    location = location if isinstance(location, str) else list(location)
    scan = Scan(format, location, {**(options or {}), SPLIT_BYTES: str(split_bytes)})
    conditions = [f"({where})"] if where else []
    # Mistakes in arguments are reported here, not in a task.
    scan.relation(columns, conditions, params)
    scans = scan.splits()
    splits = [{"split": number} for number in range(len(scans))]

    def rows(batch: pa.Table) -> Iterator[pa.Table]:
        for number in batch["split"].to_pylist():
            relation = scans[number].relation(columns, conditions, params)
            schema = plain_schema(relation)
            yield schema.empty_table()
            for one in batches(relation, schema):
                yield pa.Table.from_batches([one])

    tasks = ray.data.from_items(splits, override_num_blocks=len(splits))
    return tasks.map_batches(rows, batch_size=1, batch_format="pyarrow")


def _reader(format: str) -> Any:
    def read_format(location: str | Sequence[str], **how: Any) -> Dataset:
        return read(format, location, **how)

    read_format.__name__ = read_format.__qualname__ = f"read_{format}"
    read_format.__doc__ = f'Read with `read_{format}`. See `read`, whose arguments follow "{format}".'
    return read_format


read_documents = _reader("documents")
read_files = _reader("files")
read_hocr = _reader("hocr")
read_lines = _reader("lines")
read_mediawiki = _reader("mediawiki")
read_pdf = _reader("pdf")
read_sequencefile = _reader("sequencefile")
read_warc = _reader("warc")
