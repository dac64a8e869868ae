//! Passages that texts have in common, and texts without them.

use std::sync::Arc;

use corpus_columns::{ColumnBuilder, Hash128, ListOf, row};
use corpus_dedup::Windows;
use corpus_dedup::windows::{Block, extract_ranges, remove_ranges};
use datafusion::arrow::array::builder::{Int64Builder, LargeStringBuilder, ListBuilder};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array, StructArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::{Result, exec_datafusion_err};

use super::{SECTION, TEXT};
use crate::arguments::integer_structs;
use crate::function::{Parameter, Returns, constant, functions};
use crate::settings::CorpusSettings;

const TEXT_ARGUMENT: Parameter = Parameter::text("text", "The text, taken as it is.");

const WINDOW_ARGUMENT: Parameter = Parameter::text(
    "window",
    "`'N words'` or `'N characters'`, with N up to 1000. `'N normalized words'` and `'N \
     normalized characters'` ignore width, case, marks, punctuation and symbols.",
)
.constant(check);

row! {
    /// A window of a text.
    struct WindowRow {
        /// A hash of its words or characters
        hash: Hash128,
        /// The number of words or characters before it
        position: usize,
    }
}

row! {
    /// A part of a text.
    struct RangeRow {
        /// The number of characters before it
        start: usize,
        /// The number of characters before its end
        end: usize,
        /// The source of its windows
        source: Option<i64>,
    }
}

fn integers() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true)))
}

fn texts_of_ranges() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(TEXT, true)))
}

/// Checks a constant argument that describes windows.
fn check(text: &str) -> Result<(), String> {
    let windows: Result<Windows, _> = text.parse();
    windows.map(|_| ()).map_err(|error| error.to_string())
}

/// Returns the windows that a constant argument describes. `None` if it is NULL, or there are no
/// rows.
fn windows(argument: &ArrayRef) -> Result<Option<Windows>> {
    let windows = constant(argument).map(str::parse).transpose();
    windows.map_err(|error| exec_datafusion_err!("{error}"))
}

/// The texts of an argument. All are NULL without windows.
fn texts(
    argument: &ArrayRef,
    windows: Option<Windows>,
) -> impl Iterator<Item = Option<(&str, Windows)>> {
    let texts = argument.as_string::<i64>().iter();
    texts.map(move |text| text.zip(windows))
}

/// The columns of integers of a list of structs, and the items of each list.
struct IntegerStructs<const COLUMNS: usize> {
    columns: [Int64Array; COLUMNS],
    lists: ArrayRef,
}

impl<const COLUMNS: usize> IntegerStructs<COLUMNS> {
    fn new(lists: &ArrayRef, names: [&str; COLUMNS]) -> Result<Self> {
        let items: &StructArray = lists.as_list::<i32>().values().as_struct();
        let mut columns = Vec::with_capacity(COLUMNS);
        for name in names {
            let column = items.column_by_name(name);
            let column = column.ok_or_else(|| exec_datafusion_err!("there is no column {name}"))?;
            let column = cast(column, &DataType::Int64)?;
            columns.push(column.as_primitive::<Int64Type>().clone());
        }
        let columns = columns.try_into();
        Ok(Self {
            columns: columns.map_err(|_| exec_datafusion_err!("expected {COLUMNS} columns"))?,
            lists: Arc::clone(lists),
        })
    }

    /// The rows of the list at a place. `None` for NULL.
    fn rows(&self, at: usize) -> Option<impl Iterator<Item = [Option<i64>; COLUMNS]>> {
        let lists = self.lists.as_list::<i32>();
        if lists.is_null(at) {
            return None;
        }
        let (start, end) = (lists.value_offsets()[at], lists.value_offsets()[at + 1]);
        let value = |column: &Int64Array, row| column.is_valid(row).then(|| column.value(row));
        Some(
            (start as usize..end as usize)
                .map(move |row| std::array::from_fn(|column| value(&self.columns[column], row))),
        )
    }
}

const FINGERPRINTS: Parameter = Parameter::new(
    "fingerprints",
    integers,
    "Returns only windows with one of these `text_fingerprints`.",
)
.optional();

const WINDOW: Parameter = Parameter::text("window", "As for `text_windows`.").constant(check);

const BLOCKS: Parameter = Parameter::new(
    "blocks",
    || integer_structs(&BLOCK_COLUMNS),
    "A list of structs of integers, each for up to 64 windows: `position` of the first; \
     `windows`, a bit for each, the lowest for the first; `overlap`, the words or characters at \
     their starts that stay outside; `source`, a number that is passed on.",
);

