//! The columns of JSON files.

use std::collections::HashSet;
use std::sync::Arc;

use bytes::{Buf, Bytes, BytesMut};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::config::JsonOptions;
use datafusion::common::{Result, exec_datafusion_err, exec_err};
use datafusion::error::DataFusionError;
use futures::StreamExt;
use memchr::memchr;
use object_store::{ObjectMeta, ObjectStore};
use serde_json::{Map, Value};
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::super::contents::{Contents, in_file};
use super::super::long_columns::KeySizes;
use super::keys::{KeyOrder, repeated};
use super::large_numbers::with_small_numbers;
use super::shapes::shape;
use super::text::lines_of;
use super::types::Columns;

/// The maximum number of decompressed bytes of local files that are searched for columns.
const MAX_LOCAL_BYTES: usize = 1 << 30;
/// Like [`MAX_LOCAL_BYTES`], for remote files.
const MAX_REMOTE_BYTES: usize = 64 << 20;
/// The part of each file that is searched, however many files there are.
const MIN_FILE_BYTES: usize = 64 << 10;
const MAX_LINE_BYTES: usize = 256 << 20;
/// Objects over several lines have a line break before.
const MAX_FIRST_LINE_BYTES: usize = 1 << 20;
/// The maximum number of remembered shapes. Records of any other shape are always parsed.
const MAX_SHAPES: usize = 100_000;
/// The part of a first record that is not JSON that an error shows.
const MAX_SHOWN_BYTES: usize = 40;
/// The maximum number of chunks buffered ahead of the parser.
const MAX_BUFFERED_CHUNKS: usize = 16;

/// Whether a file is one array of records, or starts with an object over several lines, as opposed
/// to one record per line.
pub async fn spans_lines(store: &Arc<dyn ObjectStore>, object: &ObjectMeta) -> Result<bool> {
    let contents = Contents::open(store, object).await?;
    let mut text = lines_of(contents.chunks, true, false);
    let mut start = BytesMut::new();
    while let Some(chunk) = text.next().await {
        start.extend_from_slice(&chunk.map_err(|error| in_file(error, &contents.name))?);
        let first = start.trim_ascii_start();
        let end = memchr(b'\n', first);
        match first.first() {
            None => {}
            Some(b'[') => return Ok(true),
            // As writers of JSON break lines.
            Some(b'{') if end.is_some() => {
                let line = first.get(..end.unwrap_or_default()).unwrap_or_default();
                let last = line.trim_ascii_end().last();
                return Ok(last.is_some_and(|last| b"{[,:".contains(last)));
            }
            Some(b'{') if start.len() < MAX_FIRST_LINE_BYTES => {}
            Some(_) => return Ok(false),
        }
    }
    Ok(false)
}

/// How the records of files are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Lines,
    /// Lines of which some are damaged.
    DamagedLines,
    /// Arrays, or objects over several lines.
    Values,
}

impl Form {
    pub fn of(spans_lines: bool) -> Self {
        if spans_lines {
            Self::Values
        } else {
            Self::Lines
        }
    }
}

/// The columns of the records in the searched bytes.
pub struct FoundColumns {
    pub schema: SchemaRef,
    pub sizes: KeySizes,
    /// Whether all bytes were searched.
    pub is_complete: bool,
}

/// Searches files for columns. Fails if none of the lines is a record.
pub async fn schema(
    options: &JsonOptions,
    form: Form,
    store: &Arc<dyn ObjectStore>,
    objects: &[ObjectMeta],
) -> Result<FoundColumns> {
    let (to_parser, parts) = mpsc::channel(MAX_BUFFERED_CHUNKS);
    let max_records = options.schema_infer_max_rec;
    let parser = tokio::task::spawn_blocking(move || {
        let mut records = Records::new(parts, max_records, form);
        let mut columns = Columns::default();
        let mut is_empty = true;
        while let Some(record) = records.record()? {
            columns.add(record);
            is_empty = false;
        }
        let has_damage = records.damage.is_some();
        if let Some(damage) = records.damage.take_if(|_| is_empty) {
            return Err(damage);
        }
        let schema = records.keys.sorted(&columns.schema());
        Ok((schema, records.sizes, has_damage))
    });
    let read = read(form == Form::Values, store, objects, to_parser).await;
    let found: Result<_> = parser
        .await
        .map_err(|error| DataFusionError::External(error.into()))?;
    let is_complete = read?;
    let (schema, sizes, has_damage) = found?;
    Ok(FoundColumns {
        schema,
        sizes,
        // The reader accepts some records that the search does not.
        is_complete: is_complete && !has_damage,
    })
}

