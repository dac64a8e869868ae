//! Words that are divided at the ends of lines.

use super::super::{Level, ReadOptions, Summary, WordPart, read, read_joined};

const ALTO: &str = r#"<alto><Layout><Page ID="P1"><PrintSpace>
  <TextBlock><TextLine>
    <String CONTENT="la"/><SP/><String CONTENT="Per" SUBS_TYPE="HypPart1" SUBS_CONTENT="Pervenche"/><HYP CONTENT="-"/>
  </TextLine><TextLine>
    <String CONTENT="venche" SUBS_TYPE="HypPart2" SUBS_CONTENT="Pervenche"/><SP/><String CONTENT="est"/><SP/>
    <String CONTENT="gou" SUBS_TYPE="HypPart1" SUBS_CONTENT="gouverneur"></String><HYP CONTENT="&#xad;"/>
  </TextLine></TextBlock>
  <TextBlock><TextLine>
    <String CONTENT="verneur" SUBS_TYPE="HypPart2" SUBS_CONTENT="gouverneur"></String><SP/><String CONTENT="M." SUBS_TYPE="Abbreviation" SUBS_CONTENT="Monsieur"/><SP/>
    <String CONTENT="Doe" SUBS_TYPE="HypPart1" SUBS_CONTENT="Doering"/><HYP CONTENT="-"/>
  </TextLine></TextBlock></PrintSpace></Page>
  <Page ID="P2"><TextBlock><TextLine><String CONTENT="ring" SUBS_TYPE="HypPart2" SUBS_CONTENT="Doering"/></TextLine></TextBlock></Page>
</Layout></alto>"#;

/// The same text, in which nothing is declared.
const UNDECLARED: &str = r#"<alto><Page>
  <TextBlock><TextLine><String CONTENT="la"/><SP/><String CONTENT="Per"/><HYP CONTENT="-"/></TextLine>
  <TextLine><String CONTENT="venche"/><SP/><String CONTENT="est"/><SP/><String CONTENT="gou-"/></TextLine></TextBlock>
  <TextBlock><TextLine><String CONTENT="verneur"/><SP/><String CONTENT="Saint"/><HYP CONTENT="-"/></TextLine>
  <TextLine><String CONTENT="Malo"/><SP/><String CONTENT="fin"/><HYP CONTENT="-"/></TextLine></TextBlock></Page>
  <Page><TextBlock><TextLine><String CONTENT="ale"/></TextLine></TextBlock></Page></alto>"#;

const HOCR: &str = r#"<div class="ocr_page"><div class="ocr_carea"><p class="ocr_par">
  <span class="ocr_line"><span class="ocrx_word">la</span> <span class="ocrx_word"><strong>Per-</strong></span></span>
  <span class="ocr_line"><span class="ocrx_word"><em>ven</em>che</span> <span class="ocrx_word">est</span> <span class="ocrx_word">gou-</span></span></p></div>
  <div class="ocr_carea"><p class="ocr_par">
  <span class="ocr_line"><span class="ocrx_word">verneur</span> <span class="ocrx_word">Saint-</span></span>
  <span class="ocr_line"><span class="ocrx_word">Malo</span> <span class="ocrx_word">fin-</span></span></p></div></div>
  <div class="ocr_page"><span class="ocr_line"><span class="ocrx_word">ale</span></span></div>"#;

const PAGE_XML: &str = r#"<PcGts><Page imageFilename="a">
  <TextRegion id="r1"><TextLine><Word><TextEquiv><Unicode>la</Unicode></TextEquiv></Word><Word><TextEquiv><Unicode>Per-</Unicode></TextEquiv></Word><TextEquiv><Unicode>la Per-</Unicode></TextEquiv></TextLine>
  <TextLine><Word><TextEquiv><Unicode>venche</Unicode></TextEquiv></Word><Word><TextEquiv><Unicode>est</Unicode></TextEquiv></Word><Word><TextEquiv><Unicode>gou-</Unicode></TextEquiv></Word><TextEquiv><Unicode>venche est gou-</Unicode></TextEquiv></TextLine></TextRegion>
  <TextRegion id="r2"><TextLine><Word><TextEquiv><Unicode>verneur</Unicode></TextEquiv></Word><Word><TextEquiv><Unicode>Saint-</Unicode></TextEquiv></Word></TextLine>
  <TextLine><Word><TextEquiv><Unicode>Malo</Unicode></TextEquiv></Word><Word><TextEquiv><Unicode>fin-</Unicode></TextEquiv></Word></TextLine></TextRegion></Page>
  <Page><TextRegion><TextLine><Word><TextEquiv><Unicode>ale</Unicode></TextEquiv></Word></TextLine></TextRegion></Page></PcGts>"#;

