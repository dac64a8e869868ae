#!/usr/bin/env python3
"""Measures the peak memory of every job in queries/ under a limit, on inputs several times as large as
the limit.

    cargo build --release
    benches/memory.py [PROGRAM] [--limit=256MB] [--only=JOB,JOB] [--threads=2] [--data=FOLDER] [--compare=no]

makes 2 GB of inputs in a folder next to the program (or in FOLDER), and keeps them: web archives with 1
GB of pages, 200 MB of documents, 20,000 pages of hOCR, PDFs. It runs each job with the limit and,
except with --compare=no, without one. The table has the peak memory of the process and of its workers,
the ratio of the former to the limit, CPU seconds, and the maximum size of spilled data. Exits with 1 if
a job fails, exceeds the limit by half, or has other rows than without the limit.
"""

import contextlib
import hashlib
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

import crawl
import pages
import words
from common import ROOT, archive, left_behind, adopt_orphans, option, print_table, program
from hocr_book import books
from pdf_papers import papers

LIMIT = option("limit") or "256MB"
THREADS = option("threads") or "2"
UNLIMITED = "64GB"
LIMITS = [LIMIT] if option("compare") == "no" else [LIMIT, UNLIMITED]
MAX_RATIO = 1.5

ARCHIVE_BYTES = 60 << 20
ARCHIVES = 4
COPIES = 4
BOOK_FILES = 20
PAPERS = 400

# Each document is repeated. A third of the paragraphs is the same in all copies, and the others contain
# the number of the copy.
TEXTS = f"""
COPY (
    SELECT url || '?' || copy AS url, date,
           array_to_string(array_transform(parts, part ->
               CASE WHEN octet_length(part) % 3 = 0 THEN part ELSE regexp_replace(part, '[。.]', ' ' || copy || '。', 'g') END),
               chr(10) || chr(10)) AS document
    FROM (
        SELECT url, '2021-01-15' AS date, value AS copy, string_to_array(document, chr(10) || chr(10)) AS parts
        FROM '{{pages}}' CROSS JOIN range(0, {COPIES})
    )
) TO '{{path}}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)')"""

# A few documents, each of the size of a book.
LONG_TEXTS = """
COPY (
    SELECT 'https://books.example/' || min(url) AS url, '2021-01-15' AS date,
           string_agg(document, chr(10) || chr(10)) AS document
    FROM '{texts}' GROUP BY text_hash(url) % 150
) TO '{path}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)')"""

HOCR = {"source": "read_sequencefile", "key": "key", "data": "value"}

# The input of each job, and its other variables.
JOBS = {
    **dict.fromkeys(
        ["clean_chitra", "clean_rm_template", "clean_sudachi_dict", "clean_warc_ja", "filter_documents", "paragraph_stats"]
        + ["decontaminate", "dedup_exact", "dedup_minhash", "dedup_paragraph_exact", "dedup_paragraph_near"]
        + ["dedup_substring", "dedup_url", "template_paragraphs"],
        ("texts", {}),
    ),
    **dict.fromkeys(
        ["corpus", "corpus_report", "html_engines", "html_paragraph_filters", "warc_cdxj", "warc_links", "warc_main_text"]
        + ["warc_records", "warc_report", "warc_revisits", "warc_to_document", "warc_to_document_fulldata"]
        + ["warc_to_document_uzushio", "warc_to_paragraphs", "warc_to_search_index"],
        ("crawl", {}),
    ),
    **dict.fromkeys(["hocr_average_width"], ("books", {})),
    **dict.fromkeys(["hocr_cropping", "hocr_quality", "hocr_report", "hocr_to_books"], ("books", HOCR)),
    **dict.fromkeys(["hocr_to_document", "hocr_to_search_index"], ("books", HOCR)),
    **dict.fromkeys(["files_report", "files_to_parquet", "hocr_block_width", "hocr_to_sequencefile"], ("scans", {})),
    **dict.fromkeys(
        ["pdf_invoice_columns", "pdf_report", "pdf_to_document", "pdf_to_search_index", "pdf_words"], ("papers", {})
    ),
    "crawl_overlap": (None, {"first": "{texts}", "second": "{long}"}),
    "filter_frequent_paragraphs": ("texts", {"stats": "{stats}", "key": "part"}),
    "merge_stats": (None, {"stats": "{stats}"}),
    "pdf_rerun_failed": ("papers", {"documents": "{failed}", "kinds": "invalid"}),
    "search": (None, {"index": "{index}", "query": "a*", "limit": "100000"}),
    "warc_by_index": (None, {"index": "{cdxj}", "input": "{folder}/crawl", "url": "{page}"}),
    "warc_pdf": ("pdf_archive", {}),
}

