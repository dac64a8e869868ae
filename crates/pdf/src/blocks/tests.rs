//! Blocks of generated files.

use corpus_blocks::markdown::{Options, markdown};
use corpus_blocks::{Block, Kind};

use super::blocks;
use crate::isolation::read_in_thread;
use crate::model::{Outcome, Request};
use crate::testing::{Page, Pdf, Ref, fonts};

const FULL: [&str; 3] = [
    "The quick brown fox jumps over the lazy dog and runs away into",
    "the deep and dark forest, where it meets many other animals of",
    "different kinds and sizes, which are friendly, as they all say.",
];

/// The content of a page: strings with their fonts, sizes and places.
#[derive(Default)]
struct Content(String);

impl Content {
    fn text(mut self, font: &str, size: f32, x: f32, y: f32, text: &str) -> Self {
        let escaped = text.replace('(', "\\(").replace(')', "\\)");
        self.0.push_str(&format!(
            "BT /{font} {size} Tf {x} {y} Td ({escaped}) Tj ET\n"
        ));
        self
    }

    fn paragraph(self, y: f32) -> Self {
        FULL.iter().enumerate().fold(self, |content, (line, text)| {
            content.text("F1", 10.0, 72.0, y - 12.0 * line as f32, text)
        })
    }

    fn raw(mut self, operators: &str) -> Self {
        self.0.push_str(operators);
        self.0.push('\n');
        self
    }
}

/// A file under construction with three fonts: regular, bold and fixed.
struct File {
    pdf: Pdf,
    regular: Ref,
    bold: Ref,
    fixed: Ref,
}

impl File {
    fn new() -> Self {
        let mut pdf = Pdf::new();
        let regular = fonts::standard(&mut pdf, "Helvetica");
        let bold = fonts::standard(&mut pdf, "Helvetica-Bold");
        let fixed = fonts::standard(&mut pdf, "Courier");
        Self {
            pdf,
            regular,
            bold,
            fixed,
        }
    }

    fn page_of(&self, content: Content) -> Page {
        Page::new(content.0)
            .font("F1", self.regular)
            .font("F2", self.bold)
            .font("F3", self.fixed)
    }

    fn page(&mut self, content: Content) -> Ref {
        let page = self.page_of(content);
        self.pdf.page(page)
    }

    fn read(self) -> Outcome {
        let request = Request {
            structure: true,
            ..Request::default()
        };
        read_in_thread(&self.pdf.build(), &request)
    }

    fn markdown(self) -> String {
        written(&blocks(&self.read()))
    }
}

fn written(blocks: &[Block]) -> String {
    let options = Options {
        links: true,
        ..Options::default()
    };
    markdown(blocks, &options)
}

#[test]
fn headings_paragraphs_lists_and_code_become_markdown() {
    let mut file = File::new();
    file.page(
        Content::default()
            .text("F2", 18.0, 72.0, 740.0, "A Title")
            .paragraph(700.0)
            .text("F1", 10.0, 72.0, 640.0, "- one")
            .text("F1", 10.0, 72.0, 628.0, "- two")
            .text("F3", 10.0, 72.0, 600.0, "if x:")
            .text("F3", 10.0, 96.0, 588.0, "return   y")
            .paragraph(550.0),
    );
    let text = FULL.join(" ");
    let expected =
        format!("# A Title\n\n{text}\n\n- one\n- two\n\n```\nif x:\n    return   y\n```\n\n{text}");
    assert_eq!(file.markdown(), expected);
}

#[test]
fn scripts_links_and_accents_are_legible() {
    let mut file = File::new();
    let link = file
        .pdf
        .link_to_uri("71 695 90 712", "https://example.org/");
    let content = Content::default()
        .text("F1", 10.0, 72.0, 700.0, "here is x")
        .raw("BT /F1 6 Tf 111.7 704 Td (2) Tj ET")
        .text("F1", 10.0, 118.0, 700.0, "and 10")
        .raw("BT /F1 6 Tf 150 697 Td (k) Tj ET");
    let page = file.page_of(content).annotation(link);
    file.pdf.page(page);
    assert_eq!(
        file.markdown(),
        "[here](https://example.org/) is x<sup>2</sup> and 10<sub>k</sub>"
    );
    assert_eq!(super::accents::tidy("Sch¨on"), "Schön");
    assert_eq!(super::accents::tidy("well\u{2011}known"), "well-known");
    assert_eq!(super::accents::tidy("na¨"), "na¨");
}

