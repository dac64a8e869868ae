use crate::surt;

/// All keys are those of `surt` 0.3.1, but for backslashes in the authority.
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
        if !has_backslash_in_web_authority(&url) {
            assert_eq!(surt(&url), unescaped(key), "{url}");
            count += 1;
        }
    }
    assert!(count > 100);
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

#[test]
fn what_is_no_url_is_its_own_key() {
    assert_eq!(surt(""), "-");
    for url in ["filedesc:foo.arc.gz", " ", "http://a:b/", "http://a:70000/"] {
        assert_eq!(surt(url), url);
    }
}
