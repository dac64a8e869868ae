//! The quality rules of published corpora.

use corpus_columns::{Cell, ColumnBuilder, Numbers, StructOf, Texts, row};
use corpus_text::quality::{
    C4, C4Rules, FineWeb, FineWebInput, FineWebRules, Gopher, GopherRepetition,
    GopherRepetitionRules, GopherRules, c4, fineweb, gopher, gopher_repetition, quality,
};
use datafusion::arrow::array::ArrayRef;
use datafusion::common::{Result, exec_datafusion_err};

use super::{TEXT_ARGUMENT, texts};
use crate::function::{Parameter, Returns, constant, functions};
use crate::settings::CorpusSettings;

pub(super) const SECTION: &str = "Quality Functions";

pub(super) fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

row! {
    /// The measures of Gopher's quality rules.
    struct GopherRow {
        /// Words that are not punctuation
        words: i64,
        /// Their mean length in characters
        mean_word_length: f64,
        /// `#` per word
        hash_ratio: f64,
        /// Ellipses per word
        ellipsis_ratio: f64,
        /// The share of lines that start with `•` or `-`
        bullet_lines: f64,
        /// The share of lines that end with an ellipsis
        ellipsis_lines: f64,
        /// The share of words with a letter
        alphabetic_words: f64,
        /// How many of eight English stop words the text has
        stop_words: i64,
        /// The rules that the text breaks, by datatrove's names
        broken: Texts<Vec<&'static str>>,
    }
}

impl GopherRow {
    fn of(measured: &Gopher) -> Self {
        Self {
            words: count(measured.words),
            mean_word_length: measured.mean_word_length,
            hash_ratio: measured.hash_ratio,
            ellipsis_ratio: measured.ellipsis_ratio,
            bullet_lines: measured.bullet_lines,
            ellipsis_lines: measured.ellipsis_lines,
            alphabetic_words: measured.alphabetic_words,
            stop_words: count(measured.stop_words),
            broken: Texts(GopherRules::default().broken(measured).collect()),
        }
    }
}

impl Cell for GopherRow {
    type Column = StructOf<Self>;

    fn append_to(self, column: &mut Self::Column) {
        column.append(Some(self));
    }
}

const PIPELINE: Parameter = Parameter::text(
    "pipeline",
    "'separate' (default): each rule set measures the text, as its own function does; \
     'fineweb': as for FineWeb, C4 keeps lines without punctuation at the end, and FineWeb's \
     rules measure the rest.",
)
.optional()
.constant(|name| pipeline(Some(name)).map(|_| ()));

functions! {
    SECTION;

    /// Applies the rules of C4, which remove lines, then texts of which too little is left.
    ///
    /// > SELECT quality_c4(E'Menu\nThis line is a sentence.')['broken'];
    /// [too_few_sentences]
    quality_c4(TEXT_ARGUMENT) -> Returns::of::<StructOf<C4Row>>(), costly;

    /// Applies the rules that FineWeb adds to those of Gopher and C4.
    ///
    /// > SELECT quality_fineweb(E'Home\nAbout us')['broken'];
    /// [line_punct_ratio, short_line_ratio, list_ratio]
    quality_fineweb(TEXT_ARGUMENT) -> Returns::of::<StructOf<FineWebRow>>(), costly;

    /// Applies the quality rules of Gopher (MassiveText) with the published thresholds.
    ///
    /// > SELECT quality_gopher('Too short to keep.')['broken'];
    /// [gopher_short_doc, gopher_enough_stop_words]
    quality_gopher(TEXT_ARGUMENT) -> Returns::of::<StructOf<GopherRow>>(), costly;

    /// Applies the repetition rules of Gopher (table A1 of its paper): repeated paragraphs, lines
    /// and sequences of words.
    ///
    /// > SELECT quality_gopher_repetition(repeat(E'again\n', 4) || 'end')['duplicate_lines'];
    /// 0.6
    quality_gopher_repetition(TEXT_ARGUMENT) -> Returns::of::<StructOf<RepetitionRow>>(), costly;

    /// Applies the rules of Gopher, C4 and FineWeb in one pass.
    ///
    /// > SELECT quality_rules(E'Menu\nThis line is a sentence.')['gopher']['broken'];
    /// [gopher_short_doc, gopher_enough_stop_words]
    quality_rules(TEXT_ARGUMENT, PIPELINE) -> Returns::of::<StructOf<QualityRow>>(), costly;
}

fn quality_gopher(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = StructOf::<GopherRow>::default();
    for text in texts(&args[0]) {
        rows.append(text.map(|text| GopherRow::of(&gopher(text))));
    }
    Ok(rows.finish()?)
}

row! {
    /// The measures of Gopher's repetition rules.
    struct RepetitionRow<'a> {
        /// The share of paragraphs that occurred before
        duplicate_paragraphs: f64,
        /// The share of characters in these
        duplicate_paragraph_characters: f64,
        /// The share of lines that occurred before
        duplicate_lines: f64,
        /// The share of characters in these
        duplicate_line_characters: f64,
        /// The share of characters in the most frequent sequences of 2, 3 and 4 words
        top_ngrams: Numbers<'a>,
        /// The same for sequences of 5 to 10 words that occurred before
        duplicate_ngrams: Numbers<'a>,
        /// The rules that the text breaks, by datatrove's names
        broken: Texts<Vec<&'static str>>,
    }
}

impl<'a> RepetitionRow<'a> {
    fn of(measured: &'a GopherRepetition) -> Self {
        Self {
            duplicate_paragraphs: measured.duplicate_paragraphs,
            duplicate_paragraph_characters: measured.duplicate_paragraph_characters,
            duplicate_lines: measured.duplicate_lines,
            duplicate_line_characters: measured.duplicate_line_characters,
            top_ngrams: Numbers(&measured.top_ngrams),
            duplicate_ngrams: Numbers(&measured.duplicate_ngrams),
            broken: Texts(GopherRepetitionRules::default().broken(measured).collect()),
        }
    }
}

