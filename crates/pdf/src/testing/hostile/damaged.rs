//! Files that are not PDFs, are truncated, or have changed bytes.

use super::super::{fonts, one_page};
use super::*;

pub(super) const CASES: &[Case] = &[
    case("empty", (0, 0), INVALID, |_| Vec::new()),
    case("one_byte", (0, 0), INVALID, |_| b"%".to_vec()),
    case("only_a_header", (0, 0), INVALID, |_| b"%PDF-1.7\n".to_vec()),
    case("only_an_end", (0, 0), INVALID, |_| {
        b"%PDF-1.7\nstartxref\n0\n%%EOF".to_vec()
    }),
    case("html", (0, 0), INVALID, |_| {
        b"<!DOCTYPE html><html><body><h1>404 Not Found</h1></body></html>\n".to_vec()
    }),
    case("zeros", (MIB, 256 * MIB), INVALID, |size| vec![0; size]),
    case("text_without_end", (MIB, 64 * MIB), INVALID, |size| {
        b"%PDF-1.7 obj stream xref ".repeat(size / 25)
    }),
    case(
        "garbage_before_the_header",
        (900, 900),
        Expected::Text("shown text"),
        |size| [&b"\0\xFFgarbage ".repeat(size / 10), &one_page(CONTENT)[..]].concat(),
    ),
    case(
        "much_garbage_before_the_header",
        (64 * KIB, 64 * MIB),
        Expected::Any,
        |size| [&vec![b'x'; size], &one_page(CONTENT)[..]].concat(),
    ),
    case(
        "garbage_behind_the_end",
        (64 * KIB, 64 * MIB),
        SHOWN,
        |size| [&one_page(CONTENT)[..], &vec![0; size]].concat(),
    ),
    case("header_is_missing", (0, 0), SHOWN, |_| {
        one_page(CONTENT).split_off(9)
    }),
    case("version_without_sense", (0, 0), SHOWN, |_| {
        [b"%PDF-99.99\n", &one_page(CONTENT)[9..]].concat()
    }),
    case("carriage_returns_only", (0, 0), SHOWN, |_| {
        let file = one_page(CONTENT).into_iter();
        file.map(|byte| if byte == b'\n' { b'\r' } else { byte })
            .collect()
    }),
    case("line_ends_converted", (0, 0), SHOWN, |_| {
        let file = one_page(CONTENT).into_iter();
        file.flat_map(|byte| {
            if byte == b'\n' {
                vec![b'\r', b'\n']
            } else {
                vec![byte]
            }
        })
        .collect()
    }),
    case("cut_in_the_trailer", (0, 0), SHOWN, |_| cut(1, 30)),
    case("cut_in_the_table", (0, 0), SHOWN, |_| cut(1, 150)),
    case("cut_at_the_middle", (0, 0), Expected::Any, |_| cut(2, 0)),
    case("cut_at_a_quarter", (0, 0), Expected::Any, |_| cut(4, 0)),
];

fn cut(part: usize, off: usize) -> Vec<u8> {
    let mut file = sample();
    file.truncate(file.len() / part - off);
    file
}

/// A file with a bit of everything, to be damaged.
pub fn sample() -> Vec<u8> {
    build_sample(false)
}

fn build_sample(object_streams: bool) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let wide = fonts::Type0 {
        encoding: "/90ms-RKSJ-H",
        ordering: "Japan1",
        ..Default::default()
    };
    let wide = wide.add_to(&mut pdf);
    let simple = fonts::Simple {
        base_encoding: "WinAnsiEncoding",
        differences: &[(1, "eacute")],
        first_char: 1,
        widths: &[500, 600],
        to_unicode: &[(2, "fi")],
        ..Default::default()
    };
    let simple = simple.add_to(&mut pdf);
    let helvetica = fonts::standard(&mut pdf, "Helvetica");
    let resources = format!("/Resources << /Font << /F1 {helvetica} >> >>");
    let form = pdf.form(CONTENT, &resources);
    let layer = pdf.layer("layer", false);
    let link = pdf.link_to_uri("1 1 9 9", "https://a.example/");
    let field = pdf.field("9 9 99 99", "/FT /Tx /T (name) /V (value)");
    let content = format!(
        "{CONTENT} q 1 0 0 1 9 9 cm BT /W 9 Tf <93FA967B> Tj /S 9 Tf [<01> -50 <02>] TJ ET Q /X Do \
         /OC /L BDC {CONTENT} EMC /Span << /ActualText (x) >> BDC (y) Tj EMC BI /W 1 /H 1 ID x EI"
    );
    let content = Stream::new(content).flate();
    let page = Page::of(content)
        .font("F1", helvetica)
        .font("W", wide)
        .font("S", simple)
        .resource("XObject", "X", form)
        .resource("Properties", "L", layer)
        .annotation(link)
        .annotation(field);
    let page = pdf.page(page);
    pdf.page(Page::new(lines(&["another page"])).rotate(90));
    pdf.outline(&[(1, "a", page), (2, "b", page)]);
    pdf.info("Title", "A title");
    pdf.xmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'><dc:title>t</dc:title></x:xmpmeta>");
    if object_streams {
        pdf.object_streams();
    }
    pdf.build()
}

/// The sample with some bytes changed, inserted or removed: another file for every seed.
pub fn changed(seed: u64) -> Vec<u8> {
    let mut random = Random::seeded(seed);
    let file = build_sample(seed % 2 == 1);
    damage(&mut random, file)
}

/// Changes a file at a few places.
fn damage(random: &mut Random, mut file: Vec<u8>) -> Vec<u8> {
    for _ in 0..=random.below(12) {
        let at = random.below(file.len());
        let end = (at + 1 + random.below(40)).min(file.len());
        match random.below(9) {
            0 => file.truncate(at),
            1 => drop(file.drain(at..end)),
            2 => {
                let piece = file[at..end].to_vec();
                let place = random.below(file.len());
                file.splice(place..place, piece);
            }
            3 => change_number(random, &mut file, at),
            _ => file[at] = random.next_u64() as u8,
        }
        if file.is_empty() {
            break;
        }
    }
    file
}

/// Changes the next number, since references, lengths and counts are the weak points.
fn change_number(random: &mut Random, file: &mut Vec<u8>, from: usize) {
    let numbers = ["0", "-1", "1", "2147483647", "99999999999", "3", "65536"];
    let digit = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = file[from..]
        .iter()
        .position(digit)
        .map(|found| from + found)
    else {
        return;
    };
    let length = file[start..].iter().take_while(|byte| digit(byte)).count();
    let number = numbers[random.below(numbers.len())];
    file.splice(start..start + length, number.bytes());
}
