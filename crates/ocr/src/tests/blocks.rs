//! Headings, paragraphs and running lines of pages.

use corpus_blocks::Block;

use crate::blocks;

const FULL: [&str; 3] = [
    "The quick brown fox jumps over the lazy dog and runs away into",
    "the deep and dark forest, where it meets many other ani-",
    "mals of different kinds and sizes, as they all say.",
];

fn described(blocks: &[Block]) -> Vec<(&str, &str)> {
    let describe = |block| {
        let block: &Block = block;
        (block.kind.name(), &*block.text.text)
    };
    blocks.iter().map(describe).collect()
}

/// Lines of hOCR from a place downwards.
fn lines(class: &str, y: u32, height: u32, texts: &[&str]) -> String {
    let mut written = String::new();
    for (text, line) in texts.iter().zip(0..) {
        let top = y + line * (height + 10);
        let (right, bottom) = (50 + text.len() as u32 * height / 2, top + height);
        written.push_str(&format!(
            "<span class='{class}' title='bbox 50 {top} {right} {bottom}; baseline 0 -5'>{text}</span>"
        ));
    }
    written
}

#[test]
fn lines_of_hocr_become_blocks() {
    let page = |number: u32, name: &str| {
        let head = lines("ocr_line", 20, 20, &["THE TITLE OF THE BOOK"]);
        let heading = lines("ocr_line", 150, 40, &[name]);
        let first = ["The first words of the page are different, and they go on to"];
        let text = lines("ocr_line", 300, 20, &first) + &lines("ocr_line", 330, 20, &FULL);
        let foot = lines("ocr_line", 1900, 20, &[&number.to_string()]);
        format!(
            "<div class='ocr_page' title='bbox 0 0 1500 2000'><div class='ocr_carea'>{head}</div>\
             <div class='ocr_carea'>{heading}</div><div class='ocr_carea'>{text}</div>\
             <div class='ocr_carea'>{foot}</div></div>"
        )
    };
    let document = page(7, "A chapter") + &page(8, "Beginnings") + &page(9, "The end");
    let found = blocks(&document).unwrap();
    let expected = ["running head", "heading", "paragraph", "page number"];
    let described = described(&found);
    let kinds: Vec<&str> = described.iter().map(|block| block.0).collect();
    assert_eq!(
        kinds,
        [expected, expected, expected].concat(),
        "{described:#?}"
    );
    assert!(described[2].1.contains("many other animals of different"));
    assert_eq!(
        (found[4].page, found[4].bounds.unwrap().left),
        (Some(2), 50.0)
    );
}

#[test]
fn declared_roles_of_page_xml_are_sure() {
    let region = |kind: &str, y: u32, text: &str| {
        format!(
            "<TextRegion id='r{y}' type='{kind}'><Coords points='10,{y} 500,{y} 500,{0} 10,{0}'/>\
             <TextLine id='l{y}'><Coords points='10,{y} 500,{y} 500,{0} 10,{0}'/><TextEquiv>\
             <Unicode>{text}</Unicode></TextEquiv></TextLine></TextRegion>",
            y + 20
        )
    };
    let document = format!(
        "<PcGts xmlns='http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15'>\
         <Page imageFilename='a.png' imageWidth='600' imageHeight='800'>{}{}{}{}</Page></PcGts>",
        region("header", 10, "Running"),
        region("heading", 100, "A chapter"),
        region("caption", 200, "What one sees"),
        region("page-number", 700, "12")
    );
    let found = blocks(&document).unwrap();
    let expected = [
        ("running head", "Running"),
        ("heading", "A chapter"),
        ("figure", "What one sees"),
        ("page number", "12"),
    ];
    assert_eq!(described(&found), expected);
    assert!(found.iter().all(|block| block.sureness == 1.0));
}

#[test]
fn documents_without_lines_or_boxes_keep_their_text() {
    let block = "<div class='ocr_page'><div class='ocr_carea'>some words</div></div>";
    assert_eq!(
        described(&blocks(block).unwrap()),
        [("paragraph", "some words")]
    );
    let lines = "<span class='ocr_line'>One line of text</span><span class='ocr_line'>Two</span>";
    let found = blocks(lines).unwrap();
    let texts: Vec<&str> = found.iter().map(|block| &*block.text.text).collect();
    assert_eq!(texts.join(" "), "One line of text Two");
    assert!(blocks("<html></html>").unwrap().is_empty());
    assert!(blocks("<document xmlns='http://www.abbyy.com/FineReader_xml/x.xml'/>").is_err());
}

#[test]
fn text_outside_of_lines_is_kept() {
    let line = |y: u32, text: &str| lines("ocr_line", y, 20, &[text]);
    let area = |y: u32, content: &str| {
        format!(
            "<div class='ocr_carea' title='bbox 50 {y} 900 {}'>{content}</div>",
            y + 40
        )
    };
    let page =
        |content: &str| format!("<div class='ocr_page' title='bbox 0 0 1000 1500'>{content}</div>");
    let document = [
        page(&(area(100, "only in the area") + &area(400, &line(400, "in a line")))),
        page(&area(100, &(line(100, "in another line") + "and after it"))),
        page(&("beside all areas".to_owned() + &area(400, &line(400, "in the last line")))),
        page("<span class='ocrx_word'>words</span> <span class='ocrx_word'>alone</span>"),
    ];
    let found = blocks(&document.concat()).unwrap();
    let texts: Vec<_> = described(&found).iter().map(|block| block.1).collect();
    let text = texts.join("\n").replace('\n', " ");
    assert_eq!(
        text,
        "only in the area in a line in another line and after it beside all areas in the last line \
         words alone"
    );
}

#[test]
fn regions_of_page_xml_without_lines_are_kept() {
    let region = |y: u32, lines: &str, text: &str| {
        format!(
            "<TextRegion id='r{y}'><Coords points='10,{y} 500,{y} 500,{0} 10,{0}'/>{lines}\
             <TextEquiv><Unicode>{text}</Unicode></TextEquiv></TextRegion>",
            y + 20
        )
    };
    let line = "<TextLine><Coords points='10,300 500,300 500,320 10,320'/><TextEquiv><Unicode>A line\
                </Unicode></TextEquiv></TextLine>";
    let document = format!(
        "<PcGts xmlns='http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15'>\
         <Page imageFilename='a.png' imageWidth='600' imageHeight='800'>{}{}</Page></PcGts>",
        region(100, "", "Only a region."),
        region(300, line, "A line, corrected.")
    );
    let found = blocks(&document).unwrap();
    let texts: Vec<_> = described(&found).iter().map(|block| block.1).collect();
    assert_eq!(texts, ["Only a region.", "A line"]);
}
