//! Tests with generated lines.

use super::{Declared, Entry, Line, OutlineEntry, Page, Pages, Precision, Role};
use crate::block::{Block, Bounds, Item, Kind};
use crate::markdown::{Options, markdown};
use crate::text::{MarkKind, Text};

const LEADING: f32 = 12.0;
const SIZE: f32 = 10.0;
/// The width of a character, as a share of the size.
const WIDTH: f32 = 0.5;

/// A page that is filled from top to bottom.
struct Sheet {
    entries: Vec<Entry>,
    block_sizes: Vec<(f32, usize)>,
    left: f32,
    y: f32,
    size: f32,
    mark: Option<MarkKind>,
}

impl Sheet {
    fn new() -> Self {
        Self {
            entries: Vec::new(),
            block_sizes: Vec::new(),
            left: 72.0,
            y: 100.0,
            size: SIZE,
            mark: None,
        }
    }

    /// Places the next lines here.
    fn at(mut self, left: f32, y: f32) -> Self {
        (self.left, self.y) = (left, y);
        self
    }

    /// The size and style of the next lines.
    fn style(mut self, size: f32, mark: Option<MarkKind>) -> Self {
        (self.size, self.mark) = (size, mark);
        self
    }

    /// Moves down.
    fn skip(mut self, distance: f32) -> Self {
        self.y += distance;
        self
    }

    fn line(mut self, text: &str) -> Self {
        let mut marked = Text::plain(text);
        if let Some(mark) = &self.mark {
            marked.mark(0..text.len(), mark.clone());
        }
        self.entries
            .push(entry(marked, self.left, self.y, self.size));
        self.y += LEADING.max(1.2 * self.size);
        self
    }

    fn lines(mut self, lines: &[&str]) -> Self {
        for line in lines {
            self = self.line(line);
        }
        self
    }

    fn entry(mut self, entry: Entry) -> Self {
        self.entries.push(entry);
        self
    }
}

fn entry(text: Text, left: f32, y: f32, size: f32) -> Entry {
    let width = WIDTH * size * text.text.chars().count() as f32;
    Entry::Line(Line {
        text,
        bounds: Bounds {
            left,
            top: y - 0.8 * size,
            right: left + width,
            bottom: y + 0.2 * size,
        },
        base: y,
        size,
        declared: None,
        run_in: None,
        gaps: 0,
        is_outside: false,
    })
}

fn blocks_of(sheets: Vec<Sheet>, outline: &[OutlineEntry]) -> Vec<Block> {
    let mut pages = Pages::new(Precision::Exact);
    for (sheet, number) in sheets.into_iter().zip(1..) {
        pages.push(Page {
            number,
            width: 612.0,
            height: 792.0,
            entries: sheet.entries,
            block_sizes: sheet.block_sizes,
        });
    }
    pages.finish(outline)
}

/// The blocks as pairs of kind and text.
fn found(sheets: Vec<Sheet>) -> Vec<(String, String)> {
    described(&blocks_of(sheets, &[]))
}

fn described(blocks: &[Block]) -> Vec<(String, String)> {
    let describe = |block: &Block| {
        let kind = match &block.kind {
            Kind::Heading(level) => format!("heading {level}"),
            Kind::Item(Item {
                number: Some(number),
                ..
            }) => format!("item {} {number}", block.level),
            Kind::Item(_) => format!("item {}", block.level),
            Kind::Footnote { label } => format!("footnote {label}"),
            kind => kind.name().to_owned(),
        };
        (kind, block.text.text.clone())
    };
    blocks.iter().map(describe).collect()
}

fn pairs<'a>(expected: &[(&'a str, &'a str)]) -> Vec<(String, String)> {
    let owned = |(kind, text): &(&str, &str)| ((*kind).to_owned(), (*text).to_owned());
    expected.iter().map(owned).collect()
}

/// Lines of a paragraph that fill a column.
const FULL: [&str; 4] = [
    "The quick brown fox jumps over the lazy dog and runs away into",
    "the deep and dark forest, where it meets many other animals of",
    "different kinds and sizes, some of which are friendly, and some",
    "of which are not so friendly at all, as they say to the others.",
];

#[test]
fn gaps_indents_and_short_lines_end_paragraphs() {
    let sheet = Sheet::new()
        .lines(&FULL)
        .skip(8.0)
        .lines(&FULL[..3])
        .line("of which end early.")
        .line("Another paragraph begins directly below the short line, so that")
        .lines(&FULL[1..])
        .at(87.0, 256.0)
        .line("An indent starts another one, without any gap above it. It")
        .at(72.0, 268.0)
        .lines(&FULL[1..]);
    let blocks = found(vec![sheet]);
    assert_eq!(blocks.len(), 4, "{blocks:#?}");
    assert!(blocks.iter().all(|block| block.0 == "paragraph"));
    assert_eq!(blocks[0].1, FULL.join(" "));
    assert!(blocks[2].1.starts_with("Another") && blocks[3].1.starts_with("An indent"));
}

#[test]
fn paragraphs_go_on_over_columns_pages_and_floats() {
    let caption = "Figure 1: A caption between the parts.";
    let first = Sheet::new()
        .lines(&FULL[..3])
        .line("The words of this paragraph go on, and its last one is divi-")
        .at(350.0, 100.0)
        .line("ded by the column. The next one is divided by the page discus-")
        .at(350.0, 150.0)
        .line(caption);
    let second = Sheet::new()
        .line("sion. It ends here.")
        .skip(20.0)
        .lines(&FULL);
    let blocks = found(vec![first, second]);
    assert_eq!(blocks.len(), 3, "{blocks:#?}");
    assert!(blocks[0].1.contains("last one is divided by the column"));
    assert!(
        blocks[0]
            .1
            .ends_with("by the page discussion. It ends here.")
    );
    assert_eq!(blocks[1], ("figure".to_owned(), caption.to_owned()));
}

#[test]
fn words_keep_the_hyphens_that_they_have_elsewhere() {
    let sheet = Sheet::new()
        .line("A well-known fact is that lines may end anywhere, also in a well-")
        .line("known word, in an exam-")
        .line("ple, in the year 1914-")
        .line("1918, and in a multi-part-");
    let sheet = sheet.line("word.");
    let blocks = found(vec![sheet]);
    let text: Vec<&str> = blocks.iter().map(|block| &*block.1).collect();
    assert_eq!(
        text.join("|"),
        "A well-known fact is that lines may end anywhere, also in a well-known word, in an \
         example, in the year 1914-1918, and in a multi-part-word."
    );
}

#[test]
fn running_lines_and_page_numbers_are_found_over_pages() {
    let sheets = (1..=4)
        .map(|number: i32| {
            let head = match number % 2 {
                0 => Sheet::new().at(72.0, 40.0).line("The Title of the Book"),
                _ => Sheet::new()
                    .at(300.0, 40.0)
                    .line(&format!("Chapter {number}  A Name")),
            };
            head.at(72.0, 100.0)
                .lines(&FULL)
                .at(300.0, 760.0)
                .line(&format!("{}", number + 16))
        })
        .collect();
    let blocks = found(sheets);
    let count = |kind: &str| blocks.iter().filter(|block| block.0 == kind).count();
    assert_eq!(count("page number"), 4, "{blocks:#?}");
    assert_eq!(count("running head"), 4, "{blocks:#?}");
    assert_eq!(count("paragraph"), 4);
}

#[test]
fn running_lines_of_facing_pages_have_their_number_on_other_sides() {
    let sheets = (15..18)
        .map(|number: i32| {
            let foot = match number % 2 {
                0 => format!("{number} Annual report of the year 2011"),
                _ => format!("Annual report of the year 2011 {number}"),
            };
            Sheet::new()
                .at(72.0, 300.0)
                .lines(&FULL)
                .style(1.3 * SIZE, None)
                .at(72.0, 760.0)
                .line(&foot)
        })
        .collect();
    let blocks = found(sheets);
    let feet = blocks.iter().filter(|block| block.0 == "running foot");
    assert_eq!(feet.count(), 3, "{blocks:#?}");
}

#[test]
fn running_heads_of_one_page_repeat_a_title_or_have_the_number_of_the_page() {
    let row = |text: &str, gaps: usize| {
        let Entry::Line(mut line) = entry(Text::plain(text), 72.0, 40.0, SIZE) else {
            unreachable!("it is a line");
        };
        line.gaps = gaps;
        Entry::Line(line)
    };
    let kind = |text: &str, gaps: usize| {
        let first = Sheet::new()
            .style(16.0, None)
            .line("Salt Marshes")
            .style(SIZE, None)
            .lines(&FULL);
        let second = Sheet::new()
            .entry(row(text, gaps))
            .at(72.0, 100.0)
            .lines(&FULL);
        let blocks = found(vec![first, second]);
        blocks[2].0.clone()
    };
    assert_eq!(kind("SALT MARSHES", 0), "running head");
    assert_eq!(kind("Report of 2021 Salt Marshes", 1), "running head");
    assert_eq!(kind("2 Chapter One. The Coast", 1), "running head");
    assert_eq!(kind("Report of 2021 Salt Marshes", 0), "paragraph");
    assert_eq!(kind("2 Chapter One. The Coast", 0), "paragraph");
    assert_eq!(kind("3 Chapter One. The Coast", 1), "paragraph");
}

