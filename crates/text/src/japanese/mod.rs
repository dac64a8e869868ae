//! Splits Japanese text into words without a dictionary.
//!
//! Between any two characters of 漢字, ひらがな or カタカナ, a linear model decides whether a word ends. Its
//! features are the three characters on both sides, their pairs and groups of three, and their
//! scripts. It was trained on the short units (mode A) of Sudachi, which are close to dictionary
//! words; `benches/japanese_model.py` makes it, and docs/language.md has its accuracy. All other
//! text is split by [`crate::words`].

mod model;
mod symbols;

use std::iter::Peekable;
use std::str::Chars;

use crate::parts::range_of;
use model::{CONTEXT, Scorer, model};
pub use symbols::{Script, Symbol};

/// The words of a text in their order, as slices of it.
///
/// ```
/// let words: Vec<_> = corpus_text::japanese::words("日本語を書きました（It's 3月）。").collect();
/// let expected = ["日本", "語", "を", "書き", "まし", "た", "（", "It", "'s", "3", "月", "）", "。"];
/// assert_eq!(words, expected);
/// ```
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut words = Words {
        text,
        pieces: crate::words::words(text).peekable(),
        run: "".chars(),
        ahead: "".chars(),
        scorer: Scorer::default(),
    };
    std::iter::from_fn(move || words.next_word())
}

struct Words<'a, I: Iterator<Item = &'a str>> {
    text: &'a str,
    pieces: Peekable<I>,
    /// The remaining characters of the current run of Japanese characters.
    run: Chars<'a>,
    /// The text that the scorer has not read, [`CONTEXT`] characters after the start of `run`.
    ahead: Chars<'a>,
    scorer: Scorer,
}

impl<'a, I: Iterator<Item = &'a str>> Words<'a, I> {
    fn next_word(&mut self) -> Option<&'a str> {
        if self.run.as_str().is_empty() {
            let piece = self.pieces.next()?;
            if !is_japanese(piece) {
                return Some(piece);
            }
            self.start_run(piece);
        }
        let model = model();
        let rest = self.run.as_str();
        let mut steps = 0;
        while self.run.next().is_some() {
            steps += 1;
            if self.scorer.push(model, self.ahead.next()) > 0 {
                break;
            }
        }
        corpus_bytes::step_counter::count_steps(steps);
        Some(&rest[..rest.len() - self.run.as_str().len()])
    }

    /// Starts a run with a piece and the adjacent pieces of other Japanese scripts.
    fn start_run(&mut self, piece: &'a str) {
        let text = self.text;
        let mut run = range_of(text, piece);
        let touches = |end: usize| {
            move |next: &&'a str| is_japanese(next) && range_of(text, next).start == end
        };
        while let Some(next) = self.pieces.next_if(touches(run.end)) {
            run.end += next.len();
        }
        self.run = text[run.clone()].chars();
        self.ahead = text[run.start..].chars();
        self.scorer = Scorer::default();
        let mut before = text[..run.start].chars().rev();
        let mut context = [None; CONTEXT];
        context.fill_with(|| before.next());
        for character in context.into_iter().rev() {
            self.scorer.push(model(), character);
        }
        for _ in 0..CONTEXT {
            self.scorer.push(model(), self.ahead.next());
        }
    }
}

/// Whether the script of a piece is a Japanese one. A piece has a single script.
fn is_japanese(piece: &str) -> bool {
    piece
        .chars()
        .next()
        .is_some_and(|first| Script::of(first).is_japanese())
}

#[cfg(test)]
mod tests;
