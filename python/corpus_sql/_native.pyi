"""The native library. Use `corpus_sql`, which is documented."""

from collections.abc import Iterator
from os import PathLike
from typing import Any

__version__: str

class Error(Exception):
    """Any error of corpus_sql. Its subclasses say where the cause lies."""

class SqlError(Error):
    """A mistake in a statement, its parameters, or the arguments of a function."""

class DataError(Error):
    """Data that a query was told not to tolerate. `file` and `offset` say where, if they are known."""

    file: str | None
    offset: int | None

class IoError(Error):
    """A file, folder or object store that cannot be read or written."""

class Session:
    def __init__(
        self,
        threads: int | None,
        memory_limit: int | str | None,
        temp_dir: str | PathLike[str] | None,
        temp_limit: int | str | None,
        resume: bool,
        progress: bool,
    ) -> None: ...
    def sql(self, sql: str, params: dict[str, Any] | list[Any] | None = None) -> Relation | None: ...
    def register(self, name: str, data: object) -> None: ...
    def unregister(self, name: str) -> None: ...
    def run_script(
        self,
        name: str,
        text: str,
        variables: dict[str, str],
        params: dict[str, Any] | list[Any] | None = None,
    ) -> tuple[str, list[Relation]]: ...

class Relation:
    @property
    def columns(self) -> list[str]: ...
    @property
    def schema(self) -> dict[str, str]: ...
    def __iter__(self) -> Iterator[Batch]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def fetchall(self) -> list[tuple[Any, ...]]: ...
    def fetchone(self) -> tuple[Any, ...] | None: ...
    def count(self) -> int: ...
    def stream(self) -> Stream: ...
    def text(self, max_rows: int, width: int | None) -> str: ...
    def preview_text(self) -> str: ...
    def preview_html(self) -> str: ...
    def write_parquet(
        self, path: str, partition_by: list[str], options: dict[str, str]
    ) -> int: ...

class Stream:
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def failure(self) -> BaseException | None: ...

class Batches:
    """The batches of a running query. Leaving the loop, or deleting this, ends the query."""

    def __iter__(self) -> Batches: ...
    def __next__(self) -> Batch: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def close(self) -> None:
        """End the query."""

class Array:
    """An Arrow array. `pyarrow.array(…)` and other libraries take it without a copy."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Any: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...
    def to_pylist(self) -> list[Any]:
        """The values as a list of Python objects."""

class Batch:
    """Some rows of a result. `pyarrow.record_batch(…)` and other libraries take them without a copy."""

    @property
    def num_rows(self) -> int:
        """The number of rows."""
    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
    def __len__(self) -> int: ...
    def __getitem__(self, name: str) -> Array:
        """The column with this name."""
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...
    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows as a list of dictionaries."""

class Function:
    def __call__(self, *arguments: object) -> Any: ...

def functions() -> list[dict[str, Any]]: ...
def main(arguments: list[str]) -> int: ...
def use_pdf_worker(path: str | PathLike[str]) -> None: ...