#[test]
fn feet_with_the_number_of_the_page_may_be_close_to_a_note() {
    let sheets = (1..=3)
        .map(|number: i32| {
            let page = Sheet::new().lines(&FULL).at(72.0, 728.0);
            let note = page.line(&format!(
                "Another text of page {}",
                "abc".repeat(number as usize)
            ));
            note.line(&format!("A. Keeper The Coast {number} / 3"))
        })
        .collect();
    let blocks = found(sheets);
    let feet = blocks.iter().filter(|block| block.0 == "running foot");
    assert_eq!(feet.count(), 3, "{blocks:#?}");
}

#[test]
fn equal_pages_are_text() {
    let form = || {
        let head = Sheet::new()
            .at(72.0, 60.0)
            .line("Certificate of Attendance");
        head.at(72.0, 740.0).line("Harbour School, Room 4")
    };
    let found = found(vec![form(), form(), form()]);
    assert_eq!(found.len(), 6);
    assert!(found.iter().all(|(kind, _)| !kind.starts_with("running")));
}

#[test]
fn stamps_on_scanned_pages_are_running_lines() {
    let stamp = |page: u32| {
        let text = format!("Case 17, filed on Monday, Page {page} of 3");
        Sheet::new().at(72.0, 30.0).line(&text)
    };
    let found = found(vec![stamp(1), stamp(2), stamp(3)]);
    assert!(
        found.iter().all(|(kind, _)| kind == "running head"),
        "{found:?}"
    );
}

#[test]
fn pages_of_pictures_keep_the_running_lines_of_the_others() {
    let head = || Sheet::new().at(72.0, 40.0).line("A History of Lighthouses");
    let text = "The keepers lit the lamps every evening before the ships came in.";
    let found = found(vec![head().at(72.0, 100.0).line(text), head(), head()]);
    let running = found.iter().filter(|(kind, _)| kind == "running head");
    assert_eq!(running.count(), 3);
}

#[test]
fn titles_of_slides_are_no_running_heads() {
    let sheets = ["Introduction", "Methods", "Results", "Summary"]
        .map(|title| {
            Sheet::new()
                .style(24.0, None)
                .at(72.0, 60.0)
                .line(title)
                .style(SIZE, None)
                .skip(40.0)
                .lines(&FULL)
        })
        .into();
    let blocks = found(sheets);
    let headings: Vec<&str> = blocks
        .iter()
        .filter(|block| block.0 == "heading 1")
        .map(|block| &*block.1)
        .collect();
    assert_eq!(headings, ["Introduction", "Methods", "Results", "Summary"]);
}

#[test]
fn numbered_headings_at_the_top_are_neither_page_numbers_nor_running_heads() {
    let titles = ["1 Introduction", "2 Methods", "3 Results", "4 Summary"];
    for (size, mark) in [(14.0, None), (SIZE, Some(MarkKind::Strong))] {
        let sheets = titles
            .map(|title| {
                Sheet::new()
                    .style(size, mark.clone())
                    .at(72.0, 60.0)
                    .line(title)
                    .style(SIZE, None)
                    .skip(20.0)
                    .lines(&FULL)
            })
            .into();
        let blocks = found(sheets);
        let headings: Vec<&str> = blocks
            .iter()
            .filter(|block| block.0.starts_with("heading"))
            .map(|block| &*block.1)
            .collect();
        assert_eq!(headings, titles, "{blocks:#?}");
    }
}

#[test]
fn headings_have_levels_by_their_look_and_numbers() {
    let bold = || Some(MarkKind::Strong);
    let sheet = Sheet::new()
        .style(18.0, None)
        .line("A Document About")
        .line("Many Things")
        .style(12.0, None)
        .skip(10.0)
        .line("Ann Author")
        .skip(10.0)
        .style(SIZE, bold())
        .line("Abstract")
        .style(SIZE, None)
        .skip(4.0)
        .lines(&FULL)
        .style(14.0, bold())
        .skip(10.0)
        .line("1 Introduction")
        .style(SIZE, None)
        .skip(4.0)
        .lines(&FULL)
        .style(SIZE, bold())
        .skip(10.0)
        .line("1.1 The first part")
        .style(SIZE, None)
        .skip(4.0)
        .lines(&FULL)
        .style(14.0, bold())
        .skip(10.0)
        .line("References")
        .style(SIZE, None)
        .skip(4.0)
        .lines(&FULL);
    let blocks = found(vec![sheet]);
    let headings: Vec<(String, String)> = blocks
        .into_iter()
        .filter(|block| block.0.starts_with("heading"))
        .collect();
    let expected = [
        ("heading 1", "A Document About Many Things"),
        ("heading 3", "Abstract"),
        ("heading 2", "1 Introduction"),
        ("heading 3", "1.1 The first part"),
        ("heading 2", "References"),
    ];
    assert_eq!(headings, pairs(&expected));
}

/// The levels and texts of the headings of a document with these headings, by size, and a
/// paragraph after each size below 20.
fn levels(headings: &[(f32, &str)]) -> Vec<(String, String)> {
    let sheets = headings.chunks(4).map(|headings| {
        headings.iter().fold(Sheet::new(), |sheet, (size, text)| {
            let sheet = sheet
                .style(*size, None)
                .skip(10.0)
                .line(text)
                .style(SIZE, None);
            if *size < 20.0 {
                sheet.skip(4.0).lines(&FULL)
            } else {
                sheet
            }
        })
    });
    let blocks = found(sheets.collect());
    let headings = blocks
        .into_iter()
        .filter(|block| block.0.starts_with("heading"));
    headings.collect()
}

#[test]
fn parts_contain_chapters_and_chapters_sections() {
    let expected = [
        ("heading 1", "The Book"),
        ("heading 2", "Part I Rivers"),
        ("heading 3", "Chapter 1: Springs"),
        ("heading 4", "1.1 Water"),
        ("heading 4", "1.2 Stone"),
        ("heading 3", "Chapter 2: Mouths"),
        ("heading 4", "2.1 Sand"),
        ("heading 2", "Part II Lakes"),
        ("heading 3", "Chapter 3: Shores"),
        ("heading 4", "3.1 Reed"),
    ];
    let headings: Vec<(f32, &str)> = [30.0, 22.0, 16.0, 12.0, 12.0, 16.0, 12.0, 22.0, 16.0, 12.0]
        .into_iter()
        .zip(expected.iter().map(|heading| heading.1))
        .collect();
    assert_eq!(levels(&headings), pairs(&expected));
    // Parts and chapters may look alike.
    let alike: Vec<(f32, &str)> = headings
        .iter()
        .map(|(size, text)| (if *size == 22.0 { 16.0 } else { *size }, *text))
        .collect();
    assert_eq!(levels(&alike), pairs(&expected));
}

#[test]
fn numbers_that_start_over_are_below_the_heading_before() {
    let expected = [
        ("heading 1", "Handbook"),
        ("heading 2", "For pupils"),
        ("heading 3", "1 Books"),
        ("heading 3", "2 Pens"),
        ("heading 4", "2.1 Ink"),
        ("heading 2", "For teachers"),
        ("heading 3", "1 Chalk"),
        ("heading 3", "2 Maps"),
    ];
    let sizes = [30.0, 16.0, 14.0, 14.0, 12.0, 16.0, 14.0, 14.0];
    let headings = sizes
        .into_iter()
        .zip(expected.iter().map(|heading| heading.1));
    assert_eq!(levels(&headings.collect::<Vec<_>>()), pairs(&expected));
}

#[test]
fn the_number_of_a_chapter_belongs_to_its_title() {
    let chapter = |number: &str, title: &str| {
        Sheet::new()
            .line(number)
            .skip(8.0)
            .style(16.0, None)
            .line(title)
            .style(SIZE, None)
            .skip(8.0)
            .lines(&FULL)
    };
    let text = FULL.join(" ");
    let blocks = found(vec![
        chapter("Chapter One", "Rivers"),
        chapter("Chapter Two", "Lakes"),
    ]);
    let expected = [
        ("heading 1", "Chapter One Rivers"),
        ("paragraph", &*text),
        ("heading 1", "Chapter Two Lakes"),
        ("paragraph", &*text),
    ];
    assert_eq!(blocks, pairs(&expected));
}

#[test]
fn the_outline_may_have_titles_without_the_numbers_of_chapters() {
    let sheet = Sheet::new()
        .style(20.0, None)
        .line("Chapter 1")
        .line("Rivers")
        .style(SIZE, None)
        .skip(LEADING)
        .lines(&FULL);
    let outline = [OutlineEntry {
        title: "1 Rivers".into(),
        level: 1,
        page: Some(1),
    }];
    let blocks = described(&blocks_of(vec![sheet], &outline));
    assert_eq!(
        blocks.first(),
        Some(&("heading 1".to_owned(), "Chapter 1 Rivers".to_owned()))
    );
}

#[test]
fn a_centered_heading_is_apart_from_a_full_line_below_it() {
    // The line below is followed by another one at the same distance.
    let step = 2.0 * LEADING;
    let sheet = Sheet::new()
        .lines(&FULL)
        .skip(step)
        .at(200.0, 300.0)
        .style(SIZE, Some(MarkKind::Emphasis))
        .line("Scene 2")
        .at(72.0, 300.0 + step)
        .line("The reaction was stopped after forty minutes in all.")
        .style(SIZE, None)
        .at(72.0, 300.0 + 2.0 * step)
        .lines(&FULL);
    let blocks = described(&blocks_of(vec![sheet], &[]));
    assert!(
        blocks.iter().any(|block| block.1 == "Scene 2"),
        "{blocks:?}"
    );
}

