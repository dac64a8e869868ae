"""Generates pages with irregular layouts: brackets in columns, drop capitals, timetables, diagrams,
notes.

Each page comes with its text in reading order. Where positions allow several readings, as in
diagrams and timetables, the text is in the order in which the page is painted.
"""

import math

from pdf_layouts import HEIGHT, MARGIN, RIGHT, TOP, WIDTH, Glyph, Page, at, strings, wrapped

OPENING, CLOSING = "「（『", "」）』"
# Characters that take half an em if punctuation is set solid: in the second or in the first half of
# their cell.
HALF_BEFORE, HALF_AFTER = set(OPENING), {*CLOSING, "、", "。"}
SMALL = set("っゃゅょァィュョッ")
QUARTER_TURN = (0, -1, 1, 0)


# Vertical Japanese with brackets


def law(topic, count):
    """The characters of a legal text: many brackets, some next to each other."""
    rng, made = topic.rng, ""
    while len(made) < count:
        part = topic.sentence().rstrip("。")
        for opening, closing in zip(OPENING, CLOSING):
            if rng.random() < 0.6:
                inner = topic.phrase(1, 2)
                nested = f"（{topic.phrase(1, 1)}）" if opening == "「" and rng.random() < 0.3 else ""
                part += f"{opening}{inner}{nested}{closing}{rng.choice(('', '、', '', 'っ', 'ョ'))}"
        made += part + "。"
    return made[:count]


def solid(line):
    """The offset of each character's cell in ems, with punctuation set solid."""
    offsets, end = [], 0
    for character in line:
        if character in HALF_BEFORE:
            offsets.append(end - 0.5)
            end += 0.5
        else:
            offsets.append(end)
            end += 0.5 if character in HALF_AFTER else 1
    return offsets


def law_lines(topic, count=14, length=40):
    text = law(topic, count * length)
    return [text[start : start + length] for start in range(0, count * length, length)]


def law_page(topic, draw):
    """Draws columns; `draw(x, y, size, character)` returns the glyph of the cell with this top centre."""
    lines, size, glyphs = law_lines(topic), 12, []
    for place, line in enumerate(lines):
        x = RIGHT - 20 * place
        for character, offset in zip(line, solid(line)):
            # Producers round positions.
            y = TOP - size * (offset + topic.rng.uniform(-0.03, 0.03))
            glyphs.append(draw(x, y, size, character))
    return Page(glyphs, lines)


def upright(x, y, size, character):
    return at(x - size / 2, y - 0.88 * size, size, character)


def law_in_vertical_font(topic):
    return law_page(topic, lambda x, y, size, character: at(x, y, size, character, "V"))


def law_upright(topic):
    return law_page(topic, upright)


def law_with_turned_brackets(topic):
    """The brackets are those of a horizontal font, lying on their side."""

    def draw(x, y, size, character):
        if character in OPENING + CLOSING:
            return Glyph(character, (*QUARTER_TURN, x - 0.38 * size, y), size)
        return upright(x, y, size, character)

    return law_page(topic, draw)


def law_with_turned_brackets_in_vertical_font(topic):
    """The same, between characters of a vertical font."""

    def draw(x, y, size, character):
        if character in OPENING + CLOSING:
            return Glyph(character, (*QUARTER_TURN, x - 0.38 * size, y), size)
        return at(x, y, size, character, "V")

    return law_page(topic, draw)


def law_with_shifted_marks(topic):
    """Punctuation and small letters of a horizontal font, moved to the upper right of their cells."""

    def draw(x, y, size, character):
        shift = 0.6 if character in "、。" else 0.12 if character in SMALL else 0
        return upright(x + shift * size, y + shift * size, size, character)

    return law_page(topic, draw)


def law_with_narrow_brackets(topic):
    """Brackets from a proportional font: half an em wide, at the left of their cells."""

    def draw(x, y, size, character):
        return upright(x, y, size, character)._replace(font="N" if character in OPENING + CLOSING else "H")

    return law_page(topic, draw)