#[test]
fn words_in_fonts_for_formulas_become_tex() {
    let mut file = File::new();
    let math = fonts::Simple {
        subtype: "Type1",
        base_font: "ABCDEF+CMMI10",
        base_encoding: "WinAnsiEncoding",
        ..fonts::Simple::default()
    };
    let math = math.add_to(&mut file.pdf);
    let content = Content::default()
        .text("F1", 10.0, 72.0, 700.0, "We let")
        .text("F4", 10.0, 106.0, 700.0, "x")
        .text("F4", 6.0, 111.5, 698.0, "k")
        .text("F1", 10.0, 118.0, 700.0, "= log")
        .text("F4", 10.0, 146.0, 700.0, "y")
        .text("F1", 10.0, 154.0, 700.0, "+ 1, as")
        .text("F4", 10.0, 194.0, 700.0, "n")
        .text("F1", 10.0, 199.5, 700.0, "-grams are.");
    let page = file.page_of(content).font("F4", math);
    file.pdf.page(page);
    let found = blocks(&file.read());
    assert_eq!(
        written(&found),
        "We let $x_{k} = \\log y + 1$, as n-grams are."
    );
    assert_eq!(found[0].text.text, "We let xk = log y + 1, as n-grams are.");
}

#[test]
fn most_of_a_short_formula_may_be_scripts() {
    let mut file = File::new();
    file.page(
        Content::default()
            .text("F1", 10.0, 100.0, 700.0, "C")
            .text("F1", 6.0, 107.3, 698.0, "dm")
            .text("F1", 10.0, 119.0, 700.0, "=")
            .text("F1", 10.0, 128.0, 700.0, "JC")
            .text("F1", 6.0, 140.4, 704.0, "prior")
            .text("F2", 10.0, 100.0, 600.0, "Guidance")
            .text("F1", 6.0, 149.0, 602.0, "(new guidance)"),
    );
    let expected = "C<sub>dm</sub> = JC<sup>prior</sup>\n\n**Guidance** (new guidance)";
    assert_eq!(file.markdown(), expected);
}

#[test]
fn drawn_bullets_are_markers() {
    // A circle of four curves, and a square.
    let circle = |x: f32, y: f32, paint: &str| {
        let (right, top, left, bottom) = (x + 4.0, y + 2.0, x, y - 2.0);
        let middle = x + 2.0;
        format!(
            "{right} {y} m {right} {top} {right} {top} {middle} {top} c \
             {left} {top} {left} {top} {left} {y} c {left} {bottom} {left} {bottom} {middle} {bottom} c \
             {right} {bottom} {right} {bottom} {right} {y} c h {paint}"
        )
    };
    let mut file = File::new();
    file.page(
        Content::default()
            .paragraph(740.0)
            .raw(&circle(76.0, 684.0, "f"))
            .text("F1", 10.0, 90.0, 680.0, "one is")
            .text("F1", 10.0, 90.0, 668.0, "longer")
            .raw(&circle(94.0, 660.0, "S"))
            .text("F1", 10.0, 108.0, 656.0, "inside")
            .raw(&circle(94.0, 648.0, "S"))
            .text("F1", 10.0, 108.0, 644.0, "Also inside")
            .raw(&circle(76.0, 636.0, "f"))
            .text("F1", 10.0, 90.0, 632.0, "two")
            .paragraph(600.0)
            .raw("76 546 4 4 re f")
            .text("F2", 10.0, 90.0, 545.0, "A decorated heading")
            .paragraph(520.0)
            .raw("76 466 4 4 re f")
            .text("F2", 10.0, 90.0, 465.0, "Another heading")
            .paragraph(440.0),
    );
    let text = FULL.join(" ");
    let expected = format!(
        "{text}\n\n- one is longer\n  - inside\n  - Also inside\n- two\n\n{text}\n\n\
         # A decorated heading\n\n{text}\n\n# Another heading\n\n{text}"
    );
    assert_eq!(file.markdown(), expected);
}

