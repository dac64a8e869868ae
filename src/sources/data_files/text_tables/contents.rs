//! The content of text files, and their names in errors.
//!
//! The first bytes of a file decide its compression, not its name or an option, because a folder
//! may mix compressed and plain files.

use std::io::{self, Read, Seek};
use std::sync::Arc;

use bytes::{Buf, Bytes};
use corpus_bytes::compression::{Compression, MAGIC_LENGTH};
use datafusion::arrow::error::ArrowError;
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::error::DataFusionError;
use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt, TryStreamExt};
use object_store::{GetResultPayload, ObjectMeta, ObjectStore, ObjectStoreExt};

use super::inflate::inflate;

/// The size of the chunks in which local files are read.
const CHUNK_BYTES: usize = 256 << 10;

/// The content of a file.
pub struct Contents {
    /// The name of the file, for errors.
    pub name: String,
    pub is_local: bool,
    /// The decompressed bytes.
    pub chunks: BoxStream<'static, Result<Bytes>>,
}

impl Contents {
    pub async fn open(store: &Arc<dyn ObjectStore>, object: &ObjectMeta) -> Result<Self> {
        let got = store.get(&object.location).await?;
        let is_local = matches!(got.payload, GetResultPayload::File(..));
        let chunks = decompress(got.payload).await?;
        Ok(Self {
            name: if is_local {
                format!("/{}", object.location)
            } else {
                object.location.to_string()
            },
            is_local,
            chunks,
        })
    }

    /// Leaves out the start, whose length its first bytes show.
    pub async fn after_start(mut self, length: impl Fn(&[u8]) -> usize) -> Result<Self> {
        let mut head = start(&mut self.chunks).await?;
        head.advance(length(&head));
        self.chunks = stream::iter([Ok(head)]).chain(self.chunks).boxed();
        Ok(self)
    }

    /// Leaves out the first lines.
    pub fn after_lines(mut self, lines: usize) -> Self {
        if lines == 0 {
            return self;
        }
        let mut left = lines;
        let rest = self.chunks.map_ok(move |mut chunk| {
            while left > 0 && !chunk.is_empty() {
                let end = memchr::memchr(b'\n', &chunk);
                left -= usize::from(end.is_some());
                chunk.advance(end.map_or(chunk.len(), |end| end + 1));
            }
            chunk
        });
        self.chunks = rest.boxed();
        self
    }
}

/// Returns the decompressed content of a file.
async fn decompress(payload: GetResultPayload) -> Result<BoxStream<'static, Result<Bytes>>> {
    match payload {
        GetResultPayload::File(file, _) => local(file),
        GetResultPayload::Stream(chunks) => remote(chunks.map_err(Into::into).boxed()).await,
    }
}

/// Returns the compression of a file, from its first bytes.
pub async fn compression_of(
    store: &Arc<dyn ObjectStore>,
    object: &ObjectMeta,
) -> Result<Option<Compression>> {
    Ok(Compression::detect(&magic_of(store, object).await?))
}

/// Returns at least the first bytes of a file, which show its format.
pub async fn magic_of(store: &Arc<dyn ObjectStore>, object: &ObjectMeta) -> Result<Bytes> {
    let length = object.size.min(MAGIC_LENGTH as u64);
    if length == 0 {
        return Ok(Bytes::new());
    }
    match store.get_range(&object.location, 0..length).await {
        Ok(head) => Ok(head),
        // Some web servers send whole files only.
        Err(object_store::Error::NotSupported { .. } | object_store::Error::Generic { .. }) => {
            let chunks = store.get(&object.location).await?.into_stream();
            start(&mut chunks.map_err(Into::into).boxed()).await
        }
        Err(error) => Err(error.into()),
    }
}

