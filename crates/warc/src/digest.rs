//! Digests in the form of WARC headers: `sha1:` and base32, and other forms found in practice.

use data_encoding::{
    BASE32, BASE32_NOPAD_NOCASE, BASE64_NOPAD, BASE64URL_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE,
};
use md5::Md5;
use sha1::{Digest, Sha1};
use sha2::{Sha256, Sha384, Sha512};

use corpus_http::{MAX_HEAD_BYTES, Repairs, parse_head};

/// A hash algorithm that WARC files use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Algorithm {
    Md5,
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

const ALGORITHMS: [Algorithm; 5] = [
    Algorithm::Md5,
    Algorithm::Sha1,
    Algorithm::Sha256,
    Algorithm::Sha384,
    Algorithm::Sha512,
];

impl Algorithm {
    /// Parses a name, in any case, with or without hyphens.
    pub fn parse(name: &str) -> Option<Self> {
        let is_letter = |c: &char| !matches!(c, '-' | '_');
        let name: String = name.trim().chars().take(16).filter(is_letter).collect();
        ALGORITHMS
            .into_iter()
            .find(|algorithm| algorithm.name().eq_ignore_ascii_case(&name))
    }

    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Md5 => "md5",
            Algorithm::Sha1 => "sha1",
            Algorithm::Sha256 => "sha256",
            Algorithm::Sha384 => "sha384",
            Algorithm::Sha512 => "sha512",
        }
    }

    /// The length of a digest in bytes.
    fn size(self) -> usize {
        match self {
            Algorithm::Md5 => 16,
            Algorithm::Sha1 => 20,
            Algorithm::Sha256 => 32,
            Algorithm::Sha384 => 48,
            Algorithm::Sha512 => 64,
        }
    }

    fn digest(self, data: &[u8]) -> Vec<u8> {
        match self {
            Algorithm::Md5 => Md5::digest(data).to_vec(),
            Algorithm::Sha1 => Sha1::digest(data).to_vec(),
            Algorithm::Sha256 => Sha256::digest(data).to_vec(),
            Algorithm::Sha384 => Sha384::digest(data).to_vec(),
            Algorithm::Sha512 => Sha512::digest(data).to_vec(),
        }
    }
}

/// A digest declared by a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredDigest {
    pub algorithm: Algorithm,
    pub bytes: Vec<u8>,
}

/// Parses `algorithm:value`. CDX files omit the algorithm: 32 characters of base32 are SHA-1.
pub fn parse(declared: &str) -> Option<DeclaredDigest> {
    let declared = declared.trim();
    let (algorithm, value) = match declared.split_once([':', '=']) {
        Some((name, value)) if Algorithm::parse(name).is_some() => {
            (Algorithm::parse(name)?, value.trim())
        }
        _ if is_bare_sha1(declared) => (Algorithm::Sha1, declared),
        _ => return None,
    };
    let bytes = decode(value, algorithm.size())?;
    Some(DeclaredDigest { algorithm, bytes })
}