#[test]
fn punctuation_after_code_is_no_part_of_it() {
    let mut file = File::new();
    file.page(
        Content::default()
            .text("F1", 10.0, 72.0, 700.0, "Use")
            .text("F3", 10.0, 96.0, 700.0, "fetch,")
            .text("F3", 10.0, 138.0, 700.0, "each(a,")
            .text("F3", 10.0, 186.0, 700.0, "b):")
            .text("F1", 10.0, 210.0, 700.0, "they are methods."),
    );
    assert_eq!(
        file.markdown(),
        "Use `fetch`, `each(a, b)`: they are methods."
    );
}

#[test]
fn punctuation_around_bold_words_is_bold_only_if_drawn_so() {
    let mut file = File::new();
    file.page(
        Content::default().paragraph(740.0).raw(
            "BT /F1 10 Tf 72 640 Td (See \\() Tj /F2 10 Tf (here) Tj /F1 10 Tf (\\), or ) Tj
            /F2 10 Tf (there: ) Tj /F1 10 Tf (not ) Tj /F2 10 Tf (call) Tj /F1 10 Tf (\\(1\\).) Tj ET",
        ),
    );
    let markdown = file.markdown();
    let last = markdown.lines().next_back();
    assert_eq!(last, Some("See (**here**), or **there:** not **call**(1)."));
}

#[test]
fn rows_of_values_between_two_rules_are_separate() {
    let mut file = File::new();
    let mut content = Content::default().paragraph(740.0).raw(
        "100 680 m 400 680 l S 100 665 m 400 665 l S 100 650 m 400 650 l S 100 560 m 400 560 l S",
    );
    for x in [100, 180, 320, 400] {
        content = content.raw(&format!("{x} 680 m {x} 560 l S"));
    }
    let rows = [
        (669.0, ["Number", "Description", "Amount"]),
        (654.0, ["", "Travel", "in USD"]),
        (640.0, ["101", "Staff transportation", "920.68"]),
        (628.0, ["", "Fare for the way there", ""]),
        (612.0, ["102", "Staff transportation", "907.96"]),
        (600.0, ["", "Fare for the way back", ""]),
        (584.0, ["103", "Staff transportation", "737.94"]),
        (572.0, ["", "Fare for both ways", ""]),
    ];
    for (y, cells) in rows {
        for (x, text) in [105.0, 185.0, 325.0].into_iter().zip(cells) {
            content = content.text("F1", 9.0, x, y, text);
        }
    }
    file.page(content.paragraph(530.0));
    let markdown = file.markdown();
    for (number, amount) in [("101", "920.68"), ("102", "907.96"), ("103", "737.94")] {
        let is_row = |line: &&str| line.contains(number) && line.contains(amount);
        assert_eq!(markdown.lines().filter(is_row).count(), 1, "{markdown}");
    }
    assert!(
        !markdown
            .lines()
            .any(|line| line.contains("101") && line.contains("102"))
    );
}

/// Adds a ruled table from 117 to 177 points below the top.
fn with_table_of_animals(mut content: Content) -> Content {
    for (row, cells) in [["Name", "Legs"], ["Fox", "4"], ["Bird", "2"]]
        .iter()
        .enumerate()
    {
        let y = 660.0 - 20.0 * row as f32;
        content = content
            .text("F1", 10.0, 105.0, y, cells[0])
            .text("F1", 10.0, 205.0, y, cells[1]);
    }
    for line in 0..4 {
        let y = 675 - 20 * line;
        content = content.raw(&format!("100 {y} m 300 {y} l S"));
    }
    for x in [100, 200, 300] {
        content = content.raw(&format!("{x} 675 m {x} 615 l S"));
    }
    content
}

