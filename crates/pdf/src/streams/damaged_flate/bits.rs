//! Reads bits and Huffman codes of deflate data, starting at any bit.

/// The maximum length of a code.
const MAX_CODE_BITS: usize = 15;

/// A position in deflate data.
#[derive(Clone, Copy)]
pub struct Bits<'d> {
    data: &'d [u8],
    /// The number of bits before the next one.
    pub at: usize,
}

impl<'d> Bits<'d> {
    pub fn new(data: &'d [u8], at: usize) -> Self {
        Self { data, at }
    }

    /// The next bits, at least 57 of them; zeros after the end of the data.
    #[inline]
    pub fn peek(&self) -> u64 {
        let from = self.at / 8;
        let word = match self.data.get(from..from + 8) {
            Some(bytes) => bytes.try_into().map_or(0, u64::from_le_bytes),
            None => {
                let mut word = [0; 8];
                let rest = self.data.get(from..).unwrap_or_default();
                word.iter_mut().zip(rest).for_each(|(to, byte)| *to = *byte);
                u64::from_le_bytes(word)
            }
        };
        word >> (self.at % 8)
    }

    /// Reads up to 32 bits.
    #[inline]
    pub fn take(&mut self, count: u32) -> u32 {
        let value = self.peek() & ((1 << count) - 1);
        self.at += count as usize;
        value as u32
    }

    /// Whether more bits were read than there are.
    pub fn is_past_end(&self) -> bool {
        self.at > self.total()
    }

    pub fn total(&self) -> usize {
        self.data.len() * 8
    }

    /// The bytes after the current one.
    pub fn rest(&self) -> &'d [u8] {
        self.data.get(self.at.div_ceil(8)..).unwrap_or_default()
    }

    pub fn skip_bytes(&mut self, bytes: usize) {
        self.at = (self.at.div_ceil(8) + bytes) * 8;
    }
}

/// A complete set of Huffman codes.
pub struct Codes {
    /// By the next bits: the symbol and the length of its code.
    table: Vec<(u16, u8)>,
    bits: u32,
}

impl Codes {
    /// The codes with these lengths, by symbol. `None` unless they are complete. Like zlib, also
    /// accepts a single code of one bit, and no codes at all.
    pub fn new(lengths: &[u8]) -> Option<Self> {
        if !are_complete(lengths) {
            return None;
        }
        let longest = usize::from(lengths.iter().copied().max()?).max(1);
        let mut table = vec![(0, 0); 1 << longest];
        let mut code = 0_u32;
        for length in 1..=longest {
            for (symbol, _) in (0..)
                .zip(lengths)
                .filter(|(_, l)| usize::from(**l) == length)
            {
                // Codes are stored highest bit first.
                let first = (code.reverse_bits() >> (32 - length)) as usize;
                let indexes = table.iter_mut().skip(first).step_by(1 << length);
                indexes.for_each(|index| *index = (symbol, length as u8));
                code += 1;
            }
            code <<= 1;
        }
        Some(Self {
            table,
            bits: longest as u32,
        })
    }

    /// Reads a symbol; `None` for bits that are not a code.
    #[inline]
    pub fn next(&self, bits: &mut Bits<'_>) -> Option<u16> {
        let next = bits.peek() & ((1 << self.bits) - 1);
        let (symbol, length) = *self.table.get(next as usize)?;
        bits.at += usize::from(length.max(1));
        (length > 0).then_some(symbol)
    }
}

/// Whether the codes with these lengths use each sequence of bits.
fn are_complete(lengths: &[u8]) -> bool {
    let used = lengths.iter().filter(|length| **length > 0);
    let unit = |length: &u8| 1_u32 << (MAX_CODE_BITS - usize::from(*length).min(MAX_CODE_BITS));
    let sum: u32 = used.clone().map(unit).sum();
    sum == 1 << MAX_CODE_BITS || used.clone().count() == 0 || used.eq(&[1])
}
