"""PDF samples made from scratch: all content is invented, and no font is embedded.

`make(write, tar, zipped, gz)` writes them to `pdf/`, `damaged-pdf/` and `pdf-parts/` by the functions of
make.py; `responses()` gives pages for its web archives. Needs Python's standard library only,
and makes the same bytes on every run.
"""

import hashlib
import zlib

# Widths of Helvetica's printable ASCII characters, in thousandths of an em.
HELVETICA = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
]


def width(text, size):
    """The width of a line in Helvetica; non-ASCII characters count as average letters."""
    units = (HELVETICA[ord(c) - 32] if " " <= c <= "~" else 556 for c in text)
    return sum(units) * size / 1000


def literal(data):
    """A string of bytes in PDF syntax."""
    if isinstance(data, str):
        data = data.encode("cp1252")
    return "<" + data.hex() + ">"


def text_string(text):
    """Any text, for titles and field values."""
    if text.isascii():
        return "(" + text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") + ")"
    return "<feff" + text.encode("utf-16-be").hex() + ">"


class Pdf:
    """A file under construction; objects are stored as their text in the file."""

    CATALOG, PAGES = 1, 2

    def __init__(self, version="1.7"):
        self.version = version
        self.objects = [b"", b""]
        self.pages = []
        self.catalog = ""
        self.info = {}
        self.fields = []
        self.fonts = {}

    def add(self, body):
        self.objects.append(body if isinstance(body, bytes) else body.encode())
        return len(self.objects)

    def stream(self, data, entries="", packed=True):
        data = data if isinstance(data, bytes) else data.encode("latin-1")
        if packed:
            data = zlib.compress(data, 9)
            entries += " /Filter /FlateDecode"
        return self.add(b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), entries.encode(), data))

    def font(self, name, encoding="/WinAnsiEncoding"):
        """One of the standard fonts that every reader has."""
        if (name, encoding) not in self.fonts:
            entry = f" /Encoding {encoding}" if encoding else ""
            body = f"<< /Type /Font /Subtype /Type1 /BaseFont /{name}{entry} >>"
            self.fonts[name, encoding] = self.add(body)
        return self.fonts[name, encoding]

    def wide_font(self, name, encoding, ordering, to_unicode=None):
        """A CID font that is not embedded."""
        descriptor = self.add(
            f"<< /Type /FontDescriptor /FontName /{name} /Flags 4 /FontBBox [0 -200 1000 900]"
            " /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>"
        )
        descendant = self.add(
            f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /FontDescriptor {descriptor} 0 R"
            f" /CIDSystemInfo << /Registry (Adobe) /Ordering ({ordering}) /Supplement 2 >> /DW 1000 >>"
        )
        meaning = f" /ToUnicode {self.to_unicode(to_unicode)} 0 R" if to_unicode else ""
        return self.add(
            f"<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /{encoding}"
            f" /DescendantFonts [{descendant} 0 R]{meaning} >>"
        )

    def to_unicode(self, meanings):
        """A map from two-byte codes to characters."""
        pairs = "".join(f"<{code:04x}> <{text.encode('utf-16-be').hex()}>\n" for code, text in meanings.items())
        return self.stream(
            "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Sample def\n"
            "/CMapType 2 def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n"
            f"{len(meanings)} beginbfchar\n{pairs}endbfchar\nendcmap\nend\nend\n"
        )

    def page(self, content, fonts, entries="", box="0 0 595 842"):
        """A page; the keys of `fonts` are their names in the content."""
        content = self.stream(content)
        resources = "".join(f"/{name} {number} 0 R " for name, number in fonts.items())
        self.pages.append(
            self.add(
                f"<< /Type /Page /Parent {self.PAGES} 0 R /MediaBox [{box}] /Contents {content} 0 R"
                f" /Resources << /Font << {resources}>> >> {entries} >>"
            )
        )
        return self.pages[-1]

    def annotate(self, page, annotations):
        """Adds annotations to an existing page."""
        listed = " ".join(f"{number} 0 R" for number in annotations)
        body = self.objects[page - 1]
        self.objects[page - 1] = body[: -len(b" >>")] + f" /Annots [{listed}] >>".encode()

    def link(self, box, target):
        """A link to an address, or to a page by its object number."""
        to = f"/Dest [{target} 0 R /Fit]" if isinstance(target, int) else f"/A << /S /URI /URI ({target}) >>"
        return self.add(f"<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect [{box}] {to} >>")

    def field(self, box, name, kind, value, appearance):
        """A filled-in form field."""
        shown = self.stream(
            f"/Tx BMC BT /Helv 11 Tf 2 4 Td {literal(appearance)} Tj ET EMC",
            f"/Type /XObject /Subtype /Form /BBox [0 0 300 16]"
            f" /Resources << /Font << /Helv {self.font('Helvetica')} 0 R >> >>",
        )
        states = f"/AP << /N {shown} 0 R >>"
        if kind == "Btn":
            states = f"/AS {value} /AP << /N << /Yes {shown} 0 R /Off {self.stream('')} 0 R >> >>"
        self.fields.append(
            self.add(
                f"<< /Type /Annot /Subtype /Widget /F 4 /Rect [{box}] /FT /{kind} /T {text_string(name)}"
                f" /V {value} /DA (/Helv 11 Tf 0 g) {states} >>"
            )
        )
        return self.fields[-1]

    def outline(self, items):
        """Chapters with their sections: (title, page, [(title, page)])."""
        root = self.add("")
        self.catalog += f" /Outlines {root} 0 R"
        self.objects[root - 1] = f"<< /Type /Outlines {self.outline_items(root, items)} >>".encode()

    def outline_items(self, parent, items):
        numbers = [self.add("") for _ in items]
        for at, (title, page, *inner) in enumerate(items):
            links = f"/Prev {numbers[at - 1]} 0 R " if at else ""
            links += f"/Next {numbers[at + 1]} 0 R " if at + 1 < len(items) else ""
            links += self.outline_items(numbers[at], inner[0]) if inner else ""
            body = f"<< /Title {text_string(title)} /Parent {parent} 0 R /Dest [{page} 0 R /Fit] {links} >>"
            self.objects[numbers[at] - 1] = body.encode()
        return f"/First {numbers[0]} 0 R /Last {numbers[-1]} 0 R /Count {len(items)}"

    def build(self, user=None, owner="owner"):
        """The file, encrypted with 128-bit RC4 if there is a user password, even an empty one."""
        kids = " ".join(f"{number} 0 R" for number in self.pages)
        form = ""
        if self.fields:
            listed = " ".join(f"{number} 0 R" for number in self.fields)
            form = f" /AcroForm << /Fields [{listed}] /DR << /Font << /Helv {self.font('Helvetica')} 0 R >> >> >>"
        self.objects[0] = f"<< /Type /Catalog /Pages {self.PAGES} 0 R{self.catalog}{form} >>".encode()
        self.objects[1] = f"<< /Type /Pages /Kids [{kids}] /Count {len(self.pages)} >>".encode()
        trailer = f"/Root {self.CATALOG} 0 R"
        if self.info:
            entries = " ".join(f"/{key} {text_string(value)}" for key, value in self.info.items())
            trailer += f" /Info {self.add(f'<< {entries} >>')} 0 R"
        if user is not None:
            encryption, file_key = rc4_encryption(user, owner)
            self.objects = [encrypted(body, number, file_key) for number, body in enumerate(self.objects, 1)]
            trailer += f" /Encrypt {self.add(encryption)} 0 R /ID [<{ID.hex()}> <{ID.hex()}>]"
        out = f"%PDF-{self.version}\n".encode() + b"%\xe2\xe3\xcf\xd3\n"
        places = []
        for number, body in enumerate(self.objects, 1):
            places.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        size = len(self.objects) + 1
        table = "".join(f"{place:010} 00000 n \n" for place in places)
        out += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} {trailer} >>\n".encode()
        return out + f"startxref\n{out.rindex(b'xref' + bytes([10]) + b'0 ')}\n%%EOF\n".encode()


PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
ID = hashlib.md5(b"an identifier of our own").digest()
PERMISSIONS = (0xFFFFFFFC).to_bytes(4, "little")


def rc4(key, data):
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    i = j = 0
    out = bytearray()
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def md5_often(data):
    for _ in range(51):
        data = hashlib.md5(data).digest()
    return data


def rc4_often(key, data):
    for step in range(20):
        data = rc4(bytes(byte ^ step for byte in key), data)
    return data


def rc4_encryption(user, owner):
    """The dictionary of the standard security handler (revision 3), and the file key."""
    padded = [(password.encode("latin-1") + PADDING)[:32] for password in (user, owner)]
    owner_entry = rc4_often(md5_often(padded[1]), padded[0])
    key = md5_often(padded[0] + owner_entry + PERMISSIONS + ID)
    user_entry = rc4_often(key, hashlib.md5(PADDING + ID).digest()) + bytes(16)
    dictionary = (
        f"<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <{owner_entry.hex()}> /U <{user_entry.hex()}> >>"
    )
    return dictionary, key


def encrypted(body, number, file_key):
    """An object with its stream or strings encrypted."""
    key = hashlib.md5(file_key + number.to_bytes(3, "little") + bytes(2)).digest()
    head, found, rest = body.partition(b"stream\n")
    if found:
        data = rest[: -len(b"\nendstream")]
        return head + found + rc4(key, data) + b"\nendstream"
    out, at = b"", 0
    while at < len(body):
        if body[at : at + 2] in (b"<<", b">>"):
            out, at = out + body[at : at + 2], at + 2
        elif body[at : at + 1] == b"<":
            end = body.index(b">", at)
            out, at = out + b"<" + rc4(key, bytes.fromhex(body[at + 1 : end].decode())).hex().encode() + b">", end + 1
        elif body[at : at + 1] == b"(":
            end = body.index(b")", at)  # The texts that are encrypted here have no parentheses.
            out, at = out + b"<" + rc4(key, body[at + 1 : end]).hex().encode() + b">", end + 1
        else:
            out, at = out + body[at : at + 1], at + 1
    return out


