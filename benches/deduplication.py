#!/usr/bin/env python3
"""Deduplication at scale: CPU time, elapsed time and peak memory of jobs under a memory limit.

    cargo build --release
    benches/deduplication.py [PROGRAM] [--only=PART,PART] [--threads=N]

makes 4 GB of data next to the program, and keeps them. The parts:

paragraphs   dedup_paragraph_exact.sql on 6 and 24 million paragraphs of 170 bytes in documents of 20
near         dedup_paragraph_near.sql on 6 million paragraphs of 3,000 templates, which have many candidates
signatures   minhash compared with rensa and Daft, on one core
documents    dedup_minhash.sql on a million documents of 2 KB, of which 200,000 are near duplicates
components   connected_components on random edges, a chain and a star
bad          jobs on equal documents, and on 50,000 variants of a template
"""

import os
import random
import shutil
import subprocess

from common import ROOT, cost, option, print_table, program, tools
from words import english_word, japanese_word

THREADS = option("threads") or "2"

# Letters, about as frequent as in natural language.
LETTERS = "translate(encode(sha256({}), 'hex'), '0123456789abcdef', 'etaoin shrdlucmf')"

# Two of five paragraphs are drawn from a pool, with decreasing frequency: the most frequent one makes
# up 2 % of all.
PARAGRAPHS = f"""
COPY (
    SELECT 'https://site' || (value % 1000) || '.example/' || value AS url,
           array_to_string(array_transform(
               array_transform(range(value * 20, value * 20 + 20),
                   n -> CAST(CASE WHEN n % 5 < 2 THEN floor(exp(sample_hash(n) * ln({{count}} / 2.0))) ELSE n + 1e10 END AS BIGINT)),
               n -> left({LETTERS.format("'a' || n")} || {LETTERS.format("'b' || n")} || {LETTERS.format("'c' || n")}, 170)),
               chr(10) || chr(10)) AS document
    FROM range(0, {{count}} // 20)
) TO '{{path}}' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)')"""

# Each paragraph shares 120 of 170 characters with 2,000 others, so that most pairs of a template are candidates.
TEMPLATE_PARAGRAPHS = f"""
COPY (
    SELECT 'https://site' || (value % 1000) || '.example/' || value AS url,
           array_to_string(array_transform(range(value * 20, value * 20 + 20),
               n -> {LETTERS.format("'a' || (n % 3000)")} || left({LETTERS.format("'b' || (n % 3000)")}, 56) || left({LETTERS.format("'c' || n")}, 50)),
               chr(10) || chr(10)) AS document
    FROM range(0, 300000)
) TO '{{path}}' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)')"""

# Documents of 40 sentences. Of ten documents, three are equal except for one or two sentences of the
# second and third.
NEAR_DUPLICATES = f"""
COPY (
    SELECT 'https://site' || (value % 1000) || '.example/' || value AS url,
           array_to_string(array_transform(range(0, 40),
               n -> left({LETTERS.format("CASE WHEN value % 10 < 3 AND n >= value % 10 THEN value // 10 ELSE -value END || ' ' || n")}, 49)),
               '. ') AS document
    FROM range(0, 1000000)
) TO '{{path}}' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)')"""

SAME = """
COPY (
    SELECT 'https://site.example/' || value AS url, repeat('The same text on all pages. ', 10) AS document
    FROM range(0, 1000000)
) TO '{path}' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)')"""

TEMPLATE = f"""
COPY (
    SELECT 'https://site.example/' || value AS url,
           array_to_string(array_transform(range(0, 30), n -> {LETTERS.format("'menu' || n")}), ' ') ||
               {LETTERS.format("'text' || value")} AS document
    FROM range(0, 50000)
) TO '{{path}}' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)')"""

EDGES = {
    "random": "SELECT CAST(sample_hash(value) * 4e6 AS BIGINT) AS a, CAST(sample_hash(-value) * 4e6 AS BIGINT) AS b "
    "FROM range(0, 20000000)",
    "chain": "SELECT value AS a, value + 1 AS b FROM range(0, 1000000)",
    "star": "SELECT 0 AS a, value AS b FROM range(0, 1000000)",
}

