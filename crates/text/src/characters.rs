//! Counts the characters of a text by class.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// The class of a character, for counting. Every character has exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum Class {
    /// Letters and marks of scripts without a separate class, Latin included.
    Letter,
    /// U+3041–309F.
    Hiragana,
    /// U+30A0–30FF, the phonetic extensions and half-width forms.
    Katakana,
    /// Chinese characters, all extensions, and the iteration mark 々.
    Han,
    Hangul,
    /// Decimal digits and other numbers.
    Digit,
    /// Punctuation of any script.
    Punctuation,
    /// Currency, mathematical and other symbols, emoji included.
    Symbol,
    /// White space.
    Space,
    /// Controls, format characters, unassigned and private-use characters, and U+FFFD.
    Other,
}

/// The number of classes.
pub const CLASSES: usize = 10;

/// The number of characters of each class in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    counts: [u64; CLASSES],
    /// Characters in U+0000–007F of any class.
    pub ascii: u64,
    /// Upper-case letters.
    pub upper: u64,
    /// UTF-16 code units: the length that Java and JavaScript report.
    pub utf16: u64,
}

impl Counts {
    /// Counts the characters of a text.
    ///
    /// ```
    /// use corpus_text::characters::{Class, Counts};
    ///
    /// let counts = Counts::of("Rustで書く。");
    /// assert_eq!(counts.get(Class::Letter), 4);
    /// assert_eq!(counts.get(Class::Hiragana), 2);
    /// assert_eq!(counts.get(Class::Han), 1);
    /// assert_eq!(counts.characters(), 8);
    /// ```
    pub fn of(text: &str) -> Self {
        let mut counts = Self::default();
        let bytes = text.as_bytes();
        let mut ascii = [0u64; 128];
        for character in text.chars() {
            if character.is_ascii() {
                ascii[character as usize] += 1;
            } else {
                counts.counts[class_beyond_ascii(character) as usize] += 1;
                counts.upper += u64::from(character.is_uppercase());
                counts.utf16 += character.len_utf16() as u64;
            }
        }
        for (byte, count) in (0u8..).zip(ascii) {
            counts.counts[ascii_class(byte) as usize] += count;
            counts.ascii += count;
            if byte.is_ascii_uppercase() {
                counts.upper += count;
            }
        }
        counts.utf16 += counts.ascii;
        debug_assert!(counts.characters() <= bytes.len() as u64);
        counts
    }

    /// The number of characters of a class.
    pub fn get(&self, class: Class) -> u64 {
        self.counts[class as usize]
    }

    /// The number of characters (Unicode scalar values).
    pub fn characters(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// The class of a character.
pub fn class(character: char) -> Class {
    match u8::try_from(character) {
        Ok(byte) if byte < 0x80 => ascii_class(byte),
        _ => class_beyond_ascii(character),
    }
}

fn ascii_class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
        b'0'..=b'9' => Class::Digit,
        b' ' | b'\t'..=b'\r' => Class::Space,
        b'$' | b'+' | b'<' | b'=' | b'>' | b'^' | b'`' | b'|' | b'~' => Class::Symbol,
        b'!'..=b'~' => Class::Punctuation,
        _ => Class::Other,
    }
}

fn class_beyond_ascii(character: char) -> Class {
    match character {
        '\u{3041}'..='\u{3096}' | '\u{3099}'..='\u{309f}' => Class::Hiragana,
        '\u{4e00}'..='\u{9fff}' | '々' | '\u{3400}'..='\u{4dbf}' | '\u{f900}'..='\u{faff}' => {
            Class::Han
        }
        '\u{20000}'..='\u{323af}' => Class::Han,
        '・' => Class::Punctuation,
        '\u{30a0}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}' => {
            Class::Katakana
        }
        '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' => {
            Class::Hangul
        }
        '\u{3000}' => Class::Space,
        _ if character.is_whitespace() => Class::Space,
        _ => match character.general_category_group() {
            GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark => Class::Letter,
            GeneralCategoryGroup::Number => Class::Digit,
            GeneralCategoryGroup::Punctuation => Class::Punctuation,
            // The replacement character is formally a symbol, but represents a lost character.
            GeneralCategoryGroup::Symbol if character != '\u{fffd}' => Class::Symbol,
            GeneralCategoryGroup::Separator => Class::Space,
            _ => Class::Other,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_its_characters() {
        for (text, expected) in [
            ("aZéßжاहि", Class::Letter),
            ("あんゝ", Class::Hiragana),
            ("アンーｱㇰ", Class::Katakana),
            ("漢字々㐀𠮟", Class::Han),
            ("한글ㄱ", Class::Hangul),
            ("09٣９Ⅷ½", Class::Digit),
            (".,!?。、「」・—“…", Class::Punctuation),
            ("$+€∑😀→©", Class::Symbol),
            (" \t\n\u{3000}\u{a0}\u{2028}", Class::Space),
            ("\0\u{7f}\u{200b}\u{feff}\u{fffd}\u{e000}", Class::Other),
        ] {
            for character in text.chars() {
                assert_eq!(class(character), expected, "{character:?}");
            }
        }
    }

    #[test]
    fn counts_add_up() {
        let text = "Ünïcode 日本語 😀\r\n";
        let counts = Counts::of(text);
        assert_eq!(counts.characters(), text.chars().count() as u64);
        assert_eq!(counts.utf16, text.encode_utf16().count() as u64);
        assert_eq!(
            counts.ascii,
            text.chars().filter(char::is_ascii).count() as u64
        );
        assert_eq!(counts.upper, 1);
        assert_eq!(Counts::of(""), Counts::default());
    }
}