/// MD5 in hexadecimal also has 32 characters, but only hexadecimal ones.
fn is_bare_sha1(text: &str) -> bool {
    let is_base32 = |b: u8| b.is_ascii_uppercase() || matches!(b, b'2'..=b'7');
    text.len() == 32 && text.bytes().all(is_base32) && !text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Decodes a digest of a given size. Its length determines the encoding, except that padded base32
/// of MD5 is as long as hexadecimal; the padding distinguishes them.
fn decode(value: &str, size: usize) -> Option<Vec<u8>> {
    let value = value.trim_matches('"').trim_end_matches('=');
    let text = value.as_bytes();
    if text.len() == size * 2 {
        HEXLOWER_PERMISSIVE.decode(text).ok()
    } else if text.len() == (size * 8).div_ceil(5) {
        BASE32_NOPAD_NOCASE.decode(text).ok()
    } else if text.len() == (size * 8).div_ceil(6) {
        BASE64_NOPAD
            .decode(text)
            .or_else(|_| BASE64URL_NOPAD.decode(text))
            .ok()
    } else {
        None
    }
}

/// Returns whether the data have the declared digest; `None` if the algorithm is unknown or the
/// value malformed.
///
/// ```
/// let digest = "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N";
/// assert_eq!(corpus_warc::digest::verify(digest, b"hello"), Some(true));
/// assert_eq!(corpus_warc::digest::verify(digest, b"other"), Some(false));
/// assert_eq!(corpus_warc::digest::verify("crc32:00000000", b"hello"), None);
/// ```
pub fn verify(declared: &str, data: &[u8]) -> Option<bool> {
    let declared = parse(declared)?;
    Some(declared.algorithm.digest(data) == declared.bytes)
}

/// Returns the digest of the data in the algorithm and the encoding of another digest, or `None`
/// if its algorithm is unknown. An unknown encoding becomes base32.
pub fn recompute(declared: &str, data: &[u8]) -> Option<String> {
    let declared = declared.trim();
    let (algorithm, value) = match declared.split_once([':', '=']) {
        Some((name, value)) => (Algorithm::parse(name)?, value.trim()),
        None if is_bare_sha1(declared) => (Algorithm::Sha1, declared),
        None => return None,
    };
    if value.len() == algorithm.size() * 2 && HEXLOWER_PERMISSIVE.decode(value.as_bytes()).is_ok() {
        let value = HEXLOWER.encode(&algorithm.digest(data));
        return Some(format!("{}:{value}", algorithm.name()));
    }
    Some(compute(algorithm, data))
}

/// Returns the digest in the form that WARC writers use and `warcio check` accepts: base32 in upper
/// case.
pub fn compute(algorithm: Algorithm, data: &[u8]) -> String {
    let value = BASE32.encode(&algorithm.digest(data));
    format!("{}:{value}", algorithm.name())
}

/// Returns the bytes that `WARC-Payload-Digest` covers in a request or response of HTTP: everything
/// after the blank line, neither de-chunked nor decompressed. An HTTP header without a blank line
/// ends where `corpus_http::parse_head` ends it; a block without an HTTP header is all payload.
pub fn payload(record_block: &[u8]) -> &[u8] {
    http_payload(record_block).unwrap_or(record_block)
}

/// Like [`payload`]; `None` for a block without an HTTP header.
pub fn http_payload(record_block: &[u8]) -> Option<&[u8]> {
    let head = parse_head(record_block);
    if head.repairs.contains(Repairs::NO_HEAD) {
        return None;
    }
    Some(&record_block[blank_line_end(record_block).unwrap_or(head.length)..])
}

/// Tools that write digests end the HTTP header at the first blank line, whatever is before it
/// (such as an interim response or markup).
fn blank_line_end(block: &[u8]) -> Option<usize> {
    let window = &block[..block.len().min(MAX_HEAD_BYTES)];
    memchr::memchr_iter(b'\n', window).find_map(|end| match window[end + 1..] {
        [b'\n', ..] => Some(end + 2),
        [b'\r', b'\n', ..] => Some(end + 3),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELLO: &[u8] = b"hello";

    #[test]
    fn forms_in_the_wild() {
        for declared in [
            "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
            "SHA1:vl2mmho4yxukfwv63yhtwsbm3gxksq2n",
            "sha-1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
            "sha1:AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D",
            "sha1: qvTGHdzF6KLavt4PO0gs2a6pQ00=",
            "sha1:qvTGHdzF6KLavt4PO0gs2a6pQ00",
            "VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
            "md5:5d41402abc4b2a76b9719d911017c592",
            "md5:LVAUAKV4JMVHNOLRTWIRAF6FSI======",
            "md5:LVAUAKV4JMVHNOLRTWIRAF6FSI",
            "md5:XUFAKrxLKna5cZ2REBfFkg==",
            "sha-256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
            "sha256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA====",
            "sha256:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
            "sha256:LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ",
        ] {
            assert_eq!(verify(declared, HELLO), Some(true), "{declared}");
            assert_eq!(verify(declared, b"other"), Some(false), "{declared}");
        }
        for declared in [
            "",
            "sha1:",
            "crc32:00000000",
            "sha1:xyz",
            "sha1:????????????????????????????????",
            ":",
            "-",
        ] {
            assert_eq!(verify(declared, HELLO), None, "{declared}");
        }
    }

    #[test]
    fn digests_are_recomputed_in_their_form() {
        for (declared, correct) in [
            (
                "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                Some("sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"),
            ),
            (
                "SHA-1: 0000000000000000000000000000000000000000",
                Some("sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"),
            ),
            (
                "sha1:damaged",
                Some("sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"),
            ),
            ("crc32:00000000", None),
            ("", None),
        ] {
            assert_eq!(recompute(declared, HELLO).as_deref(), correct, "{declared}");
        }
    }

    #[test]
    fn the_form_of_writers() {
        assert_eq!(
            compute(Algorithm::Sha1, HELLO),
            "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"
        );
        assert_eq!(
            compute(Algorithm::Sha256, HELLO),
            "sha256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA===="
        );
        for algorithm in ALGORITHMS {
            assert_eq!(verify(&compute(algorithm, HELLO), HELLO), Some(true));
            assert_eq!(Algorithm::parse(algorithm.name()), Some(algorithm));
        }
    }

    #[test]
    fn payloads() {
        assert_eq!(
            payload(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n5\r\nhello"),
            b"5\r\nhello"
        );
        assert_eq!(payload(b"HTTP/1.1 200 OK\nA: b\n\nx"), b"x");
        assert_eq!(payload(b"HTTP/1.1 200 OK\r\n\r\n"), b"");
        assert_eq!(payload(b"HTTP/1.1 200 OK\r\n<p>"), b"<p>");
        assert_eq!(
            payload(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"),
            b"HTTP/1.1 200 OK\r\n\r\n"
        );
        assert_eq!(payload(b"a: b\n\nno head"), b"a: b\n\nno head");
        assert_eq!(payload(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"), b"");
        assert_eq!(payload(b""), b"");
    }
}
