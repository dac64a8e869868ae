#!/usr/bin/env python3
"""Measures `corpus-sql ui` in Chromium: the first paint, clicks on rows of a large web archive, pages of a PDF.

    cargo build --release
    python3 benches/ui.py [PROGRAM] [--mb=SIZE] [--pdf=FILE]

--mb   the size of the archive, which is made, 1024 by default
--pdf  a PDF with many pages, each of which is shown once

Run this with the Python of tests/run's venv, which has playwright; CHROMIUM names a browser other than
Debian's. Prints milliseconds (median and worst) and the memory of the program.
"""

import gzip
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from common import option, print_table, program
from playwright.sync_api import sync_playwright

STARTS = 5
CLICKS = 20
SEED = 44
WORDS = [f"word{number}" for number in range(3000)]

# Selects a row by a key, and waits until another document is painted. Returns the times of the answer and of
# the paint.
CLICK = """async (key) => {
  performance.clearResourceTimings();
  const panel = document.querySelector(".document");
  const grid = document.querySelector(".grid");
  const from = performance.now();
  const drawn = new Promise((resolve) => new MutationObserver((_, observer) => {
    if (panel.hasAttribute("aria-busy") || !panel.querySelector("[role=tab]")) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)));
  }).observe(panel, { attributes: true, childList: true, subtree: true }));
  grid.focus();
  grid.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const painted = await drawn;
  const answers = performance.getEntriesByType("resource").filter(({ name }) => /\\/document/.test(name));
  return [answers.at(-1).responseEnd - from, painted];
}"""

PAINT = """() => new Promise((resolve) => new PerformanceObserver((list) => {
  const paint = list.getEntriesByName("first-contentful-paint")[0];
  if (paint) resolve(performance.timeOrigin + paint.startTime);
}).observe({ type: "paint", buffered: true }))"""


def write_archive(path, size):
    rng = random.Random(SEED)
    with path.open("wb") as file:
        for number in range(1 << 30):
            if file.tell() >= size:
                return
            paragraphs = "".join(f"<p>{' '.join(rng.choices(WORDS, k=120))}.</p>" for _ in range(40))
            page = f"<!doctype html><title>Page {number}</title><nav>Home</nav><main>{paragraphs}</main>"
            body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}"
            head = (
                "WARC/1.0\r\nWARC-Type: response\r\n"
                f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
                f"WARC-Date: 2026-03-01T00:00:00Z\r\nWARC-Target-URI: http://www.example/{number}\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            file.write(gzip.compress((head + body + "\r\n\r\n").encode(), 1, mtime=0))


@contextmanager
def serving(binary, folder):
    """Runs the interface; returns its process, its address, and when it was started."""
    started = time.time()
    command = [binary, "ui", "--no-browser", folder]
    process = subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        yield process, process.stdout.readline().strip(), started
    finally:
        process.terminate()
        process.wait()


def peak_memory(process):
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) // 1024


def ended(page):
    page.locator("#status", has_text=re.compile("^(done|failed|stopped) ")).wait_for(timeout=0)


def run(page, sql):
    page.get_by_label("SQL statement").fill(sql)
    page.keyboard.press("Control+Enter")
    page.locator("#stop:disabled").wait_for(timeout=0)


def clicks(page):
    """Milliseconds of each click on the first rows and the last ones."""
    page.get_by_role("grid").wait_for()
    keys = ["Home", *["PageDown"] * CLICKS, "End", *["PageUp"] * CLICKS]
    return [page.evaluate(CLICK, key) for key in keys][1:]


def row(name, times):
    return [name, f"{statistics.median(times):.0f}", f"{max(times):.0f}"]


def both(name, times):
    answers, painted = zip(*times)
    return [row(f"{name}: the answer", answers), row(f"{name}: painted", painted)]


def main():
    binary = program()
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium") or sys.exit("chromium is missing")
    rows = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        archive = Path(folder) / "crawl.warc.gz"
        write_archive(archive, int(option("mb") or 1024) << 20)
        chromium = playwright.chromium.launch(executable_path=browser)
        paints = []
        for _ in range(STARTS):
            page = chromium.new_page()
            with serving(binary, folder) as (_, address, started):
                page.goto(address, wait_until="commit")
                paints.append(page.evaluate(PAINT) - started * 1000)
                page.close()
        rows.append(row("first paint after the start of the program", paints))
        with serving(binary, folder) as (process, address, _):
            page = chromium.new_page(viewport={"width": 1280, "height": 800})
            page.goto(address)
            ended(page)
            rows.extend(both("a click on a row", clicks(page)))
            memory = peak_memory(process)
        if pdf := option("pdf"):
            with serving(binary, pdf) as (_, address, _):
                page = chromium.new_page(viewport={"width": 1280, "height": 800})
                page.goto(address)
                ended(page)
                run(page, f"SELECT source_file, page FROM pdf_document_pages('{pdf}')")
                page.get_by_role("grid").wait_for()
                keys = ["Home", *["ArrowDown"] * CLICKS]
                rows.extend(both("a page of the PDF", [page.evaluate(CLICK, key) for key in keys][1:]))
        chromium.close()
    print_table(["", "median ms", "worst ms"], rows)
    print(f"\npeak memory of the program: {memory} MB")


if __name__ == "__main__":
    main()
