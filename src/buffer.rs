//! A shared buffer to pass to writers that take ownership of their output.

use std::io::{self, Write};
use std::sync::Arc;

use datafusion::error::Result;
use parking_lot::Mutex;

/// Collects bytes until they are passed on.
#[derive(Debug, Clone, Default)]
pub struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Buffer {
    /// Returns the collected bytes, and clears the buffer.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock())
    }

    /// Writes the collected bytes, and clears the buffer.
    pub fn pass_on(&self, out: &mut dyn Write) -> Result<()> {
        Ok(out.write_all(&self.take())?)
    }
}

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
