#!/usr/bin/env python3
"""Makes the samples in this folder: python3 data-samples/make.py

Everything is invented here, nothing is taken from anywhere. The samples are committed, so
that a fresh clone runs at once; run this again after a change of it and commit what it made.
Needs Python's standard library only, and makes the same bytes on every run.
"""

import base64
import bz2
import gzip
import hashlib
import io
import json
import itertools
import shutil
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path

sys.dont_write_bytecode = True
import documents
import fasttext_sample
import office_samples
import pdf_samples

ROOT = Path(__file__).resolve().parent
TIME = 1700000000  # 2023-11-14 22:13:20 UTC
ZIP_TIME = (2023, 11, 14, 22, 13, 20)


def write(path, content):
    path = ROOT / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def gz(content):
    return gzip.compress(content, mtime=TIME)


def tar(members):
    """A tar of (name, content) pairs; content None makes a folder."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as package:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.mtime = TIME
            if content is None:
                info.type = tarfile.DIRTYPE
                package.addfile(info)
            else:
                info.size = len(content)
                package.addfile(info, io.BytesIO(content))
    return out.getvalue()


def zipped(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in members:
            info = zipfile.ZipInfo(name, ZIP_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            package.writestr(info, content)
    return out.getvalue()


def hocr(page, width, blocks):
    """An hOCR page; blocks are (left, top, right, bottom, text)."""
    areas = "\n".join(
        f"""   <div class='ocr_carea' id='block_{page}_{n}' title="bbox {l} {t} {r} {b}">
    <p class='ocr_par'><span class='ocr_line' title="bbox {l} {t} {r} {b}">{text}</span></p>
   </div>"""
        for n, (l, t, r, b, text) in enumerate(blocks, 1)
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml">
 <head><title>Page {page}</title><meta name='ocr-system' content='made up'/></head>
 <body>
  <div class='ocr_page' id='page_{page}' title='image "page-{page:04}.png"; bbox 0 0 {width} 2000'>
{areas}
  </div>
 </body>
</html>
""".encode()


def pdf(lines):
    """A minimal PDF with some lines of text."""
    text = "BT /F1 12 Tf 72 720 Td 14 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010} 00000 n \n".encode() for offset in offsets)
    out += f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n".encode()
    return out


def make_files():
    pages = [
        hocr(1, 1400, [(100, 100, 1300, 400, "The first page of a made-up book.")]),
        hocr(2, 1400, [(100, 100, 1300, 400, "Its second page."), (100, 500, 1290, 900, "A block.")]),
        hocr(3, 1400, [(900, 100, 1399, 400, "Cropped"), (910, 500, 1399, 900, "on its right.")]),
        hocr(4, 1400, [(100, 100, 1300, 400, "日本語の頁。")]),
    ]
    write("files/scans/page-0001.hocr", pages[0])
    write("files/scans/page-0002.hocr", pages[1])
    write("files/scans/page-0003.hocr.gz", gz(pages[2]))
    members = [("book/", None)]
    members += [(f"book/page-{n:04}.html", page) for n, page in enumerate(pages, 1)]
    members.append(("book/page-0005.html.gz", gz(pages[0])))
    members.append(("book/" + "a-name-of-more-than-a-hundred-letters-" * 4 + ".txt", b"long name\n"))
    write("files/book.tar.gz", gz(tar(members)))

    decision = pdf(["In the matter of Sample v. Example", "the court finds for nobody."])
    notice = pdf(["Notice of a hearing", "Tuesday at ten"])
    write("files/papers/decision.pdf", decision)
    write("files/papers.zip", zipped([("2023/notice.pdf", notice), ("readme.txt", b"Two papers.\n")]))

    for year, month, text in [("2023", "12", "an old note\n"), ("2024", "01", "a new note\n")]:
        write(f"partitioned/year={year}/month={month}/note.txt", text.encode())


def record(kind, headers, body, number):
    """A WARC record; `number` determines its identifier."""
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>",
        f"WARC-Date: 2023-11-14T22:13:{number:02}Z",
    ]
    lines += [f"{name}: {value}" for name, value in headers]
    lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body + b"\r\n\r\n"


