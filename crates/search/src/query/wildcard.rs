//! Patterns of words, such as `bankr?ptcy` and `b*cy`.
//!
//! In the text of a query, two letters represent the wildcards, so that the tokenizer leaves them
//! in their word. They are from Linear A, an undeciphered script, so no query needs them.

/// Represents `*`: any number of letters.
pub const ANY: char = '\u{10600}';

/// Represents `?`: one letter.
pub const ONE: char = '\u{10601}';

/// Whether a letter represents a wildcard.
pub fn is_wildcard(c: char) -> bool {
    c == ANY || c == ONE
}

/// Returns a text as it was written in the query.
pub fn as_written(text: &str) -> String {
    let sign = |c| match c {
        ANY => '*',
        ONE => '?',
        c => c,
    };
    text.chars().map(sign).collect()
}

/// A pattern of terms.
#[derive(Debug, Clone, PartialEq)]
pub struct Wildcard {
    chars: Vec<char>,
}

impl Wildcard {
    /// Returns the pattern of a folded word; `None` if it has no letter beside its wildcards.
    pub fn new(word: &str) -> Option<Self> {
        let chars: Vec<char> = word.chars().collect();
        let is_pattern = !chars.iter().copied().all(is_wildcard);
        is_pattern.then_some(Self { chars })
    }

    /// The letters before the first wildcard.
    pub fn head(&self) -> String {
        let head = self.chars.iter().take_while(|c| !is_wildcard(**c));
        head.collect()
    }

    /// The letters between the last two wildcards, if the pattern ends with `*`.
    pub fn open_tail(&self) -> Option<String> {
        let (&ANY, rest) = self.chars.split_last()? else {
            return None;
        };
        let tail = rest.iter().rposition(|c| is_wildcard(*c));
        Some(rest[tail.map_or(0, |at| at + 1)..].iter().collect())
    }

    /// Returns the pattern with other letters instead of its [`open_tail`](Self::open_tail) and
    /// the `*` after it.
    pub fn with_tail(&self, tail: &str, open_tail: &str) -> Self {
        let kept = self.chars.len() - 1 - open_tail.chars().count();
        let kept = self.chars[..kept].iter().copied();
        Self {
            chars: kept.chain(tail.chars()).collect(),
        }
    }

    /// Whether a term matches. Only the last `*` is retried, which is sufficient.
    pub fn matches(&self, term: &str) -> bool {
        let mut rest = term.chars();
        let mut at = 0;
        let mut retry = None;
        loop {
            match self.chars.get(at).copied() {
                Some(ANY) => {
                    at += 1;
                    retry = Some((at, rest.clone()));
                    continue;
                }
                Some(wanted) => {
                    let mut after = rest.clone();
                    if after.next().is_some_and(|c| wanted == ONE || wanted == c) {
                        rest = after;
                        at += 1;
                        continue;
                    }
                }
                None if rest.as_str().is_empty() => return true,
                None => {}
            }
            let Some((after_star, from)) = &mut retry else {
                return false;
            };
            if from.next().is_none() {
                return false;
            }
            at = *after_star;
            rest = from.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matches by exhaustive search.
    fn naive(pattern: &[char], term: &[char]) -> bool {
        match (pattern.split_first(), term.split_first()) {
            (None, None) => true,
            (Some((&ANY, rest)), _) => {
                (0..=term.len()).any(|skipped| naive(rest, &term[skipped..]))
            }
            (Some((&c, rest)), Some((&t, after))) => (c == ONE || c == t) && naive(rest, after),
            _ => false,
        }
    }

    #[test]
    fn patterns_match_like_a_naive_matcher() {
        let letters = ['a', 'b', ANY, ONE];
        let words = |letters: &[char], length: u32| -> Vec<Vec<char>> {
            let count = letters.len();
            let word = |number: usize| {
                let letter = |at: u32| letters[number / count.pow(at) % count];
                (0..length).map(letter).collect()
            };
            (0..count.pow(length)).map(word).collect()
        };
        let mut matched = 0;
        for chars in (1..6).flat_map(|length| words(&letters, length)) {
            let pattern = Wildcard {
                chars: chars.clone(),
            };
            for term in (0..5).flat_map(|length| words(&['a', 'b'], length)) {
                let text: String = term.iter().collect();
                let expected = naive(&chars, &term);
                matched += usize::from(expected);
                assert_eq!(pattern.matches(&text), expected, "{chars:?} {text}");
            }
        }
        assert!(matched > 1000);
    }

    #[test]
    fn many_stars_take_no_longer_than_one_pass_each() {
        let word: String = [ANY, 'a'].iter().cycle().take(400).collect();
        let pattern = Wildcard::new(&format!("{word}b")).unwrap();
        assert!(!pattern.matches(&"a".repeat(255)));
    }

    #[test]
    fn letters_around_wildcards_are_known() {
        let pattern = Wildcard::new(&format!("ba{ONE}kru{ANY}")).unwrap();
        assert_eq!(pattern.head(), "ba");
        assert_eq!(pattern.open_tail().as_deref(), Some("kru"));
        let closed = Wildcard::new(&format!("ba{ONE}x")).unwrap();
        assert_eq!(pattern.with_tail("x", "kru"), closed);
        assert_eq!(closed.open_tail(), None);
        assert_eq!(Wildcard::new(&format!("{ANY}{ONE}")), None);
    }
}
