//! Reads the records of JSON files.
//!
//! DataFusion's own reader leaves escapes to the parser, which decodes some wrongly (`escapes`). It
//! fails on large arrays, because it divides them into ranges. Its errors do not name the file.

use std::sync::Arc;

use bytes::Bytes;
use corpus_columns::record::MAX_BATCH_BYTES;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::ReaderBuilder;
use datafusion::arrow::json::reader::Decoder;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, exec_datafusion_err, internal_err};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{
    FileOpenFuture, FileOpener, FileScanConfig, FileSource,
};
use datafusion::datasource::projection::{ProjectionOpener, SplitProjection};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::DataFusionError;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_plan::apply_expression_roots;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion_datasource::boundary_stream::AlignedBoundaryStream;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use memchr::{memchr, memchr_iter, memrchr};
use object_store::{GetOptions, ObjectMeta, ObjectStore};
use serde_json::value::RawValue;

use super::super::contents::{Contents, compression_of, in_file};
use super::checked::CheckedColumns;
use super::damage::{Damage, DamagedLines};
use super::mixed::with_texts;
use super::text::lines_of;
use crate::sources::location::display_name;

/// The records of JSON files.
#[derive(Clone)]
pub struct JsonRecords {
    schema: TableSchema,
    projection: ProjectionExprs,
    batch_size: Option<usize>,
    metrics: ExecutionPlanMetricsSet,
    spans_lines: bool,
    payloads: Option<Vec<bool>>,
    is_checked: bool,
    /// The damaged lines that are left out. `None` if they are errors.
    damage: Option<Arc<Damage>>,
}

impl JsonRecords {
    /// `spans_lines`: whether files are arrays, or objects over several lines.
    pub fn new(schema: TableSchema, spans_lines: bool) -> Self {
        Self {
            projection: SplitProjection::unprojected(&schema).source,
            schema,
            batch_size: None,
            metrics: ExecutionPlanMetricsSet::new(),
            spans_lines,
            payloads: None,
            is_checked: true,
            damage: None,
        }
    }

    /// Sets which columns of the files may have long values.
    pub fn with_payloads(self, payloads: Option<Vec<bool>>) -> Self {
        Self { payloads, ..self }
    }

    /// Sets whether the files may have values that do not fit the types of their columns.
    pub fn with_checks(self, is_checked: bool) -> Self {
        Self { is_checked, ..self }
    }

    /// Leaves out damaged lines of files with one record per line, and counts them.
    pub fn without_damage(self) -> Self {
        let damage = (!self.spans_lines).then(Arc::default);
        Self { damage, ..self }
    }

    /// The counter of damaged lines, if they are left out.
    pub fn damage(&self) -> Option<&Arc<Damage>> {
        self.damage.as_ref()
    }

    pub fn payloads(&self) -> Option<&[bool]> {
        self.payloads.as_deref()
    }

    #[cfg(feature = "cluster")]
    pub fn spans_lines(&self) -> bool {
        self.spans_lines
    }
}

impl FileSource for JsonRecords {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        _partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let Some(batch_size) = self.batch_size else {
            return internal_err!("JSON is read without a batch size");
        };
        let columns = self.schema.file_schema();
        let projection = SplitProjection::new(columns, &self.projection);
        let opener = Opener {
            columns: CheckedColumns::new(
                Arc::new(columns.project(&projection.file_indices)?),
                self.is_checked,
            ),
            files: config.object_store_url.clone(),
            store,
            batch_size,
            spans_lines: self.spans_lines,
            damage: self.damage.clone(),
        };
        ProjectionOpener::try_new(projection, Arc::new(opener), columns)
    }

    fn table_schema(&self) -> &TableSchema {
        &self.schema
    }

    fn with_batch_size(&self, batch_size: usize) -> Arc<dyn FileSource> {
        let batch_size = Some(batch_size);
        Arc::new(Self {
            batch_size,
            ..self.clone()
        })
    }

    fn try_pushdown_projection(
        &self,
        projection: &ProjectionExprs,
    ) -> Result<Option<Arc<dyn FileSource>>> {
        let projection = self.projection.try_merge(projection)?;
        Ok(Some(Arc::new(Self {
            projection,
            ..self.clone()
        })))
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection)
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &str {
        "json"
    }

    fn supports_repartitioning(&self) -> bool {
        !self.spans_lines
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        apply_expression_roots(self.projection.iter(), f)
    }
}

/// Opens a file, or the lines that start in a byte range of it.
#[derive(Clone)]
struct Opener {
    columns: CheckedColumns,
    /// The store of the files.
    files: ObjectStoreUrl,
    store: Arc<dyn ObjectStore>,
    batch_size: usize,
    spans_lines: bool,
    damage: Option<Arc<Damage>>,
}