def law_mixed(topic):
    """Vertical text around horizontal captions of pictures, which are painted between the columns."""
    lines, size, glyphs, read = law_lines(topic, 14, 24), 12, [], []
    for place, line in enumerate(lines):
        x = RIGHT - 20 * place
        glyphs += [at(x, TOP - size * offset, size, character, "V") for character, offset in zip(line, solid(line))]
        read.append(line)
        if place in (4, 10):
            caption = [topic.phrase(3, 4)[:9] for _ in range(2)]
            glyphs += strings(x - 80, TOP - 420, 9, caption, 12)
            read += caption
    return Page(glyphs, read)


# Drop capitals


def drop_capital(lines, x, y, size, leading, count):
    """A paragraph whose first letter is as high as `count` lines. Returns the capital, and the lines."""
    first, *rest = lines
    large = ((count - 1) * leading + 0.7 * size) / 0.7
    shift = 0.5 * large + 0.15 * size
    capital = at(x, y - (count - 1) * leading, large, first[0])
    texts = [first[1:], *rest]
    return capital, [
        at(x + (shift if place < count else 0), y - leading * place, size, text) for place, text in enumerate(texts)
    ]


def capitals(topic, lines_high, columns, order):
    size, leading, glyphs, read = 10, 13, [], []
    width = 78 if columns == 1 else 36
    for column in range(columns):
        x, y = MARGIN + column * 240, TOP
        for _ in range(3):
            indent = int(lines_high * 2.2) + 3
            words = " ".join(topic.sentence().capitalize() for _ in range(4 * 78 // width)).split()
            head = wrapped(words, width - indent)[:lines_high]
            rest = words[sum(len(line.split()) for line in head) :]
            lines = head + wrapped(rest, width)[:8]
            capital, drawn = drop_capital(lines, x, y, size, leading, lines_high)
            if order == "first":
                glyphs += [capital, *drawn]
            elif order == "after":
                glyphs += [*drawn[:lines_high], capital, *drawn[lines_high:]]
            else:
                glyphs += [*drawn, capital]
            read += lines
            y -= leading * (len(lines) + 1.5)
    return Page(glyphs, read)


def capital_page(topic):
    rng = topic.rng
    return capitals(topic, rng.choice((2, 3, 4)), rng.choice((1, 2)), "first")


def capital_page_any_order(topic):
    rng = topic.rng
    return capitals(topic, rng.choice((2, 3, 4)), rng.choice((1, 2)), rng.choice(("after", "last")))


# Tables and diagrams


def timetable(topic):
    """Stations and times, painted column by column."""
    rng, size = topic.rng, 9
    stations = [topic.phrase(1, 2).title() for _ in range(rng.randint(12, 30))]
    # The space between columns, from less than a word space to that of a common table.
    pitch = 2.5 * size + rng.choice((2, 4, 8, 20))
    left = MARGIN + size * (0.5 * max(map(len, stations)) + 1)
    glyphs, read = strings(MARGIN, TOP - 30, size, stations, 12), [*stations]
    for column in range(min(int((RIGHT - left) / pitch), 14)):
        hour, minute = rng.randint(4, 22), rng.randint(0, 59)
        times = [f"{hour + (minute + 4 * n) // 60:02}:{(minute + 4 * n) % 60:02}" for n in range(len(stations))]
        number = str(rng.randint(100, 999))
        x = left + pitch * column
        glyphs += [at(x, TOP - 18, size, number), *strings(x, TOP - 30, size, times, 12)]
        read += [number, *times]
    return Page(glyphs, read)


def table_by_columns(topic):
    """A table of words that is painted column by column."""
    rng = topic.rng
    count = rng.randint(10, 30)
    glyphs, read = [], []
    for column in range(5):
        cells = [topic.phrase(1, 2)[:16] for _ in range(count)]
        glyphs += strings(MARGIN + 92 * column, TOP, 10, cells, 14)
        read += cells
    return Page(glyphs, read)


def label(topic, x, y, size):
    lines = wrapped(topic.phrase(2, 6).split(), 14)[:3]
    drawn = [
        at(x - 0.25 * size * len(line), y - 1.2 * size * (place - len(lines) / 2), size, line)
        for place, line in enumerate(lines)
    ]
    return drawn, lines


def diagram(topic):
    """Boxes with labels, painted label by label: by rows, from the bottom, or along a circle."""
    rng, size = topic.rng, topic.rng.choice((8, 10))
    columns, rows = rng.randint(3, 5), rng.randint(4, 7)
    places = [(column, row) for row in range(rows) for column in range(columns)]
    kind = rng.choice(("columns", "upwards", "shuffled", "circle"))
    if kind == "columns":
        places.sort()
    elif kind == "upwards":
        places.sort(key=lambda place: (place[0], -place[1]))
    elif kind == "shuffled":
        rng.shuffle(places)
    glyphs, read = [], []
    for n, (column, row) in enumerate(places):
        x, y = MARGIN + 50 + column * 440 / columns, TOP - 40 - row * 600 / rows
        if kind == "circle":
            angle = 2 * math.pi * n / len(places)
            x, y = WIDTH / 2 + 190 * math.sin(angle), HEIGHT / 2 - 290 * math.cos(angle)
        drawn, lines = label(topic, x, y, size)
        glyphs += drawn
        read += lines
    caption = topic.sentence()[:80]
    return Page([*glyphs, at(MARGIN, 60, 10, caption)], [*read, caption])


def chart(topic):
    """Charts: titles, numbers along axes, bars with labels from the bottom, legends; between paragraphs."""
    rng, glyphs, read, y = topic.rng, [], [], TOP

    def draw(x, y, size, text):
        glyphs.append(at(x, y, size, text))
        read.append(text)

    for _ in range(2):
        lines = wrapped(" ".join(topic.sentence() for _ in range(3)).split(), 80)[:3]
        for place, line in enumerate(lines):
            draw(MARGIN, y - 13 * place, 10, line)
        y -= 60
        draw(MARGIN + 120, y, 11, topic.title()[:40])
        bottom = y - 220
        count = rng.randint(5, 10)
        for n in range(count):
            draw(MARGIN + 100 + n * 300 / count, bottom - 14, 8, str(n * 10))
        for n in range(count):
            text = topic.phrase(1, 3)[:22] if rng.random() < 0.5 else f"{n * 0.2:.1f}"
            draw(MARGIN + 90 - 4 * len(text), bottom + n * 200 / count, 8, text)
        for n in range(count):
            draw(MARGIN + 150 + rng.randint(0, 200), bottom + n * 200 / count, 8, str(rng.randint(10, 99)))
        for n in range(3):
            draw(MARGIN + 410, y - 20 - 12 * n, 8, topic.phrase(1, 1))
        y = bottom - 50
    return Page(glyphs, read)


# Text with notes, sidebars and captions


def column_of_text(topic, x, y, count, width, size=10, leading=13):
    words = " ".join(topic.sentence() for _ in range(count)).split()
    lines = wrapped(words, width)[:count]
    return strings(x, y, size, lines, leading), lines


def sidebar(topic):
    """Text, and a narrow column of notes that is painted before or after it."""
    text, lines = column_of_text(topic, MARGIN + 140, TOP, 45, 60)
    notes, read = [], []
    for place in range(4):
        drawn, note = column_of_text(topic, MARGIN, TOP - 150 * place - topic.rng.randint(0, 40), 5, 28, 8, 10)
        notes += drawn
        read += note
    if topic.rng.random() < 0.5:
        return Page([*text, *notes], [*lines, *read])
    return Page([*notes, *text], [*read, *lines])


def columns_with_captions(topic):
    """Two columns. Captions of pictures between them are painted after the text, notes at the end of a column."""
    glyphs, read = [], []
    for column in range(2):
        x = MARGIN + 240 * column
        upper = column_of_text(topic, x, TOP, 15, 42)
        lower = column_of_text(topic, x, TOP - 330, 20, 42)
        notes = column_of_text(topic, x, MARGIN + 40, 4, 52, 8, 10)
        for drawn, lines in (upper, lower, notes):
            glyphs += drawn
            read += lines
    drawn, lines = column_of_text(topic, MARGIN + 100, TOP - 270, 3, 60, 9, 11)
    return Page([*glyphs, *drawn], [*read, *lines])


def notes_by_line(topic):
    """Text with superscript numbers, and notes in small print; the numbers are painted separately."""
    glyphs, read = [], []
    words = " ".join(topic.sentence() for _ in range(60)).split()
    for place, line in enumerate(wrapped(words, 76)[:40]):
        y, number = TOP - 14 * place, ""
        glyphs.append(at(MARGIN, y, 10, line))
        if place % 7 == 3:
            number = f" {place // 7 + 1}"
            glyphs.append(at(MARGIN + 5 * len(line) + 1, y + 4, 6, number.strip()))
        read.append(line + number)
    for place in range(5):
        y = MARGIN + 60 - 11 * place
        note = topic.sentence()[:70]
        glyphs += [at(MARGIN, y + 3, 5, str(place + 1)), at(MARGIN + 6, y, 8, note)]
        read.append(f"{place + 1} {note}")
    return Page(glyphs, read)


# Turned pages, and pages painted in no order

TURNS = (
    (0, 0.7, -0.7, 0, WIDTH - 5, 150),
    (0, -0.7, 0.7, 0, 0, HEIGHT - 200),
    (-1, 0, 0, -1, WIDTH, HEIGHT),
)


def turned_columns(topic):
    """Two columns on a page turned by 90, 180 or 270 degrees."""
    left, first = column_of_text(topic, MARGIN, TOP, 40, 42)
    right, second = column_of_text(topic, MARGIN + 240, TOP, 40, 42)
    return Page([*left, *right], [*first, *second], topic.rng.choice(TURNS))


def turned_timetable(topic):
    return timetable(topic)._replace(matrix=topic.rng.choice(TURNS))


def painted_upwards(topic):
    """Text painted from the bottom of the page, with a heading."""
    glyphs, lines = column_of_text(topic, MARGIN, TOP - 40, 45, 78)
    title = topic.title()
    return Page([*reversed(glyphs), at(MARGIN, TOP, 16, title)], [title, *lines])


def painted_in_no_order(topic):
    """One column of lines, or two, painted in random order."""
    count = topic.rng.choice((1, 2))
    glyphs, read = [], []
    for column in range(count):
        drawn, lines = column_of_text(topic, MARGIN + 240 * column, TOP, 40, 78 if count == 1 else 42)
        glyphs += drawn
        read += lines
    topic.rng.shuffle(glyphs)
    return Page(glyphs, read)


def odd_lines_first(topic):
    """Text whose odd lines are painted before the even ones."""
    glyphs, lines = column_of_text(topic, MARGIN, TOP, 40, 78)
    return Page([*glyphs[::2], *glyphs[1::2]], lines)


# The kind of page, its language, and its generator.
IRREGULAR = (
    ("vertical, brackets set solid", "ja", law_in_vertical_font),
    ("the same, glyph by glyph", "ja", law_upright),
    ("brackets on their side", "ja", law_with_turned_brackets),
    ("the same in a vertical font", "ja", law_with_turned_brackets_in_vertical_font),
    ("marks moved within their cells", "ja", law_with_shifted_marks),
    ("narrow brackets", "ja", law_with_narrow_brackets),
    ("vertical and horizontal", "ja", law_mixed),
    ("drop capitals", "en", capital_page),
    ("drop capitals painted late", "en", capital_page_any_order),
    ("timetable by columns", "en", timetable),
    ("table by columns", "en", table_by_columns),
    ("diagram", "en", diagram),
    ("charts", "en", chart),
    ("sidebar", "en", sidebar),
    ("columns, captions and notes", "en", columns_with_captions),
    ("footnotes", "en", notes_by_line),
    ("turned columns", "en", turned_columns),
    ("turned timetable", "en", turned_timetable),
    ("painted upwards", "en", painted_upwards),
    ("painted in no order", "en", painted_in_no_order),
    ("odd lines first", "en", odd_lines_first),
)
