//! A plain implementation of prediction, as a reference.

use std::collections::HashMap;

use super::writer::{HIERARCHICAL, SOFTMAX, Sketch};

fn hash(text: &str) -> u32 {
    text.bytes().fold(2_166_136_261, |hash: u32, byte| {
        (hash ^ byte as i8 as u32).wrapping_mul(16_777_619)
    })
}

/// The rows of a line's words and n-grams.
pub fn rows(sketch: &Sketch, text: &str) -> Vec<usize> {
    let ngram_row = |hash: u64| {
        let bucket = hash.checked_rem(sketch.bucket as u64)? as i32;
        let row = match &sketch.pruned {
            None => bucket,
            Some(kept) => kept.iter().find(|(kept, _)| *kept == bucket)?.1,
        };
        Some(sketch.words.len() + row as usize)
    };
    let mut tokens: Vec<&str> = text
        .split([' ', '\n', '\r', '\t', '\x0b', '\x0c', '\0'])
        .filter(|token| !token.is_empty())
        .collect();
    tokens.push("</s>");
    let line = 1 + tokens.iter().position(|token| *token == "</s>").unwrap();
    let mut rows = Vec::new();
    let mut hashes = Vec::new();
    for token in &tokens[..line] {
        if token.starts_with("__label__") {
            continue;
        }
        hashes.push(hash(token) as i32 as i64 as u64);
        rows.extend(sketch.words.iter().position(|word| word == token));
        if *token == "</s>" || sketch.version == 11 {
            continue;
        }
        let marked: Vec<char> = format!("<{token}>").chars().collect();
        for start in 0..marked.len() {
            for length in 1..=sketch.max_chars as usize {
                let end = start + length;
                let is_mark = length == 1 && (start == 0 || end == marked.len());
                if end <= marked.len() && length >= sketch.min_chars as usize && !is_mark {
                    let ngram: String = marked[start..end].iter().collect();
                    rows.extend(ngram_row(hash(&ngram).into()));
                }
            }
        }
    }
    for start in 0..hashes.len() {
        let mut combined = hashes[start];
        for next in hashes[start + 1..]
            .iter()
            .take(sketch.word_ngrams as usize - 1)
        {
            combined = combined.wrapping_mul(116_049_371).wrapping_add(*next);
            rows.extend(ngram_row(combined));
        }
    }
    rows
}

/// The probability of each label; none for a text without rows.
pub fn probabilities(sketch: &Sketch, text: &str) -> Option<HashMap<String, f64>> {
    let rows = rows(sketch, text);
    let mut hidden = vec![0.0; sketch.dimension];
    for row in &rows {
        for (sum, value) in hidden.iter_mut().zip(sketch.input.row(*row)) {
            *sum += f64::from(value) / rows.len() as f64;
        }
    }
    let product = |row: usize| -> f64 {
        let weights = sketch.output.row(row).into_iter().map(f64::from);
        weights.zip(&hidden).map(|(left, right)| left * right).sum()
    };
    let sigmoid = |value: f64| 1.0 / (1.0 + (-value).exp());
    let count = sketch.labels.len();
    let probabilities: Vec<f64> = match sketch.loss {
        SOFTMAX => {
            let powers: Vec<f64> = (0..count).map(|label| product(label).exp()).collect();
            let sum: f64 = powers.iter().sum();
            powers.iter().map(|power| power / sum).collect()
        }
        HIERARCHICAL => {
            // The two rarest are joined, again and again: each with the labels in it.
            let labels = sketch.labels.iter().enumerate();
            let mut groups: Vec<_> = labels
                .map(|(label, (_, count))| (*count, vec![label]))
                .collect();
            let mut probabilities = vec![1.0; count];
            for node in 0..count - 1 {
                groups.sort_by_key(|(count, _)| -count);
                let (left, right) = (groups.pop().unwrap(), groups.pop().unwrap());
                let to_right = sigmoid(product(node));
                left.1
                    .iter()
                    .for_each(|label| probabilities[*label] *= 1.0 - to_right);
                right
                    .1
                    .iter()
                    .for_each(|label| probabilities[*label] *= to_right);
                groups.push((left.0 + right.0, [left.1, right.1].concat()));
            }
            probabilities
        }
        _ => (0..count)
            .map(|label| {
                // From a table with 512 steps between -8 and 8.
                let value = product(label).clamp(-8.0, 8.0);
                sigmoid(((value + 8.0) * 32.0).floor() / 32.0 - 8.0)
            })
            .collect(),
    };
    let names = sketch.labels.iter().map(|(name, _)| name.clone());
    (!rows.is_empty()).then(|| names.zip(probabilities).collect())
}
