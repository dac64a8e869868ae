//! Files inside other files.

use std::io::{self, Read};
use std::sync::Arc;

use super::whole;
use crate::buffer::Buffer;
use crate::detect::{self, Format};
use crate::units::{UnitStart, Units};
use corpus_bytes::buffered_file::BufferedFile;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::ReadRequest;

/// A range of another file.
pub struct FileRange {
    pub file: Arc<dyn FileBytes>,
    pub start: u64,
    pub length: u64,
}

impl FileBytes for FileRange {
    fn size(&self) -> u64 {
        self.length
    }

    fn stream(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        let offset = offset.min(self.length);
        let stream = self.file.stream(self.start + offset)?;
        Ok(Box::new(stream.take(self.length - offset)))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.length.saturating_sub(offset).min(buffer.len() as u64);
        self.file.read_at(
            self.start.saturating_add(offset),
            &mut buffer[..left as usize],
        )
    }
}

/// The first bytes of a file, in memory: for a remote file they cost one small request instead of a
/// stream.
#[derive(Clone)]
pub struct Prefix(Arc<[u8]>);

impl Prefix {
    pub fn read(file: &dyn FileBytes, length: usize) -> io::Result<Self> {
        let length = file.size().min(length as u64) as usize;
        let mut bytes = vec![0; length];
        let mut count = 0;
        while count < length {
            match file.read_at(count as u64, &mut bytes[count..])? {
                0 => break,
                more => count += more,
            }
        }
        bytes.truncate(count);
        Ok(Self(bytes.into()))
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl FileBytes for Prefix {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn stream(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        let mut cursor = io::Cursor::new(self.0.clone());
        cursor.set_position(offset);
        Ok(Box::new(cursor))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut cursor = io::Cursor::new(&self.0[..]);
        cursor.set_position(offset);
        cursor.read(buffer)
    }
}

/// A file that is decompressed from another one. Each stream starts over.
pub struct Inflated<F> {
    pub open: F,
}

impl<F> FileBytes for Inflated<F>
where
    F: Fn() -> io::Result<Box<dyn Read + Send>> + Send + Sync,
{
    /// Returns an unknown size, because declared sizes are not trusted.
    fn size(&self) -> u64 {
        u64::MAX
    }

    fn stream(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        let mut stream = (self.open)()?;
        io::copy(&mut stream.by_ref().take(offset), &mut io::sink())?;
        Ok(stream)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut stream = self.stream(offset)?;
        let mut count = 0;
        while count < buffer.len() {
            match stream.read(&mut buffer[count..])? {
                0 => break,
                more => count += more,
            }
        }
        Ok(count)
    }
}

/// Returns a request for the file that the units of the requested file contain together.
pub fn request_inflated(request: ReadRequest, format: Format) -> ReadRequest {
    let outer = request.file.clone();
    let open = move || -> io::Result<Box<dyn Read + Send>> {
        let codec = detect::codec(format, outer.as_ref())?
            .ok_or_else(|| io::Error::other("not a compressed file"))?;
        Ok(Box::new(UnitStream {
            units: Units::new(BufferedFile::new(outer.clone(), 0), codec),
            text: Buffer::default(),
            in_unit: false,
        }))
    };
    whole(Arc::new(Inflated { open }), request)
}

/// The text of all units up to the first damage. There, the inner file ends, and its reader reports
/// it as truncated.
struct UnitStream {
    units: Units,
    text: Buffer,
    in_unit: bool,
}

impl Read for UnitStream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.text.len() == 0 {
            self.text.clear();
            if !self.in_unit {
                let UnitStart::Unit(_) = self.units.begin() else {
                    return Ok(0);
                };
                self.in_unit = true;
            }
            if let Some(end) = self.units.pull(&mut self.text) {
                self.in_unit = false;
                if end.damage.is_some() && self.text.len() == 0 {
                    return Ok(0);
                }
            }
        }
        let count = out.len().min(self.text.len());
        out[..count].copy_from_slice(&self.text.unread()[..count]);
        self.text.consume(count);
        Ok(count)
    }
}
