//! Parses the headers and trailers of gzip members.

use memchr::{memchr, memmem};

/// The size of a member's trailer: a checksum, and the size of the text modulo 2^32.
pub const TRAILER_BYTES: usize = 8;

const FHCRC: u8 = 2;
const FEXTRA: u8 = 4;
const FNAME: u8 = 8;
const FCOMMENT: u8 = 16;
const RESERVED: u8 = 0xe0;

/// Whether a member may start with these bytes: the magic number, deflate, no reserved flags.
#[inline]
pub fn is_magic(bytes: &[u8]) -> bool {
    matches!(bytes, [0x1f, 0x8b, 8, flags, ..] if flags & RESERVED == 0)
}

/// Returns the length of the header at the start of `bytes`; `None` if it is incomplete.
pub fn header_length(bytes: &[u8]) -> Option<usize> {
    let flags = *bytes.get(3)?;
    let mut length = 10;
    if flags & FEXTRA != 0 {
        let extra = [*bytes.get(length)?, *bytes.get(length + 1)?];
        length += 2 + usize::from(u16::from_le_bytes(extra));
    }
    for text in [FNAME, FCOMMENT] {
        if flags & text != 0 {
            length += memchr(0, bytes.get(length..)?)? + 1;
        }
    }
    if flags & FHCRC != 0 {
        length += 2;
    }
    (length <= bytes.len()).then_some(length)
}

/// Returns the size of the text as declared by the last four bytes of a member.
pub fn declared_size(member: &[u8]) -> Option<usize> {
    let field = member.last_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*field)).ok()
}

/// Whether the last four bytes occur nowhere earlier in the member. Inflating to exactly the
/// declared size, with the right checksum, then proves that the member did not end earlier.
pub(crate) fn has_unique_size_field(member: &[u8]) -> bool {
    member
        .last_chunk::<4>()
        .is_some_and(|field| memmem::find(&member[..member.len() - 1], field).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_fields_are_skipped() {
        let mut header = b"\x1f\x8b\x08\x1e\0\0\0\0\0\x03\x03\0abcname\0comment\0hc".to_vec();
        assert_eq!(header_length(&header), Some(header.len()));
        header.pop();
        assert_eq!(header_length(&header), None);
        assert_eq!(header_length(b"\x1f\x8b\x08"), None);
    }

    #[test]
    fn reserved_flags_are_not_magic() {
        assert!(is_magic(b"\x1f\x8b\x08\x00"));
        assert!(!is_magic(b"\x1f\x8b\x08\x20"));
        assert!(!is_magic(b"\x1f\x8b\x08"));
    }

    #[test]
    fn size_fields() {
        assert_eq!(declared_size(b"abcd\x01\x02\0\0"), Some(0x201));
        assert_eq!(declared_size(b"abc"), None);
        assert!(has_unique_size_field(b"abcd\x01\x02\0\0"));
        assert!(!has_unique_size_field(b"ab\x01\x02\0\0cd\x01\x02\0\0"));
        assert!(!has_unique_size_field(b"abcd\0\0\0\0\0"));
    }
}