# rensa's fastest methods, and slower ones for comparison.
RENSA = [
    "RMinHash.digest_matrix_from_token_sets_rho",
    "RMinHash.digest_matrix_from_token_sets",
    "CMinHash.digests_from_token_sets",
]


class Bench:
    def __init__(self, binary):
        self.binary = binary
        self.folder = self.binary.parent / "bench-deduplication"
        self.folder.mkdir(exist_ok=True)

    def made(self, name, sql, **values):
        """Returns a Parquet file in the folder of the data, made by a statement if it is missing."""
        path = self.folder / f"{name}.parquet"
        if not path.exists():
            self.sql(sql.format(path=path, **values))
        return path

    def sql(self, sql):
        printed = subprocess.run(
            [self.binary, "-q", "--format", "csv", "-c", sql], check=True, capture_output=True, text=True
        )
        return printed.stdout.splitlines()

    def job(self, name, path, limit, *variables):
        """The cost of a job, and its output folder."""
        output = self.folder / f"{name}-{path.stem}"
        shutil.rmtree(output, ignore_errors=True)
        settings = ["-q", "--threads", THREADS, "--memory-limit", limit, "--temp-dir", self.folder]
        files = ["-f", ROOT / "queries" / f"{name}.sql", "-v", f"input={path}", "-v", f"output={output}"]
        return cost(self.binary, *settings, *files, *variables, times=1), output

    def query(self, sql, *settings):
        return cost(self.binary, "-q", *settings, "-o", self.folder / "result", "-c", sql)


def row(name, measured, *more):
    return [name, f"{measured.cpu:.1f}", f"{measured.clock:.1f}", f"{measured.memory} MB", *more]


HEADS = ["", "CPU seconds", "elapsed", "peak memory"]


def paragraphs(bench):
    rows = []
    for millions in (6, 24):
        path = bench.made(f"paragraphs-{millions}", PARAGRAPHS, count=millions * 1_000_000)
        digests = []
        for limit in ("400MB", "16GB"):
            measured, output = bench.job("dedup_paragraph_exact", path, limit)
            summary = bench.sql(f"SELECT paragraphs_in, paragraphs_out FROM '{output}/summary.parquet'")[1]
            digests.append([summary, *(text_digest(bench, output, name) for name in ("documents", "removed"))])
            rows.append(row(f"{millions} M paragraphs, limit {limit}", measured, summary.replace(",", " → ")))
            shutil.rmtree(output)
        if digests[0] != digests[1]:
            raise SystemExit("the limit changed the result")
    print_table([*HEADS, "paragraphs"], rows)


def near(bench):
    path = bench.made("template-paragraphs", TEMPLATE_PARAGRAPHS)
    rows = []
    for limit in ("200MB", "500MB"):
        measured, output = bench.job("dedup_paragraph_near", path, limit)
        summary = bench.sql(f"SELECT paragraphs_in, paragraphs_out, pairs_left_out FROM '{output}/summary.parquet'")[1]
        rows.append(row(f"`dedup_paragraph_near.sql`, limit {limit}", measured, *summary.split(",")))
        shutil.rmtree(output)
    print_table([*HEADS, "paragraphs", "kept", "pairs left out"], rows)


def text_digest(bench, output, name):
    """A number that is the same for the same URLs and texts in any order."""
    text = {"documents": "document", "removed": "position || ' ' || text"}[name]
    hashes = f"SELECT text_hash(url || ' ' || {text}) AS hash FROM '{output}/{name}.parquet'"
    return bench.sql(f"SELECT count(*), sum(CAST(hash AS DECIMAL(38, 0))) FROM ({hashes})")[1]


def write_texts(bench):
    """Documents of invented words, and their size in MB."""
    found = {}
    for name, word, space in (("english", english_word, " "), ("japanese", japanese_word, "")):
        lines = bench.folder / f"{name}.jsonl"
        path = bench.folder / f"{name}.parquet"
        if not path.exists():
            rng = random.Random(1)
            words = [word(rng) for _ in range(20_000)]
            weights = [1 / (rank + 3) for rank in range(len(words))]
            with open(lines, "w") as out:
                for _ in range(50_000):
                    print(f'{{"text": "{space.join(rng.choices(words, weights, k=400))}"}}', file=out)
            bench.sql(f"COPY (SELECT text FROM '{lines}') TO '{path}' STORED AS PARQUET")
            lines.unlink()
        found[name] = path, int(bench.sql(f"SELECT sum(octet_length(text)) FROM '{path}'")[1]) / 1e6
    return found


