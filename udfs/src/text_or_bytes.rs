//! Arguments of SQL functions that are bytes, or text that is decoded already.

use std::borrow::Cow;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BinaryViewArray, StringViewArray};

use corpus_charset::{Charset, Detected, decode, decode_page, decode_text, detect};

/// The values of an argument of type [`TEXT_OR_BYTES`](crate::arguments::TEXT_OR_BYTES).
#[derive(Clone, Copy)]
pub enum TextOrBytes<'a> {
    Bytes(&'a [u8]),
    Text(&'a str),
}

impl<'a> TextOrBytes<'a> {
    /// Decodes the text and returns its charset: detected for bytes, UTF-8 for text, whatever is
    /// declared.
    pub fn decode_page(self, declared: Option<&str>) -> (Cow<'a, str>, Detected) {
        match self {
            Self::Bytes(bytes) => decode_page(bytes, declared, None),
            Self::Text(text) => {
                let text = text.strip_prefix('\u{feff}').unwrap_or(text);
                (Cow::Borrowed(text), Detected::TEXT)
            }
        }
    }

    /// The text of [`Self::decode_page`], which takes less time than with the charset.
    pub fn decode_text(self, declared: Option<&str>) -> Cow<'a, str> {
        match self {
            Self::Bytes(bytes) => decode_text(bytes, declared, None),
            Self::Text(_) => self.decode_page(declared).0,
        }
    }

    pub fn detect(self, declared: Option<&str>, tld: Option<&str>) -> Detected {
        match self {
            Self::Bytes(bytes) => detect(bytes, declared, tld),
            Self::Text(_) => Detected::TEXT,
        }
    }

    /// Decodes bytes in a charset; text is returned unchanged.
    pub fn decode(self, charset: Charset) -> Cow<'a, str> {
        match self {
            Self::Bytes(bytes) => decode(bytes, charset),
            Self::Text(text) => Cow::Borrowed(text),
        }
    }
}

/// The values of an argument; `None` for NULL.
pub fn texts_or_bytes(array: &ArrayRef) -> impl Iterator<Item = Option<TextOrBytes<'_>>> {
    let texts: Option<&StringViewArray> = array.as_string_view_opt();
    let bytes: Option<&BinaryViewArray> = array.as_binary_view_opt();
    let value = move |row| {
        let text = texts.map(|texts| TextOrBytes::Text(texts.value(row)));
        text.or_else(|| Some(TextOrBytes::Bytes(bytes?.value(row))))
    };
    (0..array.len()).map(move |row| value(row).filter(|_| array.is_valid(row)))
}

/// The size of all values of an argument.
pub fn total_bytes(array: &ArrayRef) -> usize {
    let sizes = texts_or_bytes(array).map(|value| match value {
        Some(TextOrBytes::Bytes(bytes)) => bytes.len(),
        Some(TextOrBytes::Text(text)) => text.len(),
        None => 0,
    });
    sizes.sum()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use corpus_charset::Source;

    #[test]
    fn text_is_not_detected_again() {
        let texts = [
            "\u{feff}<meta charset=big5>\u{c3}\u{a9}",
            "a\0b\0",
            "\x1b$B",
        ];
        let array: ArrayRef = Arc::new(StringViewArray::from_iter_values(texts));
        for (document, text) in texts_or_bytes(&array).zip(texts) {
            let (decoded, detected) = document.unwrap().decode_page(Some("iso-8859-1"));
            assert_eq!(decoded, text.trim_start_matches('\u{feff}'));
            assert_eq!(detected.source, Source::Text);
        }
    }

    #[test]
    fn bytes_and_nulls() {
        let values = [Some(b"\xe9".as_slice()), None];
        let array: ArrayRef = Arc::new(BinaryViewArray::from_iter(values));
        let decoded =
            |document: TextOrBytes<'_>| document.decode_page(Some("iso-8859-1")).0.into_owned();
        let texts: Vec<_> = texts_or_bytes(&array)
            .map(|document| document.map(decoded))
            .collect();
        assert_eq!(texts, [Some("é".to_owned()), None]);
        let texts: ArrayRef = Arc::new(StringViewArray::from_iter([Some("é"), None]));
        assert_eq!(texts_or_bytes(&texts).filter(Option::is_none).count(), 1);
    }
}
