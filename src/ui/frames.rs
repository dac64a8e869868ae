//! The HTML of documents, for frames without scripts and network, and the images of scans.

use std::collections::VecDeque;

use axum::body::Bytes;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;

use super::answers::Problem;
use super::security::{DOCUMENT_POLICY, random_name};

/// The maximum number of pages and images that are kept.
const MAX_FRAMES: usize = 64;

/// The maximum size of all of them.
const MAX_BYTES: usize = 64 << 20;

/// A page or an image.
struct Frame {
    key: String,
    media_type: &'static str,
    content: Bytes,
}

/// Pages and images by their keys, the oldest first.
#[derive(Default)]
pub struct Frames(Mutex<VecDeque<Frame>>);

impl Frames {
    /// Keeps a page, and returns its address.
    pub fn add_page(&self, html: &str) -> String {
        self.add("text/html; charset=utf-8", without_links(html).into())
    }

    /// Keeps an image, and returns its address.
    pub fn add_image(&self, media_type: &'static str, content: Vec<u8>) -> String {
        self.add(media_type, content.into())
    }

    fn add(&self, media_type: &'static str, content: Bytes) -> String {
        let key = random_name();
        let address = format!("/frame/{key}");
        let mut frames = self.0.lock();
        frames.push_back(Frame {
            key,
            media_type,
            content,
        });
        let size = |frames: &VecDeque<Frame>| -> usize {
            frames.iter().map(|frame| frame.content.len()).sum()
        };
        while frames.len() > MAX_FRAMES || frames.len() > 1 && size(&frames) > MAX_BYTES {
            frames.pop_front();
        }
        address
    }

    /// Returns one of them with a policy that lets it do nothing but be shown.
    pub fn answer(&self, key: &str) -> Response {
        let frames = self.0.lock();
        let Some(frame) = frames.iter().find(|frame| frame.key == key) else {
            return Problem::not_found("this page is no longer kept; choose its row again")
                .into_response();
        };
        let headers = [
            (header::CONTENT_TYPE, frame.media_type),
            (header::CONTENT_SECURITY_POLICY, DOCUMENT_POLICY),
        ];
        (headers, frame.content.clone()).into_response()
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

    #[test]
    fn the_number_of_frames_is_limited() {
        let frames = Frames::default();
        let first = frames.add_page("first");
        let key = first.strip_prefix("/frame/").unwrap();
        assert_eq!(frames.answer(key).status(), 200);
        for _ in 0..MAX_FRAMES {
            frames.add_page("other");
        }
        assert_eq!(frames.answer(key).status(), 404);
        let large = "a".repeat(MAX_BYTES + 1);
        let last = frames.add_page(&large);
        assert_eq!(frames.0.lock().len(), 1);
        assert_eq!(
            frames
                .answer(last.strip_prefix("/frame/").unwrap())
                .status(),
            200
        );
    }
}
