//! Cross-reference tables and references.

use super::super::{Ref, assemble};
use super::*;

pub(super) const CASES: &[Case] = &[
    case("previous_table_is_itself", (0, 0), SHOWN, |_| {
        with_previous(|start| start)
    }),
    case("previous_table_is_before_the_file", (0, 0), SHOWN, |_| {
        with_previous(|_| 0)
    }),
    case("previous_table_is_behind_the_file", (0, 0), SHOWN, |_| {
        with_previous(|start| start + 99_999)
    }),
    case("previous_table_at_a_huge_place", (0, 0), SHOWN, |_| {
        with_previous(|_| usize::MAX)
    }),
    case("previous_tables_in_a_circle", (0, 0), SHOWN, |_| {
        chained_tables(2, true)
    }),
    case("many_previous_tables", (1_000, 100_000), SHOWN, |count| {
        chained_tables(count, false)
    }),
    case("hybrid_table_is_itself", (0, 0), SHOWN, |_| {
        let file = beside(|_| {});
        let start = table_start(&file);
        insert_in_trailer(file, &format!("/XRefStm {start}"))
    }),
    case("table_of_two_billion_entries", (0, 0), SHOWN, |_| {
        replaced(beside(|_| {}), "xref\n0 ", "xref\n0 200000000")
    }),
    case(
        "table_of_many_sections",
        (10_000, 5_000_000),
        SHOWN,
        |count| {
            let sections = "0 0\n".repeat(count);
            replaced(beside(|_| {}), "xref\n", &format!("xref\n{sections}"))
        },
    ),
    case("table_of_negative_numbers", (0, 0), SHOWN, |_| {
        replaced(beside(|_| {}), "xref\n0 ", "xref\n-5 -")
    }),
    case("table_whose_places_are_wrong", (0, 0), SHOWN, |_| {
        replaced(beside(|_| {}), " 00000 n", "9 0000 n")
    }),
    case("table_is_missing", (0, 0), SHOWN, |_| {
        replaced(
            replaced(beside(|_| {}), "xref\n", "none\n"),
            "startxref",
            "start",
        )
    }),
    case("start_is_negative", (0, 0), SHOWN, |_| {
        replaced(beside(|_| {}), "startxref\n", "startxref\n-")
    }),
    case("start_is_huge", (0, 0), SHOWN, |_| {
        replaced(
            beside(|_| {}),
            "startxref\n",
            "startxref\n99999999999999999999",
        )
    }),
    case("trailer_without_a_root", (0, 0), SHOWN, |_| {
        replaced(beside(|_| {}), "/Root ", "/Toor ")
    }),
    case(
        "many_objects_to_look_for",
        (10_000, 2_000_000),
        Expected::Any,
        |count| {
            let objects: String = (0..count)
                .map(|number| format!("{number} 0 obj null endobj\n"))
                .collect();
            format!("%PDF-1.7\n{objects}").into_bytes()
        },
    ),
    case(
        "one_object_many_times",
        (10_000, 2_000_000),
        Expected::Any,
        |count| format!("%PDF-1.7\n{}", "1 0 obj<<".repeat(count)).into_bytes(),
    ),
    case(
        "many_trailers",
        (10_000, 1_000_000),
        Expected::Any,
        |count| format!("%PDF-1.7\n{}", "trailer<</Root 1 0 R>>\n".repeat(count)).into_bytes(),
    ),
    case(
        "many_streams_without_an_end",
        (2_000, 200_000),
        Expected::Any,
        |count| {
            let objects: String = (1..=count)
                .map(|number| format!("{number} 0 obj <</Length 9 >> stream\nx\n"))
                .collect();
            format!("%PDF-1.7\n{objects}").into_bytes()
        },
    ),
    case(
        "reference_stream_is_a_bomb",
        (16 * MIB, GIB),
        Expected::Any,
        |size| reference_stream("/W [1 2 1]", stream::flate_bomb(size), size / 4),
    ),
    case(
        "reference_stream_of_huge_numbers",
        (0, 0),
        Expected::Any,
        |_| {
            reference_stream(
                "/W [8 8 8] /Index [0 2147483647]",
                Stream::new(vec![0xFF; 240]),
                usize::MAX,
            )
        },
    ),
    case(
        "reference_stream_of_huge_widths",
        (0, 0),
        Expected::Any,
        |_| {
            reference_stream(
                "/W [2147483647 2147483647 2147483647]",
                Stream::new(vec![1; 240]),
                9,
            )
        },
    ),
    case(
        "reference_stream_of_no_widths",
        (0, 0),
        Expected::Any,
        |_| {
            reference_stream(
                "/W [0 0 0] /Index [0 2147483647]",
                Stream::new(vec![1; 240]),
                9,
            )
        },
    ),
    case(
        "reference_stream_of_negative_widths",
        (0, 0),
        Expected::Any,
        |_| reference_stream("/W [-1 -2 -3] /Index [-4 -5]", Stream::new(vec![1; 240]), 9),
    ),
    case("reference_to_itself", (0, 0), SHOWN, |_| {
        beside(|pdf| {
            let place = pdf.reserve();
            pdf.set(place, place.to_string());
            pdf.catalog(&format!(
                "/Names {place} /Outlines {place} /AcroForm {place} /OCProperties {place}"
            ));
        })
    }),
    case("references_in_a_row", (1_000, 100_000), SHOWN, |count| {
        beside(|pdf| {
            let first = pdf.reserve();
            for number in 0..count {
                pdf.set(Ref(first.0 + number), Ref(first.0 + number + 1).to_string());
                pdf.reserve();
            }
            pdf.catalog(&format!(
                "/Names {first} /Outlines {first} /AcroForm {first} /OCProperties {first}"
            ));
        })
    }),
    case(
        "content_is_a_reference_to_itself",
        (0, 0),
        Expected::Any,
        |_| {
            page(|pdf, page| {
                let place = pdf.reserve();
                pdf.set(place, place.to_string());
                page.entries(&format!(
                    "/Contents {place} /Resources {place} /MediaBox {place} /Annots {place}"
                ))
            })
        },
    ),
    case(
        "content_is_an_array_of_itself",
        (0, 0),
        Expected::Any,
        |_| {
            page(|pdf, page| {
                let place = pdf.reserve();
                pdf.set(place, format!("[{place} {place}]"));
                page.entries(&format!("/Contents {place}"))
            })
        },
    ),
    case("length_is_the_stream_itself", (0, 0), SHOWN, |_| {
        with_length(|place, _| place.to_string())
    }),
    case("lengths_in_a_circle", (0, 0), SHOWN, |_| {
        with_length(|place, pdf| {
            let other = Stream::new("x").length(place);
            pdf.add_stream(other).to_string()
        })
    }),
    case("length_is_negative", (0, 0), SHOWN, |_| {
        with_length(|_, _| "-1".to_owned())
    }),
    case("length_is_huge", (0, 0), SHOWN, |_| {
        with_length(|_, _| "99999999999".to_owned())
    }),
    case("length_is_too_small", (0, 0), SHOWN, |_| {
        with_length(|_, _| "3".to_owned())
    }),
    case("length_is_too_large", (0, 0), SHOWN, |_| {
        with_length(|_, _| "300".to_owned())
    }),
    case("length_is_nothing", (0, 0), SHOWN, |_| {
        with_length(|_, _| "null".to_owned())
    }),
    case("filter_is_the_stream_itself", (0, 0), Expected::Any, |_| {
        page(|pdf, page| {
            let place = pdf.reserve();
            let entries = format!("/Filter {place} /DecodeParms {place}");
            pdf.set_stream(place, Stream::new(CONTENT).entries(&entries));
            page.entries(&format!("/Contents {place}"))
        })
    }),
];

