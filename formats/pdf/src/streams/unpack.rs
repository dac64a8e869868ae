//! Filters that are undone here because hayro has no limit for their output.

const CLEAR: usize = 256;
const END: usize = 257;
const FIRST_FREE: usize = 258;
const MAX_CODES: usize = 4096;

/// Decodes LZW until the first damage, or until the output exceeds `limit`.
pub fn lzw(data: &[u8], early_change: bool, limit: usize) -> Vec<u8> {
    let early = usize::from(early_change);
    let mut out = Vec::new();
    // Each new code is the output of the code before it and one byte more: a place in the output.
    let mut places: Vec<(usize, usize)> = Vec::with_capacity(MAX_CODES - FIRST_FREE);
    let mut previous: Option<(usize, usize)> = None;
    let (mut bits, mut count) = (0u32, 0u32);
    let mut bytes = data.iter();
    while out.len() <= limit {
        let width = match FIRST_FREE + places.len() + early {
            2048.. => 12,
            1024.. => 11,
            512.. => 10,
            _ => 9,
        };
        while count < width {
            let Some(byte) = bytes.next() else {
                return out;
            };
            bits = bits << 8 | u32::from(*byte);
            count += 8;
        }
        count -= width;
        let code = (bits >> count & ((1 << width) - 1)) as usize;
        let start = out.len();
        match code {
            CLEAR => {
                places.clear();
                previous = None;
                continue;
            }
            END => break,
            0..CLEAR => out.push(code as u8),
            _ => {
                let place = match (places.get(code - FIRST_FREE), previous) {
                    (Some(place), _) => *place,
                    // The code that is only being made: the previous output, and its first byte.
                    (None, Some((at, length))) if code == FIRST_FREE + places.len() => {
                        (at, length + 1)
                    }
                    _ => break,
                };
                for at in place.0..place.0 + place.1 {
                    out.push(out[at]);
                }
            }
        }
        if let Some((at, length)) = previous
            && FIRST_FREE + places.len() < MAX_CODES
        {
            places.push((at, length + 1));
        }
        previous = Some((start, out.len() - start));
    }
    out
}

/// Decodes runs until the data ends, or until the output exceeds `limit`.
pub fn run_length(data: &[u8], limit: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = data;
    while let Some((length, after)) = rest.split_first()
        && out.len() <= limit
    {
        let length = usize::from(*length);
        rest = match (length, after) {
            (..=127, _) => {
                let (bytes, after) = after.split_at(after.len().min(length + 1));
                out.extend_from_slice(bytes);
                after
            }
            // It ends the data.
            (128, _) => break,
            (_, [byte, after @ ..]) => {
                out.resize(out.len() + 257 - length, *byte);
                after
            }
            _ => break,
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Stream;

    /// Texts that fill the table of codes several times, or repeat one byte.
    fn texts() -> Vec<Vec<u8>> {
        let mut state = 7u32;
        let mut random = |kinds: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % kinds
        };
        let varied = |kinds| (0..60_000).map(|_| random(kinds) as u8).collect();
        let mut texts: Vec<Vec<u8>> = [2, 7, 256].map(varied).into();
        texts.extend([Vec::new(), vec![b'x'], vec![0; 300_000]]);
        texts
    }

    #[test]
    fn what_was_encoded_comes_back_up_to_the_limit() {
        for text in texts() {
            let encoded = Stream::new(text.clone()).lzw();
            assert!(lzw(encoded.data(), true, usize::MAX) == text);
            let runs = Stream::new(text.clone()).run_length();
            assert!(run_length(runs.data(), usize::MAX) == text);
            for limit in [0, 10, 4000] {
                // A code stands for up to 4,096 bytes, and a run for 128.
                let cut = lzw(encoded.data(), true, limit);
                assert!(cut.len() <= limit + MAX_CODES && text.starts_with(&cut));
                assert!(cut.len() > limit || cut == text);
                let cut = run_length(runs.data(), limit);
                assert!(cut.len() <= limit + 128 && text.starts_with(&cut));
                assert!(cut.len() > limit || cut == text);
            }
        }
    }

    #[test]
    fn data_before_damage_is_kept() {
        let text = texts().swap_remove(1);
        let encoded = Stream::new(text.clone()).lzw();
        let half = encoded.data().len() / 2;
        let cut = lzw(&encoded.data()[..half], true, usize::MAX);
        assert!(cut.len() > 1000 && text.starts_with(&cut));
        // A code that does not exist yet.
        assert_eq!(lzw(&[0x80, 0x7F, 0xFF, 0xFF], true, 100).len(), 0);
        assert_eq!(run_length(&[3, b'a', b'b'], 100), b"ab");
        assert_eq!(run_length(&[254, b'a', 129], 100), b"aaa");
    }

    #[test]
    fn any_bytes_end() {
        let mut state = 1u32;
        for _ in 0..300 {
            let bytes: Vec<u8> = (0..400)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 24) as u8
                })
                .collect();
            assert!(lzw(&bytes, state & 1 == 0, 1000).len() <= 1000 + MAX_CODES);
            assert!(run_length(&bytes, 1000).len() <= 1128);
        }
    }
}
