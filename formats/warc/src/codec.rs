//! What a compression supplies: the framing and decompression of one unit, be it a gzip member,
//! a zstd frame or an lz4 frame.

use super::buffer::Buffer;
use corpus_bytes::buffered_file::BufferedFile;
use corpus_bytes::record::RecordError;

/// What a step of decompression gave.
pub enum Pull {
    /// Some text was appended.
    Text,
    /// The unit is complete; the input stands behind it. Text may have been appended too.
    End,
    /// The unit cannot be decompressed further, or contradicts its checksum. What could be
    /// saved was appended.
    Damage {
        error: RecordError,
        /// The input stands where the unit ends all the same.
        at_end: bool,
    },
}

pub trait Codec: Send {
    fn name(&self) -> &'static str;

    /// Whether a unit may start with these bytes.
    fn is_magic(&self, bytes: &[u8]) -> bool;

    /// Whether these bytes, the last of the file, are the start of a magic number.
    fn is_magic_start(&self, bytes: &[u8]) -> bool;

    /// Where the next unit may start in these bytes.
    fn find_magic(&self, bytes: &[u8]) -> Option<usize>;

    /// A unit starts where the input stands. `whole`: the unit is wanted to its end, so that
    /// it may be decompressed in one go.
    fn start(&mut self, whole: bool);

    fn pull(&mut self, input: &mut BufferedFile, text: &mut Buffer) -> Pull;

    /// The longest run of bytes that can lie in a unit as they are (see `split.rs`).
    fn longest_verbatim_run(&self) -> u64;

    /// Up to this offset the file has no units but one, whatever its content looks like.
    fn opaque_start(&self) -> u64 {
        0
    }

    /// No unit is longer than this many times its compressed size.
    fn max_ratio(&self) -> u64;
}

/// Bytes that are read at once at least before a magic number is looked at.
pub const MAGIC_SIZE: usize = 4;
