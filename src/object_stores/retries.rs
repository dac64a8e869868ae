//! Reports repeated requests, and pauses before them as long as a server asks.
//!
//! `object_store` repeats requests by itself, up to ten times and for three minutes, and is silent
//! about it.

use std::collections::HashSet;
use std::fmt::Display;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use parking_lot::Mutex;

/// The maximum number of files reported: a busy server may fail requests for millions of them.
const MAX_REPORTED_FILES: usize = 20;

/// After this time without a report, files are reported again.
const REPORT_INTERVAL: Duration = Duration::from_secs(600);

/// The maximum pause that a server can ask for. The whole request ends after a few such pauses.
const MAX_REQUESTED_PAUSE: Duration = Duration::from_secs(60);

/// The pause after the first response that refuses a request because of the load; it doubles with
/// each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const MAX_PAUSE: Duration = Duration::from_secs(8);

/// The repeated requests to one server.
#[derive(Debug, Default)]
pub struct Retries {
    reported: Mutex<Reported>,
    /// The number of responses in a row that refused a request because of the load.
    refused: AtomicU32,
}

/// Characters that need no escape in a URL. The client of Google's stores escapes them.
const ESCAPED: [(&str, &str); 5] = [
    ("%2F", "/"),
    ("%2E", "."),
    ("%2D", "-"),
    ("%5F", "_"),
    ("%7E", "~"),
];

/// Returns a URL as a person would write it.
fn readable(url: &str) -> String {
    let mut text = url.to_owned();
    for (escape, character) in ESCAPED {
        text = text.replace(escape, character);
    }
    text
}

#[derive(Debug, Default)]
struct Reported {
    urls: HashSet<String>,
    last: Option<Instant>,
}

impl Retries {
    /// Warns that requests for a file are repeated, once per file.
    pub fn report(&self, url: &str, reason: &dyn Display) {
        let file = readable(url);
        match self.note(url) {
            Some(true) => log::warn!("repeating requests for '{file}': {reason}"),
            Some(false) => {
                log::warn!("repeating requests for '{file}', and for further files: {reason}")
            }
            None => {}
        }
    }

    /// Whether to report this file: `Some(false)` if it is the last that is reported.
    fn note(&self, url: &str) -> Option<bool> {
        let mut reported = self.reported.lock();
        if reported
            .last
            .is_some_and(|it| it.elapsed() > REPORT_INTERVAL)
        {
            reported.urls.clear();
        }
        if reported.urls.len() >= MAX_REPORTED_FILES || !reported.urls.insert(url.to_owned()) {
            return None;
        }
        reported.last = Some(Instant::now());
        Some(reported.urls.len() < MAX_REPORTED_FILES)
    }

    /// The pause after a response that refused a request because of the load. `retry_after` is the
    /// header of that name.
    pub fn pause(&self, retry_after: Option<&str>) -> Duration {
        let refused = self.refused.fetch_add(1, Ordering::Relaxed);
        let requested = retry_after.and_then(|text| requested_pause(text, Utc::now()));
        let own = FIRST_PAUSE * 2u32.pow(refused.min(10));
        requested.map_or(own.min(MAX_PAUSE), |pause| pause.min(MAX_REQUESTED_PAUSE))
    }

    /// Notes a response that did not refuse the request.
    pub fn accepted(&self) {
        self.refused.store(0, Ordering::Relaxed);
    }
}

/// The pause of a `Retry-After`: a number of seconds, or a time.
fn requested_pause(text: &str, now: DateTime<Utc>) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let time = DateTime::parse_from_rfc2822(text.trim()).ok()?;
    Some((time.to_utc() - now).to_std().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_reported_once_and_not_all_files_are() {
        let retries = Retries::default();
        assert_eq!(retries.note("http://h/0"), Some(true));
        assert_eq!(retries.note("http://h/0"), None);
        for number in 1..MAX_REPORTED_FILES - 1 {
            assert_eq!(retries.note(&format!("http://h/{number}")), Some(true));
        }
        assert_eq!(retries.note("http://h/last"), Some(false));
        assert_eq!(retries.note("http://h/more"), None);
    }

    #[test]
    fn needless_escapes_are_not_shown() {
        let sent = "http://h/bucket/a%2Fb%2Dc%2Ewarc%2Egz";
        assert_eq!(readable(sent), "http://h/bucket/a/b-c.warc.gz");
        assert_eq!(readable("http://h/a%20b%252E"), "http://h/a%20b%252E");
    }

    #[test]
    fn pauses_grow_until_a_request_is_accepted() {
        let retries = Retries::default();
        let pauses: Vec<Duration> = (0..40).map(|_| retries.pause(None)).collect();
        assert_eq!(pauses[0], FIRST_PAUSE);
        assert_eq!(pauses[1], FIRST_PAUSE * 2);
        assert_eq!(pauses[39], MAX_PAUSE);
        retries.accepted();
        assert_eq!(retries.pause(None), FIRST_PAUSE);
        assert_eq!(retries.pause(Some("0")), Duration::ZERO);
        assert_eq!(retries.pause(Some("86400")), MAX_REQUESTED_PAUSE);
    }

    #[test]
    fn a_requested_pause_is_a_number_or_a_time() {
        let now = DateTime::parse_from_rfc2822("Wed, 21 Oct 2026 07:28:00 GMT");
        let now = now.unwrap().to_utc();
        for (text, seconds) in [
            ("7", Some(7)),
            (" 7 ", Some(7)),
            ("Wed, 21 Oct 2026 07:28:30 GMT", Some(30)),
            ("Wed, 21 Oct 2026 07:27:30 GMT", Some(0)),
            ("-7", None),
            ("soon", None),
            ("", None),
        ] {
            let expected = seconds.map(Duration::from_secs);
            assert_eq!(requested_pause(text, now), expected, "{text}");
        }
    }
}
