use super::svg;

fn picture(document: &str) -> String {
    svg(document, 1).unwrap().unwrap()
}

fn page(bbox: &str, content: &str) -> String {
    format!("<div class=ocr_page title='image a.tif; bbox {bbox}'>{content}</div>")
}

fn block(title: &str) -> String {
    format!("<div class=ocr_carea title='{title}'></div>")
}

/// The values of an attribute in all elements with a name, in order.
fn attributes<'a>(svg: &'a str, element: &str, attribute: &str) -> Vec<&'a str> {
    let start = format!("<{element} ");
    let tags = svg.split(&start).skip(1);
    tags.map(|tag| {
        let tag = tag.split_once('>').unwrap().0;
        let value = tag.split_once(&format!("{attribute}=\"")).unwrap().1;
        value.split_once('"').unwrap().0
    })
    .collect()
}

/// The visible texts, without titles.
fn texts(svg: &str) -> Vec<&str> {
    let mut texts = Vec::new();
    for piece in svg.split("<text ").skip(1) {
        let text = piece.split_once('>').unwrap().1;
        texts.push(text.split_once("</text>").unwrap().0);
    }
    texts
}

/// The colors of the boxes.
fn colors(svg: &str) -> Vec<&str> {
    let boxes = svg.split_once("<g ").unwrap().1;
    attributes(boxes.split_once("</g>").unwrap().0, "rect", "fill")
}

#[test]
fn a_page_is_drawn_in_its_own_units() {
    let svg = picture(&page("0 0 1400 2000", &block("bbox 100 200 1300 400")));
    assert!(svg.contains("<rect x=\"0\" y=\"0\" width=\"1400\" height=\"2000\" class=\"page\""));
    assert!(svg.contains("<rect x=\"100\" y=\"200\" width=\"1200\" height=\"200\" fill="));
    let view: Vec<f64> = attributes(&svg, "svg", "viewBox")[0]
        .split(' ')
        .map(|number| number.parse().unwrap())
        .collect();
    let [x, y, width, height] = view[..] else {
        panic!("{view:?}")
    };
    assert!(x < 0.0 && y < 0.0 && x + width > 1400.0 && y + height > 2000.0);
}

#[test]
fn margins_are_distances_of_all_blocks_to_the_edges() {
    let blocks = block("bbox 110 200 700 400") + &block("bbox 600 500 1250 1960");
    let svg = picture(&page("10 0 1410 2000", &blocks));
    let texts = texts(&svg);
    for margin in [
        ["100", "7.1 %"],
        ["160", "11.4 %"],
        ["200", "10 %"],
        ["40", "2 %"],
    ] {
        assert!(
            texts.windows(2).any(|pair| pair == margin),
            "{margin:?}: {texts:?}"
        );
    }
    assert!(!svg.contains("margin edge"));
    // The line is at the outermost block and runs from edge to edge.
    assert!(svg.contains("<path d=\"M10 300L110 300\"/>"));
    assert!(svg.contains("<path d=\"M1410 1230L1250 1230\"/>"));
    assert!(svg.contains("<rect class=\"all\" x=\"110\" y=\"200\" width=\"1140\" height=\"1760\""));
}

#[test]
fn text_at_an_edge_or_over_it_is_marked() {
    let svg = picture(&page("0 0 1000 1000", &block("bbox 9 10 1030 500")));
    let texts = texts(&svg);
    assert!(texts.windows(2).any(|pair| pair == ["9", "at the edge"]));
    assert!(texts.windows(2).any(|pair| pair == ["-30", "outside"]));
    // One percent is a margin.
    assert!(texts.windows(2).any(|pair| pair == ["10", "1 %"]));
    assert_eq!(svg.matches("margin edge").count(), 2);
    assert!(svg.contains("<rect x=\"9\" y=\"10\" width=\"1021\" height=\"490\" fill="));
}

