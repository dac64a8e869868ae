//! Fonts: meanings and widths of codes, and invalid font programs.

use super::super::fonts::{self, Simple, Type0, Type3};
use super::super::{Ref, hex};
use super::*;

/// Shows the codes 1 and 2 of a font of two bytes, and 257 and 2 of one with a single byte.
const CODES: &str = "BT /F 12 Tf 72 600 Td <00010002> Tj ET";

pub(super) const CASES: &[Case] = &[
    case(
        "to_unicode_is_a_bomb",
        (16 * MIB, GIB),
        Expected::Any,
        |size| with_to_unicode(|pdf| pdf.add_stream(stream::flate_bomb(size))),
    ),
    case("to_unicode_of_all_codes", (0, 0), SHOWN, |_| {
        ranges("1 beginbfrange\n<00000000> <FFFFFFFF> <0041>\nendbfrange")
    }),
    case(
        "to_unicode_of_many_ranges",
        (10_000, 2_000_000),
        SHOWN,
        |count| {
            ranges(&format!(
                "{count} beginbfrange\n{}endbfrange",
                "<0000> <FFFF> <0041>\n".repeat(count)
            ))
        },
    ),
    case(
        "to_unicode_of_many_codes",
        (10_000, 2_000_000),
        SHOWN,
        |count| {
            let codes: String = (0..count)
                .map(|code| format!("<{:04X}> <0041>\n", code % 65_536))
                .collect();
            ranges(&format!("{count} beginbfchar\n{codes}endbfchar"))
        },
    ),
    case("to_unicode_of_backward_ranges", (0, 0), SHOWN, |_| {
        ranges("2 beginbfrange\n<FFFF> <0000> <0041>\n<0000> <FFFF> <FFFF>\nendbfrange")
    }),
    case(
        "to_unicode_of_long_texts",
        (100_000, 16 * MIB),
        OVER_LIMIT,
        |size| {
            page(|pdf, page| {
                let text = "0041".repeat(250);
                let operators = format!(
                    "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n1 beginbfchar\n<0001> <{text}>\nendbfchar"
                );
                let place = fonts::cmap(pdf, &operators);
                let font = Type0 {
                    entries: &format!("/ToUnicode {place}"),
                    ..Type0::default()
                }
                .add_to(pdf);
                let content = format!("BT /F 12 Tf <{}> Tj ET", "0001".repeat(size));
                Page {
                    content: Stream::new(content).flate(),
                    ..page
                }
                .font("F", font)
            })
        },
    ),
    case(
        "to_unicode_of_nested_arrays",
        (50_000, 10_000_000),
        SHOWN,
        |depth| {
            ranges(&format!(
                "1 beginbfrange\n<0000> <FFFF> {}\nendbfrange",
                "[".repeat(depth)
            ))
        },
    ),
    case(
        "to_unicode_of_nested_procedures",
        (50_000, 10_000_000),
        SHOWN,
        |depth| ranges(&format!("{}{}", "{".repeat(depth), "<< ".repeat(depth))),
    ),
    case("to_unicode_uses_itself", (0, 0), SHOWN, |_| {
        with_to_unicode(|pdf| {
            let place = pdf.reserve();
            let entries = format!("/Type /CMap /UseCMap {place}");
            pdf.set_stream(
                place,
                Stream::new("begincmap /Sample usecmap endcmap").entries(&entries),
            );
            place
        })
    }),
    case("encoding_uses_itself", (0, 0), SHOWN, |_| {
        with_encoding(|pdf| {
            let place = pdf.reserve();
            let entries = format!("/Type /CMap /CMapName /Sample /UseCMap {place}");
            pdf.set_stream(
                place,
                Stream::new("begincmap /Sample usecmap endcmap").entries(&entries),
            );
            place
        })
    }),
    case("encoding_of_all_codes", (0, 0), SHOWN, |_| {
        with_encoding(|pdf| {
            fonts::cmap(
                pdf,
                "1 begincodespacerange\n<00000000> <FFFFFFFF>\nendcodespacerange\n\
                 1 begincidrange\n<00000000> <FFFFFFFF> 0\nendcidrange",
            )
        })
    }),
    case(
        "encoding_of_many_ranges",
        (10_000, 1_000_000),
        SHOWN,
        |count| {
            with_encoding(|pdf| {
                let spaces = "<0000> <FFFF>\n".repeat(count);
                let codes = "<0000> <FFFF> 0\n".repeat(count);
                fonts::cmap(
                    pdf,
                    &format!(
                        "{count} begincodespacerange\n{spaces}endcodespacerange\n{count} begincidrange\n{codes}endcidrange"
                    ),
                )
            })
        },
    ),
    case("widths_of_all_codes", (0, 0), SHOWN, |_| {
        with_widths("/W [0 2147483647 500]")
    }),
    case(
        "widths_of_all_codes_many_times",
        (100, 100_000),
        SHOWN,
        |count| with_widths(&format!("/W [{}]", "0 65535 500 ".repeat(count))),
    ),
    case("widths_of_backward_ranges", (0, 0), SHOWN, |_| {
        with_widths("/W [65535 0 500 -5 -1 500 5 [] 7]")
    }),
    case("vertical_widths_of_all_codes", (0, 0), SHOWN, |_| {
        with_widths("/W2 [0 2147483647 -1000 500 880] /DW2 [880 -1000]")
    }),
    case("widths_of_huge_numbers", (0, 0), SHOWN, |_| {
        with_widths(
            "/DW 99999999999999999999999999999999999999 /W [1 [-99999999999999999999999999999999999999]]",
        )
    }),
    case("nested_widths", (100_000, 5_000_000), SHOWN, |depth| {
        with_widths(&format!("/W [1 {}", "[".repeat(depth)))
    }),
    case(
        "cids_to_glyphs_are_a_bomb",
        (16 * MIB, GIB),
        SHOWN,
        |size| {
            page(|pdf, page| {
                let map = pdf.add_stream(stream::flate_bomb(size));
                let font = Type0 {
                    descendant: &format!("/CIDToGIDMap {map}"),
                    ..Type0::default()
                }
                .add_to(pdf);
                showing(pdf, page, font)
            })
        },
    ),
    case("descendant_is_the_font_itself", (0, 0), SHOWN, |_| {
        with_font(|pdf| {
            let place = pdf.reserve();
            pdf.set(
                place,
                format!("<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [{place}] >>"),
            );
            place
        })
    }),
    case("simple_widths_from_negative_codes", (0, 0), SHOWN, |_| {
        with_font(|pdf| {
            let entries = "/FirstChar -2147483648 /LastChar 2147483647 /Widths [500 500]";
            Simple {
                entries,
                ..Simple::default()
            }
            .add_to(pdf)
        })
    }),
    case("many_simple_widths", (50_000, 10_000_000), SHOWN, |count| {
        with_font(|pdf| {
            let widths = "500 ".repeat(count);
            let entries = format!("/FirstChar 0 /LastChar {count} /Widths [{widths}]");
            Simple {
                entries: &entries,
                ..Simple::default()
            }
            .add_to(pdf)
        })
    }),
    case("many_differences", (100_000, 5_000_000), SHOWN, |count| {
        with_font(|pdf| {
            let names = "/A ".repeat(count);
            let entries =
                format!("/Encoding << /Differences [-5 {names} 2147483647 /B /C 250 {names}] >>");
            Simple {
                entries: &entries,
                ..Simple::default()
            }
            .add_to(pdf)
        })
    }),
    case("glyph_shows_its_own_font", (0, 0), SHOWN, |_| {
        with_font(|pdf| {
            let place = pdf.reserve();
            let procedure = pdf.add_stream(Stream::new("500 0 d0 BT /F 1 Tf <010101> Tj ET"));
            let widths = "500 ".repeat(256);
            pdf.set(
                place,
                format!(
                    "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] \
                     /CharProcs << /a {procedure} >> /Encoding << /Differences [0 /a /a /a] >> \
                     /FirstChar 0 /LastChar 255 /Widths [{widths}] /Resources << /Font << /F {place} >> >> >>"
                ),
            );
            place
        })
    }),
    case("glyph_matrix_without_sense", (0, 0), SHOWN, |_| {
        with_font(|pdf| {
            Type3 {
                glyphs: &[(1, "a", "500 0 d0"), (2, "b", "")],
                matrix: "99999999999999999999999999999999999999 0 0 0 /A null",
                ..Type3::default()
            }
            .add_to(pdf)
        })
    }),
    case(
        "program_is_a_bomb",
        (16 * MIB, GIB),
        Expected::Any,
        |size| with_program("TrueType", "FontFile2", stream::flate_bomb(size)),
    ),
    case("program_is_noise", (64 * KIB, 16 * MIB), SHOWN, |size| {
        with_program("TrueType", "FontFile2", Stream::new(noise(size)))
    }),
    case("truetype_of_lying_tables", (0, 0), SHOWN, |_| {
        with_program("TrueType", "FontFile2", Stream::new(truetype(1, u32::MAX)))
    }),
    case(
        "truetype_of_many_groups",
        (10_000, 3_000_000),
        SHOWN,
        |count| {
            with_program(
                "TrueType",
                "FontFile2",
                Stream::new(truetype(1, count as u32)).flate(),
            )
        },
    ),
    case("truetype_of_many_maps", (200, 65_535), SHOWN, |count| {
        with_program(
            "TrueType",
            "FontFile2",
            Stream::new(truetype(count as u16, 2)).flate(),
        )
    }),
    case("truetype_of_many_segments", (300, 8_000), SHOWN, |count| {
        let map = segments(count as u16);
        with_program(
            "TrueType",
            "FontFile2",
            Stream::new(truetype_of(&map)).flate(),
        )
    }),
    case("cff_of_noise", (64 * KIB, 16 * MIB), SHOWN, |size| {
        let program = [&[1, 0, 4, 1, 0, 1, 1, 1, 5, b'A'][..], &noise(size)].concat();
        with_program(
            "Type1",
            "FontFile3",
            Stream::new(program).entries("/Subtype /Type1C"),
        )
    }),
    case("cff_of_huge_indexes", (0, 0), SHOWN, |_| {
        let program = [&[1, 0, 4, 4][..], &[0xFF; 600]].concat();
        with_program(
            "Type1",
            "FontFile3",
            Stream::new(program).entries("/Subtype /Type1C"),
        )
    }),
    case(
        "type1_of_nested_procedures",
        (50_000, 10_000_000),
        SHOWN,
        |depth| type1(&format!("/X {}", "{".repeat(depth))),
    ),
    case("type1_of_loops", (0, 0), SHOWN, |_| {
        type1("0 1 2147483647 { { } loop dup 99999999 string pop } for /Encoding 2147483647 array")
    }),
    case(
        "type1_of_many_names",
        (100_000, 5_000_000),
        SHOWN,
        |count| {
            type1(&format!(
                "/Encoding 256 array\n{}readonly def",
                "dup 1 /A put\n".repeat(count)
            ))
        },
    ),
];

