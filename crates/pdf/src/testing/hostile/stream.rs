//! Streams that decode to much more than their size.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::super::stream::deflate;
use super::*;

pub(super) const CASES: &[Case] = &[
    case("flate", (16 * MIB, GIB), OVER_LIMIT, |size| {
        page_of(flate_bomb(size))
    }),
    case("flate_in_flate", (16 * MIB, GIB), OVER_LIMIT, |size| {
        page_of(flate_bomb(size).flate())
    }),
    case(
        "flate_in_flate_in_flate",
        (16 * MIB, GIB),
        OVER_LIMIT,
        |size| page_of(flate_bomb(size).flate().flate()),
    ),
    case("lzw", (4 * MIB, 768 * MIB), OVER_LIMIT, |size| {
        page_of(spaces(size).lzw())
    }),
    case("lzw_in_flate", (4 * MIB, 768 * MIB), OVER_LIMIT, |size| {
        page_of(spaces(size).lzw().flate())
    }),
    case("lzw_in_lzw", (4 * MIB, 768 * MIB), OVER_LIMIT, |size| {
        page_of(spaces(size).lzw().lzw())
    }),
    case("hex_in_flate", (4 * MIB, 768 * MIB), OVER_LIMIT, |size| {
        page_of(spaces(size).ascii_hex().flate())
    }),
    case("ascii_85_in_flate", (4 * MIB, GIB), OVER_LIMIT, |size| {
        page_of(Stream::new(vec![0; size]).ascii_85().flate())
    }),
    case("run_length_in_flate", (4 * MIB, GIB), OVER_LIMIT, |size| {
        page_of(spaces(size).run_length().flate())
    }),
    case("chain_of_hex", (8, 20), Expected::Any, |depth| {
        page_of(
            (0..depth)
                .fold(Stream::new(CONTENT), |stream, _| stream.ascii_hex())
                .flate(),
        )
    }),
    case("chain_of_flate", (100, 100), Expected::Any, |depth| {
        page_of((0..depth).fold(Stream::new(CONTENT), |stream, _| stream.flate()))
    }),
    case("filters_without_data", (KIB, MIB), Expected::Any, |count| {
        let names = "/FlateDecode ".repeat(count);
        page_of(Stream::new("").entries(&format!("/Filter [{names}]")))
    }),
    case("predictor", (16 * MIB, GIB), OVER_LIMIT, |size| {
        page_of(flate_bomb(size).entries("/DecodeParms << /Predictor 15 /Columns 1000 >>"))
    }),
    case(
        "predictor_of_wide_rows",
        (64, i32::MAX as usize),
        Expected::Any,
        |columns| {
            predicted(&format!(
                "/Predictor 15 /Columns {columns} /Colors 32 /BitsPerComponent 16"
            ))
        },
    ),
    case("predictor_of_no_columns", (0, 0), Expected::Any, |_| {
        predicted("/Predictor 12 /Columns 0")
    }),
    case(
        "predictor_of_negative_columns",
        (0, 0),
        Expected::Any,
        |_| predicted("/Predictor 12 /Columns -5 /Colors -1 /BitsPerComponent -8"),
    ),
    case(
        "tiff_predictor",
        (64, i32::MAX as usize),
        Expected::Any,
        |columns| {
            predicted(&format!(
                "/Predictor 2 /Columns {columns} /Colors 4 /BitsPerComponent 16"
            ))
        },
    ),
    case("object_stream", (16 * MIB, GIB), Expected::Any, |size| {
        beside(|pdf| {
            let stream = flate_bomb(size).entries("/Type /ObjStm /N 1 /First 4");
            let place = pdf.add_stream(stream);
            pdf.catalog(&format!("/Names {place}"));
        })
    }),
    case(
        "object_stream_that_is_used",
        (16 * MIB, GIB),
        Expected::Any,
        object_stream_that_is_used,
    ),
    case(
        "object_stream_of_a_huge_count",
        (0, 0),
        Expected::Any,
        |_| with_object_stream("/N 2147483647 /First 4", b"1 0 null".to_vec()),
    ),
    case(
        "object_stream_of_a_huge_first",
        (0, 0),
        Expected::Any,
        |_| with_object_stream("/N 1 /First 2147483647", b"1 0 null".to_vec()),
    ),
    case(
        "object_stream_of_negative_numbers",
        (0, 0),
        Expected::Any,
        |_| with_object_stream("/N -1 /First -1", b"-1 -1 null".to_vec()),
    ),
    case(
        "object_stream_of_wide_rows",
        (KIB, i32::MAX as usize),
        Expected::Any,
        |columns| {
            let stream = Stream::new("").encoded(
                "FlateDecode",
                &format!("<< /Predictor 2 /Columns {columns} /Colors 4 /BitsPerComponent 16 >>"),
                deflate(b"1 0 << /Type /Catalog /Pages 2 0 R >>"),
            );
            reference::packed_catalog(stream.entries("/Type /ObjStm /N 1 /First 4"))
        },
    ),
    case(
        "object_stream_of_many_objects",
        (50_000, 3_000_000),
        Expected::Any,
        |count| {
            let places: String = (0..count).map(|number| format!("{number} 0 ")).collect();
            let first = places.len();
            with_object_stream(
                &format!("/N {count} /First {first}"),
                (places + "null").into_bytes(),
            )
        },
    ),
    case("image", (16 * MIB, GIB), SHOWN, |size| {
        page(|pdf, page| {
            let image = flate_bomb(size).entries(
                "/Type /XObject /Subtype /Image /Width 2147483647 /Height 2147483647 \
                 /BitsPerComponent 8 /ColorSpace /DeviceRGB",
            );
            let image = pdf.add_stream(image);
            let content = Stream::new(format!("{CONTENT} q 9 0 0 9 0 0 cm /X Do Q"));
            Page { content, ..page }.resource("XObject", "X", image)
        })
    }),
    case("images_as_content", (0, 0), Expected::Any, |_| {
        page(|pdf, page| {
            let streams: String = [
                "DCTDecode",
                "JPXDecode",
                "JBIG2Decode",
                "CCITTFaxDecode",
                "Crypt",
                "None",
            ]
            .map(|filter| {
                let stream = Stream::new(vec![0xFF; 99]).entries(&format!("/Filter /{filter}"));
                pdf.add_stream(stream).to_string() + " "
            })
            .concat();
            page.entries(&format!("/Contents [{streams}]"))
        })
    }),
    case("metadata", (16 * MIB, GIB), SHOWN, |size| {
        beside(|pdf| {
            let metadata =
                pdf.add_stream(flate_bomb(size).entries("/Type /Metadata /Subtype /XML"));
            pdf.catalog(&format!("/Metadata {metadata}"));
        })
    }),
    case(
        "content_used_again_and_again",
        (20, 100_000),
        OVER_LIMIT,
        |count| {
            page(|pdf, page| {
                let content = pdf.add_stream(spaces(MIB).flate());
                let contents = format!("{content} ").repeat(count);
                page.entries(&format!("/Contents [{contents}]"))
            })
        },
    ),
    case("content_of_every_page", (20, 10_000), OVER_LIMIT, |count| {
        let mut pdf = Pdf::new();
        let content = pdf.add_stream(spaces(MIB).flate());
        for _ in 0..count {
            pdf.page(Page::new("").entries(&format!("/Contents {content}")));
        }
        pdf.build()
    }),
];

