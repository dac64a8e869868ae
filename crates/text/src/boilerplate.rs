//! Removes passages that many pages repeat, such as "Leave a comment", where they are whole lines.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

/// Maximum size of a list, so that a wrong file cannot exhaust the memory.
const MAX_LIST_BYTES: usize = 64 << 20;

/// Maximum number of passages with the same first line. With more, the time would depend on the
/// list.
const MAX_PASSAGES_WITH_SAME_START: usize = 64;

/// Maximum number of lines in a passage.
const MAX_LINES: usize = 64;

/// The errors of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoilerplateError {
    /// No passages: an empty list would silently remove nothing.
    Empty,
    TooLarge,
    /// The passage with this first line has too many lines.
    TooLong(String),
    /// Too many passages have this first line.
    SameStart(String),
}

impl fmt::Display for BoilerplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the list of passages is empty"),
            Self::TooLarge => write!(
                f,
                "the list of passages exceeds {} MiB",
                MAX_LIST_BYTES >> 20
            ),
            Self::TooLong(line) => {
                write!(
                    f,
                    "the passage that starts with '{line}' has more than {MAX_LINES} lines"
                )
            }
            Self::SameStart(line) => {
                write!(
                    f,
                    "more than {MAX_PASSAGES_WITH_SAME_START} passages start with '{line}'"
                )
            }
        }
    }
}

impl std::error::Error for BoilerplateError {}

/// A list of passages of one or more lines.
#[derive(Debug, Clone)]
pub struct Boilerplate {
    /// Passages by their first line, the longest first.
    passages: HashMap<Box<str>, Vec<Vec<Box<str>>>>,
    count: usize,
}

impl Boilerplate {
    /// Parses a list of passages, separated by blank lines. Lines that start with `#` are skipped,
    /// and white space at the ends of lines does not count.
    ///
    /// ```
    /// use corpus_text::boilerplate::Boilerplate;
    ///
    /// let list = Boilerplate::parse("Leave a comment\n\nShare this\nTweet")?;
    /// let (text, removed) = list.remove("One.\nShare this\nTweet\nShare this\nLeave a comment ");
    /// assert_eq!(text, "One.\nShare this");
    /// assert_eq!(removed, ["Share this\nTweet", "Leave a comment "]);
    /// # Ok::<(), corpus_text::boilerplate::BoilerplateError>(())
    /// ```
    pub fn parse(list: &str) -> Result<Self, BoilerplateError> {
        if list.len() > MAX_LIST_BYTES {
            return Err(BoilerplateError::TooLarge);
        }
        let mut parsed = Self {
            passages: HashMap::new(),
            count: 0,
        };
        let mut passage = Vec::new();
        let list = list.strip_prefix('\u{feff}').unwrap_or(list);
        for line in list.lines().map(str::trim).chain([""]) {
            if line.starts_with('#') {
                continue;
            }
            if !line.is_empty() {
                passage.push(Box::from(line))
            } else {
                parsed.add(std::mem::take(&mut passage))?
            }
        }
        if parsed.count == 0 {
            return Err(BoilerplateError::Empty);
        }
        for passages in parsed.passages.values_mut() {
            passages.sort_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
            passages.dedup();
        }
        Ok(parsed)
    }

    fn add(&mut self, passage: Vec<Box<str>>) -> Result<(), BoilerplateError> {
        let Some(first) = passage.first() else {
            return Ok(());
        };
        let same_start = self.passages.entry(first.clone()).or_default();
        if passage.len() > MAX_LINES {
            return Err(BoilerplateError::TooLong(first.to_string()));
        }
        if same_start.len() == MAX_PASSAGES_WITH_SAME_START {
            return Err(BoilerplateError::SameStart(first.to_string()));
        }
        same_start.push(passage);
        self.count += 1;
        Ok(())
    }

    /// The number of passages.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the list has no passages, which [`parse`](Self::parse) does not allow.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Removes the passages of the list where they are whole lines; where several match, the
    /// longest one. Returns the rest of the text and the removed passages, in order.
    pub fn remove<'a>(&self, text: &'a str) -> (Cow<'a, str>, Vec<String>) {
        let lines: Vec<&str> = text.split('\n').collect();
        let mut kept = Vec::new();
        let mut removed = Vec::new();
        let mut at = 0;
        while let Some(&line) = lines.get(at) {
            match self.longest_at(&lines[at..]) {
                Some(passage) => {
                    let end = at + passage.len();
                    removed.push(lines[at..end].join("\n"));
                    at = end;
                }
                None => {
                    kept.push(line);
                    at += 1;
                }
            }
        }
        if removed.is_empty() {
            (Cow::Borrowed(text), removed)
        } else {
            (Cow::Owned(kept.join("\n")), removed)
        }
    }

    fn longest_at(&self, lines: &[&str]) -> Option<&[Box<str>]> {
        let starting = self.passages.get(lines.first()?.trim())?;
        let matches = |passage: &&Vec<Box<str>>| {
            let lines = lines.iter().map(|line| line.trim());
            lines
                .take(passage.len())
                .eq(passage.iter().map(|line| &**line))
        };
        starting.iter().find(matches).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn removed(list: &str, text: &str) -> (String, usize) {
        let list = Boilerplate::parse(list).unwrap();
        let (text, removed) = list.remove(text);
        (text.into_owned(), removed.len())
    }

    #[test]
    fn only_whole_lines_are_removed() {
        let list = "もっと見る\n\n# comment\na\nb\n\na\n";
        assert_eq!(
            removed(list, "もっと見る人\n　もっと見る\nx"),
            ("もっと見る人\nx".into(), 1)
        );
        assert_eq!(removed(list, "a\nb\na\nc\nb"), ("c\nb".into(), 2));
        assert_eq!(removed(list, ""), (String::new(), 0));
        assert_eq!(removed(list, "a"), (String::new(), 1));
        assert_eq!(removed(list, "x\n\ny\n"), ("x\n\ny\n".into(), 0));
    }

    #[test]
    fn what_is_removed_is_as_it_was_in_the_text() {
        let list = Boilerplate::parse("a\nb").unwrap();
        let (text, removed) = list.remove("x\n a\nb\u{3000}\ny");
        assert_eq!(text, "x\ny");
        assert_eq!(removed, [" a\nb\u{3000}"]);
    }

    #[test]
    fn lists_that_cannot_be_used_are_refused() {
        let error = |list: &str| Boilerplate::parse(list).unwrap_err();
        assert_eq!(error("\n# x\n\n"), BoilerplateError::Empty);
        let same_start: String = (0..100).map(|number| format!("a\n{number}\n\n")).collect();
        assert_eq!(error(&same_start), BoilerplateError::SameStart("a".into()));
        assert_eq!(
            error(&"b\n".repeat(100)),
            BoilerplateError::TooLong("b".into())
        );
    }
}