# The jobs that hold documents are also run on long ones.
LONG = ["clean_chitra", "clean_warc_ja", "filter_documents", "dedup_exact", "dedup_minhash", "dedup_paragraph_exact"]
LONG += ["dedup_substring", "decontaminate"]

# Columns with numbers that depend on the order in which threads read.
NUMBERED = {"id"}

# The files of an output folder, whose names and numbers of rows differ between runs.
PART = re.compile(r"\w{16}_\d+\.parquet")


class Run(NamedTuple):
    error: str
    memory: int
    workers: int
    cpu: float
    seconds: float
    spilled: int


class Inputs:
    """Makes each input when a job needs it."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder

    def path(self, name):
        return getattr(self, name)()

    def sql(self, statement):
        ran = subprocess.run([self.binary, "-q", "--format", "csv", "-c", statement], check=True, capture_output=True)
        return ran.stdout.decode().splitlines()

    def job(self, name, output, **variables):
        """The output of another job."""
        path = self.folder / output
        if not path.exists():
            given = (f"{key}={value}" for key, value in {**variables, "output": path}.items())
            words = itertools.chain.from_iterable(("-v", variable) for variable in given)
            subprocess.run([self.binary, "-q", "-f", ROOT / f"queries/{name}.sql", *words], check=True, stdout=2)
        return path

    def crawl(self):
        folder = self.folder / "crawl"
        folder.mkdir(exist_ok=True)
        first = archive(self.folder / "pages.warc.gz", crawl.records, ARCHIVE_BYTES)
        for number in range(ARCHIVES):
            path = folder / f"{number:05}.warc.gz"
            if not path.exists():
                path.hardlink_to(first)
        return f"{folder}/"

    def texts(self):
        self.crawl()
        documents = self.job("warc_to_document", "documents.parquet", input=self.folder / "pages.warc.gz")
        return self.made("texts", TEXTS, pages=documents)

    def long(self):
        return self.made("long", LONG_TEXTS, texts=self.texts())

    def made(self, name, statement, **values):
        path = self.folder / f"{name}.parquet"
        if not path.exists():
            self.sql(statement.format(path=path, **values))
        return path

    def books(self):
        books(self.folder / "books", BOOK_FILES)
        return f"{self.folder}/books/*.seq"

    def scans(self):
        """A page per file."""
        path = self.folder / "scans"
        if not path.exists():
            self.books()
            self.sql(
                f"COPY (SELECT substr(key, 2) AS name, value AS content FROM read_sequencefile('{self.folder}/books/0000[0-4].seq')) "
                f"TO '{path}/' STORED AS FILES"
            )
        return f"{path}/"

    def papers(self):
        return f"{papers(self.folder / 'papers', PAPERS)}/"

    def pdf_archive(self):
        self.papers()
        return archive(self.folder / "papers.warc.gz", self.paper_records, 1 << 40)

    def paper_records(self):
        rng = random.Random(1)
        captures = crawl.Crawl(rng)
        site = pages.make_site(0, rng, words.languages(rng))
        for path in sorted((self.folder / "papers").glob("*.pdf")):
            yield from captures.capture(site, "200 OK", ["Content-Type: application/pdf"], path.read_bytes())

    def stats(self):
        return self.job("paragraph_stats", "paragraphs.stats.parquet", input=self.texts(), least=1)

    def failed(self):
        """The result of a run in which all papers failed."""
        statement = f"""
            COPY (SELECT source_file AS url, 'invalid' AS error_kind FROM read_pdf('{self.papers()}'))
            TO '{{path}}' STORED AS PARQUET"""
        return self.made("failed", statement)

    def index(self):
        return self.job("warc_to_search_index", "index", input=self.crawl())

    def cdxj(self):
        return self.job("warc_cdxj", "index.cdxj", input=self.crawl())

    def page(self):
        source = f"read_warc('{self.folder}/pages.warc.gz')"
        return self.sql(f"SELECT min(target_uri) FROM {source} WHERE warc_type = 'response'")[1]


class Spilled(threading.Thread):
    """Watches the folder for spilled data until it is stopped."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder, self.most, self.stopped = folder, 0, threading.Event()

    def run(self):
        while not self.stopped.wait(0.1):
            self.most = max(self.most, size(self.folder))


