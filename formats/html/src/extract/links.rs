//! The links of a page: what it points at, and what it is made of.

use url::{ParseError, Url};

use super::flow::Flow;
use super::srcset;
use crate::events::{Element, Events};
use corpus_markup::Name;

/// One address that a page refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The element that refers: a, area, link, img, ...
    pub kind: &'static str,
    /// The attribute that holds the address.
    pub attribute: &'static str,
    /// The address as the page states it, without white space around it.
    pub href: String,
    /// The address made absolute, if the page's own is known.
    pub url: Option<String>,
    /// Why there is no absolute address, although the page's own was given.
    pub error: Option<UrlError>,
    /// The text of a link; the alternative text of an image or area. Where an element has several
    /// addresses, this and `rel` stand with the first.
    pub text: Option<String>,
    pub rel: Option<String>,
}

/// Why an address has not been made absolute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlError {
    /// It is not a valid URL, nor relative to one.
    Invalid(ParseError),
    /// The base would be repeated too often: the bytes that it may add to the addresses of the page.
    Limit(usize),
}

impl UrlError {
    pub fn message(self) -> String {
        match self {
            Self::Invalid(error) => format!("no absolute address: {error}"),
            Self::Limit(bytes) => format!(
                "no absolute address: the base URL would be repeated in more than {bytes} bytes of \
                 this page's links"
            ),
        }
    }
}

/// The address of a page, as given by the caller.
pub type PageUrl = Result<Url, ParseError>;

/// Bytes that absolute addresses may add to those in the page, whatever its size, ...
const MAX_ADDED_BYTES: usize = 1 << 20;

/// ... and for each byte of the page. A link takes some 15 bytes, so that this allows for bases of
/// about a thousand.
const MAX_ADDED_BYTES_PER_BYTE: usize = 64;

/// Larger pages may add this much, or four times their own size.
const MAX_ADDED_BYTES_OF_SMALL_PAGES: usize = 128 << 20;

/// The time to copy a shorter base does not matter.
const MAX_CHEAP_BASE_BYTES: usize = 4096;

/// Which attributes of an element hold an address.
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

/// Listens for links, in the order of their start tags.
#[derive(Debug, Default)]
pub struct Links {
    links: Vec<Link>,
    base: Option<String>,
    /// The link whose text is being read, by its index.
    open: Option<(usize, Flow<()>)>,
    /// What templates hold is no part of the page.
    templates: usize,
}

impl Links {
    /// The links of a page of that size; with absolute addresses if that of the page is given.
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
        // Resolving may take as long as copying the base, even where little of it is left.
        let effort = match base.as_str().len() {
            length if length > MAX_CHEAP_BASE_BYTES => length / 8,
            _ => 0,
        };
        let mut room = max_added;
        let mut is_full = false;
        for link in &mut self.links {
            let url = if is_full {
                without_base(&link.href, base).ok_or(limit)
            } else {
                base.join(&link.href).map_err(UrlError::Invalid)
            };
            let url = url.and_then(|url| {
                // Escapes are three times as long.
                let added = url.as_str().len().saturating_sub(3 * link.href.len());
                let added = if is_full { 0 } else { added.max(effort) };
                room = room.checked_sub(added).ok_or(limit)?;
                Ok(url)
            });
            is_full |= url == Err(limit);
            link.set_url(url);
        }
    }

    /// Without an address of the page, only complete addresses are absolute.
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
        // Only the first of several: a long text would be repeated for each.
        if let Some(link) = self.links.get_mut(first) {
            let stated = |name| element.attribute(name).map(|value| value.trim().to_owned());
            match element.name {
                Name::IMG | Name::INPUT => link.text = stated("alt"),
                Name::AREA => (link.text, link.rel) = (stated("alt"), stated("rel")),
                Name::A | Name::LINK | Name::FORM => link.rel = stated("rel"),
                _ => {}
            }
        }
    }

    fn push(&mut self, kind: &'static str, attribute: &'static str, address: &str) {
        // What is in the address itself is content, and often large.
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

    /// Ends the text of the open link, if there is one.
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
        .min(MAX_ADDED_BYTES_OF_SMALL_PAGES);
    MAX_ADDED_BYTES + of_small.max(page_bytes.saturating_mul(4))
}

/// An address that is absolute whatever the base is. `http:x` is relative to a base of its scheme.
fn without_base(href: &str, base: &Url) -> Option<Url> {
    let has_host = href
        .split_once(':')
        .is_some_and(|(_, rest)| rest.starts_with("//"));
    Url::parse(href)
        .ok()
        .filter(|url| has_host || url.scheme() != base.scheme())
}

/// The URL that addresses in the page are relative to.
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
