#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! header    classes, codec, metadata, the sync bytes
//! framing   where records and blocks start and end; damage
//! split     where the reader of a byte range starts
//! codec     compression; chunks, the format of Snappy and LZ4 data
//! block     the records of a block
//! writable  keys and values of Hadoop's classes; vint, integers of variable length
//! columns   the columns of a table
//! pull      records, column by column, for an engine
//! record    a record as an owned value
//! reasons   the kinds of errors
//! reader    iterates over records
//! writer    blocks of a new file
//! ```

mod block;
mod chunks;
mod codec;
pub mod columns;
mod framing;
mod header;
mod pull;
mod reader;
pub mod reasons;
mod record;
mod split;
mod vint;
mod writable;
pub mod writer;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use self::codec::Codec;
pub use self::columns::ColumnTypes;
pub use self::header::{Compression, Header, SYNC_BYTES};
pub use self::pull::open;
pub use self::reader::{Options, Reader};
pub use self::record::Record;
pub use self::writable::{Class, Datum};
pub use self::writer::{WriteError, Writer};
