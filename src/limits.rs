//! Limits derived from `--memory-limit`, mostly for memory that operators hold without counting it.

#[cfg(feature = "search")]
use corpus_search::{DEFAULT_MEMORY_BYTES, DEFAULT_MERGED_BYTES, MEMORY_BYTES};

use crate::planner::batch_size::{BatchRows, NARROW_BATCH_ROWS, WIDE_BATCH_ROWS};

/// The maximum number of bytes of a row group, which the Parquet writer holds in memory, about
/// twice at its end. Files with row groups of 64 MiB were 0.3 % smaller.
const MAX_ROW_GROUP_BYTES: usize = 16 << 20;

/// The minimum size of row groups. Smaller ones make files larger, and reading slower.
const MIN_ROW_GROUP_BYTES: usize = 8 << 20;

/// The row groups of all threads together get the memory divided by this.
const ROW_GROUPS_DIVISOR: usize = 8;

/// The maximum number of bytes that a sort reserves in each thread for merging spilled data:
/// DataFusion's default. A statement may have several sorts.
const MAX_MERGE_BYTES: usize = 10 << 20;

/// The minimum memory reserved for merging. With less, only few spilled files are merged per pass.
const MIN_MERGE_BYTES: usize = 1 << 20;

/// A merge reserves the memory that operators count, divided by this and by the number of threads.
const MERGE_DIVISOR: usize = 16;

/// The minimum batch sizes. With fewer rows, the overhead per batch becomes noticeable.
const MIN_BATCH_ROWS: BatchRows = BatchRows {
    wide: 32,
    narrow: 512,
};

/// A thread needs this much memory per row of a batch of documents, for the row and the values
/// computed from it.
const BYTES_PER_WIDE_ROW: usize = 4 << 20;

/// A merge opens at most one spilled file per this much memory of a thread. Without a limit, it
/// would take memory for as many files as possible. Later merges, such as that of the other side of
/// a join, would find none.
const BYTES_PER_MERGED_FILE: usize = 8 << 20;

/// The minimum number of files per pass of a merge. With fewer, many passes are needed.
const MIN_MERGED_FILES: usize = 8;

/// A thread needs this much memory per row of a batch of numbers, because merging holds some
/// batches of each spilled file. With 8,192 rows and a limit of 200 MB, aggregating 90 million
/// numbers took twice the limit.
const BYTES_PER_NARROW_ROW: usize = 64 << 10;

/// Each thread's part of a search index gets the memory of the thread divided by this.
#[cfg(feature = "search")]
const INDEX_PART_DIVISOR: usize = 8;

/// The segments of one merge in a search index get the memory divided by this. They are mapped into
/// memory, one merge at a time.
#[cfg(feature = "search")]
const INDEX_MERGES_DIVISOR: usize = 2;

/// The memory that operators do not count: the program itself, and batches between operators.
const UNCOUNTED_BYTES: usize = 80 << 20;

/// At most this many fifths of the memory are left uncounted.
const UNCOUNTED_FIFTHS: usize = 2;

/// The cache for blocks of remote search indexes gets the memory divided by this.
#[cfg(feature = "search")]
const INDEX_CACHE_DIVISOR: usize = 16;

/// The minimum size of the cache. With less, the same blocks would be requested repeatedly.
#[cfg(feature = "search")]
const MIN_INDEX_CACHE_BYTES: usize = 16 << 20;

#[cfg(feature = "search")]
const MAX_INDEX_CACHE_BYTES: usize = 1 << 30;

/// The sizes derived from a memory limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The memory that operators count, and beyond which they spill.
    pub counted_bytes: usize,
    /// The size of a row group.
    pub row_group_bytes: usize,
    /// The numbers of rows per batch.
    pub batch_rows: BatchRows,
    /// The memory that each thread of a sort reserves for merging.
    pub merge_bytes: usize,
    /// The maximum number of spilled files that are merged in one pass.
    pub merged_files: usize,
    /// The memory of a part of a search index, before it is written.
    #[cfg(feature = "search")]
    pub index_part_bytes: usize,
    /// The maximum size of a merged segment of a search index.
    #[cfg(feature = "search")]
    pub index_merged_bytes: u64,
    /// The size of the cache for blocks of remote search indexes.
    #[cfg(feature = "search")]
    pub index_cache_bytes: usize,
}

impl Limits {
    pub fn new(memory: usize, threads: usize) -> Self {
        let per_thread = memory / threads.max(1);
        let row_group_bytes = per_thread / ROW_GROUPS_DIVISOR;
        let counted_bytes = memory - UNCOUNTED_BYTES.min(memory / 5 * UNCOUNTED_FIFTHS);
        let merge_bytes = counted_bytes / threads.max(1) / MERGE_DIVISOR;
        Self {
            counted_bytes,
            merge_bytes: merge_bytes.clamp(MIN_MERGE_BYTES, MAX_MERGE_BYTES),
            batch_rows: BatchRows {
                wide: (per_thread / BYTES_PER_WIDE_ROW).clamp(MIN_BATCH_ROWS.wide, WIDE_BATCH_ROWS),
                narrow: (per_thread / BYTES_PER_NARROW_ROW)
                    .clamp(MIN_BATCH_ROWS.narrow, NARROW_BATCH_ROWS),
            },
            merged_files: (per_thread / BYTES_PER_MERGED_FILE).max(MIN_MERGED_FILES),
            row_group_bytes: row_group_bytes.clamp(MIN_ROW_GROUP_BYTES, MAX_ROW_GROUP_BYTES),
            #[cfg(feature = "search")]
            index_part_bytes: (per_thread / INDEX_PART_DIVISOR)
                .clamp(*MEMORY_BYTES.start(), DEFAULT_MEMORY_BYTES),
            #[cfg(feature = "search")]
            index_merged_bytes: DEFAULT_MERGED_BYTES.min((memory / INDEX_MERGES_DIVISOR) as u64),
            #[cfg(feature = "search")]
            index_cache_bytes: (memory / INDEX_CACHE_DIVISOR)
                .clamp(MIN_INDEX_CACHE_BYTES, MAX_INDEX_CACHE_BYTES),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1 << 20;

    #[test]
    fn a_large_limit_changes_nothing() {
        let limits = Limits::new(16 << 30, 4);
        assert_eq!(limits.row_group_bytes, MAX_ROW_GROUP_BYTES);
        assert_eq!(limits.batch_rows, BatchRows::default());
        assert_eq!(limits.merge_bytes, MAX_MERGE_BYTES);
    }

    #[test]
    fn a_small_limit_makes_batches_and_row_groups_smaller() {
        let limits = Limits::new(256 * MIB, 2);
        assert_eq!(limits.batch_rows.wide, 32);
        assert_eq!(limits.batch_rows.narrow, 2048);
        assert_eq!(limits.counted_bytes, 176 * MIB);
        assert_eq!(limits.merge_bytes, 5 * MIB + MIB / 2);
        assert_eq!(Limits::new(160 * MIB, 2).row_group_bytes, 10 * MIB);
    }

    #[test]
    fn limits_stay_usable_with_many_threads_and_little_memory() {
        for memory in [16 * MIB, 100 * MIB, 1 << 30] {
            for threads in [0, 1, 64, usize::MAX] {
                let limits = Limits::new(memory, threads);
                assert!(limits.row_group_bytes >= MIN_ROW_GROUP_BYTES);
                assert!(limits.batch_rows.wide >= MIN_BATCH_ROWS.wide);
                assert!(limits.batch_rows.narrow >= MIN_BATCH_ROWS.narrow);
                assert!(limits.counted_bytes >= memory / 2);
            }
        }
    }
}
