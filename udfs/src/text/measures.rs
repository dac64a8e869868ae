//! Counts of characters.

use corpus_columns::{ColumnBuilder, StructOf, row};
use corpus_text::characters::{Class, Counts};

use super::{TEXT, TEXT_ARGUMENT, texts};
use crate::function::{Function, Returns, document};

row! {
    /// How many characters of each class a text has.
    struct CharactersRow {
        /// All characters (Unicode scalar values)
        characters: i64,
        /// Letters of scripts without a count of their own, Latin included
        letters: i64,
        /// Hiragana
        hiragana: i64,
        /// Katakana, half-width forms included
        katakana: i64,
        /// Chinese characters, the iteration mark 々 included
        han: i64,
        /// Korean
        hangul: i64,
        /// Digits and other numbers
        digits: i64,
        /// Punctuation
        punctuation: i64,
        /// Currency, mathematical and other symbols, emoji included
        symbols: i64,
        /// White space
        spaces: i64,
        /// Controls, format characters, unassigned characters and U+FFFD
        others: i64,
        /// Characters of ASCII, whatever their class
        ascii: i64,
        /// Upper-case letters
        upper: i64,
        /// UTF-16 code units, the length in Java and JavaScript
        utf16: i64,
    }
}

pub fn text_characters() -> Function {
    let documentation = document(
        "Text Functions",
        "text_characters(text)",
        "Counts the characters of a text by class. Each character is in one class.",
        "> SELECT c['characters'], c['hiragana'], c['han'], c['letters']
  FROM (SELECT text_characters('Rustで書く。') AS c);
8, 2, 1, 4",
        &[TEXT_ARGUMENT],
    );
    let returns = Returns::of::<StructOf<CharactersRow>>();
    Function::new(
        "text_characters",
        vec![TEXT],
        returns,
        documentation,
        |args, _| {
            let mut rows = StructOf::<CharactersRow>::default();
            for text in texts(&args[0]) {
                rows.append(text.map(|text| row_of(&Counts::of(text))));
            }
            Ok(rows.finish()?)
        },
    )
}

fn row_of(counts: &Counts) -> CharactersRow {
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let class = |class| number(counts.get(class));
    CharactersRow {
        characters: number(counts.characters()),
        letters: class(Class::Letter),
        hiragana: class(Class::Hiragana),
        katakana: class(Class::Katakana),
        han: class(Class::Han),
        hangul: class(Class::Hangul),
        digits: class(Class::Digit),
        punctuation: class(Class::Punctuation),
        symbols: class(Class::Symbol),
        spaces: class(Class::Space),
        others: class(Class::Other),
        ascii: number(counts.ascii),
        upper: number(counts.upper),
        utf16: number(counts.utf16),
    }
}
