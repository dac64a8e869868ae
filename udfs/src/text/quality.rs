//! The quality rules of published corpora.

use corpus_columns::{ColumnBuilder, Numbers, StructOf, Texts, row};
use corpus_text::quality::{
    C4Rules, FineWebRules, GopherRepetitionRules, GopherRules, c4, fineweb, gopher,
    gopher_repetition,
};

use super::{TEXT, TEXT_ARGUMENT, texts};
use crate::function::{Function, Returns, document};

const SECTION: &str = "Quality Functions";

fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

row! {
    /// What Gopher's quality rules measure.
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
        /// The names of the rules that the text breaks; empty if it is kept
        broken: Texts<Vec<&'static str>>,
    }
}

pub fn quality_gopher() -> Function {
    let documentation = document(
        SECTION,
        "quality_gopher(text)",
        "Applies the quality rules of Gopher (MassiveText) with the published thresholds. The names of \
         broken rules are those of datatrove.",
        "> SELECT q['words'], q['broken'] FROM (SELECT quality_gopher('Too short to keep.') AS q);
4, [gopher_short_doc, gopher_enough_stop_words]",
        &[TEXT_ARGUMENT],
    );
    let returns = Returns::of::<StructOf<GopherRow>>();
    Function::new(
        "quality_gopher",
        vec![TEXT],
        returns,
        documentation,
        |args, _| {
            let mut rows = StructOf::<GopherRow>::default();
            for text in texts(&args[0]) {
                rows.append(text.map(|text| {
                    let measured = gopher(text);
                    GopherRow {
                        words: count(measured.words),
                        mean_word_length: measured.mean_word_length,
                        hash_ratio: measured.hash_ratio,
                        ellipsis_ratio: measured.ellipsis_ratio,
                        bullet_lines: measured.bullet_lines,
                        ellipsis_lines: measured.ellipsis_lines,
                        alphabetic_words: measured.alphabetic_words,
                        stop_words: count(measured.stop_words),
                        broken: Texts(GopherRules::default().broken(&measured).collect()),
                    }
                }));
            }
            Ok(rows.finish()?)
        },
    )
    .costly()
}

row! {
    /// What Gopher's repetition rules measure.
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
        /// The share of characters in sequences of 5 to 10 words that occurred before
        duplicate_ngrams: Numbers<'a>,
        /// The names of the rules that the text breaks; empty if it is kept
        broken: Texts<Vec<&'static str>>,
    }
}

pub fn quality_gopher_repetition() -> Function {
    let documentation = document(
        SECTION,
        "quality_gopher_repetition(text)",
        "Applies the repetition rules of Gopher (table A1 of its paper): repeated paragraphs, lines and \
         sequences of words. The names of broken rules are those of datatrove.",
        "> SELECT q['duplicate_lines'], q['broken'][1]
  FROM (SELECT quality_gopher_repetition(repeat(E'again\\n', 4) || 'end') AS q);
0.6, dup_line_frac",
        &[TEXT_ARGUMENT],
    );
    let returns = Returns::of::<StructOf<RepetitionRow>>();
    let name = "quality_gopher_repetition";
    Function::new(name, vec![TEXT], returns, documentation, |args, _| {
        let mut rows = StructOf::<RepetitionRow>::default();
        for text in texts(&args[0]) {
            let measured = text.map(|text| gopher_repetition(text));
            rows.append(measured.as_ref().map(|measured| RepetitionRow {
                duplicate_paragraphs: measured.duplicate_paragraphs,
                duplicate_paragraph_characters: measured.duplicate_paragraph_characters,
                duplicate_lines: measured.duplicate_lines,
                duplicate_line_characters: measured.duplicate_line_characters,
                top_ngrams: Numbers(&measured.top_ngrams),
                duplicate_ngrams: Numbers(&measured.duplicate_ngrams),
                broken: Texts(GopherRepetitionRules::default().broken(measured).collect()),
            }));
        }
        Ok(rows.finish()?)
    })
    .costly()
}

row! {
    /// What FineWeb's rules measure.
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
        /// The names of the rules that the text breaks; empty if it is kept
        broken: Texts<Vec<&'static str>>,
    }
}

pub fn quality_fineweb() -> Function {
    let documentation = document(
        SECTION,
        "quality_fineweb(text)",
        "Applies the rules that FineWeb adds to those of Gopher and C4. The names of broken rules are \
         those of datatrove.",
        "> SELECT q['short_lines'], q['broken'] FROM (SELECT quality_fineweb(E'Home\\nAbout us') AS q);
1.0, [line_punct_ratio, short_line_ratio, list_ratio]",
        &[TEXT_ARGUMENT],
    );
    let returns = Returns::of::<StructOf<FineWebRow>>();
    Function::new(
        "quality_fineweb",
        vec![TEXT],
        returns,
        documentation,
        |args, _| {
            let mut rows = StructOf::<FineWebRow>::default();
            for text in texts(&args[0]) {
                rows.append(text.map(|text| {
                    let measured = fineweb(text);
                    FineWebRow {
                        lines: count(measured.lines),
                        punctuated_lines: measured.punctuated_lines,
                        short_lines: measured.short_lines,
                        duplicate_characters: measured.duplicate_characters,
                        newline_ratio: measured.newline_ratio,
                        broken: Texts(FineWebRules::default().broken(&measured).collect()),
                    }
                }));
            }
            Ok(rows.finish()?)
        },
    )
    .costly()
}

row! {
    /// What C4's rules leave of a text.
    struct C4Row {
        /// The lines that are kept, without citations
        text: String,
        /// All lines
        lines: i64,
        /// Lines removed for a word of more than 1,000 characters
        long_word_lines: i64,
        /// Lines removed because they do not end with punctuation or a quote
        unpunctuated_lines: i64,
        /// Lines removed because they have fewer than three words
        short_lines: i64,
        /// Lines removed because they mention JavaScript
        javascript_lines: i64,
        /// Lines removed because they are about terms of use, privacy or cookies
        policy_lines: i64,
        /// Sentences in the lines that are kept
        sentences: i64,
        /// The names of the rules that the text breaks; empty if it is kept
        broken: Texts<Vec<&'static str>>,
    }
}

pub fn quality_c4() -> Function {
    let documentation = document(
        SECTION,
        "quality_c4(text)",
        "Applies the rules of C4, which remove lines, and then texts of which too little is left. The \
         names of broken rules are those of datatrove.",
        "> SELECT q['text'], q['unpunctuated_lines'], q['broken']
  FROM (SELECT quality_c4(E'Menu\\nThis line is a sentence.') AS q);
This line is a sentence., 1, [too_few_sentences]",
        &[TEXT_ARGUMENT],
    );
    let returns = Returns::of::<StructOf<C4Row>>();
    Function::new(
        "quality_c4",
        vec![TEXT],
        returns,
        documentation,
        |args, _| {
            let rules = C4Rules::default();
            let mut rows = StructOf::<C4Row>::default();
            for text in texts(&args[0]) {
                rows.append(text.map(|text| {
                    let measured = c4(text, &rules);
                    C4Row {
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
                }));
            }
            Ok(rows.finish()?)
        },
    )
    .costly()
}
