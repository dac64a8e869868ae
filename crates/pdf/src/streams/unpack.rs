//! Filters that are undone here because hayro has no limit for their output, or stops at damage.

use super::Damage;

const CLEAR: usize = 256;
const END: usize = 257;
const FIRST_FREE: usize = 258;
const MAX_CODES: usize = 4096;
/// Maximum number of zero codes in a row. Encoders write equal bytes with fewer codes, so a longer
/// run is overwritten data.
const MAX_ZERO_CODES: u64 = 8;

/// Decodes LZW until the output exceeds `limit`. Skips invalid codes: after the next clear code,
/// the output is correct again.
pub fn lzw(data: &[u8], early_change: bool, limit: usize) -> (Vec<u8>, Option<Damage>) {
    let early = usize::from(early_change);
    let mut out = Vec::new();
    // Each new code is the output of the previous code plus one byte, stored as a range of the
    // output.
    let mut indexes: Vec<(usize, usize)> = Vec::with_capacity(MAX_CODES - FIRST_FREE);
    let mut previous: Option<(usize, usize)> = None;
    let (mut bits, mut count) = (0u32, 0u32);
    let (mut codes, mut bad_codes, mut zeros) = (0_u64, 0_u64, 0_u64);
    let mut bytes = data.iter();
    let mut is_ended = false;
    'codes: while out.len() <= limit {
        let width = match FIRST_FREE + indexes.len() + early {
            2048.. => 12,
            1024.. => 11,
            512.. => 10,
            _ => 9,
        };
        while count < width {
            let Some(byte) = bytes.next() else {
                break 'codes;
            };
            bits = bits << 8 | u32::from(*byte);
            count += 8;
        }
        count -= width;
        codes += 1;
        let code = (bits >> count & ((1 << width) - 1)) as usize;
        let start = out.len();
        zeros = if code == 0 { zeros + 1 } else { 0 };
        bad_codes += u64::from(zeros > MAX_ZERO_CODES);
        match code {
            CLEAR => {
                indexes.clear();
                previous = None;
                continue;
            }
            END => {
                is_ended = true;
                break;
            }
            0..CLEAR => out.push(code as u8),
            _ => {
                let index = match (indexes.get(code - FIRST_FREE), previous) {
                    (Some(index), _) => Some(*index),
                    // The code that is about to be defined: the previous output and its first byte.
                    (None, Some((at, length))) if code == FIRST_FREE + indexes.len() => {
                        Some((at, length + 1))
                    }
                    _ => None,
                };
                match index.filter(|(at, _)| *at < start) {
                    Some((at, length)) => (at..at + length).for_each(|at| out.push(out[at])),
                    None => bad_codes += 1,
                }
            }
        }
        if let Some((at, length)) = previous
            && FIRST_FREE + indexes.len() < MAX_CODES
        {
            indexes.push((at, length + 1));
        }
        previous = Some((start, out.len() - start));
    }
    let damage = if bad_codes > 0 {
        let share = 1.0 - bad_codes as f64 / codes as f64;
        Some(Damage::new(share, "impossible LZW codes"))
    } else {
        let is_cut = !is_ended && out.len() <= limit;
        is_cut.then(|| Damage::new(1.0, "LZW data without an end"))
    };
    (out, damage)
}

/// Decodes runs until the data ends, or until the output exceeds `limit`.
pub fn run_length(data: &[u8], limit: usize) -> (Vec<u8>, Option<Damage>) {
    let mut out = Vec::new();
    let mut rest = data;
    let mut is_cut = true;
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
            // This code ends the data.
            (128, _) => {
                is_cut = false;
                break;
            }
            (_, [byte, after @ ..]) => {
                out.resize(out.len() + 257 - length, *byte);
                after
            }
            _ => break,
        };
    }
    let is_cut = is_cut && out.len() <= limit;
    let damage = is_cut.then(|| Damage::new(1.0, "run-length data without an end"));
    (out, damage)
}

