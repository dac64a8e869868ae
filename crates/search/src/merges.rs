//! Chooses the segments to merge. A merge holds its input and output in memory, so its size is
//! bounded.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tantivy::index::{SegmentId, SegmentMeta};
use tantivy::indexer::{LogMergePolicy, MergeCandidate, MergePolicy};

/// Merges segments of similar size once there are several, so that many runs leave few segments.
#[derive(Debug)]
pub struct BoundedMerges {
    pub folder: PathBuf,
    /// The maximum size of the segments of a merge, together.
    pub max_bytes: u64,
}

impl MergePolicy for BoundedMerges {
    fn compute_merge_candidates(&self, segments: &[SegmentMeta]) -> Vec<MergeCandidate> {
        // Without sizes, nothing is merged. The next run tries again.
        let sizes = segment_sizes(&self.folder).unwrap_or_default();
        let levels = LogMergePolicy::default().compute_merge_candidates(segments);
        let groups = levels
            .iter()
            .flat_map(|level| group(&level.0, &sizes, self.max_bytes));
        groups.map(MergeCandidate).collect()
    }
}

/// Groups new segments, in their order.
pub fn merge_groups(
    folder: &Path,
    segments: &[SegmentMeta],
    max_bytes: u64,
) -> io::Result<Vec<Vec<SegmentId>>> {
    let ids: Vec<_> = segments.iter().map(SegmentMeta::id).collect();
    Ok(group(&ids, &segment_sizes(folder)?, max_bytes))
}

/// Groups adjacent segments, as long as a group is not too large. A single segment is not merged.
fn group(
    segments: &[SegmentId],
    sizes: &HashMap<String, u64>,
    max_bytes: u64,
) -> Vec<Vec<SegmentId>> {
    let mut groups: Vec<Vec<SegmentId>> = Vec::new();
    let mut room = 0;
    for segment in segments {
        // A segment of unknown size is not merged.
        let size = sizes.get(&segment.uuid_string()).copied();
        let size = size.unwrap_or(max_bytes.saturating_add(1));
        match groups.last_mut() {
            Some(group) if size <= room => {
                group.push(*segment);
                room -= size;
            }
            _ => {
                groups.push(vec![*segment]);
                room = max_bytes.saturating_sub(size);
            }
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Returns the size of each segment: the names of its files start with its name.
fn segment_sizes(folder: &Path) -> io::Result<HashMap<String, u64>> {
    let mut sizes = HashMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if let Some((segment, _)) = entry.file_name().to_str().and_then(|n| n.split_once('.')) {
            *sizes.entry(segment.to_owned()).or_default() += entry.metadata()?.len();
        }
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_stay_within_the_size() {
        let ids: Vec<_> = (0..7).map(|_| SegmentId::generate_random()).collect();
        let known = ids.iter().zip([40, 60, 10, 200, 50, 50]);
        let sizes = known.map(|(id, size)| (id.uuid_string(), size)).collect();
        let groups = group(&ids, &sizes, 100);
        assert_eq!(groups, [vec![ids[0], ids[1]], vec![ids[4], ids[5]]]);
        assert_eq!(group(&ids, &sizes, 1000), [ids[..6].to_vec()]);
    }
}
