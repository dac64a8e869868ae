"""The program that parses PDFs in processes of their own."""

from pathlib import Path

from corpus_sql import _native

_WORKER = Path(__file__).parent / "corpus-pdf-worker"


def use_packaged_worker() -> None:
    """Name the program to the native library. Other systems than Unix parse PDFs in threads."""
    if _WORKER.exists():
        _native.use_pdf_worker(_WORKER)
