//! Normal forms of texts.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use corpus_text::normalize::{
    Form, Invisible, collapse_space, normalize, remove_citations, remove_invisible,
    repair_mojibake, unify_width,
};

use super::{TEXT, TEXT_ARGUMENT, map_texts};
use crate::function::{Parameter, constant, functions};
use crate::settings::CorpusSettings;

const SECTION: &str = "Text Functions";

/// Parses the name of a form; NFC by default.
fn form(name: Option<&str>) -> Result<Form, String> {
    match name.map(str::to_ascii_lowercase).as_deref() {
        None | Some("nfc") => Ok(Form::Nfc),
        Some("nfd") => Ok(Form::Nfd),
        Some("nfkc") => Ok(Form::Nfkc),
        Some("nfkd") => Ok(Form::Nfkd),
        Some(other) => Err(format!(
            "unknown form '{other}': expected 'nfc', 'nfd', 'nfkc' or 'nfkd'"
        )),
    }
}

const FORM: Parameter = Parameter::text(
    "form",
    "'nfc' (default, composed), 'nfd' (decomposed), or 'nfkc' and 'nfkd', which also replace \
     compatibility characters such as ① and ﬁ.",
)
.optional()
.constant(|name| form(Some(name)).map(|_| ()));

const RULE: Parameter = Parameter::text(
    "rule",
    "'clean' (default); 'uzushio': the rules of its CorpusCleaner, which remove unusual spaces \
     and line ends; or 'uzushio, keep space'.",
)
.optional()
.constant(|name| rule(Some(name)).map(|_| ()));

const MODE: Parameter = Parameter::text(
    "mode",
    "'all' (default), or 'lines': a run with a line end becomes a newline.",
)
.optional()
.constant(|mode| keeps_lines(Some(mode)).map(|_| ()));

functions! {
    SECTION;

    /// Removes controls, format, unassigned and private-use characters. Unusual spaces become
    /// spaces, and line separators newlines.
    ///
    #[doc = " > SELECT text_clean('zero\u{200b}width\u{a0}space');"]
    /// zerowidth space
    text_clean(TEXT_ARGUMENT, RULE) -> TEXT;

    /// Replaces each run of white space by one space, and trims.
    ///
    /// > SELECT text_collapse_space('  a  b　c ');
    /// a b c
    text_collapse_space(TEXT_ARGUMENT, MODE) -> TEXT;

    /// Returns a text in a normal form of Unicode.
    ///
    /// > SELECT text_normalize('ﾊﾟﾝ①', 'nfkc');
    /// パン1
    text_normalize(TEXT_ARGUMENT, FORM) -> TEXT;

    /// Removes the citations and notes of Wikipedia, such as [12], [citation needed], [要出典] and
    /// templates in double braces.
    ///
    /// > SELECT text_remove_citations('東京[1]は首都[要出典]である。');
    /// 東京は首都である。
    text_remove_citations(TEXT_ARGUMENT) -> TEXT;

    /// Repairs a text whose UTF-8 was read as windows-1252 or ISO 8859-1, unless it may be right.
    ///
    /// > SELECT text_repair_mojibake('cafÃ©');
    /// café
    text_repair_mojibake(TEXT_ARGUMENT) -> TEXT;

    /// Gives East Asian letters, digits, punctuation, spaces and katakana their usual width. Other
    /// characters stay, unlike under NFKC.
    ///
    /// > SELECT text_unify_width('Ｒｕｓｔ　ｶﾞｲﾄﾞ①');
    /// Rust ガイド①
    text_unify_width(TEXT_ARGUMENT) -> TEXT;
}

fn text_normalize(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let form = form(constant(&args[1])).unwrap_or(Form::Nfc);
    map_texts(&args[0], |text| normalize(text, form))
}

fn text_unify_width(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    map_texts(&args[0], unify_width)
}

/// Parses the name of a rule; [`Invisible::Clean`] by default.
fn rule(name: Option<&str>) -> Result<Invisible, String> {
    match name {
        None | Some("clean") => Ok(Invisible::Clean),
        Some("uzushio") => Ok(Invisible::Uzushio),
        Some("uzushio, keep space") => Ok(Invisible::UzushioKeepSpace),
        Some(other) => Err(format!(
            "unknown rule '{other}': expected 'clean', 'uzushio' or 'uzushio, keep space'"
        )),
    }
}

fn text_clean(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let rule = rule(constant(&args[1])).unwrap_or(Invisible::Clean);
    map_texts(&args[0], |text| remove_invisible(text, rule))
}

/// Whether a mode keeps line ends.
fn keeps_lines(mode: Option<&str>) -> Result<bool, String> {
    match mode {
        None | Some("all") => Ok(false),
        Some("lines") => Ok(true),
        Some(other) => Err(format!("unknown mode '{other}': expected 'all' or 'lines'")),
    }
}

fn text_collapse_space(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let keep_lines = keeps_lines(constant(&args[1])).unwrap_or(false);
    map_texts(&args[0], |text| collapse_space(text, keep_lines))
}

fn text_remove_citations(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    map_texts(&args[0], remove_citations)
}

fn text_repair_mojibake(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    map_texts(&args[0], repair_mojibake)
}
