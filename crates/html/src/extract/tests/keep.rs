//! Hidden text and the markers of list items.

use super::soup;
use crate::engine::Engine;
use crate::events::Options;
use crate::extract::flow::Flow;
use crate::extract::keep::Keep;
use crate::extract::paragraphs::Paragraphs;

const HIDDEN: Keep = Keep {
    hidden: true,
    bullets: false,
};
const BULLETS: Keep = Keep {
    hidden: false,
    bullets: true,
};
const BOTH: Keep = Keep {
    hidden: true,
    bullets: true,
};

/// The document, with `/` for newlines.
fn read(engine: Engine, page: &str, keep: Keep) -> String {
    let flow = keep.read(engine, page, &Options::default(), |flow: Flow<()>| flow);
    flow.finish().replace('\n', "/")
}

#[track_caller]
fn assert_documents(keep: Keep, pages: &[(&str, &str)]) {
    for (page, expected) in pages {
        for engine in [Engine::Native, Engine::Html5ever] {
            assert_eq!(read(engine, page, keep), *expected, "{engine} {page}");
        }
    }
}

#[test]
fn hidden_text_is_kept() {
    assert_documents(
        HIDDEN,
        &[
            ("<p>a<p hidden>b", "a//b"),
            (
                "<p>a<div style='display:none'><p>b<p>c</div>d",
                "a//b//c//d",
            ),
            ("a<span style='visibility: hidden'> b</span>", "a b"),
            ("a<span aria-hidden=true>b</span>", "ab"),
            ("<p>a<dialog>b</dialog>", "a//b"),
            ("<ul hidden><li>a<li style=display:none>b</ul>", "a/b"),
            // Not text, whether hidden or not.
            (
                "a<script>s</script><template>t</template><p><button>b</button>",
                "a",
            ),
            (
                "<div hidden>a<script>s</script><div hidden>b</div></div>c",
                "a//b//c",
            ),
        ],
    );
}

#[test]
fn items_have_their_markers() {
    assert_documents(
        BULLETS,
        &[
            ("<ul><li>a<li>b</ul>", "• a/• b"),
            ("<ol><li>a<li>b</ol>", "1. a/2. b"),
            ("<menu><li>a</menu><dir><li>b</dir><li>c", "• a//• b//• c"),
            (
                "<ul><li>a<ol><li>b<li>c</ol><li>d</ul>",
                "• a/1. b/2. c/• d",
            ),
            ("<ol><li>a<ol><li>b</ol><li>c</ol>", "1. a/1. b/2. c"),
            ("<ol><li><ol><li>a<li>b</ol><li>c</ol>", "1. 1. a/2. b/2. c"),
            ("<ul><li><ul><li>a</ul></ul>", "• a"),
            (
                "<ol start=5><li>a<li value=9>b<li>c</ol>",
                "5. a/9. b/10. c",
            ),
            ("<ol start=-1><li>a<li>b<li>c</ol>", "-1. a/0. b/1. c"),
            (
                "<ol start=x><li value=' +7px'>a<li value=>b</ol>",
                "7. a/8. b",
            ),
            (
                "<ol type=a start=26><li>a<li>b<li type=A>c</ol>",
                "z. a/aa. b/AB. c",
            ),
            (
                "<ol type=i><li>a<li>b<li type=I value=1994>c</ol>",
                "i. a/ii. b/MCMXCIV. c",
            ),
            (
                "<ol type=i start=3999><li>a<li>b</ol>",
                "mmmcmxcix. a/4000. b",
            ),
            ("<ol type=a start=0><li>a<li>b</ol>", "0. a/a. b"),
            ("<ul type=square><li>a<li type=1>b</ul>", "• a/2. b"),
            ("<ol><li type=disc>a<li type=none>b<li>c</ol>", "• a/b/3. c"),
            (
                "<ol reversed><li>a<li>b<ol><li>x</ol><li>c</ol>",
                "3. a/2. b/1. x/1. c",
            ),
            ("<ol REVERSED start=10><li>a<li>b</ol>", "10. a/9. b"),
            (
                "<ol reversed><li>a<ol reversed type=a><li>x<li>y</ol><li>b</ol><ol reversed><li>c</ol>",
                "2. a/b. x/a. y/1. b//1. c",
            ),
            (
                "<ul style='list-style: none'><li>a<li style='list-style-type:disc'>b</ul>",
                "a/• b",
            ),
            (
                "<ol style='color:red; list-style-type: upper-roman'><li>a<li>b",
                "I. a/II. b",
            ),
            (
                "<ol start=9223372036854775807><li>a<li>b</ol>",
                "9223372036854775807. a/9223372036854775807. b",
            ),
            (
                "<ol start=99999999999999999999><li>a</ol>",
                "9223372036854775807. a",
            ),
        ],
    );
}

