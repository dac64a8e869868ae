//! The rules of C4 (Raffel et al. 2020). Most of them remove lines; whether a document is kept
//! depends on the remaining text.

use std::borrow::Cow;
use std::iter::Peekable;

use super::broken_names;
use super::phrases::{Finder, Phrases};
use crate::lines::{Universal, universal};
use crate::parts::range_of;
use crate::words::{Word, measured_words};

/// The remaining text, and the reasons for removed lines.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct C4 {
    /// The lines that are kept, without citations such as `[1]`.
    pub text: String,
    pub lines: u64,
    /// Lines with a word of more than 1,000 characters.
    pub long_word_lines: u64,
    /// Lines that do not end with `.`, `?`, `!` or a quote, or end with `...`.
    pub unpunctuated_lines: u64,
    /// Lines of fewer than three words.
    pub short_lines: u64,
    /// Lines with the word "javascript".
    pub javascript_lines: u64,
    /// Lines about terms of use, privacy and cookies.
    pub policy_lines: u64,
    /// Sentences in the lines that are kept.
    pub sentences: u64,
    /// Whether a line that would be kept contains "lorem ipsum".
    pub has_lorem_ipsum: bool,
    /// Whether a line that would be kept contains a `{`.
    pub has_curly_bracket: bool,
}

/// The thresholds; by default those of C4.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct C4Rules {
    pub min_sentences: u64,
    pub min_words_per_line: usize,
    pub max_word_length: usize,
    /// Whether lines must end with punctuation. FineWeb omits this rule.
    pub needs_punctuation: bool,
}

impl Default for C4Rules {
    fn default() -> Self {
        Self {
            min_sentences: 5,
            min_words_per_line: 3,
            max_word_length: 1000,
            needs_punctuation: true,
        }
    }
}

/// Applies the rules to the lines of a text.
pub fn c4(text: &str, rules: &C4Rules) -> C4 {
    let mut lines = LineFilter::new(text, rules);
    for word in measured_words(text) {
        lines.add(&word);
    }
    lines.finish().0
}

/// Reads a text line by line, together with its words.
pub(super) struct LineFilter<'a> {
    rules: &'a C4Rules,
    text: &'a str,
    /// The lines after the current one.
    lines: Universal<'a>,
    /// The phrases from the current line on.
    phrases: Peekable<Finder<'a>>,
    /// The end of the current line.
    end: usize,
    /// Whether the words of the current line are counted.
    counts_words: bool,
    sentences: Sentences,
    /// The words of the lines that are kept.
    words: u64,
    result: C4,
}

impl<'a> LineFilter<'a> {
    pub fn new(text: &'a str, rules: &'a C4Rules) -> Self {
        Self {
            rules,
            text,
            lines: universal(text),
            phrases: Finder::new(text).peekable(),
            end: 0,
            counts_words: false,
            sentences: Sentences::default(),
            words: 0,
            result: C4::default(),
        }
    }

    /// Adds the next word of the text.
    #[inline]
    pub fn add(&mut self, word: &Word<'a>) {
        let at = range_of(self.text, word.text()).start;
        while at >= self.end && self.next_line() {}
        if self.counts_words {
            self.words += 1;
            self.sentences.add(word);
        }
    }

    /// Returns the remaining text and its number of words.
    pub fn finish(mut self) -> (C4, u64) {
        while self.next_line() {}
        self.result.sentences += self.sentences.finish();
        (self.result, self.words)
    }

    /// Moves to the next line and decides whether it is kept. Returns `false` at the end of the
    /// text.
    fn next_line(&mut self) -> bool {
        self.result.sentences += std::mem::take(&mut self.sentences).finish();
        self.counts_words = false;
        let Some(line) = self.lines.next() else {
            return false;
        };
        self.end = range_of(self.text, line).end;
        self.result.lines += 1;
        let line = line.trim();
        let Some(kept) = self.filter(line) else {
            return true;
        };
        match &kept {
            Cow::Borrowed(_) => self.counts_words = true,
            Cow::Owned(kept) => {
                let mut sentences = Sentences::default();
                for word in measured_words(kept) {
                    self.words += 1;
                    sentences.add(&word);
                }
                self.result.sentences += sentences.finish();
            }
        }
        if !self.result.text.is_empty() {
            self.result.text.push('\n');
        }
        self.result.text.push_str(&kept);
        true
    }

