//! The Markdown of short pages.

use super::{Addresses, assert_markdown, blocks, blocks_of};
use crate::engine::Engine;
use crate::events::Options;
use corpus_blocks::markdown::{self, markdown};
use corpus_blocks::{Kind, rows};

#[test]
fn tables() {
    assert_markdown(
        "<table><caption>Sizes</caption><tr><th>a<th>b<tr><td>1<td>x|y<tr><td>2<br>3<td></table>",
        "Sizes\n\n| a | b |\n| --- | --- |\n| 1 | x\\|y |\n| 2<br>3 | |",
    );
    assert_markdown(
        "<table><tr><td>a<td>1<tr><td>b<td><b>2</b></table>",
        "| | |\n| --- | --- |\n| a | 1 |\n| b | **2** |",
    );
    assert_markdown(
        "<table><thead><tr><th colspan=2>h<tbody><tr><td rowspan=9>a<td><p>b<p>c</table>",
        "<table>\n<tr><th colspan=\"2\">h</th></tr>\n<tr><td>a</td><td><p>b</p><p>c</p></td></tr>\n\
         </table>",
    );
}

#[test]
fn groups_of_rows() {
    let row = |cells: &str| format!("<tr>{cells}</tr>");
    let [head, body, foot] = ["<th>a<th>b", "<td>1<td>2", "<td>3<td>4"].map(row);
    for page in [
        format!("<thead>{head}</thead><tbody>{body}</tbody><tfoot>{foot}</tfoot>"),
        format!("<tfoot>{foot}</tfoot><thead>{head}</thead><tbody>{body}</tbody>"),
        format!("<tbody>{body}</tbody><tfoot>{foot}</tfoot><thead>{head}</thead>"),
    ] {
        assert_markdown(
            &format!("<table>{page}</table>"),
            "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
        );
    }
    for page in [head.clone(), format!("<thead>{head}</thead>")] {
        assert_markdown(
            &format!("<table>{page}</table>"),
            "| a | b |\n| --- | --- |",
        );
    }
    assert_markdown(
        &format!("<table><thead>{body}{foot}</thead></table>"),
        "| | |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
    );
}

#[test]
fn layout_tables() {
    for page in [
        "<table><tr><td>menu<td><p>one<p>two</table>",
        "<table><tr><td>menu<tr><td>one<tr><td>two</table>",
        "<table role=presentation><tr><td>menu<td>one<tr><td>two<td></table>",
        "<table><tr><td>menu<td><table><tr><td>one<td>two</table></table>",
    ] {
        assert_markdown(page, "menu\n\none\n\ntwo");
    }
}

#[test]
fn lists() {
    assert_markdown(
        "<ul><li>a<ol start=3><li>b<li>c</ol><li><p>d<p>e</ul>",
        "- a\n\n  3. b\n  4. c\n- d\n\n  e",
    );
    assert_markdown("<ol reversed><li>a<li>b</ol>", "2. a\n1. b");
    assert_markdown(
        "<ul><li>a</li><ul><li>b</li></ul><li>c</ul>",
        "- a\n  - b\n- c",
    );
    assert_markdown("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b");
    assert_markdown("<ul><li><h3>a</h3>b<li></ul>", "- ### a\n\n  b");
    assert_markdown("<li>1. a<li>[x] b", "- 1\\. a\n- \\[x] b");
    assert_markdown("<dl><dt>a<dd>b<dd><p>c<p>d</dl>e", "a  \nb  \nc\n\nd\n\ne");
    assert_markdown(
        "<ol><li>a<li style='visibility:hidden'>b<li>c</ol>",
        "1. a\n3. c",
    );
}

#[test]
fn lists_of_generators() {
    // Notion
    assert_markdown(
        "<ol start=1><li>a</ol><ol start=2><li>b</ol><ul class=b><li>c</ul><ul class=b><li>d</ul>",
        "1. a\n2. b\n\n- c\n- d",
    );
    assert_markdown(
        "<ul class=b><li>c</ul>x<ul class=b><li>d</ul><ul class=c><li>e</ul>",
        "- c\n\nx\n\n- d\n\n* e",
    );
    // Google Docs
    assert_markdown(
        "<ul class='c lst-kix_a-0 start'><li>a</ul><ul class='lst-kix_a-1 start'><li>b</ul>\
         <ul class=lst-kix_a-0><li>c</ul><ol class='lst-kix_b-0 start'><li>d</ol>\
         <ol class='lst-kix_b-1 start'><li>e</ol><ol class=lst-kix_b-0 start=2><li>f</ol>",
        "- a\n  - b\n- c\n\n1. d\n   1. e\n2. f",
    );
    // Word
    let item = |style: &str, label: &str, text: &str| {
        format!(
            "<p style='x:y;mso-list:{style} lfo1'><![if !supportLists]><span><span \
             style='mso-list:Ignore'>{label}<span>&nbsp; </span></span></span><![endif]>{text}</p>"
        )
    };
    let page = [
        item("l0 level1", "·", "a"),
        item("l0 level2", "o", "b"),
        item("l0 level1", "·", "c"),
        item("l1 level1", "1)", "d"),
        item("l1 level1", "2)", "e"),
    ];
    assert_markdown(&page.concat(), "- a\n  - b\n- c\n\n1. d\n2. e");
    assert_markdown(
        "<h1><span style='mso-list:Ignore'>1<span>&nbsp; </span></span>a</h1>",
        "# 1 a",
    );
}

