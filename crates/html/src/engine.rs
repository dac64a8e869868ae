//! The choice of the HTML engine.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use corpus_markup::Name;
use corpus_markup::xhtml::with_end_tags;

use super::events::{Element, Events, Options};
use super::streamed;
use super::{native, tree};

/// An HTML engine: parses a page and passes its events to a listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Engine {
    /// Parses in one pass, without a tree. The few pages that need a tree are parsed by html5ever.
    #[default]
    Native,
    /// Parses every page with html5ever.
    Html5ever,
}

/// The error for a text that does not name an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownEngine;

impl fmt::Display for UnknownEngine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("expected 'native' or 'html5ever'")
    }
}

impl std::error::Error for UnknownEngine {}

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Self, UnknownEngine> {
        match text.to_ascii_lowercase().as_str() {
            "native" => Ok(Self::Native),
            "html5ever" => Ok(Self::Html5ever),
            _ => Err(UnknownEngine),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Native => "native",
            Self::Html5ever => "html5ever",
        })
    }
}

/// Parses markup from inside a page with the listener of the page.
pub(crate) fn read_fragment<E: Events>(markup: &str, options: &Options, events: &mut E) {
    // The listener cannot be reset, so this comes first.
    let needs_tree = native::read(markup, options, &mut NoEvents).is_err();
    if needs_tree || native::read(markup, options, events).is_err() {
        tree::read(markup, options, events);
    }
}

/// A listener that ignores all events.
struct NoEvents;

impl Events for NoEvents {
    fn open(&mut self, _: &Element<'_>) {}
    fn close(&mut self, _: Name) {}
    fn text(&mut self, _: &str) {}
}

impl Engine {
    /// Parses a page with a new listener, and returns this listener.
    pub fn read<E: Events>(self, page: &str, options: &Options, listener: impl Fn() -> E) -> E {
        let page = &*with_end_tags(page);
        let mut events = listener();
        if self == Self::Native {
            if native::read(page, options, &mut events).is_ok() {
                return events;
            }
            events = listener();
        }
        let page = if E::MOVES_PARTS {
            streamed::in_place(page)
        } else {
            Cow::Borrowed(page)
        };
        if self == Self::Native && matches!(page, Cow::Owned(_)) {
            if native::read(&page, options, &mut events).is_ok() {
                return events;
            }
            events = listener();
        }
        tree::read(&page, options, &mut events);
        events
    }
}