impl FileOpener for Opener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let opener = self.clone();
        Ok(Box::pin(async move {
            let decoder = opener.decoder()?;
            let name = display_name(&opener.files, &file.object_meta.location);
            let start = file.range.as_ref().map_or(0, |range| range.start);
            let object = file.object_meta.clone();
            let lines = opener.lines(file).await;
            let lines = lines.map_err(|error| in_file(error, &name))?;
            let batches = Batches {
                opener,
                object,
                start: u64::try_from(start).unwrap_or_default(),
                decoder,
                lines: lines.fuse().boxed(),
                chunk: Bytes::new(),
                decoding: Vec::new(),
                decoded: 0,
                lines_before: 0,
                damaged: 0,
            };
            let named = move |error| in_file(error, &name);
            Ok(batches.into_stream().map_err(named).boxed())
        }))
    }
}

impl Opener {
    fn decoder(&self) -> Result<Decoder> {
        Ok(ReaderBuilder::new(Arc::clone(&self.columns.read))
            .with_batch_size(self.batch_size)
            // A column with both numbers and texts becomes text.
            .with_coerce_primitive(true)
            .build_decoder()?)
    }

    fn flush(&self, decoder: &mut Decoder) -> Result<Option<RecordBatch>, ArrowError> {
        let batch = decoder.flush()?;
        batch.map(|batch| self.columns.convert(batch)).transpose()
    }

    /// Returns the text of a file or a range.
    async fn lines(&self, file: PartitionedFile) -> Result<BoxStream<'static, Result<Bytes>>> {
        let object = &file.object_meta;
        let mut range = file.range.as_ref();
        if let Some(part) = range
            && compression_of(&self.store, object).await?.is_some()
        {
            // The reader of the first range reads all of a compressed file.
            if part.start > 0 {
                return Ok(stream::empty().boxed());
            }
            range = None;
        }
        let Some(range) = range else {
            let contents = Contents::open(&self.store, object).await?;
            return Ok(lines_of(contents.chunks, true, self.spans_lines));
        };
        let offset = |number: i64| u64::try_from(number).unwrap_or_default();
        let chunks = AlignedBoundaryStream::new(
            Arc::clone(&self.store),
            object.location.clone(),
            offset(range.start),
            offset(range.end),
            object.size,
            b'\n',
        );
        let chunks = chunks.await?.map_err(DataFusionError::from).boxed();
        Ok(lines_of(chunks, range.start == 0, self.spans_lines))
    }

    /// Returns the number of lines before those of the range from `start`.
    async fn lines_before(&self, object: &ObjectMeta, start: u64) -> Result<usize> {
        // The range starts after the first line break from its last byte before.
        let end = match start {
            0 | 1 => return Ok(usize::from(start == 1)),
            start => start - 1,
        };
        let range = GetOptions::new().with_range(Some(0..end));
        let text = self.store.get_opts(&object.location, range);
        let mut text = text.await?.into_stream();
        let mut breaks = 1;
        while let Some(chunk) = text.next().await {
            breaks += memchr_iter(b'\n', &chunk?).count();
        }
        Ok(breaks)
    }
}

/// Parses text into batches of limited size.
struct Batches {
    opener: Opener,
    object: ObjectMeta,
    /// Where the range of the file starts.
    start: u64,
    decoder: Decoder,
    lines: BoxStream<'static, Result<Bytes>>,
    /// Text that is not parsed yet.
    chunk: Bytes,
    /// The text of the next batch, which begins with a record.
    decoding: Vec<Bytes>,
    /// The number of its bytes.
    decoded: usize,
    /// The number of line breaks in earlier batches.
    lines_before: usize,
    /// The number of damaged lines left out.
    damaged: usize,
}

