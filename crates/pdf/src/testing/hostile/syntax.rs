//! Objects that are nested deeply, long, or never end.

use super::*;

pub(super) const CASES: &[Case] = &[
    case("nested_arrays", (20_000, 5_000_000), SHOWN, |depth| {
        with_object(&nested("[", "]", depth))
    }),
    case("open_arrays", (20_000, 5_000_000), SHOWN, |depth| {
        with_object(&"[".repeat(depth))
    }),
    case("nested_dictionaries", (20_000, 2_000_000), SHOWN, |depth| {
        with_object(&nested("<< /A ", ">>", depth))
    }),
    case("open_dictionaries", (20_000, 2_000_000), SHOWN, |depth| {
        with_object(&"<</A".repeat(depth))
    }),
    case(
        "nested_arrays_and_dictionaries",
        (20_000, 2_000_000),
        SHOWN,
        |depth| with_object(&nested("[<</A[", "]>>]", depth)),
    ),
    case("nested_parentheses", (50_000, 20_000_000), SHOWN, |depth| {
        with_object(&nested("(", ")", depth))
    }),
    case("open_parentheses", (50_000, 20_000_000), SHOWN, |depth| {
        with_object(&"(".repeat(depth))
    }),
    case(
        "nested_arrays_in_the_catalog",
        (20_000, 5_000_000),
        Expected::Any,
        |depth| beside(|pdf| pdf.catalog(&format!("/X {}", nested("[", "]", depth)))),
    ),
    case(
        "nested_arrays_in_the_trailer",
        (20_000, 5_000_000),
        Expected::Any,
        |depth| beside(|pdf| pdf.trailer(&format!("/X {}", nested("[", "]", depth)))),
    ),
    case(
        "nested_arrays_in_a_page",
        (20_000, 5_000_000),
        Expected::Any,
        |depth| page(|_, page| page.entries(&format!("/X {}", nested("[", "]", depth)))),
    ),
    case(
        "nested_contents",
        (20_000, 1_000_000),
        Expected::Any,
        |depth| page(|_, page| page.entries(&format!("/Contents {}", nested("[", "]", depth)))),
    ),
    case(
        "nested_arrays_in_an_object_stream",
        (20_000, 5_000_000),
        SHOWN,
        |depth| {
            beside(|pdf| {
                pdf.object_streams();
                let place = pdf.add(nested("[", "]", depth));
                pdf.catalog(&format!("/Names {place} /Outlines {place}"));
            })
        },
    ),
    case(
        "nested_arrays_in_a_stream",
        (20_000, 5_000_000),
        SHOWN,
        |depth| {
            beside(|pdf| {
                let stream = Stream::new("x").entries(&format!("/X {}", nested("[", "]", depth)));
                pdf.add_stream(stream);
            })
        },
    ),
    case(
        "nested_arrays_to_be_found",
        (20_000, 5_000_000),
        Expected::Any,
        |depth| {
            format!(
                "%PDF-1.7\n1 0 obj\n{}\nendobj\ntrailer << /Root 1 0 R >>",
                "[".repeat(depth)
            )
            .into_bytes()
        },
    ),
    case("long_name", (MIB, 64 * MIB), SHOWN, |size| {
        with_object(&format!("/{}", "a".repeat(size)))
    }),
    case("long_name_of_escapes", (MIB, 64 * MIB), SHOWN, |size| {
        with_object(&format!("/{}", "#41".repeat(size / 3)))
    }),
    case("long_number", (MIB, 64 * MIB), SHOWN, |size| {
        with_object(&"9".repeat(size))
    }),
    case("long_string", (MIB, 64 * MIB), SHOWN, |size| {
        with_object(&format!("({})", "\\101".repeat(size / 4)))
    }),
    case("open_hex_string", (MIB, 64 * MIB), SHOWN, |size| {
        with_object(&format!("<{}", "A".repeat(size)))
    }),
    case("long_comment", (MIB, 64 * MIB), SHOWN, |size| {
        with_object(&format!("%{}", "a".repeat(size)))
    }),
    case("long_white_space", (MIB, 256 * MIB), SHOWN, |size| {
        with_object(&" ".repeat(size))
    }),
    case("long_array", (50_000, 10_000_000), SHOWN, |count| {
        with_object(&format!("[{}]", "0 ".repeat(count)))
    }),
    case(
        "dictionary_of_many_entries",
        (20_000, 2_000_000),
        SHOWN,
        |count| {
            let entries: String = (0..count)
                .map(|number| format!("/K{number} {number} "))
                .collect();
            with_object(&format!("<< {entries} >>"))
        },
    ),
    case(
        "dictionary_of_one_key",
        (20_000, 5_000_000),
        SHOWN,
        |count| with_object(&format!("<< {} >>", "/K 1 ".repeat(count))),
    ),
];

fn nested(open: &str, close: &str, depth: usize) -> String {
    [open.repeat(depth), close.repeat(depth)].concat()
}

/// A file whose catalog refers to this object where readers look.
fn with_object(body: &str) -> Vec<u8> {
    beside(|pdf| {
        let place = pdf.add(body);
        pdf.catalog(&format!(
            "/Names {place} /Outlines {place} /AcroForm {place} /OCProperties {place} /Metadata {place} \
             /PageLabels {place} /Dests {place}"
        ));
        pdf.info_entry(&format!("/Title {place} /CreationDate {place}"));
    })
}
