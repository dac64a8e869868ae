//! The rules of uzushio, on small pages.

use super::listen_without_scripting;
use crate::extract::uzushio::UzushioDocument;
use crate::extract::uzushio_paragraphs::UzushioParagraphs;

#[track_caller]
fn assert_documents(cases: &[(&str, &str)]) {
    for (page, expected) in cases {
        let document = listen_without_scripting(page, UzushioDocument::default).finish();
        assert_eq!(document, *expected, "{page}");
    }
}

#[test]
fn the_page_that_was_observed() {
    assert_documents(&[(
        "<p>a<p>b<br>c<ul><li>one<li>two</ul><table><tr><td>x<td>y<tr><td>z</table><noscript>ns \
         <b>q</b></noscript><textarea>ta</textarea><select><option>o1<option>o2</select>\
         <pre>  p1\n  p2</pre><!-- c --><style>s</style>end",
        "a\n\nb\nc\n\none\ntwo\n\nx\ty\nz\n\nns q\n\nta\n\no1\n\no2\n\np1\np2\n\nend",
    )]);
}

#[test]
fn nothing_is_collapsed() {
    assert_documents(&[
        ("<p>a  b\n   c\t\td\n\n\ne", "a  b\nc\t\td\ne"),
        ("<p>\u{3000}a\u{3000}</p>", "\u{3000}a\u{3000}"),
        ("<p>a<p>\u{3000}<p>&nbsp;", "a\n\n\u{3000}\n\n\u{a0}"),
        ("<p>日本\n語", "日本\n語"),
        ("<p>a\u{ad}b\u{200b}", "a\u{ad}b\u{200b}"),
        ("<pre>\n  a\n\n  b</pre>", "a\nb"),
    ]);
}

#[test]
fn only_scripts_and_styles_are_dropped() {
    assert_documents(&[
        (
            "<head><title>t</title></head><p>a<title>t</title>b",
            "a\n\nb",
        ),
        ("<div hidden>a</div><p style='display:none'>b", "a\n\nb"),
        ("a<script>s</script>b<style>s</style>c", "a\nbc"),
        (
            "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>",
            "漢(かん)",
        ),
        ("a<button>b</button><label>c</label>", "abc"),
        ("a<svg><text>b</text></svg>", "ab"),
    ]);
}

#[test]
fn elements_that_html_4_does_not_have_do_not_separate() {
    assert_documents(&[
        (
            "a<section>b</section><article>c</article><nav>d</nav><header>e</header>",
            "abcde",
        ),
        ("a<figure>b<figcaption>c</figcaption></figure>d", "abcd"),
        (
            "a<center>b</center><fieldset><legend>c</legend>d</fieldset>",
            "a\n\nb\n\nc\n\nd",
        ),
        ("a<meta itemprop=x>b<link>c", "a\n\nb\nc"),
    ]);
}

#[test]
fn lines_and_tabs_of_lists_and_tables() {
    assert_documents(&[
        ("<dl><dt>a<dd>b<dt>c</dl>", "a\nb\nc"),
        (
            "<table>\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n<tr><th>c</table>",
            "a\tb\nc",
        ),
        ("<ul>\n <li>a\n <li>b<ul><li>c</ul></ul>", "a\nb\n\nc"),
        (
            "<table><caption>t</caption><tr><td><p>a</p><td>b</table>",
            "t\n\na\n\nb",
        ),
    ]);
}

#[track_caller]
fn paths(page: &str) -> Vec<(String, String, usize)> {
    let extract = listen_without_scripting(page, UzushioParagraphs::default).finish();
    let document = listen_without_scripting(page, UzushioDocument::default).finish();
    assert_eq!(extract.document, document);
    let paragraphs = extract.paragraphs();
    paragraphs
        .map(|p| (p.path.to_owned(), p.text.to_owned(), p.link_characters))
        .collect()
}

#[test]
fn text_after_a_block_has_the_path_of_the_element_that_ends_it() {
    let page = "<body><div class=container>こんにちは<div id=12345>早稲田大学で\
                <div>自然言語処理</div>を</div>勉強する。</div></body>";
    let expected = [
        ("body>div.container", "こんにちは"),
        ("body>div.container>div#12345", "早稲田大学で"),
        ("body>div.container>div#12345>div", "自然言語処理"),
        ("body>div.container>div#12345", "を"),
        ("body>div.container", "勉強する。"),
    ];
    let found = paths(page);
    assert_eq!(found.len(), expected.len());
    for ((path, text, _), expected) in found.iter().zip(expected) {
        assert_eq!((path.as_str(), text.as_str()), expected);
    }
}

#[test]
fn text_before_a_block_has_the_path_of_the_block_that_opened_last() {
    let found = paths("x<div id=a><p class='b c'>y</p>z<p>w</div>");
    let found: Vec<_> = found
        .iter()
        .map(|(path, text, _)| (&**path, &**text))
        .collect();
    let expected = [
        ("body", "x"),
        ("body>div#a>p.b.c", "y"),
        ("body>div#a>p.b.c", "z"),
        ("body>div#a>p", "w"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn characters_in_links_are_counted() {
    for (page, expected) in [
        ("<p>test<a href=x>baka</a>", 4),
        ("<p><a> a </a> b", 2),
        ("<p><a>a \n</a>bcd", 2),
        ("<p>a<br><a>b <b>c</b></a>", 3),
    ] {
        let found = paths(page);
        assert_eq!(found.len(), 1, "{page}");
        assert_eq!(found[0].2, expected, "{page}");
    }
}

#[test]
fn lists_are_closed_before_other_content_and_opened_around_items() {
    assert_documents(&[
        ("<ul>a<li>b<li>c</ul>", "a\n\nb\nc"),
        (
            "<ul><li>a</li><span>b</span><li>c<li>d</ul>",
            "a\n\nb\n\nc\nd",
        ),
        ("a<li>b</li><li>c</li><b>d</b>", "a\n\nb\nc\n\nd"),
        ("<dl><dt>a</dt><i>b</i><dd>c</dl>", "a\n\nb\n\nc"),
        ("<ul><li>a <b>b</b> c</li></ul>", "a b c"),
    ]);
}
