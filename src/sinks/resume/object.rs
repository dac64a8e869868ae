//! Files on a store, for the Parquet reader and writer.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path as FilePath;
use std::sync::Arc;

use bytes::Bytes;
use datafusion::parquet::arrow::arrow_reader::ArrowReaderOptions;
use datafusion::parquet::arrow::async_reader::AsyncFileReader;
use datafusion::parquet::arrow::async_writer::AsyncFileWriter;
use datafusion::parquet::errors::{ParquetError, Result};
use datafusion::parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use futures::FutureExt;
use futures::future::BoxFuture;
use object_store::path::Path;
use object_store::{
    ObjectMeta, ObjectStore, ObjectStoreExt, PutMultipartOptions, PutPayloadMut, PutResult,
    WriteMultipart,
};

use crate::sinks::open_upload::OpenUpload;

/// The size of parts of an upload. Smaller files are sent by one request.
const UPLOAD_PART_BYTES: usize = 10 << 20;

/// The maximum number of parts uploaded in parallel.
const MAX_PARALLEL_PARTS: usize = 8;

/// A Parquet file to read.
#[derive(Debug)]
pub struct StoredFile {
    store: Arc<dyn ObjectStore>,
    path: Path,
    size: u64,
}

impl StoredFile {
    pub fn new(store: Arc<dyn ObjectStore>, file: &ObjectMeta) -> Self {
        Self {
            store,
            path: file.location.clone(),
            size: file.size,
        }
    }

    pub async fn metadata(&mut self) -> Result<Arc<ParquetMetaData>> {
        self.get_metadata(None).await
    }
}

impl AsyncFileReader for StoredFile {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, Result<Bytes>> {
        async move { Ok(self.store.get_range(&self.path, range).await?) }.boxed()
    }

    fn get_byte_ranges(&mut self, ranges: Vec<Range<u64>>) -> BoxFuture<'_, Result<Vec<Bytes>>> {
        async move { Ok(self.store.get_ranges(&self.path, &ranges).await?) }.boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        options: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, Result<Arc<ParquetMetaData>>> {
        async move {
            let size = self.size;
            let metadata = ParquetMetaDataReader::new()
                .with_arrow_reader_options(options)
                .load_and_finish(self, size)
                .await?;
            Ok(Arc::new(metadata))
        }
        .boxed()
    }
}

/// A file that is being written.
pub enum Upload {
    /// Written on the thread of the query. A background write could outlive the query and recreate
    /// its folder.
    Local(File),
    Remote(Option<RemoteFile>),
}

/// A file on a store. It leaves nothing unless it is completed.
pub struct RemoteFile {
    store: Arc<dyn ObjectStore>,
    path: Path,
    content: Content,
}

enum Content {
    /// All bytes so far, because a small file is sent by one request.
    Small(PutPayloadMut),
    Large(WriteMultipart),
}

impl Upload {
    pub fn to_file(path: &FilePath) -> io::Result<Self> {
        Ok(Self::Local(File::create_new(path)?))
    }

    pub fn to_store(store: Arc<dyn ObjectStore>, path: Path) -> Self {
        Self::Remote(Some(RemoteFile {
            store,
            path,
            content: Content::Small(PutPayloadMut::new()),
        }))
    }
}

impl RemoteFile {
    async fn write(&mut self, bytes: Bytes) -> object_store::Result<()> {
        match &mut self.content {
            Content::Large(parts) => {
                parts.wait_for_capacity(MAX_PARALLEL_PARTS).await?;
                parts.put(bytes);
            }
            Content::Small(content) => {
                content.push(bytes);
                if content.content_length() >= UPLOAD_PART_BYTES {
                    let options = PutMultipartOptions::default();
                    let upload = OpenUpload::begin(&self.store, &self.path, options).await?;
                    let mut parts =
                        WriteMultipart::new_with_chunk_size(Box::new(upload), UPLOAD_PART_BYTES);
                    for bytes in std::mem::take(content).freeze() {
                        parts.put(bytes);
                    }
                    self.content = Content::Large(parts);
                }
            }
        }
        Ok(())
    }

    async fn complete(self) -> object_store::Result<PutResult> {
        match self.content {
            Content::Small(content) => self.store.put(&self.path, content.into()).await,
            Content::Large(parts) => parts.finish().await,
        }
    }
}

fn is_complete() -> ParquetError {
    ParquetError::General("the file is complete".to_owned())
}

impl AsyncFileWriter for Upload {
    fn write(&mut self, bytes: Bytes) -> BoxFuture<'_, Result<()>> {
        async move {
            match self {
                Self::Local(file) => Ok(file.write_all(&bytes)?),
                Self::Remote(file) => {
                    let file = file.as_mut().ok_or_else(is_complete)?;
                    Ok(file.write(bytes).await?)
                }
            }
        }
        .boxed()
    }

    fn complete(&mut self) -> BoxFuture<'_, Result<()>> {
        async move {
            if let Self::Remote(file) = self {
                file.take().ok_or_else(is_complete)?.complete().await?;
            }
            Ok(())
        }
        .boxed()
    }
}
