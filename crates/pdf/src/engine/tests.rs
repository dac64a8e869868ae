//! Tests of reading whole documents.

use std::ops::ControlFlow;

use super::read;
use crate::model::{
    DocumentPart, Failure, FailureKind, Info, Limits, Options, Page as ReadPage, Request, Stage,
};
use crate::testing::{Cipher, Encryption, Page, Pdf, Stream, fonts, hex, lines, one_page};

fn request() -> Request {
    let options = Options {
        invisible_text: true,
        ..Options::default()
    };
    Request {
        text: true,
        options,
        ..Request::default()
    }
}

/// The parts of a document, and the result of reading it.
fn read_all(
    file: Vec<u8>,
    request: &Request,
) -> (Option<Info>, Vec<ReadPage>, Result<(), Failure>) {
    let (mut info, mut pages) = (None, Vec::new());
    let result = read(file, request, &mut |part| {
        match part {
            DocumentPart::Opened(opened) => info = Some(opened),
            DocumentPart::Attachment(_) => {}
            DocumentPart::Page(page) => pages.push(page),
        }
        ControlFlow::Continue(())
    });
    (info, pages, result)
}

fn kind(result: Result<(), Failure>) -> FailureKind {
    result.unwrap_err().kind
}

fn pages(texts: &[&str]) -> Vec<u8> {
    let mut pdf = Pdf::new();
    for text in texts {
        pdf.page(Page::new(lines(&[text])));
    }
    pdf.build()
}

#[test]
fn parts_are_emitted_in_order() {
    let (info, read, result) = read_all(pages(&["one", "two"]), &request());
    assert_eq!(result, Ok(()));
    assert_eq!(info.unwrap().page_count, 2);
    let found: Vec<_> = read
        .iter()
        .map(|page| (page.number, page.text.trim()))
        .collect();
    assert_eq!(found, [(1, "one"), (2, "two")]);
    assert_eq!(
        (read[0].width, read[0].height, read[0].rotation),
        (612.0, 792.0, 0)
    );
    assert_eq!((read[0].characters, read[0].unmapped), (3, 0));
}

#[test]
fn requested_words_come_with_their_styles() {
    let wanted = Request {
        words: true,
        text: false,
        ..request()
    };
    let (_, read, _) = read_all(pages(&["one two"]), &wanted);
    assert_eq!(read[0].text, "");
    assert_eq!(read[0].words.len(), 2);
    assert_eq!(
        read[0].styles[read[0].words[1].style as usize].font,
        "Helvetica"
    );
}

#[test]
fn nothing_is_drawn_unless_text_or_words_are_requested() {
    let (_, read, result) = read_all(pages(&["one"]), &Request::default());
    assert_eq!(
        (result, read[0].characters, read[0].width),
        (Ok(()), 0, 612.0)
    );
}

