//! Tests with mistakes in cross-reference tables and objects that other readers ignore.

use std::ops::ControlFlow;

use memchr::memmem;

use crate::engine::read;
use crate::model::{DocumentPart, Request};
use crate::testing::{Page, Pdf, Stream, lines};

/// The texts of the pages, and the messages of all failures.
fn outcome(file: Vec<u8>) -> (Vec<String>, Vec<String>) {
    let (mut texts, mut failures) = (Vec::new(), Vec::new());
    let result = read(file, &Request::text(), &mut |part| {
        if let DocumentPart::Page(page) = part {
            failures.extend(page.failure.map(|failure| failure.message));
            texts.push(page.text.trim().to_owned());
        }
        ControlFlow::Continue(())
    });
    failures.extend(result.err().map(|failure| failure.message));
    (texts, failures)
}

#[track_caller]
fn assert_read(file: Vec<u8>, case: &str) {
    let (texts, failures) = outcome(file);
    assert_eq!(
        (texts, failures),
        (vec!["one".to_owned(), "two".to_owned()], vec![]),
        "{case}"
    );
}

/// Objects: 1 catalog, 2 page tree, 3 page, 4 font, 5 content, 6 page, 7 font, 8 content.
fn sound() -> Vec<u8> {
    let mut pdf = Pdf::new();
    for text in ["one", "two"] {
        pdf.page(Page::of(Stream::new(lines(&[text])).flate()));
    }
    pdf.build()
}

const OBJECTS: std::ops::RangeInclusive<usize> = 1..=8;

/// Changes the entry of an object in the table.
fn with_entry(number: usize, change: impl Fn(&str) -> String) -> Vec<u8> {
    let mut file = sound();
    let table = memmem::rfind(&file, b"\nxref\n").unwrap() + 1;
    let start = table + "xref\n0 9\n".len() + 20 * number;
    let entry = String::from_utf8(file[start..start + 20].to_vec()).unwrap();
    let changed = change(&entry);
    assert_eq!(changed.len(), 20);
    file.splice(start..start + 20, changed.into_bytes());
    file
}

fn replaced(file: &[u8], from: &str, to: &str) -> Vec<u8> {
    let at = memmem::find(file, from.as_bytes()).unwrap();
    let mut file = file.to_vec();
    file.splice(at..at + from.len(), to.bytes());
    file
}

#[test]
fn the_sample_is_sound() {
    assert_read(sound(), "unchanged");
}

#[test]
fn generations_that_differ_do_not_matter() {
    for number in OBJECTS {
        assert_read(
            with_entry(number, |entry| entry.replace(" 00000 n", " 00005 n")),
            "in the table",
        );
        let head = format!("{number} 0 obj");
        assert_read(
            replaced(&sound(), &head, &format!("{number} 5 obj")),
            "in the object",
        );
        let both = with_entry(number, |entry| entry.replace(" 00000 n", " 00005 n"));
        assert_read(
            replaced(&both, &head, &format!("{number} 5 obj")),
            "in both",
        );
    }
    for reference in [
        "/Contents 5 0 R",
        "/Kids [3 0 R",
        "/F1 4 0 R",
        "/Pages 2 0 R",
    ] {
        let other = reference.replace(" 0 R", " 7 R");
        assert_read(replaced(&sound(), reference, &other), &other);
    }
}

#[test]
fn missing_ends_of_streams_do_not_matter() {
    for has_object_streams in [false, true] {
        let mut pdf = Pdf::new();
        for text in ["one", "two"] {
            pdf.page(Page::of(Stream::new(lines(&[text])).flate()));
        }
        if has_object_streams {
            pdf.object_streams();
        }
        let mut file = pdf.build();
        let ends: Vec<usize> = memmem::find_iter(&file, b"endstream").collect();
        assert!(ends.len() >= 2);
        for at in ends {
            file[at..at + 9].fill(b' ');
        }
        assert_read(
            file,
            if has_object_streams {
                "object streams"
            } else {
                "streams"
            },
        );
    }
}

#[test]
fn widths_with_another_generation_are_found() {
    let wide = |table_change: fn(&str) -> String| {
        let mut pdf = Pdf::new();
        let widths = pdf.add(format!("[{}]", "600 ".repeat(95)));
        let font = pdf.add(format!(
            "<< /Type /Font /Subtype /TrueType /BaseFont /Courier /FirstChar 32 /LastChar 126 \
             /Widths {widths} >>"
        ));
        let content = "BT /F1 12 Tf 72 720 Td (Hello all) Tj ET";
        pdf.page(Page::new(content).font("F1", font));
        let mut file = pdf.build();
        let table = memmem::rfind(&file, b"\nxref\n").unwrap();
        let head = memmem::find(
            &file,
            format!("\n{} obj", &widths.to_string()[..3]).as_bytes(),
        );
        let row = format!("{:010} 00000 n", head.unwrap() + 1);
        let at = table + memmem::find(&file[table..], row.as_bytes()).unwrap();
        file.splice(at..at + row.len(), table_change(&row).into_bytes());
        outcome(file)
    };
    let expected = (vec!["Hello all".to_owned()], vec![]);
    assert_eq!(wide(str::to_owned), expected);
    assert_eq!(wide(|row| row.replace(" 00000 ", " 00005 ")), expected);
    assert_eq!(wide(|row| row.replace(" n", " f")), expected);
}

