"""Documents of offices, e-books and mail, written by Python's standard library."""

import io
import zipfile

TIME = (2023, 11, 14, 22, 13, 20)


def package(members):
    """A zip of (name, content) pairs, whose first member is not compressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number, (name, content) in enumerate(members):
            info = zipfile.ZipInfo(name, TIME)
            info.compress_type = zipfile.ZIP_DEFLATED if number else zipfile.ZIP_STORED
            archive.writestr(info, content)
    return out.getvalue()


DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def docx():
    def paragraph(*runs):
        runs = "".join(f'<w:r><w:t xml:space="preserve">{run}</w:t></w:r>' for run in runs)
        return f"<w:p>{runs}</w:p>"

    def row(*cells):
        return "<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in cells) + "</w:tr>"

    table = f"<w:tbl>{row('name', 'price')}{row('Boskoop', '3')}</w:tbl>"
    deleted = '<w:p><w:del w:id="1"><w:r><w:delText>Plums.</w:delText></w:r></w:del></w:p>'
    body = paragraph("Apples ", "and pears") + deleted + table
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    core = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
    return package(
        [
            (
                "[Content_Types].xml",
                f'{DECLARATION}<Types xmlns="{types}"><Default Extension="xml" ContentType="application/xml"/></Types>',
            ),
            ("word/document.xml", f"{DECLARATION}<w:document {W}><w:body>{body}</w:body></w:document>"),
            (
                "word/styles.xml",
                f'{DECLARATION}<w:styles {W}><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="en-GB"/>'
                "</w:rPr></w:rPrDefault></w:docDefaults></w:styles>",
            ),
            (
                "docProps/core.xml",
                f'{DECLARATION}<cp:coreProperties xmlns:cp="{core}" xmlns:dc="http://purl.org/dc/elements/1.1/" '
                'xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Apples</dc:title><dc:creator>Ada</dc:creator>'
                "<cp:keywords>fruit</cp:keywords><dcterms:created>2023-11-14T22:13:20Z</dcterms:created>"
                "</cp:coreProperties>",
            ),
            ("docProps/app.xml", f"{DECLARATION}<Properties><Pages>2</Pages></Properties>"),
        ]
    )


def odt():
    office = (
        'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
        'xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    )
    note = (
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        "<text:note-body><text:p>From the old garden.</text:p></text:note-body></text:note>"
    )
    return package(
        [
            ("mimetype", "application/vnd.oasis.opendocument.text"),
            (
                "content.xml",
                f"{DECLARATION}<office:document-content {office}><office:body><office:text>"
                f"<text:h>Birnen</text:h>\n<text:p>Die Birnen{note} sind\n   reif.</text:p>"
                "</office:text></office:body></office:document-content>",
            ),
            (
                "meta.xml",
                f"{DECLARATION}<office:document-meta {office}><office:meta><dc:title>Birnen</dc:title>"
                "<meta:initial-creator>Max</meta:initial-creator><dc:language>de</dc:language>"
                "<meta:creation-date>2023-11-14T22:13:20</meta:creation-date>"
                '<meta:document-statistic meta:page-count="1"/></office:meta></office:document-meta>',
            ),
        ]
    )


def epub():
    container = (
        f'{DECLARATION}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    )
    opf = (
        f'{DECLARATION}<package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Le verger</dc:title>'
        "<dc:creator>Jeanne</dc:creator><dc:creator>Paul</dc:creator><dc:language>fr</dc:language>"
        '<dc:date>2023-11-14</dc:date></metadata><manifest><item id="b" href="deux.xhtml" '
        'media-type="application/xhtml+xml"/><item id="a" href="chapitre%20un.xhtml" '
        'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine>'
        "</package>"
    )

    def chapter(title, text):
        return (
            f'{DECLARATION}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{title}</title></head>'
            f"<body><h1>{title}</h1><p>{text}</p></body></html>"
        )

    return package(
        [
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", container),
            ("OEBPS/book.opf", opf),
            ("OEBPS/deux.xhtml", chapter("Deux", "Les poires sont mûres.")),
            ("OEBPS/chapitre un.xhtml", chapter("Un", "Il était une fois un verger.")),
        ]
    )


EML = """\
From: =?utf-8?Q?J=C3=BCrgen?= <juergen@example.org>\r
To: Ada <ada@example.org>, \r
 Bob <bob@example.org>\r
Subject: =?iso-8859-1?Q?Gr=FC=DFe?= =?utf-8?B?IGF1cyBLw7Zsbg==?=\r
Date: Tue, 14 Nov 2023 23:13:20 +0100\r
Message-ID: <1@example.org>\r
MIME-Version: 1.0\r
Content-Language: de\r
Content-Type: multipart/mixed; boundary="outer"\r
\r
This is a message in MIME format.\r
--outer\r
Content-Type: multipart/alternative; boundary="inner"\r
\r
--inner\r
Content-Type: text/plain; charset=utf-8\r
Content-Transfer-Encoding: quoted-printable\r
\r
Die =C3=84pfel sind =\r
reif.\r
--inner\r
Content-Type: text/html; charset=utf-8\r
\r
<p>Die <b>&Auml;pfel</b> sind reif.\r
--inner--\r
--outer\r
Content-Type: application/pdf; name="preise.pdf"\r
Content-Disposition: attachment; filename*=utf-8''pr%C3%A4ise.pdf\r
Content-Transfer-Encoding: base64\r
\r
JVBERi0xLjQK\r
--outer--\r
"""

MBOX = """\
From ada@example.org Tue Nov 14 22:13:20 2023
From: Ada <ada@example.org>
Subject: First
Date: Tue, 14 Nov 2023 22:13:20 +0000

The first message.
>From here it goes on.

From bob@example.org Wed Nov 15 08:00:00 2023
From: Bob <bob@example.org>
Subject: Second
Date: Wed, 15 Nov 2023 08:00:00 +0000
Content-Type: text/html; charset=us-ascii

<html><body><p>The <i>second</i> message.</p></body></html>
"""
