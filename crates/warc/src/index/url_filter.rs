//! Decides which lines of an index may name a record that a query wants.
//!
//! A query asks for the URLs of records, or for `url_surt` of them. The key of a line is usually
//! `url_surt` of its URL, but not always:
//!
//! - Indexes for replay append the method and the form of a POST request to the URL before they
//!   make its key: `org,a)/post?__wb_method=post&x=1` for <http://a.org/post>. The query of a key
//!   is sorted, so the URL's own query may come before, after or around the appended part.
//! - Some tools write plain keys, such as `a.org/x`, and others keep `www.`, case or a final slash.
//!
//! So both the URL of a line, if it has one, and its key are compared.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use memchr::memmem;

use super::entry::Entry;
use crate::surt;

/// Parameters that indexes append to the URLs of requests with a body.
const APPENDED: [&str; 2] = ["__wb_method=", "__wb_post_data="];

/// Maximum number of labels to search for. Beyond it, the search costs more than it saves.
const MAX_LABELS: usize = 8;

/// A half-open range of keys.
pub type KeyRange = Range<Vec<u8>>;

/// The URLs and keys that a search accepts.
///
/// ```
/// use corpus_warc::index::{Entry, UrlFilter};
///
/// let wanted = UrlFilter::url("http://example.org/").or(UrlFilter::key("org,example)/about"));
/// let line = br#"org,example)/ 2020 {"url": "http://example.org/", "offset": "7"}"#;
/// assert!(wanted.includes(&Entry::new(line, None)));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UrlFilter {
    urls: HashSet<String>,
    /// The keys of these URLs.
    keys_of_urls: Vec<KeyRange>,
    /// `url_surt` of the wanted URLs is in one of these.
    keys: Vec<KeyRange>,
    /// Labels of host names. Every ordinary URL whose key is in `keys` contains one of them.
    labels: Vec<Vec<u8>>,
}

impl UrlFilter {
    /// Accepts a URL.
    pub fn url(url: &str) -> Self {
        Self {
            urls: HashSet::from([comparable(url).into_owned()]),
            keys_of_urls: vec![only(&surt(url))],
            ..Self::default()
        }
    }

    /// Accepts the URLs with this `surt` key.
    pub fn key(key: &str) -> Self {
        Self {
            keys: vec![only(key)],
            labels: vec![longest_label(key)],
            ..Self::default()
        }
    }

    /// Accepts the URLs whose `surt` key has this prefix; `None` if it is empty, which is all URLs.
    pub fn keys_starting_with(prefix: &str) -> Option<Self> {
        let mut end = prefix.as_bytes().to_vec();
        // No byte of a string is 0xff.
        *end.last_mut()? += 1;
        Some(Self {
            keys: vec![prefix.as_bytes().to_vec()..end],
            labels: vec![longest_label(prefix)],
            ..Self::default()
        })
    }

    /// Accepts everything that one of the two accepts.
    pub fn or(mut self, other: Self) -> Self {
        self.urls.extend(other.urls);
        self.keys_of_urls = merge([self.keys_of_urls, other.keys_of_urls].concat());
        self.keys = merge([self.keys, other.keys].concat());
        self.labels.extend(other.labels);
        self.labels.sort_unstable();
        self.labels.dedup();
        if self.labels.len() > MAX_LABELS {
            self.labels = vec![Vec::new()];
        }
        self
    }

    /// The number of ranges of keys. A search with fewer ranges is narrower.
    pub fn range_count(&self) -> usize {
        self.keys_of_urls.len() + self.keys.len()
    }

    /// Sorted, disjoint ranges that contain the keys of all wanted lines, if keys are `url_surt` of
    /// the URL, with or without the part appended for POST.
    pub fn ranges(&self) -> Vec<KeyRange> {
        let both = || self.keys_of_urls.iter().chain(&self.keys);
        let appended = both().map(|range| {
            let path = path_of(&range.start);
            [path, b"?"].concat()..[path, b"@"].concat()
        });
        merge(both().cloned().chain(appended).collect())
    }

