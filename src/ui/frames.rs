//! The HTML of documents, for frames without scripts and network, and the images of scans.

use std::collections::VecDeque;

use axum::body::Bytes;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;

use super::answers::Problem;
use super::documents::scan::Scan;
use super::security::{DOCUMENT_POLICY, random_name};

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

    /// Returns one of them with a policy that lets it do nothing but be shown.
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

/// Renames the elements `link`: browsers resolve and connect to the hosts that they name before a
/// policy applies. They could load nothing in any case.
fn without_links(html: &str) -> String {
    let mut out = String::with_capacity(html.len() + 16);
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at + 1);
        out.push_str(before);
        let is_link = tag
            .get(..4)
            .is_some_and(|name| name.eq_ignore_ascii_case("link"));
        if is_link {
            out.push_str("x-");
        }
        rest = tag;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_no_elements() {
        assert_eq!(
            without_links("<p>é<LINK rel=preconnect href=//a>< link><lin"),
            "<p>é<x-LINK rel=preconnect href=//a>< link><lin"
        );
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