#[test]
fn tables_are_in_the_text_once_with_their_caption() {
    let mut file = File::new();
    let content = Content::default()
        .paragraph(740.0)
        .text("F1", 10.0, 100.0, 696.0, "Table 1: Animals")
        .text("F1", 10.0, 285.0, 682.0, "(%)");
    file.page(with_table_of_animals(content).paragraph(590.0));
    let found = blocks(&file.read());
    let kinds: Vec<&str> = found.iter().map(|block| block.kind.name()).collect();
    assert_eq!(kinds, ["paragraph", "table", "paragraph"]);
    let Kind::Table(table) = &found[1].kind else {
        panic!("expected a table");
    };
    assert_eq!(table.rows.len(), 3);
    assert_eq!(
        table.caption.as_ref().map(|caption| &*caption.text),
        Some("Table 1: Animals (%)")
    );
    let markdown = written(&found);
    assert_eq!(markdown.matches("Animals (%)").count(), 1, "{markdown}");
    let bounds = found[1].bounds.unwrap();
    assert!((bounds.left - 100.0).abs() < 3.0 && (bounds.top - 117.0).abs() < 3.0);
}

#[test]
fn bold_names_beside_values_are_no_header_rows() {
    let rows = [
        ("Temperature", "between 0 and 45 degrees"),
        ("Interface", "USB"),
        ("Accuracy", "0.5 m"),
    ];
    let grid = "72 620 300 60 re S 72 640 m 372 640 l S 72 660 m 372 660 l S 172 620 m 172 680 l S";
    let mut content = Content::default().paragraph(740.0).raw(grid);
    for (row, (name, value)) in rows.iter().enumerate() {
        let y = 666.0 - 20.0 * row as f32;
        content = content
            .text("F2", 10.0, 76.0, y, name)
            .text("F1", 10.0, 176.0, y, value);
    }
    let mut file = File::new();
    file.page(content);
    let found = blocks(&file.read());
    let headers = found.iter().filter_map(|block| match &block.kind {
        Kind::Table(table) => Some((table.rows.len(), table.header_rows)),
        _ => None,
    });
    assert_eq!(headers.collect::<Vec<_>>(), [(3, 0)]);
}

#[test]
fn a_heading_close_below_a_caption_is_no_part_of_it() {
    let grid = "72 640 200 40 re S 72 660 m 272 660 l S 172 640 m 172 680 l S";
    let cells = [("Key", "Unit", 666.0), ("speed", "12", 646.0)];
    let mut content = Content::default().paragraph(740.0).raw(grid);
    for (first, second, y) in cells {
        content = content
            .text("F1", 10.0, 76.0, y, first)
            .text("F1", 10.0, 176.0, y, second);
    }
    let mut file = File::new();
    file.page(
        content
            .text("F1", 10.0, 72.0, 626.0, "Table 1: Values of the units")
            .text("F2", 16.0, 72.0, 606.0, "The next chapter")
            .paragraph(580.0),
    );
    let markdown = file.markdown();
    assert!(
        markdown.contains("Table 1: Values of the units\n"),
        "{markdown}"
    );
    assert!(markdown.contains("# The next chapter\n"), "{markdown}");
}

#[test]
fn a_heading_whose_text_the_caption_repeats_is_kept() {
    let mut file = File::new();
    let content = Content::default()
        .paragraph(760.0)
        .text("F2", 14.0, 100.0, 700.0, "Animals")
        .text("F1", 10.0, 100.0, 682.0, "Table 1: Animals");
    file.page(with_table_of_animals(content).paragraph(590.0));
    let markdown = file.markdown();
    assert!(markdown.contains("# Animals\n"), "{markdown}");
    assert_eq!(
        markdown.matches("Table 1: Animals").count(),
        1,
        "{markdown}"
    );
}