fn showing(pdf: &mut Pdf, page: Page, font: Ref) -> Page {
    let helvetica = fonts::standard(pdf, "Helvetica");
    let content = Stream::new(format!("{CONTENT}{CODES} {CONTENT}"));
    Page { content, ..page }
        .font("F1", helvetica)
        .font("F", font)
}

fn with_font(make: impl FnOnce(&mut Pdf) -> Ref) -> Vec<u8> {
    page(|pdf, page| {
        let font = make(pdf);
        showing(pdf, page, font)
    })
}

fn with_to_unicode(make: impl FnOnce(&mut Pdf) -> Ref) -> Vec<u8> {
    with_font(|pdf| {
        let place = make(pdf);
        let entries = format!("/ToUnicode {place}");
        Type0 {
            entries: &entries,
            ..Type0::default()
        }
        .add_to(pdf)
    })
}

fn ranges(operators: &str) -> Vec<u8> {
    with_to_unicode(|pdf| {
        let spaces = "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n";
        fonts::cmap(pdf, &format!("{spaces}{operators}"))
    })
}

fn with_encoding(make: impl FnOnce(&mut Pdf) -> Ref) -> Vec<u8> {
    with_font(|pdf| {
        let encoding = make(pdf).to_string();
        Type0 {
            encoding: &encoding,
            ..Type0::default()
        }
        .add_to(pdf)
    })
}

