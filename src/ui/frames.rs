//! The HTML of documents, for frames without scripts and network, and the images of scans.

use std::collections::{BTreeSet, VecDeque};

use axum::body::Bytes;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use memchr::memchr;
use parking_lot::Mutex;

use super::answers::Problem;
use super::security::{DOCUMENT_POLICY, random_name};
use super::viewer::scan::Scan;

/// The maximum number of pages and images that are kept.
const MAX_FRAMES: usize = 64;

/// The maximum size of all of them.
const MAX_BYTES: usize = 64 << 20;

/// The content of an address.
#[derive(Clone)]
enum Content {
    Page(Bytes),
    /// An image, which is read when it is requested.
    Scan(Scan),
}

/// Pages and images by their keys, the oldest first.
#[derive(Default)]
pub struct Frames(Mutex<VecDeque<(String, Content)>>);

impl Frames {
    /// Keeps a page, and returns its address.
    pub fn add_page(&self, html: &str) -> String {
        self.add(Content::Page(without_links(html).into()))
    }

    /// Keeps the place of an image, and returns its address.
    pub fn add_scan(&self, scan: Scan) -> String {
        self.add(Content::Scan(scan))
    }

    fn add(&self, content: Content) -> String {
        let key = random_name();
        let address = format!("/frame/{key}");
        let mut frames = self.0.lock();
        frames.push_back((key, content));
        let size = |frames: &VecDeque<(String, Content)>| -> usize {
            let sizes = frames.iter().map(|(_, content)| match content {
                Content::Page(html) => html.len(),
                Content::Scan(_) => 0,
            });
            sizes.sum()
        };
        while frames.len() > MAX_FRAMES || frames.len() > 1 && size(&frames) > MAX_BYTES {
            frames.pop_front();
        }
        address
    }

    /// Returns a page or an image, with a policy that only lets it be shown.
    pub async fn answer(&self, key: &str) -> Result<Response, Problem> {
        let found = {
            let frames = self.0.lock();
            let found = frames.iter().find(|(known, _)| known == key);
            found.map(|(_, content)| content.clone())
        };
        let (media_type, content) = match found {
            Some(Content::Page(html)) => ("text/html; charset=utf-8", html),
            Some(Content::Scan(scan)) => scan.load().await?,
            None => {
                let text = "this page is no longer kept; choose its row again";
                return Err(Problem::not_found(text));
            }
        };
        let headers = [
            (header::CONTENT_TYPE, media_type),
            (header::CONTENT_SECURITY_POLICY, DOCUMENT_POLICY),
        ];
        Ok((headers, content).into_response())
    }
}

/// The elements that are renamed: browsers connect to the hosts that they name before a policy
/// applies. They could load nothing in any case.
const CONNECTING: [&str; 3] = ["link", "iframe", "frame"];

/// The elements whose addresses are renamed, because a click on them would load them.
const LINKING: [&str; 2] = ["a", "area"];

/// The attributes with these addresses.
const ADDRESSES: [&str; 2] = ["href", "xlink:href"];

/// Disables elements that connect to servers, and links. The source is not parsed: anything that
/// looks like such a tag is changed.
fn without_links(html: &str) -> String {
    // Where `x-` is inserted.
    let mut places = BTreeSet::new();
    for (at, _) in html.match_indices('<') {
        let start = at + 1;
        if CONNECTING
            .iter()
            .any(|name| begins_with(&html[start..], name))
        {
            places.insert(start);
        } else if let Some(name) = linking(&html[start..]) {
            add_addresses(html, start + name.len(), &mut places);
        }
    }
    let mut out = String::with_capacity(html.len() + 2 * places.len());
    let mut end = 0;
    for place in places {
        out.push_str(&html[end..place]);
        out.push_str("x-");
        end = place;
    }
    out.push_str(&html[end..]);
    out
}

fn begins_with(text: &str, name: &str) -> bool {
    (text.get(..name.len())).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// The name of the link that a tag begins with.
fn linking(tag: &str) -> Option<&'static str> {
    let ends = |name: &&&str| {
        let next = tag.as_bytes().get(name.len());
        next.is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'/')
    };
    let mut names = LINKING.iter().filter(|name| begins_with(tag, name));
    names.find(ends).copied()
}

