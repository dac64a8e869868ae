//! Reads the fields of a model file.

use std::io::{BufRead, ErrorKind};

use super::error::ModelError;

/// A model file, read from its start to its end. Declared sizes are compared with the rest of the
/// file before memory is allocated.
pub(super) struct Input<R> {
    source: R,
    length: u64,
    offset: u64,
}

const CHUNK_VALUES: usize = 16 * 1024;

impl<R: BufRead> Input<R> {
    pub fn new(source: R, length: u64) -> Self {
        Self {
            source,
            length,
            offset: 0,
        }
    }

    pub fn remaining(&self) -> u64 {
        self.length.saturating_sub(self.offset)
    }

    pub fn garbled_error(&self, message: impl std::fmt::Display) -> ModelError {
        ModelError::at(
            self.offset,
            format!("the model is damaged: {message}; copy or download it again"),
        )
    }

    fn cut(&self, what: &str, wanted: u128) -> ModelError {
        ModelError::at(
            self.offset,
            format!(
                "the model is truncated or damaged: {what} takes {wanted} bytes but the file has {} \
                 left; copy or download it again",
                self.remaining()
            ),
        )
    }

    /// Fails unless the file still has `count` values of `size` bytes; returns the count.
    pub fn expect(&self, what: &str, count: u64, size: u64) -> Result<usize, ModelError> {
        let wanted = u128::from(count) * u128::from(size);
        match usize::try_from(count) {
            Ok(count) if wanted <= u128::from(self.remaining()) => Ok(count),
            _ => Err(self.cut(what, wanted)),
        }
    }

    fn fill(&mut self, what: &str, bytes: &mut [u8]) -> Result<(), ModelError> {
        self.expect(what, bytes.len() as u64, 1)?;
        self.source.read_exact(bytes).map_err(|error| {
            if error.kind() == ErrorKind::UnexpectedEof {
                self.cut(what, bytes.len() as u128)
            } else {
                ModelError::at(self.offset, format!("cannot read {what}: {error}"))
            }
        })?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], ModelError> {
        let mut bytes = [0; N];
        self.fill(what, &mut bytes)?;
        Ok(bytes)
    }

    pub fn byte(&mut self, what: &str) -> Result<u8, ModelError> {
        Ok(self.array::<1>(what)?[0])
    }

    pub fn flag(&mut self, what: &str) -> Result<bool, ModelError> {
        match self.byte(what)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.garbled_error(format_args!("{what} is {other}, expected 0 or 1"))),
        }
    }

    pub fn i32(&mut self, what: &str) -> Result<i32, ModelError> {
        Ok(i32::from_le_bytes(self.array(what)?))
    }

    pub fn i64(&mut self, what: &str) -> Result<i64, ModelError> {
        Ok(i64::from_le_bytes(self.array(what)?))
    }

    pub fn f64(&mut self, what: &str) -> Result<f64, ModelError> {
        Ok(f64::from_le_bytes(self.array(what)?))
    }

    /// Reads a count, which must not be negative.
    pub fn count(&mut self, what: &str) -> Result<u32, ModelError> {
        let value = self.i32(what)?;
        u32::try_from(value).map_err(|_| self.garbled_error(format_args!("{what} is {value}")))
    }

    /// Like [`Self::count`], for counts of eight bytes.
    pub fn long_count(&mut self, what: &str) -> Result<u64, ModelError> {
        let value = self.i64(what)?;
        u64::try_from(value).map_err(|_| self.garbled_error(format_args!("{what} is {value}")))
    }

    /// Appends the bytes before the next NUL to `out` and skips the NUL.
    pub fn until_nul(&mut self, what: &str, out: &mut Vec<u8>) -> Result<(), ModelError> {
        let before = out.len();
        let read = self
            .source
            .read_until(0, out)
            .map_err(|error| ModelError::at(self.offset, format!("cannot read {what}: {error}")))?;
        self.offset += read as u64;
        if out.len() == before || out.pop() != Some(0) {
            return Err(self.cut(what, read as u128 + 1));
        }
        Ok(())
    }

    pub fn bytes(&mut self, what: &str, count: u64) -> Result<Vec<u8>, ModelError> {
        let count = self.expect(what, count, 1)?;
        let mut bytes = self.reserve(what, count)?;
        bytes.resize(count, 0);
        self.fill(what, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads numbers; infinity and NaN are errors.
    pub fn floats(&mut self, what: &str, count: u64) -> Result<Vec<f32>, ModelError> {
        let count = self.expect(what, count, 4)?;
        let mut values: Vec<f32> = self.reserve(what, count)?;
        let mut chunk = vec![0; 4 * CHUNK_VALUES.min(count)];
        while values.len() < count {
            let bytes = 4 * (count - values.len()).min(CHUNK_VALUES);
            let start = self.offset;
            self.fill(what, &mut chunk[..bytes])?;
            let before = values.len();
            let read = chunk[..bytes].as_chunks::<4>().0.iter();
            values.extend(read.map(|bytes| f32::from_le_bytes(*bytes)));
            if let Some(bad) = values[before..].iter().position(|value| !value.is_finite()) {
                return Err(ModelError::at(
                    start + 4 * bad as u64,
                    format!(
                        "the model is damaged: {what} has a value that is not a number; copy or \
                         download it again"
                    ),
                ));
            }
        }
        Ok(values)
    }

    fn reserve<T>(&self, what: &str, count: usize) -> Result<Vec<T>, ModelError> {
        let mut values = Vec::new();
        values.try_reserve_exact(count).map_err(|_| {
            ModelError::at(
                self.offset,
                format!(
                    "there is no memory for {what} ({} bytes); use a quantized model (.ftz)",
                    count * size_of::<T>()
                ),
            )
        })?;
        Ok(values)
    }
}
