"""Generates scanned books: a page of hOCR for each leaf, like those of Google Books.

The structure, the length (52 KB) and the compression ratio (six) are those of real pages. Half of the
books are like today's, whose titles continue after the box; the others are like those of 2010.
Generators are seeded, so the output is always the same.
"""

import itertools
import multiprocessing
import operator
import random
import shutil
from typing import NamedTuple

from sequence_file import Writer
from words import languages

SEED = 20101231
PAGES_IN_A_FILE = 1_000
# The number of distinct pages per style. All other pages are copies with shifted boxes.
TEMPLATES = 120
EMPTY = 0.0275
FIRST_BOOK = 119_500_000

# In pixels.
LETTER, LINE, SPACE = 12, 34, 10
CONFIDENCES = (100,) * 6 + (99,) * 8 + (98, 97, 95, 92, 64)
TEXT_FONT = "font-size:0pt;font-family:\"Times\";font-style:normal"

HEAD_OF_TODAY = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">
<html xmlns="http://www.w3.org/1999/xhtml">
<head>
<title>a page</title>
<meta http-equiv='content-type' content='text/html; charset=utf-8'/>
<meta name='ocr-capabilities' content='ocr_page ocr_par ocrx_block ocrx_word ocrp_lang ocr_line' />
<meta name='ocr-system' content='made up' />
<meta name='ocr-number-of-pages' content='1' />
</head>
<body title="x_wconf 15">
"""
HEAD_OF_OLD = """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
<html>
<head>
<title>OCR Output</title>
<meta http-equiv="content-type" content="text/html; charset=utf-8"/>
<meta name="ocr-capabilities" content="ocr_page ocr_par ocrx_word ocr_line"/>
<meta name="ocr-system" content=" "/>
<meta name="ocr-number-of-pages" content="347"/>
</head><body bgcolor="#ffffff">
"""
FOOT = "</div></body>\n</html>\n"


class Style(NamedTuple):
    head: str
    quote: str
    # The rest of the title of a page, after its box.
    page: str
    has_confidence: bool
    # The spelling of non-ASCII letters.
    charset: str


OF_TODAY = Style(HEAD_OF_TODAY, "'", ";x_wconf 97;ppageno 70;x_source 1628591-74;ocrp_lang en", True, "utf-8")
OLD = Style(HEAD_OF_OLD, '"', "", False, "ascii")


class Template(NamedTuple):
    """A page with `%d` for the corners of boxes, and their values."""

    text: bytes
    corners: list[int]

    def moved(self, right, down):
        shift = itertools.cycle((right, down))
        return self.text % tuple(map(operator.add, self.corners, shift))


def books(folder, files):
    """The SequenceFiles of the books, made if missing."""
    if not folder.exists():
        partial = folder.with_suffix(".part")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir()
        rng = random.Random(SEED)
        _, *spoken = languages(rng)
        styles = [[make_template(style, rng, spoken) for _ in range(TEMPLATES)] for style in (OF_TODAY, OLD)]
        with multiprocessing.Pool(initializer=styles_are, initargs=(styles,)) as pool:
            pool.starmap(write_file, [(partial / f"{number:05}.seq", number) for number in range(files)])
        partial.rename(folder)
    return sorted(folder.glob("*.seq"))


def styles_are(styles):
    """Sends the pages to a process that writes the files."""
    global STYLES
    STYLES = styles


def write_file(path, number):
    rng = random.Random(SEED + number)
    out = Writer(path, rng.randbytes(16))
    left, book = PAGES_IN_A_FILE, FIRST_BOOK + 10 * number
    while left:
        pages = min(left, rng.randint(150, 500))
        templates = rng.choice(STYLES)
        for page in range(1, pages + 1):
            body = rng.choice(templates).moved(rng.randrange(-40, 60), rng.randrange(-60, 80))
            out.append(f"/ABO/Z{book}/{page:08}.html".encode(), body)
        left, book = left - pages, book + 1
    out.close()


def make_template(style, rng, spoken):
    page = PageInTheMaking(style, rng, rng.choice(spoken))
    if rng.random() > EMPTY:
        page.print_text(int(rng.lognormvariate(6.38, 0.3)))
    return page.template()


class PageInTheMaking:
    def __init__(self, style, rng, language):
        self.style, self.rng = style, rng
        self.words = iter(language.pool[rng.randrange(len(language.pool) // 2) :])
        self.parts, self.corners = [], []
        self.left, self.right, self.bottom = 190 + rng.randrange(80), 1_400 + rng.randrange(160), 180

    def print_text(self, words):
        """A heading and blocks below each other, on some pages in two columns."""
        self.block(self.left, self.right, 5)
        columns = 2 if self.rng.random() < 0.15 else 1
        width, top, lowest = (self.right - self.left) // columns, self.bottom, 0
        for column in range(columns):
            self.bottom = top
            left = self.left + column * width
            printed = 0
            while printed < words // columns:
                some = min(self.rng.randint(20, 300), words // columns - printed)
                self.block(left, left + width - 30 * (columns - 1), some)
                printed += some
            lowest = max(lowest, self.bottom)
        self.bottom = lowest

    def block(self, left, right, words):
        """Paragraphs, each in lines of words."""
        box = self.open("div", "ocrx_block")
        top = self.bottom
        while words > 0:
            some = min(words, self.rng.randint(5, 120))
            self.paragraph(left, right, some)
            words -= some
        self.close(box, "div", (left, top, right, self.bottom), "\n\n")
        self.bottom += LINE

    def paragraph(self, left, right, words):
        box = self.open("p", "ocr_par", f" style='{TEXT_FONT}'")
        top = self.bottom
        while words > 0:
            words -= self.line(left, right, words)
        self.close(box, "p", (left, top, right, self.bottom), "\n")

    def line(self, left, right, words):
        box = self.open("span", "ocr_line")
        top, x, printed = self.bottom, left, 0
        while printed < words:
            word = self.word()
            end = x + LETTER * len(word) + self.rng.randrange(9)
            if end > right and printed:
                break
            # Words with and without ascenders and descenders.
            up, down = top + self.rng.choice((0, 0, 0, 7)), top + LINE - self.rng.choice((6, 6, 12))
            inner = self.open("span", "ocrx_word")
            self.parts.append(word.replace("%", "%%"))
            self.close(inner, "span", (x, up, end, down), " ")
            x, printed = end + SPACE, printed + 1
        self.bottom = top + LINE
        self.close(box, "span", (left, top, x - SPACE, self.bottom - 2))
        return printed

    def word(self):
        chance = self.rng.random()
        if chance < 0.02:
            return str(self.rng.randrange(2_000))
        if chance < 0.025:
            return "&amp;"
        return next(self.words) + (self.rng.choice(",.;-") if chance > 0.85 else "")

    def open(self, tag, kind, more=""):
        """Opens an element whose box is known only when it is closed."""
        quote = self.style.quote
        confidence = f";x_wconf {self.rng.choice(CONFIDENCES)}" if self.style.has_confidence else ""
        self.parts.append(f"<{tag} class={quote}{kind}{quote} title={quote}bbox %d %d %d %d{confidence}{quote}{more}>")
        self.corners += (0, 0, 0, 0)
        return len(self.corners) - 4

    def close(self, place, tag, box, after=""):
        self.corners[place : place + 4] = box
        self.parts.append(f"</{tag}>{after}")

    def template(self):
        style = self.style
        size = f"bbox 0 0 {self.right + 220} {max(self.bottom + 200, 2_400)}"
        page = f"<div class={style.quote}ocr_page{style.quote} title={style.quote}{size}{style.page}{style.quote}>\n"
        text = style.head + page + "".join(self.parts) + FOOT
        return Template(text.encode(style.charset, "xmlcharrefreplace"), self.corners)
