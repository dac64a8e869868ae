//! The metadata of a page: title, language, description, dates, and all meta elements.

use std::borrow::Cow;

use url::Url;

use super::flow::Flow;
use super::links::base_of;
use super::published::{DateSource, Dates};
use crate::events::{Element, Events};
use corpus_markup::Name;

/// The metadata of a page. Missing and blank values are `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metadata {
    /// The title.
    pub title: Option<String>,
    /// The language as written, such as `ja` or `en-US`.
    pub language: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The canonical address, absolute if the address of the page is known.
    pub canonical: Option<String>,
    /// The publication date as written.
    pub published: Option<String>,
    /// The author.
    pub author: Option<String>,
    /// The keywords.
    pub keywords: Option<String>,
    /// The rules for crawlers.
    pub robots: Option<String>,
    /// The software that made the page.
    pub generator: Option<String>,
    /// The layout on small screens.
    pub viewport: Option<String>,
    /// All meta elements with a name and content, in order. Names are in lower case.
    pub all: Vec<(String, String)>,
}

/// A listener that collects metadata.
#[derive(Debug, Default)]
pub struct Meta {
    all: Vec<(String, String)>,
    language: Option<String>,
    canonical: Option<String>,
    base: Option<String>,
    title: Option<String>,
    dates: Dates,
    reading: Reading,
    /// The open template or drawing, whose content does not describe the page.
    foreign: Option<(Name, usize)>,
}

/// The purpose of the text that is being collected.
#[derive(Debug, Default)]
enum Reading {
    #[default]
    Nothing,
    Title(String),
    LinkedData(String),
    Time(String),
}

impl Meta {
    pub fn finish(mut self, page: Option<&Url>) -> Metadata {
        self.end_reading();
        let first = |names: &[&str]| {
            let mut candidates = names
                .iter()
                .flat_map(|name| self.all.iter().filter(move |(other, _)| other == name));
            candidates.next().map(|(_, content)| content.clone())
        };
        let canonical = self.canonical.map(|address| {
            let base = page.map(|page| base_of(page, self.base.as_deref()));
            let url = base.and_then(|base| base.join(&address).ok());
            url.map_or(address, String::from)
        });
        for (name, content) in &self.all {
            self.dates.add_meta(name, content);
        }
        Metadata {
            title: self.title,
            language: self.language.or_else(|| first(&["content-language"])),
            description: first(&[
                "description",
                "og:description",
                "twitter:description",
                "dc.description",
            ]),
            canonical,
            published: self.dates.best(),
            author: first(&["author", "article:author", "dc.creator", "citation_author"]),
            keywords: first(&["keywords"]),
            robots: first(&["robots"]),
            generator: first(&["generator"]),
            viewport: first(&["viewport"]),
            all: self.all,
        }
    }

    fn read_meta(&mut self, element: &Element<'_>) {
        let Some(content) = trimmed_attribute(element, "content") else {
            return;
        };
        // An element may have several names: `name=description property=og:description`.
        let first = self.all.len();
        for attribute in ["name", "property", "itemprop", "http-equiv"] {
            let Some(name) = trimmed_attribute(element, attribute).map(|name| name.to_lowercase())
            else {
                continue;
            };
            let others = self.all.get(first..).unwrap_or_default();
            if others.iter().all(|(other, _)| *other != name) {
                self.all.push((name, content.clone().into_owned()));
            }
        }
    }

    fn read_link(&mut self, element: &Element<'_>) {
        let is_canonical = element.attribute("rel").is_some_and(|rel| {
            rel.split_ascii_whitespace()
                .any(|word| word.eq_ignore_ascii_case("canonical"))
        });
        if is_canonical && self.canonical.is_none() {
            self.canonical = trimmed_attribute(element, "href").map(Cow::into_owned);
        }
    }

    fn read_language(&mut self, element: &Element<'_>) {
        if self.language.is_none() {
            let language = trimmed_attribute(element, "lang")
                .or_else(|| trimmed_attribute(element, "xml:lang"));
            self.language = language.map(Cow::into_owned);
        }
    }

    /// Reads a date from an element's attributes, or starts to collect it from the element's text.
    fn read_date(&mut self, element: &Element<'_>) {
        let is_published = element.attribute("itemprop").is_some_and(|names| {
            names
                .split_ascii_whitespace()
                .any(|name| name == "datePublished")
        });
        let is_time = element.name == Name::TIME;
        let source = match (is_published, is_time) {
            (true, _) => DateSource::Property,
            (_, true) if element.attribute("pubdate").is_some() => DateSource::PublishedTime,
            (_, true) => DateSource::Time,
            _ => return,
        };
        let date = trimmed_attribute(element, "datetime")
            .or_else(|| trimmed_attribute(element, "content"));
        match date {
            Some(date) => self.dates.add(source, &date),
            None if is_time && source != DateSource::Time => {
                self.reading = Reading::Time(String::new())
            }
            None => {}
        }
    }

    fn end_reading(&mut self) {
        match std::mem::take(&mut self.reading) {
            Reading::Nothing => {}
            Reading::Title(text) => {
                self.title = Some(clean(&text)).filter(|title| !title.is_empty())
            }
            Reading::LinkedData(text) => self.dates.add_linked_data(&text),
            Reading::Time(text) => self.dates.add(DateSource::PublishedTime, &text),
        }
    }
}

impl Events for Meta {
    fn open(&mut self, element: &Element<'_>) {
        if let Some((name, depth)) = &mut self.foreign {
            *depth += usize::from(*name == element.name);
            return;
        }
        match element.name {
            Name::TEMPLATE | Name::SVG => self.foreign = Some((element.name, 1)),
            Name::META => self.read_meta(element),
            Name::LINK => self.read_link(element),
            Name::HTML | Name::BODY => self.read_language(element),
            Name::BASE if self.base.is_none() => {
                self.base = trimmed_attribute(element, "href").map(Cow::into_owned);
            }
            Name::TITLE if self.title.is_none() => self.reading = Reading::Title(String::new()),
            Name::SCRIPT => {
                let media_type = element.attribute("type");
                if media_type.is_some_and(|t| t.trim().eq_ignore_ascii_case("application/ld+json"))
                {
                    self.reading = Reading::LinkedData(String::new());
                }
            }
            Name::TIME | Name::SPAN | Name::DIV | Name::P | Name::ABBR => self.read_date(element),
            _ => {}
        }
    }

    fn close(&mut self, name: Name) {
        if let Some((foreign, depth)) = &mut self.foreign {
            *depth -= usize::from(*foreign == name);
            if *depth == 0 {
                self.foreign = None;
            }
            return;
        }
        if matches!(name, Name::TITLE | Name::SCRIPT | Name::TIME) {
            self.end_reading();
        }
    }

    fn more_attributes(&mut self, element: &Element<'_>) {
        self.read_language(element);
    }

    fn text(&mut self, text: &str) {
        match &mut self.reading {
            Reading::Nothing => {}
            Reading::Title(all) | Reading::LinkedData(all) | Reading::Time(all) => {
                all.push_str(text);
            }
        }
    }

    #[inline]
    fn wants_text(&self) -> bool {
        !matches!(self.reading, Reading::Nothing)
    }
}

/// The trimmed value of an attribute; `None` if it is blank.
fn trimmed_attribute<'e>(element: &'e Element<'_>, name: &str) -> Option<Cow<'e, str>> {
    let value = match element.attribute(name)? {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    };
    Some(value).filter(|value| !value.is_empty())
}

/// Formats a title like the text of a document.
fn clean(text: &str) -> String {
    let mut flow = Flow::<()>::default();
    flow.text(text);
    flow.finish()
}
