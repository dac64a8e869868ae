//! Splits a content stream into operators and their operands.
//!
//! Numbers are only located here and parsed on demand: most of them belong to drawings, which are
//! not needed. Damage is skipped, and parsing continues after it.

use std::ops::Range;

/// The maximum number of operands outside of arrays; the latest ones are kept.
const MAX_OPERANDS: usize = 64;
/// The maximum number of elements in an array; further ones are dropped.
const MAX_ELEMENTS: usize = 1 << 20;
/// Minimum number of zero bytes between tokens that shows damage. Intact content has hardly any,
/// except as padding at its end.
const MIN_ZEROS_OF_DAMAGE: usize = 4;

#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// Its range in the content.
    Number(Range<u32>),
    /// Its range in the content, without the slash.
    Name(Range<u32>),
    /// The range of its decoded bytes in `Lexer::bytes`.
    Text(Range<u32>),
    /// Its range in the content, including the brackets.
    Dict(Range<u32>),
    ArrayStart,
    ArrayEnd,
}

pub struct Lexer<'d> {
    data: &'d [u8],
    at: usize,
    operands: Vec<Operand>,
    /// The decoded strings among the operands.
    bytes: Vec<u8>,
    array_depth: usize,
    /// The outermost open array.
    array: OpenArray,
    /// The end of the content without trailing white space.
    content_end: usize,
    /// Whether there are zero bytes between tokens, as in overwritten content.
    pub has_zeros: bool,
    /// Whether an array, a string or a dictionary is not closed.
    pub has_unclosed: bool,
    /// Whether damage left brackets in strings unbalanced. Then each string ends at the first
    /// closing bracket or operator.
    is_unbalanced: bool,
    /// Whether an array was not closed. Then operators end arrays.
    ends_arrays: bool,
    /// Whether a dictionary was not closed. Then the brackets of dictionaries are skipped.
    skips_dicts: bool,
}

/// The state before an array, to which the lexer returns if the array is not closed.
#[derive(Default)]
struct OpenArray {
    /// The offset after its bracket.
    start: usize,
    operands: usize,
    bytes: usize,
    /// Whether it contains words, and operators of text.
    has_words: bool,
    has_operators: bool,
}

impl<'d> Lexer<'d> {
    pub fn new(data: &'d [u8]) -> Self {
        // Offsets are stored as `u32`.
        let data = data.get(..u32::MAX as usize).unwrap_or(data);
        Self {
            data,
            at: 0,
            operands: Vec::new(),
            bytes: Vec::new(),
            array_depth: 0,
            array: OpenArray::default(),
            content_end: data.iter().rposition(|c| !is_space(*c)).unwrap_or(0),
            has_zeros: false,
            has_unclosed: false,
            is_unbalanced: false,
            ends_arrays: false,
            skips_dicts: false,
        }
    }