/// Adds the places of the addresses in the attributes that begin at `at`, up to the end of the tag
/// or to another link, which has its own turn.
fn add_addresses(html: &str, mut at: usize, places: &mut BTreeSet<usize>) {
    let bytes = html.as_bytes();
    let is_space = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_whitespace);
    let is_other = |at: usize| bytes[at] == b'<' && linking(&html[at + 1..]).is_some();
    let skip_spaces = |mut at: usize| {
        while is_space(at) {
            at += 1;
        }
        at
    };
    while at < bytes.len() && bytes[at] != b'>' {
        if is_space(at) || bytes[at] == b'/' {
            at += 1;
            continue;
        }
        let start = at;
        // A name may begin with an equals sign.
        while at < bytes.len()
            && !is_space(at)
            && !matches!(bytes[at], b'/' | b'>')
            && (bytes[at] != b'=' || at == start)
        {
            if is_other(at) {
                return;
            }
            at += 1;
        }
        let name = &bytes[start..at];
        if (ADDRESSES.iter()).any(|known| name.eq_ignore_ascii_case(known.as_bytes())) {
            places.insert(start);
        }
        let value = skip_spaces(at);
        if bytes.get(value) != Some(&b'=') {
            continue;
        }
        at = skip_spaces(value + 1);
        let quote = bytes
            .get(at)
            .copied()
            .filter(|byte| matches!(byte, b'"' | b'\''));
        if let Some(quote) = quote {
            let length = memchr(quote, &bytes[at + 1..]);
            at = length.map_or(bytes.len(), |length| at + length + 2);
        } else {
            while at < bytes.len() && !is_space(at) && bytes[at] != b'>' {
                if is_other(at) {
                    return;
                }
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_that_connect_and_links_are_renamed() {
        for (html, expected) in [
            (
                "<p>é<LINK rel=preconnect href=//a>< link><lin",
                "<p>é<x-LINK rel=preconnect href=//a>< link><lin",
            ),
            (
                "<iframe src=//a></iframe><frame src=b>",
                "<x-iframe src=//a></iframe><x-frame src=b>",
            ),
            (
                "<a href=//a>href=b</a><Area\nclass='>' HREF = '//a'>",
                "<a x-href=//a>href=b</a><Area\nclass='>' x-HREF = '//a'>",
            ),
            (
                "<a title='<a href=x>'/xlink:href=\"b\" data-href=c>",
                "<a title='<a x-href=x>'/x-xlink:href=\"b\" data-href=c>",
            ),
            ("<a x=<a href=b>", "<a x=<a x-href=b>"),
            ("<a <b =href=b href>", "<a <b =href=b x-href>"),
            ("<abbr href=a><a href=\"b", "<abbr href=a><a x-href=\"b"),
            (
                "<script>'<a title=\"'</script><a href=é>",
                "<script>'<a title=\"'</script><a x-href=é>",
            ),
        ] {
            assert_eq!(without_links(html), expected);
        }
    }

    #[test]
    fn links_without_ends_take_linear_time() {
        for tag in ["<a ", "<a x=", "<a x='", "<a x=<a x=\"", "<a/href"] {
            let html = tag.repeat(400_000);
            assert!(without_links(&html).len() >= html.len(), "{tag}");
        }
    }

    #[tokio::test]
    async fn the_number_of_frames_is_limited() {
        let frames = Frames::default();
        let is_kept = async |address: &str| {
            let key = address.strip_prefix("/frame/").unwrap();
            frames.answer(key).await.is_ok()
        };
        let first = frames.add_page("first");
        assert!(is_kept(&first).await);
        for _ in 0..MAX_FRAMES {
            frames.add_page("other");
        }
        assert!(!is_kept(&first).await);
        let large = frames.add_page(&"a".repeat(MAX_BYTES + 1));
        assert_eq!(frames.0.lock().len(), 1);
        assert!(is_kept(&large).await);
    }
}