#[test]
fn roles() {
    assert_markdown(
        "<div role=heading aria-level=3>a</div><div role=heading>b</div>c",
        "### a\n\n## b\n\nc",
    );
    assert_markdown(
        "<div role=list><div role=listitem>a</div><div role=listitem><p>b<p>c</div></div>d",
        "- a\n- b\n\n  c\n\nd",
    );
    let row = |tag: &str, role: &str, [a, b]: [&str; 2]| {
        format!(
            "<{tag} role=row><{tag} role={role}>{a}</{tag}><{tag} role={role}>{b}</{tag}></{tag}>"
        )
    };
    for tag in ["div", "span"] {
        let rows = [
            row(tag, "columnheader", ["a", "b"]),
            row(tag, "cell", ["1", "2"]),
        ];
        assert_markdown(
            &format!("<{tag} role=table>{}</{tag}>c", rows.concat()),
            "| a | b |\n| --- | --- |\n| 1 | 2 |\n\nc",
        );
    }
    assert_markdown("<div role=listitem>a</div><div role=cell>b</div>", "a\n\nb");
    assert_markdown("<span role=cell>a</span><span role=cell>b</span>", "a b");
}

#[test]
fn quotations_and_definitions_stay_apart() {
    assert_markdown(
        "<blockquote>a<p>b</blockquote><blockquote>c<blockquote>d</blockquote></blockquote>",
        "> a\n>\n> b\n\n> c\n>\n> > d",
    );
    assert_markdown(
        "<blockquote><ul><li>a</ul></blockquote><blockquote><ul><li>b</ul></blockquote>",
        "> - a\n\n> - b",
    );
    assert_markdown(
        "<blockquote></blockquote><blockquote>a</blockquote>b",
        "> a\n\nb",
    );
    assert_markdown(
        "<dl><dt>a<dd><ul><li>b</ul></dl><dl><dd>c</dl>",
        "a\n\n- b\n\nc",
    );
}

#[test]
fn tasks() {
    for items in [
        "<li><input type=checkbox checked disabled> a<li><p><input type=checkbox>b",
        "<li><label><input type=Checkbox checked>a</label><li><input type=checkbox><b></b>b",
        "<li><div class='checkbox checkbox-on'></div> a<li><div class='checkbox checkbox-off'></div>b",
    ] {
        assert_markdown(&format!("<ul>{items}</ul>"), "- [x] a\n- [ ] b");
    }
    assert_markdown(
        "<ul class=inline-task-list><li class=checked>a<li>b</ul>",
        "- [x] a\n- [ ] b",
    );
    assert_markdown(
        "<ul><li>a <input type=checkbox><li><input>b</ul>",
        "- a\n- b",
    );
    assert_markdown("<p><input type=checkbox>a", "a");
}

#[test]
fn code() {
    assert_markdown(
        "<p>Use <code>a`b</code>:<div class='highlight-python x'><pre><span>def</span> f():\n\n    \
         return 1 # *\n</pre></div><pre><code class=language-c>int\ti;</code></pre>",
        "Use ``a`b``:\n\n```python\ndef f():\n\n    return 1 # *\n```\n\n```c\nint\ti;\n```",
    );
    assert_markdown(
        "<pre><div>a</div><div>  b</div></pre>c",
        "```\na\n  b\n```\n\nc",
    );
    let line =
        |number: usize, code: &str| format!("<div><span>{number}</span><div>{code}</div></div>");
    let lines = [line(1, "a"), line(2, ""), line(3, " b")].concat();
    assert_markdown(&format!("<pre>{lines}</pre>"), "```\na\n\n b\n```");
    assert_markdown(
        "<table><tr><td><pre>1\n2</pre><td><pre><code class=lang-c>a\nb</code></pre></table>",
        "```c\na\nb\n```",
    );
    assert_markdown("<ul><li><pre>a\nb</pre></ul>", "- ```\n  a\n  b\n  ```");
}