#[test]
fn raised_digits_as_large_as_the_text_are_superscripts() {
    let mut file = File::new();
    file.page(
        Content::default()
            .paragraph(740.0)
            .raw("BT /F1 10 Tf 72 600 Td (The energy is E = mc) Tj 4 Ts (2) Tj 0 Ts ( as known.) Tj ET")
            .paragraph(560.0),
    );
    let markdown = file.markdown();
    assert!(markdown.contains("mc<sup>2</sup> as known."), "{markdown}");
}

#[test]
fn axes_of_a_plot_are_no_table() {
    let mut file = File::new();
    let mut content = Content::default().paragraph(740.0);
    for (row, value) in ["0.0", "0.2", "0.4", "0.6"].iter().enumerate() {
        let (x, y) = (100.0 + 40.0 * row as f32, 600.0 + 20.0 * row as f32);
        content = content
            .text("F1", 7.0, 90.0, y, value)
            .text("F1", 7.0, 280.0, y, value)
            .text("F1", 7.0, x, 585.0, value)
            .text("F1", 7.0, x, 575.0, value);
    }
    file.page(
        content
            .text(
                "F1",
                10.0,
                90.0,
                550.0,
                "Figure 1: A plot of all values over their time",
            )
            .paragraph(520.0),
    );
    let found = blocks(&file.read());
    let kinds: Vec<&str> = found.iter().map(|block| block.kind.name()).collect();
    assert_eq!(kinds, ["paragraph", "figure", "paragraph"], "{found:#?}");
    let Kind::Figure(Some(picture)) = &found[1].kind else {
        panic!("expected labels");
    };
    assert_eq!(picture.alternative.matches("0.2").count(), 4);
}

#[test]
fn labels_above_the_caption_of_a_figure_are_no_table() {
    let mut file = File::new();
    let mut content = Content::default().paragraph(740.0);
    for (column, label) in ["0", "1", "2", "3", "4", "5", "6", "7"].iter().enumerate() {
        content = content.text("F1", 8.0, 90.0 + 30.0 * column as f32, 600.0, label);
    }
    let caption = "Simulation results of all codes at the rate 1/2";
    file.page(
        content
            .text("F1", 8.0, 180.0, 588.0, "SNR (dB)")
            .text("F1", 10.0, 90.0, 570.0, "Fig. 4.")
            .text("F1", 10.0, 135.0, 570.0, caption)
            .paragraph(530.0),
    );
    let found = blocks(&file.read());
    let is_caption = |block: &&Block| block.text.text == format!("Fig. 4. {caption}");
    let caption = found.iter().find(is_caption);
    assert!(
        caption.is_some_and(|block| matches!(block.kind, Kind::Figure(_))),
        "{found:#?}"
    );
}

const NUMBERED_CODE: [&str; 6] = [
    "def f(x):",
    "    if x:",
    "        return 1",
    "    y = x + 1",
    "    return y",
    "f(3)",
];

#[test]
fn numbers_of_code_may_be_small_and_in_another_font() {
    let mut file = File::new();
    let mut content = Content::default().paragraph(740.0);
    for (line, text) in NUMBERED_CODE.iter().enumerate() {
        let y = 680.0 - 12.0 * line as f32;
        let indent = text.len() - text.trim_start().len();
        let left = 100.0 + 6.0 * indent as f32;
        let number = line + 8;
        let start = 90.0 - 3.4 * number.to_string().len() as f32;
        content = content.text("F1", 6.0, start, y, &number.to_string()).text(
            "F3",
            10.0,
            left,
            y,
            text.trim_start(),
        );
    }
    file.page(content.paragraph(580.0));
    let text = FULL.join(" ");
    let expected = format!("{text}\n\n```\n{}\n```\n\n{text}", NUMBERED_CODE.join("\n"));
    assert_eq!(file.markdown(), expected);
}

