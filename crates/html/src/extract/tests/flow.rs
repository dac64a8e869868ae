//! The rules of the default mode, on small pages.

use super::listen;
use crate::extract::flow::Document;

#[track_caller]
fn assert_documents(cases: &[(&str, &str)]) {
    for (page, expected) in cases {
        let document = listen(page, Document::default).finish();
        assert_eq!(document, *expected, "{page}");
    }
}

#[test]
fn white_space_collapses() {
    assert_documents(&[
        ("", ""),
        ("  <p> \n </p> ", ""),
        ("<p>  a\n\n b\t c  </p>", "a b c"),
        ("<p>a <b> b </b> c", "a b c"),
        ("<p>a<b>b</b>c", "abc"),
        ("<p>a<b> </b>c", "a c"),
        ("<p>a&nbsp;&nbsp; b&nbsp;", "a b"),
        ("<p>a\u{2003}b\u{202f}c", "a b c"),
        ("<p>&amp;lt; &amp;amp; &quot;", "&lt; &amp; \""),
    ]);
}

#[test]
fn layout_characters_are_dropped() {
    assert_documents(&[
        ("<p>soft\u{ad}hy&shy;phen", "softhyphen"),
        ("<p>zero\u{200b}width\u{2060}\u{feff}<wbr>x", "zerowidthx"),
        ("<p>\u{200b}\u{ad}</p>b", "b"),
        ("<p>a\u{1}b\u{7f}c\u{80}d", "abcd"),
        ("<p>می\u{200c}خواهم", "می\u{200c}خواهم"),
        ("<p>👩\u{200d}🚀", "👩\u{200d}🚀"),
        ("<p>a\u{200f}b", "a\u{200f}b"),
    ]);
}

#[test]
fn chinese_and_japanese_lines_are_joined() {
    assert_documents(&[
        ("<p>日本\n  語です。\n次の", "日本語です。次の"),
        ("<p>日本\n<b>語</b>\n。", "日本語。"),
        ("<p>カタ\nカナ、\r\nＡ\nｶﾅ", "カタカナ、Ａｶﾅ"),
        ("<p>日本 語", "日本 語"),
        ("<p>日本 \n 語", "日本語"),
        ("<p>日本&nbsp;\n語", "日本 語"),
        ("<p>日本\nabc\n語", "日本 abc 語"),
        ("<p>한국\n어", "한국 어"),
        ("<p>日本\n한국", "日本 한국"),
    ]);
}

#[test]
fn ideographic_spaces_stay_inside_lines() {
    assert_documents(&[
        (
            "<p>\u{3000}日本\u{3000}語\u{3000}</p><p>次",
            "日本\u{3000}語\n\n次",
        ),
        ("<p> \u{3000} \u{3000}a\u{3000} <br>\u{3000}b", "a\nb"),
        ("<p>\u{3000}</p><p>\u{3000}<br>\u{3000}", ""),
        ("<p>a \u{3000} b", "a \u{3000} b"),
    ]);
}

#[test]
fn blocks_separate_and_inline_elements_do_not() {
    assert_documents(&[
        ("a<p>b<p>c", "a\n\nb\n\nc"),
        ("a<div>b</div>c", "a\n\nb\n\nc"),
        ("a<span>b</span><em>c</em><cite>d</cite>", "abcd"),
        ("<h1>a</h1>b<hr>c", "a\n\nb\n\nc"),
        (
            "<section>a</section><article>b</article><aside>c</aside><nav>d</nav><main>e</main>",
            "a\n\nb\n\nc\n\nd\n\ne",
        ),
        (
            "<figure>a<figcaption>b</figcaption></figure><details><summary>c</summary>d</details>",
            "a\n\nb\n\nc\n\nd",
        ),
        ("<blockquote>a</blockquote><address>b</address>", "a\n\nb"),
        (
            "<form><fieldset><legend>a</legend>b</fieldset></form>",
            "a\n\nb",
        ),
        ("<a href=x><div>a</div><div>b</div></a>", "a\n\nb"),
    ]);
}

