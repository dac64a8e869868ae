//! The Japanese filter of uzushio's CorpusCleaner.

use super::{broken_names, share};

/// The shares that the rules measure, of UTF-16 code units.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Japanese {
    /// The share of hiragana and katakana: the Unicode blocks U+3040–30FF.
    pub kana: f64,
    /// The share of these and of U+4E00–9FFF. Punctuation, 々, half-width forms and the extensions
    /// of Chinese characters are not counted.
    pub japanese: f64,
}

/// Measures a text.
pub fn japanese(text: &str) -> Japanese {
    let (mut units, mut kana, mut kanji) = (0, 0, 0);
    for character in text.chars() {
        units += character.len_utf16() as u64;
        kana += u64::from(matches!(character, '\u{3040}'..='\u{30ff}'));
        kanji += u64::from(matches!(character, '\u{4e00}'..='\u{9fff}'));
    }
    Japanese {
        kana: share(kana, units),
        japanese: share(kana + kanji, units),
    }
}

/// The thresholds; by default those of uzushio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JapaneseRules {
    /// The share of kana that a text must exceed.
    pub kana: f64,
    /// The share of kana and Chinese characters that a text must exceed.
    pub japanese: f64,
}

impl Default for JapaneseRules {
    fn default() -> Self {
        Self {
            kana: 0.05,
            japanese: 0.7,
        }
    }
}

impl JapaneseRules {
    /// The rules that a text breaks. An empty text breaks all of them.
    pub fn broken(&self, text: &Japanese) -> impl Iterator<Item = &'static str> + use<> {
        broken_names([
            (text.kana <= self.kana, "few_kana"),
            (text.japanese <= self.japanese, "few_japanese_characters"),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let measured = japanese(text);
        let broken: Vec<_> = JapaneseRules::default().broken(&measured).collect();
        assert_eq!(broken, expected, "{text:?} {measured:?}");
    }

    #[test]
    fn shares_must_be_larger_than_the_thresholds() {
        check("これは日本語の文章です。", &[]);
        check("", &["few_kana", "few_japanese_characters"]);
        check("这是中文", &["few_kana"]);
        check("あ---", &["few_japanese_characters"]);
        // 1 of 20 is not more than 5 %, 2 of 39 are; 7 of 10 are not more than 70 %, 5 of 7 are.
        check(&("あ".to_owned() + &"漢".repeat(19)), &["few_kana"]);
        check(&("あい".to_owned() + &"漢".repeat(37)), &[]);
        check("あああああああ---", &["few_japanese_characters"]);
        check("あああああ--", &[]);
    }

    #[test]
    fn lengths_and_blocks_are_those_of_java() {
        // 𠮟 is two code units, and in no block that is counted; neither are 々, ｱ and 。
        check("ああああああ𠮟", &[]);
        check("あああああ𠮟", &[]);
        check("ああああ𠮟", &["few_japanese_characters"]);
        for other in ["々", "ｱ", "。", "㐀", "\u{f900}"] {
            let text = "あああああああ".to_owned() + &other.repeat(3);
            check(&text, &["few_japanese_characters"]);
        }
        check(&"\u{3040}\u{309f}\u{30a0}ー".repeat(3), &[]);
    }
}
