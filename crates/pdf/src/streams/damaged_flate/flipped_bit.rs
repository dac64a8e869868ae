//! Corrects a single flipped bit.

use corpus_bytes::inflate::{MAX_WHOLE_BYTES, WholeInflater};

use super::symbols::Symbols;

/// The fixed cost of a trial, mostly for building the code tables.
const TRIAL_COST: u64 = 1_000;
const BYTES_PER_COST: u64 = 4;
/// Content is rarely larger than deflate data by more than this factor.
const LIKELY_RATIO: usize = 8;

/// Decodes a zlib stream with each of its bits flipped in turn, until the output matches the
/// checksum. `None` if it never does, or if the trials would cost more than `search`.
pub fn with_flipped_bit(data: &[u8], limit: usize, search: &mut u64) -> Option<Vec<u8>> {
    // With very many trials, a chance match becomes likely, but the cost limit allows far fewer.
    let max_bytes = (data.len() * LIKELY_RATIO).min(limit).min(MAX_WHOLE_BYTES);
    let trials = data.len() as u64 * 8;
    let cost = trials * (TRIAL_COST + max_bytes as u64 / 2 / BYTES_PER_COST);
    *search = search.checked_sub(cost)?;
    let symbols = Symbols::of_cut_stream(data);
    let mut data = data.to_vec();
    let (mut inflater, mut room) = (WholeInflater::new(), vec![0; max_bytes]);
    for bit in 0..data.len() * 8 {
        let mask = 1 << (bit % 8);
        *data.get_mut(bit / 8)? ^= mask;
        // A full trial takes about ten times as long.
        let is_futile = symbols
            .as_ref()
            .is_some_and(|symbols| symbols.still_end_early(&data, bit));
        if !is_futile && let Some(length) = inflater.zlib(&data, &mut room, max_bytes) {
            room.truncate(length);
            return Some(room);
        }
        *data.get_mut(bit / 8)? ^= mask;
    }
    None
}
