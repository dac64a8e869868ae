use super::{clean, key_with_host};
use crate::surt;

/// All keys equal those of `surt` 0.3.1, except for backslashes in the authority and for hosts that
/// browsers normalize.
#[test]
fn keys_of_python_surt() {
    let pairs = include_str!("../../tests/data/surt_pairs.tsv");
    let mut count = 0;
    for line in pairs.lines() {
        let (url, key) = line.split_once('\t').unwrap();
        let unescaped = |text: &str| {
            let text = text
                .replace("\\n", "\n")
                .replace("\\t", "\t")
                .replace("\\r", "\r");
            text.replace("\\\\", "\\")
        };
        let url = unescaped(url);
        if has_backslash_in_web_authority(&url) {
            continue;
        }
        let key = unescaped(key);
        if has_plain_host(&url) {
            assert_eq!(surt(&url), key, "{url}");
            count += 1;
        }
        if !["", "-"].contains(&url.as_str()) && !url.starts_with("filedesc") {
            let of_python = key_with_host(&clean(url.as_bytes()), None);
            let of_python = of_python.unwrap_or_else(|| url.clone().into_bytes());
            assert_eq!(String::from_utf8_lossy(&of_python), key, "{url}");
        }
    }
    assert!(count > 80, "{count}");
}

/// Whether a host consists of ASCII letters, digits and hyphens, so that it has one spelling only.
fn has_plain_host(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once("://") else {
        return false;
    };
    let is_scheme = scheme.chars().all(|c| c.is_ascii_alphabetic());
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.split(':').next().unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    is_scheme
        && !authority.contains('@')
        && host.chars().all(is_plain)
        && host.ends_with(|c: char| c.is_ascii_alphabetic())
}

fn has_backslash_in_web_authority(url: &str) -> bool {
    let is_scheme = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && !text.contains(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c))
    };
    let rest = match url.split_once(':') {
        Some(("http" | "https" | "HTTP", rest)) => rest.strip_prefix("//").unwrap_or(rest),
        Some((scheme, _)) if is_scheme(scheme) => return false,
        // It gets the scheme `http`.
        _ => url,
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    rest[..end].contains('\\')
}

#[test]
fn backslashes_end_the_authority_as_in_browsers() {
    for (url, key) in [
        (
            r"http://example.com\@evil.example",
            "com,example)/@evil.example",
        ),
        (
            r"https://www.example.com:8080\a\b?c\d",
            r"com,example:8080)/a\b?c\d",
        ),
        (r"http://user@example.com\", "com,example)/"),
        (
            r"http://example.com/\@evil.example",
            r"com,example)/\@evil.example",
        ),
        (r"other://example.com\@evil.example", "example,evil)/"),
    ] {
        assert_eq!(surt(url), key, "{url}");
    }
}

/// Similar to edge cases in the WHATWG's tests.
#[test]
fn hosts_are_those_that_browsers_request() {
    for (url, key) in [
        ("http://0x7f.1/", "1,0,0,127)/"),
        ("http://0300.168.257/a", "1,1,168,192)/a"),
        ("http://4294967295", "255,255,255,255)/"),
        ("http://\u{ff10}\u{ff38}7f.1", "1,0,0,127)/"),
        ("http://fa\u{df}.de/", "de,xn--fa-hia)/"),
        ("http://\u{3c2}.gr/", "gr,xn--3xa)/"),
        ("http://ex%41mple.com/", "com,example)/"),
        ("http://%e6%97%a5%e6%9c%ac.jp/", "jp,xn--wgv71a)/"),
        ("http://a\u{ad}b.com/", "com,ab)/"),
        ("http://ex\tam\nple.com:80/", "com,example)/"),
        ("http://user:a@b@example.com:8080/", "com,example:8080)/"),
        ("http:\\\\example.com\\a", "com,example)/a"),
        ("https:example.com:81/a", "com,example:81)/a"),
        ("http:/\\/example.com/a", "com,example)/a"),
        ("http://[::FFFF:1.2.3.4]:81/", "::ffff:102:304:81)/"),
        ("http://example.com./", "com,example)/"),
        ("example.com/a", "com,example)/a"),
        // Browsers reject these hosts, so they have the same keys as in Python.
        ("http://256.256.256.256/", "256,256,256,256)/"),
        ("http://a b.com/", "com,a%20b)/"),
        ("http://xn--a/", "xn--a)/"),
    ] {
        assert_eq!(surt(url), key, "{url}");
    }
}

#[test]
fn what_is_no_url_is_its_own_key() {
    assert_eq!(surt(""), "-");
    for url in ["filedesc:foo.arc.gz", " ", "http://a:b/", "http://a:70000/"] {
        assert_eq!(surt(url), url);
    }
}
