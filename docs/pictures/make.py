#!/usr/bin/env python3
"""Draws the pictures of the manual from what the program prints, writes and measures.

    docs/pictures/make.py [PROGRAM]

PROGRAM is target/release/corpus-sql by default. The pictures are the same on every run, and readable on light
and dark pages.
"""

import html
import re
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

STYLE = """
.ink { fill: #1c2733 } .dim { fill: #5b6873 } .own { fill: #0072b2 } .other { fill: #b9c4cd } .all { fill: #e1e6ea }
@media (prefers-color-scheme: dark) {
  .ink { fill: #e3e7ea } .dim { fill: #a3aeb8 } .own { fill: #56b4e9 } .other { fill: #5d6a75 } .all { fill: #323b44 }
}
text { font: 14px system-ui, sans-serif }
"""

# The terminal keeps its own background, so that it looks the same everywhere.
TERMINAL_STYLE = """
.frame { fill: #161b20; stroke: #3b454e } .text { fill: #d8dee4 } .command { fill: #7cc4f0 }
text { font: 14px 'DejaVu Sans Mono', Menlo, Consolas, monospace }
@keyframes show { from { opacity: 0 } }
g { animation: show .2s both }
@media (prefers-reduced-motion: reduce) { g { animation: none } }
"""
CELL_WIDTH = 8.4
LINE_HEIGHT = 19
MARGIN = 16
# Seconds between the steps of the recording.
STEP_SECONDS = 1.2

COMMANDS = (
    """corpus-sql -c "
  SELECT url, charset, length(main_text) AS characters,
         split_part(main_text, chr(10), 1) AS first_line
  FROM web_pages('data-samples/web/') WHERE status = 200 AND characters > 70
  ORDER BY characters DESC, url LIMIT 5\"""",
    "corpus-sql run warc_to_document data-samples/web/ -o documents.parquet",
    """corpus-sql documents.parquet -q -c "
  SELECT url, left(replace(document, chr(10), ' '), 50) AS document FROM documents ORDER BY url LIMIT 2\"""",
)

# The charts of docs/benchmarks.md that are drawn: their titles there, and here.
JOBS = {
    "Text of web pages": "text of web pages, 270 MB of HTML",
    "All records of a web archive": "all records of a web archive, 210 MB",
    "Main text of web pages": "main text of web pages, 6 MB",
    "Widths of text blocks in scanned pages": "text blocks of scanned pages, 1 GB of hOCR",
    "Text of PDFs": "text of 300 PDFs",
    "Text and full-text index of PDFs": "text and full-text index of 300 PDFs",
    "Languages by fastText's model": "languages by fastText's model, 115 MB",
    "Grouping narrow rows": "grouping 20 million narrow rows",
}


