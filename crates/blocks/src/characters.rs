//! Scripts that are written without spaces, or from right to left.

/// Whether a source line may end before or after this character without meaning a space. True for
/// Chinese characters, kana, bopomofo and their punctuation, but not for Korean, which has spaces.
#[inline]
pub fn joins_lines(character: char) -> bool {
    matches!(character,
        '\u{2e80}'..='\u{312f}'
        | '\u{3190}'..='\u{31ff}'
        | '\u{3220}'..='\u{325f}'
        | '\u{3280}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff01}'..='\u{ff9f}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1aff0}'..='\u{1b16f}'
        | '\u{1f200}'..='\u{1f2ff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Whether a character is a letter of Hebrew, Arabic, Syriac, Thaana, N'Ko or another script that
/// is written from right to left, or one of their presentation forms.
#[inline]
pub fn is_right_to_left(character: char) -> bool {
    matches!(
        u32::from(character),
        0x5be..=0x8ff | 0xfb1d..=0xfdff | 0xfe70..=0xfefe | 0x10800..=0x10fff | 0x1e800..=0x1efff
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn korean_is_not_joined() {
        for character in ['한', 'ㄱ', 'ᄀ', '㈀', '㉠', 'a', 'é'] {
            assert!(!joins_lines(character), "{character}");
        }
        for character in [
            '日', 'か', 'カ', 'ｶ', '、', '。', '）', '々', 'ㄅ', '𠮟', '㌔',
        ] {
            assert!(joins_lines(character), "{character}");
        }
    }
}
