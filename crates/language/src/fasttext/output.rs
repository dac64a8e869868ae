//! Computes the probabilities of labels from the vector of a text.

use std::ops::Range;

use super::arguments::Loss;
use super::best::{BestNodes, ScoredNode, logarithm};
use super::dictionary::Label;
use super::matrix::{Dense, MAX_UNPACKED_VALUES, Matrix};
use super::tree::Tree;

/// Sigmoids of arguments up to this size are taken from a table.
const MAX_SIGMOID: f32 = 8.0;
const SIGMOIDS: usize = 512;
/// Within this distance of a step of the table, rounding may decide which step is used.
const STEP_MARGIN: f32 = 1e-4;

/// Maximum number of labels for which the product of the two matrices is kept instead of both.
const MAX_PRODUCT_LABELS: usize = 16;

pub(super) struct Output {
    weights: Weights,
    kind: Kind,
    labels: usize,
}

enum Kind {
    Softmax,
    Sigmoid(Vec<f32>),
    Tree(Tree),
}

enum Weights {
    Rows(Matrix),
    /// Several labels' weights of a dimension side by side: the sums of these labels grow in
    /// parallel, each in the order of dimensions.
    Tiles {
        wide: Vec<[f32; WIDE_TILE]>,
        narrow: Vec<[f32; NARROW_TILE]>,
    },
    /// The vector of a text already has the products.
    Multiplied,
}

/// The number of labels whose sums stay in registers of the CPU.
const WIDE_TILE: usize = 32;
/// The number of labels in a tile after the wide tiles.
const NARROW_TILE: usize = 8;

impl Output {
    /// Also returns the input matrix, multiplied by the output matrix if there are few labels: a
    /// sum of products is the product of the sum. An error describes invalid label counts.
    pub fn new(
        input: Matrix,
        output: Matrix,
        loss: Loss,
        labels: &[Label],
    ) -> Result<(Matrix, Self), &'static str> {
        let kind = match loss {
            Loss::Softmax => Kind::Softmax,
            Loss::Sigmoid => Kind::Sigmoid(sigmoid_table()),
            Loss::HierarchicalSoftmax => Kind::Tree(Tree::new(labels)?),
        };
        let count = labels.len();
        // Sigmoids must be rounded like those of fastText, whose table has steps.
        let has_few_labels = count <= MAX_PRODUCT_LABELS && 2 * count <= input.columns();
        let (input, weights) = match (output, &kind) {
            (output, Kind::Softmax | Kind::Tree(_)) if has_few_labels => {
                let columns = count.next_power_of_two().max(2);
                let products = input.products(&output, count, columns);
                (products, Weights::Multiplied)
            }
            (Matrix::Dense(matrix), Kind::Softmax | Kind::Sigmoid(_))
                if matrix.values.len() as u64 <= MAX_UNPACKED_VALUES =>
            {
                let narrow = count / WIDE_TILE * WIDE_TILE;
                let weights = Weights::Tiles {
                    wide: tiles(&matrix, 0..narrow),
                    narrow: tiles(&matrix, narrow..count),
                };
                (input, weights)
            }
            (matrix, _) => (input, Weights::Rows(matrix)),
        };
        let output = Self {
            weights,
            kind,
            labels: count,
        };
        Ok((input, output))
    }

    /// Fills `best` with at most `wanted` labels whose probability reaches the threshold. Returns
    /// `false` if the result depends on how `hidden` was rounded.
    pub fn best(
        &self,
        hidden: &[f32],
        wanted: usize,
        threshold: f32,
        outputs: &mut Vec<f32>,
        best: &mut BestNodes,
    ) -> bool {
        best.clear();
        if let Kind::Tree(tree) = &self.kind {
            tree.best(wanted, threshold, best, |node| match &self.weights {
                Weights::Rows(matrix) => matrix.dot_row(node, hidden),
                _ => hidden[node],
            });
            return true;
        }
        self.sums(hidden, outputs);
        let mut is_sure = true;
        if !matches!(self.kind, Kind::Sigmoid(_)) {
            softmax(outputs);
        }
        for (label, output) in outputs.iter().copied().enumerate() {
            let (probability, other) = match &self.kind {
                Kind::Sigmoid(table) => (sigmoid(table, output), other_sigmoid(table, output)),
                _ => (output, None),
            };
            let worst = best.worst(wanted);
            // Logarithms are slow. Skips probabilities so far below the worst that rounding cannot
            // make them equal.
            let is_worse = |probability| {
                probability < threshold
                    || worst.is_some_and(|worst| {
                        probability + 2e-6 * (worst.probability + 1e-5) < worst.probability
                    })
            };
            is_sure &= other.is_none_or(|other| is_worse(probability.max(other)));
            if is_worse(probability) {
                continue;
            }
            let score = logarithm(probability);
            if worst.is_none_or(|worst| score >= worst.score) {
                let label = label as u32;
                let entry = ScoredNode {
                    score,
                    probability,
                    label,
                };
                best.push(entry, wanted);
            }
        }
        is_sure
    }

    fn sums(&self, hidden: &[f32], outputs: &mut Vec<f32>) {
        outputs.clear();
        match &self.weights {
            Weights::Rows(matrix) => {
                outputs.extend((0..self.labels).map(|label| matrix.dot_row(label, hidden)));
            }
            Weights::Tiles { wide, narrow } => {
                add_products(wide, hidden, outputs);
                add_products(narrow, hidden, outputs);
                outputs.truncate(self.labels);
            }
            Weights::Multiplied => outputs.extend_from_slice(&hidden[..self.labels]),
        }
    }
}

