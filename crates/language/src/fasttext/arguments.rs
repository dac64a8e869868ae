//! The header of a model file: the parameters of the training.

use std::io::BufRead;

use super::error::ModelError;
use super::input::Input;

const MAGIC: i32 = 793_712_314;
const NEWEST_VERSION: i32 = 12;
/// The last version whose supervised models have no character n-grams, regardless of `maxn`.
const VERSION_WITHOUT_SUBWORDS: i32 = 11;

/// Maximum length of n-grams. The work per byte grows with it; real models use far shorter n-grams.
const MAX_NGRAM: u32 = 64;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Loss {
    HierarchicalSoftmax,
    Softmax,
    /// One sigmoid per label: trained one against all, or by negative sampling.
    Sigmoid,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Arguments {
    pub dimension: u32,
    /// The longest sequence of words that has a row; 1 for words alone.
    pub word_ngrams: u32,
    pub loss: Loss,
    /// The number of rows that n-grams share.
    pub bucket: u32,
    /// The lengths of character n-grams; `max_chars` is 0 if there are none.
    pub min_chars: u32,
    pub max_chars: u32,
}

pub(super) fn read<R: BufRead>(input: &mut Input<R>) -> Result<Arguments, ModelError> {
    if input.remaining() == 0 {
        return Err(ModelError::new(
            "the model is empty; copy or download it again",
        ));
    }
    let magic = input.i32("the head")?;
    if magic != MAGIC {
        return Err(ModelError::new(format!(
            "not a fastText model{}; expected a .bin or .ftz file of a supervised model",
            hint(magic.to_le_bytes())
        )));
    }
    let version = input.i32("the head")?;
    if !(VERSION_WITHOUT_SUBWORDS..=NEWEST_VERSION).contains(&version) {
        return Err(ModelError::at(
            4,
            format!(
                "the model has version {version}, expected {VERSION_WITHOUT_SUBWORDS} or \
                 {NEWEST_VERSION}; save it with fastText 0.9"
            ),
        ));
    }
    let dimension = input.count("the dimension")?;
    let _window = input.i32("the head")?;
    let _epochs = input.i32("the head")?;
    let _min_count = input.i32("the head")?;
    let _negatives = input.i32("the head")?;
    let word_ngrams = input.i32("wordNgrams")?;
    let loss = input.i32("the loss")?;
    let model = input.i32("the kind of model")?;
    let bucket = input.count("bucket")?;
    let min_chars = input.i32("minn")?;
    let max_chars = input.i32("maxn")?;
    let _update_rate = input.i32("the head")?;
    let _threshold = input.f64("the head")?;

    match model {
        3 => {}
        1 | 2 => {
            return Err(ModelError::new(
                "the model has word vectors but no labels; expected a supervised model",
            ));
        }
        other => return Err(input.garbled_error(format_args!("the kind of model is {other}"))),
    }
    let loss = match loss {
        1 => Loss::HierarchicalSoftmax,
        2 | 4 => Loss::Sigmoid,
        3 => Loss::Softmax,
        other => return Err(input.garbled_error(format_args!("the loss is {other}"))),
    };
    if dimension == 0 {
        return Err(input.garbled_error("the dimension is 0"));
    }
    // Negative lengths switch n-grams off.
    let [word_ngrams, min_chars, max_chars] =
        [word_ngrams, min_chars, max_chars].map(|value| u32::try_from(value).unwrap_or(0));
    if word_ngrams.max(max_chars) > MAX_NGRAM {
        return Err(input.garbled_error(format_args!(
            "wordNgrams is {word_ngrams} and maxn is {max_chars}, expected at most {MAX_NGRAM}"
        )));
    }
    Ok(Arguments {
        dimension,
        word_ngrams: word_ngrams.max(1),
        loss,
        bucket,
        min_chars,
        max_chars: if version == VERSION_WITHOUT_SUBWORDS {
            0
        } else {
            max_chars
        },
    })
}

/// Describes a file that is not a model, if its first bytes show what it is.
fn hint(start: [u8; 4]) -> &'static str {
    match start {
        [0x1f, 0x8b, ..] => " but a gzip file: decompress it first",
        [b'P', b'K', 3, 4] => " but a zip file: unpack it first",
        [0x28, 0xb5, 0x2f, 0xfd] => " but a zstd file: decompress it first",
        [b'<', ..] => " but HTML or XML, such as the error page of a download",
        [b'v', b'e', b'r', b's'] => " but a pointer of Git LFS: fetch the file itself",
        _ => "",
    }
}
