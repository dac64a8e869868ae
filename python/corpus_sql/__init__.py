"""SQL over raw document corpora: web archives, scanned books and PDFs, in Python.

    import corpus_sql as cs

    pages = cs.sql("SELECT target_uri, body FROM read_warc('crawl/') WHERE warc_type = 'response'")
    pages.show()
    for batch in pages:
        ...
    cs.html_main_text(b"<html>...")

`cs.sql` uses a default session; `cs.connect(threads=4, memory_limit="8GB")` makes others. A query runs
when its rows are requested. Every scalar function of SQL is also a function here: `help(cs.functions)`
lists them.
"""

from corpus_sql import functions
from corpus_sql._native import (
    Array,
    Batch,
    Batches,
    DataError,
    Error,
    IoError,
    SqlError,
    __version__,
)
from corpus_sql._relation import Relation
from corpus_sql._session import (
    RunSummary,
    Session,
    connect,
    default_session,
    queries,
    register,
    run,
    run_file,
    sql,
)
from corpus_sql._worker import use_packaged_worker as _use_packaged_worker
from corpus_sql.functions import *  # noqa: F403

_use_packaged_worker()

__all__ = [
    "Array",
    "Batch",
    "Batches",
    "DataError",
    "Error",
    "IoError",
    "Relation",
    "RunSummary",
    "Session",
    "SqlError",
    "__version__",
    "connect",
    "default_session",
    "functions",
    "queries",
    "register",
    "run",
    "run_file",
    "sql",
    *functions.__all__,
]
