//! Decompresses the start of a package before its first member is read. A wrong checksum at the
//! end makes every member suspect, so it should be known early.

use std::io::{self, ErrorKind, Read};
use std::sync::{Arc, OnceLock};

use corpus_bytes::record::RecordError;
use corpus_bytes::until_error::copy_of_error;

/// The number of bytes decompressed ahead. Later damage is reported after the members before it.
const MAX_AHEAD_BYTES: usize = 16 << 20;

type Failure = Arc<OnceLock<RecordError>>;

/// The damage found so far in a compressed package.
pub struct Checks(Failure);

impl Checks {
    pub fn failure(&self) -> Option<RecordError> {
        self.0.get().cloned()
    }
}

/// A decompressed package whose start is read ahead.
pub struct ReadAhead<R> {
    input: R,
    /// The name of the compression.
    compression: &'static str,
    ahead: Vec<u8>,
    at: usize,
    started: bool,
    /// The error that follows the data in `ahead`.
    error: Option<io::Error>,
    failure: Failure,
    /// An error of the file itself, which does not make the data before it suspect.
    file_failure: Failure,
}

impl<R: Read> ReadAhead<R> {
    pub fn new(input: R, compression: &'static str, file_failure: Failure) -> Self {
        Self {
            input,
            compression,
            file_failure,
            ahead: Vec::new(),
            at: 0,
            started: false,
            error: None,
            failure: Failure::default(),
        }
    }

    pub fn checks(&self) -> Checks {
        Checks(Arc::clone(&self.failure))
    }

    fn start(&mut self) {
        self.started = true;
        let mut input = self.input.by_ref().take(MAX_AHEAD_BYTES as u64);
        let Err(error) = input.read_to_end(&mut self.ahead) else {
            return;
        };
        // Truncated data is correct up to its end.
        if error.kind() != ErrorKind::UnexpectedEof && self.file_failure.get().is_none() {
            let detail = format!(
                "{} after {} bytes: {error}; all members of the package may be wrong",
                self.compression,
                self.ahead.len()
            );
            self.failure
                .get_or_init(|| RecordError::new("damaged package", detail));
        }
        self.error = Some(error);
    }
}

impl<R: Read> Read for ReadAhead<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.started {
            self.start();
        }
        let mut rest = self.ahead.get(self.at..).unwrap_or_default();
        if !rest.is_empty() {
            let count = rest.read(buffer)?;
            self.at += count;
            return Ok(count);
        }
        self.ahead = Vec::new();
        match &self.error {
            Some(error) => Err(copy_of_error(error)),
            None => self.input.read(buffer),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::columns::{CONTENT, ERROR};
    use crate::open;
    use crate::testing::{gzip, tar};
    use corpus_bytes::compression::Compression;
    use corpus_bytes::memory::Memory;
    use corpus_bytes::random::Random;
    use corpus_bytes::record::{ColumnSet, ReadRequest, Value};

    fn compressions(bytes: &[u8]) -> Vec<(Compression, Vec<u8>)> {
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        bzip2.write_all(bytes).unwrap();
        let mut zstd = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
        zstd.include_checksum(true).unwrap();
        zstd.write_all(bytes).unwrap();
        let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 6);
        xz.write_all(bytes).unwrap();
        vec![
            (Compression::Gzip, gzip(bytes)),
            (Compression::Bzip2, bzip2.finish().unwrap()),
            (Compression::Zstd, zstd.finish().unwrap()),
            (Compression::Xz, xz.finish().unwrap()),
        ]
    }

    /// Returns the content of each row, and the reason of its error.
    fn rows(bytes: &[u8]) -> Vec<(Option<Vec<u8>>, Option<&'static str>)> {
        let request = ReadRequest {
            file: Arc::new(Memory(bytes.into())),
            name: "book.tar".into(),
            range: 0..u64::MAX,
            max_record_bytes: 1 << 20,
            modified: None,
            columns: ColumnSet::ALL,
        };
        let mut reader = open(request, true, &[], false).unwrap();
        let mut rows = Vec::new();
        while reader.advance() {
            reader.load(true);
            let content = match reader.value(CONTENT) {
                Value::Bytes(bytes) => Some(bytes.to_vec()),
                _ => None,
            };
            assert_eq!(reader.value(ERROR), Value::Null);
            rows.push((content, reader.error().map(|error| error.reason)));
        }
        rows
    }

    #[test]
    fn no_wrong_member_of_a_compressed_tar_is_without_error() {
        let mut random = Random(5);
        let members: Vec<Vec<u8>> = (0..6)
            .map(|_| {
                let words = (0..200).map(|_| ["ocr_page ", "bbox ", "line\n"][random.below(3)]);
                words.collect::<String>().into_bytes()
            })
            .collect();
        for (compression, bytes) in compressions(&tar(&members)) {
            assert!(rows(&bytes).iter().all(|(_, error)| error.is_none()));
            for _ in 0..150 {
                let mut damaged = bytes.clone();
                // After the magic bytes by which the compression is detected.
                let at = 16 + random.below(bytes.len() - 16);
                damaged[at] ^= 1 << random.below(8);
                let rows = rows(&damaged);
                // A flipped bit may make the data look truncated.
                let cut = rows
                    .iter()
                    .any(|(_, error)| *error == Some("truncated package"));
                for (content, error) in rows.iter().filter(|_| !cut) {
                    let right = content.as_ref().is_some_and(|c| members.contains(c));
                    assert!(error.is_some() || right, "{compression:?} {at}");
                }
            }
        }
    }
}
