//! The trait of a compression format: recognizes and decompresses single units (gzip members, zstd
//! frames or lz4 frames).

use super::buffer::Buffer;
use corpus_bytes::buffered_file::BufferedFile;
use corpus_bytes::record::RecordError;

/// The result of a step of decompression.
pub enum Pull {
    /// Some text was appended.
    Text,
    /// The unit is complete, and the input is at its end. Text may have been appended.
    End,
    /// The unit cannot be decompressed further, or its checksum is wrong. Recovered text was
    /// appended.
    Damage {
        error: RecordError,
        /// Whether the input is at the end of the unit anyway.
        at_end: bool,
    },
}

pub trait Codec: Send {
    fn name(&self) -> &'static str;

    /// Whether a unit may start with these bytes.
    fn is_magic(&self, bytes: &[u8]) -> bool;

    /// Whether these bytes, the last of the file, are an incomplete magic number.
    fn is_magic_start(&self, bytes: &[u8]) -> bool;

    /// Returns where the next unit may start in these bytes.
    fn find_magic(&self, bytes: &[u8]) -> Option<usize>;

    /// Prepares for a unit that starts at the input's position. `whole`: all of it is needed, so
    /// it may be decompressed in one call.
    fn start(&mut self, whole: bool);

    fn pull(&mut self, input: &mut BufferedFile, text: &mut Buffer) -> Pull;

    /// The longest run of bytes that a unit can store verbatim (see `split`).
    fn longest_verbatim_run(&self) -> u64;

    /// Before this offset, the file has only one unit, even if its content looks like more.
    fn opaque_start(&self) -> u64 {
        0
    }

    /// Upper bound for the ratio of a unit's size to its compressed size.
    fn max_ratio(&self) -> u64;
}

/// Number of bytes needed to check for a magic number.
pub const MAGIC_BYTES: usize = 4;
