#!/usr/bin/env python3
"""Measures which near duplicates the jobs find, compared with datasketch and rensa on the same
shingles.

    cargo build --release
    benches/near_duplicates.py [PROGRAM]

makes texts with near duplicates of known kinds (near_duplicate_texts.py), runs dedup_minhash.sql and
dedup_paragraph_near.sql on them, and compares the groups with those of the exact similarity of all
pairs. Prints precision, recall and F1 of the pairs within groups, the errors of the estimated
similarities, and the results for bad input.
"""

import json
import multiprocessing
import random
import subprocess
import tempfile
from collections import defaultdict
from itertools import combinations
from math import sqrt
from pathlib import Path

from common import ROOT, cost, print_table, program, tools
from near_duplicate_texts import (
    LONG_KINDS,
    SHORT_KINDS,
    Score,
    components,
    groups_of_documents,
    groups_of_paragraphs,
    invented,
    jaccard,
    merged_pairs,
    normalize,
    score,
    shingles,
)

FAMILIES = 40
THRESHOLD = 0.8
SHINGLE = 5
BANDS = [(0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 0.9), (0.9, 1.01)]
UNRELATED = 5000


class Job:
    """A job of queries/, run on documents in a folder."""

    def __init__(self, binary, folder, name):
        self.binary, self.folder, self.name = binary, Path(folder), name

    def run(self, documents, name, **variables):
        """The cost of the job, and the folder with its output."""
        path = self.folder / f"{name}.jsonl"
        write_lines(path, documents)
        return self.measured(path, name, **variables)

    def measured(self, path, name, **variables):
        output = self.folder / f"{name}-{self.name}"
        arguments = [f"-v{key}={value}" for key, value in variables.items()]
        query = ROOT / "queries" / f"{self.name}.sql"
        measured = cost(
            *(self.binary, "-q", "--threads", "2", "-f", query),
            *(f"-vinput={path}", f"-voutput={output}", *arguments),
            times=1,
        )
        return measured, output

    def rows(self, sql):
        ran = subprocess.run(
            [self.binary, "-q", "--format", "ndjson", "-c", sql],
            check=True,
            capture_output=True,
            text=True,
        )
        return [json.loads(line) for line in ran.stdout.splitlines()]


def write_lines(path, rows):
    with open(path, "w") as lines:
        for row in rows:
            print(json.dumps(row), file=lines)


def of_documents(job, texts):
    """The cost of dedup_minhash.sql, and the document kept for each text."""
    documents = [{"url": str(number), "document": text.text} for number, text in enumerate(texts)]
    measured, output = job.run(documents, "texts", similarity=THRESHOLD)
    found = list(range(len(texts)))
    for row in job.rows(f"SELECT url, kept_url FROM '{output}/removed.parquet'"):
        found[int(row["url"])] = int(row["kept_url"])
    return measured, found


def of_paragraphs(job, texts):
    """The cost of dedup_paragraph_near.sql, and the paragraph kept for each text."""
    paragraphs = 8
    starts = range(0, len(texts), paragraphs)
    documents = [
        {"url": str(start), "document": "\n\n".join(text.text for text in texts[start : start + paragraphs])}
        for start in starts
    ]
    measured, output = job.run(documents, "paragraphs")
    found = list(range(len(texts)))
    for row in job.rows(f"SELECT * FROM '{output}/removed.parquet'"):
        removed, kept = int(row["url"]) + row["position"], int(row["kept_url"]) + row["kept_position"]
        found[removed - 1] = kept - 1
    return measured, found


def scored(name, texts, truth, found, seconds):
    """A row of the table of scores."""
    result = score(truth, found)
    merged, apart = merged_pairs(texts, truth, found, "halves")
    numbers = [f"{value:.4f}" for value in (*result, result.f1)]
    return [name, *numbers, f"{merged} of {apart}", f"{seconds:.1f}"]


def by_kind(texts, truth, found):
    """Precision and recall of each kind of texts."""
    numbers = defaultdict(list)
    for number, text in enumerate(texts):
        numbers[text.kind].append(number)
    for kind, chosen in numbers.items():
        result = score(*([groups[number] for number in chosen] for groups in (truth, found)))
        yield [kind, f"{result.precision:.4f}", f"{result.recall:.4f}"]


