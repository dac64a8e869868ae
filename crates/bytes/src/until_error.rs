//! A reader that does not touch its input after an error.

use std::io::{self, ErrorKind, Read};

/// Reads from `R` until its first error, and returns that error from then on.
///
/// Some decoders panic, abort or return wrong data when they are read after an error.
pub struct UntilError<R>(Result<R, io::Error>);

impl<R> UntilError<R> {
    pub fn new(input: R) -> Self {
        Self(Ok(input))
    }
}

impl<R: Read> Read for UntilError<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = match &mut self.0 {
            Ok(input) => input.read(buffer),
            Err(error) => return Err(copy_of_error(error)),
        };
        if let Err(error) = &result
            && error.kind() != ErrorKind::Interrupted
        {
            self.0 = Err(copy_of_error(error));
        }
        result
    }
}

/// Returns an error of the same kind and with the same message.
pub fn copy_of_error(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails on its second call, and panics after that.
    struct Fragile(u32);

    impl Read for Fragile {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            match self.0 {
                1 => Err(ErrorKind::Interrupted.into()),
                2 => {
                    buffer[0] = b'x';
                    Ok(1)
                }
                3 => Err(io::Error::new(ErrorKind::InvalidData, "broken")),
                _ => panic!("read after an error"),
            }
        }
    }

    #[test]
    fn the_first_error_is_repeated() {
        let mut input = UntilError::new(Fragile(0));
        let mut text = Vec::new();
        for _ in 0..3 {
            let error = input.read_to_end(&mut text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidData);
            assert_eq!(error.to_string(), "broken");
        }
        assert_eq!(text, b"x");
    }
}
