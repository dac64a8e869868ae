//! Reproducible random numbers for tests.

/// A generator (xorshift64) that yields the same numbers in every run. The seed must not be 0.
pub struct Random(pub u64);

impl Random {
    /// Returns a generator for any seed. The numbers of consecutive seeds are unrelated.
    pub fn seeded(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next_u64() >> 11) as usize % limit.max(1)
    }

    pub fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| (self.next_u64() >> 24) as u8).collect()
    }
}
