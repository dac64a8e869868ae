//! Tests of the tree engine.

mod guards;
mod oracle;
mod soup;

use super::arena::{Content, Id, Step, Tree};
use super::serialize::{Lines, breaks_line, is_skipped, push_end, push_start};

/// The whole tree as HTML.
fn html(tree: &Tree, scripting: bool) -> String {
    let mut html = String::new();
    let mut step = Some(Step::Enter(Id::DOCUMENT));
    while let Some(now) = step {
        match now {
            Step::Enter(id) => push_start(&mut html, tree, id, scripting),
            Step::Leave(id) => {
                if let Some(element) = tree.element(id) {
                    push_end(&mut html, element);
                }
            }
        }
        step = tree.step(Id::DOCUMENT, now);
    }
    html
}

/// The whole tree as text.
fn text(tree: &Tree) -> String {
    let mut lines = Lines::default();
    let mut step = Some(Step::Enter(Id::DOCUMENT));
    while let Some(now) = step {
        let mut now = now;
        let (Step::Enter(id) | Step::Leave(id)) = now;
        match &tree.node(id).content {
            Content::Element(element) if is_skipped(element) => now = Step::Leave(id),
            Content::Element(element) if breaks_line(&element.name) => lines.end(),
            Content::Text(text) if matches!(now, Step::Enter(_)) => lines.push(text),
            _ => {}
        }
        step = tree.step(Id::DOCUMENT, now);
    }
    lines.text
}