def digest(data):
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


def http(status, headers, body):
    head = [f"HTTP/1.1 {status}"] + [f"{name}: {value}" for name, value in headers]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def page(title, paragraphs, lang="en", meta=""):
    text = "\n".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return f"""<!DOCTYPE html>
<html lang="{lang}"><head>{meta}<title>{title}</title><style>p {{ margin: 0 }}</style></head>
<body><nav><a href="/">Home</a> <a href="/about">About</a></nav>
<h1>{title}</h1>
{text}
<script>var hidden = "<p>not text</p>";</script>
</body></html>
"""


def capture(number, uri, status, headers, body, **more):
    """A record of type response."""
    content = http(status, headers, body)
    fields = [
        ("WARC-Target-URI", uri),
        ("WARC-IP-Address", "192.0.2.1"),
        ("WARC-Payload-Digest", digest(body)),
        ("WARC-Block-Digest", digest(content)),
    ]
    fields += list(more.items())
    fields.append(("Content-Type", "application/http; msgtype=response"))
    return record("response", fields, content, number)


def crawl():
    """The records of a small invented crawl."""
    numbers = itertools.count(1)

    def response(uri, status, headers, body, **more):
        return capture(next(numbers), uri, status, headers, body, **more)

    def request(uri):
        content = f"GET {uri.split('example', 1)[1] or '/'} HTTP/1.1\r\nHost: www.example\r\n\r\n".encode()
        fields = [("WARC-Target-URI", uri), ("Content-Type", "application/http; msgtype=request")]
        return record("request", fields, content, next(numbers))

    html = ("Content-Type", "text/html; charset=utf-8")
    english = page("A page", ["The first paragraph.", "The second, with <b>bold</b> words &amp; an entity."])
    japanese = page("日本語の頁", ["吾輩は例文である。", "名前はまだ無い。"], "ja", '<meta charset="Shift_JIS">')
    yield record("warcinfo", [("Content-Type", "application/warc-fields")], b"software: made up\r\n", next(numbers))
    yield request("http://www.example/")
    yield response("http://www.example/", "200 OK", [html], english.encode())
    yield response("http://www.example/ja", "200 OK", [("Content-Type", "text/html")], japanese.encode("cp932"))
    zipped_body = gz(page("Zipped", ["A body that was sent compressed."]).encode())
    yield response("http://www.example/zipped", "200 OK", [html, ("Content-Encoding", "gzip")], zipped_body)
    chunked = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (english[:100].encode(), english[100:].encode()))
    yield response("http://www.example/chunked", "200 OK", [html, ("Transfer-Encoding", "chunked")], chunked + b"0\r\n\r\n")
    yield response("http://www.example/old", "301 Moved Permanently", [("Location", "/"), html], b"")
    yield response("http://www.example/none", "404 Not Found", [("P3P ", "a blank before the colon"), html], b"<p>No such page.")
    paper = pdf(["A paper found on the web"])
    yield response("http://www.example/paper.pdf", "200 OK", [("Content-Type", "application/pdf")], paper)
    yield response("http://www.example/long", "200 OK", [html], english[:200].encode(), **{"WARC-Truncated": "length"})
    revisit = [
        ("WARC-Target-URI", "http://www.example/again"),
        ("WARC-Profile", "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"),
        ("WARC-Refers-To-Target-URI", "http://www.example/"),
        ("WARC-Refers-To-Date", "2023-11-14T22:13:03Z"),
        ("WARC-Payload-Digest", digest(english.encode())),
        ("Content-Type", "application/http; msgtype=response"),
    ]
    yield record("revisit", revisit, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", next(numbers))
    metadata = [("WARC-Target-URI", "http://www.example/"), ("Content-Type", "application/warc-fields")]
    yield record("metadata", metadata, b"fetchTimeMs: 7\r\n", next(numbers))


def index(members, filename):
    """A CDXJ index that only contains the positions of the captures."""
    lines, offset = [], 0
    for member in members:
        head = gzip.decompress(member).split(b"\r\n\r\n")[0].decode()
        fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:])
        if fields["WARC-Type"] in ("response", "revisit"):
            url = fields["WARC-Target-URI"]
            key = url.replace("http://www.example", "example)")
            date = "".join(filter(str.isdigit, fields["WARC-Date"]))
            place = {"url": url, "length": str(len(member)), "offset": str(offset), "filename": filename}
            lines.append(f"{key} {date} {json.dumps(place)}\n")
        offset += len(member)
    return "".join(sorted(lines)).encode()


