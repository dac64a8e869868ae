"""Generates pages with a known reading order: vertical Japanese, mirrored pages, forms, columns.

Each page comes with the text that a reader would copy from it. The generator is seeded, so the output
is always the same.
"""

import random
from typing import NamedTuple

from pdf_papers import HEIGHT, MARGIN, WIDTH, document
from words import LATIN, Language, Topic, languages

SEED = 20260701
HEBREW = "".join(map(chr, range(0x5D0, 0x5EB)))
FINALS = dict(zip("כמנפצ", "ךםןףץ"))
RIGHT = WIDTH - MARGIN
TOP = HEIGHT - MARGIN


class Glyph(NamedTuple):
    """A string of glyphs, with its font and text matrix."""

    text: str
    matrix: tuple
    size: float
    font: str = "H"

    def drawn(self):
        matrix = " ".join(f"{value:g}" for value in self.matrix)
        codes = "".join(f"{ord(character):04X}" for character in self.text)
        return f"/{self.font} {self.size:g} Tf {matrix} Tm <{codes}> Tj"


class Page(NamedTuple):
    glyphs: list
    # The text that a reader copies, with one line per line or column.
    lines: list
    # A matrix for the whole page.
    matrix: tuple = (1, 0, 0, 1, 0, 0)

    def pdf(self):
        content = [" ".join(f"{value:g}" for value in self.matrix), "cm BT"]
        content += [glyph.drawn() for glyph in self.glyphs] + ["ET"]
        data = "\n".join(content).encode()
        return document([
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents 4 0 R "
            b"/Resources << /Font << /H 5 0 R /V 6 0 R /N 10 0 R >> >> >>" % (WIDTH, HEIGHT),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(data), data),
            type_0("H", 7),
            type_0("V", 7),
            cid_font(1000),
            b"<< /Type /FontDescriptor /FontName /Sample /Flags 4 /FontBBox [0 -120 1000 880] "
            b"/ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>",
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(TO_UNICODE), TO_UNICODE),
            type_0("H", 11),
            cid_font(500),
        ])


def type_0(direction, descendant):
    return (
        "<< /Type /Font /Subtype /Type0 /BaseFont /Sample /ToUnicode 9 0 R "
        f"/Encoding /Identity-{direction} /DescendantFonts [{descendant} 0 R] >>"
    ).encode()


def cid_font(width):
    """A font with CJK characters of this width in thousandths of an em."""
    return (
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Sample /FontDescriptor 8 0 R "
        f"/DW {width} /W [32 126 500 1424 1535 500] /DW2 [880 -1000] "
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>"
    ).encode()


# Codes are those of Unicode.
TO_UNICODE = (
    b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Sample def "
    b"/CMapType 2 def 1 begincodespacerange <0000> <FFFF> endcodespacerange\n100 beginbfrange\n%s\n"
    b"endbfrange\n100 beginbfrange\n%s\nendbfrange\n56 beginbfrange\n%s\nendbfrange\nendcmap end end"
) % tuple(
    b"\n".join(b"<%02X00> <%02XFF> <%02X00>" % (row, row, row) for row in rows)
    for rows in (range(100), range(100, 200), range(200, 256))
)


def at(x, y, size, text, font="H"):
    return Glyph(text, (1, 0, 0, 1, x, y), size, font)


def strings(x, y, size, lines, leading):
    return [at(x, y - leading * place, size, line) for place, line in enumerate(lines)]


def wrapped(words, width):
    """Words in lines of limited length."""
    lines = [[]]
    for word in words:
        if lines[-1] and len(" ".join(lines[-1])) + len(word) >= width:
            lines.append([])
        lines[-1].append(word)
    return [" ".join(line) for line in lines]


# Vertical Japanese


def cells(topic, count):
    """The content of columns: characters, two digits in one cell, Latin words, ruby."""
    rng, made = topic.rng, []
    while len(made) < count:
        for part in [*topic.sentence()]:
            made.append((part, ""))
        kind = rng.random()
        if kind < 0.3:
            made.append((str(rng.randint(10, 99)), ""))
        elif kind < 0.5:
            made.append(("".join(rng.choices(LATIN, k=rng.randint(3, 6))), ""))
        elif kind < 0.6:
            made.append(("「", ""))
            made += [(part, "") for part in topic.phrase(1, 1)]
            made.append(("」", ""))
        elif kind < 0.8:
            made.append(("漢", "かん"))
            made.append(("字", "じ"))
    return made[:count]


