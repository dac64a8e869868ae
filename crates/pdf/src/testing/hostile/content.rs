//! Content streams: many operators, deep nesting, forms that call each other.

use super::super::Ref;
use super::*;

pub(super) const CASES: &[Case] = &[
    case(
        "many_operators",
        (300_000, 40_000_000),
        OVER_LIMIT,
        |count| packed_page("n ".repeat(count)),
    ),
    case("many_states", (150_000, 20_000_000), OVER_LIMIT, |count| {
        packed_page("q Q ".repeat(count))
    }),
    case(
        "many_unknown_operators",
        (300_000, 40_000_000),
        OVER_LIMIT,
        |count| packed_page("xyz ".repeat(count)),
    ),
    case("many_operands", (300_000, 50_000_000), SHOWN, |count| {
        packed_page(format!("{CONTENT}{}", "0 ".repeat(count)))
    }),
    case("many_paths", (30_000, 20_000_000), Expected::Any, |count| {
        packed_page(format!(
            "{CONTENT}{}",
            "0 0 m 1 1 l 2 2 3 3 4 4 c h S ".repeat(count)
        ))
    }),
    case("nested_states", (50_000, 20_000_000), SHOWN, |depth| {
        packed_page(format!("{CONTENT}{}", "q ".repeat(depth)))
    }),
    case(
        "states_that_are_only_left",
        (50_000, 10_000_000),
        SHOWN,
        |count| packed_page(format!("{}{CONTENT}", "Q ".repeat(count))),
    ),
    case(
        "nested_text_objects",
        (50_000, 20_000_000),
        SHOWN,
        |depth| packed_page(format!("{CONTENT}{}", "BT ".repeat(depth))),
    ),
    case(
        "nested_marked_content",
        (50_000, 10_000_000),
        SHOWN,
        |depth| {
            packed_page(format!(
                "{CONTENT}{}",
                "/Span << /ActualText (x) >> BDC ".repeat(depth)
            ))
        },
    ),
    case(
        "nested_hidden_content",
        (50_000, 10_000_000),
        SHOWN,
        |depth| {
            page(|pdf, page| {
                let layer = pdf.layer("hidden", false);
                let content = format!(
                    "{CONTENT}{}{CONTENT}{}",
                    "/OC /L BDC ".repeat(depth),
                    "EMC ".repeat(depth)
                );
                Page {
                    content: Stream::new(content).flate(),
                    ..page
                }
                .resource("Properties", "L", layer)
            })
        },
    ),
    case(
        "nested_arrays_as_operands",
        (50_000, 20_000_000),
        SHOWN,
        |depth| packed_page(format!("{CONTENT}{}", "[".repeat(depth))),
    ),
    case(
        "closed_arrays_as_operands",
        (50_000, 20_000_000),
        SHOWN,
        |depth| {
            packed_page(format!(
                "{CONTENT}{}{} TJ",
                "[".repeat(depth),
                "]".repeat(depth)
            ))
        },
    ),
    case(
        "nested_dictionaries_as_operands",
        (50_000, 10_000_000),
        SHOWN,
        |depth| packed_page(format!("{CONTENT}/P {}", "<</A".repeat(depth))),
    ),
    case(
        "closed_dictionaries_as_operands",
        (50_000, 10_000_000),
        SHOWN,
        |depth| {
            packed_page(format!(
                "{CONTENT}/P {}{} BDC",
                "<</A".repeat(depth),
                ">>".repeat(depth)
            ))
        },
    ),
    case(
        "nested_parentheses_as_operands",
        (50_000, 20_000_000),
        SHOWN,
        |depth| packed_page(format!("{CONTENT}{}", "(".repeat(depth))),
    ),
    case(
        "closed_parentheses_as_operands",
        (50_000, 20_000_000),
        Expected::Any,
        |depth| {
            packed_page(format!(
                "{CONTENT} BT /F1 1 Tf {}{} Tj",
                "(".repeat(depth),
                ")".repeat(depth)
            ))
        },
    ),
    case(
        "hex_strings_without_an_end",
        (50_000, 20_000_000),
        SHOWN,
        |count| packed_page(format!("{CONTENT}{}", "<4".repeat(count))),
    ),
    case("inline_images", (100_000, 5_000_000), SHOWN, |count| {
        packed_page(format!(
            "{CONTENT}{}",
            "BI /W 1 /H 1 ID x EI ".repeat(count)
        ))
    }),
    case(
        "inline_images_without_an_end",
        (100_000, 5_000_000),
        SHOWN,
        |count| packed_page(format!("{CONTENT}{}", "BI /W 1 /H 1 ID x ".repeat(count))),
    ),
    case(
        "inline_images_of_a_huge_length",
        (10_000, 1_000_000),
        SHOWN,
        |count| {
            packed_page(format!(
                "{CONTENT}{}",
                "BI /W 65535 /H 65535 /BPC 16 /L 99999999999 ID x EI ".repeat(count)
            ))
        },
    ),
    case(
        "inline_image_of_nested_arrays",
        (50_000, 10_000_000),
        SHOWN,
        |depth| packed_page(format!("{CONTENT}BI /D {} ID x EI", "[".repeat(depth))),
    ),
    case("form_calls_itself", (0, 0), SHOWN, |_| {
        forms(1, |form, _| format!("{form} {form}"))
    }),
    case("forms_call_each_other", (0, 0), SHOWN, |_| {
        forms(3, |_, next| next.to_owned())
    }),
    case("forms_that_double", (30, 30), Expected::Any, |depth| {
        chain_of_forms(depth, |next| format!("{next} {next}"), CONTENT)
    }),
    case("forms_that_multiply", (10, 10), Expected::Any, |depth| {
        chain_of_forms(depth, |next| format!("{next} ").repeat(100), "")
    }),
    case("deep_forms", (1_000, 100_000), Expected::Any, |depth| {
        chain_of_forms(depth, str::to_owned, CONTENT)
    }),
    case(
        "one_form_many_times",
        (30_000, 20_000_000),
        Expected::Any,
        |count| {
            page(|pdf, page| {
                let form = pdf.form("", "");
                let content = Stream::new("/X Do ".repeat(count)).flate();
                Page { content, ..page }.resource("XObject", "X", form)
            })
        },
    ),
    case(
        "one_large_form_many_times",
        (20, 1_000_000),
        OVER_LIMIT,
        |count| {
            page(|pdf, page| {
                let form = pdf.reserve();
                let large = Stream::new(vec![b' '; MIB]).flate();
                pdf.set_stream(
                    form,
                    large.entries("/Type /XObject /Subtype /Form /BBox [0 0 9 9]"),
                );
                let content = Stream::new("/X Do ".repeat(count)).flate();
                Page { content, ..page }.resource("XObject", "X", form)
            })
        },
    ),
    case(
        "one_large_text_many_times",
        (20, 10_000),
        OVER_LIMIT,
        |count| {
            page(|pdf, page| {
                let properties = pdf.add(format!("<< /ActualText ({}) >>", "a".repeat(MIB)));
                let content =
                    "BT /F1 1 Tf 0 -2 TD /Span /P BDC (x) Tj EMC ET 1 0 0 1 0 -2 cm ".repeat(count);
                Page {
                    content: Stream::new(content).flate(),
                    ..page
                }
                .resource("Properties", "P", properties)
            })
        },
    ),
    case(
        "one_font_many_times",
        (200_000, 5_000_000),
        Expected::Any,
        |count| packed_page(format!("{CONTENT}{}", "/F1 1 Tf /F9 1 Tf ".repeat(count))),
    ),
    case("many_fonts", (2_000, 100_000), SHOWN, |count| {
        page(|pdf, page| {
            let mut content = CONTENT.to_owned();
            let page = (0..count).fold(page, |page, number| {
                let name = format!("G{number}");
                content.push_str(&format!("BT /{name} 1 Tf (x) Tj ET "));
                let font = super::super::fonts::standard(pdf, "Helvetica");
                page.font(&name, font)
            });
            let font = super::super::fonts::standard(pdf, "Helvetica");
            Page {
                content: Stream::new(content).flate(),
                ..page
            }
            .font("F1", font)
        })
    }),
];