#[test]
fn marks() {
    assert_markdown(
        "<p>x<sup>2</sup> H<sub>2</sub>O <b>a <i>b</i></b> <del>c</del> <q>d</q>",
        "x<sup>2</sup> H<sub>2</sub>O **a *b*** ~~c~~ “d”",
    );
    assert_markdown("<b><p>a<p>b</b>c", "**a**\n\n**b**c");
    assert_markdown("<del><p>a<p>b</del>", "~~a~~\n\n~~b~~");
    assert_markdown("<q><p>a</p></q>", "“a”");
    assert_markdown(
        "<h2><b>a</b> <b>b</b></h2><h3><i>c</i></h3>",
        "## a b\n\n### *c*",
    );
    assert_markdown(
        "<blockquote><p>a<ul><li>b</ul></blockquote>c",
        "> a\n>\n> - b\n\nc",
    );
}

#[test]
fn formulas() {
    let math = |attributes: &str| {
        format!(
            "<math {attributes}><mi>x</mi><annotation encoding='application/x-tex'>x_1*y</annotation>\
             </math>"
        )
    };
    assert_markdown(&format!("<p>a_ {} b*", math("")), "a\\_ $x_1*y$ b\\*");
    assert_markdown(
        &format!("<p>a {} b", math("display=block")),
        "a\n\n$$\nx_1*y\n$$\n\nb",
    );
    let linear = "<math><mfrac><mi>a</mi><mn>2</mn></mfrac></math>";
    assert_markdown(&format!("<p>a* {linear} b"), "a\\* $\\frac{a}{2}$ b");
    let block = linear.replace("<math", "<math display=block");
    assert_markdown(&format!("a {block} b"), "a\n\n$$\n\\frac{a}{2}\n$$\n\nb");
    assert_markdown(
        "<p>\\[ a*b \\]<p>$$c$$<p>\\[d\\] e \\[f\\]",
        "$$\na*b\n$$\n\n$$\nc\n$$\n\n\\[d\\] e \\[f\\]",
    );
    let blocks = blocks_of(&format!("<p>a {linear}"));
    assert_eq!(corpus_blocks::plain_text::of_blocks(&blocks), "a a/2");
    assert_markdown("<p>a <script type=math/tex>x_1*y</script>", "a $x_1*y$");
    assert_markdown("<p>\\(a*b_c\\) $x_1*y$ $5*", "\\(a*b_c\\) $x_1*y$ $5\\*");
}

#[test]
fn links_and_pictures() {
    let page = "<base href=/d/><p>see <a href='x?a=1'>the [x]</a> <img src=i.png alt='an i'> now\
        <figure><img src=data:x><img src=f.png alt=f><figcaption>Fig. 1</figcaption></figure>\
        <p><img src=alone.png><p><a href='javascript:x'>no</a> <a href=#top>up</a>";
    let url = "https://example.org/a/b".parse().unwrap();
    let options = markdown::Options {
        links: true,
        pictures: true,
        ..Default::default()
    };
    let written = |addresses| {
        let blocks = blocks(Engine::default(), &Options::default(), page, &addresses);
        markdown(&blocks, &options)
    };
    assert_eq!(
        written(Addresses::Absolute(url)),
        "see [the \\[x\\]](https://example.org/d/x?a=1) ![an i](https://example.org/d/i.png) now\n\n\
         ![f](https://example.org/d/f.png)  \nFig. 1\n\n![](https://example.org/d/alone.png)\n\n\
         no [up](https://example.org/d/#top)"
    );
    assert_eq!(
        written(Addresses::AsWritten),
        "see [the \\[x\\]](x?a=1) ![an i](i.png) now\n\n![f](f.png)  \nFig. 1\n\n![](alone.png)\n\n\
         no [up](#top)"
    );
    assert_eq!(
        written(Addresses::None),
        "see the \\[x\\] now\n\nFig. 1\n\nno up".replace("\\", "")
    );
}

#[test]
fn pictures_are_written_once() {
    let options = markdown::Options {
        links: true,
        pictures: true,
        ..Default::default()
    };
    for (page, expected) in [
        ("<img class=tex src=f.png alt='y^2'> a", "$y^2$ a"),
        ("<img class=emoji src=e.png alt='😀'> a", "😀 a"),
        (
            "a <a href=x><img src=b.png alt='c d'></a> e",
            "a [![c d](b.png)](x) e",
        ),
        (
            "<a href=x><img src=b.png alt=bb> <img src=c.png alt=cc></a>",
            "[![bb](b.png) ![cc](c.png)](x)",
        ),
        (
            "<figure><a href=x><img src=b.png alt='c d'></a><figcaption>e</figcaption></figure>",
            "![c d](b.png)  \ne",
        ),
    ] {
        let blocks = blocks(
            Engine::default(),
            &Options::default(),
            page,
            &Addresses::AsWritten,
        );
        assert_eq!(markdown(&blocks, &options), expected, "{page}");
    }
}

