//! Splits text into words, for statistics.
//!
//! White space separates words, and punctuation around and between them is split off, mark by
//! mark, as tokenizers for English do it: `"Well," she said` has the words `"`, `Well`, `,`, `"`,
//! `she`, `said`. The rules follow those of spaCy's blank English pipeline closely, because the
//! thresholds of published filters were tuned with it; `README.md` lists the differences.
//!
//! Text without spaces between words is split where the script changes, so that `日本語を書く` has the
//! words 日本語, を, 書, く. These are not linguistic words, but they have about the same length, and
//! finding them needs no dictionary.
//!
//! ```text
//! ascii_words   fast path for letters and digits
//! affixes       punctuation around words
//! contractions  English contractions and abbreviations
//! ```

mod affixes;
mod ascii_words;
mod contractions;

use affixes::{infix_length, prefix_length, suffix_length};
use ascii_words::AsciiStart;
use contractions::contraction;
pub use contractions::is_abbreviation;
use corpus_bytes::step_counter::count_steps;

use crate::hashing::Term;
use crate::properties::{
    AFFIX, ALPHABETIC, ENDS_SENTENCE, INFIX, NO_SCRIPT, PUNCTUATION, Properties, SCRIPT, Table,
};

/// The words of a text in their order, as slices of it.
///
/// ```
/// let words: Vec<_> = corpus_text::words::words("It's “fine”, e.g. 日本語を.").collect();
/// assert_eq!(words, ["It", "'s", "“", "fine", "”", ",", "e.g.", "日本語", "を", "."]);
/// ```
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    Words::new(text).map(|(word, _)| word.text())
}

/// A word with the properties that the rules need.
#[derive(Clone, Copy)]
pub(crate) struct Word<'a> {
    pub term: Term<'a>,
    pub characters: usize,
    /// The properties that all of its characters have.
    all: Properties,
    /// The properties that any of its characters has.
    any: Properties,
}

impl<'a> Word<'a> {
    #[inline]
    fn new(term: Term<'a>, kinds: u8, table: Table) -> Self {
        let text = term.text();
        if kinds != 0 {
            let letter = if kinds & LETTER != 0 { ALPHABETIC } else { 0 };
            return Self {
                term,
                characters: text.len(),
                all: 0,
                any: letter,
            };
        }
        let (mut characters, mut all, mut any) = (0, Properties::MAX, 0);
        for character in text.chars() {
            let properties = table.get(character);
            characters += 1;
            all &= properties;
            any |= properties;
        }
        Self {
            term,
            characters,
            all,
            any,
        }
    }

    #[inline]
    pub fn text(&self) -> &'a str {
        self.term.text()
    }

    /// Whether a word consists of punctuation and controls only.
    #[inline]
    pub fn is_punctuation(&self) -> bool {
        self.all & PUNCTUATION != 0
    }

    #[inline]
    pub fn has_letter(&self) -> bool {
        self.any & ALPHABETIC != 0
    }

    /// Whether a word is terminal punctuation of any script. An ellipsis is not.
    #[inline]
    pub fn ends_sentence(&self) -> bool {
        self.characters == 1 && self.all & ENDS_SENTENCE != 0
    }
}

/// Returns the words of a text with the properties that the rules need.
pub(crate) fn measured_words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let words = Words::new(text);
    let table = words.table;
    words.map(move |(word, kinds)| Word::new(word, kinds, table))
}

struct Words<'a> {
    text: &'a str,
    position: usize,
    /// The remaining words of the current chunk, in reverse order.
    pending: Vec<&'a str>,
    /// A buffer of [`split_chunk`].
    suffixes: Vec<&'a str>,
    table: Table,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            position: 0,
            pending: Vec::new(),
            suffixes: Vec::new(),
            table: Table::default(),
        }
    }

    #[inline]
    fn skip_spaces(&mut self) {
        while let Some(length) = space_length(self.text.as_bytes(), self.position) {
            self.position += length;
        }
    }

    /// The next run of characters without white space, and the kinds of its bytes.
    fn next_chunk(&mut self) -> Option<(&'a str, u8)> {
        let bytes = self.text.as_bytes();
        let start = self.position;
        let mut kinds = 0;
        let mut end = start;
        while let Some(byte) = bytes.get(end) {
            let kind = KINDS[usize::from(*byte)];
            if kind & (SPACE | MAY_START_SPACE) != 0
                && (kind == SPACE || space_length(bytes, end).is_some())
            {
                break;
            }
            kinds |= kind;
            end += 1;
        }
        self.position = end;
        (start < end).then(|| (&self.text[start..end], kinds))
    }
}

