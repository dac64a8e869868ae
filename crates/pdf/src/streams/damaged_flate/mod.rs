//! Decodes damaged deflate data beyond the damage.
//!
//! zlib stops at the first impossible code. But Huffman codes resynchronize after a few symbols,
//! and each block starts afresh. So this decoder continues after impossible codes, and searches for
//! the next block when the current one no longer makes sense. Copies of text before the damage may
//! then be wrong.
//!
//! If a single bit is flipped in a short stream, the checksum identifies it.
//!
//! ```text
//! bits         reads bits and Huffman codes
//! block        headers of blocks
//! flipped_bit  corrects a single flipped bit
//! symbols      rules out bits that cannot be the flipped one
//! ```

mod bits;
mod block;
mod flipped_bit;
mod symbols;

use self::bits::{Bits, Codes};
use self::block::{BlockEncoding, Compressed, Header, may_be_dynamic};
pub use self::flipped_bit::with_flipped_bit;

/// Maximum number of bytes after the final block: the checksum, and padding by writers.
const MAX_TRAILING_BYTES: usize = 64;
/// The cost of parsing a block header, relative to examining a bit.
const HEADER_COST: u64 = 4 << 10;
const END_OF_BLOCK: u16 = 256;
/// The base and the extra bits of the lengths of copies, by symbol after the end of block.
const LENGTHS: [(u16, u8); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];

/// The decoded data.
#[derive(Debug, Default)]
pub struct Salvaged {
    pub bytes: Vec<u8>,
    /// The share of the data that was decoded, from 0 to 1.
    pub share: f64,
    /// `None` if the data is complete, apart from a missing checksum.
    pub cause: Option<&'static str>,
}

/// Decodes slightly more than `limit`, so that the budget detects the excess. Charges `search` for
/// the search for blocks.
pub fn salvage(data: &[u8], limit: usize, search: &mut u64) -> Salvaged {
    // The header of zlib may be damaged or missing.
    let starts_at = |bit: &usize| Header::read(&mut Bits::new(data, *bit)).is_some();
    let first_bit = [16, 0].into_iter().find(starts_at).unwrap_or(16);
    let mut decoder = Decoder {
        bits: Bits::new(data, first_bit),
        out: Vec::new(),
        limit,
        search,
        cause: None,
        lost_bits: 0,
    };
    if decoder.is_at_end() {
        decoder.report_damage("the data ends early");
    }
    while decoder.out.len() <= limit {
        match decoder.block() {
            Next::Block => {}
            Next::End => break,
            Next::Search(from) => {
                let found = decoder.next_block(from);
                let next = found.unwrap_or(decoder.bits.total());
                decoder.lost_bits += next.saturating_sub(decoder.bits.at);
                decoder.bits.at = next;
                if found.is_none() {
                    break;
                }
            }
        }
    }
    let total = data.len() * 8;
    Salvaged {
        share: 1.0 - decoder.lost_bits.min(total) as f64 / total.max(1) as f64,
        bytes: decoder.out,
        cause: decoder.cause,
    }
}

/// How to continue after a block.
enum Next {
    Block,
    End,
    /// Search for the next block from this bit on.
    Search(usize),
}

struct Decoder<'d, 's> {
    bits: Bits<'d>,
    out: Vec<u8>,
    limit: usize,
    search: &'s mut u64,
    cause: Option<&'static str>,
    lost_bits: usize,
}

impl Decoder<'_, '_> {
    fn block(&mut self) -> Next {
        let start = self.bits.at;
        if self.is_at_end() {
            // Some writers flush their data instead of ending it.
            return Next::End;
        }
        let Some(header) = Header::read(&mut self.bits) else {
            self.bits.at = start;
            self.report_damage("damaged deflate data");
            return Next::Search(start + 1);
        };
        match header.kind {
            BlockEncoding::Stored(length) => {
                let rest = self.bits.rest();
                let stored = rest.get(..length).unwrap_or(rest);
                let room = (self.limit + 1).saturating_sub(self.out.len());
                self.out.extend(stored.iter().take(room));
                self.bits.skip_bytes(length);
                if stored.len() < length {
                    self.report_damage("the data ends early");
                    return Next::End;
                }
            }
            BlockEncoding::Fixed(codes) | BlockEncoding::Dynamic(codes) => {
                let next = self.decode_compressed(start, header.is_final, &codes);
                if !matches!(next, Next::Block) {
                    return next;
                }
            }
        }
        if !header.is_final {
            return Next::Block;
        }
        // A missing or truncated checksum proves nothing.
        let checksum = self.bits.rest();
        let expected = adler(&self.out).to_be_bytes();
        if checksum
            .iter()
            .zip(expected)
            .any(|(byte, expected)| *byte != expected)
        {
            self.report_damage("the checksum does not match");
        }
        Next::End
    }

