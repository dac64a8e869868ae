"""The result of a query."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from corpus_sql import _native

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

T = TypeVar("T")


class Relation:
    """The result of a query. The query runs when its rows are requested, and again for each use.

    Loop over it for batches of rows, in bounded memory; leaving the loop ends the query. `df()`, `pl()`
    and `arrow()` hold the whole result. Other libraries read it through Arrow's PyCapsule interface:
    `polars.DataFrame(relation)`, `pyarrow.table(relation)`, `duckdb.sql("FROM relation")`.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _native.Relation) -> None:
        self._native = native

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._native.columns

    @property
    def schema(self) -> dict[str, str]:
        """The types of the columns, by name."""
        return self._native.schema

    def __iter__(self) -> Iterator[_native.Batch]:
        """Run the query, and return its batches one by one."""
        return iter(self._native)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Run the query for another library, which reads the batches one by one."""
        return self._native.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """Describe the columns to another library."""
        return self._native.__arrow_c_schema__()

    def files(self) -> list[str]:
        """Return the paths and URLs of the files that the query reads."""
        return self._native.files()

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return all rows."""
        return self._native.fetchall()

    def fetchone(self) -> tuple[Any, ...] | None:
        """Return the next row, or None at the end."""
        return self._native.fetchone()

    def count(self) -> int:
        """Count the rows."""
        return self._native.count()

    def df(self) -> pandas.DataFrame:
        """Return the rows as a data frame of pandas, which needs pandas and PyArrow."""
        _imported("pandas")
        return self.arrow().to_pandas()

    def pl(self) -> polars.DataFrame:
        """Return the rows as a data frame of Polars."""
        return self._passed_to(_imported("polars").DataFrame)

    def arrow(self) -> pyarrow.Table:
        """Return the rows as a table of PyArrow."""
        return self._passed_to(_imported("pyarrow").table)

    def _passed_to(self, take: Callable[[Any], T]) -> T:
        stream = self._native.stream()
        try:
            return take(stream)
        except BaseException:
            # Other libraries raise their own exceptions for errors of the stream.
            failure = stream.failure()
            if failure is not None:
                raise failure from None
            raise

    def show(self, max_rows: int = 40, width: int | None = None) -> None:
        """Print the rows like the command line.

        If there are more than `max_rows` rows, the first and last ones are shown. Cells are truncated
        so that lines have at most `width` characters, by default the width of the terminal.
        """
        print(self._native.text(max_rows, width).rstrip("\n"))

    def write_parquet(
        self,
        path: str | os.PathLike[str],
        *,
        partition_by: Sequence[str] = (),
        **options: object,
    ) -> int:
        """Write the rows as Parquet, and return their number.

        A path that ends in `.parquet` is a file, any other a folder. It appears when it is complete.
        Other keywords are options of `COPY … STORED AS PARQUET`, such as `compression="zstd(3)"`, or
        `mode="replace"` for a folder that contains other files.
        """
        texts = {name: _option(value) for name, value in options.items()}
        return self._native.write_parquet(os.fspath(path), list(partition_by), texts)

    def __repr__(self) -> str:
        return self._native.preview_text()

    def _repr_html_(self) -> str:
        return self._native.preview_html()


def _option(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _imported(name: str) -> Any:
    """Import a library that the package does not depend on."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"this needs {name}: pip install {name}") from error
