//! Decodes content codings: gzip, deflate with or without zlib framing, Brotli and Zstandard. The
//! output is bounded, and no size found in the data determines an allocation.

use super::decompress;
use super::repairs::Repairs;
use corpus_bytes::compression::is_zstd_magic;
use corpus_bytes::gzip::is_magic;
use corpus_bytes::inflate::{self, End, Output};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coding {
    Gzip,
    Deflate,
    RawDeflate,
    Brotli,
    Zstd,
}

/// Registered codings that are not decoded: they are rare, or need another file.
const UNSUPPORTED: [&str; 6] = ["aes128gcm", "compress", "dcb", "dcz", "exi", "pack200-gzip"];

/// The meaning of a declared coding name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CodingName {
    Coding(Coding),
    Nothing,
    /// A registered coding that is not decoded.
    Unsupported,
    Unknown,
}

impl CodingName {
    pub fn parse(name: &str) -> Self {
        let name = name.split(';').next().unwrap_or_default();
        let name = name.trim().trim_matches(['"', '\'']);
        let known = [
            ("gzip", Coding::Gzip),
            ("x-gzip", Coding::Gzip),
            ("deflate", Coding::Deflate),
            ("x-deflate", Coding::Deflate),
            ("br", Coding::Brotli),
            ("brotli", Coding::Brotli),
            ("zstd", Coding::Zstd),
            ("x-zstd", Coding::Zstd),
        ];
        let nothing = ["", "identity", "none", "chunked"];
        if nothing.iter().any(|word| word.eq_ignore_ascii_case(name)) {
            return CodingName::Nothing;
        }
        if UNSUPPORTED
            .iter()
            .any(|word| word.eq_ignore_ascii_case(name))
        {
            return CodingName::Unsupported;
        }
        known
            .iter()
            .find(|(word, _)| word.eq_ignore_ascii_case(name))
            .map_or(CodingName::Unknown, |(_, coding)| {
                CodingName::Coding(*coding)
            })
    }
}

impl Coding {
    fn repair(self) -> Repairs {
        match self {
            Coding::Gzip => Repairs::GZIP,
            Coding::Deflate => Repairs::DEFLATE,
            Coding::RawDeflate => Repairs::RAW_DEFLATE,
            Coding::Brotli => Repairs::BR,
            Coding::Zstd => Repairs::ZSTD,
        }
    }

    fn has_magic(self) -> bool {
        matches!(self, Coding::Gzip | Coding::Zstd)
    }

    fn undo(self, data: &[u8], limit: usize) -> Output {
        match self {
            Coding::Gzip => inflate::gzip(data, limit),
            Coding::Deflate => inflate::deflate(data, limit, true),
            Coding::RawDeflate => inflate::deflate(data, limit, false),
            Coding::Brotli => decompress::brotli(data, limit),
            Coding::Zstd => decompress::zstd(data, limit),
        }
    }
}