#[test]
fn chapters_after_the_title_of_their_part_are_separate() {
    let sheet = Sheet::new()
        .style(16.0, None)
        .line("Part I. Rivers")
        .line("Chapter 1: Springs")
        .style(SIZE, None)
        .skip(6.0)
        .lines(&FULL);
    let blocks = found(vec![sheet]);
    assert_eq!(blocks[0].1, "Part I. Rivers");
    assert_eq!(
        blocks[1],
        ("heading 2".to_owned(), "Chapter 1: Springs".to_owned())
    );
}

#[test]
fn entries_of_an_index_are_separate() {
    let entries = [
        "bridges, 12, 24",
        "bridges of wood, 7–9",
        "canals, 3, 18, 101",
        "dams, 5, 20",
    ];
    let blocks = found(vec![Sheet::new().lines(&entries)]);
    assert_eq!(blocks.len(), entries.len(), "{blocks:?}");
}

#[test]
fn lines_of_an_address_are_separate() {
    let address = [
        "The Old Company Ltd",
        "Attn. Bert Smith",
        "45 Short Road",
        "London N1 4AB",
    ];
    let blocks = found(vec![Sheet::new().lines(&address).skip(20.0).lines(&FULL)]);
    assert_eq!(blocks.len(), address.len() + 1, "{blocks:?}");
    let prose = ["Water is cold in", "Winter. The sea", "Freezes then."];
    assert_eq!(found(vec![Sheet::new().lines(&prose)]).len(), 1);
}

#[test]
fn headings_of_tables_are_larger_than_the_text_of_the_tables() {
    let mut sheet = Sheet::new().style(13.0, None);
    sheet.block_sizes.push((9.0, 400));
    for name in ["North", "South", "East"] {
        let table = Block::new(Kind::Table(Box::default()), Text::default());
        sheet = sheet.line(name).entry(Entry::Block(Box::new(table)));
    }
    let blocks = found(vec![sheet]);
    assert_eq!(
        blocks
            .iter()
            .filter(|block| block.0.starts_with("heading"))
            .count(),
        3
    );
}

#[test]
fn entries_of_a_table_of_contents_are_no_headings() {
    let sheet = Sheet::new()
        .style(SIZE, Some(MarkKind::Strong))
        .line("5.1 Mitigation ......................................... 5-1")
        .line("5.2 Effects ............................................ 5-ii")
        .line("A.1 Sources ............................................ A–12")
        .style(SIZE, None)
        .skip(12.0)
        .lines(&FULL);
    let kinds: Vec<String> = found(vec![sheet])
        .into_iter()
        .map(|block| block.0)
        .collect();
    assert_eq!(kinds, ["paragraph"; 4]);
}

#[test]
fn points_of_an_agenda_are_not_the_headings_of_the_outline() {
    let entry = |title: &str| OutlineEntry {
        level: 1,
        title: title.to_owned(),
        page: Some(1),
    };
    let bold = Some(MarkKind::Strong);
    let sheet = Sheet::new()
        .lines(&["1. Opening", "2. Elections"])
        .skip(20.0)
        .style(SIZE, bold.clone())
        .line("1. Opening")
        .style(SIZE, None)
        .lines(&FULL)
        .skip(20.0)
        .style(SIZE, bold)
        .line("2. Elections")
        .style(SIZE, None)
        .lines(&FULL);
    let text = FULL.join(" ");
    let outline = [entry("1. Opening"), entry("2. Elections")];
    assert_eq!(
        described(&blocks_of(vec![sheet], &outline)),
        pairs(&[
            ("item 1 1", "Opening"),
            ("item 1 2", "Elections"),
            ("heading 1", "1. Opening"),
            ("paragraph", &text),
            ("heading 1", "2. Elections"),
            ("paragraph", &text),
        ])
    );
}

#[test]
fn boxes_are_tasks_and_signs_alone_are_not_items() {
    let sheet = Sheet::new()
        .lines(&FULL)
        .skip(10.0)
        .line("* * *")
        .skip(10.0)
        .lines(&["☐ Turn off the gas", "☑ Lock the door"]);
    let blocks = blocks_of(vec![sheet], &[]);
    assert_eq!(
        markdown(&blocks, &Options::default()),
        format!(
            "{}\n\n\\* * *\n\n- [ ] Turn off the gas\n- [x] Lock the door",
            FULL.join(" ")
        )
    );
}

#[test]
fn a_heading_may_have_its_number_on_a_line_without_letters() {
    let sheet = Sheet::new()
        .lines(&FULL)
        .skip(20.0)
        .style(SIZE, Some(MarkKind::Strong));
    let y = sheet.y;
    let sheet = (sheet.at(237.5, y).line("§ 1"))
        .at(200.0, y + LEADING)
        .line("General provisions")
        .style(SIZE, None)
        .at(72.0, y + 40.0)
        .lines(&FULL);
    let heading = ("heading 1".to_owned(), "§ 1 General provisions".to_owned());
    assert_eq!(found(vec![sheet])[1], heading);
}

#[test]
fn numbers_on_the_right_are_markers_of_text_from_right_to_left() {
    let lines = [
        "1. גשם כבד הציף את הדרך התחתונה",
        "2. כל משתתף",
        "3. המועצה אישרה את",
    ];
    let right = 500.0;
    let sheet = lines.iter().fold(Sheet::new(), |sheet, line| {
        let width = WIDTH * SIZE * line.chars().count() as f32;
        let y = sheet.y;
        sheet.at(right - width, y).line(line)
    });
    let kinds: Vec<String> = found(vec![sheet])
        .into_iter()
        .map(|block| block.0)
        .collect();
    assert_eq!(kinds, ["item 1 1", "item 1 2", "item 1 3"]);
}

#[test]
fn the_outline_declares_levels_and_headings_without_a_look() {
    let sheet = Sheet::new()
        .line("Beginnings")
        .skip(12.0)
        .lines(&FULL)
        .skip(12.0)
        .line("A part")
        .skip(12.0)
        .lines(&FULL);
    let entry = |level, title: &str| OutlineEntry {
        level,
        title: title.to_owned(),
        page: Some(1),
    };
    let outline = [entry(1, "1. Beginnings"), entry(2, "A  part")];
    let blocks = described(&blocks_of(vec![sheet], &outline));
    let kinds: Vec<&str> = blocks.iter().map(|block| &*block.0).collect();
    assert_eq!(kinds, ["heading 1", "paragraph", "heading 2", "paragraph"]);
}

#[test]
fn lists_have_levels_and_numbers() {
    let sheet = Sheet::new()
        .lines(&FULL)
        .skip(6.0)
        .line("• one")
        .at(82.0, 166.0)
        .line("– a part of it")
        .line("– another part")
        .at(72.0, 190.0)
        .line("• two")
        .skip(12.0)
        .line("3. three, which is so long that it goes on in the next line of")
        .at(84.0, 226.0)
        .line("the page")
        .at(72.0, 238.0)
        .line("4. four");
    let blocks = found(vec![sheet]);
    let expected = [
        ("paragraph", &*FULL.join(" ")),
        ("item 1", "one"),
        ("item 2", "a part of it"),
        ("item 2", "another part"),
        ("item 1", "two"),
        (
            "item 1 3",
            "three, which is so long that it goes on in the next line of the page",
        ),
        ("item 1 4", "four"),
    ];
    assert_eq!(blocks, pairs(&expected));
}

#[test]
fn items_that_fill_their_line_are_followed_by_items() {
    let lines = [
        "1. The quick brown fox jumps over the lazy dog and runs away to",
        "2. the deep and dark forest, where it meets many other animals",
        "3. of different kinds and sizes",
    ];
    let sheet = Sheet::new().lines(&FULL).skip(6.0).lines(&lines);
    let kinds: Vec<String> = found(vec![sheet])
        .into_iter()
        .map(|block| block.0)
        .collect();
    assert_eq!(kinds, ["paragraph", "item 1 1", "item 1 2", "item 1 3"]);
}

#[test]
fn numbers_and_dashes_at_the_start_of_a_line_are_no_items() {
    let sheet = Sheet::new()
        .line("The quick brown fox jumps over the lazy dog in the summer of 19")
        .line("7. That was long ago, and everybody has forgotten it – or nearly")
        .line("– but not the dog, who remembers everything that happened to it.");
    assert_eq!(found(vec![sheet]).len(), 1);
}

#[test]
fn signs_that_words_or_cells_have_mark_notes() {
    let sheet = Sheet::new()
        .lines(&FULL)
        .line("The rate* is that of 2020, and the other one is not known.")
        .skip(30.0)
        .line("* Per 100,000 people.")
        .line("† Not applicable.");
    let blocks = found(vec![sheet]);
    let last = blocks.get(blocks.len() - 2..).unwrap();
    assert_eq!(
        last,
        pairs(&[
            ("paragraph", "* Per 100,000 people."),
            ("paragraph", "† Not applicable."),
        ])
    );
    // A dash that is alone in a cell of a table, and one that is not.
    let mut cell = crate::block::Cell::new(1, 1, false);
    cell.blocks
        .push(Block::new(Kind::Paragraph, Text::plain("–")));
    let table = crate::Table {
        caption: None,
        header_rows: 0,
        rows: vec![vec![cell]],
    };
    let note = |sheet: Sheet| found(vec![sheet.skip(30.0).line("– Not available.")]);
    let table = Block::new(Kind::Table(Box::new(table)), Text::default());
    let with_table = Sheet::new().entry(Entry::Block(Box::new(table)));
    assert_eq!(note(with_table)[1].0, "paragraph");
    assert_eq!(note(Sheet::new())[0].0, "item 1");
    // Three asterisks are a list.
    let list = Sheet::new()
        .line("The fruit* in this list:")
        .skip(10.0)
        .lines(&["* apples", "* pears", "* plums"]);
    let kinds: Vec<String> = found(vec![list]).into_iter().map(|block| block.0).collect();
    assert_eq!(kinds, ["paragraph", "item 1", "item 1", "item 1"]);
    // Nothing before the items refers to them.
    let list = Sheet::new()
        .lines(&["* apples", "* pears"])
        .skip(20.0)
        .line("The language C* is not about fruit.");
    let kinds: Vec<String> = found(vec![list]).into_iter().map(|block| block.0).collect();
    assert_eq!(kinds, ["item 1", "item 1", "paragraph"]);
}

