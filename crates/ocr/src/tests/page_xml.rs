use super::super::{Level, ReadOptions, elements, read};
use super::{each, ids, seen, texts};

const PAGE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
 <Page imageFilename="a.jpg" imageWidth="1000" imageHeight="2000" primaryLanguage="German">
  <Border><Coords points="1,1 2,2"/></Border>
  <TextRegion id="r1" type="heading" orientation="-2.5">
   <Coords points="100,100 500,90 510,300 95,310"/>
   <TextLine id="l1" primaryLanguage="Latin">
    <Coords points="100,100 500,100 500,150 100,150"/>
    <Baseline points="100,140 300,141 500,144"/>
    <Word id="w1"><Coords points="100,100 200,100 200,150 100,150"/>
     <Glyph><Coords points="0,0 1,1"/><TextEquiv><Unicode>C</Unicode></TextEquiv></Glyph>
     <TextEquiv conf="0.75"><PlainText>x</PlainText><Unicode>Codex</Unicode></TextEquiv></Word>
    <Word id="w2"><Coords points="1,x"/><TextEquiv><Unicode>&lt;3</Unicode></TextEquiv></Word>
   </TextLine>
   <TextLine id="l2"><Coords/>
    <Word id="w3"><TextEquiv><Unicode>wrong</Unicode></TextEquiv></Word>
    <TextEquiv index="1"><Unicode>second best</Unicode></TextEquiv>
    <TextEquiv index="0"><Unicode>the <![CDATA[best]]></Unicode></TextEquiv>
    <TextEquiv index="2"><Unicode>worst</Unicode></TextEquiv>
   </TextLine>
  </TextRegion>
  <TableRegion id="r2"><TextRegion id="r3"><TextLine id="l3"><TextEquiv><Unicode>cell</Unicode></TextEquiv></TextLine></TextRegion></TableRegion>
  <TextRegion id="r4"><TextLine><TextEquiv><Unicode>part</Unicode></TextEquiv></TextLine>
   <TextEquiv><Unicode>own
text</Unicode></TextEquiv></TextRegion>
 </Page>
</PcGts>"#;

#[test]
fn every_level_has_its_elements() {
    assert_eq!(ids(PAGE, Level::Block), ["r1", "r2", "r3", "r4"]);
    assert_eq!(ids(PAGE, Level::Line), ["l1", "l2", "l3", ""]);
    assert_eq!(ids(PAGE, Level::Word), ["w1", "w2", "w3"]);
    assert_eq!(each(PAGE, Level::Block, |b| b.depth), [0, 0, 1, 0]);
}

#[test]
fn the_text_of_an_element_overrides_that_of_its_parts() {
    assert_eq!(texts(PAGE, Level::Word), ["Codex", "<3", "wrong"]);
    assert_eq!(
        texts(PAGE, Level::Line),
        ["Codex <3", "the best", "cell", "part"]
    );
    let blocks = ["Codex <3\nthe best", "", "cell", "own\ntext"];
    assert_eq!(texts(PAGE, Level::Block), blocks);
    let page = "Codex <3\nthe best\n\ncell\n\nown\ntext";
    assert_eq!(texts(PAGE, Level::Page), [page]);
}

#[test]
fn plain_text_stands_in_for_missing_text() {
    let text = |equiv: &str| {
        let page = format!(
            "<PcGts><Page><TextRegion><TextLine><TextEquiv>{equiv}</TextEquiv></TextLine>\
             </TextRegion></Page></PcGts>"
        );
        let options = ReadOptions {
            level: Level::Line,
            text: true,
        };
        elements(&page, options).unwrap().remove(0).text.unwrap()
    };
    for (equiv, expected) in [
        (
            "<PlainText>plain &amp; simple</PlainText>",
            "plain & simple",
        ),
        ("<PlainText>plain</PlainText><Unicode/>", "plain"),
        ("<PlainText>plain</PlainText><Unicode></Unicode>", "plain"),
        (
            "<PlainText>plain</PlainText><Unicode>full</Unicode>",
            "full",
        ),
        (
            "<Unicode>full</Unicode><PlainText>plain</PlainText>",
            "full",
        ),
    ] {
        assert_eq!(text(equiv), expected, "{equiv}");
    }
}

