//! The content of text files, and their names in errors.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use bytes::Bytes;
use datafusion::common::Result;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::error::DataFusionError;
use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt, TryStreamExt};
use object_store::{GetResultPayload, ObjectMeta, ObjectStore, ObjectStoreExt};

/// The size of the chunks in which local files are read.
const CHUNK_BYTES: usize = 256 << 10;

/// The content of a file.
pub struct Contents {
    /// For errors.
    pub name: String,
    pub is_local: bool,
    /// Decompressed.
    pub chunks: BoxStream<'static, Result<Bytes>>,
}

impl Contents {
    pub async fn open(
        compression: FileCompressionType,
        store: &Arc<dyn ObjectStore>,
        object: &ObjectMeta,
    ) -> Result<Self> {
        let got = store.get(&object.location).await?;
        let (is_local, chunks) = match got.payload {
            GetResultPayload::File(file, _) => (true, chunks_of(file).boxed()),
            GetResultPayload::Stream(chunks) => (false, chunks.map_err(Into::into).boxed()),
        };
        Ok(Self {
            name: match is_local {
                true => format!("/{}", object.location),
                false => object.location.to_string(),
            },
            is_local,
            chunks: compression.convert_stream(chunks)?,
        })
    }
}

/// Reads a local file in chunks. Those of `object_store` have only 8 KiB.
fn chunks_of(file: File) -> impl Stream<Item = Result<Bytes>> {
    stream::try_unfold(file, |mut file| async {
        let mut chunk = Vec::with_capacity(CHUNK_BYTES);
        let limit = CHUNK_BYTES as u64;
        let length = (&mut file).take(limit).read_to_end(&mut chunk)?;
        Ok((length > 0).then(|| (Bytes::from(chunk), file)))
    })
}

/// Adds the name of a file to an error.
pub fn in_file(error: DataFusionError, name: &str) -> DataFusionError {
    error.context(format!("cannot read '{name}'"))
}
