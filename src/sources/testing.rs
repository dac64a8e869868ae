//! What the tests of several framings share.

use std::io::{self, Read};
use std::sync::Arc;

use super::record::FileBytes;

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

/// A small generator of numbers that are the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| (self.next() >> 24) as u8).collect()
    }
}
