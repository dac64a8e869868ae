//! Damaged and hostile documents: reading ends, limits hold, and losses are reported.

#![allow(clippy::unwrap_used)]

mod packages;

use corpus_bytes::random::Random;
use corpus_office::{Document, Kind, Limits, kind, read, read_blocks};
use packages::zip;

const SAMPLES: [(&str, Kind); 3] = [
    ("report.docx", Kind::Docx),
    ("letter.odt", Kind::Odt),
    ("book.epub", Kind::Epub),
];

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("../../data-samples/office/{name}")).unwrap()
}

#[test]
fn samples_are_read() {
    let limits = Limits::default();
    let odt = read(&sample("letter.odt"), &limits);
    assert_eq!(
        odt.text.as_deref(),
        Some("Birnen\n\nDie Birnen sind reif.\n\nFrom the old garden.")
    );
    assert_eq!((odt.language.as_deref(), odt.pages), (Some("de"), Some(1)));
    assert_eq!(odt.author.as_deref(), Some("Max"));
    let epub = read(&sample("book.epub"), &limits);
    let text = "Un\n\nIl était une fois un verger.\n\nDeux\n\nLes poires sont mûres.";
    assert_eq!(epub.text.as_deref(), Some(text));
    assert_eq!(epub.author.as_deref(), Some("Jeanne; Paul"));
    let docx = read(&sample("report.docx"), &limits);
    assert_eq!(
        (docx.language.as_deref(), docx.pages),
        (Some("en-GB"), Some(2))
    );
    for (name, expected) in SAMPLES {
        assert_eq!(kind(&sample(name)), Some(expected));
        assert_eq!(read(&sample(name), &limits).error, None);
    }
}

#[test]
fn other_files_are_not_documents() {
    let limits = Limits::default();
    for bytes in [
        Vec::new(),
        b"PK\x03\x04".to_vec(),
        b"%PDF-1.4".to_vec(),
        zip(&[]),
        zip(&[("a.txt", b"x")]),
        zip(&[
            (
                "mimetype",
                b"application/vnd.oasis.opendocument.spreadsheet",
            ),
            ("content.xml", b"<office:spreadsheet/>"),
        ]),
    ] {
        let document = read(&bytes, &limits);
        assert_eq!((document.kind, document.text), (None, None));
        assert!(document.error.is_some());
    }
}

#[test]
fn cut_documents_report_it_and_keep_their_start() {
    for (name, _) in SAMPLES {
        let bytes = sample(name);
        let whole = read(&bytes, &Limits::default());
        let mut kept = 0;
        for end in 0..bytes.len() {
            let document = read(&bytes[..end], &Limits::default());
            // The last bytes are an empty comment of the directory.
            assert!(document.error.is_some(), "{name} cut at {end}");
            kept += usize::from(document.text == whole.text);
        }
        assert!(kept > 0, "{name}: no cut keeps the text");
    }
}

/// The members are whole for the zip, with a valid checksum.
#[test]
fn cut_members_are_named_and_their_text_is_kept() {
    let opf = "<package><manifest><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>\
        <item id='b' href='b.xhtml' media-type='application/xhtml+xml'/></manifest><spine>\
        <itemref idref='a'/><itemref idref='b'/></spine></package>";
    let page = "<html xmlns='x'><body><p>one</p><p>two</p></body></html>";
    let docx = "<w:document><w:body><w:p><w:r><w:t>one</w:t></w:r></w:p><w:p><w:r><w:t>two</w:t>\
        </w:r></w:p></w:body></w:document>";
    let odt = "<office:text><text:p>one</text:p><text:p>two</text:p></office:text>";
    let styles = "<w:styles><w:style/></w:styles>";
    let docx = [("word/document.xml", docx), ("word/styles.xml", styles)];
    let epub = [("book.opf", opf), ("a.xhtml", page), ("b.xhtml", page)];
    for (members, cut, before, expected, kept) in [
        (
            &docx[..],
            0,
            "two",
            "word/document.xml ends inside <w:t>",
            "one",
        ),
        (
            &docx,
            0,
            ":r></w:p><w:p>",
            "word/document.xml ends inside a tag",
            "one",
        ),
        (
            &docx,
            1,
            "</w:styles>",
            "word/styles.xml ends inside <w:styles>",
            "one\n\ntwo",
        ),
        (
            &[("content.xml", odt)],
            0,
            "</office",
            "content.xml ends inside <office:text>",
            "one\n\ntwo",
        ),
        (
            &epub,
            1,
            "two",
            "a.xhtml ends inside <p>",
            "one\n\none\n\ntwo",
        ),
        (
            &epub,
            0,
            "<itemref idref='b'",
            "book.opf ends inside <spine>",
            "one\n\ntwo",
        ),
    ] {
        let whole: Vec<_> = members
            .iter()
            .map(|(name, it)| (*name, it.as_bytes()))
            .collect();
        let document = read(&zip(&whole), &Limits::default());
        assert_eq!(document.error, None, "{expected}");
        let mut parts = whole.clone();
        let end = members[cut].1.find(before).unwrap();
        parts[cut].1 = &parts[cut].1[..end];
        let bytes = zip(&parts);
        let document = read(&bytes, &Limits::default());
        assert_eq!(document.error.as_deref(), Some(expected));
        assert_eq!(document.text.as_deref(), Some(kept), "{expected}");
        let error = read_blocks(&bytes, &Limits::default()).error;
        assert_eq!(error.as_deref(), Some(expected));
    }
}

