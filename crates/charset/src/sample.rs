//! The part of a page that is judged: some of its non-ASCII bytes and their neighbors.

/// Number of places sampled, spread over the page. Many small ones, because in some charsets a
/// damaged byte shifts all characters up to the next ASCII byte.
const PLACES: usize = 12;

/// Number of non-ASCII bytes sampled at each place. Shorter pieces end with ASCII or with the page.
pub const BYTES_PER_PLACE: usize = 48;

/// Number of bytes kept on each side: two are enough to recognize a word.
const CONTEXT_BYTES: usize = 2;

/// Pieces of the page. None starts inside a character, whatever the charset.
pub struct Sample<'a> {
    pub pieces: Vec<&'a [u8]>,
    pub non_ascii: usize,
    /// Whether there are fewer non-ASCII bytes than in any language with non-ASCII letters, even on
    /// pages that are mostly markup. Then the page is English, and these bytes are hardly letters.
    pub is_sparse: bool,
}

/// A page is sparse if fewer than one byte in this many is non-ASCII.
const MIN_SPARSE_BYTES_PER_NON_ASCII: usize = 1500;

impl<'a> Sample<'a> {
    pub fn of(page: &'a [u8]) -> Self {
        let mut sample = Self {
            pieces: Vec::new(),
            non_ascii: 0,
            is_sparse: false,
        };
        let mut end = 0;
        for place in 0..PLACES {
            let wanted = page.len() / PLACES * place;
            // If the previous place ended inside a character, find its end.
            let start = if wanted > end {
                after_separator(page, wanted)
            } else if end == 0 || page.get(end - 1).is_some_and(u8::is_ascii) {
                end
            } else {
                after_separator(page, end)
            };
            end = sample.take_place(page, start);
        }
        // A full sample does not show how many more there are.
        let took_all = sample.non_ascii < PLACES * BYTES_PER_PLACE;
        sample.is_sparse =
            took_all && sample.non_ascii * MIN_SPARSE_BYTES_PER_NON_ASCII < page.len();
        sample
    }

    /// Keeps one of several equal pieces. Several non-ASCII bytes in a row are a character or a
    /// word by themselves, so the ASCII letters around them are not compared.
    pub fn without_repetitions(&self) -> Self {
        let has_run = |piece: &[u8]| {
            piece
                .windows(2)
                .any(|pair| pair.iter().all(|b| !b.is_ascii()))
        };
        let key = |piece: &&'a [u8]| {
            let is_replaced = has_run(piece);
            piece.iter().map(move |byte| match byte {
                letter if is_replaced && letter.is_ascii_alphabetic() => representative(*letter),
                other => *other,
            })
        };
        let mut pieces = self.pieces.clone();
        pieces.sort_by(|a, b| key(a).cmp(key(b)));
        pieces.dedup_by(|a, b| key(a).eq(key(b)));
        let bytes = pieces.iter().copied().flatten();
        Self {
            non_ascii: bytes.filter(|byte| !byte.is_ascii()).count(),
            pieces,
            is_sparse: self.is_sparse,
        }
    }

    /// Adds pieces until there are enough non-ASCII bytes. Returns the position after them.
    fn take_place(&mut self, page: &'a [u8], start: usize) -> usize {
        let mut position = start;
        let mut taken = 0;
        while taken < BYTES_PER_PLACE {
            let Some(first) = next_non_ascii(page, position) else {
                position = page.len();
                break;
            };
            let begin = first.saturating_sub(CONTEXT_BYTES).max(position);
            let mut last = first;
            let mut end = first + 1;
            taken += 1;
            while let Some(byte) = page.get(end) {
                if !byte.is_ascii() {
                    // An even number, so that most two-byte characters stay whole.
                    if taken >= 2 * BYTES_PER_PLACE {
                        break;
                    }
                    taken += 1;
                    last = end;
                } else if end - last > CONTEXT_BYTES {
                    break;
                }
                end += 1;
            }
            self.pieces.extend(page.get(begin..end));
            position = end;
        }
        self.non_ascii += taken;
        position
    }
}

/// The first position from `start` on that follows a byte below 0x30. Such a byte never belongs to
/// a multi-byte character: second bytes are 0x40 and above, except in rare characters of GB18030.
fn after_separator(page: &[u8], start: usize) -> usize {
    let rest = page.get(start..).unwrap_or_default();
    let separator = rest.iter().position(|byte| *byte < 0x30);
    separator.map_or(page.len(), |at| start + at + 1)
}

/// Maps ASCII characters to one of their kind: lower case, upper case, or other.
pub fn representative(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => b'a',
        b'A'..=b'Z' => b'A',
        0..=0x7f => b' ',
        _ => byte,
    }
}

pub fn next_non_ascii(page: &[u8], start: usize) -> Option<usize> {
    // `is_ascii` of the standard library tests many bytes at a time, unlike encoding_rs.
    const BLOCK_BYTES: usize = 64;
    let mut blocks = page.get(start..)?.chunks(BLOCK_BYTES);
    let block = blocks.position(|block| !block.is_ascii())?;
    let from = start + block * BLOCK_BYTES;
    let within = page.get(from..)?.iter().position(|byte| !byte.is_ascii())?;
    Some(from + within)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_surround_non_ascii_bytes() {
        let sample = Sample::of(b"plain caf\xe9 plain \xe0 la");
        assert_eq!(sample.pieces, [b"af\xe9 p".as_slice(), b"n \xe0 l"]);
        assert_eq!(sample.non_ascii, 2);
        assert!(Sample::of(b"plain").pieces.is_empty());
        assert!(Sample::of(b"").pieces.is_empty());
    }

    #[test]
    fn repeated_pieces_are_kept_once() {
        let distinct = |page: &[u8]| Sample::of(page).without_repetitions().pieces.len();
        assert_eq!(distinct(&b"as Code \xa7 18 ".repeat(20)), 1);
        assert_eq!(distinct(b"and \xa71 and \xa72 and \xa71 and"), 2);
        // Single bytes depend on their neighbors; runs of bytes do not.
        assert_eq!(distinct(b"caf\xe9 one, r\xe9sum two, caf\xe9 one,"), 2);
        assert_eq!(distinct(b"abc\x93\xfaone, def\x93\xfatwo, "), 1);
        let page = b"\xa7 18 and ".repeat(20);
        assert!(Sample::of(&page).without_repetitions().non_ascii <= 2);
    }

    #[test]
    fn a_sample_is_bounded() {
        let max = PLACES * 2 * BYTES_PER_PLACE;
        for page in ["\u{e9}".repeat(100_000), "\u{e9} ".repeat(100_000)] {
            let sample = Sample::of(page.as_bytes());
            assert!(sample.non_ascii <= max);
            let size: usize = sample.pieces.iter().map(|piece| piece.len()).sum();
            assert!(size <= max * (2 * CONTEXT_BYTES + 2), "{size}");
        }
    }

    #[test]
    fn a_page_with_hardly_any_non_ascii_characters_is_sparse() {
        let page = |length: usize| format!("\u{e9}{}", " ".repeat(length));
        assert!(!Sample::of(page(2000).as_bytes()).is_sparse);
        assert!(Sample::of(page(4000).as_bytes()).is_sparse);
        assert!(!Sample::of(page(300).repeat(400).as_bytes()).is_sparse);
    }

    #[test]
    fn no_piece_starts_inside_a_character() {
        let page = "あい、う\nえお ".repeat(2000);
        for piece in Sample::of(page.as_bytes()).pieces {
            assert!(!(0x80..0xc0).contains(&piece[0]));
        }
    }
}
