#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! open          opens a file; detect finds its format and compression
//! codec         gzip, zstd_frames, lz4_frames: one unit (a member or frame) and its text
//! plain_file    the text of an uncompressed file
//! units         the units of a file, one after the other, and resynchronization after damage
//! split         where a byte range of a compressed file starts
//! buffer        the text that is read
//! segments      the text of the units in segments, which no record crosses
//! record_start  recognizes the first line of a record
//! header_end    finds the ends of header blocks
//! body          finds the ends of bodies; separator compares the bytes after them
//! header        the fields of a header block; arc and date help it
//! reader        rows, with their columns and the reasons of errors
//! record        a record as an owned value
//! write         writes records; digest computes their digests
//! index         searches CDX and CDXJ files
//! cdxj, surt    lines and keys of CDXJ files
//! ```
//!
//! Files that are decompressed on the way (a file compressed twice, a deflated member of a
//! package) are read by the same code through `open::inner_files`.
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
mod plain_file;
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
