//! Arbitrary bytes as a message and as a mailbox: no byte of a mailbox is lost, and texts and
//! attachments are not larger than their messages.

#![no_main]

use corpus_office::mail::{attachments, kind, messages, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    kind(data);
    read(data);
    let mut total = 0;
    for message in messages(data) {
        total += message.len();
        let files = attachments(message).map(|file| file.content.len());
        assert!(files.sum::<usize>() <= message.len());
        let parsed = read(message);
        // Each byte becomes at most three bytes of UTF-8, whether it is decoded or replaced.
        assert!(parsed.text.len() <= 4 * message.len() + 2 * 10_000);
    }
    assert_eq!(total, data.len());
});