#[test]
fn colors_show_the_confidence() {
    let confidences = ["0", "49.9", "50", "84", "85", "95", "100", "-1"];
    let mut blocks: String = confidences
        .map(|value| block(&format!("bbox 1 1 2 2; x_wconf {value}")))
        .concat();
    blocks += &block("bbox 1 1 2 2");
    let svg = picture(&page("0 0 9 9", &blocks));
    let [red, orange, yellow, light, blue, grey] = [
        "#d55e00", "#e69f00", "#f0e442", "#56b4e9", "#0072b2", "#999999",
    ];
    assert_eq!(
        colors(&svg),
        [red, red, orange, yellow, light, blue, blue, red, grey]
    );
    assert!(texts(&svg).contains(&"confidence (x_wconf)"));
    // A scale up to 1.
    let blocks = block("bbox 1 1 2 2; x_confs 0.8 0.9") + &block("bbox 1 1 2 2; x_confs 1");
    assert_eq!(colors(&picture(&page("0 0 9 9", &blocks))), [light, blue]);
    // Without confidences, there is no scale.
    let svg = picture(&page("0 0 9 9", &block("bbox 1 1 2 2")));
    assert_eq!(colors(&svg), [grey]);
    assert!(!svg.contains("fill=\"#d55e00\""));
}

#[test]
fn a_block_without_a_confidence_has_that_of_its_words() {
    let word =
        |value| format!("<span class=ocrx_word title='bbox 1 1 2 2; x_wconf {value}'>w</span>");
    let block = |title: &str, words: [i32; 2]| {
        let words = words.map(word).concat();
        // Blocks and lines are counted separately.
        format!(
            "<div class=ocr_carea title='{title}'><span class=ocr_line></span><span class=ocr_line>{words}</span></div>"
        )
    };
    let blocks = block("bbox 1 1 8 8", [80, 100])
        + &block("bbox 1 1 8 8; x_wconf 20", [80, 100])
        + &block("bbox 1 1 8 8", [51, 52]);
    let svg = picture(&page("0 0 9 9", &blocks));
    assert_eq!(colors(&svg), ["#56b4e9", "#d55e00", "#e69f00"]);
    assert!(svg.contains("confidence 90 % · mean of 2 words</title>"));
    assert!(svg.contains("confidence 20 %</title>"));
}

#[test]
fn lines_are_drawn_if_there_are_no_blocks() {
    let line = "<span class=ocr_line title='bbox 10 10 90 20'></span>";
    let svg = picture(&page("0 0 100 100", line));
    assert_eq!(colors(&svg).len(), 1);
    assert!(svg.contains("<title>line 1 · ocr_line · 10 10 90 20 · 80 × 10</title>"));
    assert!(!svg.contains("class=\"lines\""));
    assert!(svg.contains("margin"));
    let svg = picture(&page(
        "0 0 100 100",
        &format!("{}{line}", block("bbox 5 5 95 95")),
    ));
    assert_eq!(colors(&svg).len(), 1);
    assert!(svg.contains("d=\"M10 10h80v10h-80z\""));
}

#[test]
fn a_page_without_a_box_is_drawn_around_its_blocks() {
    for bbox in ["", "0 0 0 0", "5 5 1 1", "0 0 1e300 1e300", "1 2 3"] {
        let svg = picture(&page(bbox, &block("bbox 100 200 300 400")));
        assert!(
            svg.contains("<rect x=\"100\" y=\"200\" width=\"200\" height=\"200\" class=\"page\"")
        );
        assert!(texts(&svg).iter().any(|text| text.contains("no valid box")));
        assert!(!svg.contains("<g class=\"margin"));
    }
    // A page may also be empty.
    assert!(picture("<div class=ocr_page>").contains("class=\"page\""));
}