#[test]
fn reading_ends_when_the_callback_breaks() {
    let mut parts = 0;
    let result = read(pages(&["one", "two", "three"]), &request(), &mut |_| {
        parts += 1;
        if parts == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!((result, parts), (Ok(()), 2));
}

#[test]
fn passwords_are_tried() {
    let mut pdf = Pdf::new();
    pdf.page(Page::new(lines(&["secret text"])));
    pdf.encrypt(Encryption {
        cipher: Cipher::Aes256,
        user: "user",
        owner: "owner",
    });
    let file = pdf.build();
    assert_eq!(
        kind(read_all(file.clone(), &request()).2),
        FailureKind::Password
    );
    let with = |password: &str| {
        let options = Options {
            passwords: vec!["another".to_owned(), password.to_owned()],
            ..request().options
        };
        read_all(
            file.clone(),
            &Request {
                options,
                ..request()
            },
        )
    };
    assert_eq!(kind(with("wrong").2), FailureKind::Password);
    assert_eq!(with("user").1[0].text.trim(), "secret text");
}

#[test]
fn unknown_encryption_is_reported() {
    let mut pdf = Pdf::new();
    pdf.page(Page::new(""));
    pdf.trailer("/ID [<00> <00>] /Encrypt << /Filter /Standard /V 9 /R 9 /O <00> /U <00> /P 0 >>");
    assert_eq!(
        kind(read_all(pdf.build(), &request()).2),
        FailureKind::UnsupportedCrypto
    );
}

#[test]
fn files_that_are_not_pdf_are_invalid() {
    for file in [&b""[..], b"<html>not a PDF</html>", b"%PDF-1.7\n%%EOF"] {
        let (info, read, result) = read_all(file.to_vec(), &request());
        assert!(info.is_none() && read.is_empty());
        let failure = result.unwrap_err();
        assert_eq!(
            (failure.kind, failure.stage),
            (FailureKind::Invalid, Stage::Open)
        );
    }
}

#[test]
fn garbage_around_a_file_is_ignored() {
    let file = [
        b"HTTP/1.1 200 OK\r\n\r\n".to_vec(),
        pages(&["text"]),
        vec![b'x'; 10_000],
    ]
    .concat();
    let (_, read, result) = read_all(file, &request());
    assert_eq!((read[0].text.trim(), result), ("text", Ok(())));
}

#[test]
fn a_file_without_its_end_is_read_and_reported_as_truncated() {
    let whole = pages(&["first", "second"]);
    let end = memchr::memmem::rfind(&whole, b"xref").unwrap();
    let (_, read, result) = read_all(
        whole[..memchr::memmem::rfind(&whole[..end], b"xref").unwrap_or(end)].to_vec(),
        &request(),
    );
    assert_eq!(
        read.iter().map(|page| page.text.trim()).collect::<Vec<_>>(),
        ["first", "second"]
    );
    assert_eq!(kind(result), FailureKind::Truncated);
    let (_, read, result) = read_all(whole[..40].to_vec(), &request());
    assert!(read.is_empty());
    assert_eq!(kind(result), FailureKind::Truncated);
}

#[test]
fn an_empty_stream_with_a_filter_is_sound() {
    for filter in [
        "FlateDecode",
        "LZWDecode",
        "ASCII85Decode",
        "RunLengthDecode",
    ] {
        let mut pdf = Pdf::new();
        pdf.page(Page::of(Stream::new("").encoded(filter, "", Vec::new())));
        pdf.page(Page::new(lines(&["text"])));
        let (_, read, result) = read_all(pdf.build(), &request());
        assert_eq!((&read[0].failure, result), (&None, Ok(())), "{filter}");
        assert_eq!(read[1].text.trim(), "text");
    }
}

#[test]
fn a_dynamic_form_is_reported() {
    for (rendering, is_reported) in [("true", true), ("false", false)] {
        let mut pdf = Pdf::new();
        pdf.catalog(&format!(
            "/NeedsRendering {rendering} /AcroForm << /XFA (x) /Fields [] >>"
        ));
        pdf.page(Page::new(lines(&["Please wait"])));
        let (_, read, result) = read_all(pdf.build(), &request());
        assert_eq!(read[0].text.trim(), "Please wait");
        let failure = result.err().map(|failure| failure.kind);
        assert_eq!(failure, is_reported.then_some(FailureKind::XfaForm));
    }
}

#[test]
fn an_update_without_its_end_is_reported_as_truncated() {
    let with = |appended: &str| {
        let file = [pages(&["text"]), appended.as_bytes().to_vec()].concat();
        let (_, read, result) = read_all(file, &request());
        assert_eq!(read[0].text.trim(), "text");
        result
    };
    for update in [
        "9 0 obj\n<< /Type /Annot",
        "\r\n9 0 obj\nnull\nendobj\nxref\n9 1\n",
    ] {
        assert_eq!(kind(with(update)), FailureKind::Truncated, "{update}");
    }
    for appended in ["", "\n\n", "<!-- 9 0 obj -->", "\n2024 01 notes"] {
        assert_eq!(with(appended), Ok(()), "{appended}");
    }
}

#[test]
fn a_page_that_cannot_be_decoded_does_not_affect_others() {
    let mut pdf = Pdf::new();
    pdf.page(Page::of(Stream::new("").encoded(
        "DCTDecode",
        "",
        vec![1, 2, 3],
    )));
    pdf.page(Page::new(lines(&["fine"])));
    pdf.page(Page::of(Stream::new("").encoded(
        "FlateDecode",
        "",
        b"no deflate".to_vec(),
    )));
    pdf.page(Page::of(Stream::new("").flate()));
    let (_, read, result) = read_all(pdf.build(), &request());
    assert_eq!(result, Ok(()));
    let failure = read[0].failure.clone().unwrap();
    assert_eq!(
        (failure.kind, failure.page),
        (FailureKind::Damaged, Some(1))
    );
    assert_eq!((read[1].text.trim(), &read[1].failure), ("fine", &None));
    assert!(read[2].failure.is_some());
    // A page may be empty.
    assert_eq!(read[3].failure, None);
}

#[test]
fn limits_end_the_reading_and_keep_earlier_parts() {
    let limited = |limits: Limits| {
        let request = Request {
            limits,
            ..request()
        };
        let (_, read, result) = read_all(pages(&["one", "two", "three"]), &request);
        (
            read.len(),
            result.map_err(|failure| (failure.kind, failure.page)),
        )
    };
    let limits = Limits::default();
    let expected = |page| Err((FailureKind::Limit, Some(page)));
    assert_eq!(
        limited(Limits {
            pages: 2,
            ..limits.clone()
        }),
        (2, expected(3))
    );
    assert_eq!(
        limited(Limits {
            glyphs: 4,
            ..limits.clone()
        }),
        (2, expected(2))
    );
    assert_eq!(
        limited(Limits {
            cpu_ms: 0,
            ..limits
        })
        .1,
        Err((FailureKind::Timeout, Some(1)))
    );
}

#[test]
fn truncation_by_a_limit_is_reported() {
    let request = Request {
        limits: Limits {
            glyphs: 4,
            ..Limits::default()
        },
        ..request()
    };
    let (_, read, _) = read_all(one_page(&lines(&["abcdef"])), &request);
    assert_eq!(read[0].text.trim(), "abcd");
    assert_eq!(
        read[0].failure.as_ref().map(|failure| failure.kind),
        Some(FailureKind::Limit)
    );
}

#[test]
fn only_spaces_separate_words_without_a_width() {
    let words = |to_unicode: &[(u16, &str)], codes: &[u8]| {
        let mut pdf = Pdf::new();
        let font = fonts::Simple {
            base_encoding: "WinAnsiEncoding",
            to_unicode,
            first_char: b'A',
            widths: &[600; 58],
            ..Default::default()
        }
        .add_to(&mut pdf);
        let content = format!("BT /F2 12 Tf 72 720 Td {} Tj ET", hex(codes));
        pdf.page(Page::new(content).font("F2", font));
        let (_, read, _) = read_all(pdf.build(), &request());
        read[0].text.trim_end().to_owned()
    };
    let letters: Vec<(u16, &str)> = vec![(65, "A"), (66, "B")];
    for space in [
        None,
        Some(" "),
        Some("\u{a0}"),
        Some("\t"),
        Some("\u{2003}"),
        Some("\u{0}"),
    ] {
        let mut map = letters.clone();
        map.extend(space.map(|space| (32, space)));
        assert_eq!(words(&map, b"AA BB"), "AA BB", "{space:?}");
        assert_eq!(words(&[], b"AA\xa0BB"), "AA BB");
    }
    for (other, expected) in [
        ("\u{200b}", "AABB"),
        ("\u{301}", "AA\u{301}BB"),
        ("\u{ad}", "AABB"),
    ] {
        let mut map = letters.clone();
        map.push((1, other));
        assert_eq!(words(&map, b"AA\x01BB"), expected, "{other:?}");
    }
}