def show(x, y, text, size=11, font="F1"):
    """A line of text."""
    return f"BT /{font} {size} Tf {x:g} {y:g} Td {literal(text)} Tj ET\n"


def wrapped(text, limit, size):
    """Splits words into lines of at most this width."""
    line = ""
    for word in text.split():
        if line and width(f"{line} {word}", size) > limit:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    yield line


def column(x, y, paragraphs, limit=230, size=10, leading=13):
    """Justified paragraphs, one below the other; spaces are gaps, as in most typeset files."""
    out = ""
    for paragraph in paragraphs:
        lines = list(wrapped(paragraph, limit, size))
        for number, line in enumerate(lines):
            words = line.split(" ")
            gaps = max(len(words) - 1, 1)
            natural = width("".join(words), size)
            gap = (limit - natural) / gaps if number + 1 < len(lines) else 0.278 * size
            pieces = f" {-gap * 1000 / size:.0f} ".join(literal(word) for word in words)
            out += f"BT /F1 {size} Tf {x:g} {y:g} Td [{pieces}] TJ ET\n"
            y -= leading
        y -= 5
    return out


LEFT = [
    "A river that is measured every day for a hundred years tells more than its depth. The keepers of the"
    " gauge at the old bridge wrote their numbers into books, and the books were kept in a dry cellar.",
    "This article reads those books again. It asks when the floods came and how long they stayed, and"
    " if the towns along the river learned anything from them.",
    "The first book begins with a note about the weather, and with the name of the keeper, who could"
    " not know that somebody would read it so much later.",
]
RIGHT = [
    "The second column starts here, and a reader who runs lines together across the gap between the"
    " columns makes nonsense of both of them.",
    "Numbers were written each morning at seven. In the year of the great flood the keeper wrote them"
    " every hour, until the book itself became wet.",
    "What follows are the methods, the results, and a discus-",
]


