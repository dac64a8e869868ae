//! Repairs: deviations from the standard that were tolerated, and codings that were decoded.

macro_rules! vocabulary {
    ($($(#[$doc:meta])* $constant:ident = $word:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($constant,)* }

        impl Repairs {
            $($(#[$doc])* pub const $constant: Repairs = Repairs(1 << Index::$constant as u32);)*

            /// All words, in the order of [`Repairs::words`].
            pub const WORDS: &'static [&'static str] = &[$($word,)*];
        }
    };
}

/// A set of repairs, cheap to copy.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Repairs(u32);

vocabulary! {
    /// Blank lines before the status line were skipped.
    LEADING_BLANK_LINES = "leading_blank_lines",
    /// A 1xx response or a proxy's "Connection established" came first and was skipped.
    INTERIM_RESPONSE = "interim_response",
    /// The status line is not `HTTP/number`, three digits from 100 to 599, and text.
    ODD_STATUS_LINE = "odd_status_line",
    /// The head starts with a header.
    NO_STATUS_LINE = "no_status_line",
    /// Nothing looks like a head: all bytes are the body.
    NO_HEAD = "no_head",
    /// Lines that are not headers were skipped; `bad_lines` counts them.
    BAD_HEADER_LINE = "bad_header_line",
    /// Spaces between a header's name and its colon were dropped.
    SPACE_BEFORE_COLON = "space_before_colon",
    /// A value that continues on the next line was joined with a space.
    FOLDED_HEADER = "folded_header",
    /// A line of spaces was treated as the blank line, or skipped because headers follow.
    PADDED_BLANK_LINE = "padded_blank_line",
    /// Lines end with LF alone.
    LF_LINE_ENDS = "lf_line_ends",
    /// A CR without LF ends a line, or is part of a value.
    BARE_CR = "bare_cr",
    /// The head contains NUL or other control characters, which were kept.
    CONTROL_CHARACTER = "control_character",
    /// A line of the head is not UTF-8 and was decoded as ISO-8859-1.
    NOT_UTF8 = "not_utf8",
    /// The head ended at a line that starts with `<`.
    ENDED_BY_MARKUP = "ended_by_markup",
    /// The record ended before the head did.
    NO_BLANK_LINE = "no_blank_line",
    /// The body is shorter than `Content-Length`.
    BODY_SHORTER_THAN_STATED = "body_shorter_than_stated",
    /// The body is longer than `Content-Length`; all of it was kept.
    BODY_LONGER_THAN_STATED = "body_longer_than_stated",
    /// Chunks were joined.
    CHUNKED = "chunked",
    /// `Transfer-Encoding: chunked` is declared, but the body has no chunks.
    NOT_CHUNKED = "not_chunked",
    /// All chunks are complete, but the empty last one is missing.
    NO_LAST_CHUNK = "no_last_chunk",
    /// Trailer headers after the last chunk were dropped.
    CHUNK_TRAILER = "chunk_trailer",
    /// Bytes after the last chunk were dropped.
    BYTES_AFTER_LAST_CHUNK = "bytes_after_last_chunk",
    /// gzip was decoded.
    GZIP = "gzip",
    /// deflate with zlib framing was decoded.
    DEFLATE = "deflate",
    /// deflate without zlib framing was decoded.
    RAW_DEFLATE = "raw_deflate",
    /// Brotli was decoded.
    BR = "br",
    /// Zstandard was decoded.
    ZSTD = "zstd",
    /// A coding other than the declared one was found and decoded.
    OTHER_CODING = "other_coding",
    /// A coding is declared, but the body does not have it and was left unchanged.
    NOT_ENCODED = "not_encoded",
    /// An unknown coding is declared and was ignored.
    UNKNOWN_CODING = "unknown_coding",
    /// Bytes after the end of the compressed stream were dropped.
    BYTES_AFTER_STREAM = "bytes_after_stream",
    /// A page is compressed although no header declares it, or once more than declared.
    UNDECLARED_CODING = "undeclared_coding",
}

impl Repairs {
    /// Adds all repairs of another set.
    pub fn add(&mut self, other: Repairs) {
        self.0 |= other.0;
    }

    /// Whether the set contains all repairs of another one.
    pub fn contains(self, other: Repairs) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether nothing was repaired.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The words of the set, in a fixed order.
    pub fn words(self) -> Vec<&'static str> {
        let is_set = |index: &usize| self.0 >> index & 1 == 1;
        // Does not allocate for the most common case, an empty set.
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