/// Returns the weights of some labels, ordered by tile, by dimension, and by label.
fn tiles<const LABELS: usize>(matrix: &Dense, labels: Range<usize>) -> Vec<[f32; LABELS]> {
    let starts = labels.clone().step_by(LABELS);
    let cells = starts.flat_map(|start| (0..matrix.columns).map(move |column| (start, column)));
    let weights = cells.map(|(start, column)| {
        std::array::from_fn(|label| match start + label {
            label if label < labels.end => matrix.row(label)[column],
            _ => 0.0,
        })
    });
    weights.collect()
}

#[inline]
fn add_products<const LABELS: usize>(
    tiles: &[[f32; LABELS]],
    hidden: &[f32],
    outputs: &mut Vec<f32>,
) {
    for tile in tiles.chunks_exact(hidden.len()) {
        let mut sums = [0.0; LABELS];
        for (weights, value) in tile.iter().zip(hidden) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight * value;
            }
        }
        outputs.extend_from_slice(&sums);
    }
}

fn softmax(outputs: &mut [f32]) {
    let max = outputs.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for output in outputs.iter_mut() {
        *output = (*output - max).exp();
        sum += *output;
    }
    for output in outputs {
        *output /= sum;
    }
}

fn sigmoid_table() -> Vec<f32> {
    let arguments = (0..=SIGMOIDS)
        .map(|index| (index as f32 * 2.0 * MAX_SIGMOID) / SIGMOIDS as f32 - MAX_SIGMOID);
    arguments
        .map(|argument| (1.0 / (1.0 + f64::from((-argument).exp()))) as f32)
        .collect()
}

fn sigmoid(table: &[f32], argument: f32) -> f32 {
    if argument < -MAX_SIGMOID {
        0.0
    } else if argument > MAX_SIGMOID {
        1.0
    } else {
        let place = (argument + MAX_SIGMOID) * SIGMOIDS as f32 / MAX_SIGMOID / 2.0;
        table[(place as usize).min(SIGMOIDS)]
    }
}

/// Returns the sigmoid for the argument rounded the other way, if that makes a difference.
fn other_sigmoid(table: &[f32], argument: f32) -> Option<f32> {
    let value = sigmoid(table, argument);
    [argument - STEP_MARGIN, argument + STEP_MARGIN]
        .map(|argument| sigmoid(table, argument))
        .into_iter()
        .find(|other| *other != value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_near_a_step_have_another_sigmoid() {
        let table = sigmoid_table();
        for (argument, has_other) in [
            (0.01, false),
            (0.031_249, true),
            (0.031_26, true),
            (0.04, false),
            (-8.000_01, true),
            (8.000_01, true),
            (-9.0, false),
            (9.0, false),
        ] {
            let other = other_sigmoid(&table, argument);
            assert_eq!(other.is_some(), has_other, "{argument}");
            assert_ne!(other, Some(sigmoid(&table, argument)));
        }
    }
}
