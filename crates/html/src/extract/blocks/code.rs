//! The language of code, as sites and highlighters declare it.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::events::Element;

/// Finders for the classes of elements around code that may contain its language.
static CLASSES: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| [Finder::new("highlight"), Finder::new("lang")]);

/// Longer names are not languages.
const MAX_LANGUAGE_BYTES: usize = 30;

/// The language that an element around code declares.
pub fn language_around(element: &Element<'_>) -> Option<Box<str>> {
    CLASSES
        .iter()
        .any(|finder| element.may_contain("class", finder))
        .then(|| language(element))
        .flatten()
}

/// The language that an element declares for its code.
pub fn language(element: &Element<'_>) -> Option<Box<str>> {
    let [class, lang, language] = element.attributes(["class", "data-lang", "data-language"]);
    let declared = [lang, language]
        .into_iter()
        .flatten()
        .find_map(|value| name(&value));
    declared.or_else(|| language_of_classes(&class?))
}

fn language_of_classes(classes: &str) -> Option<Box<str>> {
    const PREFIXES: [&str; 5] = [
        "language-",
        "lang-",
        "highlight-source-",
        "highlight-text-",
        "highlight-",
    ];
    let words = || classes.split_ascii_whitespace();
    let by_prefix = |prefix: &&str| words().find_map(|word| name(word.strip_prefix(*prefix)?));
    if let Some(language) = PREFIXES.iter().find_map(by_prefix) {
        return Some(language);
    }
    // `brush: rust;` of SyntaxHighlighter.
    if let Some((_, rest)) = classes.split_once("brush:") {
        return name(rest.trim_start().split([';', ' ']).next()?);
    }
    // Classes that have the language as another class.
    let is_highlighter = |word: &str| matches!(word, "sourceCode" | "hljs" | "highlight" | "src");
    let mut others = words().filter(|word| !is_highlighter(word));
    match (words().any(is_highlighter), others.next(), others.next()) {
        (true, Some(language), None) => name(language.strip_prefix("src-").unwrap_or(language)),
        _ => None,
    }
}

/// The name of a language in lower case. `None` for names that mean none.
fn name(name: &str) -> Option<Box<str>> {
    let name = name.trim().to_ascii_lowercase();
    let is_name =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#' | b'.' | b'-' | b'_');
    let means_none = matches!(
        &*name,
        "" | "default"
            | "none"
            | "text"
            | "plaintext"
            | "plain"
            | "nohighlight"
            | "undefined"
            | "wrapper"
            | "container"
            | "box"
            | "code"
    );
    (!means_none && name.len() <= MAX_LANGUAGE_BYTES && name.bytes().all(is_name))
        .then(|| name.into_boxed_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_found_in_classes() {
        for (classes, language) in [
            ("language-rust", Some("rust")),
            ("highlight highlight-source-c++", Some("c++")),
            ("highlight-python notranslate", Some("python")),
            ("highlight-default notranslate", None),
            ("sourceCode haskell", Some("haskell")),
            ("brush: js; gutter: false", Some("js")),
            ("hljs C#", Some("c#")),
            ("hljs", None),
            ("language-plaintext", None),
            ("src src-emacs-lisp", Some("emacs-lisp")),
            ("wide", None),
        ] {
            assert_eq!(
                language_of_classes(classes).as_deref(),
                language,
                "{classes}"
            );
        }
    }
}
