//! Annotations, and the words under them.

use super::*;
use crate::isolation::read_in_thread;
use crate::model::Annotation;
use crate::testing::Ref;

/// The annotations of the first page of a file.
fn of_file(file: &[u8]) -> Vec<Annotation> {
    let request = Request {
        annotations: true,
        ..Request::default()
    };
    read_in_thread(file, &request).pages.remove(0).annotations
}

/// The annotations of a page with this content.
fn of_page(content: &str, annotations: &[&str]) -> Vec<Annotation> {
    let mut pdf = Pdf::new();
    let places: Vec<Ref> = annotations
        .iter()
        .map(|annotation| pdf.add(format!("<< {annotation} >>")))
        .collect();
    pdf.page(
        places
            .into_iter()
            .fold(Page::new(content), Page::annotation),
    );
    of_file(&pdf.build())
}

const LINES: &str =
    "BT /F1 10 Tf 72 700 Td (The river rose again) Tj 0 -20 Td (and then it fell) Tj ET";

fn marked(rest: &str) -> Option<String> {
    of_page(LINES, &[&format!("/Subtype /Highlight {rest}")])
        .remove(0)
        .marked
}

#[test]
fn notes_have_their_texts_and_dates() {
    let found = of_page(
        "",
        &[
            "/Subtype /Text /Rect [10 772 30 792] /Contents (Why?) /T (Ada) /Subj (Rivers) \
             /CreationDate (D:20231115080000Z) /M (D:20231115090000Z)",
            "/Subtype /Link /Rect [0 0 9 9]",
            "/Subtype /Popup /Rect [0 0 9 9] /Contents (Why?)",
            "/Subtype /FreeText /RC (<body><p>Two <b>bold</b> words</p><p>a &amp; b</p></body>)",
            "/Subtype /Widget /Rect [0 0 9 9]",
            "/Rect [0 0 9 9]",
        ],
    );
    let texts: Vec<_> = found
        .iter()
        .map(|one| (one.kind.as_str(), one.contents.as_deref()))
        .collect();
    assert_eq!(
        texts,
        [
            ("Text", Some("Why?")),
            ("FreeText", Some("Two bold words\na & b"))
        ]
    );
    assert_eq!(found[0].author.as_deref(), Some("Ada"));
    assert_eq!(found[0].subject.as_deref(), Some("Rivers"));
    assert_eq!(found[0].bbox, Some(rect(10.0, 0.0, 30.0, 20.0)));
    let hour = 3_600_000_000;
    assert_eq!(found[0].modified.unwrap() - found[0].created.unwrap(), hour);
    assert_eq!((found[1].bbox, found[1].marked.as_deref()), (None, None));
}

#[test]
fn highlights_have_the_words_under_them() {
    let line = "/QuadPoints [72 710 200 710 72 698 200 698]";
    assert_eq!(marked(line).as_deref(), Some("The river rose again"));
    // "The" is 16.7 points wide, and "river" follows after a space of 2.8.
    let word = "/QuadPoints [91 710 113 710 91 698 113 698]";
    assert_eq!(marked(word).as_deref(), Some("river"));
    let both = "/QuadPoints [72 690 200 690 72 678 200 678 72 710 200 710 72 698 200 698]";
    let text = "The river rose again and then it fell";
    assert_eq!(marked(both).as_deref(), Some(text), "in reading order");
    let twice = "/QuadPoints [91 710 113 710 91 698 113 698 91 710 113 710 91 698 113 698]";
    assert_eq!(
        marked(twice).as_deref(),
        Some("river"),
        "overlaps count once"
    );
    assert_eq!(
        marked("/Rect [72 698 200 710]").as_deref(),
        Some("The river rose again")
    );
    assert_eq!(marked("/Rect [300 300 310 310]"), None);
    assert_eq!(marked("/QuadPoints [(x)]"), None);
}

#[test]
fn replies_may_run_in_circles() {
    let mut pdf = Pdf::new();
    let places: Vec<Ref> = (0..3).map(|_| pdf.reserve()).collect();
    for (at, answered) in [(0, 1), (1, 0), (2, 2)] {
        let body = format!(
            "<< /Subtype /Text /Contents (a) /IRT {} >>",
            places[answered]
        );
        pdf.set(places[at], body);
    }
    pdf.page(places.into_iter().fold(Page::new(""), Page::annotation));
    let replies: Vec<_> = of_file(&pdf.build())
        .iter()
        .map(|one| one.reply_to)
        .collect();
    assert_eq!(replies, [Some(1), Some(0), None]);
}

#[test]
fn areas_without_end_stop_at_the_budget() {
    let quad = "72 710 200 710 72 698 200 698 ".repeat(1_000);
    let words = "(a b c d e f g h i j k l m n o p q r s t u v w x y z) Tj ".repeat(200);
    let content = format!("BT /F1 10 Tf 72 700 Td {words} ET");
    let mut pdf = Pdf::new();
    let marks = pdf.add(format!("<< /Subtype /Highlight /QuadPoints [{quad}] >>"));
    let page = (0..100).fold(Page::new(content), |page, _| page.annotation(marks));
    pdf.page(page);
    let request = Request {
        annotations: true,
        ..Request::default()
    };
    let outcome = read_in_thread(&pdf.build(), &request);
    let message = outcome.failure.unwrap().to_string();
    assert!(message.contains("annotations"), "{message}");
    assert!(outcome.pages[0].annotations.len() > 10);
}