functions! {
    SECTION;

    /// Returns the characters in each range, in the order of the ranges.
    ///
    /// > SELECT text_extract_ranges('日本語の文書',
    ///     [named_struct('start', 4, 'end', 6), named_struct('start', 0, 'end', 2)]);
    /// [文書, 日本]
    text_extract_ranges(TEXT_OF_RANGES, RANGES) -> texts_of_ranges(), costly;

    /// Returns fingerprints of a text: hashes of half a window, at about 4 of N places. Two equal
    /// windows, also of one text, share a fingerprint, which the lists then have twice. Empty for a
    /// text shorter than a window.
    ///
    /// > SELECT array_has_any(text_fingerprints('It was the best of times', '4 words'),
    ///                        text_fingerprints('Once, it was the best of all', '4 words'));
    /// true
    text_fingerprints(TEXT_ARGUMENT, WINDOW_ARGUMENT) -> integers(), costly;

    /// Returns a text without the characters in ranges, or unchanged if these are NULL.
    ///
    /// > SELECT text_remove_ranges('日本語の文書', [named_struct('start', 0, 'end', 2)]);
    /// 語の文書
    text_remove_ranges(TEXT_OF_RANGES, RANGES) -> TEXT, costly;

    /// Returns the ranges of a text that windows cover, in order and without overlaps, each up to
    /// the next word. Ranges that touch are one if they have the same source.
    ///
    /// > SELECT text_window_ranges('a b c d e f', '2 words',
    ///     [named_struct('position', 0, 'windows', 9, 'overlap', 0, 'source', 7)]);
    /// [{start: 0, end: 4, source: 7}, {start: 6, end: 10, source: 7}]
    text_window_ranges(TEXT_ARGUMENT, WINDOW, BLOCKS) -> Returns::of::<ListOf<RangeRow>>(), costly;

    /// Returns the windows of a text: all sequences of N words or characters.
    ///
    #[doc = " > SELECT w['position'], encode(w['hash'], 'hex') FROM (SELECT unnest(text_windows('a b a b', '2 words')) AS w);"]
    /// 0, fe061cebfd2a91690e688805663227a4
    /// 1, 2a368362d15a4cfd83a6c0c2683bf752
    /// 2, fe061cebfd2a91690e688805663227a4
    text_windows(TEXT_ARGUMENT, WINDOW_ARGUMENT, FINGERPRINTS)
        -> Returns::of::<ListOf<WindowRow>>(), costly;
}

fn text_fingerprints(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let windows = windows(&args[1])?;
    let mut lists = ListBuilder::new(Int64Builder::new());
    for text in texts(&args[0], windows) {
        if let Some((text, windows)) = text {
            let hashes = lists.values();
            windows.fingerprints(text, |hash| hashes.append_value(hash.cast_signed()));
        }
        lists.append(text.is_some());
    }
    Ok(Arc::new(lists.finish()))
}

fn text_windows(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let windows = windows(&args[1])?;
    let mut lists = ListOf::<WindowRow>::default();
    let mut hashes = Vec::new();
    for (text, fingerprints) in texts(&args[0], windows).zip(args[2].as_list::<i32>().iter()) {
        let Some((text, windows)) = text else {
            lists.append_null();
            continue;
        };
        hashes.clear();
        if let Some(fingerprints) = &fingerprints {
            let values = fingerprints.as_primitive::<Int64Type>().iter().flatten();
            hashes.extend(values.map(i64::cast_unsigned));
            hashes.sort_unstable();
        }
        let listed = fingerprints.is_some().then_some(hashes.as_slice());
        windows.for_each(text, listed, |window| {
            lists.push(WindowRow {
                hash: Hash128(window.hash),
                position: window.position,
            });
        });
        lists.end_list();
    }
    Ok(lists.finish()?)
}

const BLOCK_COLUMNS: [&str; 4] = ["position", "windows", "overlap", "source"];

fn text_window_ranges(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let windows = windows(&args[1])?;
    let structs = IntegerStructs::new(&args[2], BLOCK_COLUMNS)?;
    let mut lists = ListOf::<RangeRow>::default();
    for (at, text) in texts(&args[0], windows).enumerate() {
        let (Some((text, windows)), Some(rows)) = (text, structs.rows(at)) else {
            lists.append_null();
            continue;
        };
        let blocks = rows.filter_map(|[position, windows, overlap, source]| {
            Some(Block {
                position: position?,
                windows: windows?.cast_unsigned(),
                overlap: overlap.unwrap_or(0),
                source,
            })
        });
        let blocks: Vec<Block> = blocks.collect();
        lists.append(
            windows
                .ranges(text, &blocks)
                .into_iter()
                .map(|range| RangeRow {
                    start: range.start,
                    end: range.end,
                    source: range.source,
                }),
        );
    }
    Ok(lists.finish()?)
}

const RANGE_COLUMNS: [&str; 2] = ["start", "end"];

const TEXT_OF_RANGES: Parameter = Parameter::text("text", "The text.");

const RANGES: Parameter = Parameter::new(
    "ranges",
    || integer_structs(&RANGE_COLUMNS),
    "A list of structs with the integers `start` and `end`, the numbers of characters before \
     them. Ranges may overlap and be in any order.",
);

fn text_extract_ranges(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let structs = IntegerStructs::new(&args[1], RANGE_COLUMNS)?;
    let mut lists = ListBuilder::new(LargeStringBuilder::new());
    for (at, text) in args[0].as_string::<i64>().iter().enumerate() {
        let (Some(text), Some(rows)) = (text, structs.rows(at)) else {
            lists.append_null();
            continue;
        };
        let ranges: Vec<_> = rows.map(|[start, end]| start.zip(end)).collect();
        let known: Vec<_> = ranges.iter().flatten().copied().collect();
        let mut parts = extract_ranges(text, &known).into_iter();
        for range in ranges {
            // A range without a start or an end has no text.
            let part = range.and_then(|_| parts.next());
            lists.values().append_option(part);
        }
        lists.append(true);
    }
    Ok(Arc::new(lists.finish()))
}

fn text_remove_ranges(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let structs = IntegerStructs::new(&args[1], RANGE_COLUMNS)?;
    let texts = args[0].as_string::<i64>();
    let mut kept = LargeStringBuilder::with_capacity(texts.len(), texts.values().len());
    for (at, text) in texts.iter().enumerate() {
        let rows = structs.rows(at).into_iter().flatten();
        let ranges = rows.filter_map(|[start, end]| start.zip(end)).collect();
        kept.append_option(text.map(|text| remove_ranges(text, ranges)));
    }
    Ok(Arc::new(kept.finish()))
}
