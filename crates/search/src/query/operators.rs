//! Operators written as words, in this language and in other systems. Foreign operators are
//! rejected with advice, because as search words they would find nothing.

use super::ast::{Proximity, Relation};

/// The maximum number of words between the words of a phrase, and the maximum distance of words.
pub const MAX_DISTANCE_WORDS: u32 = 1000;

/// Parses an operator such as `w/5`, `NEAR/5` or `PRE/5`, in any case. `None` for other words, and
/// an error message for an operator without a usable number.
pub fn proximity(word: &str) -> Option<Result<Proximity, String>> {
    let (name, distance) = word.split_once('/')?;
    let name = name.to_ascii_lowercase();
    let relation = match name.as_str() {
        "w" | "near" => Relation::Near,
        "pre" => Relation::Before,
        _ => return None,
    };
    let distance = distance.to_ascii_lowercase();
    if !distance.is_empty() && distance.bytes().all(|b| b.is_ascii_digit()) {
        return Some(match distance.parse() {
            Ok(words @ 1..=MAX_DISTANCE_WORDS) => Ok(Proximity { words, relation }),
            _ => Err(format!(
                "{name}/ takes the maximum distance in words, from 1 to {MAX_DISTANCE_WORDS}"
            )),
        });
    }
    match distance.as_str() {
        "s" | "p" | "sent" | "sentence" | "para" | "paragraph" | "seg" => {
            Some(Err(NO_SENTENCES.to_owned()))
        }
        // Words of the text, such as w/o.
        _ if name == "w" => None,
        _ => Some(Err(format!(
            "{name}/ takes the maximum distance in words, as in {name}/10"
        ))),
    }
}

const NO_SENTENCES: &str = "sentences and paragraphs are not indexed: write w/15 for words in a \
                            sentence, w/50 for words in a paragraph";

/// Returns advice for a word that is an operator in other systems, such as the equivalent here.
pub fn foreign_operator(word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let numbered = |name: &str| {
        let number = word.strip_prefix(name);
        number.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
    };
    let message = match lower.as_str() {
        "/s" | "/p" => NO_SENTENCES.to_owned(),
        "|" => "the operator is written OR".to_owned(),
        _ if is_regular_expression(&lower) => {
            "regular expressions cannot be searched: write * for any letters, and ? for one"
                .to_owned()
        }
        "!" | "%" => "the operator is written NOT".to_owned(),
        _ if numbered("NEAR") => "NEAR takes the maximum distance in words: write NEAR/10; to \
                                  search for the word itself, write \"NEAR\""
            .to_owned(),
        _ if numbered("ADJ") => "the operator is written w/5, or PRE/5 in this order; to search \
                                 for the word itself, write \"ADJ\""
            .to_owned(),
        _ if numbered("ONEAR") || lower.starts_with("onear/") => {
            "the operator is written PRE/5".to_owned()
        }
        _ if word == "SAME" => {
            format!("{NO_SENTENCES}; to search for the word itself, write \"SAME\"")
        }
        _ if word == "WITHIN" => "the operator is written w/5; to search for the word itself, \
                                  write \"WITHIN\""
            .to_owned(),
        _ if has_distance_at_end(&lower) => {
            "the operator is written w/5, or PRE/5 in this order; to \
                                             search for the word itself, write it in quotes"
                .to_owned()
        }
        _ if has_name_of_distance(&lower) => "the operator is written w/5".to_owned(),
        _ if ["XOR", "ANDNOT", "BUTNOT"].contains(&word) => {
            format!(
                "there is no operator {word}: write a NOT b; to search for the word itself, write \
                 \"{word}\""
            )
        }
        _ => {
            let distance = lower.strip_prefix('/')?;
            if distance.is_empty() || !distance.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            format!("the operator is written w/{distance}")
        }
    };
    Some(message)
}

/// Whether a word is a regular expression as in Lucene: `/bankrupt(cy|s)/`.
fn is_regular_expression(word: &str) -> bool {
    let inner = word
        .strip_prefix('/')
        .and_then(|rest| rest.strip_suffix('/'));
    inner.is_some_and(|inner| inner.contains(['*', '+', '?', '[', '(', '\\', '.']))
}

/// Whether a word in lower case is an operator and its distance: `near3`, `adj3`.
fn has_distance_at_end(lower: &str) -> bool {
    let name = lower.trim_end_matches(|c: char| c.is_ascii_digit());
    name.len() < lower.len() && ["adj", "near", "onear", "within"].contains(&name)
}

