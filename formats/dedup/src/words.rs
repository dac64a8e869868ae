//! The words of a text, much faster than [`str::split_whitespace`] finds them.

/// Returns the same words as [`str::split_whitespace`].
pub(crate) fn words(text: &str) -> Words<'_> {
    Words { text, at: 0 }
}

#[derive(Debug)]
pub(crate) struct Words<'a> {
    text: &'a str,
    at: usize,
}

/// What a byte means to the search for white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    /// The first byte of characters of which some are white space.
    Unclear,
}

/// The classes of all bytes.
static CLASSES: [Class; 256] = {
    let mut classes = [Class::Word; 256];
    let mut byte = 0;
    while byte < 128 {
        // Unlike `is_ascii_whitespace`, `is_whitespace` includes the vertical tab.
        if (byte as u8 as char).is_whitespace() {
            classes[byte] = Class::Space;
        }
        byte += 1;
    }
    // U+0085 and U+00A0; U+1680; U+2000 to U+205F; U+3000.
    classes[0xc2] = Class::Unclear;
    classes[0xe1] = Class::Unclear;
    classes[0xe2] = Class::Unclear;
    classes[0xe3] = Class::Unclear;
    classes
};

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    #[inline]
    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        while let Some(length) = space(self.text, at) {
            at += length;
        }
        let start = at;
        loop {
            while let Some(&byte) = bytes.get(at)
                && CLASSES[byte as usize] == Class::Word
            {
                at += 1;
            }
            if at == bytes.len() || space(self.text, at).is_some() {
                break;
            }
            // A character of two or three bytes. The rest of it counts as part of a word.
            at += 1;
        }
        self.at = at;
        (at > start).then(|| &self.text[start..at])
    }
}

/// The number of bytes of the white space at a place. `None` if there is another character or none.
#[inline]
fn space(text: &str, at: usize) -> Option<usize> {
    match CLASSES[*text.as_bytes().get(at)? as usize] {
        Class::Word => None,
        Class::Space => Some(1),
        Class::Unclear => {
            let next = text.get(at..)?.chars().next()?;
            next.is_whitespace().then(|| next.len_utf8())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All characters, so that no white space is forgotten.
    #[test]
    fn words_are_those_of_the_standard_library() {
        let all: String = (0..=0x10_ffff).filter_map(char::from_u32).collect();
        let spread: String = all.chars().flat_map(|c| [c, 'a', c, c, '語']).collect();
        for text in [
            "",
            " ",
            "a",
            " a",
            "a ",
            "\u{3000}日本\u{a0}語é\u{2003}",
            &all,
            &spread,
        ] {
            assert!(words(text).eq(text.split_whitespace()));
        }
    }
}