#[test]
fn numbers_without_a_sequence_are_no_items() {
    let kinds = |lines: &[&str]| {
        let sheet = lines
            .iter()
            .fold(Sheet::new(), |sheet, line| sheet.line(line).skip(12.0));
        let blocks = found(vec![sheet]);
        blocks.into_iter().map(|block| block.0).collect::<Vec<_>>()
    };
    // A citation in an earlier sentence is not an item, so the next number is not one, either.
    assert_eq!(
        kinds(&[
            "It has parts, among them (1) an engine,",
            "(12) Section of the law."
        ]),
        ["paragraph", "paragraph"]
    );
    assert_eq!(
        kinds(&["(155) The first.", "(156) The second.", "(157) The third."]),
        ["item 1", "item 1", "item 1"]
    );
    // The initials of authors, and letters from A.
    assert_eq!(
        kinds(&["L. Ljung. A book, 1999.", "M. Panov. Another one, 2015."]),
        ["paragraph", "paragraph"]
    );
    assert_eq!(
        kinds(&["A. The first.", "B. The second.", "C. The third."]),
        ["item 1", "item 1", "item 1"]
    );
}

#[test]
fn letters_of_clauses_are_part_of_their_text() {
    let lines = ["(a) The first.", "(b) The second.", "(c) The third."];
    let sheet = lines
        .iter()
        .fold(Sheet::new(), |sheet, line| sheet.line(line).skip(12.0));
    let texts: Vec<String> = found(vec![sheet])
        .into_iter()
        .map(|block| block.1)
        .collect();
    assert_eq!(texts, lines);
}

#[test]
fn entries_with_a_hanging_indent_are_one_paragraph() {
    let mut sheet = Sheet::new().lines(&FULL).skip(20.0);
    let first = "Ada Sample and Bob Example. A long title of a work that fills th";
    let second = "of two lines, 1999.";
    for _ in 0..3 {
        let y = sheet.y;
        sheet = sheet.at(72.0, y).line(first);
        let y = sheet.y;
        sheet = sheet.at(92.0, y).line(second);
    }
    let blocks = found(vec![sheet]);
    assert_eq!(blocks.len(), 4, "{blocks:#?}");
    assert!(
        blocks[1..]
            .iter()
            .all(|block| block.1 == format!("{first} {second}"))
    );
}

#[test]
fn footnotes_may_have_their_number_in_brackets() {
    let mut line = Text::plain("Some training is public (6).");
    line.mark(24..27, MarkKind::Superscript);
    let sheet = Sheet::new()
        .lines(&FULL)
        .entry(entry(line, 72.0, 148.0, SIZE))
        .at(72.0, 700.0)
        .style(7.0, None)
        .line("(6) Labour Force Survey, 2006.");
    let blocks = found(vec![sheet]);
    assert_eq!(
        blocks.last(),
        pairs(&[("footnote 6", "Labour Force Survey, 2006.")]).first()
    );
}

