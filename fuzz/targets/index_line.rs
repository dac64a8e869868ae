//! Arbitrary text as a line of an index of web archives, as a URL and as a digest: nothing crashes.

#![no_main]

use corpus_text::url::{BlockList, UrlParts, registered_domain};
use corpus_warc::index::{Entry, Layout};
use corpus_warc::{digest, surt};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    // The first line of a CDX file names the fields of the others.
    let (first, line) = match data.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&data[..end], &data[end + 1..]),
        None => (&b""[..], data),
    };
    let layout = Layout::parse(first);
    let entry = Entry::new(line, layout.as_ref());
    let _ = (entry.key(), entry.url(), entry.expected(), entry.location());
    let text = String::from_utf8_lossy(line);
    let _ = (surt(&text), registered_domain(&text), digest::verify(&text, first));
    if let Some(parts) = UrlParts::parse(&text) {
        let _ = (parts.host(), parts.domain(), parts.suffix(), parts.port(), parts.query());
    }
    if let Ok(list) = BlockList::parse(&text) {
        let _ = list.find(&String::from_utf8_lossy(first));
    }
});
