//! Reads the records of CSV files.
//!
//! DataFusion's own reader takes columns by their place in the table, stops after the first member
//! of compressed files, and reads a quote that is never closed as a long value. Its errors do not
//! name the file.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, RecordBatch, RecordBatchOptions, StringArray,
    new_null_array,
};
use datafusion::arrow::compute::{cast, filter_record_batch};
use datafusion::arrow::csv::ReaderBuilder;
use datafusion::arrow::csv::reader::Decoder;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::common::config::CsvOptions;
use datafusion::common::{Result, exec_datafusion_err, exec_err, plan_err};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileOpenFuture, FileOpener};
use datafusion::error::DataFusionError;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion_datasource::boundary_stream::AlignedBoundaryStream;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use object_store::{ObjectMeta, ObjectStore};

use super::super::contents::{Contents, compression_of, in_file};
use super::dialect::{BACKSLASH, DelimiterLine, may_escape_quotes};
use super::empty_lines::EmptyLines;
use super::fitting::Fitting;
use super::header::names_in;
use super::read_options::ReadOptions;
use super::record_ends::{MAX_RECORD_BYTES, RecordEnds};
use super::values::{Conversion, Misfit};
use crate::sources::data_files::spellings::place_of;
use crate::sources::location::display_name;
use corpus_udfs::duckdb::type_name;

/// Opens a file, or the lines that start in a byte range of it.
#[derive(Clone)]
pub struct Opener {
    pub options: CsvOptions,
    pub read: ReadOptions,
    pub has_header: bool,
    /// The columns of the table that are in files.
    pub columns: SchemaRef,
    /// The indexes of the columns to read.
    pub projection: Vec<usize>,
    /// Declared columns may have other names than the headers.
    pub has_declared_columns: bool,
    pub batch_rows: usize,
    /// The store of the files.
    pub files: ObjectStoreUrl,
    pub store: Arc<dyn ObjectStore>,
}

impl FileOpener for Opener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let opener = self.clone();
        Ok(Box::pin(async move {
            let name = display_name(&opener.files, &file.object_meta.location);
            let is_inferred = !opener.has_declared_columns && !opener.read.has_types();
            let explained = move |error| explain(error, &name, is_inferred);
            let batches = opener.batches(file).await.map_err(&explained)?;
            Ok(batches.map_err(explained).boxed())
        }))
    }
}

