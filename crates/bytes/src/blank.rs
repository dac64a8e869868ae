//! Files without content: empty ones, and those of white space and NUL bytes only.

use std::io::{self, Read};

use crate::compression::{Compression, MAGIC_LENGTH};
use crate::file::FileBytes;
use crate::record::RecordError;

/// The reason of the errors of empty files.
pub const EMPTY_FILE: &str = "empty file";

/// Maximum number of bytes that are read. A file that starts with this many blank bytes counts as
/// blank, because a small compressed file may contain any number of them.
const MAX_BLANK_BYTES: u64 = 64 << 20;

const READ_BYTES: usize = 64 << 10;

/// Returns the error of a file without content, compressed or not; `None` for other files. Reads up
/// to the first byte that is neither white space nor NUL.
pub fn empty_file(file: &dyn FileBytes) -> Option<RecordError> {
    let mut head = [0; MAGIC_LENGTH];
    let head = match file.read_at(0, &mut head) {
        Ok(0) => return Some(RecordError::new(EMPTY_FILE, "")),
        Ok(count) => head.get(..count)?,
        // The reader of the file reports it.
        Err(_) => return None,
    };
    let compression = Compression::detect(head);
    if compression.is_none() && !is_blank(head) {
        return None;
    }
    let mut input = file.stream(0).ok()?;
    let Some(compression) = compression else {
        return blank_length(&mut input).ok()?.map(blank_file);
    };
    let name = compression.name();
    let mut input = compression.decoder(input).ok()?;
    let detail = match blank_length(&mut input).ok()?? {
        0 => format!("0 bytes in {name}"),
        length => format!("{length} bytes in {name}, only white space and NUL"),
    };
    Some(RecordError::new(EMPTY_FILE, detail))
}

/// The error of a file with this number of bytes, all of them blank.
pub fn blank_file(length: u64) -> RecordError {
    let detail = format!("{length} bytes, only white space and NUL");
    RecordError::new(EMPTY_FILE, detail)
}

/// Returns the length of blank content; `None` for other content.
fn blank_length(input: &mut impl Read) -> io::Result<Option<u64>> {
    let mut buffer = vec![0; READ_BYTES];
    let mut length = 0;
    while length < MAX_BLANK_BYTES {
        let read = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => buffer.get(..count).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if !is_blank(read) {
            return Ok(None);
        }
        length += read.len() as u64;
    }
    Ok(Some(length))
}

/// Whether all bytes are white space of ASCII or NUL.
pub fn is_blank(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .all(|byte| byte.is_ascii_whitespace() || *byte == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    fn found(bytes: &[u8]) -> Option<String> {
        empty_file(&Memory(bytes.into())).map(|error| error.to_string())
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut compressed = Vec::new();
        let mut encoder = flate2::read::GzEncoder::new(bytes, flate2::Compression::fast());
        encoder.read_to_end(&mut compressed).unwrap();
        compressed
    }

    #[test]
    fn files_without_content_are_found_in_compressed_files_too() {
        for (bytes, expected) in [
            (vec![], "empty file"),
            (
                b"\r\n ".to_vec(),
                "empty file: 3 bytes, only white space and NUL",
            ),
            (
                vec![0; 100_000],
                "empty file: 100000 bytes, only white space and NUL",
            ),
            (gzip(b""), "empty file: 0 bytes in gzip"),
            (
                gzip(b"\0\n"),
                "empty file: 2 bytes in gzip, only white space and NUL",
            ),
        ] {
            assert_eq!(found(&bytes).as_deref(), Some(expected));
        }
        let mut late = vec![0; 200_000];
        late.push(b'x');
        for bytes in [
            b"x".to_vec(),
            late.clone(),
            gzip(&late),
            gzip(&late)[..30].to_vec(),
        ] {
            assert_eq!(found(&bytes), None);
        }
    }

    #[test]
    fn the_search_in_a_compressed_file_is_bounded() {
        let bytes = gzip(&vec![0; MAX_BLANK_BYTES as usize + (1 << 20)]);
        let detail = found(&bytes).unwrap();
        assert!(detail.contains("only white space and NUL"), "{detail}");
    }
}
