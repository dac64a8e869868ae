//! Archives that repeat one pattern. Doubling the input may at most double the number of steps.

use std::sync::Arc;

use crate::open;
use crate::testing::*;
use corpus_bytes::step_counter::assert_linear;

const LINES: [&str; 13] = [
    "A: b\r\n",
    "WARC-Type: a\r\n",
    "Content-Length: 1\r\n",
    " \r\n",
    "\tb\r\n",
    "A:\r\n \r\n",
    "no colon\r\n",
    "\r",
    "a",
    ":",
    "A: WARC/1.0\r\n",
    "WARC/1",
    "\u{e9}: \u{e9}\n",
];

fn pass_over(bytes: &[u8], payload: bool) {
    let bytes: Arc<[u8]> = bytes.into();
    let mut reader = open(request(&bytes, 0..bytes.len() as u64, LIMIT)).unwrap();
    while reader.advance() {
        reader.load(payload);
        current(reader.as_ref());
    }
}

fn assert_linear_archive(name: &str, archive: impl Fn(usize) -> Vec<u8>) {
    for payload in [false, true] {
        assert_linear(name, &archive, |bytes| pass_over(bytes, payload));
    }
}

#[test]
fn heads_are_linear() {
    for part in LINES {
        let head = |parts: usize| {
            let text = format!("WARC/1.0\r\nWARC-Type: resource\r\n{}", part.repeat(parts));
            format!("{text}\r\nContent-Length: 1\r\n\r\nx\r\n\r\n").into_bytes()
        };
        assert_linear_archive(part, head);
        // Stored, so that steps are compared with the size of the text.
        assert_linear_archive(part, |parts| gzip_level(&head(parts), 0));
        // Each member adds a few bytes to one line.
        assert_linear_archive(part, |parts| {
            let head = head(parts / 4);
            let members = head[12..].chunks(3).flat_map(gzip);
            gzip(&head[..12]).into_iter().chain(members).collect()
        });
    }
}

#[test]
fn heads_of_arc_are_linear() {
    for part in ["a", " ", " 1.2.3.4 20140216050221", "http://a/ "] {
        assert_linear_archive(part, |parts| {
            let line = format!(
                "http://a/{} 1.2.3.4 20140216050221 text/html 1\nx\n",
                part.repeat(100)
            );
            line.repeat(parts / 100).into_bytes()
        });
    }
}

#[test]
fn lengths_that_lead_far_away_are_linear() {
    // Ends within the buffer, beyond it, and beyond a jump.
    for length in ["5000", "900000", "1100000", "3000000"] {
        assert_linear_archive(length, |parts| {
            let record = record_stating(1, length, &[b'x'; 300]);
            [record.repeat(parts), vec![b'y'; 4_000_000]].concat()
        });
    }
}