#[test]
fn hostile_pages_stay_small() {
    const CELLS: usize = 200_000;
    let page = format!("<table><tr>{}</table>", "<td>x".repeat(CELLS));
    let blocks = blocks_of(&format!("{page}{page}"));
    assert_eq!(blocks.len(), 2 * CELLS);
    let page = format!("<table>{}</table>", "<tr><td>x<td>y".repeat(CELLS));
    assert_eq!(blocks_of(&page).len(), 1);
    let blocks = blocks_of(&format!("{page}{page}"));
    let error = blocks.last().and_then(|block| block.error.as_ref());
    assert!(error.is_some_and(|error| error.contains("is the text of")));
    let page = format!("{}{}", "<ul><li>".repeat(100_000), "<li>x".repeat(1000));
    let written = markdown(&blocks_of(&page), &markdown::Options::default());
    assert!(written.len() < page.len(), "{}", written.len());
    let page = "<table><tr><td>a<td>b".repeat(1000);
    let blocks = blocks_of(&page);
    assert!(blocks.iter().any(|block| block.error.is_some()));
    let page = format!(
        "<table><th>h{}</table>",
        "<tr><td colspan=65535 rowspan=65535>x".repeat(5000)
    );
    let [block] = &*blocks_of(&page) else {
        panic!("expected one table");
    };
    let Kind::Table(table) = &block.kind else {
        panic!("expected a table, got {}", block.kind.name());
    };
    assert!(rows::grid(table).error.is_some());
    let page = format!(
        "{}{}",
        "<b><i>".repeat(200),
        "<p>x<a href=y>z</a>".repeat(5000)
    );
    let marks: usize = blocks_of(&page)
        .iter()
        .map(|block| block.text.marks.len())
        .sum();
    assert!(marks < 5000 * 20);
}

#[test]
fn headings_have_no_marks_of_links_to_them() {
    for sign in ["¶", "#", "🔗", "§", "\u{200b}"] {
        let link = format!("<a class=headerlink href='#fruit'>{sign}</a>");
        assert_markdown(&format!("<h2>Fruit{link}</h2>"), "## Fruit");
        assert_markdown(&format!("<h2>{link} Fruit</h2>x"), "## Fruit\n\nx");
        assert_markdown(
            &format!("<h2>Ripe <b>fruit</b> {link}</h2>"),
            "## Ripe **fruit**",
        );
    }
    assert_markdown("<h2>¶</h2><p>Section 5¶", "## ¶\n\nSection 5¶");
    let link = "<a href='#x'>#</a>";
    assert_markdown(
        &format!("<dl><dt>a {link}<dd>b</dl><figure><figcaption>{link} c</figcaption></figure>"),
        "a  \nb\n\nc",
    );
    assert_markdown(
        &format!("<table><caption>a{link}</caption><tr><th>b<tr><td>c</table>"),
        "a\n\n| b |\n| --- |\n| c |",
    );
    assert_markdown(
        "<h2>C# <a href='#b'>b</a></h2><p><a href='#c'>*</a>",
        "## C# b\n\n\\*",
    );
}