#[test]
fn markers_precede_the_first_word_of_an_item() {
    assert_documents(
        BULLETS,
        &[
            ("<ul><li><p>a</p><p>b</p><li>c</ul>", "• a//b//• c"),
            ("<ul><li> <div><span> </span><b>a</b></div></ul>", "• a"),
            ("<ul><li>a<br>b<li><br>c</ul>", "• a/b/• c"),
            ("x<ul><li><h2>a</h2>b</ul>", "x//• a//b"),
            ("<ul><li><pre>  a\n  b</pre></ul>", "•   a/  b"),
            ("<ul><li><table><tr><td>a<td>b</table></ul>", "• a\tb"),
            (
                "<table><tr><td><ul><li>a<li>b</ul><td>c</table>",
                "• a/• b//c",
            ),
            ("<ol><li><dl><dt>a<dd>b</dl><li>c</ol>", "1. a/b/2. c"),
            ("<ul><li><a href=x>a</a></ul>", "• a"),
        ],
    );
}

#[test]
fn empty_items_have_no_marker_but_a_number() {
    assert_documents(
        BULLETS,
        &[
            ("<ul><li></ul>", ""),
            (
                "<p>a<ul><li> <li>&nbsp;<li><img src=x><li></ul><p>b",
                "a//b",
            ),
            ("<ol><li>a<li><li>c</ol>", "1. a/3. c"),
            ("<ul><li>a<ul><li></ul></ul>b", "• a//b"),
            ("<ul><li><ul><li></li></ul>a</ul>", "• a"),
            // Invisible items have a number, removed ones do not.
            (
                "<ol><li>a<li style=display:none>b<li hidden>c<li>d</ol>",
                "1. a/2. d",
            ),
            (
                "<ol><li>a<li style=visibility:hidden>b<li aria-hidden=true>c<li>d</ol>",
                "1. a/4. d",
            ),
            (
                "<ol reversed><li>a<li style=visibility:hidden>b<li hidden>c</ol>",
                "2. a",
            ),
        ],
    );
    assert_documents(
        BOTH,
        &[(
            "<ol reversed><li>a<li hidden>b<li style=display:none>c</ol>",
            "3. a/2. b/1. c",
        )],
    );
}

#[test]
fn japanese_items_have_markers() {
    assert_documents(
        BULLETS,
        &[
            (
                "<ol><li>日本\n語<li>\u{3000}東京\u{3000}都",
                "1. 日本語/2. 東京\u{3000}都",
            ),
            (
                "<ul><li><ruby>東<rt>とう</rt></ruby>京</ul>文",
                "• 東京//文",
            ),
        ],
    );
}

#[test]
fn paragraphs_contain_markers() {
    let page = "<p>x<ol><li>a<li><a href=y>bc</a></ol>";
    let extract = BULLETS
        .read(Engine::Native, page, &Options::default(), Paragraphs::of)
        .finish();
    let found: Vec<_> = extract.paragraphs().collect();
    assert_eq!(found.len(), 2);
    assert_eq!(found[1].text, "1. a\n2. bc");
    assert_eq!((found[1].characters, found[1].link_characters), (10, 2));
    assert_eq!(found[1].path, "body>ol");
}

/// Without its markers, a document equals the default one.
#[test]
fn markers_change_nothing_else() {
    let mut compared = 0;
    for seed in 0..600 {
        let page = soup(seed)
            .replace("<dl>", "<ol reversed>")
            .replace("</dl>", "</ol>");
        let plain = read(Engine::Native, &page, Keep::default());
        let marked = read(Engine::Native, &page, BULLETS);
        assert_eq!(without_markers(&marked), plain.replace(' ', ""), "{page:?}");
        if plain == read(Engine::Html5ever, &page, Keep::default()) {
            compared += 1;
            assert_eq!(marked, read(Engine::Html5ever, &page, BULLETS), "{page:?}");
        }
    }
    assert!(compared > 500, "{compared}");
}

/// The text without markers and spaces.
fn without_markers(text: &str) -> String {
    let mut without = String::new();
    for word in text.split(' ') {
        let (before, last) = word.split_at(word.rfind(['/', '\t']).map_or(0, |at| at + 1));
        let number = last.strip_suffix('.');
        let is_marker = last == "•" || number.is_some_and(|n| n.parse::<i64>().is_ok());
        without.push_str(before);
        without.push_str(if is_marker { "" } else { last });
    }
    without
}