impl Opener {
    async fn batches(
        self,
        file: PartitionedFile,
    ) -> Result<BoxStream<'static, Result<RecordBatch>>> {
        let (store, object) = (&self.store, file.object_meta.clone());
        let mut range = file.range;
        if let Some(part) = &range
            && (self.read.skips_lines() || compression_of(store, &object).await?.is_some())
        {
            // The reader of the first range reads all of a compressed file, and of one with lines
            // to skip, which may be longer than a range.
            if part.start > 0 {
                return Ok(stream::empty().boxed());
            }
            range = None;
        }
        let offset = |number: i64| u64::try_from(number).unwrap_or_default();
        let start = range.as_ref().map_or(0, |range| offset(range.start));
        let has_names = self.has_header && !self.has_declared_columns;
        let mut head = Bytes::new();
        let mut contents = None;
        let mut names = None;
        if range.is_none() || has_names {
            let mut opened = self.contents(&object).await?;
            if has_names {
                let (of_file, read) = names_in(&mut opened, &self.options).await?;
                if of_file.is_empty() {
                    return Ok(stream::empty().boxed());
                }
                (names, head) = (Some(of_file), read);
            }
            contents = Some(opened.chunks);
        }
        let chunks = match (range, contents) {
            (None, Some(chunks)) => stream::iter([Ok(head)]).chain(chunks).boxed(),
            (range, _) => {
                let end = range.map_or(object.size, |range| offset(range.end));
                let terminator = self.options.terminator.unwrap_or(b'\n');
                let (store, location) = (Arc::clone(store), object.location.clone());
                let chunks = AlignedBoundaryStream::new(
                    store,
                    location,
                    start,
                    end,
                    object.size,
                    terminator,
                );
                chunks.await?.map_err(DataFusionError::from).boxed()
            }
        };
        let fields = names.as_ref().map_or(self.columns.fields().len(), Vec::len);
        let empty_lines = EmptyLines::new(&self.options, fields, start == 0);
        let fitting = self.read.ignores_errors == Some(true);
        let fitting = fitting.then(|| Fitting::new(&self.options, Some(fields)));
        let (decoder, sources) = self.decoder(names.as_deref(), start == 0)?;
        let schema = Arc::new(self.columns.project(&self.projection)?);
        let batches = Batches {
            checks_quotes: self.options.escape.is_none() && fitting.is_none(),
            opener: self,
            object,
            start,
            schema,
            decoder,
            sources,
            chunks,
            chunk: Bytes::new(),
            empty_lines,
            fitting,
            misfits: 0,
            record_bytes: 0,
            rows: 0,
            end: End::Ahead,
        };
        Ok(batches.into_stream())
    }

    /// Returns a decoder for a file with these columns, and where the columns of batches come from.
    /// `names`: those of the header, unless the columns are read by their place.
    fn decoder(&self, names: Option<&[String]>, at_start: bool) -> Result<(Decoder, Vec<Source>)> {
        let fields = self.columns.fields();
        // The names in the spelling of the table.
        let names = names.map(|names| {
            let of_table = fields.iter().map(|field| field.name().as_str());
            let is_own = |name: &str| names.iter().any(|own| own == name);
            let names = names.iter().map(|name| {
                let place = place_of(name, of_table.clone(), is_own);
                place.map_or(name, |place| fields[place].name())
            });
            names.collect::<Vec<_>>()
        });
        let of_file: Vec<&FieldRef> = match &names {
            None => fields.iter().collect(),
            Some(names) => {
                let found = names.iter().map(|name| field_of(fields, name));
                found.collect::<Result<_>>()?
            }
        };
        let mut read = Vec::new();
        let mut sources = Vec::new();
        for place in &self.projection {
            let field = &fields[*place];
            let in_file = match &names {
                None => Some(*place),
                Some(names) => names.iter().position(|name| *name == field.name()),
            };
            sources.push(match in_file {
                None => Source::Missing,
                Some(in_file) => {
                    read.push(in_file);
                    self.source(in_file, field)?
                }
            });
        }
        let decoded = of_file.iter().enumerate().map(|(in_file, field)| {
            let data_type = match self.source(in_file, field)? {
                Source::Text(_) | Source::Cast => DataType::Utf8,
                _ => field.data_type().clone(),
            };
            Ok(Field::new(field.name(), data_type, true))
        });
        let decoded: Vec<Field> = decoded.collect::<Result<_>>()?;
        let decoder = reader_builder(Schema::new(decoded), &self.options)
            .with_header(self.has_header && at_start)
            .with_batch_size(self.batch_rows)
            .with_projection(read)
            .build_decoder();
        Ok((decoder, sources))
    }

    fn source(&self, in_file: usize, field: &Field) -> Result<Source> {
        let is_typed = self.read.is_typed(in_file, field.name());
        let is_inferred = !self.has_declared_columns && !is_typed;
        let conversion = Conversion::new(field.data_type(), is_inferred, &self.read)?;
        Ok(match conversion {
            Some(conversion) => Source::Text(Arc::new(conversion)),
            None if self.read.ignores_errors == Some(true) => Source::Cast,
            None => Source::Decoded,
        })
    }

    /// The content of a file after the lines to skip.
    async fn contents(&self, object: &ObjectMeta) -> Result<Contents> {
        let contents = Contents::open(&self.store, object).await?;
        let contents = contents.after_lines(self.read.skipped_lines);
        if !self.read.has_delimiter_line {
            return Ok(contents);
        }
        let length = |head: &[u8]| DelimiterLine::at_start_of(head).map_or(0, |line| line.length);
        contents.after_start(length).await
    }

    /// Finds the record that is too long or has an unclosed quote. The result has its line.
    async fn unended(&self, object: &ObjectMeta) -> Result<RecordEnds> {
        let mut contents = self.contents(object).await?;
        let mut records = RecordEnds::new(&self.options);
        records.skip_lines(self.read.skipped_lines);
        while let Some(chunk) = contents.chunks.next().await {
            records.last_in(&chunk?);
            if records.record_bytes > MAX_RECORD_BYTES {
                break;
            }
        }
        Ok(records)
    }
}

