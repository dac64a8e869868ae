#!/usr/bin/env python3
"""Measures what is preserved when Markdown is rendered as a web page or an office document and read
back.

    pip install markdown-it-py
    cargo build --release -p corpus-html -p corpus-office --examples
    benches/markdown_round_trip.py target/release/examples [--katex FOLDER] [--documents 40] [--show]

A seeded generator makes the texts. Each is rendered into the page templates below, read by the example
`markdown`, and parsed again. The shares are those of cells, lines of code, formulas, headings, list
items and numbers that are preserved with the same text and, for headings and items, at the same level.
With the npm package katex in FOLDER, formulas are rendered by KaTeX, otherwise as MathML with the TeX
as an annotation. If pandoc is installed, the same texts are converted to DOCX, ODT and EPUB and read by
the example `office_markdown`.
"""
import argparse, collections, html, json, pathlib, random, re, shutil, subprocess, sys, tempfile

from markdown_it import MarkdownIt

WORDS = """apple river stone cloud window garden letter number paper silver winter summer market
engine bridge forest island signal pattern measure village copper theory kitchen journey museum
harbour Straße naïve déjà 漢字 данные μέτρο don't AT&T C++ x_y snake_case a*b <tag> 50% #tag [note]
1986. 3.14 -5 1,234.56 2026-11-25 10:30 ~7 ~9 $5 |""".split()
FORMULAS = [
    r"x^2 + y_1 = z", r"\frac{a}{b}", r"\sum_{i=1}^{n} i^2", r"\alpha * \beta_2 < 3", r"e^{-i\pi}",
    r"\sqrt{x_0 \mid y}", r"\int_0^1 f(t)\,dt", r"A_{ij} \cdot B^{T}", r"\left\{ x \in S \right\}",
    r"\lim_{n \to \infty} a_n", r"\binom{n}{k}", r"\overline{z} + \hat{x}", r"\sin x \leq 1", r"\sqrt[3]{x}",
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", r"P(A \mid B) = \frac{P(A \cap B)}{P(B)}",
    r"\mathbf{v} \times \vec{w}", r"\text{if } n \neq 0", r"f'(x) = \partial_x f",
]
CODE = [
    "def f(x_1, *args):", "    return x_1 ** 2  # twice", "", "if a < b && c > d:", "\tprint(`x`)",
    "| not | a | table |", "# no heading", "- no item", "for (int i = 0; i < 10; i++) {", "}",
    "$ echo \"$HOME\" | grep -c '*'", "    deeper = {'a': [1, 2.50]}", "SELECT * FROM t WHERE a_b = 1;",
]
LANGUAGES = ["python", "rust", "c", "sql", "bash", ""]


