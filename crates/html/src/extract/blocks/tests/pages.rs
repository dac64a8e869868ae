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
    let blocks = blocks_of(&format!("<p>a {linear}"));
    assert_eq!(corpus_blocks::plain::plain(&blocks), "a a/2");
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
fn hostile_pages_stay_small() {
    const CELLS: usize = 300_000;
    let page = format!("<table><tr>{}</table>", "<td>x".repeat(CELLS));
    let blocks = blocks_of(&format!("{page}{page}"));
    assert_eq!(blocks.len(), 2 * CELLS);
    let page = format!("<table>{}</table>", "<tr><td>x<td>y".repeat(CELLS));
    assert_eq!(blocks_of(&page).len(), 1);
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
    let link = "<a class=headerlink href='#fruit'>¶</a>";
    assert_markdown(&format!("<h2>Fruit{link}</h2>"), "## Fruit");
    assert_markdown(
        &format!("<h2>Ripe <b>fruit</b> {link}</h2>"),
        "## Ripe **fruit**",
    );
    assert_markdown("<h2>¶</h2><p>Section 5¶", "## ¶\n\nSection 5¶");
}
