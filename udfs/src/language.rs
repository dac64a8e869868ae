//! SQL functions of languages.

use std::cell::RefCell;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::common::{Result, exec_datafusion_err};

use crate::file_cache::FileCache;
use crate::function::{Parameter, Returns, constant, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{Cell, ColumnBuilder, ListOf, Short, StructOf, row};
use corpus_language::detect::{Detection, detect, main_script};
use corpus_language::fasttext::{LABEL_PREFIX, Model, Scratch};

const SECTION: &str = "Language Functions";

row! {
    /// A language that a text may be in.
    struct AlternativeRow<'a> {
        /// The language
        language: Short<'a>,
        /// The probability, 0 to 1
        confidence: f64,
    }
}

row! {
    /// The language of a text.
    struct LanguageRow<'a> {
        /// By ISO 639-1, or ISO 639-3 if the language has no code there; the label of a model
        language: Short<'a>,
        /// The probability, 0 to 1
        confidence: f64,
        /// The main script by ISO 15924, such as 'Latn'
        script: Short<'static>,
        /// Up to three other languages, the likeliest first
        alternatives: Alternatives<'a>,
    }
}

/// The other languages of a detection.
struct Alternatives<'a>(Vec<(&'a str, f32)>);

impl Cell for Alternatives<'_> {
    type Column = ListOf<AlternativeRow<'static>>;

    fn append_to(self, column: &mut Self::Column) {
        column.append(
            self.0
                .into_iter()
                .map(|(language, confidence)| AlternativeRow {
                    language: Short(language),
                    confidence: f64::from(confidence),
                }),
        );
    }
}

impl From<Detection> for LanguageRow<'static> {
    fn from(detected: Detection) -> Self {
        Self {
            language: Short(detected.language),
            confidence: f64::from(detected.confidence),
            script: Short(detected.script),
            alternatives: Alternatives(detected.alternatives),
        }
    }
}

const TEXT: Parameter = Parameter::text("text", "The text; of long ones, parts are read.");

const TEXT_ARGUMENT: Parameter = Parameter::text("text", "The text.");

const MODEL: Parameter = Parameter::text(
    "model",
    "The path of a .bin or .ftz file, which is kept in memory.",
)
.constant(|path| model(path).map(|_| ()));

const LANGUAGE_MODEL: Parameter = Parameter::text(
    "model",
    "A fastText model whose labels are languages, such as 'lid.176.ftz'; the built-in model if empty.",
)
.optional()
.constant(|path| if path.is_empty() { Ok(()) } else { model(path).map(|_| ()) });

const K: Parameter = Parameter::integer("k", "The number of labels, 1 by default.").optional();

functions! {
    SECTION;

    /// Predicts labels as fastText does with a supervised model, such as lid.176.ftz, the likeliest
    /// first. Line ends count as spaces.
    ///
    /// > SELECT fasttext_predict('a sunny day', 'data-samples/language/mood.bin')[1]['label'];
    /// good
    fasttext_predict(TEXT_ARGUMENT, MODEL, K) -> Returns::of::<ListOf<PredictionRow>>(), costly;

    /// Detects the main language of a text, by its script and a model. NULL without letters of a
    /// known script.
    ///
    /// > SELECT language('文書を読む')['language'];
    /// ja
    language(TEXT, LANGUAGE_MODEL) -> Returns::of::<StructOf<LanguageRow>>(), costly;
}

fn language(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = StructOf::<LanguageRow>::default();
    let texts = args[0].as_string::<i64>();
    match constant(&args[1]).filter(|path| !path.is_empty()) {
        None => texts
            .iter()
            .for_each(|text| rows.append(text.and_then(detect).map(LanguageRow::from))),
        Some(path) => {
            let model = model(path).map_err(|error| exec_datafusion_err!("language: {error}"))?;
            let mut scratch = SCRATCH.take();
            for text in texts {
                rows.append(text.and_then(|text| predicted_language(&model, &mut scratch, text)));
            }
            SCRATCH.set(scratch);
        }
    }
    Ok(rows.finish()?)
}

/// The number of languages that a model is asked for: the likeliest and its alternatives.
const PREDICTED_LANGUAGES: usize = 4;

/// Returns the prediction of a model, in the form of the built-in detection.
fn predicted_language<'a>(
    model: &'a Model,
    scratch: &mut Scratch,
    text: &str,
) -> Option<LanguageRow<'a>> {
    let script = main_script(text)?;
    let mut predictions = model
        .predict_with(scratch, text, PREDICTED_LANGUAGES, 0.0)
        .into_iter()
        .map(|found| {
            (
                found.label.trim_start_matches(LABEL_PREFIX),
                found.probability,
            )
        });
    let (language, confidence) = predictions.next()?;
    Some(LanguageRow {
        language: Short(language),
        confidence: f64::from(confidence),
        script: Short(script),
        alternatives: Alternatives(predictions.collect()),
    })
}

row! {
    /// A label that a model predicts.
    struct PredictionRow<'a> {
        /// The label without its prefix `__label__`
        label: Short<'a>,
        /// Its probability as fastText reports it
        probability: f64,
    }
}

thread_local! {
    /// Caches frequent words across batches.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

fn fasttext_predict(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = ListOf::<PredictionRow>::default();
    let Some(path) = constant(&args[1]) else {
        (0..args[0].len()).for_each(|_| rows.append_null());
        return Ok(rows.finish()?);
    };
    let model = model(path).map_err(|error| exec_datafusion_err!("fasttext_predict: {error}"))?;
    let mut scratch = SCRATCH.take();
    let counts = args[2].as_primitive::<Int64Type>();
    for (text, count) in args[0].as_string::<i64>().iter().zip(counts) {
        let Some(text) = text else {
            rows.append_null();
            continue;
        };
        let count = usize::try_from(count.unwrap_or(1)).unwrap_or(0);
        let predictions = model.predict_with(&mut scratch, text, count, 0.0);
        rows.append(predictions.iter().map(|prediction| PredictionRow {
            label: Short(prediction.label.trim_start_matches(LABEL_PREFIX)),
            probability: f64::from(prediction.probability),
        }));
    }
    SCRATCH.set(scratch);
    Ok(rows.finish()?)
}

/// The models in use.
static MODELS: FileCache<Model> = FileCache::new();

/// Returns the model in a file.
fn model(path: &str) -> Result<Arc<Model>, String> {
    MODELS.get(path, |path| Model::open(path))
}