def article():
    """Three pages in two columns, with title, outline and links."""
    pdf = Pdf()
    pdf.info = {
        "Title": "Floods of a Small River",
        "Author": "Ada Sample and Bruno Example",
        "Subject": "Hydrology",
        "Keywords": "river, flood, gauge",
        "Creator": "made up",
        "Producer": "make.py",
        "CreationDate": "D:20231114221320+01'00'",
        "ModDate": "D:20231115080000Z",
    }
    fonts = {"F1": pdf.font("Helvetica"), "F2": pdf.font("Helvetica-Bold"), "F3": pdf.font("Helvetica-Oblique")}

    def footer(number):
        return show(540, 30, str(number), 9) + show(50, 30, "Journal of Made-up Rivers 7", 9, "F3")

    first = pdf.page(
        show(50, 780, "Floods of a Small River", 20, "F2")
        + show(50, 758, "Ada Sample and Bruno Example", 11, "F3")
        + show(50, 720, "1 Introduction", 12, "F2")
        + column(50, 700, LEFT)
        + column(315, 720, RIGHT)
        + footer(1),
        fonts,
    )
    second = pdf.page(
        column(50, 780, ["sion of what they mean.", *LEFT[1:]])
        + show(50, 620, "2 Methods", 12, "F2")
        + column(50, 600, ["The numbers were copied by two persons, and compared."])
        + column(315, 780, RIGHT[:2])
        + footer(2),
        fonts,
    )
    third = pdf.page(
        show(50, 780, "3 Results", 12, "F2")
        + column(50, 760, ["Seven floods were found. See https://river.example/data for all of them."])
        + column(315, 780, ["The data and the methods are open."])
        + footer(3),
        fonts,
    )
    pdf.annotate(third, [pdf.link("50 730 280 775", "https://river.example/data")])
    pdf.annotate(first, [pdf.link("315 600 545 640", second)])
    pdf.outline(
        [("Introduction", first), ("Methods", second, [("Copying", second), ("Comparing", second)]), ("Results", third)]
    )
    return pdf.build()


def invoice():
    """Sender and recipient side by side: reading line by line mixes the two addresses."""
    pdf = Pdf()
    pdf.info = {"Title": "Invoice 2023-117"}
    sender = ["Sample Tools Ltd", "12 Forge Street", "Oldtown OT1 2AB", "VAT 123 4567 89"]
    recipient = ["Example Gardens plc", "Attn. Mrs Rose Thorn", "99 Greenhouse Lane", "Newtown NT9 8ZY"]
    content = show(50, 790, "INVOICE", 18, "F2") + show(400, 790, "No. 2023-117", 11)
    content += show(50, 750, "From", 9, "F2") + show(330, 750, "To", 9, "F2")
    for row, (left, right) in enumerate(zip(sender, recipient)):
        content += show(50, 735 - 14 * row, left) + show(330, 735 - 14 * row, right)
    rows = [
        ("Item", "Quantity", "Price", "Amount"),
        ("Garden shears", "3", "24.90", "74.70"),
        ("Watering can, 10 litres", "2", "15.00", "30.00"),
        ("Rope (per metre)", "25", "0.80", "20.00"),
    ]
    for row, cells in enumerate(rows):
        y = 620 - 18 * row
        font = "F1" if row else "F2"
        content += show(50, y, cells[0], 10, font)
        for x, cell in zip((330, 430, 545), cells[1:]):
            content += show(x - width(cell, 10), y, cell, 10, font)
    content += "50 610 m 545 610 l S 50 555 m 545 555 l S\n"
    content += show(380, 535, "Total", 11, "F2") + show(545 - width("124.70", 11), 535, "124.70", 11, "F2")
    content += show(50, 480, "Payable within 30 days.", 10)
    pdf.page(content, {"F1": pdf.font("Helvetica"), "F2": pdf.font("Helvetica-Bold")})
    return pdf.build()