    /// Advances to the next operator. Its operands are then in `operands`.
    pub fn next_operator(&mut self) -> Option<&'d [u8]> {
        self.operands.clear();
        self.bytes.clear();
        self.array_depth = 0;
        loop {
            let Some(&first) = self.data.get(self.at) else {
                if self.array_depth > 0 && self.array.has_words && !self.ends_arrays {
                    self.skip_open_array();
                    continue;
                }
                return None;
            };
            match CLASS[usize::from(first)] {
                Class::Space => self.at += 1,
                Class::Zero => {
                    let zeros = self.run(|c| c == 0);
                    let is_padding = self.at > self.content_end;
                    self.has_zeros |= !is_padding && zeros.len() >= MIN_ZEROS_OF_DAMAGE;
                }
                Class::Number => {
                    let range = self.run(|c| CLASS[usize::from(c)] == Class::Number);
                    self.push(Operand::Number(range));
                }
                Class::Regular => {
                    let range = self.run(is_regular);
                    let word = &self.data[range.start as usize..range.end as usize];
                    // No relevant operator takes these values.
                    if matches!(word, b"true" | b"false" | b"null") || self.is_exponent(&range) {
                        continue;
                    }
                    if self.array_depth == 0 {
                        return Some(word);
                    }
                    if self.ends_array(word) {
                        return Some(word);
                    }
                }
                Class::Delimiter => self.delimiter(first),
            }
        }
    }

    /// Whether a word in an array is an operator that ends it. An operator inside an array is
    /// damage; if it takes an array or ends a text, the array was not closed.
    fn ends_array(&mut self, word: &[u8]) -> bool {
        let is_end = matches!(word, b"TJ" | b"ET");
        if is_end && self.array.has_operators && !self.ends_arrays {
            self.skip_open_array();
            return false;
        }
        if is_end {
            self.has_unclosed = true;
            self.operands.push(Operand::ArrayEnd);
        }
        self.array.has_words = true;
        self.array.has_operators |= matches!(word, b"BT" | b"Tf" | b"Tm" | b"Tj" | b"Do");
        is_end || self.ends_arrays
    }

    /// Returns to the start of an array that is not closed, and skips its bracket.
    fn skip_open_array(&mut self) {
        self.has_unclosed = true;
        self.ends_arrays = true;
        self.at = self.array.start;
        self.operands.truncate(self.array.operands);
        self.bytes.truncate(self.array.bytes);
        self.array_depth = 0;
    }

    /// Whether a word is the exponent of the number before it. Other readers ignore exponents, too.
    fn is_exponent(&self, word: &Range<u32>) -> bool {
        let is_attached = |operand: &Operand| match operand {
            Operand::Number(number) => number.end == word.start,
            _ => false,
        };
        match self.slice(word) {
            [b'e' | b'E', exponent @ ..] if self.last().is_some_and(is_attached) => {
                let digits = exponent.strip_prefix(b"-").unwrap_or(exponent);
                !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
            }
            _ => false,
        }
    }

    fn delimiter(&mut self, first: u8) {
        match first {
            b'/' => {
                self.at += 1;
                let range = self.run(is_regular);
                self.push(Operand::Name(range));
            }
            b'(' => self.literal_string(),
            b'<' if self.data.get(self.at + 1) == Some(&b'<') => {
                if self.skips_dicts {
                    self.at += 2;
                } else {
                    self.dict();
                }
            }
            b'<' => self.hex_string(),
            b'[' => {
                self.at += 1;
                self.array_depth += 1;
                if self.array_depth == 1 {
                    self.array = OpenArray {
                        start: self.at,
                        operands: self.operands.len(),
                        bytes: self.bytes.len(),
                        ..OpenArray::default()
                    };
                    self.push(Operand::ArrayStart);
                }
            }
            b']' => {
                self.at += 1;
                if self.array_depth == 1 {
                    self.operands.push(Operand::ArrayEnd);
                }
                self.array_depth = self.array_depth.saturating_sub(1);
            }
            b'%' => {
                let rest = &self.data[self.at..];
                self.at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            }
            // Unmatched brackets.
            _ => self.at += 1,
        }
    }

    fn push(&mut self, operand: Operand) {
        if self.array_depth == 0 && self.operands.len() >= MAX_OPERANDS {
            self.operands.remove(0);
        } else if self.array_depth > 0 && self.operands.len() >= MAX_ELEMENTS {
            return;
        }
        self.operands.push(operand);
    }

    /// Skips the bytes for which `belongs` is true, and returns their range.
    fn run(&mut self, belongs: impl Fn(u8) -> bool) -> Range<u32> {
        let start = self.at;
        let rest = &self.data[start..];
        self.at += rest.iter().position(|&c| !belongs(c)).unwrap_or(rest.len());
        start as u32..self.at as u32
    }

    fn literal_string(&mut self) {
        let range = self.read_literal();
        self.push(Operand::Text(range));
    }

    /// Decodes a string in parentheses, with nested ones at any depth.
    fn read_literal(&mut self) -> Range<u32> {
        let start = self.bytes.len();
        let from = self.at + 1;
        if !self.read_until_closed(from) && !self.is_unbalanced {
            self.is_unbalanced = true;
            self.has_unclosed = true;
            self.bytes.truncate(start);
            self.read_until_closed(from);
        }
        start as u32..self.bytes.len() as u32
    }

    /// Decodes a string up to its closing bracket. Returns whether it ends.
    fn read_until_closed(&mut self, from: usize) -> bool {
        self.at = from;
        let mut depth = 1_u32;
        loop {
            // Most strings have few of the bytes that need a decision.
            let rest = self.data.get(self.at..).unwrap_or_default();
            let is_plain = |c: &u8| !matches!(c, b'(' | b')' | b'\\');
            let plain = rest.iter().take_while(|c| is_plain(c)).count();
            let (text, rest) = rest.split_at(plain);
            if self.is_unbalanced
                && let Some(end) = operator_in(text)
            {
                self.bytes
                    .extend_from_slice(text.get(..end).unwrap_or_default());
                self.at += end;
                return true;
            }
            self.bytes.extend_from_slice(text);
            self.at += plain;
            let Some(&c) = rest.first() else {
                return false;
            };
            self.at += 1;
            match c {
                b'(' if self.is_unbalanced => {}
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        return true;
                    }
                }
                _ => {
                    self.escape();
                    continue;
                }
            }
            self.bytes.push(c);
        }
    }

    /// Decodes an escape sequence after its backslash.
    fn escape(&mut self) {
        let Some(&c) = self.data.get(self.at) else {
            return;
        };
        self.at += 1;
        let value = match c {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'b' => 8,
            b'f' => 12,
            // A backslash removes the line end after it.
            b'\r' => {
                if self.data.get(self.at) == Some(&b'\n') {
                    self.at += 1;
                }
                return;
            }
            b'\n' => return,
            b'0'..=b'7' => {
                let mut value = u32::from(c - b'0');
                for _ in 0..2 {
                    match self.data.get(self.at) {
                        Some(&d @ b'0'..=b'7') => value = value * 8 + u32::from(d - b'0'),
                        _ => break,
                    }
                    self.at += 1;
                }
                value as u8
            }
            other => other,
        };
        self.bytes.push(value);
    }

    fn hex_string(&mut self) {
        self.at += 1;
        let start = self.bytes.len();
        let mut half = None;
        // The first byte that does not belong to the string, and the digits before it.
        let mut odd = None;
        loop {
            let next = self.data.get(self.at);
            let digit = match next {
                Some(c @ b'0'..=b'9') => c - b'0',
                Some(c @ b'a'..=b'f') => c - b'a' + 10,
                Some(c @ b'A'..=b'F') => c - b'A' + 10,
                Some(b'>') => {
                    self.at += 1;
                    break;
                }
                // The string is not closed.
                None | Some(b'(' | b')' | b'[' | b']' | b'<' | b'/') => {
                    self.has_unclosed = true;
                    if let Some((at, length, digit)) = odd {
                        self.at = at;
                        self.bytes.truncate(length);
                        half = digit;
                    }
                    break;
                }
                Some(c) => {
                    if odd.is_none() && !is_space(*c) {
                        odd = Some((self.at, self.bytes.len(), half));
                    }
                    self.at += 1;
                    continue;
                }
            };
            self.at += 1;
            match half.take() {
                Some(high) => self.bytes.push(high << 4 | digit),
                None => half = Some(digit),
            }
        }
        self.bytes.extend(half.map(|high: u8| high << 4));
        self.push(Operand::Text(start as u32..self.bytes.len() as u32));
    }

    /// Finds the end of a dictionary, at any nesting depth.
    fn dict(&mut self) {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(&c) = self.data.get(self.at) {
            match (c, self.data.get(self.at + 1)) {
                (b'<', Some(b'<')) => {
                    depth += 1;
                    self.at += 2;
                }
                (b'>', Some(b'>')) => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        break;
                    }
                }
                (b'(', _) => {
                    let string = self.read_literal();
                    self.bytes.truncate(string.start as usize);
                }
                _ => self.at += 1,
            }
        }
        if depth > 0 {
            self.has_unclosed = true;
            self.skips_dicts = true;
            self.at = start + 2;
            return;
        }
        self.push(Operand::Dict(start as u32..self.at as u32));
    }

    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// The last `N` operands as numbers; `None` if there are fewer, or one is not a number.
    pub fn numbers<const N: usize>(&self) -> Option<[f64; N]> {
        let from = self.operands.len().checked_sub(N)?;
        let mut all = [0.0; N];
        for (value, operand) in all.iter_mut().zip(&self.operands[from..]) {
            *value = self.number(operand)?;
        }
        Some(all)
    }

    pub fn number(&self, operand: &Operand) -> Option<f64> {
        match operand {
            Operand::Number(range) => Some(parse_number(self.slice(range))),
            _ => None,
        }
    }

    pub fn text(&self, operand: &Operand) -> Option<&[u8]> {
        match operand {
            Operand::Text(range) => self.bytes.get(range.start as usize..range.end as usize),
            _ => None,
        }
    }

    pub fn name(&self, operand: &Operand) -> Option<&'d [u8]> {
        match operand {
            Operand::Name(range) => Some(self.slice(range)),
            _ => None,
        }
    }

    pub fn dict_bytes(&self, operand: &Operand) -> Option<&'d [u8]> {
        match operand {
            Operand::Dict(range) => Some(self.slice(range)),
            _ => None,
        }
    }

    pub fn last(&self) -> Option<&Operand> {
        self.operands.last()
    }

    fn slice(&self, range: &Range<u32>) -> &'d [u8] {
        self.data
            .get(range.start as usize..range.end as usize)
            .unwrap_or_default()
    }

    /// The remaining content, for inline images.
    pub fn rest(&self) -> &'d [u8] {
        self.data.get(self.at..).unwrap_or_default()
    }

    pub fn skip(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.data.len());
    }
}

