//! Tests of page trees, intact and damaged.

use std::ops::ControlFlow;

use super::Pages;
use crate::engine::read;
use crate::model::{DocumentPart, Failure, FailureKind, Options, Page as ReadPage, Request};
use crate::testing::{PAGES, Page, Pdf, Ref, lines};

/// The text or failure of each page, and the result of reading the file.
fn texts(file: Vec<u8>) -> (Vec<String>, Result<(), Failure>) {
    let request = Request {
        text: true,
        options: Options::default(),
        ..Request::default()
    };
    let mut pages = Vec::new();
    let mut count = 0;
    let result = read(file, &request, &mut |part| {
        match part {
            DocumentPart::Opened(info) => count = info.page_count,
            DocumentPart::Attachment(_) => {}
            DocumentPart::Page(page) => pages.push(shown(&page)),
        }
        ControlFlow::Continue(())
    });
    assert_eq!(count as usize, pages.len());
    (pages, result)
}

fn shown(page: &ReadPage) -> String {
    match &page.failure {
        Some(failure) => format!("{:?} {:?}", failure.kind, failure.page),
        None => page.text.trim().to_owned(),
    }
}

fn page(pdf: &mut Pdf, text: &str) -> Ref {
    pdf.page(Page::new(lines(&[text])))
}

/// A file of three pages and a tree that is made of them.
fn with_tree(make: impl FnOnce(&mut Pdf, [Ref; 3]) -> String) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let pages = ["one", "two", "three"].map(|text| page(&mut pdf, text));
    let tree = make(&mut pdf, pages);
    pdf.set(PAGES, tree);
    pdf.build()
}

fn sound(file: Vec<u8>) -> Vec<String> {
    let (texts, result) = texts(file);
    assert_eq!(result, Ok(()));
    texts
}

#[test]
fn pages_that_are_listed_again_count_again() {
    let file = with_tree(|_, [one, two, three]| {
        format!("<< /Type /Pages /Kids [{one} {two} {one} {three}] /Count 4 >>")
    });
    assert_eq!(sound(file), ["one", "two", "one", "three"]);
}

#[test]
fn branches_that_are_listed_again_count_again() {
    let file = with_tree(|pdf, [one, two, three]| {
        let branch = pdf.add(format!(
            "<< /Type /Pages /Kids [{one} {two}] /Count 2 /Parent {PAGES} >>"
        ));
        format!("<< /Type /Pages /Kids [{branch} {three} {branch}] /Count 5 >>")
    });
    assert_eq!(sound(file), ["one", "two", "three", "one", "two"]);
}

#[test]
fn cycles_and_shared_branches_end() {
    let file = with_tree(|pdf, [one, two, _]| {
        let inner = pdf.reserve();
        pdf.set(
            inner,
            format!("<< /Type /Pages /Kids [{PAGES} {two} {inner}] /Count 1 >>"),
        );
        format!("<< /Type /Pages /Kids [{one} {inner} {PAGES}] /Count 2 >>")
    });
    assert_eq!(sound(file), ["one", "two"]);
    // 2^60 pages, and as many nodes without any.
    for leaf in ["/Kids []", "/Kids [3 0 R]"] {
        let file = with_tree(|pdf, _| {
            let first = pdf.add(format!("<< /Type /Pages {leaf} /Count 1 >>"));
            let below = (0..60).fold(first, |below, _| {
                pdf.add(format!(
                    "<< /Type /Pages /Kids [{below} {below}] /Count 9 >>"
                ))
            });
            format!("<< /Type /Pages /Kids [3 0 R {below}] /Count 9 >>")
        });
        let pdf = hayro_syntax::Pdf::new(file).unwrap();
        let pages = Pages::of(&pdf);
        assert!(pages.is_cut());
        assert!((1..200_000).contains(&pages.count()), "{}", pages.count());
    }
}

#[test]
fn attributes_are_inherited() {
    let file = with_tree(|pdf, _| {
        let bare = pdf.add("<< /Type /Page >>");
        let own = pdf.add("<< /Type /Page /Rotate 180 /MediaBox [0 0 10 20] >>");
        let untyped = pdf.add(format!("<< /Kids [{bare} {own}] /Count 2 /Rotate 90 >>"));
        format!("<< /Type /Pages /Kids [{untyped}] /Count 2 /MediaBox [0 0 300 400] >>")
    });
    let pdf = hayro_syntax::Pdf::new(file).unwrap();
    let pages = Pages::of(&pdf);
    let facts: Vec<_> = pages
        .numbered()
        .map(|(number, page)| (number, page.media_box().width(), page.rotation() as u8))
        .collect();
    assert_eq!(facts, [(1, 300.0, 1), (2, 10.0, 2)]);
}

#[test]
fn a_page_that_cannot_be_parsed_keeps_its_number() {
    for damaged in [
        "<< /Type /Page /Contents [",
        "<< /Type /Page /Rotate",
        "(no page)",
    ] {
        let file = with_tree(|pdf, [one, _, three]| {
            let damaged = pdf.add(damaged);
            format!("<< /Type /Pages /Kids [{one} {damaged} {three}] /Count 3 >>")
        });
        assert_eq!(
            sound(file),
            ["one", "Invalid Some(2)", "three"],
            "{damaged}"
        );
    }
}

