//! Cells keep their columns, in both engines.

use super::assert_documents_of_both;
use crate::extract::{Document, Keep, Kind, Paragraphs};
use crate::{Engine, Options};
use corpus_bytes::step_counter::assert_linear;

#[test]
fn empty_cells_keep_the_columns() {
    assert_documents_of_both(&[
        ("<table><tr><td>a<td><td>c</table>", "a\t\tc"),
        (
            "<table><tr><td>a<td>b<td>c<tr><td><td>e<td>f<tr><td>g<td> &nbsp; <td>i</table>",
            "a\tb\tc\n\te\tf\ng\t\ti",
        ),
        // The head often has no word in its corner.
        (
            "<table><tr><th><th>x<th>y<tr><th>a<td>1<td>2</table>",
            "\tx\ty\na\t1\t2",
        ),
        // At the end of a row they shift nothing, and empty rows say nothing.
        (
            "<table><tr><td>a<td>b<td><td><tr><td><td><tr><td>c</table>",
            "a\tb\nc",
        ),
        (
            "<table><tr><td>a<td><img src=x><td>c<tr><td>日本<td><td>語</table>",
            "a\t\tc\n日本\t\t語",
        ),
    ]);
}

#[test]
fn spans_count_as_empty_cells() {
    assert_documents_of_both(&[
        (
            "<table><tr><th colspan=2>a<th>b<tr><td>1<td>2<td>3</table>",
            "a\t\tb\n1\t2\t3",
        ),
        (
            "<table><tr><td rowspan=2>a<td>b<tr><td>c<tr><td>d<td>e</table>",
            "a\tb\n\tc\nd\te",
        ),
        (
            "<table><tr><td>a<td rowspan=2 colspan=2>b<td>c<tr><td>d<td>e</table>",
            "a\tb\t\tc\nd\t\t\te",
        ),
        (
            "<table><tbody><tr><td rowspan=0>a<td>b<tr><td>c<tbody><tr><td>d<td>e</table>",
            "a\tb\n\tc\nd\te",
        ),
        (
            "<table><tr><td colspan=0>a<td colspan=x>b<td>c</table>",
            "a\tb\tc",
        ),
        // A removed cell has no column, an invisible one has.
        (
            "<table><tr><td>a<td hidden>h<td>b<td style=visibility:hidden>h<td>c</table>",
            "a\tb\t\tc",
        ),
    ]);
}

#[test]
fn lines_inside_a_cell_stay_in_its_column() {
    assert_documents_of_both(&[
        ("<table><tr><td>a<td>b<br>c<td>d</table>", "a\tb\n\tc\td"),
        ("<table><tr><td>a<br>b<td>c</table>", "a\nb\tc"),
    ]);
}

#[test]
fn tables_with_one_column_of_text_have_no_tabs() {
    assert_documents_of_both(&[
        ("<table><tr><td><td>a<td><tr><td><td>b</table>", "a\nb"),
        (
            "<table><tr><td width=9><td>a<br>b<td width=9></table>",
            "a\nb",
        ),
        // Once a row has two, the rows above have their columns, too.
        (
            "<p>x<table><tr><td><td>a<tr><td><td><td>é<tr><td>c<td>d</table>y",
            "x\n\n\ta\n\t\té\nc\td\n\ny",
        ),
    ]);
}

#[test]
fn tables_for_the_layout_have_no_empty_cells() {
    assert_documents_of_both(&[
        (
            "<table><tr><td>m<td><td><p>a</p><p>b</p><td><td>c<tr><td><td>d<td><td>e</table>",
            "m\n\na\n\nb\n\nc\nd\te",
        ),
        (
            "<table><tr><td><td><table><tr><td>a<td><td>b</table><td><td>c<td><td>d</table>",
            "a\t\tb\n\nc\td",
        ),
        (
            "<table><tr><td>a<td><td>b<tr><td><td><td>c<br><br>d</table>",
            "a\t\tb\n\nc\n\nd",
        ),
    ]);
}

#[test]
fn captions_are_outside_the_columns() {
    assert_documents_of_both(&[(
        "<table><caption>t<tr><td><td>a<td>b<tr><td>c</table>",
        "t\n\n\ta\tb\nc",
    )]);
}

#[test]
fn paragraphs_and_links_follow_inserted_tabs() {
    let page =
        "<p>x<table><tr><td><td><a href=/>é</a><tr><td>b<td><sup>1</sup>c<td><p>d<p>e</table>";
    for engine in [Engine::Native, Engine::Html5ever] {
        let extract = engine
            .read(page, &Options::default(), Paragraphs::default)
            .finish();
        let paragraphs: Vec<_> = extract
            .paragraphs()
            .map(|p| (p.text, p.kind, p.link_characters))
            .collect();
        assert_eq!(
            paragraphs,
            [
                ("x", Kind::Text, 0),
                ("\té\nb\t¹c", Kind::Table, 1),
                ("d", Kind::Text, 0),
                ("e", Kind::Text, 0)
            ]
        );
    }
}

#[test]
fn markers_are_written_in_their_column() {
    let keep = Keep {
        bullets: true,
        ..Keep::default()
    };
    let page = "<table><tr><td>a<td><td><ul><li>b</ul></table>";
    let read = |flow: Document| flow;
    let text = keep.read(Engine::Native, page, &Options::default(), read);
    assert_eq!(text.finish(), "a\n\n• b");
}

#[test]
fn spans_take_bounded_work_and_memory() {
    for (begin, part) in [
        ("<table><tr><td>a<td>b", "<td colspan=1000>c"),
        (
            "<table><tr><td rowspan=65534 colspan=1000>a<td>b",
            "<tr><td>c",
        ),
        ("<table><tr>", "<td rowspan=0 colspan=1000>"),
        ("<table>", "<tr><td><td>a"),
    ] {
        let page = |parts: usize| begin.to_owned() + &part.repeat(parts);
        assert_linear(part, page, |page| {
            let text = Engine::Native.read(page, &Options::default(), Document::default);
            assert!(text.finish().len() < (1 << 19), "{part}");
        });
    }
}
