//! Arbitrary bytes as a file of any kind: reading terminates, and limits hold.

#![no_main]

use std::sync::Arc;

use corpus_bytes::memory::Memory;
use corpus_bytes::record::{ColumnSet, ReadRequest, Value};
use libfuzzer_sys::fuzz_target;

use documents::columns::CONTENT;
use documents::reader::open;

// The engine has these modules; a dependency on it would build DataFusion.
#[path = "../../src/sources/formats/documents"]
mod documents {
    pub mod columns;
    mod detect;
    mod mailbox;
    mod mapped;
    pub mod reader;
}

const LIMIT: usize = 1 << 20;
const MAX_RECORDS: usize = 10_000;

fuzz_target!(|data: &[u8]| {
    let request = ReadRequest {
        range: 0..data.len() as u64,
        file: Arc::new(Memory(data.into())),
        name: "fuzzed".into(),
        max_record_bytes: LIMIT,
        modified: None,
        columns: ColumnSet::ALL,
    };
    let Ok(mut reader) = open(request) else {
        return;
    };
    // A few compressed bytes may hold millions of empty members.
    for _ in 0..MAX_RECORDS {
        if !reader.advance() {
            break;
        }
        reader.load(true);
        if let Value::Bytes(content) = reader.value(CONTENT) {
            assert!(content.len() <= LIMIT);
        }
    }
});
