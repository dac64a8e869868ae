//! The likeliest labels, in fastText's order.
//!
//! Sigmoids come from a table, so equal probabilities are common. Among equal labels, fastText's
//! choice depends on the heap of the C++ standard library. This heap moves its entries in the same
//! way.

/// A label or node with the logarithm of its probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ScoredNode {
    pub score: f32,
    /// The probability whose logarithm is the score, before rounding.
    pub probability: f32,
    pub label: u32,
}

/// Returns fastText's logarithm, which is also defined for 0.
#[inline]
pub(super) fn logarithm(value: f32) -> f32 {
    (f64::from(value) + 1e-5).ln() as f32
}

/// A heap with the worst entry at its root.
#[derive(Debug, Default)]
pub(super) struct BestNodes {
    entries: Vec<ScoredNode>,
}

fn is_before(left: &ScoredNode, right: &ScoredNode) -> bool {
    left.score > right.score
}

impl BestNodes {
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// The entry to drop next, if there already are `wanted` entries.
    #[inline]
    pub fn worst(&self, wanted: usize) -> Option<&ScoredNode> {
        self.entries
            .first()
            .filter(|_| self.entries.len() >= wanted)
    }

    pub fn push(&mut self, entry: ScoredNode, wanted: usize) {
        self.entries.push(entry);
        self.rise(self.entries.len() - 1, entry);
        if self.entries.len() > wanted {
            self.move_worst_to(self.entries.len() - 1);
            self.entries.pop();
        }
    }

    /// The entries, the likeliest first.
    pub fn sort(&mut self) -> &[ScoredNode] {
        for last in (1..self.entries.len()).rev() {
            self.move_worst_to(last);
        }
        &self.entries
    }

    /// Puts an entry into a hole, or above it, as its score requires (sift up).
    fn rise(&mut self, mut hole: usize, entry: ScoredNode) {
        while hole > 0 {
            let parent = (hole - 1) / 2;
            if !is_before(&self.entries[parent], &entry) {
                break;
            }
            self.entries[hole] = self.entries[parent];
            hole = parent;
        }
        self.entries[hole] = entry;
    }

    /// Moves the root to the slot after the heap, which then ends at `last`.
    fn move_worst_to(&mut self, last: usize) {
        if last == 0 {
            return;
        }
        let entry = self.entries[last];
        self.entries[last] = self.entries[0];
        let heap = &mut self.entries[..last];
        // The hole at the root sinks to a leaf, and the entry rises from there.
        let mut hole = 0;
        while 2 * hole + 1 < heap.len() {
            let (left, right) = (2 * hole + 1, 2 * hole + 2);
            let child = if right < heap.len() && !is_before(&heap[right], &heap[left]) {
                right
            } else {
                left
            };
            heap[hole] = heap[child];
            hole = child;
        }
        self.rise(hole, entry);
    }
}