def column(made, x, top, bottom, size):
    """Draws cells downwards until the column is full. Returns glyphs, and the texts of the column and its ruby."""
    glyphs, text, ruby, y = [], "", "", top
    while made and y - size > bottom:
        part, above = made.pop(0)
        if len(part) > 2:
            # A word set sideways.
            glyphs.append(Glyph(part, (0, -1, 1, 0, x - 0.36 * size, y), size))
            y -= 0.5 * size * len(part)
        else:
            width = size if len(part) == 1 else 0.5 * size * len(part)
            glyphs.append(at(x - width / 2, y - 0.88 * size, size, part))
            y -= size
        for place, letter in enumerate(above):
            shift = size - 0.5 * size * (place + 0.88) - (size - 0.5 * size * len(above)) / 2
            glyphs.append(at(x + 0.5 * size, y + shift, size / 2, letter))
        text, ruby = text + part, ruby + above
    return glyphs, text, ruby


def columns(topic, count, top, bottom, size, pitch, right=RIGHT):
    made = cells(topic, count * int((top - bottom) / size))
    glyphs, lines = [], []
    for place in range(count):
        drawn, text, ruby = column(made, right - size - pitch * place, top, bottom, size)
        glyphs += drawn
        lines += [text, ruby] if ruby else [text]
    return glyphs, lines


def vertical(topic):
    """Columns under a horizontal title, and a page number."""
    size = topic.rng.choice((10, 12, 14))
    glyphs, lines = columns(topic, 14, TOP - 40, MARGIN + 30, size, topic.rng.choice((1.5, 1.7, 2)) * size)
    title, number = topic.phrase(2, 3), str(topic.rng.randint(1, 300))
    glyphs = [at(MARGIN, TOP, 18, title), *glyphs, at(WIDTH / 2, 40, 9, number)]
    return Page(glyphs, [title, *lines, number])


def vertical_by_rows(topic):
    """The same, but drawn from the top of the page to the bottom."""
    page = vertical(topic)
    first, *glyphs, last = page.glyphs
    glyphs.sort(key=lambda glyph: (-round(glyph.matrix[5]), glyph.matrix[4]))
    return page._replace(glyphs=[first, *glyphs, last])


def vertical_tiers(topic):
    """Two tiers of columns, the upper one first, and the columns drawn from the left."""
    middle = HEIGHT / 2
    upper, upper_lines = columns(topic, 18, TOP, middle + 15, 10, 18)
    lower, lower_lines = columns(topic, 18, middle - 15, MARGIN, 10, 18)
    glyphs = sorted(upper + lower, key=lambda glyph: (glyph.matrix[4], -glyph.matrix[5]))
    return Page(glyphs, upper_lines + lower_lines)


def vertical_font(topic):
    """Columns in a font for vertical writing."""
    lines = ["".join(topic.sentence() for _ in range(6))[:50] for _ in range(12)]
    glyphs = [at(RIGHT - 20 * place, TOP, 12, line, "V") for place, line in enumerate(lines)]
    return Page(glyphs, lines)


# Horizontal Japanese that resembles vertical text


def horizontal(topic):
    """Lines of single characters, spaced out; some are short."""
    lines = ["".join(topic.sentence() for _ in range(3))[: topic.rng.choice((28, 28, 12))] for _ in range(30)]
    pitch = topic.rng.choice((12, 13, 15))
    glyphs = []
    for place, line in enumerate(lines):
        glyphs += [at(MARGIN + pitch * n, TOP - 20 * place, 12, letter) for n, letter in enumerate(line)]
    return Page(glyphs, lines)


def grid(topic):
    """A table of single characters."""
    characters = topic.rng.sample([c for c in "".join(topic.language.pool[:2000]) if ord(c) > 0x4E00], 60)
    rows = [characters[start : start + 6] for start in range(0, 60, 6)]
    pitch = topic.rng.choice((14, 18, 24))
    glyphs = [
        at(MARGIN + 30 * n, TOP - pitch * place, 12, letter)
        for place, row in enumerate(rows)
        for n, letter in enumerate(row)
    ]
    return Page(glyphs, [" ".join(row) for row in rows])


# Mirrored and turned pages

MIRRORED = (-1, 0, 0, 1, WIDTH, 0)
UPSIDE_DOWN = (-1, 0, 0, -1, WIDTH, HEIGHT)
BOTH = (1, 0, 0, -1, 0, HEIGHT)


def paragraph(topic):
    words = " ".join(topic.sentence() for _ in range(20)).split()
    return wrapped(words, 70)[:30]


def leftwards(lines, size=11):
    """Right-to-left text in visual order: each line ends at the right margin with its first letter."""
    return [
        at(RIGHT - 0.5 * size * len(line), TOP - 16 * place, size, line[::-1]) for place, line in enumerate(lines)
    ]


def latin_on(matrix):
    def page(topic):
        lines = paragraph(topic)
        return Page(strings(MARGIN, TOP, 11, lines, 16), lines, matrix)

    return page


