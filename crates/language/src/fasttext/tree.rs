//! The binary tree of hierarchical softmax: labels are leaves, and every other node chooses a child
//! by a sigmoid.

use corpus_bytes::step_counter::count_steps;

use super::best::{BestNodes, ScoredNode, logarithm};
use super::dictionary::{Label, MAX_COUNT};

pub(super) struct Tree {
    labels: usize,
    /// The left and right child of each node that is not a leaf.
    children: Vec<[u32; 2]>,
}

impl Tree {
    /// The Huffman tree of labels that are sorted by their counts, the most frequent first.
    pub fn new(labels: &[Label]) -> Result<Self, &'static str> {
        let mut counts: Vec<i64> = labels.iter().map(|label| label.count).collect();
        let mut children = Vec::with_capacity(labels.len() - 1);
        let mut leaves = labels.len();
        let mut next = labels.len();
        for node in labels.len()..2 * labels.len() - 1 {
            let mut lowest = || {
                let inner = counts.get(next).copied().unwrap_or(MAX_COUNT);
                if leaves > 0 && counts[leaves - 1] < inner {
                    leaves -= 1;
                    leaves
                } else {
                    next += 1;
                    next - 1
                }
            };
            let pair = [lowest(), lowest()];
            if pair[0].max(pair[1]) >= node {
                return Err("the counts of the labels do not form a tree");
            }
            counts.push(counts[pair[0]].saturating_add(counts[pair[1]]));
            children.push(pair.map(|child| child as u32));
        }
        Ok(Self {
            labels: labels.len(),
            children,
        })
    }

    /// Visits all leaves with a sufficient probability, left before right.
    pub fn best(
        &self,
        wanted: usize,
        threshold: f32,
        best: &mut BestNodes,
        sum: impl Fn(usize) -> f32,
    ) {
        let lowest = logarithm(threshold);
        let mut pending = vec![(self.labels + self.children.len() - 1, 0.0)];
        while let Some((node, score)) = pending.pop() {
            count_steps(1);
            if score < lowest || best.worst(wanted).is_some_and(|worst| score < worst.score) {
                continue;
            }
            let Some(inner) = node.checked_sub(self.labels) else {
                let entry = ScoredNode {
                    score,
                    probability: score.exp(),
                    label: node as u32,
                };
                best.push(entry, wanted);
                continue;
            };
            let right = (1.0 / (1.0 + f64::from((-sum(inner)).exp()))) as f32;
            let left = (1.0 - f64::from(right)) as f32;
            let children = self.children[inner].map(|child| child as usize);
            pending.push((children[1], score + logarithm(right)));
            pending.push((children[0], score + logarithm(left)));
        }
    }
}
