//! Splits text into tokens, for all languages in the same way.
//!
//! - Words are runs of letters and digits. Apostrophes, hyphens and points separate them: `l'amour`
//!   is found as `amour`, and as the phrase that a query with the apostrophe becomes.
//! - Text without spaces is cut into overlapping pairs of characters, and the last character of a
//!   run is a token by itself. So every character starts exactly one token: one character is found
//!   as the start of tokens, several as a phrase of pairs.
//!
//! Each token has its own position, and its place in the text for highlighting.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::fold::{Accents, fold_ascii_into, fold_into};
use super::scripts::{
    begins_word, continues_word, extends_character, is_spaceless, runs_over_lines,
};

/// Maximum size of a term. Longer terms are truncated, in the index and in queries.
const MAX_TERM_BYTES: usize = 255;

/// The maximum number of bytes read for a word. Accents may take as much space as the term.
const MAX_RAW_BYTES: usize = 2 * MAX_TERM_BYTES;

/// The maximum size of a character with its marks.
const MAX_CHARACTER_BYTES: usize = 64;

/// The maximum length of a line break inside a word, with the indentation after it.
const MAX_LINE_BREAK_BYTES: usize = 64;

/// Splits text into folded words and pairs.
#[derive(Debug, Clone)]
pub struct WordTokenizer {
    accents: Accents,
    token: Token,
    character: Character,
}

impl WordTokenizer {
    pub fn new(accents: Accents) -> Self {
        Self {
            accents,
            token: Token::default(),
            character: Character::default(),
        }
    }
}

/// A character of text without spaces, with its marks.
#[derive(Debug, Clone, Default)]
struct Character {
    from: usize,
    to: usize,
    folded: String,
}

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        self.token.reset();
        WordStream {
            text,
            at: 0,
            accents: self.accents,
            token: &mut self.token,
            character: &mut self.character,
            in_run: false,
        }
    }
}

pub struct WordStream<'a> {
    text: &'a str,
    at: usize,
    accents: Accents,
    token: &'a mut Token,
    /// The character that starts the next token, if `in_run`.
    character: &'a mut Character,
    in_run: bool,
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        loop {
            if self.in_run {
                self.pair();
                break;
            }
            let Some(first) = self.skip_to_token() else {
                return false;
            };
            if is_spaceless(first) {
                self.read_character(self.at);
                self.in_run = true;
            } else if self.word() {
                break;
            }
        }
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

impl WordStream<'_> {
    fn rest(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or_default()
    }

    /// Moves to the start of the next token.
    fn skip_to_token(&mut self) -> Option<char> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            if byte.is_ascii_alphanumeric() {
                return Some(char::from(byte));
            }
            if byte.is_ascii() {
                self.at += 1;
                continue;
            }
            let c = self.rest(self.at).chars().next()?;
            if is_spaceless(c) || begins_word(c) {
                return Some(c);
            }
            self.at += c.len_utf8();
        }
    }

    /// Makes a token from the word that starts here. Returns `false` if folding removes all of it.
    fn word(&mut self) -> bool {
        let from = self.at;
        let rest = &self.text[from..];
        let ascii = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let is_whole = rest.as_bytes().get(ascii).is_none_or(u8::is_ascii);
        let length = if is_whole {
            ascii
        } else {
            let more = rest[ascii..].find(|c| !continues_word(c));
            more.map_or(rest.len(), |more| ascii + more)
        };
        self.at = from + length;
        self.token.offset_from = from;
        self.token.offset_to = self.at;
        let text = &mut self.token.text;
        text.clear();
        if is_whole && length <= MAX_TERM_BYTES {
            fold_ascii_into(&rest[..length], text);
        } else {
            fold_into(truncate(&rest[..length], MAX_RAW_BYTES), self.accents, text);
            text.truncate(text.floor_char_boundary(MAX_TERM_BYTES));
        }
        !text.is_empty()
    }

    /// Makes a token from the pending character and the next one, if any.
    fn pair(&mut self) {
        self.token.text.clear();
        self.token.text.push_str(&self.character.folded);
        self.token.offset_from = self.character.from;
        self.token.offset_to = self.character.to;
        match self.next_in_run() {
            Some(next) => {
                self.read_character(next);
                self.token.text.push_str(&self.character.folded);
                self.token.offset_to = self.character.to;
            }
            None => self.in_run = false,
        }
    }

    /// Returns the place where the run continues after the pending character, possibly on the next
    /// line.
    fn next_in_run(&self) -> Option<usize> {
        let rest = self.rest(self.at);
        let next = rest.chars().next()?;
        if is_spaceless(next) {
            return Some(self.at);
        }
        if !next.is_whitespace() || !self.last_char().is_some_and(runs_over_lines) {
            return None;
        }
        let mut lines = 0;
        for (skipped, c) in rest.char_indices().take(MAX_LINE_BREAK_BYTES) {
            match c {
                '\n' => lines += 1,
                _ if c.is_whitespace() => {}
                _ => return (lines == 1 && runs_over_lines(c)).then_some(self.at + skipped),
            }
        }
        None
    }

    fn last_char(&self) -> Option<char> {
        self.text[self.character.from..self.character.to]
            .chars()
            .find(|c| !extends_character(*c))
    }

    /// Reads the character at `from` as the pending one.
    fn read_character(&mut self, from: usize) {
        let rest = &self.text[from..];
        let length = super::scripts::first_character_len(rest);
        self.at = from + length;
        let character = &mut *self.character;
        character.from = from;
        character.to = self.at;
        character.folded.clear();
        let raw = truncate(&rest[..length], MAX_CHARACTER_BYTES);
        fold_into(raw, Accents::Remove, &mut character.folded);
        if character.folded.is_empty() {
            character.folded.push_str(raw);
        }
    }
}

/// Returns the longest prefix of a text with at most this many bytes.
fn truncate(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
