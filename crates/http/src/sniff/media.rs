//! Audio, video and image formats that need more than a fixed byte pattern.

use super::text::has_binary_bytes;

/// The type of an ISO base media file (MP4, QuickTime, HEIF), determined by its brands.
pub fn iso_media_type(header: &[u8]) -> Option<&'static str> {
    let (size, rest) = header.split_first_chunk::<4>()?;
    let size = usize::try_from(u32::from_be_bytes(*size)).ok()?;
    match rest.first_chunk::<4>()? {
        b"ftyp" => {}
        // QuickTime files without brands start with one of their largest boxes.
        b"moov" | b"mdat" | b"wide" | b"pnot" if header[0] == 0 => return Some("video/quicktime"),
        _ => return None,
    }
    if size < 12 || size % 4 != 0 || size > header.len() {
        return None;
    }
    let major = header.get(8..12)?;
    // The compatible brands follow the major brand and the minor version.
    let compatible = || header[..size].chunks_exact(4).skip(4);
    let has_brand = |brand: &[u8]| compatible().any(|found| found == brand);
    match major {
        b"avif" | b"avis" => return Some("image/avif"),
        b"heic" | b"heix" | b"heim" | b"heis" => return Some("image/heic"),
        b"mif1" | b"msf1" | b"miaf" => {
            return Some(match () {
                () if has_brand(b"avif") || has_brand(b"avis") => "image/avif",
                () if has_brand(b"heic") || has_brand(b"heix") => "image/heic",
                () => "image/heif",
            });
        }
        b"jp2 " => return Some("image/jp2"),
        b"jxl " => return Some("image/jxl"),
        b"crx " => return Some("image/x-canon-cr3"),
        _ => {}
    }
    if major.starts_with(b"mp4") || compatible().any(|brand| brand.starts_with(b"mp4")) {
        return Some("video/mp4");
    }
    match major {
        b"qt  " => Some("video/quicktime"),
        b"M4A " | b"M4B " => Some("audio/mp4"),
        [b'3', b'g', b'p', _] | [b'3', b'g', b'g', _] => Some("video/3gpp"),
        [b'3', b'g', b'2', _] => Some("video/3gpp2"),
        _ => Some("video/mp4"),
    }
}

/// The type of an EBML file (WebM or other Matroska), determined by its `DocType`.
pub fn ebml_type(header: &[u8]) -> Option<&'static str> {
    const DOC_TYPE: &[u8] = &[0x42, 0x82];
    const MAX_DOC_TYPE_BYTES: usize = 38;
    if !header.starts_with(&[0x1a, 0x45, 0xdf, 0xa3]) {
        return None;
    }
    (4..MAX_DOC_TYPE_BYTES).find_map(|at| {
        let rest = header.get(at..)?.strip_prefix(DOC_TYPE)?;
        let value = rest.get(variable_integer_length(*rest.first()?)..)?;
        let padding = value.iter().take_while(|b| **b == 0).count();
        match &value[padding..] {
            [b'w', b'e', b'b', b'm', ..] => Some("video/webm"),
            [b'm', b'a', b't', b'r', b'o', b's', b'k', b'a', ..] => Some("video/x-matroska"),
            _ => None,
        }
    })
}

/// The length of an EBML integer, determined by its first byte.
fn variable_integer_length(first: u8) -> usize {
    first.leading_zeros().min(7) as usize + 1
}

/// The type of a stream of MP3 or AAC frames. A second frame must follow the first.
pub fn frames_type(header: &[u8]) -> Option<&'static str> {
    let (media_type, length) = frame(header)?;
    let is_same = |(second, _)| second == media_type;
    (frame(header.get(length..)?).is_some_and(is_same) && has_binary_bytes(header))
        .then_some(media_type)
}

/// The type and length of the frame at the start of the bytes.
fn frame(bytes: &[u8]) -> Option<(&'static str, usize)> {
    match *bytes {
        [0xff, second, third, fourth, fifth, sixth, ..] if second & 0xf6 == 0xf0 => {
            let has_sample_rate = third >> 2 & 0xf < 13;
            let length =
                usize::from(fourth & 3) << 11 | usize::from(fifth) << 3 | usize::from(sixth >> 5);
            (has_sample_rate && length > 7).then_some(("audio/aac", length))
        }
        [0xff, second, third, _, ..] if second & 0xe6 == 0xe2 => {
            Some(("audio/mpeg", mp3_frame_length(second, third)?))
        }
        _ => None,
    }
}

/// The length of a frame of MPEG audio layer III.
fn mp3_frame_length(second: u8, third: u8) -> Option<usize> {
    const BIT_RATES_1: [usize; 15] = [
        0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    ];
    const BIT_RATES_2: [usize; 15] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
    const SAMPLE_RATES: [usize; 3] = [44_100, 48_000, 32_000];
    let (bit_rates, divisor, scale) = match second >> 3 & 3 {
        3 => (BIT_RATES_1, 1, 144),
        2 => (BIT_RATES_2, 2, 72),
        0 => (BIT_RATES_2, 4, 72),
        _ => return None,
    };
    let bit_rate = bit_rates.get(usize::from(third >> 4))? * 1000;
    let sample_rate = SAMPLE_RATES.get(usize::from(third >> 2 & 3))? / divisor;
    let padding = usize::from(third >> 1 & 1);
    let length = bit_rate * scale / sample_rate + padding;
    (length >= 4).then_some(length)
}

/// Whether the bytes are packets of an MPEG transport stream, all starting with the sync byte.
pub fn is_transport_stream(header: &[u8]) -> bool {
    const PACKET_BYTES: usize = 188;
    const MIN_PACKETS: usize = 4;
    header.len() > PACKET_BYTES * MIN_PACKETS
        && header.iter().step_by(PACKET_BYTES).all(|b| *b == b'G')
        && has_binary_bytes(header)
}