    /// Whether a line may name a wanted record. Lines with neither URL nor key may name one, and so
    /// may damaged lines without a URL.
    pub fn includes(&self, entry: &Entry) -> bool {
        let key = entry.key();
        if contains(&self.keys_of_urls, &key) || contains(&self.keys, &key) {
            return true;
        }
        match entry.url().filter(|url| !url.is_empty()) {
            Some(url) => {
                let is_wanted = self.urls.contains(comparable(&url).as_ref())
                    || self.may_have_key(&url) && contains(&self.keys, surt(&url).as_bytes());
                is_wanted && !is_key_of_another(&key, &url)
                    || has_appended(url.as_bytes()) && self.has_path_of(surt(&url).as_bytes())
            }
            None => {
                let plain = std::str::from_utf8(&key).ok().filter(|key| is_plain(key));
                matches!(&*key, b"" | b"-")
                    || plain.is_some_and(|key| self.has_key(key_of_plain(key).as_bytes()))
                    || has_appended(&key) && self.has_path_of(&key)
                    || entry.location().is_err()
            }
        }
    }

    /// A quick check before the key of a URL is computed, which costs microseconds.
    fn may_have_key(&self, url: &str) -> bool {
        // The hosts of other URLs may contain the label only after decoding.
        let is_ordinary = url.bytes().all(|b| b.is_ascii_graphic() && b != b'%');
        let has_label = |label: &Vec<u8>| !is_ordinary || contains_label(url.as_bytes(), label);
        self.labels.iter().any(has_label)
    }

    fn has_key(&self, key: &[u8]) -> bool {
        contains(&self.keys_of_urls, key)
            || contains(&self.keys, key)
            || has_appended(key) && self.has_path_of(key)
    }

    /// Whether a wanted key may become this one when a query is appended to its URL.
    fn has_path_of(&self, key: &[u8]) -> bool {
        let path = path_of(key);
        let both = self.keys_of_urls.iter().chain(&self.keys);
        both.map(|range| &range.start)
            .any(|start| path_of(start) == path)
            || contains(&self.keys, path)
    }
}

fn only(key: &str) -> KeyRange {
    key.as_bytes().to_vec()..[key.as_bytes(), b"\0"].concat()
}

/// The longest complete label in the host of a key or a prefix of keys; empty if no label can be
/// searched for.
fn longest_label(key: &str) -> Vec<u8> {
    let end = key.find(')').or_else(|| key.rfind(','));
    let host = &key[..end.unwrap_or_default()];
    let is_plain = |label: &&str| {
        let mut bytes = label.bytes();
        bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            // Numbers may come from an address in another notation.
            && !label.bytes().all(|b| b.is_ascii_digit())
    };
    let labels = host.split(',').filter(is_plain);
    let longest = labels.max_by_key(|label| label.len()).unwrap_or_default();
    longest.as_bytes().to_vec()
}

/// Whether a URL contains a label, which is in lower case, in any case.
fn contains_label(url: &[u8], label: &[u8]) -> bool {
    let Some(first) = label.first() else {
        return true;
    };
    memchr::memchr2_iter(*first, first.to_ascii_uppercase(), url).any(|at| {
        let part = url.get(at..at + label.len());
        part.is_some_and(|part| part.eq_ignore_ascii_case(label))
    })
}

/// Sorts ranges, and joins those that overlap.
fn merge(mut ranges: Vec<KeyRange>) -> Vec<KeyRange> {
    ranges.sort_by(|a, b| a.start.cmp(&b.start));
    let mut merged: Vec<KeyRange> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start < last.end => {
                if last.end < range.end {
                    last.end = range.end;
                }
            }
            _ => merged.push(range),
        }
    }
    merged
}

