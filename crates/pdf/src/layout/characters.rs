//! The properties of characters that affect the layout.

use corpus_blocks::characters::is_right_to_left;

/// The role of a glyph in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GlyphKind {
    /// At least one character that is neither a space nor dropped.
    Visible,
    /// Nothing but spaces.
    Space,
    /// No visible text: it belongs to the text of another glyph, or is a control character.
    Nothing,
}

pub(super) fn kind(text: &str) -> GlyphKind {
    if let [byte] = text.as_bytes() {
        return kind_of_byte(*byte);
    }
    let mut kind = GlyphKind::Nothing;
    for character in text.chars() {
        if is_space(character) {
            kind = GlyphKind::Space;
        } else if !is_dropped(character) {
            return GlyphKind::Visible;
        }
    }
    kind
}

/// The role of a glyph whose text is one byte.
#[inline]
pub(super) fn kind_of_byte(byte: u8) -> GlyphKind {
    match byte {
        0x21..=0x7e => GlyphKind::Visible,
        b' ' | b'\t'..=b'\r' => GlyphKind::Space,
        _ => GlyphKind::Nothing,
    }
}

/// The numbers of letters written from right to left, and from left to right.
pub(super) fn count_letters<'a>(texts: impl Iterator<Item = &'a str>) -> (usize, usize) {
    let (mut leftwards, mut rightwards) = (0, 0);
    for character in texts.flat_map(str::chars) {
        if is_right_to_left(character) {
            leftwards += 1;
        } else if character.is_alphabetic() {
            rightwards += 1;
        }
    }
    (leftwards, rightwards)
}

/// Whether a character is any kind of space. All become U+0020, so that searches and splits need to
/// handle only one.
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace()
}

/// Whether a character never becomes text: controls, direction marks (the text is put into logical
/// order without them), and characters without width or meaning in plain text. The joiners U+200C
/// and U+200D stay: they distinguish words in Persian and in Indian scripts.
pub(super) fn is_dropped(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
        )
}

pub(super) const SOFT_HYPHEN: char = '\u{ad}';

/// Whether a character belongs to a script that is set in squares of one em, without spaces between
/// words. Hangul has spaces.
pub(super) fn is_cjk(character: char) -> bool {
    matches!(
        u32::from(character),
        0x2e80..=0x2fff | 0x3001..=0x312f | 0x3190..=0x9fff | 0xf900..=0xfaff | 0xfe10..=0xfe1f | 0xfe30..=0xfe4f | 0xff00..=0xffef | 0x20000..=0x3ffff
    )
}

/// Whether a character is a presentation form of an Arabic or Hebrew letter, or of punctuation. The
/// last four of the first Arabic block are whole phrases, or not letters, and stay.
pub(super) fn is_presentation_form(character: char) -> bool {
    matches!(
        u32::from(character),
        0xfb1d..=0xfdf9 | 0xfe10..=0xfe19 | 0xfe31..=0xfe48 | 0xfe70..=0xfefc
    )
}

/// The normal punctuation for a vertical presentation form. U+FE30 is a colon in Chinese fonts, and
/// stays.
pub(super) fn horizontal_form(character: char) -> Option<char> {
    let (first, forms) = match character {
        '\u{fe10}'..='\u{fe19}' => (0xfe10, "，、。：；！？〖〗…"),
        '\u{fe31}'..='\u{fe44}' => (0xfe31, "—–＿＿（）｛｝〔〕【】《》〈〉「」『』"),
        '\u{fe47}'..='\u{fe48}' => (0xfe47, "［］"),
        _ => return None,
    };
    forms.chars().nth((u32::from(character) - first) as usize)
}

/// The half of its square that a CJK character fills. The empty half of punctuation may overlap its
/// neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Extent {
    /// Closing brackets, commas and full stops.
    FirstHalf,
    Whole,
    /// Opening brackets.
    SecondHalf,
}

pub(super) fn extent(text: &str) -> Extent {
    let Some(character) = text.chars().next().filter(|first| is_cjk(*first)) else {
        return Extent::Whole;
    };
    match horizontal_form(character).unwrap_or(character) {
        '、' | '。' | '，' | '．' | '」' | '』' | '）' | '】' | '〕' | '〉' | '》' | '〗'
        | '｝' | '］' => Extent::FirstHalf,
        '「' | '『' | '（' | '【' | '〔' | '〈' | '《' | '〖' | '｛' | '［' => {
            Extent::SecondHalf
        }
        _ => Extent::Whole,
    }
}

/// The counterpart of a character that is drawn mirrored in right-to-left text.
pub(super) fn mirrored(character: char) -> char {
    match character {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '\u{ab}' => '\u{bb}',
        '\u{bb}' => '\u{ab}',
        '\u{2039}' => '\u{203a}',
        '\u{203a}' => '\u{2039}',
        '\u{2264}' => '\u{2265}',
        '\u{2265}' => '\u{2264}',
        other => other,
    }
}
