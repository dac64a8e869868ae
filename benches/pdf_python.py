"""Extracts the text of every page of PDFs with a Python library.

    python pdf_python.py pypdfium2|pymupdf|liteparse|pdf_inspector LIST [FOLDER]

Prints the name of each file before reading it, and its number of characters afterwards. With a folder,
writes each text to NAME.txt there.
"""

import sys
from pathlib import Path


def pypdfium2():
    from pypdfium2 import PdfDocument

    def pages(path):
        with PdfDocument(path) as document:
            for page in document:
                text = page.get_textpage()
                yield text.get_text_range()
                text.close()
                page.close()

    return pages


def pymupdf():
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)

    def pages(path):
        with pymupdf.open(path) as document:
            for page in document:
                yield page.get_text()

    return pages


def liteparse():
    from liteparse import LiteParse

    parser = LiteParse(ocr_enabled=False, quiet=True)
    return lambda path: [parser.parse(path).text]


def pdf_inspector():
    from pdf_inspector import extract_text

    return lambda path: [extract_text(path)]


engine, paths, *folder = sys.argv[1:]
engines = {function.__name__: function for function in (pypdfium2, pymupdf, liteparse, pdf_inspector)}
texts = engines[engine]()
for path in Path(paths).read_text().splitlines():
    print(path, flush=True)
    try:
        text = "".join(texts(path))
        if folder:
            (Path(folder[0]) / Path(path).stem).with_suffix(".txt").write_text(text)
        print(len(text), flush=True)
    except Exception:
        print("failed", flush=True)
