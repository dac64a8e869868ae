//! Parts of texts.

use corpus_columns::{Cell, ColumnBuilder, ListOf, Texts, TextsColumn, row};
use corpus_text::parts::{located, paragraphs};
use corpus_text::{japanese, lines::universal, sentences::sentences, words::words};
use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use super::{TEXT_ARGUMENT, texts};
use crate::function::{Parameter, Returns, constant, functions};
use crate::settings::CorpusSettings;

const SECTION: &str = "Text Functions";

row! {
    /// A part of a text.
    struct PartRow<'a> {
        /// The place among the parts, from 1
        position: usize,
        /// The number of characters before it
        offset: usize,
        /// The part itself
        text: &'a str,
    }
}

/// Builds the list of parts of each text.
fn part_rows<'a, I: Iterator<Item = &'a str>>(
    argument: &'a ArrayRef,
    split: impl Fn(&'a str) -> I,
) -> Result<ArrayRef> {
    let mut rows = ListOf::<PartRow>::default();
    for text in texts(argument) {
        match text {
            Some(text) => rows.append(located(text, split(text)).map(|part| PartRow {
                position: part.position,
                offset: part.offset,
                text: part.text,
            })),
            None => rows.append_null(),
        }
    }
    Ok(rows.finish()?)
}

functions! {
    SECTION;

    /// Splits a text into lines, empty ones included, at the line ends of Unicode and of Python's
    /// splitlines.
    ///
    #[doc = " > SELECT l['position'], l['offset'], l['text'] FROM (SELECT unnest(text_lines(E'One\\r\\nTwo\\n')) AS l);"]
    /// 1, 0, One
    /// 2, 5, Two
    text_lines(TEXT_ARGUMENT) -> Returns::of::<ListOf<PartRow>>();

    /// Splits a text into paragraphs at blank lines. Indentation stays.
    ///
    /// > SELECT text_paragraphs(E'One\n\n \nTwo')[2]['text'];
    /// Two
    text_paragraphs(TEXT_ARGUMENT) -> Returns::of::<ListOf<PartRow>>();

    /// Splits a text into sentences in any language: at line ends, and at terminal punctuation,
    /// except inside of 「…」 and （…）, after abbreviations, initials and ordinal numbers, and before
    /// a small letter.
    ///
    /// > SELECT text_sentences('「行く？」と聞いた。はい。')[1]['text'];
    /// 「行く？」と聞いた。
    text_sentences(TEXT_ARGUMENT) -> Returns::of::<ListOf<PartRow>>();

    /// Splits a text like `text_words`, with the place of each word.
    ///
    /// > SELECT text_word_spans('本 (new)')[3]['offset'];
    /// 3
    text_word_spans(TEXT_ARGUMENT, METHOD_ARGUMENT) -> Returns::of::<ListOf<PartRow>>();

    /// Splits a text into words and punctuation marks, as published filters do.
    ///
    /// > SELECT text_words('It''s 日本語です。'), text_words('It''s 日本語です。', 'japanese');
    /// [It, 's, 日本語, です, 。], [It, 's, 日本, 語, です, 。]
    text_words(TEXT_ARGUMENT, METHOD_ARGUMENT) -> Returns::of::<TextsColumn>();
}

fn text_paragraphs(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    part_rows(&args[0], paragraphs)
}

fn text_lines(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    part_rows(&args[0], universal)
}

fn text_sentences(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    part_rows(&args[0], sentences)
}

/// The method of splitting text into words.
enum Method {
    Rules,
    Japanese,
}

const METHOD_ARGUMENT: Parameter = Parameter::text(
    "method",
    "'rules' (default) splits scripts without spaces where the script changes; 'japanese' finds \
     the words of Japanese by a built-in model.",
)
.optional()
.constant(|name| method(Some(name)).map(|_| ()));

/// Parses the name of a method; rules by default.
fn method(name: Option<&str>) -> Result<Method, String> {
    match name {
        None | Some("rules") => Ok(Method::Rules),
        Some("japanese") => Ok(Method::Japanese),
        Some(other) => Err(format!(
            "unknown method '{other}': expected 'rules' or 'japanese'"
        )),
    }
}

/// Builds the list of words of each text.
fn word_texts<'a, I: Iterator<Item = &'a str>>(
    argument: &'a ArrayRef,
    split: impl Fn(&'a str) -> I,
) -> Result<ArrayRef> {
    let mut lists = TextsColumn::default();
    for text in texts(argument) {
        match text {
            Some(text) => Texts(split(text)).append_to(&mut lists),
            None => ColumnBuilder::append_null(&mut lists),
        }
    }
    Ok(ColumnBuilder::finish(&mut lists)?)
}

fn text_word_spans(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    match method(constant(&args[1])) {
        Ok(Method::Japanese) => part_rows(&args[0], japanese::words),
        _ => part_rows(&args[0], words),
    }
}

fn text_words(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    match method(constant(&args[1])) {
        Ok(Method::Japanese) => word_texts(&args[0], japanese::words),
        _ => word_texts(&args[0], words),
    }
}
