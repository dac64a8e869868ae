//! Rolling hashes, and their minima.
//!
//! Hashes are polynomials modulo the prime 2⁶¹ − 1. Modulo a power of two, there are known texts of
//! two letters that collide for every base.

use std::collections::VecDeque;

use crate::hash::mix;

const PRIME: u64 = (1 << 61) - 1;

/// The bases of the polynomials, one for each half of a hash.
const BASES: [u64; 2] = [0x1e37_79b9_7f4a_7c15, 0x02b2_ae3d_27d4_eb4f];

/// The values of a word or character in the two halves of a hash, below [`PRIME`].
pub(super) type Value = [u64; 2];

/// Reduces a number modulo the prime.
pub(super) fn reduce(value: u64) -> u64 {
    value % PRIME
}

fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let (low, high) = (product as u64 & PRIME, (product >> 61) as u64);
    subtract_once(low + high)
}

fn add(a: u64, b: u64) -> u64 {
    subtract_once(a + b)
}

fn subtract_once(value: u64) -> u64 {
    if value >= PRIME { value - PRIME } else { value }
}

/// Computes the polynomial v₁·Bⁿ⁻¹ + v₂·Bⁿ⁻² + … + vₙ of each sequence of `length` values from the
/// polynomial of the previous sequence.
pub(super) struct Roller<const HALVES: usize> {
    length: usize,
    /// Bⁿ of each base.
    powers: [u64; HALVES],
    hashes: [u64; HALVES],
}

impl<const HALVES: usize> Roller<HALVES> {
    pub fn new(length: usize) -> Self {
        let power = |half: usize| (0..length).fold(1, |power, _| multiply(power, BASES[half]));
        Self {
            length,
            powers: std::array::from_fn(power),
            hashes: [0; HALVES],
        }
    }

    /// Moves to the sequence that ends with the value at a place. `None` if there are too few
    /// values before it. Must be called for each place in order.
    #[inline]
    pub fn next(&mut self, values: &[Value], at: usize) -> Option<[u64; HALVES]> {
        let entering = values[at];
        let leaving = at.checked_sub(self.length).map(|at| values[at]);
        for half in 0..HALVES {
            let mut hash = add(multiply(self.hashes[half], BASES[half]), entering[half]);
            if let Some(leaving) = leaving {
                hash = add(hash, PRIME - multiply(leaving[half], self.powers[half]));
            }
            self.hashes[half] = hash;
        }
        (at + 1 >= self.length).then_some(self.hashes)
    }
}

/// Returns a hash of 64 bits, uniformly distributed for any text.
pub(super) fn narrow([hash]: [u64; 1]) -> u64 {
    mix(hash)
}

/// A hash of 128 bits.
pub(super) fn wide([high, low]: [u64; 2]) -> u128 {
    u128::from(mix(high)) << 64 | u128::from(mix(low))
}

/// A hash and the number of hashes before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub position: usize,
    pub hash: u64,
}

/// The smallest of the last hashes.
pub(super) struct Minima {
    width: usize,
    pushed: usize,
    /// The hashes that are smaller than all later ones, in order.
    candidates: VecDeque<Placed>,
}

impl Minima {
    pub fn new(width: usize) -> Self {
        Self {
            width,
            pushed: 0,
            candidates: VecDeque::new(),
        }
    }

    /// Adds a hash and returns the smallest of the last `width` hashes; if several are equal, the
    /// last of them. `None` until there are `width` hashes.
    #[inline]
    pub fn push(&mut self, hash: u64) -> Option<Placed> {
        while self
            .candidates
            .pop_back_if(|last| last.hash >= hash)
            .is_some()
        {}
        let position = self.pushed;
        self.candidates.push_back(Placed { position, hash });
        self.pushed += 1;
        let first = self.pushed.checked_sub(self.width)?;
        while self
            .candidates
            .pop_front_if(|smallest| smallest.position < first)
            .is_some()
        {}
        self.candidates.front().copied()
    }
}
