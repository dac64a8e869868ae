//! Messages between the processes: encoded by postcard, each prefixed by its length.
//!
//! A request is followed by the bytes of the document; answers are messages alone.

use std::io::{self, BufRead, ErrorKind, IoSlice, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::model::{DocumentPart, Failure};

/// The size of a message's length, a little-endian number.
const PREFIX_BYTES: usize = size_of::<u32>();

/// Maximum size of a buffer that is kept after use.
const MAX_KEPT_BYTES: usize = 1 << 20;

/// A message from a worker.
#[derive(Debug, Serialize, Deserialize)]
pub enum Answer {
    /// Sent once, when the worker has started.
    Ready,
    Part(Box<DocumentPart>),
    /// The end of a document.
    End {
        result: Result<(), Failure>,
        /// Whether the worker ends now, too.
        retires: bool,
    },
}

/// Sends a message with a single write. `buffer` is scratch space.
pub fn send(to: &mut impl Write, message: &impl Serialize, buffer: &mut Vec<u8>) -> io::Result<()> {
    send_with(to, message, &[], buffer)
}

/// Sends a message and the bytes of a document in one write: two would wake the other process
/// twice.
pub fn send_with(
    to: &mut impl Write,
    message: &impl Serialize,
    data: &[u8],
    buffer: &mut Vec<u8>,
) -> io::Result<()> {
    let mut frame = std::mem::take(buffer);
    frame.clear();
    frame.extend_from_slice(&[0; PREFIX_BYTES]);
    let mut frame = postcard::to_extend(message, frame).map_err(io::Error::other)?;
    let length = u32::try_from(frame.len() - PREFIX_BYTES).map_err(io::Error::other)?;
    frame[..PREFIX_BYTES].copy_from_slice(&length.to_le_bytes());
    write_all(to, &mut [IoSlice::new(&frame), IoSlice::new(data)])?;
    keep(frame, buffer);
    Ok(())
}

fn write_all(to: &mut impl Write, mut pieces: &mut [IoSlice<'_>]) -> io::Result<()> {
    // Removes slices that are empty from the start.
    IoSlice::advance_slices(&mut pieces, 0);
    while !pieces.is_empty() {
        match to.write_vectored(pieces) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut pieces, written),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Receives the next message and returns it with its length in bytes. The buffer grows only as
/// bytes arrive, regardless of the declared length. A length above `max_bytes` is an error of the
/// kind `FileTooLarge`.
pub fn receive<M: DeserializeOwned>(
    from: &mut impl BufRead,
    max_bytes: u64,
    buffer: &mut Vec<u8>,
) -> io::Result<(M, u64)> {
    let mut prefix = [0; PREFIX_BYTES];
    from.read_exact(&mut prefix)?;
    let length = u64::from(u32::from_le_bytes(prefix));
    if length > max_bytes {
        return Err(ErrorKind::FileTooLarge.into());
    }
    let mut frame = std::mem::take(buffer);
    frame.clear();
    let received = from.take(length).read_to_end(&mut frame)?;
    if (received as u64) < length {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    let message = postcard::from_bytes(&frame)
        .map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
    keep(frame, buffer);
    Ok((message, length))
}

fn keep(frame: Vec<u8>, buffer: &mut Vec<u8>) {
    if frame.capacity() <= MAX_KEPT_BYTES {
        *buffer = frame;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(message: &impl Serialize) -> Vec<u8> {
        let mut bytes = Vec::new();
        send(&mut bytes, message, &mut Vec::new()).unwrap();
        bytes
    }

    #[test]
    fn receives_consecutive_messages() {
        let mut bytes = encoded(&"one");
        bytes.extend(encoded(&"twenty"));
        let mut buffer = Vec::new();
        let mut from = bytes.as_slice();
        let (one, length): (String, _) = receive(&mut from, 100, &mut buffer).unwrap();
        assert_eq!((one.as_str(), length), ("one", 4));
        let (two, length): (String, _) = receive(&mut from, 100, &mut buffer).unwrap();
        assert_eq!((two.as_str(), length), ("twenty", 7));
        let end = receive::<String>(&mut from, 100, &mut buffer).unwrap_err();
        assert_eq!(end.kind(), ErrorKind::UnexpectedEof);
    }

    #[test]
    fn data_follows_its_message_after_partial_writes() {
        struct Partial(Vec<u8>);
        impl Write for Partial {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.extend(bytes.iter().take(3));
                Ok(bytes.len().min(3))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for data in ["", "d", "some data"] {
            let mut to = Partial(Vec::new());
            let mut buffer = Vec::new();
            send_with(&mut to, &"message", data.as_bytes(), &mut buffer).unwrap();
            let mut from = to.0.as_slice();
            let (message, _): (String, _) = receive(&mut from, 100, &mut buffer).unwrap();
            assert_eq!((message.as_str(), from), ("message", data.as_bytes()));
        }
        let mut full = [0; 5];
        let error =
            send_with(&mut full.as_mut_slice(), &"x", b"data", &mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WriteZero);
    }

    #[test]
    fn declared_lengths_allocate_nothing() {
        let mut buffer = Vec::new();
        let prefix = [0xff; PREFIX_BYTES];
        let error = receive::<String>(&mut prefix.as_slice(), 1000, &mut buffer).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        let error = receive::<String>(&mut prefix.as_slice(), u64::MAX, &mut buffer).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
        assert!(buffer.capacity() < 100_000, "{}", buffer.capacity());
    }

    #[test]
    fn an_undecodable_message_is_an_error() {
        let bytes = [3, 0, 0, 0, 9, 9, 9];
        let error = receive::<Answer>(&mut bytes.as_slice(), 1000, &mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
    }

    #[test]
    fn a_large_buffer_is_freed() {
        let mut buffer = Vec::new();
        let long = "x".repeat(2 * MAX_KEPT_BYTES);
        let bytes = {
            let mut bytes = Vec::new();
            send(&mut bytes, &long, &mut buffer).unwrap();
            bytes
        };
        assert_eq!(buffer.capacity(), 0);
        let (back, _): (String, _) = receive(&mut bytes.as_slice(), u64::MAX, &mut buffer).unwrap();
        assert!(back == long);
        assert_eq!(buffer.capacity(), 0);
    }
}
