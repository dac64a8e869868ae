//! Checks of the bytes after a pattern, which distinguish binary formats from text that starts
//! alike.

use super::text::has_binary_bytes;

/// Accepts all bytes: for patterns that no text starts with.
pub fn always(_: &[u8]) -> bool {
    true
}

/// For patterns of letters: near its start, text has no control characters.
pub fn is_binary(header: &[u8]) -> bool {
    const NEAR_BYTES: usize = 64;
    has_binary_bytes(&header[..header.len().min(NEAR_BYTES)])
}

pub fn is_icon(header: &[u8]) -> bool {
    // The number of images, and a reserved byte of the first one.
    matches!(header, [_, _, _, _, 1..=255, 0, _, _, _, 0, ..])
}

pub fn is_bitmap(header: &[u8]) -> bool {
    // Reserved bytes are zero; the size of the second header is the version.
    matches!(header.get(6..10), Some([0, 0, 0, 0]))
        && matches!(
            header.get(14..18),
            Some([12 | 16 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0])
        )
}

pub fn is_jpeg(header: &[u8]) -> bool {
    header.get(3).is_none_or(|marker| *marker >= 0xc0)
}

pub fn is_id3(header: &[u8]) -> bool {
    let is_size = |bytes: &[u8]| bytes.iter().all(|b| *b < 0x80);
    matches!(header.get(3), Some(2..=4)) && header.get(6..10).is_some_and(is_size)
}

pub fn is_font(header: &[u8]) -> bool {
    // The number of tables, big-endian.
    matches!(header.get(4..6), Some([0, 1..=64]))
}

pub fn is_embedded_font(header: &[u8]) -> bool {
    matches!(header.get(8..12), Some([0..=2, 0, 1 | 2, 0]))
}

pub fn is_flash(header: &[u8]) -> bool {
    // The version, then the length, little-endian.
    matches!(
        header,
        [b'F' | b'C' | b'Z', _, _, 1..=50, _, _, _, 0..=0x0f, ..]
    )
}

pub fn is_windows_program(header: &[u8]) -> bool {
    let Some([low, high, 0, 0]) = header.get(0x3c..0x40) else {
        return false;
    };
    let at = usize::from(u16::from_le_bytes([*low, *high]));
    // If the header lies outside the available bytes, check the DOS stub before it.
    header
        .get(at..)
        .map_or(at < 0x4000 && is_binary(header), |rest| {
            rest.starts_with(b"PE\0\0")
        })
}

pub fn is_java_class(header: &[u8]) -> bool {
    // The major version. Universal binaries of macOS have the same magic and a small number here.
    matches!(header.get(4..8), Some([0, _, 0, 45..=99]))
}

pub fn is_mach_binary(header: &[u8]) -> bool {
    matches!(header.first(), Some(0xce | 0xcf))
}
