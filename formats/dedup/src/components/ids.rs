//! Numbers for ids: each different id gets the next number, from 0.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::union_find::push;
use crate::hash::mix;

/// The ids of one type, by their numbers.
pub trait Ids: Default {
    type Id<'a>: Copy + Ord
    where
        Self: 'a;

    /// Returns the number of an id that has one.
    fn find(&self, id: Self::Id<'_>) -> Option<u32>;

    /// Appends a new id. Its number is that of the ids before, which must fit.
    fn add(&mut self, id: Self::Id<'_>);

    /// Returns the id with a number.
    fn id(&self, number: u32) -> Self::Id<'_>;

    /// The number of bytes allocated.
    fn memory(&self) -> usize;

    /// Frees the memory that only [`Self::find`] needs.
    fn freeze(&mut self);
}

/// Finds the numbers of ids by their hashes. The seed is random, so that nobody can choose ids that
/// collide; the numbers do not depend on it.
#[derive(Debug)]
struct Numbers {
    table: HashTable<u32>,
    seed: u64,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            table: HashTable::new(),
            seed: RandomState::new().hash_one(0),
        }
    }
}

impl Numbers {
    fn memory(&self) -> usize {
        self.table.allocation_size()
    }
}

/// Ids that are integers. One takes 8 bytes, and 6 to 12 in a hash table.
#[derive(Debug, Default)]
pub struct IntegerIds {
    ids: Vec<i64>,
    numbers: Numbers,
}

impl IntegerIds {
    #[inline]
    fn hash(id: i64, seed: u64) -> u64 {
        mix(id.cast_unsigned() ^ seed)
    }
}

impl Ids for IntegerIds {
    type Id<'a> = i64;

    #[inline]
    fn find(&self, id: i64) -> Option<u32> {
        let is_same = |&number: &u32| self.ids[number as usize] == id;
        let hash = Self::hash(id, self.numbers.seed);
        self.numbers.table.find(hash, is_same).copied()
    }

    fn add(&mut self, id: i64) {
        let Numbers { table, seed } = &mut self.numbers;
        let number = self.ids.len() as u32;
        push(&mut self.ids, id);
        table.insert_unique(Self::hash(id, *seed), number, |&number| {
            Self::hash(self.ids[number as usize], *seed)
        });
    }

    fn id(&self, number: u32) -> i64 {
        self.ids[number as usize]
    }

    fn memory(&self) -> usize {
        self.ids.capacity() * size_of::<i64>() + self.numbers.memory()
    }

    fn freeze(&mut self) {
        self.numbers = Numbers::default();
    }
}

/// Ids that are texts, ordered by their UTF-8 bytes. One takes its bytes, 8 more, and 6 to 12 in a
/// hash table.
#[derive(Debug, Default)]
pub struct TextIds {
    /// All ids, one after the other.
    text: String,
    /// Where each id ends.
    ends: Vec<usize>,
    numbers: Numbers,
}

impl TextIds {
    #[inline]
    fn hash(id: &str, seed: u64) -> u64 {
        xxh3_64_with_seed(id.as_bytes(), seed)
    }

    fn slice<'a>(text: &'a str, ends: &[usize], number: u32) -> &'a str {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| ends[before]);
        &text[start..ends[number]]
    }
}

impl Ids for TextIds {
    type Id<'a> = &'a str;

    #[inline]
    fn find(&self, id: &str) -> Option<u32> {
        let is_same = |&number: &u32| self.id(number) == id;
        let hash = Self::hash(id, self.numbers.seed);
        self.numbers.table.find(hash, is_same).copied()
    }

    fn add(&mut self, id: &str) {
        let Self {
            text,
            ends,
            numbers: Numbers { table, seed },
        } = self;
        let number = ends.len() as u32;
        if text.capacity() - text.len() < id.len() {
            text.reserve_exact(id.len().max(text.len() / 4));
        }
        text.push_str(id);
        push(ends, text.len());
        table.insert_unique(Self::hash(id, *seed), number, |&number| {
            Self::hash(Self::slice(text, ends, number), *seed)
        });
    }

    fn id(&self, number: u32) -> &str {
        Self::slice(&self.text, &self.ends, number)
    }

    fn memory(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<usize>() + self.numbers.memory()
    }

    fn freeze(&mut self) {
        self.numbers = Numbers::default();
    }
}
