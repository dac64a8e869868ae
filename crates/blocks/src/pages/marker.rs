//! The syntax of list markers, such as bullets and numbers.

use crate::block::task_sign;

/// The signs that mark notes.
pub const NOTE_MARKS: [char; 7] = ['*', '†', '‡', '§', '¶', '∗', '⁎'];

/// A character without a meaning, as the bullets of some fonts are.
const UNKNOWN: char = '\u{fffd}';

/// A marker at the start of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marker {
    pub kind: MarkerKind,
    /// The number of bytes up to the text of the item.
    pub length: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkerKind {
    Bullet(char),
    Number {
        value: i64,
        style: Style,
    },
    /// A number in brackets, as in lists of references. It is a part of the text.
    Reference(i64),
}

/// How a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    digits: Digits,
    /// The characters around it.
    before: Option<char>,
    after: char,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Digits {
    Decimal,
    Lower,
    Upper,
    LowerRoman,
    UpperRoman,
}

impl MarkerKind {
    /// Whether the second marker may be that of the next item.
    pub fn precedes(self, next: Self) -> bool {
        match (self, next) {
            (Self::Bullet(a), Self::Bullet(b)) => a == b,
            (Self::Number { value: a, style: s }, Self::Number { value: b, style: t }) => {
                s == t && b == a + 1
            }
            (Self::Reference(a), Self::Reference(b)) => b == a + 1,
            _ => false,
        }
    }
}

impl MarkerKind {
    /// Whether Markdown has an equal marker. Letters, Roman numbers and numbers in brackets, as in
    /// clauses, are a part of the text, because other places refer to them.
    pub fn is_plain(self) -> bool {
        match self {
            Self::Number { style, .. } => style.digits == Digits::Decimal && style.before.is_none(),
            _ => true,
        }
    }

    /// Whether it looks like the initial of a name.
    pub fn is_initial(self) -> bool {
        matches!(self, Self::Number { style, .. }
            if matches!(style.digits, Digits::Upper | Digits::UpperRoman)
                && style.before.is_none()
                && style.after == '.')
    }
}

/// Whether this bullet at the start of a line is always a marker.
pub fn is_certain(bullet: char) -> bool {
    !matches!(
        bullet,
        '-' | '–' | '—' | '*' | '+' | '·' | 'o' | '−' | UNKNOWN
    )
}

fn is_bullet(character: char) -> bool {
    matches!(
        character,
        '•' | '●'
            | '○'
            | '◦'
            | '▪'
            | '▫'
            | '■'
            | '□'
            | '‣'
            | '⁃'
            | '∙'
            | '➢'
            | '➤'
            | '➔'
            | '✓'
            | '✔'
            | '★'
            | '❖'
            | '◆'
            | '◇'
            | '►'
            | '▶'
            | '▸'
            | '⦿'
            | '⚫'
            | '・'
            | '※'
            | '🔹'
            | '-'
            | '–'
            | '—'
            | '*'
            | '+'
            | '·'
            | '−'
            | '\u{f0b7}'
            | '\u{f0a7}'
            | '\u{f076}'
            | '\u{f0d8}'
            | '\u{f0fc}'
            | '\u{f0a8}'
            | '\u{f06c}'
            | '\u{f06e}'
            | '\u{f071}'
            | UNKNOWN
    )
}

/// The marker at the start of the text of an item that the document declares.
pub fn first(text: &str) -> Option<Marker> {
    let markers = parse(text);
    markers
        .into_iter()
        .find(|marker| !matches!(marker.kind, MarkerKind::Reference(_)))
}

/// The markers that the start of a text may be. A letter may be a Roman number.
pub fn parse(text: &str) -> Vec<Marker> {
    let Some(first) = text.chars().next() else {
        return Vec::new();
    };
    if task_sign(text).is_some() {
        // The box is a part of the text, because it may be checked.
        return vec![Marker {
            kind: MarkerKind::Bullet('☐'),
            length: 0,
        }];
    }
    let length = |marker: usize| {
        let rest = text.get(marker..).unwrap_or_default();
        marker + (rest.len() - rest.trim_start().len())
    };
    if is_bullet(first) || (first == 'o' && text.starts_with("o ")) {
        let marker = first.len_utf8();
        let rest = text.get(marker..).unwrap_or_default();
        let is_apart = rest.starts_with(char::is_whitespace);
        // Signs alone, as in `* * *`, divide the text.
        let is_all = rest.chars().all(|c| c.is_whitespace() || c == first);
        if is_all || !(is_apart || is_certain(first)) {
            return Vec::new();
        }
        return vec![Marker {
            kind: MarkerKind::Bullet(first),
            length: length(marker),
        }];
    }
    let Some((word, rest)) = text.split_once(' ') else {
        return Vec::new();
    };
    if word.len() > 8 || rest.trim().is_empty() {
        return Vec::new();
    }
    if let Some(number) = word
        .strip_prefix('[')
        .and_then(|word| word.strip_suffix(']'))
    {
        let number = number.parse().ok().map(MarkerKind::Reference);
        return number
            .map(|kind| Marker { kind, length: 0 })
            .into_iter()
            .collect();
    }
    let before = word.strip_prefix('(').map(|_| '(');
    let core = word.trim_start_matches('(');
    let Some(after) = core.chars().next_back().filter(|c| matches!(c, '.' | ')')) else {
        return Vec::new();
    };
    let core = core.strip_suffix(after).unwrap_or_default();
    if before.is_some() && after != ')' {
        return Vec::new();
    }
    values(core)
        .into_iter()
        .map(|(value, digits)| Marker {
            kind: MarkerKind::Number {
                value,
                style: Style {
                    digits,
                    before,
                    after,
                },
            },
            length: length(word.len()),
        })
        .collect()
}

/// The numbers that a text may be.
fn values(text: &str) -> Vec<(i64, Digits)> {
    let mut values = Vec::new();
    if !text.is_empty() && text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        values.extend(text.parse().ok().map(|value| (value, Digits::Decimal)));
    }
    if let (Some(letter), 1) = (text.bytes().next(), text.len()) {
        match letter {
            b'a'..=b'z' => values.push((i64::from(letter - b'a') + 1, Digits::Lower)),
            b'A'..=b'Z' => values.push((i64::from(letter - b'A') + 1, Digits::Upper)),
            _ => {}
        }
    }
    if let Some(value) = roman(text) {
        let is_lower = text.bytes().all(|byte| byte.is_ascii_lowercase());
        values.push((
            value,
            if is_lower {
                Digits::LowerRoman
            } else {
                Digits::UpperRoman
            },
        ));
    }
    values
}

/// The value of a Roman number in one case.
pub fn roman(text: &str) -> Option<i64> {
    if text.is_empty() || text.len() > 8 {
        return None;
    }
    let is_lower = text.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_upper = text.bytes().all(|byte| byte.is_ascii_uppercase());
    if !is_lower && !is_upper {
        return None;
    }
    let mut total = 0;
    let mut largest = 0;
    for byte in text.bytes().rev() {
        let value = match byte.to_ascii_lowercase() {
            b'i' => 1,
            b'v' => 5,
            b'x' => 10,
            b'l' => 50,
            b'c' => 100,
            _ => return None,
        };
        if value < largest {
            total -= value;
        } else {
            total += value;
            largest = value;
        }
    }
    Some(total)
}
