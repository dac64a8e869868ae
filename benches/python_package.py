#!/usr/bin/env python3
"""Measures the Python package: its import, the overhead of a call, and jobs compared with the command
line.

    cargo build --release --workspace --lib --bins
    python3 benches/python_package.py [target/release/corpus-sql]

Makes a wheel of the library in the folder of the binary and installs it there. Calls with single pages are
compared with calls with arrays, whose loop is in Rust, and with resiliparse, which gets the same pages
(those of benches/warc_to_document.py). Prints the best of several rounds. Installs resiliparse from PyPI in
a venv.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from common import ROOT, archive, cost, print_table, program, tools
from crawl import records
from warc_to_document import JOB, SIZE

sys.path.insert(0, str(ROOT / "python"))
import build_backend

IMPORTS = """
import json, subprocess, sys, time
def clock(code):
    best = []
    for _ in range(20):
        started = time.perf_counter()
        subprocess.run([sys.executable, '-c', code], check=True)
        best.append(time.perf_counter() - started)
    return min(best)
clock('import corpus_sql')
print(json.dumps(clock('import corpus_sql') - clock('pass')))
"""

CALLS = """
import json, time
import pyarrow
import corpus_sql as cs
CALLS, ROUNDS = 100_000, 7
def best(work, calls):
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        times.append((time.perf_counter() - started) / calls)
    return min(times)
found = {}
for name, function, value in [
    ('html_document, no bytes', cs.html_document, b''),
    ('html_document, 30 bytes', cs.html_document, b'<p>A page of a few words.</p>  '),
    ('url_host', cs.url_host, 'http://www.site.example/a'),
    ('text_hash', cs.text_hash, 'a few words'),
    ('charset_detect, a struct', cs.charset_detect, b'a few words'),
]:
    def one_by_one():
        for _ in range(CALLS):
            function(value)
    def empty():
        for _ in range(CALLS):
            pass
    column = pyarrow.array([value] * CALLS)
    single = best(one_by_one, CALLS) - best(empty, CALLS)
    inner = best(lambda: function(column), CALLS)
    found[name] = [single, inner]
print(json.dumps(found))
"""

PAGES = """
import json, sys, time
import corpus_sql as cs
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import detect_encoding
from resiliparse.parse.html import HTMLTree
pages = cs.connect(threads=1).sql('''
    SELECT http['body'] AS body, http['charset'] AS charset FROM (
        SELECT http_response(body) AS http FROM read_warc($input)
        WHERE warc_type = 'response' AND truncated IS NULL AND content_type LIKE 'application/http%'
    ) WHERE http['sniffed_type'] = 'text/html' LIMIT 1500''', {'input': sys.argv[1]}).fetchall()
def ours():
    for page, charset in pages:
        cs.html_document(page, charset)
def detected():
    for page, _ in pages:
        cs.html_document(page)
def theirs():
    for page, charset in pages:
        charset = charset or detect_encoding(page, from_html_meta=True)
        extract_plain_text(HTMLTree.parse_from_bytes(page, charset), main_content=False)
def cpu(work):
    times = []
    for _ in range(5):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)
times = [cpu(work) for work in (ours, detected, theirs)]
print(json.dumps([len(pages), sum(len(page) for page, _ in pages), *times]))
"""

RUN_FILE = """
import sys
import corpus_sql as cs
con = cs.connect(threads=1, progress=False)
con.sql('SELECT 1').fetchall()
if len(sys.argv) > 1:
    con.run_file('warc_to_document', input=sys.argv[1], output=sys.argv[2])
"""


class Package:
    """The package, installed in a separate folder, and a Python with the other tools."""

    def __init__(self, binary):
        self.python = tools(binary.parent)
        folder = binary.parent / "bench-package"
        folder.mkdir(exist_ok=True)
        wheel = folder / build_backend.build_wheel(folder, {"built": str(binary.parent)})
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        site = folder / "site"
        subprocess.run([self.python, *install, "--upgrade", "--no-deps", "--target", site, wheel], check=True)
        # Arrays in Python need PyArrow, which is installed next to the package.
        if not (site / "pyarrow").exists():
            subprocess.run([self.python, *install, "--target", site, "pyarrow"], check=True)
        os.environ["PYTHONPATH"] = str(site)

    def answer(self, code, *arguments):
        return json.loads(subprocess.check_output([self.python, "-c", code, *map(str, arguments)]))


def microseconds(seconds):
    return f"{seconds * 1e6:.2f} µs"


def main():
    binary = program()
    package = Package(binary)
    path = archive(binary.parent / "bench-pages.warc.gz", records, SIZE)

    print(f"import corpus_sql: {package.answer(IMPORTS) * 1e3:.0f} ms\n")

    rows = []
    for name, (single, inner) in package.answer(CALLS).items():
        rows.append((name, microseconds(single), microseconds(inner), microseconds(single - inner)))
    print_table(("call", "with a value", "with an array, per value", "overhead"), rows)

    count, size, ours, detected, theirs = package.answer(PAGES, path)
    print(f"\nhtml_document on {count} pages of {size / count / 1000:.0f} kB, one by one; CPU per page\n")
    rows = [
        ("html_document(page, charset)", microseconds(ours / count), f"{theirs / ours:.1f}"),
        ("html_document(page)", microseconds(detected / count), f"{theirs / detected:.1f}"),
        ("resiliparse", microseconds(theirs / count), "1.0"),
    ]
    print_table(("", "per page", "times as fast as resiliparse"), rows)

    output = binary.parent / "bench.parquet"
    script = [package.python, "-c", RUN_FILE]
    command = [binary, "--quiet", "--threads", "1"]
    rows = []
    for name, idle, job in [
        ("command line", [*command, "-c", "SELECT 1"], [*command, "-f", JOB, "-v", f"input={path}", "-v", f"output={output}"]),
        ("Python", script, [*script, path, output]),
    ]:
        spent, start = cost(*job, times=5), cost(*idle, times=5)
        rows.append((name, spent.cpu - start.cpu, spent.memory, start.cpu))
        Path(output).unlink()
    base = rows[0][1]
    print("\nwarc_to_document.sql, one thread; CPU seconds without those for starting the program\n")
    print_table(
        ("", "seconds", "ratio", "peak memory", "starting"),
        [(name, f"{spent:.2f}", f"{spent / base:.3f}", f"{memory} MB", f"{start:.2f}") for name, spent, memory, start in rows],
    )


if __name__ == "__main__":
    main()