def svg(width, height, style, title, parts):
    """A picture with a description for those who cannot see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img">\n'
        f"<title>{html.escape(title)}</title>\n<style>{style}</style>\n" + "\n".join(parts) + "\n</svg>\n"
    )


def text(x, y, words, kind="ink", more=""):
    return f'<text x="{x:g}" y="{y:g}" class="{kind}"{more}>{html.escape(words)}</text>'


def bar(x, y, width, height, kind):
    return f'<rect x="{x:g}" y="{y:g}" width="{max(width, 1):g}" height="{height:g}" rx="2" class="{kind}"/>'


def run(program, folder, command):
    """What a command prints, without times and memory, which differ from run to run."""
    script = f"corpus-sql() {{ '{program}' \"$@\"; }}\nexec 2>&1\n{command}"
    printed = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=True).stdout
    printed = re.sub(r", [\d.]+ s, peak memory .*", "", printed)
    return re.sub(r"( written to [^,\n]*),.*", r"\1", printed)


def is_wide(character):
    return unicodedata.east_asian_width(character) in "WF"


def terminal_line(line, y, kind):
    """A line in cells of equal width: each character has its place, whatever font draws it."""
    column, places = 0, []
    for character in line:
        places.append(f"{MARGIN + column * CELL_WIDTH:.1f}".removesuffix(".0"))
        column += 2 if is_wide(character) else 1
    for word in re.finditer(r"\S+", line):
        x = " ".join(places[word.start() : word.end()])
        yield f'<text x="{x}" y="{y:g}" class="{kind}">{html.escape(word.group())}</text>'


def terminal(program, folder):
    """Commands and their output, one after the other."""
    steps = []
    for command in COMMANDS:
        first, *others = command.split("\n")
        steps.append(([f"$ {first}", *others], "command"))
        steps.append((run(program, folder, command).rstrip("\n").split("\n") + [""], "text"))
    steps[-1][0].pop()
    count = sum(len(lines) for lines, _ in steps)
    columns = max(sum(2 if is_wide(one) else 1 for one in line) for lines, _ in steps for line in lines)
    width, height = 2 * MARGIN + columns * CELL_WIDTH, 2 * MARGIN + count * LINE_HEIGHT
    parts = [f'<rect x=".5" y=".5" width="{width - 1:g}" height="{height - 1:g}" rx="8" class="frame"/>']
    y = MARGIN + 14
    for number, (lines, kind) in enumerate(steps):
        parts.append(f'<g style="animation-delay: {number * STEP_SECONDS:g}s">')
        for line in lines:
            parts += terminal_line(line, y, kind)
            y += LINE_HEIGHT
        parts.append("</g>")
    return svg(width, height, TERMINAL_STYLE, "A terminal: web pages as a table, and as a Parquet file", parts)


def funnel(program, folder):
    """The funnel of corpus_report.sql: the responses that are left after each condition."""
    run(program, folder, "corpus-sql run corpus_report data-samples/web/ --languages en,ja -o report")
    page = (folder / "report" / "index.html").read_text(encoding="utf-8")
    row = re.compile(
        r'<tr><th>([^<]*) <small>([^<]*)</small><td class="bar">.*?class="kept" width="([\d.]+)".*?'
        r'<td class="n">([^<]*)<td class="n dim">([^<\n]*)'
    )
    rows = [[html.unescape(cell) for cell in found] for found in row.findall(page.split('class="funnel"')[1])]
    if not rows:
        sys.exit("the report has no funnel")
    labels, bars, pitch = 370, 320, 44
    parts = []
    for number, (label, note, share, count, percent) in enumerate(rows):
        y = 8 + number * pitch
        parts.append(text(0, y + 14, label, more=' font-weight="600"'))
        parts.append(text(0, y + 31, note, "dim", ' style="font-size: 12px"'))
        parts.append(bar(labels, y + 4, bars, 22, "all"))
        parts.append(bar(labels, y + 4, bars * float(share) / 100, 22, "own"))
        parts.append(text(labels + bars + 50, y + 20, count, more=' text-anchor="end"'))
        parts.append(text(labels + bars + 120, y + 20, percent, "dim", ' text-anchor="end"'))
    about = f"Of {rows[0][3]} responses, {rows[-1][3]} are kept"
    return svg(labels + bars + 130, 8 + len(rows) * pitch, STYLE, about, parts)


def cropped_page(program, folder):
    """The most suspicious page of hocr_report.sql, as the job draws it."""
    suspects = "corpus-sql run hocr_cropping data-samples/book/pages.seq --format csv -q | sed -n 2p"
    page = int(run(program, folder, suspects).split(",")[5].split("/")[1].removesuffix(".html"))
    run(program, folder, "corpus-sql run hocr_report data-samples/book/pages.seq -o books/")
    (found,) = (folder / "books").glob(f"*/page_{page:04}.svg")
    return found.read_text(encoding="utf-8").replace("<svg ", '<svg width="420" ', 1)


def measured():
    """The rows of docs/benchmarks.md by their sections: names and seconds."""
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    for section in page.split("\n## ")[1:]:
        title = section.split("\n", 1)[0]
        rows = re.findall(r"^\| ([^|]+) \| ([\d.]+)(?: \([^)]*\))? \| \d+ MB \|", section, re.MULTILINE)
        yield title, [(name.replace("`", ""), float(seconds)) for name, seconds in rows]


def speeds():
    """The bars of docs/benchmarks.md, each job on its own scale."""
    found = dict(measured())
    labels, bars, pitch = 240, 420, 21
    parts, y = [], 6
    for title, about in JOBS.items():
        rows = [row for row in found[title] if "inflation alone" not in row[0] and "own process" not in row[0]]
        longest = max(seconds for _, seconds in rows)
        parts.append(text(0, y + 14, about, more=' font-weight="600"'))
        y += pitch
        for name, seconds in rows:
            is_own = name.startswith("corpus-sql")
            name = re.sub(r"(,.*| \((Python|node|pypdfium2)\))$", "", name)
            parts.append(text(16, y + 14, name, "ink" if is_own else "dim"))
            parts.append(bar(labels, y + 3, bars * seconds / longest, 14, "own" if is_own else "other"))
            parts.append(text(labels + bars * seconds / longest + 8, y + 14, f"{seconds:.2f} s", "dim"))
            y += pitch
        y += 10
    return svg(labels + bars + 70, y, STYLE, "Seconds of CPU time of corpus-sql and of other tools", parts)


def main():
    program = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target" / "release" / "corpus-sql").resolve()
    if not program.exists():
        sys.exit(f"{program} does not exist: cargo build --release")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for samples in ("data-samples", "queries"):
            (folder / samples).symlink_to(ROOT / samples)
        pictures = {
            "terminal": terminal(program, folder),
            "funnel": funnel(program, folder),
            "cropped-page": cropped_page(program, folder),
            "speeds": speeds(),
        }
    for name, picture in pictures.items():
        path = HERE / f"{name}.svg"
        path.write_text(picture, encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {len(picture.encode()):,} bytes")


if __name__ == "__main__":
    main()
