//! Markup that carries meaning, in both engines.

use super::assert_documents_of_both;
use crate::extract::{Keep, Paragraphs};
use crate::{Engine, Options};

#[test]
fn scripts_keep_their_value() {
    assert_documents_of_both(&[
        ("10<sup>−4</sup> m", "10⁻⁴ m"),
        ("2<sup>10</sup>", "2¹⁰"),
        ("2<sup> 10 </sup>x", "2¹⁰ x"),
        ("H<sub>2</sub>O and CO<sub>2</sub>", "H₂O and CO₂"),
        (
            "x<sup>n+1</sup>, x<sub>i</sub><sup>2</sup>",
            "x^(n+1), x_i²",
        ),
        ("x<sup><i>n</i></sup>", "x^n"),
        ("<b>m</b><sup>2</sup>", "m²"),
        ("3<sup>1</sup>/<sub>2</sub>", "3¹/₂"),
        ("<sup>14</sup>C", "¹⁴C"),
        ("10<sup>10<sup>2</sup></sup>", "10^(10²)"),
        ("<pre>  x<sup>2</sup>\n y</pre>", "  x²\n y"),
        ("<ul><li>m<sup>2</sup><li><sup>3</sup>He</ul>", "m²\n³He"),
        ("<sup></sup>a<sup> </sup>b", "a b"),
        ("a<sup>2<br>3</sup>", "a2\n3"),
        ("a<sup><p>2</p></sup>", "a\n\n²"),
    ]);
}

#[test]
fn ordinals_and_references_to_notes_stay() {
    assert_documents_of_both(&[
        ("the 1<sup>st</sup> of 22<sup>nd</sup>", "the 1st of 22nd"),
        ("XX<sup>e</sup> siècle, M<sup>me</sup>", "XXe siècle, Mme"),
        ("word<sup><a href=#1>[1]</a></sup>", "word[1]"),
        ("word<sup><a href=#1>1</a></sup>.", "word¹."),
        ("word<sup>*</sup> <sup>†</sup>", "word* †"),
        ("Brand<sup>®</sup> Other<sup>TM</sup>", "Brand® Other™"),
        ("語<sup>注1</sup>", "語注1"),
    ]);
}

#[test]
fn references_do_not_continue_numbers() {
    assert_documents_of_both(&[
        ("5.25%<a href='#f1'>1</a> again", "5.25%¹ again"),
        ("in 1999<a href='#f2' id=r2>2</a>.", "in 1999²."),
        (
            "end.<a href='/p#f12'><span>12</span></a> Next",
            "end.¹² Next",
        ),
        ("語<a href='#f1'>1</a>", "語¹"),
        // Other links, and references that are separate already.
        ("in 1999 <a href='#f2'>2</a>", "in 1999 2"),
        ("in 1999<a href='#f2'>[2]</a>", "in 1999[2]"),
        ("1<a href='?p=2'>2</a><a href='?p=3'>3</a>", "123"),
        ("[<a href='#f2'>2</a>] 1/<a href='#f3'>3</a>", "[2] 1/3"),
        ("word<a href='#f2'>s</a> 1<a href='#'>2</a>", "words 12"),
        ("<pre>a1<a href='#L2'>2</a></pre>", "a12"),
        ("a<sup>1,<a href='#f2'>2</a></sup>", "a¹,²"),
    ]);
    let note = |number: &str, text: &str| {
        let mark = format!("<sup class=ltx_note_mark>{number}</sup>");
        format!(
            "<span class='ltx_note ltx_role_footnote'>{mark}<span class=ltx_note_outer><span \
             class=ltx_note_content>{mark}<span class='ltx_tag ltx_tag_note'>{number}</span>{text}\
             </span></span></span>"
        )
    };
    let page = format!(
        "in 10{}, and{}.",
        note("2", "<b>Second</b> note."),
        note("3", "x")
    );
    assert_documents_of_both(&[(&*page, "in 10² (Second note.), and³ (x).")]);
}

#[test]
fn the_signs_of_permalinks_are_removed() {
    let link = "<a class=headerlink href='#a'>¶</a>";
    let document = |before: &str, after: &str| format!("{before}{link}{after}");
    assert_documents_of_both(&[
        (&document("<h1>API", "</h1>b"), "API\n\nb"),
        (&document("<dl><dt>load() ", "<dd>Load"), "load()\nLoad"),
        (&document("<p>a ", "b"), "a b"),
        (&document("<p>a", " b"), "a b"),
        (
            &document("<table><tr><td>a", "<td>b<tr><td>c<td>d"),
            "a\tb\nc\td",
        ),
        ("a<sup><a href='#n'>¶</a></sup>", "a¶"),
        ("<p>a<p>¶ b", "a\n\n¶ b"),
        ("a <a href='#n'>§ ¶</a>", "a § ¶"),
    ]);
}

