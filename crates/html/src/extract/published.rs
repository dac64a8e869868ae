//! The publication date of a page, which pages declare in many places.

use std::borrow::Cow;

use crate::json_ld::values;

/// The source of a date, the most trustworthy first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
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
const NAMES: [(&str, Source); 30] = [
    ("article:published_time", Source::Published),
    ("og:article:published_time", Source::Published),
    ("og:published_time", Source::Published),
    ("book:release_date", Source::Published),
    ("datepublished", Source::Property),
    ("pubdate", Source::Published),
    ("publishdate", Source::Published),
    ("publish-date", Source::Published),
    ("publish_date", Source::Published),
    ("published_time", Source::Published),
    ("publication_date", Source::Published),
    ("parsely-pub-date", Source::Published),
    ("sailthru.date", Source::Published),
    ("citation_publication_date", Source::Bibliographic),
    ("citation_online_date", Source::Bibliographic),
    ("citation_date", Source::Bibliographic),
    ("prism.publicationdate", Source::Bibliographic),
    ("dc.date.issued", Source::Bibliographic),
    ("dcterms.issued", Source::Bibliographic),
    ("dc.date.published", Source::Bibliographic),
    ("dc.date.created", Source::Bibliographic),
    ("dcterms.created", Source::Bibliographic),
    ("dc.date", Source::Bibliographic),
    ("dcterms.date", Source::Bibliographic),
    ("dc:date", Source::Bibliographic),
    ("datecreated", Source::Date),
    ("release_date", Source::Date),
    ("creation_date", Source::Date),
    ("created", Source::Date),
    ("date", Source::Date),
];

/// Maximum length of a date. Japanese dates with a time and a day of the week have about 40
/// characters.
const MAX_DATE_CHARACTERS: usize = 128;

/// Keeps the best date.
#[derive(Debug, Default)]
pub struct Dates {
    best: Option<(Source, String)>,
}

impl Dates {
    /// Adds a date. On a tie, the first one counts. Texts without digits and long texts are
    /// ignored.
    pub fn add(&mut self, source: Source, text: &str) {
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
            self.add(Source::LinkedData, &unescape(value));
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