#[test]
fn numbered_code_in_a_frame_is_no_table() {
    let code = NUMBERED_CODE;
    let mut file = File::new();
    let mut content = Content::default().paragraph(740.0);
    for (line, text) in code.iter().enumerate() {
        let y = 680.0 - 12.0 * line as f32;
        let indent = text.len() - text.trim_start().len();
        content = content
            .text("F3", 10.0, 72.0, y, &format!("{}", line + 1))
            .text(
                "F3",
                10.0,
                100.0 + 6.0 * indent as f32,
                y,
                text.trim_start(),
            );
    }
    file.page(
        content
            .raw("70 615 330 77 re S 90 692 m 90 615 l S")
            .paragraph(580.0),
    );
    let text = FULL.join(" ");
    let expected = format!("{text}\n\n```\n{}\n```\n\n{text}", code.join("\n"));
    let document = file.read();
    assert_eq!(document.pages[0].tables, []);
    assert_eq!(written(&blocks(&document)), expected);
}

#[test]
fn only_artifacts_of_pagination_are_running_lines() {
    let mut file = File::new();
    let artifact = |content: Content, properties: &str, y: f32, text: &str| {
        let content = content.raw(&format!("/Artifact {properties}"));
        content.text("F1", 10.0, 72.0, y, text).raw("EMC")
    };
    let mut content = Content::default().paragraph(700.0);
    content = artifact(content, "BMC", 600.0, "Name of the applicant");
    content = artifact(content, "<< /Type /Layout >> BDC", 560.0, "Date of birth");
    let pagination = "<< /Type /Pagination /Subtype /Header >> BDC";
    content = artifact(content, pagination, 770.0, "Form for members of the choir");
    file.page(content);
    let markdown = file.markdown();
    assert!(markdown.contains("Name of the applicant"), "{markdown}");
    assert!(markdown.contains("Date of birth"), "{markdown}");
    assert!(!markdown.contains("choir"), "{markdown}");
}

#[test]
fn many_lines_in_another_direction_are_text() {
    let turned = |content: Content, x: f32, text: &str| {
        content.raw(&format!("BT /F1 10 Tf 0 1 -1 0 {x} 200 Tm ({text}) Tj ET"))
    };
    let mut file = File::new();
    let content = Content::default().paragraph(700.0);
    let content = turned(
        content,
        300.0,
        "Lanterns are kept in the second room on the left",
    );
    file.page(turned(content, 312.0, "of the stairs"));
    assert!(file.markdown().contains("Lanterns"));
    let mut file = File::new();
    file.page(turned(Content::default().paragraph(700.0), 20.0, "Draft"));
    assert!(!file.markdown().contains("Draft"));
}

#[test]
fn rotated_pages_have_blocks_with_boxes_as_displayed() {
    let mut file = File::new();
    // The text runs upwards on the page.
    let mut content = Content::default();
    for (line, text) in FULL.iter().enumerate() {
        let x = 100 + 12 * line;
        content = content.raw(&format!("BT /F1 10 Tf 0 1 -1 0 {x} 72 Tm ({text}) Tj ET"));
    }
    let content = content.text("F1", 8.0, 72.0, 40.0, "stamp");
    file.page(content);
    let found = blocks(&file.read());
    let paragraph = found
        .iter()
        .find(|block| block.kind == Kind::Paragraph)
        .unwrap();
    assert_eq!(paragraph.text.text, FULL.join(" "));
    let bounds = paragraph.bounds.unwrap();
    assert!(bounds.right - bounds.left < 50.0 && bounds.bottom - bounds.top > 200.0);
    assert!((bounds.bottom - 720.0).abs() < 2.0, "{bounds:?}");
    // Text in another direction is kept outside of the text.
    assert!(found.iter().any(|block| block.text.text == "stamp"));
    assert!(!written(&found).contains("stamp"));
}

