//! Streams, and the encoders for their filters.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// A stream; filters are applied in the order in which they are called.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    data: Vec<u8>,
    entries: String,
    /// Names and parameters, the first to be decoded last.
    filters: Vec<(&'static str, String)>,
    length: Option<String>,
}

impl Stream {
    pub fn new(data: impl Into<Vec<u8>>) -> Self {
        Self {
            data: data.into(),
            ..Self::default()
        }
    }

    /// Adds entries to the dictionary, as written.
    pub fn entries(mut self, entries: &str) -> Self {
        self.entries.push(' ');
        self.entries.push_str(entries);
        self
    }

    /// The declared length, true or not: a number or a reference.
    pub fn length(mut self, length: impl ToString) -> Self {
        self.length = Some(length.to_string());
        self
    }

    pub fn flate(self) -> Self {
        let data = deflate(&self.data);
        self.encoded("FlateDecode", "null", data)
    }

    /// Flate over whole rows of `columns` bytes, each written as what differs from the row above.
    pub fn flate_predicted(self, columns: usize) -> Self {
        let mut rows = Vec::with_capacity(self.data.len() + self.data.len() / columns + 1);
        let mut above = vec![0; columns];
        for row in self.data.chunks(columns) {
            rows.push(2);
            rows.extend(
                row.iter()
                    .zip(&above)
                    .map(|(byte, up)| byte.wrapping_sub(*up)),
            );
            above[..row.len()].copy_from_slice(row);
        }
        let parameters = format!("<< /Predictor 12 /Columns {columns} >>");
        self.encoded("FlateDecode", &parameters, deflate(&rows))
    }

    /// Brotli in blocks that are not compressed.
    pub fn brotli(self) -> Self {
        let mut data = Vec::new();
        for (number, block) in self.data.chunks(1 << 16).enumerate() {
            // Of 16-bit windows; then not the last block, a length of 16 bits, not compressed.
            let header = (block.len() as u32 - 1) << 3 | 1 << 19;
            let header = if number == 0 { header << 1 } else { header };
            data.extend(&header.to_le_bytes()[..3]);
            data.extend(block);
        }
        data.push(if data.is_empty() { 6 } else { 3 });
        self.encoded("BrotliDecode", "null", data)
    }

    pub fn lzw(self) -> Self {
        let data = lzw(&self.data);
        self.encoded("LZWDecode", "null", data)
    }

    pub fn ascii_hex(self) -> Self {
        let mut data: Vec<u8> = Vec::with_capacity(2 * self.data.len() + 1);
        for byte in &self.data {
            data.extend(
                [byte >> 4, byte & 15].map(|digit| b"0123456789ABCDEF"[usize::from(digit)]),
            );
        }
        data.push(b'>');
        self.encoded("ASCIIHexDecode", "null", data)
    }

    pub fn ascii_85(self) -> Self {
        let mut data = Vec::new();
        for chunk in self.data.chunks(4) {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            let mut value = u32::from_be_bytes(word);
            let mut digits = [0; 5];
            for digit in digits.iter_mut().rev() {
                *digit = b'!' + (value % 85) as u8;
                value /= 85;
            }
            if chunk == [0; 4] {
                data.push(b'z');
            } else {
                data.extend(&digits[..=chunk.len()]);
            }
        }
        data.extend(b"~>");
        self.encoded("ASCII85Decode", "null", data)
    }

    pub fn run_length(self) -> Self {
        let mut data = Vec::new();
        for run in self
            .data
            .chunk_by(|a, b| a == b)
            .flat_map(|run| run.chunks(128))
        {
            data.extend([(257 - run.len() % 257) as u8, run[0]]);
            if run.len() == 1 {
                let end = data.len();
                data[end - 2] = 0;
            }
        }
        data.push(128);
        self.encoded("RunLengthDecode", "null", data)
    }

    /// Data that is already encoded, or does not match the filter.
    pub fn encoded(mut self, filter: &'static str, parameters: &str, data: Vec<u8>) -> Self {
        self.data = data;
        self.filters.push((filter, parameters.to_owned()));
        self
    }

    pub(crate) fn data(&self) -> &[u8] {
        &self.data
    }

    /// The stream as written to the file, with its data replaced.
    pub(super) fn written(&self, data: &[u8]) -> Vec<u8> {
        let length = self
            .length
            .clone()
            .unwrap_or_else(|| data.len().to_string());
        let mut dict = format!("<< /Length {length}{}", self.entries);
        if !self.filters.is_empty() {
            let (names, parameters): (String, String) = self
                .filters
                .iter()
                .rev()
                .map(|(name, parameters)| (format!("/{name} "), format!("{parameters} ")))
                .unzip();
            dict.push_str(&format!(" /Filter [{names}] /DecodeParms [{parameters}]"));
        }
        [dict.as_bytes(), b" >>\nstream\n", data, b"\nendstream"].concat()
    }
}

pub fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// LZW as in PDF: codes of 9 to 12 bits, whose width grows one code early.
fn lzw(data: &[u8]) -> Vec<u8> {
    const CLEAR: u16 = 256;
    const END: u16 = 257;
    let (mut out, mut buffer, mut filled) = (Vec::new(), 0_u32, 0);
    let mut put = |code: u16, width: u32| {
        buffer = buffer << width | u32::from(code);
        filled += width;
        while filled >= 8 {
            filled -= 8;
            out.push((buffer >> filled) as u8);
        }
    };
    // By the previous code and a byte; 0 is not a code.
    let mut codes = vec![0_u16; 4096 * 256];
    let place = |before: u16, byte: u8| usize::from(before) << 8 | usize::from(byte);
    let (mut next, mut width) = (258, 9);
    put(CLEAR, width);
    let mut rest = data.iter();
    let mut prefix = rest.next().map(|byte| u16::from(*byte));
    for byte in rest {
        let (known, byte) = (prefix.unwrap_or_default(), *byte);
        let longer = codes[place(known, byte)];
        if longer != 0 {
            prefix = Some(longer);
            continue;
        }
        put(known, width);
        codes[place(known, byte)] = next;
        next += 1;
        width = match next {
            ..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
        if next == 4094 {
            put(CLEAR, width);
            codes.fill(0);
            (next, width) = (258, 9);
        }
        prefix = Some(u16::from(byte));
    }
    if let Some(code) = prefix {
        put(code, width);
        // The decoder makes one more entry of that code.
        width = if matches!(next + 1, 512 | 1024 | 2048) {
            width + 1
        } else {
            width
        };
    }
    put(END, width);
    put(0, 7);
    out
}