#[test]
fn the_links_of_scripts_are_counted() {
    let page = "<p>ab<sup><a href=x>12</a></sup> <a href=y>m<sup>2</sup></a>";
    let extract = Engine::Native
        .read(page, &Options::default(), Paragraphs::default)
        .finish();
    let paragraph = extract.paragraphs().next().unwrap();
    assert_eq!((paragraph.text, paragraph.link_characters), ("ab¹² m²", 4));
}

#[test]
fn quotations_have_the_marks_of_their_language() {
    assert_documents_of_both(&[
        ("<q>a <q>b</q></q>", "“a ‘b’”"),
        ("<html lang=de>x <q>a <q>b</q></q>.", "x „a ‚b‘“."),
        ("<html lang=fr><q>a</q> <q lang=en>b</q>", "« a » “b”"),
        ("<html lang=ja>彼は<q>はい</q>と", "彼は「はい」と"),
        ("“<q>a</q>” <q>\"b\"</q>", "“a” \"b\""),
        ("a<q></q>b<q> </q>c", "ab c"),
        ("a <q>b</q>c<div><q>d<p>e</q>", "a “b”c\n\n“d\n\ne”"),
    ]);
}

#[test]
fn deleted_text_is_marked() {
    assert_documents_of_both(&[
        ("<del>a</del> <ins>b</ins>", "~~a~~ b"),
        ("$<s>50</s> <strike>x y </strike>40", "$~~50~~ ~~x y~~ 40"),
        ("<del><p>a</p><p>b</p></del><p>c", "~~a\n\nb~~\n\nc"),
        ("a<s></s><s class=icon> </s>b", "a b"),
        ("<s><img src=x></s>a", "a"),
        ("<pre> <del> a</del></pre>", "  ~~a~~"),
        ("<del>日本</del>語", "~~日本~~語"),
    ]);
}

#[test]
fn styles_separate_blocks_and_boxes() {
    assert_documents_of_both(&[
        (
            "<span style='display:block'>Mon</span><span style='display:block'>Tue</span>Wed",
            "Mon\n\nTue\n\nWed",
        ),
        (
            "<div style='display:flex'><span>Mon</span><span><b>T</b>ue</span></div>Wed",
            "Mon Tue\n\nWed",
        ),
        (
            "<a style='display:table-cell'>a</a><a style='display:table-cell'>b</a>",
            "a b",
        ),
        (
            "<span style='display:inline-flex'><i>a</i><i>b</i></span>c",
            "a b c",
        ),
        ("<i style='display:inline-block'>a</i>b", "ab"),
        ("<ul><li style='display:flex'><b>a</b>b<li>c</ul>", "a b\nc"),
        ("<b style='display:block'>a<b>b</b>c</b>d", "abc\n\nd"),
        (
            "<span role=row><span role=cell>a</span><span role=' GridCell'>b</span></span>\
             <span role=row><span role=rowheader>c</span><span role=img>d</span>e</span>",
            "a b\n\nc de",
        ),
    ]);
}

