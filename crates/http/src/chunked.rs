//! Joins chunked bodies. Crawlers often join the chunks but keep the header that announces them, so
//! the body is checked first.

use std::borrow::Cow;

use memchr::memchr;

use super::failure::Failure;
use super::lines::is_blank;
use super::repairs::Repairs;
use corpus_bytes::step_counter::count_steps;

/// Maximum length of the line with a chunk's size, including extensions.
const MAX_SIZE_LINE_BYTES: usize = 4 << 10;
const MAX_DIGITS: usize = 16;

pub struct Dechunked<'a> {
    pub body: Cow<'a, [u8]>,
    pub repairs: Repairs,
    pub failure: Option<Failure>,
}

/// Joins the chunks; `None` if the body is not chunked.
pub fn dechunk(bytes: &[u8]) -> Option<Dechunked<'_>> {
    let first = size_line(bytes)?;
    if !is_framed(&first, bytes) {
        return None;
    }
    let mut reader = Reader {
        rest: bytes,
        parts: ChunkData::None,
        repairs: Repairs::CHUNKED,
        failure: None,
    };
    reader.read();
    Some(Dechunked {
        body: reader.parts.into_body(),
        repairs: reader.repairs,
        failure: reader.failure,
    })
}

/// Whether the first chunk is followed by a line end, or by the trailer if it is the last.
fn is_framed(first: &SizeLine, bytes: &[u8]) -> bool {
    match first.data(bytes) {
        Some((_, after)) if first.size == 0 => trailer_line(after).is_some() || after.is_empty(),
        Some((_, after)) => matches!(after, [] | [b'\r']) || line_end(after).is_some(),
        None => true,
    }
}

struct SizeLine {
    size: u64,
    length: usize,
}

impl SizeLine {
    /// The chunk's data and the bytes after it; `None` if the chunk is cut.
    fn data<'a>(&self, bytes: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        let size = usize::try_from(self.size).ok()?;
        bytes[self.length..].split_at_checked(size)
    }
}

/// Parses hexadecimal digits with optional spaces around them, an optional extension and a line
/// end.
fn size_line(bytes: &[u8]) -> Option<SizeLine> {
    let window = &bytes[..bytes.len().min(MAX_SIZE_LINE_BYTES)];
    // The digits are checked first, so that most unchunked bodies are recognized by their first
    // bytes.
    let blanks = window.iter().take_while(|b| is_blank(**b)).count();
    let digits = window[blanks..]
        .iter()
        .take_while(|b| b.is_ascii_hexdigit())
        .count();
    if digits == 0 || digits > MAX_DIGITS {
        return None;
    }
    let end = memchr(b'\n', window);
    count_steps(end.unwrap_or(window.len()));
    let end = end?;
    let (number, extension) = window[blanks..end].split_at_checked(digits)?;
    let extension = extension.trim_ascii();
    if !extension.is_empty() && extension[0] != b';' {
        return None;
    }
    let text = std::str::from_utf8(number).ok()?;
    Some(SizeLine {
        size: u64::from_str_radix(text, 16).ok()?,
        length: end + 1,
    })
}

fn line_end(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'\r', b'\n', ..] => Some(2),
        [b'\n', ..] => Some(1),
        _ => None,
    }
}

/// The length of the blank line or trailer header at the start.
fn trailer_line(bytes: &[u8]) -> Option<usize> {
    if let Some(length) = line_end(bytes) {
        return Some(length);
    }
    let end = memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
    count_steps(end);
    memchr(b':', &bytes[..end]).map(|_| end)
}

/// The data of the chunks. A single chunk is borrowed; several are copied together.
enum ChunkData<'a> {
    None,
    One(&'a [u8]),
    Many(Vec<u8>),
}

impl<'a> ChunkData<'a> {
    fn push(&mut self, part: &'a [u8], max_more: usize) {
        match self {
            _ if part.is_empty() => {}
            ChunkData::None => *self = ChunkData::One(part),
            ChunkData::One(first) => {
                let mut all = Vec::with_capacity(first.len() + part.len() + max_more);
                all.extend_from_slice(first);
                all.extend_from_slice(part);
                *self = ChunkData::Many(all);
            }
            ChunkData::Many(all) => all.extend_from_slice(part),
        }
    }

    fn into_body(self) -> Cow<'a, [u8]> {
        match self {
            ChunkData::None => Cow::Borrowed(&[]),
            ChunkData::One(part) => Cow::Borrowed(part),
            ChunkData::Many(all) => Cow::Owned(all),
        }
    }
}

struct Reader<'a> {
    rest: &'a [u8],
    parts: ChunkData<'a>,
    repairs: Repairs,
    failure: Option<Failure>,
}

impl<'a> Reader<'a> {
    fn read(&mut self) {
        while !self.rest.is_empty() {
            let Some(line) = size_line(self.rest) else {
                return self.keep_unchunked_rest();
            };
            if line.size == 0 {
                self.rest = &self.rest[line.length..];
                return self.read_trailer();
            }
            let Some((data, after)) = line.data(self.rest) else {
                return self.keep_cut_chunk(&line);
            };
            self.parts.push(data, after.len());
            match line_end(after) {
                Some(length) => self.rest = &after[length..],
                // The record may end inside the line end.
                None if matches!(after, [] | [b'\r']) => self.rest = &[],
                None => {
                    self.rest = after;
                    return self.keep_unchunked_rest();
                }
            }
        }
        self.repairs.add(Repairs::NO_LAST_CHUNK);
    }

