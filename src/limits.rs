//! The limits that follow from `--memory-limit`, so that it bounds the whole process and not only the
//! operators that DataFusion counts.

use crate::planning::batch_size::FEW_ROWS;

/// The memory of a process that runs no query: code, tables of characters, buffers.
const BASE_BYTES: usize = 64 << 20;

/// The batches, decompressed pages and parsed documents of a thread, which nothing counts.
const BYTES_PER_THREAD: usize = 16 << 20;

/// The maximum share of the memory that operators leave: one in this many bytes.
const MAX_UNCOUNTED_SHARE: usize = 4;

/// The maximum number of bytes of a row group, which the Parquet writer holds in memory.
const MAX_ROW_GROUP_BYTES: usize = 64 << 20;

/// With smaller ones, files grow, and readers open many of them.
const MIN_ROW_GROUP_BYTES: usize = 8 << 20;

/// The share of the memory that the row groups of all threads may take: one in this many bytes.
const ROW_GROUPS_SHARE: usize = 8;

/// With fewer rows, the cost of a batch shows.
const MIN_BATCH_ROWS: usize = 32;

/// The memory of a thread per row of a batch: a document, and what is computed from it.
const BYTES_PER_ROW: usize = 2 << 20;

/// The memory that a sort keeps free for merging what it has spilled; DataFusion's default.
const MAX_SORT_RESERVATION_BYTES: usize = 10 << 20;

/// The share of the operators' memory that the sorts of a thread keep free.
const SORT_RESERVATION_SHARE: usize = 16;

/// How a memory limit is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For sorting, grouping, joins and writers, which count what they use.
    pub operator_bytes: usize,
    /// The size of a row group.
    pub row_group_bytes: usize,
    /// The memory that a sort keeps free for merging what it has spilled.
    pub sort_reservation_bytes: usize,
    /// The number of rows per batch of documents.
    pub batch_rows: usize,
}

impl Limits {
    pub fn new(memory: usize, threads: usize) -> Self {
        let uncounted = BASE_BYTES.saturating_add(BYTES_PER_THREAD.saturating_mul(threads));
        // Operators get most of a small limit: with less, jobs that hold hashes fail.
        let operator_bytes = memory - uncounted.min(memory / MAX_UNCOUNTED_SHARE);
        let per_thread = memory / threads.max(1);
        let row_group_bytes = per_thread / ROW_GROUPS_SHARE;
        let sort_reservation_bytes = operator_bytes / threads.max(1) / SORT_RESERVATION_SHARE;
        Self {
            operator_bytes,
            sort_reservation_bytes: sort_reservation_bytes.min(MAX_SORT_RESERVATION_BYTES),
            batch_rows: (per_thread / BYTES_PER_ROW).clamp(MIN_BATCH_ROWS, FEW_ROWS),
            row_group_bytes: row_group_bytes.clamp(MIN_ROW_GROUP_BYTES, MAX_ROW_GROUP_BYTES),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1 << 20;

    #[test]
    fn a_large_limit_is_nearly_all_for_operators() {
        let limits = Limits::new(16 << 30, 4);
        assert!(limits.operator_bytes > (16 << 30) / 100 * 99);
        assert_eq!(limits.row_group_bytes, MAX_ROW_GROUP_BYTES);
        assert_eq!(limits.batch_rows, FEW_ROWS);
    }

    #[test]
    fn a_small_limit_leaves_room_for_what_is_not_counted() {
        let limits = Limits::new(256 * MIB, 2);
        assert_eq!(limits.operator_bytes, 192 * MIB);
        assert_eq!(limits.row_group_bytes, 16 * MIB);
        assert_eq!(limits.sort_reservation_bytes, 6 * MIB);
        assert_eq!(limits.batch_rows, 64);
    }

    #[test]
    fn limits_stay_usable_with_many_threads_and_little_memory() {
        for memory in [16 * MIB, 100 * MIB, 1 << 30] {
            for threads in [0, 1, 64, usize::MAX] {
                let limits = Limits::new(memory, threads);
                assert!(limits.operator_bytes >= memory / 2, "{memory} {threads}");
                assert!(limits.operator_bytes <= memory, "{memory} {threads}");
                assert!(limits.row_group_bytes >= MIN_ROW_GROUP_BYTES);
                assert!(limits.batch_rows >= MIN_BATCH_ROWS);
            }
        }
    }
}
