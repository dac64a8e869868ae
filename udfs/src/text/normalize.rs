//! Normal forms of texts.

use corpus_text::normalize::{
    Form, Invisible, collapse_space, normalize, remove_citations, remove_invisible,
    repair_mojibake, unify_width,
};

use super::{TEXT, TEXT_ARGUMENT, map_texts};
use crate::function::{Function, constant, document};

const SECTION: &str = "Text Functions";

/// Reads the name of a form; NFC without one.
fn form(name: Option<&str>) -> Result<Form, String> {
    match name.map(str::to_ascii_lowercase).as_deref() {
        None | Some("nfc") => Ok(Form::Nfc),
        Some("nfd") => Ok(Form::Nfd),
        Some("nfkc") => Ok(Form::Nfkc),
        Some("nfkd") => Ok(Form::Nfkd),
        Some(other) => Err(format!(
            "the form is 'nfc', 'nfd', 'nfkc' or 'nfkd', not '{other}'"
        )),
    }
}

pub fn text_normalize() -> Function {
    let documentation = document(
        SECTION,
        "text_normalize(text [, form])",
        "Returns a text in a normal form of Unicode.",
        "> SELECT text_normalize('ﾊﾟﾝ①', 'nfkc');\nパン1",
        &[
            TEXT_ARGUMENT,
            (
                "form",
                "'nfc' (default, composed), 'nfd' (decomposed), or 'nfkc' and 'nfkd', which also replace \
                 compatibility characters such as ① and ﬁ.",
            ),
        ],
    );
    Function::new(
        "text_normalize",
        vec![TEXT, TEXT],
        TEXT,
        documentation,
        |args, _| {
            let form = form(constant(&args[1])).unwrap_or(Form::Nfc);
            map_texts(&args[0], |text| normalize(text, form))
        },
    )
    .optional(1)
    .constant(1, |name| form(Some(name)).map(|_| ()))
}

pub fn text_unify_width() -> Function {
    let documentation = document(
        SECTION,
        "text_unify_width(text)",
        "Gives East Asian letters, digits, punctuation, spaces and katakana their usual width. \
         Other characters stay, unlike under NFKC.",
        "> SELECT text_unify_width('Ｒｕｓｔ　ｶﾞｲﾄﾞ①');\nRust ガイド①",
        &[TEXT_ARGUMENT],
    );
    Function::new(
        "text_unify_width",
        vec![TEXT],
        TEXT,
        documentation,
        |args, _| map_texts(&args[0], unify_width),
    )
}

/// Reads the name of a rule; the sane one without a name.
fn rule(name: Option<&str>) -> Result<Invisible, String> {
    match name {
        None | Some("clean") => Ok(Invisible::Clean),
        Some("uzushio") => Ok(Invisible::Uzushio),
        Some("uzushio, keep space") => Ok(Invisible::UzushioKeepSpace),
        Some(other) => Err(format!(
            "the rule is 'clean', 'uzushio' or 'uzushio, keep space', not '{other}'"
        )),
    }
}

pub fn text_clean() -> Function {
    let documentation = document(
        SECTION,
        "text_clean(text [, rule])",
        "Removes characters that show nothing: controls, format, unassigned and private-use \
         characters. Unusual spaces become spaces, and line separators newlines.",
        "> SELECT text_clean('zero\u{200b}width\u{a0}space');\nzerowidth space",
        &[
            TEXT_ARGUMENT,
            (
                "rule",
                "'clean' (default); 'uzushio': the rules of its CorpusCleaner, which remove \
                 unusual spaces and line ends; or 'uzushio, keep space'.",
            ),
        ],
    );
    Function::new(
        "text_clean",
        vec![TEXT, TEXT],
        TEXT,
        documentation,
        |args, _| {
            let rule = rule(constant(&args[1])).unwrap_or(Invisible::Clean);
            map_texts(&args[0], |text| remove_invisible(text, rule))
        },
    )
    .optional(1)
    .constant(1, |name| rule(Some(name)).map(|_| ()))
}

/// Whether line ends are kept.
fn keeps_lines(mode: Option<&str>) -> Result<bool, String> {
    match mode {
        None | Some("all") => Ok(false),
        Some("lines") => Ok(true),
        Some(other) => Err(format!("the mode is 'all' or 'lines', not '{other}'")),
    }
}

pub fn text_collapse_space() -> Function {
    let documentation = document(
        SECTION,
        "text_collapse_space(text [, mode])",
        "Replaces each run of white space by one space, and trims.",
        "> SELECT text_collapse_space('  a  b　c ');\na b c",
        &[
            TEXT_ARGUMENT,
            (
                "mode",
                "'all' (default), or 'lines': a run with a line end becomes a newline.",
            ),
        ],
    );
    Function::new(
        "text_collapse_space",
        vec![TEXT, TEXT],
        TEXT,
        documentation,
        |args, _| {
            let keep_lines = keeps_lines(constant(&args[1])).unwrap_or(false);
            map_texts(&args[0], |text| collapse_space(text, keep_lines))
        },
    )
    .optional(1)
    .constant(1, |mode| keeps_lines(Some(mode)).map(|_| ()))
}

pub fn text_remove_citations() -> Function {
    let documentation = document(
        SECTION,
        "text_remove_citations(text)",
        "Removes the citations and notes of Wikipedia, such as [12], [citation needed], [要出典] and \
         templates in double braces.",
        "> SELECT text_remove_citations('東京[1]は首都[要出典]である。');\n東京は首都である。",
        &[TEXT_ARGUMENT],
    );
    Function::new(
        "text_remove_citations",
        vec![TEXT],
        TEXT,
        documentation,
        |args, _| map_texts(&args[0], remove_citations),
    )
}

pub fn text_repair_mojibake() -> Function {
    let documentation = document(
        SECTION,
        "text_repair_mojibake(text)",
        "Repairs a text whose UTF-8 was read as windows-1252 or ISO 8859-1, unless something else \
         could be meant.",
        "> SELECT text_repair_mojibake('cafÃ©');\ncafé",
        &[TEXT_ARGUMENT],
    );
    Function::new(
        "text_repair_mojibake",
        vec![TEXT],
        TEXT,
        documentation,
        |args, _| map_texts(&args[0], repair_mojibake),
    )
}
