//! The markers of list items.

/// A marker at the start of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marker {
    pub kind: MarkerKind,
    /// The number of bytes up to the text of the item.
    pub length: usize,
}

/// The kind of a marker.
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
    pub digits: Digits,
    /// The characters around it.
    pub before: Option<char>,
    pub after: char,
}

/// The digits of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digits {
    Decimal,
    Lower,
    Upper,
    LowerRoman,
    UpperRoman,
}