#[test]
fn footnotes() {
    let expected = "Text[^1] and more.\n\n[^1]: A *note*.\n\n    Its end.";
    for (reference, notes) in [
        // pandoc
        (
            "<a href='#fn1' class='footnote-ref' id='fnref1' role='doc-noteref'><sup>1</sup></a>",
            "<section id='footnotes' class='footnotes' role='doc-endnotes'><hr><ol><li id='fn1'>\
             <p>A <i>note</i>.</p><p>Its end.<a href='#fnref1' role='doc-backlink'>↩︎</a></p></li>\
             </ol></section>",
        ),
        // markdown-it
        (
            "<sup class='footnote-ref'><a href='#fn1' id='fnref1'>[1]</a></sup>",
            "<hr><section class='footnotes'><ol class='footnotes-list'><li id='fn1'><p>A <i>note</i>.\
             <p>Its end. <a href='#fnref1' class='footnote-backref'>↩︎</a></p></li></ol></section>",
        ),
        // GitHub
        (
            "<sup><a href='#user-content-fn-1' data-footnote-ref>1</a></sup>",
            "<section data-footnotes class='footnotes'><ol><li id='user-content-fn-1'><p>A <i>note</i>.\
             </p><p>Its end. <a href='#user-content-fnref-1'>↩</a></p></li></ol></section>",
        ),
        // EPUB
        (
            "<a epub:type='noteref' href='#n1'>1</a>",
            "<aside epub:type='footnote' id='n1'><p>1. A <i>note</i>.</p><p>Its end.</p></aside>",
        ),
        // Sphinx
        (
            "<a class='footnote-reference brackets' href='#id2' id='id1' role='doc-noteref'>\
             <span>[</span>1<span>]</span></a>",
            "<aside class='footnote' id='id2' role='doc-footnote'><span>[<a role='doc-backlink' \
             href='#id1'>1</a>]</span><p>A <i>note</i>.</p><p>Its end.</p></aside>",
        ),
        // Docutils
        (
            "<a class='footnote-reference brackets' href='#f1' id='id1'>1</a>",
            "<dl class='footnote brackets'><dt class='label' id='f1'><span class='brackets'><a \
             class='fn-backref' href='#id1'>1</a></span></dt><dd><p>A <i>note</i>.</p><p>Its end.\
             </p></dd></dl>",
        ),
        // MediaWiki
        (
            "<sup>[<a href='#cite_note-1'>1</a>]</sup>",
            "<ol class='references'><li id='cite_note-1'><span>^ <a href='#cite_ref-1a'>a</a> \
             <a href='#cite_ref-1b'>b</a></span> <span>A <i>note</i>.</span><p>Its end.</li></ol>",
        ),
    ] {
        assert_markdown(
            &format!("<p>Text{reference} and more.</p>{notes}"),
            expected,
        );
    }
    // Pages that declare notes only by their links.
    for (reference, note) in [
        // Substack
        (
            "<a class=footnote-anchor id=footnote-anchor-1-99 href='#footnote-1-99'>1</a>",
            "<div class=footnote><a id=footnote-1-99 href='#footnote-anchor-1-99'>1</a><div><p>A \
             <i>note</i>.</p><p>Its end.</p></div></div>",
        ),
        // Google Docs
        (
            "<sup><a href='#ftnt1' id=ftnt_ref1>[1]</a></sup>",
            "<hr><div><p><a href='#ftnt_ref1' id=ftnt1>[1]</a><span>&nbsp;A <i>note</i>.</span>\
             <br><br>Its end.</p></div>",
        ),
        // Word
        (
            "<a href='#_ftn1' name='_ftnref1'><span>[1]</span></a>",
            "<div id=ftn1><p><a href='#_ftnref1' name='_ftn1'><span>[1]</span></a> A <i>note</i>.\
             <br><br>Its end.</p></div>",
        ),
        // Written by hand
        (
            "<sup id=r1><a href='#n1'>1</a></sup>",
            "<ol><li id=n1><p>A <i>note</i>.<p>Its end. <a href='#r1'>↩</a></ol>",
        ),
        (
            "<a id=r1 href='#n1'>1</a>",
            "<div id=n1><p><a href='#r1'>1</a>. A <i>note</i>.<p>Its end.</div>",
        ),
    ] {
        assert_markdown(&format!("<p>Text{reference} and more.</p>{note}"), expected);
    }
    assert_markdown(
        "<p>in 1999<a href='#n' id=r>2</a> and 5.25%<a href='#m'>1</a><p id=m>b<p id=n>c",
        "in 1999<sup>2</sup> and 5.25%<sup>1</sup>\n\nb\n\nc",
    );
    // A table of contents, whose headings lead back to it.
    assert_markdown(
        "<ul><li><a href='#s' id=t>1</a> A</ul><div id=s><h2><a href='#t'>1</a> A</h2><p>b</div>",
        "- 1 A\n\n## 1 A\n\nb",
    );
    assert_markdown(
        "<p>a<sup><a href='#x1'>1</a></sup><p id=x1>b",
        "a<sup>1</sup>\n\nb",
    );
    assert_markdown(
        "<ul class=footnotes><li>a<li id=fn2>b</ul><ul><li id=fn3>c</ul>",
        "- a\n\n[^2]: b\n\n- c",
    );
}

#[test]
fn numbers_of_lines_are_not_code() {
    let expected = "```\na\n\n  b\n```";
    for page in [
        "<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>\n\
         <span class=lineno>3 </span>  b</pre>",
        "<pre><code><span style='user-select: none'> 1</span>a\n<span style='user-select:none'> 2\
         </span>\n<span style='user-select:none'> 3</span>  b</code></pre>",
        "<table><tr><td class=linenos><pre>1\n2\n3</pre><td class=code><pre>a\n\n  b</pre></table>",
        "<pre><code><table class=hljs-ln><tr><td class=hljs-ln-numbers data-line-number=1><td>a</td>\
         </tr><tr><td class=hljs-ln-numbers><td></tr><tr><td class=hljs-ln-numbers><td>  b</tr>\
         </table></code></pre>",
    ] {
        assert_markdown(page, expected);
    }
    assert_markdown(
        "<div class='highlight-source-c'><table><tr><td class=blob-num>1<td class=blob-code>a<tr>\
         <td class=blob-num>2<td>42</table></div>",
        "```c\na\n42\n```",
    );
    assert_markdown(
        "<pre><span class=ln>x</span> <span>1</span></pre>",
        "```\nx 1\n```",
    );
    assert_markdown(
        "<table><tr><th class=ln>no<th>name<tr><td>1<td>a</table>",
        "| no | name |\n| --- | --- |\n| 1 | a |",
    );
}

