#!/usr/bin/env python3
"""Makes the pictures of docs/guide/ui.md: `corpus-sql ui` in a browser, with the samples.

    docs/pictures/ui.py [PROGRAM]

PROGRAM is target/release/corpus-sql by default. Run this with the Python of tests/run's venv, which has
playwright and Pillow, and with fonts for Japanese (Debian: fonts-noto-cjk); CHROMIUM names another browser than
Debian's chromium.
"""

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SAMPLES = ("book", "damaged-warc", "documents", "files", "office", "pdf", "warc", "web")

# Enough colours for text and boxes, in half of the size.
COLOURS = 256

JOBS = (
    ("filter_documents", "input=documents/", "output=filtered/"),
    ("pdf_to_search_index", "input=pdf/", "output=pdf-index/"),
)


@contextmanager
def serving(program, folder):
    command = [program, "ui", ".", "--no-browser"]
    process = subprocess.Popen(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        for line in process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line):
                yield found.group()
                return
        sys.exit("corpus-sql ui printed no address")
    finally:
        process.terminate()
        process.wait()


def run(page, sql):
    page.get_by_label("SQL statement").fill(sql)
    page.keyboard.press("Control+Enter")
    page.locator("#status", has_text="done").wait_for()


def choose(page, row=0):
    page.get_by_role("rowgroup").get_by_role("row").nth(row).click()
    shown(page)


def shown(page):
    page.locator(".document:not([aria-busy])").get_by_role("tab").first.wait_for()


def web_page(page):
    """A page of an archive: its paragraphs, kept and dropped."""
    run(page, "SELECT url, status, charset, title, source_file, \"offset\"\nFROM web_pages('web/site.warc.gz')")
    choose(page)
    page.get_by_role("button", name="Contents of web").click()
    page.get_by_role("tab", name="Paragraphs").click()


def pdf(page):
    """A page of a PDF: its words, blocks and tables, and their order."""
    run(page, "SELECT source_file, page, characters, text\nFROM pdf_document_pages('pdf/') ORDER BY source_file, page")
    page.get_by_role("row").filter(has_text="invoice.pdf").first.click()
    shown(page)
    page.get_by_role("tab", name="Page").click()


def funnel(page):
    """What filter_documents.sql removed, and another threshold."""
    page.get_by_role("button", name="Wide").click()
    page.get_by_role("button", name="Funnel of filtered").click()
    page.get_by_role("button", name=re.compile("^gopher_repetition")).click()
    page.get_by_role("group", name="Rules").get_by_role("button", name=re.compile("^top_4_gram")).click()
    slider = page.get_by_role("slider")
    for _ in range(12):
        slider.press("ArrowRight")


PICTURES = {"ui": (web_page, "light"), "ui-pdf": (pdf, "dark"), "ui-funnel": (funnel, "light")}


def main():
    program = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target" / "release" / "corpus-sql").resolve()
    if not program.exists():
        sys.exit(f"{program} does not exist: cargo build --release")
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium") or sys.exit("chromium is missing")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name) / "crawl"
        for samples in SAMPLES:
            shutil.copytree(ROOT / "data-samples" / samples, folder / samples)
        for job, *variables in JOBS:
            values = [word for variable in variables for word in ("-v", variable)]
            command = [program, "-q", "-f", ROOT / "queries" / f"{job}.sql", *values]
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
        chromium = playwright.chromium.launch(executable_path=browser)
        with serving(program, folder) as address:
            for name, (prepare, scheme) in PICTURES.items():
                page = chromium.new_page(viewport={"width": 1280, "height": 800}, color_scheme=scheme)
                page.goto(address)
                page.locator("#status", has_text="done").wait_for()
                # The folder's name differs from run to run.
                page.locator("#folder").evaluate("node => node.textContent = '~/crawl'")
                prepare(page)
                page.mouse.move(0, 0)
                picture = Image.open(io.BytesIO(page.screenshot(animations="disabled", caret="hide")))
                path = HERE / f"{name}.png"
                picture.convert("RGB").quantize(COLOURS).save(path, optimize=True)
                print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")
        chromium.close()


if __name__ == "__main__":
    main()
