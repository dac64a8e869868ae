#!/usr/bin/env python3
"""Compares the decisions of the quality rules with those of datatrove, and the speed of both.

    cargo build --release
    benches/quality_rules.py [PROGRAM] [--texts=FILE] [--examples=N]

reads the texts of FILE (JSON lines with a text `document`), or generates texts. Prints for each rule
set how many texts both keep, both remove by the same rule, or judge differently, with examples of
differences, and the speed of both on one core. The speed of the program is that of its functions: the
time for reading the texts is measured separately and subtracted.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from common import cost, option, print_table, program, tools
from words import Topic, languages

RULES = {
    "quality_gopher": "GopherQualityFilter",
    "quality_gopher_repetition": "GopherRepetitionFilter",
    "quality_c4": "C4QualityFilter",
    "quality_fineweb": "FineWebQualityFilter",
}
INVENTED = 600
ENDS = (".", ".", ".", "!", "?", "...", "…", "", ":", ".[1]", '."')


def invented():
    """Texts of sentences, menus, lists and repetitions, some of them good."""
    rng = random.Random(11)
    made = languages(rng)
    for number in range(INVENTED):
        topic = Topic(made[1 if number % 4 else 2], rng)
        lines = []
        for _ in range(rng.choice((2, 5, 10, 20, 40))):
            kind = rng.random()
            if kind < 0.55:
                with_english = (f"The {topic.phrase(3, 9)} and {topic.phrase(2, 9)} of that" for _ in range(rng.randint(1, 4)))
                lines.append(" ".join(part + rng.choice(ENDS) for part in with_english))
            elif kind < 0.7:
                lines.append(rng.choice(("- ", "• ", "# ", "")) + topic.phrase(1, 4))
            elif kind < 0.8 and lines:
                lines.append(rng.choice(lines))
            elif kind < 0.85:
                lines.append(f"{rng.randint(1, 2000)} {rng.randint(1, 99)}.{rng.randint(1, 99)} {topic.phrase(1, 2)}")
            elif kind < 0.88:
                lines.append(rng.choice(("We use cookies to improve this page.", "Please enable JavaScript.", "Lorem ipsum dolor sit amet.", "if (a) { b(); } or not.")))
            else:
                lines.append(rng.choice(("", topic.sentence())))
        yield "\n".join(lines)


def datatrove(path):
    """Returns the first broken rules of each text, and the seconds of each filter. Runs in the venv of
    datatrove."""
    from datatrove.data import Document
    from datatrove.pipeline import filters

    texts = [json.loads(line)["document"] for line in open(path)]
    decisions, seconds = [], []
    for name in RULES.values():
        rules = getattr(filters, name)()
        rules.filter(Document(text="Warm up.", id="0"))
        started = time.process_time()
        for number, text in enumerate(texts):
            # Filters may change the text of a document.
            kept = rules.filter(Document(text=text, id=str(number)))
            decisions.append(None if kept is True else kept[1])
        seconds.append(time.process_time() - started)
    return {"decisions": [decisions[at :: len(texts)] for at in range(len(texts))], "seconds": seconds}


def one_core(binary, sql):
    return binary, "-q", "--format", "ndjson", "-c", f"SET datafusion.execution.target_partitions = 1; {sql}"


def ours(binary, path):
    """The first broken rules of each text."""
    calls = ", ".join(f"{name}(document)['broken'][1] AS {name}" for name in RULES)
    sql = f"SELECT {calls} FROM '{path}'"
    printed = subprocess.run(one_core(binary, sql), check=True, capture_output=True, text=True).stdout
    rows = map(json.loads, printed.splitlines())
    return [[row.get(name) for name in RULES] for row in rows]


def speed(binary, path, megabytes):
    """Returns MB/s of each function, and of all together."""
    base = cost(*one_core(binary, f"SELECT sum(octet_length(document)) FROM '{path}'")).cpu
    for name in [*RULES, "quality_rules"]:
        broken = f"{name}(document)['gopher']" if name == "quality_rules" else f"{name}(document)"
        sql = f"SELECT sum(cardinality({broken}['broken'])) FROM '{path}'"
        yield megabytes / max(cost(*one_core(binary, sql)).cpu - base, 1e-3)


def write_texts(path, texts):
    path.write_text("".join(json.dumps({"document": text}) + "\n" for text in texts))


def main():
    binary = program()
    python = tools(binary.parent)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.json"
        given = option("texts")
        texts = [json.loads(line)["document"] for line in open(given)] if given else list(invented())
        write_texts(path, texts)
        theirs = subprocess.run([python, __file__, "--datatrove", path], check=True, capture_output=True, text=True)
        theirs = json.loads(theirs.stdout.splitlines()[-1])
        rows, examples = compare(texts, ours(binary, path), theirs["decisions"])
        print(f"{len(texts)} texts\n")
        print_table(["rules", "both keep", "same rule", "another rule", "only datatrove removes", "only we remove"], rows)
        for example in examples:
            print(example)
        size = sum(len(text.encode()) for text in texts) / 1e6
        # The texts are repeated to make the start of the program negligible.
        copies = max(1, round(20 / size))
        path.write_text(path.read_text() * copies)
        speeds = list(speed(binary, path, size * copies))
        print()
        rows = [[name, f"{size / seconds:.2f}", f"{own:.1f}"] for name, seconds, own in zip(RULES, theirs["seconds"], speeds)]
        together = size / sum(theirs["seconds"])
        print_table(["rules", "datatrove MB/s", "corpus-sql MB/s"], [*rows, ["all", f"{together:.2f}", f"{speeds[-1]:.1f}"]])


def compare(texts, ours, theirs):
    rows, examples = [], []
    for at, name in enumerate(RULES):
        kinds = Counter()
        for text, own, other in zip(texts, ours, theirs):
            own, other = own[at], other[at]
            if own == other:
                kind = "kept" if own is None else "same"
            elif own and other:
                kind = "another"
            else:
                kind = "ours" if own else "theirs"
            kinds[kind] += 1
            if own != other and kinds[kind] <= int(option("examples") or 3):
                examples.append(f"{name}: datatrove {other}, we {own}: {text[:100]!r}")
        rows.append([name, *(str(kinds[kind]) for kind in ("kept", "same", "another", "theirs", "ours"))])
    return rows, examples


if __name__ == "__main__":
    if sys.argv[1:2] == ["--datatrove"]:
        print(json.dumps(datatrove(sys.argv[2])))
    elif sys.argv[1:2] == ["--datatrove-seconds"]:
        print(sum(datatrove(sys.argv[2])["seconds"]))
    else:
        main()