STAMP = "Case 1:23-cv-00042-ABC   Document 17   Filed 11/14/23   Page {} of 2"


def filing():
    """A court filing with a stamp over a file with text."""
    pdf = Pdf()
    pages = [
        [
            *("UNITED STATES DISTRICT COURT", "DISTRICT OF NOWHERE", ""),
            *("SAMPLE, Plaintiff,", "v.", "EXAMPLE, Defendant.", ""),
            *("MOTION FOR AN EXTENSION OF TIME", ""),
            "1.  Plaintiff asks for fourteen more days to answer.",
            "2.  Defendant does not oppose this motion.",
        ],
        [
            *("3.  No earlier extension was asked for.", "", "Dated: November 14, 2023", ""),
            *("Respectfully submitted,", "/s/ Cora Counsel"),
        ],
    ]
    for number, lines in enumerate(pages, 1):
        content = "".join(show(90, 700 - 24 * row, line, 12, "F2") for row, line in enumerate(lines) if line)
        content += "0 0 1 rg\n" + show(90, 770, STAMP.format(number), 10)
        pdf.page(content, {"F1": pdf.font("Helvetica"), "F2": pdf.font("Times-Roman")}, box="0 0 612 792")
    return pdf.build()


def scanned_filing():
    """The same stamp over page images: without OCR, there is no other text."""
    pdf = Pdf()
    for number in (1, 2):
        rows = b"".join(bytes([255 - 40 * (y % 4 == 1 and 8 < x < 56) for x in range(64)]) for y in range(80))
        image = b"BI /W 64 /H 80 /BPC 8 /CS /G /F /AHx ID " + rows.hex().encode() + b"> EI"
        content = f"q 612 0 0 792 0 0 cm\n{image.decode()}\nQ\n0 0 1 rg\n"
        content += show(90, 770, STAMP.format(number), 10)
        pdf.page(content, {"F1": pdf.font("Helvetica")}, box="0 0 612 792")
    return pdf.build()


def form():
    """A filled-in form."""

    def beside(row):
        return f"150 {745 - 30 * row} 450 {761 - 30 * row}"

    pdf = Pdf()
    labels = ["Name", "City", "Colour", "Subscribe"]
    content = show(50, 790, "Application", 16, "F2")
    content += "".join(show(50, 750 - 30 * row, label) for row, label in enumerate(labels))
    page = pdf.page(content, {"F1": pdf.font("Helvetica"), "F2": pdf.font("Helvetica-Bold")})
    widgets = [
        pdf.field(beside(0), "name", "Tx", text_string("Zoë Sample"), "Zoë Sample"),
        pdf.field(beside(1), "address.city", "Tx", text_string("Köln"), "Köln"),
        pdf.field(beside(2), "colour", "Ch", text_string("green"), "green"),
        pdf.field(beside(3), "subscribe", "Btn", "/Yes", "x"),
    ]
    pdf.annotate(page, widgets)
    return pdf.build()


JAPANESE = ["吾輩は例文である。", "名前はまだ無い。", "日本語の検索を試す。"]


def japanese(encoding, charset):
    """Japanese with a predefined map: the file itself does not define the codes."""
    pdf = Pdf()
    pdf.info = {"Title": "日本語の文書"}
    font = pdf.wide_font("Ryumin-Light", encoding, "Japan1")
    content = "".join(show(60, 760 - 24 * row, line.encode(charset), 14) for row, line in enumerate(JAPANESE))
    pdf.page(content, {"F1": font})
    return pdf.build()


GERMAN = "Schöne Grüße aus Köln, wo die Züge „pünktlich“ sind."
FRENCH = "Où est l’élève naïf ? Il a reçu un cœur en or à Noël."
GREEK = "Καλημέρα κόσμε"


