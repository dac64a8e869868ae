//! Arbitrary bytes as an HTTP response and as a head.

#![no_main]

use corpus_http::{Limits, parse_head, parse_response};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let limits = Limits {
        max_body_bytes: 1 << 20,
    };
    let response = parse_response(data, &limits);
    assert!(response.body.len() <= data.len().max(limits.max_body_bytes));
    parse_head(data);
});