#[test]
fn tables_of_lines_keep_their_language_and_indent() {
    let rouge = |numbers: &str, code: &str| {
        format!(
            "<table class=rouge-table><tr><td class='gutter gl'><pre class=lineno>{numbers}</pre>\
             <td class=code><pre>{code}</pre></table>"
        )
    };
    let two = rouge("1\n2\n", "a\n  b\n");
    let expected = "```rust\na\n  b\n```";
    let code = |attributes: &str, content: &str| {
        format!("<figure><pre><code {attributes}>{content}</code></pre></figure>")
    };
    assert_markdown(&code("class=language-rust", &two), expected);
    assert_markdown(&format!("<div class=language-rust>{two}</div>"), expected);
    assert_markdown(&rouge("1\n", "a\n"), "```\na\n```");
    assert_markdown(
        "<div class=highlight-rust><div class=highlight><table class=highlighttable><tr>\
         <td class=linenos><div class=linenodiv><pre>1\n2</pre></div>\
         <td class=code><div><pre>a\n  b\n</pre></div></table></div></div>",
        expected,
    );
    assert_markdown(
        "<div class='highlight-source-rust'><table><tr><td class=blob-num>\
         <td class='blob-code js-file-line'><b>a</b></td>\
         </tr><tr><td class=blob-num><td class=blob-code>  <b>b</b></table></div>",
        expected,
    );
    assert_markdown(
        "<div class='ltx_listing x'><div class=ltx_listingline><span class='ltx_tag \
         ltx_tag_listingline'>1</span><span>for i in x:</span></div><div class=ltx_listingline>\
         <span class='ltx_tag ltx_tag_listingline'>2</span>b</div></div>c",
        "```\nfor i in x:\nb\n```\n\nc",
    );
    let number = |number: u8| format!("<span class='ltx_tag ltx_tag_listingline'>{number}</span>");
    let (one, two) = (number(1), number(2));
    assert_markdown(
        &format!(
            "<div class='ltx_listing ltx_lst_language_Rust'><div class=ltx_listing_data><a \
             href='data:text/plain,a'>⬇</a></div>\n<div class=ltx_listingline>\n{one}<b>a</b>\n\
             </div>\n<div class=ltx_listingline>\n{two}<span class=ltx_lst_space>&nbsp; </span>\
             <b>b</b>\n</div>\n</div>"
        ),
        expected,
    );
    assert_markdown(
        "<div class=fragment><div class=line><a></a><span class=lineno>   1</span>a</div>\n\
         <div class=line><span class=lineno>   2</span>  <b>b</b></div>\n</div>",
        "```\na\n  b\n```",
    );
    assert_markdown(
        "<div class=fragment><p>a<div class=line>b</div></div>",
        "a\n\nb",
    );
    for attributes in [
        "data-syntaxhighlighter-params='brush: rust; gutter: false'",
        "class=EnlighterJSRAW data-enlighter-language=rust",
        "class=rust",
        "lang=rust",
    ] {
        assert_markdown(&format!("<pre {attributes}>a\n  b</pre>"), expected);
    }
    assert_markdown("<pre><code class=rust>a\n  b</code></pre>", expected);
    assert_markdown("<pre lang=cs>a</pre>", "```\na\n```");
}

#[test]
fn code_with_line_breaks_is_a_block() {
    assert_markdown("<p><code>a<br>b</code></p>", "```\na\nb\n```");
    // Beside other text, it stays inline.
    assert_markdown("<p>In <code>a<br>b</code></p>", "In `a b`");
    assert_markdown("<ul><li><code>a<br>b</code></ul>", "- `a b`");
}

#[test]
fn captions_of_figures_with_a_table() {
    let table = "<table><tr><th>a<th>b<tr><td>1<td>2</table>";
    let expected = "Sizes\n\n| a | b |\n| --- | --- |\n| 1 | 2 |";
    let caption = "<figcaption>Sizes</figcaption>";
    for page in [format!("{caption}{table}"), format!("{table}{caption}")] {
        let page = format!("<figure>{page}</figure>");
        assert_markdown(&page, expected);
        assert_eq!(blocks_of(&page).len(), 1);
    }
    assert_eq!(
        blocks_of(&format!("<figure>{caption}</figure>{table}")).len(),
        2
    );
}

#[test]
fn labels_are_the_numbers_that_references_show() {
    assert_markdown(
        "<p>a<sup><a href='#fn-x-0f7' id=r1>1</a></sup> b<sup><a href='#fn-y-0f1'>2</a></sup><section \
         class=footnotes><ol><li id=fn-x-0f7>c<li id=fn-y-0f1>d</ol></section>",
        "a[^1] b[^2]\n\n[^1]: c\n\n[^2]: d",
    );
}