def languages():
    """German with a named encoding, French with differences to one, Greek with glyph names."""
    pdf = Pdf()
    special = {"’": "quoteright", "œ": "oe", "é": "eacute", "è": "egrave", "ï": "idieresis", "ç": "ccedilla"}
    special |= {"ù": "ugrave", "à": "agrave", "ë": "edieresis"}
    codes = {character: code for code, character in enumerate(special, 1)}
    names = " ".join(f"/{name}" for name in special.values())
    french = pdf.font("Times-Roman", f"<< /Type /Encoding /BaseEncoding /StandardEncoding /Differences [1 {names}] >>")
    letters = sorted(set(GREEK) - {" "})
    names = " ".join(f"/uni{ord(letter):04X}" for letter in letters)
    widths = " ".join(["550"] * (len(letters) + 32))
    greek = pdf.add(
        "<< /Type /Font /Subtype /TrueType /BaseFont /Sample-Greek /FirstChar 32"
        f" /LastChar {len(letters) + 63} /Widths [{widths}]"
        f" /Encoding << /Type /Encoding /Differences [32 /space 64 {names}] >> >>"
    )
    french_bytes = bytes(codes.get(character) or ord(character) for character in FRENCH)
    greek_bytes = bytes(32 if letter == " " else 64 + letters.index(letter) for letter in GREEK)
    content = show(60, 760, GERMAN, 12) + show(60, 736, french_bytes, 12, "F2") + show(60, 712, greek_bytes, 12, "F3")
    pdf.page(content, {"F1": pdf.font("Helvetica"), "F2": french, "F3": greek})
    return pdf.build()


HEBREW = "שלום עולם, 42 ספרים"


def right_to_left():
    """Hebrew in visual order, from left to right, as in real files."""
    pdf = Pdf()
    # Numbers run from left to right within the line.
    seen = [word if word.isdigit() else word[::-1] for word in reversed(HEBREW.split(" "))]
    glyphs = " ".join(seen)
    meanings = {code: letter for code, letter in enumerate(sorted(set(glyphs)), 1)}
    codes = {letter: code for code, letter in meanings.items()}
    font = pdf.wide_font("Sample-Hebrew", "Identity-H", "Identity", meanings)
    shown = b"".join(codes[letter].to_bytes(2, "big") for letter in glyphs)
    content = show(200, 760, shown, 12) + show(60, 700, "An English line.", 12, "F2")
    pdf.page(content, {"F1": font, "F2": pdf.font("Helvetica")})
    return pdf.build()


def rotated():
    """A rotated page whose text is upright when displayed."""
    pdf = Pdf()
    lines = ["A wide table", "on a page that is turned."]
    content = "".join(
        f"BT /F1 14 Tf 0 1 -1 0 {100 + 24 * row} 80 Tm {literal(line)} Tj ET\n" for row, line in enumerate(lines)
    )
    pdf.page(content, {"F1": pdf.font("Helvetica")}, "/Rotate 90")
    return pdf.build()


def garbled():
    """Codes without any mapping: the letters are shifted, as in a custom font."""
    pdf = Pdf()
    font = pdf.add("<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Sample /Encoding /WinAnsiEncoding >>")
    text = ["This text looks fine on paper,", "but what is copied from it", "has another meaning altogether."]
    shifted = [bytes(32 if c == " " else 33 + (ord(c) - 33 + 29) % 94 for c in line) for line in text]
    content = "".join(show(60, 760 - 20 * row, line, 12) for row, line in enumerate(shifted))
    pdf.page(content, {"F1": font})
    return pdf.build()


def hidden():
    """Invisible OCR text behind a scan, a hidden layer, and a bad redaction."""
    pdf = Pdf()
    layer = pdf.add("<< /Type /OCG /Name (Draft) >>")
    pdf.catalog += f" /OCProperties << /OCGs [{layer} 0 R] /D << /OFF [{layer} 0 R] >> >>"
    content = show(60, 760, "Text that is seen.", 12)
    content += "BT 3 Tr /F1 12 Tf 60 736 Td (Text behind a scan.) Tj ET\n0 Tr\n"
    content += "/OC /Draft BDC\n" + show(60, 712, "Text of a draft.", 12) + "EMC\n"
    content += show(60, 688, "Text under a black box.", 12) + "0 g 58 684 140 14 re f\n"
    page = pdf.page(content, {"F1": pdf.font("Helvetica")})
    body = pdf.objects[page - 1]
    properties = f"/Resources << /Properties << /Draft {layer} 0 R >> "
    pdf.objects[page - 1] = body.replace(b"/Resources << ", properties.encode())
    return pdf.build()