/// A message to the parser.
enum SearchInput {
    Begin {
        name: String,
    },
    Bytes(Bytes),
    /// The end of a file, or of the part that is searched.
    End {
        is_whole: bool,
    },
}

/// Sends files to the parser until it has enough. Returns whether it has all bytes.
async fn read(
    spans_lines: bool,
    store: &Arc<dyn ObjectStore>,
    objects: &[ObjectMeta],
    parser: Sender<SearchInput>,
) -> Result<bool> {
    let mut taken = 0;
    let mut cut: Option<String> = None;
    for (place, object) in objects.iter().enumerate() {
        let contents = Contents::open(store, object).await?;
        let limit = if contents.is_local {
            MAX_LOCAL_BYTES
        } else {
            MAX_REMOTE_BYTES
        };
        if taken >= limit {
            cut.get_or_insert(contents.name);
            break;
        }
        let share = ((limit - taken) / (objects.len() - place)).max(MIN_FILE_BYTES);
        let name = contents.name.clone();
        if parser.send(SearchInput::Begin { name }).await.is_err() {
            return Ok(false);
        }
        let mut of_file = 0;
        let mut is_whole = true;
        let mut text = lines_of(contents.chunks, true, spans_lines);
        while let Some(chunk) = text.next().await {
            if of_file >= share {
                is_whole = false;
                break;
            }
            let chunk = chunk.map_err(|error| in_file(error, &contents.name))?;
            of_file += chunk.len();
            if parser.send(SearchInput::Bytes(chunk)).await.is_err() {
                return Ok(false);
            }
        }
        taken += of_file;
        if !is_whole {
            cut.get_or_insert(contents.name);
        }
        if parser.send(SearchInput::End { is_whole }).await.is_err() {
            return Ok(false);
        }
    }
    let is_complete = cut.is_none();
    if let Some(name) = cut {
        log::warn!(
            "the end of '{name}' was not searched for columns, and fields that occur only there \
             are not read; to read them, name them in CREATE EXTERNAL TABLE"
        );
    }
    Ok(is_complete)
}

/// The records of files. Skips records whose shape is already known.
struct Records {
    parts: Receiver<SearchInput>,
    name: String,
    /// How errors count records: as a 'line' or as a 'record'.
    unit: &'static str,
    line: u64,
    /// The bytes after the last line break.
    rest: BytesMut,
    shapes: HashSet<u64>,
    keys: KeyOrder,
    sizes: KeySizes,
    records_left: Option<usize>,
    /// Whether a warning has named a key that an object has twice.
    has_warned: bool,
    leaves_out_damage: bool,
    /// The first damaged record that was left out.
    damage: Option<DataFusionError>,
}

impl Records {
    fn new(parts: Receiver<SearchInput>, max_records: Option<usize>, form: Form) -> Self {
        Self {
            parts,
            name: String::new(),
            unit: if form == Form::Values {
                "record"
            } else {
                "line"
            },
            line: 0,
            rest: BytesMut::new(),
            shapes: HashSet::new(),
            keys: KeyOrder::default(),
            sizes: KeySizes::default(),
            records_left: max_records,
            has_warned: false,
            leaves_out_damage: form == Form::DamagedLines,
            damage: None,
        }
    }

    /// Returns the next record with a new shape.
    fn record(&mut self) -> Result<Option<Map<String, Value>>> {
        while self.records_left != Some(0) {
            let Some(line) = self.line()? else {
                return Ok(None);
            };
            self.line += 1;
            let record = line.trim_ascii();
            if record.is_empty() {
                continue;
            }
            if let Some(left) = &mut self.records_left {
                *left -= 1;
            }
            if self.is_known(record) {
                continue;
            }
            let value = serde_json::from_slice(record).or_else(|error| {
                // The parser refuses numbers that are infinite as DOUBLE, but JSON has them.
                match with_small_numbers(record) {
                    Some(record) => serde_json::from_slice(&record),
                    None => Err(error),
                }
            });
            match value {
                Ok(Value::Object(mut fields)) => {
                    self.keys.add(record);
                    self.warn_of_repeated_key(record);
                    fields.values_mut().for_each(quote_long_integers);
                    return Ok(Some(fields));
                }
                Ok(_) => self.damaged(
                    "is not a JSON object: read_lines('…') has the lines as text, and json_text(text, '$[0]') \
                     their items",
                )?,
                Err(error) => {
                    // Valid records of this shape are still to be parsed.
                    if let Some(shape) = shape(record, &mut KeySizes::default()) {
                        self.shapes.remove(&shape);
                    }
                    let start = self.start_of(record);
                    self.damaged(&format!("is not valid JSON: {error}{start}"))?;
                }
            }
        }
        Ok(None)
    }

