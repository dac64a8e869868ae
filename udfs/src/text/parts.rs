//! Parts of texts.

use corpus_columns::{Cell, ColumnBuilder, ListOf, Texts, TextsColumn, row};
use corpus_text::parts::{located, paragraphs};
use corpus_text::{japanese, lines::universal, sentences::sentences, words::words};
use datafusion::arrow::array::ArrayRef;

use super::{TEXT, TEXT_ARGUMENT, texts};
use crate::function::{Function, Returns, constant, document};

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
) -> datafusion::common::Result<ArrayRef> {
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

pub fn text_paragraphs() -> Function {
    let documentation = document(
        SECTION,
        "text_paragraphs(text)",
        "Splits a text into paragraphs at blank lines. Indentation stays.",
        "> SELECT p['position'], p['offset'], p['text'] FROM (SELECT unnest(text_paragraphs(E'One\\n\\n \\nTwo')) AS p);
1, 0, One
2, 7, Two",
        &[TEXT_ARGUMENT],
    );
    let returns = Returns::of::<ListOf<PartRow>>();
    let name = "text_paragraphs";
    Function::new(name, vec![TEXT], returns, documentation, |args, _| {
        part_rows(&args[0], paragraphs)
    })
}

pub fn text_lines() -> Function {
    let documentation = document(
        SECTION,
        "text_lines(text)",
        "Splits a text into lines, empty ones included, at the line ends of Unicode and of \
         Python's splitlines.",
        "> SELECT l['position'], l['offset'], l['text'] FROM (SELECT unnest(text_lines(E'One\\r\\nTwo\\n')) AS l);
1, 0, One
2, 5, Two",
        &[TEXT_ARGUMENT],
    );
    let returns = Returns::of::<ListOf<PartRow>>();
    let name = "text_lines";
    Function::new(name, vec![TEXT], returns, documentation, |args, _| {
        part_rows(&args[0], universal)
    })
}

pub fn text_sentences() -> Function {
    let documentation = document(
        SECTION,
        "text_sentences(text)",
        "Splits a text into sentences, by rules for any language: at line ends, and at terminal \
         punctuation, except inside of 「…」 and （…）, after abbreviations, initials and ordinal \
         numbers, and before a small letter.",
        "> SELECT s['position'], s['offset'], s['text'] FROM (SELECT unnest(text_sentences('「行く？」と聞いた。はい。')) AS s);
1, 0, 「行く？」と聞いた。
2, 10, はい。",
        &[TEXT_ARGUMENT],
    );
    let returns = Returns::of::<ListOf<PartRow>>();
    let name = "text_sentences";
    Function::new(name, vec![TEXT], returns, documentation, |args, _| {
        part_rows(&args[0], sentences)
    })
}

/// How words are found.
enum Method {
    Rules,
    Japanese,
}

const METHOD_ARGUMENT: (&str, &str) = (
    "method",
    "'rules' (default) splits scripts without spaces where the script changes; 'japanese' finds \
     the words of Japanese by a built-in model.",
);

/// Reads the name of a method; rules without a name.
fn method(name: Option<&str>) -> Result<Method, String> {
    match name {
        None | Some("rules") => Ok(Method::Rules),
        Some("japanese") => Ok(Method::Japanese),
        Some(other) => Err(format!(
            "the method is 'rules' or 'japanese', not '{other}'"
        )),
    }
}

/// Builds the list of words of each text.
fn word_texts<'a, I: Iterator<Item = &'a str>>(
    argument: &'a ArrayRef,
    split: impl Fn(&'a str) -> I,
) -> datafusion::common::Result<ArrayRef> {
    let mut lists = TextsColumn::default();
    for text in texts(argument) {
        match text {
            Some(text) => Texts(split(text)).append_to(&mut lists),
            None => ColumnBuilder::append_null(&mut lists),
        }
    }
    Ok(ColumnBuilder::finish(&mut lists)?)
}

pub fn text_word_spans() -> Function {
    let documentation = document(
        SECTION,
        "text_word_spans(text [, method])",
        "Splits a text like `text_words`, with the place of each word.",
        "> SELECT w['position'], w['offset'], w['text'] FROM (SELECT unnest(text_word_spans('本 (new)')) AS w);
1, 0, 本
2, 2, (
3, 3, new
4, 6, )",
        &[TEXT_ARGUMENT, METHOD_ARGUMENT],
    );
    let returns = Returns::of::<ListOf<PartRow>>();
    let name = "text_word_spans";
    Function::new(
        name,
        vec![TEXT, TEXT],
        returns,
        documentation,
        |args, _| match method(constant(&args[1])) {
            Ok(Method::Japanese) => part_rows(&args[0], japanese::words),
            _ => part_rows(&args[0], words),
        },
    )
    .optional(1)
    .constant(1, |name| method(Some(name)).map(|_| ()))
}

pub fn text_words() -> Function {
    let documentation = document(
        SECTION,
        "text_words(text [, method])",
        "Splits a text into words and punctuation marks, as published filters count them.",
        "> SELECT text_words('It''s 日本語です。'), text_words('It''s 日本語です。', 'japanese');
[It, 's, 日本語, です, 。], [It, 's, 日本, 語, です, 。]",
        &[TEXT_ARGUMENT, METHOD_ARGUMENT],
    );
    let returns = Returns::of::<TextsColumn>();
    let name = "text_words";
    Function::new(
        name,
        vec![TEXT, TEXT],
        returns,
        documentation,
        |args, _| match method(constant(&args[1])) {
            Ok(Method::Japanese) => word_texts(&args[0], japanese::words),
            _ => word_texts(&args[0], words),
        },
    )
    .optional(1)
    .constant(1, |name| method(Some(name)).map(|_| ()))
}
