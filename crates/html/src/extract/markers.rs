//! The markers of list items: bullets and numbers, as browsers show them without style sheets.

use std::fmt::Write;

use memchr::memchr2_iter;

use crate::events::Element;
use crate::hidden::declarations;
use corpus_blocks::numerals::roman;
use corpus_markup::Name;

/// The state of the markers on a page.
#[derive(Debug, Clone, Default)]
pub struct Markers {
    lists: Vec<List>,
    /// The markers of the innermost open items without any text so far.
    pending: Vec<Marker>,
    /// The number of items of each reversed list, in the order of the lists, counted in an earlier
    /// pass.
    totals: Vec<i64>,
    /// The number of items of each reversed list, counted in this pass.
    counted: Vec<i64>,
}

#[derive(Debug, Clone)]
struct List {
    name: Name,
    style: Style,
    next: i64,
    step: i64,
    /// The index in `counted`, for reversed lists.
    counted: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    None,
    Bullet,
    Decimal,
    Letters { is_upper: bool },
    Roman { is_upper: bool },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marker {
    style: Style,
    number: i64,
}

impl Markers {
    /// Whether the items of reversed lists must be counted in an extra pass.
    pub fn need_totals(page: &str) -> bool {
        const NAME: &[u8] = b"reversed";
        let bytes = page.as_bytes();
        memchr2_iter(b'v', b'V', bytes).any(|at| {
            let start = at.checked_sub("re".len());
            let name = start.and_then(|start| bytes.get(start..start + NAME.len()));
            name.is_some_and(|name| name.eq_ignore_ascii_case(NAME))
        })
    }

    /// The initial markers for another pass over the same page.
    pub fn with_totals(self) -> Self {
        Self {
            totals: self.counted,
            ..Self::default()
        }
    }

    pub fn open_list(&mut self, element: &Element<'_>) {
        let is_ordered = element.name == Name::OL;
        let start = element.attribute("start").and_then(|text| integer(&text));
        let is_reversed = is_ordered && element.attribute("reversed").is_some();
        let mut counted = None;
        let mut first = 1;
        if is_reversed {
            first = self.totals.get(self.counted.len()).copied().unwrap_or(1);
            counted = Some(self.counted.len());
            self.counted.push(0);
        }
        let default = if is_ordered {
            Style::Decimal
        } else {
            Style::Bullet
        };
        self.lists.push(List {
            name: element.name,
            style: Style::of(element, is_ordered).unwrap_or(default),
            next: start.unwrap_or(first),
            step: if is_reversed { -1 } else { 1 },
            counted,
        });
    }

    pub fn close_list(&mut self, name: Name) {
        if let Some(index) = self.lists.iter().rposition(|list| list.name == name) {
            self.lists.remove(index);
        }
    }

    /// Stores the marker of an item that opens. It is written before the item's first word.
    pub fn open_item(&mut self, element: &Element<'_>) {
        let marker = self.count_item(element);
        self.pending.push(marker);
    }

    /// Counts an item and returns its marker.
    pub fn count_item(&mut self, element: &Element<'_>) -> Marker {
        let Some(list) = self.lists.last_mut() else {
            return Marker {
                style: Style::of(element, true).unwrap_or(Style::Bullet),
                number: 1,
            };
        };
        if let Some(count) = list.counted.and_then(|index| self.counted.get_mut(index)) {
            *count += 1;
        }
        let value = element.attribute("value").and_then(|text| integer(&text));
        let number = value.unwrap_or(list.next);
        list.next = number.saturating_add(list.step);
        let style = Style::of(element, true).unwrap_or(list.style);
        Marker { style, number }
    }

    /// Drops the marker of the item that closes if the item had no text.
    pub fn close_item(&mut self) {
        self.pending.pop();
    }

