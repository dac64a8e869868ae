//! Chinese, Japanese and Korean characters. Real texts use a few thousand of them, which are on the
//! first level of each country's charset. A wrong character table produces arbitrary characters.

use std::sync::LazyLock;

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS};

/// The first levels: GB 2312, JIS X 0208, Big5, KS X 1001 (Hangul).
const LEVELS: [(&Encoding, u16, u16); 4] = [
    (GBK, 0xB0A1, 0xD7F9),
    (SHIFT_JIS, 0x889F, 0x9872),
    (BIG5, 0xA440, 0xC67E),
    (EUC_KR, 0xB0A1, 0xC8FE),
];

const BITSET_WORDS: usize = 0x1_0000 / 64;

/// A bit for each character of the Basic Multilingual Plane.
static COMMON: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut common = vec![0; BITSET_WORDS];
    for (encoding, first, last) in LEVELS {
        for code in first..=last {
            let bytes = code.to_be_bytes();
            let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
            let mut characters = text.iter().flat_map(|text| text.chars());
            // An invalid pair may decode to two characters.
            if let (Some(c), None) = (characters.next(), characters.next())
                && let Some(word) = common.get_mut(u32::from(c) as usize / 64)
            {
                *word |= 1 << (u32::from(c) % 64);
            }
        }
    }
    common
});

/// Whether a character belongs to one of the blocks with thousands of characters.
pub(super) fn is_in_large_block(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

pub(super) fn is_common(c: char) -> bool {
    let word = COMMON.get(u32::from(c) as usize / 64);
    word.is_some_and(|word| word & (1 << (u32::from(c) % 64)) != 0)
}

#[cfg(test)]
mod tests {
    use super::{is_common, is_in_large_block};

    #[test]
    fn common_characters() {
        for c in "的国発國學한글日本".chars() {
            assert!(is_common(c) && is_in_large_block(c), "{c}");
        }
        for c in "龘㐀뷁鱻\u{20000}".chars() {
            assert!(!is_common(c) && is_in_large_block(c), "{c}");
        }
        assert!(!is_in_large_block('あ'));
    }
}
