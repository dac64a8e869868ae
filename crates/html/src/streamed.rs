//! Pages that React streams: a part that takes longer follows the page in a hidden element, and a
//! script moves it to its place.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use corpus_markup::{Name, Syntax, Tag, Token, Tokenizer};

/// Whether an element is the place of a part that follows later.
pub fn is_place(tag: &Tag<'_>) -> bool {
    tag.name == Name::TEMPLATE
        && id(tag).is_some_and(|id| id.starts_with("B:") || id.starts_with("P:"))
}

/// Moves the parts of a page to their places, where each replaces its fallback.
///
/// ```text
/// <!--$?--><template id="B:0"></template>Loading<!--/$--> … <div hidden id="S:0">part</div>
/// ```
pub fn in_place(page: &str) -> Cow<'_, str> {
    let page = page.strip_prefix('\u{FEFF}').unwrap_or(page);
    let (places, mut parts) = places_and_parts(page);
    if places.is_empty() {
        return Cow::Borrowed(page);
    }
    let ids: HashSet<&str> = places.iter().map(|place| &*place.id).collect();
    // The ranges left out of the copy: places, and parts that have a place.
    let moved = parts.iter().filter(|(id, _)| ids.contains(&***id));
    let moved = moved.map(|(_, part)| (part.element.clone(), None));
    let mut gaps: Vec<(Range<usize>, Option<&Place>)> = moved.collect();
    gaps.extend(places.iter().map(|place| (place.tag.clone(), Some(place))));
    gaps.sort_unstable_by_key(|(range, _)| range.start);
    let mut html = String::with_capacity(page.len());
    let mut open = Vec::new();
    open.push(0..page.len());
    while let Some(range) = open.pop() {
        let next = gaps.partition_point(|(gap, _)| gap.start < range.start);
        let next = gaps.get(next).filter(|(gap, _)| gap.start < range.end);
        let end = next.map_or(range.end, |(gap, _)| gap.start);
        html.push_str(page.get(range.start..end).unwrap_or_default());
        let Some((gap, place)) = next else {
            continue;
        };
        // Each part is moved only once, so the result is no longer than the page.
        let part = place.and_then(|place| parts.remove(&place.id));
        let fallback = place.filter(|_| part.is_some()).map(|place| place.end);
        open.push(fallback.unwrap_or(gap.end).max(gap.end)..range.end);
        open.extend(part.map(|part| part.content));
    }
    Cow::Owned(html)
}

struct Place {
    /// The name of its part, without the prefix.
    id: String,
    tag: Range<usize>,
    /// The end of its fallback.
    end: usize,
}

struct Part {
    element: Range<usize>,
    content: Range<usize>,
}

fn places_and_parts(page: &str) -> (Vec<Place>, HashMap<String, Part>) {
    let mut places: Vec<Place> = Vec::new();
    let mut parts = HashMap::new();
    // The open part, the start of its content, and the number of open elements with its name.
    let mut part: Option<(String, Range<usize>, usize)> = None;
    // For each open boundary, its place if it waits for a part.
    let mut boundaries: Vec<Option<usize>> = Vec::new();
    let mut tokens = Tokenizer::new(page, Syntax::Html);
    loop {
        let start = tokens.offset();
        let Some(token) = tokens.next_token() else {
            return (places, parts);
        };
        match token {
            Token::Start(tag) if is_place(&tag) => {
                let rest = page.get(tokens.offset()..).unwrap_or_default();
                let end_tag = "</template>";
                let is_empty = rest.starts_with(end_tag);
                let end = tokens.offset() + if is_empty { end_tag.len() } else { 0 };
                if let Some(boundary) = boundaries.last_mut() {
                    boundary.get_or_insert(places.len());
                }
                places.push(Place {
                    id: id(&tag).unwrap_or_default().split_off("B:".len()),
                    tag: start..end,
                    end,
                });
            }
            Token::Start(tag) if tag.name == Name::DIV => match &mut part {
                Some((_, _, depth)) => *depth += 1,
                None => {
                    let name = id(&tag).filter(|id| id.starts_with("S:"));
                    let name = name.filter(|_| tag.attributes().value("hidden").is_some());
                    part = name.map(|mut id| (id.split_off("S:".len()), start..tokens.offset(), 1));
                }
            },
            Token::End(tag) if tag.name == Name::DIV => {
                if let Some((_, _, depth)) = &mut part {
                    *depth -= 1;
                }
                if let Some((id, tag, _)) = part.take_if(|(_, _, depth)| *depth == 0) {
                    let element = tag.start..tokens.offset();
                    let content = tag.end..start;
                    parts.entry(id).or_insert(Part { element, content });
                }
            }
            Token::Start(tag) if tag.name == Name::SCRIPT => {
                tokens.script();
            }
            Token::Start(tag) if matches!(tag.name, Name::STYLE | Name::TITLE | Name::TEXTAREA) => {
                tokens.raw_text(&tag.name.text());
            }
            Token::Comment("/$") => {
                let place = boundaries.pop().flatten();
                if let Some(place) = place.and_then(|place| places.get_mut(place)) {
                    place.end = start;
                }
            }
            Token::Comment(text) if text.starts_with('$') => boundaries.push(None),
            _ => {}
        }
    }
}

fn id(tag: &Tag<'_>) -> Option<String> {
    tag.attributes().value("id").map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::in_place;
    use crate::extract::Document;
    use crate::{Engine, Options};

    const PAGE: &str = "<h1>a</h1><!--$?--><template id=\"B:0\"></template><p>Loading<!--$-->…<!--/$-->\
        </p><!--/$--><footer>d</footer><div hidden id=\"S:0\"><div>b</div><template id=\"P:1\">\
        </template></div><div hidden id=\"S:1\"><script>'<div>'</script><p>c</div>\
        <script>$RS(\"S:1\",\"P:1\");$RC(\"B:0\",\"S:0\")</script>";

    #[test]
    fn parts_replace_their_fallbacks() {
        for engine in [Engine::Native, Engine::Html5ever] {
            let read = |page: &str| engine.read(page, &Options::default(), Document::default);
            assert_eq!(read(PAGE).finish(), "a\n\nb\n\nc\n\nd");
        }
    }

    #[test]
    fn places_without_parts_keep_their_fallbacks() {
        for (page, expected) in [
            ("a<div hidden id=S:0>b</div>", "a<div hidden id=S:0>b</div>"),
            ("<template id=B:0></template>a", "a"),
            (
                "<template id=B:0></template>a<div hidden id=S:1>b</div>",
                "a<div hidden id=S:1>b</div>",
            ),
            // Without the comments, the end of the fallback is unknown.
            (
                "<template id=B:0></template>a<div hidden id=S:0>b</div>c",
                "bac",
            ),
            // A part inside itself, a part with two places, one without an end.
            (
                "<template id=B:0></template><div hidden id=S:0>a<template id=P:0></template></div>",
                "a",
            ),
            (
                "<template id=B:0></template>,<template id=B:0></template><div hidden id=S:0>a</div>",
                "a,",
            ),
            (
                "<template id=B:0></template>a<div hidden id=S:0>b",
                "a<div hidden id=S:0>b",
            ),
        ] {
            assert_eq!(in_place(page), expected);
        }
    }
}