#[test]
fn notes_inside_the_text_are_footnotes() {
    let note = |mark: &str, text: &str| {
        let mark = format!("<sup class=ltx_note_mark>{mark}</sup>");
        format!(
            "{mark}<span class=ltx_note_outer><span class=ltx_note_content>{mark}<span \
             class='ltx_tag ltx_tag_note'>1</span>{text}</span></span>"
        )
    };
    let page = format!(
        "<p>one{} two{}, three{}.",
        note("1", "See <em>it</em>."),
        note("†", "x"),
        note("2", "10<sup>4</sup> (y)")
    );
    assert_markdown(
        &page,
        "one[^1] two[^inline-2-note], three[^2].\n\n[^1]: See *it*.\n\n[^inline-2-note]: x\n\n\
         [^2]: 10<sup>4</sup> (y)",
    );
    // Notes of several blocks stay where they are.
    let page = format!("one{} two", note("1", "<div>a</div><div>b</div>"));
    assert_markdown(&page, "one<sup>1</sup>\n\n(a\n\nb)\n\ntwo");
}

#[test]
fn labels_of_items_in_latexml_are_their_markers() {
    let item = |label: &str, tag: &str, text: &str| {
        format!("<li><span class='ltx_tag {tag}'>{label}</span>{text}")
    };
    let items = ["•", "2."].map(|label| item(label, "ltx_tag_item", "<div><p>a</div>"));
    assert_markdown(&format!("<ul>{}</ul>", items[0].repeat(2)), "- a\n- a");
    assert_markdown(&format!("<ol>{}</ol>", items[1]), "2. a");
    let entries = ["[1]", "Lee et al. (1999)"].map(|label| item(label, "ltx_tag_bibitem", "b"));
    assert_markdown(&format!("<ul>{}</ul>", entries[0]), "1. b");
    assert_markdown(&format!("<ul>{}</ul>", entries[1]), "- Lee et al. (1999) b");
    let entry = entries[1].replace("</span>", "</span> ");
    assert_markdown(&format!("<ul>{entry}</ul>"), "- Lee et al. (1999) b");
}

#[test]
fn numbers_of_equations_are_part_of_them() {
    assert_markdown("<div>(1)\\[x\\]</div>", "$$\nx \\tag{1}\n$$");
    assert_markdown("<p>$$x$$ (2.1a)</p>", "$$\nx \\tag{2.1a}\n$$");
    assert_markdown("<p>(see) \\[x\\]</p>", "(see) \\[x\\]");
    let math = "<math display=block><annotation encoding=application/x-tex>x</annotation></math>";
    let row = |number: &str| format!("<table><tr><td><td>{math}<td><td>{number}</table>");
    assert_markdown(&row("(3)"), "$$\nx \\tag{3}\n$$");
    assert_markdown(&row("for all"), "$$\nx\n$$\n\nfor all");
}

#[test]
fn filtered_pages_of_word_keep_lists_and_titles() {
    let item = |style: &str, text: &str| format!("<p class=MsoListParagraph {style}>{text}</p>");
    let page = [
        item("", "<span>·<span>&nbsp;&nbsp; </span></span>a"),
        item("style='margin-left:1.0in'", "o&nbsp; b"),
        item("", "1.&nbsp; <b>c</b>"),
        item("", "2.&nbsp; d"),
        item("", "I am text"),
    ];
    let page = format!("<p class=MsoTitle>T<p class=MsoQuote>Q{}", page.concat());
    assert_markdown(
        &page,
        "# T\n\n> Q\n\n- a\n  - b\n\n1. **c**\n2. d\n\nI am text",
    );
    let google = "<p class='c1 title' id=h.x1>T<p class='c2 subtitle' id=h.x2>S<p class=title>x";
    assert_markdown(google, "# T\n\n## S\n\nx");
}

#[test]
fn items_that_start_with_a_box_are_tasks() {
    assert_markdown(
        "<ul><li>☐ a<li>☒ <b>b</b><li>☑ c<li>☐<li>☐d</ul>",
        "- [ ] a\n- [x] **b**\n- [x] c\n- ☐\n- ☐d",
    );
}

#[test]
fn links_that_are_only_the_sign_of_a_paragraph_are_removed() {
    let link = "<a href='#a'>¶</a>";
    assert_markdown(&format!("<p>{link} a<p>b {link}"), "a\n\nb");
    assert_markdown("<div><a href=x>a</a> <a href='#a'>§</a></div>b", "a\n\nb");
    assert_markdown(
        "<p>see § 5, a<sup><a href='#n'>¶</a></sup>",
        "see § 5, a<sup>¶</sup>",
    );
}

