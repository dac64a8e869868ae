#!/usr/bin/env python3
"""Makes the samples beside this file: python3 data-samples/make.py

Everything is invented here, nothing is taken from anywhere. The samples are committed, so
that a fresh clone runs at once; run this again after a change of it and commit what it made.
Needs Python's standard library only, and makes the same bytes on every run.
"""

import gzip
import io
import shutil
import tarfile
import zipfile
from pathlib import Path

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
    """A page of hOCR; blocks are (left, top, right, bottom, text)."""
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
    """The smallest PDF that shows some lines of text."""
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
    """The same archive from `start`, with a wrong checksum of its first member."""
    rest = bytearray(archive[start:])
    entry = rest.index(b"PK\x01\x02")
    rest[entry + 16] ^= 0xFF
    return bytes(rest)


if __name__ == "__main__":
    for folder in ["files", "partitioned", "damaged"]:
        shutil.rmtree(ROOT / folder, ignore_errors=True)
    make_files()
    make_damaged_files()