impl<'a> Iterator for Words<'a> {
    /// A word, and the kinds of its bytes if it has only letters and digits of ASCII, otherwise 0.
    type Item = (Term<'a>, u8);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(word) = self.pending.pop() {
                return Some((Term::new(word), 0));
            }
            self.skip_spaces();
            match ascii_words::start(&self.text[self.position..]) {
                AsciiStart::Word(word, has_letter) => {
                    self.position += word.text().len();
                    return Some((word, ascii_words::kinds(has_letter)));
                }
                AsciiStart::Mark(mark) => {
                    self.position += mark.text().len();
                    return Some((mark, 0));
                }
                AsciiStart::Other => {}
            }
            let (chunk, kinds) = self.next_chunk()?;
            if kinds <= LETTER | DIGIT && ascii_words::is_whole(chunk) {
                return Some((Term::new(chunk), kinds));
            }
            // Only English has contractions without a mark.
            let is_foreign = kinds & (BEYOND_ASCII | MAY_START_SPACE) != 0;
            let is_without_marks = is_foreign
                && kinds & (DIGIT | OTHER | COLON) == 0
                && (chunk.chars()).all(|letter| self.table.get(letter) & (AFFIX | INFIX) == 0);
            if is_without_marks {
                split_inside(chunk, self.table, &mut self.pending);
            } else {
                let colons = Colons::new(chunk, kinds & COLON != 0);
                split_chunk(
                    chunk,
                    colons,
                    self.table,
                    &mut self.pending,
                    &mut self.suffixes,
                );
            }
            self.pending.reverse();
        }
    }
}

// The kinds of bytes. Those of a chunk are combined by `|`.
const LETTER: u8 = 1;
const DIGIT: u8 = 2;
/// Any other character of ASCII.
const OTHER: u8 = 4;
/// A byte of a character beyond ASCII.
const BEYOND_ASCII: u8 = 8;
/// A byte beyond ASCII with which a white space character may start.
const MAY_START_SPACE: u8 = 16;
const SPACE: u8 = 32;
const COLON: u8 = 64;

const KINDS: [u8; 256] = {
    let mut kinds = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'0'..=b'9' => DIGIT,
            b'A'..=b'Z' | b'a'..=b'z' => LETTER,
            b' ' | b'\t'..=b'\r' | 0x1c..=0x1f => SPACE,
            0xc2 | 0xe1..=0xe3 => MAY_START_SPACE,
            b':' => COLON,
            0x80.. => BEYOND_ASCII,
            _ => OTHER,
        };
        byte += 1;
    }
    kinds
};

/// The length of the white space character at a position, if there is one. Positions inside a
/// character never match, because all patterns begin with a leading byte.
#[inline]
fn space_length(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b' ' | b'\t'..=b'\r' | 0x1c..=0x1f => Some(1),
        byte if byte < 0xc2 => None,
        0xc2 if matches!(bytes.get(at + 1), Some(0x85 | 0xa0)) => Some(2),
        0xe1 if bytes.get(at + 1..at + 3) == Some(&[0x9a, 0x80]) => Some(3),
        0xe2 => match bytes.get(at + 1..at + 3)? {
            [0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf] | [0x81, 0x9f] => Some(3),
            _ => None,
        },
        0xe3 if bytes.get(at + 1..at + 3) == Some(&[0x80, 0x80]) => Some(3),
        _ => None,
    }
}