class Source:
    """A random text, as Markdown and as the parts that must be preserved."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.formulas = [], []
        for _ in range(self.random.randint(12, 20)):
            kinds = [self.heading, self.paragraph, self.table, self.code, self.list, self.display]
            self.random.choice(kinds)()

    def words(self, least, most):
        words = [self.random.choice(WORDS) for _ in range(self.random.randint(least, most))]
        return " ".join(re.sub(r"([\\`*_{}\[\]<>()#+.!|~$&-])", r"\\\1", word) for word in words)

    def marked(self, least, most):
        text = [self.words(least, most)]
        for _ in range(self.random.randint(0, 3)):
            mark = self.random.choice(["**", "*", "`", "$"])
            if mark == "$":
                text.append(self.formula())
            elif mark == "`":
                text.append("`" + self.random.choice(["a_b", "x * y", "f(1)", "<br>"]) + "`")
            else:
                text.append(f"{mark}{self.random.choice(['bold', 'two words', '12.5'])}{mark}")
            text.append(self.words(1, 5))
        return " ".join(text)

    def formula(self):
        # Renderers without formulas get a placeholder, which is replaced in the page.
        self.formulas.append((self.random.choice(FORMULAS), False))
        return f"TEX{len(self.formulas) - 1}END"

    def heading(self):
        self.lines += ["#" * self.random.randint(1, 6) + " " + self.words(1, 6), ""]

    def paragraph(self):
        self.lines += [self.marked(5, 40), ""]

    def display(self):
        self.formulas.append((self.random.choice(FORMULAS), True))
        self.lines += [f"TEX{len(self.formulas) - 1}END", ""]

    def code(self):
        lines = [self.random.choice(CODE) for _ in range(self.random.randint(2, 8))]
        # One blank line at a time, and none at the ends.
        lines = [line for line, after in zip(lines, lines[1:] + [""]) if line or after] or ["x"]
        self.lines += ["```" + self.random.choice(LANGUAGES), *lines, "```", ""]

    def table(self):
        columns, rows = self.random.randint(2, 5), self.random.randint(1, 6)
        cell = lambda: self.random.choice([self.words(0, 4), self.marked(1, 2), str(self.random.random())])
        row = lambda: "| " + " | ".join(cell() for _ in range(columns)) + " |"
        self.lines += [row(), "|" + " --- |" * columns, *(row() for _ in range(rows)), ""]

    def list(self, depth=0, indent=""):
        ordered, number = self.random.random() < .5, self.random.choice([1, 1, 3, 99])
        for _ in range(self.random.randint(2, 4)):
            marker = f"{number}. " if ordered else "- "
            number += 1
            self.lines.append(indent + marker + self.marked(1, 8))
            if depth < 3 and self.random.random() < .3:
                self.lines.append("")
                self.list(depth + 1, indent + " " * len(marker))
        if not depth:
            self.lines += ["", "<!-- -->", ""]

    def markdown(self):
        return "\n".join(self.lines)

    def with_formulas(self, text, write):
        return re.sub(r"TEX(\d+)END", lambda match: write(*self.formulas[int(match[1])]), text)


def parts(markdown):
    """The parts of a Markdown text: a multiset per kind."""
    found = collections.defaultdict(collections.Counter)
    level, in_table, in_heading, in_item = 0, False, None, False
    formulas = []

    def keep(match):
        formulas.append(" ".join(match[1].split()))
        return f"TEX{len(formulas) - 1}END"

    outside, result, code = True, [], []
    for line in markdown.split("\n"):
        fence = re.match(r"\s*(```+)", line)
        outside ^= bool(fence)
        if outside and not fence:
            code.append(line)
        else:
            result.append("\n".join(code))
            code = []
            result.append(line)
    result.append("\n".join(code))
    pieces = [
        piece if re.match(r"\s*```", piece) or index % 2 else re.sub(
            r"(?s)\$\$\s*(.+?)\s*\$\$", keep, piece)
        for index, piece in enumerate(result)
    ]
    text = "\n".join(pieces)
    text = re.sub(r"(?<![\\`$])\$([^$\s](?:[^$\n]*[^$\s\\])?)\$(?![\d`])", keep, text)
    found["formulas"].update(formula.replace("\\|", "|") for formula in formulas)
    plain = lambda token: " ".join("".join(
        child.content if child.type in ("text", "code_inline") else " " if "break" in child.type else ""
        for child in token.children or []).split())
    numbers = lambda text: re.findall(r"\d[\d.,:-]*\d|\d", re.sub(r"TEX\d+END", " ", text))
    tokens = MarkdownIt("commonmark").enable("table").enable("strikethrough").parse(text)
    cell = False
    for token in tokens:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            level += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            level -= 1
        elif token.type == "list_item_open":
            in_item = True
        elif token.type == "heading_open":
            in_heading = token.tag
        elif token.type in ("th_open", "td_open"):
            cell = True
        elif token.type in ("fence", "code_block"):
            found["code"].update(line for line in token.content.rstrip("\n").split("\n") if line.strip())
            found["languages"][token.info] += bool(token.info)
        elif token.type == "inline":
            content = re.sub(r"TEX\d+END", "TEX", plain(token))
            found["numbers"].update(numbers(plain(token)))
            if cell and content:
                found["cells"][content] += 1
            elif in_heading:
                found["headings"][in_heading, content] += 1
            elif in_item:
                found["items"][level, content] += 1
            cell, in_heading, in_item = False, None, False
    return found


NAV = '<nav><ul><li><a href="/">Home</a></li><li><a href="/about">About</a></li></ul></nav>'
PAGE = "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Page</title></head><body>{}</body></html>"


def lines_in_spans(body):
    """Renders code with an element per line, like highlighters."""
    def spans(match):
        lines = match[2].rstrip("\n").split("\n")
        return match[1] + "\n".join(f'<span class="line">{line}</span>' for line in lines) + "</code></pre>"
    return re.sub(r"(?s)(<pre><code[^>]*>)(.*?)</code></pre>", spans, body)


TEMPLATES = {
    "bare": lambda body: body,
    "article": lambda body: PAGE.format(f"{NAV}<main><article>{body}</article></main><footer>© 2026</footer>"),
    "divs": lambda body: PAGE.format(f'<div id=top>{NAV}</div><div class="row"><div class="col-8 content">{body}</div></div>'),
    "layout table": lambda body: PAGE.format(
        f'<table width="100%" border=0><tr><td valign=top width=150>{NAV}</td><td>{body}</td></tr></table>'),
    "presentation": lambda body: PAGE.format(f"<table role=presentation><tr><td>{body}</td></tr></table>"),
    "github": lambda body: PAGE.format('<div class="markdown-body">' + re.sub(
        r'(?s)<pre><code(?: class="language-(\w+)")?>(.*?)</code></pre>',
        lambda m: f'<div class="highlight highlight-source-{m[1] or "text"}"><pre>{m[2]}</pre></div>', body) + "</div>"),
    "sphinx": lambda body: PAGE.format('<div class="document"><div class="body" role="main"><section>' + re.sub(
        r'(?s)<pre><code(?: class="language-(\w+)")?>(.*?)</code></pre>',
        lambda m: f'<div class="highlight-{m[1] or "default"} notranslate"><div class="highlight"><pre>{m[2]}</pre></div></div>',
        body) + "</section></div></div>"),
    "wrapped tables": lambda body: PAGE.format(
        '<div class="wp-content">' + body.replace("<table>", '<figure class="wp-block-table"><div class="scroll"><table class="wide">')
        .replace("</table>", "</table></div></figure>") + "</div>"),
    "lines": lambda body: PAGE.format(f"<article>{lines_in_spans(body)}</article>"),
    "minified": lambda body: PAGE.format("<main>" + re.sub(
        r"(?s)(<pre>.*?</pre>)|>\s+<", lambda m: m[1] or "><", body) + "</main>"),
    "indented": lambda body: PAGE.format("<main>\n" + re.sub(
        r"(?s)(<pre>.*?</pre>)|\n", lambda m: m[1] or "\n        ", body) + "\n    </main>"),
    "upper case": lambda body: PAGE.format("<DIV CLASS=post>" + re.sub(
        r"<(/?)(p|li|ul|ol|table|tr|td|th|h\d)\b", lambda m: f"<{m[1]}{m[2].upper()}", body) + "</DIV>"),
    "unclosed": lambda body: PAGE.format("<main>" + re.sub(r"</(p|li|td|th|tr|tbody|thead)>", "", body) + "</main>"),
    "paragraphs in items": lambda body: PAGE.format("<main>" + re.sub(
        r"<li>([^\n<]+)(?=\n|</li>)", r"<li><p>\1</p>", body) + "</main>"),
}


def mathml(tex, display):
    mode = ' display="block"' if display else ""
    tex = html.escape(tex, quote=False)
    return (f'<span class="katex"><math{mode}><semantics><mrow><mi>f</mi></mrow><annotation encoding="application/x-tex">'
            f"{tex}</annotation></semantics></math></span>")


def katex(folder, formulas):
    program = ("const k = require('katex'); const f = JSON.parse(require('fs').readFileSync(0));"
               "console.log(JSON.stringify(f.map(([t, d]) => k.renderToString(t, {displayMode: d, throwOnError: false}))))")
    result = subprocess.run(["node", "-e", program], input=json.dumps(formulas), text=True, check=True,
                            capture_output=True, cwd=folder)
    return dict(zip(formulas, json.loads(result.stdout)))


class Scores:
    def __init__(self, show):
        self.kept, self.all, self.show = collections.Counter(), collections.Counter(), show

    def add(self, wanted, got, where):
        for kind, parts in wanted.items():
            self.all[kind] += sum(parts.values())
            self.kept[kind] += sum((parts & got[kind]).values())
            if self.show:
                for part in (parts - got[kind]):
                    print(f"{where} {kind}: {part!r}")

    def print(self, name):
        shares = (f"{kind} {self.kept[kind] / self.all[kind]:.4f}" for kind in sorted(self.all) if self.all[kind])
        print(f"{name:20} {', '.join(shares)}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("examples", type=pathlib.Path, help="the folder of the built examples")
    arguments.add_argument("--katex", help="a folder with the npm package katex")
    arguments.add_argument("--documents", type=int, default=40)
    arguments.add_argument("--show", action="store_true", help="print what was lost")
    arguments = arguments.parse_args()
    sources = [Source(seed) for seed in range(arguments.documents)]
    dollars = lambda tex, display: f"$${tex}$$" if display else f"${tex}$"
    wanted = [parts(source.with_formulas(source.markdown(), dollars)) for source in sources]
    formulas = sorted({formula for source in sources for formula in source.formulas})
    rendered = katex(arguments.katex, formulas) if arguments.katex else {f: mathml(*f) for f in formulas}
    renderer = MarkdownIt("commonmark").enable("table")
    bodies = [source.with_formulas(renderer.render(source.markdown()), lambda *f: rendered[f]) for source in sources]
    total = Scores(False)
    for name, template in TEMPLATES.items():
        pages = "\0".join(map(template, bodies))
        result = subprocess.run([arguments.examples / "markdown"], input=pages, text=True, check=True, capture_output=True)
        scores = Scores(arguments.show)
        for index, (parts_wanted, text) in enumerate(zip(wanted, result.stdout.split("\0"))):
            got = parts(text)
            scores.add(parts_wanted, got, f"{name} {index}")
            total.add(parts_wanted, got, "")
        scores.print(name)
    total.print("all pages")
    if shutil.which("pandoc") and (arguments.examples / "office_markdown").exists():
        office(arguments, sources, wanted, dollars)


def normal(formulas):
    """Normalizes formulas: removes white space, sizes of brackets, and braces around one character."""
    result = collections.Counter()
    for formula, count in formulas.items():
        formula = re.sub(r"\\(left|right)(?![a-z])|\\,", "", formula)
        for name, same in (("to", "rightarrow"), ("bar", "overline")):
            formula = re.sub(rf"\\{name}(?![a-z])", rf"\\{same}", formula)
        result[re.sub(r"\{(\w)\}", r"\1", re.sub(r"\s", "", formula))] += count
    return result


def office(arguments, sources, wanted, dollars):
    with tempfile.TemporaryDirectory() as folder:
        for extension in ("docx", "odt", "epub"):
            scores = Scores(arguments.show)
            for index, (source, parts_wanted) in enumerate(zip(sources, wanted)):
                file = pathlib.Path(folder, f"{index}.{extension}")
                text = source.with_formulas(source.markdown(), dollars)
                subprocess.run(["pandoc", "-f", "gfm+tex_math_dollars", "--mathml", "--preserve-tabs", "-o", file],
                               input=text, text=True,
                               check=True, stderr=subprocess.DEVNULL)
                result = subprocess.run([arguments.examples / "office_markdown", file], text=True, check=True,
                                        capture_output=True)
                got = parts(result.stdout)
                if extension != "epub":
                    # These formats do not store languages of code, and have a different notation of
                    # formulas.
                    parts_wanted = {kind: part for kind, part in parts_wanted.items() if kind != "languages"}
                    parts_wanted["formulas"], got["formulas"] = map(normal, (parts_wanted["formulas"], got["formulas"]))
                scores.add(parts_wanted, got, f"{extension} {index}")
            scores.print(extension)


if __name__ == "__main__":
    sys.exit(main())