#[test]
fn pictures_that_stand_for_words_are_text() {
    assert_documents_of_both(&[
        ("fine <img alt='😀' src=x> day", "fine 😀 day"),
        ("fine <img class=wp-smiley alt=':)' src=x>", "fine :)"),
        ("<img alt=T src=t.gif>he story", "The story"),
        ("<img class=gaiji alt='※（木＋鬼）'>の", "※（木＋鬼）の"),
        ("a <img alt='a lake'> b", "a b"),
        ("a <img alt='*'> b<img alt='1'>", "a b"),
        ("<a href=x><img alt='a lake'></a> b", "a lake b"),
        (
            "<a href=x><img alt='one'><img alt=' lake '></a>",
            "one lake",
        ),
        ("<a href=x><img alt='a lake'>Lake</a>", "Lake"),
        ("<a href=x>Lake<img alt='a lake'></a>", "Lake"),
        ("<a href=x><img alt='DSC_1.JPG'></a>b", "b"),
        ("<a href=x><img></a>b", "b"),
        // A picture beside the same words adds nothing.
        (
            "<a href=x><img alt='a lake'></a> <a href=x>a lake</a> b",
            "a lake b",
        ),
        (
            "<a href=x>a lake</a> <a href=x><img alt='a lake'></a>b",
            "a lake b",
        ),
        (
            "<a href=x><img alt='a lake'></a> <a href=x>a lake, too</a>",
            "a lake a lake, too",
        ),
        ("<a href=x hidden><img alt='a lake'></a>b", "b"),
        // A heading that is a picture, alone or in a link.
        (
            "<h1><img alt='Lakes'> <img alt=Sea></h1>a",
            "Lakes Sea\n\na",
        ),
        (
            "<h1><a href=x><img alt='Lakes'></a></h1><img alt=i>a",
            "Lakes\n\na",
        ),
        (
            "<a href=x><h1><img alt='Lakes'></h1></a><img alt=i>a",
            "Lakes\n\na",
        ),
        ("<h1>A <img alt='lake'></h1><img alt=i>a", "A\n\na"),
        ("<h1></h1><img alt='lake'>a", "a"),
        ("<h1><img alt='x.png'></h1>a", "a"),
        (
            "<ul><li><a href=x><img alt=One1></a><li><a href=y><img alt=Two2></a></ul>",
            "One1\nTwo2",
        ),
    ]);
}

#[test]
fn formulas_of_encyclopedias_are_written_once() {
    let formula = "<span class=\"mwe-math-element\"><span class=\"mwe-math-mathml-inline \
        mwe-math-mathml-a11y\" style=\"display: none;\"><math alttext=\"{\\displaystyle x^{2}}\">\
        <semantics><msup><mi>x</mi><mn>2</mn></msup>\
        <annotation encoding=\"application/x-tex\">{\\displaystyle x^{2}}</annotation></semantics></math></span>";
    let picture = "<img class=\"mwe-math-fallback-image-inline\" alt=\"{\\displaystyle x^{2}}\">";
    let hidden = picture.replace("<img", "<img aria-hidden=true");
    let tex = "a ${\\displaystyle x^{2}}$ b";
    assert_documents_of_both(&[
        (&format!("a {formula}{picture}</span> b"), tex),
        (&format!("a {formula}{hidden}</span> b"), tex),
        (&format!("a {picture} b"), tex),
        (&format!("a {hidden} b"), tex),
        (
            "a <img class=latex alt='x^2'><img class=tex alt=y> b",
            "a $x^2$$y$ b",
        ),
        (
            "a <img class=math alt='x^2'> <img class='ql-img-inline-formula' alt=y> b",
            "a $x^2$ $y$ b",
        ),
        (
            "a <img src='https://a/svg.latex?x%5E2' alt='x^2'> <img src='/f.svg?w=1&tex=y_1' alt='\\frac y2'> b",
            "a $x^2$ $\\frac y2$ b",
        ),
        // A picture repeats the formula before it only within a block.
        (
            "<math display=block><mi>x</mi></math><p><img class=latex alt='y^2'> a",
            "x\n\n$y^2$ a",
        ),
        (
            &format!("<p>{formula}</p><p>{picture} a"),
            "${\\displaystyle x^{2}}$\n\n${\\displaystyle x^{2}}$ a",
        ),
        (
            "<p><math display=block><mi>x</mi></math><img class=tex alt=x> a",
            "x\n\na",
        ),
        // Other pictures, and texts that are not TeX.
        (
            "a <img src='/latex/x.png' alt='x^2'> <img src='/x.png?text=1' alt='x^2'> \
             <img src='/latex?x' alt='A formula'> b",
            "a b",
        ),
    ]);
}