def signatures(bench):
    python = tools(bench.folder, "requirements-deduplication.txt")
    # One core for all.
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    rows = []
    for name, (path, size) in write_texts(bench).items():
        read = bench.query(f"SELECT sum(octet_length(text)) FROM '{path}'", "--threads", "1").cpu
        for shingles in ("5 characters", "5 words"):
            if (name, shingles) == ("japanese", "5 words"):
                continue
            call = f"SELECT count(minhash(text, '{shingles}')) FROM '{path}'"
            ours = bench.query(call, "--threads", "1").cpu - read
            rows.append([f"{name}, {shingles}", "`minhash`", f"{size / ours:.0f}", "1"])
            for tool in [*RENSA, *(["daft"] if shingles == "5 words" else [])]:
                command = [python, ROOT / "benches/other_signatures.py", tool, shingles, path]
                printed = subprocess.run(command, check=True, capture_output=True, text=True)
                seconds = float(printed.stdout.split()[-1])
                rows.append(["", f"`{tool}`", f"{size / seconds:.0f}", f"{seconds / ours:.1f}"])
    print_table(["", "", "MB per CPU second", "times `minhash`"], rows)


def documents(bench):
    path = bench.made("near-duplicates", NEAR_DUPLICATES)
    measured, output = bench.job("dedup_minhash", path, "2GB")
    summary = bench.sql(f"SELECT documents_in, documents_out FROM '{output}/summary.parquet'")[1]
    wrong = bench.sql(
        f"SELECT count(*) FROM '{output}/removed.parquet' "
        "WHERE split_part(url, '/', 4)::BIGINT // 10 <> split_part(kept_url, '/', 4)::BIGINT // 10"
    )[1]
    heads = [*HEADS, "documents", "removed for another text"]
    print_table(heads, [row("`dedup_minhash.sql`, limit 2GB", measured, summary.replace(",", " → "), wrong)])


def components(bench):
    rows = []
    for name, sql in EDGES.items():
        path = bench.made(name, f"COPY ({sql}) TO '{{path}}' STORED AS PARQUET")
        edges, ids = bench.sql(
            f"SELECT (SELECT count(*) FROM '{path}'), "
            f"(SELECT count(DISTINCT id) FROM (SELECT a AS id FROM '{path}' UNION ALL SELECT b FROM '{path}'))"
        )[1].split(",")
        read = bench.query(f"SELECT sum(a + b) FROM '{path}'", "--threads", "1")
        grouped = bench.query(
            f"SELECT count(*), sum(size) FROM connected_components('SELECT a, b FROM ''{path}''')", "--threads", "1"
        )
        seconds, memory = grouped.cpu - read.cpu, (grouped.memory - read.memory) << 20
        rows.append(
            [name, edges, ids, f"{seconds:.2f}", f"{int(edges) / seconds / 1e6:.1f}", f"{memory / int(ids):.0f}"]
        )
    print_table(["edges", "number", "ids", "CPU seconds", "million edges per second", "bytes per id"], rows)


def bad(bench):
    rows = []
    for name, sql in (("same", SAME), ("template", TEMPLATE)):
        path = bench.made(name, sql)
        for job in ("dedup_exact", "dedup_paragraph_exact", "dedup_minhash"):
            measured, output = bench.job(job, path, "400MB")
            summary = bench.sql(f"SELECT documents_in, documents_out FROM '{output}/summary.parquet'")[1]
            rows.append(row(f"`{job}.sql`, {name}", measured, summary.replace(",", " → ")))
            shutil.rmtree(output)
    print_table([*HEADS, "documents"], rows)


PARTS = (paragraphs, near, signatures, documents, components, bad)


def main():
    bench = Bench(program())
    only = option("only")
    wanted = only.split(",") if only else [part.__name__ for part in PARTS]
    # `signatures` pins the process to one core.
    for part in sorted(PARTS, key=lambda part: part is signatures):
        if part.__name__ in wanted:
            print(f"\n{part.__name__}\n")
            part(bench)


if __name__ == "__main__":
    main()
