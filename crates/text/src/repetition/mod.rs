//! How much of a text repeats itself: lines, paragraphs and sequences of words, as in table A1 of
//! the Gopher paper (Rae et al. 2021), with the exact counts that datatrove computes.

mod lines;
mod ngrams;

pub use lines::{Duplicates, line_duplicates, paragraph_duplicates};
pub(crate) use ngrams::NgramCounter;
pub use ngrams::{
    CHARACTERS_PER_WORD, DUPLICATE_SIZES, NgramCounts, TOP_SIZES, count_character_ngrams,
    count_ngrams,
};
