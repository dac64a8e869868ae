//! Models and their predictions.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::arguments::{self, Arguments};
use super::best::BestNodes;
use super::buckets::{KeptBuckets, Lookup, RowIds};
use super::dictionary::Dictionary;
use super::error::ModelError;
use super::features::{FeatureBuffers, Features};
use super::input::Input;
use super::matrix::Matrix;
use super::output::Output;

const READ_BYTES: usize = 1 << 20;

/// A supervised model. It never changes, so threads can share it.
///
/// The whole model is read into memory. Mapping the file would need unsafe code, and a file that
/// changes while it is mapped would crash the program.
pub struct Model {
    /// A number that differs for each model of the process.
    number: u64,
    arguments: Arguments,
    dictionary: Dictionary,
    input: Matrix,
    output: Output,
}

/// A label with its probability.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Prediction<'a> {
    /// The label as it is in the model, such as `__label__en`.
    pub label: &'a str,
    /// The probability as fastText reports it. fastText adds 0.00001 to each probability, or in
    /// hierarchical softmax to each decision on the way to a label. The probability of a certain
    /// label is therefore slightly above 1.
    pub probability: f32,
}

/// Buffers of [`Model::predict_with`], to be reused for many texts.
#[derive(Debug, Default)]
pub struct Scratch {
    buffers: FeatureBuffers,
    hidden: Vec<f32>,
    outputs: Vec<f32>,
    best: BestNodes,
}

impl Model {
    /// Reads a model from a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ModelError> {
        let path = path.as_ref();
        let cannot = |error| ModelError::new(format!("cannot read the model: {error}"));
        let open = || {
            let file = File::open(path).map_err(cannot)?;
            let metadata = file.metadata().map_err(cannot)?;
            if !metadata.is_file() {
                return Err(ModelError::new(
                    "not a file; expected a .bin or .ftz file of a supervised fastText model",
                ));
            }
            Self::from_reader(BufReader::with_capacity(READ_BYTES, file), metadata.len())
        };
        open().map_err(|error| error.of_file(path))
    }

    /// Reads a model from memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        Self::from_reader(bytes, bytes.len() as u64)
    }

    /// Reads a model of `length` bytes. Declared sizes beyond the length are errors.
    pub fn from_reader(reader: impl BufRead, length: u64) -> Result<Self, ModelError> {
        let input = &mut Input::new(reader, length);
        let arguments = arguments::read(input)?;
        let dictionary = Dictionary::read(input, &arguments)?;
        let dimension = arguments.dimension;

        let quantized = input.flag("the flag of quantization")?;
        let needed_rows = dictionary.buckets.end_row;
        let input_matrix = Matrix::read(input, "the input matrix", quantized, dimension, |rows| {
            rows >= needed_rows
        })?;
        let output_quantized = input.flag("the flag of the quantized output")?;
        let labels = dictionary.labels.len() as u64;
        let output_matrix = Matrix::read(
            input,
            "the output matrix",
            quantized && output_quantized,
            dimension,
            |rows| rows == labels,
        )?;
        static MODELS: AtomicU64 = AtomicU64::new(1);
        let (input_matrix, output) = Output::new(
            input_matrix,
            output_matrix,
            arguments.loss,
            &dictionary.labels,
        )
        .map_err(|problem| input.garbled_error(problem))?;
        Ok(Self {
            number: MODELS.fetch_add(1, Ordering::Relaxed),
            input: input_matrix.unpack(),
            arguments,
            dictionary,
            output,
        })
    }

    /// All labels, in the order of the model.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = &str> {
        self.dictionary
            .labels
            .iter()
            .map(|label| label.name.as_str())
    }

    /// The number of values that represent a text.
    pub fn dimension(&self) -> usize {
        self.arguments.dimension as usize
    }

    /// The `k` likeliest labels of a text whose probabilities reach the threshold, the likeliest
    /// first.
    ///
    /// The text is one line: line feeds in it are spaces, as in Python programs that replace them
    /// because the library refuses them. Like the library, this stops at a word `</s>` and leaves
    /// out words that start with `__label__`. A text without any known words and n-grams has no
    /// labels.
    pub fn predict(&self, text: &str, k: usize, threshold: f32) -> Vec<Prediction<'_>> {
        self.predict_with(&mut Scratch::default(), text, k, threshold)
    }

    /// Like [`Self::predict`], with the buffers of an earlier text.
    pub fn predict_with(
        &self,
        scratch: &mut Scratch,
        text: &str,
        k: usize,
        threshold: f32,
    ) -> Vec<Prediction<'_>> {
        if k == 0 || !self.embed(scratch, text, false) {
            return Vec::new();
        }
        if !self.find_best(scratch, k, threshold) {
            self.embed(scratch, text, true);
            self.find_best(scratch, k, threshold);
        }
        let sorted = scratch.best.sort().iter().map(|scored| Prediction {
            label: &self.dictionary.labels[scored.label as usize].name,
            probability: scored.score.exp(),
        });
        sorted.collect()
    }

    /// Finds the best labels. Returns `false` if the result depends on rounding.
    fn find_best(&self, scratch: &mut Scratch, k: usize, threshold: f32) -> bool {
        let Scratch {
            hidden,
            outputs,
            best,
            ..
        } = scratch;
        self.output.best(hidden, k, threshold, outputs, best)
    }

    /// Computes the vector of a text. Returns `false` if it has neither known words nor n-grams.
    fn embed(&self, scratch: &mut Scratch, text: &str, is_exact: bool) -> bool {
        match &self.dictionary.buckets.kept {
            KeptBuckets::All(every) => self.sum(*every, scratch, text, is_exact),
            KeptBuckets::WordRowsOnly(nothing) => self.sum(*nothing, scratch, text, is_exact),
            KeptBuckets::InBitSet(set) => self.sum(set, scratch, text, is_exact),
            KeptBuckets::InMap(map) => self.sum(map, scratch, text, is_exact),
        }
    }

    fn sum(&self, lookup: impl Lookup, scratch: &mut Scratch, text: &str, is_exact: bool) -> bool {
        let columns = self.input.columns();
        let hidden = &mut scratch.hidden;
        hidden.clear();
        hidden.resize(columns, 0.0);
        if self.arguments.max_chars > 0 {
            let rows = self.input.rows();
            scratch.buffers.words.start(self.number, rows, columns);
        }
        let mut features = Features {
            arguments: &self.arguments,
            dictionary: &self.dictionary,
            input: &self.input,
            lookup,
            buffers: &mut scratch.buffers,
            ids: &mut RowIds::new(),
            is_exact,
            sum: hidden,
            count: 0,
        };
        features.of_text(text.as_bytes());
        let count = features.count;
        scratch.buffers.shrink();
        let factor = (1.0 / count as f64) as f32;
        for value in hidden.iter_mut() {
            *value *= factor;
        }
        count > 0
    }
}
