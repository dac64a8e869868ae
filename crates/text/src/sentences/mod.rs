//! Sentences of a text, in any language, by rules.
//!
//! A newline always ends a sentence. Within a line, terminal punctuation does, with the quotes and
//! brackets that close after it; but not inside of 「…」 and （…）, after an abbreviation, an
//! initial or an ordinal number, or where a small letter follows.

mod brackets;
mod word_lists;

use std::iter::Peekable;
use std::ops::Range;

use self::word_lists::{
    BEFORE_NUMBERS, BEFORE_ORDINALS, GERMAN_MONTHS, STARTERS, TITLES, contains,
};
use crate::words::is_abbreviation;

/// The sentences of a text in their order, without white space around them.
///
/// ```
/// use corpus_text::sentences::sentences;
///
/// let text = "「行くの？」と聞いた。はい。 Dr. No paid $3.50. Why?";
/// let sentences: Vec<_> = sentences(text).collect();
/// assert_eq!(sentences, ["「行くの？」と聞いた。", "はい。", "Dr. No paid $3.50.", "Why?"]);
/// ```
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    crate::lines::universal(text)
        .flat_map(LineSentences::new)
        .filter(|sentence| !sentence.is_empty())
}

struct LineSentences<'a> {
    line: &'a str,
    /// The start of the next sentence.
    start: usize,
    /// The brackets ahead that are closed, in their order.
    brackets: Peekable<std::vec::IntoIter<Range<usize>>>,
}

impl<'a> LineSentences<'a> {
    fn new(line: &'a str) -> Self {
        Self {
            line,
            start: 0,
            brackets: brackets::closed(line).into_iter().peekable(),
        }
    }

    /// The end of the bracket that opens at a position, if it is closed.
    fn bracket_end(&mut self, at: usize) -> Option<usize> {
        while self
            .brackets
            .next_if(|bracket| bracket.start < at)
            .is_some()
        {}
        let bracket = self.brackets.next_if(|bracket| bracket.start == at)?;
        Some(bracket.end)
    }

    /// The end of the next sentence.
    fn sentence_end(&mut self) -> usize {
        let line = self.line;
        let mut words = Words::new(line, self.start);
        let mut at = self.start;
        while let Some(character) = line[at..].chars().next() {
            let end = at + character.len_utf8();
            if brackets::opens(character)
                && let Some(end) = self.bracket_end(at)
            {
                at = end;
                continue;
            }
            if character.is_whitespace() {
                words.start_word(at, end);
            }
            if !is_terminal(character) {
                at = end;
                continue;
            }
            // Further marks and closing quotes belong to the sentence.
            let closing = |c: char| is_terminal(c) || is_closing(c);
            let end = line.len() - line[end..].trim_start_matches(closing).len();
            if is_wide(character) || words.end_at(at, character, end) {
                return end;
            }
            at = end;
        }
        line.len()
    }
}

impl<'a> Iterator for LineSentences<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.start == self.line.len() {
            return None;
        }
        let end = self.sentence_end();
        let sentence = &self.line[self.start..end];
        self.start = end;
        Some(sentence.trim())
    }
}

fn is_terminal(character: char) -> bool {
    matches!(character, '.' | '!' | '?') || is_wide(character)
}

/// Marks after which no space is needed.
fn is_wide(character: char) -> bool {
    matches!(
        character,
        '。' | '．'
            | '！'
            | '？'
            | '｡'
            | '⁇'
            | '⁈'
            | '⁉'
            | '‼'
            | '؟'
            | '۔'
            | '।'
            | '॥'
            | '።'
            | '။'
    )
}

fn is_closing(character: char) -> bool {
    matches!(
        character,
        '"' | '\'' | '”' | '’' | '»' | ')' | ']' | '」' | '』' | '）' | '】' | '〉' | '》'
    )
}

/// The words around a mark of the Latin script.
struct Words<'a> {
    line: &'a str,
    /// The start of the sentence.
    sentence: usize,
    /// The word before the current one.
    previous: Range<usize>,
    /// The start of the current word.
    current: usize,
}

impl<'a> Words<'a> {
    fn new(line: &'a str, sentence: usize) -> Self {
        Self {
            line,
            sentence,
            previous: sentence..sentence,
            current: sentence,
        }
    }

    /// Takes note of white space, which ends one word and starts another.
    fn start_word(&mut self, end: usize, next: usize) {
        if end > self.current {
            self.previous = self.current..end;
        }
        self.current = next;
    }

    /// Whether a mark ends the sentence, given where the marks and quotes after it end.
    fn end_at(&self, mark_at: usize, mark: char, end: usize) -> bool {
        let rest = &self.line[end..];
        match rest.chars().next() {
            None => return true,
            Some(next) if !next.is_whitespace() => return false,
            Some(_) => {}
        }
        let rest = rest.trim_start();
        let Some(next) = rest.chars().next() else {
            return true;
        };
        // The dots of an ellipsis may have spaces between them.
        if next.is_lowercase() || next == '.' {
            return false;
        }
        mark != '.' || !self.is_abbreviated(mark_at, rest)
    }

    /// Whether the period at a position belongs to the word before it, given the text that follows.
    fn is_abbreviated(&self, period: usize, rest: &str) -> bool {
        let word = self.line[self.current..period]
            .trim_start_matches(|c: char| !c.is_alphanumeric() && c != '№');
        let next_end = rest.find(|c: char| c.is_whitespace() || c == ',');
        let next = &rest[..next_end.unwrap_or(rest.len())];
        if word.is_empty() {
            // `[...]` marks omitted words.
            return self.line[self.current..period].ends_with('[');
        }
        let before_number = rest.starts_with(|c: char| c.is_ascii_digit());
        if contains(TITLES, word) || is_abbreviation(word) {
            return true;
        }
        if before_number && contains(BEFORE_NUMBERS, word) {
            return true;
        }
        if word.bytes().all(|b| b.is_ascii_digit()) {
            return self.is_ordinal(word, next);
        }
        let previous = &self.line[self.previous.clone()];
        if is_letter(word) {
            let in_chain = previous.strip_suffix('.').is_some_and(is_letter);
            let before_chain = next.strip_suffix('.').is_some_and(is_letter);
            // "и т. д." and "и т. п." mean "and so on".
            let may_end = matches!((previous, word), ("т.", "д" | "п")) || word == "г";
            return before_chain
                || (in_chain && !may_end)
                || !(may_end || contains(STARTERS, next));
        }
        // Names such as "U.S. Government" go on, but "in the U.S. How" does not.
        word.split('.').count() > 1 && word.split('.').all(is_letter) && !contains(STARTERS, next)
    }

    /// Whether a number with a period is an ordinal or the number of a list item.
    fn is_ordinal(&self, number: &str, next: &str) -> bool {
        let before = &self.line[self.sentence..self.current];
        let is_first = !before.contains(char::is_alphanumeric);
        let previous = &self.line[self.previous.clone()];
        let next = next.trim_end_matches(|c: char| !c.is_alphanumeric());
        number.len() <= 3
            && (is_first || contains(GERMAN_MONTHS, next) || contains(BEFORE_ORDINALS, previous))
    }
}

fn is_letter(word: &str) -> bool {
    let mut characters = word.chars();
    characters.next().is_some_and(char::is_alphabetic) && characters.next().is_none()
}

#[cfg(test)]
mod tests;