    /// Writes the markers of the items that start with the next word.
    pub fn write(&mut self, text: &mut String) {
        let mut is_after_bullet = false;
        for marker in self.pending.drain(..) {
            // If an item starts with a nested list, only one of the two bullets is written.
            let is_bullet = marker.style == Style::Bullet;
            if !(is_bullet && is_after_bullet) {
                marker.write(text);
            }
            is_after_bullet = is_bullet;
        }
    }
}

impl Style {
    /// The style declared by an element's attributes. Only ordered lists and items can have
    /// numbers.
    fn of(element: &Element<'_>, may_be_ordered: bool) -> Option<Self> {
        let declared = element.attribute("style").and_then(|style| {
            let properties = ["list-style", "list-style-type"];
            declarations(&style)
                .filter(|(name, _)| properties.iter().any(|p| name.eq_ignore_ascii_case(p)))
                .filter_map(|(_, value)| value.split_ascii_whitespace().find_map(Self::from_css))
                .next_back()
        });
        declared.or_else(|| {
            let value = element.attribute("type")?;
            let value = value.trim();
            Self::bullet_or_none(value)
                .or_else(|| may_be_ordered.then(|| Self::numbers(value)).flatten())
        })
    }

    fn bullet_or_none(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("none") {
            return Some(Self::None);
        }
        let bullets = ["disc", "circle", "square"];
        let is_bullet = bullets.iter().any(|known| name.eq_ignore_ascii_case(known));
        is_bullet.then_some(Self::Bullet)
    }

    /// The numbering of a `type` attribute.
    fn numbers(value: &str) -> Option<Self> {
        Some(match value {
            "1" => Self::Decimal,
            "a" => Self::Letters { is_upper: false },
            "A" => Self::Letters { is_upper: true },
            "i" => Self::Roman { is_upper: false },
            "I" => Self::Roman { is_upper: true },
            _ => return None,
        })
    }

    fn from_css(name: &str) -> Option<Self> {
        let style = match name.to_ascii_lowercase().as_str() {
            "decimal" => Self::Decimal,
            "lower-alpha" | "lower-latin" => Self::Letters { is_upper: false },
            "upper-alpha" | "upper-latin" => Self::Letters { is_upper: true },
            "lower-roman" => Self::Roman { is_upper: false },
            "upper-roman" => Self::Roman { is_upper: true },
            other => return Self::bullet_or_none(other),
        };
        Some(style)
    }
}

impl Marker {
    /// The number of a numbered item, even if it is shown as a letter.
    pub fn number(self) -> Option<i64> {
        match self.style {
            Style::None | Style::Bullet => None,
            Style::Decimal | Style::Letters { .. } | Style::Roman { .. } => Some(self.number),
        }
    }

    fn write(self, text: &mut String) {
        match self.style {
            Style::None => return,
            Style::Bullet => {
                text.push_str("• ");
                return;
            }
            Style::Letters { is_upper } if self.number > 0 => {
                push_letters(text, self.number, is_upper);
            }
            Style::Roman { is_upper } => match roman(self.number) {
                Some(roman) if is_upper => text.push_str(&roman.to_uppercase()),
                Some(roman) => text.push_str(&roman),
                None => drop(write!(text, "{}", self.number)),
            },
            // Writing to a string cannot fail.
            _ => drop(write!(text, "{}", self.number)),
        }
        text.push_str(". ");
    }
}

/// Appends a to z, aa to zz, and so on.
fn push_letters(text: &mut String, number: i64, is_upper: bool) {
    let first = if is_upper { b'A' } else { b'a' };
    let mut letters = Vec::new();
    let mut rest = number;
    while rest > 0 {
        rest -= 1;
        letters.push(first + (rest % 26) as u8);
        rest /= 26;
    }
    text.extend(letters.into_iter().rev().map(char::from));
}

/// Parses an integer by the rules of HTML: characters after the digits are ignored.
pub fn integer(text: &str) -> Option<i64> {
    let text = text.trim_start_matches(|c: char| c.is_ascii_whitespace());
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let value = digits
        .bytes()
        .map_while(|byte| byte.is_ascii_digit().then(|| i64::from(byte - b'0')))
        .fold(0, |value: i64, digit| {
            value.saturating_mul(10).saturating_add(digit)
        });
    Some(if is_negative { -value } else { value })
}