    /// Warns once of a key that an object has twice, because only its last value is read.
    fn warn_of_repeated_key(&mut self, record: &[u8]) {
        if self.has_warned {
            return;
        }
        if let Some(key) = repeated(record) {
            self.has_warned = true;
            log::warn!(
                "{} {} of '{}' has the key '{key}' twice in one object: its last value is read",
                self.unit,
                self.line,
                self.name
            );
        }
    }

    fn is_known(&mut self, record: &[u8]) -> bool {
        let Some(shape) = shape(record, &mut self.sizes) else {
            return false;
        };
        if self.shapes.len() < MAX_SHAPES {
            !self.shapes.insert(shape)
        } else {
            self.shapes.contains(&shape)
        }
    }

    /// The start of the first record, to show the format of a file that has another one.
    fn start_of(&self, record: &[u8]) -> String {
        if self.line > 1 {
            return String::new();
        }
        let start = &record[..record.len().min(MAX_SHOWN_BYTES)];
        format!("; it starts with {:?}", String::from_utf8_lossy(start))
    }

    /// Reports a damaged record, unless such records are left out.
    fn damaged(&mut self, what: &str) -> Result<()> {
        let error = exec_datafusion_err!("{} {} of '{}' {what}", self.unit, self.line, self.name);
        if !self.leaves_out_damage {
            return Err(error);
        }
        self.damage.get_or_insert(error);
        Ok(())
    }

    /// Returns the next line, which may be empty.
    fn line(&mut self) -> Result<Option<Bytes>> {
        let mut searched = 0;
        loop {
            if let Some(end) = memchr(b'\n', &self.rest[searched..]) {
                let line = self.rest.split_to(searched + end).freeze();
                self.rest.advance(1);
                return Ok(Some(line));
            }
            if self.rest.len() > MAX_LINE_BYTES {
                return exec_err!(
                    "{} {} of '{}' has more than {} MiB",
                    self.unit,
                    self.line + 1,
                    self.name,
                    MAX_LINE_BYTES >> 20
                );
            }
            searched = self.rest.len();
            match self.parts.blocking_recv() {
                None => return Ok(None),
                Some(SearchInput::Begin { name }) => {
                    self.name = name;
                    self.line = 0;
                }
                Some(SearchInput::Bytes(bytes)) => self.rest.extend_from_slice(&bytes),
                Some(SearchInput::End { is_whole }) => {
                    searched = 0;
                    let last = self.rest.split().freeze();
                    if is_whole {
                        return Ok(Some(last));
                    }
                }
            }
        }
    }
}

/// Turns integers outside the range of `i64` into texts. As floating-point numbers they would lose
/// digits.
fn quote_long_integers(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_u64() && !number.is_i64() => {
            *value = Value::String(number.to_string());
        }
        Value::Array(items) => items.iter_mut().for_each(quote_long_integers),
        Value::Object(fields) => fields.values_mut().for_each(quote_long_integers),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The records of one file, sent in chunks.
    fn records(text: &str, chunk: usize, max_records: Option<usize>) -> (Vec<String>, bool) {
        let (sender, parts) = mpsc::channel(1000);
        let send = |part| sender.try_send(part).unwrap();
        send(SearchInput::Begin {
            name: "x.jsonl".to_owned(),
        });
        for bytes in text.as_bytes().chunks(chunk) {
            send(SearchInput::Bytes(Bytes::copy_from_slice(bytes)));
        }
        send(SearchInput::End { is_whole: true });
        drop(sender);
        let mut records = Records::new(parts, max_records, Form::Lines);
        let mut found = Vec::new();
        loop {
            match records.record() {
                Ok(Some(record)) => found.push(Value::Object(record).to_string()),
                Ok(None) => return (found, false),
                Err(_) => return (found, true),
            }
        }
    }

    #[test]
    fn records_of_known_shapes_are_left_out() {
        let text =
            "{\"a\":1}\n\n{\"a\":2}\r\n{\"a\":\"\u{65e5}\"}\n{\"a\":3,\"b\":[1]}\n{\"a\":\"\"}";
        for chunk in [1, 2, 7, 100] {
            let (found, failed) = records(text, chunk, None);
            let expected = ["{\"a\":1}", "{\"a\":\"\u{65e5}\"}", "{\"a\":3,\"b\":[1]}"];
            assert_eq!(found, expected, "in chunks of {chunk}");
            assert!(!failed);
        }
    }

    #[test]
    fn only_so_many_records_are_looked_at() {
        let text = "{\"a\":1}\n{\"a\":2}\n{\"b\":3}\nnot JSON";
        assert_eq!(records(text, 100, Some(2)).0.len(), 1);
        assert_eq!(records(text, 100, Some(3)).0.len(), 2);
        assert!(records(text, 100, None).1);
    }
}