STATIONS = "station,2021,2022\nOld bridge,4.1,3.8\nMill,2.7,2.9\n"


def survey():
    """A table, annotations, an attached file, an image, and a heading in a broken font."""
    pdf = Pdf()
    pdf.info = {"Title": "A survey of two gauges"}
    fonts = {"F1": pdf.font("Helvetica"), "F2": pdf.font("Helvetica-Bold")}
    broken = pdf.add("<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Sample /Encoding /WinAnsiEncoding >>")
    pixels = b"".join(bytes([40 * x, 30 * y, 160]) for y in range(8) for x in range(6))
    image = pdf.stream(
        pixels, "/Type /XObject /Subtype /Image /Width 6 /Height 8 /BitsPerComponent 8 /ColorSpace /DeviceRGB"
    )
    content = show(60, 780, "A survey of two gauges", 16, "F2")
    content += column(60, 750, ["The level of the river was read each morning, and the mean is in the table."], 470)
    content += show(60, 690, "Table 1. Mean level in metres", 10, "F2")
    rows = [["Station", "Level", ""], ["", "2021", "2022"], ["Old bridge", "4.1", "3.8"], ["Mill", "2.7", "2.9"]]
    xs, ys = [60, 200, 280, 360], [680, 662, 644, 626, 608]
    for row, cells in enumerate(rows):
        for x, cell in zip(xs, cells):
            if cell:
                content += show(x + 5, ys[row] - 13, cell, 10, "F2" if row < 2 else "F1")
    # "Station" spans two rows, and "Level" two columns.
    content += "".join(f"60 {y} m 360 {y} l S\n" for y in (680, 644, 626, 608)) + "200 662 m 360 662 l S\n"
    content += "".join(f"{x} 680 m {x} 608 l S\n" for x in (60, 200, 360)) + "280 662 m 280 608 l S\n"
    content += "q 90 0 0 120 420 560 cm /Im1 Do Q\n"
    lines = ["In this paragraph, the letters of the font", "are not those that a reader sees on paper."]
    for row, line in enumerate(lines):
        shifted = bytes(32 if c == " " else 33 + (ord(c) - 33 + 29) % 94 for c in line)
        content += show(60, 560 - 16 * row, shifted, 12, "F3")
    page = pdf.page(content, {**fonts, "F3": broken})
    resources = f"/Resources << /XObject << /Im1 {image} 0 R >> "
    pdf.objects[page - 1] = pdf.objects[page - 1].replace(b"/Resources << ", resources.encode())
    x1, x2 = 60, 530
    quads = f"{x1} 760 {x2} 760 {x1} 748 {x2} 748"
    note = pdf.add(
        f"<< /Type /Annot /Subtype /Text /Rect [540 760 560 780] /Contents {text_string('Which river?')}"
        " /T (Ada Sample) /CreationDate (D:20231115080000Z) /M (D:20231115090000Z) >>"
    )
    reply = pdf.add(
        f"<< /Type /Annot /Subtype /Text /Rect [540 740 560 760] /Contents {text_string('Der Fluß hier.')}"
        f" /T (Bruno Example) /IRT {note} 0 R >>"
    )
    marked = pdf.add(
        f"<< /Type /Annot /Subtype /Highlight /Rect [{x1} 748 {x2} 760] /QuadPoints [{quads}] /T (Ada Sample)"
        " /C [1 1 0] >>"
    )
    box = pdf.add(
        f"<< /Type /Annot /Subtype /FreeText /Rect [60 500 300 520] /Contents {text_string('To be printed again')}"
        " /DA (/Helv 11 Tf 0 g) >>"
    )
    pdf.annotate(page, [note, reply, marked, box])
    attached = pdf.stream(
        STATIONS,
        f"/Type /EmbeddedFile /Subtype /text#2Fcsv /Params << /Size {len(STATIONS)}"
        " /ModDate (D:20231114221320Z) >>",
    )
    file = pdf.add(
        "<< /Type /Filespec /F (stations.csv) /UF (stations.csv) /Desc (The numbers of the table)"
        f" /EF << /F {attached} 0 R >> >>"
    )
    pdf.catalog += f" /Names << /EmbeddedFiles << /Names [(stations.csv) {file} 0 R] >> >>"
    return pdf.build()