/// Parses a number as other readers do: "--5" is -5, "1.2.3" is 1.2, "4-5" is 4.
pub fn parse_number(text: &[u8]) -> f64 {
    let mut negative = false;
    let mut digits = 0_u64;
    let mut scale = 0_i32;
    let mut seen_point = false;
    let mut seen_digit = false;
    for &c in text {
        match c {
            b'0'..=b'9' => {
                seen_digit = true;
                // A double cannot hold further digits.
                if digits < 1 << 53 {
                    digits = digits * 10 + u64::from(c - b'0');
                    scale -= i32::from(seen_point);
                } else {
                    scale += i32::from(!seen_point);
                }
            }
            b'.' if !seen_point => seen_point = true,
            b'-' if !seen_digit && !seen_point => negative = true,
            b'+' if !seen_digit => {}
            _ => break,
        }
    }
    let value = digits as f64
        * match scale {
            0 => 1.0,
            -1 => 0.1,
            -2 => 0.01,
            -3 => 0.001,
            other => 10_f64.powi(other),
        };
    if negative { -value } else { value }
}

/// The offset of the first operator of text in a string, with the space before it.
fn operator_in(text: &[u8]) -> Option<usize> {
    let is_operator = |at: usize| {
        let word = text.get(at + 1..at + 3);
        let after = text.get(at + 3);
        matches!(word, Some(b"Tj" | b"TJ" | b"ET")) && after.is_none_or(|c| !is_regular(*c))
    };
    let mut spaces = (0..text.len()).filter(|at| text.get(*at).is_some_and(|c| is_space(*c)));
    spaces.find(|at| is_operator(*at))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    /// A zero byte, which is white space, too.
    Zero,
    Number,
    Regular,
    Delimiter,
}

fn is_space(c: u8) -> bool {
    matches!(CLASS[usize::from(c)], Class::Space | Class::Zero)
}

fn is_regular(c: u8) -> bool {
    matches!(CLASS[usize::from(c)], Class::Regular | Class::Number)
}

static CLASS: [Class; 256] = {
    let mut table = [Class::Regular; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = match i as u8 {
            0 => Class::Zero,
            b'\t' | b'\n' | 12 | b'\r' | b' ' => Class::Space,
            b'0'..=b'9' | b'+' | b'-' | b'.' => Class::Number,
            b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%' => Class::Delimiter,
            _ => Class::Regular,
        };
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests;
