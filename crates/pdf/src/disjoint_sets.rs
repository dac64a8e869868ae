//! Disjoint sets of places in a list.

/// Disjoint sets, each represented by its first member.
pub struct Sets(Vec<u32>);

impl Sets {
    /// Creates a separate set for each place.
    pub fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// Returns the first member of the set that contains a place.
    pub fn first(&mut self, mut index: usize) -> usize {
        while let Some(parent) = self.0.get(index).map(|parent| *parent as usize) {
            if parent == index {
                break;
            }
            // Path compression, for later lookups.
            if let (Some(grandparent), Some(entry)) =
                (self.0.get(parent).copied(), self.0.get_mut(index))
            {
                *entry = grandparent;
            }
            index = parent;
        }
        index
    }

    /// Joins the sets of two places.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        if let Some(entry) = self.0.get_mut(a.max(b)) {
            *entry = a.min(b) as u32;
        }
    }
}