fn with_widths(descendant: &str) -> Vec<u8> {
    with_font(|pdf| {
        Type0 {
            descendant,
            ..Type0::default()
        }
        .add_to(pdf)
    })
}

fn with_program(subtype: &str, key: &str, program: Stream) -> Vec<u8> {
    with_font(|pdf| {
        let program = pdf.add_stream(program);
        let descriptor = format!("/Flags 4 /{key} {program}");
        Simple {
            subtype,
            descriptor: &descriptor,
            ..Simple::default()
        }
        .add_to(pdf)
    })
}

fn type1(clear: &str) -> Vec<u8> {
    let program = format!(
        "%!PS-AdobeFont-1.0: A\n/FontMatrix [0.001 0 0 0.001 0 0] def\n{clear}\ncurrentfile eexec\n"
    );
    let encrypted = hex(&noise(600));
    let length = program.len();
    let program = Stream::new(program + &encrypted)
        .entries(&format!("/Length1 {length} /Length2 600 /Length3 0"));
    with_program("Type1", "FontFile", program)
}

/// Random bytes, the same on every run.
fn noise(size: usize) -> Vec<u8> {
    let mut random = Random::seeded(size as u64);
    random.bytes(size)
}

/// A TrueType file that declares this many character maps at one offset, each with this many
/// groups.
fn truetype(maps: u16, groups: u32) -> Vec<u8> {
    let written = if groups == u32::MAX { 1 } else { groups };
    let group = [[0_u8; 4], 0x10_FFFF_u32.to_be_bytes(), [0; 4]].concat();
    let place = 4 + 8 * u32::from(maps);
    let record = [&[0, 3, 0, 10][..], &place.to_be_bytes()].concat();
    let cmap = [
        &[0, 0][..],
        &maps.to_be_bytes(),
        &record.repeat(usize::from(maps)),
        &[0, 12, 0, 0],
        &groups.wrapping_mul(12).wrapping_add(16).to_be_bytes(),
        &[0; 4],
        &groups.to_be_bytes(),
        &group.repeat(written as usize),
    ];
    truetype_of(&cmap.concat())
}