def size(path):
    """Returns the size of a file, or of all files in a folder. Files may disappear meanwhile."""
    try:
        with os.scandir(path) if path.is_dir() else contextlib.nullcontext() as inside:
            return path.stat().st_size if inside is None else sum(size(Path(entry)) for entry in inside)
    except OSError:
        return 0


class Jobs:
    def __init__(self, binary, inputs, folder):
        self.binary, self.inputs, self.folder = binary, inputs, folder

    def command(self, job, kind, values):
        """The command, and the paths that it writes."""
        text = (ROOT / f"queries/{job}.sql").read_text()
        variables = {key: self.filled(value) for key, value in values.items()}
        if kind:
            variables["input"] = self.inputs.path(kind)
        default = re.search(r"\$\{output:-([^}]*)\}", text)
        outputs = []
        if default:
            outputs.append(self.folder / ("output" + Path(default[1].rstrip("/")).suffix))
            variables["output"] = f"{outputs[0]}/" if default[1].endswith("/") else outputs[0]
        given = itertools.chain.from_iterable(("-v", f"{key}={value}") for key, value in variables.items())
        return ["-f", ROOT / f"queries/{job}.sql", *given], outputs

    def filled(self, value):
        name = value[1:-1] if value.startswith("{") and value.endswith("}") else None
        if name:
            return self.inputs.path(name)
        return value.format(folder=self.inputs.folder)

    def run(self, command, limit):
        spill, summary = self.folder / "temp", self.folder / "summary.json"
        spill.mkdir(exist_ok=True)
        summary.unlink(missing_ok=True)
        settings = ["-q", "--format", "ndjson", "--threads", THREADS, "--memory-limit", limit]
        settings += ["--temp-dir", spill, "--summary", summary]
        watch = Spilled(spill)
        watch.start()
        started = time.monotonic()
        with open(self.folder / "stdout", "wb") as out, open(self.folder / "stderr", "wb") as err:
            process = subprocess.Popen([str(word) for word in [self.binary, *settings, *command]], stdout=out, stderr=err, cwd=ROOT)
            _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        watch.stopped.set()
        watch.join()
        usages = [usage, *left_behind()]
        # The summary has the memory of the process alone, the usage includes workers.
        memory = json.loads(summary.read_text())["peak_memory"] if summary.exists() else usage.ru_maxrss << 10
        largest = max(usage.ru_maxrss for usage in usages) << 10
        return Run(
            (self.folder / "stderr").read_text() if status else "",
            memory,
            # At the end of a process, the kernel counts a little more than the process itself.
            largest if largest > memory * 1.05 else 0,
            sum(usage.ru_utime + usage.ru_stime for usage in usages),
            seconds,
            watch.most,
        )

    def digests(self, outputs):
        """Returns digests of the output and the files of a run, by name, which do not depend on the
        order of rows."""
        found = {"printed": digest_of_lines((self.folder / "stdout").read_bytes().splitlines())}
        for output in outputs:
            if output.is_dir() and (output / "meta.json").exists():
                found["index"] = self.digest_of_rows(f"SELECT * EXCEPT (score) FROM search('{output}', '*')")
                continue
            for path in sorted(output.rglob("*") if output.is_dir() else [output]):
                name = str(path.relative_to(self.folder))
                if PART.fullmatch(path.name):
                    found[str(path.parent)] = found.get(str(path.parent)) or self.digest_of_parquet(path.parent / "*.parquet")
                elif path.suffix == ".parquet":
                    found[name] = self.digest_of_parquet(path)
                elif path.suffix == ".seq":
                    found[name] = self.digest_of_rows(f"SELECT key, value FROM read_sequencefile('{path}')")
                elif path.is_file():
                    found[name] = digest_of_lines(path.read_bytes().splitlines())
        return found

    def digest_of_parquet(self, path):
        described = self.sql_lines(f"DESCRIBE '{path}'")
        columns = [json.loads(line)["column_name"] for line in described]
        if NUMBERED.intersection(columns):
            # An intermediate result.
            return len(columns), self.sql_lines(f"SELECT count(*) AS rows FROM '{path}'")[0]
        return self.digest_of_rows(f"SELECT * FROM '{path}'")

    def sql_lines(self, statement):
        command = [self.binary, "-q", "--format", "ndjson", "-c", statement]
        return subprocess.run(command, check=True, capture_output=True).stdout.splitlines()

    def digest_of_rows(self, statement):
        command = [self.binary, "-q", "--format", "ndjson", "-c", statement]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as rows:
            digest = digest_of_lines(rows.stdout)
        if rows.returncode:
            sys.exit(f"failed: {command}")
        return digest

    def clean(self, outputs):
        for output in outputs:
            if output.is_dir():
                shutil.rmtree(output)
            else:
                output.unlink(missing_ok=True)


