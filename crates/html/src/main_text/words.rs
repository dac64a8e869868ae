//! Sets of words that indicate boilerplate.

/// A set of words, each identified by its index in the lists of `hints`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Words(u128);

impl Words {
    /// The number of different words.
    pub const MAX_COUNT: usize = u128::BITS as usize;
    pub const NONE: Self = Self(0);

    /// The words from `start` to `end`, exclusive.
    pub const fn range(start: usize, end: usize) -> Self {
        let mut words = Self::NONE;
        let mut index = start;
        while index < end {
            words = words.with(index);
            index += 1;
        }
        words
    }

    /// Adds a word.
    pub const fn with(self, index: usize) -> Self {
        Self(self.0 | 1 << index)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    pub const fn within(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    pub const fn is_within(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }

    pub const fn overlaps(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// The indexes of the words.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let index = rest.trailing_zeros();
            // Removes the lowest bit.
            rest &= rest.checked_sub(1)?;
            Some(index as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_iterates_over_its_indexes_in_order() {
        let words = Words::range(3, 5).with(127).with(0);
        assert_eq!(words.iter().collect::<Vec<_>>(), [0, 3, 4, 127]);
        assert_eq!(Words::NONE.iter().count(), 0);
    }
}
