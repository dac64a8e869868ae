//! Reads the records of a block: four buffers, each compressed separately.
//!
//! Keys are always read, because they determine the records. Values and their lengths are read
//! from the first requested value on; values in between are skipped.
//!
//! **Damage.** A checksum covers a whole buffer, so one wrong bit makes every record of the block
//! suspect. Each buffer is therefore decompressed and checked before its first record is used. If
//! that fails, every record carries the error. Only the rest of a buffer, beyond
//! [`MAX_AHEAD_BYTES`](super::codec::MAX_AHEAD_BYTES), is checked while it is read. Damage found
//! there is reported with the number of records emitted before it.

use std::io::{self, BufReader, ErrorKind, Read};
use std::ops::Range;

use super::codec::{Codec, Inflated, Inflater, Rest};
use super::framing::{BlockSpan, FileRange, Framing};
use super::reasons;
use super::vint;
use super::writable::{Datum, Decoded, Slot, io_error};
use corpus_bytes::file::read_up_to;
use corpus_bytes::record::RecordError;
use corpus_bytes::until_error::copy_of_error;

/// Damaged buffers are decompressed again in steps of this size, to save most of their data.
const SALVAGE_STEP_BYTES: usize = 64;
/// Minimum average size of compressed values for summing their lengths beforehand.
const MIN_SUMMED_BYTES: u64 = 64;

pub struct Block {
    span: BlockSpan,
    /// The number of keys read.
    passed: u64,
    key_lengths: Buffer,
    keys: Buffer,
    values: Option<Values>,
    /// The reason why all keys are suspect.
    suspicion: Option<RecordError>,
    ended: bool,
}

struct Values {
    lengths: Buffer,
    data: Buffer,
    /// The number of values read or skipped.
    passed: u64,
    /// The number of values returned without an error.
    returned: u64,
    /// The error that ended the values early.
    failure: Option<RecordError>,
    /// The reason why all values are suspect.
    suspicion: Option<RecordError>,
}

impl Block {
    pub fn open(
        span: BlockSpan,
        codec: Codec,
        framing: &mut Framing,
        inflater: &mut Inflater,
    ) -> io::Result<Self> {
        let key_lengths = Buffer::open(span.key_lengths, None, codec, framing, inflater)?;
        let size = key_lengths.sum(span.count, span.keys);
        let keys = Buffer::open(span.keys, size, codec, framing, inflater)?;
        Ok(Self {
            suspicion: suspicion(&key_lengths, &keys, "keys", span.cut),
            key_lengths,
            keys,
            span,
            passed: 0,
            values: None,
            ended: false,
        })
    }

    pub fn offset(&self) -> u64 {
        self.span.offset
    }

    /// Returns the key of the next record; `None` after the last one. An error ends the block.
    pub fn next_key(&mut self, slot: Slot, old: Datum) -> Option<Result<Decoded, RecordError>> {
        if self.ended {
            return None;
        }
        if self.passed == self.span.count {
            self.ended = true;
            let error = self.check_end().err()?;
            return Some(Err(self.with_emitted(error)));
        }
        match self.read_key(slot, old) {
            Ok(mut key) => {
                self.passed += 1;
                if key.error.is_none() {
                    key.error.clone_from(&self.suspicion);
                }
                Some(Ok(key))
            }
            Err(error) => {
                self.ended = true;
                let (passed, count) = (self.passed, self.span.count);
                let detail = format!("{} after {passed} of {count} records", error.detail);
                let error = RecordError::new(error.reason, detail);
                Some(Err(self.with_emitted(error)))
            }
        }
    }

    /// Adds the number of records emitted before this error was detected.
    fn with_emitted(&self, error: RecordError) -> RecordError {
        if self.keys.is_stream() || self.key_lengths.is_stream() {
            with_emitted(error, self.passed)
        } else {
            error
        }
    }

    fn read_key(&mut self, slot: Slot, old: Datum) -> Result<Decoded, RecordError> {
        let length = self.key_lengths.length()?;
        self.keys.read_copy(slot, length, old)
    }