def digest_of_lines(lines):
    count = total = 0
    for line in lines:
        count += 1
        total += int.from_bytes(hashlib.blake2b(line.rstrip(b"\n"), digest_size=8).digest(), "big")
    return count, total % 2**64


def bytes_of(text):
    number, unit = re.fullmatch(r"(\d+)([KMGT]?)B", text).groups()
    return int(number) * 1000 ** " KMGT".index(unit or " ")


def megabytes(count):
    return f"{count / 1e6:.0f} MB" if count else ""


def main():
    binary = program()
    data = Path(option("data") or binary.parent / "bench-memory").resolve()
    data.mkdir(exist_ok=True)
    adopt_orphans()
    inputs = Inputs(binary, data)
    folder = data / "run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    jobs = Jobs(binary, inputs, folder)
    only = option("only")
    wanted = [(job, *how) for job, how in JOBS.items()]
    wanted += [(job, "long", JOBS[job][1]) for job in LONG]
    if only:
        wanted = [item for item in wanted if item[0] in only.split(",")]
    rows, failures = [], []
    for job, kind, values in wanted:
        name = f"{job}, long texts" if kind == "long" else job
        command, outputs = jobs.command(job, kind, values)
        ran = {}
        digests = {}
        for limit in LIMITS:
            jobs.clean(outputs)
            ran[limit] = jobs.run(command, limit)
            digests[limit] = None if ran[limit].error else jobs.digests(outputs)
        limited, free = ran[LIMIT], ran[LIMITS[-1]]
        ratio = limited.memory / bytes_of(LIMIT)
        same = digests[LIMIT] == digests[LIMITS[-1]]
        result = "failed" if limited.error else "same" if same else "differs"
        if result != "same" or ratio > MAX_RATIO:
            failures.append(name)
        row = [f"`{name}`", megabytes(limited.memory), f"{ratio:.2f}", megabytes(limited.workers), f"{limited.cpu:.1f}"]
        row += [megabytes(limited.spilled), megabytes(free.memory), f"{free.cpu:.1f}", result]
        rows.append(row)
        print(" | ".join(row), file=sys.stderr)
        if limited.error:
            print(limited.error.strip(), file=sys.stderr)
        if not same and digests[LIMIT] and digests[LIMITS[-1]]:
            for part, found in digests[LIMIT].items():
                if found != digests[LIMITS[-1]].get(part):
                    print(f"  {part}: {found}, {digests[LIMITS[-1]].get(part)}", file=sys.stderr)
        jobs.clean(outputs)
    heads = ["job", "peak", "ratio", "workers", "CPU seconds", "spilled", "peak without limit", "CPU seconds", "rows"]
    print_table(heads, rows)
    if failures:
        sys.exit(f"failed, too large or different: {', '.join(failures)}")


if __name__ == "__main__":
    main()