#[test]
fn one_break_ends_a_line_and_two_a_paragraph() {
    assert_documents(&[
        ("<p>a<br>b", "a\nb"),
        ("<p>a <br> b<br/>c", "a\nb\nc"),
        ("<p>a<br><br>b", "a\n\nb"),
        ("<p>a<br> &nbsp; <br><br>b", "a\n\nb"),
        ("<p><br>a<br></p><p>b", "a\n\nb"),
        ("<p>日本<br>語", "日本\n語"),
    ]);
}

#[test]
fn items_of_a_list_are_lines() {
    assert_documents(&[
        ("a<ul><li>b<li>c</ul>d", "a\n\nb\nc\n\nd"),
        ("<ul><li><p>a</p></li><li><div>b</div></li></ul>", "a\nb"),
        ("<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "a\nb\nc\nd"),
        ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", "a\nb\nc\nd"),
        ("<ul><li><br>a<br><br></li><li>b</li></ul>", "a\nb"),
        ("<ul><li>a<br>b<li>c</ul>", "a\nb\nc"),
        ("<ul><li> <li>a<li></ul>", "a"),
    ]);
}

#[test]
fn items_of_several_blocks_are_paragraphs() {
    assert_documents(&[
        (
            "<ul><li>a<li><p>b</p><p>c</p><li>d<li>e</ul>",
            "a\n\nb\n\nc\n\nd\ne",
        ),
        ("<ul><li><p>a<p>b<li><p>c<p>d</ul>", "a\n\nb\n\nc\n\nd"),
        ("<ul><li>x<li>a<br><br>b<li>c</ul>", "x\n\na\n\nb\n\nc"),
        (
            "<ul><li><h3>a</h3>b<li><h3>c</h3>d</ul>",
            "a\n\nb\n\nc\n\nd",
        ),
    ]);
}

#[test]
fn rows_are_lines_and_cells_are_separated_by_tabs() {
    assert_documents(&[
        (
            "<table><tr><td>10<td>20<tr><th>a<td>b</table>",
            "10\t20\na\tb",
        ),
        (
            "<table><thead><tr><th>a<th>b<tbody><tr><td>c<td>d<tfoot><tr><td>e</table>",
            "a\tb\nc\td\ne",
        ),
        ("<table><caption>t</caption><tr><td>a</table>", "t\n\na"),
        (
            "x<table><tr>\n <td> a </td>\n <td>&nbsp;</td> <td>b\n</table>y",
            "x\n\na\t\tb\n\ny",
        ),
        (
            "<table><tr><td><p>a</p><td><div><p>b</p></div><td>c</table>",
            "a\tb\tc",
        ),
        ("<table><tr><td>a<br>b<td>c</table>", "a\nb\tc"),
        ("<table><tr><td>日本\n<td>語</table>", "日本\t語"),
    ]);
}

#[test]
fn cells_of_several_blocks_are_layout() {
    assert_documents(&[
        (
            "<table><tr><td>m<td><p>a</p><p>b</p><td>c<tr><td>d<td>e</table>",
            "m\n\na\n\nb\n\nc\nd\te",
        ),
        (
            "<table><tr><td>m<td>a<br><br>b<tr><td>c</table>",
            "m\n\na\n\nb\n\nc",
        ),
        (
            "<table><tr><td><ul><li>a<li>b</ul><td>c</table>",
            "a\nb\n\nc",
        ),
        (
            "<table><tr><td>a<td><table><tr><td>b<td>c</table><td>d</table>",
            "a\n\nb\tc\n\nd",
        ),
        (
            "<table><tr><td>日<td>a<td>é<p>b<tr><td>c<td>d</table>",
            "日\ta\n\né\n\nb\n\nc\td",
        ),
    ]);
}

#[test]
fn preformatted_lines_keep_their_white_space() {
    assert_documents(&[
        ("a<pre>\n  b  c  \n\td\n</pre>e", "a\n\n  b  c\n\td\n\ne"),
        ("<pre>a\n\n\n\n b</pre>", "a\n\n b"),
        ("<pre>\n\n   \n</pre>", ""),
        (
            "<pre><code>if x:\n    <b>y</b> = 1</code></pre>",
            "if x:\n    y = 1",
        ),
        ("<pre>a<br>  b&nbsp;\u{ad}c</pre>", "a\n  b c"),
        (
            "<pre>日本\n語\u{3000}\n\u{3000}文</pre>",
            "日本\n語\n\u{3000}文",
        ),
        (
            "<xmp> <b>a</b></xmp><listing> b</listing>",
            " <b>a</b>\n\n b",
        ),
        ("<plaintext> a\n  b", " a\n  b"),
        ("<pre>  a</pre>  b  c", "  a\n\nb c"),
    ]);
}

#[test]
fn hidden_elements_are_dropped() {
    assert_documents(&[
        ("<head><title>t</title></head>a", "a"),
        (
            "a<script>s</script><style>s</style><template><p>t</p></template>b",
            "ab",
        ),
        ("a<noscript><p>n</p></noscript><iframe>i</iframe>b", "a b"),
        ("a<noembed>n</noembed><noframes>n</noframes>b", "ab"),
        ("a<div hidden>h<div>h</div>h</div>b", "ab"),
        ("<div hidden=until-found>a</div>", "a"),
        ("<p style='color:red; display : NONE'>a<p>b", "b"),
        ("<p style='visibility:hidden'>a<p>b", "b"),
        (
            "<i aria-hidden=true>menu</i><i aria-hidden=false>a</i>",
            "a",
        ),
        ("<dialog>a</dialog><dialog open>b</dialog>", "b"),
        (
            "<table><tr><td hidden>a<td>b<tr hidden><td>c<tr><td>d</table>",
            "b\nd",
        ),
        ("<html hidden><body style='display:none'>a", "a"),
        ("a<title>t</title>b", "ab"),
        ("a<!-- c -->b<img alt=icon>c", "abc"),
    ]);
}

#[test]
fn controls_are_not_text_but_separate_words() {
    assert_documents(&[
        ("a<input value=v>b", "a b"),
        ("a<select><option>o<optgroup><option>p</select>b", "a b"),
        ("a<textarea>t</textarea>b<button>c</button>d", "a b d"),
        ("a<datalist><option>o</datalist>b", "ab"),
        ("<label>Name <input></label>:", "Name :"),
        ("<label>C</label><label>C++</label>", "C C++"),
        ("<h2>Enum<button>Copy</button></h2>", "Enum Copy"),
        (
            "<h3><button>Why?</button></h3><p>Because.",
            "Why?\n\nBecause.",
        ),
        (
            "a<video>v</video>b<audio>c</audio><canvas>d</canvas>e",
            "a b e",
        ),
        ("<object>a</object>", "a"),
    ]);
}

#[test]
fn readings_and_drawings_are_dropped() {
    assert_documents(&[
        (
            "<ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>都",
            "東京都",
        ),
        ("<ruby><rb>漢<rt>かん</ruby>字", "漢字"),
        ("<ruby>漢\n<rt>かん</rt>\n字<rt>じ</rt>\n</ruby>", "漢字"),
        (
            "a<svg><title>t</title><text>x</text><foreignObject><p>p</p></foreignObject></svg>b",
            "ab",
        ),
        (
            "<math alttext=x><semantics><mrow><mi>x</mi><mo>=</mo><mn>1</mn></mrow>\
             <annotation>tex</annotation></semantics></math>",
            "x=1",
        ),
    ]);
}

#[test]
fn labels_of_tabs_are_text_unlike_other_buttons() {
    assert_documents(&[
        (
            "<div role=tablist><button role=tab>Linux</button><button role=tab>Windows</button></div>a",
            "Linux Windows\n\na",
        ),
        ("<button>Copy</button>a", "a"),
    ]);
}

#[test]
fn formulas_of_katex_without_mathml_are_text() {
    let html = "<span class=katex-html aria-hidden=true><span>y</span>=<span>1</span></span>";
    let mathml = "<span class=katex-mathml><math><mi>y</mi><mo>=</mo><mn>1</mn></math></span>";
    for (page, expected) in [
        (format!("a <span class=katex>{html}</span> b"), "a y=1 b"),
        (
            format!("a <span class=katex>{mathml}{html}</span> b"),
            "a y=1 b",
        ),
    ] {
        assert_documents(&[(&page, expected)]);
    }
}
