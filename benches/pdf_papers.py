"""Generates papers: compressed PDFs with some pages of text in the standard fonts.

The generator is seeded, so the output is always the same.
"""

import random
import zlib

from words import Topic, languages

SEED = 20190601
WIDTH, HEIGHT, MARGIN = 595, 842, 72
TITLE, BODY, LEADING = 16, 10, 13
LETTERS_IN_A_LINE = 90
LINES = 52


def papers(folder, count):
    """The folder with the papers, made if missing."""
    if not folder.exists():
        partial = folder.with_suffix(".part")
        partial.mkdir(exist_ok=True)
        rng = random.Random(SEED)
        _, *spoken = languages(rng)
        for number in range(count):
            topic = Topic(rng.choice(spoken), rng)
            (partial / f"{number:05}.pdf").write_bytes(paper(topic, rng))
        partial.rename(folder)
    return folder


def paper(topic, rng):
    pages = min(1 + int(rng.lognormvariate(1.2, 0.9)), 60)
    contents = [page(topic, rng, number) for number in range(1, pages + 1)]
    # The catalog, the page tree, two fonts; then each page and its content.
    kids = " ".join(f"{5 + 2 * number} 0 R" for number in range(pages))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {pages} /Kids [{kids}] >>".encode(),
        font("Times-Roman"),
        font("Helvetica-Bold"),
    ]
    for number, content in enumerate(contents):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % (WIDTH, HEIGHT, 6 + 2 * number)
        )
        data = zlib.compress(content)
        objects.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(data), data))
    return document(objects)


def font(name):
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()


def page(topic, rng, number):
    """A title and paragraphs. The words of a line are separated by kerning, as in TeX."""
    lines = [f"BT /F2 {TITLE} Tf {MARGIN} {HEIGHT - MARGIN} Td {shown(topic.title())} Tj".encode("cp1252")]
    lines.append(b"/F1 %d Tf 0 -%d Td" % (BODY, 2 * LEADING))
    left = rng.randint(LINES // 2, LINES)
    while left > 0:
        words = " ".join(topic.sentence() for _ in range(rng.randint(2, 8))).split()
        while words and left > 0:
            line = []
            while words and len(" ".join(line)) + len(words[0]) < LETTERS_IN_A_LINE or not line:
                line.append(words.pop(0))
            gap = rng.randint(-330, -250)
            lines.append(f"[{f' {gap} '.join(map(shown, line))}] TJ 0 -{LEADING} Td".encode("cp1252"))
            left -= 1
        lines.append(b"0 -%d Td" % (LEADING // 2))
    lines.append(b"(%d) Tj ET" % number)
    return b"\n".join(lines)


def shown(text):
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"({escaped})"


def document(objects):
    parts, at, places = [b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"], 15, []
    for number, body in enumerate(objects, 1):
        places.append(at)
        parts.append(b"%d 0 obj\n%s\nendobj\n" % (number, body))
        at += len(parts[-1])
    entries = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, entries))
    parts.append(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, at))
    return b"".join(parts)