impl Cell for RepetitionRow<'_> {
    type Column = StructOf<Self>;

    fn append_to(self, column: &mut Self::Column) {
        column.append(Some(self));
    }
}

fn quality_gopher_repetition(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = StructOf::<RepetitionRow>::default();
    for text in texts(&args[0]) {
        let measured = text.map(gopher_repetition);
        rows.append(measured.as_ref().map(RepetitionRow::of));
    }
    Ok(rows.finish()?)
}

row! {
    /// The measures of FineWeb's rules.
    struct FineWebRow {
        /// Lines that are not blank
        lines: i64,
        /// The share of these that end with terminal punctuation
        punctuated_lines: f64,
        /// The share of these with at most 30 characters
        short_lines: f64,
        /// The share of characters in lines that occurred before
        duplicate_characters: f64,
        /// Newlines per word
        newline_ratio: f64,
        /// The rules that the text breaks, by datatrove's names
        broken: Texts<Vec<&'static str>>,
    }
}

impl FineWebRow {
    fn of(measured: &FineWeb) -> Self {
        Self {
            lines: count(measured.lines),
            punctuated_lines: measured.punctuated_lines,
            short_lines: measured.short_lines,
            duplicate_characters: measured.duplicate_characters,
            newline_ratio: measured.newline_ratio,
            broken: Texts(FineWebRules::default().broken(measured).collect()),
        }
    }
}

impl Cell for FineWebRow {
    type Column = StructOf<Self>;

    fn append_to(self, column: &mut Self::Column) {
        column.append(Some(self));
    }
}

fn quality_fineweb(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = StructOf::<FineWebRow>::default();
    for text in texts(&args[0]) {
        rows.append(text.map(|text| FineWebRow::of(&fineweb(text))));
    }
    Ok(rows.finish()?)
}

row! {
    /// The text that C4's rules leave, and their measures.
    struct C4Row {
        /// The lines that are kept, without citations
        text: String,
        /// All lines
        lines: i64,
        /// Removed for a word of more than 1,000 characters
        long_word_lines: i64,
        /// Removed without punctuation or a quote at the end
        unpunctuated_lines: i64,
        /// Removed with fewer than three words
        short_lines: i64,
        /// Removed for mentioning JavaScript
        javascript_lines: i64,
        /// Removed as terms of use, privacy or cookies
        policy_lines: i64,
        /// Sentences in the lines that are kept
        sentences: i64,
        /// The rules that the text breaks, by datatrove's names
        broken: Texts<Vec<&'static str>>,
    }
}

impl C4Row {
    fn of(measured: C4, rules: &C4Rules) -> Self {
        Self {
            lines: count(measured.lines),
            long_word_lines: count(measured.long_word_lines),
            unpunctuated_lines: count(measured.unpunctuated_lines),
            short_lines: count(measured.short_lines),
            javascript_lines: count(measured.javascript_lines),
            policy_lines: count(measured.policy_lines),
            sentences: count(measured.sentences),
            broken: Texts(rules.broken(&measured).collect()),
            text: measured.text,
        }
    }
}

impl Cell for C4Row {
    type Column = StructOf<Self>;

    fn append_to(self, column: &mut Self::Column) {
        column.append(Some(self));
    }
}

fn quality_c4(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let rules = C4Rules::default();
    let mut rows = StructOf::<C4Row>::default();
    for text in texts(&args[0]) {
        rows.append(text.map(|text| C4Row::of(c4(text, &rules), &rules)));
    }
    Ok(rows.finish()?)
}

row! {
    /// The measures of all rule sets.
    struct QualityRow<'a> {
        /// The repetition rules
        gopher_repetition: RepetitionRow<'a>,
        /// The quality rules
        gopher: GopherRow,
        /// The rules of C4
        c4: C4Row,
        /// The rules of FineWeb
        fineweb: FineWebRow,
    }
}

/// The dependencies between the rule sets.
#[derive(Clone, Copy)]
struct Pipeline {
    c4_rules: C4Rules,
    input: FineWebInput,
}

/// Parses the name of a pipeline; separate rule sets by default.
fn pipeline(name: Option<&str>) -> Result<Pipeline, String> {
    match name {
        None | Some("separate") => Ok(Pipeline {
            c4_rules: C4Rules::default(),
            input: FineWebInput::Text,
        }),
        Some("fineweb") => Ok(Pipeline {
            c4_rules: C4Rules {
                needs_punctuation: false,
                ..C4Rules::default()
            },
            input: FineWebInput::AfterC4,
        }),
        Some(other) => Err(format!(
            "unknown pipeline '{other}': expected 'separate' or 'fineweb'"
        )),
    }
}

fn quality_rules(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let Pipeline { c4_rules, input } =
        pipeline(constant(&args[1])).map_err(|error| exec_datafusion_err!("{error}"))?;
    let mut rows = StructOf::<QualityRow>::default();
    for text in texts(&args[0]) {
        let Some(text) = text else {
            rows.append_null();
            continue;
        };
        let measured = quality(text, &c4_rules, input);
        rows.append(Some(QualityRow {
            gopher_repetition: RepetitionRow::of(&measured.gopher_repetition),
            gopher: GopherRow::of(&measured.gopher),
            c4: C4Row::of(measured.c4, &c4_rules),
            fineweb: FineWebRow::of(&measured.fineweb),
        }));
    }
    Ok(rows.finish()?)
}
