//! Rules out bits whose flip cannot repair a truncated stream, because the symbols after them stay
//! the same.

use super::bits::Bits;
use super::block::{BlockEncoding, Compressed, Header};

/// The size of the header of zlib.
const HEADER_BITS: usize = 16;
/// Maximum number of symbols after a flipped bit to resynchronize.
const MAX_SYMBOLS: usize = 64;

/// The symbols of a stream.
pub struct Symbols {
    /// For each bit, whether a symbol starts there.
    starts: Vec<bool>,
    blocks: Vec<Block>,
}

struct Block {
    codes: Compressed,
    /// The range of the symbols, in bits.
    from: usize,
    to: usize,
}

impl Symbols {
    /// The symbols of a zlib stream that is truncated but otherwise valid.
    pub fn of_cut_stream(data: &[u8]) -> Option<Self> {
        let mut bits = Bits::new(data, HEADER_BITS);
        let mut symbols = Self {
            starts: vec![false; bits.total() + 1],
            blocks: Vec::new(),
        };
        loop {
            let header = Header::read(&mut bits)?;
            match header.kind {
                BlockEncoding::Stored(length) => bits.skip_bytes(length),
                BlockEncoding::Fixed(codes) | BlockEncoding::Dynamic(codes) => {
                    let from = bits.at;
                    symbols.add_block(&codes, &mut bits)?;
                    let to = bits.at;
                    symbols.blocks.push(Block { codes, from, to });
                }
            }
            if bits.is_past_end() {
                return Some(symbols);
            }
            if header.is_final {
                return None;
            }
        }
    }

    /// Adds the symbols of a block up to the end of the block or of the data.
    fn add_block(&mut self, codes: &Compressed, bits: &mut Bits<'_>) -> Option<()> {
        loop {
            *self.starts.get_mut(bits.at)? = true;
            let ends = codes.skip(bits);
            if bits.is_past_end() || ends? {
                return Some(());
            }
        }
    }

    /// Whether `data`, the stream with this bit flipped, provably ends early, too: after the bit,
    /// it soon has the same symbols.
    pub fn still_end_early(&self, data: &[u8], bit: usize) -> bool {
        let after = self.blocks.partition_point(|block| block.from <= bit);
        let block = self.blocks.get(..after).and_then(<[_]>::last);
        let Some(block) = block.filter(|block| bit < block.to) else {
            return false;
        };
        let before = self.starts.get(block.from..=bit);
        let Some(back) = before.and_then(|before| before.iter().rev().position(|start| *start))
        else {
            return false;
        };
        let mut bits = Bits::new(data, bit - back);
        for _ in 0..MAX_SYMBOLS {
            let ends = block.codes.skip(&mut bits);
            if bits.is_past_end() {
                return true;
            }
            if ends != Some(false) {
                return false;
            }
            if bits.at > bit && bits.at < block.to && self.starts.get(bits.at) == Some(&true) {
                return true;
            }
        }
        false
    }
}
