//! Tests with damaged streams: readable content is kept, and the page reports what is lost.

use std::ops::ControlFlow;

use crate::engine::read;
use crate::model::{DocumentPart, FailureKind, Limits, Options, Page as ReadPage, Request};
use crate::quality::{self, PageFacts};
use crate::testing::{Page, Pdf, Ref, Stream, fonts, hex, lines};

/// The first page of a document.
pub(super) fn first_page(file: Vec<u8>) -> ReadPage {
    let request = Request {
        text: true,
        options: Options::default(),
        limits: Limits::default(),
        ..Request::default()
    };
    let mut pages = Vec::new();
    read(file, &request, &mut |part| {
        if let DocumentPart::Page(page) = part {
            pages.push(page);
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    pages.swap_remove(0)
}

fn of_content(content: Stream) -> ReadPage {
    let mut pdf = Pdf::new();
    pdf.page(Page::of(content));
    first_page(pdf.build())
}

pub(super) fn failure(page: &ReadPage) -> Option<(FailureKind, Option<u32>, &str)> {
    let failure = page.failure.as_ref()?;
    Some((failure.kind, failure.page, &failure.message))
}

#[track_caller]
pub(super) fn assert_damaged(page: &ReadPage, cause: &str) {
    let (kind, number, message) = failure(page).expect(cause);
    assert_eq!((kind, number), (FailureKind::Damaged, Some(1)));
    assert!(message.starts_with(cause), "{message}, not {cause}");
    assert!(message.contains(" % of the page's content"), "{message}");
}

/// Content with many different words.
pub(super) fn content() -> Vec<u8> {
    let words: Vec<String> = (0..50)
        .map(|n| format!("word{} line{n}", n * 7919))
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    lines(&words).into_bytes()
}

/// The content in the encoding of `encode`, with its bytes changed.
fn changed(encode: fn(Stream) -> Stream, filter: &'static str, change: fn(&mut Vec<u8>)) -> Stream {
    let mut data = encode(Stream::new(content())).data().to_vec();
    change(&mut data);
    Stream::new("").encoded(filter, "null", data)
}

#[test]
fn damage_to_any_filter_is_reported() {
    type Case = (
        fn(Stream) -> Stream,
        &'static str,
        fn(&mut Vec<u8>),
        &'static str,
    );
    let half: fn(&mut Vec<u8>) = |data| data.truncate(data.len() / 2);
    let cases: &[Case] = &[
        (Stream::flate, "FlateDecode", half, "the data ends early"),
        (
            Stream::flate,
            "FlateDecode",
            |data| data[60] ^= 16,
            "a flipped bit, which was corrected",
        ),
        (
            Stream::flate,
            "FlateDecode",
            |data| {
                let end = data.len();
                data[end - 4..].fill(0);
            },
            "the checksum does not match",
        ),
        (
            Stream::flate,
            "FlateDecode",
            |data| data[100..140].fill(0xff),
            "damaged deflate data",
        ),
        (Stream::lzw, "LZWDecode", half, "LZW data without an end"),
        (
            Stream::lzw,
            "LZWDecode",
            |data| data[250..254].fill(0xff),
            "impossible LZW codes",
        ),
        (
            Stream::lzw,
            "LZWDecode",
            |data| data[250..282].fill(0),
            "impossible LZW codes",
        ),
        (
            Stream::run_length,
            "RunLengthDecode",
            half,
            "run-length data without an end",
        ),
        (
            Stream::ascii_85,
            "ASCII85Decode",
            |data| data[40] = b'\x7f',
            "characters that are not ASCII85",
        ),
        (
            Stream::ascii_85,
            "ASCII85Decode",
            |data| data[40..47].fill(0),
            "characters that are not ASCII85",
        ),
        (
            Stream::ascii_hex,
            "ASCIIHexDecode",
            |data| data[40..47].fill(0),
            "characters that are not ASCIIHex",
        ),
        (
            Stream::ascii_85,
            "ASCII85Decode",
            half,
            "text-encoded data without an end",
        ),
        (
            Stream::ascii_hex,
            "ASCIIHexDecode",
            |data| data[40] = b'x',
            "characters that are not ASCIIHex",
        ),
        (
            Stream::ascii_hex,
            "ASCIIHexDecode",
            half,
            "text-encoded data without an end",
        ),
        (|stream| stream, "OddDecode", |_| {}, "an unknown filter"),
        (
            Stream::flate,
            "DCTDecode",
            |_| {},
            "an image instead of content",
        ),
    ];
    for (encode, filter, change, cause) in cases {
        let page = of_content(changed(*encode, filter, *change));
        assert_damaged(&page, cause);
        let is_lost = matches!(
            *cause,
            "an empty Flate stream" | "an image instead of content"
        );
        assert_eq!(
            page.text.contains("line1"),
            !is_lost,
            "{cause}: {}",
            page.text
        );
    }
}

#[test]
fn characters_after_damaged_text_encodings_are_kept() {
    for page in [
        changed(Stream::ascii_85, "ASCII85Decode", |data| data[40] = b'\x7f'),
        changed(Stream::ascii_hex, "ASCIIHexDecode", |data| data[90] = b'~'),
    ] {
        assert!(of_content(page).text.contains("line49"));
    }
}

#[test]
fn complete_content_is_sound_whatever_surrounds_it() {
    let flate = |change: fn(&mut Vec<u8>)| changed(Stream::flate, "FlateDecode", change);
    let data = Stream::new(content()).flate();
    let (start, length) = (data.data().len() / 2, data.data().len());
    for (number, content) in [
        // Without the checksum, in part or in whole.
        flate(|data| data.truncate(data.len() - 4)),
        flate(|data| data.truncate(data.len() - 1)),
        flate(|data| data.extend(b"\r\n\r\n trailing")),
        // Without the header.
        flate(|data| drop(data.drain(..2))),
        data.clone().length(start),
        data.clone().length(length + 3),
        data.clone().length(99_999),
        data.clone().length(0),
        Stream::new("").encoded("FlateDecod", "null", data.data().to_vec()),
        Stream::new(data.data()).entries("/Fi~ter /FlateDecode"),
    ]
    .into_iter()
    .enumerate()
    {
        let page = of_content(content);
        assert_eq!(failure(&page), None, "{number}");
        assert!(page.text.contains("line49"), "{number}");
    }
}

#[test]
fn the_share_is_that_of_the_encoded_content() {
    let page = of_content(Stream::new("").encoded("FlateDecode", "null", vec![0x78; 400]));
    assert!(failure(&page).unwrap().2.contains("(0 % of"));
    let mut pdf = Pdf::new();
    let sound = pdf.add_stream(Stream::new(content()));
    let lost = pdf.add_stream(Stream::new(content()).encoded(
        "OddDecode",
        "null",
        vec![0; content().len()],
    ));
    let missing = Ref(99);
    let two = contents(&mut pdf.clone(), &format!("[{sound} {lost}]"));
    assert!(
        failure(&two).unwrap().2.contains("(50 % of"),
        "{:?}",
        two.failure
    );
    let two = contents(&mut pdf, &format!("[{sound} {missing}]"));
    assert!(
        failure(&two).unwrap().2.contains("(50 % of"),
        "{:?}",
        two.failure
    );
    assert!(two.text.contains("line49"));
}

/// A page with this entry for its content.
fn contents(pdf: &mut Pdf, entry: &str) -> ReadPage {
    let font = fonts::standard(pdf, "Helvetica");
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {} \
         /Resources << /Font << /F1 {font} >> >> >>",
        if entry.is_empty() {
            String::new()
        } else {
            format!("/Contents {entry}")
        }
    );
    let page = pdf.add(page);
    pdf.set(
        Ref(2),
        format!("<< /Type /Pages /Kids [{page}] /Count 1 >>"),
    );
    first_page(pdf.clone().build())
}

#[test]
fn content_that_is_not_there_is_damage_and_no_content_is_a_blank_page() {
    for entry in ["", "null", "[]"] {
        assert_eq!(failure(&contents(&mut Pdf::new(), entry)), None, "{entry}");
    }
    let mut pdf = Pdf::new();
    let font = fonts::standard(&mut pdf, "Helvetica");
    let page = Page::of(Stream::new(content())).font("F1", font);
    pdf.page(page);
    let mut file = pdf.build();
    let at = memchr::memmem::find(&file, b"/Contents").unwrap();
    file[at + 4] ^= 1;
    assert_damaged(&first_page(file), "a content stream is missing");
    for entry in ["99 0 R", "[99 0 R]", "(text)", "<< >>", "[(text)]", "7"] {
        let page = contents(&mut Pdf::new(), entry);
        assert_damaged(&page, "a content stream is missing");
    }
    let mut pdf = Pdf::new();
    let dict = pdf.add("<< /A 1 >>");
    let page = contents(&mut pdf, &dict.to_string());
    assert_damaged(&page, "a content stream is missing");
}

#[test]
fn damaged_forms_and_fonts_are_reported_where_text_depends_on_them() {
    let damaged = |data: &[u8]| Stream::new("").encoded("FlateDecode", "null", data.to_vec());
    // A form, a form that is missing, and a form that nothing draws.
    for (draws, is_missing, cause) in [
        ("/X Do", false, Some("damaged deflate data")),
        ("/X Do", true, Some("a form or an image is missing")),
        ("", false, None),
    ] {
        let mut pdf = Pdf::new();
        let entries = "/Type /XObject /Subtype /Form /BBox [0 0 1 1]";
        let form = if is_missing {
            Ref(99)
        } else {
            pdf.add_stream(damaged(&[0x78, 0x9c, 6, 6, 6, 6]).entries(entries))
        };
        pdf.page(Page::new(draws).resource("XObject", "X", form));
        let page = first_page(pdf.build());
        match cause {
            Some(cause) => assert_damaged(&page, cause),
            None => assert_eq!(failure(&page), None),
        }
    }
    // A ToUnicode map, and the same in a font that nothing uses.
    for shown in ["/F2", "/F1"] {
        let mut pdf = Pdf::new();
        let map = pdf.add_stream(damaged(&[0x78, 0x9c, 6, 6, 6, 6]));
        let font = pdf.add(format!(
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode {map} >>"
        ));
        let helvetica = fonts::standard(&mut pdf, "Helvetica");
        let page = Page::new(format!("BT {shown} 12 Tf 72 700 Td (text) Tj ET"));
        pdf.page(page.font("F1", helvetica).font("F2", font));
        let page = first_page(pdf.build());
        assert_eq!(page.text.trim(), "text");
        match shown {
            "/F2" => assert_damaged(&page, "the ToUnicode map of a font is damaged"),
            _ => assert_eq!(failure(&page), None),
        }
    }
    // A font that is missing.
    let mut pdf = Pdf::new();
    pdf.page(Page::new("BT /F1 12 Tf 72 700 Td (text) Tj ET").font("F1", Ref(99)));
    assert_damaged(
        &first_page(pdf.build()),
        "a font, or part of it, is missing",
    );
}

#[test]
fn a_stream_without_filters_that_is_shorter_than_declared_is_cut() {
    let length = content().len();
    for (more, is_cut) in [(0, false), (8, false), (9, true), (5_000, true)] {
        let page = of_content(Stream::new(content()).length(length + more));
        if is_cut {
            assert_damaged(&page, "a stream that is shorter than declared")
        } else {
            assert_eq!(failure(&page), None, "{more}")
        }
        assert!(page.text.contains("line49"), "{more}");
    }
    let page = of_content(Stream::new(content()).length(2 * length));
    assert!(failure(&page).unwrap().2.contains("(50 % of"));
}

#[test]
fn the_share_counts_what_is_missing_of_the_declared_length() {
    let data = Stream::new(content()).flate().data().to_vec();
    let half = data.len() / 2;
    let stream = Stream::new("").encoded("FlateDecode", "null", data[..half].to_vec());
    let page = of_content(stream.length(2 * half));
    let (_, _, message) = failure(&page).unwrap();
    assert!(message.contains("(50 % of"), "{message}");
}

#[test]
fn a_damaged_font_program_is_reported_with_unknown_glyphs() {
    for (codes, is_reported) in [(&b"\0\x07"[..], true), (b"\0\x08", false)] {
        let mut pdf = Pdf::new();
        let program =
            pdf.add_stream(Stream::new("").encoded("FlateDecode", "null", vec![0x78; 90]));
        let font = fonts::Type0 {
            encoding: "/Identity-H",
            ordering: "Identity",
            descendant: &format!(
                "/FontDescriptor << /Type /FontDescriptor /FontFile2 {program} >>"
            ),
            to_unicode: &[(8, "x")],
            ..Default::default()
        }
        .add_to(&mut pdf);
        let content = format!("BT /F2 12 Tf 72 720 Td {} Tj ET", hex(codes));
        pdf.page(Page::new(content).font("F2", font));
        let page = first_page(pdf.build());
        if is_reported {
            assert_damaged(&page, "the program of a font is damaged")
        } else {
            assert_eq!(failure(&page), None)
        }
    }
}

#[test]
fn many_operators_that_make_no_sense_are_damage() {
    let sound = String::from_utf8(content()).unwrap();
    // A careless writer.
    let careless = format!("{sound} fooBar BX a b Tx EX 1e2 0 0 1e-2 0 0 cm");
    assert_eq!(failure(&of_content(Stream::new(careless))), None);
    for damaged in [
        sound.replace("T*", "T+"),
        sound.replacen(" Tj", " T", 9),
        sound
            .replacen(") Tj", " Tj", 3)
            .replacen("Td", "(a) Td Tm cm", 1),
    ] {
        let page = of_content(Stream::new(damaged));
        let (kind, _, message) = failure(&page).unwrap();
        assert_eq!(kind, FailureKind::Damaged);
        assert!(
            message.contains("operators cannot be understood (100 % of"),
            "{message}"
        );
    }
}

#[test]
fn content_with_unclosed_parts_is_damage() {
    for (content, text) in [
        ("[ BT /F1 12 Tf 72 700 Td (one) Tj ET", "one"),
        (
            "BT /F1 12 Tf 72 700 Td (one Tj ET BT 72 650 Td (two) Tj ET",
            "one\n\ntwo",
        ),
        (
            "/P << /MCID 0 BDC BT /F1 12 Tf 72 700 Td (one) Tj ET EMC",
            "one",
        ),
    ] {
        let page = of_content(Stream::new(content));
        assert_eq!(page.text.trim_end(), text);
        let (kind, _, message) = failure(&page).unwrap();
        assert_eq!(kind, FailureKind::Damaged);
        assert!(message.contains("is not closed"), "{message}");
    }
}

#[test]
fn content_without_checksums_that_is_cut_or_overwritten_is_damage() {
    let sound = String::from_utf8(content()).unwrap();
    for more in [
        "\0\0 0 0 m 9 9 l S",
        "\0\0\0\0\0\n\0\0\0\0",
        "/A BMC EMC",
        "EMC",
    ] {
        let page = of_content(Stream::new(format!("{sound} {more}")));
        assert_eq!(failure(&page), None, "{more:?}");
    }
    let end = "the content ends within a text, a path or an operator";
    for (more, cause) in [
        ("0 0 m 9 9 l", end),
        ("0 0 9 9 re", end),
        (
            "/A BMC 0 0 9 9 re f",
            "the content ends within marked content",
        ),
        ("\0\0\0\0\0\0 n", "zero bytes within the content"),
        ("\u{2}\u{3}\u{13}", "2 of "),
    ] {
        let page = of_content(Stream::new(format!("{sound} {more}")));
        assert_damaged(&page, cause);
        assert!(page.text.contains("line49"), "{more:?}");
    }
}

#[test]
fn text_that_damage_moves_off_the_page_is_kept() {
    let moved = String::from_utf8(content())
        .unwrap()
        .replace("72 720", "72 7200");
    assert_eq!(of_content(Stream::new(moved.clone())).text.trim(), "");
    let page = of_content(Stream::new("").encoded("OddDecode", "null", moved.into_bytes()));
    assert!(page.text.contains("line49"));
}

#[test]
fn text_after_an_unbalanced_string_or_array_is_kept() {
    for (content, expected) in [
        ("(one Tj T* (two) Tj T* (three) Tj", "three"),
        ("[(one) 5 (two TJ T* [(three)] TJ T* (four) Tj", "four"),
        ("[(one) 5 TJ T* [(two)] TJ T* (three) Tj", "two"),
    ] {
        let content = format!("BT /F1 12 Tf 14 TL 72 720 Td {content} ET");
        let page = of_content(Stream::new(content));
        assert!(page.text.contains(expected), "{expected}: {}", page.text);
    }
}

#[test]
fn quality_does_not_call_incomplete_pages_fine() {
    let lost = of_content(Stream::new("").encoded("FlateDecode", "null", vec![0; 9]));
    let facts = PageFacts::of(&lost);
    assert_eq!(
        (facts.needs_ocr(), facts.has_text(), facts.garbled_share()),
        (None, None, None)
    );
    let part = PageFacts::of(&of_content(changed(Stream::flate, "FlateDecode", |data| {
        data.truncate(data.len() / 2);
    })));
    assert_eq!((part.needs_ocr(), part.has_text()), (None, Some(true)));
    assert!(part.garbled_share().is_some());
    let sound = PageFacts::of(&of_content(Stream::new(content())));
    assert_eq!(
        (sound.needs_ocr(), sound.has_text()),
        (Some(false), Some(true))
    );
    assert_eq!(quality::needs_ocr(&[sound, part]), None);
    assert_eq!(quality::has_text(&[sound, part]), Some(true));
    assert_eq!(
        (
            quality::needs_ocr(&[lost_scan(facts)]),
            quality::has_text(&[facts])
        ),
        (Some(true), None)
    );
}

/// An incomplete page that is known to be a picture.
fn lost_scan(facts: PageFacts) -> PageFacts {
    PageFacts {
        image_cover: 1.0,
        ..facts
    }
}
