"""The program that parses PDFs in separate processes."""

from pathlib import Path

from corpus_sql import _native

_WORKER = Path(__file__).parent / "corpus-pdf-worker"


def use_packaged_worker() -> None:
    """Pass the path of the program to the native library. Systems other than Unix parse PDFs in threads."""
    if _WORKER.exists():
        _native.use_pdf_worker(_WORKER)
