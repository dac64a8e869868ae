//! Hadoop's integers of variable length: one byte for -112 to 127, otherwise a byte for the sign
//! and size, and up to eight bytes, big-endian.

use std::io::{self, Read};

use corpus_bytes::file::read_up_to;

/// The maximum size of an integer.
pub const MAX_BYTES: usize = 9;

/// Returns the size of an integer by its first byte.
fn size(first: u8) -> usize {
    match first as i8 {
        -112.. => 1,
        first @ -120..=-113 => 1 + usize::from((-112 - first) as u8),
        first => 1 + usize::from((-120 - first) as u8),
    }
}

/// Parses the integer at the start of `bytes`, and returns it with its size; `None` if bytes are
/// missing.
pub fn parse(bytes: &[u8]) -> Option<(i64, usize)> {
    let first = *bytes.first()?;
    let size = size(first);
    if size == 1 {
        return Some((i64::from(first as i8), 1));
    }
    let magnitude = bytes
        .get(1..size)?
        .iter()
        .fold(0, |value, byte| value << 8 | i64::from(*byte));
    let negative = (first as i8) < -120;
    Some((if negative { !magnitude } else { magnitude }, size))
}

/// Reads one integer; `None` at the end of the input.
pub fn read(input: &mut impl Read) -> io::Result<Option<i64>> {
    let mut bytes = [0; MAX_BYTES];
    if read_up_to(input, &mut bytes[..1])? == 0 {
        return Ok(None);
    }
    let size = size(bytes[0]);
    if read_up_to(input, &mut bytes[1..size])? < size - 1 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(parse(&bytes).map(|(value, _)| value))
}

/// Appends an integer.
pub fn write(out: &mut Vec<u8>, value: i64) {
    if (-112..=127).contains(&value) {
        out.push(value as i8 as u8);
        return;
    }
    let (base, magnitude) = if value < 0 {
        (-120_i8, !value)
    } else {
        (-112, value)
    };
    let skipped = magnitude.leading_zeros() as usize / 8;
    let bytes = &magnitude.to_be_bytes()[skipped..];
    out.push((base - bytes.len() as i8) as u8);
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: i64) -> Vec<u8> {
        let mut out = Vec::new();
        write(&mut out, value);
        out
    }

    #[test]
    fn known_bytes() {
        for (value, bytes) in [
            (0, &[0][..]),
            (127, &[127]),
            (-112, &[0x90]),
            (128, &[0x8f, 0x80]),
            (-113, &[0x87, 0x70]),
            (256, &[0x8e, 1, 0]),
            (-257, &[0x86, 1, 0]),
            (i64::MAX, &[0x88, 0x7f, 255, 255, 255, 255, 255, 255, 255]),
            (i64::MIN, &[0x80, 0x7f, 255, 255, 255, 255, 255, 255, 255]),
        ] {
            assert_eq!(written(value), bytes);
            assert_eq!(parse(bytes), Some((value, bytes.len())));
        }
    }

    #[test]
    fn all_sizes_and_cuts() {
        for shift in 0..63 {
            for near in -2..=2 {
                for value in [(1_i64 << shift) + near, -(1_i64 << shift) + near] {
                    let bytes = written(value);
                    assert_eq!(parse(&bytes), Some((value, bytes.len())));
                    assert_eq!(read(&mut bytes.as_slice()).unwrap(), Some(value));
                    for cut in 0..bytes.len() {
                        assert_eq!(parse(&bytes[..cut]), None);
                        let read = read(&mut &bytes[..cut]);
                        assert!(matches!(read, Ok(None)) == (cut == 0));
                    }
                }
            }
        }
    }
}
