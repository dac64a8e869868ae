#!/usr/bin/env python3
"""Measures how much of a Markdown document survives being printed as a PDF and read back.

    apt-get install pandoc weasyprint libreoffice-writer
    cargo build --release -p corpus-pdf --example pdf_markdown
    python3 benches/pdf_round_trip.py [--program=target/release/examples/pdf_markdown] [--documents=24] [--show]

A generator with a fixed seed makes the texts. pandoc and
weasyprint print them with the style sheets below, in one and two columns, with running heads and page
numbers; LibreOffice prints them, too, if it is installed. Prints for each combination the F1 of headings with
their levels, cells of tables with their rows, and list items with their levels, and the share of pages whose
running head and number are not in the text. --show prints what was lost.
"""

import collections
import html
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from common import ROOT, option, print_table

WORDS = """apple river stone cloud window garden letter number paper silver winter summer market engine bridge
forest island signal pattern measure village copper theory kitchen journey museum harbour teacher doctor
captain merchant painter writer reader speaker listener the a one of in on with for from about under over
between and or but because while quickly slowly often seldom never always very rather quite small large
old young new early late green yellow""".split()
STYLES = {
    "serif, one column": """body { font: 10.5pt/1.4 serif; text-align: justify; hyphens: auto }
        td, th { padding: 2pt 6pt } table { border-collapse: collapse } thead { border-bottom: 1pt solid }
        table { border-top: 1pt solid; border-bottom: 1pt solid }""",
    "sans, one column": """body { font: 10pt/1.5 sans-serif } h1 { font-size: 22pt } h2 { font-size: 15pt }
        h3 { font-size: 11pt } td, th { border: .5pt solid; padding: 3pt 6pt } table { border-collapse: collapse }""",
    "serif, two columns": """body { font: 9pt/1.3 serif; columns: 2; column-gap: 18pt; text-align: justify;
        hyphens: auto } h1 { column-span: all; font-size: 18pt } h2 { font-size: 12pt } h3 { font-size: 9.5pt }
        p { margin: 0; text-indent: 12pt } td, th { border: .5pt solid; padding: 2pt 4pt }
        table { border-collapse: collapse; font-size: 8pt }""",
    "sans, two columns": """body { font: 9pt/1.35 sans-serif; columns: 2; column-gap: 20pt } h1 { font-size: 16pt }
        h2 { font-size: 12pt } h3 { font-size: 9pt; font-style: italic } td, th { padding: 2pt 5pt }
        tr { border-bottom: .5pt solid } table { border-collapse: collapse; font-size: 8pt }""",
}
PAGE = """@page { size: A4; margin: 25mm 20mm; @top-left { content: "%s"; font-size: 8pt }
    @bottom-center { content: counter(page); font-size: 8pt } }"""


