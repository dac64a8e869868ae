//! Decoding by tables, for charsets that extend ASCII by bytes and pairs of bytes.
//!
//! `encoding_rs` decides for every character again, and copies ASCII in small steps. Here it fills
//! the tables, and decodes what they lack: invalid bytes, longer characters and the end of a page.

use std::borrow::Cow;
use std::sync::OnceLock;

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252,
};

/// The number of bytes that are examined at a time.
const WORD: usize = 8;

/// The number of further bytes that are zeroed when the output is full.
const ROOM: usize = 4096;

/// The UTF-8 bytes of a character, the first one lowest. Zero if there is no character.
type Character = u32;

/// The characters that start with a byte, indexed by the next byte. If the byte alone is a
/// character, all are the same.
struct Row {
    characters: [Character; 256],
    /// The number of bytes of each character.
    length: usize,
}

/// A row that has to be found first.
static UNKNOWN: Row = Row {
    characters: [0; 256],
    length: 0,
};

/// The characters of a charset. Those that start with the same byte are found when one is needed.
pub(super) struct Table {
    encoding: &'static Encoding,
    /// Indexed by the first byte minus 0x80.
    rows: [OnceLock<Box<Row>>; 128],
}

/// The tables of the common charsets.
static TABLES: [Table; 9] = [
    Table::new(SHIFT_JIS),
    Table::new(EUC_JP),
    Table::new(WINDOWS_1252),
    Table::new(WINDOWS_1251),
    Table::new(WINDOWS_1250),
    Table::new(GBK),
    Table::new(GB18030),
    Table::new(BIG5),
    Table::new(EUC_KR),
];

impl Table {
    const fn new(encoding: &'static Encoding) -> Self {
        Self {
            encoding,
            rows: [const { OnceLock::new() }; 128],
        }
    }

    /// The table of a charset, if it has one.
    pub(super) fn of(encoding: &'static Encoding) -> Option<&'static Self> {
        TABLES.iter().find(|table| table.encoding == encoding)
    }

    /// Decodes bytes as `encoding_rs` does.
    pub(super) fn decode<'a>(&self, bytes: &'a [u8]) -> Cow<'a, str> {
        let start = ascii_length(bytes);
        if start == bytes.len()
            && let Ok(text) = str::from_utf8(bytes)
        {
            return Cow::Borrowed(text);
        }
        let mut output = Output::with_room_for(bytes);
        // Without this copy, each character would check whether its row is known.
        let mut rows = [&UNKNOWN; 128];
        let mut rest = bytes;
        while let Some(word) = rest.first_chunk() {
            let mut length = ascii_in(word);
            if length < WORD {
                output.push(*word, length);
            } else {
                length = ascii_length(rest);
                output.extend(rest.get(..length).unwrap_or_default());
            }
            rest = rest.get(length..).unwrap_or_default();
            while let [first, second, ..] = rest
                && !first.is_ascii()
            {
                let index = usize::from(first & 0x7f);
                let row = rows[index];
                let character = row.characters[usize::from(*second)];
                rest = if character != 0 {
                    let length = size_of::<Character>() - character.leading_zeros() as usize / 8;
                    output.push(u64::from(character).to_le_bytes(), length);
                    rest.get(row.length..).unwrap_or_default()
                } else if row.length == 0 {
                    rows[index] = self.row(*first);
                    rest
                } else {
                    self.decode_irregular(rest, &mut output)
                };
            }
        }
        self.decode_slowly(rest, &mut output);
        Cow::Owned(output.into_text())
    }

    #[cold]
    fn row(&self, first: u8) -> &Row {
        self.rows[usize::from(first & 0x7f)].get_or_init(|| {
            let alone = self.character(&[first]);
            let is_alone = alone != 0 || self.encoding.is_single_byte();
            let character = |second| match is_alone {
                true => alone,
                false => self.character(&[first, second as u8]),
            };
            Box::new(Row {
                characters: std::array::from_fn(character),
                length: if is_alone { 1 } else { 2 },
            })
        })
    }

    fn character(&self, bytes: &[u8]) -> Character {
        let encoding = self.encoding;
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
        let text = text.unwrap_or_default();
        let mut character = [0; size_of::<Character>()];
        match character.get_mut(..text.len()) {
            Some(start) => start.copy_from_slice(text.as_bytes()),
            None => return 0,
        }
        Character::from_le_bytes(character)
    }

    /// Decodes up to a byte that no charset has inside a character, and returns the bytes after it.
    #[cold]
    fn decode_irregular<'a>(&self, bytes: &'a [u8], output: &mut Output) -> &'a [u8] {
        let end = bytes.iter().position(|byte| *byte < 0x30);
        let (piece, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
        self.decode_slowly(piece, output);
        rest
    }

    fn decode_slowly(&self, bytes: &[u8], output: &mut Output) {
        let (text, _) = self.encoding.decode_without_bom_handling(bytes);
        output.extend(text.as_bytes());
    }
}

