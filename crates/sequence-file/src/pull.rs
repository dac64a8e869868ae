//! The engine's interface: the rows of one file, or of one range of it.

use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use crate::block::Block;
use crate::codec::Inflater;
use crate::columns::{self, ColumnTypes};
use crate::framing::{Framing, RecordSpan, Step};
use crate::header::{Compression, Header};
use crate::reasons;
use crate::record::Record;
use crate::split::{LOOK_BACK_BYTES, go_before};
use crate::writable::{Class, Datum, Decoded, Slot, io_error};
use corpus_bytes::record::{NoRecords, READ_ERROR, ReadRequest, RecordError, RecordReader, Value};

/// Starts to read a file or range, one record and column at a time.
///
/// The columns are those of [`columns::of`]. A returned error concerns the whole file; it is only
/// reported for the range that starts at 0.
pub fn open(
    request: ReadRequest,
    types: ColumnTypes,
) -> Result<Box<dyn RecordReader>, RecordError> {
    Ok(match PullReader::open(request, types, LOOK_BACK_BYTES)? {
        Some(reader) => Box::new(reader),
        None => Box::new(NoRecords),
    })
}

pub struct PullReader {
    header: Header,
    name: Arc<str>,
    range: Range<u64>,
    framing: Framing,
    inflater: Inflater,
    key_slot: Slot,
    value_slot: Slot,
    /// Whether all values are checked, even those that the query does not read.
    checks_values: bool,
    block: Option<Block>,
    row: Row,
    done: bool,
}

/// The current row.
#[derive(Default)]
struct Row {
    offset: u64,
    /// The source of the value.
    place: ValueSource,
    key: Datum,
    value: Datum,
    /// The range of the value in the block, used instead of `value`.
    held: Option<Range<usize>>,
    value_cut: Option<bool>,
    error: Option<RecordError>,
    message: String,
}

#[derive(Clone, Copy, Default)]
enum ValueSource {
    /// There is no value, or it has been read.
    #[default]
    Nowhere,
    Record(RecordSpan),
    Block,
}

impl PullReader {
    /// Opens the file and goes to the range's first record. Returns `None` if none can start there.
    pub fn open(
        request: ReadRequest,
        types: ColumnTypes,
        look_back: u64,
    ) -> Result<Option<Self>, RecordError> {
        let start = request.range.start;
        if request.range.is_empty() && request.file.size() > 0 {
            return Ok(None);
        }
        let header = match Header::read(request.file.as_ref()) {
            Ok(header) => header,
            Err(error) if start == 0 || error.reason == READ_ERROR => return Err(error),
            // The reader of the first range reports it.
            Err(_) => return Ok(None),
        };
        let slot = |class: &str, kind| Slot {
            class: Class::of(class),
            kind,
            limit: request.max_record_bytes,
        };
        let mut framing = Framing::new(Arc::clone(&request.file), &header);
        if start > 0 {
            go_before(&mut framing, start, look_back);
        }
        Ok(Some(Self {
            key_slot: slot(&header.key_class, types.key),
            value_slot: slot(&header.value_class, types.value),
            checks_values: request.columns.contains(columns::ERROR),
            header,
            name: request.name,
            range: request.range,
            framing,
            inflater: Inflater::new(),
            block: None,
            row: Row::default(),
            done: false,
        }))
    }

    /// Returns the current record, after `load`, without copying its key.
    pub fn take_record(&mut self) -> Record {
        let row = &mut self.row;
        let held = row.held.clone().filter(|_| row.value_cut.is_some());
        let value = match held {
            Some(range) => {
                let block = self.block.as_ref();
                let bytes = block.and_then(|block| block.held(range));
                Datum::Bytes(bytes.unwrap_or_default().to_vec())
            }
            None if row.value_cut.is_some() => std::mem::take(&mut row.value),
            None => Datum::Null,
        };
        Record {
            offset: row.offset,
            key: std::mem::take(&mut row.key),
            value,
            is_cut: row.value_cut == Some(true),
            error: row.error.take(),
        }
    }

    /// Moves to the next row of the current block; `false` if there is none.
    fn next_in_block(&mut self) -> bool {
        let Some(block) = &mut self.block else {
            return false;
        };
        let offset = block.offset();
        let old = std::mem::take(&mut self.row.key);
        match block.next_key(self.key_slot, old) {
            Some(Ok(key)) => self.set_row(offset, ValueSource::Block, key),
            Some(Err(error)) => self.set_damage(offset, error),
            None => {
                if let Some(block) = self.block.take() {
                    block.close(&mut self.inflater);
                }
                return false;
            }
        }
        true
    }

    /// Moves to the row of a step; `false` if the step has no row yet.
    fn take(&mut self, step: Step) -> bool {
        match step {
            Step::Damage { offset, error } => self.set_damage(offset, error),
            Step::Record(span) => {
                let old = std::mem::take(&mut self.row.key);
                self.framing.buffered.seek(span.key.offset);
                let mut input = (&mut self.framing.buffered).take(span.key.length);
                let key = self.key_slot.read(&mut input, old);
                self.set_row(span.offset, ValueSource::Record(span), key);
                if span.cut {
                    let detail = "the file ends inside the value";
                    self.row.error = Some(RecordError::new(reasons::TRUNCATED, detail));
                }
            }
            Step::Block(span) => {
                let codec = self.header.codec;
                match Block::open(span, codec, &mut self.framing, &mut self.inflater) {
                    Ok(block) => self.block = Some(block),
                    Err(error) => {
                        self.set_damage(span.offset, io_error(&error));
                        return true;
                    }
                }
                return false;
            }
        }
        true
    }