/// Fails if text follows a closing quote, unless a backslash escapes quotes.
async fn check_quotes(opener: &Opener, object: &ObjectMeta) -> Result<()> {
    let mut contents = opener.contents(object).await?;
    let mut records = RecordEnds::new(&opener.options);
    let mut escaped = RecordEnds::new(&CsvOptions {
        escape: Some(BACKSLASH),
        ..opener.options.clone()
    });
    let mut is_odd = false;
    while let Some(chunk) = contents.chunks.next().await {
        let chunk = chunk?;
        is_odd = is_odd || records.has_text_after_quote(&chunk);
        if escaped.has_text_after_quote(&chunk) {
            return Ok(());
        }
    }
    if is_odd {
        return exec_err!(
            "backslashes escape quotes, but not in the first records, so this was not detected: \
             write read_csv('…', escape => '\\')"
        );
    }
    Ok(())
}

/// Returns a builder of Arrow's reader.
pub fn reader_builder(schema: Schema, options: &CsvOptions) -> ReaderBuilder {
    let mut builder = ReaderBuilder::new(Arc::new(schema))
        .with_delimiter(options.delimiter)
        .with_quote(options.quote)
        .with_truncated_rows(options.truncated_rows.unwrap_or(false));
    if let Some(terminator) = options.terminator {
        builder = builder.with_terminator(terminator);
    }
    if let Some(escape) = options.escape {
        builder = builder.with_escape(escape);
    }
    if let Some(comment) = options.comment {
        builder = builder.with_comment(comment);
    }
    builder
}

fn field_of<'a>(columns: &'a Fields, name: &str) -> Result<&'a FieldRef> {
    match columns.iter().find(|column| column.name() == name) {
        Some(column) => Ok(column),
        None => plan_err!(
            "the column '{name}' is not in the first files: declare the columns in CREATE EXTERNAL \
             TABLE, or read this file alone"
        ),
    }
}

/// Where a column of a batch comes from.
#[derive(Clone)]
enum Source {
    /// The file does not have the column.
    Missing,
    Decoded,
    /// The decoder returns texts.
    Text(Arc<Conversion>),
    /// The decoder returns texts, and those that cannot be cast are misfits.
    Cast,
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Ahead,
    /// The decoder has all bytes of the file, and a line break after them.
    Terminated,
    /// The decoder knows that the file has ended.
    Reached,
}

