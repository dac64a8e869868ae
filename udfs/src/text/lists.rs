//! SQL functions that find or remove the words and passages of lists.

use std::sync::Arc;

use corpus_columns::{Cell, ColumnBuilder, StructOf, Texts, TextsColumn, row};
use corpus_text::boilerplate::Boilerplate;
use corpus_text::japanese;
use corpus_text::word_list::WordList;
use datafusion::arrow::array::ArrayRef;
use datafusion::common::{Result, exec_datafusion_err};

use super::{TEXT_ARGUMENT, texts};
use crate::function::{Returns, constant, functions};
use crate::list_files::{LIST_ARGUMENT, ListFiles};
use crate::settings::CorpusSettings;

const SECTION: &str = "Text Functions";

functions! {
    SECTION;

    /// Returns the words and phrases of a list (one per line) that a text has, in order, with
    /// repeats. Case does not matter; parts of longer words do not count, in Japanese by
    /// text_words(text, 'japanese').
    ///
    #[doc = " > SELECT text_find_words('An online casino, not casinos: Viagra', 'builtin:english-adult-words');"]
    /// [online casino, viagra]
    text_find_words(TEXT_ARGUMENT, LIST_ARGUMENT.constant(|list| word_list(list).map(|_| ())))
        -> Returns::of::<TextsColumn>();

    /// Removes the passages of a list, separated by blank lines, where they are whole lines of a
    /// text.
    ///
    #[doc = " > SELECT text_remove_boilerplate(E'本文です。\\n続きを読む', 'builtin:japanese-boilerplate')['removed'];"]
    /// [続きを読む]
    text_remove_boilerplate(TEXT_ARGUMENT, LIST_ARGUMENT.constant(|list| boilerplate(list).map(|_| ())))
        -> Returns::of::<StructOf<WithoutBoilerplateRow>>();
}

fn text_find_words(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let list = constant(&args[1]).map(word_list).transpose();
    let list = list.map_err(|error| exec_datafusion_err!("text_find_words: {error}"))?;
    let mut found = TextsColumn::default();
    for text in texts(&args[0]) {
        match text.zip(list.as_ref()) {
            Some((text, list)) => Texts(find(list, text)).append_to(&mut found),
            None => ColumnBuilder::append_null(&mut found),
        }
    }
    Ok(ColumnBuilder::finish(&mut found)?)
}

/// Finds the words of a list. In Han characters without kana, such as Chinese, any place may be a
/// boundary.
fn find<'a>(list: &'a WordList, text: &'a str) -> Vec<&'a str> {
    let word = |(word, _)| word;
    if text
        .chars()
        .any(|character| matches!(character, '\u{3041}'..='\u{30ff}'))
    {
        list.find_in_words(text, japanese::words(text))
            .map(word)
            .collect()
    } else {
        list.find(text).map(word).collect()
    }
}

/// Returns the word list with a path or a name.
fn word_list(list: &str) -> Result<Arc<WordList>, String> {
    static LISTS: ListFiles<WordList> =
        ListFiles::new(|text| WordList::parse(text, true).map_err(|error| error.to_string()));
    LISTS.get(list)
}

row! {
    /// A text without the passages of a list.
    struct WithoutBoilerplateRow<'a> {
        /// The rest of the text
        text: &'a str,
        /// The passages that were removed, in order
        removed: Texts<Vec<String>>,
    }
}

fn text_remove_boilerplate(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let list = constant(&args[1]).map(boilerplate).transpose();
    let list = list.map_err(|error| exec_datafusion_err!("text_remove_boilerplate: {error}"))?;
    let mut rows = StructOf::<WithoutBoilerplateRow>::default();
    for text in texts(&args[0]) {
        let result = text
            .zip(list.as_ref())
            .map(|(text, list)| list.remove(text));
        rows.append(
            result
                .as_ref()
                .map(|(text, removed)| WithoutBoilerplateRow {
                    text,
                    removed: Texts(removed.clone()),
                }),
        );
    }
    Ok(rows.finish()?)
}

/// Returns the list of passages with a path or a name.
fn boilerplate(list: &str) -> Result<Arc<Boilerplate>, String> {
    static LISTS: ListFiles<Boilerplate> =
        ListFiles::new(|text| Boilerplate::parse(text).map_err(|error| error.to_string()));
    LISTS.get(list)
}