def simple(*lines, **encryption):
    pdf = Pdf("1.4")
    pdf.info = {"Title": lines[0]}
    content = "".join(show(72, 760 - 16 * row, line, 12) for row, line in enumerate(lines))
    pdf.page(content, {"F1": pdf.font("Helvetica")})
    return pdf.build(**encryption)


def documents():
    """Names and contents of the sound files."""
    return {
        "article.pdf": article(),
        "invoice.pdf": invoice(),
        "filing.pdf": filing(),
        "scanned-filing.pdf": scanned_filing(),
        "form.pdf": form(),
        "japanese-sjis.pdf": japanese("90ms-RKSJ-H", "cp932"),
        "japanese-utf16.pdf": japanese("UniJIS-UTF16-H", "utf-16-be"),
        "languages.pdf": languages(),
        "hebrew.pdf": right_to_left(),
        "rotated.pdf": rotated(),
        "garbled.pdf": garbled(),
        "hidden.pdf": hidden(),
        "open-secret.pdf": simple("Encrypted, but with an empty password", "so that everybody can read it.", user=""),
    }


def damaged_documents():
    """Files that are unreadable or partly unreadable."""
    whole = article()
    return {
        "password.pdf": simple("A secret", "that only those read who know the word.", user="secret"),
        "truncated.pdf": whole[: len(whole) * 2 // 3],
        "html.pdf": b"<!DOCTYPE html>\n<html><body><h1>403 Forbidden</h1></body></html>\n",
        "empty.pdf": b"",
        "garbage-before.pdf": b"Headers that a crawler left here\r\n\r\n" + simple("Garbage stands before the header."),
        "wrong-table.pdf": simple("The table of references is wrong.").replace(b" 00000 n", b"7 0000 n"),
    }


def make(write, tar, zipped, gz):
    """Writes all samples: `pdf/` has files and packages, `damaged-pdf/` damaged files, `pdf-parts/` one with parts."""
    sound = documents()
    for name, content in sound.items():
        write(f"pdf/{name}", content)
    papers = [(f"2023/{name}", sound[name]) for name in ("article.pdf", "filing.pdf")]
    write("pdf/papers.zip", zipped([*papers, ("readme.txt", b"Two papers.\n")]))
    courts = [(f"court/{name}", sound[name]) for name in ("filing.pdf", "scanned-filing.pdf")]
    write("pdf/court.tar.gz", gz(tar([("court/", None), *courts, ("court/notes.txt", b"No PDF.\n")])))
    for name, content in damaged_documents().items():
        write(f"damaged-pdf/{name}", content)
    write("pdf-parts/survey.pdf", survey())


def responses():
    """The responses of a web server: path, media type and body."""
    sound, damaged = documents(), damaged_documents()
    yield "/papers/article.pdf", "application/pdf", sound["article.pdf"]
    yield "/invoice?id=117", "application/pdf; charset=binary", sound["invoice.pdf"]
    yield "/download/japanese", "application/octet-stream", sound["japanese-sjis.pdf"]
    yield "/papers/cut.pdf", "application/pdf", damaged["truncated.pdf"]
    yield "/papers/gone.pdf", "application/pdf", damaged["html.pdf"]
    yield "/invoice.php", "text/html", b"\r\n\r\n" + sound["invoice.pdf"]
    yield "/", "text/html; charset=utf-8", b"<html><body><a href='/papers/article.pdf'>A paper</a></body></html>"
