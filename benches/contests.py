"""The comparisons of benches/run. Each function returns a contest."""

import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pdf_engines
import pdf_search
import pdf_text
import quality_rules
import warc_reading
import warc_to_document
from common import INFLATE, READ_ONLY, ROOT, archive, node_tools, spent, tools
from contest import Contender, Contest, contender, reporting
from crawl import records
from deduplication import Bench, write_texts
from fasttext_models import lid_model
from hocr_average_width import INFLATE as INFLATE_BUFFERS
from hocr_average_width import JOB as AVERAGE_WIDTH
from hocr_average_width import LXML, SAMPLE, SCALE
from hocr_book import PAGES_IN_A_FILE, books

BOOKS = 20
# The number of copies of the archive for main text. corpus-sql reads all of them, trafilatura only one.
COPIES = 10
QUALITY_COPIES = 30

TRAFILATURA = """
import sys
import trafilatura
from fastwarc.warc import ArchiveIterator, WarcRecordType
for record in ArchiveIterator(open(sys.argv[1], 'rb'), record_types=WarcRecordType.response, parse_http=True, auto_decode='all'):
    if (record.http_content_type or '').split(';')[0].strip().lower() == 'text/html':
        trafilatura.extract(record.reader.read())
"""
FASTTEXT = """
import sys, fasttext
fasttext.FastText.eprint = lambda message: None
model = fasttext.load_model(sys.argv[1]).f
if len(sys.argv) > 2:
    import pyarrow.parquet as parquet
    for text in parquet.read_table(sys.argv[2])['text'].to_pylist():
        model.predict(text + '\\n', 1, 0.0, 'strict')
"""
DUCKDB = """
import sys, duckdb
duckdb.sql('SET threads = 1')
print(duckdb.sql(sys.argv[1]).fetchall())
"""

MAIN_TEXT = """
    SELECT sum(octet_length(html_main_text(http['body'], http['charset']))) FROM (
        SELECT http_response(body) AS http FROM read_warc('{}')
        WHERE warc_type = 'response' AND truncated IS NULL AND content_type LIKE 'application/http%'
    )
    WHERE http['sniffed_type'] = 'text/html'
"""
ROWS = 20_000_000
NARROW = f"""
    COPY (SELECT value % 100000 AS host, value * 7919 % 1000 AS size, text_hash(CAST(value AS VARCHAR)) AS hash
          FROM range(0, {ROWS})) TO '{{path}}' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)')
"""
GROUPED = """
    SELECT host, count(*) AS pages, avg(size) AS size, min(hash) AS hash FROM '{}'
    GROUP BY host ORDER BY pages DESC, host LIMIT 10
"""


class Place(NamedTuple):
    """The measured program. Its folder also holds the data and the other tools."""

    binary: Path

    @property
    def folder(self):
        return self.binary.parent

    def sql(self, *words):
        return [self.binary, "--quiet", "--threads", "1", *words]

    def idle(self):
        return self.sql("-c", "SELECT 1")

    def output(self):
        return self.folder / "bench-output.parquet"


def web_text(place):
    python = tools(place.folder)
    path = archive(place.folder / "bench-pages.warc.gz", records, warc_to_document.SIZE)
    job = warc_to_document.Job(place.binary, path)
    warc_to_document.check_that_pages_are_the_same(job, python)
    variables = ["-v", f"input={path}", "-v", f"output={place.output()}"]
    read = [python, "-c", warc_to_document.RESILIPARSE]
    return Contest(
        "Text of web pages",
        f"`warc_to_document.sql` on {megabytes(path)} of invented pages (270 MB inflated; half Japanese, four in ten "
        "not UTF-8), written as Parquet. The others write nothing.",
        [
            contender("corpus-sql", place.sql("-f", warc_to_document.JOB, *variables), place.idle()),
            contender("fastwarc + resiliparse (Python)", [*read, path], [*read, os.devnull]),
            bare_inflation(python, INFLATE, path),
        ],
    )


