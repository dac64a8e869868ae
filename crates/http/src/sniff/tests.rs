use super::*;
use crate::testing::{Random, gzip, zlib};

const PAGE: &[u8] =
    b"<!DOCTYPE html><html><head><title>T</title></head><body><p>Text</p></body></html>";

/// The sniffed type of bytes sent with this `Content-Type`.
fn sniffed(body: &[u8], content_type: &str) -> String {
    let media_type = content_type.split(';').next().unwrap().trim();
    let media_type = media_type.to_ascii_lowercase();
    let declared = Declared {
        media_type: (!media_type.is_empty()).then_some(media_type.as_str()),
        content_type: Some(content_type),
    };
    sniff(body, &declared).unwrap_or(&media_type).to_owned()
}

fn random(length: usize, seed: u64) -> Vec<u8> {
    let mut numbers = Random(seed);
    (0..length).map(|_| numbers.next_u64() as u8).collect()
}

/// Zeros with patterns at their offsets.
fn placed(parts: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![0; 600];
    for (at, part) in parts {
        bytes[*at..at + part.len()].copy_from_slice(part);
    }
    bytes
}

fn utf16(text: &str, big_endian: bool) -> Vec<u8> {
    let unit = |unit: u16| {
        if big_endian {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        }
    };
    text.encode_utf16().flat_map(unit).collect()
}

fn mp3_frames() -> Vec<u8> {
    // MPEG 1, layer III, 128 kbit/s at 44.1 kHz: 417 bytes.
    let mut frame = vec![0xff, 0xfb, 0x90, 0x44];
    frame.resize(417, 0);
    frame.repeat(3)
}

fn mp4(brands: &[u8]) -> Vec<u8> {
    let mut file = (8 + brands.len() as u32).to_be_bytes().to_vec();
    file.extend_from_slice(b"ftyp");
    file.extend_from_slice(brands);
    file.extend_from_slice(b"\0\0\0\x08free");
    file
}

fn zip_entry(name: &str, content: &[u8]) -> Vec<u8> {
    let mut entry = b"PK\x03\x04".to_vec();
    entry.resize(26, 0);
    entry.extend((name.len() as u16).to_le_bytes());
    entry.extend([0, 0]);
    entry.extend(name.as_bytes());
    entry.extend(content);
    entry
}

/// An entry of a zip file in its directory.
fn listed_entry(name: &str) -> Vec<u8> {
    let mut entry = b"PK\x01\x02".to_vec();
    entry.resize(28, 0);
    entry.extend((name.len() as u16).to_le_bytes());
    entry.resize(46, 0);
    entry.extend(name.as_bytes());
    entry
}

fn bitmap() -> Vec<u8> {
    placed(&[(0, b"BM\x36\x10"), (10, b"\x36"), (14, b"\x28")])
}