def chosen_pairs(texts):
    """Returns all pairs within families, and enough pairs of unrelated texts to make their errors
    visible."""
    families = defaultdict(list)
    for number, text in enumerate(texts):
        families[text.family].append(number)
    related = [pair for numbers in families.values() for pair in combinations(numbers, 2)]
    rng = random.Random(3)
    return related + [tuple(rng.sample(range(len(texts)), 2)) for _ in range(UNRELATED)]


def estimates(job, normal, pairs):
    """Returns the functions' values for pairs of texts: similarities, and equal bits of SimHash."""
    path = job.folder / "pairs.jsonl"
    named = ({"a": normal[first], "b": normal[second]} for first, second in pairs)
    write_lines(path, ({"number": number, **pair} for number, pair in enumerate(named)))
    shingle = f"'{SHINGLE} characters'"
    rows = job.rows(f"""
        SELECT minhash_jaccard(minhash(a, {shingle}), minhash(b, {shingle})) AS estimate,
               text_jaccard(a, b, {shingle}) AS exact,
               128 - hamming_distance(simhash(a, '2 characters'), simhash(b, '2 characters'))
                   - hamming_distance(simhash(a, '4 characters'), simhash(b, '4 characters')) AS bits
        FROM '{path}' ORDER BY number""")
    return ([row[name] for row in rows] for name in ("estimate", "exact", "bits"))


def errors(exact, estimated):
    """The root mean square error in each band of the exact similarity."""
    cells = []
    for low, high in BANDS:
        found = [(given - right) ** 2 for right, given in zip(exact, estimated) if low <= right < high]
        cells.append(f"{sqrt(sum(found) / len(found)):.3f}" if found else "")
    return cells


def best_limit(exact, values):
    """Returns the score of the limit that separates similar pairs best."""
    similar = sum(right >= THRESHOLD for right in exact)
    best, hits = Score(0.0, 0.0), 0
    order = sorted(zip(values, exact), reverse=True)
    for count, (value, right) in enumerate(order, 1):
        hits += right >= THRESHOLD
        if hits and (count == len(order) or order[count][0] != value):
            best = max(best, Score(hits / count, hits / similar), key=lambda found: found.f1)
    return best