fn joined(document: &str, level: Level) -> Vec<String> {
    let mut texts = Vec::new();
    read_joined(document, ReadOptions { level, text: true }, |row| {
        texts.push(row.text.unwrap_or_default().to_owned());
    })
    .unwrap();
    texts
}

fn printed(document: &str, level: Level) -> Vec<String> {
    super::texts(document, level)
}

type Word = (String, Option<WordPart>, Option<String>);

fn words(document: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let options = ReadOptions {
        level: Level::Word,
        text: true,
    };
    read_joined(document, options, |row| {
        let element = row.element;
        assert_eq!(element.position, words.len() + 1);
        words.push((
            row.text.unwrap_or_default().to_owned(),
            row.part(),
            row.whole().map(str::to_owned),
        ));
    })
    .unwrap();
    words
}

fn divided(document: &str) -> Vec<Word> {
    let words = words(document).into_iter();
    words.filter(|(_, part, _)| part.is_some()).collect()
}

fn counts(document: &str) -> Vec<usize> {
    let pages = Summary::of(document).unwrap().pages;
    pages.iter().map(|page| page.divided_words).collect()
}

fn part(text: &str, part: WordPart, whole: &str) -> Word {
    (text.to_owned(), Some(part), Some(whole.to_owned()))
}

#[test]
fn declared_words_are_whole_where_they_start() {
    assert_eq!(
        joined(ALTO, Level::Page),
        ["la Pervenche\nest gouverneur\n\nM. Doering", "ring"]
    );
    // The second part only counts in the same block.
    assert_eq!(
        joined(ALTO, Level::Block),
        ["la Pervenche\nest gouverneur", "verneur M. Doering", "ring"]
    );
    assert_eq!(
        joined(ALTO, Level::Line),
        ["la Per-", "venche est gou\u{ad}", "verneur M. Doe-", "ring"]
    );
    assert_eq!(counts(ALTO), [3, 0]);
}

#[test]
fn declared_parts_have_their_whole_word() {
    let expected = [
        part("Per", WordPart::First, "Pervenche"),
        part("venche", WordPart::Second, "Pervenche"),
        part("gou", WordPart::First, "gouverneur"),
        part("verneur", WordPart::Second, "gouverneur"),
        part("Doe", WordPart::First, "Doering"),
        part("ring", WordPart::Second, "Doering"),
    ];
    assert_eq!(divided(ALTO), expected);
    assert_eq!(words(ALTO).len(), 9);
}

#[test]
fn a_hyphen_and_a_lower_case_letter_make_a_whole_word() {
    for document in [UNDECLARED, HOCR, PAGE_XML] {
        let pages = ["la Pervenche\nest gouverneur\n\nSaint-\nMalo fin-", "ale"];
        assert_eq!(joined(document, Level::Page), pages);
        let blocks = joined(document, Level::Block);
        assert_eq!(blocks[0], "la Pervenche\nest gou-");
        let is_alto = document == UNDECLARED;
        let hyphen = if is_alto { "" } else { "-" };
        let expected = [
            part(&format!("Per{hyphen}"), WordPart::First, "Pervenche"),
            part("venche", WordPart::Second, "Pervenche"),
            part("gou-", WordPart::First, "gouverneur"),
            part("verneur", WordPart::Second, "gouverneur"),
        ];
        assert_eq!(divided(document), expected);
        assert_eq!(counts(document), [2, 0], "{document}");
    }
}

#[test]
fn hyphens_are_recognized_however_they_are_written() {
    let page = |first: &str| {
        format!(
            "<div class=ocr_page><span class=ocr_line><span class=ocrx_word>{first}</span></span>\
             <span class=ocr_line><span class=ocrx_word>venche</span></span></div>"
        )
    };
    let each = |text: &str| {
        let letter = |letter: char| format!("<span class=ocrx_cinfo title='x'>{letter}</span>");
        text.chars().map(letter).collect::<String>()
    };
    for first in [
        "Per-".to_owned(),
        "Per&shy;".to_owned(),
        "Per&#xAD;".to_owned(),
        "Per<b>-</b>".to_owned(),
        each("Per-"),
    ] {
        let page = page(&first);
        assert_eq!(joined(&page, Level::Page), ["Pervenche"], "{first}");
        assert_eq!(counts(&page), [1], "{first}");
        assert_eq!(divided(&page).len(), 2, "{first}");
    }
    for first in ["-", "12-", "Per--", "Per", "Per;"] {
        let page = page(first);
        assert_eq!(joined(&page, Level::Page), [format!("{first}\nvenche")]);
        assert_eq!(counts(&page), [0], "{first}");
        assert_eq!(divided(&page), []);
    }
}

