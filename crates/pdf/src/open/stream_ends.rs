//! Adds missing `endstream` keywords, without which hayro finds no object streams.

use memchr::memmem;

const START: &[u8] = b"stream";
const END: &[u8] = b"endstream";
const END_OF_OBJECT: &[u8] = b"endobj";

/// The file with `endstream` at the end of each stream that lacks it. `None` if no stream does.
pub fn with_ends_of_streams(data: &[u8]) -> Option<Vec<u8>> {
    let starts = memmem::Finder::new(START);
    let ends = memmem::Finder::new(END);
    let mut out = Vec::new();
    let (mut object_at, mut copied) = (0, 0);
    for end in memmem::find_iter(data, END_OF_OBJECT) {
        let object = data.get(object_at..end).unwrap_or_default();
        object_at = end + END_OF_OBJECT.len();
        let Some(start) = starts.find(object) else {
            continue;
        };
        let (dict, content) = object.split_at(start);
        if dict.trim_ascii_end().ends_with(b">>") && ends.find(content).is_none() {
            out.extend_from_slice(data.get(copied..end).unwrap_or_default());
            out.extend_from_slice(b"\nendstream\n");
            copied = end;
        }
    }
    if copied == 0 {
        return None;
    }
    out.extend_from_slice(data.get(copied..).unwrap_or_default());
    Some(out)
}