    fn keep_cut_chunk(&mut self, line: &SizeLine) {
        let data = &self.rest[line.length..];
        let detail = format!("a chunk of {} bytes ends after {}", line.size, data.len());
        self.failure = Some(Failure::new(Failure::CHUNK_TRUNCATED, detail));
        self.parts.push(data, 0);
    }

    /// Keeps everything after the valid chunks, for readers that can use it.
    fn keep_unchunked_rest(&mut self) {
        // The record may have been cut inside this size line.
        let is_cut_size = self.rest.len() <= MAX_DIGITS
            && self.rest.trim_ascii_end().iter().all(u8::is_ascii_hexdigit);
        if is_cut_size {
            self.repairs.add(Repairs::NO_LAST_CHUNK);
            return;
        }
        let detail = format!(
            "expected a chunk, got {} other bytes, which were kept",
            self.rest.len()
        );
        self.failure = Some(Failure::new(Failure::CHUNK_INVALID, detail));
        self.parts.push(self.rest, 0);
    }

    fn read_trailer(&mut self) {
        while let Some(length) = trailer_line(self.rest) {
            let is_last = line_end(self.rest).is_some();
            self.rest = &self.rest[length..];
            if is_last {
                break;
            }
            self.repairs.add(Repairs::CHUNK_TRAILER);
        }
        if !self.rest.trim_ascii().is_empty() {
            self.repairs.add(Repairs::BYTES_AFTER_LAST_CHUNK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use corpus_bytes::step_counter::assert_linear;

    fn case(bytes: &[u8]) -> (Vec<u8>, Vec<&'static str>, Option<&'static str>) {
        let found = dechunk(bytes).unwrap();
        let reason = found.failure.map(|failure| failure.reason);
        (found.body.into_owned(), found.repairs.words(), reason)
    }

    #[test]
    fn real_chunks() {
        let plain = (b"hello world".to_vec(), vec!["chunked"], None);
        assert_eq!(case(b"5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"), plain);
        assert_eq!(
            case(b"5;a=b\r\nhello\r\n006  \r\n world\r\n0\r\n\r\n"),
            plain
        );
        assert_eq!(case(b"5\nhello\n6\n world\n0\n\n"), plain);
        assert_eq!(case(b"0\r\n\r\n"), (vec![], vec!["chunked"], None));
        let trailer = case(b"1\r\na\r\n0\r\nX: y\r\nZ: w\r\n\r\n");
        assert_eq!(
            trailer,
            (b"a".to_vec(), vec!["chunked", "chunk_trailer"], None)
        );
        let more = case(b"1\r\na\r\n0\r\n\r\nHTTP/1.1");
        assert_eq!(more.1, ["chunked", "bytes_after_last_chunk"]);
    }

    #[test]
    fn one_chunk_is_borrowed() {
        let found = dechunk(b"5\r\nhello\r\n0\r\n\r\n").unwrap();
        assert!(matches!(found.body, Cow::Borrowed(b"hello")));
    }

    #[test]
    fn cut_chunks() {
        let bytes = b"5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";
        for end in 3..bytes.len() {
            let (body, _, reason) = case(&bytes[..end]);
            assert!(b"hello world".starts_with(&body[..]), "{end}: {body:?}");
            assert!(reason.is_none() || reason == Some(Failure::CHUNK_TRUNCATED));
        }
        assert_eq!(case(b"5\r\nhello\r\n").1, ["chunked", "no_last_chunk"]);
        let absurd = case(b"FFFFFFFFFFFFFFFF\r\n<p>x</p>");
        assert_eq!(
            (&absurd.0[..], absurd.2),
            (&b"<p>x</p>"[..], Some("chunk_truncated"))
        );
    }

    #[test]
    fn broken_chunks_keep_the_rest() {
        let (body, _, reason) = case(b"5\r\nhello\r\nno size\r\n");
        assert_eq!(
            (&body[..], reason),
            (&b"hellono size\r\n"[..], Some("chunk_invalid"))
        );
    }

    #[test]
    fn chunks_are_linear() {
        for part in [
            "1\r\na\r\n",
            "00001;a=b\r\na\r\n",
            "1\na\n",
            "  1  \r\na\r\n",
            "1;",
        ] {
            assert_linear(
                part,
                |parts| part.repeat(parts),
                |body| drop(dechunk(body.as_bytes())),
            );
        }
        for part in ["A: b\r\n", "a:", "\r", "a\n"] {
            let body = |parts| format!("1\r\na\r\n0\r\n{}", part.repeat(parts));
            assert_linear(part, body, |body| drop(dechunk(body.as_bytes())));
        }
    }

    #[test]
    fn bodies_without_chunks() {
        for bytes in [
            &b""[..],
            b"<p>x</p>",
            b"face to face\r\n",
            b"12\r\nnot so long, and longer than that\r\n",
            b"FFFFFFFFFFFFFFFFF\r\n",
            b"5",
            b"\r\n",
            b"0\r\nand so on\r\n",
        ] {
            assert!(dechunk(bytes).is_none(), "{bytes:?}");
        }
    }
}
