//! From the vector of a text to the probabilities of labels.

use super::arguments::Loss;
use super::best::{Best, Scored, logarithm};
use super::dictionary::Label;
use super::matrix::{MAX_UNPACKED_VALUES, Matrix};
use super::tree::Tree;

/// Sigmoids are taken from a table between these arguments.
const MAX_SIGMOID: f32 = 8.0;
const SIGMOIDS: usize = 512;

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
    /// All labels' weights of a dimension side by side: sums of many labels grow in parallel, each in
    /// the order of dimensions.
    Columns(Vec<f32>),
}

impl Output {
    /// Fails with what is wrong with the labels' counts.
    pub fn new(matrix: Matrix, loss: Loss, labels: &[Label]) -> Result<Self, &'static str> {
        let kind = match loss {
            Loss::Softmax => Kind::Softmax,
            Loss::Sigmoid => Kind::Sigmoid(sigmoid_table()),
            Loss::HierarchicalSoftmax => Kind::Tree(Tree::new(labels)?),
        };
        let weights = match (matrix, &kind) {
            (Matrix::Dense(matrix), Kind::Softmax | Kind::Sigmoid(_))
                if matrix.values.len() as u64 <= MAX_UNPACKED_VALUES =>
            {
                let column = |column| (0..labels.len()).map(move |row| (row, column));
                let cells = (0..matrix.columns).flat_map(column);
                Weights::Columns(cells.map(|(row, column)| matrix.row(row)[column]).collect())
            }
            (matrix, _) => Weights::Rows(matrix),
        };
        Ok(Self {
            weights,
            kind,
            labels: labels.len(),
        })
    }

    /// Fills `best` with at most `wanted` labels whose probability reaches the threshold.
    pub fn best(
        &self,
        hidden: &[f32],
        wanted: usize,
        threshold: f32,
        outputs: &mut Vec<f32>,
        best: &mut Best,
    ) {
        best.clear();
        if let (Kind::Tree(tree), Weights::Rows(matrix)) = (&self.kind, &self.weights) {
            tree.best(wanted, threshold, best, |node| matrix.dot_row(node, hidden));
            return;
        }
        self.sums(hidden, outputs);
        match &self.kind {
            Kind::Sigmoid(table) => {
                for output in outputs.iter_mut() {
                    *output = sigmoid(table, *output);
                }
            }
            _ => softmax(outputs),
        }
        for (label, probability) in outputs.iter().copied().enumerate() {
            if probability < threshold {
                continue;
            }
            let worst = best.worst(wanted);
            // Logarithms take long; this much below the worst, rounding cannot make them equal.
            if worst.is_some_and(|worst| {
                probability + 2e-6 * (worst.probability + 1e-5) < worst.probability
            }) {
                continue;
            }
            let score = logarithm(probability);
            if worst.is_none_or(|worst| score >= worst.score) {
                let label = label as u32;
                let entry = Scored {
                    score,
                    probability,
                    label,
                };
                best.push(entry, wanted);
            }
        }
    }

    fn sums(&self, hidden: &[f32], outputs: &mut Vec<f32>) {
        outputs.clear();
        match &self.weights {
            Weights::Rows(matrix) => {
                outputs.extend((0..self.labels).map(|label| matrix.dot_row(label, hidden)));
            }
            Weights::Columns(columns) => {
                outputs.resize(self.labels, 0.0);
                for (column, value) in columns.chunks_exact(self.labels).zip(hidden) {
                    for (output, weight) in outputs.iter_mut().zip(column) {
                        *output += weight * value;
                    }
                }
            }
        }
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