def columnar_index(archives):
    """Rows like those of Common Crawl's columnar index: the responses with status 200."""
    columns = (
        "url_surtkey,url,url_host_name,url_host_registered_domain,fetch_time,fetch_status,content_digest,"
        "content_mime_detected,content_languages,warc_filename,warc_record_offset,warc_record_length"
    )
    rows = []
    for filename, members in archives.items():
        offset = 0
        for member in members:
            head, http_head = gzip.decompress(member).split(b"\r\n\r\n")[:2]
            fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
            if fields["WARC-Type"] == "response" and http_head.startswith(b"HTTP/1.1 200"):
                url = fields["WARC-Target-URI"]
                host, path = url.removeprefix("http://").split("/", 1)
                is_html = b"text/html" in http_head.lower()
                kind = "text/html" if is_html else "application/pdf" if path.endswith(".pdf") else "image/png"
                japanese = path.startswith(("ja", "poem"))
                language = {"german": "deu"}.get(path, "jpn" if japanese else "eng") if is_html else ""
                key = ",".join(reversed(host.removeprefix("www.").split("."))) + f")/{path}"
                row = [f'"{key}"', url, host, host.removeprefix("www."), fields["WARC-Date"].replace("T", " ").rstrip("Z")]
                row += ["200", fields["WARC-Payload-Digest"].removeprefix("sha1:"), kind, language, filename]
                rows.append(",".join(row + [str(offset), str(len(member))]))
            offset += len(member)
    return "\n".join([columns, *sorted(rows), ""]).encode()