/// The content of a local file.
fn local(mut file: impl Read + Seek + Send + 'static) -> Result<BoxStream<'static, Result<Bytes>>> {
    let mut head = Vec::with_capacity(MAGIC_LENGTH);
    let limit = MAGIC_LENGTH as u64;
    (&mut file).take(limit).read_to_end(&mut head)?;
    file.rewind()?;
    Ok(match Compression::detect(&head) {
        Some(compression) => chunks_of(compression.decoder(file)?).boxed(),
        None => chunks_of(file).boxed(),
    })
}

/// The content of a remote file.
async fn remote(
    mut chunks: BoxStream<'static, Result<Bytes>>,
) -> Result<BoxStream<'static, Result<Bytes>>> {
    let head = start(&mut chunks).await?;
    let compression = Compression::detect(&head);
    let chunks = stream::iter([Ok(head)]).chain(chunks).boxed();
    Ok(match compression {
        Some(compression) => inflate(compression, chunks),
        None => chunks,
    })
}

/// Returns enough of the file's start to detect its compression, or all of a shorter file.
async fn start(chunks: &mut BoxStream<'static, Result<Bytes>>) -> Result<Bytes> {
    let mut head = Bytes::new();
    while head.len() < MAGIC_LENGTH
        && let Some(chunk) = chunks.next().await
    {
        let chunk = chunk?;
        head = if head.is_empty() {
            chunk
        } else {
            [head, chunk].concat().into()
        };
    }
    Ok(head)
}

/// Reads a file in chunks. `object_store` would read only 8 KiB at a time.
fn chunks_of(file: impl Read + Send + 'static) -> impl Stream<Item = Result<Bytes>> {
    stream::try_unfold(file, |mut file| async {
        let mut chunk = Vec::with_capacity(CHUNK_BYTES);
        let limit = CHUNK_BYTES as u64;
        let length = (&mut file).take(limit).read_to_end(&mut chunk)?;
        Ok((length > 0).then(|| (Bytes::from(chunk), file)))
    })
}

/// Adds the name of a file to an error.
pub fn in_file(error: DataFusionError, name: &str) -> DataFusionError {
    let explained = match error.find_root() {
        DataFusionError::IoError(error) if is_truncation(error) => Some(truncated(error)),
        DataFusionError::ArrowError(arrow, _) => match arrow.as_ref() {
            ArrowError::CsvError(text) => other_width(text).or_else(|| other_charset(text)),
            ArrowError::IoError(_, error) if is_truncation(error) => Some(truncated(error)),
            _ => None,
        },
        _ => None,
    };
    let error = explained.unwrap_or(error);
    error.context(format!("cannot read '{name}'"))
}

/// Says what to do with a file of another charset.
fn other_charset(text: &str) -> Option<DataFusionError> {
    let (_, place) = text.split_once("invalid UTF-8 in ")?;
    Some(exec_datafusion_err!(
        "it is not UTF-8 (in {place}): convert it first, as with iconv -f LATIN1 -t UTF-8"
    ))
}

/// Whether a decoder needs more bytes than a file has.
fn is_truncation(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::UnexpectedEof
}

fn truncated(error: &io::Error) -> DataFusionError {
    exec_datafusion_err!(
        "the compressed file is truncated ({error}): download or copy it again; read_lines('…') \
         has the lines before its end"
    )
}

/// Says in the words of SQL that a record of CSV has another number of fields than the first.
fn other_width(text: &str) -> Option<DataFusionError> {
    let numbers = text.split(|it: char| !it.is_ascii_digit());
    let numbers: Vec<&str> = numbers.filter(|it| !it.is_empty()).collect();
    let (line, expected, found) = match numbers.as_slice() {
        [line, expected, found] if text.starts_with("incorrect number of fields") => {
            (line, expected, found)
        }
        [expected, found, line] if text.starts_with("Encountered unequal lengths") => {
            (line, expected, found)
        }
        _ => return None,
    };
    Some(exec_datafusion_err!(
        "the number of fields in line {line} is {found}, not {expected} as in the first: read_csv('…') has the \
         options null_padding => true for short lines, ignore_errors => true, which leaves such \
         lines out, and delim and quote"
    ))
}