/// A tagged file: the marked content of a page, and the elements of its structure tree, each with
/// its kind and the identifiers of its content.
fn tagged(content: Content, elements: &[(&str, &[u32])]) -> File {
    let mut file = File::new();
    let page = file.page(content);
    let root = file.pdf.reserve();
    let kids: Vec<String> = elements
        .iter()
        .map(|(kind, identifiers)| {
            let identifiers: Vec<String> = identifiers.iter().map(u32::to_string).collect();
            let kids = identifiers.join(" ");
            // As Chrome writes it.
            let inner = format!("<< /S /NonStruct /Pg {page} /K [{kids}] >>");
            let body = format!("<< /S /{kind} /P {root} /Pg {page} /K [{inner}] >>");
            file.pdf.add(body).to_string()
        })
        .collect();
    let kids = kids.join(" ");
    file.pdf.set(
        root,
        format!("<< /Type /StructTreeRoot /RoleMap << /Kopf /H2 >> /K [{kids}] >>"),
    );
    file.pdf.catalog(&format!("/StructTreeRoot {root}"));
    file
}

fn marked(content: Content, identifier: u32, y: f32, text: &str) -> Content {
    content
        .raw(&format!("/P << /MCID {identifier} >> BDC"))
        .text("F1", 10.0, 72.0, y, text)
        .raw("EMC")
}

#[test]
fn a_good_structure_tree_declares_blocks() {
    let lines = ["Plain words", FULL[0], FULL[1], "Another line"];
    let content = (0..)
        .zip(lines)
        .fold(Content::default(), |content, (line, text)| {
            marked(content, line, 700.0 - 12.0 * line as f32, text)
        });
    let file = tagged(content, &[("Kopf", &[0]), ("P", &[1, 2]), ("P", &[3])]);
    let found = blocks(&file.read());
    let kinds: Vec<Kind> = found.iter().map(|block| block.kind.clone()).collect();
    assert_eq!(kinds, [Kind::Heading(2), Kind::Paragraph, Kind::Paragraph]);
    assert_eq!(found[1].text.text, FULL[..2].join(" "));
    assert!(found.iter().all(|block| block.sureness == 1.0));
}

#[test]
fn a_structure_tree_with_a_paragraph_for_each_line_is_ignored() {
    let content = (0..)
        .zip(FULL)
        .fold(Content::default(), |content, (line, text)| {
            marked(content, line, 700.0 - 12.0 * line as f32, text)
        });
    let file = tagged(content, &[("P", &[0]), ("P", &[1]), ("P", &[2])]);
    let found = blocks(&file.read());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].text.text, FULL.join(" "));
    assert!(found[0].sureness < 1.0);
}

#[test]
fn structure_trees_in_circles_end() {
    let mut file = File::new();
    let content = marked(Content::default(), 0, 700.0, "text");
    let page = file.page(content);
    let root = file.pdf.reserve();
    let (first, second) = (file.pdf.reserve(), file.pdf.reserve());
    let element = |kid: Ref| format!("<< /S /P /Pg {page} /K [{kid} 0 {kid}] >>");
    let (of_first, of_second) = (element(second), element(first));
    file.pdf.set(first, of_first);
    file.pdf.set(second, of_second);
    file.pdf.set(root, format!("<< /K [{first} {root}] >>"));
    file.pdf.catalog(&format!("/StructTreeRoot {root}"));
    assert_eq!(file.markdown(), "text");
}

#[test]
fn deep_structure_trees_need_no_stack() {
    let mut file = File::new();
    let page = file.page(marked(Content::default(), 0, 700.0, "text"));
    let mut kid = file.pdf.add(format!("<< /S /P /Pg {page} /K 0 >>"));
    for _ in 0..20_000 {
        kid = file.pdf.add(format!("<< /S /L /K {kid} >>"));
    }
    file.pdf.catalog(&format!("/StructTreeRoot << /K {kid} >>"));
    assert_eq!(file.markdown(), "text");
}

#[test]
fn a_hundred_thousand_lines_are_bounded() {
    let mut file = File::new();
    let mut content = Content::default().paragraph(700.0);
    for line in 0..51_000 {
        let at = 10 + line % 580;
        content = content.raw(&format!("{at} 10 m {at} 600 l 10 {at} m 600 {at} l S"));
    }
    file.page(content);
    let outcome = file.read();
    assert!(written(&blocks(&outcome)).contains(FULL[0]));
    let failure = outcome.pages[0].failure.as_ref().unwrap();
    assert!(failure.message.contains("too many"), "{failure}");
}