    /// Checks that the buffers end here. A count that is too small would lose records silently,
    /// and damage may show only in the checksum at the end.
    fn check_end(&mut self) -> Result<(), RecordError> {
        self.key_lengths.check_end("lengths of keys")?;
        self.keys.check_end("keys")?;
        if !self.span.cut {
            Ok(())
        } else {
            let detail = "the file ends inside the values of a block";
            Err(RecordError::new(reasons::TRUNCATED, detail))
        }
    }

    /// Returns the bytes of a value that was left in the block.
    pub fn held(&self, range: Range<usize>) -> Option<&[u8]> {
        self.values.as_ref()?.data.held(range)
    }

    /// Gives the block's memory back for reuse by other blocks.
    pub fn close(self, inflater: &mut Inflater) {
        self.key_lengths.give_back(inflater);
        self.keys.give_back(inflater);
        if let Some(values) = self.values {
            values.lengths.give_back(inflater);
            values.data.give_back(inflater);
        }
    }

    /// Reads the value of the record whose key was read last.
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
                let error = values.with_emitted(error);
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
        let lengths = Buffer::open(span.value_lengths, None, codec, framing, inflater);
        let size = lengths.as_ref().ok();
        let size = size.and_then(|lengths| lengths.sum(span.count, span.values));
        let data = Buffer::open(span.values, size, codec, framing, inflater);
        let (lengths, data, failure) = match (lengths, data) {
            (Ok(lengths), Ok(data)) => (lengths, data, None),
            (Err(error), _) | (_, Err(error)) => {
                (Buffer::empty(), Buffer::empty(), Some(io_error(&error)))
            }
        };
        Self {
            suspicion: suspicion(&lengths, &data, "values", span.cut),
            lengths,
            data,
            passed: 0,
            returned: 0,
            failure,
        }
    }

    /// Adds the number of values emitted before this error was detected.
    fn with_emitted(&self, error: RecordError) -> RecordError {
        if self.data.is_stream() || self.lengths.is_stream() {
            with_emitted(error, self.returned)
        } else {
            error
        }
    }

    /// Reads the value of the record with this number, counted from 1.
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
        match value.error.take() {
            Some(error) => value.error = Some(self.with_emitted(error)),
            None if self.suspicion.is_some() => value.error.clone_from(&self.suspicion),
            None => self.returned += 1,
        }
        Ok(value)
    }
}

/// One of the four buffers: its decompressed start, usually all of it, and the rest.
struct Buffer {
    inflated: Inflated,
    at: usize,
    rest: Rest,
}

impl Read for Buffer {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut held = self.inflated.bytes().get(self.at..).unwrap_or_default();
        if !held.is_empty() {
            let count = held.read(buffer)?;
            self.at += count;
            return Ok(count);
        }
        match &mut self.rest {
            Rest::Nothing => Ok(0),
            Rest::Failed(error) => Err(copy_of_error(error)),
            Rest::Stream(stream) => stream.read(buffer),
        }
    }
}

impl Buffer {
    /// Opens a buffer that decompresses to `size` bytes, if that is known.
    fn open(
        span: FileRange,
        size: Option<usize>,
        codec: Codec,
        framing: &mut Framing,
        inflater: &mut Inflater,
    ) -> io::Result<Self> {
        let inflated = framing
            .held(span)
            .and_then(|bytes| inflater.inflate(codec, bytes, size));
        let (inflated, rest) = match inflated {
            Some(inflated) => (inflated, Rest::Nothing),
            None => {
                let decoder = codec.decoder(framing.input(span)?)?;
                let likely = size.unwrap_or(0);
                match inflater.inflate_ahead(decoder, usize::MAX, likely) {
                    (inflated, Rest::Failed(_)) => {
                        inflater.give_back(inflated);
                        let decoder = codec.decoder(framing.input(span)?)?;
                        inflater.inflate_ahead(decoder, SALVAGE_STEP_BYTES, likely)
                    }
                    (inflated, Rest::Stream(stream)) => {
                        (inflated, Rest::Stream(Box::new(BufReader::new(stream))))
                    }
                    complete => complete,
                }
            }
        };
        Ok(Self {
            inflated,
            at: 0,
            rest,
        })
    }

