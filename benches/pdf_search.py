#!/usr/bin/env python3
"""Measures the cost of making PDFs searchable, compared with pdf.js and lunr, and the time of a query.

    cargo build --release
    python3 benches/pdf_search.py [--files=FOLDER] [--others] [target/release/corpus-sql]

Measures the whole job: reads the PDFs below a folder, or generated ones (pdf_papers.py), extracts the
texts of their pages and indexes the pages. Then measures the index alone, from pages as JSON lines,
which both sides read. Then queries an index of 100,000 generated pages. Like all data, it is made once
and kept in the folder of the binary. Remove it when its generator has changed.

Prints CPU seconds (user and system, of all processes), the best of two. corpus-sql uses one thread.
Only ratios are comparable, because machines differ. Installs pdfjs-dist and lunr from npm.

`--others` measures only the other programs.
"""

import json
import random
import shutil
import sys

from common import cost, node_tools, print_table, program
from pdf_engines import Files, pdf_js
from words import Topic, languages

TIMES = 2
SEED = 20190602
PAGES, QUERIES, HITS = 100_000, 200, 20

JOB = """
    COPY (
        SELECT source_file, page['page'] AS page, page['text'] AS text
        FROM (SELECT source_file, unnest(pdf_pages(content)) AS page FROM read_pdf('{input}'))
    ) TO '{output}/pages.parquet' STORED AS PARQUET;
    COPY (SELECT concat(source_file, '#', page) AS id, text FROM '{output}/pages.parquet')
    TO '{output}/index/' STORED AS SEARCH_INDEX
"""
INDEX = """
    CREATE EXTERNAL TABLE pages STORED AS JSON LOCATION '{input}';
    COPY (SELECT id, text FROM pages) TO '{output}/index/' STORED AS SEARCH_INDEX
"""
SEARCH = "SELECT id, score FROM search('{index}/index/', '{query}', {hits})"


class Ours:
    def __init__(self, binary):
        self.sql = [binary, "--quiet", "--threads", "1"]
        self.folder = binary.parent / "bench-search"

    def cost(self, job, **places):
        runs = []
        for _ in range(TIMES):
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir()
            runs.append(cost(*self.sql, "-c", job.format(output=self.folder, **places), times=1))
        return min(runs, key=lambda run: run.cpu)

    def whole_job(self, files):
        return self.cost(JOB, input=files.folder)

    def index(self, pages):
        return self.cost(INDEX, input=pages)

    def size(self):
        """The size of the output of the last job, in MB."""
        size = sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())
        shutil.rmtree(self.folder)
        return size / 1e6

    def queries(self, pages):
        """Returns the elapsed seconds of the first query of a process, and of each further one."""
        index = self.folder.with_name("bench-search-index")
        if not index.exists():
            partial = index.with_suffix(".part")
            cost(*self.sql, "-c", INDEX.format(input=pages, output=partial), times=1)
            partial.rename(index)
        statements = [SEARCH.format(index=index, query=query, hits=HITS) for query in queries()]
        start, first, all_of_them = (
            cost(*self.sql, "-c", *some, times=TIMES).clock
            for some in (["SELECT 1"], statements[:1], statements)
        )
        return first - start, (all_of_them - first) / (QUERIES - 1)


class Theirs:
    def __init__(self, node):
        self.node, self.folder = node, node / "pages"
        self.folder.mkdir(exist_ok=True)
        self.engine = pdf_js(node)
        self.pages, self.indexed = self.folder / "pages.json", self.folder / "index.json"

    def whole_job(self, files):
        return cost(*self.engine.command, files.list, self.folder, times=TIMES)

    def index(self):
        return cost("node", self.node / "lunr_index.mjs", self.pages, self.indexed, times=TIMES)

    @staticmethod
    def size(*paths):
        return sum(path.stat().st_size for path in paths) / 1e6


def topics(rng):
    return [Topic(language, rng) for language in languages(rng) for _ in range(500)]


def invented_pages(path):
    """A page: a line of JSON with some hundred words of a topic."""
    if path.exists():
        return path
    rng = random.Random(SEED)
    about = topics(rng)
    partial = path.with_suffix(".part")
    with open(partial, "w") as out:
        for number in range(PAGES):
            text = rng.choice(about).phrase(100, 500)
            out.write(json.dumps({"id": str(number), "text": text}, ensure_ascii=False) + "\n")
    partial.rename(path)
    return path


def queries():
    """Some neighbouring words of a topic."""
    rng = random.Random(SEED)
    about = topics(rng)
    return [rng.choice(about).phrase(1, 3) for _ in range(QUERIES)]


def compare(measured, count, what):
    rows = []
    for name, spent, size in measured:
        times = f"{spent.cpu / measured[0][1].cpu:.1f}"
        speed = f"{60 * count / spent.cpu:,.0f}"
        rows.append((name, f"{spent.cpu:.2f}", speed, times, f"{size:.1f} MB", f"{spent.memory} MB"))
    print_table(("", "CPU seconds", f"{what} per CPU minute", "times the CPU", "size", "peak memory"), rows)


def main():
    binary = program()
    ours = None if "--others" in sys.argv else Ours(binary)
    theirs = Theirs(node_tools(binary.parent))
    files = Files(binary.parent)
    files.without_crashes([theirs.engine])

    measured = [("corpus-sql", ours.whole_job(files), ours.size())] if ours else []
    measured.append(("pdf.js + lunr (node)", theirs.whole_job(files), theirs.size(theirs.pages, theirs.indexed)))
    print(f"The whole job: {len(files.paths)} documents\n")
    compare(measured, len(files.paths), "documents")

    with open(theirs.pages) as lines:
        pages = sum(1 for _ in lines)
    measured = [("corpus-sql", ours.index(theirs.pages), ours.size())] if ours else []
    measured.append(("lunr (node)", theirs.index(), theirs.size(theirs.indexed)))
    print(f"\nThe index alone: {pages} pages, {theirs.pages.stat().st_size / 1e6:.1f} MB of JSON\n")
    compare(measured, pages, "pages")

    if ours:
        first, further = ours.queries(invented_pages(binary.parent / "bench-search-pages.json"))
        print(f"\nOf {PAGES:,} pages: {1000 * first:.1f} ms for the first query, {1000 * further:.2f} ms for each further one")


if __name__ == "__main__":
    main()
