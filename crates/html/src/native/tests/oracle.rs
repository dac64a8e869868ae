//! Shared by the tests: html5ever as the oracle, and listeners.

use std::rc::Rc;

use crate::{Attributes, Element, Events, Options, native};
use corpus_markup::Name;
use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, ns, parse_document, tree_builder::TreeBuilderOpts};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// Parses a page with html5ever and emits the events of its tree.
pub fn read_tree(page: &str, options: &Options, events: &mut impl Events) {
    let parse_options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: options.scripting,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let dom = parse_document(RcDom::default(), parse_options).one(page);
    walk(&dom.document, events);
}

enum Step {
    Enter(Handle),
    Leave(Name),
}

fn walk(document: &Handle, events: &mut impl Events) {
    let mut steps = vec![Step::Enter(Rc::clone(document))];
    while let Some(step) = steps.pop() {
        let node = match step {
            Step::Leave(name) => {
                events.close(name);
                continue;
            }
            Step::Enter(node) => node,
        };
        match &node.data {
            NodeData::Text { contents } => events.text(&contents.borrow()),
            NodeData::Element {
                name,
                attrs,
                template_contents,
                ..
            } => {
                let attrs = attrs.borrow();
                let attributes: Vec<(&str, &str)> = attrs
                    .iter()
                    .map(|attribute| (&*attribute.name.local, &*attribute.value))
                    .collect();
                let element = Element {
                    name: Name::from_str(&name.local),
                    foreign: name.ns != ns!(html),
                    attributes: Attributes::Parsed(&attributes),
                };
                events.open(&element);
                steps.push(Step::Leave(element.name));
                if let Some(contents) = template_contents.borrow().as_ref() {
                    steps.push(Step::Enter(Rc::clone(contents)));
                }
            }
            _ => {}
        }
        steps.extend(
            node.children
                .borrow()
                .iter()
                .rev()
                .map(|child| Step::Enter(Rc::clone(child))),
        );
    }
}

/// Formatting elements. The engines emit different events for them if they are misnested.
pub fn is_formatting(name: Name) -> bool {
    matches!(
        name,
        Name::A
            | Name::B
            | Name::BIG
            | Name::CODE
            | Name::EM
            | Name::FONT
            | Name::I
            | Name::NOBR
            | Name::S
            | Name::SMALL
            | Name::STRIKE
            | Name::STRONG
            | Name::TT
            | Name::U
    )
}

/// Records all elements except formatting ones, and all text, one line each.
#[derive(Default)]
pub struct Transcript {
    pub lines: Vec<String>,
    text: String,
    /// Names and whether they are foreign, because `close` only has the name.
    open: Vec<(Name, bool)>,
    pub misnested: bool,
}

impl Transcript {
    fn flush(&mut self) {
        let words: Vec<&str> = self.text.split_ascii_whitespace().collect();
        if !words.is_empty() {
            self.lines.push(format!("\"{}", words.join(" ")));
        }
        self.text.clear();
    }

    pub fn finish(mut self) -> Vec<String> {
        self.flush();
        if self.misnested {
            self.lines.push("misnested".to_owned());
        }
        self.lines
    }
}

impl Events for Transcript {
    fn open(&mut self, element: &Element<'_>) {
        self.open.push((element.name, element.foreign));
        if is_formatting(element.name) && !element.foreign {
            return;
        }
        self.flush();
        let mark = if element.foreign { "*" } else { "" };
        let id = element
            .attribute("id")
            .map(|id| format!(" {id}"))
            .unwrap_or_default();
        self.lines.push(format!("<{}{mark}{id}>", element.tag()));
    }

    fn close(&mut self, name: Name) {
        let Some(index) = self.open.iter().rposition(|(open, _)| *open == name) else {
            self.lines
                .push(format!("closed what is not open: {name:?}"));
            return;
        };
        let (_, foreign) = self.open.remove(index);
        if is_formatting(name) && !foreign {
            return;
        }
        let all_formatting = self
            .open
            .get(index..)
            .unwrap_or_default()
            .iter()
            .all(|(inner, foreign)| is_formatting(*inner) && !foreign);
        self.misnested |= !all_formatting;
        self.flush();
        self.lines.push(format!("</{}>", name.text()));
    }

    fn more_attributes(&mut self, element: &Element<'_>) {
        let bare = format!("<{}>", element.tag());
        if let Some(id) = element.attribute("id")
            && let Some(line) = self.lines.iter_mut().find(|line| **line == bare)
        {
            *line = format!("<{} {id}>", element.tag());
        }
    }

    fn text(&mut self, text: &str) {
        assert!(!text.is_empty(), "empty text");
        self.text.push_str(text);
    }
}

/// The transcripts of both engines. The native one is `None` if it needs a tree.
pub fn transcripts(page: &str, options: &Options) -> (Option<Vec<String>>, Vec<String>) {
    let mut native = Transcript::default();
    let result = native::read(page, options, &mut native);
    let mut tree = Transcript::default();
    read_tree(page, options, &mut tree);
    (result.is_ok().then(|| native.finish()), tree.finish())
}

/// A transcript without empty elements, because the native engine does not emit those that belong
/// before a table that was already emitted.
pub fn without_empty(transcript: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for line in transcript {
        let closes_last = line.strip_prefix("</").is_some_and(|name| {
            let name = name.trim_end_matches('>');
            kept.last().is_some_and(|last| {
                let opened = last.trim_start_matches('<').trim_end_matches('>');
                !last.starts_with("</")
                    && last.starts_with('<')
                    && opened.split([' ', '*']).next() == Some(name)
            })
        });
        let joins = line.starts_with('"') && kept.last().is_some_and(|last| last.starts_with('"'));
        if closes_last {
            kept.pop();
        } else if joins && let Some(last) = kept.last_mut() {
            last.push_str(line.trim_start_matches('"'));
        } else {
            kept.push(line.clone());
        }
    }
    kept.iter().map(|line| line.replace(' ', "")).collect()
}
