//! The headers of deflate blocks.

use super::bits::{Bits, Codes};
use super::{END_OF_BLOCK, LENGTHS};

const MAX_LITERAL_CODES: usize = 286;
const MAX_DISTANCE_CODES: usize = 30;
/// The order in which a header stores the lengths of the code-length codes.
const LENGTH_ORDER: [u8; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// The start of a block.
pub struct Header {
    pub is_final: bool,
    pub kind: BlockEncoding,
}

pub enum BlockEncoding {
    /// The number of bytes stored without compression.
    Stored(usize),
    /// Compressed with the fixed codes.
    Fixed(Compressed),
    Dynamic(Compressed),
}

/// The codes of a compressed block.
pub struct Compressed {
    pub literals: Codes,
    pub distances: Codes,
}

impl Compressed {
    /// Skips a symbol, and the distance of a copy. Returns whether the block ends there. `None` for
    /// bits that are not a symbol.
    pub fn skip(&self, bits: &mut Bits<'_>) -> Option<bool> {
        match self.literals.next(bits)? {
            END_OF_BLOCK => Some(true),
            0..END_OF_BLOCK => Some(false),
            symbol => {
                let (_, extra) = LENGTHS.get(usize::from(symbol - END_OF_BLOCK - 1))?;
                bits.take(u32::from(*extra));
                let distance = self.distances.next(bits).filter(|symbol| *symbol < 30)?;
                bits.take((u32::from(distance) / 2).saturating_sub(1));
                Some(false)
            }
        }
    }
}

impl Header {
    /// Reads the header of a block. `None` if no valid block starts like this.
    pub fn read(bits: &mut Bits<'_>) -> Option<Self> {
        let is_final = bits.take(1) == 1;
        let kind = match bits.take(2) {
            0 => read_stored(bits)?,
            1 => fixed()?,
            2 => dynamic(bits)?,
            _ => return None,
        };
        (!bits.is_past_end()).then_some(Self { is_final, kind })
    }
}

/// Whether the bits may start a block with dynamic codes: a fast check with few false positives.
pub fn may_be_dynamic(bits: &Bits<'_>) -> bool {
    let next = bits.peek();
    let field = |from: u32, count: u32| (next >> from & ((1 << count) - 1)) as usize;
    if field(1, 2) != 2
        || field(3, 5) + 257 > MAX_LITERAL_CODES
        || field(8, 5) + 1 > MAX_DISTANCE_CODES
    {
        return false;
    }
    let mut lengths = *bits;
    lengths.at += 17;
    let mut next = lengths.peek();
    let mut used = 0;
    for _ in 0..field(13, 4) + 4 {
        let length = next & 7;
        used += if length > 0 { 128 >> length } else { 0 };
        next >>= 3;
    }
    used == 128
}

fn read_stored(bits: &mut Bits<'_>) -> Option<BlockEncoding> {
    let &[a, b, c, d] = bits.rest().first_chunk()?;
    let length = u16::from_le_bytes([a, b]);
    bits.skip_bytes(4);
    (length == !u16::from_le_bytes([c, d])).then_some(BlockEncoding::Stored(length.into()))
}

fn fixed() -> Option<BlockEncoding> {
    let mut lengths = [8; 288];
    lengths.iter_mut().take(256).skip(144).for_each(|l| *l = 9);
    lengths.iter_mut().take(280).skip(256).for_each(|l| *l = 7);
    Some(BlockEncoding::Fixed(Compressed {
        literals: Codes::new(&lengths)?,
        distances: Codes::new(&[5; 32])?,
    }))
}

fn dynamic(bits: &mut Bits<'_>) -> Option<BlockEncoding> {
    let literals = bits.take(5) as usize + 257;
    let distances = bits.take(5) as usize + 1;
    let count = bits.take(4) as usize + 4;
    if literals > MAX_LITERAL_CODES || distances > MAX_DISTANCE_CODES {
        return None;
    }
    let mut lengths = [0; 19];
    for symbol in LENGTH_ORDER.iter().take(count) {
        if let Some(length) = lengths.get_mut(usize::from(*symbol)) {
            *length = bits.take(3) as u8;
        }
    }
    let codes = Codes::new(&lengths)?;
    let mut lengths = Vec::with_capacity(MAX_LITERAL_CODES + MAX_DISTANCE_CODES);
    while lengths.len() < literals + distances {
        let (length, repeated) = match codes.next(bits)? {
            16 => (*lengths.last()?, 3 + bits.take(2)),
            17 => (0, 3 + bits.take(3)),
            18 => (0, 11 + bits.take(7)),
            length => (length as u8, 1),
        };
        lengths.extend(std::iter::repeat_n(length, repeated as usize));
        if bits.is_past_end() {
            return None;
        }
    }
    let is_sound = lengths.len() == literals + distances && lengths[usize::from(END_OF_BLOCK)] > 0;
    let (literals, distances) = lengths.split_at_checked(literals)?;
    is_sound.then_some(())?;
    Some(BlockEncoding::Dynamic(Compressed {
        literals: Codes::new(literals)?,
        distances: Codes::new(distances)?,
    }))
}
