//! Where the reader of a byte range starts.
//!
//! **What is shared out.** A range owns the runs whose sync mark starts in it, and the first
//! range what lies before the first mark. The union of ranges is the serial result if all agree
//! on which marks the serial reader comes to.
//!
//! **Which marks these are** only the walk tells: a value may hold the file's own sync bytes,
//! when somebody stores a file in itself, and a damaged length may lead past a mark. So a range
//! does not start at the first mark that it finds (as Hadoop does), but walks there from before,
//! without reading keys or values: in files of usual sizes from their start, in others from a
//! mark [`LOOK_BACK`] earlier with a sound run behind it. (By chance sync bytes do not occur in
//! values. Somebody who copies whole runs of the file, marks included, into a value that is
//! larger than that gains that ranges of his own file disagree.)

use super::framing::{Framing, Step};

/// The walk over so much takes milliseconds.
pub const LOOK_BACK: u64 = 32 << 20;
/// Marks that are tried before the walk starts at the file's start.
const MAX_TRIES: u32 = 16;

/// Goes to a place from which the serial reader's runs from `start` on are found.
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

/// Whether there is nothing wrong from a mark to the next one, or to the end of the file.
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