#[test]
fn lines_of_highlighters_are_one_block() {
    let line = |number: usize, text: &str| {
        format!(
            "<div class='line number{number} index{} alt2'>{text}</div>",
            number - 1
        )
    };
    let gutter = [line(1, "1"), line(2, "2")].concat();
    let (one, two) = (
        line(1, "<code class='java a'>if</code> <code>(x)</code>"),
        line(
            2,
            "<code class='java spaces'>&nbsp;&nbsp;</code><code>y();</code>",
        ),
    );
    let table = |gutter: &str, one: &str, two: &str| {
        format!(
            "<div class='syntaxhighlighter java'><table><tr><td class=gutter>{gutter}</td>\
             <td class=code><div class=container>{one}{two}</div></td></table></div>"
        )
    };
    let expected = "```java\nif (x)\n  y();\n```";
    assert_markdown(&table(&gutter, &one, &two), expected);
    assert_markdown(&table(&line(1, "1"), &one, ""), "```java\nif (x)\n```");
    assert_markdown(
        "<div class=crayon-syntax><table class=crayon-table><tr class=crayon-row><td \
         class='crayon-nums '><div class=crayon-nums-content><div class=crayon-num>1</div><div \
         class=crayon-num>2</div></div></td><td class=crayon-code><div class=crayon-pre>\
         <div class=crayon-line id=a><span class=b>if</span> <span>(x)</span></div>\
         <div class=crayon-line id=b><span class=crayon-h>  </span><span>y();</span></div></div>\
         </td></table></div>",
        "```\nif (x)\n  y();\n```",
    );
    // Other containers and gutters.
    assert_markdown(
        "<div class=container><div class=line>a</div><div class=line>b</div></div>",
        "a\n\nb",
    );
    assert_markdown(
        "<table><tr><td class=gutter>&nbsp;<td><p>a<p>b<td class=gutter></table>",
        "a\n\nb",
    );
}

#[test]
fn code_copied_from_an_editor_is_one_block() {
    let styles = "font-family: Menlo, 'Courier New', monospace; white-space: pre";
    assert_markdown(
        &format!(
            "<div style=\"color: #ccc; {styles};\"><div><b>if</b> (x)</div><div>  y();</div></div>z"
        ),
        "```\nif (x)\n  y();\n```\n\nz",
    );
    assert_markdown(
        &format!("<div style=\"{styles}-wrap\"><div>a</div><div>b</div></div>"),
        "a\n\nb",
    );
}

#[test]
fn summaries_of_javadoc_are_tables() {
    let page = "<div class='summary-table three-column-summary'>\
        <div class='table-header col-first'>Type</div><div class='table-header col-second'>Method\
        </div><div class='table-header col-last'>Description</div>\
        <div class='col-first even-row-color'><code>int</code></div>\
        <div class='col-second even-row-color'><code>size()</code></div>\
        <div class='col-last even-row-color'><div class=block>The size.</div></div>\
        <div class='col-first odd-row-color'><code>void</code></div>\
        <div class='col-second odd-row-color'><code>clear()</code></div>\
        <div class='col-last odd-row-color'>&nbsp;</div></div><div class=col-first>x</div>";
    let expected = "| Type | Method | Description |\n| --- | --- | --- |\n\
        | `int` | `size()` | The size. |\n| `void` | `clear()` | |\n\nx";
    assert_markdown(page, expected);
}

#[test]
fn headings_with_only_notes_below_them_are_dropped() {
    let reference = "a<sup><a href=#fn1 id=r1>1</a></sup>";
    let notes = "<section class=footnotes><h2>Notes</h2><ol><li id=fn1>b</ol></section>";
    assert_markdown(&format!("<p>{reference}</p>{notes}"), "a[^1]\n\n[^1]: b");
    let expected = "a[^1]\n\n## Notes\n\n[^1]: b\n\n### More\n\nc";
    assert_markdown(
        &format!("<p>{reference}</p>{notes}<h3>More</h3><p>c"),
        expected,
    );
}

#[test]
fn tables_in_a_few_cells_leave_the_table() {
    let page = "<table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td><table><tr><th>x<th>y\
        <tr><td>4<td>5</table></table>";
    let blocks = blocks_of(page);
    assert_eq!(blocks.len(), 1);
    assert_eq!(
        corpus_blocks::plain_text::of_blocks(&blocks),
        "a\tb\n1\t2\n3\tx\ty\n4\t5"
    );
    let layout =
        "<table><tr><td>a<td>b<tr><td>c<td><table><tr><th>x<th>y<tr><td>4<td>5</table></table>";
    assert_ne!(blocks_of(layout).len(), 1);
}

#[test]
fn formulas_of_gitlab_are_formulas() {
    assert_markdown(
        "<p>a <code data-math-style=inline class='code math'>x^2</code> b\
         <pre class='code math' data-math-style=display><code><span class=line>y</span></code></pre>",
        "a $x^2$ b\n\n$$\ny\n$$",
    );
}