/// Files in binary formats.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let mut matroska = b"\x1a\x45\xdf\xa3\xa3\x42\x86\x81\x01\x42\x82\x88matroska".to_vec();
    matroska.resize(100, 0);
    let webm = b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm\x42\x87\x81".to_vec();
    let mut transport = [0; 188];
    transport[0] = b'G';
    let epub = zip_entry("mimetype", b"application/epub+zipPK");
    let template = b"application/vnd.oasis.opendocument.text-templatePK";
    let docx = [
        zip_entry("[Content_Types].xml", &[7; 2000]),
        zip_entry("word/document.xml", b""),
    ];
    let mut archive = placed(&[(0, b"page.html"), (257, b"ustar\0")]);
    archive.resize(1024, 0);
    let program = placed(&[(0, b"MZ\x90\0"), (0x3c, b"\x80\0\0\0"), (0x80, b"PE\0\0")]);
    let pdf = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n%%EOF\n";
    vec![
        (
            "image/png",
            placed(&[(0, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")]),
        ),
        ("image/gif", b"GIF89a\x01\0\x01\0\x80\0\0".to_vec()),
        (
            "image/jpeg",
            placed(&[(0, b"\xff\xd8\xff\xe0\0\x10JFIF\0")]),
        ),
        ("image/webp", placed(&[(0, b"RIFF"), (8, b"WEBPVP8 ")])),
        ("image/bmp", bitmap()),
        (
            "image/x-icon",
            b"\0\0\x01\0\x02\0\x10\x10\0\0\x01\0\x04\0".to_vec(),
        ),
        ("image/tiff", placed(&[(0, b"II*\0\x08")])),
        ("image/jp2", placed(&[(0, b"\0\0\0\x0cjP  \r\n\x87\n")])),
        ("image/vnd.djvu", placed(&[(0, b"AT&TFORM"), (12, b"DJVM")])),
        ("image/avif", mp4(b"avif\0\0\0\0avifmif1miaf")),
        ("image/heic", mp4(b"mif1\0\0\0\0mif1heic")),
        ("video/mp4", mp4(b"isom\0\0\x02\0isomiso2avc1mp41")),
        ("video/mp4", mp4(b"dash\0\0\0\0iso6")),
        ("video/quicktime", mp4(b"qt  \0\0\0\0qt  ")),
        ("video/webm", webm),
        ("video/x-matroska", matroska),
        ("video/mp2t", transport.repeat(6)),
        ("video/x-flv", placed(&[(0, b"FLV\x01\x05")])),
        ("video/avi", placed(&[(0, b"RIFF"), (8, b"AVI LIST")])),
        ("audio/wave", placed(&[(0, b"RIFF"), (8, b"WAVEfmt ")])),
        ("audio/mpeg", mp3_frames()),
        ("audio/mpeg", placed(&[(0, b"ID3\x03")])),
        ("audio/flac", placed(&[(0, b"fLaC")])),
        ("audio/aiff", placed(&[(0, b"FORM"), (8, b"AIFFCOMM")])),
        ("audio/midi", placed(&[(0, b"MThd\0\0\0\x06")])),
        ("application/ogg", placed(&[(0, b"OggS\0\x02")])),
        ("font/ttf", placed(&[(0, b"\0\x01\0\0\0\x0c")])),
        ("font/otf", placed(&[(0, b"OTTO\0\x0c")])),
        ("font/woff", placed(&[(0, b"wOFF\0\x01\0\0")])),
        ("font/woff2", placed(&[(0, b"wOF2OTTO")])),
        (
            "application/vnd.ms-fontobject",
            placed(&[(8, b"\x02\0\x02\0"), (34, b"LP")]),
        ),
        ("application/x-gzip", gzip(PAGE)),
        ("application/zip", zip_entry("page.html", PAGE)),
        ("application/epub+zip", epub),
        (
            "application/vnd.oasis.opendocument.text-template",
            zip_entry("mimetype", template),
        ),
        (
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            docx.concat(),
        ),
        (
            "application/x-rar-compressed",
            placed(&[(0, b"Rar!\x1a\x07\0")]),
        ),
        (
            "application/x-rar-compressed",
            placed(&[(0, b"Rar!\x1a\x07\x01\0")]),
        ),
        (
            "application/x-7z-compressed",
            placed(&[(0, b"7z\xbc\xaf\x27\x1c")]),
        ),
        ("application/x-bzip2", placed(&[(0, b"BZh91AY&SY")])),
        ("application/x-xz", placed(&[(0, b"\xfd7zXZ\0")])),
        ("application/zstd", placed(&[(0, b"\x28\xb5\x2f\xfd")])),
        ("application/x-tar", archive),
        (
            "application/x-ole-storage",
            placed(&[(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")]),
        ),
        (
            "application/warc",
            b"WARC/1.0\r\nWARC-Type: response\r\n".to_vec(),
        ),
        ("application/pdf", pdf.to_vec()),
        (
            "application/postscript",
            b"%!PS-Adobe-3.0\n%%Pages: 3\n".to_vec(),
        ),
        ("application/rtf", b"{\\rtf1\\ansi Text}".to_vec()),
        (
            "application/x-shockwave-flash",
            b"CWS\x0a\x10\x20\0\0\x78\xda".to_vec(),
        ),
        ("application/x-elf", placed(&[(0, b"\x7fELF\x02\x01\x01")])),
        ("application/vnd.microsoft.portable-executable", program),
        (
            "application/java-vm",
            placed(&[(0, b"\xca\xfe\xba\xbe\0\0\0\x34")]),
        ),
        (
            "application/vnd.sqlite3",
            placed(&[(0, b"SQLite format 3\0")]),
        ),
        (
            "application/x-msaccess",
            placed(&[(0, b"\0\x01\0\0Standard Jet DB\0")]),
        ),
    ]
}

#[test]
fn signatures_overrule_every_declared_type() {
    for (expected, file) in files() {
        for declared in [
            "text/html",
            "text/html; charset=utf-8",
            "application/xhtml+xml",
            "text/plain; charset=utf-8",
            "application/json",
            "image/svg+xml",
            "application/octet-stream",
            "application/pdf",
            "image/x-any",
            "",
        ] {
            let is_font = expected.starts_with("font/") || expected.ends_with("fontobject");
            // The standard does not sniff fonts among unknown types; here their structure is
            // checked.
            assert_eq!(sniffed(&file, declared), expected, "{declared} {is_font}");
        }
    }
}

#[test]
fn white_space_before_a_file_does_not_hide_it() {
    for (expected, file) in files() {
        let blank = [b"\n\xef\xbb\xbf\r\n  ", &file[..]].concat();
        // The packets of this format are counted from the start of the file.
        let is_shifted = expected == "video/mp2t";
        if !is_shifted {
            assert_eq!(sniffed(&blank, "text/html"), expected);
        }
    }
}

#[test]
fn every_prefix_of_a_file_is_judged() {
    for (_, file) in files() {
        for end in 0..file.len().min(700) {
            assert_ne!(sniffed(&file[..end], "text/html"), "");
            assert_eq!(sniffed(&file[..end], "").is_empty(), end == 0);
        }
    }
}

#[test]
fn text_that_starts_like_a_binary_file_stays_text() {
    for start in [
        "BMW builds cars",
        "BM",
        "ID3 tags hold titles",
        "GIF89a is a format",
        "GIF87a",
        "RIFF and WAVE are",
        "RIFF1234WAVE files",
        "FORM1234AIFC files",
        "OTTO is a name",
        "wOFF is a format",
        "MZ was a programmer",
        "FWS 2 is short",
        "PAR1 of the course",
        "AC1015 is a version",
        "fLaC is a format",
        "-lh5- is a method",
        "G is a letter",
        "%PDF-1.4 is how such files begin",
        "Rar! said the bear",
        "PK and PK again",
        "mimetype",
    ] {
        let text = format!("{start}. {}", "And so the text goes on. ".repeat(80));
        for declared in [
            "text/html",
            "text/plain; charset=x",
            "text/css",
            "application/json",
        ] {
            assert_eq!(
                sniffed(text.as_bytes(), declared),
                declared.split(';').next().unwrap()
            );
            assert_eq!(
                sniffed(start.as_bytes(), "text/html"),
                "text/html",
                "{start}"
            );
        }
    }
}

#[test]
fn declared_pages_stay_pages() {
    let long = "Grüße aus Köln, 春が来て花が咲く。".repeat(40);
    let wide = format!("<html><body><p>{long}");
    let chinese: String = (0x4e00..0x5400).filter_map(char::from_u32).collect();
    let padded = [&[0; 3000][..], PAGE].concat();
    let mut stray = b"Some text without any tag. ".repeat(60);
    for at in (0..stray.len()).step_by(9) {
        stray[at] = [0, 1, 2, 0x1a][at % 4];
    }
    let mut control = b"All control characters, and yet a page: ".to_vec();
    control.extend((0..=0x1f).collect::<Vec<u8>>().repeat(60));
    control.extend(b"<p>Text</p>");
    let pages: Vec<Vec<u8>> = vec![
        PAGE.to_vec(),
        b"  \r\n\t<!-- comment --><html>".to_vec(),
        b"Warning: something\n<html><p>Text".to_vec(),
        b"plain text".to_vec(),
        b"\xef\xbb\xbf<html>".to_vec(),
        b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>".to_vec(),
        b"{\"json\": 1}".to_vec(),
        // ISO-2022-JP, with escape sequences between the characters.
        b"<p>\x1b$B=U$,Mh$F\x1b(B \x1b$B2V$,:i$/\x1b(B".repeat(30),
        b"\x1b$B=U$,Mh$F\x1b(B \x1b$B2V$,:i$/\x1b(B".repeat(30),
        // windows-1251: Russian words that start like MP3 and AAC frames.
        b"\xff\xf1\xed\xee, \xff\xfb\xea\xe0 \xff\xf1\xf2\xf0\xe5\xe1 ".repeat(50),
        utf16(&wide, false),
        utf16(&wide, true),
        utf16(&format!("<p>{chinese}"), false),
        utf16(&format!("{chinese}<p>"), true),
        utf16(&format!("\u{feff}{chinese}"), true),
        padded,
        stray,
        control,
        vec![0; 5000],
        random(60, 1),
        b"<br>\n<b>Warning</b>: headers sent in page.php on line 3\n<p>%PDF-1.4 and so on</p>"
            .to_vec(),
        b"<pre>\n%PDF-1.4\n1 0 obj\n%%EOF\n</pre></body></html>\n".to_vec(),
    ];
    for page in pages {
        assert_eq!(
            sniffed(&page, "text/html"),
            "text/html",
            "{:?}",
            &page[..20]
        );
        assert_eq!(
            sniffed(&page, "application/xhtml+xml"),
            "application/xhtml+xml"
        );
    }
}

#[test]
fn binary_data_without_a_signature_is_not_a_page() {
    for seed in 1..50 {
        let data = random(2000, seed);
        assert_eq!(sniffed(&data, "text/html"), OCTET_STREAM, "{seed}");
        // Other text types are left alone, as in the standard.
        assert_eq!(sniffed(&data, "text/css"), "text/css");
    }
    assert_eq!(sniffed(&zlib(&random(3000, 7)), "text/html"), OCTET_STREAM);
}

#[test]
fn pdfs_after_messages_of_scripts() {
    let pdf = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n%%EOF";
    for before in [
        "\n\n\n",
        "<br />\n<b>Warning</b>: no such file<br />\n",
        "<br>",
    ] {
        for after in ["", "\n", "\r\n\0\0\0"] {
            let body = [before.as_bytes(), pdf, after.as_bytes()].concat();
            for declared in ["text/html", "", "application/octet-stream", "image/gif"] {
                assert_eq!(sniffed(&body, declared), "application/pdf", "{before}");
            }
        }
    }
}

#[test]
fn unknown_types_are_identified() {
    let cases: &[(&[u8], &str)] = &[
        (PAGE, "text/html"),
        (b"\n\t <HTML lang=de>", "text/html"),
        (b"<html\nlang=de>", "text/html"),
        (b"<!-- x --><p>", "text/html"),
        (b"<!doctype HTML>", "text/html"),
        (b"<p>a", "text/html"),
        (b"<a href=x>", "text/html"),
        (b"<h1>a", "text/html"),
        (b"<abbr>", "text/plain"),
        (b"<plaintext>", "text/plain"),
        (b"<p", "text/plain"),
        (b"< p>", "text/plain"),
        (b" <?xml version='1.0'?><rss>", "text/xml"),
        (b"\xef\xbb\xbf<html>", "text/html"),
        (b"\xff\xfe<\0h\0t\0m\0l\0>\0", "text/html"),
        (b"\0<\0h\0t\0m\0l\0>", "text/html"),
        (b"\xfe\xff\0a\0b", "text/plain"),
        (b"text", "text/plain"),
        (b"\x1b$B text", "text/plain"),
        (b"text\0", OCTET_STREAM),
        // Identified by the standard's patterns alone.
        (b"BM and nothing more", "image/bmp"),
        (b"ID3", "audio/mpeg"),
    ];
    for (body, expected) in cases {
        for declared in [
            "",
            "application/octet-stream",
            "*/*",
            "unknown/unknown",
            "application/unknown",
            "html",
            "text/",
        ] {
            assert_eq!(sniffed(body, declared), *expected, "{declared} {body:?}");
        }
    }
}

#[test]
fn other_declared_types_stay() {
    let text = b"a, b, c";
    for (body, declared, expected) in [
        // The standard does not render HTML that is declared as plain text or as an image.
        (PAGE, "text/plain", "text/plain"),
        (PAGE, "image/jpeg", "image/jpeg"),
        (PAGE, "application/pdf", "application/pdf"),
        (PAGE, "text/xml", "text/xml"),
        (text, "video/mp4", "video/mp4"),
        (text, "application/x-anything", "application/x-anything"),
        // Apache's default for unknown files.
        (b"a\0b", "text/plain", OCTET_STREAM),
        (b"a\0b", "text/plain; charset=UTF-8", OCTET_STREAM),
        (b"a\0b", "text/plain; charset=utf-16", "text/plain"),
        (b"\xfe\xff\0a", "text/plain", "text/plain"),
        // The group's patterns suffice if the group is declared.
        (b"BM and nothing more", "image/png", "image/bmp"),
        (b"ID3", "video/ogg", "audio/mpeg"),
        (b"OTTO", "font/ttf", "font/otf"),
        (b"OTTO", "application/font-woff", "font/otf"),
        (b"OTTO", "image/png", "image/png"),
    ] {
        assert_eq!(sniffed(body, declared), expected, "{declared} {body:?}");
    }
}

#[test]
fn types_of_formats_inside_containers_stay() {
    let zip = zip_entry("page.html", PAGE);
    let ole = placed(&[(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")]);
    let epub = zip_entry("mimetype", b"application/epub+zip");
    for (body, declared, expected) in [
        (
            &zip,
            "application/x-zip-compressed",
            "application/x-zip-compressed",
        ),
        (&zip, "application/epub+zip", "application/epub+zip"),
        (&zip, "application/pdf", "application/zip"),
        (&zip, "image/png", "application/zip"),
        (&gzip(PAGE), "application/gzip", "application/gzip"),
        (&ole, "application/msword", "application/msword"),
        (&ole, "text/plain", "application/x-ole-storage"),
        (&epub, "application/zip", "application/epub+zip"),
        (&b"{\\rtf1 x}".to_vec(), "text/rtf", "text/rtf"),
        (
            &b"{\\rtf1 x}".to_vec(),
            "application/msword",
            "application/rtf",
        ),
    ] {
        assert_eq!(sniffed(body, declared), expected, "{declared}");
    }
}

#[test]
fn empty_bodies_have_the_declared_type() {
    assert_eq!(sniffed(b"", "text/html"), "text/html");
    assert_eq!(sniff(b"", &Declared::default()), None);
}

#[test]
fn an_epub_is_recognized_without_its_first_entry() {
    let container = "META-INF/container.xml";
    let deflated = zip_entry("mimetype", b"\x4b\x2c\x28\xc8");
    let (page, far) = (zip_entry("1.xhtml", PAGE), vec![0; 100_000]);
    for (parts, expected) in [
        (
            vec![
                deflated,
                zip_entry(container, b""),
                zip_entry("a/b.opf", b""),
            ],
            "application/epub+zip",
        ),
        (
            vec![
                page.clone(),
                far,
                listed_entry("b.opf"),
                listed_entry(container),
            ],
            "application/epub+zip",
        ),
        (
            vec![page.clone(), zip_entry(container, b"")],
            "application/zip",
        ),
        (vec![page, listed_entry("b.opf")], "application/zip"),
    ] {
        let file = parts.concat();
        assert_eq!(sniffed(&file, ""), expected);
    }
}

#[test]
fn xml_with_the_root_of_a_page_is_xhtml() {
    let page = "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\"><body/></html>";
    let prologs = [
        "",
        "\n<?xml version=\"1.0\"?>\n<!-- a page -->\n",
        "<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.1//EN\" \"a.dtd\">",
    ];
    for prolog in prologs {
        let body = [prolog, page].concat();
        for declared in ["application/xml", "text/xml; charset=utf-8"] {
            assert_eq!(sniffed(body.as_bytes(), declared), "application/xhtml+xml");
        }
        assert_ne!(sniffed(body.as_bytes(), ""), "text/xml");
        let body = utf16(&body, true);
        assert_eq!(sniffed(&body, "text/xml"), "application/xhtml+xml");
    }
    for other in [
        "<html><body/></html>",
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:h=\"http://www.w3.org/1999/xhtml\">",
        "<!-- <html xmlns=\"http://www.w3.org/1999/xhtml\">",
        "<htmlx xmlns=\"urn:x\"><html xmlns=\"http://www.w3.org/1999/xhtml\">",
    ] {
        assert_eq!(sniffed(other.as_bytes(), "text/xml"), "text/xml", "{other}");
    }
}
