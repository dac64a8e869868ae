use flate2::{Compress, Compression, FlushCompress};

use corpus_bytes::inflate::{MAX_WHOLE_BYTES, WholeInflater};

use super::symbols::Symbols;
use super::{salvage, with_flipped_bit};
use crate::testing::hostile::Random;

const SEARCH: u64 = 1 << 28;

fn text(lines: usize) -> Vec<u8> {
    let mut random = Random::seeded(3);
    let line = |number| {
        format!(
            "1 0 0 1 72 {} Tm (line {number}) Tj\n",
            random.next_u64() % 9000
        )
    };
    (0..lines).map(line).collect::<String>().into_bytes()
}

/// Compressed in independent blocks of this size, or as the compressor likes.
fn compressed(text: &[u8], level: u32, block: Option<usize>) -> Vec<u8> {
    let mut compress = Compress::new(Compression::new(level), true);
    let mut out = Vec::with_capacity(text.len() * 2 + 1_000);
    if let Some(block) = block {
        for part in text.chunks(block) {
            compress
                .compress_vec(part, &mut out, FlushCompress::Full)
                .unwrap();
        }
    } else {
        compress
            .compress_vec(text, &mut out, FlushCompress::None)
            .unwrap();
    }
    compress
        .compress_vec(&[], &mut out, FlushCompress::Finish)
        .unwrap();
    out
}

#[test]
fn sound_data_is_decoded_without_complaint() {
    for text in [text(0), text(1), text(20), text(9_000), vec![7; 300_000]] {
        for level in [0, 1, 6, 9] {
            for block in [None, Some(5_000)] {
                let data = compressed(&text, level, block);
                let whole = salvage(&data, usize::MAX - 1, &mut { SEARCH });
                assert_eq!((whole.cause, whole.share), (None, 1.0));
                assert!(whole.bytes == text);
                let without_checksum = &data[..data.len() - 3];
                let whole = salvage(without_checksum, usize::MAX - 1, &mut { SEARCH });
                assert_eq!((whole.cause, whole.bytes == text), (None, true));
            }
        }
    }
}

#[test]
fn blocks_after_the_damage_are_found() {
    let text = text(4_000);
    let mut data = compressed(&text, 6, Some(text.len() / 4));
    let places = data.len() / 8..data.len() / 8 + 40;
    data[places].fill(0xff);
    let salvaged = salvage(&data, usize::MAX - 1, &mut { SEARCH });
    assert!(salvaged.cause.is_some());
    assert!(
        salvaged.share > 0.7 && salvaged.share <= 1.0,
        "{}",
        salvaged.share
    );
    assert!(salvaged.bytes.starts_with(&text[..1_000]));
    assert!(salvaged.bytes.ends_with(&text[text.len() - 1_000..]));
    // Without the means to search, the rest is lost.
    let salvaged = salvage(&data, usize::MAX - 1, &mut 0);
    assert!(salvaged.share < 0.3, "{}", salvaged.share);
}

#[test]
fn cut_data_is_decoded_up_to_its_end() {
    let text = text(500);
    let data = compressed(&text, 6, None);
    for end in [3, 50, 300, data.len() / 2, data.len() - 6] {
        let salvaged = salvage(&data[..end], usize::MAX - 1, &mut { SEARCH });
        assert!(salvaged.cause.is_some(), "{end}");
        assert!(text.starts_with(&salvaged.bytes), "{end}");
    }
}

#[test]
fn any_flipped_bit_is_corrected_or_reported() {
    let text = text(30);
    let sound = compressed(&text, 6, None);
    let mut unnoticed = 0;
    for bit in 0..sound.len() * 8 {
        let mut data = sound.clone();
        data[bit / 8] ^= 1 << (bit % 8);
        let salvaged = salvage(&data, usize::MAX - 1, &mut { SEARCH });
        unnoticed += u32::from(salvaged.cause.is_none() && salvaged.bytes != text);
        if bit % 97 == 0 {
            let corrected = with_flipped_bit(&data, usize::MAX, &mut { SEARCH });
            assert!(corrected.as_ref() == Some(&text), "{bit}");
        }
    }
    // The end of the data may seem to be that of a block without a checksum.
    assert!(unnoticed <= 2, "{unnoticed}");
}

#[test]
fn bits_that_are_left_out_correct_nothing() {
    let mut inflater = WholeInflater::new();
    let (mut left_out, mut trials) = (0, 0);
    let sound = [
        compressed(&text(30), 6, None),
        compressed(&text(12), 6, Some(100)),
        compressed(b"(a short text) Tj", 6, None),
    ];
    assert!(Symbols::of_cut_stream(&sound[0]).is_none());
    for sound in sound {
        // Data that is cut, or longer than it seems because of a flipped bit.
        let cut = sound[..sound.len() - 8].to_vec();
        let flipped = (16..sound.len() * 8).step_by(5).map(|bit| {
            let mut data = sound.clone();
            data[bit / 8] ^= 1 << (bit % 8);
            data
        });
        for mut data in flipped.chain([cut]) {
            let Some(symbols) = Symbols::of_cut_stream(&data) else {
                continue;
            };
            for bit in 0..data.len() * 8 {
                data[bit / 8] ^= 1 << (bit % 8);
                trials += 1;
                if symbols.still_end_early(&data, bit) {
                    left_out += 1;
                    let inflated = inflater.zlib(&data, &mut Vec::new(), MAX_WHOLE_BYTES);
                    assert_eq!(inflated, None, "{bit}");
                }
                data[bit / 8] ^= 1 << (bit % 8);
            }
        }
    }
    assert!(left_out * 2 > trials, "{left_out} of {trials}");
}

#[test]
fn two_flipped_bits_and_long_streams_are_not_corrected() {
    let text = text(30);
    let mut data = compressed(&text, 6, None);
    data[20] ^= 1;
    data[90] ^= 4;
    assert_eq!(with_flipped_bit(&data, usize::MAX, &mut { SEARCH }), None);
    data[20] ^= 1;
    let mut search = 1_000_000;
    assert_eq!(with_flipped_bit(&data, usize::MAX, &mut search), None);
    assert_eq!(search, 1_000_000);
}

#[test]
fn any_bytes_end_within_the_limits() {
    let mut random = Random::seeded(9);
    for length in 0..400 {
        let data: Vec<u8> = random.bytes(length);
        let mut search = 100_000;
        let salvaged = salvage(&data, 1_000, &mut search);
        assert!(salvaged.bytes.len() < 1_000 + 300 && (0.0..=1.0).contains(&salvaged.share));
    }
    // Each bit ends a block, and may start another one.
    let data = [&[0x78, 0x9c, 0b0000_0100][..], &[0; 100_000]].concat();
    let mut search = 1_000_000;
    salvage(&data, 1_000, &mut search);
    assert!(search < 1_000_000);
}

#[test]
fn data_that_end_within_a_block_are_reported_wherever_they_end() {
    // Short content is compressed with the fixed codes, whose end is a code of zeros.
    for lines in [1, 3, 40] {
        let data = compressed(&text(lines), 9, None);
        // The checksum has four bytes, and the end of the block up to two.
        for end in 0..data.len() - 6 {
            let cut = salvage(&data[..end], usize::MAX - 1, &mut { SEARCH });
            assert!(cut.cause.is_some(), "{end} of {} bytes", data.len());
        }
    }
}
