//! The records of a block: four buffers, each compressed by itself.
//!
//! Keys are always read, because they tell which records there are. Values, and their lengths,
//! are read from the first one that is asked for, and what lies between is passed over.

use std::io::{self, BufReader, Cursor, Read};

use super::codec::{Codec, Inflater};
use super::framing::{BlockSpan, Framing, Span};
use super::reasons;
use super::vint;
use super::writable::{Datum, Decoded, Slot, io_error};
use crate::sources::record::RecordError;

pub struct Block {
    span: BlockSpan,
    /// Records whose keys have been read.
    passed: u64,
    key_lengths: Lane,
    keys: Lane,
    values: Option<Values>,
    ended: bool,
}

struct Values {
    lengths: Lane,
    data: Lane,
    /// Records whose values have been read or passed over.
    passed: u64,
    /// What ended the values before their time.
    failure: Option<RecordError>,
}

impl Block {
    pub fn open(
        span: BlockSpan,
        codec: Codec,
        framing: &mut Framing,
        inflater: &mut Inflater,
    ) -> io::Result<Self> {
        Ok(Self {
            key_lengths: Lane::open(span.key_lengths, codec, framing, inflater)?,
            keys: Lane::open(span.keys, codec, framing, inflater)?,
            span,
            passed: 0,
            values: None,
            ended: false,
        })
    }

    pub fn offset(&self) -> u64 {
        self.span.offset
    }

    /// The key of the next record; `None` behind the last one. An error ends the block.
    pub fn next_key(&mut self, slot: Slot, old: Datum) -> Option<Result<Decoded, RecordError>> {
        if self.ended {
            return None;
        }
        if self.passed == self.span.count {
            self.ended = true;
            return self.check_end().err().map(Err);
        }
        match self.read_key(slot, old) {
            Ok(key) => {
                self.passed += 1;
                Some(Ok(key))
            }
            Err(error) => {
                self.ended = true;
                let (passed, count) = (self.passed, self.span.count);
                let detail = format!("{} after {passed} of {count} records", error.detail);
                Some(Err(RecordError::new(error.reason, detail)))
            }
        }
    }

    fn read_key(&mut self, slot: Slot, old: Datum) -> Result<Decoded, RecordError> {
        let length = self.key_lengths.length()?;
        self.keys.read(slot, length, old)
    }

    /// A count that is too small would lose records without a word, and damage may only show
    /// in a checksum at the end.
    fn check_end(&mut self) -> Result<(), RecordError> {
        self.key_lengths.check_end("lengths of keys")?;
        self.keys.check_end("keys")?;
        match self.span.cut {
            false => Ok(()),
            true => {
                let detail = "the file ends inside the values of a block";
                Err(RecordError::new(reasons::TRUNCATED, detail))
            }
        }
    }

    /// The value of the record whose key was read last.
    pub fn value(
        &mut self,
        slot: Slot,
        old: Datum,
        codec: Codec,
        framing: &mut Framing,
        inflater: &mut Inflater,
    ) -> Decoded {
        let values = match &mut self.values {
            Some(values) => values,
            None => self
                .values
                .insert(Values::open(&self.span, codec, framing, inflater)),
        };
        match values.read(slot, old, self.passed, self.span.count) {
            Ok(value) => value,
            Err(error) => {
                values.failure = Some(error.clone());
                Decoded {
                    error: Some(error),
                    ..Decoded::default()
                }
            }
        }
    }
}

impl Values {
    fn open(
        span: &BlockSpan,
        codec: Codec,
        framing: &mut Framing,
        inflater: &mut Inflater,
    ) -> Self {
        let lengths = Lane::open(span.value_lengths, codec, framing, inflater);
        let data = Lane::open(span.values, codec, framing, inflater);
        let (lengths, data, failure) = match (lengths, data) {
            (Ok(lengths), Ok(data)) => (lengths, data, None),
            (Err(error), _) | (_, Err(error)) => {
                (Lane::empty(), Lane::empty(), Some(io_error(&error)))
            }
        };
        Self {
            lengths,
            data,
            passed: 0,
            failure,
        }
    }

    /// The value of the record with this number, counted from 1.
    fn read(
        &mut self,
        slot: Slot,
        old: Datum,
        number: u64,
        count: u64,
    ) -> Result<Decoded, RecordError> {
        if let Some(error) = &self.failure {
            return Err(error.clone());
        }
        let mut between = 0;
        while self.passed + 1 < number {
            between += self.lengths.length()?;
            self.passed += 1;
        }
        self.data.skip(between)?;
        let length = self.lengths.length()?;
        self.passed += 1;
        let mut value = self.data.read(slot, length, old)?;
        if number == count && value.error.is_none() {
            let end = self.lengths.check_end("lengths of values");
            let end = end.and_then(|()| self.data.check_end("values"));
            value.error = end.err();
        }
        Ok(value)
    }
}

/// One of the buffers, decompressed.
struct Lane(BufReader<Box<dyn Read + Send>>);

impl Lane {
    fn open(
        span: Span,
        codec: Codec,
        framing: &mut Framing,
        inflater: &mut Inflater,
    ) -> io::Result<Self> {
        let inflated = framing
            .held(span)
            .and_then(|bytes| inflater.inflate(codec, bytes));
        let input: Box<dyn Read + Send> = match inflated {
            Some(inflated) => Box::new(Cursor::new(inflated.to_vec())),
            None => codec.decoder(framing.input(span)?)?,
        };
        Ok(Self(BufReader::new(input)))
    }

    fn empty() -> Self {
        Self(BufReader::new(Box::new(io::empty())))
    }

    fn length(&mut self) -> Result<u64, RecordError> {
        match vint::read(&mut self.0) {
            Ok(Some(length)) => u64::try_from(length)
                .map_err(|_| RecordError::new(reasons::BAD_LENGTH, format!("{length} bytes"))),
            Ok(None) => Err(ends_early()),
            Err(error) => Err(io_error(&error)),
        }
    }

    /// One key or value, to its end.
    fn read(&mut self, slot: Slot, length: u64, old: Datum) -> Result<Decoded, RecordError> {
        let mut input = (&mut self.0).take(length);
        let decoded = slot.read(&mut input, old);
        let left = input.limit();
        self.skip(left)?;
        Ok(decoded)
    }

    fn skip(&mut self, length: u64) -> Result<(), RecordError> {
        let mut input = (&mut self.0).take(length);
        match io::copy(&mut input, &mut io::sink()) {
            Ok(passed) if passed == length => Ok(()),
            Ok(_) => Err(ends_early()),
            Err(error) => Err(io_error(&error)),
        }
    }

    fn check_end(&mut self, what: &str) -> Result<(), RecordError> {
        match vint::read_up_to(&mut self.0, &mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => {
                let detail = format!("a block has more {what} than it states");
                Err(RecordError::new(reasons::BAD_LENGTH, detail))
            }
            Err(error) => Err(io_error(&error)),
        }
    }
}

fn ends_early() -> RecordError {
    RecordError::new(reasons::DAMAGED, "a buffer of the block ends early")
}
