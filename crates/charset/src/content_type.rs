//! Parts of the `Content-Type` header.

/// The media type without parameters, in lower case; `None` if there is none.
pub fn media_type_of(content_type: &str) -> Option<String> {
    let ends = |c: char| c == ';' || c == ',' || c.is_whitespace();
    let name = content_type.trim().split(ends).next()?;
    let name = name.trim_matches(['"', '\'']);
    (!name.is_empty() && !name.contains('=')).then(|| name.to_ascii_lowercase())
}

/// The value of the `charset` parameter. Like browsers, accepts whitespace around `=`, quotes, and
/// a missing semicolon.
pub fn charset_of(content_type: &str) -> Option<String> {
    const WORD: &str = "charset";
    let bytes = content_type.as_bytes();
    let mut at = 0;
    while let Some(window) = bytes.get(at..at + WORD.len()) {
        at += 1;
        if !window.eq_ignore_ascii_case(WORD.as_bytes()) {
            continue;
        }
        // The word is ASCII, so the rest starts at a character boundary.
        let rest = content_type.get(at + WORD.len() - 1..)?;
        if let Some(value) = rest.trim_start().strip_prefix('=') {
            return value_of(value.trim_start());
        }
    }
    None
}

fn value_of(text: &str) -> Option<String> {
    let ends = |c: char| c == ';' || c == ',' || c.is_whitespace();
    let value = match text.chars().next()? {
        quote @ ('"' | '\'') => text[1..].split([quote, ';']).next()?.trim(),
        _ => text.split(ends).next()?.trim_end_matches(['"', '\'']),
    };
    (!value.is_empty()).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types() {
        for (text, expected) in [
            ("Text/HTML; charset=x", Some("text/html")),
            (" text/html ;a=b", Some("text/html")),
            ("text/html, text/html", Some("text/html")),
            ("text/html charset=utf-8", Some("text/html")),
            ("\"text/html\"", Some("text/html")),
            ("; charset=utf-8", None),
            ("charset=utf-8", None),
            ("", None),
        ] {
            assert_eq!(media_type_of(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn charsets() {
        for (text, expected) in [
            ("text/html; charset=utf-8", Some("utf-8")),
            ("text/html;CharSet = \"Shift_JIS\" ", Some("Shift_JIS")),
            ("text/html; charset='x y'; a=b", Some("x y")),
            ("text/html; charset=\"euc-jp", Some("euc-jp")),
            ("text/html; charset=EUC-JP\"", Some("EUC-JP")),
            ("text/html charset=a,b", Some("a")),
            ("text/html; charset; charset=b", Some("b")),
            ("text/html; charset=", None),
            ("text/html; charset=\"\"", None),
            ("charset", None),
            ("é charset=ü é", Some("ü")),
            ("text/html", None),
        ] {
            assert_eq!(charset_of(text).as_deref(), expected, "{text}");
        }
    }
}