def web_reading(place):
    python, daft = tools(place.folder), tools(place.folder, "requirements-deduplication.txt")
    path = archive(place.folder / "bench.warc.gz", warc_reading.records, warc_reading.SIZE)
    fastwarc = [python, "-c", warc_reading.FASTWARC]
    return Contest(
        "All records of a web archive",
        f"The bodies of {megabytes(path)} of simple pages are read, and their sizes added up.",
        [
            contender("corpus-sql", place.sql("-c", warc_reading.BODIES.format(path)), place.idle()),
            contender("fastwarc (Python)", [*fastwarc, path, "bodies"], [*fastwarc, os.devnull, "bodies"]),
            contender("Daft `read_warc` (Python)", [daft, "-c", warc_reading.DAFT, path], [daft, "-c", warc_reading.DAFT]),
            bare_inflation(python, INFLATE, path),
        ],
    )


def main_text(place):
    python = tools(place.folder)
    path = archive(place.folder / "bench-few-pages.warc.gz", records, 6 << 20)
    copies = linked(place.folder / "bench-few-pages", [path], COPIES)
    read = [python, "-c", TRAFILATURA]
    ours = contender("corpus-sql, ten times", place.sql("-c", MAIN_TEXT.format(copies)), place.idle(), 1 / COPIES)
    return Contest(
        "Main text of web pages",
        f"`html_main_text` on {megabytes(path)} of invented pages. corpus-sql reads ten copies, and the table has a tenth.",
        [ours, contender("trafilatura (Python)", [*read, path], [*read, os.devnull])],
    )


def scanned_pages(place):
    python = tools(place.folder)
    files = books(place.folder / "bench-books", BOOKS)
    sample = files[SAMPLE]
    job = place.sql("--format", "csv", "-f", AVERAGE_WIDTH, "-v", f"input={files[0].parent / '*.seq'}")
    return Contest(
        "Widths of text blocks in scanned pages",
        f"`hocr_average_width.sql` on {BOOKS * PAGES_IN_A_FILE:,} invented pages of hOCR (1.03 GB) in SequenceFiles. lxml "
        "reads a tenth of them, and its seconds are multiplied by ten.",
        [
            contender("corpus-sql", job, place.idle()),
            contender("lxml (Python)", [python, LXML, *sample], [python, LXML], SCALE),
            bare_inflation(python, INFLATE_BUFFERS, *files),
        ],
    )


def pdfs(place):
    compared = pdf_engines.engines(place.folder)
    files = pdf_engines.Files(place.folder)
    files.without_crashes(compared)
    sql = pdf_text.JOB.format(input=files.folder, output=place.output())

    def ours(isolation):
        return place.sql("-c", f"SET corpus.pdf_isolation = '{isolation}'", sql)

    return Contest(
        "Text of PDFs",
        f"{len(files.paths)} invented papers, written as Parquet. The others write nothing.",
        [
            contender("corpus-sql, in a worker process", ours("process"), place.idle()),
            contender("corpus-sql, in its own process", ours("thread"), place.idle()),
            *(contender(engine.name, [*engine.command, files.list]) for engine in compared),
        ],
    )


def pdf_index(place):
    node = node_tools(place.folder)
    engine = pdf_engines.pdf_js(node)
    files = pdf_engines.Files(place.folder)
    files.without_crashes([engine])
    output, theirs = place.folder / "bench-search", node / "pages"
    theirs.mkdir(exist_ok=True)

    def ours():
        shutil.rmtree(output, ignore_errors=True)
        output.mkdir()
        return spent(*place.sql("-c", pdf_search.JOB.format(input=files.folder, output=output)))

    return Contest(
        "Text and full-text index of PDFs",
        "The same papers: an index of the texts of their pages.",
        [
            Contender("corpus-sql", ours),
            contender("pdf.js + lunr (node)", [*engine.command, files.list, theirs]),
        ],
    )


