#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! open          detects what a file is packed in
//! input        raw bytes of the file, buffered (corpus-bytes)
//! codec         gzip, zstd_frames, lz4_frames: one unit (a member or frame) and its text
//! units         the units of a file, one after the other, and resynchronization after damage
//! split         where a byte range of a compressed file starts
//! segments      the text of the units in segments, which no record crosses
//! record_start  recognizes the first line of a record
//! header_end    where header blocks end
//! body          where bodies end
//! header        the fields of a header block; arc and date help it
//! reader        rows
//! ```
//!
//! Files that are decompressed on the way (a file compressed twice, a deflated member of a
//! package) are read by the same code through `open::nested`.
//!
//! **Offsets and ranges.** In an uncompressed file, the offset of a record is the offset of its
//! first byte; in a compressed file, the offset of the unit that contains this byte. In a package,
//! and in a file compressed twice, it is the offset within the member or the inner file. `split`
//! defines which range of a compressed file owns a record. In an uncompressed file, bodies can
//! contain whole archives, so only a walk from the file's start identifies the records: every range
//! does it, by jumping from header to header. Files compressed twice, and deflated members of
//! packages, belong to the range in which they start.

mod arc;
mod body;
mod buffer;
pub mod cdxj;
mod codec;
pub mod columns;
mod date;
mod detect;
pub mod digest;
mod gzip;
mod header;
mod header_end;
pub mod index;
mod lz4_frames;
mod open;
mod plain;
mod reader;
pub mod reasons;
mod record;
mod record_start;
mod segments;
mod separator;
mod split;
mod surt;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod units;
pub mod write;
mod zstd_frames;

pub use open::{open, open_record};
pub use record::{Options, Record, WarcReader};
pub use surt::surt;
