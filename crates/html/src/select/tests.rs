use super::{Content, Limits, Selection, Selector, select};
use crate::events::Options;

const PAGE: &str = "<!DOCTYPE html><html lang=en><head><title>T</title></head><body>
<div id=main class='content Wide'>
  <h1>One</h1><p class=lead>First <b>bold</b><br>line</p>
  <p>Second&nbsp; para</p>
  <ul><li>a<li id=b class=x>b<li><a href='/c?a=1&amp;b=2'>c</a></ul>
</div>
<div class=footer><p></p><a name=n>no link</a><script>1 < 2</script></div>
<svg viewBox='0 0 1 1'><linearGradient id=g /><a href=q>s</a></svg>
<template><p class=in>t</p></template>";

const LIMITS: Limits = Limits {
    content_bytes: usize::MAX,
    steps: 1_000_000,
};

fn run(page: &str, selector: &str) -> Selection {
    let selector = Selector::parse(selector).unwrap();
    select(page, &selector, &Options::default(), LIMITS)
}

/// The text and the HTML of each element.
fn contents(selection: &Selection) -> Vec<Option<(&str, &str)>> {
    let contents = selection.elements.iter().map(|element| {
        let Content { html, text } = element.content()?;
        Some((&selection.text[text.clone()], &selection.html[html.clone()]))
    });
    contents.collect()
}

fn first(selection: &Selection) -> (&str, &str) {
    contents(selection)[0].unwrap()
}

