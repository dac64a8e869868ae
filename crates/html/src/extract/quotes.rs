//! The quotation marks of `q`, which browsers choose by the language of the page.

/// Opening and closing marks of outer and inner quotations.
pub type Pairs = [(&'static str, &'static str); 2];

const ENGLISH: Pairs = [("“", "”"), ("‘", "’")];

/// Returns the quotation marks of a language tag such as `de-CH`; English marks if it is unknown.
pub fn marks_of(language: &str) -> Pairs {
    let mut parts = language.trim().split(['-', '_']);
    let primary = parts.next().unwrap_or_default().to_ascii_lowercase();
    let region = parts.next().unwrap_or_default().to_ascii_lowercase();
    match (primary.as_str(), region.as_str()) {
        ("de" | "fr" | "it", "ch") | ("de" | "fr" | "it", "li") => [("«", "»"), ("‹", "›")],
        ("zh", "tw" | "hk" | "mo" | "hant") => [("「", "」"), ("『", "』")],
        ("ja", _) => [("「", "」"), ("『", "』")],
        ("de" | "bg" | "cs" | "et" | "is" | "lt" | "sk" | "sl" | "hr" | "sr" | "mk", _) => {
            [("„", "“"), ("‚", "‘")]
        }
        ("pl" | "ro" | "hu", _) => [("„", "”"), ("«", "»")],
        ("fr", _) => [("« ", " »"), ("“", "”")],
        ("es" | "it" | "pt" | "ca" | "el" | "nb" | "nn" | "no", "br") => ENGLISH,
        ("es" | "it" | "pt" | "ca" | "el" | "nb" | "nn" | "no" | "hy" | "fa", _) => {
            [("«", "»"), ("“", "”")]
        }
        ("ru" | "uk" | "be", _) => [("«", "»"), ("„", "“")],
        ("da", _) => [("»", "«"), ("›", "‹")],
        ("fi" | "sv", _) => [("”", "”"), ("’", "’")],
        _ => ENGLISH,
    }
}

/// Whether a character is a quotation mark, so that a page writes the marks itself.
pub fn is_mark(character: char) -> bool {
    matches!(
        character,
        '"' | '\'' | '«' | '»' | '‹' | '›' | '‘'..='‟' | '「'..='』' | '〝'..='〟' | '＂' | '＇'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_follow_the_language_and_the_region() {
        for (language, opening) in [
            ("", "“"),
            ("en-US", "“"),
            ("tlh", "“"),
            ("de", "„"),
            ("DE_ch", "«"),
            ("fr", "« "),
            ("ja-JP", "「"),
            ("zh-CN", "“"),
            ("zh-Hant", "「"),
            ("pt-BR", "“"),
            ("pt", "«"),
        ] {
            assert_eq!(marks_of(language)[0].0, opening, "{language}");
        }
    }
}
