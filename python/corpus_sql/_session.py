"""Sessions, and the default one."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpus_sql import _native
from corpus_sql._progress import NotebookBar, in_notebook
from corpus_sql._relation import Relation

Params = Mapping[str, Any] | Sequence[Any] | None

_QUERIES = Path(__file__).parent / "queries"


class Session:
    """Settings, tables, views, and the threads that queries run on. Threads may share a session."""

    __slots__ = ("_native",)

    def __init__(
        self,
        *,
        threads: int | None = None,
        memory_limit: int | str | None = None,
        temp_dir: str | os.PathLike[str] | None = None,
        temp_limit: int | str | None = None,
        resume: bool = False,
        cluster: str | None = None,
        progress: bool | None = None,
    ) -> None:
        notebook = NotebookBar if in_notebook() else None
        if progress is None:
            is_terminal = sys.stderr is not None and sys.stderr.isatty()
            progress = notebook is not None or is_terminal
        self._native = _native.Session(
            threads, memory_limit, temp_dir, temp_limit, resume, cluster, progress, notebook
        )

    def sql(self, sql: str, params: Params = None) -> Relation | None:
        """Run SQL.

        A query returns a `Relation`, and runs when its rows are requested. `COPY` and `INSERT` run
        immediately, and return a `Relation` with the number of rows. Other statements, such as `SET`
        and `CREATE VIEW`, run immediately, and return None. Several statements are separated by
        semicolons; the result is that of the last one.

        `params` has the values of `$name` (a mapping) or of `$1`, `$2` … (a sequence). A value is never
        interpreted as SQL.
        """
        result = self._native.sql(sql, _params(params))
        return None if result is None else Relation(result)

    def register(self, name: str, data: object) -> None:
        """Make data a table with this name, replacing any existing one.

        A `Relation` of this session becomes a view. Anything else with `__arrow_c_stream__` or
        `__arrow_c_array__`, such as data frames of pandas and Polars, tables of PyArrow and relations
        of DuckDB, is held in memory, without a copy where possible. The same holds for data sets of
        Hugging Face.
        """
        self._native.register(name, data._native if isinstance(data, Relation) else _table(data))

    def unregister(self, name: str) -> None:
        """Remove a table or view, if there is one with this name."""
        self._native.unregister(name)

    def run_file(
        self,
        path: str | os.PathLike[str],
        *,
        params: Params = None,
        **variables: object,
    ) -> RunSummary:
        """Run a file of statements, such as those in `corpus_sql.queries()`, like the option `-f`.

        The path may be the name of a query in the package: `run_file("warc_to_document", input="crawl/",
        output="documents.parquet")`. Keywords set its variables, `${name}`, unless they are None.
        """
        file = _query_file(path)
        return self._run_script(str(file), file.read_text(encoding="utf-8-sig"), params, variables)

    def run(self, job: str, /, *, params: Params = None, **variables: object) -> RunSummary:
        """Run a job of the package, like `corpus-sql run`: `run("corpus", input="crawl/", output="corpus/")`.

        `queries()` returns the names of the jobs, and `corpus-sql jobs NAME` shows the variables of a
        job. Keywords set them, unless they are None. An unknown job or variable raises `SqlError`, which names similar ones.
        """
        name, text = _native.job(job)
        return self._run_script(name, text, params, variables)

    def _run_script(
        self, name: str, text: str, params: Params, variables: Mapping[str, object]
    ) -> RunSummary:
        values = {
            variable: _text(variable, value) for variable, value in variables.items() if value is not None
        }
        summary, results = self._native.run_script(name, text, values, _params(params))
        return RunSummary(**json.loads(summary), results=[Relation(result) for result in results])


def _text(variable: str, value: object) -> str:
    if isinstance(value, (list, tuple, set, dict)):
        raise TypeError(
            f"variable '{variable}' takes one value: several locations are a glob, such as "
            "'crawl/*.warc.gz', and a list is a text, such as 'a,b'"
        )
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


@dataclass(frozen=True)
class RunSummary:
    """The counts of a run, and the results of its queries."""

    #: Files, bytes and records read.
    files: int
    bytes: int
    records: int
    #: Records and files that could not be read, or rows written with an error.
    errors: int
    errors_by_reason: dict[str, int]
    statements: int
    rows_returned: int
    rows_written: int
    #: The target of each writing statement, with its rows, files and bytes.
    written: list[dict[str, Any]]
    seconds: float
    #: The rows of each query. They are held in memory.
    results: list[Relation] = field(default_factory=list, repr=False)


def connect(
    *,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    temp_dir: str | os.PathLike[str] | None = None,
    temp_limit: int | str | None = None,
    resume: bool = False,
    cluster: str | None = None,
    progress: bool | None = None,
) -> Session:
    """Make a session.

    Args:
        threads: The number of partitions processed in parallel; by default the number of cores.
        memory_limit: Memory that queries may use before they spill to disk, such as "8GB"; by
            default 70 % of the machine's memory, which all such sessions share.
        temp_dir: The folder for data that queries spill.
        temp_limit: The maximum size of that data; a query that needs more fails.
        resume: Whether COPY continues an earlier run: it keeps complete output, and adds the rest.
        cluster: The scheduler of a cluster that runs queries, such as "df://host:50050". The library
            must be built with the feature `cluster`, and have the version of the scheduler.
        progress: Whether queries that take more than a second show a progress bar, in a notebook or
            on stderr; by default in notebooks, and if stderr is a terminal.
    """
    return Session(
        threads=threads,
        memory_limit=memory_limit,
        temp_dir=temp_dir,
        temp_limit=temp_limit,
        resume=resume,
        cluster=cluster,
        progress=progress,
    )


_default: Session | None = None
_default_lock = threading.Lock()


def default_session() -> Session:
    """Return the session that `corpus_sql.sql` uses, with all cores and 70 % of the memory."""
    global _default
    with _default_lock:
        if _default is None:
            _default = Session()
        return _default


def sql(sql: str, params: Params = None) -> Relation | None:
    """Run SQL in the default session. See `Session.sql`."""
    return default_session().sql(sql, params)


def register(name: str, data: object) -> None:
    """Make data a table of the default session. See `Session.register`."""
    default_session().register(name, data)


def run_file(
    path: str | os.PathLike[str], *, params: Params = None, **variables: object
) -> RunSummary:
    """Run a file of statements in the default session. See `Session.run_file`."""
    return default_session().run_file(path, params=params, **variables)


def run(job: str, /, *, params: Params = None, **variables: object) -> RunSummary:
    """Run a job of the package in the default session. See `Session.run`."""
    return default_session().run(job, params=params, **variables)


def queries() -> list[str]:
    """Return the names of the jobs in the package, for `run` and `run_file`."""
    return sorted(file.stem for file in _QUERIES.glob("*.sql"))


def _query_file(path: str | os.PathLike[str]) -> Path:
    file = Path(path)
    if file.is_file():
        return file
    packaged = _QUERIES / f"{file.name.removesuffix('.sql')}.sql"
    if packaged.is_file() and file.parent.name in ("", "queries"):
        return packaged
    known = ", ".join(queries())
    raise _native.IoError(f"no file '{path}', and no query of that name in the package: {known}")


def _table(data: Any) -> Any:
    """Return a data set of Hugging Face, which has no Arrow interface, as a table; other data unchanged."""
    is_data_set = type(data).__module__.partition(".")[0] == "datasets" and hasattr(data, "features")
    if not is_data_set or hasattr(data, "__arrow_c_stream__"):
        return data
    rows = data.with_format("arrow")
    if hasattr(data, "__len__"):
        return rows[:]
    import pyarrow

    return pyarrow.concat_tables(rows.iter(batch_size=1000))


def _params(params: Params) -> dict[str, Any] | list[Any] | None:
    if params is None:
        return None
    if isinstance(params, Mapping):
        return dict(params)
    if isinstance(params, Sequence) and not isinstance(params, (str, bytes)):
        return list(params)
    raise TypeError(f"params: expected a mapping or a sequence, got {type(params).__name__}")