def make_warcs():
    records = list(crawl())
    write("warc/crawl.warc.gz", b"".join(gz(record) for record in records))
    write("warc/crawl.cdxj", index([gz(record) for record in records], "crawl.warc.gz"))
    write("warc/plain.warc", b"".join(records[:4]))
    write("warc/one-member.warc.gz", gz(b"".join(records[:4])))
    arc_body = http("200 OK", [("Content-Type", "text/html")], b"<p>An old archive.</p>\n")
    version = b"1 0 made-up\nURL IP-address Archive-date Content-type Archive-length\n"
    arc = b"filedesc://old.arc 0.0.0.0 20001122033344 text/plain %d\n" % len(version) + version + b"\n"
    arc += b"http://old.example/ 192.0.2.7 20001122033344 text/html %d\n" % len(arc_body) + arc_body + b"\n"
    write("warc/old.arc", arc)
    wacz = io.BytesIO()
    with zipfile.ZipFile(wacz, "w") as package:
        package.writestr(zipfile.ZipInfo("archive/data.warc.gz", ZIP_TIME), b"".join(gz(r) for r in records[:3]))
        package.writestr(zipfile.ZipInfo("datapackage.json", ZIP_TIME), b"{}")
    write("warc/package.wacz", wacz.getvalue())

    write("web/site.warc.gz", b"".join(gz(record) for record in site()))
    archives = {"warc/crawl.warc.gz": records, "web/site.warc.gz": site()}
    archives = {name: [gz(record) for record in records] for name, records in archives.items()}
    write("common-crawl/index.csv", columnar_index(archives))
    write("common-crawl/warc.paths.gz", gz("".join(f"{name}\n" for name in archives).encode()))
    write("web/mislabeled.warc.gz", b"".join(gz(record) for record in mislabeled()))

    members = [gz(record) for record in records]
    garbled = bytearray(members[3])
    garbled[len(garbled) // 2] ^= 0xFF
    write("damaged-warc/garbled.warc.gz", b"".join(members[:3]) + bytes(garbled) + b"".join(members[4:6]))
    write("damaged-warc/cut.warc.gz", b"".join(members[:4])[:-40])
    wrong = records[2].replace(b"Content-Length: ", b"Content-Length: 9", 1)
    write("damaged-warc/length.warc", records[1] + wrong + b"".join(records[3:5]))
    write("damaged-warc/page.warc.gz", b"<html><body>403 Forbidden</body></html>\n")


ARTICLE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Bridge reopens | The Daily Sample</title>
<link rel="canonical" href="/news/bridge">
<meta name="description" content="The old bridge is open again.">
<meta property="article:published_time" content="2023-11-10T08:30:00Z"></head>
<body><header><a href="/">The Daily Sample</a><nav><ul><li><a href="/news">News</a><li><a href="/sport">Sport</a></ul></nav></header>
<main><article id="story" class="story long"><h1>Bridge reopens after two years</h1>
<p>The old bridge over the river was opened again on Friday, two years after the flood that had
closed it. Several hundred people walked across it in the first hour, among them the mayor, who
called it &ldquo;a good day for both sides of the river&rdquo;.</p>
<p>The repair had cost more than was planned, because the second pier had to be built anew. Engineers
say that the bridge will now stand for at least another hundred years, and that the next flood will
not reach its deck.</p>
<table><tr><th>Part<th>Built</tr><tr><td>First pier<td>1901</tr><tr><td>Second pier<td>2023</tr></table>
<p>Cyclists have to wait: their lane will be finished in the spring, as will the lights.</p></article></main>
<aside><h2>Most read</h2><ul><li><a href="/a">Rain expected</a><li><a href="/b">Team wins</a></ul></aside>
<footer><p>&copy; The Daily Sample</p><p hidden>Build 1234</p></footer></body></html>
"""

POEM = """<html><head><title>春の詩</title></head><body>
<div class="poem"><p>春が来て、<ruby>花<rp>(</rp><rt>はな</rt><rp>)</rp></ruby>が咲く。<br>
鳥が歌い、
風が吹く。</p>
<pre>  一行目
    二行目</pre></div>
<p>この詩は例として作られたものであり、だれかの作品から取られたものではありません。</p>
</body></html>
"""

FRAMES = """<html><head><title>Frames</title></head>
<frameset cols="20%,80%"><frame src="menu.html"><frame src="start.html">
<noframes><body><p>This site uses frames.</body></noframes></frameset></html>
"""


def site():
    """Typical web pages: charsets declared correctly, wrongly and not at all, and errors."""
    html = ("Content-Type", "text/html")
    german = page("Grüße", ["Schöne Grüße aus Köln, wo die Bäume blühen und die Züge pünktlich sind."], "de")
    soup = "<title>Soup</title><p>One<b>bold<p>two</b>three<ul><li>first<li>second</ul><table><td>cell<td>next</table>"
    pages = [
        ("/news/bridge", "200 OK", [("Content-Type", "text/html; charset=utf-8")], ARTICLE.encode()),
        ("/poem", "200 OK", [html], POEM.encode("euc_jp")),
        ("/poem-wrong", "200 OK", [("Content-Type", "text/html; charset=iso-8859-1")], POEM.encode("cp932")),
        ("/poem-wide", "200 OK", [html], POEM.encode("utf-16")),
        ("/german", "200 OK", [("Content-type", "Text/HTML; Charset=ISO-8859-1")], german.encode("cp1252")),
        ("/soup", "200 OK", [("P3P ", "a blank"), html], soup.encode()),
        ("/frames", "200 OK", [html], FRAMES.encode()),
        ("/empty", "200 OK", [html], b""),
        ("/broken", "200 OK", [html, ("Content-Encoding", "gzip")], gz(ARTICLE.encode())[:300]),
        ("/picture", "200 OK", [("Content-Type", "image/png")], b"\x89PNG\r\n\x1a\n"),
    ]
    for number, (path, status, headers, body) in enumerate(pages, start=21):
        yield capture(number, f"http://site.example{path}", status, headers, body)


def mislabeled():
    """Bodies of another type than declared."""
    html = ("Content-Type", "text/html")
    text = page("Found", ["A page whose server gives no type or the wrong one."]).encode()
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"<p>picture</p>" * 3
    bodies = [
        ("/logo", [html], picture),
        ("/paper", [html], pdf(["A paper that its server calls a page"])),
        ("/source", [html], gz(tar([("readme.html", text)]))),
        ("/noise", [html], zlib.compress(bytes((n * n * 31 + n // 7) & 255 for n in range(3000)))),
        ("/stripped", [html], gz(text)),
        ("/twice", [html, ("Content-Encoding", "gzip")], gz(gz(text))),
        ("/untyped", [], text),
        ("/unknown", [("Content-Type", "application/octet-stream")], b"\r\n" + text),
        ("/listing", [("Content-Type", "text/plain")], text),
    ]
    for number, (path, headers, body) in enumerate(bodies, start=31):
        yield capture(number, f"http://wrong.example{path}", "200 OK", headers, body)


def vint(number):
    """A length up to 255, in the format of Hadoop's WritableUtils."""
    return bytes([number]) if number < 128 else b"\x8f" + bytes([number])


def writable_text(text):
    data = text.encode()
    return (vint(len(data)) if len(data) < 256 else b"\x8e" + len(data).to_bytes(2, "big")) + data


def sequence_file(pairs, codec=None):
    """Pairs of Text, one record each; with a codec (DefaultCodec: zlib), in one block."""
    sync = hashlib.md5(b"a sync mark of our own").digest()
    text = writable_text("org.apache.hadoop.io.Text")
    out = b"SEQ\x06" + text + text + bytes([bool(codec), bool(codec)])
    out += (writable_text(codec) if codec else b"") + b"\0\0\0\0" + sync
    keys = [writable_text(key) for key, _ in pairs]
    values = [writable_text(value) for _, value in pairs]
    if codec:
        out += b"\xff\xff\xff\xff" + sync + vint(len(pairs))
        for column in (keys, values):
            lengths = b"".join(vint(len(item)) if len(item) < 256 else b"\x8e" + len(item).to_bytes(2, "big") for item in column)
            for part in (lengths, b"".join(column)):
                packed = zlib.compress(part)
                out += (vint(len(packed)) if len(packed) < 256 else b"\x8e" + len(packed).to_bytes(2, "big")) + packed
        return out
    for key, value in zip(keys, values):
        out += (len(key) + len(value)).to_bytes(4, "big") + len(key).to_bytes(4, "big") + key + value
    return out


def make_sequence_files():
    """A book of scanned pages in Google's format, with its keys and block class."""
    pages = [
        hocr(1, 1400, [(100, 100, 1300, 400, "The first page of a made-up book.")]),
        hocr(2, 1400, [(100, 100, 1300, 400, "Its second page."), (100, 500, 1290, 900, "A block.")]),
        hocr(3, 1400, [(900, 100, 1399, 400, "Cropped"), (910, 500, 1399, 900, "on its right.")]),
    ]
    pages = [page.decode().replace("ocr_carea", "ocrx_block") for page in pages]
    pairs = [(f"Z1000/{number:08}", page) for number, page in enumerate(pages, start=1)]
    write("sequence/scans.seq", sequence_file(pairs, "org.apache.hadoop.io.compress.DefaultCodec"))
    write("sequence/plain.seq", sequence_file(pairs))
    write("damaged-sequence/cut.seq", sequence_file(pairs)[:-30])


WORDS = "the of page and river house stood before winter light under many letters were".split()


def words_of_line(number, left, top, right, confidence):
    """The words of a line in the format of an OCR program: invented, but reproducible."""
    spans, x = [], left
    while x < right - 40:
        word = WORDS[(number * 7 + x // 11) % len(WORDS)]
        end = min(x + 22 * len(word), right)
        sure = min(100, confidence + (x * 13 + number * 5) % 9)
        spans.append(f"<span class='ocrx_word' title='bbox {x} {top} {end} {top + 40}; x_wconf {sure}'>{word}</span>")
        x = end + 20
    return " ".join(spans)


def book_page(number, width, blocks, confidence=90, slope=0.0):
    """A page of a book; blocks are (left, top, right, lines)."""
    areas = []
    for left, top, right, lines in blocks:
        spans = "\n".join(
            f"<span class='ocr_line' title='bbox {left} {top + n * 60} {right} {top + n * 60 + 40}; baseline {slope} -6'>"
            f"{words_of_line(number + n, left, top + n * 60, right, confidence)}</span>"
            for n in range(lines)
        )
        box = f"bbox {left} {top} {right} {top + lines * 60 - 20}"
        areas.append(f"<div class='ocrx_block' title='{box}'>\n{spans}\n</div>")
    page = f"image \"{number:08}.png\"; bbox 0 0 {width} 2000; ppageno {number}"
    return "<html><body>\n<div class='ocr_page' title='{}'>\n{}\n</div>\n</body></html>\n".format(page, "\n".join(areas))


def make_book():
    """A book of 24 pages, of which some are cropped, skewed, empty, badly recognized or missing."""
    pairs = []
    for number in range(1, 25):
        left, right = (180, 1240) if number % 2 else (160, 1220)
        right += number * 7 % 11
        head, text = (left + 300, 120, right - 300, 1), (left, 240, right, 14)
        page = book_page(number, 1400, [head, text])
        if number == 1:
            page = book_page(number, 1400, [(480, 500, 920, 3)])
        elif number == 7:  # the right half was cut off
            page = book_page(number, 1400, [(760, 120, 1100, 1), (760, 240, 1398, 14)])
        elif number == 9:  # the picture ends with the text
            page = book_page(number, 1240, [head, (left, 240, 1239, 14)], confidence=75)
        elif number == 11:  # two columns
            page = book_page(number, 1400, [head, (left, 240, 690, 14), (730, 240, right, 14)])
        elif number == 12:
            page = book_page(number, 1400, [])
        elif number == 13:
            continue
        elif number == 16:  # boxes that cannot be
            damaged = "<div class='ocrx_block' title='bbox 900 300 200 500'></div><div class='ocrx_block' title='bbox 1 2 3'></div>"
            page = page.replace("</div>\n</body>", damaged + "</div>\n</body>")
        elif number == 18:  # over the edge
            page = book_page(number, 1400, [head, (-30, 240, right - 200, 14)])
        elif number == 20:
            page = book_page(number, 1400, [head, text], slope=0.035)
        elif number == 22:
            page = book_page(number, 1400, [head, text], confidence=30)
        pairs.append((f"Z2000/{number:08}.html", page))
    write("book/pages.seq", sequence_file(pairs, "org.apache.hadoop.io.compress.DefaultCodec"))


def make_damaged_files():
    text = b"A line of text that is repeated, so that it can be compressed.\n" * 50
    write("damaged/cut.txt.gz", gz(text)[:-20])
    write("damaged/garbled.txt.gz", gz(text)[:30] + b"\xff" * 8 + gz(text)[38:])
    write("damaged/large.txt.gz", gz(b"0123456789" * 20_000))
    three = [("one.txt", b"1\n" * 700), ("two.txt", b"2\n" * 700), ("three.txt", b"3\n" * 700)]
    package = tar(three)
    second_header = 512 + 1536
    broken = bytearray(package)
    broken[second_header + 100] ^= 0xFF
    write("damaged/header.tar", bytes(broken))
    write("damaged/cut.tar", package[: second_header + 512 + 100])
    archive = zipped(three)
    write("damaged/cut.zip", archive[:-60])
    first_data = 30 + len("one.txt")
    write("damaged/checksum.zip", archive[:14] + b"\0\0\0\0" + archive[18:first_data] + flip(archive, first_data))


def flip(archive, start):
    """The archive from `start` on, with a wrong checksum in its first member."""
    rest = bytearray(archive[start:])
    entry = rest.index(b"PK\x01\x02")
    rest[entry + 16] ^= 0xFF
    return bytes(rest)


def make_pdfs():
    pdf_samples.make(write, tar, zipped, gz)
    responses = enumerate(pdf_samples.responses(), start=41)
    records = [
        capture(number, f"http://papers.example{path}", "200 OK", [("Content-Type", kind)], body)
        for number, (path, kind, body) in responses
    ]
    write("pdf/papers.warc.gz", b"".join(gz(record) for record in records))


def make_texts():
    text = "\ufeff" + "\r\n".join(["first line", "", "dritte Zeile: größer", "四行目"])
    write("text/lines.txt", text.encode())
    write("text/lines.txt.gz", gz(text.encode()[:20]) + gz(text.encode()[20:]))
    write("text/latin1.log", "café\nplain\n".encode("latin-1"))


def wiki_page(number, title, revisions, namespace=0, redirect=None):
    """A page of a MediaWiki export. Revisions are (id, text); text None was deleted."""
    out = f"  <page>\n    <title>{title}</title>\n    <ns>{namespace}</ns>\n    <id>{number}</id>\n"
    if redirect:
        out += f'    <redirect title="{redirect}" />\n'
    for revision, text in revisions:
        content = '<text deleted="deleted" />'
        if text is not None:
            content = f'<text bytes="{len(text.encode())}" xml:space="preserve">{text}</text>'
        out += (
            f"    <revision>\n      <id>{revision}</id>\n"
            f"      <timestamp>2023-11-14T22:{revision % 60:02}:20Z</timestamp>\n"
            "      <contributor>\n        <username>Writer</username>\n        <id>5</id>\n"
            "      </contributor>\n      <comment>sample &amp; test</comment>\n"
            "      <model>wikitext</model>\n      <format>text/x-wiki</format>\n"
            f"      {content}\n    </revision>\n"
        )
    return out + "  </page>\n"


def make_wikis():
    header = (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">\n'
        "  <siteinfo>\n    <sitename>Sample Wiki</sitename>\n  </siteinfo>\n"
    )
    footer = "</mediawiki>\n"
    pages = [
        wiki_page(1, "Water &amp; ice", [(101, "''Water'' &lt;ref&gt;H2O&lt;/ref&gt;")]),
        wiki_page(2, "Aqua", [(102, "#REDIRECT [[Water &amp; ice]]")], redirect="Water &amp; ice"),
        wiki_page(3, "Talk:Water &amp; ice", [(103, "Is it wet?")], namespace=1),
        wiki_page(4, "水", [(104, "''水''は液体。")]),
        wiki_page(5, "River", [(105, "A [[water]] way.\n\n== See also ==\n* [[水]]")]),
        wiki_page(6, "Removed", [(106, None)]),
    ]
    streams = [header, pages[0] + pages[1], pages[2] + pages[3], pages[4] + pages[5], footer]
    packed = [bz2.compress(stream.encode()) for stream in streams]
    write("wiki/pages-multistream.xml.bz2", b"".join(packed))
    history = wiki_page(7, "History", [(number, f"Version {number - 199}") for number in range(200, 204)])
    write("wiki/history.xml", (header + history + footer).encode())
    write("wiki/ocr.xml", b"<alto><Layout><Page/></Layout></alto>\n")
    packed[2] = packed[2][: len(packed[2]) // 2]
    write("damaged-wiki/stream.xml.bz2", b"".join(packed))
    write("damaged-wiki/cut.xml", (header + "".join(pages)).encode()[:1900])


def make_offices():
    write("office/report.docx", office_samples.docx())
    write("office/letter.odt", office_samples.odt())
    write("office/book.epub", office_samples.epub())
    write("office/message.eml", office_samples.EML.encode())
    write("office/list.mbox", office_samples.MBOX.encode())


if __name__ == "__main__":
    folders = ["files", "partitioned", "damaged", "warc", "damaged-warc", "web", "sequence", "damaged-sequence", "book", "pdf", "damaged-pdf", "pdf-parts", "text", "wiki", "damaged-wiki", "language", "documents", "benchmark", "common-crawl", "office"]
    for folder in folders:
        shutil.rmtree(ROOT / folder, ignore_errors=True)
    make_files()
    make_damaged_files()
    make_warcs()
    make_sequence_files()
    make_book()
    make_pdfs()
    make_texts()
    make_wikis()
    make_offices()
    write("language/mood.bin", fasttext_sample.model())
    write("documents/pages.jsonl", documents.jsonl())
    write("benchmark/questions.jsonl", documents.benchmark_jsonl())