#[test]
fn listings_and_captions_of_tables_are_no_labels_of_figures() {
    let sheet = Sheet::new().lines(&FULL).skip(20.0);
    let code = ["boil water", "  add tea", "  wait", "pour tea"];
    let sheet = sheet.style(8.0, Some(MarkKind::Code)).lines(&code);
    let sheet = sheet.style(SIZE, None).skip(10.0);
    let sheet = sheet.line("Figure 1: How to make tea").skip(20.0);
    let sheet = sheet
        .style(8.0, None)
        .lines(&["Table 1: Teas", "green", "black", "white"]);
    let sheet = sheet.style(SIZE, None).skip(20.0).lines(&FULL);
    let text = markdown(&blocks_of(vec![sheet], &[]), &Options::default());
    for line in ["add tea", "Table 1: Teas"] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn code_at_the_top_is_no_running_head() {
    let page = |code: &str| {
        let sheet = Sheet::new()
            .at(72.0, 60.0)
            .style(SIZE, Some(MarkKind::Code));
        let sheet = sheet.line(code).style(SIZE, None).skip(40.0);
        sheet.lines(&FULL).skip(20.0).lines(&FULL)
    };
    let found = found(vec![page("7 count('tea', 0)"), page("1 stop('tea')")]);
    assert!(
        found.iter().all(|(kind, _)| !kind.starts_with("running")),
        "{found:?}"
    );
}

#[test]
fn titles_beside_the_numbers_of_an_axis_are_no_headings() {
    let title = |sheet: Sheet, text: &str| {
        let strong = Some(MarkKind::Strong);
        sheet
            .style(SIZE, strong)
            .line(text)
            .style(SIZE, None)
            .skip(40.0)
    };
    let plot = |sheet: Sheet| {
        let sheet = title(sheet, "Errors by Month")
            .line("0 20 40 60 80 100")
            .skip(20.0);
        title(sheet, "Errors by Year")
            .line("0.0 0.5 1.0 1.5")
            .skip(20.0)
    };
    let sheet = title(Sheet::new().lines(&FULL).skip(20.0), "Results").lines(&FULL);
    let sheet = plot(sheet.skip(20.0)).lines(&FULL);
    let blocks = found(vec![sheet]);
    let headings = blocks.iter().filter(|block| block.0.starts_with("heading"));
    let headings: Vec<&str> = headings.map(|block| block.1.as_str()).collect();
    assert_eq!(headings, ["Results"]);
}

#[test]
fn numbers_of_lines_in_the_margin_are_no_text() {
    let page = |step: usize, count: usize| {
        let mut sheet = Sheet::new();
        for place in 0..count {
            let y = 90.0 + 24.0 * place as f32;
            let number = (1 + place * step).to_string();
            let left = 60.0 - WIDTH * SIZE * number.len() as f32;
            sheet = sheet.at(left, y).line(&number);
            sheet = sheet.at(90.0, y).line(FULL[place % 4]);
        }
        found(vec![sheet])
    };
    let has_number = |blocks: &[(String, String)], number: &str| {
        let is_it = |block: &(String, String)| block.1.split(' ').any(|word| word == number);
        blocks
            .iter()
            .filter(|block| block.0 != "page number")
            .any(is_it)
    };
    assert!(!has_number(&page(1, 25), "7"));
    assert!(!has_number(&page(5, 25), "11"));
    // Few numbers may be anything.
    assert!(has_number(&page(1, 9), "7"));
}

#[test]
fn headings_of_sections_that_follow_each_other_are_separate() {
    let strong = Some(MarkKind::Strong);
    let sheet = Sheet::new()
        .lines(&FULL)
        .skip(20.0)
        .style(14.0, strong)
        .line("2.1.1 General")
        .line("2.1.2 Operators, which go on in")
        .line("the next line")
        .line("2.1.3 Numbers")
        .style(SIZE, None)
        .skip(20.0)
        .lines(&FULL);
    let blocks = found(vec![sheet]);
    let headings = blocks.iter().filter(|block| block.0.starts_with("heading"));
    let headings: Vec<&str> = headings.map(|block| block.1.as_str()).collect();
    assert_eq!(
        headings,
        [
            "2.1.1 General",
            "2.1.2 Operators, which go on in the next line",
            "2.1.3 Numbers",
        ]
    );
}

#[test]
fn lines_with_wide_gaps_are_rows_and_no_headings() {
    let with_gaps = |gaps: usize| {
        let mut text = Text::plain("Duty Description Office");
        text.mark(0..text.text.len(), MarkKind::Strong);
        let mut header = entry(text, 72.0, 180.0, SIZE);
        if let Entry::Line(line) = &mut header {
            line.gaps = gaps;
        }
        let sheet = Sheet::new().lines(&FULL).entry(header).at(72.0, 210.0);
        found(vec![sheet.lines(&FULL)]).swap_remove(1).0
    };
    assert_eq!(with_gaps(2), "paragraph");
    // As between a title and a date.
    assert_eq!(with_gaps(1), "heading 1");
}

#[test]
fn the_lines_of_a_formula_are_one_paragraph() {
    let formula = |text: &str, left: f32, y: f32| {
        let mut marked = Text::plain(text);
        marked.mark(
            0..text.len(),
            MarkKind::LinearFormula(format!("${text}$").into()),
        );
        entry(marked, left, y, SIZE)
    };
    // A fraction with a sum, and its number.
    let sheet = Sheet::new()
        .lines(&FULL)
        .entry(formula("R = 1 −", 200.0, 170.0))
        .entry(formula("S", 246.0, 163.0))
        .entry(formula("+ T", 246.0, 177.0))
        .entry(entry(Text::plain(", (2)"), 270.0, 170.0, SIZE))
        .at(72.0, 200.0)
        .line("where the words of the text go on.");
    let blocks = found(vec![sheet]);
    assert_eq!(
        blocks[1..],
        pairs(&[
            ("paragraph", "R = 1 − S + T , (2)"),
            ("paragraph", "where the words of the text go on."),
        ])
    );
}

#[test]
fn code_keeps_its_lines_and_indents() {
    let sheet = Sheet::new()
        .lines(&FULL)
        .skip(6.0)
        .style(SIZE, Some(MarkKind::Code))
        .line("fn main() {")
        .at(92.0, 166.0)
        .line("work();")
        .at(72.0, 190.0)
        .line("}")
        .style(SIZE, None)
        .skip(6.0)
        .lines(&FULL);
    let blocks = found(vec![sheet]);
    assert_eq!(
        blocks[1],
        (
            "code".to_owned(),
            "fn main() {\n    work();\n\n}".to_owned()
        )
    );
    assert_eq!(blocks.len(), 3);
}

#[test]
fn addresses_are_no_blocks_of_code() {
    let code = |text: &str, y: f32| {
        let mut marked = Text::plain(text);
        marked.mark(0..text.len(), MarkKind::Code);
        entry(marked, 72.0, y, SIZE)
    };
    let sheet = Sheet::new()
        .lines(&FULL[..2])
        .entry(code("https://example.org/animals).", 124.0))
        .at(72.0, 136.0)
        .lines(&FULL[2..])
        .entry(code("ann@example.org", 180.0))
        .at(72.0, 210.0)
        .line("The quick brown fox.")
        .entry(code("import example", 240.0));
    let found = found(vec![sheet]);
    let text = format!("{} https://example.org/animals).", FULL[..2].join(" "));
    let expected = [
        ("paragraph", &*text),
        ("paragraph", &*FULL[2..].join(" ")),
        ("paragraph", "ann@example.org"),
        ("paragraph", "The quick brown fox."),
        ("code", "import example"),
    ];
    assert_eq!(found, pairs(&expected));
}

#[test]
fn numbers_of_lines_are_no_part_of_code() {
    let sheet = Sheet::new()
        .lines(&FULL)
        .skip(6.0)
        .style(SIZE, Some(MarkKind::Code))
        .lines(&["10 if x:", "11     work(1,"])
        .at(122.0, 178.0)
        .line("2)")
        .at(72.0, 190.0)
        .lines(&["12", "13 done()"])
        .style(SIZE, None)
        .skip(6.0)
        .lines(&FULL);
    let blocks = found(vec![sheet]);
    let expected = "if x:\n    work(1,\n       2)\n\ndone()";
    assert_eq!(blocks[1], ("code".to_owned(), expected.to_owned()));
}

#[test]
fn captions_are_not_sentences_about_figures() {
    let sheet = Sheet::new()
        .line("Figure 3 shows what happens if the fox meets the dog. It is")
        .lines(&FULL[1..])
        .skip(20.0)
        .line("Table 2. Animals of the forest")
        .skip(20.0)
        .line("Fig. 4 The forest");
    let kinds: Vec<String> = found(vec![sheet])
        .into_iter()
        .map(|block| block.0)
        .collect();
    assert_eq!(kinds, ["paragraph", "figure", "figure"]);
}

#[test]
fn footnotes_need_a_reference_and_have_unique_labels() {
    let page = |name: &str| {
        let mut text = Text::plain("of which have a note1 at the bottom of the page, as they say.");
        text.mark(20..21, MarkKind::Superscript);
        let reference = entry(text, 72.0, 136.0, SIZE);
        let mut note = Text::plain(format!("1 The note of {name}."));
        note.mark(0..1, MarkKind::Superscript);
        Sheet::new()
            .line(&format!(
                "{name} is the first word of this page, and it goes on"
            ))
            .lines(&FULL[1..3])
            .entry(reference)
            .entry(entry(note, 72.0, 700.0, 8.0))
            .style(8.0, None)
            .at(72.0, 720.0)
            .line(&format!("2 Small text of {name} without a reference."))
    };
    let blocks = blocks_of(vec![page("Ann"), page("Bob")], &[]);
    let described = described(&blocks);
    let expected = [
        "paragraph",
        "footnote 1",
        "paragraph",
        "paragraph",
        "footnote 1-2",
        "paragraph",
    ];
    let kinds: Vec<&str> = described.iter().map(|block| &*block.0).collect();
    assert_eq!(kinds, expected, "{described:#?}");
    assert_eq!(described[1].1, "The note of Ann.");
    assert!(markdown(&blocks, &Options::default()).contains("have a note[^1-2] at"));
}

#[test]
fn footnotes_below_all_text_may_be_as_large_as_the_text() {
    let marked = |text: &str, at: usize, y: f32| {
        let mut text = Text::plain(text);
        text.mark(at..at + 1, MarkKind::Superscript);
        entry(text, 72.0, y, SIZE)
    };
    let kinds = |last: &str| {
        let sheet = Sheet::new()
            .lines(&FULL)
            .entry(marked(
                "of which have a note1 at the bottom of the page, they say.",
                20,
                136.0,
            ))
            .entry(marked("1 The note is here.", 0, 700.0))
            .at(72.0, 740.0);
        let sheet = if last.is_empty() {
            sheet
        } else {
            sheet.line(last)
        };
        let blocks = found(vec![sheet]);
        blocks.into_iter().map(|block| block.0).collect::<Vec<_>>()
    };
    assert_eq!(kinds(""), ["paragraph", "paragraph", "footnote 1"]);
    assert_eq!(kinds("More text."), ["paragraph"; 4]);
}

#[test]
fn notes_at_the_foot_of_several_pages_are_no_running_feet() {
    for sign in ["3", "*"] {
        let page = |name: &str| {
            let mut text = Text::plain(format!("{name} has a note{sign} at the bottom of it."));
            let end = name.len() + 11;
            text.mark(end..end + 1, MarkKind::Superscript);
            let mut note = Text::plain(format!("{sign} Ibid., {name}."));
            if sign == "3" {
                note.mark(0..1, MarkKind::Superscript);
            }
            Sheet::new()
                .entry(entry(text, 72.0, 100.0, SIZE))
                .at(72.0, 112.0)
                .lines(&FULL)
                .entry(entry(note, 72.0, 740.0, 8.0))
        };
        let pages = ["Ann", "Bob", "Cid", "Dan"].map(page);
        let kinds: Vec<String> = found(pages.into()).into_iter().map(|it| it.0).collect();
        assert!(!kinds.contains(&"running foot".to_owned()), "{kinds:?}");
        assert!(!kinds.contains(&"page number".to_owned()), "{kinds:?}");
    }
}

#[test]
fn an_exponent_is_no_reference_to_a_note_in_brackets() {
    let sheet = |before: &str, after: &str| {
        let mut text = Text::plain(format!("A forest of 25 km{before}2{after}, more or less."));
        let at = 17 + before.len();
        text.mark(at..at + 1, MarkKind::Superscript);
        Sheet::new()
            .entry(entry(text, 72.0, 100.0, SIZE))
            .at(72.0, 124.0)
            .lines(&FULL)
            .entry(entry(Text::plain("(2) Without roads."), 72.0, 700.0, 8.0))
    };
    let is_note = |sheet: Sheet| found(vec![sheet]).iter().any(|it| it.0 == "footnote 2");
    assert!(!is_note(sheet("", "")));
    assert!(is_note(sheet("(", ")")));
}

#[test]
fn footnotes_follow_the_block_or_list_with_their_reference() {
    let mut item = Text::plain("- An item with a note1");
    item.mark(21..22, MarkKind::Superscript);
    let mut exponent = Text::plain("of which x2 is a part, as they say.");
    exponent.mark(10..11, MarkKind::Superscript);
    exponent.mark(9..11, MarkKind::LinearFormula("$x^{2}$".into()));
    let note = |text: &str, y: f32| {
        let mut note = Text::plain(text);
        note.mark(0..1, MarkKind::Superscript);
        note.mark(1..text.len(), MarkKind::Code);
        entry(note, 72.0, y, 8.0)
    };
    let sheet = Sheet::new()
        .line("A list:")
        .entry(entry(item, 72.0, 112.0, SIZE))
        .entry(entry(Text::plain("- another item"), 72.0, 124.0, SIZE))
        .at(72.0, 148.0)
        .lines(&FULL[..2])
        .entry(entry(exponent, 72.0, 172.0, SIZE))
        .entry(note("1https://example.org/one", 700.0))
        .entry(note("2https://example.org/two", 709.6));
    let expected = [
        ("paragraph", "A list:"),
        ("item 1", "An item with a note1"),
        ("item 1", "another item"),
        ("footnote 1", "https://example.org/one"),
    ];
    let found = found(vec![sheet]);
    assert_eq!(found[..4], pairs(&expected), "{found:#?}");
    let kinds: Vec<&str> = found.iter().map(|(kind, _)| &**kind).collect();
    // Without a reference, the second note is a paragraph, and neither is code.
    assert_eq!(kinds[4..], ["paragraph", "paragraph"], "{found:#?}");
}

#[test]
fn references_to_several_footnotes_are_raised_together() {
    let mut reference = Text::plain("Two notes1, 2 belong to it.");
    reference.mark(9..13, MarkKind::Superscript);
    let note = |text: &str, y: f32| {
        let mut note = Text::plain(text);
        note.mark(0..1, MarkKind::Superscript);
        entry(note, 72.0, y, 8.0)
    };
    let sheet = Sheet::new()
        .entry(entry(reference, 72.0, 100.0, SIZE))
        .at(72.0, 124.0)
        .lines(&FULL)
        .entry(note("1 The first note.", 700.0))
        .entry(note("2 The second note.", 709.6));
    let markdown = markdown(&blocks_of(vec![sheet], &[]), &Options::default());
    let start =
        "Two notes[^1], [^2] belong to it.\n\n[^1]: The first note.\n\n[^2]: The second note.\n\n";
    assert!(markdown.starts_with(start), "{markdown}");
}

#[test]
fn footnotes_stay_on_their_page() {
    let mut end = Text::plain("and some1 of which are not.");
    end.mark(8..9, MarkKind::Superscript);
    let mut note = Text::plain("1 The note.");
    note.mark(0..1, MarkKind::Superscript);
    let first = Sheet::new().lines(&FULL[..2]);
    let second = Sheet::new()
        .entry(entry(end, 72.0, 100.0, SIZE))
        .at(72.0, 136.0)
        .lines(&FULL)
        .entry(entry(note, 72.0, 700.0, 8.0));
    let blocks = blocks_of(vec![first, second], &[]);
    let pages: Vec<_> = blocks
        .iter()
        .map(|block| (block.kind.name(), block.page))
        .collect();
    let expected = [
        ("paragraph", Some(1)),
        ("footnote", Some(2)),
        ("paragraph", Some(2)),
    ];
    assert_eq!(pages, expected);
}

#[test]
fn a_footnote_may_be_on_the_next_page() {
    let mut end = Text::plain("A text with a note1.");
    end.mark(18..19, MarkKind::Superscript);
    let first = Sheet::new().entry(entry(end, 72.0, 500.0, SIZE));
    let note = |text: &str, y| {
        let mut note = Text::plain(text);
        note.mark(0..1, MarkKind::Superscript);
        entry(note, 72.0, y, 8.0)
    };
    let second = Sheet::new().lines(&FULL).entry(note("1 The note.", 640.0));
    let third = Sheet::new()
        .lines(&FULL)
        .entry(note("1 Words of another kind.", 600.0));
    let blocks = blocks_of(vec![first, second, third], &[]);
    let notes = blocks
        .iter()
        .filter(|block| matches!(block.kind, Kind::Footnote { .. }));
    // The second one has no reference.
    assert_eq!(notes.map(|note| note.page).collect::<Vec<_>>(), [Some(2)]);
}

#[test]
fn declared_roles_are_sure() {
    let declared = |entry: Entry, block, role| match entry {
        Entry::Line(line) => Entry::Line(Line {
            declared: Some(Declared {
                block,
                role: Some(role),
            }),
            ..line
        }),
        block @ Entry::Block(_) => block,
    };
    let line = |text: &str, y| entry(Text::plain(text), 72.0, y, SIZE);
    let sheet = Sheet::new()
        .entry(declared(line("Plain words", 100.0), 1, Role::Heading(3)))
        .entry(declared(
            line("First line of an item", 112.0),
            2,
            Role::Item(2),
        ))
        .entry(declared(line("Second line", 160.0), 2, Role::Item(2)))
        .entry(declared(line("17", 172.0), 3, Role::PageNumber));
    let blocks = blocks_of(vec![sheet], &[]);
    let expected = [
        ("heading 3", "Plain words"),
        ("item 1", "First line of an item Second line"),
        ("page number", "17"),
    ];
    assert_eq!(described(&blocks), pairs(&expected));
    assert!(blocks.iter().all(|block| block.sureness == 1.0));
}

#[test]
fn finished_blocks_keep_their_place() {
    let table = Block::new(Kind::Table(Box::default()), Text::default());
    let sheet = Sheet::new()
        .lines(&FULL)
        .entry(Entry::Block(Box::new(table)))
        .skip(40.0)
        .lines(&FULL);
    let kinds: Vec<String> = found(vec![sheet])
        .into_iter()
        .map(|block| block.0)
        .collect();
    assert_eq!(kinds, ["paragraph", "table", "paragraph"]);
}

#[test]
fn hostile_lines_are_survived() {
    let numbers = [f32::NAN, f32::INFINITY, -1e30, 0.0, 1e30];
    let mut sheet = Sheet::new();
    for (index, number) in numbers.iter().cycle().take(20_000).enumerate() {
        let mut line = entry(
            Text::plain(format!("{index}. x 1")),
            *number,
            *number,
            *number,
        );
        if let (Entry::Line(line), true) = (&mut line, index % 2 == 0) {
            line.text.mark(0..1, MarkKind::Superscript);
            (line.base, line.size) = (100.0, 10.0);
        }
        sheet = sheet.entry(line);
    }
    let blocks = blocks_of(vec![sheet], &[]);
    let letters = |text: &str| text.matches('x').count();
    let all: usize = blocks.iter().map(|block| letters(&block.text.text)).sum();
    assert_eq!(all, 20_000);
}

#[test]
fn typed_rules_separate_text_and_are_none() {
    let sheet = Sheet::new().lines(&[
        "This is the text of the order, which the court has",
        "made on this day",
        "______________________",
        "JOHN DOE",
        "District Judge",
        "________",
        "Name: ________ of the clerk, who has read all of it",
        "and signed it.",
    ]);
    assert_eq!(
        found(vec![sheet]),
        pairs(&[
            (
                "paragraph",
                "This is the text of the order, which the court has made on this day"
            ),
            ("paragraph", "JOHN DOE"),
            ("paragraph", "District Judge"),
            (
                "paragraph",
                "Name: ________ of the clerk, who has read all of it and signed it."
            ),
        ])
    );
}

#[test]
fn a_short_heading_in_the_middle_is_apart_from_double_spaced_text() {
    let mut sheet = Sheet::new().style(SIZE, Some(MarkKind::Strong));
    sheet = sheet.at(200.0, 100.0).line("Background").style(SIZE, None);
    for (place, text) in FULL.iter().chain(&FULL).enumerate() {
        let left = if place == 0 { 90.0 } else { 72.0 };
        sheet = sheet.at(left, 123.0 + 23.0 * place as f32).line(text);
    }
    let blocks = found(vec![sheet]);
    assert_eq!(blocks.len(), 2, "{blocks:#?}");
    assert_eq!(blocks[0], ("heading 1".to_owned(), "Background".to_owned()));
}

#[test]
fn lists_in_lists_go_on_over_pages() {
    let first = Sheet::new()
        .lines(&FULL)
        .line("1. Outer one")
        .line("2. Outer two");
    let second = Sheet::new()
        .at(90.0, 100.0)
        .lines(&["\u{2022} Inner one", "\u{2022} Inner two"])
        .at(72.0, 124.0)
        .line("3. Outer three")
        .skip(12.0)
        .line("A paragraph after the list.");
    let expected = [
        ("paragraph", &*FULL.join(" ")),
        ("item 1 1", "Outer one"),
        ("item 1 2", "Outer two"),
        ("item 2", "Inner one"),
        ("item 2", "Inner two"),
        ("item 1 3", "Outer three"),
        ("paragraph", "A paragraph after the list."),
    ];
    assert_eq!(found(vec![first, second]), pairs(&expected));
}

#[test]
fn a_paragraph_on_the_next_page_is_no_part_of_a_full_item() {
    let item = &FULL[0][..FULL[0].len() - 2];
    let first = Sheet::new().lines(&FULL).line(&format!("\u{2022} {item}"));
    let second = Sheet::new()
        .line("Other words are here.")
        .skip(12.0)
        .lines(&FULL);
    let expected = [
        ("paragraph", &*FULL.join(" ")),
        ("item 1", item),
        ("paragraph", "Other words are here."),
        ("paragraph", &*FULL.join(" ")),
    ];
    assert_eq!(found(vec![first, second]), pairs(&expected));
}

#[test]
fn a_number_between_dashes_is_that_of_a_single_page() {
    for number in ["- 8 -", "B-1191"] {
        let sheet = Sheet::new().lines(&FULL).at(300.0, 760.0).line(number);
        assert_eq!(
            found(vec![sheet])[1],
            ("page number".to_owned(), number.to_owned())
        );
    }
}

#[test]
fn the_first_lines_of_single_pages_are_text() {
    let lines = ["Chapter 1", "Day 1", "Lot 1", "Exercise 1", "I", "IV"];
    for first in lines {
        let sheet = Sheet::new()
            .at(72.0, 60.0)
            .line(first)
            .at(72.0, 100.0)
            .lines(&FULL);
        let blocks = found(vec![sheet]);
        let kept = blocks.iter().find(|block| block.1 == first);
        assert!(
            kept.is_some_and(|kept| !kept.0.starts_with("page")),
            "{blocks:#?}"
        );
    }
    for number in ["Page 1", "p. 1", "1 of 7", "Seite 1 von 7", "1"] {
        let sheet = Sheet::new().lines(&FULL).at(300.0, 760.0).line(number);
        assert_eq!(found(vec![sheet])[1].0, "page number", "{number}");
    }
}

#[test]
fn large_titles_with_growing_numbers_are_headings() {
    let sheets = (1..=4)
        .map(|number| {
            Sheet::new()
                .style(18.0, Some(MarkKind::Strong))
                .at(72.0, 60.0)
                .line(&format!("Chapter {number}"))
                .style(SIZE, None)
                .at(72.0, 120.0)
                .lines(&FULL)
        })
        .collect();
    let blocks = found(sheets);
    let headings = blocks
        .iter()
        .filter(|block| block.0.starts_with("heading") && block.1.starts_with("Chapter"));
    assert_eq!(headings.count(), 4, "{blocks:#?}");
}

#[test]
fn titles_in_the_style_of_the_text_are_text_but_for_those_beside_page_numbers() {
    let titles = ["Red vase", "Blue bowl of glass", "Two spoons", "Lamp"];
    let sheets = |has_number: bool| {
        let sheet = |(number, title): (usize, &str)| {
            let sheet = Sheet::new().at(72.0, 40.0).line(title);
            let sheet = if has_number {
                sheet.at(500.0, 40.0).line(&format!("{}", number + 20))
            } else {
                sheet
            };
            sheet.at(72.0, 100.0).lines(&FULL)
        };
        titles.into_iter().enumerate().map(sheet).collect()
    };
    let kinds = |sheets: Vec<Sheet>| -> Vec<String> {
        let blocks = found(sheets).into_iter();
        let titled = blocks.filter(|block| titles.contains(&&*block.1));
        titled.map(|block| block.0).collect()
    };
    assert_eq!(kinds(sheets(false)), ["paragraph"; 4]);
    assert_eq!(kinds(sheets(true)), ["running head"; 4]);
}

#[test]
fn small_last_lines_with_a_year_are_text_if_they_are_sources_or_code() {
    let code = Some(MarkKind::Code);
    for (line, mark) in [("Source: IMF, 2019", None), ("return 1", code)] {
        let sheet = Sheet::new()
            .lines(&FULL)
            .style(8.0, mark)
            .at(72.0, 760.0)
            .line(line);
        let last = found(vec![sheet]).pop().map(|block| block.0);
        assert!(
            last.as_deref().is_some_and(|kind| kind != "running foot"),
            "{line}: {last:?}"
        );
    }
    let head = "Journal of Stones 12 (2019) 345";
    let sheet = Sheet::new()
        .style(8.0, None)
        .at(72.0, 40.0)
        .line(head)
        .style(SIZE, None)
        .at(72.0, 100.0)
        .lines(&FULL);
    assert_eq!(found(vec![sheet])[0].0, "running head");
}

#[test]
fn short_lines_in_another_column_are_no_labels_of_a_figure() {
    let mut sheet = Sheet::new().at(72.0, 100.0);
    for label in ["0.1", "0.2", "0.3", "0.4"] {
        sheet = sheet.line(label);
    }
    let sheet = sheet
        .at(72.0, 160.0)
        .line("Figure 1: A plot of all values over the time")
        .at(330.0, 124.0)
        .line("and")
        .at(330.0, 200.0)
        .lines(&FULL);
    let blocks = found(vec![sheet]);
    assert!(
        blocks.iter().any(|block| block.1.contains("and")),
        "{blocks:#?}"
    );
    assert!(
        !blocks.iter().any(|block| block.1.contains("0.3")),
        "{blocks:#?}"
    );
}

#[test]
fn headings_below_the_title_of_a_page_without_long_paragraphs_are_headings() {
    let sheet = Sheet::new()
        .style(20.0, None)
        .line("Minutes of the Board")
        .style(14.0, None)
        .skip(12.0)
        .line("Attendance")
        .style(SIZE, None)
        .skip(6.0)
        .lines(&["1. Ada", "2. Grace"])
        .style(14.0, None)
        .skip(12.0)
        .line("Budget")
        .style(SIZE, None)
        .skip(6.0)
        .line("The board agrees to the budget of the next year.");
    let blocks = found(vec![sheet]);
    let headings = blocks.iter().filter(|block| block.0 == "heading 2");
    let headings: Vec<&str> = headings.map(|block| &*block.1).collect();
    assert_eq!(headings, ["Attendance", "Budget"], "{blocks:#?}");
}

#[test]
fn notes_with_more_letters_than_the_text_are_notes() {
    let raised = |text: &str, mark: &str, at: usize, left: f32, y: f32, size: f32| {
        let mut marked = Text::plain(text);
        marked.mark(at..at + mark.len(), MarkKind::Superscript);
        entry(marked, left, y, size)
    };
    let text = format!("{}1", FULL[0]);
    let at = text.len() - 1;
    let mut sheet = Sheet::new()
        .entry(raised(&text, "1", at, 72.0, 100.0, SIZE))
        .at(72.0, 112.0)
        .line("and a last line of the text.")
        .entry(raised("1See the long note,", "1", 0, 72.0, 400.0, 7.0))
        .style(7.0, None)
        .at(72.0, 408.4);
    for _ in 0..12 {
        sheet = sheet
            .line("a long note that goes on for many lines of small letters")
            .skip(8.4 - LEADING);
    }
    let kinds: Vec<String> = found(vec![sheet])
        .into_iter()
        .map(|block| block.0)
        .collect();
    assert_eq!(kinds, ["paragraph", "footnote 1"]);
}

#[test]
fn letters_of_an_index_above_their_entries_are_headings() {
    let sheet = |letters: [&str; 3]| {
        let mut sheet = Sheet::new().lines(&FULL);
        let entries = ["bridges, 12", "canals, 4, 31", "dams, 7"];
        for (letter, entry) in letters.into_iter().zip(entries) {
            sheet = sheet
                .style(SIZE, Some(MarkKind::Strong))
                .skip(6.0)
                .line(letter)
                .style(SIZE, None)
                .line(entry);
        }
        sheet
    };
    let headings = |letters| {
        let blocks = found(vec![sheet(letters)]).into_iter();
        let headings = blocks.filter(|block| block.0.starts_with("heading"));
        headings.map(|block| block.1).collect::<Vec<String>>()
    };
    assert_eq!(headings(["B", "C", "D"]), ["B", "C", "D"]);
    // These may be the parts of a figure.
    assert!(headings(["A", "B", "C"]).is_empty());
}

#[test]
fn a_letter_directly_below_a_title_is_another_heading() {
    let bold = Some(MarkKind::Strong);
    let mut sheet = Sheet::new()
        .style(16.0, bold.clone())
        .line("Index")
        .style(12.0, bold.clone())
        .line("A")
        .style(SIZE, None)
        .lines(&["apples, 4", "arches, 12"]);
    for (letter, entry) in [("B", "bridges, 3"), ("C", "canals, 5")] {
        sheet = sheet.style(12.0, bold.clone()).line(letter);
        sheet = sheet.style(SIZE, None).line(entry);
    }
    let blocks = found(vec![sheet]);
    let headings = blocks.iter().filter(|block| block.0.starts_with("heading"));
    let headings: Vec<&str> = headings.map(|block| &*block.1).collect();
    assert_eq!(headings, ["Index", "A", "B", "C"], "{blocks:#?}");
}

#[test]
fn the_first_number_directly_below_a_heading_starts_a_list() {
    let sheet = Sheet::new()
        .style(14.0, Some(MarkKind::Strong))
        .line("Points of the meeting")
        .style(SIZE, None)
        .skip(-4.0)
        .lines(&["1. The budget of the year", "2. The new boat"]);
    let kinds: Vec<String> = found(vec![sheet])
        .into_iter()
        .map(|block| block.0)
        .collect();
    assert_eq!(kinds, ["heading 1", "item 1 1", "item 1 2"]);
}

#[test]
fn lines_that_browsers_print_are_running_lines() {
    let kinds = |head: &str, foot: &str| -> Vec<String> {
        let sheet = Sheet::new()
            .style(8.0, None)
            .at(24.0, 22.0)
            .line(head)
            .at(280.0, 22.0)
            .line("Garden plan")
            .style(SIZE, None)
            .at(72.0, 40.0)
            .lines(&FULL)
            .style(8.0, None)
            .at(24.0, 775.0)
            .line(foot)
            .at(570.0, 775.0)
            .line("1/1");
        let blocks = found(vec![sheet]).into_iter();
        blocks.map(|block| block.0).collect()
    };
    let printed = kinds("5/3/24, 10:05 AM", "https://garden.example/plan");
    let kept = printed.iter().filter(|kind| !kind.starts_with("running"));
    assert_eq!(kept.count(), 1, "{printed:?}");
    let other = kinds("Garden news", "Read more in the shop");
    assert!(!other.contains(&"running head".to_owned()), "{other:?}");
}

#[test]
fn terms_in_the_order_of_the_alphabet_above_indented_texts_are_no_headings() {
    let sheet = |terms: [&str; 4]| {
        let mut sheet = Sheet::new().style(16.0, None).line("Words of the trade");
        for term in terms {
            sheet = sheet.style(SIZE, Some(MarkKind::Strong)).skip(4.0);
            sheet = sheet.line(term).style(SIZE, None);
            sheet.left = 102.0;
            sheet = sheet.lines(&FULL);
            sheet.left = 72.0;
        }
        sheet
    };
    let count = |terms| {
        let blocks = found(vec![sheet(terms)]).into_iter();
        blocks
            .filter(|block| block.0.starts_with("heading"))
            .count()
    };
    assert_eq!(count(["Anchor", "Ballast", "Cable", "Deck"]), 1);
    assert_eq!(count(["Deck", "Anchor", "Cable", "Ballast"]), 5);
}

#[test]
fn the_end_of_an_address_does_not_go_on_in_another_column() {
    let sheet = Sheet::new()
        .at(400.0, 80.0)
        .lines(&["5 Quay Street", "Bristol BS1 4DJ", "rivers@harbour.example"])
        .at(72.0, 120.0)
        .line("Ms Ada Winter")
        .at(72.0, 200.0)
        .lines(&FULL);
    let texts: Vec<String> = found(vec![sheet])
        .into_iter()
        .map(|block| block.1)
        .collect();
    assert!(texts.contains(&"Ms Ada Winter".to_owned()), "{texts:?}");
}

#[test]
fn the_first_heading_of_a_newspaper_is_one_although_others_are_in_other_columns() {
    let bold = Some(MarkKind::Strong);
    let mut sheet = Sheet::new().style(24.0, None).line("The Harbour Times");
    for (place, title) in ["Flood at the mill", "New boats", "Old bridges", "Stone"]
        .into_iter()
        .enumerate()
    {
        let column = place.min(1);
        let y = 150.0 + 150.0 * (place - column) as f32;
        sheet = sheet
            .style(14.0, bold.clone())
            .at(36.0 + 270.0 * column as f32, y)
            .line(title)
            .style(SIZE, Some(MarkKind::Emphasis))
            .line("By Ada Brown")
            .style(SIZE, None)
            .lines(&FULL.map(|line| &line[..40]));
    }
    let blocks = found(vec![sheet]);
    let headings = blocks.iter().filter(|block| block.0 == "heading 2");
    assert_eq!(headings.count(), 4, "{blocks:#?}");
}

#[test]
fn numbers_beside_lines_of_text_at_any_distance_are_line_numbers() {
    let mut number = 0;
    let mut page = |word: &str, paragraphs: &[usize]| {
        let mut sheet = Sheet::new();
        let mut y = 100.0;
        for count in paragraphs {
            for place in 0..*count {
                number += 1;
                let text = number.to_string();
                let left = 60.0 - WIDTH * 6.0 * text.len() as f32;
                sheet = sheet.style(6.0, None).at(left, y).line(&text);
                let text = format!("{word} {}", FULL[place % 4]);
                sheet = sheet.style(SIZE, None).at(90.0, y).line(&text);
                y += LEADING;
            }
            y += 17.0;
        }
        sheet
    };
    let sheets = vec![page("one", &[4, 12, 8, 12]), page("two", &[4])];
    let blocks = found(sheets);
    let texts = blocks.iter().filter(|block| block.0 == "paragraph");
    let texts: Vec<&str> = texts.map(|block| &*block.1).collect();
    assert_eq!(texts.len(), 5, "{texts:#?}");
    assert!(texts.iter().all(|text| !text.contains(char::is_numeric)));
    let lines = FULL.map(|line| format!("two {line}"));
    assert_eq!(texts[4], lines.join(" "));
}

#[test]
fn rows_with_wide_gaps_and_terms_are_separate() {
    let row = |sheet: Sheet, words: &str, date: &str| {
        let text = Text::plain(format!("{words} {date}"));
        let Entry::Line(mut line) = entry(text, sheet.left, sheet.y, SIZE) else {
            unreachable!("it is a line");
        };
        (line.bounds.right, line.gaps) = (540.0, 1);
        sheet.entry(Entry::Line(line)).skip(LEADING)
    };
    let sheet = row(Sheet::new(), "Harbour Institute", "2019");
    let sheet = row(sheet, "Senior engineer", "Leeds");
    let mut sheet = sheet.line("He repaired valves.").skip(20.0).lines(&FULL);
    for term in ["Anchor", "Cable"] {
        let text = format!("{term} The part of a ship.");
        let mut marked = Text::plain(&text);
        marked.mark(0..term.len(), MarkKind::Strong);
        let Entry::Line(mut line) = entry(marked, 72.0, sheet.y, SIZE) else {
            unreachable!("it is a line");
        };
        line.gaps = 1;
        sheet = sheet.entry(Entry::Line(line)).skip(LEADING);
    }
    let blocks = found(vec![sheet]);
    let texts: Vec<&str> = blocks.iter().map(|block| &*block.1).collect();
    let text = FULL.join(" ");
    let expected = [
        "Harbour Institute 2019",
        "Senior engineer Leeds",
        "He repaired valves.",
        &text,
        "Anchor The part of a ship.",
        "Cable The part of a ship.",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn paragraphs_of_single_lines_are_separate() {
    let mut sheet = Sheet::new();
    for place in 0..6 {
        sheet = sheet
            .line(&format!("This is the answer {place} to that."))
            .skip(12.0);
    }
    assert_eq!(found(vec![sheet]).len(), 6);
}

#[test]
fn terms_at_the_left_edge_of_the_text_are_no_headings() {
    let mut sheet = Sheet::new().lines(&FULL).skip(12.0);
    for term in ["Deck", "Anchor", "Cable", "Ballast"] {
        sheet = sheet.style(SIZE, Some(MarkKind::Strong)).skip(4.0);
        sheet = sheet.line(term).style(SIZE, None);
        sheet.left = 102.0;
        sheet = sheet.lines(&FULL);
        sheet.left = 72.0;
    }
    let blocks = found(vec![sheet]);
    let is_heading = |block: &(String, String)| block.0.starts_with("heading");
    assert!(!blocks.iter().any(is_heading), "{blocks:#?}");
}

#[test]
fn entries_of_contents_on_the_page_before_a_heading_are_none() {
    let contents = Sheet::new()
        .style(16.0, None)
        .line("Contents")
        .style(SIZE, None)
        .skip(LEADING)
        .line("Rivers")
        .skip(LEADING)
        .line("Lakes");
    let page = |title: &str| {
        let sheet = Sheet::new().style(16.0, None).line(title);
        sheet.style(SIZE, None).skip(LEADING).lines(&FULL)
    };
    let entry = |title: &str, page: u32| OutlineEntry {
        title: title.into(),
        level: 1,
        page: Some(page),
    };
    let outline = [entry("Rivers", 2), entry("Lakes", 3)];
    let sheets = vec![contents, page("Rivers"), page("Lakes")];
    let blocks = described(&blocks_of(sheets, &outline));
    let headings = blocks.iter().filter(|block| block.0.starts_with("heading"));
    let headings: Vec<&str> = headings.map(|block| &*block.1).collect();
    assert_eq!(headings, ["Contents", "Rivers", "Lakes"]);
}

#[test]
fn a_short_line_above_a_table_does_not_go_on_below_it() {
    let cell = crate::Cell::new(1, 1, false);
    let table = crate::Table {
        caption: None,
        header_rows: 0,
        rows: vec![vec![cell]],
    };
    let bounds = Bounds {
        left: 72.0,
        top: 110.0,
        right: 540.0,
        bottom: 190.0,
    };
    let table = Block {
        page: Some(1),
        bounds: Some(bounds),
        ..Block::new(Kind::Table(Box::new(table)), Text::default())
    };
    let sheet = Sheet::new()
        .line("Valid from 10 December")
        .entry(Entry::Block(Box::new(table)))
        .at(72.0, 200.0)
        .line("ab is the time of departure");
    let blocks = found(vec![sheet]);
    let texts: Vec<&str> = blocks.iter().map(|block| &*block.1).collect();
    assert_eq!(
        texts,
        ["Valid from 10 December", "", "ab is the time of departure"]
    );
}

#[test]
fn numbers_in_circles_and_unknown_bullets_are_markers() {
    let mut sheet = Sheet::new();
    for (place, line) in ["Open it.", "Close it."].into_iter().enumerate() {
        let y = 100.0 + 30.0 * place as f32;
        sheet = sheet
            .style(6.0, None)
            .at(60.0, y - 2.0)
            .line(&(place + 1).to_string());
        sheet = sheet.style(SIZE, None).at(75.0, y).line(line);
    }
    let sheet = sheet
        .at(60.0, 200.0)
        .lines(&["\u{fffd} Steel rods", "\u{fffd} Brass rods"]);
    let expected = [
        ("item 1 1", "Open it."),
        ("item 1 2", "Close it."),
        ("item 1", "Steel rods"),
        ("item 1", "Brass rods"),
    ];
    assert_eq!(found(vec![sheet]), pairs(&expected));
}

#[test]
fn declared_lines_of_code_are_one_block() {
    for (role, mark) in [(Role::Code, None), (Role::Paragraph, Some(MarkKind::Code))] {
        let mut sheet = Sheet::new().lines(&FULL).skip(20.0);
        for (block, line) in ["fn main() {", "}"].into_iter().enumerate() {
            let declared = declared(line, sheet.y, block as u32, role, mark.clone());
            sheet = sheet.entry(declared).skip(LEADING);
        }
        assert_eq!(
            found(vec![sheet])[1..],
            pairs(&[("code", "fn main() {\n}")])
        );
    }
}

#[test]
fn a_declared_paragraph_after_a_list_is_no_part_of_it() {
    let text = "A paragraph follows, at the left edge of the items.";
    let item = "- The only item of the list is here";
    let sheet = Sheet::new()
        .entry(declared(item, 100.0, 1, Role::Item(1), None))
        .entry(declared("and goes on.", 112.0, 1, Role::Item(1), None))
        .entry(declared(text, 130.0, 2, Role::Paragraph, None));
    let blocks = blocks_of(vec![sheet], &[]);
    let levels: Vec<u16> = blocks.iter().map(|block| block.level).collect();
    assert_eq!(levels, [1, 0]);
}

/// A line of a declared block.
fn declared(text: &str, y: f32, block: u32, role: Role, mark: Option<MarkKind>) -> Entry {
    let mut marked = Text::plain(text);
    if let Some(mark) = mark {
        marked.mark(0..text.len(), mark);
    }
    // The second line of an item is below its text.
    let left = if text.starts_with(['-', 'f', '}']) {
        72.0
    } else {
        82.0
    };
    let Entry::Line(mut line) = entry(marked, left, y, SIZE) else {
        unreachable!("it is a line");
    };
    line.declared = Some(Declared {
        block,
        role: Some(role),
    });
    Entry::Line(line)
}