    fn decode_compressed(&mut self, start: usize, is_final: bool, codes: &Compressed) -> Next {
        // The numbers of bits and of output bytes before the first sign of damage.
        let mut first_sign = None;
        loop {
            let before = (self.bits.at, self.out.len());
            if self.out.len() > self.limit {
                return Next::End;
            }
            let is_sound = match codes.literals.next(&mut self.bits) {
                // Beyond the end of the data, the reader returns zeros, which may be this code.
                Some(END_OF_BLOCK) if self.bits.is_past_end() => true,
                Some(END_OF_BLOCK) => {
                    if self.may_end(is_final) {
                        if first_sign.is_some() {
                            self.report_damage("damaged deflate data");
                        }
                        return Next::Block;
                    }
                    false
                }
                Some(literal @ 0..END_OF_BLOCK) => {
                    self.out.push(literal as u8);
                    true
                }
                Some(symbol) => self.copy(symbol - END_OF_BLOCK - 1, &codes.distances),
                None => false,
            };
            if !is_sound {
                first_sign.get_or_insert(before);
            }
            if self.bits.is_past_end() {
                return match first_sign {
                    // The data after the first sign of damage has no plausible end, so it is noise.
                    Some((at, length)) => {
                        self.report_damage("damaged deflate data");
                        self.bits.at = at;
                        self.out.truncate(length);
                        Next::Search(start + 1)
                    }
                    None => {
                        self.out.truncate(before.1);
                        self.report_damage("the data ends early");
                        Next::End
                    }
                };
            }
        }
    }

    /// Copies earlier output. If the distance is impossible, writes spaces instead.
    fn copy(&mut self, symbol: u16, distances: &Codes) -> bool {
        let Some((base, extra)) = LENGTHS.get(usize::from(symbol)) else {
            return false;
        };
        let length = usize::from(*base) + self.bits.take(u32::from(*extra)) as usize;
        let distance = match distances.next(&mut self.bits) {
            Some(symbol @ 0..4) => usize::from(symbol) + 1,
            Some(symbol @ 4..30) => {
                let extra = u32::from(symbol) / 2 - 1;
                let base = (2 + usize::from(symbol) % 2) << extra;
                base + self.bits.take(extra) as usize + 1
            }
            _ => usize::MAX,
        };
        let end = self.out.len() + length;
        match self.out.len().checked_sub(distance) {
            Some(from) => {
                while self.out.len() < end {
                    let some = (end - self.out.len()).min(self.out.len() - from);
                    self.out.extend_from_within(from..from + some);
                }
                true
            }
            None => {
                self.out.resize(end, b' ');
                false
            }
        }
    }

    /// Whether a block may end here: because the data ends, or because another block starts.
    fn may_end(&mut self, is_final: bool) -> bool {
        if is_final {
            return self.bits.rest().len() <= MAX_TRAILING_BYTES;
        }
        if self.is_at_end() || self.spend(HEADER_COST).is_none() {
            return true;
        }
        let mut next = self.bits;
        match Header::read(&mut next) {
            Some(Header {
                is_final,
                kind: BlockEncoding::Fixed(codes),
            }) => self.is_fixed_block(next, is_final, &codes),
            Some(_) => true,
            None => false,
        }
    }

    /// Whether a block with fixed codes contains only valid codes; its header alone proves little.
    fn is_fixed_block(&mut self, mut bits: Bits<'_>, is_final: bool, codes: &Compressed) -> bool {
        while self.spend(1).is_some() && !bits.is_past_end() {
            match codes.skip(&mut bits) {
                Some(false) => {}
                Some(true) if bits.is_past_end() => return false,
                Some(true) => return !is_final || bits.rest().len() <= MAX_TRAILING_BYTES,
                None => return false,
            }
        }
        false
    }

    /// The start of the next block with dynamic codes. Other blocks are not recognized.
    fn next_block(&mut self, from: usize) -> Option<usize> {
        let mut here = self.bits;
        for at in from..self.bits.total() {
            self.spend(1)?;
            here.at = at;
            if may_be_dynamic(&here) {
                self.spend(HEADER_COST)?;
                if Header::read(&mut { here }).is_some() {
                    return Some(at);
                }
            }
        }
        None
    }

    fn spend(&mut self, work: u64) -> Option<()> {
        *self.search = self.search.checked_sub(work)?;
        Some(())
    }

    fn is_at_end(&self) -> bool {
        self.bits.total().saturating_sub(self.bits.at) < 8
    }

    fn report_damage(&mut self, cause: &'static str) {
        self.cause.get_or_insert(cause);
    }
}

/// The checksum of zlib.
fn adler(data: &[u8]) -> u32 {
    const MODULUS: u32 = 65_521;
    /// The sums of this many bytes fit into 32 bits.
    const CHUNK_BYTES: usize = 5552;
    let (mut a, mut b) = (1, 0);
    for chunk in data.chunks(CHUNK_BYTES) {
        for byte in chunk {
            a += u32::from(*byte);
            b += a;
        }
        a %= MODULUS;
        b %= MODULUS;
    }
    b << 16 | a
}

#[cfg(test)]
mod tests;
