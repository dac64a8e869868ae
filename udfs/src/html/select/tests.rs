use super::{Selection, Selector, select};
use crate::html::events::Options;

const PAGE: &str = "<!DOCTYPE html><html lang=en><head><title>T</title></head><body>
<div id=main class='content Wide'>
  <h1>One</h1><p class=lead>First <b>bold</b><br>line</p>
  <p>Second&nbsp; para</p>
  <ul><li>a<li id=b class=x>b<li><a href='/c?a=1&amp;b=2'>c</a></ul>
</div>
<div class=footer><p></p><a name=n>no link</a><script>1 < 2</script></div>
<svg viewBox='0 0 1 1'><linearGradient id=g /><a href=q>s</a></svg>
<template><p class=in>t</p></template>";

fn run(page: &str, selector: &str) -> Selection {
    let selector = Selector::parse(selector).unwrap();
    select(page, &selector, &Options::default(), usize::MAX)
}

/// Tags with ids, or else the text.
fn found(selector: &str) -> String {
    let selection = run(PAGE, selector);
    assert!(!selection.is_cut);
    let found = selection.elements.into_iter().map(|element| {
        let id = element.attributes.iter().find(|(name, _)| name == "id");
        let id = id.map_or(element.text, |(_, id)| format!("#{id}"));
        format!("{}:{id}", element.tag)
    });
    found.collect::<Vec<_>>().join(" ").replace('\n', "/")
}

#[test]
fn selectors() {
    for (selector, expected) in [
        ("h1", "h1:One"),
        ("H1", "h1:One"),
        ("#b", "li:#b"),
        (".content.Wide > h1", "h1:One"),
        (".wide", ""),
        ("div .lead b", "b:bold"),
        ("h1 + p", "p:First bold/line"),
        ("h1 ~ p", "p:First bold/line p:Second para"),
        ("h1, #b", "h1:One li:#b"),
        ("li:first-child", "li:a"),
        ("li:last-child a", "a:c"),
        ("li:nth-child(2n)", "li:#b"),
        ("li:nth-child(odd)", "li:a li:c"),
        ("li:nth-last-child(1 of .x)", "li:#b"),
        ("p:nth-of-type(2)", "p:Second para"),
        ("p:only-of-type", "p: p:t"),
        ("p:empty", "p:"),
        ("html:root > body > :not(div, svg, template)", ""),
        ("ul :is(#b, a)", "li:#b a:c"),
        ("li:where(.x)", "li:#b"),
        ("li:has(> a)", "li:c"),
        ("h1:has(+ .lead)", "h1:One"),
        ("ul:has(a[name])", ""),
        ("a:any-link", "a:c a:s"),
        ("a:not(:link)", "a:no link"),
        ("[href]", "a:c a:s"),
        ("[href='/c?a=1&b=2']", "a:c"),
        ("[href^='/c'][href$='2' i][href*=a]", "a:c"),
        ("[class~=Wide]", "div:#main"),
        ("[lang|=en] > head > title", "title:T"),
        ("[CLASS=lead]", "p:First bold/line"),
        ("[id=B i]", "li:#b"),
        ("linearGradient", "linearGradient:#g"),
        ("lineargradient", ""),
        ("svg[viewBox]", "svg:s"),
        ("*|a[href=q]", "a:s"),
        ("template .in", "p:t"),
        ("li#b.x[class]:not(.y)::before, h1", "error"),
        ("br", "br:"),
        (":scope > body > div > h1", "h1:One"),
    ] {
        if expected == "error" {
            assert!(Selector::parse(selector).is_err(), "{selector}");
        } else {
            assert_eq!(found(selector), expected, "{selector}");
        }
    }
}

#[test]
fn what_is_told_of_an_element() {
    let selection = run(PAGE, "#main > ul");
    let [ul] = selection.elements.as_slice() else {
        panic!("{selection:?}")
    };
    assert_eq!(ul.tag, "ul");
    assert_eq!(ul.text, "a\nb\nc");
    assert_eq!(
        ul.html,
        "<ul><li>a</li><li id=\"b\" class=\"x\">b</li><li><a href=\"/c?a=1&amp;b=2\">c</a></li></ul>"
    );
    let selection = run(PAGE, "#main a");
    let expected = ("href".to_owned(), "/c?a=1&b=2".to_owned());
    assert_eq!(selection.elements[0].attributes, [expected]);
    assert_eq!(run(PAGE, "script").elements[0].text, "1 < 2");
    assert_eq!(run(PAGE, ".footer").elements[0].text, "no link");
    let html = &run(PAGE, "script").elements[0].html;
    assert_eq!(html, "<script>1 < 2</script>");
}

#[test]
fn text_of_blocks() {
    let page =
        "<div>  a <b> b</b>c<p>d\n e<br>f</p>g<table><tr><td>1<td>2</table>\u{3000}日 本<div>";
    let selection = run(page, "body > div");
    let text = &selection.elements[0].text;
    assert_eq!(text, "a bc\nd e\nf\ng\n1\n2\n\u{3000}日 本");
}

#[test]
fn wrong_selectors() {
    for (selector, position, expected) in [
        ("", 1, "a selector is missing"),
        ("div >", 6, "a selector is missing beside a combinator"),
        ("日本 > p..x", 8, "`.` needs the name of a class"),
        ("a:hover", 3, "`:hover` is no pseudo-class"),
        ("a::before", 3, "`:before` is no pseudo-class"),
        ("svg|a", 4, "namespaces have no prefix"),
        ("a[=x]", 3, "an attribute is written"),
        ("a,\n, b", 4, ""),
        ("li:nth-child(x)", 15, "`x` is not expected"),
        (":is()", 5, ""),
        ("a }", 3, ""),
    ] {
        let error = Selector::parse(selector).unwrap_err();
        assert!(error.contains(expected), "{selector}: {error}");
        let position = format!("at character {position}:");
        assert!(error.contains(&position), "{selector}: {error}");
    }
    let nested = ":not(".repeat(100) + "a" + &")".repeat(100);
    assert!(Selector::parse(&nested).unwrap_err().contains("brackets"));
}

#[test]
fn quirks_mode_ignores_the_case_of_classes() {
    let page = "<p class=A id=B>x";
    assert_eq!(run(page, ".a#b").elements.len(), 1);
    let page = format!("<!DOCTYPE html>{page}");
    assert_eq!(run(&page, ".a#b").elements.len(), 0);
    assert_eq!(run(&page, ".A#B").elements.len(), 1);
}

#[test]
fn elements_in_each_other_are_bounded() {
    let page = "<div>".repeat(400) + &"x".repeat(1000);
    let selector = Selector::parse("div").unwrap();
    let selection = select(&page, &selector, &Options::default(), 100_000);
    assert!(selection.is_cut);
    let bytes: usize = selection
        .elements
        .iter()
        .map(|e| e.text.len() + e.html.len())
        .sum();
    assert!((50_000..=100_000).contains(&bytes), "{bytes}");
}

#[test]
fn siblings_are_looked_at_for_a_bounded_time() {
    let selection = run(&"<p>".repeat(7_000), "h1 ~ p");
    assert!(selection.is_cut);
    let page = "<p>".repeat(1_000);
    assert!(!run(&page, "h1 ~ p").is_cut);
    assert_eq!(run(&page, "p:nth-child(2)").elements.len(), 1);
    assert!(!run(&page, "body > p:nth-last-child(3n + 1)").is_cut);
}
