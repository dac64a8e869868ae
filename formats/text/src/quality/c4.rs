//! The rules of C4 (Raffel et al. 2020): most of them are about lines, and what is left of a text
//! decides whether it is kept.

use std::borrow::Cow;

use memchr::memmem;

use super::marks::{ends_sentence, is_punctuation};
use crate::lines::universal;
use crate::words::words;

/// Phrases, in lower case, of lines about terms and cookies.
const POLICY_PHRASES: [&str; 6] = [
    "terms of use",
    "privacy policy",
    "cookie policy",
    "uses cookies",
    "use of cookies",
    "use cookies",
];

/// What is left of a text, and why lines are missing in it.
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
    /// A line that would be kept has "lorem ipsum".
    pub has_lorem_ipsum: bool,
    /// A line that would be kept has a `{`.
    pub has_curly_bracket: bool,
}

/// The thresholds; by default those of C4.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct C4Rules {
    pub min_sentences: u64,
    pub min_words_per_line: usize,
    pub max_word_length: usize,
}

impl Default for C4Rules {
    fn default() -> Self {
        Self {
            min_sentences: 5,
            min_words_per_line: 3,
            max_word_length: 1000,
        }
    }
}

/// Applies the rules to the lines of a text.
pub fn c4(text: &str, rules: &C4Rules) -> C4 {
    let mut result = C4::default();
    let mut lower_case = String::new();
    for line in universal(text) {
        result.lines += 1;
        let line = line.trim();
        let mut count = 0;
        let mut longest = 0;
        for word in line.split_whitespace() {
            count += 1;
            if word.len() > rules.max_word_length {
                longest = longest.max(word.chars().count());
            }
        }
        if longest > rules.max_word_length {
            result.long_word_lines += 1;
            continue;
        }
        let line = without_citations(line);
        if !line.ends_with(['.', '?', '!', '"', '\'']) || line.ends_with("...") {
            result.unpunctuated_lines += 1;
            continue;
        }
        if count < rules.min_words_per_line {
            result.short_lines += 1;
            continue;
        }
        lower_case.clear();
        lower_case.extend(line.chars().map(|c| c.to_ascii_lowercase()));
        if contains(&lower_case, "lorem ipsum") {
            result.has_lorem_ipsum = true;
            continue;
        }
        if contains(&lower_case, "javascript") {
            result.javascript_lines += 1;
            continue;
        }
        if line.contains('{') {
            result.has_curly_bracket = true;
            continue;
        }
        if POLICY_PHRASES
            .iter()
            .any(|phrase| contains(&lower_case, phrase))
        {
            result.policy_lines += 1;
            continue;
        }
        result.sentences += count_sentences(&line);
        if !result.text.is_empty() {
            result.text.push('\n');
        }
        result.text.push_str(&line);
    }
    result
}

fn contains(text: &str, phrase: &str) -> bool {
    memmem::find(text.as_bytes(), phrase.as_bytes()).is_some()
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

/// The number of sentences: each ends with a word that is terminal punctuation, and the
/// punctuation that follows it.
fn count_sentences(text: &str) -> u64 {
    let (mut count, mut has_words, mut ended) = (0, false, false);
    for word in words(text) {
        let ends = word.chars().all(ends_sentence);
        if ended && !ends && !is_punctuation(word) {
            count += 1;
            ended = false;
        }
        ended |= ends;
        has_words = true;
    }
    count + u64::from(has_words)
}

impl C4Rules {
    /// The rules that a text breaks, in the order in which datatrove checks them.
    pub fn broken(&self, text: &C4) -> impl Iterator<Item = &'static str> + use<> {
        [
            (text.has_lorem_ipsum, "lorem_ipsum"),
            (text.has_curly_bracket, "curly_bracket"),
            (text.sentences < self.min_sentences, "too_few_sentences"),
        ]
        .into_iter()
        .filter_map(|(is_broken, name)| is_broken.then_some(name))
    }
}