/// Whether a key is in one of these ranges, which are sorted and disjoint.
fn contains(ranges: &[KeyRange], key: &[u8]) -> bool {
    let after = ranges.partition_point(|range| range.start.as_slice() <= key);
    let before = after.checked_sub(1).and_then(|at| ranges.get(at));
    before.is_some_and(|range| key < range.end.as_slice())
}

/// Returns a key without its query.
fn path_of(key: &[u8]) -> &[u8] {
    &key[..memchr::memchr(b'?', key).unwrap_or(key.len())]
}

/// Whether a key has parameters that were appended for a request with a body.
pub fn has_appended(key: &[u8]) -> bool {
    APPENDED
        .iter()
        .any(|name| memmem::find(key, name.as_bytes()).is_some())
}

/// Whether the host of a key is not reversed, like `a.org/x`: `url_surt` ends hosts with a bracket.
fn is_plain(key: &str) -> bool {
    let host = key.split('/').next().unwrap_or(key);
    host.len() < key.len() && !host.contains(')')
}

/// Whether this reversed key cannot have been made from this URL. The key then takes precedence.
fn is_key_of_another(key: &[u8], url: &str) -> bool {
    let Some((host, rest)) = std::str::from_utf8(key)
        .ok()
        .filter(|key| !has_appended(key.as_bytes()))
        .and_then(|key| key.split_once(')'))
    else {
        return false;
    };
    // Some tools write `http://(org,a,)/x`.
    let host = host.rsplit('(').next().unwrap_or(host);
    let (labels, port) = host.split_once(':').unwrap_or((host, ""));
    let labels: Vec<_> = labels.trim_end_matches(',').split(',').rev().collect();
    let port = match port {
        "" | "80" | "443" => String::new(),
        port => format!(":{port}"),
    };
    surt(&format!("http://{}{port}{rest}", labels.join("."))) != surt(url)
}

fn key_of_plain(key: &str) -> String {
    if key.contains("://") {
        surt(key)
    } else {
        surt(&format!("http://{key}"))
    }
}

