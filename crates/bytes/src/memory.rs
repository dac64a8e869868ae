//! Files in memory.

use std::io::{self, Read};
use std::sync::Arc;

use crate::file::FileBytes;

/// A file in memory.
#[derive(Clone)]
pub struct Memory(pub Arc<[u8]>);

impl FileBytes for Memory {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn stream(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        let (bytes, start) = (self.0.clone(), (offset as usize).min(self.0.len()));
        let mut cursor = io::Cursor::new(bytes);
        cursor.set_position(start as u64);
        Ok(Box::new(cursor))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.0[(offset as usize).min(self.0.len())..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}
