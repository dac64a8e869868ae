//! Maps n-grams to rows: the hash selects a bucket, and each bucket has a row. In pruned models,
//! only some buckets have one.

use std::collections::HashMap;
use std::io::BufRead;

use super::error::ModelError;
use super::input::Input;

/// Maximum number of buckets for which a bit set marks the kept ones.
const MAX_BIT_SET_BUCKETS: u32 = 1 << 26;

pub(super) struct Buckets {
    count: u32,
    /// The upper 64 bits of 2^128 / count, which turns remainders into multiplications.
    reciprocal: u64,
    /// The number of rows of words and n-grams.
    pub end_row: u64,
    pub kept: KeptBuckets,
}

pub(super) enum KeptBuckets {
    All(Every),
    WordRowsOnly(WordRowsOnly),
    /// The usual case of pruned models.
    InBitSet(BitSet),
    /// A map, for small files that declare too many buckets for a bit set.
    InMap(Map),
}

impl Buckets {
    pub fn all(count: u32, words: u32) -> Self {
        Self {
            count,
            reciprocal: match count {
                0 => 0,
                _ => (u64::MAX / u64::from(count)).wrapping_add(1),
            },
            end_row: u64::from(words) + u64::from(count),
            kept: match count {
                0 => KeptBuckets::WordRowsOnly(WordRowsOnly),
                _ => KeptBuckets::All(Every { words }),
            },
        }
    }

    /// Reads the buckets that have a row, and their rows.
    pub fn read_pruned<R: BufRead>(
        input: &mut Input<R>,
        count: u32,
        words: u32,
        pairs: u64,
    ) -> Result<Self, ModelError> {
        let expected = input.expect("the list of kept n-grams", pairs, 8)?;
        let mut rows = HashMap::with_capacity(expected);
        for _ in 0..pairs {
            let bucket = input.count("a kept n-gram")?;
            let row = input.count("a kept n-gram")?;
            if bucket >= count || u64::from(row) >= pairs {
                return Err(input.garbled_error(format_args!(
                    "n-gram {bucket} of {count} has row {row} of {pairs}"
                )));
            }
            rows.insert(bucket, words + row);
        }
        let kept = if pairs == 0 {
            KeptBuckets::WordRowsOnly(WordRowsOnly)
        } else if count <= MAX_BIT_SET_BUCKETS {
            KeptBuckets::InBitSet(BitSet::new(count, rows))
        } else {
            KeptBuckets::InMap(Map { rows })
        };
        Ok(Self {
            end_row: u64::from(words) + pairs,
            kept,
            ..Self::all(count, words)
        })
    }

    /// The bucket of a hash: its remainder.
    #[inline(always)]
    pub fn of(&self, hash: u32) -> u32 {
        let low = self.reciprocal.wrapping_mul(u64::from(hash));
        ((u128::from(low) * u128::from(self.count)) >> 64) as u32
    }

    /// Like [`Self::of`], for the hash of several words.
    #[inline]
    pub fn of_long(&self, hash: u64) -> u32 {
        (hash % u64::from(self.count.max(1))) as u32
    }
}

/// The rows of a text's words and n-grams, to be summed.
pub(super) struct RowIds {
    ids: [u32; CAPACITY],
    length: usize,
}

/// A power of two, so that the index of the next place needs no bounds check.
const CAPACITY: usize = 1024;

impl RowIds {
    pub fn new() -> Self {
        Self {
            ids: [0; CAPACITY],
            length: 0,
        }
    }

    /// Whether `count` more ids might not fit.
    #[inline(always)]
    pub fn is_full(&self, count: usize) -> bool {
        self.length + count > CAPACITY
    }

    /// Adds an id if it is kept. There is no branch, because half of all n-grams are kept.
    #[inline(always)]
    fn push_if(&mut self, id: u32, kept: bool) {
        self.ids[self.length & (CAPACITY - 1)] = id;
        self.length += usize::from(kept);
    }

