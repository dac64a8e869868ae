//! A SequenceFile of version 6, compressed in blocks, as Hadoop writes and reads it.

use std::fmt;
use std::io;

use uuid::Uuid;

use crate::codec::Codec;
use crate::framing::ESCAPE;
use crate::header::{Compression, Header, SYNC_SIZE};
use crate::vint;
use crate::writable::Class;
use corpus_bytes::record::Value;

/// Keys and values of so many bytes are compressed together; Hadoop's default.
const BLOCK_SIZE: usize = 1_000_000;

#[derive(Debug)]
pub enum WriteError {
    /// A key or value that is none of its class.
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
                write!(f, "a {column} is NULL, or no value of {class}")
            }
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {}

/// The classes of a file, its codec, and the bytes that its sync marks have.
#[derive(Debug, Clone)]
pub struct Layout {
    pub key: Class,
    pub value: Class,
    codec: Codec,
    sync: [u8; SYNC_SIZE],
}

impl Layout {
    pub fn new(key: Class, value: Class, codec: Codec) -> Self {
        // Random, so that no value has them.
        let sync = Uuid::new_v4().into_bytes();
        Self {
            key,
            value,
            codec,
            sync,
        }
    }

    /// Appends the header, with which the file starts.
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

/// The records of one block. Blocks need nothing of each other: they can be made anywhere, and
/// be put behind the header in any order.
#[derive(Debug, Default)]
pub struct Block {
    count: i64,
    key_lengths: Vec<u8>,
    keys: Vec<u8>,
    value_lengths: Vec<u8>,
    values: Vec<u8>,
}

impl Block {
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

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether it is time to write it.
    pub fn is_full(&self) -> bool {
        self.keys.len() + self.values.len() >= BLOCK_SIZE
    }

    /// Appends the sync mark and the block, which is empty then.
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

#[cfg(test)]
mod tests;
