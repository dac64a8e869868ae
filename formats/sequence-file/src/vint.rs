//! Hadoop's integers of variable length: one byte for -112 to 127, otherwise a byte that tells
//! sign and size, and up to eight bytes, the highest first.

use std::io::{self, Read};

/// The most bytes that an integer takes.
pub const MAX_SIZE: usize = 9;

/// How many bytes an integer takes that starts with this one.
fn size(first: u8) -> usize {
    match first as i8 {
        -112.. => 1,
        first @ -120..=-113 => 1 + usize::from((-112 - first) as u8),
        first => 1 + usize::from((-120 - first) as u8),
    }
}

/// The integer at the start of some bytes and its size; `None` if there are too few bytes.
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
    let mut bytes = [0; MAX_SIZE];
    if read_up_to(input, &mut bytes[..1])? == 0 {
        return Ok(None);
    }
    let size = size(bytes[0]);
    if read_up_to(input, &mut bytes[1..size])? < size - 1 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(parse(&bytes).map(|(value, _)| value))
}

/// Fills the buffer; returns fewer bytes only at the end of the input.
pub fn read_up_to(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut done = 0;
    while done < buffer.len() {
        match input.read(&mut buffer[done..]) {
            Ok(0) => break,
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

pub fn write(out: &mut Vec<u8>, value: i64) {
    if (-112..=127).contains(&value) {
        out.push(value as i8 as u8);
        return;
    }
    let (base, magnitude) = match value < 0 {
        true => (-120_i8, !value),
        false => (-112, value),
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