    /// Returns the line without citations, if it is kept.
    fn filter(&mut self, line: &'a str) -> Option<Cow<'a, str>> {
        let (rules, result) = (self.rules, &mut self.result);
        // Few lines are long enough to contain an overlong word.
        let is_long = line.len() > rules.max_word_length
            && line.split_whitespace().any(|word| {
                word.len() > rules.max_word_length && word.chars().count() > rules.max_word_length
            });
        if is_long {
            result.long_word_lines += 1;
            return None;
        }
        let kept = without_citations(line);
        let is_punctuated = kept.ends_with(['.', '?', '!', '"', '\'']) && !kept.ends_with("...");
        if rules.needs_punctuation && !is_punctuated {
            result.unpunctuated_lines += 1;
            return None;
        }
        let words = line.split_whitespace().take(rules.min_words_per_line);
        if words.count() < rules.min_words_per_line {
            result.short_lines += 1;
            return None;
        }
        let phrases = match &kept {
            Cow::Borrowed(_) => phrases_of(self.text, line, &mut self.phrases),
            Cow::Owned(kept) => Phrases::of(Finder::new(kept)),
        };
        if phrases.has_lorem_ipsum {
            result.has_lorem_ipsum = true;
        } else if phrases.has_javascript {
            result.javascript_lines += 1;
        } else if memchr::memchr(b'{', kept.as_bytes()).is_some() {
            result.has_curly_bracket = true;
        } else if phrases.has_policy {
            result.policy_lines += 1;
        } else {
            return Some(kept);
        }
        None
    }
}

/// Returns the phrases of a line, and skips those before it.
fn phrases_of(text: &str, line: &str, phrases: &mut Peekable<Finder<'_>>) -> Phrases {
    let line = range_of(text, line);
    while phrases.next_if(|found| found.start < line.start).is_some() {}
    // No phrase contains a line end.
    Phrases::of(std::iter::from_fn(|| {
        phrases.next_if(|found| found.end <= line.end)
    }))
}

/// Removes `[1]`, `[]`, `[edit]` and `[citation needed]`.
fn without_citations(line: &str) -> Cow<'_, str> {
    let mut kept: Option<String> = None;
    let mut rest = line;
    while let Some(at) = memchr::memchr(b'[', rest.as_bytes()) {
        let inner = &rest[at + 1..];
        let end = memchr::memchr(b']', inner.as_bytes());
        let is_citation = end.is_some_and(|end| {
            let inner = &inner[..end];
            inner.chars().all(char::is_numeric) || matches!(inner, "edit" | "citation needed")
        });
        let (before, after) = match (is_citation, end) {
            (true, Some(end)) => (&rest[..at], at + 1 + end + 1),
            // Without a closing bracket there is no other citation.
            (_, None) => break,
            _ => (&rest[..=at], at + 1),
        };
        if is_citation || kept.is_some() {
            kept.get_or_insert_with(|| line[..line.len() - rest.len()].to_owned())
                .push_str(before);
        }
        rest = &rest[after..];
    }
    match kept {
        Some(mut kept) => {
            kept.push_str(rest);
            Cow::Owned(kept)
        }
        None => Cow::Borrowed(line),
    }
}

/// Counts sentences: each ends with a word that is terminal punctuation, and the punctuation that
/// follows it.
#[derive(Default)]
struct Sentences {
    count: u64,
    has_words: bool,
    has_ended: bool,
}

impl Sentences {
    #[inline]
    fn add(&mut self, word: &Word<'_>) {
        let ends = word.ends_sentence();
        if self.has_ended && !ends && !word.is_punctuation() {
            self.count += 1;
            self.has_ended = false;
        }
        self.has_ended |= ends;
        self.has_words = true;
    }

    fn finish(self) -> u64 {
        self.count + u64::from(self.has_words)
    }
}

impl C4Rules {
    /// The rules that a text breaks, in the order in which datatrove checks them.
    pub fn broken(&self, text: &C4) -> impl Iterator<Item = &'static str> + use<> {
        broken_names([
            (text.has_lorem_ipsum, "lorem_ipsum"),
            (text.has_curly_bracket, "curly_bracket"),
            (text.sentences < self.min_sentences, "too_few_sentences"),
        ])
    }
}
