//! Inflates a zlib stream piece by piece.

use std::io::{self, BufRead, ErrorKind, Read};

use flate2::{Decompress, FlushDecompress, Status};

/// Inflates a zlib stream, and checks its checksum.
///
/// A truncated stream is an error, unlike in flate2's own reader, which treats it as the end of the
/// data.
pub struct ZlibReader<R> {
    input: R,
    state: Decompress,
    ended: bool,
    /// An error to return after the bytes before it. A further call of the decoder would fail with
    /// another message.
    failed: Option<io::Error>,
}

impl<R: BufRead> ZlibReader<R> {
    pub fn new(input: R) -> Self {
        Self {
            input,
            state: Decompress::new(true),
            ended: false,
            failed: None,
        }
    }
}

impl<R: BufRead> Read for ZlibReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
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
                Err(error) => {
                    let error = io::Error::new(ErrorKind::InvalidData, error);
                    if written == 0 {
                        return Err(error);
                    }
                    self.failed = Some(error);
                }
            }
            if written > 0 {
                return Ok(written);
            }
            if !self.ended && read == 0 {
                let kind = if at_end {
                    ErrorKind::UnexpectedEof
                } else {
                    ErrorKind::InvalidData
                };
                return Err(kind.into());
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::zlib;

    #[test]
    fn cuts_and_damage_are_errors() {
        let text: Vec<u8> = (0..20_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut data = zlib(&text);
        let inflate = |data: &[u8]| {
            let mut out = Vec::new();
            let end = ZlibReader::new(data).read_to_end(&mut out);
            (out, end.map_err(|error| error.kind()))
        };
        let (out, end) = inflate(&data);
        assert_eq!((out == text, end), (true, Ok(text.len())));
        for cut in [1, 4, data.len() / 2] {
            let (out, end) = inflate(&data[..data.len() - cut]);
            assert!(text.starts_with(&out));
            assert_eq!(end, Err(ErrorKind::UnexpectedEof));
        }
        let last = data.len() - 1;
        data[last] ^= 1;
        let (out, end) = inflate(&data);
        assert!(text.starts_with(&out));
        assert_eq!(end, Err(ErrorKind::InvalidData));
    }
}
