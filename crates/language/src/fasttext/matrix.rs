//! Matrices of numbers, dense or quantized.

use std::hint::black_box;
use std::io::BufRead;

use super::error::ModelError;
use super::input::Input;

/// Maximum number of values of a quantized matrix that is unpacked when it is loaded (64 MiB).
pub(super) const MAX_UNPACKED_VALUES: u64 = 1 << 24;

/// The number of rows loaded at a time.
const ROWS_AT_ONCE: usize = 32;

/// The number of values in a line of the processor's caches.
const LINE_VALUES: usize = 16;

/// Number of centroids of each part of a quantized row: a code is a byte.
const CENTROIDS: usize = 256;

pub(super) enum Matrix {
    Dense(Dense),
    Quantized(Quantized),
}

pub(super) struct Dense {
    pub columns: usize,
    pub values: Vec<f32>,
}

/// A quantized matrix: a row has the number of a centroid for each of its parts, and may have a
/// norm.
pub(super) struct Quantized {
    columns: usize,
    codes: Vec<u8>,
    parts: RowParts,
    norms: Option<Norms>,
}

struct Norms {
    codes: Vec<u8>,
    values: Vec<f32>,
}

/// The parts of a row and their centroids; the last part may be shorter.
struct RowParts {
    count: usize,
    columns: usize,
    last_columns: usize,
    centroids: Vec<f32>,
}

impl Matrix {
    /// Reads a matrix that must have `columns`, and a number of rows that `rows` accepts.
    pub fn read<R: BufRead>(
        input: &mut Input<R>,
        what: &str,
        quantized: bool,
        columns: u32,
        rows: impl Fn(u64) -> bool,
    ) -> Result<Self, ModelError> {
        let norms = quantized && input.flag("the flag of norms")?;
        let actual_rows = input.long_count(what)?;
        let actual_columns = input.long_count(what)?;
        if actual_columns != u64::from(columns) || !rows(actual_rows) {
            return Err(input.garbled_error(format_args!(
                "{what} has {actual_rows} rows of {actual_columns} numbers, which does not fit \
                 dictionary and dimension"
            )));
        }
        if quantized {
            Quantized::read(input, what, actual_rows, columns as usize, norms).map(Self::Quantized)
        } else {
            let row_bytes = 4 * u64::from(columns);
            input.expect(what, actual_rows, row_bytes)?;
            Ok(Self::Dense(Dense {
                columns: columns as usize,
                values: input.floats(what, actual_rows * u64::from(columns))?,
            }))
        }
    }

    pub fn columns(&self) -> usize {
        match self {
            Self::Dense(matrix) => matrix.columns,
            Self::Quantized(matrix) => matrix.columns,
        }
    }

    pub fn rows(&self) -> usize {
        match self {
            Self::Dense(matrix) => matrix.values.len() / matrix.columns,
            Self::Quantized(matrix) => matrix.rows(),
        }
    }

    /// Returns the scalar products of each row with the first `count` rows of another matrix, as a
    /// matrix with `columns` columns. Columns beyond `count` are 0.
    pub fn products(&self, others: &Self, count: usize, columns: usize) -> Self {
        let others: Vec<Vec<f32>> = (0..count).map(|other| others.copy_row(other)).collect();
        let mut values = vec![0.0; self.rows() * columns];
        for (row, products) in values.chunks_exact_mut(columns).enumerate() {
            let unpacked;
            let row = match self {
                Self::Dense(matrix) => matrix.row(row),
                Self::Quantized(_) => {
                    unpacked = self.copy_row(row);
                    &unpacked
                }
            };
            for (product, other) in products.iter_mut().zip(&others) {
                *product = precise_dot(row, other);
            }
        }
        Self::Dense(Dense { columns, values })
    }

    fn copy_row(&self, row: usize) -> Vec<f32> {
        match self {
            Self::Dense(matrix) => matrix.row(row).to_vec(),
            Self::Quantized(matrix) => {
                let mut values = vec![0.0; matrix.columns];
                matrix.add_row(row, matrix.norm(row), &mut values);
                values
            }
        }
    }

