//! Tests with files that would make a walk endless, or exhaust memory.

use super::*;
use crate::testing::hostile::{self, Random};

/// Requests everything from a file. Returns whether it could be opened.
fn survives(file: Vec<u8>) -> bool {
    let Ok(pdf) = Syntax::new(file) else {
        return false;
    };
    let pages = Pages::of(&pdf);
    let structure = Structure::of(&pdf, &pages);
    structure.info(&everything());
    for (_, page) in pages.numbered().take(10) {
        structure.links(page);
        structure.annotations(page);
    }
    structure.attachments();
    true
}

#[test]
fn outlines_that_run_in_circles() {
    let info = info(with(|pdf| {
        let first = pdf.reserve();
        let second = pdf.reserve();
        pdf.set(
            first,
            format!("<< /Title (1) /First {second} /Next {first} >>"),
        );
        pdf.set(
            second,
            format!("<< /Title (2) /First {first} /Next {second} >>"),
        );
        pdf.catalog(&format!("/Outlines << /First {first} >>"));
    }));
    let levels: Vec<_> = info.outline.iter().map(|item| item.level).collect();
    assert_eq!(levels, [1, 2]);
}

#[test]
fn outlines_that_are_endless() {
    let chain = |key: &str| {
        info(with(|pdf| {
            let items: Vec<_> = (0..2_000).map(|_| pdf.reserve()).collect();
            for pair in items.windows(2) {
                pdf.set(pair[0], format!("<< /Title (a) /{key} {} >>", pair[1]));
            }
            pdf.catalog(&format!("/Outlines << /First {} >>", items[0]));
        }))
    };
    assert_eq!(chain("Next").outline.len(), 1_999);
    assert_eq!(chain("First").outline.len(), 256, "no deeper than that");
}

#[test]
fn names_that_run_in_circles() {
    let mut pdf = Pdf::new();
    let page = pdf.page(Page::new(""));
    let node = pdf.reserve();
    let leaf = pdf.add(format!("<< /Names [(a) [{page} /Fit]] /Kids [{node}] >>"));
    pdf.set(node, format!("<< /Kids [{node} {leaf} {leaf} {node}] >>"));
    let item = pdf.add("<< /Title (x) /Dest (a) >>");
    pdf.catalog(&format!(
        "/Names << /Dests {node} >> /Outlines << /First {item} >>"
    ));
    assert_eq!(info(pdf.build()).outline[0].page, Some(1));
}

#[test]
fn fields_that_run_in_circles() {
    let mut pdf = Pdf::new();
    let root = pdf.reserve();
    let child = pdf.reserve();
    let widget = pdf.annotation("Widget", "0 0 1 1", &format!("/Parent {root}"));
    pdf.set(
        root,
        format!("<< /T (a) /FT /Tx /Parent {child} /Kids [{child} {root} {child}] >>"),
    );
    pdf.set(
        child,
        format!("<< /T (b) /Parent {root} /Kids [{root} {child}] >>"),
    );
    pdf.root_field(root);
    pdf.root_field(root);
    pdf.page(Page::new("").annotation(widget));
    let fields = info(pdf.build()).form_fields;
    let names = fields.iter().map(|field| field.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["a.b", "b.a"]);
}

#[test]
fn fields_that_are_deeper_than_any() {
    let mut pdf = Pdf::new();
    let nodes: Vec<_> = (0..2_000).map(|_| pdf.reserve()).collect();
    for pair in nodes.windows(2) {
        let body = format!("<< /T (a) /FT /Tx /Kids [{}] >>", pair[1]);
        pdf.set(pair[0], body);
    }
    pdf.set(nodes[1_999], "<< /T (end) /FT /Tx >>");
    pdf.root_field(nodes[0]);
    pdf.page(Page::new(""));
    assert_eq!(info(pdf.build()).form_fields, []);
}

/// A large value that all fields inherit: repeated for each, it would be gigabytes.
#[test]
fn the_output_is_limited() {
    let mut pdf = Pdf::new();
    let kids: Vec<_> = (0..2_000).map(|_| pdf.add("<< /T (k) >>")).collect();
    let kids: Vec<_> = kids.iter().map(ToString::to_string).collect();
    let value = "x".repeat(1 << 18);
    let root = pdf.add(format!(
        "<< /T (a) /FT /Tx /V ({value}) /Kids [{}] >>",
        kids.join(" ")
    ));
    pdf.root_field(root);
    pdf.page(Page::new(""));
    let file = Syntax::new(pdf.build()).unwrap();
    let pages = Pages::of(&file);
    let structure = Structure::of(&file, &pages);
    assert!(!structure.is_exhausted());
    let fields = structure.info(&everything()).form_fields;
    assert!((10..1_000).contains(&fields.len()), "{}", fields.len());
    assert!(structure.is_exhausted());
}

/// The same large object, repeatedly, by different paths.
#[test]
fn the_input_read_is_limited() {
    let mut pdf = Pdf::new();
    let title = pdf.add(format!("({})", "x".repeat(1 << 20)));
    let items: Vec<_> = (0..1_000).map(|_| pdf.reserve()).collect();
    for pair in items.windows(2) {
        pdf.set(pair[0], format!("<< /Title {title} /Next {} >>", pair[1]));
    }
    pdf.catalog(&format!("/Outlines << /First {} >>", items[0]));
    pdf.page(Page::new(""));
    let file = Syntax::new(pdf.build()).unwrap();
    let pages = Pages::of(&file);
    let structure = Structure::of(&file, &pages);
    let outline = structure.info(&everything()).outline;
    assert!((10..500).contains(&outline.len()), "{}", outline.len());
    assert!(structure.is_exhausted());
}

