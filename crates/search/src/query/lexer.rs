//! Splits the text of a query into words and tokens.

use std::ops::Bound;

use super::ast::{Ending, Operand, Proximity, Relation};
use super::operators::{
    MAX_DISTANCE_WORDS, WordChar, foreign_call, foreign_operator, foreign_plus, foreign_sign,
    proximity,
};
use super::wildcard::{ANY, ONE};
use crate::error::{Result, SearchError};

/// The number of letters that may differ in `word~` without a number.
const DEFAULT_DISTANCE: u8 = 1;
const MAX_DISTANCE: u8 = 2;
/// The maximum length of other systems' operators that begin with `+`. Limits how much text is read
/// twice.
const MAX_OPERATOR_CHARS: usize = 8;

#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    Open,
    /// A closing parenthesis, with the boost after it.
    Close(Option<f32>),
    And,
    Or,
    Not,
    Plus,
    Minus,
    /// `w/5`
    Near(Proximity),
    /// `name:`
    Field(String),
    Operand(Operand, Option<f32>),
    /// `*` as a word.
    All,
}

/// Reads tokens one after another. Positions count characters from 1.
pub struct Lexer {
    chars: Vec<char>,
    at: usize,
    /// Whether the last token was a field: its value follows.
    after_field: bool,
}

pub fn error(position: usize, message: impl Into<String>) -> SearchError {
    SearchError::Query {
        position,
        message: message.into(),
    }
}