/// Returns a URL without the brackets that some crawlers write, and with the blanks that CDX
/// escapes.
pub fn comparable(url: &str) -> Cow<'_, str> {
    let bare = url
        .strip_prefix('<')
        .and_then(|url| url.strip_suffix('>'))
        .unwrap_or(url);
    if bare.contains(' ') {
        bare.replace(' ', "%20").into()
    } else {
        bare.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn includes(wanted: &UrlFilter, key: &str, url: &str) -> bool {
        let place = r#""offset": 7, "filename": "x.warc.gz""#;
        let line = match url {
            "" => format!("{key} 2020 {{{place}}}"),
            url => format!(r#"{key} 2020 {{"url": "{url}", {place}}}"#),
        };
        wanted.includes(&Entry::new(line.as_bytes(), None))
    }

    #[test]
    fn any_key_of_a_url_is_included() {
        let wanted = UrlFilter::url("http://www.a.org/x?b=1").or(UrlFilter::url("http://c.org/"));
        let its = "http://www.a.org/x?b=1";
        for (key, url, expected) in [
            ("org,a)/x?b=1", its, true),
            ("org,a)/x?b=1", "", true),
            // Another URL with the same key: the decision needs the record.
            ("org,a)/x?b=1", "https://a.org/x?b=1", true),
            ("org,a)/x?0=2&__wb_method=post&b=1", its, true),
            ("org,a)/x?0=2&__wb_method=post&b=1", "", true),
            (
                "org,a)/x?__wb_method=post&b=1",
                "http://a.org/x?__wb_method=POST&b=1",
                true,
            ),
            ("org,a)/x?b=2", "", false),
            ("org,a)/x?b=2", "http://www.a.org/x?b=2", false),
            ("org,a)/y?__wb_method=post&b=1", "", false),
            (
                "org,a)/x?__wb_method=post&b=2",
                "http://www.a.org/x?b=2",
                false,
            ),
            ("a.org/x?b=1", its, true),
            ("a.org/x?b=1", "", true),
            ("www.a.org/x?b=1", "", true),
            ("a.org/x?__wb_method=post&b=1", "", true),
            ("org,a,www)/X?b=1", its, true),
            ("http://(org,a,www,)/x/?b=1", its, true),
            ("org,a:80)/x?b=1", its, true),
            ("org,a)/x/7?b=1", its, false),
            ("-", its, true),
            ("-", "<http://www.a.org/x?b=1>", true),
            ("-", "", true),
            ("c.org/", "", true),
            ("c.org:80/", "", true),
            ("c.org:81/", "", false),
            ("http://c.org/", "", true),
            ("org,d)/", "", false),
        ] {
            assert_eq!(includes(&wanted, key, url), expected, "{key} {url}");
        }
    }

    #[test]
    fn keys_mean_those_of_the_urls() {
        let one = UrlFilter::key("org,a)/x");
        let prefix = UrlFilter::keys_starting_with("org,a)/x?b").unwrap();
        for (key, url, in_one, in_prefix) in [
            ("org,a)/x", "", true, false),
            ("org,a)/x?__wb_method=post", "http://a.org/x", true, false),
            ("org,a)/x?__wb_method=post", "", true, true),
            ("org,a)/x?b=1", "", false, true),
            (
                "org,a)/x?__wb_method=post&b=1",
                "http://a.org/x?b=1",
                false,
                true,
            ),
            ("a.org/X", "http://www.a.org/X", true, false),
            ("org,a)/y", "http://a.org/y", false, false),
        ] {
            assert_eq!(includes(&one, key, url), in_one, "{key} {url}");
            assert_eq!(includes(&prefix, key, url), in_prefix, "{key} {url}");
        }
    }

    #[test]
    fn no_url_with_a_wanted_key_is_missed() {
        let urls = [
            "http://WWW.Example.ORG/a",
            "http://ex%61mple.org/a",
            "http://user@example.org:81/a?%41",
            "http://ex\tample.org./a",
            "http://http://example..org/a",
            "http://пример.рф/a",
            "http://2130706433/a",
            "http://127.0.0.1/a",
            "dns:example.org",
            "urn:x-y:z",
            "http:////example.org",
            "http://a_b.org/x",
        ];
        for url in urls {
            let key = surt(url);
            for end in (1..=key.len()).filter(|end| key.is_char_boundary(*end)) {
                let wanted = UrlFilter::keys_starting_with(&key[..end]).unwrap();
                assert!(wanted.may_have_key(url), "{url} {}", &key[..end]);
            }
            assert!(UrlFilter::key(&key).may_have_key(url), "{url}");
        }
        let wanted = UrlFilter::keys_starting_with("org,example)/").unwrap();
        assert!(!wanted.may_have_key("http://exampl.org/exampl"));
    }

    #[test]
    fn lines_that_could_be_any_are_included() {
        let wanted = UrlFilter::url("http://a.org/");
        for line in ["", "org,b)/ 2020", "org,b)/ 2020 {\"url\": \"http://b."] {
            assert!(
                wanted.includes(&Entry::new(line.as_bytes(), None)),
                "{line}"
            );
        }
    }

    #[test]
    fn ranges_hold_what_is_included() {
        let wanted = UrlFilter::url("http://a.org/x?b=1").or(UrlFilter::key("org,a)/x"));
        let ranges = wanted.ranges();
        assert_eq!(ranges.len(), 2, "{ranges:?}");
        for key in [
            "org,a)/x",
            "org,a)/x?b=1",
            "org,a)/x?0=2&__wb_method=post&b=1",
        ] {
            assert!(contains(&ranges, key.as_bytes()), "{key}");
        }
        assert!(!contains(&ranges, b"org,a)/x/"));
        assert_eq!(merge([ranges.clone(), ranges.clone()].concat()), ranges);
    }
}
