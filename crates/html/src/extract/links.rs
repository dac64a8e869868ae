//! The links of a page: to other pages and to its own parts.

use std::fmt;

use url::{ParseError, Url};

use super::flow::Flow;
use super::srcset;
use crate::events::{Element, Events};
use corpus_markup::Name;

/// An address that a page refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// The name of the element: a, area, link, img, ...
    pub kind: &'static str,
    /// The name of the attribute with the address.
    pub attribute: &'static str,
    /// The address as written, without surrounding white space.
    pub href: String,
    /// The absolute address, if the address of the page is known.
    pub url: Option<String>,
    /// Why there is no absolute address although the address of the page is known.
    pub error: Option<UrlError>,
    /// The text of a link, or the alternative text of an image or area. If an element has several
    /// addresses, only the first has this and `rel`.
    pub text: Option<String>,
    /// The attribute `rel`.
    pub rel: Option<String>,
}

/// Why an address could not be made absolute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UrlError {
    /// The address is neither a valid URL nor a valid relative URL.
    Invalid(ParseError),
    /// The base URL would be repeated too often. Holds the number of bytes that base URLs may add
    /// to the addresses of the page.
    Limit(usize),
}

impl fmt::Display for UrlError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(error) => write!(formatter, "no absolute address: {error}"),
            Self::Limit(bytes) => write!(
                formatter,
                "no absolute address: the base URL would be repeated in more than {bytes} bytes of \
                 this page's links"
            ),
        }
    }
}

impl std::error::Error for UrlError {}

/// The address of the page, as passed by the caller.
pub type PageUrl = Result<Url, ParseError>;

/// Number of bytes that absolute addresses may add to those in the page, regardless of its size,
/// ...
const MAX_ADDED_BYTES: usize = 1 << 20;

/// ... and per byte of the page. A link takes about 15 bytes, so this allows for base URLs of about
/// a thousand bytes.
const MAX_ADDED_BYTES_PER_BYTE: usize = 64;

/// Upper bound of the bytes allowed by the size of the page. Larger pages may add this, or four
/// times their size.
const MAX_ADDED_BYTES_PER_SMALL_PAGE: usize = 128 << 20;

/// The time to copy a shorter base is negligible.
const MAX_CHEAP_BASE_BYTES: usize = 4096;

