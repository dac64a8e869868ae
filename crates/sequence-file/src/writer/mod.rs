//! Writes SequenceFiles of version 6, compressed in blocks, as Hadoop does.
//!
//! [`Writer`] writes a file from its start to its end. [`Layout`] and [`Block`] make the parts of a
//! file separately, for example on several threads.

use std::fmt;
use std::io::{self, Write};

use uuid::Uuid;

use crate::codec::Codec;
use crate::framing::ESCAPE;
use crate::header::{Compression, Header, SYNC_BYTES};
use crate::vint;
use crate::writable::Class;
use corpus_bytes::record::Value;

/// The size of keys and values that are compressed together; Hadoop's default.
const BLOCK_BYTES: usize = 1_000_000;

/// Why a record or block was not written.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// A key or value does not fit the class of the file.
    WrongType {
        column: &'static str,
        class: &'static str,
    },
    Io(io::Error),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongType { column, class } => {
                write!(f, "a {column} is NULL, or is not a value of {class}")
            }
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::WrongType { .. } => None,
            Self::Io(error) => Some(error),
        }
    }
}

/// The classes, codec and sync bytes of a file.
#[derive(Debug, Clone)]
pub struct Layout {
    pub key: Class,
    pub value: Class,
    codec: Codec,
    sync: [u8; SYNC_BYTES],
}

impl Layout {
    /// Chooses random sync bytes, so that they do not occur in values.
    pub fn new(key: Class, value: Class, codec: Codec) -> Self {
        let sync = Uuid::new_v4().into_bytes();
        Self {
            key,
            value,
            codec,
            sync,
        }
    }

    /// Appends the header, the start of the file.
    pub fn write_header(&self, out: &mut Vec<u8>) {
        let header = Header {
            version: 6,
            key_class: self.key.name().to_owned(),
            value_class: self.value.name().to_owned(),
            compression: Compression::Block,
            codec: self.codec,
            codec_class: Some(self.codec.class().to_owned()),
            metadata: Vec::new(),
            sync: self.sync,
            end: 0,
        };
        header.write(out);
    }
}

/// The records of one block. Blocks are independent: they can follow the header in any order.
#[derive(Debug, Default)]
pub struct Block {
    count: i64,
    key_lengths: Vec<u8>,
    keys: Vec<u8>,
    value_lengths: Vec<u8>,
    values: Vec<u8>,
}

impl Block {
    /// Appends a record. After an error, the block is unchanged.
    pub fn append(
        &mut self,
        layout: &Layout,
        key: Value<'_>,
        value: Value<'_>,
    ) -> Result<(), WriteError> {
        let key_start = self.keys.len();
        let value_start = self.values.len();
        let fits = |class: Class, column, value, out: &mut Vec<u8>| {
            let class_name = class.name();
            class
                .serialize(value, out)
                .then_some(())
                .ok_or(WriteError::WrongType {
                    column,
                    class: class_name,
                })
        };
        fits(layout.key, "key", key, &mut self.keys)?;
        if let Err(error) = fits(layout.value, "value", value, &mut self.values) {
            self.keys.truncate(key_start);
            return Err(error);
        }
        vint::write(&mut self.key_lengths, (self.keys.len() - key_start) as i64);
        let length = self.values.len() - value_start;
        vint::write(&mut self.value_lengths, length as i64);
        self.count += 1;
        Ok(())
    }

    /// Whether the block has no records.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether the block has its usual size, and should be written.
    pub fn is_full(&self) -> bool {
        self.keys.len() + self.values.len() >= BLOCK_BYTES
    }

    /// Appends the sync mark and the block to `out`, and empties the block.
    pub fn write(&mut self, layout: &Layout, out: &mut Vec<u8>) -> io::Result<()> {
        out.extend_from_slice(&ESCAPE);
        out.extend_from_slice(&layout.sync);
        vint::write(out, self.count);
        self.count = 0;
        let mut compressed = Vec::new();
        for buffer in [
            &mut self.key_lengths,
            &mut self.keys,
            &mut self.value_lengths,
            &mut self.values,
        ] {
            compressed.clear();
            layout.codec.compress(buffer, &mut compressed)?;
            buffer.clear();
            // Java's lengths are signed.
            if i32::try_from(compressed.len()).is_err() {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            vint::write(out, compressed.len() as i64);
            out.extend_from_slice(&compressed);
        }
        Ok(())
    }
}

/// Writes a file record by record.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    layout: Layout,
    block: Block,
    buffer: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Writes the header of a file with keys and values of these classes.
    pub fn new(mut out: W, key: Class, value: Class, codec: Codec) -> io::Result<Self> {
        let layout = Layout::new(key, value, codec);
        let mut buffer = Vec::new();
        layout.write_header(&mut buffer);
        out.write_all(&buffer)?;
        Ok(Self {
            out,
            layout,
            block: Block::default(),
            buffer,
        })
    }

    /// Appends a record. A record that does not fit the classes is not written.
    pub fn append(&mut self, key: Value<'_>, value: Value<'_>) -> Result<(), WriteError> {
        self.block.append(&self.layout, key, value)?;
        if self.block.is_full() {
            self.write_block()?;
        }
        Ok(())
    }

    /// Writes the last block and returns the output. Without this call, records are missing.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.block.is_empty() {
            self.write_block()?;
        }
        self.out.flush()?;
        Ok(self.out)
    }

    fn write_block(&mut self) -> io::Result<()> {
        self.buffer.clear();
        self.block.write(&self.layout, &mut self.buffer)?;
        self.out.write_all(&self.buffer)
    }
}

#[cfg(test)]
mod tests;
