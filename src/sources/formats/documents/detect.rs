//! Detects the kind of a file from its first bytes.

use std::io::{self, Read};
use std::sync::Arc;

use corpus_bytes::compression::{Compression, MAGIC_LENGTH};
use corpus_bytes::file::FileBytes;
use corpus_http::sniffed_type;
use corpus_office::mail;
use corpus_udfs::containers::{is_sequence_file, is_web_archive};
use memchr::memmem;

/// The number of bytes examined at the start of a file, and at the end of packages.
const EXAMINED_BYTES: usize = 64 << 10;

/// The member that each Office Open XML file has.
const CONTENT_TYPES: &[u8] = b"[Content_Types].xml";

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A web archive.
    Archive,
    SequenceFile,
    /// A mailbox, and its compression.
    Mailbox(Option<Compression>),
    /// A document that is a zip package itself.
    Document,
    /// A package, a compressed file or a plain file.
    Other,
}

impl FileKind {
    /// Detects the kind of a file.
    pub fn detect(file: &Arc<dyn FileBytes>) -> io::Result<Self> {
        let start = read_at(file, 0)?;
        if is_sequence_file(&start) {
            return Ok(Self::SequenceFile);
        }
        if is_zip(&start) {
            return zip_kind(file, &start);
        }
        let compression = Compression::detect(start.get(..MAGIC_LENGTH).unwrap_or(&start));
        let start = match compression {
            Some(compression) => inflated_start(file, compression)?,
            None => start,
        };
        // The reader skips a byte order mark that an editor has inserted.
        let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start);
        if is_web_archive(text) {
            return Ok(Self::Archive);
        }
        Ok(match mail::kind(&start) {
            Some(mail::Kind::Mbox) => Self::Mailbox(compression),
            _ => Self::Other,
        })
    }

    /// Whether ranges of the file can be read.
    pub fn is_splittable(self) -> bool {
        matches!(self, Self::Archive | Self::SequenceFile)
    }
}

fn read_at(file: &Arc<dyn FileBytes>, offset: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; EXAMINED_BYTES];
    let count = file.read_at(offset, &mut bytes)?;
    bytes.truncate(count);
    Ok(bytes)
}

/// Returns the decompressed start, as far as it is intact. The reader of the file reports damage
/// later.
fn inflated_start(file: &Arc<dyn FileBytes>, compression: Compression) -> io::Result<Vec<u8>> {
    let input = file.stream(0)?;
    let mut start = Vec::new();
    if let Ok(decoder) = compression.decoder(input) {
        // Bytes read before an error stay in the buffer.
        let _ = decoder.take(EXAMINED_BYTES as u64).read_to_end(&mut start);
    }
    Ok(start)
}

fn is_zip(start: &[u8]) -> bool {
    start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06")
}

/// Returns the kind of a zip file: a web archive, a document, or another file, such as a package.
fn zip_kind(file: &Arc<dyn FileBytes>, start: &[u8]) -> io::Result<FileKind> {
    let end = read_at(file, file.size().saturating_sub(EXAMINED_BYTES as u64))?;
    let has = |name: &[u8]| {
        [start, &end]
            .iter()
            .any(|bytes| memmem::find(bytes, name).is_some())
    };
    if has(b"datapackage.json") && has(b"archive/") {
        return Ok(FileKind::Archive);
    }
    let media_type = sniffed_type(start, None).unwrap_or_default();
    // Any package may have folders with the names that such documents have.
    let is_by_folder = media_type.contains("openxmlformats") || media_type.contains("visio");
    let is_document = match media_type {
        "application/zip" => false,
        _ => !is_by_folder || has(CONTENT_TYPES),
    };
    Ok(if is_document {
        FileKind::Document
    } else {
        FileKind::Other
    })
}
