//! The records of a block: four buffers, each compressed by itself.
//!
//! Keys are always read, because they tell which records there are. Values, and their lengths,
//! are read from the first one that is asked for, and what lies between is passed over.

use std::io::{self, BufReader, Read};
use std::ops::Range;

use super::codec::{Codec, Inflated, Inflater};
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
        self.keys.read_copy(slot, length, old)
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

    /// The bytes of a value that lies in the block.
    pub fn held(&self, range: Range<usize>) -> Option<&[u8]> {
        self.values.as_ref()?.data.held(range)
    }

    /// Its memory is for other blocks from now on.
    pub fn close(self, inflater: &mut Inflater) {
        self.key_lengths.give_back(inflater);
        self.keys.give_back(inflater);
        if let Some(values) = self.values {
            values.lengths.give_back(inflater);
            values.data.give_back(inflater);
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
        let mut value = self.data.read_value(slot, length, old)?;
        if number == count && value.error.is_none() {
            let end = self.lengths.check_end("lengths of values");
            let end = end.and_then(|()| self.data.check_end("values"));
            value.error = end.err();
        }
        Ok(value)
    }
}

/// One of the buffers, decompressed: all of it at once, or as it is read.
enum Lane {
    Held { inflated: Inflated, at: usize },
    Stream(BufReader<Box<dyn Read + Send>>),
}

impl Read for Lane {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Held { inflated, at } => {
                let mut rest = inflated.bytes().get(*at..).unwrap_or_default();
                let count = rest.read(buffer)?;
                *at += count;
                Ok(count)
            }
            Self::Stream(stream) => stream.read(buffer),
        }
    }
}

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
        match inflated {
            Some(inflated) => Ok(Self::Held { inflated, at: 0 }),
            None => {
                let input = codec.decoder(framing.input(span)?)?;
                Ok(Self::Stream(BufReader::new(input)))
            }
        }
    }

    fn empty() -> Self {
        Self::Held {
            inflated: Inflated::default(),
            at: 0,
        }
    }

    /// Bytes of what is held.
    fn held(&self, range: Range<usize>) -> Option<&[u8]> {
        match self {
            Self::Held { inflated, .. } => inflated.bytes().get(range),
            Self::Stream(_) => None,
        }
    }

    fn give_back(self, inflater: &mut Inflater) {
        if let Self::Held { inflated, .. } = self {
            inflater.give_back(inflated);
        }
    }

    /// One value, to its end; it is left where it lies if it can be.
    fn read_value(&mut self, slot: Slot, length: u64, old: Datum) -> Result<Decoded, RecordError> {
        if let Self::Held { inflated, at } = self
            && let Some(end) = usize::try_from(length)
                .ok()
                .and_then(|length| at.checked_add(length))
            && let Some(serialized) = inflated.bytes().get(*at..end)
            && let Some(payload) = slot.held(serialized)
        {
            let held = *at + payload.start..*at + payload.end;
            *at = end;
            return Ok(Decoded {
                datum: old,
                held: Some(held),
                ..Decoded::default()
            });
        }
        self.read_copy(slot, length, old)
    }

    fn length(&mut self) -> Result<u64, RecordError> {
        match vint::read(self) {
            Ok(Some(length)) => u64::try_from(length)
                .map_err(|_| RecordError::new(reasons::BAD_LENGTH, format!("{length} bytes"))),
            Ok(None) => Err(ends_early()),
            Err(error) => Err(io_error(&error)),
        }
    }

    /// One key or value, to its end.
    fn read_copy(&mut self, slot: Slot, length: u64, old: Datum) -> Result<Decoded, RecordError> {
        let mut input = Read::take(&mut *self, length);
        let decoded = slot.read(&mut input, old);
        let left = input.limit();
        self.skip(left)?;
        Ok(decoded)
    }

    fn skip(&mut self, length: u64) -> Result<(), RecordError> {
        let mut input = Read::take(&mut *self, length);
        match io::copy(&mut input, &mut io::sink()) {
            Ok(passed) if passed == length => Ok(()),
            Ok(_) => Err(ends_early()),
            Err(error) => Err(io_error(&error)),
        }
    }

    fn check_end(&mut self, what: &str) -> Result<(), RecordError> {
        match vint::read_up_to(self, &mut [0]) {
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