/// The decoded bytes. Words are written as a whole, even if only their first bytes count.
struct Output {
    bytes: Vec<u8>,
    /// The number of bytes that count.
    length: usize,
}

impl Output {
    fn with_room_for(input: &[u8]) -> Self {
        // Japanese grows by half, but most pages are markup.
        Self {
            bytes: Vec::with_capacity(input.len() + input.len() / 4 + ROOM),
            length: 0,
        }
    }

    #[inline]
    fn push(&mut self, word: [u8; WORD], length: usize) {
        let room = self.bytes.get_mut(self.length..);
        match room.and_then(|room| room.first_chunk_mut()) {
            Some(room) => {
                *room = word;
                self.length += length;
            }
            None => self.extend(word.get(..length).unwrap_or_default()),
        }
    }

    #[inline]
    fn extend(&mut self, bytes: &[u8]) {
        let end = self.length + bytes.len();
        if end > self.bytes.len() {
            self.bytes.resize(end + ROOM, 0);
        }
        if let Some(room) = self.bytes.get_mut(self.length..end) {
            room.copy_from_slice(bytes);
        }
        self.length = end;
    }

    #[expect(
        unsafe_code,
        reason = "the standard library would validate seven times as slowly"
    )]
    fn into_text(mut self) -> String {
        self.bytes.truncate(self.length);
        if Encoding::utf8_valid_up_to(&self.bytes) < self.length {
            return String::from_utf8_lossy(&self.bytes).into_owned();
        }
        // SAFETY: all bytes were validated.
        unsafe { String::from_utf8_unchecked(self.bytes) }
    }
}

/// The number of ASCII bytes at the start of a word.
#[inline]
fn ascii_in(word: &[u8; WORD]) -> usize {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    (u64::from_le_bytes(*word) & HIGH).trailing_zeros() as usize / 8
}

/// The number of ASCII bytes at the start.
pub(super) fn ascii_length(bytes: &[u8]) -> usize {
    // The standard library tests many bytes at a time, but a whole block only.
    const BLOCK: usize = 64;
    let mut blocks = bytes.chunks(BLOCK);
    let ascii = blocks.by_ref().take_while(|block| block.is_ascii()).count() * BLOCK;
    let Some(rest) = bytes.get(ascii..) else {
        return bytes.len();
    };
    let mut length = ascii;
    for word in rest.as_chunks().0 {
        let further = ascii_in(word);
        length += further;
        if further < WORD {
            return length;
        }
    }
    let rest = bytes.get(length..).unwrap_or_default();
    length + rest.iter().take_while(|byte| byte.is_ascii()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use corpus_bytes::random::Random;

    fn assert_same(table: &Table, bytes: &[u8]) {
        let (expected, _) = table.encoding.decode_without_bom_handling(bytes);
        let name = table.encoding.name();
        assert_eq!(table.decode(bytes), expected, "{name}: {bytes:x?}");
    }

    #[test]
    fn all_pairs_decode_as_in_encoding_rs() {
        for table in &TABLES {
            for first in 0x80..=0xff {
                for second in 0..=0xff {
                    assert_same(table, &[first, second]);
                    assert_same(
                        table,
                        &[b'a', first, second, first, b'/', b'b', b'c', b'd', b'e'],
                    );
                }
            }
        }
    }

    #[test]
    fn any_bytes_decode_as_in_encoding_rs() {
        // Bytes that are ends, starts or parts of characters in one of the charsets.
        let special = b"\0/09<@Aa~\x7f\x80\x81\x82\x8e\x8f\xa0\xa1\xdf\xe3\xfc\xfe\xff";
        let mut random = Random(3);
        for table in &TABLES {
            for _ in 0..5000 {
                let length = random.below(40);
                let bytes: Vec<u8> = (0..length)
                    .map(|_| match random.below(3) {
                        0 => special[random.below(special.len())],
                        1 => 0x80 | random.below(128) as u8,
                        _ => b'a',
                    })
                    .collect();
                assert_same(table, &bytes);
            }
        }
    }

    #[test]
    fn long_pages_decode_as_in_encoding_rs() {
        for table in &TABLES {
            for length in [7, 8, 63, 64, 65, 4095, 4096, 20_000] {
                let ascii = vec![b'a'; length];
                assert!(matches!(table.decode(&ascii), Cow::Borrowed(_)));
                let mut page = [ascii.as_slice(), &[0xb0, 0xa1].repeat(length), &ascii].concat();
                assert_same(table, &page);
                page.insert(length + 1, 0xff);
                assert_same(table, &page);
            }
        }
    }

    #[test]
    fn ascii_ends_at_the_first_other_byte() {
        for length in 0..200 {
            let mut bytes = vec![b'a'; 200];
            assert_eq!(ascii_length(&bytes[..length]), length);
            bytes[length] = 0x80;
            assert_eq!(ascii_length(&bytes), length);
        }
    }
}