/// A map whose segments all cover all characters.
fn segments(count: u16) -> Vec<u8> {
    let column = |number: u16| number.to_be_bytes().repeat(usize::from(count));
    let header = [0, 0, 0, 1, 0, 3, 0, 1, 0, 0, 0, 12, 0, 4, 0xFF, 0xFF, 0, 0];
    [
        &header[..],
        &(2 * count).to_be_bytes(),
        &[0; 6],
        &column(0xFFFE),
        &[0, 0],
        &column(0),
        &column(1),
        &column(0),
    ]
    .concat()
}

fn truetype_of(cmap: &[u8]) -> Vec<u8> {
    let tables: [(&[u8; 4], Vec<u8>); 6] = [
        (b"cmap", cmap.to_vec()),
        (b"head", vec![0xFF; 54]),
        (b"hhea", vec![0xFF; 36]),
        (b"hmtx", vec![0xFF; 8]),
        (b"maxp", vec![0xFF; 32]),
        (b"post", [&[0, 2, 0, 0][..], &[0; 28], &[0xFF; 8]].concat()),
    ];
    let mut file = vec![0, 1, 0, 0, 0, tables.len() as u8, 0, 0, 0, 0, 0, 0];
    let mut at = (file.len() + 16 * tables.len()) as u32;
    for (tag, table) in &tables {
        file.extend(*tag);
        for number in [0, at, table.len() as u32] {
            file.extend(number.to_be_bytes());
        }
        at += table.len() as u32;
    }
    file.extend(tables.into_iter().flat_map(|(_, table)| table));
    file
}
