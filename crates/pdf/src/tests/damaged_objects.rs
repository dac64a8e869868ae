//! Tests with objects that are missing, misspelt or of the wrong type.

use std::ops::ControlFlow;

use super::damaged::{assert_damaged, content, failure, first_page};
use crate::engine::read;
use crate::model::{DocumentPart, FailureKind, Request};
use crate::testing::{Page, Pdf, Ref, Stream, fonts};

#[test]
fn damaged_keys_of_resources_are_reported() {
    let mut pdf = Pdf::new();
    let form = Stream::new("BT /F1 12 Tf 72 600 Td (form) Tj ET");
    let form = pdf.add_stream(form.entries("/Type /XObject /Subtype /Form /BBox [0 0 999 999]"));
    let helvetica = fonts::standard(&mut pdf, "Helvetica");
    let page = Page::new("BT /F1 12 Tf 72 700 Td (text) Tj ET /X Do");
    pdf.page(page.font("F1", helvetica).resource("XObject", "X", form));
    let file = pdf.build();
    assert_eq!(failure(&first_page(file.clone())), None);
    for (key, damaged, cause) in [
        ("/Resources", "/Resourbes", "a form or an image is missing"),
        ("/Font <<", "/Fond <<", "a font, or part of it, is missing"),
        ("<< /F1", "<< /F9", "a font, or part of it, is missing"),
        (
            "/XObject <<",
            "/XObjekt <<",
            "a form or an image is missing",
        ),
        ("<< /X", "<< /Y", "a form or an image is missing"),
    ] {
        let at = memchr::memmem::find(&file, key.as_bytes()).expect(key);
        let mut file = file.clone();
        file[at..at + key.len()].copy_from_slice(damaged.as_bytes());
        assert_damaged(&first_page(file), cause);
    }
    // An object that is not a stream.
    let mut pdf = Pdf::new();
    let dict = pdf.add("<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] >>");
    pdf.page(Page::new("/X Do").resource("XObject", "X", dict));
    assert_damaged(&first_page(pdf.build()), "a form or an image is missing");
    // A font that shows nothing loses nothing.
    let mut pdf = Pdf::new();
    let page = Page::new("BT /F9 12 Tf /F1 12 Tf 72 700 Td (text) Tj ET");
    let helvetica = fonts::standard(&mut pdf, "Helvetica");
    pdf.page(page.font("F1", helvetica));
    assert_eq!(failure(&first_page(pdf.build())), None);
}

#[test]
fn forms_of_unknown_type_are_drawn() {
    for subtype in ["", "/Subtype /Fnrm"] {
        let mut pdf = Pdf::new();
        let form = Stream::new("BT /F1 12 Tf 72 600 Td (form) Tj ET");
        let form = pdf.add_stream(form.entries(&format!("{subtype} /BBox [0 0 999 999]")));
        pdf.page(Page::new("/X Do").resource("XObject", "X", form));
        assert_eq!(first_page(pdf.build()).text.trim(), "form", "{subtype}");
    }
}

#[test]
fn appearances_of_annotations_that_are_missing_or_damaged_are_reported() {
    let damaged = Stream::new("").encoded("FlateDecode", "null", vec![0x78, 0x9c, 6, 6, 6]);
    let damaged = damaged.entries("/Subtype /Form /BBox [0 0 100 20]");
    for (entries, cause) in [
        ("", None),
        ("/AP << >>", None),
        ("/AP << /N << >> >> /AS /On", None),
        ("/AP << /N << /Off 99 0 R >> >> /AS /On", None),
        ("/AP << /N 99 0 R >> /F 2", None),
        (
            "/AP 99 0 R",
            Some("the appearance of an annotation is missing"),
        ),
        (
            "/AP << /N 99 0 R >>",
            Some("the appearance of an annotation is missing"),
        ),
        (
            "/AP << /N << /On 99 0 R >> >> /AS /On",
            Some("the appearance of an annotation is missing"),
        ),
        ("/AP << /N FORM >>", Some("damaged deflate data")),
    ] {
        let mut pdf = Pdf::new();
        let form = pdf.add_stream(damaged.clone());
        let entries = entries.replace("FORM", &form.to_string());
        let annotation = pdf.annotation("Widget", "100 200 300 240", &entries);
        pdf.page(Page::of(Stream::new(content())).annotation(annotation));
        let page = first_page(pdf.build());
        match cause {
            Some(cause) => assert_damaged(&page, cause),
            None => assert_eq!(failure(&page), None, "{entries}"),
        }
    }
    for (entry, cause) in [
        ("/Annots 99 0 R", Some("the list of annotations is missing")),
        // Intact files refer to deleted annotations.
        ("/Annots [99 0 R]", None),
    ] {
        let mut pdf = Pdf::new();
        pdf.page(Page::of(Stream::new(content())).entries(entry));
        let page = first_page(pdf.build());
        match cause {
            Some(cause) => assert_damaged(&page, cause),
            None => assert_eq!(failure(&page), None, "{entry}"),
        }
    }
}

#[test]
fn fewer_pages_than_declared_are_an_error_of_the_document() {
    for (count, is_damaged) in [("2", false), ("1", false), ("-1", false), ("3", true)] {
        let mut pdf = Pdf::new();
        let pages = [content(), content()].map(|content| pdf.page(Page::new(content)));
        let [first, second] = pages;
        pdf.set(
            Ref(2),
            format!("<< /Type /Pages /Kids [{first} {second}] /Count {count} >>"),
        );
        let mut pages = 0;
        let result = read(pdf.build(), &Request::text(), &mut |part| {
            pages += u32::from(matches!(part, DocumentPart::Page(_)));
            ControlFlow::Continue(())
        });
        assert_eq!(pages, 2);
        let message = result.err().map(|failure| (failure.kind, failure.message));
        let expected = "the page tree declares 3 pages, and only 2 can be found".to_owned();
        assert_eq!(
            message,
            is_damaged.then_some((FailureKind::Damaged, expected))
        );
    }
}
