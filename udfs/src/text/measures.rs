//! Counts of characters, and compression ratios.

use std::sync::Arc;

use corpus_columns::{ColumnBuilder, StructOf, row};
use corpus_text::characters::{Class, Counts};
use corpus_text::compression::{Codec, ratio};
use datafusion::arrow::array::{ArrayRef, Float64Builder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::{TEXT_ARGUMENT, texts};
use crate::function::{Parameter, Returns, constant, functions};
use crate::settings::CorpusSettings;

row! {
    /// The number of characters of each class in a text.
    struct CharactersRow {
        /// All characters (Unicode scalar values)
        characters: i64,
        /// Letters of other scripts, such as Latin
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
        /// Controls, format and unassigned characters, U+FFFD
        others: i64,
        /// ASCII, of any class
        ascii: i64,
        /// Upper-case letters
        upper: i64,
        /// UTF-16 code units
        utf16: i64,
    }
}

const CODEC: Parameter = Parameter::text(
    "codec",
    "'lz4' (default: a block at the fast level), 'zstd' (level 3) or 'gzip' (level 6).",
)
.optional()
.constant(|name| codec(Some(name)).map(|_| ()));

functions! {
    "Text Functions";

    /// Counts the characters of a text by class.
    ///
    /// > SELECT text_characters('Rustで書く。')['hiragana'];
    /// 2
    text_characters(TEXT_ARGUMENT) -> Returns::of::<StructOf<CharactersRow>>();

    /// Returns the compressed size of a text (at most its first MiB) divided by its size in UTF-8:
    /// low for repetitive texts, NULL for empty ones.
    ///
    /// > SELECT round(text_compression_ratio(repeat('again ', 50)), 2);
    /// 0.06
    text_compression_ratio(TEXT_ARGUMENT, CODEC) -> DataType::Float64, costly;
}

fn text_characters(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = StructOf::<CharactersRow>::default();
    for text in texts(&args[0]) {
        rows.append(text.map(|text| row_of(&Counts::of(text))));
    }
    Ok(rows.finish()?)
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

/// Parses the name of a codec; LZ4 by default.
fn codec(name: Option<&str>) -> Result<Codec, String> {
    let Some(name) = name else {
        return Ok(Codec::Lz4);
    };
    let mut codecs = Codec::ALL.into_iter();
    codecs
        .find(|codec| codec.name().eq_ignore_ascii_case(name))
        .ok_or_else(|| {
            let all = Codec::ALL.map(Codec::name).join("', '");
            format!("unknown codec '{name}': expected '{all}'")
        })
}

fn text_compression_ratio(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let codec = codec(constant(&args[1])).unwrap_or(Codec::Lz4);
    let mut ratios = Float64Builder::with_capacity(args[0].len());
    for text in texts(&args[0]) {
        ratios.append_option(match text {
            Some(text) => ratio(text, codec)?,
            None => None,
        });
    }
    Ok(Arc::new(ratios.finish()))
}
