//! Finds the start of the reader of a byte range.
//!
//! **Ownership.** A range owns the runs whose sync mark starts in it. The first range also owns
//! everything before the first mark. The union of all ranges is the serial result if all readers
//! agree on which marks the serial reader reaches.
//!
//! **These marks** are known only from the walk: a value may contain the file's own sync bytes, for
//! example when a file is stored in itself, and a damaged length may lead past a mark. So a range
//! does not start at the first mark in it (as in Hadoop). Its reader walks there from an earlier
//! place, without reading keys or values: from the start of the file if that is near, otherwise
//! from a mark with a sound run, [`LOOK_BACK_BYTES`] earlier. Sync bytes do not occur in values by
//! chance. A file that contains copies of its own runs, marks included, in a value larger than that
//! distance is constructed on purpose; only its own ranges disagree.

use super::framing::{Framing, Step};

/// The distance walked before a range; it takes milliseconds.
pub const LOOK_BACK_BYTES: u64 = 32 << 20;
/// The number of marks tried before the walk starts at the start of the file.
const MAX_TRIES: u32 = 16;

/// Goes to a mark from which the walk finds the same runs, from `start` on, as the serial reader.
pub fn go_before(framing: &mut Framing, start: u64, look_back: u64) {
    let mut from = start.saturating_sub(look_back);
    if from > framing.header_end() {
        for _ in 0..MAX_TRIES {
            let Some(mark) = framing.search(from, start) else {
                break;
            };
            if has_sound_run(framing, mark) {
                framing.go_to(mark);
                return;
            }
            from = mark + 1;
        }
    }
    framing.go_to(0);
}

/// Whether the run from a mark to the next mark, or to the end of the file, is undamaged.
fn has_sound_run(framing: &mut Framing, mark: u64) -> bool {
    framing.go_to(mark);
    while let Some(step) = framing.next() {
        match step {
            Step::Damage { .. } => return false,
            Step::Record(span) if span.cut => return false,
            Step::Block(span) if span.cut => return false,
            _ if framing.run() != mark => return true,
            _ => {}
        }
    }
    true
}