#[test]
fn broken_and_distant_boxes_are_counted() {
    let blocks = block("bbox 5 5 5 9")
        + &block("bbox 9 9 1 1")
        + &block("bbox 1 2")
        + &block("bbox 1e12 1 2e12 2");
    let blocks = blocks + &block("bbox 10 10 90 90") + &block("bbox 100000 10 100010 20");
    let svg = picture(&page("0 0 100 100", &blocks));
    assert_eq!(colors(&svg).len(), 1);
    let texts = texts(&svg);
    assert!(texts.contains(&"… 4 more blocks have a missing, empty or inverted box"));
    assert!(texts.contains(&"… 1 more blocks are outside the picture"));
    // They do not shrink the page.
    let width: f64 = attributes(&svg, "svg", "viewBox")[0]
        .split(' ')
        .nth(2)
        .unwrap()
        .parse()
        .unwrap();
    assert!(width < 300.0, "{width}");
}

#[test]
fn a_picture_is_bounded() {
    let many = block("bbox 1 1 8 8").repeat(5003);
    let svg = picture(&page("0 0 9 9", &many));
    assert_eq!(colors(&svg).len(), 5000);
    assert!(texts(&svg).contains(&"… 3 more blocks are not drawn"));
    let long = "x".repeat(100_000);
    let document = format!(
        "<div class='ocr_page' id='{long}' title='image {long}; bbox 0 0 9 9'><div class='ocr_carea {long}' id='{long}' title='bbox 1 1 2 2'></div></div>"
    );
    assert!(picture(&document).len() < 10_000);
    // A long name is cut in the picture, but its title is complete.
    let name = "x".repeat(900);
    let svg = picture(&format!("<div class=ocr_page title='image {name}'>"));
    let written = texts(&svg)
        .into_iter()
        .find(|text| text.starts_with('x'))
        .unwrap();
    assert!(written.ends_with('…') && written.len() < 100, "{written}");
    assert!(svg.contains(&format!("<title>{name}</title>")));
}

#[test]
fn values_are_escaped() {
    let document = "<div class=ocr_page title='image a&amp;b<\u{1}>&quot;.tif'><div class='ocr_carea' id='&lt;/title>&lt;script>' title='bbox 1 1 2 2'></div></div>";
    let svg = picture(document);
    assert!(
        svg.contains("<title>a&amp;b&lt;\u{FFFD}&gt;&quot;.tif</title>"),
        "{svg}"
    );
    assert!(svg.contains("&lt;/title&gt;&lt;script&gt;"));
    assert!(!svg.contains("<script"));
}

#[test]
fn each_page_has_its_picture() {
    let document = page("0 0 10 10", &block("bbox 1 1 2 2"))
        + &page("0 0 20 20", &block("bbox 3 3 9 9").repeat(2));
    let of = |number| svg(&document, number).unwrap();
    assert_eq!(colors(&of(1).unwrap()).len(), 1);
    assert_eq!(colors(&of(2).unwrap()).len(), 2);
    assert!(of(2).unwrap().contains("width=\"20\" height=\"20\""));
    assert_eq!(of(0), None);
    assert_eq!(of(3), None);
}

#[test]
fn documents_without_pages_have_no_picture() {
    assert_eq!(svg("<html><body><p>No scan", 1).unwrap(), None);
    assert_eq!(svg("", 1).unwrap(), None);
    assert!(svg("<?xml version='1.0'?><TEI/>", 1).is_err());
    // Blocks without a page are enough.
    assert!(svg(&block("bbox 1 1 2 2"), 1).unwrap().is_some());
    assert!(svg(&block("bbox 1 1 2 2"), 2).unwrap().is_none());
}

#[test]
fn other_formats_have_pictures() {
    let svg = picture(
        "<alto><Description><MeasurementUnit>mm10</MeasurementUnit></Description><Layout><Page ID=\"p\" WIDTH=\"100\" HEIGHT=\"200\"><PrintSpace><TextBlock HPOS=\"10\" VPOS=\"20\" WIDTH=\"30\" HEIGHT=\"40\"><TextLine><String CONTENT=\"x\" WC=\"0.6\"/></TextLine></TextBlock></PrintSpace></Page></Layout></alto>",
    );
    assert_eq!(colors(&svg), ["#e69f00"]);
    assert!(
        texts(&svg)
            .iter()
            .any(|text| text.contains("100 × 200 mm10 · 1 blocks"))
    );
}