    fn set_row(&mut self, offset: u64, place: ValueSource, key: Decoded) {
        let mut error = key.error.map(|error| of("key", error));
        if key.cut {
            let detail = format!("it is cut at {} bytes", self.key_slot.limit);
            error.get_or_insert(RecordError::new(reasons::LARGE_KEY, detail));
        }
        self.row.offset = offset;
        self.row.place = place;
        self.row.key = key.datum;
        self.row.value_cut = None;
        self.row.error = error;
    }

    fn set_damage(&mut self, offset: u64, error: RecordError) {
        self.set_row(offset, ValueSource::Nowhere, Decoded::default());
        self.row.error = Some(error);
    }

    fn read_value(&mut self) {
        let old = std::mem::take(&mut self.row.value);
        let codec = self.header.codec;
        let value = match (self.row.place, &mut self.block) {
            (ValueSource::Block, Some(block)) => block.value(
                self.value_slot,
                old,
                codec,
                &mut self.framing,
                &mut self.inflater,
            ),
            (ValueSource::Record(span), _) => self.read_record_value(span, old),
            _ => return,
        };
        self.row.place = ValueSource::Nowhere;
        self.row.value = value.datum;
        self.row.held = value.held;
        self.row.value_cut = Some(value.cut);
        if let Some(error) = value.error {
            self.row.error.get_or_insert(of("value", error));
        }
        if value.cut {
            let limit = self.value_slot.limit;
            self.row
                .error
                .get_or_insert_with(|| RecordError::content_cut(limit));
        }
    }

    fn read_record_value(&mut self, span: RecordSpan, old: Datum) -> Decoded {
        if self.header.compression == Compression::None {
            self.framing.buffered.seek(span.value.offset);
            let mut input = (&mut self.framing.buffered).take(span.value.length);
            return self.value_slot.read(&mut input, old);
        }
        let codec = self.header.codec;
        let held = self.framing.held(span.value);
        if let Some(inflated) = held.and_then(|bytes| self.inflater.inflate(codec, bytes, None)) {
            let value = self.value_slot.read(&mut inflated.bytes(), old);
            self.inflater.give_back(inflated);
            return value;
        }
        let input = self.framing.input(span.value);
        match input.and_then(|input| codec.decoder(input)) {
            Ok(mut input) => self.value_slot.read(&mut input, old),
            Err(error) => Decoded {
                error: Some(io_error(&error)),
                ..Decoded::default()
            },
        }
    }
}

/// Adds to an error whether it concerns the key or the value.
fn of(what: &str, error: RecordError) -> RecordError {
    let detail = match error.detail.as_str() {
        "" => what.to_owned(),
        detail => format!("{what}: {detail}"),
    };
    RecordError::new(error.reason, detail)
}

impl RecordReader for PullReader {
    fn advance(&mut self) -> bool {
        while !self.done {
            if self.next_in_block() {
                return true;
            }
            let step = self.framing.next();
            match step {
                Some(step) if self.framing.run() < self.range.end => {
                    if self.framing.run() >= self.range.start && self.take(step) {
                        return true;
                    }
                }
                _ => self.done = true,
            }
        }
        self.row.place = ValueSource::Nowhere;
        false
    }

    fn load(&mut self, payload: bool) {
        if payload || self.checks_values {
            self.read_value();
        }
        let error = self.row.error.as_ref();
        self.row.message = error.map_or_else(String::new, RecordError::to_string);
    }

    fn value(&self, column: usize) -> Value<'_> {
        match column {
            columns::SOURCE_FILE => Value::Text(&self.name),
            columns::OFFSET => i64::try_from(self.row.offset).map_or(Value::Null, Value::Integer),
            columns::KEY => self.row.key.value(),
            columns::VALUE if self.row.value_cut.is_some() => match &self.row.held {
                Some(range) => {
                    let block = self.block.as_ref();
                    let bytes = block.and_then(|block| block.held(range.clone()));
                    bytes.map_or(Value::Null, Value::Bytes)
                }
                None => self.row.value.value(),
            },
            columns::KEY_CLASS => Value::Text(&self.header.key_class),
            columns::VALUE_CLASS => Value::Text(&self.header.value_class),
            columns::COMPRESSION => Value::Text(self.header.compression.name()),
            columns::CODEC => {
                let class = self.header.codec_class.as_deref();
                class.map_or(Value::Null, Value::Text)
            }
            columns::METADATA => Value::Pairs(&self.header.metadata),
            columns::VALUE_TRUNCATED => self.row.value_cut.map_or(Value::Null, Value::Boolean),
            columns::ERROR if self.row.error.is_some() => Value::Text(&self.row.message),
            _ => Value::Null,
        }
    }

    fn error(&self) -> Option<&RecordError> {
        self.row.error.as_ref()
    }

    fn offset(&self) -> u64 {
        self.row.offset
    }
}