#[test]
fn formulas_of_scripts_are_written() {
    assert_documents_of_both(&[
        (
            "a <script type='math/tex'>x < y_1</script> b",
            "a $x < y_1$ b",
        ),
        (
            "<p>a<script type='math/tex; mode=display'>x\n^2</script>b",
            "a\n\n$$x ^2$$\n\nb",
        ),
        (
            "a <script type=math/asciimath>sum_(i=1)^n</script>",
            "a sum_(i=1)^n",
        ),
        (
            "a<script type=math/mml><math><msup><mi>x</mi><mn>2</mn></msup></math></script>",
            "ax²",
        ),
        ("a<script type=text/javascript>b</script>", "a"),
        // MathJax leaves its rendering before the script.
        (
            "<span class=MathJax><nobr aria-hidden=true>x2</nobr><span class=MJX_Assistive_MathML>\
             <math><msup><mi>x</mi><mn>2</mn></msup></math></span></span>\
             <script type='math/tex'>x^2</script> and <script type='math/tex'>y</script>",
            "$x^2$ and $y$",
        ),
        // Its preview repeats the script.
        (
            "a <span class='x MathJax_Preview'>x<sup>2</sup></span><script type='math/tex'>x^2</script> b",
            "a $x^2$ b",
        ),
        ("<span class=MathJax_Previews>a</span>", "a"),
        // Other formulas are not repetitions.
        (
            "<math><mi>x</mi></math> <script type='math/tex'>y</script>",
            "x $y$",
        ),
        (
            "<math><annotation encoding=TeX>x</annotation></math> <script type='math/tex'>y</script>",
            "$x$ $y$",
        ),
        (
            "<math><annotation encoding=TeX>x</annotation></math> <img class=tex alt=y>",
            "$x$ $y$",
        ),
        // KaTeX hides its rendering.
        (
            "<span class=katex><span class=katex-mathml><math><semantics><mi>x</mi><annotation \
             encoding='application/x-tex'>x</annotation></semantics></math></span>\
             <span class=katex-html aria-hidden=true>x</span></span>",
            "$x$",
        ),
    ]);
}

#[test]
fn formulas_in_hidden_parts_stay_hidden() {
    assert_documents_of_both(&[
        (
            "a<div style=display:none><math><mi>x</mi></math></div>",
            "a",
        ),
        ("a<math hidden><mi>x</mi></math>b", "ab"),
        ("a<svg><title>x</title><math><mi>x</mi></math></svg>b", "ab"),
    ]);
}

#[test]
fn pages_inside_the_page_are_part_of_it() {
    assert_documents_of_both(&[
        (
            "a<iframe srcdoc='<head><title>t</title></head><p>b<p>c&amp;lt;'>old</iframe>d",
            "a\n\nb\n\nc<\n\nd",
        ),
        (
            "a<iframe srcdoc='<table>b<tr><td>c</table>'></iframe>",
            "a\n\nb\n\nc",
        ),
        ("a<iframe hidden srcdoc='b'></iframe>c", "a c"),
        (
            "a<iframe srcdoc='<noscript>b</noscript><script>c</script>'></iframe>d",
            "a\n\nd",
        ),
        (
            "<x-card><template shadowrootmode=open><h2>a</h2><slot></slot></template><p>b</x-card>",
            "a\n\nb",
        ),
        ("<p>a<template shadowrootmode=none>b</template>c", "ac"),
        (
            "<p>a<template><template shadowrootmode=open>b</template></template>c",
            "ac",
        ),
    ]);
    let mut page = "<p>deep".to_owned();
    for _ in 0..12 {
        let escaped = page.replace('&', "&amp;").replace('"', "&quot;");
        page = format!("x<iframe srcdoc=\"{escaped}\"></iframe>");
    }
    assert_documents_of_both(&[(&page, "x\n\nx\n\nx\n\nx")]);
}

#[test]
fn paths_lead_through_pages_inside_the_page() {
    let page = "<div><iframe srcdoc='<body class=b><p id=c>d'></iframe></div>\
        <x-y><template shadowrootmode=open><p>e</template></x-y><i style=display:block>f</i>";
    for engine in [Engine::Native, Engine::Html5ever] {
        let extract = engine
            .read(page, &Options::default(), Paragraphs::default)
            .finish();
        let paths: Vec<&str> = extract.paragraphs().map(|p| p.path).collect();
        assert_eq!(
            paths,
            ["body>div>iframe>p#c", "body>x-y>template>p", "body>i"]
        );
    }
}

#[test]
fn hidden_and_marked_items_have_the_same_rules() {
    let keep = Keep {
        hidden: true,
        bullets: true,
    };
    for (page, expected) in [
        (
            "<ul><li><del>a</del><li hidden>m<sup>2</sup></ul>",
            "• ~~a~~\n• m²",
        ),
        (
            "<p style=display:none>a<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>",
            "a1/2",
        ),
        ("<iframe hidden srcdoc='<p>a'></iframe>", ""),
    ] {
        for engine in [Engine::Native, Engine::Html5ever] {
            let text = keep.read(engine, page, &Options::default(), Paragraphs::of);
            assert_eq!(text.finish().document, expected, "{engine} {page}");
        }
    }
}
