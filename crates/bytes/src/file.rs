//! Read access to files, wherever they are stored.

use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

/// Read access to one file, wherever it is stored. The bytes read are counted.
pub trait FileBytes: Send + Sync {
    fn size(&self) -> u64;

    /// A sequential reader from `offset` to the end of the file.
    fn stream(&self, offset: u64) -> io::Result<Box<dyn Read + Send>>;

    /// Fills `buffer` from `offset`; returns fewer bytes only at the end of the file.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// Describes how the file has changed since it was opened, if no read has reported that.
    fn change(&self) -> Option<String> {
        None
    }
}

/// Repeats short reads until the buffer is full or the end is reached.
pub fn read_fully(
    buffer: &mut [u8],
    mut read: impl FnMut(u64, &mut [u8]) -> io::Result<usize>,
) -> io::Result<usize> {
    let mut done = 0;
    while done < buffer.len() {
        match read(done as u64, &mut buffer[done..]) {
            Ok(0) => break,
            Ok(length) => done += length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// Fills the buffer; returns fewer bytes only at the end of the input.
#[inline]
pub fn read_up_to(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    read_fully(buffer, |_, rest| input.read(rest))
}

const SEEKABLE_BUFFER_BYTES: usize = 64 << 10;

/// `Read` and `Seek` over a file of any store.
pub type SeekableFile = BufReader<Positioned>;

pub fn seekable(file: &Arc<dyn FileBytes>) -> SeekableFile {
    let file = Positioned {
        file: Arc::clone(file),
        position: 0,
    };
    BufReader::with_capacity(SEEKABLE_BUFFER_BYTES, file)
}

/// A file and a place in it.
pub struct Positioned {
    file: Arc<dyn FileBytes>,
    position: u64,
}

impl Read for Positioned {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(self.position, buffer)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for Positioned {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(delta) => self.file.size().checked_add_signed(delta),
            SeekFrom::Current(delta) => self.position.checked_add_signed(delta),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}