#[test]
fn a_word_on_three_lines_is_one() {
    let line =
        |word: &str| format!("<span class=ocr_line><span class=ocrx_word>{word}</span></span>");
    let page = |words: &[&str]| {
        let lines: String = words.iter().map(|word| line(word)).collect();
        format!("<div class=ocr_page>{lines}</div>")
    };
    let words = page(&["Donau-", "dampf\u{ac}", "schiff", "Haus-", "und"]);
    let whole = "Donaudampfschiff";
    assert_eq!(
        divided(&words),
        [
            part("Donau-", WordPart::First, whole),
            part("dampf\u{ac}", WordPart::Second, whole),
            part("schiff", WordPart::Second, whole),
        ]
    );
    assert_eq!(
        joined(&words, Level::Page),
        ["Donaudampfschiff\nHaus-\nund"]
    );
    // A page of lines that all end with a hyphen is not one endless word.
    let many = page(&vec!["a-"; 100]);
    let longest = divided(&many).into_iter().filter_map(|(_, _, whole)| whole);
    assert!(longest.map(|whole| whole.len()).max() < Some(20));
}

#[test]
fn the_printed_text_keeps_both_parts() {
    for document in [ALTO, UNDECLARED, HOCR, PAGE_XML] {
        let pages = printed(document, Level::Page);
        assert!(pages[0].starts_with("la Per-\nvenche est gou"), "{pages:?}");
        for level in [Level::Line, Level::Word] {
            assert_eq!(joined(document, level), printed(document, level));
        }
    }
    let mut parts = 0;
    let options = ReadOptions {
        level: Level::Word,
        text: true,
    };
    for document in [UNDECLARED, HOCR, PAGE_XML] {
        read(document, options, |row| {
            parts += usize::from(row.part().is_some());
        })
        .unwrap();
    }
    assert_eq!(parts, 0);
}

#[test]
fn parts_that_do_not_match_are_kept() {
    let page = |strings: &str| format!("<alto><Page><TextLine>{strings}</TextLine></Page></alto>");
    let string = |content: &str, part: usize, whole: &str| {
        format!("<String CONTENT='{content}' SUBS_TYPE='HypPart{part}' SUBS_CONTENT='{whole}'/>")
    };
    for (strings, expected) in [
        (
            string("Per", 1, "Pervenche") + &string("ring", 2, "Doering"),
            "Pervenche ring",
        ),
        (string("venche", 2, "Pervenche"), "venche"),
        (
            string("Per", 1, "Pervenche")
                + "<String CONTENT='x'/>"
                + &string("venche", 2, "Pervenche"),
            "Pervenche x venche",
        ),
        // Without a declared whole word, the parts are the text.
        (
            string("Per", 1, "") + &string("venche", 2, ""),
            "Per venche",
        ),
        (
            string("Per", 1, "Pervenche") + &string("venche", 2, ""),
            "Pervenche",
        ),
    ] {
        assert_eq!(
            joined(&page(&strings), Level::Page),
            [expected],
            "{strings}"
        );
    }
}

#[test]
fn words_over_the_ends_of_regions_follow_the_reading_order() {
    // The reading order puts the second region first.
    let page = PAGE_XML.replace("fin-", "Fin").replace(
        "<TextRegion id=\"r1\">",
        "<ReadingOrder><OrderedGroup><RegionRefIndexed index='0' regionRef='r2'/>\
         <RegionRefIndexed index='1' regionRef='r1'/></OrderedGroup></ReadingOrder><TextRegion id=\"r1\">",
    );
    assert_eq!(
        joined(&page, Level::Page)[0],
        "verneur Saint-\nMalo Fin\n\nla Pervenche\nest gou-"
    );
    let page = page.replace("index='0'", "index='2'");
    assert_eq!(
        joined(&page, Level::Page)[0],
        "la Pervenche\nest gouverneur\n\nSaint-\nMalo Fin"
    );
}
