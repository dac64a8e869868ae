//! Finds the ends of inline images (`BI` … `ID` … `EI`) in content streams.

use super::lexer::parse_number;

/// Number of bytes after `EI` that must look like content.
const CHECKED_BYTES: usize = 24;

/// The length of the image after `BI`, including `EI`.
pub fn length(after_bi: &[u8]) -> usize {
    let Some(data_start) = find_word(after_bi, b"ID", |_| true).map(|at| at + 3) else {
        return after_bi.len();
    };
    let header = after_bi.get(..data_start).unwrap_or_default();
    let data = after_bi.get(data_start..).unwrap_or_default();
    // Uncompressed samples may contain anything, even something like an end. Skip the length that
    // follows from the header.
    let known = unpacked_length(header)
        .filter(|&n| ends_at(data, n))
        .unwrap_or(0);
    let rest = data.get(known..).unwrap_or_default();
    match find_word(rest, b"EI", looks_like_content) {
        Some(at) => data_start + known + at + 2,
        None => after_bi.len(),
    }
}

/// The entries and the data of the image in the bytes after `BI`, including `EI`.
pub fn parts(after_bi: &[u8]) -> Option<(&[u8], &[u8])> {
    let data_start = find_word(after_bi, b"ID", |_| true)? + 3;
    let header = after_bi.get(..data_start.checked_sub(3)?)?;
    let data = after_bi.get(data_start..).unwrap_or_default();
    let data = data.strip_suffix(b"EI").unwrap_or(data);
    let data = match data {
        [data @ .., last] if is_space(*last) => data,
        data => data,
    };
    Some((header, data))
}

/// Finds a word between white space whose following bytes `accepts` accepts.
fn find_word(data: &[u8], word: &[u8; 2], accepts: impl Fn(&[u8]) -> bool) -> Option<usize> {
    memchr::memmem::find_iter(data, word).find(|&at| {
        let before = at.checked_sub(1).and_then(|i| data.get(i));
        let after = data.get(at + 2..).unwrap_or_default();
        before.is_none_or(|&c| is_space(c))
            && after.first().is_none_or(|&c| is_space(c))
            && accepts(after)
    })
}

fn is_space(c: u8) -> bool {
    matches!(c, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ')
}

fn looks_like_content(after: &[u8]) -> bool {
    after
        .iter()
        .take(CHECKED_BYTES)
        .all(|&c| is_space(c) && c != 0 || (b' '..=b'~').contains(&c))
}

fn ends_at(data: &[u8], length: usize) -> bool {
    let after = data
        .get(length..length.saturating_add(8).min(data.len()))
        .unwrap_or_default();
    after.windows(2).any(|two| two == b"EI")
}

/// The length of the samples, unless a filter compresses them.
fn unpacked_length(header: &[u8]) -> Option<usize> {
    let mut words = header
        .split(|&c| is_space(c) || c == b'/')
        .filter(|word| !word.is_empty());
    let (mut width, mut height, mut bits, mut components) = (None, None, 1, 1);
    while let Some(word) = words.next() {
        match word {
            b"F" | b"Filter" => return None,
            b"W" | b"Width" => width = Some(parse_number(words.next()?) as usize),
            b"H" | b"Height" => height = Some(parse_number(words.next()?) as usize),
            b"BPC" | b"BitsPerComponent" => bits = parse_number(words.next()?) as usize,
            b"RGB" | b"DeviceRGB" => components = 3,
            b"CMYK" | b"DeviceCMYK" => components = 4,
            _ => {}
        }
    }
    let row = width?
        .checked_mul(bits)?
        .checked_mul(components)?
        .div_ceil(8);
    row.checked_mul(height?)
}