#[test]
fn displayed_fractions_keep_their_bar() {
    let mut file = File::new();
    let formula = Content::default()
        .paragraph(740.0)
        .text("F1", 10.0, 200.0, 660.0, "x =")
        .text("F1", 10.0, 222.0, 667.0, "a + b")
        .raw("0.5 w 220 662.5 m 250 662.5 l S")
        .raw("BT /F1 10 Tf 222 652 Td (c) Tj 4 Ts /F1 7 Tf (2) Tj 0 Ts /F1 10 Tf ( - 1) Tj ET")
        .text("F1", 10.0, 254.0, 660.0, "+")
        .text("F1", 10.0, 264.0, 667.0, "1")
        .raw("264 662.5 m 270 662.5 l S")
        .text("F1", 10.0, 264.0, 652.0, "2")
        .text("F1", 10.0, 273.0, 660.0, "y");
    file.page(formula.paragraph(620.0));
    let markdown = file.markdown();
    assert!(
        markdown.contains("x = (a + b)/(c<sup>2</sup> - 1) + 1/2 y"),
        "{markdown}"
    );
}

#[test]
fn lines_below_words_and_through_them_are_no_fractions() {
    let mut file = File::new();
    let content = Content::default()
        .paragraph(740.0)
        .raw("72 738.5 m 96 738.5 l S 180 731 m 250 731 l S 72 718.5 m 110 718.5 l S");
    file.page(content);
    assert_eq!(file.markdown(), FULL.join(" "));
}

#[test]
fn a_single_drawn_bullet_inside_of_a_list_is_a_marker() {
    let mut file = File::new();
    file.page(
        Content::default()
            .paragraph(740.0)
            .raw("76 682 4 4 re f")
            .text("F1", 10.0, 90.0, 680.0, "one")
            .raw("94 670 3 3 re f")
            .text("F1", 10.0, 108.0, 668.0, "inside")
            .raw("76 658 4 4 re f")
            .text("F1", 10.0, 90.0, 656.0, "two"),
    );
    let markdown = file.markdown();
    assert!(markdown.ends_with("- one\n  - inside\n- two"), "{markdown}");
}

#[test]
fn fractions_and_roots_within_fractions_and_roots_keep_their_bars() {
    let mut file = File::new();
    let root = fonts::Type0 {
        to_unicode: &[(1, "√")],
        ..Default::default()
    };
    let root = root.add_to(&mut file.pdf);
    let sign = |x: f32, y: f32| format!("BT /F9 10 Tf {x} {y} Td <0001> Tj ET");
    let formula = Content::default()
        .paragraph(740.0)
        .text("F1", 10.0, 200.0, 660.0, "x =")
        // 1 above 1 + 2/3
        .text("F1", 10.0, 235.0, 667.0, "1")
        .raw("0.5 w 222 662.5 m 258 662.5 l S")
        .text("F1", 10.0, 222.0, 650.0, "1 +")
        .text("F1", 7.0, 246.0, 655.5, "2")
        .raw("244 652.5 m 252 652.5 l S")
        .text("F1", 7.0, 246.0, 646.0, "3")
        // The root of 5 and the root of y
        .text("F1", 10.0, 262.0, 660.0, "+")
        .raw(&sign(272.0, 668.0))
        .raw("282 670 m 330 670 l S")
        .text("F1", 10.0, 282.0, 660.0, "5 +")
        .raw(&sign(302.0, 668.0))
        .raw("312 669 m 318 669 l S")
        .text("F1", 10.0, 312.0, 660.0, "y");
    let page = file.page_of(formula.paragraph(620.0)).font("F9", root);
    file.pdf.page(page);
    let markdown = file.markdown();
    assert!(
        markdown.contains("x = 1/(1 + 2/3) + √(5 + √y)"),
        "{markdown}"
    );
}
