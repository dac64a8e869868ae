//! The links of a page: what it points at, and what it is made of.

use url::Url;

use super::flow::Flow;
use super::srcset;
use crate::html::events::{Element, Events};
use crate::markup::Name;

/// One address that a page refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The element that refers: a, area, link, img, ...
    pub kind: &'static str,
    /// The attribute that holds the address.
    pub attribute: &'static str,
    /// The address as the page states it, without white space around it.
    pub href: String,
    /// The address made absolute, if the page's own is known and this one can be read.
    pub url: Option<String>,
    /// The text of a link; the alternative text of an image or area. Where an element has several
    /// addresses, this and `rel` stand with the first.
    pub text: Option<String>,
    pub rel: Option<String>,
}

/// A base longer than this is not used: it would be repeated for each link.
const MAX_BASE: usize = 2048;

/// What absolute addresses may have together, whatever the size of the page, ...
const FREE: usize = 1 << 20;

/// ... and for each byte of the addresses that it states.
const FACTOR: usize = 32;

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
    /// The links; with absolute addresses if that of the page is known.
    pub fn finish(mut self, page: Option<&Url>) -> Vec<Link> {
        self.end_text();
        if let Some(page) = page {
            self.resolve(page);
        }
        self.links
    }

    fn resolve(&mut self, page: &Url) {
        let base = base_of(page, self.base.as_deref());
        let stated: usize = self.links.iter().map(|link| link.href.len()).sum();
        let mut budget = FREE.saturating_add(stated.saturating_mul(FACTOR));
        for link in &mut self.links {
            let Ok(url) = base.join(&link.href) else {
                continue;
            };
            if url.as_str().len() > budget {
                break;
            }
            budget -= url.as_str().len();
            link.url = Some(url.into());
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

/// What addresses are relative to.
pub fn base_of(page: &Url, stated: Option<&str>) -> Url {
    stated
        .filter(|base| base.len() <= MAX_BASE && !is_data(base))
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
