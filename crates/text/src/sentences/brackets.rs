//! Wide brackets, inside of which no sentence ends.

use std::ops::Range;

/// A bracket that closes after more characters than this is taken for one that stays open.
const MAX_BRACKET_CHARACTERS: usize = 500;

const PAIRS: [(char, char); 6] = [
    ('「', '」'),
    ('『', '』'),
    ('（', '）'),
    ('【', '】'),
    ('〈', '〉'),
    ('《', '》'),
];

/// Whether a character is an opening bracket.
pub fn opens(character: char) -> bool {
    PAIRS.iter().any(|(open, _)| *open == character)
}

/// The brackets of a line that are closed, with their content, by their start. A bracket that stays
/// open is none of them, nor does it hide others: in 「『a』, the second is closed.
pub fn closed(line: &str) -> Vec<Range<usize>> {
    let mut closed = Vec::new();
    if line.is_ascii() {
        return closed;
    }
    // The open brackets of each kind: their offsets, and the numbers of their characters.
    let mut open: [Vec<(usize, usize)>; PAIRS.len()] = Default::default();
    for (number, (at, character)) in line.char_indices().enumerate() {
        for (kind, (opening, closing)) in PAIRS.iter().enumerate() {
            if character == *opening {
                open[kind].push((at, number));
            } else if character == *closing
                && let Some((start, first)) = open[kind].pop()
                && number - first <= MAX_BRACKET_CHARACTERS
            {
                closed.push(start..at + character.len_utf8());
            }
        }
    }
    closed.sort_unstable_by_key(|bracket| bracket.start);
    closed
}
