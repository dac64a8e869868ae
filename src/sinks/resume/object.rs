//! Files on a store, as the Parquet reader and writer see them.

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
use object_store::buffered::BufWriter;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use tokio::io::AsyncWriteExt;
use tokio::runtime::Handle;

/// A Parquet file that is read.
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

/// A file that is written.
pub enum Upload {
    /// Written on the thread of the query. A write in the background could outlive the query, and
    /// create its folder again.
    Local(File),
    /// Aborted unless it is completed: stores keep, and charge for, unfinished uploads.
    Remote(Option<Box<BufWriter>>),
}

impl Upload {
    pub fn to_file(path: &FilePath) -> io::Result<Self> {
        Ok(Self::Local(File::create_new(path)?))
    }

    pub fn to_store(store: Arc<dyn ObjectStore>, path: Path) -> Self {
        Self::Remote(Some(Box::new(BufWriter::new(store, path))))
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
                Self::Remote(writer) => {
                    let writer = writer.as_mut().ok_or_else(is_complete)?;
                    Ok(writer.put(bytes).await?)
                }
            }
        }
        .boxed()
    }

    fn complete(&mut self) -> BoxFuture<'_, Result<()>> {
        async move {
            match self {
                Self::Local(_) => Ok(()),
                Self::Remote(writer) => {
                    let mut writer = writer.take().ok_or_else(is_complete)?;
                    Ok(writer.shutdown().await?)
                }
            }
        }
        .boxed()
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if let Self::Remote(writer) = self
            && let (Some(mut writer), Ok(runtime)) = (writer.take(), Handle::try_current())
        {
            runtime.spawn(async move { writer.abort().await });
        }
    }
}
