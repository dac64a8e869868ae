//! The HTML of documents, for frames without scripts and network, and the images of scans.

use axum::body::Bytes;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::messages::Problem;
use super::recent::Recent;
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

/// Pages and images by their keys.
pub struct Frames(Recent<Content>);

impl Default for Frames {
    fn default() -> Self {
        Self(Recent::new(MAX_FRAMES, MAX_BYTES))
    }
}

impl Frames {
    /// Keeps a page, and returns its address.
    pub fn add_page(&self, html: &str) -> String {
        let html = without_links(html);
        self.add(html.len(), Content::Page(html.into()))
    }

    /// Keeps the place of an image, and returns its address.
    pub fn add_scan(&self, scan: Scan) -> String {
        self.add(0, Content::Scan(scan))
    }

    fn add(&self, bytes: usize, content: Content) -> String {
        let key = random_name();
        let address = format!("/frame/{key}");
        self.0.keep(key, bytes, content);
        address
    }

    /// Returns a page or an image, with a policy that only lets it be shown.
    pub async fn answer(&self, key: &str) -> Result<Response, Problem> {
        let (media_type, content) = match self.0.find(key) {
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

/// The name of the attributes with the addresses of links.
const ADDRESS: &str = "href";

/// Makes the name of an attribute unknown, and is invisible in a text.
const WORD_JOINER: &str = "\u{2060}";

/// Disables elements that connect to servers, and links to other pages. The source is not parsed:
/// anything that looks like them is changed.
fn without_links(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut end = 0;
    for (at, first) in html.match_indices(['<', 'h', 'H']) {
        let is_tag = |name: &&str| begins_with(&html[at + 1..], name);
        let (place, inserted) = if first == "<" && CONNECTING.iter().any(is_tag) {
            (at + 1, "x-")
        } else if begins_with(&html[at..], ADDRESS) && !is_inside(&html[at + ADDRESS.len()..]) {
            (at, WORD_JOINER)
        } else {
            continue;
        };
        out.push_str(&html[end..place]);
        out.push_str(inserted);
        end = place;
    }
    out + &html[end..]
}

fn begins_with(text: &str, name: &str) -> bool {
    (text.get(..name.len())).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// Whether the value of an attribute, after its name, is a place in the page itself.
fn is_inside(attribute: &str) -> bool {
    let value = attribute.trim_start().strip_prefix('=');
    value.is_some_and(|value| {
        let value = value.trim_start().trim_start_matches(['"', '\'']);
        value.starts_with('#')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_that_connect_and_links_are_renamed() {
        for (html, expected) in [
            (
                "<p>é<LINK rel=preconnect>< link><lin",
                "<p>é<x-LINK rel=preconnect>< link><lin",
            ),
            (
                "<iframe src=//a></iframe><frame src=b>",
                "<x-iframe src=//a></iframe><x-frame src=b>",
            ),
            (
                "<a href=//a>&lt;a href=b></a><Area\nclass='>' HREF = '//a'>",
                "<a |href=//a>&lt;a |href=b></a><Area\nclass='>' |HREF = '//a'>",
            ),
            (
                "<use xlink:href=\"#a\"/><a href = '#é'><a href=#><a href=' #'>",
                "<use xlink:href=\"#a\"/><a href = '#é'><a href=#><a |href=' #'>",
            ),
            (
                "<a><set attributeName='href' to='//a'/><a href",
                "<a><set attributeName='|href' to='//a'/><a |href",
            ),
        ] {
            assert_eq!(without_links(html), expected.replace('|', WORD_JOINER));
        }
    }

    #[test]
    fn links_without_ends_take_linear_time() {
        for tag in ["<a ", "<a href", "<a href=", "<a href='", "href  ="] {
            let html = tag.repeat(400_000);
            assert!(without_links(&html).len() >= html.len(), "{tag}");
        }
    }
}
