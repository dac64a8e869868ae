//! The amount of text, comparable between scripts.

use wide::u8x16;

/// The number of bytes counted at a time.
const BLOCK: usize = 16;

/// The number of characters other than spaces. Characters of compact scripts (U+2E80
/// to U+9FFF, U+AC00 to U+D7AF, U+F900 to U+FAFF, U+20000 to U+3FFFF) count three times.
pub fn weight(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let mut weight = 0u32;
    for start in (0..bytes.len()).step_by(BLOCK) {
        let rest = bytes.get(start..).unwrap_or_default();
        let of_block = match rest.first_chunk() {
            Some(block) => weight_of_block(block),
            None => weight_of_block(&padded(rest)),
        };
        weight = weight.saturating_add(u32::from(of_block));
    }
    weight
}

/// Pads the last bytes with spaces, which weigh nothing.
fn padded(rest: &[u8]) -> [u8; BLOCK + 2] {
    let mut block = [b' '; BLOCK + 2];
    for (to, from) in block.iter_mut().zip(rest) {
        *to = *from;
    }
    block
}

/// The weight of the characters that start in a block. Two further bytes determine the weight of
/// the last one.
#[inline]
fn weight_of_block(block: &[u8; BLOCK + 2]) -> u8 {
    let from = |start: usize| {
        let bytes = block.get(start..).and_then(|bytes| bytes.first_chunk());
        u8x16::new(bytes.copied().unwrap_or_default())
    };
    let first = from(0);
    let equal = |bytes: u8x16, byte: u8| bytes.simd_eq(u8x16::splat(byte));
    let at_least = |bytes: u8x16, byte: u8| bytes.simd_ge(u8x16::splat(byte));
    let at_most = |bytes: u8x16, byte: u8| bytes.simd_le(u8x16::splat(byte));
    let blank = equal(first, b' ') | equal(first, b'\n') | equal(first, b'\t');
    if first.to_bitmask() == 0 {
        return (!blank & u8x16::splat(1)).reduce_add();
    }
    let (second, third) = (from(1), from(2));
    let ideographic_space = equal(first, 0xe3) & equal(second, 0x80) & equal(third, 0x80);
    let continues = at_least(first, 0x80) & at_most(first, 0xbf);
    let none = blank | continues | ideographic_space;
    let wide = (equal(first, 0xe2) & at_least(second, 0xba))
        | (at_least(first, 0xe3) & at_most(first, 0xe9))
        | (equal(first, 0xea) & at_least(second, 0xb0))
        | equal(first, 0xeb)
        | equal(first, 0xec)
        | (equal(first, 0xed) & at_most(second, 0x9d))
        | (equal(first, 0xed) & equal(second, 0x9e) & at_most(third, 0xaf))
        | (equal(first, 0xef) & at_least(second, 0xa4) & at_most(second, 0xab))
        | (equal(first, 0xf0) & at_least(second, 0xa0));
    let weights = u8x16::splat(1) | (wide & u8x16::splat(3));
    (weights & !none).reduce_add()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_depend_on_scripts() {
        let of = |character| match character {
            ' ' | '\n' | '\t' | '\u{3000}' => 0,
            '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' => 3,
            '\u{20000}'..='\u{3ffff}' => 3,
            _ => 1,
        };
        for character in '\0'..=char::MAX {
            let text = format!("{character}{character} é");
            assert_eq!(weight(&text), 2 * of(character) + 1, "{character:?}");
        }
    }

    #[test]
    fn characters_count_wherever_they_are() {
        for character in ['a', ' ', 'é', '日', '\u{3000}'] {
            let one = weight(&character.to_string());
            for length in 0..100 {
                let text: String = std::iter::repeat_n(character, length).collect();
                assert_eq!(weight(&text), one * length as u32);
                assert_eq!(weight(&format!("{text}a日")), one * length as u32 + 4);
            }
        }
    }
}