def compare_documents(job, python):
    texts = invented(7, FAMILIES, (3, 40), LONG_KINDS)
    normal = [normalize(text.text) for text in texts]
    truth = groups_of_documents(normal, SHINGLE, THRESHOLD)
    pairs = chosen_pairs(texts)
    sets = [shingles(text, SHINGLE) for text in normal]
    exact = [jaccard(sets[first], sets[second]) for first, second in pairs]

    measured, found = of_documents(job, texts)
    scores = [scored("`dedup_minhash.sql`", texts, truth, found, measured.cpu)]
    kinds = list(by_kind(texts, truth, found))
    ours, computed, bits = estimates(job, normal, pairs)
    if any(abs(right - given) > 1e-9 for right, given in zip(exact, computed)):
        raise SystemExit("text_jaccard is not the similarity of the sets")
    calibration = [["corpus-sql `minhash`", *errors(exact, ours), f"{best_limit(exact, ours).f1:.3f}"]]

    given = {"texts": normal, "pairs": pairs, "length": SHINGLE, "threshold": THRESHOLD}
    others = subprocess.run(
        [python, ROOT / "benches" / "near_duplicate_tools.py"],
        input=json.dumps(given),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    for name, other in json.loads(others.stdout).items():
        candidates = [((first, second), estimate) for first, second, estimate in other["candidates"]]
        checked = [pair for pair, estimate in candidates if estimate >= THRESHOLD]
        for how, chosen in [("candidates", [pair for pair, _ in candidates]), ("estimate", checked)]:
            groups = components(len(texts), chosen)
            scores.append(scored(f"{name}, {how}", texts, truth, groups, other["seconds"]))
        limit = best_limit(exact, other["estimates"])
        calibration.append([name, *errors(exact, other["estimates"]), f"{limit.f1:.3f}"])
    calibration.append(["SimHash, 128 bits", *([""] * len(BANDS)), f"{best_limit(exact, bits).f1:.3f}"])

    size = sum(len(text.text) for text in texts)
    print(f"\n{len(texts)} documents, {size // len(texts)} characters on average\n")
    print_table(["", "precision", "recall", "F1", "halves merged", "CPU seconds"], scores)
    print()
    print_table(["kind", "precision", "recall"], kinds)
    print(f"\n{len(pairs)} pairs: error of the estimate by similarity, F1 of the best limit\n")
    heads = [f"{low} to {min(high, 1)}" for low, high in BANDS]
    print_table(["", *heads, "F1"], calibration)
    unrelated = bits[-UNRELATED:]
    chance = sum(equal >= 76 for equal in unrelated) / len(unrelated)
    print(f"\n{chance:.2%} of unrelated pairs have 76 equal bits of SimHash or more")


def compare_paragraphs(job):
    texts = invented(8, FAMILIES, (1, 6), LONG_KINDS + SHORT_KINDS)
    truth = groups_of_paragraphs([text.text for text in texts])
    measured, found = of_paragraphs(job, texts)
    print(f"\n{len(texts)} paragraphs\n")
    row = scored("`dedup_paragraph_near.sql`", texts, truth, found, measured.cpu)
    print_table(["", "precision", "recall", "F1", "halves merged", "CPU seconds"], [row])
    print()
    print_table(["kind", "precision", "recall"], list(by_kind(texts, truth, found)))


def bad_input():
    """Documents that jobs must survive, with the number of them that dedup_minhash.sql must keep."""
    rng = random.Random(5)
    frame = invented(9, 1, (20, 30), ["single"])[0].text

    def page(words):
        own = " ".join(f"{rng.getrandbits(32):08x}" for _ in range(words))
        return {"url": f"http://template.example/{own[:16]}", "document": frame + own}

    yield "20,000 equal documents", [{"url": "http://a.example/", "document": frame}] * 20_000, 1
    yield "50,000 pages of a template, similar", [page(5) for _ in range(50_000)], 1
    yield "10,000 pages of a template, not similar", [page(45) for _ in range(10_000)], 10_000
    empty = [{"url": None, "document": None}, {"url": "", "document": ""}, {"url": "a", "document": " \n"}]
    yield "NULL, empty and short texts", empty * 1000, 3000


def survive(folder, jobs):
    making = multiprocessing.Process(target=write_bad_input, args=(folder,))
    making.start()
    making.join()
    rows = []
    for name, expected in json.loads((folder / "bad.json").read_text()):
        for job in jobs:
            measured, output = job.measured(folder / f"{name}.jsonl", name)
            [summary] = job.rows(f"SELECT documents_in, documents_out FROM '{output}/summary.parquet'")
            wanted = str(expected) if job is jobs[0] else ""
            numbers = [str(summary["documents_in"]), str(summary["documents_out"]), wanted]
            rows.append([name, f"`{job.name}.sql`", *numbers, f"{measured.cpu:.1f}", f"{measured.memory} MB"])
    print("\nBad input\n")
    print_table(["", "job", "documents", "kept", "right", "CPU seconds", "peak memory"], rows)


def write_bad_input(folder):
    """Runs in a separate process, whose memory does not count for the jobs."""
    kinds = []
    for name, documents, expected in bad_input():
        write_lines(folder / f"{name}.jsonl", documents)
        kinds.append((name, expected))
    (folder / "bad.json").write_text(json.dumps(kinds))


def main():
    binary = program()
    python = tools(binary.parent, "requirements-near-duplicates.txt")
    with tempfile.TemporaryDirectory(dir=binary.parent) as folder:
        documents, paragraphs = (
            Job(binary, folder, name) for name in ("dedup_minhash", "dedup_paragraph_near")
        )
        # This comes first, because the peak memory of a process includes that of its parent at the
        # start.
        survive(Path(folder), [documents, paragraphs])
        compare_documents(documents, python)
        compare_paragraphs(paragraphs)


if __name__ == "__main__":
    main()
