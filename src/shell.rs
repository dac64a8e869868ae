//! Quotes arguments for a shell.

/// Quotes an argument for a POSIX shell, if it needs quotes.
pub fn quote(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=:,@%+".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    let is_literal = |c: char| !"\"$`\\!".contains(c);
    if text.contains('\'') && text.chars().all(is_literal) {
        return format!("\"{text}\"");
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_if_necessary() {
        assert_eq!(quote("a/b-c.sql"), "a/b-c.sql");
        assert_eq!(quote("a b"), "'a b'");
        assert_eq!(quote("SELECT 'a'"), r#""SELECT 'a'""#);
        assert_eq!(quote("it's $x"), r"'it'\''s $x'");
        assert_eq!(quote(""), "''");
        assert_eq!(quote("日本/"), "日本/");
    }
}
