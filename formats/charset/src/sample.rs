//! The part of a page that a judgement needs: some non-ASCII bytes and what stands beside them.

use super::repeats::representative;

/// So many places of the page are looked at, spread over it. Many small ones, because a damaged
/// byte shifts all characters up to the next ASCII byte in some charsets.
const PLACES: usize = 12;

/// Number of non-ASCII bytes taken at each place. Shorter pieces end with ASCII or with the page.
pub const BYTES_PER_PLACE: usize = 48;

/// Two bytes before and after tell the word that a character stands in.
const CONTEXT: usize = 2;

/// Pieces of the page. None begins within a character, whatever the charset.
pub struct Sample<'a> {
    pub pieces: Vec<&'a [u8]>,
    pub non_ascii: usize,
    /// Whether there are fewer than a language with letters beyond ASCII has, even where most of
    /// the page is markup. It is English, then, and what is not ASCII is hardly a letter.
    pub is_sparse: bool,
}

/// One non-ASCII byte in so many is sparse.
const SPARSE: usize = 1500;

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
            // Only the first place may follow what an earlier one left in mid-character.
            let start = if wanted > end {
                after_separator(page, wanted)
            } else if end == 0 || page.get(end - 1).is_some_and(u8::is_ascii) {
                end
            } else {
                after_separator(page, end)
            };
            end = sample.take_place(page, start);
        }
        // Where it took all it wanted, it cannot know how many more there are.
        let took_all = sample.non_ascii < PLACES * BYTES_PER_PLACE;
        sample.is_sparse = took_all && sample.non_ascii * SPARSE < page.len();
        sample
    }

    /// Keeps one of several equal pieces. A row of bytes beyond ASCII is a character or a word by
    /// itself, so the ASCII letters around it are not compared.
    pub fn without_repetitions(&self) -> Self {
        let has_row = |piece: &[u8]| {
            piece
                .windows(2)
                .any(|pair| pair.iter().all(|b| !b.is_ascii()))
        };
        let key = |piece: &&'a [u8]| {
            let is_replaced = has_row(piece);
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

    /// Adds pieces until there are enough non-ASCII bytes; returns where it ended.
    fn take_place(&mut self, page: &'a [u8], start: usize) -> usize {
        let mut position = start;
        let mut taken = 0;
        while taken < BYTES_PER_PLACE {
            let Some(first) = next_non_ascii(page, position) else {
                position = page.len();
                break;
            };
            let begin = first.saturating_sub(CONTEXT).max(position);
            let mut last = first;
            let mut end = first + 1;
            taken += 1;
            while let Some(byte) = page.get(end) {
                if !byte.is_ascii() {
                    // An even number, lest most two-byte characters be cut in their middle.
                    if taken >= 2 * BYTES_PER_PLACE {
                        break;
                    }
                    taken += 1;
                    last = end;
                } else if end - last > CONTEXT {
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

/// The first place from `start` on that follows a byte which is part of no longer character:
/// second bytes are 0x40 and above, except for rare characters of GB18030.
fn after_separator(page: &[u8], start: usize) -> usize {
    let rest = page.get(start..).unwrap_or_default();
    let separator = rest.iter().position(|byte| *byte < 0x30);
    separator.map_or(page.len(), |at| start + at + 1)
}

pub fn next_non_ascii(page: &[u8], start: usize) -> Option<usize> {
    // Blocks, since the standard library tests many bytes at a time, and encoding_rs does not.
    const BLOCK: usize = 64;
    let mut blocks = page.get(start..)?.chunks(BLOCK);
    let block = blocks.position(|block| !block.is_ascii())?;
    let from = start + block * BLOCK;
    let within = page.get(from..)?.iter().position(|byte| !byte.is_ascii())?;
    Some(from + within)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_what_surrounds_non_ascii_bytes() {
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
        // Single bytes depend on their neighbors, rows of bytes do not.
        assert_eq!(distinct(b"caf\xe9 one, r\xe9sum two, caf\xe9 one,"), 2);
        assert_eq!(distinct(b"abc\x93\xfaone, def\x93\xfatwo, "), 1);
        let page = b"\xa7 18 and ".repeat(20);
        assert!(Sample::of(&page).without_repetitions().non_ascii <= 2);
    }

    #[test]
    fn a_sample_is_bounded() {
        let most = PLACES * 2 * BYTES_PER_PLACE;
        for page in ["\u{e9}".repeat(100_000), "\u{e9} ".repeat(100_000)] {
            let sample = Sample::of(page.as_bytes());
            assert!(sample.non_ascii <= most);
            let size: usize = sample.pieces.iter().map(|piece| piece.len()).sum();
            assert!(size <= most * (2 * CONTEXT + 2), "{size}");
        }
    }

    #[test]
    fn a_page_with_next_to_no_characters_beyond_ascii_is_sparse() {
        let page = |length: usize| format!("\u{e9}{}", " ".repeat(length));
        assert!(!Sample::of(page(2000).as_bytes()).is_sparse);
        assert!(Sample::of(page(4000).as_bytes()).is_sparse);
        assert!(!Sample::of(page(300).repeat(400).as_bytes()).is_sparse);
    }

    #[test]
    fn no_piece_begins_within_a_character() {
        let page = "あい、う\nえお ".repeat(2000);
        for piece in Sample::of(page.as_bytes()).pieces {
            assert!(!(0x80..0xc0).contains(&piece[0]));
        }
    }
}
