//! The publication date of a page, which pages declare in many places.

use std::borrow::Cow;

use crate::json_ld::values;

/// The source of a date, the most trustworthy first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DateSource {
    /// `article:published_time` and the like, which are made for machines and refer to this page.
    Published,
    LinkedData,
    /// `itemprop="datePublished"`.
    Property,
    /// Metadata for libraries and publishers.
    Bibliographic,
    /// `<time pubdate>`.
    PublishedTime,
    /// `date`, which some systems use for the last change.
    Date,
    /// The first `<time>` of the page, which usually belongs to the article.
    Time,
}

/// Names of meta elements with a date.
const NAMES: [(&str, DateSource); 30] = [
    ("article:published_time", DateSource::Published),
    ("og:article:published_time", DateSource::Published),
    ("og:published_time", DateSource::Published),
    ("book:release_date", DateSource::Published),
    ("datepublished", DateSource::Property),
    ("pubdate", DateSource::Published),
    ("publishdate", DateSource::Published),
    ("publish-date", DateSource::Published),
    ("publish_date", DateSource::Published),
    ("published_time", DateSource::Published),
    ("publication_date", DateSource::Published),
    ("parsely-pub-date", DateSource::Published),
    ("sailthru.date", DateSource::Published),
    ("citation_publication_date", DateSource::Bibliographic),
    ("citation_online_date", DateSource::Bibliographic),
    ("citation_date", DateSource::Bibliographic),
    ("prism.publicationdate", DateSource::Bibliographic),
    ("dc.date.issued", DateSource::Bibliographic),
    ("dcterms.issued", DateSource::Bibliographic),
    ("dc.date.published", DateSource::Bibliographic),
    ("dc.date.created", DateSource::Bibliographic),
    ("dcterms.created", DateSource::Bibliographic),
    ("dc.date", DateSource::Bibliographic),
    ("dcterms.date", DateSource::Bibliographic),
    ("dc:date", DateSource::Bibliographic),
    ("datecreated", DateSource::Date),
    ("release_date", DateSource::Date),
    ("creation_date", DateSource::Date),
    ("created", DateSource::Date),
    ("date", DateSource::Date),
];

/// Maximum length of a date. Japanese dates with a time and a day of the week have about 40
/// characters.
const MAX_DATE_CHARACTERS: usize = 128;

/// Keeps the best date.
#[derive(Debug, Default)]
pub struct Dates {
    best: Option<(DateSource, String)>,
}

impl Dates {
    /// Adds a date. On a tie, the first one counts. Texts without digits and long texts are
    /// ignored.
    pub fn add(&mut self, source: DateSource, text: &str) {
        let text = text.trim();
        let is_date =
            text.chars().nth(MAX_DATE_CHARACTERS).is_none() && text.chars().any(char::is_numeric);
        let is_better = self.best.as_ref().is_none_or(|(best, _)| source < *best);
        if is_date && is_better {
            self.best = Some((source, text.to_owned()));
        }
    }

    /// Adds a meta element with its name in lower case.
    pub fn add_meta(&mut self, name: &str, content: &str) {
        if let Some((_, source)) = NAMES.iter().find(|(known, _)| *known == name) {
            self.add(*source, content);
        }
    }

    /// Finds the first `"datePublished": "…"` in JSON-LD.
    pub fn add_linked_data(&mut self, json: &str) {
        for value in values(json, "\"datePublished\"") {
            self.add(DateSource::LinkedData, &unescape(value));
        }
    }

    pub fn best(self) -> Option<String> {
        self.best.map(|(_, date)| date)
    }
}

/// Resolves `\/` and `\u002B`; other escapes do not occur in dates.
fn unescape(json: &str) -> Cow<'_, str> {
    if json.len() > 6 * MAX_DATE_CHARACTERS || !json.contains('\\') {
        return Cow::Borrowed(json);
    }
    let mut parts = json.split('\\');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part
            .strip_prefix('u')
            .and_then(|part| part.split_at_checked(4));
        let character = code
            .and_then(|(digits, _)| u32::from_str_radix(digits, 16).ok())
            .and_then(char::from_u32);
        match (character, code) {
            (Some(character), Some((_, rest))) => {
                text.push(character);
                text.push_str(rest);
            }
            _ => text.push_str(part),
        }
    }
    Cow::Owned(text)
}
