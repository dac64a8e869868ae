//! Byte ranges of files: the option `range`, and the division of scanned files into ranges.

use std::collections::BTreeMap;
use std::ops::Range;

use datafusion::common::{Result, plan_datafusion_err, plan_err};
use datafusion::datasource::listing::{FileRange, PartitionedFile};
use datafusion::datasource::physical_plan::{FileGroup, FileGroupPartitioner, FileScanConfig};

use crate::options::FormatOption;
use crate::sources::format::RecordFormat;

/// The option of all sources whose files can be divided.
pub const RANGE: FormatOption = FormatOption::text(
    "range",
    "a part of a single file, as `START-END` in bytes: only the records that start there, END not \
     included; the parts of a file together have exactly its records, wherever it is cut",
);

/// Parses the option.
pub fn parse(text: &str) -> Result<Range<u64>> {
    let range = text.split_once('-').and_then(|(start, end)| {
        let (start, end) = (start.trim().parse().ok()?, end.trim().parse().ok()?);
        // Offsets are signed in DataFusion.
        (start < end && i64::try_from(end).is_ok()).then_some(start..end)
    });
    range.ok_or_else(|| {
        plan_datafusion_err!(
            "option '{}': expected START-END in bytes, such as '0-67108864', got '{text}'",
            RANGE.name
        )
    })
}

/// Returns an error unless a table of this format may be read in part.
pub fn check_use(format: &dyn RecordFormat) -> Result<()> {
    if format.is_indexed() {
        plan_err!(
            "the option '{}' cannot be combined with an index, which names the records to read",
            RANGE.name
        )
    } else {
        Ok(())
    }
}

/// Returns the part of a file of this size that the option selects; `None` if nothing is left.
pub fn within(range: &Range<u64>, size: u64) -> Option<FileRange> {
    // An empty file is kept: it may be a record, or an error.
    let is_left = range.start < size || range.start == 0;
    is_left.then_some(FileRange {
        start: range.start as i64,
        end: range.end.min(size) as i64,
    })
}

/// Returns the files of a scan, ordered by name. The planner may have divided a file into
/// consecutive ranges; here it is one again.
pub fn undivided(scan: &FileScanConfig) -> Vec<PartitionedFile> {
    let mut files = BTreeMap::new();
    for file in scan.file_groups.iter().flat_map(FileGroup::iter) {
        let (start, end) = file.range();
        files
            .entry(&file.object_meta.location)
            .and_modify(|(_, read): &mut (_, Range<u64>)| {
                *read = read.start.min(start)..read.end.max(end);
            })
            .or_insert((file, start..end));
    }
    let files = files.into_values().map(|(file, read)| {
        let is_whole = read == (0..file.object_meta.size);
        let range = (!is_whole).then_some(FileRange {
            start: read.start as i64,
            end: read.end as i64,
        });
        PartitionedFile {
            range,
            ..file.clone()
        }
    });
    files.collect()
}

/// Distributes the files of a scan among threads, by their sizes. DataFusion would drop empty
/// files, because no range contains them. They are added to the end of the last group.
pub fn repartitioned(
    partitioner: &FileGroupPartitioner,
    groups: &[FileGroup],
) -> Option<Vec<FileGroup>> {
    let files = groups.iter().flat_map(FileGroup::iter);
    let empty: Vec<_> = files.filter(|file| file.effective_size() == 0).collect();
    if empty.is_empty() {
        return partitioner.repartition_file_groups(groups);
    }
    let others = groups.iter().map(|group| {
        let files = group.iter().filter(|file| file.effective_size() > 0);
        FileGroup::new(files.cloned().collect())
    });
    let others: Vec<_> = others.filter(|group| !group.is_empty()).collect();
    let mut groups = partitioner.repartition_file_groups(&others)?;
    let mut last = groups.pop()?.into_inner();
    last.extend(empty.into_iter().cloned());
    groups.push(FileGroup::new(last));
    Some(groups)
}

/// Divides a file, or a range of one, into consecutive ranges. A single range is the file
/// unchanged.
pub fn divide(file: &PartitionedFile, parts: u64) -> impl Iterator<Item = PartitionedFile> {
    let (start, end) = file.range();
    let step = (end - start).div_ceil(parts.max(1)).max(1);
    let at = move |part: u64| (start + part * step).min(end) as i64;
    (0..parts.max(1)).map(move |part| {
        let mut file = file.clone();
        if parts > 1 {
            file.range = Some(FileRange {
                start: at(part),
                end: at(part + 1),
            });
        }
        file
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_two_numbers_in_order() {
        assert_eq!(parse("0-5").unwrap(), 0..5);
        assert_eq!(parse(" 7 - 9 ").unwrap(), 7..9);
        for wrong in [
            "",
            "5",
            "5-",
            "-5",
            "5-5",
            "6-5",
            "a-b",
            "0-18446744073709551615",
        ] {
            let error = parse(wrong).unwrap_err().to_string();
            assert!(error.contains("START-END"), "{wrong}: {error}");
        }
    }

    #[test]
    fn parts_cover_a_file() {
        for (size, parts) in [(10, 1), (10, 3), (2, 5), (0, 2)] {
            let file = PartitionedFile::new("a", size);
            let mut at = 0;
            for part in divide(&file, parts) {
                let (start, end) = part.range();
                assert_eq!(start, at.min(end), "{size} {parts}");
                at = end;
            }
            assert_eq!(at, size, "{size} {parts}");
        }
        let part = PartitionedFile::new("a", 10).with_range(3, 8);
        let found: Vec<_> = divide(&part, 2).map(|part| part.range()).collect();
        assert_eq!(found, [(3, 6), (6, 8)]);
    }

    #[test]
    fn files_without_bytes_stay_in_a_divided_scan() {
        let file = |name: &str, size| PartitionedFile::new(name.to_owned(), size);
        let groups = [
            FileGroup::new(vec![file("a", 0), file("b", 100)]),
            FileGroup::new(vec![file("c", 0)]),
        ];
        for threads in [1, 2, 8] {
            for preserves_order in [false, true] {
                let partitioner = FileGroupPartitioner::new()
                    .with_target_partitions(threads)
                    .with_repartition_file_min_size(10)
                    .with_preserve_order_within_groups(preserves_order);
                let groups = repartitioned(&partitioner, &groups).unwrap_or(groups.to_vec());
                let mut read = BTreeMap::new();
                for file in groups.iter().flat_map(FileGroup::iter) {
                    let name = file.object_meta.location.to_string();
                    let (files, bytes): &mut (u64, u64) = read.entry(name).or_default();
                    *files += u64::from(file.range().0 == 0);
                    *bytes += file.effective_size();
                }
                let read: Vec<_> = read.into_values().collect();
                assert_eq!(read, [(1, 0), (1, 100), (1, 0)], "{threads}");
            }
        }
    }

    #[test]
    fn a_part_ends_with_its_file() {
        let found = |range, size| within(&range, size).map(|range| (range.start, range.end));
        assert_eq!(found(4..8, 10), Some((4, 8)));
        assert_eq!(found(4..80, 10), Some((4, 10)));
        assert_eq!(found(10..80, 10), None);
        assert_eq!(found(0..80, 0), Some((0, 0)));
    }
}
