//! Paragraphs of the default mode, on small pages.

use super::listen;
use crate::events::{Attributes, Element, Events};
use crate::extract::flow::Document;
use crate::extract::paragraphs::Paragraphs;
use crate::extract::uzushio_paragraphs::UzushioParagraphs;
use corpus_markup::Name;

/// Each paragraph as `path | kind | text`.
#[track_caller]
fn assert_paragraphs(page: &str, expected: &[&str]) {
    let extract = listen(page, Paragraphs::default).finish();
    let document = listen(page, Document::default).finish();
    assert_eq!(extract.document, document, "{page}");
    let paragraphs = extract.paragraphs();
    let found: Vec<_> = paragraphs
        .map(|p| format!("{} | {} | {}", p.path, p.kind.name(), p.text))
        .collect();
    assert_eq!(found, expected, "{page}");
}

#[test]
fn paths_name_the_block_that_holds_the_text() {
    assert_paragraphs(
        "<body class=x><div class='container  wide' id=main><p id='a b'>t<b class=c>u</b></p>v</div>",
        &[
            "body.x>div.container.wide#main>p#a_b | text | tu",
            "body.x>div.container.wide#main | text | v",
        ],
    );
    assert_paragraphs("<a href=x><div>t</div></a>", &["body>a>div | text | t"]);
    assert_paragraphs("<x-tab>t</x-tab>", &["body | text | t"]);
    assert_paragraphs("<div><i hidden><p>h</p></i>t", &["body>div | text | t"]);
}

#[test]
fn lists_and_tables_are_named_as_a_whole() {
    assert_paragraphs(
        "<ul id=u><li>a<li><p>b</ul><ul><li id=only>c</ul>",
        &["body>ul#u | list | a\nb", "body>ul>li#only | list | c"],
    );
    assert_paragraphs(
        "<table><caption>t</caption><tr><td>a<td>b<tr><td>c</table><table><tr id=r><td>d<td>e</table>",
        &[
            "body>table>caption | caption | t",
            "body>table>tbody | table | a\tb\nc",
            "body>table>tbody>tr#r | table | d\te",
        ],
    );
    assert_paragraphs("<dl><dt>a<dd>b</dl>", &["body>dl | list | a\nb"]);
}

#[test]
fn the_innermost_element_with_a_kind_determines_it() {
    assert_paragraphs(
        "<h1>a</h1><h6><span>b</span></h6><blockquote><p>c</p></blockquote><pre> d</pre>\
         <figure><figcaption>e</figcaption></figure><p>f",
        &[
            "body>h1 | h1 | a",
            "body>h6 | h6 | b",
            "body>blockquote>p | quote | c",
            "body>pre | pre |  d",
            "body>figure>figcaption | caption | e",
            "body>p | text | f",
        ],
    );
}

#[test]
fn cells_with_several_blocks_are_not_a_table() {
    assert_paragraphs(
        "<table><tr><td id=m>m<td id=c><p>a</p><p>b</p></table>",
        &[
            "body>table>tbody>tr>td#m | table | m",
            "body>table>tbody>tr>td#c>p | text | a",
            "body>table>tbody>tr>td#c>p | text | b",
        ],
    );
    assert_paragraphs(
        "<table><tr><td>日<br><br>本</table>",
        &[
            "body>table>tbody>tr>td | text | 日",
            "body>table>tbody>tr>td | text | 本",
        ],
    );
    assert_paragraphs(
        "<ul><li>a<li><p>b</p><p>c</p></ul>",
        &[
            "body>ul>li | list | a",
            "body>ul>li>p | list | b",
            "body>ul>li>p | list | c",
        ],
    );
}

#[test]
fn characters_are_counted_in_all_and_in_links() {
    for (page, expected) in [
        ("<p>日本語 <a href=x>リンク</a>。", &[(8, 3)][..]),
        ("<p>a <a>b  c</a> d", &[(7, 3)]),
        ("<p>a<a> </a>b", &[(3, 0)]),
        ("<p><a>a\u{3000}</a><p>b", &[(1, 1), (1, 0)]),
        ("<a><p>a<p>b</a>c", &[(1, 1), (2, 1)]),
        (
            "<table><tr><td><a>a</a><td><a>bb</a><p>c<p>d</table>",
            &[(1, 1), (2, 2), (1, 0), (1, 0)],
        ),
        ("<p>𠮟<a><b>𠮟</b>é</a>", &[(3, 2)]),
        ("<pre><a> a\n\n b</a></pre>", &[(2, 2), (2, 2)]),
        // A link target is not a link.
        (
            "<p><a name=x>a<p>b <a name=y href=z>c</a>",
            &[(1, 0), (3, 1)],
        ),
    ] {
        let extract = listen(page, Paragraphs::default).finish();
        let found: Vec<_> = extract
            .paragraphs()
            .map(|p| (p.characters, p.link_characters))
            .collect();
        assert_eq!(found, expected, "{page}");
    }
}

#[test]
fn long_paths_lose_their_middle() {
    let class = "c".repeat(100);
    let page = format!("{}<p>t", format!("<div class={class}>").repeat(100));
    let extract = listen(&page, Paragraphs::default).finish();
    let path = extract.paragraphs().next().unwrap().path.to_owned();
    assert!(path.len() < 4200, "{}", path.len());
    assert!(path.starts_with("body>div.c"));
    assert!(path.ends_with(">p"));
    let omitted = path.split('…').nth(1).unwrap().parse::<usize>().unwrap();
    assert_eq!(path.matches("div.").count() + omitted, 100);
}

#[test]
fn long_names_show_that_they_are_cut() {
    assert_paragraphs(
        "<my-very-long-element class=c><p>a",
        &["body>my-very….c>p | text | a"],
    );
}

#[test]
fn paths_stay_within_a_multiple_of_the_page() {
    let page = format!(
        "{}{}",
        "<div>".repeat(300),
        "<p>x<i><div>y</div></i>".repeat(40_000)
    );
    let extract = listen(&page, Paragraphs::default).finish();
    assert_eq!(extract.paragraphs().len(), 80_000);
    let unbounded = 80_000 * 300 * "div>".len();
    let total: usize = extract
        .paragraphs()
        .map(|paragraph| paragraph.path.len())
        .sum();
    assert!(total < unbounded / 4 && total < 40 * page.len(), "{total}");
    let last = extract.paragraphs().last().unwrap();
    assert!(
        last.path.starts_with("body>div>") && last.path.ends_with(">div"),
        "{}",
        last.path
    );
}

/// Emits a page with an implied body and a late body tag after the first text.
fn late_body<L: Events>(mut listener: L, first: &[(&str, &str)], late: &[(&str, &str)]) -> L {
    let body = |attributes| Element {
        name: Name::BODY,
        foreign: false,
        attributes: Attributes::Parsed(attributes),
    };
    listener.open(&body(first));
    listener.text("t");
    listener.more_attributes(&body(late));
    listener.close(Name::BODY);
    listener
}

#[test]
fn a_late_body_tag_adds_to_the_body() {
    let late = [("class", "c d"), ("id", "i")];
    for (first, expected) in [
        (&[][..], "body.c.d#i"),
        (&[("id", "x")], "body.c.d#x"),
        (&[("class", "x")], "body.x#i"),
    ] {
        let default = late_body(Paragraphs::default(), first, &late).finish();
        let uzushio = late_body(UzushioParagraphs::default(), first, &late).finish();
        for extract in [default, uzushio] {
            let paths: Vec<_> = extract
                .paragraphs()
                .map(|paragraph| paragraph.path)
                .collect();
            assert_eq!(paths, [expected]);
        }
    }
}
