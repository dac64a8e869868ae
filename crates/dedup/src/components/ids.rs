//! Assigns consecutive numbers, from 0, to different ids.

use std::hash::{BuildHasher, RandomState};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::table::Table;
use super::union_find::push;
use crate::hash::mix;

/// A collection of ids of one type, by their numbers.
pub trait Ids: Default {
    type Id<'a>: Copy + Ord
    where
        Self: 'a;

    /// Returns the number of an id, if it has one.
    fn find(&self, id: Self::Id<'_>) -> Option<u32>;

    /// Passes the result of [`Self::find`] for each id of a chunk to `emit`, faster.
    fn find_all(&self, ids: &[Self::Id<'_>], emit: impl FnMut(Option<u32>));

    /// Appends a new id. Its number is the number of earlier ids, which must fit.
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
    table: Table,
    seed: u64,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            table: Table::default(),
            seed: RandomState::new().hash_one(0),
        }
    }
}

/// Ids that are integers. One takes 8 bytes, and 5 to 11 in a hash table.
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
        let Numbers { table, seed } = &self.numbers;
        table.find(Self::hash(id, *seed), |number| self.id(number) == id)
    }

    fn find_all(&self, ids: &[i64], emit: impl FnMut(Option<u32>)) {
        let Numbers { table, seed } = &self.numbers;
        let is_same = |number, id| self.id(number) == id;
        table.find_all(ids, |id| Self::hash(id, *seed), is_same, emit);
    }

    fn add(&mut self, id: i64) {
        let Numbers { table, seed } = &mut self.numbers;
        let number = self.ids.len() as u32;
        push(&mut self.ids, id);
        table.add(Self::hash(id, *seed), number, |number| {
            Self::hash(self.ids[number as usize], *seed)
        });
    }

    #[inline]
    fn id(&self, number: u32) -> i64 {
        self.ids[number as usize]
    }

    fn memory(&self) -> usize {
        self.ids.capacity() * size_of::<i64>() + self.numbers.table.memory()
    }

    fn freeze(&mut self) {
        self.numbers = Numbers::default();
    }
}

/// Ids that are texts, ordered by their UTF-8 bytes. One takes its bytes, 8 more, and 5 to 11 in a
/// hash table.
#[derive(Debug, Default)]
pub struct TextIds {
    /// All ids, one after the other.
    text: String,
    /// The end of each id.
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
        let Numbers { table, seed } = &self.numbers;
        table.find(Self::hash(id, *seed), |number| self.id(number) == id)
    }

    fn find_all(&self, ids: &[&str], emit: impl FnMut(Option<u32>)) {
        let Numbers { table, seed } = &self.numbers;
        let is_same = |number, id: &str| self.id(number) == id;
        table.find_all(ids, |id| Self::hash(id, *seed), is_same, emit);
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
        table.add(Self::hash(id, *seed), number, |number| {
            Self::hash(Self::slice(text, ends, number), *seed)
        });
    }

    fn id(&self, number: u32) -> &str {
        Self::slice(&self.text, &self.ends, number)
    }

    fn memory(&self) -> usize {
        self.text.capacity()
            + self.ends.capacity() * size_of::<usize>()
            + self.numbers.table.memory()
    }

    fn freeze(&mut self) {
        self.numbers = Numbers::default();
    }
}