/// Appends the words of a chunk. `suffixes` is empty before and after.
fn split_chunk<'a>(
    chunk: &'a str,
    mut colons: Colons<'_>,
    table: Table,
    words: &mut Vec<&'a str>,
    suffixes: &mut Vec<&'a str>,
) {
    let mut rest = chunk;
    loop {
        if is_abbreviation(rest)
            || is_letter_with_dot(rest)
            || is_address(rest, colons.next_in(rest))
        {
            words.push(rest);
            rest = "";
        } else if let Some(at) = contraction(rest) {
            words.push(&rest[..at]);
            words.push(&rest[at..]);
            rest = "";
        }
        if rest.is_empty() {
            break;
        }
        let prefix = prefix_length(rest, table);
        if prefix > 0 {
            words.push(&rest[..prefix]);
            rest = &rest[prefix..];
            colons.skip(prefix);
        }
        let suffix = suffix_length(rest, table);
        if suffix > 0 {
            let at = rest.len() - suffix;
            suffixes.push(&rest[at..]);
            rest = &rest[..at];
        }
        if prefix == 0 && suffix == 0 {
            split_inside(rest, table, words);
            break;
        }
    }
    words.extend(suffixes.drain(..).rev());
}

/// The first colon in the rest of a chunk. A chunk may have many prefixes, but is searched only
/// once.
struct Colons<'a> {
    chunk: &'a [u8],
    /// The start of the rest of the chunk.
    start: usize,
    colon: Option<usize>,
}

impl<'a> Colons<'a> {
    fn new(chunk: &'a str, has_colon: bool) -> Self {
        let mut colons = Self {
            chunk: chunk.as_bytes(),
            start: 0,
            colon: None,
        };
        if has_colon {
            colons.find();
        }
        colons
    }

    fn find(&mut self) {
        let rest = &self.chunk[self.start..];
        let found = memchr::memchr(b':', rest);
        count_steps(found.unwrap_or(rest.len()));
        self.colon = found.map(|at| self.start + at);
    }

    fn skip(&mut self, bytes: usize) {
        self.start += bytes;
        if self.colon.is_some_and(|colon| colon < self.start) {
            self.find();
        }
    }

    fn next_in(&self, rest: &str) -> Option<usize> {
        let at = self.colon? - self.start;
        (at < rest.len()).then_some(at)
    }
}

/// Whether this is a letter with its own dot: "v." or "z." of an abbreviation, or an initial.
fn is_letter_with_dot(chunk: &str) -> bool {
    matches!(chunk.as_bytes(), [letter, b'.'] if letter.is_ascii_alphabetic())
}

/// Whether this is an address, which is not split. A link target in Markdown, such as
/// `text](http://…`, does not start with a scheme and is split like other words.
fn is_address(chunk: &str, first_colon: Option<usize>) -> bool {
    let is_of_scheme = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-' | b'.' | 0x80..)
    };
    match first_colon.filter(|at| chunk.as_bytes()[*at..].starts_with(b"://")) {
        Some(at) => {
            at >= 2
                && chunk.as_bytes()[..at].iter().all(is_of_scheme)
                && !chunk.ends_with(['.', ',', ')', '"', '\'', '>', ';', ':', '!', '?'])
        }
        None => chunk.starts_with("www.") && chunk.ends_with(|last: char| last.is_alphanumeric()),
    }
}

/// Appends the words of a chunk whose marks at both ends have been split off. Splits at marks
/// inside, and where the script changes.
fn split_inside<'a>(text: &'a str, table: Table, words: &mut Vec<&'a str>) {
    let bytes = text.as_bytes();
    let (mut start, mut at) = (0, 0);
    // The script of the current word, and the character before the current one, both only within
    // this part.
    let (mut script, mut before) = (NO_SCRIPT, None);
    while let Some(byte) = bytes.get(at) {
        let (character, length) = if byte.is_ascii() {
            (char::from(*byte), 1)
        } else {
            match text[at..].chars().next() {
                Some(character) => (character, character.len_utf8()),
                None => break,
            }
        };
        let properties = table.get(character);
        if properties & INFIX != 0
            && let Some(length) = infix_length(before, character, &text[at..])
        {
            if at > start {
                words.push(&text[start..at]);
            }
            words.push(&text[at..at + length]);
            at += length;
            start = at;
            (script, before) = (NO_SCRIPT, None);
            continue;
        }
        let own = properties & SCRIPT;
        if own != NO_SCRIPT {
            if script != NO_SCRIPT && own != script {
                words.push(&text[start..at]);
                start = at;
            }
            script = own;
        }
        before = Some(character);
        at += length;
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
}

#[cfg(test)]
mod tests;