/// Forms of which each has the next one as `/X`, the last one the first; a page shows something and
/// the first.
fn forms(count: usize, content: impl Fn(&str, &str) -> String) -> Vec<u8> {
    page(|pdf, page| {
        let first = pdf.reserve();
        let last = first.0 + count - 1;
        for number in first.0..=last {
            let next = if number == last {
                first
            } else {
                Ref(number + 1)
            };
            let resources = format!("/Resources << /XObject << /X {next} >> >>");
            pdf.form_at(Ref(number), &content("/X Do", "/X Do"), &resources);
            pdf.reserve();
        }
        let content = Stream::new(format!("{CONTENT} /X Do"));
        Page { content, ..page }.resource("XObject", "X", first)
    })
}

/// Forms that call the next one in some way; the last one has this content.
fn chain_of_forms(depth: usize, call: impl Fn(&str) -> String, innermost: &str) -> Vec<u8> {
    page(|pdf, page| {
        let font = super::super::fonts::standard(pdf, "Helvetica");
        let resources = format!("/Resources << /Font << /F1 {font} >> >>");
        let innermost = pdf.form(innermost, &resources);
        let outermost = (0..depth).fold(innermost, |below, _| {
            let resources = format!("/Resources << /XObject << /X {below} >> >>");
            pdf.form(&call("/X Do"), &resources)
        });
        Page {
            content: Stream::new("/X Do"),
            ..page
        }
        .resource("XObject", "X", outermost)
    })
}