impl Batches {
    fn into_stream(self) -> BoxStream<'static, Result<RecordBatch>> {
        stream::try_unfold(self, |mut batches| async {
            let batch = batches.next().await?;
            Ok(batch.map(|batch| (batch, batches)))
        })
        .boxed()
    }

    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if self.chunk.is_empty() {
                match self.lines.next().await {
                    Some(chunk) => self.chunk = chunk?,
                    None => match self.flush().await? {
                        None if !self.chunk.is_empty() => {}
                        last => return Ok(last),
                    },
                }
            }
            let part = self.part();
            let length = match self.decoder.decode(&self.chunk[..part]) {
                Ok(length) => length,
                Err(_) if self.leave_out_damage().await? => continue,
                Err(error) => {
                    self.decoding.push(self.chunk.slice(..part));
                    return Err(self.at_line(error).await);
                }
            };
            self.decoding.push(self.chunk.split_to(length));
            self.decoded += length;
            let is_full = length < part
                || (self.decoded >= MAX_BATCH_BYTES && !self.decoder.has_partial_record());
            if is_full && let Some(batch) = self.flush().await? {
                return Ok(Some(batch));
            }
        }
    }

    /// Returns the number of bytes of the chunk to decode: the lines that fill the batch, or the
    /// whole chunk.
    fn part(&self) -> usize {
        let room = MAX_BATCH_BYTES.saturating_sub(self.decoded);
        let after = self.chunk.get(room..).unwrap_or_default();
        memchr(b'\n', after).map_or(self.chunk.len(), |end| room + end + 1)
    }

    /// Returns the decoded rows, if there are any. `None` also if damaged lines were left out, and
    /// the others are to be decoded again.
    async fn flush(&mut self) -> Result<Option<RecordBatch>> {
        let batch = match self.opener.flush(&mut self.decoder) {
            Ok(batch) => batch,
            Err(error) => match self.with_texts()? {
                Some(batch) => Some(batch),
                None if self.leave_out_damage().await? => return Ok(None),
                None => return Err(self.at_line(error).await),
            },
        };
        let breaks = self.decoding.drain(..);
        let breaks = breaks.map(|text| memchr_iter(b'\n', &text).count());
        self.lines_before += breaks.sum::<usize>();
        self.decoded = 0;
        Ok(batch)
    }

    /// Decodes the text again, with JSON in place of lists and objects in columns of texts. `None`
    /// if this does not help.
    fn with_texts(&mut self) -> Result<Option<RecordBatch>> {
        self.decoder = self.opener.decoder()?;
        let text = self.decoding.concat();
        for record in serde_json::Deserializer::from_slice(&text).into_iter::<&RawValue>() {
            let Ok(record) = record.and_then(|it| with_texts(it, self.opener.columns.fields()))
            else {
                return Ok(None);
            };
            // Numbers at the end of a text are complete at a space only.
            for text in [record.as_bytes(), b"\n"] {
                if self.decoder.decode(text).is_err() {
                    return Ok(None);
                }
            }
        }
        Ok(self.opener.flush(&mut self.decoder).ok().flatten())
    }

    /// Leaves damaged lines out of the text that could not be decoded. Returns whether there are
    /// any: the others are then decoded again.
    async fn leave_out_damage(&mut self) -> Result<bool> {
        let Some(damage) = self.opener.damage.clone() else {
            return Ok(false);
        };
        let mut text = self.decoding.concat();
        text.extend_from_slice(&self.chunk);
        let length = text.len();
        let mut lines = DamagedLines::default();
        let mut checked = 0;
        let mut is_whole = false;
        while lines.count == 0 && checked < length {
            let end = match memrchr(b'\n', &text[checked..]) {
                _ if is_whole => text.len(),
                end => end.map_or(checked, |end| checked + end + 1),
            };
            lines.blank(&mut text[checked..end])?;
            checked = end;
            if lines.count == 0 && checked < length {
                match self.lines.next().await {
                    Some(chunk) => text.extend_from_slice(&chunk?),
                    None => is_whole = true,
                }
            }
        }
        let Some((line, reason)) = &lines.first else {
            return Ok(false);
        };
        // A file with more damage than records probably has another format.
        self.damaged += lines.count;
        if self.damaged * 2 > self.lines_before + lines.checked() {
            return Ok(false);
        }
        if damage.add(lines.count) {
            let before = self.opener.lines_before(&self.object, self.start).await?;
            let number = before + self.lines_before + line + 1;
            log::warn!(
                "line {number} of '{}' is not valid JSON ({reason}) and is left out, like all such lines, \
                 which are counted; SET corpus.on_error = 'fail' makes them errors",
                display_name(&self.opener.files, &self.object.location)
            );
        }
        self.decoder = self.opener.decoder()?;
        self.decoding.clear();
        self.decoded = 0;
        self.chunk = text.into();
        Ok(true)
    }

    /// Adds to an error the line of the first record that fails.
    async fn at_line(&mut self, error: ArrowError) -> DataFusionError {
        let text = self.decoding.concat();
        let mut records = serde_json::Deserializer::from_slice(&text).into_iter::<&RawValue>();
        let mut at = 0;
        let reason = loop {
            let record = match records.next() {
                Some(Ok(record)) => record,
                Some(Err(invalid)) if !invalid.is_eof() => {
                    let reason = invalid.to_string();
                    let reason = reason.split(" at line ").next().unwrap_or_default();
                    break format!("not valid JSON: {reason}");
                }
                _ => return error.into(),
            };
            match self.fails(record) {
                Ok(None) => at = records.byte_offset(),
                Ok(Some(reason)) => {
                    break format!(
                        "{reason}; if you declare the column as text, lists and objects in it \
                         are JSON"
                    );
                }
                Err(error) => return error,
            }
        };
        // Space before the record may have line breaks.
        let space = text[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        let in_text = memchr_iter(b'\n', &text[..at + space.count()]).count();
        let before = match self.opener.lines_before(&self.object, self.start).await {
            Ok(before) => before,
            Err(error) => return error,
        };
        let number = before + self.lines_before + in_text + 1;
        let unit = if self.opener.spans_lines {
            "record"
        } else {
            "line"
        };
        exec_datafusion_err!("{unit} {number}: {reason}")
    }

    /// Returns why a record cannot be decoded by itself, if so.
    fn fails(&self, record: &RawValue) -> Result<Option<String>> {
        let mut decoder = self.opener.decoder()?;
        let texts = with_texts(record, self.opener.columns.fields());
        let text = texts.unwrap_or_else(|_| record.get().to_owned());
        let decoded = decoder.decode(text.as_bytes());
        let decoded = decoded.and_then(|_| self.opener.flush(&mut decoder));
        Ok(decoded.err().map(|error| match error {
            ArrowError::JsonError(reason) => reason,
            other => other.to_string(),
        }))
    }
}