/// The kind of an element, and its attributes that contain an address.
fn address_attributes(name: Name) -> (&'static str, &'static [&'static str]) {
    match name {
        Name::A => ("a", &["href"]),
        Name::AREA => ("area", &["href"]),
        Name::LINK => ("link", &["href"]),
        Name::IMG => ("img", &["src", "srcset"]),
        Name::IFRAME => ("iframe", &["src"]),
        Name::FRAME => ("frame", &["src"]),
        Name::FORM => ("form", &["action"]),
        Name::SCRIPT => ("script", &["src"]),
        Name::AUDIO => ("audio", &["src"]),
        Name::VIDEO => ("video", &["src", "poster"]),
        Name::SOURCE => ("source", &["src", "srcset"]),
        Name::TRACK => ("track", &["src"]),
        Name::EMBED => ("embed", &["src"]),
        Name::OBJECT => ("object", &["data"]),
        Name::INPUT => ("input", &["src"]),
        _ => ("", &[]),
    }
}

/// A listener that collects links, in the order of their start tags.
///
/// ```
/// use corpus_html::extract::{Links, PageUrl};
/// use corpus_html::{Engine, Options};
///
/// let page = "<a href=/about>About <b>us</b></a>";
/// let url: PageUrl = "https://example.org/".parse();
/// let links = Engine::Native.read(page, &Options::default(), Links::default);
/// let links = links.finish(Some(&url), page.len());
/// assert_eq!(links[0].text.as_deref(), Some("About us"));
/// assert_eq!(links[0].url.as_deref(), Some("https://example.org/about"));
/// ```
#[derive(Debug, Default)]
pub struct Links {
    links: Vec<Link>,
    base: Option<String>,
    /// The index and text of the open link.
    open: Option<(usize, Flow<()>)>,
    /// The number of open templates, whose content is not part of the page.
    templates: usize,
}

impl Links {
    /// The links of a page of this size, with absolute addresses if the address of the page is
    /// given.
    pub fn finish(mut self, page: Option<&PageUrl>, page_bytes: usize) -> Vec<Link> {
        self.end_text();
        match page {
            Some(Ok(url)) => self.resolve(&base_of(url, self.base.as_deref()), page_bytes),
            Some(Err(_)) => self.resolve_alone(),
            None => {}
        }
        self.links
    }

    fn resolve(&mut self, base: &Url, page_bytes: usize) {
        let max_added = max_added_bytes(page_bytes);
        let limit = UrlError::Limit(max_added);
        // Resolving may take as long as copying the base, even if little of it remains in the
        // result.
        let effort = match base.as_str().len() {
            length if length > MAX_CHEAP_BASE_BYTES => length / 8,
            _ => 0,
        };
        let mut remaining = max_added;
        let mut is_full = false;
        for link in &mut self.links {
            let url = if is_full {
                without_base(&link.href, base).ok_or(limit)
            } else {
                base.join(&link.href).map_err(UrlError::Invalid)
            };
            let url = url.and_then(|url| {
                // An escaped byte is three times as long.
                let added = url.as_str().len().saturating_sub(3 * link.href.len());
                let added = if is_full { 0 } else { added.max(effort) };
                remaining = remaining.checked_sub(added).ok_or(limit)?;
                Ok(url)
            });
            is_full |= url == Err(limit);
            link.set_url(url);
        }
    }

    /// Without the address of the page, only absolute URLs can be resolved.
    fn resolve_alone(&mut self) {
        for link in &mut self.links {
            link.set_url(Url::parse(&link.href).map_err(UrlError::Invalid));
        }
    }

    fn add(&mut self, element: &Element<'_>) {
        let (kind, attributes) = address_attributes(element.name);
        let first = self.links.len();
        for attribute in attributes {
            let Some(value) = element.attribute(attribute) else {
                continue;
            };
            if *attribute == "srcset" {
                for address in srcset::addresses(&value) {
                    self.push(kind, attribute, address);
                }
            } else {
                self.push(kind, attribute, value.trim());
            }
        }
        // Only the first of several addresses gets the text, because it may be long.
        if let Some(link) = self.links.get_mut(first) {
            let attribute = |name| element.attribute(name).map(|value| value.trim().to_owned());
            match element.name {
                Name::IMG | Name::INPUT => link.text = attribute("alt"),
                Name::AREA => (link.text, link.rel) = (attribute("alt"), attribute("rel")),
                Name::A | Name::LINK | Name::FORM => link.rel = attribute("rel"),
                _ => {}
            }
        }
    }

    fn push(&mut self, kind: &'static str, attribute: &'static str, address: &str) {
        // `data:` URLs contain their content, which is often large.
        if !is_data(address) {
            self.links.push(Link {
                kind,
                attribute,
                href: address.to_owned(),
                url: None,
                error: None,
                text: None,
                rel: None,
            });
        }
    }

    /// Ends the text of the open link, if any.
    fn end_text(&mut self) {
        if let Some((index, text)) = self.open.take()
            && let Some(link) = self.links.get_mut(index)
        {
            link.text = Some(one_line(&text.finish()));
        }
    }
}

impl Events for Links {
    fn open(&mut self, element: &Element<'_>) {
        if self.templates > 0 || element.name == Name::TEMPLATE {
            self.templates += usize::from(element.name == Name::TEMPLATE);
            return;
        }
        if element.name == Name::A {
            self.end_text();
        } else if let Some((_, text)) = &mut self.open {
            text.open(element);
        }
        if element.name == Name::BASE && self.base.is_none() {
            self.base = element.attribute("href").map(|href| href.trim().to_owned());
        }
        let index = self.links.len();
        self.add(element);
        if element.name == Name::A && self.links.len() > index {
            self.open = Some((index, Flow::default()));
        }
    }

    fn close(&mut self, name: Name) {
        if self.templates > 0 {
            self.templates -= usize::from(name == Name::TEMPLATE);
        } else if name == Name::A {
            self.end_text();
        } else if let Some((_, text)) = &mut self.open {
            text.close(name);
        }
    }

    fn text(&mut self, text: &str) {
        if self.templates == 0
            && let Some((_, link_text)) = &mut self.open
        {
            link_text.text(text);
        }
    }

    #[inline]
    fn wants_text(&self) -> bool {
        self.templates == 0
            && self
                .open
                .as_ref()
                .is_some_and(|(_, text)| text.wants_text())
    }
}

impl Link {
    fn set_url(&mut self, url: Result<Url, UrlError>) {
        match url {
            Ok(url) => self.url = Some(url.into()),
            Err(error) => self.error = Some(error),
        }
    }
}

fn max_added_bytes(page_bytes: usize) -> usize {
    let of_small = page_bytes
        .saturating_mul(MAX_ADDED_BYTES_PER_BYTE)
        .min(MAX_ADDED_BYTES_PER_SMALL_PAGE);
    MAX_ADDED_BYTES + of_small.max(page_bytes.saturating_mul(4))
}

/// The URL of an address that does not depend on the base. `http:x` is relative to a base with the
/// same scheme.
fn without_base(href: &str, base: &Url) -> Option<Url> {
    let has_host = href
        .split_once(':')
        .is_some_and(|(_, rest)| rest.starts_with("//"));
    Url::parse(href)
        .ok()
        .filter(|url| has_host || url.scheme() != base.scheme())
}

/// The base URL of addresses in the page.
pub fn base_of(page: &Url, declared: Option<&str>) -> Url {
    declared
        .filter(|base| !is_data(base))
        .and_then(|base| page.join(base).ok())
        .unwrap_or_else(|| page.clone())
}

fn is_data(address: &str) -> bool {
    address
        .get(.."data:".len())
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split(['\n', '\t']).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}