/// A page whose content lies about its length.
fn with_length(length: impl FnOnce(Ref, &mut Pdf) -> String) -> Vec<u8> {
    page(|pdf, page| {
        let place = pdf.reserve();
        let length = length(place, pdf);
        pdf.set_stream(place, Stream::new(CONTENT).length(length));
        page.entries(&format!("/Contents {place}"))
    })
}

fn position(file: &[u8], wanted: &str) -> usize {
    let wanted = wanted.as_bytes();
    file.windows(wanted.len())
        .position(|window| window == wanted)
        .unwrap()
}

fn replaced(mut file: Vec<u8>, old: &str, new: &str) -> Vec<u8> {
    let at = position(&file, old);
    file.splice(at..at + old.len(), new.bytes());
    file
}

fn table_start(file: &[u8]) -> usize {
    position(file, "\nxref\n") + 1
}

fn insert_in_trailer(file: Vec<u8>, entry: &str) -> Vec<u8> {
    replaced(file, "trailer\n<< ", &format!("trailer\n<< {entry} "))
}

fn with_previous(previous: impl FnOnce(usize) -> usize) -> Vec<u8> {
    let file = beside(|_| {});
    let previous = previous(table_start(&file));
    insert_in_trailer(file, &format!("/Prev {previous}"))
}

