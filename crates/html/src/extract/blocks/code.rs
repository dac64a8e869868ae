//! The language and line numbers of code, as sites and highlighters declare them.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::events::Element;
use corpus_markup::Name;

/// Finders for the classes of elements around code that may contain its language.
static CLASSES: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| [Finder::new("highlight"), Finder::new("lang")]);

/// Finders for the classes and the style of elements with line numbers.
static NUMBER_CLASSES: LazyLock<[Finder<'static>; 3]> =
    LazyLock::new(|| ["num", "line", "ln"].map(Finder::new));
/// Finders for the classes of cells with line numbers beside code.
static GUTTERS: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| ["gutter", "crayon-nums"].map(Finder::new));
/// Finders for the classes of elements around lines of code.
static FRAGMENTS: LazyLock<[Finder<'static>; 3]> =
    LazyLock::new(|| ["fragment", "container", "crayon-pre"].map(Finder::new));
/// Finds the style of code that was copied from an editor.
static WHITE_SPACE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("white-space"));
static USER_SELECT: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("user-select"));

/// Languages recognized when they are the whole class name.
const LANGUAGES: [&str; 48] = [
    "bash",
    "c",
    "c++",
    "clojure",
    "cpp",
    "cs",
    "csharp",
    "css",
    "diff",
    "elixir",
    "erlang",
    "go",
    "graphql",
    "groovy",
    "haskell",
    "html",
    "http",
    "ini",
    "java",
    "javascript",
    "js",
    "json",
    "jsx",
    "julia",
    "kotlin",
    "latex",
    "lua",
    "makefile",
    "matlab",
    "perl",
    "php",
    "powershell",
    "py",
    "python",
    "r",
    "ruby",
    "rust",
    "scala",
    "sh",
    "shell",
    "sql",
    "swift",
    "toml",
    "ts",
    "typescript",
    "xml",
    "yaml",
    "yml",
];
/// The `LANGUAGES` that are also codes of human languages, as in the attribute `lang`.
const HUMAN_LANGUAGES: [&str; 3] = ["cs", "sh", "ts"];

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

/// Whether an element declares that it contains line numbers.
pub fn is_line_number(element: &Element<'_>) -> bool {
    let has_class = NUMBER_CLASSES
        .iter()
        .any(|finder| element.may_contain("class", finder));
    let classes = has_class.then(|| element.attribute("class")).flatten();
    classes.is_some_and(|classes| classes.split_ascii_whitespace().any(is_line_number_class))
}

/// Whether a cell is beside code and has its line numbers, as in SyntaxHighlighter and Crayon.
pub fn is_gutter(cell: &Element<'_>) -> bool {
    let mut finders = GUTTERS.iter();
    finders.any(|finder| cell.may_contain("class", finder))
        && cell.attribute("class").is_some_and(|classes| {
            let mut classes = classes.split_ascii_whitespace();
            classes.any(|class| matches!(class, "gutter" | "crayon-nums"))
        })
}

/// The classes of the lines of code in an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineClass {
    /// `line`, as in Doxygen.
    Line,
    /// `line number1 index0`, as in SyntaxHighlighter.
    Numbered,
    /// `crayon-line`.
    Crayon,
}

/// The class of the lines of code that an element contains, if the first element in it is one.
pub fn lines_of_fragment(element: &Element<'_>) -> Option<LineClass> {
    let mut finders = FRAGMENTS.iter();
    if !finders.any(|finder| element.may_contain("class", finder)) {
        return None;
    }
    element
        .attribute("class")?
        .split_ascii_whitespace()
        .find_map(|class| match class {
            "fragment" => Some(LineClass::Line),
            "container" => Some(LineClass::Numbered),
            "crayon-pre" => Some(LineClass::Crayon),
            _ => None,
        })
}

/// The class of lines of code that an element has.
pub fn line_class(element: &Element<'_>) -> Option<LineClass> {
    let classes = (element.name == Name::DIV).then(|| element.attribute("class"))??;
    let mut classes = classes.split_ascii_whitespace();
    match classes.next()? {
        "line" if classes.any(|class| class.starts_with("number")) => Some(LineClass::Numbered),
        "line" => Some(LineClass::Line),
        "crayon-line" => Some(LineClass::Crayon),
        _ => None,
    }
}

