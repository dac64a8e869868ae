//! Finds where the reader of a byte range of a compressed file starts.
//!
//! **What a range owns.** A *sync point* is a unit (gzip member, zstd or lz4 frame) that the serial
//! reader visits and whose text starts with the first line of a record. Such a unit starts a record
//! whatever precedes it, so reading can start there without knowing the rest of the file. A range
//! owns everything from its first sync point up to the first sync point at or after its end:
//! records, gaps, and records that start within a unit or in units that are not sync points. (The
//! range that starts at 0 also owns everything before the first sync point.) If all ranges agree on
//! the sync points, their union is the serial result, whatever the file.
//!
//! **Which offsets are sync points.** The serial reader skips the inside of valid units, and
//! searches everything else (damaged units, gaps) for units that look like a sync point. So an
//! offset that looks like a sync point is one, unless it is inside a valid unit M. That happens in
//! practice: a crawled .warc.gz cannot be compressed further, and deflate stores it verbatim.
//!
//! **How to distinguish the two.** A compressed format stores verbatim bytes in blocks of limited
//! length: at most R bytes, then a block header. Take a chain of valid units that starts inside M,
//! each starting where the previous one ends. It ends within R bytes: at the latest, the header of
//! M's next block or M's own trailer is where the next unit should be. Hence a chain that continues
//! for more than R bytes, or up to the very end of the file, does not start inside a valid unit. (A
//! magic number, a whole compressed stream and a correct checksum do not occur by chance, without a
//! verbatim copy. Somebody who controls every byte of the archive could hide M's block headers in
//! the extra fields of gzip members; the only gain is that ranges of that archive disagree.)
//!
//! **If that fails,** the reader goes back: it searches for an earlier offset that passes the test,
//! and reads from there, or from the start of the file, as the serial reader does.

use super::units::Units;

const FIRST_LOOK_BACK_BYTES: u64 = 256 << 10;
/// Maximum number of candidates tried in one part of the file. Most fail immediately.
const MAX_TRIES: u32 = 256;

/// Moves to the first sync point in `start..end`; `false` if there is none.
pub fn move_to_first_sync_point(units: &mut Units, start: u64, end: u64) -> bool {
    let Some(candidate) = units.search(start, end, false) else {
        return false;
    };
    if units.unbroken_from(candidate) {
        units.restart(candidate);
        return true;
    }
    let mut distance = FIRST_LOOK_BACK_BYTES.max(2 * units.longest_verbatim_run());
    while distance < start {
        if let Some(certain) = find_certain(units, start - distance, start) {
            units.restart(certain);
            units.walk_to(start);
            return true;
        }
        distance = distance.saturating_mul(4);
    }
    units.restart_from_the_beginning();
    units.walk_to(start);
    true
}

fn find_certain(units: &mut Units, mut from: u64, to: u64) -> Option<u64> {
    for _ in 0..MAX_TRIES {
        let candidate = units.search(from, to, false)?;
        if units.unbroken_from(candidate) {
            return Some(candidate);
        }
        from = candidate + 1;
    }
    None
}