    /// Returns the matrix, unpacked if that is not too large.
    pub fn unpack(self) -> Self {
        match self {
            Self::Quantized(matrix) if matrix.values() <= MAX_UNPACKED_VALUES => {
                let mut values = vec![0.0; matrix.rows() * matrix.columns];
                for (row, values) in values.chunks_exact_mut(matrix.columns).enumerate() {
                    matrix.add_row(row, matrix.norm(row), values);
                }
                Self::Dense(Dense {
                    columns: matrix.columns,
                    values,
                })
            }
            other => other,
        }
    }

    /// Adds rows to a vector, one after the other: rounding depends on the order.
    #[inline]
    pub fn add_rows(&self, rows: &[u32], sum: &mut [f32]) {
        match self {
            Self::Dense(matrix) => match matrix.columns {
                2 => matrix.add_short_rows::<2>(rows, sum),
                4 => matrix.add_short_rows::<4>(rows, sum),
                8 => matrix.add_short_rows::<8>(rows, sum),
                16 => matrix.add_short_rows::<16>(rows, sum),
                _ => matrix.add_long_rows(rows, sum),
            },
            Self::Quantized(matrix) => {
                for row in rows {
                    let row = *row as usize;
                    matrix.add_row(row, matrix.norm(row), sum);
                }
            }
        }
    }

    /// The scalar product of a row and a vector, summed in their order.
    pub fn dot_row(&self, row: usize, vector: &[f32]) -> f32 {
        match self {
            Self::Dense(matrix) => dot(matrix.row(row), vector),
            Self::Quantized(matrix) => matrix.dot_row(row, vector),
        }
    }
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    let products = left.iter().zip(right).map(|(left, right)| left * right);
    products.fold(0.0, |sum, product| sum + product)
}

/// A scalar product whose sum is rounded once. It is computed as two sums, which do not wait for
/// each other.
fn precise_dot(left: &[f32], right: &[f32]) -> f32 {
    let (left, left_rest) = left.as_chunks::<4>();
    let (right, right_rest) = right.as_chunks::<4>();
    let mut sums = [0.0f64; 4];
    for (left, right) in left.iter().zip(right) {
        for (sum, (left, right)) in sums.iter_mut().zip(left.iter().zip(right)) {
            *sum += f64::from(*left) * f64::from(*right);
        }
    }
    let rest = left_rest.iter().zip(right_rest);
    let rest: f64 = rest
        .map(|(left, right)| f64::from(*left) * f64::from(*right))
        .sum();
    (sums.iter().sum::<f64>() + rest) as f32
}

impl Dense {
    #[inline]
    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.columns..][..self.columns]
    }

    /// Adds rows that fit the registers. The rows are so short that the CPU loads many ahead by
    /// itself.
    #[inline]
    fn add_short_rows<const COLUMNS: usize>(&self, rows: &[u32], sum: &mut [f32]) {
        let values = self.values.as_chunks::<COLUMNS>().0;
        if let Some(sum) = sum.first_chunk_mut::<COLUMNS>() {
            let mut registers = *sum;
            for row in rows {
                let row = &values[*row as usize];
                for (sum, value) in registers.iter_mut().zip(row) {
                    *sum += value;
                }
            }
            *sum = registers;
        }
    }

    fn add_long_rows(&self, rows: &[u32], sum: &mut [f32]) {
        for rows in rows.chunks(ROWS_AT_ONCE) {
            self.load(rows);
            let mut start = 0;
            while let Some(sum) = sum.get_mut(start..).filter(|sum| !sum.is_empty()) {
                start += match sum.len() {
                    32.. => self.add_columns::<32>(rows, start, sum),
                    16.. => self.add_columns::<16>(rows, start, sum),
                    4.. => self.add_columns::<4>(rows, start, sum),
                    _ => self.add_columns::<1>(rows, start, sum),
                };
            }
        }
    }

    /// Loads rows into the cache. No load depends on an earlier one, so the processor waits for
    /// many rows at a time; summing would wait for each row in turn.
    fn load(&self, rows: &[u32]) {
        let mut loaded = 0;
        for row in rows {
            for line in self.row(*row as usize).chunks(LINE_VALUES) {
                loaded ^= line[0].to_bits();
            }
        }
        black_box(loaded);
    }

    /// Adds some columns of rows. Their sums stay in registers of the CPU.
    #[inline]
    fn add_columns<const COLUMNS: usize>(
        &self,
        rows: &[u32],
        start: usize,
        sum: &mut [f32],
    ) -> usize {
        if let Some(sum) = sum.first_chunk_mut::<COLUMNS>() {
            let mut registers = *sum;
            for row in rows {
                let values = &self.values[*row as usize * self.columns + start..][..COLUMNS];
                for (sum, value) in registers.iter_mut().zip(values) {
                    *sum += value;
                }
            }
            *sum = registers;
        }
        COLUMNS
    }
}

