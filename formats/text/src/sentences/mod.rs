//! Sentences of a text, in any language, by rules.
//!
//! A newline always ends a sentence. Within a line, terminal punctuation does, with the quotes and
//! brackets that close after it; but not inside of 「…」 and （…）, after an abbreviation, an
//! initial or a number, or where a small letter follows.

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
        .flat_map(|line| LineSentences { rest: line })
        .filter(|sentence| !sentence.is_empty())
}

struct LineSentences<'a> {
    rest: &'a str,
}

impl<'a> Iterator for LineSentences<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (sentence, rest) = self.rest.split_at(first_sentence(self.rest));
        self.rest = rest;
        Some(sentence.trim())
    }
}

/// Brackets may stay open: after this many characters they are given up.
const MAX_BRACKET_CHARACTERS: usize = 500;

/// The length of the first sentence of a line.
fn first_sentence(line: &str) -> usize {
    let mut depth = 0usize;
    let mut since_open = 0;
    let mut characters = line.char_indices().peekable();
    let mut word_start = 0;
    while let Some((at, character)) = characters.next() {
        let end = at + character.len_utf8();
        since_open += 1;
        if depth > 0 && since_open > MAX_BRACKET_CHARACTERS {
            depth = 0;
        }
        match character {
            '「' | '『' | '（' | '【' | '〈' | '《' => {
                depth += 1;
                since_open = 0;
            }
            '」' | '』' | '）' | '】' | '〉' | '》' => depth = depth.saturating_sub(1),
            _ if character.is_whitespace() => word_start = end,
            _ => {}
        }
        if depth > 0 || !is_terminal(character) {
            continue;
        }
        // Further marks and closing quotes belong to the sentence.
        let mut end = end;
        while let Some((at, next)) = characters.peek().copied()
            && (is_terminal(next) || is_closing(next))
        {
            end = at + next.len_utf8();
            characters.next();
        }
        let before = &line[word_start..at];
        if is_wide(character) || ends_here(before, character, &line[end..]) {
            return end;
        }
    }
    line.len()
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

/// Whether a mark of the Latin script ends a sentence, given the word before and the text after.
fn ends_here(word: &str, mark: char, rest: &str) -> bool {
    let mut after = rest.chars();
    match after.next() {
        None => return true,
        Some(next) if !next.is_whitespace() => return false,
        Some(_) => {}
    }
    let next = rest.chars().find(|character| !character.is_whitespace());
    if next.is_some_and(char::is_lowercase) {
        return false;
    }
    if mark != '.' {
        return true;
    }
    let word = word.trim_start_matches(|character: char| !character.is_alphanumeric());
    let mut letters = word.chars();
    let is_initial = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none();
    let is_number = next.is_some_and(|next| next.is_ascii_digit())
        && matches!(
            word,
            "No" | "no" | "Nr" | "p" | "pp" | "vol" | "Vol" | "Fig" | "fig"
        );
    !is_initial && !is_number && !is_abbreviation_of_title(word)
}

/// Abbreviations before a name or a number; those that may end a sentence, such as "Inc.", end it.
fn is_abbreviation_of_title(word: &str) -> bool {
    matches!(
        word,
        "Mr" | "Mrs"
            | "Ms"
            | "Dr"
            | "Prof"
            | "St"
            | "Gen"
            | "Gov"
            | "Sen"
            | "Rep"
            | "Rev"
            | "Adm"
            | "Messrs"
            | "Mt"
            | "vs"
            | "e.g"
            | "i.e"
            | "cf"
            | "Hr"
            | "Fr"
            | "Bd"
            | "bzw"
            | "z.B"
            | "Mme"
            | "Mlle"
            | "Sr"
            | "Sra"
            | "Capt"
            | "Lt"
            | "Col"
            | "Sgt"
    ) || is_abbreviation(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(sentences(text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn japanese() {
        check(
            "今日は晴れ。明日は雨！？本当？はい",
            &["今日は晴れ。", "明日は雨！？", "本当？", "はい"],
        );
        check(
            "「一。二。」と言った。終わり。",
            &["「一。二。」と言った。", "終わり。"],
        );
        check("（注。参照）です。次。", &["（注。参照）です。", "次。"]);
        check("「閉じない。次の文。", &["「閉じない。次の文。"]);
        check(
            "彼は「はい。」『いいえ。』",
            &["彼は「はい。」『いいえ。』"],
        );
    }

    #[test]
    fn latin() {
        check("One. Two! Three?", &["One.", "Two!", "Three?"]);
        check(
            "He said \"Stop.\" Then he left.",
            &["He said \"Stop.\"", "Then he left."],
        );
        check(
            "Version 2.5 is out. It works.",
            &["Version 2.5 is out.", "It works."],
        );
        check(
            "J. R. Smith met Mr. Brown. Good.",
            &["J. R. Smith met Mr. Brown.", "Good."],
        );
        check(
            "see www.a.example. And so on.",
            &["see www.a.example.", "And so on."],
        );
        check("etc. and more. End", &["etc. and more.", "End"]);
        check("See No. 5. Then.", &["See No. 5.", "Then."]);
        check("a.\nb\r\n\nc", &["a.", "b", "c"]);
    }

    #[test]
    fn other_scripts() {
        check("هل؟ نعم۔", &["هل؟", "نعم۔"]);
        check("यह है। वह है।", &["यह है।", "वह है।"]);
        check("", &[]);
        check(" \n\u{3000}", &[]);
        check("...", &["..."]);
    }

    #[test]
    fn brackets_that_stay_open_are_given_up() {
        let text = format!("「{}。次。", "あ".repeat(600));
        assert_eq!(sentences(&text).count(), 2);
    }

    #[test]
    fn time_is_linear() {
        for pattern in ["「", ".", "a. b", "。", "\" ", "?\"", "A "] {
            corpus_bytes::work::assert_linear(
                pattern,
                |parts| pattern.repeat(parts).into_bytes(),
                |text| {
                    let text = std::str::from_utf8(text).unwrap_or_default();
                    corpus_bytes::work::count_steps(sentences(text).map(str::len).sum());
                },
            );
        }
    }
}
