//! The events that an engine emits for a page, in document order. There are two engines: the native
//! one (a tokenizer and a stack of open elements) and html5ever (a tree that is walked).

use std::borrow::Cow;

use corpus_markup::{Name, NameFilter, RawAttributes};
use memchr::memmem::Finder;

/// A listener. The events are those of the tree that a browser would build: implied elements (html,
/// head, body, tbody, …) are opened, and implied ends are closed.
///
/// ```
/// use corpus_html::{Element, Engine, Events, Options};
/// use corpus_markup::Name;
///
/// #[derive(Default)]
/// struct Images(Vec<String>);
///
/// impl Events for Images {
///     fn open(&mut self, element: &Element<'_>) {
///         if element.name == Name::IMG {
///             self.0.extend(element.attribute("src").map(String::from));
///         }
///     }
///     fn close(&mut self, _: Name) {}
///     fn text(&mut self, _: &str) {}
/// }
///
/// let images = Engine::Native.read("<p><img src=a.png>", &Options::default(), Images::default);
/// assert_eq!(images.0, ["a.png"]);
/// ```
pub trait Events {
    /// Whether the late parts of a streamed page are emitted in their places.
    const MOVES_PARTS: bool = true;

    /// Opens an element. Void elements (br, img, …) are opened and closed, too.
    fn open(&mut self, element: &Element<'_>);

    /// Closes the innermost open element with this name. It need not be the last one opened: if
    /// formatting elements are misnested (`<b><p></b>`), the native engine closes the outer one and
    /// leaves the inner one open. All other elements nest. Formatting elements that HTML reopens in
    /// the next block ("reconstruct the active formatting elements") are opened again.
    fn close(&mut self, name: Name);

    /// Adds text with decoded references and normalized newlines, possibly in several pieces. The
    /// content of script, style, template, title, textarea, noscript and the like is emitted as
    /// well. Listeners select what they need by the open elements.
    fn text(&mut self, text: &str);

    /// Whether the listener needs text here. If not, the engine may skip it, because decoding
    /// scripts costs time.
    #[inline]
    fn wants_text(&self) -> bool {
        true
    }

    /// Handles another html or body tag: the open element gets the attributes that it does not have
    /// yet. (A tree has them from the start, so its engine never calls this.)
    fn more_attributes(&mut self, _element: &Element<'_>) {}
}

/// Two listeners.
impl<A: Events, B: Events> Events for (A, B) {
    const MOVES_PARTS: bool = A::MOVES_PARTS && B::MOVES_PARTS;

    #[inline]
    fn open(&mut self, element: &Element<'_>) {
        self.0.open(element);
        self.1.open(element);
    }

    #[inline]
    fn close(&mut self, name: Name) {
        self.0.close(name);
        self.1.close(name);
    }

    #[inline]
    fn text(&mut self, text: &str) {
        self.0.text(text);
        self.1.text(text);
    }

    #[inline]
    fn wants_text(&self) -> bool {
        self.0.wants_text() || self.1.wants_text()
    }

    fn more_attributes(&mut self, element: &Element<'_>) {
        self.0.more_attributes(element);
        self.1.more_attributes(element);
    }
}

/// A start tag.
pub struct Element<'a> {
    /// The name of the element.
    pub name: Name,
    /// Whether the element is inside svg or math, or is one of these.
    pub foreign: bool,
    /// The attributes of the element.
    pub attributes: Attributes<'a>,
}

/// The attributes of an element, parsed on request.
pub enum Attributes<'a> {
    /// The source of the tag from after its name up to `>`, and a filter for the names in it, which
    /// the tokenizer fills on the way.
    Raw { source: &'a str, names: NameFilter },
    /// Names and values from a tree.
    Parsed(&'a [(&'a str, &'a str)]),
}

impl Element<'_> {
    /// The value of the first attribute with this lower-case name, with decoded references.
    #[inline(always)]
    pub fn attribute(&self, name: &str) -> Option<Cow<'_, str>> {
        match self.attributes {
            Attributes::Raw { source, names } => RawAttributes { source, names }.value(name),
            Attributes::Parsed(attributes) => parsed(attributes, name),
        }
    }

    /// The values of the first attributes with these lower-case names, with decoded references.
    #[inline(always)]
    pub fn attributes<const N: usize>(&self, names: [&str; N]) -> [Option<Cow<'_, str>>; N] {
        match self.attributes {
            Attributes::Raw {
                source,
                names: filter,
            } => RawAttributes {
                source,
                names: filter,
            }
            .values(names),
            Attributes::Parsed(_) => names.map(|name| self.attribute(name)),
        }
    }

    /// Whether the value of an attribute may contain a text. Decides without parsing.
    pub fn may_contain(&self, name: &str, text: &Finder<'_>) -> bool {
        self.may_contain_in(&[name], text)
    }

    /// Whether the value of one of these attributes may contain a text.
    pub fn may_contain_in(&self, names: &[&str], text: &Finder<'_>) -> bool {
        match self.attributes {
            Attributes::Raw {
                source,
                names: known,
            } => {
                names.iter().any(|name| known.may_have(name))
                    && text.find(source.as_bytes()).is_some()
            }
            Attributes::Parsed(_) => true,
        }
    }

    /// The name of the element in lower case.
    pub fn tag(&self) -> Cow<'_, str> {
        self.name.text()
    }
}

/// The value of an attribute from a tree, which few pages need.
#[cold]
fn parsed<'a>(attributes: &[(&'a str, &'a str)], name: &str) -> Option<Cow<'a, str>> {
    let found = attributes.iter().find(|(other, _)| *other == name);
    found.map(|(_, value)| Cow::Borrowed(*value))
}

/// Options of the engines.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Whether noscript is raw text, as in browsers that run scripts. Otherwise it is markup.
    pub scripting: bool,
    /// Maximum nesting depth. Deeper elements are flattened; their text is kept.
    pub max_depth: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            scripting: true,
            max_depth: 512,
        }
    }
}