#[test]
fn chapters_of_html_may_leave_out_end_tags() {
    let opf = b"<package/>";
    for (page, error) in [
        (&b"<!DOCTYPE html><HTML><p>one<br><p>two"[..], None),
        (
            b"<html><p>one<p>two<!-- x",
            Some("1.html ends inside a comment"),
        ),
        (
            b"<?xml version='1.0'?><html><p>one</p><p>two",
            Some("1.html ends inside <p>"),
        ),
    ] {
        let document = read(
            &zip(&[("book.opf", opf), ("1.html", page)]),
            &Limits::default(),
        );
        let listed = "the package document lists no chapters";
        let expected = error.map_or(listed.to_owned(), |error| format!("{listed}; {error}"));
        assert_eq!(document.error, Some(expected));
        assert_eq!(document.text.as_deref(), Some("one\n\ntwo"));
    }
}

#[test]
fn flipped_bits_never_panic() {
    let mut random = Random(42);
    for (name, _) in SAMPLES {
        let bytes = sample(name);
        for _ in 0..3000 {
            let mut damaged = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(damaged.len());
                damaged[at] ^= 1 << random.below(8);
            }
            let document = read(&damaged, &Limits::default());
            assert!(document.text.is_some() || document.error.is_some());
        }
    }
}

#[test]
fn bombs_are_cut() {
    let limit = 1 << 20;
    let limits = Limits { max_bytes: limit };
    let mut page = b"<w:p><w:t>start</w:t></w:p>".to_vec();
    page.extend(b"<w:p><w:t>x</w:t></w:p>".repeat(1 << 19));
    let bytes = zip(&[("word/document.xml", &page)]);
    assert!(bytes.len() < limit / 4);
    let document = read(&bytes, &limits);
    assert!(
        document
            .text
            .is_some_and(|text| text.starts_with("start\n\nx") && text.len() < limit)
    );
    let error = document.error.unwrap_or_default();
    assert!(
        error.contains("the decompressed data exceeds 1048576 bytes"),
        "{error}"
    );
    // Many members, each within the limit.
    let page = vec![b' '; limit / 2];
    let chapters: Vec<String> = (0..20).map(|number| format!("{number}.xhtml")).collect();
    let mut members: Vec<(&str, &[u8])> = vec![("book.opf", b"<package/>")];
    members.extend(chapters.iter().map(|name| (name.as_str(), page.as_slice())));
    let error = read(&zip(&members), &limits).error.unwrap_or_default();
    assert!(
        error.contains("the decompressed data exceeds 1048576 bytes"),
        "{error}"
    );
}

/// Chapters are XML, in which any element may end with a slash.
#[test]
fn elements_without_content_do_not_swallow_a_chapter() {
    for element in [
        "title",
        "script src=\"a.js\"",
        "style",
        "iframe",
        "noscript",
        "textarea",
        "select",
        "a id=\"x\"",
    ] {
        let page = format!(
            "<html><head><{element}/></head><body><{element}/><p>one</p><p><![CDATA[<two>]]></p></body></html>"
        );
        let document = read(
            &zip(&[("book.opf", b"<package/>"), ("1.xhtml", page.as_bytes())]),
            &Limits::default(),
        );
        assert_eq!(document.text.as_deref(), Some("one\n\n<two>"), "{element}");
    }
}

fn words(document: &Document) -> usize {
    document
        .text
        .as_deref()
        .unwrap_or_default()
        .matches('x')
        .count()
}

#[test]
fn deep_nesting_is_no_recursion() {
    let docx = b"<w:tbl><w:tr><w:tc><w:p><w:t>x".repeat(50_000);
    let document = read(&zip(&[("word/document.xml", &docx)]), &Limits::default());
    assert_eq!(words(&document), 50_000);
    let odt = b"<table:table-row><table:table-cell><text:note><text:p>x".repeat(50_000);
    let document = read(&zip(&[("content.xml", &odt)]), &Limits::default());
    assert_eq!(words(&document), 50_000);
    let skipped = b"<w:del>".repeat(50_000);
    let document = read(&zip(&[("word/document.xml", &skipped)]), &Limits::default());
    assert_eq!(document.text.as_deref(), Some(""));
}

#[test]
fn missing_and_encrypted_chapters_are_reported() {
    let opf =
        b"<package><manifest><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>\
        <item id='b' href='b.xhtml' media-type='application/xhtml+xml'/>\
        <item id='c' href='c.xhtml' media-type='application/xhtml+xml'/></manifest>\
        <spine><itemref idref='a'/><itemref idref='b'/><itemref idref='c'/><itemref idref='a'/></spine>\
        </package>";
    let encryption = b"<encryption><CipherReference URI='b.xhtml'/></encryption>";
    let document = read(
        &zip(&[
            ("book.opf", opf),
            ("META-INF/encryption.xml", encryption),
            ("a.xhtml", b"<p>One</p>"),
            ("b.xhtml", b"\xf0noise"),
        ]),
        &Limits::default(),
    );
    assert_eq!(document.text.as_deref(), Some("One"));
    assert_eq!(
        document.error.as_deref(),
        Some("c.xhtml is missing; b.xhtml is encrypted")
    );
    let manifest = b"<manifest:manifest><manifest:file-entry manifest:full-path='content.xml'>\
        <manifest:encryption-data/></manifest:file-entry>";
    let encrypted = [
        ("content.xml", &b"noise"[..]),
        ("META-INF/manifest.xml", manifest),
    ];
    let document = read(&zip(&encrypted), &Limits::default());
    assert_eq!(document.text, None);
    assert_eq!(document.error.as_deref(), Some("the document is encrypted"));
}
