//! Detects compressions by their magic bytes, never by file names, and decompresses streams.

#[cfg(feature = "codecs")]
mod decoder;

/// The number of bytes at the start of a file or member that [`Compression::detect`] needs.
pub const MAGIC_LENGTH: usize = 16;
/// Log2 of the largest zstd window that is accepted: 128 MiB, zstd's own default for decoders.
pub const MAX_ZSTD_WINDOW_LOG: u32 = 27;
/// The same for HTTP bodies: 32 MiB. The limit of the web itself is 8 MiB (RFC 9659).
pub const MAX_HTTP_ZSTD_WINDOW_LOG: u32 = 25;

/// A compressed format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Lz4,
}

impl Compression {
    /// Returns the compression of data that starts with `head`; `None` for other data.
    pub fn detect(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, 0x08, ..] => Some(Self::Gzip),
            _ if is_zstd_magic(head) => Some(Self::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
                if rest.starts_with(b"1AY&SY") || rest.starts_with(b"\x17\x72\x45\x38\x50\x90") =>
            {
                Some(Self::Bzip2)
            }
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [0x04, 0x22, 0x4d, 0x18, ..] => Some(Self::Lz4),
            _ => None,
        }
    }

    /// Returns the usual name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Lz4 => "lz4",
        }
    }
}

/// Whether the data starts with a zstd frame, skippable frames included.
#[inline]
pub fn is_zstd_magic(head: &[u8]) -> bool {
    matches!(
        head,
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]
    )
}

/// The extensions of compressed files.
pub const EXTENSIONS: [&str; 6] = ["bz2", "gz", "lz4", "xz", "zst", "zstd"];

/// Returns a file name without the extension of a compression: `x.html` for `x.html.gz`.
pub fn strip_compression_extension(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, extension))
            if EXTENSIONS
                .iter()
                .any(|it| extension.eq_ignore_ascii_case(it)) =>
        {
            stem
        }
        _ => name,
    }
}

/// Whether a file name has one of the extensions, also before that of a compression.
pub fn has_extension(name: &str, extensions: &[&str]) -> bool {
    let name = name.to_ascii_lowercase();
    let bare = strip_compression_extension(&name);
    [name.as_str(), bare].iter().any(|name| {
        extensions.iter().any(|extension| {
            name.strip_suffix(extension)
                .is_some_and(|rest| rest.ends_with('.'))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_no_compression() {
        for head in [&b""[..], b"BZh9 is a word", b"%PDF-1.7", b"\x1f\x8b"] {
            assert_eq!(Compression::detect(head), None);
        }
    }

    #[test]
    fn extensions_see_through_compression() {
        assert!(has_extension("a/x.PDF", &["pdf"]));
        assert!(has_extension("x.jsonl.ZSTD", &["jsonl"]));
        assert!(has_extension("x.html.gz", &["html"]));
        assert!(has_extension("x.tar.gz", &["tar.gz"]));
        assert!(!has_extension("pdf", &["pdf"]));
        assert!(!has_extension("x.pdf.txt", &["pdf"]));
    }
}
