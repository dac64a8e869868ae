//! One pass over all levels returns the same elements as a pass for each level.

use super::super::read::read_all_levels;
use super::super::{Element, Page, ReadOptions, Row, read, truncation};
use super::LEVELS;
use super::oracle::random_page;

type Rows<'a> = Vec<(Element<'a>, Option<Page<'a>>)>;

fn assert_same_elements(document: &str) -> usize {
    let mut in_one_pass: [Rows<'_>; LEVELS.len()] = Default::default();
    read_all_levels(document, |row| {
        assert_eq!(row.text, None);
        in_one_pass[row.level as usize].push(kept(row));
    })
    .unwrap();
    for level in LEVELS {
        let mut alone: Rows<'_> = Vec::new();
        let options = ReadOptions { level, text: false };
        read(document, options, |row| alone.push(kept(row))).unwrap();
        // The summary of all levels adds this error itself.
        if let (Some(error), Some((last, _))) = (truncation(document), alone.last_mut()) {
            last.error = last.error.take().filter(|first| *first != error);
        }
        assert_eq!(in_one_pass[level as usize], alone, "{level:?}: {document}");
    }
    in_one_pass.iter().map(Vec::len).sum()
}

fn kept<'a>(row: Row<'_, 'a>) -> (Element<'a>, Option<Page<'a>>) {
    (row.element.clone(), row.page.cloned())
}

#[test]
fn random_pages_have_the_same_elements() {
    let elements: usize = (0..1000)
        .map(|seed| assert_same_elements(&random_page(seed)))
        .sum();
    assert!(elements > 5_000, "{elements}");
}

#[test]
fn an_element_may_belong_to_several_levels() {
    let several =
        "<div class='ocr_page ocr_carea'><span class='ocr_line ocrx_word' title='bbox 1 2'>";
    assert_eq!(assert_same_elements(several), 4);
    assert_eq!(
        assert_same_elements(&format!("{several}x</span>").repeat(3)),
        12
    );
}

#[test]
fn words_in_words_keep_their_order() {
    for inner in [
        "<span class='ocrx_word' title='bbox 1 2 3 4'>a</span>",
        "<span class='ocrx_word' title='bbox 1 2 3 4'><b>a</b></span>",
        "<span class='ocr_word' title='x_wconf 9'>a</span>",
    ] {
        for before in ["", inner] {
            let outer = "<span class='ocrx_word' title='bbox 0 0 9 9'>";
            let page = format!("{before}{outer}{}</span>{before}", inner.repeat(3));
            assert!(assert_same_elements(&page) > 0);
        }
    }
}

#[test]
fn xml_has_the_same_elements() {
    let alto = "<alto><Page ID='p' WIDTH='9' HEIGHT='9'><TextBlock HPOS='1'><TextLine>\
                <String WC='0.5' HPOS='1' VPOS='2' WIDTH='3' HEIGHT='4'/><String/></TextLine>\
                </TextBlock><Illustration/></Page><Page/></alto>";
    assert_eq!(assert_same_elements(alto), 7);
    let page = "<PcGts><Page imageWidth='9' imageHeight='9'><TextRegion id='a'><TextRegion>\
                <TextLine><Coords points='1,2 3,4'/><Word/><Word><TextEquiv conf='1'/></Word>\
                <Coords points='1'/></TextLine></TextRegion></TextRegion></Page></PcGts>";
    assert_eq!(assert_same_elements(page), 6);
    assert_eq!(assert_same_elements(&page.replace("</TextRegion>", "")), 6);
}