fn page_of(content: Stream) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.page(Page::of(content));
    pdf.build()
}

fn spaces(size: usize) -> Stream {
    Stream::new(vec![b' '; size])
}

/// Deflated spaces; the uncompressed data is never in memory.
pub(super) fn flate_bomb(size: usize) -> Stream {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    let piece = vec![b' '; MIB];
    for _ in 0..size / MIB {
        encoder.write_all(&piece).unwrap();
    }
    Stream::new("").encoded("FlateDecode", "null", encoder.finish().unwrap())
}

fn predicted(parameters: &str) -> Vec<u8> {
    let data = deflate(&vec![2; 999]);
    page_of(Stream::new("").encoded("FlateDecode", &format!("<< {parameters} >>"), data))
}

/// A file whose cross-reference table places an object in this object stream.
fn with_object_stream(entries: &str, data: Vec<u8>) -> Vec<u8> {
    let stream = Stream::new(data)
        .flate()
        .entries(&format!("/Type /ObjStm {entries}"));
    reference::packed_catalog(stream)
}

/// The catalog is in an object stream, followed by a bomb.
fn object_stream_that_is_used(size: usize) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    let piece = vec![b' '; MIB];
    encoder
        .write_all(b"1 0 << /Type /Catalog /Pages 2 0 R >>")
        .unwrap();
    for _ in 0..size / MIB {
        encoder.write_all(&piece).unwrap();
    }
    let data = encoder.finish().unwrap();
    let stream = Stream::new("").encoded("FlateDecode", "null", data);
    reference::packed_catalog(stream.entries("/Type /ObjStm /N 1 /First 4"))
}