#[test]
fn free_entries_that_are_used_do_not_matter() {
    for number in OBJECTS {
        let file = with_entry(number, |entry| entry.replace(" n", " f"));
        assert_read(file, &number.to_string());
        let file = with_entry(number, |_| "0000000000 65535 f \n".to_owned());
        assert_read(file, &number.to_string());
    }
}

#[test]
fn wrong_offsets_do_not_matter() {
    for number in OBJECTS {
        for off in [-7, -1, 1, 2, 5, 90] {
            let moved = |entry: &str| {
                let offset: i64 = entry[..10].parse().unwrap();
                format!("{:010}{}", offset + off, &entry[10..])
            };
            assert_read(with_entry(number, moved), &format!("{number}: {off}"));
        }
        let file = sound();
        for other in OBJECTS.filter(|other| *other != number) {
            let at = memmem::find(&file, format!("\n{other} 0 obj").as_bytes()).unwrap() + 1;
            let moved = |entry: &str| format!("{at:010}{}", &entry[10..]);
            assert_read(with_entry(number, moved), &format!("{number} at {other}"));
        }
    }
    // The first number of the table is wrong.
    for first in ["xref\n1 9\n", "xref\n5 9\n"] {
        assert_read(replaced(&sound(), "xref\n0 9\n", first), first);
    }
}

#[test]
fn mistakes_in_streams_and_objects_do_not_matter() {
    let file = sound();
    let at = memmem::find(&file, b"5 0 obj").unwrap();
    let (start, end) = file.split_at(at);
    let edited = |from: &str, to: &str| [start, &replaced(end, from, to)[..]].concat();
    assert_read(edited("endobj\n", ""), "no endobj");
    assert_read(edited("\nendstream", ""), "no endstream");
    assert_read(edited("/Length ", "/Length 1"), "too long");
    assert_read(edited("/Length ", "/Lenght "), "no length");
    for kind in [
        "/Type /Page ",
        "/Type /Pages ",
        "/Type /Catalog ",
        "/Type /Font ",
    ] {
        assert_read(replaced(&file, kind, ""), kind);
        assert_read(replaced(&file, kind, "/Type /Odd "), kind);
    }
}

#[test]
fn objects_of_object_streams_have_any_generation() {
    let mut pdf = Pdf::new();
    for text in ["one", "two"] {
        pdf.page(Page::of(Stream::new(lines(&[text]))).entries("/Odd 4 3 R"));
    }
    pdf.object_streams();
    assert_read(pdf.build(), "unchanged");
    let mut pdf = Pdf::new();
    let font = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
    let content = pdf.add_stream(Stream::new(lines(&["two"])));
    pdf.page(Page::new(lines(&["one"])));
    let page = pdf.add(format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {content} \
         /Resources << /Font << /F1 {} 4 R >> >> >>",
        font.0
    ));
    pdf.set(
        crate::testing::PAGES,
        format!("<< /Type /Pages /Kids [5 0 R {} 2 R] /Count 2 >>", page.0),
    );
    pdf.object_streams();
    assert_read(pdf.build(), "other generations");
}

#[test]
fn shared_resources_are_found_or_reported() {
    // With another font, the text is "abc".
    let file = |in_page: bool| {
        let mut pdf = Pdf::new();
        let font = pdf.add(
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica \
             /Encoding << /Differences [97 /o /n /e] >> >>",
        );
        let content = pdf.add_stream(Stream::new(lines(&["abc"])));
        let fonts = pdf.add(format!("<< /F1 {font} >>"));
        let resources = pdf.add(format!("<< /Font {fonts} >>"));
        let entry = format!("/Resources {resources}");
        let (of_page, of_tree) = if in_page {
            (entry.as_str(), "")
        } else {
            ("", entry.as_str())
        };
        let page = pdf.add(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {content} {of_page} >>"
        ));
        pdf.set(
            crate::testing::PAGES,
            format!("<< /Type /Pages /Kids [{page}] /Count 1 {of_tree} >>"),
        );
        (pdf.build(), [entry, format!("/Font {fonts}")])
    };
    let expected = (vec!["one".to_owned()], vec![]);
    for in_page in [true, false] {
        let (file, references) = file(in_page);
        assert_eq!(outcome(file.clone()), expected);
        for reference in references {
            let other = reference.replace(" 0 R", " 7 R");
            let found = outcome(replaced(&file, &reference, &other));
            assert_eq!(found, expected, "{other}");
            let dangling = reference.replace(" 0 R", "9 0 R");
            let (texts, failures) = outcome(replaced(&file, &reference, &dangling));
            assert_eq!(texts.len(), 1, "{dangling}");
            assert_eq!(failures.len(), 1, "{dangling}");
        }
    }
}

#[test]
fn object_streams_with_a_flipped_bit_are_corrected_or_reported() {
    let mut pdf = Pdf::new();
    for text in ["one", "two"] {
        pdf.page(Page::new(lines(&[text])));
    }
    pdf.object_streams();
    let sound = pdf.build();
    let after = |from: usize, word: &str| {
        from + memmem::find(&sound[from..], word.as_bytes()).unwrap() + word.len()
    };
    let start = after(after(0, "/ObjStm"), "stream\n");
    let end = after(start, "\nendstream") - "\nendstream".len();
    let mut wrong = Vec::new();
    for bit in (start * 8..end * 8).step_by(5) {
        let mut file = sound.clone();
        file[bit / 8] ^= 1 << (bit % 8);
        let (texts, failures) = outcome(file);
        if texts != ["one", "two"] && failures.is_empty() {
            wrong.push((bit - start * 8, texts));
        }
    }
    assert_eq!(wrong, []);
}