pub enum Decoded {
    Body {
        bytes: Vec<u8>,
        end: End,
        repairs: Repairs,
    },
    /// The data do not have this coding, or are so damaged that nothing could be decoded.
    Not(Option<&'static str>),
}

/// Decodes one coding. Magic bytes in the data take precedence over the declared name.
pub fn decode(declared: Coding, data: &[u8], limit: usize) -> Decoded {
    let found = sniff(data);
    if found.is_none() && (declared.has_magic() || looks_like_text(data)) {
        return Decoded::Not(None);
    }
    let candidates: &[Coding] = match (found, declared) {
        (Some(found), declared) if found == declared => &[found],
        (Some(found), Coding::Deflate) => &[found, Coding::Deflate, Coding::RawDeflate],
        (Some(found), declared) => &[found, declared],
        (None, Coding::Deflate) if has_zlib_header(data) => &[Coding::Deflate, Coding::RawDeflate],
        (None, Coding::Deflate) => &[Coding::RawDeflate],
        (None, declared) => &[declared],
    };
    let mut complaint = None;
    for coding in candidates {
        let output = coding.undo(data, limit);
        if is_credible(*coding, &output, data) {
            return accept(declared, *coding, output);
        }
        complaint.get_or_insert(match output.end {
            End::Invalid(detail) => detail,
            _ => "too little compressed data",
        });
    }
    Decoded::Not(complaint)
}

fn accept(declared: Coding, coding: Coding, output: Output) -> Decoded {
    let mut repairs = coding.repair();
    if coding != declared && (declared, coding) != (Coding::Deflate, Coding::RawDeflate) {
        repairs.add(Repairs::OTHER_CODING);
    }
    if output.has_rest {
        repairs.add(Repairs::BYTES_AFTER_STREAM);
    }
    Decoded::Body {
        bytes: output.bytes,
        end: output.end,
        repairs,
    }
}

/// Codings without magic bytes decode almost any input. Unless the stream ends exactly at the end
/// of the data, the output is credible only if it is longer than the input.
fn is_credible(coding: Coding, output: &Output, data: &[u8]) -> bool {
    match output.end {
        End::Limit => true,
        End::Complete if !output.has_rest => true,
        _ if !coding.has_magic() => output.bytes.len() > data.len(),
        End::Invalid(_) => !output.bytes.is_empty(),
        End::Complete | End::Truncated | End::Checksum => true,
    }
}

/// The coding whose magic bytes start the data.
pub fn sniff(data: &[u8]) -> Option<Coding> {
    match data {
        _ if is_magic(data) => Some(Coding::Gzip),
        // Too short for the check above.
        [0x1f, 0x8b] | [0x1f, 0x8b, 8] => Some(Coding::Gzip),
        _ if is_zstd_magic(data) => Some(Coding::Zstd),
        _ => None,
    }
}

fn has_zlib_header(data: &[u8]) -> bool {
    matches!(data, [method, flags, ..] if method & 0x0f == 8 && method >> 4 <= 7
        && (u16::from(*method) << 8 | u16::from(*flags)) % 31 == 0)
}

/// Whether the data have no control characters near the start; compressed data have some.
fn looks_like_text(data: &[u8]) -> bool {
    const SAMPLE_BYTES: usize = 256;
    /// Shorter data are text only if they start with a tag.
    const MIN_TEXT_BYTES: usize = 64;
    let sample = &data[..data.len().min(SAMPLE_BYTES)];
    let is_textual = |b: &u8| *b >= 0x20 && *b != 0x7f || matches!(*b, b'\t'..=b'\r' | 0x1b);
    let is_markup = matches!(
        sample.trim_ascii_start(),
        [b'<', b'!' | b'?' | b'/' | b'a'..=b'z' | b'A'..=b'Z', ..]
    );
    (is_markup || sample.len() >= MIN_TEXT_BYTES) && sample.iter().all(is_textual)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{brotli_hello, gzip, raw_deflate, zlib, zstd};

    const PAGE: &[u8] = b"<html><body>hello hello hello hello hello hello</body></html>";

    fn body(declared: Coding, data: &[u8]) -> (Vec<u8>, End, Vec<&'static str>) {
        match decode(declared, data, 1 << 20) {
            Decoded::Body {
                bytes,
                end,
                repairs,
            } => (bytes, end, repairs.words()),
            Decoded::Not(complaint) => panic!("{complaint:?}"),
        }
    }

    #[test]
    fn names() {
        assert_eq!(
            CodingName::parse(" X-GZip "),
            CodingName::Coding(Coding::Gzip)
        );
        assert_eq!(
            CodingName::parse("\"br\";q=1"),
            CodingName::Coding(Coding::Brotli)
        );
        assert_eq!(CodingName::parse("Identity"), CodingName::Nothing);
        assert_eq!(CodingName::parse("utf-8"), CodingName::Unknown);
    }

    #[test]
    fn declared_codings_are_decoded() {
        let page = PAGE.to_vec();
        for (declared, data, word) in [
            (Coding::Gzip, gzip(PAGE), "gzip"),
            (Coding::Deflate, zlib(PAGE), "deflate"),
            (Coding::Deflate, raw_deflate(PAGE), "raw_deflate"),
            (Coding::Zstd, zstd(PAGE), "zstd"),
        ] {
            assert_eq!(
                body(declared, &data),
                (page.clone(), End::Complete, vec![word])
            );
        }
        let (bytes, end, words) = body(Coding::Brotli, brotli_hello());
        assert_eq!(
            (&bytes[..], end, words),
            (&b"hello world\n"[..], End::Complete, vec!["br"])
        );
    }

    #[test]
    fn magic_bytes_win() {
        let page = PAGE.to_vec();
        let words = vec!["gzip", "other_coding"];
        for declared in [Coding::Deflate, Coding::Brotli, Coding::Zstd] {
            assert_eq!(
                body(declared, &gzip(PAGE)),
                (page.clone(), End::Complete, words.clone())
            );
        }
    }

    #[test]
    fn a_wrong_coding_name_is_detected() {
        for declared in [Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd] {
            for data in [
                PAGE,
                b"<p>x</p>",
                b"plain text that is long enough for anybody to see that it is no binary stuff",
                "\u{65e5}\u{672c}\u{8a9e}".repeat(20).as_bytes(),
                b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06",
                b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xdb\0C\0",
                b"GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0!\xf9\x04",
            ] {
                assert!(
                    matches!(decode(declared, data, 1 << 20), Decoded::Not(_)),
                    "{declared:?} {data:?}"
                );
            }
        }
    }

    #[test]
    fn cut_streams_are_decoded_up_to_the_cut() {
        let page: Vec<u8> = (0..20_000u32)
            .flat_map(|n| n.to_string().into_bytes())
            .collect();
        for (declared, data) in [
            (Coding::Gzip, gzip(&page)),
            (Coding::Deflate, zlib(&page)),
            (Coding::Deflate, raw_deflate(&page)),
            (Coding::Zstd, zstd(&page)),
        ] {
            let (bytes, end, _) = body(declared, &data[..data.len() / 2]);
            assert_eq!(end, End::Truncated, "{declared:?}");
            assert!(
                page.starts_with(&bytes)
                    && (bytes.len() > page.len() / 5 || declared == Coding::Zstd)
            );
        }
    }

    #[test]
    fn damaged_streams_are_decoded_up_to_the_damage() {
        let page: Vec<u8> = (0..20_000u32)
            .flat_map(|n| n.to_string().into_bytes())
            .collect();
        let mut data = gzip(&page);
        let middle = data.len() / 2;
        data[middle..middle + 40].fill(0xff);
        let (bytes, end, _) = body(Coding::Gzip, &data);
        assert!(matches!(end, End::Invalid(_) | End::Checksum), "{end:?}");
        assert!(bytes.len() > page.len() / 5);
    }

    #[test]
    fn brotli_that_is_cut_damaged_or_coincidental() {
        let data = include_bytes!("../tests/data/numbers.br");
        let text: Vec<u8> = (0..3000u32)
            .flat_map(|n| n.to_string().into_bytes())
            .collect();
        assert_eq!(
            body(Coding::Brotli, data),
            (text.clone(), End::Complete, vec!["br"])
        );
        // This text compresses so little that an earlier cut would not be credible.
        let (bytes, end, _) = body(Coding::Brotli, &data[..data.len() - 100]);
        assert_eq!(end, End::Truncated);
        assert!(text.starts_with(&bytes) && bytes.len() > text.len() / 2);
        // A single byte can be a complete stream.
        assert!(matches!(
            decode(Coding::Brotli, b"\x06\x00\x01\x02 binary", 100),
            Decoded::Not(Some(_))
        ));
        assert!(matches!(
            decode(Coding::Deflate, b"\x03\x00\x01\x02 binary", 100),
            Decoded::Not(Some(_))
        ));
        let bomb = include_bytes!("../tests/data/zeros64m.br");
        let (bytes, end, _) = body(Coding::Brotli, bomb);
        assert_eq!((bytes.len(), end), (1 << 20, End::Limit));
    }
}