def quality(place):
    python = tools(place.folder)
    few, many = place.folder / "bench-quality-few.json", place.folder / "bench-quality.json"
    if not many.exists():
        texts = list(quality_rules.invented())
        quality_rules.write_texts(few, texts)
        quality_rules.write_texts(many, texts * QUALITY_COPIES)
    reading = f"SELECT sum(octet_length(document)) FROM '{many}'"
    rules = f"SELECT sum(cardinality(quality_rules(document)['gopher']['broken'])) FROM '{many}'"
    ours = contender("corpus-sql", place.sql("-c", rules), place.sql("-c", reading), 1 / QUALITY_COPIES)
    theirs = [python, ROOT / "benches" / "quality_rules.py", "--datatrove-seconds", few]
    return Contest(
        "Quality rules of Gopher, C4 and FineWeb",
        f"`quality_rules` on {quality_rules.INVENTED} texts ({megabytes(few)}), without reading them. corpus-sql does them "
        f"{QUALITY_COPIES} times, and the table has the share of one.",
        [ours, reporting("datatrove (Python)", theirs)],
    )


def fasttext(place):
    python, pyarrow = tools(place.folder), tools(place.folder, "requirements-deduplication.txt")
    model = lid_model(python)
    path, size = texts(place)["english"]
    # pyarrow is installed in the other venv.
    packages = next(pyarrow.parent.parent.glob("lib/*/site-packages"))
    theirs = ["env", f"PYTHONPATH={packages}", python, "-c", FASTTEXT, model]
    predict = f"SELECT count(fasttext_predict(text, '{model}')) FROM (SELECT text FROM '{path}' {{}})"
    return Contest(
        "Languages by fastText's model",
        f"`fasttext_predict` with lid.176.ftz on {size:.0f} MB of short invented texts, without loading the model.",
        [
            contender("corpus-sql", place.sql("-c", predict.format("")), place.sql("-c", predict.format("LIMIT 1"))),
            contender("fasttext-wheel (Python)", [*theirs, path], theirs),
        ],
    )


def signatures(place):
    python = tools(place.folder, "requirements-deduplication.txt")
    path, size = texts(place)["english"]
    call = f"SELECT count(minhash(text, '5 words')) FROM '{path}'"
    reading = f"SELECT sum(octet_length(text)) FROM '{path}'"
    script = ROOT / "benches" / "other_signatures.py"
    return Contest(
        "MinHash signatures",
        f"128 values for each of the texts of {size:.0f} MB, of shingles of 5 words, without reading them.",
        [
            contender("corpus-sql `minhash`", place.sql("-c", call), place.sql("-c", reading)),
            *(
                reporting(f"{name} (Python)", [python, script, tool, "5 words", path])
                for name, tool in [("rensa", "RMinHash.digest_matrix_from_token_sets_rho"), ("Daft", "daft")]
            ),
        ],
    )


def plain_sql(place):
    python = tools(place.folder)
    path = place.folder / "bench-narrow.parquet"
    if not path.exists():
        spent(*place.sql("-c", NARROW.format(path=path)))
    query = GROUPED.format(path)
    return Contest(
        "Grouping narrow rows",
        f"{ROWS // 10**6} million rows of three numbers in Parquet, grouped by one of them.",
        [
            contender("corpus-sql", place.sql("-c", query)),
            contender("DuckDB (Python)", [python, "-c", DUCKDB, query]),
        ],
    )


def start(place):
    python = tools(place.folder)
    return Contest(
        "Start",
        "`SELECT 1`: the cost of every run.",
        [
            contender("corpus-sql", place.idle()),
            contender("DuckDB (Python)", [python, "-c", DUCKDB, "SELECT 1"]),
        ],
    )


CONTESTS = (
    web_text,
    web_reading,
    main_text,
    scanned_pages,
    pdfs,
    pdf_index,
    quality,
    fasttext,
    signatures,
    plain_sql,
    start,
)


def bare_inflation(python, code, *paths):
    """The minimum work of any tool: decompressing the input."""
    return contender(
        "libdeflate, inflation alone", [python, "-c", code, *paths], [python, "-c", READ_ONLY, *paths]
    )


def texts(place):
    """Parquet files of short texts, and their sizes in MB."""
    return write_texts(Bench(place.binary))


def linked(folder, paths, copies):
    """A folder with links to files, several for each."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for number in range(copies):
        for path in paths:
            (folder / f"{number:03}-{path.name}").hardlink_to(path)
    return folder


def megabytes(path):
    return f"{path.stat().st_size / 1e6:.0f} MB"