#[test]
fn the_text_of_a_page_follows_its_reading_order() {
    let region = |id: &str| {
        format!(
            "<TextRegion id='{id}'><TextLine><TextEquiv><Unicode>{id} one</Unicode></TextEquiv>\
             </TextLine><TextLine><TextEquiv><Unicode>two</Unicode></TextEquiv></TextLine>\
             </TextRegion>"
        )
    };
    let page = |order: &str| {
        let regions = ["a", "b", "c", "d"].map(region).concat();
        format!("<PcGts><Page>{order}{regions}</Page></PcGts>")
    };
    for (order, expected) in [
        ("", "abcd"),
        (
            "<OrderedGroup><RegionRefIndexed index='1' regionRef='a'/>\
             <RegionRefIndexed index='0' regionRef='d'/></OrderedGroup>",
            "dabc",
        ),
        (
            "<UnorderedGroup><RegionRef regionRef='c'/><RegionRef regionRef='no'/></UnorderedGroup>",
            "cabd",
        ),
        (
            "<OrderedGroup><OrderedGroupIndexed index='2'><RegionRefIndexed index='0' regionRef='a'/>\
             </OrderedGroupIndexed><UnorderedGroupIndexed index='1'><RegionRef regionRef='d'/>\
             <RegionRef regionRef='c'/></UnorderedGroupIndexed>\
             <RegionRefIndexed index='3' regionRef='b'/></OrderedGroup>",
            "dcab",
        ),
    ] {
        let order = format!("<ReadingOrder>{order}</ReadingOrder>");
        let paragraphs: Vec<String> = expected
            .chars()
            .map(|id| format!("{id} one\ntwo"))
            .collect();
        let expected = paragraphs.join("\n\n");
        assert_eq!(texts(&page(&order), Level::Page), [expected], "{order}");
        // The next page has its own order.
        let two = page(&order).replace("</Page>", "</Page><Page><TextRegion id='d'/></Page>");
        assert_eq!(texts(&two, Level::Page).len(), 2);
    }
}

#[test]
fn boxes_enclose_polygons() {
    let blocks = seen(PAGE, Level::Block);
    assert_eq!(blocks[0].bbox, Some([95.0, 90.0, 510.0, 310.0]));
    assert_eq!(blocks[1].bbox, None);
    let words = seen(PAGE, Level::Word);
    assert_eq!(words[0].bbox, Some([100.0, 100.0, 200.0, 150.0]));
    assert_eq!(words[0].confidence, Some(("conf", 0.75)));
    assert_eq!(words[1].bbox, None);
    assert_eq!(
        words[1].error.as_deref(),
        Some("bbox: expected a number, got x")
    );
    assert_eq!(
        seen(PAGE, Level::Page)[0].bbox,
        Some([0.0, 0.0, 1000.0, 2000.0])
    );
}

#[test]
fn points_may_be_elements() {
    let page = "<PcGts><Page><TextRegion><Coords><Point x='5' y='9'/><Point x='7' y='1'></Point>\
                <Point x='6' y='3'/></Coords></TextRegion>";
    assert_eq!(seen(page, Level::Block)[0].bbox, Some([5.0, 1.0, 7.0, 9.0]));
}

#[test]
fn regions_and_lines_have_more_properties() {
    let elements = |level| {
        let mut all = Vec::new();
        read(PAGE, ReadOptions { level, text: false }, |row| {
            assert_eq!(row.page.and_then(|p| p.image.as_deref()), Some("a.jpg"));
            all.push(row.element.clone());
        })
        .unwrap();
        all
    };
    let blocks = elements(Level::Block);
    assert_eq!(blocks[0].class.as_deref(), Some("heading"));
    assert_eq!(blocks[0].angle, Some(-2.5));
    assert_eq!(blocks[0].language, Some("German"));
    let lines = elements(Level::Line);
    let baseline = lines[0].baseline.unwrap();
    assert_eq!((baseline.slope, baseline.offset), (Some(0.01), Some(-10.0)));
    assert_eq!(lines[0].language, Some("Latin"));
    assert_eq!(
        each(PAGE, Level::Word, |w| w.line),
        [Some(1), Some(1), Some(2)]
    );
}
