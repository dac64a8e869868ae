//! When a page was published, in the many places where pages state that.

use std::borrow::Cow;

use memchr::memmem;

/// Where a date was found, the most trustworthy first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// `article:published_time` and the like: written for machines, of this very page.
    Published,
    LinkedData,
    /// `itemprop="datePublished"`.
    Property,
    /// Metadata of libraries and publishers.
    Bibliographic,
    /// `<time pubdate>`.
    PublishedTime,
    /// `date`, which some systems take for the last change.
    Date,
    /// The first `<time>` of the page: mostly that of the article, but who knows.
    Time,
}

/// Names of meta elements that state a date.
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

/// Longer texts are not dates. Japanese ones with a time and a day of the week have some 40
/// characters.
const MAX_DATE_CHARACTERS: usize = 128;

/// Keeps the best of the dates that were found.
#[derive(Debug, Default)]
pub struct Dates {
    best: Option<(Source, String)>,
}

impl Dates {
    /// Of equally good ones the first counts. What has no digit, or is too long, is no date.
    pub fn add(&mut self, source: Source, text: &str) {
        let text = text.trim();
        let is_date =
            text.chars().nth(MAX_DATE_CHARACTERS).is_none() && text.chars().any(char::is_numeric);
        let is_better = self.best.as_ref().is_none_or(|(best, _)| source < *best);
        if is_date && is_better {
            self.best = Some((source, text.to_owned()));
        }
    }

    /// A meta element, its name in lower case.
    pub fn add_meta(&mut self, name: &str, content: &str) {
        if let Some((_, source)) = NAMES.iter().find(|(known, _)| *known == name) {
            self.add(*source, content);
        }
    }

    /// The first `"datePublished": "…"` in JSON-LD. No parser: pages write broken JSON, and the rest
    /// of it is of no use here.
    pub fn add_linked_data(&mut self, json: &str) {
        const KEY: &str = "\"datePublished\"";
        for at in memmem::find_iter(json.as_bytes(), KEY) {
            let behind = json.get(at + KEY.len()..).unwrap_or_default();
            let value = behind
                .trim_start()
                .strip_prefix(':')
                .and_then(|value| value.trim_start().strip_prefix('"'))
                .and_then(|value| value.split_once('"'));
            if let Some((value, _)) = value {
                self.add(Source::LinkedData, &unescape(value));
            }
        }
    }

    pub fn best(self) -> Option<String> {
        self.best.map(|(_, date)| date)
    }
}

/// Dates have no other escapes than these: `\/`, `\u002B`.
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
