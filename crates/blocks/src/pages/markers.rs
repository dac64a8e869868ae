//! The markers of list items, such as bullets and numbers.

use super::measure::{Measure, Measured};
use super::running::roman;

/// The number of lines with markers before and after one that are compared with it.
const MAX_COMPARED: usize = 40;

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
    fn precedes(self, next: Self) -> bool {
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

/// Finds the markers that are those of items, rather than text that looks alike.
pub fn find(document: &mut Measured) {
    let mut found: Vec<(usize, Vec<Marker>)> = Vec::new();
    for index in 0..document.items.len() {
        let Some(line) = document.line(index).filter(|line| line.is_text()) else {
            continue;
        };
        if line.is_entry || (line.is_fixed && !document.is_body_fixed) {
            continue;
        }
        let markers = parse(line.text());
        if !markers.is_empty() {
            found.push((index, markers));
        }
    }
    for place in 0..found.len() {
        let Some((index, markers)) = found.get(place) else {
            continue;
        };
        let Some(line) = document.line(*index) else {
            continue;
        };
        let chosen = markers
            .iter()
            .find(|marker| is_item(document, line, marker.kind, *index, &found, place))
            .copied();
        let index = *index;
        if let Some(line) = document.line_mut(index) {
            line.marker = chosen;
        }
    }
}

/// Whether a line with this marker is an item: the marker is a certain one, or others of its list
/// are near.
fn is_item(
    document: &Measured,
    line: &Measure,
    kind: MarkerKind,
    index: usize,
    found: &[(usize, Vec<Marker>)],
    place: usize,
) -> bool {
    if let MarkerKind::Bullet(bullet) = kind
        && is_certain(bullet)
    {
        return true;
    }
    let is_aligned = |other: usize| {
        document.line(other).is_some_and(|other| {
            other.page != line.page
                || (other.left() - line.left()).abs() < 0.7 * line.size()
                || other.right() < line.left()
                || line.right() < other.left()
        })
    };
    let is_start = index
        .checked_sub(1)
        .and_then(|before| document.line(before))
        .is_none_or(|before| {
            !document.is_below(before, line)
                || !is_mid_sentence(before)
                || line.base() - before.base() > 1.3 * document.leading(line.size())
        });
    if let MarkerKind::Bullet(_) = kind
        && is_start
    {
        return true;
    }
    let has = |other: &(usize, Vec<Marker>), is_before: bool| {
        is_aligned(other.0)
            && other.1.iter().any(|marker| match is_before {
                true => marker.kind.precedes(kind),
                false => kind.precedes(marker.kind),
            })
    };
    let after = found.iter().skip(place + 1).take(MAX_COMPARED);
    let mut before = found.iter().take(place).rev().take(MAX_COMPARED);
    let is_first = matches!(
        kind,
        MarkerKind::Number { value: 1, .. } | MarkerKind::Reference(1)
    );
    let mut after = after;
    is_start
        && (after.any(|other| has(other, false))
            || (!is_first && before.any(|other| has(other, true))))
}

/// Whether a line ends within a sentence, so that the next one may start with anything.
fn is_mid_sentence(line: &Measure) -> bool {
    let text = line.text();
    let ends = text.ends_with(['.', ':', ';', '!', '?', '。', '）', ')', ',']);
    !ends && line.right() > line.column.1 - 3.0 * line.size()
}

fn is_certain(bullet: char) -> bool {
    !matches!(bullet, '-' | '–' | '—' | '*' | '+' | '·' | 'o' | '−')
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
fn parse(text: &str) -> Vec<Marker> {
    let Some(first) = text.chars().next() else {
        return Vec::new();
    };
    let length = |marker: usize| {
        let rest = text.get(marker..).unwrap_or_default();
        marker + (rest.len() - rest.trim_start().len())
    };
    if is_bullet(first) || (first == 'o' && text.starts_with("o ")) {
        let marker = first.len_utf8();
        let rest = text.get(marker..).unwrap_or_default();
        let is_apart = rest.starts_with(char::is_whitespace);
        let is_all = rest.trim().is_empty();
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
            match is_lower {
                true => Digits::LowerRoman,
                false => Digits::UpperRoman,
            },
        ));
    }
    values
}