/// Parses the bytes of a file into batches.
struct Batches {
    opener: Opener,
    object: ObjectMeta,
    /// Where the range of the file starts.
    start: u64,
    schema: SchemaRef,
    decoder: Decoder,
    sources: Vec<Source>,
    chunks: BoxStream<'static, Result<Bytes>>,
    /// Bytes that are not decoded yet.
    chunk: Bytes,
    /// Makes empty lines records, if there is one column.
    empty_lines: Option<EmptyLines>,
    /// Whether quotes after backslashes have to be checked.
    checks_quotes: bool,
    /// Leaves out records with another number of fields.
    fitting: Option<Fitting>,
    /// The number of records left out because of a value.
    misfits: usize,
    /// About the number of bytes decoded since the last complete record.
    record_bytes: usize,
    /// The number of rows of earlier batches.
    rows: usize,
    end: End,
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
        while self.end == End::Ahead {
            if self.decoder.capacity() == 0 {
                return self.flush();
            }
            if !self.chunk.is_empty() {
                self.decode().await?;
            } else if let Some(chunk) = self.chunks.next().await {
                let mut chunk = chunk?;
                if self.checks_quotes && may_escape_quotes(&chunk, &self.opener.options) {
                    self.checks_quotes = false;
                    check_quotes(&self.opener, &self.object).await?;
                }
                if let Some(lines) = &mut self.empty_lines {
                    chunk = lines.fill(chunk);
                }
                self.chunk = match &mut self.fitting {
                    Some(fitting) => fitting.next(&chunk),
                    None => chunk,
                };
            } else if let Some(last) = self.fitting.as_mut().map(Fitting::last)
                && !last.is_empty()
            {
                self.chunk = last;
            } else {
                let terminator = self.opener.options.terminator.unwrap_or(b'\n');
                self.decoder.decode(&[terminator])?;
                self.end = End::Terminated;
            }
        }
        if self.decoder.capacity() == 0 {
            return self.flush();
        }
        if self.end == End::Terminated {
            self.end = End::Reached;
            // The end of the file completes a record after a line break only inside of quotes.
            let capacity = self.decoder.capacity();
            let decoded = self.decoder.decode(&[]);
            if decoded.is_err() || self.decoder.capacity() < capacity {
                return Err(self.unended(decoded.err()).await);
            }
            if self.rows == 0 && capacity == self.opener.batch_rows && self.start == 0 {
                self.check_header().await?;
            }
        }
        self.flush()
    }

    /// Fails if the only record, which the decoder has skipped, is a header with an open quote.
    async fn check_header(&mut self) -> Result<()> {
        let records = self.opener.unended(&self.object).await?;
        if records.quoted_column().is_some() {
            return Err(self.unended(None).await);
        }
        Ok(())
    }

    async fn decode(&mut self) -> Result<()> {
        let capacity = self.decoder.capacity();
        let length = self.decoder.decode(&self.chunk)?;
        self.chunk.advance(length);
        if self.decoder.capacity() < capacity {
            self.record_bytes = 0;
            return Ok(());
        }
        self.record_bytes += length;
        if self.record_bytes > MAX_RECORD_BYTES {
            return Err(self.unended(None).await);
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<Option<RecordBatch>> {
        let Some(decoded) = self.decoder.flush()? else {
            return Ok(None);
        };
        let count = decoded.num_rows();
        let mut arrays = decoded.columns().iter();
        let mut columns = Vec::with_capacity(self.sources.len());
        let mut misfits = BTreeSet::new();
        for (source, field) in self.sources.iter().zip(self.schema.fields()) {
            let array = match source {
                Source::Missing => None,
                _ => arrays.next(),
            };
            columns.push(match (source, array) {
                (_, None) => new_null_array(field.data_type(), count),
                (Source::Text(conversion), Some(array)) if self.fitting.is_some() => {
                    conversion.fitting(array.as_string::<i32>(), &mut misfits)
                }
                (Source::Cast, Some(array)) => {
                    fitting_cast(array.as_string::<i32>(), field, &mut misfits)?
                }
                (Source::Text(conversion), Some(array)) => {
                    let texts = array.as_string::<i32>();
                    let converted = conversion.array(texts);
                    converted
                        .map_err(|misfit| self.misfit(&misfit, texts.value(misfit.row), field))?
                }
                (_, Some(array)) => Arc::clone(array),
            });
        }
        self.rows += count;
        let options = RecordBatchOptions::new().with_row_count(Some(count));
        let schema = Arc::clone(&self.schema);
        let batch = RecordBatch::try_new_with_options(schema, columns, &options)?;
        if misfits.is_empty() {
            return Ok(Some(batch));
        }
        self.misfits += misfits.len();
        let kept = (0..count).map(|row| Some(!misfits.contains(&row)));
        let kept: BooleanArray = kept.collect();
        Ok(Some(filter_record_batch(&batch, &kept)?))
    }

    fn misfit(&self, misfit: &Misfit, text: &str, field: &Field) -> DataFusionError {
        let record = self.rows + misfit.row + 1;
        let after = match self.start {
            0 => String::new(),
            start => format!(" after byte {start}"),
        };
        let data_type = match field.data_type() {
            DataType::Timestamp(_, None) => "TIMESTAMP".to_owned(),
            other => type_name(other),
        };
        let message = format!(
            "record {record}{after} has '{text}' in the column '{}' of type {data_type}: {}",
            field.name(),
            misfit.reason
        );
        ArrowError::ParseError(message).into()
    }

    /// Returns the error of a record that is too long or does not end.
    async fn unended(&mut self, error: Option<ArrowError>) -> DataFusionError {
        if self.start > 0 {
            let start = self.start;
            return exec_datafusion_err!(
                "a record after byte {start} is too long, or has a quote that is never closed; if \
                 values have line breaks, leave out the option newlines_in_values"
            );
        }
        let records = match self.opener.unended(&self.object).await {
            Ok(records) => records,
            Err(error) => return error,
        };
        let line = records.record_line;
        let limit = MAX_RECORD_BYTES >> 20;
        let is_long = records.record_bytes > MAX_RECORD_BYTES;
        let quote = char::from(self.opener.options.quote);
        let help = format!(
            "add the quote, or, if {quote} is an ordinary character in this file, name a character \
             that it does not have as the quote, such as in read_csv('x.csv', quote => '|')"
        );
        match (records.quoted_column(), error) {
            (Some(column), _) if is_long => exec_datafusion_err!(
                "the record in line {line} opens a quote in column {column} and has more than \
                 {limit} MiB: {help}"
            ),
            (Some(column), _) => exec_datafusion_err!(
                "the record in line {line} opens a quote in column {column} and never closes it: \
                 {help}"
            ),
            (None, Some(error)) => error.into(),
            (None, None) => {
                exec_datafusion_err!("the record in line {line} has more than {limit} MiB")
            }
        }
    }
}

impl Drop for Batches {
    /// Reports the records that were left out.
    fn drop(&mut self) {
        let Some(fitting) = &self.fitting else {
            return;
        };
        let name = display_name(&self.opener.files, &self.object.location);
        for (count, reason) in [
            (fitting.left_out, "have another number of fields"),
            (
                self.misfits,
                "have values that do not fit the types of their columns",
            ),
        ] {
            if count > 0 {
                log::warn!("records of '{name}' that {reason} are left out: {count}");
            }
        }
    }
}

/// Casts the texts of a column, and adds the rows of those that are not of its type to `misfits`.
fn fitting_cast(
    texts: &StringArray,
    field: &Field,
    misfits: &mut BTreeSet<usize>,
) -> Result<ArrayRef> {
    let trimmed: StringArray = texts.iter().map(|text| text.map(str::trim_ascii)).collect();
    let texts = if field.data_type().is_string() {
        texts
    } else {
        &trimmed
    };
    let array = cast(texts, field.data_type())?;
    let rows = 0..texts.len();
    misfits.extend(rows.filter(|row| array.is_null(*row) && !texts.is_null(*row)));
    Ok(array)
}

/// Adds the file's name to an error. If a value does not fit the type of its column, also explains
/// where the type comes from.
fn explain(error: DataFusionError, name: &str, is_inferred: bool) -> DataFusionError {
    let is_of_another_type = matches!(
        error.find_root(),
        DataFusionError::ArrowError(error, _) if matches!(**error, ArrowError::ParseError(_))
    );
    if !is_of_another_type {
        return in_file(error, name);
    }
    error.context(if is_inferred {
        format!(
            "cannot read '{name}' with the types of its first records: declare the columns in \
             CREATE EXTERNAL TABLE, or read all as text with read_csv(…, all_varchar => true)"
        )
    } else {
        format!("cannot read '{name}' with the declared types")
    })
}
