//! Inflates zlib's format piece by piece.
//!
//! flate2's own reader takes the end of its input for the end of the data.

use std::io::{self, BufRead, ErrorKind, Read};

use flate2::{Decompress, FlushDecompress, Status};

pub struct ZlibReader<R> {
    input: R,
    state: Decompress,
    ended: bool,
}

impl<R: BufRead> ZlibReader<R> {
    pub fn new(input: R) -> Self {
        Self {
            input,
            state: Decompress::new(true),
            ended: false,
        }
    }
}

impl<R: BufRead> Read for ZlibReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.ended && !buffer.is_empty() {
            let input = self.input.fill_buf()?;
            let at_end = input.is_empty();
            let (read, written) = (self.state.total_in(), self.state.total_out());
            let status = self.state.decompress(input, buffer, FlushDecompress::None);
            let read = (self.state.total_in() - read) as usize;
            let written = (self.state.total_out() - written) as usize;
            self.input.consume(read);
            match status {
                Ok(status) => self.ended = status == Status::StreamEnd,
                // The next call fails again, without output.
                Err(_) if written > 0 => {}
                Err(error) => return Err(io::Error::new(ErrorKind::InvalidData, error)),
            }
            if written > 0 {
                return Ok(written);
            }
            if !self.ended && read == 0 {
                let kind = match at_end {
                    true => ErrorKind::UnexpectedEof,
                    false => ErrorKind::InvalidData,
                };
                return Err(kind.into());
            }
        }
        Ok(0)
    }
}