class Document:
    """A random text as Markdown, and its parts."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.head = self.title(3, 5)
        self.parts = {kind: collections.Counter() for kind in ("headings", "cells", "items")}
        self.lines = []
        self.heading(1)
        self.paragraph()
        for section in range(self.random.randint(3, 5)):
            self.heading(2)
            self.paragraph()
            for _ in range(self.random.randint(1, 3)):
                if self.random.random() < 0.4:
                    self.heading(3)
                    self.paragraph()
                self.random.choice([self.list, self.table, self.paragraph])()
            self.paragraph()

    def words(self, least, most):
        return [self.random.choice(WORDS) for _ in range(self.random.randint(least, most))]

    def title(self, least, most):
        return " ".join(self.words(least, most)).capitalize()

    def sentence(self):
        return self.title(6, 18) + "."

    def heading(self, level):
        text = self.title(2, 6)
        self.parts["headings"][level, text] += 1
        self.lines += ["#" * level + " " + text, ""]

    def paragraph(self):
        for _ in range(self.random.randint(1, 3)):
            self.lines += [" ".join(self.sentence() for _ in range(self.random.randint(3, 7))), ""]

    def list(self, level=1, indent=""):
        is_ordered = self.random.random() < 0.5
        for number in range(1, self.random.randint(3, 6)):
            text = self.title(2, 16)
            self.parts["items"][level, text] += 1
            marker = f"{number}. " if is_ordered else "- "
            self.lines.append(indent + marker + text)
            if level < 2 and self.random.random() < 0.3:
                self.list(level + 1, indent + "    ")
        if level == 1:
            self.lines += ["", self.sentence(), ""]

    def table(self):
        columns, rows = self.random.randint(2, 4), self.random.randint(3, 6)
        cells = [[self.title(1, 2) for _ in range(columns)]]
        for _ in range(rows):
            numbers = [f"{self.random.uniform(0, 900):.1f}" for _ in range(columns - 1)]
            cells.append([self.title(1, 3), *numbers])
        for row in cells:
            self.parts["cells"].update((tuple(row), cell) for cell in row)
        rule = "|" + " --- |" * columns
        lines = ["| " + " | ".join(row) + " |" for row in cells]
        self.lines += [lines[0], rule, *lines[1:], ""]

    def markdown(self):
        return "\n".join(self.lines)


def plain(text):
    text = re.sub(r"</?(strong|em|sup|sub)>", "", text)
    return " ".join(re.sub(r"[*_`\\]", "", html.unescape(text)).split())


def parts(markdown):
    """The headings, cells and items of the Markdown that was read."""
    found = {kind: collections.Counter() for kind in ("headings", "cells", "items")}
    indents = []
    for line in markdown.splitlines():
        heading = re.match(r"(#+) (.*)", line)
        item = re.match(r"( *)(?:[-*+]|\d+[.)]) +(.*)", line)
        row = None
        if heading:
            found["headings"][len(heading[1]), plain(heading[2])] += 1
        elif line.startswith("| ") and not re.fullmatch(r"[| :-]+", line):
            row = [plain(cell) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        elif line.startswith("<tr>"):
            row = [plain(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", line)]
        elif item:
            indent = len(item[1])
            while indents and indents[-1] >= indent:
                indents.pop()
            indents.append(indent)
            found["items"][len(indents), plain(item[2])] += 1
        elif line.strip() and not line.startswith(" "):
            indents.clear()
        if row:
            found["cells"].update((tuple(row), cell) for cell in row)
    return found


def weasyprint(source, document, style, pdf):
    css = source.with_suffix(".css")
    css.write_text(style + PAGE % document.head)
    page = source.with_suffix(".html")
    pandoc = ["pandoc", source, "-s", "-M", "lang=en", "-M", "pagetitle=x", "-M", "document-css=false"]
    subprocess.run([*pandoc, "-o", page], check=True)
    subprocess.run(["weasyprint", "-q", "-s", css, page, pdf], check=True, stderr=subprocess.DEVNULL)


def libreoffice(source, document, extension, pdf):
    office = source.with_suffix(extension)
    subprocess.run(["pandoc", source, "-o", office], check=True)
    convert = ["soffice", "--headless", "--convert-to", "pdf", "--outdir", pdf.parent, office]
    subprocess.run(convert, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    office.with_suffix(".pdf").rename(pdf)


def f1(known, found):
    right = (known & found).total()
    return 2 * right / max(1, known.total() + found.total())


def score(name, make, style, documents, folder):
    binary = option("program") or ROOT / "target/release/examples/pdf_markdown"
    known = {kind: collections.Counter() for kind in ("headings", "cells", "items")}
    read = {kind: collections.Counter() for kind in known}
    pages = left = 0
    for number, document in enumerate(documents):
        source, pdf = folder / f"{number}.md", folder / f"{number}.printed.pdf"
        source.write_text(document.markdown())
        make(source, document, style, pdf)
        output = subprocess.run([binary, "--json", pdf], capture_output=True, text=True, check=True).stdout
        markdown = json.loads(output)["markdown"]
        found = parts(markdown)
        for kind in known:
            for entry, count in document.parts[kind].items():
                known[kind][number, entry] = count
            for entry, count in found[kind].items():
                read[kind][number, entry] = count
        count = len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes())) or 1
        numbers = re.findall(r"^\d+$", markdown, flags=re.M)
        pages += count
        left += min(count, plain(markdown).count(document.head) + len(numbers))
    if "--show" in sys.argv:
        for kind in known:
            for sign, rest in (("-", known[kind] - read[kind]), ("+", read[kind] - known[kind])):
                for entry in sorted(rest, key=str)[:40]:
                    print(name, kind, sign, entry)
    scores = [f"{f1(known[kind], read[kind]):.3f}" for kind in known]
    return [name, *scores, f"{1 - left / max(1, pages):.3f}"]


def main():
    for program in ("pandoc", "weasyprint"):
        if not shutil.which(program):
            sys.exit(f"{program} is not installed")
    documents = [Document(seed) for seed in range(int(option("documents") or 24))]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, style in STYLES.items():
            rows.append(score(name, weasyprint, style, documents, Path(folder)))
        if shutil.which("soffice"):
            for extension in (".odt", ".docx"):
                rows.append(score(f"LibreOffice, {extension}", libreoffice, extension, documents, Path(folder)))
    print_table(["printed as", "headings", "cells", "items", "running lines gone"], rows)


if __name__ == "__main__":
    main()