impl Lexer {
    pub fn new(query: &str) -> Self {
        Self {
            chars: query.chars().collect(),
            at: 0,
            after_field: false,
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn peek_after(&self) -> Option<char> {
        self.chars.get(self.at + 1).copied()
    }

    fn take(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        self.at += usize::from(found);
        found
    }

    /// Returns the next token and its position; `None` at the end.
    pub fn next_token(&mut self) -> Result<Option<(usize, Token)>> {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        let position = self.at + 1;
        let value = std::mem::take(&mut self.after_field);
        let Some(first) = self.peek() else {
            return Ok(None);
        };
        let after = self.peek_after();
        let token = match first {
            '(' => {
                self.at += 1;
                Token::Open
            }
            ')' => {
                self.at += 1;
                Token::Close(self.boost()?)
            }
            '"' | '“' | '„' => self.phrase(first)?,
            '[' | '{' if value => self.range()?,
            '>' | '<' if value => self.comparison()?,
            '+' | '-' if !value && begins_operand(after) => {
                self.at += 1;
                if first == '+' {
                    self.check_plus(position)?;
                    Token::Plus
                } else {
                    Token::Minus
                }
            }
            _ => self.word(value)?,
        };
        self.after_field = matches!(token, Token::Field(_));
        Ok(Some((position, token)))
    }

    fn word(&mut self, value: bool) -> Result<Token> {
        let from = self.at;
        let word = self.word_chars(value)?;
        if !value && self.peek() == Some(':') {
            self.at += 1;
            return Ok(Token::Field(word.iter().map(|w| w.c).collect()));
        }
        if value {
            return self.word_with_ending(from, word, value);
        }
        if let Some(text) = unescaped(&word) {
            match text.as_str() {
                "AND" | "&&" | "&" => return Ok(Token::And),
                "OR" | "||" => return Ok(Token::Or),
                "NOT" => return self.not(),
                "BUT" if self.is_next_word("NOT") => {
                    let message = "the operator is written NOT, without BUT; to search for the \
                                   word itself, write \"BUT\"";
                    return Err(error(from + 1, message));
                }
                _ => {}
            }
            if let Some(found) = proximity(&text) {
                return found
                    .map(Token::Near)
                    .map_err(|message| error(from + 1, message));
            }
            let is_call = self.peek() == Some('(');
            let call = is_call.then(|| foreign_call(&text)).flatten();
            if let Some(message) = call.or_else(|| foreign_operator(&text)) {
                return Err(error(from + 1, message));
            }
        }
        if let Some((at, message)) = foreign_sign(&word) {
            let escapes = word[..at].iter().filter(|w| w.escaped).count();
            return Err(error(from + 1 + at + escapes, message));
        }
        self.word_with_ending(from, word, value)
    }

    /// Returns the word after the spaces at an offset, up to the next space or parenthesis.
    fn word_at(&self, at: usize) -> impl Iterator<Item = char> {
        let rest = self.chars.iter().copied().skip(at);
        rest.skip_while(|c| c.is_whitespace())
            .take_while(|c| !c.is_whitespace() && !matches!(c, '(' | ')'))
    }

    fn is_next_word(&self, word: &str) -> bool {
        self.word_at(self.at).eq(word.chars())
    }

    /// Returns an error if the `+` at a position, counted from 1, and the word after it are an
    /// operator in other systems. There, operators have words on both sides.
    fn check_plus(&self, position: usize) -> Result<()> {
        let word: String = self.word_at(self.at).take(MAX_OPERATOR_CHARS).collect();
        let Some(message) = foreign_plus(&word) else {
            return Ok(());
        };
        let is_text = |c: &&char| !c.is_whitespace();
        let (left, right) = (
            &self.chars[..position - 1],
            &self.chars[self.at + word.len()..],
        );
        let left = left.iter().rev().find(is_text);
        let right = right.iter().find(is_text);
        if left.is_some_and(|c| *c != '(') && right.is_some_and(|c| *c != ')') {
            return Err(error(position, message));
        }
        Ok(())
    }

    /// Continues after `NOT`, which may belong to the operator `NOT w/5`.
    fn not(&mut self) -> Result<Token> {
        let after = self.at;
        self.skip_spaces();
        let from = self.at;
        let word = self.word_chars(false)?;
        let found = unescaped(&word).and_then(|word| proximity(&word));
        match found.transpose() {
            Ok(None) => {
                self.at = after;
                Ok(Token::Not)
            }
            Ok(Some(near)) if near.relation == Relation::Near => Ok(Token::Near(Proximity {
                relation: Relation::NotNear,
                ..near
            })),
            Ok(Some(_)) => Err(error(
                from + 1,
                "NOT is only allowed before w/n, which has no order",
            )),
            Err(message) => Err(error(from + 1, message)),
        }
    }

    /// Reads the characters up to a space or a token that ends words.
    fn word_chars(&mut self, value: bool) -> Result<Vec<WordChar>> {
        let mut word: Vec<WordChar> = Vec::new();
        while let Some(c) = self.peek() {
            match c {
                '\\' => {
                    let Some(c) = self.peek_after() else {
                        let message = "a \\ at the end escapes nothing: write \\\\";
                        return Err(error(self.at + 1, message));
                    };
                    word.push(WordChar { c, escaped: true });
                    self.at += 2;
                    continue;
                }
                '(' | ')' | '"' | '“' | '”' | '„' => break,
                ':' if !value && self.is_field_name(&word) => break,
                _ if c.is_whitespace() => break,
                _ => word.push(WordChar { c, escaped: false }),
            }
            self.at += 1;
        }
        if word.is_empty() {
            // This is a closing quotation mark without an opening one.
            self.at += 1;
        }
        Ok(word)
    }

    /// Whether the word before a colon names a field. Times and addresses contain colons, too.
    fn is_field_name(&self, word: &[WordChar]) -> bool {
        let followed_by = |offset: usize| self.chars.get(self.at + offset).copied();
        let is_address = followed_by(1) == Some('/') && followed_by(2) == Some('/');
        let first = word.first().map(|w| w.c);
        first.is_some_and(|c| c.is_alphabetic() || c == '_') && !is_address
    }

    /// Separates a word from the tokens after it.
    fn word_with_ending(&self, from: usize, mut word: Vec<WordChar>, value: bool) -> Result<Token> {
        let position = from + 1;
        let boost = take_boost(&mut word, position)?;
        let mut ending = Ending::None;
        if word.last().is_some_and(|w| w.is('*')) {
            word.pop();
            ending = Ending::Prefix;
            if word.is_empty() {
                return Ok(if value {
                    Token::Operand(Operand::Anything, boost)
                } else {
                    Token::All
                });
            }
        } else if let Some(distance) = take_distance(&mut word, position)? {
            ending = Ending::Fuzzy(distance);
        }
        let tokens = wildcards(&word);
        if !tokens.contains(&true) {
            let text = word.iter().map(|w| w.c).collect();
            return Ok(Token::Operand(Operand::Word { text, ending }, boost));
        }
        if let Ending::Fuzzy(_) = ending {
            let message = "~ cannot be combined with * or ? in a word";
            return Err(error(position, message));
        }
        if !tokens.contains(&false) {
            let message = "expected letters beside * or ?; every document is found by a single *";
            return Err(error(position, message));
        }
        let wildcard = |(w, is_sign): (&WordChar, &bool)| match w.c {
            '*' if *is_sign => ANY,
            '?' if *is_sign => ONE,
            c => c,
        };
        let open_end = (ending == Ending::Prefix).then_some(ANY);
        let text = word.iter().zip(&tokens).map(wildcard);
        let text = text.chain(open_end).collect();
        let ending = Ending::Pattern;
        Ok(Token::Operand(Operand::Word { text, ending }, boost))
    }

    fn phrase(&mut self, opening: char) -> Result<Token> {
        let position = self.at + 1;
        let text = self.quoted(opening)?;
        let wildcard = self.wildcard_in(position);
        let prefix = self.take('*');
        let mut slop = 0;
        if !prefix && self.peek() == Some('~') {
            let at = self.at + 1;
            self.at += 1;
            let digits = self.digits();
            slop = match digits.parse::<u32>() {
                Ok(slop) if slop <= MAX_DISTANCE_WORDS => slop,
                _ => {
                    return Err(error(
                        at,
                        format!(
                            "after a phrase, ~ takes the number of words that may come in between, \
                             from 0 to {MAX_DISTANCE_WORDS}"
                        ),
                    ));
                }
            };
        }
        let boost = self.boost()?;
        if self.peek().is_some_and(|c| c.is_alphanumeric()) {
            return Err(error(
                self.at + 1,
                format!("expected a space after the phrase that starts at character {position}"),
            ));
        }
        let phrase = Operand::Phrase {
            text,
            slop,
            prefix,
            wildcard,
        };
        Ok(Token::Operand(phrase, boost))
    }

    /// Returns the position of a `*` next to a letter, or of a `?` between two letters, in the
    /// phrase that was just read. `position` is the position of its opening quotation mark.
    fn wildcard_in(&self, position: usize) -> Option<usize> {
        let phrase = &self.chars[position..self.at - 1];
        let is_letter = |at: Option<usize>| {
            let c = at.and_then(|at| phrase.get(at));
            c.is_some_and(|c| c.is_alphanumeric())
        };
        let found = phrase.iter().enumerate().position(|(at, c)| {
            let (before, after) = (is_letter(at.checked_sub(1)), is_letter(Some(at + 1)));
            let is_escaped = at > 0 && phrase[at - 1] == '\\';
            !is_escaped
                && match c {
                    '*' => before || after,
                    '?' => before && after,
                    _ => false,
                }
        });
        found.map(|at| position + at + 1)
    }

    /// Reads the text between quotation marks. The opening one is next.
    fn quoted(&mut self, opening: char) -> Result<String> {
        let position = self.at + 1;
        self.at += 1;
        let mut text = String::new();
        while let Some(c) = self.peek() {
            self.at += 1;
            match c {
                '\\' => {
                    if let Some(escaped) = self.peek() {
                        text.push(escaped);
                        self.at += 1;
                    }
                }
                '"' if opening == '"' => return Ok(text),
                '“' | '”' if opening != '"' => return Ok(text),
                _ => text.push(c),
            }
        }
        Err(error(
            position,
            "the phrase that starts here has no closing quotation mark; as a character of the \
             text, a mark is written \\\"",
        ))
    }

    /// Reads `[a TO b]`, or `{a TO b}` without the ends; `*` is an open end.
    fn range(&mut self) -> Result<Token> {
        let position = self.at + 1;
        let including = self.take('[');
        if !including {
            self.at += 1;
        }
        let lower = self.range_value(position)?;
        let to = self.range_value(position)?;
        if to != RangeValue::Plain("TO".to_owned()) {
            return Err(range_error(position));
        }
        let upper = self.range_value(position)?;
        self.skip_spaces();
        let until = match self.peek() {
            Some(']') => true,
            Some('}') => false,
            _ => return Err(range_error(position)),
        };
        self.at += 1;
        let lower = lower.bound(including);
        let upper = upper.bound(until);
        let boost = self.boost()?;
        Ok(Token::Operand(Operand::Range { lower, upper }, boost))
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn range_value(&mut self, range: usize) -> Result<RangeValue> {
        self.skip_spaces();
        if self.peek() == Some('"') {
            return Ok(RangeValue::Quoted(self.quoted('"')?));
        }
        let mut value = String::new();
        while let Some(c) = self.peek() {
            if c.is_whitespace() || c == ']' || c == '}' {
                break;
            }
            value.push(c);
            self.at += 1;
        }
        if value.is_empty() {
            return Err(range_error(range));
        }
        Ok(RangeValue::Plain(value))
    }

    /// Reads `>a`, `>=a`, `<a` or `<=a`.
    fn comparison(&mut self) -> Result<Token> {
        let position = self.at + 1;
        let greater = self.take('>');
        if !greater {
            self.at += 1;
        }
        let including = self.take('=');
        let text = if self.peek() == Some('"') {
            self.quoted('"')?
        } else {
            self.word_chars(true)?.iter().map(|w| w.c).collect()
        };
        if text.is_empty() {
            return Err(error(position, "expected a value after < or >"));
        }
        let bound = if including {
            Bound::Included(text)
        } else {
            Bound::Excluded(text)
        };
        let (lower, upper) = if greater {
            (bound, Bound::Unbounded)
        } else {
            (Bound::Unbounded, bound)
        };
        Ok(Token::Operand(Operand::Range { lower, upper }, None))
    }

    fn digits(&mut self) -> String {
        let mut digits = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_digit) {
            digits.push(c);
            self.at += 1;
        }
        digits
    }

    /// Reads a boost such as `^2.5`, if it is next.
    fn boost(&mut self) -> Result<Option<f32>> {
        if self.peek() != Some('^') {
            return Ok(None);
        }
        let position = self.at + 1;
        self.at += 1;
        let mut number = String::new();
        while let Some(c) = self.peek().filter(|c| c.is_ascii_digit() || *c == '.') {
            number.push(c);
            self.at += 1;
        }
        boost_of(&number, position).map(Some)
    }
}

/// Returns the text of a word if no character is escaped. Only such a word can be an operator.
fn unescaped(word: &[WordChar]) -> Option<String> {
    let plain = word.iter().all(|w| !w.escaped);
    plain.then(|| word.iter().map(|w| w.c).collect())
}

/// Returns for each character of a word whether it is a wildcard. A `?` is a wildcard next to a
/// letter or a `*`, unless the word is a URL.
fn wildcards(word: &[WordChar]) -> Vec<bool> {
    let is_address = word
        .windows(3)
        .any(|three| three.iter().map(|w| w.c).eq("://".chars()));
    let is_sign = |w: &WordChar| w.is('*') || (w.is('?') && !is_address);
    let is_letter = |w: Option<&WordChar>| w.is_some_and(|w| w.c.is_alphanumeric());
    let mut tokens = Vec::with_capacity(word.len());
    for run in word.chunk_by(|a, b| is_sign(a) == is_sign(b)) {
        let (from, to) = (tokens.len(), tokens.len() + run.len());
        let beside = is_letter(from.checked_sub(1).and_then(|at| word.get(at)));
        let is_wildcard = is_sign(&run[0])
            && (beside || is_letter(word.get(to)) || run.iter().any(|w| w.is('*')));
        tokens.resize(to, is_wildcard);
    }
    tokens
}

/// Whether an operand starts here, so that a sign before it belongs to it, unlike in `a - b`.
fn begins_operand(next: Option<char>) -> bool {
    next.is_some_and(|c| !c.is_whitespace() && c != ')')
}

#[derive(Debug, PartialEq)]
enum RangeValue {
    Plain(String),
    Quoted(String),
}

impl RangeValue {
    fn bound(self, including: bool) -> Bound<String> {
        match self {
            Self::Plain(value) if value == "*" => Bound::Unbounded,
            Self::Plain(value) | Self::Quoted(value) if including => Bound::Included(value),
            Self::Plain(value) | Self::Quoted(value) => Bound::Excluded(value),
        }
    }
}

fn range_error(position: usize) -> SearchError {
    error(
        position,
        "a range is written [from TO to], or {from TO to} without its ends; * is an open end, and \
         values with spaces are quoted",
    )
}

fn boost_of(number: &str, position: usize) -> Result<f32> {
    match number.parse::<f32>() {
        Ok(boost) if boost.is_finite() && (0.0..=1e6).contains(&boost) => Ok(boost),
        _ => Err(error(
            position,
            "^ takes a number that the score is multiplied by, as in ^2",
        )),
    }
}

/// Removes `^number` from the end of a word. Other `^` are part of the word.
fn take_boost(word: &mut Vec<WordChar>, position: usize) -> Result<Option<f32>> {
    let Some(at) = word.iter().rposition(|w| w.is('^')) else {
        return Ok(None);
    };
    let number: String = word[at + 1..].iter().map(|w| w.c).collect();
    if at == 0 || number.parse::<f32>().is_err() {
        return Ok(None);
    }
    word.truncate(at);
    boost_of(&number, position + at).map(Some)
}

/// Removes `~` or `~2` from the end of a word. Other `~` are part of the word.
fn take_distance(word: &mut Vec<WordChar>, position: usize) -> Result<Option<u8>> {
    let Some(at) = word.iter().rposition(|w| w.is('~')) else {
        return Ok(None);
    };
    let number: String = word[at + 1..].iter().map(|w| w.c).collect();
    if at == 0 || !number.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return Ok(None);
    }
    let distance = match number.as_str() {
        "" => DEFAULT_DISTANCE,
        number => match number.parse() {
            Ok(distance) if distance <= MAX_DISTANCE => distance,
            _ => {
                return Err(error(
                    position + at,
                    format!(
                        "after a word, ~ takes the number of letters that may differ, from 0 to \
                         {MAX_DISTANCE}"
                    ),
                ));
            }
        },
    };
    word.truncate(at);
    Ok(Some(distance))
}