#[test]
fn many_annotations_that_are_the_same() {
    let mut pdf = Pdf::new();
    let link = pdf.link_to_uri("0 0 1 1", "a:b");
    let many = format!("{link} ").repeat(20_000);
    let page = Page::new("").entries(&format!("/Annots [{many}]"));
    pdf.page(page);
    let file = pdf.build();
    assert_eq!(info(file.clone()).form_fields, []);
    assert_eq!(links(file)[0].len(), 20_000);
}

#[test]
fn metadata_that_expands_a_lot() {
    use crate::testing::Stream;
    let mut pdf = Pdf::new();
    let start = "<rdf:RDF><rdf:Description dc:title='found'/>";
    let bomb = [start.as_bytes(), &vec![b' '; 40 << 20]].concat();
    let packed = Stream::new(bomb).flate();
    let place = pdf.add_stream(packed);
    pdf.catalog(&format!("/Metadata {place}"));
    pdf.page(Page::new(""));
    assert_eq!(info(pdf.build()).title.as_deref(), Some("found"));
    let nested = "<a>".repeat(1 << 20);
    let info = info(with(|pdf| pdf.xmp(&format!("<rdf:RDF>{nested}"))));
    assert_eq!(info.title, None);
}

#[test]
fn wrong_types_everywhere() {
    let wrong = [
        "null",
        "true",
        "5",
        "-1.5",
        "/Name",
        "(text)",
        "[]",
        "[1 0 R]",
        "<< >>",
        "1 0 R",
        "99 0 R",
        "[[[[]]]]",
        "<< /First 1 0 R /Kids 1 0 R /D 1 0 R >>",
    ];
    let mut opened = 0;
    for value in wrong {
        let mut pdf = Pdf::new();
        let entries = [
            "Title",
            "Dest",
            "A",
            "S",
            "D",
            "N",
            "URI",
            "Rect",
            "QuadPoints",
            "Subtype",
            "T",
            "FT",
            "Ff",
            "V",
            "Kids",
            "Parent",
            "P",
            "AS",
            "First",
            "Next",
        ];
        let all: String = entries.map(|key| format!("/{key} {value} ")).concat();
        let node = pdf.add(format!("<< {all} >>"));
        let link = pdf.annotation("Link", "0 0 1 1", &format!("/A << /S /URI {all} >>"));
        let widget = pdf.annotation("Widget", "0 0 1 1", &all);
        let page = Page::new("")
            .annotation(node)
            .annotation(link)
            .annotation(widget);
        pdf.page(page);
        pdf.page(Page::new("").entries(&format!("/Annots {value}")));
        pdf.root_field(node);
        pdf.root_field(widget);
        pdf.catalog(&format!("/Outlines << /First {node} >> /Version {value}"));
        for key in ["Title", "CreationDate"] {
            pdf.info_entry(&format!("/{key} {value}"));
        }
        pdf.catalog(&format!(
            "/Names << /Dests << /Kids {value} /Names {value} >> >> /Dests {value} \
             /Metadata {value} /URI {value}"
        ));
        opened += u32::from(survives(pdf.build()));
        for key in ["Outlines", "AcroForm", "Names"] {
            let mut pdf = Pdf::new();
            pdf.catalog(&format!("/{key} {value}"));
            pdf.page(Page::new(""));
            opened += u32::from(survives(pdf.build()));
        }
    }
    assert_eq!(opened, 4 * 13);
}

#[test]
fn all_hostile_cases() {
    let cases = hostile::all();
    let opened = cases
        .iter()
        .filter(|case| survives((case.build)(case.small)));
    assert!(opened.count() > cases.len() / 2);
}

/// Random changes to a file with a bit of everything, the same on each run.
#[test]
fn changed_bytes() {
    let mut pdf = Pdf::new();
    let second = pdf.reserve();
    let link = pdf.link_to_page("0 0 9 9", second);
    let address = pdf.link_to_uri("0 0 9 9", "c.html");
    let text = pdf.field("0 0 9 9", "/FT /Tx /T (a) /V <FEFF5927>");
    let kid = pdf.annotation("Widget", "0 0 9 9", "/AS /On");
    let radio = pdf.add(format!("<< /T (r) /FT /Btn /Ff 32768 /Kids [{kid}] >>"));
    pdf.root_field(radio);
    let annotations = [link, address, text, kid];
    let first = pdf.page(
        annotations
            .into_iter()
            .fold(Page::new(""), Page::annotation),
    );
    pdf.page_at(second, Page::new(""));
    pdf.outline(&[(1, "One", first), (2, "Two", second), (1, "Three", first)]);
    pdf.catalog(&format!(
        "/Names << /Dests << /Names [(a) [{first} /Fit]] >> >> /URI << /Base (http://a/) >>"
    ));
    pdf.info("Title", "A title");
    pdf.info("CreationDate", "D:20200229123456+01'00'");
    pdf.xmp("<rdf:RDF><rdf:Description dc:title='A'><pdf:Producer>B</pdf:Producer>");
    let file = pdf.build();
    let mut numbers = Random(0x2545_F491_4F6C_DD1D);
    let mut random = |below| numbers.below(below);
    let mut opened = 0;
    for _ in 0..3_000 {
        let mut changed = file.clone();
        for _ in 0..=random(8) {
            let at = random(changed.len());
            match random(4) {
                0 => changed[at] = random(256) as u8,
                1 => changed[at] = b"0123456789/<>[]() R"[random(19)],
                2 => {
                    changed.remove(at);
                }
                _ => {
                    let from = random(changed.len());
                    let to = (from + random(40)).min(changed.len());
                    let part = changed[from..to].to_vec();
                    changed.splice(at..at, part);
                }
            }
        }
        opened += u32::from(survives(changed));
    }
    assert!(opened > 2_000, "{opened}");
}