/// Whether a style shows white space and a typeface as in an editor.
pub fn is_copied_code(element: &Element<'_>) -> bool {
    element.name == Name::DIV
        && element.may_contain("style", &WHITE_SPACE)
        && element.attribute("style").is_some_and(|style| {
            let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
            let style = style.to_ascii_lowercase();
            let mut properties = style.split(';');
            properties.any(|property| property == "white-space:pre") && style.contains("monospace")
        })
}

/// Whether an element has a style that excludes it when code is copied.
pub fn is_not_selected(element: &Element<'_>) -> bool {
    element.may_contain("style", &USER_SELECT)
        && element.attribute("style").is_some_and(|style| {
            let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
            style.contains("user-select:none")
        })
}

/// Whether a class marks line numbers, as in GitHub (`blob-num`), Pygments (`linenos`), Rouge
/// (`lineno`), Chroma (`lnt`), highlight.js (`hljs-ln-numbers`) and LaTeXML.
fn is_line_number_class(class: &str) -> bool {
    let name: String = class.chars().filter(|c| !matches!(c, '-' | '_')).collect();
    matches!(
        &*name.to_ascii_lowercase(),
        "blobnum"
            | "ln"
            | "lnt"
            | "lineno"
            | "linenos"
            | "linenum"
            | "linenums"
            | "linenumber"
            | "linenumbers"
            | "jslinenumber"
            | "hljslnn"
            | "hljslnnumbers"
            | "ltxtaglistingline"
    )
}

/// The language that an element declares for its code.
pub fn language(element: &Element<'_>) -> Option<Box<str>> {
    let [class, lang, language, enlighter, parameters, human] = element.attributes([
        "class",
        "data-lang",
        "data-language",
        "data-enlighter-language",
        "data-syntaxhighlighter-params",
        "lang",
    ]);
    let declared = [lang, language, enlighter]
        .into_iter()
        .flatten()
        .find_map(|value| name(&value));
    let is_code = |name: &str| !HUMAN_LANGUAGES.contains(&name);
    declared
        .or_else(|| language_of_classes(&class?))
        .or_else(|| language_of_classes(&parameters?))
        .or_else(|| known_language(&human?).filter(|name| is_code(name)))
}

/// The known language with this name in any case.
pub fn known_language(name: &str) -> Option<Box<str>> {
    let name = name.trim().to_ascii_lowercase();
    LANGUAGES.contains(&&*name).then(|| name.into_boxed_str())
}

fn language_of_classes(classes: &str) -> Option<Box<str>> {
    const PREFIXES: [&str; 6] = [
        "language-",
        "lang-",
        "highlight-source-",
        "highlight-text-",
        "highlight-",
        "hl-",
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
    // Highlighters that name the language in a separate class.
    let is_highlighter = |word: &str| {
        matches!(
            word,
            "sourceCode"
                | "hljs"
                | "highlight"
                | "highlightjs"
                | "syntaxhighlighter"
                | "src"
                | "CodeRay"
                | "prettyprint"
                | "pygments"
                | "rouge"
        )
    };
    let mut others = words().filter(|word| !is_highlighter(word));
    match (words().any(is_highlighter), others.next(), others.next()) {
        (true, Some(language), None) => name(language.strip_prefix("src-").unwrap_or(language)),
        (false, Some(language), None) => known_language(language),
        _ => None,
    }
}

/// The lower-case name of a language. `None` for names that mean "no language".
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
            | "generic"
            | "raw"
    );
    let name = match &*name {
        // The lexers of Jupyter, which also know its commands.
        "ipython" | "ipython3" => "python".to_owned(),
        _ => name,
    };
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
            ("highlightjs highlight", None),
            ("rouge highlight", None),
            ("highlight hl-ipython3", Some("python")),
            ("language-plaintext", None),
            ("src src-emacs-lisp", Some("emacs-lisp")),
            ("wide", None),
            ("python", Some("python")),
            ("Go", Some("go")),
            ("python wide", None),
        ] {
            assert_eq!(
                language_of_classes(classes).as_deref(),
                language,
                "{classes}"
            );
        }
    }
}