/// Tables that each refer to the previous one; in a circle, the first refers to the last.
fn chained_tables(count: usize, circle: bool) -> Vec<u8> {
    let file = beside(|_| {});
    let start = table_start(&file);
    let mut file = insert_in_trailer(file, "/Prev 0000000000");
    let mut previous = start;
    for _ in 0..count {
        let at = file.len();
        let table = format!("xref\n0 0\ntrailer\n<< /Root {CATALOG} /Size 9 /Prev {previous} >>\n");
        file.extend(table.bytes());
        previous = at;
    }
    file.extend(format!("startxref\n{previous}\n%%EOF\n").bytes());
    if circle {
        file = replaced(file, "/Prev 0000000000", &format!("/Prev {previous:010}"));
    }
    file
}

/// A file with this cross-reference stream.
fn reference_stream(entries: &str, stream: Stream, size: usize) -> Vec<u8> {
    let mut file = beside(|_| {});
    let start = table_start(&file);
    file.truncate(start);
    let stream = stream.entries(&format!(
        "/Type /XRef /Size {size} /Root {CATALOG} {entries}"
    ));
    file.extend(b"99 0 obj\n");
    file.extend(stream.written(stream.data()));
    file.extend(format!("\nendobj\nstartxref\n{start}\n%%EOF\n").bytes());
    file
}

/// A file whose catalog is the first object in this object stream.
pub(super) fn packed_catalog(objects: Stream) -> Vec<u8> {
    let pages = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned();
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R \
                /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>";
    let content = Stream::new(CONTENT);
    let plain = assemble(
        "1.7",
        &[
            b"null".to_vec(),
            pages.into_bytes(),
            page.into(),
            content.written(content.data()),
            objects.written(objects.data()),
        ],
        "",
    );
    let start = table_start(&plain);
    let mut file = plain[..start].to_vec();
    let place = |number: usize| position(&file, &format!("\n{number} 0 obj")) + 1;
    let entry = |kind: u8, value: usize| {
        let [.., a, b, c] = u32::try_from(value).unwrap().to_be_bytes();
        [kind, a, b, c, 0]
    };
    let rows = [
        entry(0, 0),
        entry(2, 5),
        entry(1, place(2)),
        entry(1, place(3)),
        entry(1, place(4)),
        entry(1, place(5)),
        entry(1, start),
    ];
    let table = Stream::new(rows.concat()).entries("/Type /XRef /Size 7 /W [1 3 1] /Root 1 0 R");
    file.extend(b"6 0 obj\n");
    file.extend(table.written(table.data()));
    file.extend(format!("\nendobj\nstartxref\n{start}\n%%EOF\n").bytes());
    file
}