#[test]
fn dangling_references_are_pages_only_if_counted() {
    let tree = |count: usize| {
        with_tree(|_, [one, two, _]| {
            format!("<< /Type /Pages /Kids [{one} 999 0 R null {two}] /Count {count} >>")
        })
    };
    assert_eq!(sound(tree(2)), ["one", "two"]);
    assert_eq!(sound(tree(3)), ["one", "Invalid Some(2)", "two"]);
}

#[test]
fn a_document_without_pages_is_an_error() {
    let empty = with_tree(|pdf, pages| {
        for page in pages {
            pdf.set(page, "null");
        }
        "<< /Type /Pages /Kids [] /Count 0 >>".to_owned()
    });
    let (texts, result) = texts(empty);
    assert_eq!(texts, [""; 0]);
    assert_eq!(result.unwrap_err().kind, FailureKind::Invalid);
}

#[test]
fn pages_without_a_tree_are_found() {
    let file = with_tree(|pdf, _| {
        pdf.add("<< /Type /Annot /Subtype /Text /Contents (a note) >>");
        "<< /Type /Pages /Kids [] /Count 0 >>".to_owned()
    });
    assert_eq!(sound(file), ["one", "two", "three"]);
}

const ODD_TOKENS: [&str; 9] = ["1e5", "nan", "-nan", "1.2.3", "12abc", "tru", "}", "+", ""];

#[test]
fn an_odd_token_does_not_lose_a_page() {
    for token in ODD_TOKENS {
        for object_streams in [false, true] {
            let mut pdf = Pdf::new();
            pdf.page(Page::new(lines(&["one"])));
            pdf.page(
                Page::new(lines(&["two"])).entries(&format!("/X [{token}] /UserUnit {token}")),
            );
            pdf.page(Page::new(lines(&["three"])));
            if object_streams {
                pdf.object_streams();
            }
            assert_eq!(sound(pdf.build()), ["one", "two", "three"], "{token}");
        }
        let mut single = Pdf::new();
        single.page(Page::new(lines(&["alone"])).entries(&format!("/UserUnit {token}")));
        assert_eq!(sound(single.build()), ["alone"], "{token}");
    }
}

#[test]
fn numbers_with_exponents_that_do_not_fit_are_as_large_as_possible() {
    let mut pdf = Pdf::new();
    pdf.page(Page::new(lines(&["one"])).media_box("0 0 1e4 1e4"));
    assert_eq!(sound(pdf.build()), ["one"]);
}

#[test]
fn an_odd_token_loses_neither_a_font_nor_the_metadata() {
    for token in ODD_TOKENS {
        for object_streams in [false, true] {
            let mut pdf = Pdf::new();
            let encoding = pdf.add(format!("<< /Differences [65 /s /q /l] /X {token} >>"));
            let font = pdf.add(format!(
                "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding {encoding} /X {token} >>"
            ));
            let page = pdf.page(Page::new("BT /F1 12 Tf 72 720 Td (ABC) Tj ET").font("F1", font));
            pdf.set(
                PAGES,
                format!("<< /Type /Pages /Kids [{page}] /Count 1 /X {token} >>"),
            );
            pdf.catalog(&format!("/X {token}"));
            pdf.info("Title", "A title");
            pdf.info_entry(&format!("/X {token}"));
            if object_streams {
                pdf.object_streams();
            } else if !token.is_empty() {
                // Another key follows, which would become its value.
                pdf.trailer(&format!("/X {token}"));
            }
            let file = pdf.build();
            assert_eq!(sound(file.clone()), ["sql"], "{token} {object_streams}");
            let mut title = None;
            let result = read(file, &Request::default(), &mut |part| {
                if let DocumentPart::Opened(info) = part {
                    title = info.title;
                }
                ControlFlow::Continue(())
            });
            assert_eq!(result, Ok(()));
            assert_eq!(
                title.as_deref(),
                Some("A title"),
                "{token} {object_streams}"
            );
        }
    }
}

#[test]
fn an_odd_token_does_not_lose_a_descendant_font() {
    for token in ODD_TOKENS {
        let mut pdf = Pdf::new();
        let descendant = pdf.add(format!(
            "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /A /CIDSystemInfo \
             << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /X {token} >>"
        ));
        let font = pdf.add(format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H \
             /DescendantFonts [{descendant}] >>"
        ));
        let content = "BT /F1 12 Tf 72 720 Td <002200230024> Tj ET";
        pdf.page(Page::new(content).font("F1", font));
        pdf.object_streams();
        assert_eq!(sound(pdf.build()), ["ABC"], "{token}");
    }
}

#[test]
fn odd_tokens_in_encrypted_object_streams_do_not_lose_a_page() {
    use crate::testing::{Cipher, Encryption};
    for cipher in [Cipher::Rc4With128Bits, Cipher::Aes128, Cipher::Aes256] {
        let mut pdf = Pdf::new();
        pdf.page(Page::new(lines(&["one"])).entries("/UserUnit nan"));
        pdf.page(Page::new(lines(&["two"])));
        pdf.info("Title", "A title");
        pdf.object_streams();
        pdf.encrypt(Encryption {
            cipher,
            user: "",
            owner: "owner",
        });
        assert_eq!(sound(pdf.build()), ["one", "two"], "{cipher:?}");
    }
}
