//! The charsets of composite fonts whose codes are characters.

/// The charset of codes that are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    Utf8,
    /// Also used for UCS-2.
    Utf16,
    Utf32,
    Gbk,
}

const NAMES: [(&[u8], Charset); 4] = [
    (b"UTF8", Charset::Utf8),
    (b"UTF16", Charset::Utf16),
    (b"UCS2", Charset::Utf16),
    (b"UTF32", Charset::Utf32),
];

impl Charset {
    /// The charset of a character map with a name such as `UniAKR-UTF32-H`.
    pub fn of_map(name: &[u8]) -> Option<Self> {
        let part = parts(name)?.1;
        let found = NAMES.iter().find(|(known, _)| *known == part);
        found.map(|(_, charset)| *charset)
    }

    /// The name of the same map for UTF-16.
    pub fn name_in_utf_16(self, name: &[u8]) -> Vec<u8> {
        match parts(name) {
            Some((collection, _, rest)) => [collection, b"-UTF16", rest].concat(),
            None => Vec::new(),
        }
    }

    /// The next code and its length. `bytes` must not be empty.
    pub fn next(self, bytes: &[u8]) -> (u32, usize) {
        let length = match (self, bytes.first().copied().unwrap_or_default()) {
            (Self::Utf8 | Self::Gbk, 0..0x80) => 1,
            (Self::Utf8, 0xe0..=0xef) => 3,
            (Self::Utf8, 0xf0..) | (Self::Utf16, 0xd8..=0xdb) | (Self::Utf32, _) => 4,
            _ => 2,
        };
        let length = length.min(bytes.len());
        let code = bytes.iter().take(length);
        let code = code.fold(0, |code, &byte| code << 8 | u32::from(byte));
        (code, length)
    }

    pub fn character(self, code: u32) -> Option<char> {
        let bytes = code.to_be_bytes();
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count().min(3);
        let used = bytes.get(zeros..)?;
        match self {
            Self::Utf32 => char::from_u32(code),
            Self::Utf8 => std::str::from_utf8(used).ok()?.chars().next(),
            Self::Gbk => {
                let text = encoding_rs::GBK.decode_without_bom_handling(used).0;
                text.chars().next()
            }
            Self::Utf16 => {
                let units = [(code >> 16) as u16, code as u16];
                let units = units.get(usize::from(code <= 0xffff)..)?;
                char::decode_utf16(units.iter().copied()).next()?.ok()
            }
        }
    }
}

/// Splits a name into the collection, the charset and the rest.
fn parts(name: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let start = name
        .starts_with(b"Uni")
        .then(|| memchr::memchr(b'-', name))??;
    let (collection, rest) = (name.get(..start)?, name.get(start + 1..)?);
    let end = memchr::memchr(b'-', rest).unwrap_or(rest.len());
    Some((collection, rest.get(..end)?, rest.get(end..)?))
}