def hebrew_on(matrix):
    def page(topic):
        lines = paragraph(topic)
        return Page(leftwards(lines), lines, matrix)

    return page


def hebrew_mirrored_back(topic):
    """Letters drawn in reading order in a mirrored coordinate system, each mirrored back."""
    lines = paragraph(topic)
    glyphs = [
        Glyph(letter, (-1, 0, 0, 1, MARGIN + 6 * (n + 1), TOP - 16 * place), 12)
        for place, line in enumerate(lines)
        for n, letter in enumerate(line)
        if letter != " "
    ]
    return Page(glyphs, lines, MIRRORED)


# Forms, tables, columns


def header_cells(topic):
    """Rows of boxes: labels of several lines above their values, drawn line by line across the page."""
    glyphs, lines, y = [], [], TOP
    for _ in range(topic.rng.randint(3, 6)):
        count = topic.rng.randint(3, 5)
        width = (RIGHT - MARGIN) / count
        labels = [wrapped(topic.phrase(2, 7).capitalize().split(), 15)[:3] for _ in range(count)]
        for place in range(3):
            for n, label in enumerate(labels):
                if place < len(label):
                    glyphs.append(at(MARGIN + n * width, y - 9 * place, 8, label[place]))
        y -= 9 * 3 + 8
        values = [topic.phrase(1, 1).capitalize() for _ in range(count)]
        glyphs += [at(MARGIN + n * width, y, 11, value) for n, value in enumerate(values)]
        lines += [" ".join(label) for label in labels] + [" ".join(values)]
        y -= 30
    return Page(glyphs, lines)


def table(topic):
    rows = [[topic.phrase(1, 1)] + [str(topic.rng.randint(1, 9999)) for _ in range(4)] for _ in range(30)]
    glyphs = [
        at(MARGIN + 90 * n, TOP - 14 * place, 10, cell) for place, row in enumerate(rows) for n, cell in enumerate(row)
    ]
    return Page(glyphs, [" ".join(row) for row in rows])


def two_columns(topic):
    """Running text in two columns, drawn line by line across the page."""
    if topic.language.space:
        words = " ".join(topic.sentence() for _ in range(60)).split()
        lines = wrapped(words, 42)[:80]
    else:
        text = "".join(topic.sentence() for _ in range(80))
        lines = [text[start : start + 20] for start in range(0, 1600, 20)]
    left, right = lines[:40], lines[40:]
    glyphs = []
    for place in range(40):
        for x, side in ((MARGIN, left), (MARGIN + 240, right)):
            if place < len(side):
                glyphs.append(at(x, TOP - 14 * place, 10, side[place]))
    return Page(glyphs, lines)


def hebrew_word(rng):
    word = "".join(rng.choices([c for c in HEBREW if c not in FINALS.values()], k=rng.randint(2, 7)))
    return word[:-1] + FINALS.get(word[-1], word[-1])


# The kind of page, its language, and its generator.
KINDS = (
    ("vertical, glyph by glyph", "ja", vertical),
    ("vertical, drawn by rows", "ja", vertical_by_rows),
    ("vertical, two tiers", "ja", vertical_tiers),
    ("vertical font", "ja", vertical_font),
    ("horizontal, glyph by glyph", "ja", horizontal),
    ("grid of characters", "ja", grid),
    ("mirrored", "en", latin_on(MIRRORED)),
    ("mirrored and upside down", "en", latin_on(BOTH)),
    ("Hebrew", "he", hebrew_on((1, 0, 0, 1, 0, 0))),
    ("Hebrew, mirrored", "he", hebrew_on(MIRRORED)),
    ("Hebrew, upside down", "he", hebrew_on(UPSIDE_DOWN)),
    ("Hebrew, mirrored and upside down", "he", hebrew_on(BOTH)),
    ("Hebrew, letters mirrored back", "he", hebrew_mirrored_back),
    ("header cells over values", "en", header_cells),
    ("table", "en", table),
    ("two columns", "en", two_columns),
    ("two columns, Japanese", "ja", two_columns),
)


def layouts(folder, count, kinds=KINDS):
    """Writes `count` pages of each kind; returns (kind, name, reference text) of each."""
    rng = random.Random(SEED)
    spoken = [*languages(rng), Language("he", rng, hebrew_word)]
    language = {one.code: one for one in spoken}
    pages = []
    for number, (kind, code, make) in enumerate(kinds):
        for page_number in range(count):
            page = make(Topic(language[code], rng))
            name = f"{number:02}-{page_number:03}.pdf"
            (folder / name).write_bytes(page.pdf())
            pages.append((kind, name, "\n".join(page.lines)))
    return pages
