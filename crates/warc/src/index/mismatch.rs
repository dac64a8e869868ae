//! Compares a record with its entry in an index.

use corpus_bytes::record_locations::Expected;

use super::url_filter::{comparable, has_appended};
use crate::digest;
use crate::surt;

/// Describes how a record differs from what an index expects; `None` if it does not.
///
/// URLs differ only if their keys also differ. Digests differ if both are valid, have the same
/// algorithm and are not equal. Properties that the record does not declare are not compared.
pub fn mismatch(
    expected: &Expected,
    url: Option<&str>,
    payload_digest: Option<&str>,
) -> Option<String> {
    if let (Some(expected), Some(url)) = (expected.url.as_deref(), url)
        && !is_same_url(expected, url)
    {
        return Some(format!("the index says {expected}, the record has {url}"));
    }
    if let (Some(expected), Some(declared)) = (expected.digest.as_deref(), payload_digest)
        && is_other_digest(expected, declared)
    {
        return Some(format!(
            "the index says that the digest is {expected}, the record has {declared}"
        ));
    }
    None
}

fn is_same_url(expected: &str, url: &str) -> bool {
    // Indexes append the body of a request to its URL.
    comparable(expected) == comparable(url)
        || has_appended(expected.as_bytes())
        || surt(expected) == surt(url)
}

fn is_other_digest(expected: &str, declared: &str) -> bool {
    match (digest::parse(expected), digest::parse(declared)) {
        (Some(expected), Some(declared)) => {
            expected.algorithm == declared.algorithm && expected.bytes != declared.bytes
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_url_or_digest_is_a_mismatch() {
        let a = "VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N";
        let b = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
        let sha1 = |digest: &str| format!("sha1:{digest}");
        let url = "http://a.org/x";
        for (expected, found, differs) in [
            ((Some(url), Some(a)), (Some(url), Some(sha1(a))), false),
            ((Some(url), Some(a)), (Some(url), Some(sha1(b))), true),
            ((None, Some(&*sha1(b))), (None, Some(a.to_owned())), true),
            ((None, Some("md5:x")), (None, Some(sha1(a))), false),
            ((None, Some("-")), (None, Some(sha1(a))), false),
            ((None, Some(a)), (Some(url), None), false),
            ((Some(url), None), (None, None), false),
            ((Some(url), None), (Some("http://a.org/y"), None), true),
            (
                (Some(url), None),
                (Some("https://www.a.org/x"), None),
                false,
            ),
            ((Some(url), None), (Some("<http://a.org/x>"), None), false),
            (
                (Some("http://a.org/x?__wb_method=POST&y=1"), None),
                (Some(url), None),
                false,
            ),
        ] {
            let expected = Expected {
                url: expected.0.map(Into::into),
                digest: expected.1.map(Into::into),
            };
            let text = mismatch(&expected, found.0, found.1.as_deref());
            assert_eq!(text.is_some(), differs, "{expected:?} {text:?}");
        }
    }
}