/// The tags of the matches, each with its id or else its text.
fn found(selector: &str) -> String {
    let selection = run(PAGE, selector);
    assert_eq!(selection.error, None);
    let contents = contents(&selection).into_iter();
    let found = selection
        .elements
        .iter()
        .zip(contents)
        .map(|(element, content)| {
            let id = selection
                .attributes(element)
                .find(|(name, _)| *name == "id");
            let id = id.map_or(content.unwrap().0.to_owned(), |(_, id)| format!("#{id}"));
            format!("{}:{id}", selection.tag(element))
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
fn content_of_an_element() {
    let selection = run(PAGE, "#main > ul");
    assert_eq!(selection.elements.len(), 1);
    assert_eq!(selection.tag(&selection.elements[0]), "ul");
    let html = "<ul><li>a</li><li id=\"b\" class=\"x\">b</li><li><a href=\"/c?a=1&amp;b=2\">c</a></li></ul>";
    assert_eq!(first(&selection), ("a\nb\nc", html));
    let selection = run(PAGE, "#main a");
    let attributes: Vec<_> = selection.attributes(&selection.elements[0]).collect();
    assert_eq!(attributes, [("href", "/c?a=1&b=2")]);
    assert_eq!(first(&run(PAGE, ".footer")).0, "no link");
    let script = ("1 < 2", "<script>1 < 2</script>");
    assert_eq!(first(&run(PAGE, "script")), script);
}

#[test]
fn text_of_blocks() {
    let page =
        "<div>  a <b> b</b>c<p>d\n e<br>f</p>g<table><tr><td>1<td>2</table>\u{3000}日 本<div>";
    let selection = run(page, "body > div");
    assert_eq!(first(&selection).0, "a bc\nd e\nf\ng\n1\n2\n\u{3000}日 本");
}

/// A match inside another one equals the result of a separate search.
#[test]
fn nested_elements_share_their_content() {
    let page = "<div id=a> x <p id=b>y <b id=c> z</b>w</p><script id=d>s <b></script>\
        <template id=e>t<p id=f>u</p><template id=g>v<i id=h>w</i></template> q</template>\
        <noscript id=i>n</noscript><br id=j><p id=k> <i id=l></i></p>end <pre id=m>\n a\n b</pre></div>";
    let all = run(page, "[id]");
    let all = contents(&all);
    assert_eq!(all.len(), 13);
    for (index, id) in ('a'..='m').enumerate() {
        let alone = run(page, &format!("#{id}"));
        assert_eq!(all[index], contents(&alone)[0], "{id}");
    }
    assert_eq!(all[0].unwrap().0, "x\ny zw\nend\na b");
    assert_eq!(all[4].unwrap().0, "t\nu\nq");
    assert_eq!(all[6].unwrap().0, "vw");
}

#[test]
fn wrong_selectors() {
    for (selector, position, expected) in [
        ("", 1, "a selector is missing"),
        ("div >", 6, "a selector is missing next to a combinator"),
        ("日本 > p..x", 8, "`.` needs the name of a class"),
        ("a:hover", 3, "`:hover` is not a pseudo-class"),
        ("a::before", 3, "`:before` is not a pseudo-class"),
        ("svg|a", 4, "namespaces have no prefix"),
        ("a[=x]", 3, "an attribute is written"),
        ("a,\n, b", 4, ""),
        ("li:nth-child(x)", 15, "unexpected `x`"),
        (":is()", 5, ""),
        ("a }", 3, ""),
    ] {
        let error = Selector::parse(selector).unwrap_err().to_string();
        assert!(error.contains(expected), "{selector}: {error}");
        let position = format!("at character {position}:");
        assert!(error.contains(&position), "{selector}: {error}");
    }
    let nested = ":not(".repeat(100) + "a" + &")".repeat(100);
    assert!(
        Selector::parse(&nested)
            .unwrap_err()
            .to_string()
            .contains("brackets")
    );
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
fn nested_elements_are_all_listed() {
    let page = "<div>".repeat(400) + &"x".repeat(100_000);
    let selection = run(&page, "div");
    assert!(
        contents(&selection)
            .iter()
            .all(|c| c.unwrap().0.len() == 100_000)
    );
    assert_eq!(selection.elements.len(), 400);
    // Each byte is stored once.
    assert!(selection.text.len() + selection.html.len() < 3 * page.len());
}

/// Large contents that repeat others are dropped first.
#[test]
fn contents_beyond_the_limit_are_dropped_one_by_one() {
    let page = "<div>".repeat(400) + &"<p>some words</p>".repeat(100);
    let selector = Selector::parse("div, p").unwrap();
    let limits = Limits {
        content_bytes: 100_000,
        ..LIMITS
    };
    let selection = select(&page, &selector, &Options::default(), limits);
    assert_eq!(selection.error, None);
    let contents = contents(&selection);
    assert_eq!(contents.len(), 500);
    let dropped = contents.iter().position(Option::is_some).unwrap();
    assert!((300..400).contains(&dropped), "{dropped}");
    assert!(contents[dropped..].iter().all(Option::is_some));
    let bytes: usize = contents
        .iter()
        .flatten()
        .map(|c| c.0.len() + c.1.len())
        .sum();
    assert!((90_000..=100_000).contains(&bytes), "{bytes}");
}

#[test]
fn an_exhausted_search_is_reported() {
    let page = "<p>".repeat(3_000);
    let selection = run(&page, "h1 ~ p, p:nth-child(7)");
    let error = selection.error.unwrap();
    assert!(error.contains("elements are missing"), "{error}");
    assert_eq!(selection.elements.len(), 1);
    // A single match may visit all nodes repeatedly.
    let page = "<b><i></i></b>".repeat(3_000);
    let selection = run(&page, "body:has(u ~ b)");
    assert!(selection.error.is_some());
    assert_eq!(selection.elements.len(), 0);
    let page = "<p>".repeat(1_000);
    assert_eq!(run(&page, "h1 ~ p").error, None);
    assert_eq!(run(&page, "p:nth-child(2)").elements.len(), 1);
    assert_eq!(run(&page, "body > p:nth-last-child(3n + 1)").error, None);
}

#[test]
fn markup_that_the_parser_ignored_is_reported() {
    let attributes: String = (0..300).map(|i| format!(" a{i}")).collect();
    let names: String = (0..5000)
        .map(|i| format!("<unknown-{i}></unknown-{i}>"))
        .collect();
    for (page, expected) in [
        ("<div>".repeat(600) + "<p>x", "nested too deep"),
        ("<div>".repeat(600) + "<i>x", "nested too deep"),
        (format!("<p{attributes}>x"), "surplus attributes"),
        (format!("<b{attributes}>x"), "surplus attributes"),
        (format!("<p>x<body{attributes}>"), "surplus attributes"),
        (names, "unknown names"),
    ] {
        let error = run(&page, "p").error.unwrap();
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(run(&("<div>".repeat(400) + "<p>x"), "p").error, None);
}
