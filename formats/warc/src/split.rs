//! Where the reader of a byte range of a compressed file starts.
//!
//! **What is to be shared out.** A *sync point* is a unit (gzip member, zstd or lz4 frame) that
//! the serial reader comes to and whose text starts with the first line of a record. Such a unit
//! starts a record whatever came before, so reading can start there knowing nothing of the rest.
//! A range owns everything from its first sync point up to the first sync point at or behind
//! its end: records, gaps, and records that start within a unit or in units that are no sync
//! points. (The range that starts at 0 also owns what lies before the first sync point.) If all
//! ranges agree on what is a sync point, their union is the serial result, whatever the file.
//!
//! **Which offsets are sync points.** The serial reader passes over the inside of sound units,
//! and searches everything else (damaged units, gaps) for units that look like a sync point. So
//! an offset that looks like one is one, unless it lies inside a sound unit M. That is no
//! theory: a crawled .warc.gz does not compress, and deflate stores it verbatim.
//!
//! **How to tell.** A compressed format stores verbatim bytes in blocks of limited length: at
//! most R bytes in a row, then a block header that breaks them. So a chain of units that starts
//! inside M, each sound and each starting where the one before it ends, ends within R bytes: at
//! the latest, the header of M's next block or M's own trailer stands where the next unit should
//! be. Hence a chain that goes on for more than R bytes, or up to the very end of the file,
//! does not start inside a sound unit. (By chance, without a verbatim copy, a magic number, a
//! whole compressed stream and a checksum do not occur. Somebody who controls every byte of the
//! archive could hide M's block headers inside the extra fields of gzip members; what he gains
//! is that ranges of his own archive disagree.)
//!
//! **In doubt** the reader goes back: it looks for an earlier offset that passes the test, and
//! walks from there as the serial reader would, or from the start of the file.

use super::units::Units;

const FIRST_LOOK_BACK: u64 = 256 << 10;
/// Candidates tried in one stretch; most of those that fail do so at once.
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
    let mut distance = FIRST_LOOK_BACK.max(2 * units.longest_verbatim_run());
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