impl Quantized {
    fn read<R: BufRead>(
        input: &mut Input<R>,
        what: &str,
        rows: u64,
        columns: usize,
        has_norms: bool,
    ) -> Result<Self, ModelError> {
        let size = input.count(what)?;
        let code_bytes = input.bytes(what, size.into())?;
        let parts = RowParts::read(input, what, columns)?;
        if u128::from(size) != u128::from(rows) * parts.count as u128 {
            return Err(input.garbled_error(format_args!(
                "{what} has {size} codes for {rows} rows of {} parts",
                parts.count
            )));
        }
        let norms = if has_norms {
            let codes = input.bytes(what, rows)?;
            let values = RowParts::read(input, what, 1)?.centroids;
            Some(Norms { codes, values })
        } else {
            None
        };
        Ok(Self {
            columns,
            codes: code_bytes,
            parts,
            norms,
        })
    }

    fn rows(&self) -> usize {
        self.codes.len() / self.parts.count
    }

    fn values(&self) -> u64 {
        self.rows() as u64 * self.columns as u64
    }

    #[inline]
    fn norm(&self, row: usize) -> f32 {
        match &self.norms {
            Some(norms) => norms.values[usize::from(norms.codes[row])],
            None => 1.0,
        }
    }

    fn codes(&self, row: usize) -> &[u8] {
        &self.codes[row * self.parts.count..][..self.parts.count]
    }

    fn add_row(&self, row: usize, norm: f32, sum: &mut [f32]) {
        let parts = sum.chunks_mut(self.parts.columns);
        for (part, (sum, code)) in parts.zip(self.codes(row)).enumerate() {
            for (sum, value) in sum.iter_mut().zip(self.parts.centroid(part, *code)) {
                *sum += norm * value;
            }
        }
    }

    fn dot_row(&self, row: usize, vector: &[f32]) -> f32 {
        let mut sum = 0.0;
        let parts = vector.chunks(self.parts.columns);
        for (part, (vector, code)) in parts.zip(self.codes(row)).enumerate() {
            for (left, right) in vector.iter().zip(self.parts.centroid(part, *code)) {
                sum += left * right;
            }
        }
        sum * self.norm(row)
    }
}

impl RowParts {
    fn read<R: BufRead>(
        input: &mut Input<R>,
        what: &str,
        columns: usize,
    ) -> Result<Self, ModelError> {
        let [all, count, part, last] = [
            input.count(what)?,
            input.count(what)?,
            input.count(what)?,
            input.count(what)?,
        ]
        .map(|value| value as usize);
        let fits = all == columns
            && part > 0
            && count == columns.div_ceil(part)
            && (1..=part).contains(&last)
            && (count - 1) * part + last == columns;
        if !fits {
            return Err(input.garbled_error(format_args!(
                "{what} is quantized as {count} parts of {part} and {last} numbers, which are not \
                 {columns}"
            )));
        }
        Ok(Self {
            count,
            columns: part,
            last_columns: last,
            centroids: input.floats(what, (columns * CENTROIDS) as u64)?,
        })
    }

    #[inline]
    fn centroid(&self, part: usize, code: u8) -> &[f32] {
        let columns = if part + 1 == self.count {
            self.last_columns
        } else {
            self.columns
        };
        let start = part * CENTROIDS * self.columns + usize::from(code) * columns;
        &self.centroids[start..][..columns]
    }
}
