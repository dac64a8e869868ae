//! Parts of texts.

use corpus_columns::{Cell, ColumnBuilder, ListOf, Texts, TextsColumn, row};
use corpus_text::{sentences::sentences, words::words};

use super::{TEXT, TEXT_ARGUMENT, texts};
use crate::function::{Function, Returns, document};

const SECTION: &str = "Text Functions";

row! {
    /// A sentence of a text.
    struct SentenceRow<'a> {
        /// The place among the sentences, from 1
        position: usize,
        /// The sentence
        text: &'a str,
    }
}

pub fn text_sentences() -> Function {
    let documentation = document(
        SECTION,
        "text_sentences(text)",
        "Splits a text into sentences, by rules for any language. Line ends always end a sentence; \
         terminal punctuation does, except inside of 「…」 and （…）, after abbreviations and initials, \
         and before a small letter.",
        "> SELECT s['position'], s['text'] FROM (SELECT unnest(text_sentences('「行く？」と聞いた。はい。')) AS s);
1, 「行く？」と聞いた。
2, はい。",
        &[TEXT_ARGUMENT],
    );
    let returns = Returns::of::<ListOf<SentenceRow>>();
    Function::new(
        "text_sentences",
        vec![TEXT],
        returns,
        documentation,
        |args, _| {
            let mut rows = ListOf::<SentenceRow>::default();
            for text in texts(&args[0]) {
                match text {
                    Some(text) => rows.append(
                        (1..)
                            .zip(sentences(text))
                            .map(|(position, text)| SentenceRow { position, text }),
                    ),
                    None => rows.append_null(),
                }
            }
            Ok(rows.finish()?)
        },
    )
}

pub fn text_words() -> Function {
    let documentation = document(
        SECTION,
        "text_words(text)",
        "Splits a text into words and punctuation marks, as published filters count them. Scripts \
         without spaces are split where the script changes.",
        "> SELECT text_words('It''s 日本語です。');\n[It, 's, 日本語, です, 。]",
        &[TEXT_ARGUMENT],
    );
    let returns = Returns::of::<TextsColumn>();
    Function::new(
        "text_words",
        vec![TEXT],
        returns,
        documentation,
        |args, _| {
            let mut lists = TextsColumn::default();
            for text in texts(&args[0]) {
                match text {
                    Some(text) => Texts(words(text)).append_to(&mut lists),
                    None => ColumnBuilder::append_null(&mut lists),
                }
            }
            Ok(ColumnBuilder::finish(&mut lists)?)
        },
    )
}
