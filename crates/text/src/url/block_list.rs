//! Lists of blocked domains and URLs.

use std::fmt;
use std::ops::Range;

use url::{ParseError, Url};

use crate::lists;

/// Maximum size of a list. Offsets into it are 32-bit numbers.
const MAX_LIST_BYTES: usize = 1 << 30;

/// Maximum number of path segments in an entry. Further segments of a URL are not compared.
const MAX_SEGMENTS: usize = 16;

/// Domains and URLs that are blocked.
#[derive(Debug, Clone)]
pub struct BlockList {
    /// The text of all entries.
    text: String,
    /// The ranges of the entries in `text`, sorted by their text.
    entries: Vec<Range<u32>>,
}

/// The errors of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockListError {
    /// No entries: an empty list would silently block nothing.
    Empty,
    TooLarge,
    /// The line with this number is neither a domain nor a URL.
    Invalid(usize),
}

impl fmt::Display for BlockListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the block list is empty"),
            Self::TooLarge => write!(f, "the block list exceeds {} MiB", MAX_LIST_BYTES >> 20),
            Self::Invalid(line) => write!(f, "line {line} is neither a domain nor a URL"),
        }
    }
}

impl std::error::Error for BlockListError {}

impl BlockList {
    /// Parses a list with one domain or URL per line. Blank lines and lines that start with `#` are
    /// skipped. A domain blocks its subdomains, too; a URL, with or without its scheme, blocks all
    /// URLs below its path. Queries and fragments do not count.
    pub fn parse(list: &str) -> Result<Self, BlockListError> {
        if list.len() > MAX_LIST_BYTES {
            return Err(BlockListError::TooLarge);
        }
        let mut text = String::with_capacity(list.len());
        let mut entries = Vec::new();
        for (number, line) in lists::entries(list) {
            let start = text.len();
            let url = parse(line).ok_or(BlockListError::Invalid(number))?;
            text.push_str(host(&url).ok_or(BlockListError::Invalid(number))?);
            for segment in segments(&url).take(MAX_SEGMENTS) {
                text.push('/');
                text.push_str(segment);
            }
            let place = |at: usize| u32::try_from(at).map_err(|_| BlockListError::TooLarge);
            entries.push(place(start)?..place(text.len())?);
        }
        if entries.is_empty() {
            return Err(BlockListError::Empty);
        }
        entries.sort_unstable_by(|one, other| slice(&text, one).cmp(slice(&text, other)));
        entries.dedup_by(|one, other| slice(&text, one) == slice(&text, other));
        Ok(Self { text, entries })
    }

    /// The number of different entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the list has no entries, which [`parse`](Self::parse) does not allow.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry that blocks a URL. Of several, the entry with the longest domain, then with the
    /// shortest path.
    pub fn find(&self, url: &str) -> Option<&str> {
        let url = Url::parse(url).ok()?;
        let mut domain = host(&url)?;
        let mut key = String::new();
        loop {
            key.clear();
            key.push_str(domain);
            let mut segments = segments(&url).take(MAX_SEGMENTS);
            loop {
                if let Some(entry) = self.get(&key) {
                    return Some(entry);
                }
                let Some(segment) = segments.next() else {
                    break;
                };
                key.push('/');
                key.push_str(segment);
            }
            domain = domain.split_once('.')?.1;
        }
    }

    fn get(&self, key: &str) -> Option<&str> {
        let found = self
            .entries
            .binary_search_by(|entry| slice(&self.text, entry).cmp(key));
        Some(slice(&self.text, &self.entries[found.ok()?]))
    }
}

fn slice<'a>(text: &'a str, entry: &Range<u32>) -> &'a str {
    &text[entry.start as usize..entry.end as usize]
}

/// Parses a URL, with or without a scheme.
fn parse(line: &str) -> Option<Url> {
    match Url::parse(line) {
        Ok(url) if url.has_host() => Some(url),
        // Without a scheme, `example.com:80` parses as a URL of the scheme `example.com`.
        Ok(_) | Err(ParseError::RelativeUrlWithoutBase) => {
            Url::parse(&format!("http://{line}")).ok()
        }
        Err(_) => None,
    }
}

fn host(url: &Url) -> Option<&str> {
    let host = url.host_str()?.trim_end_matches('.');
    (!host.is_empty()).then_some(host)
}

/// The segments of the path that are not empty.
fn segments(url: &Url) -> impl Iterator<Item = &str> {
    url.path().split('/').filter(|segment| !segment.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_block_their_subdomains_and_urls_what_is_below_them() {
        let list = BlockList::parse(
            "\u{feff}# comment\r\nbad.example\r\n\r\nhttp://Host.example/A/b/?q=1\nexample.org/x\n日本.jp\n192.0.2.7\n",
        )
        .unwrap();
        assert_eq!(list.len(), 5);
        for (url, expected) in [
            ("http://bad.example", Some("bad.example")),
            ("https://a.b.BAD.example.:8080/x", Some("bad.example")),
            ("http://notbad.example/", None),
            ("http://host.example/A/b", Some("host.example/A/b")),
            ("http://host.example//A//b/c?d#e", Some("host.example/A/b")),
            ("http://host.example/A/bc", None),
            ("http://host.example/a/b", None),
            ("http://www.example.org/x/y", Some("example.org/x")),
            ("http://www.日本.jp/", Some("xn--wgv71a.jp")),
            ("http://192.0.2.7/x", Some("192.0.2.7")),
            ("http://92.0.2.7/x", None),
            ("mailto:a@bad.example", None),
            ("bad.example", None),
            ("", None),
        ] {
            assert_eq!(list.find(url), expected, "{url}");
        }
    }

    #[test]
    fn entries_are_parsed_like_urls() {
        let list = BlockList::parse(
            "example.com:80/a\nexample.org/go?to=http://x.example\nhttp://example.net\\@b.example\n",
        )
        .unwrap();
        for (url, expected) in [
            ("http://example.com/a/b", Some("example.com/a")),
            ("http://example.org/go", Some("example.org/go")),
            (
                "http://example.net/@b.example",
                Some("example.net/@b.example"),
            ),
            ("http://x.example/", None),
            ("http://b.example/", None),
        ] {
            assert_eq!(list.find(url), expected, "{url}");
        }
    }

    #[test]
    fn bad_lists_are_refused() {
        for list in ["", "\n#\n", "\u{feff}"] {
            assert_eq!(BlockList::parse(list).unwrap_err(), BlockListError::Empty);
        }
        let invalid = BlockList::parse("good.example\nhttp://\n").unwrap_err();
        assert_eq!(invalid, BlockListError::Invalid(2));
    }

    #[test]
    fn long_urls_are_searched_in_bounded_time() {
        let list = BlockList::parse("example.com/a").unwrap();
        let url = format!("http://{}/{}", "a.".repeat(100_000), "x/".repeat(100_000));
        assert_eq!(list.find(&url), None);
    }
}
