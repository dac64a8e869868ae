//! Embedded files.

use super::*;
use crate::isolation::read_in_thread;
use crate::model::{FailureKind, Limits, Outcome};
use crate::testing::{Ref, Stream};

fn read(file: &[u8], limits: Limits) -> Outcome {
    let request = Request {
        attachments: true,
        limits,
        ..Request::default()
    };
    read_in_thread(file, &request)
}

/// A file specification of an embedded stream.
fn embedded(pdf: &mut Pdf, name: &str, content: Stream) -> Ref {
    let content = pdf.add_stream(content);
    pdf.add(format!(
        "<< /Type /Filespec /F ({name}) /EF << /F {content} >> >>"
    ))
}

#[test]
fn files_of_the_document_and_of_pages_are_found() {
    let mut pdf = Pdf::new();
    let content = Stream::new("a,b\n1,2\n").flate().entries(
        "/Subtype /text#2Fcsv /Params << /CreationDate (D:19700101000001Z) /ModDate (D:19700101000002Z) >>",
    );
    let content = pdf.add_stream(content);
    let file = format!(
        "<< /UF (<feff>) /F (table.csv) /Desc (Numbers) /EF << /UF {content} /F {content} >> >>"
    );
    let file = pdf.add(file.replace("(<feff>)", "<feff00fc002e006300730076>"));
    let leaf = pdf.add(format!("<< /Names [(t) {file}] >>"));
    let unnamed = pdf.add_stream(Stream::new("plain"));
    let kids = pdf.add(format!("<< /Kids [{leaf}] >>"));
    pdf.catalog(&format!(
        "/Names << /EmbeddedFiles << /Kids [{kids}] /Names [(by its key) << /EF << /F {unnamed} >> >>] >> >> /AF [{file}]"
    ));
    let note = embedded(&mut pdf, "note.txt", Stream::new("of a page"));
    let icon = pdf.add(format!(
        "<< /Subtype /FileAttachment /FS {note} /Contents (see here) >>"
    ));
    pdf.page(Page::new(""));
    pdf.page(Page::new("").annotation(icon).annotation(icon));
    let outcome = read(&pdf.build(), Limits::default());
    assert_eq!(outcome.failure, None);
    let mut found = outcome.attachments;
    found.sort_by_key(|file| file.name.clone());
    let shown: Vec<_> = found
        .iter()
        .map(|file| {
            (
                file.name.as_deref().unwrap(),
                file.page,
                file.data.as_deref().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("by its key", None, b"plain".as_slice()),
            ("note.txt", Some(2), b"of a page"),
            ("ü.csv", None, b"a,b\n1,2\n"),
        ]
    );
    assert_eq!(found[1].description.as_deref(), Some("see here"));
    assert_eq!(found[2].description.as_deref(), Some("Numbers"));
    assert_eq!(found[2].media_type.as_deref(), Some("text/csv"));
    assert_eq!(
        (found[2].created, found[2].modified),
        (Some(1_000_000), Some(2_000_000))
    );
}

#[test]
fn files_outside_of_the_document_are_not_embedded() {
    let file = with(|pdf| {
        pdf.catalog(
            "/Names << /EmbeddedFiles << /Names [(a) (elsewhere.txt) (b) << /F (b.txt) >>] >> >>",
        );
    });
    assert_eq!(read(&file, Limits::default()).attachments, []);
}

#[test]
fn a_content_that_cannot_be_decoded_has_an_error() {
    let file = with(|pdf| {
        let lost = pdf.reserve();
        let damaged =
            pdf.add_stream(Stream::new("no deflate data").entries("/Filter /FlateDecode"));
        let sound = embedded(pdf, "sound.txt", Stream::new("sound").flate());
        pdf.catalog(&format!(
            "/AF [<< /F (lost.txt) /EF << /F {lost} >> >> << /F (damaged.txt) /EF << /F {damaged} >> >> {sound}]"
        ));
        pdf.set(lost, "null");
    });
    let found = read(&file, Limits::default()).attachments;
    let errors: Vec<_> = found
        .iter()
        .map(|file| file.error.as_deref().unwrap_or("none"))
        .collect();
    assert_eq!(errors[0], "the content of the attachment is missing");
    assert!(errors[1].starts_with("damaged: "), "{}", errors[1]);
    assert_eq!(errors[2], "none");
    assert_eq!((&found[0].data, &found[1].data), (&None, &None));
    assert_eq!(found[2].data.as_deref(), Some(b"sound".as_slice()));
}

#[test]
fn a_content_that_expands_beyond_the_limit_costs_itself() {
    let file = with(|pdf| {
        let large = embedded(pdf, "large.bin", Stream::new(vec![0; 1 << 20]).flate());
        let small = embedded(pdf, "small.txt", Stream::new("small").flate());
        pdf.catalog(&format!("/AF [{large} {small}]"));
    });
    let limits = Limits {
        decoded_bytes: 100_000,
        ..Limits::default()
    };
    let outcome = read(&file, limits);
    let [large, small] = outcome.attachments.as_slice() else {
        panic!("{outcome:?}");
    };
    assert_eq!(
        large.error.as_deref(),
        Some("limit: the attachments exceed the limit for decoded bytes")
    );
    assert_eq!(small.data.as_deref(), Some(b"small".as_slice()));
    assert_eq!(outcome.failure, None);
}

#[test]
fn files_that_share_their_content_are_all_returned() {
    let file = with(|pdf| {
        let content = pdf.add_stream(Stream::new("same"));
        let [a, b] = ["a.txt", "b.txt"]
            .map(|name| pdf.add(format!("<< /F ({name}) /EF << /F {content} >> >>")));
        pdf.catalog(&format!("/AF [{a} {b} {a}]"));
    });
    let found = read(&file, Limits::default()).attachments;
    let names: Vec<_> = found
        .iter()
        .filter_map(|file| file.name.as_deref())
        .collect();
    assert_eq!(names, ["a.txt", "b.txt"]);
}

#[test]
fn trees_of_names_may_run_in_circles() {
    let file = with(|pdf| {
        let file = embedded(pdf, "a.txt", Stream::new("a"));
        let node = pdf.reserve();
        pdf.set(
            node,
            format!("<< /Kids [{node} {node}] /Names [(a) {file} (b) {file}] >>"),
        );
        pdf.catalog(&format!("/Names << /EmbeddedFiles {node} >>"));
    });
    assert_eq!(read(&file, Limits::default()).attachments.len(), 1);
}

#[test]
fn many_files_stop_at_the_budget() {
    let mut pdf = Pdf::new();
    let content = pdf.add_stream(Stream::new(""));
    let file = pdf.add(format!("<< /EF << /F {content} >> >>"));
    let files = format!("{file} ").repeat(100_000);
    pdf.catalog(&format!("/AF [{files}]"));
    let list = pdf.add(format!("[{files}]"));
    for _ in 0..30 {
        pdf.page(Page::new("").entries(&format!("/AF {list}")));
    }
    let outcome = read(&pdf.build(), Limits::default());
    assert_eq!(outcome.attachments.len(), 1);
    if let Some(failure) = outcome.failure {
        assert_eq!(failure.kind, FailureKind::Limit, "{failure}");
    }
}
