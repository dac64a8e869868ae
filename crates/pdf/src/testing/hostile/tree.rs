//! Page trees.

use super::super::{PAGES, Ref};
use super::*;

pub(super) const CASES: &[Case] = &[
    case("tree_is_its_own_child", (0, 0), Expected::Any, |_| {
        with_tree(|pdf, page| {
            pdf.set(
                PAGES,
                format!("<< /Type /Pages /Kids [{page} {PAGES}] /Count 2 >>"),
            )
        })
    }),
    case("tree_in_a_circle", (0, 0), Expected::Any, |_| {
        with_tree(|pdf, page| {
            let inner = pdf.add(format!(
                "<< /Type /Pages /Parent {PAGES} /Kids [{page} {PAGES}] /Count 2 >>"
            ));
            pdf.set(
                PAGES,
                format!("<< /Type /Pages /Kids [{inner} {page}] /Count 2 >>"),
            );
        })
    }),
    case("tree_that_doubles", (18, 60), Expected::Any, |depth| {
        with_tree(|pdf, page| {
            let mut below = page;
            for level in 0..depth {
                let count = 1_u64 << (level + 1).min(62);
                below = pdf.add(format!(
                    "<< /Type /Pages /Parent {PAGES} /Kids [{below} {below}] /Count {count} >>"
                ));
            }
            pdf.set(
                PAGES,
                format!("<< /Type /Pages /Kids [{below}] /Count 9 >>"),
            );
        })
    }),
    case("deep_tree", (1_000, 100_000), Expected::Any, |depth| {
        with_tree(|pdf, page| {
            let below = (0..depth).fold(page, |below, _| {
                pdf.add(format!("<< /Type /Pages /Kids [{below}] /Count 1 >>"))
            });
            pdf.set(
                PAGES,
                format!("<< /Type /Pages /Kids [{below}] /Count 1 >>"),
            );
        })
    }),
    case(
        "deep_tree_of_direct_objects",
        (1_000, 100_000),
        Expected::Any,
        |depth| {
            with_tree(|pdf, page| {
                let open = "<< /Type /Pages /Count 1 /Kids [".repeat(depth);
                let close = "] >>".repeat(depth);
                pdf.set(PAGES, format!("{open}{page}{close}"));
            })
        },
    ),
    case("count_is_negative", (0, 0), SHOWN, |_| with_count("-1")),
    case("count_is_huge", (0, 0), SHOWN, |_| with_count("2147483647")),
    case("count_is_beyond_numbers", (0, 0), SHOWN, |_| {
        with_count("99999999999999999999")
    }),
    case("count_is_nothing", (0, 0), SHOWN, |_| with_count("0")),
    case("count_is_missing", (0, 0), SHOWN, |_| with_count("null")),
    case(
        "many_pages",
        (2_000, 10_000),
        Expected::Text("shown text"),
        |count| {
            let mut pdf = Pdf::new();
            for _ in 0..count {
                pdf.page(Page::new(CONTENT));
            }
            pdf.build()
        },
    ),
    case(
        "one_page_many_times",
        (2_000, 1_000_000),
        Expected::Any,
        |count| {
            with_tree(|pdf, page| {
                let kids = format!("{page} ").repeat(count);
                pdf.set(
                    PAGES,
                    format!("<< /Type /Pages /Kids [{kids}] /Count {count} >>"),
                );
            })
        },
    ),
    case(
        "children_that_are_no_pages",
        (10_000, 1_000_000),
        SHOWN,
        |count| {
            with_tree(|pdf, page| {
                let kids = "null 5 (x) /Name [] 9999 0 R ".repeat(count);
                pdf.set(
                    PAGES,
                    format!("<< /Type /Pages /Kids [{kids} {page}] /Count 1 >>"),
                );
            })
        },
    ),
    case("page_is_its_own_parent", (0, 0), Expected::Any, |_| {
        beside(|pdf| {
            let page = pdf.reserve();
            pdf.set(page, format!("<< /Type /Page /Parent {page} >>"));
            pdf.set(
                PAGES,
                format!("<< /Type /Pages /Parent {PAGES} /Kids [{page}] /Count 1 >>"),
            );
        })
    }),
    case("catalog_is_the_tree", (0, 0), Expected::Any, |_| {
        beside(|pdf| {
            pdf.set(
                CATALOG,
                format!("<< /Type /Catalog /Pages {CATALOG} /Kids [{CATALOG}] /Count 1 >>"),
            );
        })
    }),
    case("tree_is_missing", (0, 0), Expected::Any, |_| {
        beside(|pdf| pdf.set(CATALOG, "<< /Type /Catalog >>"))
    }),
    case("pages_without_types", (0, 0), SHOWN, |_| {
        let file = beside(|_| {});
        String::from_utf8_lossy(&file)
            .replace("/Type /Page", "/Epyt /Page")
            .into_bytes()
    }),
];

/// A file with a page that shows text, and a page tree made by a function.
fn with_tree(make: impl FnOnce(&mut Pdf, Ref)) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let page = pdf.page(Page::new(CONTENT));
    make(&mut pdf, page);
    pdf.build()
}

fn with_count(count: &str) -> Vec<u8> {
    with_tree(|pdf, page| {
        pdf.set(
            PAGES,
            format!("<< /Type /Pages /Kids [{page}] /Count {count} >>"),
        )
    })
}
