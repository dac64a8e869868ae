//! Compares the text of both engines where misnested elements hide or mark it.

use crate::extract::Document;
use crate::testing::Random;
use crate::{Engine, Options, native};

const FORMATTING: &[&str] = &[
    "b", "i", "a", "font", "em", "u", "nobr", "code", "s", "strike",
];
const OTHERS: &[&str] = &[
    "div", "p", "section", "li", "ul", "h1", "span", "table", "tr", "td", "label", "center", "form",
];
const ATTRIBUTES: &[&str] = &[
    " hidden",
    " style=display:none",
    " style=display:block",
    " aria-hidden=true",
    "",
    "",
    "",
    "",
];

fn page(random: &mut Random) -> String {
    let mut page = String::new();
    for number in 0..3 + random.below(12) {
        match random.below(100) {
            0..30 => {
                let (name, attributes) = (random.pick(FORMATTING), random.pick(ATTRIBUTES));
                page.push_str(&format!("<{name}{attributes}>"));
            }
            30..50 => page.push_str(&format!("<{}>", random.pick(OTHERS))),
            50..62 => page.push_str(&format!("</{}>", random.pick(FORMATTING))),
            62..72 => page.push_str(&format!("</{}>", random.pick(OTHERS))),
            _ => page.push_str(&format!("t{number} ")),
        }
    }
    page
}

#[test]
fn misnested_elements_hide_and_mark_the_same_text_as_in_a_tree() {
    let options = Options::default();
    let text = |engine: Engine, page: &str| engine.read(page, &options, Document::default).finish();
    let (mut native_only, mut failures) = (0, Vec::new());
    let pages = 20_000;
    for number in 0..pages {
        let page = page(&mut Random(number));
        let (native, tree) = (text(Engine::Native, &page), text(Engine::Html5ever, &page));
        if native != tree {
            failures.push(format!("{page:?}\n  native {native:?}\n  tree   {tree:?}"));
        }
        let result = native::read(&page, &options, &mut Document::default());
        native_only += u64::from(result.is_ok());
    }
    failures.sort_by_key(String::len);
    let first = failures[..failures.len().min(12)].join("\n");
    assert!(failures.is_empty(), "{} fail:\n{first}", failures.len());
    // Pages that need a tree prove nothing.
    assert!(native_only * 2 > pages, "{native_only} pages need no tree");
}
