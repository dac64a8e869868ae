#!/usr/bin/env python3
"""Scores the Markdown of PDFs against known Markdown: the order of the text, and the headings.

    cargo build --release -p corpus-pdf --example pdf_markdown
    pip install rapidfuzz apted liteparse pdf-inspector
    python3 benches/pdf_markdown.py FOLDER [--program=target/release/examples/pdf_markdown] [--files]

FOLDER has NAME.pdf and NAME.md, as READoc has. The order is the normalized indel similarity (rapidfuzz) of
the texts without markup. The headings are 1 - d / n: d is the edit distance of the trees of headings (apted;
replacing a heading costs the indel distance of the two), n the number of headings of the larger tree. Prints
the means and CPU seconds over all files, and each file with --files. liteparse and pdf-inspector (PyPI) are
scored, too, if they are installed.
"""

import json
import re
import subprocess
import sys

from apted import APTED, Config
from common import ROOT, cpu_seconds, folder, option, print_scores
from rapidfuzz.distance import Indel

FENCE = re.compile(r"\s*(```|~~~)")


def plain(markdown):
    """The text of a Markdown document in one line, without markup."""
    text = re.sub(r"<!--.*?-->", "", markdown, flags=re.S)
    text = re.sub(r"</?(table|thead|tbody|tr|td|th|sup|sub|br|p|caption|strong|em|del)\b[^>]*>", " ", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"^\s*\|?[\s:|-]+\|[\s:|-]*$", "", text, flags=re.M)
    text = re.sub(r"^\s*(```|~~~).*$", "", text, flags=re.M)
    text = re.sub(r"^\s*(#+|[-*+]|\d+[.)]) ", "", text, flags=re.M)
    text = re.sub(r"\\([^\w\s])", r"\1", text)
    return " ".join(re.sub(r"[*_`|>]", "", text).split())


def headings(markdown):
    """The headings outside of code, as pairs of level and text."""
    found, in_code = [], False
    for line in markdown.splitlines():
        in_code ^= bool(FENCE.match(line))
        heading = re.match(r"(#{1,6})\s+(.*)", line)
        if heading and not in_code:
            text = re.sub(r"<[^>]+>|#+\s*$", "", heading[2])
            found.append((len(heading[1]), plain(text).lower()))
    return found


class Node:
    def __init__(self, text):
        self.text = text
        self.children = []


class Costs(Config):
    def rename(self, a, b):
        if a.text is None or b.text is None:
            return float(a.text is not b.text)
        return Indel.normalized_distance(a.text, b.text)

    def children(self, node):
        return node.children


def tree(found):
    """The headings, each below the last one of a lower level."""
    root = Node(None)
    path = [(0, root)]
    for level, text in found:
        while path[-1][0] >= level:
            path.pop()
        node = Node(text)
        path[-1][1].children.append(node)
        path.append((level, node))
    return root


def heading_score(found, known):
    if not found and not known:
        return 1.0
    distance = APTED(tree(found), tree(known), Costs()).compute_edit_distance()
    return max(0.0, 1 - distance / max(len(found), len(known)))


def ours(paths):
    binary = option("program") or ROOT / "target/release/examples/pdf_markdown"
    output = subprocess.run([binary, "--json", *paths], capture_output=True, text=True).stdout
    return {line["file"]: line["markdown"] for line in map(json.loads, output.splitlines())}


def liteparse(paths):
    from liteparse import LiteParse

    parser = LiteParse(output_format="markdown", ocr_enabled=False, quiet=True)
    return {path.name: parser.parse(path).text for path in paths}


def pdf_inspector(paths):
    import pdf_inspector as library

    return {path.name: library.process_pdf(str(path)).markdown or "" for path in paths}


def score(name, extract, known):
    started = cpu_seconds()
    found = extract(list(known))
    seconds = cpu_seconds() - started
    orders, trees = [], []
    for path, truth in known.items():
        markdown = found.get(path.name, "")
        orders.append(Indel.normalized_similarity(plain(markdown), plain(truth)))
        trees.append(heading_score(headings(markdown), headings(truth)))
        if "--files" in sys.argv:
            print(f"{name} {path.name}: order {orders[-1]:.3f}, headings {trees[-1]:.3f}")
    means = (f"{sum(scores) / len(scores):.3f}" for scores in (orders, trees))
    return [name, *means, f"{seconds / len(known):.3f}"]


def main():
    truths = sorted(folder(__doc__).glob("*.md"))
    known = {path.with_suffix(".pdf"): path.read_text() for path in truths if path.with_suffix(".pdf").exists()}
    if not known:
        sys.exit("no pairs of NAME.pdf and NAME.md")
    heads = ["program", "order", "headings", "CPU seconds per file"]
    print_scores(heads, score, ours, (liteparse, pdf_inspector), known)


if __name__ == "__main__":
    main()
