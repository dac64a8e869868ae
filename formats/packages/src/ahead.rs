//! Decompresses the start of a package before its first member is read, so that a wrong checksum
//! at its end is known in time: it makes every member suspect.

use std::io::{self, ErrorKind, Read};
use std::sync::Arc;

use parking_lot::Mutex;

use corpus_bytes::record::RecordError;

/// The part of a package that is decompressed ahead. Damage that shows later is reported after
/// the members.
const MAX_AHEAD_BYTES: usize = 16 << 20;

pub type Failure = Arc<Mutex<Option<RecordError>>>;

/// What is known of the damage of a compressed package.
pub struct Checks(Failure);

impl Checks {
    pub fn failure(&self) -> Option<RecordError> {
        self.0.lock().clone()
    }
}

pub struct ReadAhead<R> {
    input: R,
    /// The name of the compression.
    compression: &'static str,
    ahead: Vec<u8>,
    at: usize,
    started: bool,
    /// What ended the data in `ahead`, for when that has been read.
    error: Option<io::Error>,
    failure: Failure,
    /// An error of the file itself, which says nothing about the data before it.
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
        // Data that was only cut is right as far as it goes.
        if error.kind() != ErrorKind::UnexpectedEof && self.file_failure.lock().is_none() {
            let detail = format!(
                "{} after {} bytes: {error}; all members of the package may be wrong",
                self.compression,
                self.ahead.len()
            );
            *self.failure.lock() = Some(RecordError::new("damaged package", detail));
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
            Some(error) => Err(io::Error::new(error.kind(), error.to_string())),
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
    use corpus_bytes::compression::Compression;
    use corpus_bytes::memory::Memory;
    use corpus_bytes::random::Random;
    use corpus_bytes::record::{ColumnSet, ReadRequest, Value};

    fn tar(members: &[Vec<u8>]) -> Vec<u8> {
        let mut builder = ::tar::Builder::new(Vec::new());
        for (number, content) in members.iter().enumerate() {
            let mut header = ::tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_cksum();
            let name = format!("page-{number}.html");
            builder
                .append_data(&mut header, name, &content[..])
                .unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn compressions(bytes: &[u8]) -> Vec<(Compression, Vec<u8>)> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(bytes).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        bzip2.write_all(bytes).unwrap();
        let mut zstd = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
        zstd.include_checksum(true).unwrap();
        zstd.write_all(bytes).unwrap();
        let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 6);
        xz.write_all(bytes).unwrap();
        vec![
            (Compression::Gzip, gzip.finish().unwrap()),
            (Compression::Bzip2, bzip2.finish().unwrap()),
            (Compression::Zstd, zstd.finish().unwrap()),
            (Compression::Xz, xz.finish().unwrap()),
        ]
    }

    /// Content of each row, and the reason of its error.
    fn rows(bytes: &[u8]) -> Vec<(Option<Vec<u8>>, Option<&'static str>)> {
        let request = ReadRequest {
            file: Arc::new(Memory(bytes.into())),
            name: "book.tar".into(),
            range: 0..u64::MAX,
            max_record_bytes: 1 << 20,
            modified: None,
            columns: ColumnSet::ALL,
        };
        let mut reader = open(request, true, &[]).unwrap();
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
                // Behind the magic bytes, by which it is known to be compressed.
                let at = 16 + random.below(bytes.len() - 16);
                damaged[at] ^= 1 << random.below(8);
                let rows = rows(&damaged);
                // The bit flip may turn the rest into data without end, as if the file were cut.
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
