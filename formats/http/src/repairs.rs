//! The words for what had to be forgiven or undone in a response.

macro_rules! vocabulary {
    ($($(#[$doc:meta])* $constant:ident = $word:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($constant,)* }

        impl Repairs {
            $($(#[$doc])* pub const $constant: Repairs = Repairs(1 << Index::$constant as u32);)*

            /// All words, in the order in which they are told.
            pub const WORDS: &'static [&'static str] = &[$($word,)*];
        }
    };
}

/// A set of words, cheap to carry through the parser.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Repairs(u32);

vocabulary! {
    /// Blank lines stood before the status line.
    LEADING_BLANK_LINES = "leading_blank_lines",
    /// A 1xx answer, or a proxy's "Connection established", came first and was skipped.
    INTERIM_RESPONSE = "interim_response",
    /// The status line is not `HTTP/number`, three digits from 100 to 599, text.
    ODD_STATUS_LINE = "odd_status_line",
    /// The head begins with a header.
    NO_STATUS_LINE = "no_status_line",
    /// Nothing looks like a head: everything is body.
    NO_HEAD = "no_head",
    /// Lines that are no headers were skipped; `bad_lines` has their number.
    BAD_HEADER_LINE = "bad_header_line",
    /// Blanks between a header's name and its colon were dropped.
    SPACE_BEFORE_COLON = "space_before_colon",
    /// A value went on in the next line; joined by one blank.
    FOLDED_HEADER = "folded_header",
    /// A line of nothing but blanks was taken for the blank line, or skipped if headers follow.
    PADDED_BLANK_LINE = "padded_blank_line",
    /// Lines end in LF alone.
    LF_LINE_ENDS = "lf_line_ends",
    /// A CR without LF ended a line, or stands in a value.
    BARE_CR = "bare_cr",
    /// NUL or other control characters stand in the head (and are kept).
    CONTROL_CHARACTER = "control_character",
    /// A line of the head is not UTF-8 and was read as ISO-8859-1.
    NOT_UTF8 = "not_utf8",
    /// The head ended at a line that starts with `<`.
    ENDED_BY_MARKUP = "ended_by_markup",
    /// The record ended before the head did.
    NO_BLANK_LINE = "no_blank_line",
    /// `Content-Length` says more than there is.
    BODY_SHORTER_THAN_STATED = "body_shorter_than_stated",
    /// `Content-Length` says less than there is; everything was kept.
    BODY_LONGER_THAN_STATED = "body_longer_than_stated",
    /// Chunks were joined.
    CHUNKED = "chunked",
    /// `Transfer-Encoding: chunked` is stated, but the body has no chunks.
    NOT_CHUNKED = "not_chunked",
    /// All chunks are whole, but the empty one that ends them is missing.
    NO_LAST_CHUNK = "no_last_chunk",
    /// Header lines behind the last chunk were dropped.
    CHUNK_TRAILER = "chunk_trailer",
    /// Bytes behind the last chunk were dropped.
    BYTES_AFTER_LAST_CHUNK = "bytes_after_last_chunk",
    /// gzip was undone.
    GZIP = "gzip",
    /// zlib's deflate was undone.
    DEFLATE = "deflate",
    /// deflate without zlib's frame was undone.
    RAW_DEFLATE = "raw_deflate",
    /// Brotli was undone.
    BR = "br",
    /// Zstandard was undone.
    ZSTD = "zstd",
    /// A coding other than the stated one was found and undone.
    OTHER_CODING = "other_coding",
    /// A coding is stated, but the body is not coded so; left as it is.
    NOT_ENCODED = "not_encoded",
    /// An unknown coding is stated and was ignored.
    UNKNOWN_CODING = "unknown_coding",
    /// Bytes behind the end of the compressed stream were dropped.
    BYTES_AFTER_STREAM = "bytes_after_stream",
    /// A page was compressed without a header that says so, or once more than declared.
    UNDECLARED_CODING = "undeclared_coding",
}

impl Repairs {
    pub fn add(&mut self, other: Repairs) {
        self.0 |= other.0;
    }

    pub fn contains(self, other: Repairs) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn words(self) -> Vec<&'static str> {
        let is_set = |index: &usize| self.0 >> index & 1 == 1;
        // Most responses need none, and then this allocates nothing.
        (0..Self::WORDS.len())
            .filter(is_set)
            .map(|index| Self::WORDS[index])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_in_order_and_fit() {
        assert!(Repairs::WORDS.len() <= 32);
        let mut repairs = Repairs::default();
        assert!(repairs.is_empty() && repairs.words().is_empty());
        repairs.add(Repairs::BYTES_AFTER_STREAM);
        repairs.add(Repairs::LEADING_BLANK_LINES);
        assert_eq!(
            repairs.words(),
            ["leading_blank_lines", "bytes_after_stream"]
        );
        assert!(repairs.contains(Repairs::BYTES_AFTER_STREAM));
        assert!(!repairs.contains(Repairs::GZIP));
    }
}