/// Decodes hexadecimal digits. Other characters count as zeros, so that the rest stays aligned.
pub fn ascii_hex(data: &[u8]) -> (Vec<u8>, Option<Damage>) {
    let end = memchr::memchr(b'>', data);
    let data = data.get(..end.unwrap_or(data.len())).unwrap_or(data);
    let mut out = Vec::with_capacity(data.len() / 2 + 1);
    let mut damaged = Tally::default();
    let mut half = None;
    for byte in data.iter().filter(|byte| !is_space(**byte)) {
        let digit = damaged.valid((*byte as char).to_digit(16)).unwrap_or(0) as u8;
        match half.take() {
            Some(high) => out.push(high << 4 | digit),
            None => half = Some(digit),
        }
    }
    out.extend(half.map(|high| high << 4));
    (
        out,
        damaged.into_damage("characters that are not ASCIIHex", end.is_none()),
    )
}

/// Decodes ASCII85. Other characters count as zeros, so that the rest stays aligned.
pub fn ascii_85(data: &[u8]) -> (Vec<u8>, Option<Damage>) {
    let end = memchr::memchr(b'~', data);
    let data = data.get(..end.unwrap_or(data.len())).unwrap_or(data);
    let mut out = Vec::with_capacity(data.len() / 5 * 4 + 4);
    let mut damaged = Tally::default();
    let (mut value, mut digits) = (0_u64, 0);
    let mut bytes = data.iter().filter(|byte| !is_space(**byte));
    loop {
        let byte = match bytes.next() {
            Some(b'z') if digits == 0 => {
                out.extend([0; 4]);
                continue;
            }
            Some(byte) => Some(*byte),
            None if digits == 0 => break,
            None => None,
        };
        let digit = match byte {
            Some(byte @ b'!'..=b'u') => damaged.valid(Some(u64::from(byte - b'!'))),
            Some(_) => damaged.valid(None),
            // An incomplete last group is padded with the highest digit.
            None => Some(84),
        };
        value = value * 85 + digit.unwrap_or(0);
        digits += 1;
        if digits < 5 && byte.is_some() {
            continue;
        }
        let length = if byte.is_some() { 4 } else { digits - 2 };
        while digits < 5 {
            value = value * 85 + 84;
            digits += 1;
        }
        let group = damaged.valid(u32::try_from(value).ok()).unwrap_or(u32::MAX);
        out.extend(group.to_be_bytes().iter().take(length));
        if byte.is_none() {
            break;
        }
        (value, digits) = (0, 0);
    }
    (
        out,
        damaged.into_damage("characters that are not ASCII85", end.is_none()),
    )
}

/// Zero bytes are white space in the standard, but no encoder writes them: they are overwritten
/// characters.
fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

/// Counts valid and invalid values.
#[derive(Default)]
struct Tally {
    all: u64,
    invalid: u64,
}

impl Tally {
    fn valid<T>(&mut self, value: Option<T>) -> Option<T> {
        self.all += 1;
        self.invalid += u64::from(value.is_none());
        value
    }

    fn into_damage(self, cause: &'static str, is_cut: bool) -> Option<Damage> {
        if self.invalid > 0 {
            let share = 1.0 - self.invalid as f64 / self.all as f64;
            return Some(Damage::new(share, cause));
        }
        is_cut.then(|| Damage::new(1.0, "text-encoded data without an end"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Stream;
    use crate::testing::hostile::Random;

    fn lzw(data: &[u8], early_change: bool, limit: usize) -> Vec<u8> {
        super::lzw(data, early_change, limit).0
    }

    fn run_length(data: &[u8], limit: usize) -> Vec<u8> {
        super::run_length(data, limit).0
    }

    /// Texts that fill the table of codes several times, or repeat one byte.
    fn texts() -> Vec<Vec<u8>> {
        let mut random = Random(7);
        let varied = |kinds| (0..60_000).map(|_| random.below(kinds) as u8).collect();
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
                // A code represents up to 4,096 bytes, and a run up to 128.
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
        let mut random = Random(1);
        for round in 0..300 {
            let bytes = random.bytes(400);
            assert!(lzw(&bytes, round % 2 == 0, 1000).len() <= 1000 + MAX_CODES);
            assert!(run_length(&bytes, 1000).len() <= 1128);
        }
    }
}
