use super::super::{Level, ReadOptions, read};
use super::{each, ids, seen, texts};

const PAGE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<alto xmlns="http://www.loc.gov/standards/alto/ns-v3#">
 <Description>
  <MeasurementUnit>mm10</MeasurementUnit>
  <sourceImageInformation><fileName>a&amp;b.tif</fileName></sourceImageInformation>
 </Description>
 <Layout><Page ID="P1" PHYSICAL_IMG_NR="4" WIDTH="2000" HEIGHT="3000" PC="0.87"><PrintSpace HPOS="1" VPOS="1" WIDTH="9" HEIGHT="9">
  <ComposedBlock ID="C1" HPOS="100" VPOS="100" WIDTH="500" HEIGHT="400" TYPE="container">
   <TextBlock ID="B1" HPOS="100" VPOS="100" WIDTH="500" HEIGHT="200" LANG="fr" ROTATION="90">
    <TextLine ID="L1" HPOS="100" VPOS="100.5" WIDTH="500" HEIGHT="20" BASELINE="118">
     <String ID="S1" CONTENT="l&apos;air" HPOS="100" VPOS="100" WIDTH="50" HEIGHT="20" WC="0.5"/>
     <SP WIDTH="5" HPOS="150" VPOS="100"/>
     <String ID="S2" CONTENT="hiv" SUBS_TYPE="HypPart1" SUBS_CONTENT="hiver" HPOS="155" VPOS="100" WIDTH="50" HEIGHT="20">
      <ALTERNATIVE>hie</ALTERNATIVE><Glyph CONTENT="h" HPOS="1" VPOS="1" WIDTH="1" HEIGHT="1"/>
     </String><HYP CONTENT="-"/>
    </TextLine>
    <TextLine ID="L2" HPOS="100" VPOS="130" WIDTH="500" HEIGHT="20" BASELINE="100,148 600,153">
     <String ID="S3" CONTENT="er" HPOS="x" VPOS="130" WIDTH="50" HEIGHT="20" LANG="de"/>
    </TextLine>
   </TextBlock>
   <Illustration ID="I1" HPOS="100" VPOS="100" WIDTH="500"/>
  </ComposedBlock>
 </PrintSpace></Page></Layout>
</alto>"#;

#[test]
fn every_level_has_its_elements() {
    assert_eq!(ids(PAGE, Level::Page), ["P1"]);
    assert_eq!(ids(PAGE, Level::Block), ["C1", "B1", "I1"]);
    assert_eq!(ids(PAGE, Level::Line), ["L1", "L2"]);
    assert_eq!(ids(PAGE, Level::Word), ["S1", "S2", "S3"]);
    assert_eq!(each(PAGE, Level::Block, |b| b.depth), [0, 1, 1]);
}

#[test]
fn text_is_in_attributes() {
    assert_eq!(texts(PAGE, Level::Word), ["l'air", "hiv", "er"]);
    assert_eq!(texts(PAGE, Level::Line), ["l'air hiv-", "er"]);
    assert_eq!(texts(PAGE, Level::Block), ["", "l'air hiv-\ner", ""]);
    assert_eq!(texts(PAGE, Level::Page), ["l'air hiv-\ner"]);
}

#[test]
fn boxes_have_two_corners() {
    let words = seen(PAGE, Level::Word);
    assert_eq!(words[0].bbox, Some([100.0, 100.0, 150.0, 120.0]));
    assert_eq!(words[0].confidence, Some(("WC", 0.5)));
    assert_eq!(words[2].bbox, None);
    assert_eq!(
        words[2].error.as_deref(),
        Some("HPOS: expected a number, got x")
    );
    let places: Vec<_> = words.iter().map(|w| (w.block, w.line)).collect();
    assert_eq!(
        places,
        [(Some(2), Some(1)), (Some(2), Some(1)), (Some(2), Some(2))]
    );
    let languages: Vec<_> = words.iter().map(|w| w.language.as_str()).collect();
    assert_eq!(languages, ["fr", "fr", "de"]);
    let blocks = seen(PAGE, Level::Block);
    assert_eq!(
        blocks[2].error.as_deref(),
        Some("bbox: expected 4 numbers, got 3")
    );
    let page = &seen(PAGE, Level::Page)[0];
    assert_eq!(page.bbox, Some([0.0, 0.0, 2000.0, 3000.0]));
    assert_eq!(page.confidence, Some(("PC", 0.87)));
}

#[test]
fn the_description_applies_to_every_page() {
    let options = ReadOptions {
        level: Level::Line,
        text: false,
    };
    let mut lines = Vec::new();
    read(PAGE, options, |row| {
        let page = row.page.unwrap();
        assert_eq!(page.image.as_deref(), Some("a&b.tif"));
        assert_eq!(page.number, Some(4));
        assert_eq!(row.element.unit, "mm10");
        lines.push(row.element.clone());
    })
    .unwrap();
    let baselines = lines
        .iter()
        .map(|l| l.baseline.map(|b| (b.slope, b.offset)));
    let expected = [(None, Some(-2.5)), (Some(0.01), Some(-2.0))].map(Some);
    assert_eq!(baselines.collect::<Vec<_>>(), expected);
}

#[test]
fn blocks_have_a_type_and_an_angle() {
    let options = ReadOptions {
        level: Level::Block,
        text: false,
    };
    let mut blocks = Vec::new();
    read(PAGE, options, |row| blocks.push(row.element.clone())).unwrap();
    assert_eq!(blocks[0].class.as_deref(), Some("container"));
    assert_eq!(blocks[1].angle, Some(90.0));
    assert_eq!(blocks[1].tag, "TextBlock");
}

#[test]
fn prefixes_and_missing_end_tags_do_not_matter() {
    let page = "<a:alto><a:Page><a:TextBlock><a:TextLine><a:String CONTENT='x'/>\
                <a:TextLine><a:String CONTENT='y'></a:TextBlock><a:TextBlock ID='b'>";
    assert_eq!(texts(page, Level::Word), ["x", "y"]);
    assert_eq!(texts(page, Level::Line), ["x", "y"]);
    assert_eq!(texts(page, Level::Block), ["x\ny", ""]);
    assert_eq!(
        each(page, Level::Block, |b| b.tag.clone()),
        ["TextBlock", "TextBlock"]
    );
}

#[test]
fn the_default_unit_is_the_pixel() {
    let options = ReadOptions {
        level: Level::Page,
        text: false,
    };
    let mut units = Vec::new();
    read("<alto><Page WIDTH='1'/></alto>", options, |row| {
        units.push(row.element.unit)
    })
    .unwrap();
    assert_eq!(units, ["pixel"]);
}