    /// Returns the pushed rows, and removes them.
    #[inline]
    pub fn take(&mut self, lookup: impl Lookup) -> &[u32] {
        let ids = &mut self.ids[..std::mem::take(&mut self.length)];
        lookup.resolve(ids);
        ids
    }
}

/// A way to find the rows of buckets.
pub(super) trait Lookup: Copy {
    /// Whether there are rows to find.
    const ANY: bool = true;

    /// Pushes the row of a word.
    fn push_row(self, row: u32, ids: &mut RowIds);
    /// Pushes the row of a bucket, if it has one.
    fn push_bucket(self, bucket: u32, ids: &mut RowIds);
    /// Replaces the pushed ids by rows.
    fn resolve(self, _ids: &mut [u32]) {}
}

#[derive(Clone, Copy)]
pub(super) struct Every {
    words: u32,
}

impl Lookup for Every {
    #[inline(always)]
    fn push_row(self, row: u32, ids: &mut RowIds) {
        ids.push_if(row, true);
    }

    #[inline(always)]
    fn push_bucket(self, bucket: u32, ids: &mut RowIds) {
        ids.push_if(self.words + bucket, true);
    }
}

/// The buckets of a model in which only words have rows.
#[derive(Clone, Copy)]
pub(super) struct WordRowsOnly;

impl Lookup for WordRowsOnly {
    const ANY: bool = false;

    #[inline(always)]
    fn push_row(self, row: u32, ids: &mut RowIds) {
        ids.push_if(row, true);
    }

    fn push_bucket(self, _bucket: u32, _ids: &mut RowIds) {}
}

pub(super) struct Map {
    rows: HashMap<u32, u32>,
}

impl Lookup for &Map {
    fn push_row(self, row: u32, ids: &mut RowIds) {
        ids.push_if(row, true);
    }

    fn push_bucket(self, bucket: u32, ids: &mut RowIds) {
        if let Some(row) = self.rows.get(&bucket) {
            ids.push_if(*row, true);
        }
    }
}

/// The kept buckets as bits. Rows are looked up later, and only for kept buckets.
pub(super) struct BitSet {
    blocks: Vec<Block>,
    /// The rows of kept buckets, in the order of the buckets.
    rows: Vec<u32>,
}

/// 64 buckets: a bit for each kept bucket, and the number of kept buckets in all earlier blocks.
#[derive(Clone, Copy, Default)]
struct Block {
    bits: u64,
    before: u32,
}

/// Marks an id that is already a row, not a bucket. The numbers of buckets are below it.
const IS_ROW: u32 = 1 << 31;

impl BitSet {
    fn new(count: u32, rows: HashMap<u32, u32>) -> Self {
        let mut pairs: Vec<_> = rows.into_iter().collect();
        pairs.sort_unstable();
        let mut blocks = vec![Block::default(); count as usize / 64 + 1];
        for (bucket, _) in &pairs {
            blocks[*bucket as usize / 64].bits |= 1 << (bucket % 64);
        }
        let mut before = 0;
        for block in &mut blocks {
            block.before = before;
            before += block.bits.count_ones();
        }
        Self {
            blocks,
            rows: pairs.into_iter().map(|(_, row)| row).collect(),
        }
    }
}

impl Lookup for &BitSet {
    #[inline(always)]
    fn push_row(self, row: u32, ids: &mut RowIds) {
        ids.push_if(row | IS_ROW, true);
    }

    #[inline(always)]
    fn push_bucket(self, bucket: u32, ids: &mut RowIds) {
        let block = &self.blocks[bucket as usize / 64];
        ids.push_if(bucket, block.bits >> (bucket % 64) & 1 == 1);
    }

    #[inline]
    fn resolve(self, ids: &mut [u32]) {
        for id in ids {
            *id = if *id & IS_ROW != 0 {
                *id & !IS_ROW
            } else {
                let block = self.blocks[*id as usize / 64];
                let lower = block.bits & ((1 << (*id % 64)) - 1);
                self.rows[(block.before + lower.count_ones()) as usize]
            };
        }
    }
}
