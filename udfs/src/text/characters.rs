//! Quality rules by characters.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use corpus_columns::{ColumnBuilder, Numbers, StructOf, Texts, row};
use corpus_text::quality::{CharacterRules, Characters, JapaneseRules, characters, japanese};

use super::quality::{SECTION, count};
use super::{TEXT_ARGUMENT, texts};
use crate::function::{Returns, functions};
use crate::settings::CorpusSettings;

row! {
    /// The measures that the rules by characters compare with their limits.
    struct CharactersRow<'a> {
        /// Characters that are not white space
        characters: i64,
        /// The mean length of sentences
        mean_sentence_length: f64,
        /// The share of letters of any script
        letters: f64,
        /// The share of hiragana among the letters
        hiragana: f64,
        /// The share of katakana among the letters
        katakana: f64,
        /// The share of digits and symbols
        digits_and_symbols: f64,
        /// Lines that are not blank
        lines: i64,
        /// The share of these that end with terminal punctuation
        punctuated_lines: f64,
        /// The share of these with at most 10 characters
        short_lines: f64,
        /// The share of these that start with a bullet
        bullet_lines: f64,
        /// The share of these that end with an ellipsis
        ellipsis_lines: f64,
        /// The share of paragraphs that occurred before
        duplicate_paragraphs: f64,
        /// The share of characters in these
        duplicate_paragraph_characters: f64,
        /// The share of lines that occurred before
        duplicate_lines: f64,
        /// The share of characters in these
        duplicate_line_characters: f64,
        /// The share of characters in the most frequent sequences of 4, 6 and 8 characters
        top_ngrams: Numbers<'a>,
        /// The same for sequences of 10, 12, … 20 characters that occurred before
        duplicate_ngrams: Numbers<'a>,
        /// The repetition rules that the text breaks
        broken_repetition: Texts<Vec<&'static str>>,
        /// The other rules that the text breaks
        broken: Texts<Vec<&'static str>>,
    }
}

impl<'a> CharactersRow<'a> {
    fn of(measured: &'a Characters) -> Self {
        let rules = CharacterRules::default();
        Self {
            characters: count(measured.characters),
            mean_sentence_length: measured.mean_sentence_length,
            letters: measured.letters,
            hiragana: measured.hiragana,
            katakana: measured.katakana,
            digits_and_symbols: measured.digits_and_symbols,
            lines: count(measured.lines),
            punctuated_lines: measured.punctuated_lines,
            short_lines: measured.short_lines,
            bullet_lines: measured.bullet_lines,
            ellipsis_lines: measured.ellipsis_lines,
            duplicate_paragraphs: measured.duplicate_paragraphs,
            duplicate_paragraph_characters: measured.duplicate_paragraph_characters,
            duplicate_lines: measured.duplicate_lines,
            duplicate_line_characters: measured.duplicate_line_characters,
            top_ngrams: Numbers(&measured.top_ngrams),
            duplicate_ngrams: Numbers(&measured.duplicate_ngrams),
            broken_repetition: Texts(rules.broken_repetition(measured).collect()),
            broken: Texts(rules.broken_quality(measured).collect()),
        }
    }
}

functions! {
    SECTION;

    /// Applies the rules of Gopher and FineWeb by characters, for languages without spaces: two
    /// characters count like a word, and rules of ours about sentences, letters, katakana, digits
    /// and symbols replace those about English words.
    ///
    /// > SELECT quality_characters('閉店しました。')['broken'];
    /// [too_short, short_sentences, many_short_lines]
    quality_characters(TEXT_ARGUMENT) -> Returns::of::<StructOf<CharactersRow>>(), costly;

    /// Applies the filter for Japanese of uzushio's CorpusCleaner: more than 5 % kana, and more
    /// than 70 % kana or Chinese characters.
    ///
    /// > SELECT quality_japanese('這是中文')['broken'];
    /// [few_kana]
    quality_japanese(TEXT_ARGUMENT) -> Returns::of::<StructOf<JapaneseRow>>();
}

fn quality_characters(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = StructOf::<CharactersRow>::default();
    for text in texts(&args[0]) {
        let measured = text.map(characters);
        rows.append(measured.as_ref().map(CharactersRow::of));
    }
    Ok(rows.finish()?)
}

row! {
    /// The measures of the filter for Japanese.
    struct JapaneseRow {
        /// The share of hiragana and katakana (U+3040–30FF), of UTF-16 code units
        kana: f64,
        /// The share of these and of Chinese characters (U+4E00–9FFF)
        japanese: f64,
        /// The rules that the text breaks, by datatrove's names
        broken: Texts<Vec<&'static str>>,
    }
}

fn quality_japanese(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = StructOf::<JapaneseRow>::default();
    for text in texts(&args[0]) {
        rows.append(text.map(japanese).map(|measured| JapaneseRow {
            kana: measured.kana,
            japanese: measured.japanese,
            broken: Texts(JapaneseRules::default().broken(&measured).collect()),
        }));
    }
    Ok(rows.finish()?)
}