    fn empty() -> Self {
        Self {
            inflated: Inflated::default(),
            at: 0,
            rest: Rest::Nothing,
        }
    }

    /// Returns why no byte of the buffer is reliable, if that is known before they are read.
    fn suspicion(&self, what: &str, cut: bool) -> Option<RecordError> {
        let error = match &self.rest {
            // The file is truncated here; the data before that is not damaged.
            Rest::Failed(error) if cut && error.kind() == ErrorKind::UnexpectedEof => return None,
            Rest::Failed(error) => error,
            _ => return None,
        };
        let error = io_error(error);
        let detail = format!(
            "{}; the {what} of the whole block may be wrong",
            error.detail
        );
        Some(RecordError::new(error.reason, detail))
    }

    /// Returns the sum of the lengths in this buffer, which is the size of the data in another
    /// buffer. `None` if it is unknown, or if reading many short lengths twice would cost more than
    /// it saves.
    fn sum(&self, count: u64, data: FileRange) -> Option<usize> {
        if count.saturating_mul(MIN_SUMMED_BYTES) > data.length {
            return None;
        }
        let mut sum = 0usize;
        let mut lengths = self.inflated.bytes();
        for _ in 0..count {
            let (length, size) = vint::parse(lengths)?;
            sum = sum.checked_add(usize::try_from(length).ok()?)?;
            lengths = lengths.get(size..)?;
        }
        Some(sum)
    }

    fn is_stream(&self) -> bool {
        matches!(self.rest, Rest::Stream(_))
    }

    /// Returns a range of the decompressed bytes that are in memory.
    fn held(&self, range: Range<usize>) -> Option<&[u8]> {
        self.inflated.bytes().get(range)
    }

    fn give_back(self, inflater: &mut Inflater) {
        inflater.give_back(self.inflated);
    }

    /// Reads one value to its end. It is left in place if possible.
    fn read_value(&mut self, slot: Slot, length: u64, old: Datum) -> Result<Decoded, RecordError> {
        let at = self.at;
        if let Some(end) = usize::try_from(length)
            .ok()
            .and_then(|length| at.checked_add(length))
            && let Some(serialized) = self.inflated.bytes().get(at..end)
            && let Some(payload) = slot.held(serialized)
        {
            let held = at + payload.start..at + payload.end;
            self.at = end;
            return Ok(Decoded {
                datum: old,
                held: Some(held),
                ..Decoded::default()
            });
        }
        let mut input = Read::take(&mut *self, length);
        let decoded = slot.read(&mut input, old);
        let left = input.limit();
        let saved = left < length;
        match self.skip(left) {
            // Otherwise the value is kept up to the damage.
            Err(error) if decoded.error.is_none() || !saved => Err(error),
            _ => Ok(decoded),
        }
    }

    fn length(&mut self) -> Result<u64, RecordError> {
        match vint::read(self) {
            Ok(Some(length)) => u64::try_from(length)
                .map_err(|_| RecordError::new(reasons::BAD_LENGTH, format!("{length} bytes"))),
            Ok(None) => Err(ends_early()),
            Err(error) => Err(io_error(&error)),
        }
    }

    /// Reads one key or value to its end, as a copy.
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
        match read_up_to(self, &mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => {
                let detail = format!("a block has more {what} than it declares");
                Err(RecordError::new(reasons::BAD_LENGTH, detail))
            }
            Err(error) => Err(io_error(&error)),
        }
    }
}

fn suspicion(lengths: &Buffer, data: &Buffer, what: &str, cut: bool) -> Option<RecordError> {
    let lengths = lengths.suspicion(what, cut);
    lengths.or_else(|| data.suspicion(what, cut))
}

fn with_emitted(error: RecordError, emitted: u64) -> RecordError {
    if emitted == 0 || error.reason != reasons::DAMAGED {
        return error;
    }
    let detail = format!(
        "{}; {emitted} rows of the same block, returned before this was known, may be wrong",
        error.detail
    );
    RecordError::new(error.reason, detail)
}

fn ends_early() -> RecordError {
    RecordError::new(reasons::DAMAGED, "a buffer of the block ends early")
}