/// Whether a word in lower case is an operator with a distance: `within/5`, `same/5`, `<near/5>`.
fn has_name_of_distance(lower: &str) -> bool {
    let inner = lower
        .strip_prefix('<')
        .and_then(|word| word.strip_suffix('>'));
    let Some((name, distance)) = inner.unwrap_or(lower).split_once('/') else {
        return false;
    };
    let is_number = !distance.is_empty() && distance.bytes().all(|b| b.is_ascii_digit());
    let is_name = match inner {
        Some(_) => ["near", "w", "within"].contains(&name),
        None => ["within", "adj", "same", "prox", "sent", "para"].contains(&name),
    };
    is_number && is_name
}

/// Returns advice for the word after a `+`, if both are an operator in other systems when they are
/// between words: `+5` (within five words, in this order), `+s` and `+p`.
pub fn foreign_plus(word: &str) -> Option<String> {
    let is_distance = (1..=3).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit());
    match word {
        "s" | "p" => Some(NO_SENTENCES.to_owned()),
        _ if is_distance => Some(format!(
            "the operator is written PRE/{word}; to search for the number itself, write \"{word}\""
        )),
        _ => None,
    }
}

/// Names of parts of documents that are called like functions in other systems.
const FIELDS: [&str; 17] = [
    "abstract",
    "author",
    "body",
    "byline",
    "company",
    "court",
    "date",
    "headline",
    "hlead",
    "intitle",
    "judge",
    "lead",
    "publication",
    "section",
    "subject",
    "text",
    "title",
];

/// Whether a word is a code of two letters for a part of documents, such as `TI`.
fn is_field_code(word: &str) -> bool {
    ["AB", "AU", "DA", "SO", "SU", "SY", "TI", "TS"].contains(&word)
}

/// Returns advice for a name before `(` that is an operator in other systems.
pub fn foreign_call(word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let count = lower.strip_prefix("atleast");
    if count.is_some_and(|count| !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit())) {
        return Some("the number of occurrences cannot be searched for".to_owned());
    }
    let column = if is_field_code(word) {
        Some("title")
    } else {
        FIELDS.contains(&&*lower).then_some(&*lower)
    };
    if let Some(column) = column {
        return Some(format!(
            "a word in a column is written with a colon, as in {column}:(flood); for the text itself, put \
             a space before ("
        ));
    }
    if ["allcaps", "caps", "nocaps", "plural", "singular"].contains(&&*lower) {
        return Some(format!(
            "neither case nor plurals make a difference: leave {lower} and the parentheses out"
        ));
    }
    let is_distance = word == "AROUND" || ["near", "within", "proximity"].contains(&&*lower);
    is_distance.then(|| "the operator is written between words, as in a w/5 b".to_owned())
}

/// A character of a word. After a `\` it has no special meaning.
#[derive(Debug, Clone, Copy)]
pub struct WordChar {
    pub c: char,
    pub escaped: bool,
}

impl WordChar {
    pub fn is(&self, sign: char) -> bool {
        self.c == sign && !self.escaped
    }
}

/// Returns the place of a sign that is an operator in other systems, and advice.
pub fn foreign_sign(word: &[WordChar]) -> Option<(usize, &'static str)> {
    let letter = |at: Option<usize>| at.and_then(|at| word.get(at)).map(|w| w.c);
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    word.iter().enumerate().find_map(|(at, sign)| {
        if sign.escaped || sign.c.is_alphanumeric() {
            return None;
        }
        let (before, after) = (letter(at.checked_sub(1)), letter(Some(at + 1)));
        let is_last = at + 1 == word.len();
        let advice = match sign.c {
            '!' if at == 0 && is_letter(after) => {
                "the operator is written NOT; as a character of the text, ! is written \\!"
            }
            '!' if is_last && is_letter(before) => {
                "any ending of a word is written *; as a character of the text, ! is written \\!"
            }
            '$' if is_last && is_letter(before) => {
                "any ending of a word is written *; as a character of the text, $ is written \\$"
            }
            '|' => "the operator is written OR; as a character of the text, | is written \\|",
            '#' if is_letter(before) && is_letter(after) => {
                "one letter of any kind is written ?; as a character of the text, # is written \\#"
            }
            '[' if is_letter(before) && is_letter(after) => {
                "one letter of any kind is written ?; as a character of the text, [ is written \\["
            }
            // The fields of databases of papers have two letters.
            '=' if at == 2 && word.iter().take(at).all(|w| w.c.is_ascii_uppercase()) => {
                "a word in a column is written title:word; as a character of the text, = is \
                 written \\="
            }
            // With a number, this sign is text.
            '%' if (is_letter(before) || is_letter(after))
                && ![before, after].iter().flatten().any(|c| c.is_numeric()) =>
            {
                "any letters are written *, and a similar word is written word~1; as a character \
                 of the text, % is written \\%"
            }
            _ => return None,
        };
        Some((at, advice))
    })
}
