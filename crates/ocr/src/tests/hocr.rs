use super::super::{Level, MAX_REPEATED_BYTES, ReadOptions, read};
use super::{each, ids, seen, texts};

/// A page as written by Tesseract.
const PAGE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en">
 <head><title>x</title><meta name='ocr-system' content='tesseract'/></head>
 <body>
  <div class='ocr_page' id='p1' title='image "a;b.tif"; bbox 0 0 100 200; ppageno 6'>
   <div class='ocr_carea' id='b1' title="bbox 10 10 90 50">
    <p class='ocr_par' id='r1' lang='deu' title="bbox 10 10 90 50">
     <span class='ocr_line' id='l1' title="bbox 10 10 90 20; baseline 0.01 -3; textangle 90">
      <span class='ocrx_word' id='w1' title='bbox 10 10 40 20; x_wconf 96'>Der</span>
      <span class='ocrx_word' id='w2' title='bbox 45 10 90 20; x_wconf 73' lang='lat'><strong><em>Cod&amp;x</em></strong></span>
     </span>
     <span class='ocr_line' id='l2' title="bbox 10 30 90 50">
      <span class='ocrx_word' id='w3' title='bbox 10 30 90 50'>ist</span>
     </span>
    </p>
   </div>
   <div class='ocr_photo' id='b2' title="bbox 10 60 90 90"></div>
  </div>
  <div class='ocr_page' id='p2' title='image b.tif; bbox 0 0 300 400'>
   <p class='ocr_par' id='b3'><span class='ocr_caption' id='l3'>Fig. 1</span></p>
  </div>
 </body>
</html>"#;

#[test]
fn every_level_has_its_elements() {
    assert_eq!(ids(PAGE, Level::Page), ["p1", "p2"]);
    assert_eq!(ids(PAGE, Level::Block), ["b1", "b2", "b3"]);
    assert_eq!(ids(PAGE, Level::Line), ["l1", "l2", "l3"]);
    assert_eq!(ids(PAGE, Level::Word), ["w1", "w2", "w3"]);
}

#[test]
fn text_has_words_lines_and_paragraphs() {
    assert_eq!(texts(PAGE, Level::Word), ["Der", "Cod&x", "ist"]);
    assert_eq!(texts(PAGE, Level::Line), ["Der Cod&x", "ist", "Fig. 1"]);
    assert_eq!(texts(PAGE, Level::Block), ["Der Cod&x\nist", "", "Fig. 1"]);
    assert_eq!(texts(PAGE, Level::Page), ["Der Cod&x\nist", "Fig. 1"]);
}

#[test]
fn elements_have_a_page_block_and_line() {
    let words = seen(PAGE, Level::Word);
    assert_eq!(words[1].bbox, Some([45.0, 10.0, 90.0, 20.0]));
    assert_eq!(words[1].confidence, Some(("x_wconf", 73.0)));
    assert_eq!(words[2].confidence, None);
    let places: Vec<_> = words.iter().map(|w| (w.page, w.block, w.line)).collect();
    let first_block = (1, Some(1));
    let expected = [1, 1, 2].map(|line| (first_block.0, first_block.1, Some(line)));
    assert_eq!(places, expected);
    assert_eq!(
        each(PAGE, Level::Line, |l| (l.page, l.block))[2],
        (2, Some(3))
    );
}

#[test]
fn elements_are_emitted_with_their_page() {
    let mut pages = Vec::new();
    let options = ReadOptions {
        level: Level::Block,
        text: false,
    };
    read(PAGE, options, |row| {
        assert_eq!(row.text, None);
        pages.push(row.page.cloned().unwrap());
    })
    .unwrap();
    assert_eq!(pages[0].image.as_deref(), Some("a;b.tif"));
    assert_eq!(pages[0].number, Some(6));
    assert_eq!(pages[0].bbox.map(|b| b.width()), Some(100.0));
    assert_eq!(pages[2].image.as_deref(), Some("b.tif"));
    assert_eq!(pages[2].number, None);
}

#[test]
fn lines_have_a_baseline_and_an_angle() {
    let options = ReadOptions {
        level: Level::Line,
        text: false,
    };
    let mut lines = Vec::new();
    read(PAGE, options, |row| lines.push(row.element.clone())).unwrap();
    let baseline = lines[0].baseline.unwrap();
    assert_eq!((baseline.slope, baseline.offset), (Some(0.01), Some(-3.0)));
    assert_eq!(lines[0].angle, Some(90.0));
    assert_eq!((lines[1].baseline, lines[1].angle), (None, None));
}

#[test]
fn a_language_is_inherited_within_the_page() {
    assert_eq!(
        each(PAGE, Level::Word, |w| w.language.clone()),
        ["deu", "lat", "deu"]
    );
    // Not from the document, because programs always write the same language there.
    assert_eq!(each(PAGE, Level::Page, |p| p.language.clone()), ["", ""]);
    let page = "<div class=ocr_page title='bbox 0 0 1 1;ocrp_lang en'><b class=ocrx_word>x";
    assert_eq!(each(page, Level::Word, |w| w.language.clone()), ["en"]);
}

#[test]
fn classes_are_kept_as_written() {
    let options = ReadOptions {
        level: Level::Block,
        text: false,
    };
    let page = "<DIV CLASS='ocrx_block' TITLE='bbox 1 2 3 4'></DIV><div class=' ocrx_block'>\
                <div class='x ocr_carea&#32;y'><div class=OCR_CAREA><span class='ocrx_block'>";
    let mut found = Vec::new();
    read(page, options, |row| {
        let element = row.element;
        let classes: Vec<_> = element.classes().map(str::to_owned).collect();
        let title = element.title.clone().unwrap_or_default().into_owned();
        found.push((
            element.tag.clone().into_owned(),
            element.class.clone(),
            classes,
            title,
        ));
    })
    .unwrap();
    let tags: Vec<_> = found.iter().map(|f| f.0.as_str()).collect();
    assert_eq!(tags, ["div", "div", "div", "span"]);
    assert_eq!(found[0].1.as_deref(), Some("ocrx_block"));
    assert_eq!(found[0].3, "bbox 1 2 3 4");
    assert_eq!(found[1].1.as_deref(), Some(" ocrx_block"));
    assert_eq!(found[2].2, ["x", "ocr_carea", "y"]);
}

#[test]
fn a_header_is_a_line_or_a_block_by_its_tag() {
    let page = "<div class=ocr_header id=a><span class=ocr_header id=b>x</span></div>";
    assert_eq!(ids(page, Level::Block), ["a"]);
    assert_eq!(ids(page, Level::Line), ["b"]);
}

#[test]
fn a_paragraph_outside_a_block_is_a_block() {
    let page = "<div class=ocr_page><p class=ocr_par id=a>x<p class=ocr_par id=b>y\
                <div class=ocr_carea id=c><p class=ocr_par id=d>z</div><p class=ocr_par id=e>";
    assert_eq!(ids(page, Level::Block), ["a", "b", "c", "e"]);
    assert_eq!(texts(page, Level::Block), ["x", "y", "z", ""]);
}

#[test]
fn text_of_nested_blocks_is_emitted_once() {
    let page = "<div class=ocr_carea id=a>one <div class=ocr_carea id=b>two</div> three\
                <div class=ocr_carea id=c>four<div class=ocr_carea id=d>five</div></div></div>";
    assert_eq!(ids(page, Level::Block), ["a", "b", "c", "d"]);
    assert_eq!(
        texts(page, Level::Block),
        ["one\n\nthree", "two", "four", "five"]
    );
    assert_eq!(each(page, Level::Block, |b| b.depth), [0, 1, 1, 2]);
}

#[test]
fn self_closed_elements_contain_nothing() {
    let page = "<html><head><title/><script src='x'/></head><div class='ocr_page'>\
                <div class='ocr_header' id='a' title='bbox 1 2 3 4'/><p class='ocr_par' id='b'>\
                <span class='ocrx_word' id='w'/>x</p></div>";
    assert_eq!(ids(page, Level::Block), ["a", "b"]);
    assert_eq!(texts(page, Level::Block), ["", "x"]);
    assert_eq!(texts(page, Level::Word), [""]);
    assert_eq!(each(page, Level::Block, |b| b.depth), [0, 0]);
}

#[test]
fn missing_and_misplaced_end_tags_do_little_damage() {
    let page = "<div class=ocr_page><p><span class=ocr_line id=a><span class=ocrx_word>x</p>\
                <p><span class=ocr_line id=b><span class=ocrx_word>y</span></b></div></span>\
                <div class=ocr_page><span class=ocrx_word>z";
    assert_eq!(texts(page, Level::Word), ["x", "y", "z"]);
    assert_eq!(texts(page, Level::Line), ["x", "y"]);
    assert_eq!(texts(page, Level::Page), ["x\n\ny", "z"]);
    // Concatenated documents.
    let page = "<html><body><div class=ocr_page>a</div></body></html>";
    assert_eq!(texts(&page.repeat(2), Level::Page), ["a", "a"]);
    let open = "<div class=ocr_page>a</body></html><html><body>b</div>";
    assert_eq!(texts(open, Level::Page), ["a\nb"]);
}

#[test]
fn a_damaged_box_affects_nothing_else() {
    let page = "<span class=ocrx_word title='bbox 1 2 3'>a</span>\
                <span class=ocrx_word title='bbox a b c d; x_wconf 9'>b</span>\
                <span class=ocrx_word>c</span>\
                <span class=ocrx_word title='bbox 9 -8 7.5 1099511627776'>d</span>\
                <span class=ocrx_word title='bbox 1 2 3 4;x_wconf ?'>e</span>";
    let words = seen(page, Level::Word);
    let errors: Vec<_> = words.iter().map(|w| w.error.as_deref()).collect();
    let expected = [
        Some("bbox: expected 4 numbers, got 3"),
        Some("bbox: expected a number, got a"),
        None,
        None,
        Some("x_wconf: expected a number, got ?"),
    ];
    assert_eq!(errors, expected);
    let has_box: Vec<_> = words.iter().map(|w| w.bbox.is_some()).collect();
    assert_eq!(has_box, [false, false, false, true, true]);
    assert_eq!(words[3].bbox, Some([9.0, -8.0, 7.5, 1_099_511_627_776.0]));
    assert_eq!(words[1].confidence, Some(("x_wconf", 9.0)));
    assert_eq!(texts(page, Level::Word), ["a", "b", "c", "d", "e"]);
}

#[test]
fn tags_in_comments_scripts_and_attributes_are_ignored() {
    let page = "<!-- <div class=ocr_page> --><script>'<div class=ocr_page>'</script>\
                <style><div class=ocr_page></style><b title='<div class=ocr_page>'></b>\
                <div class=ocr_page id=a title='1 > 0'>1 < 2 &lt;div class=ocr_page&gt;</div>";
    assert_eq!(ids(page, Level::Page), ["a"]);
    assert_eq!(texts(page, Level::Page), ["1 < 2 <div class=ocr_page>"]);
}

#[test]
fn references_in_titles_are_decoded() {
    let page = "<div class=ocr_page title='bbox 0 0 1 1; image &quot;a;&amp;b.tif&quot;; x_source u?a=1&b=2'>";
    let options = ReadOptions {
        level: Level::Page,
        text: false,
    };
    read(page, options, |row| {
        assert_eq!(row.page.and_then(|p| p.image.as_deref()), Some("a;&b.tif"));
        let title = row.element.title.as_deref().unwrap();
        assert_eq!(super::super::prop(title, "x_source"), Some("u?a=1&b=2"));
    })
    .unwrap();
    assert_eq!(ids(page, Level::Page).len(), 1);
}

#[test]
fn rejected_alternatives_are_not_text() {
    let page = "<span class=ocrx_word><span class=alternatives><ins class=alt>III</ins>\
                <del class=alt>U<b>V</b></del></span></span><span class=ocrx_word><del>x</del></span>";
    assert_eq!(texts(page, Level::Word), ["III", "x"]);
}

#[test]
fn words_are_separated_even_without_blanks_between_them() {
    let page = "<p class=ocr_par><span class=ocr_line><span class=ocrx_word>a</span>\
                <span class=ocrx_word>b</span></span><span class=ocr_line><span class=ocrx_word>c\
                </span></span></p>";
    assert_eq!(texts(page, Level::Block), ["a b\nc"]);
}

#[test]
fn a_line_may_have_text_without_words() {
    let page = "<p><span class='ocr_line'>5) S. <b>51 </b>mit <span class='ocr_cinfo' \
                title='x_bboxes 1 2 3 4 -1 -1 -1 -1'></span></span></p>";
    assert_eq!(texts(page, Level::Line), ["5) S. 51 mit"]);
}

#[test]
fn cdata_is_text_in_xml() {
    let page = "<div class='ocr_page'><![CDATA[a<b]]></div>";
    assert_eq!(
        texts(&format!("<?xml version='1.0'?>{page}"), Level::Page),
        ["a<b"]
    );
    assert_eq!(texts(page, Level::Page), [""]);
}

#[test]
fn long_repeated_values_are_cut() {
    let long = "é".repeat(MAX_REPEATED_BYTES / 2 + 1);
    let page = format!(
        "<div class=ocr_page id={long} lang={long} title='image {long}; ocrp_lang {long}'><b class=ocrx_word id={long}>"
    );
    let options = ReadOptions {
        level: Level::Word,
        text: false,
    };
    read(&page, options, |row| {
        let page_values = row
            .page
            .map(|p| (p.id.clone(), p.image.clone(), p.language));
        let cut = Some(format!("{}…", "é".repeat(MAX_REPEATED_BYTES / 2)).into());
        let language = Some("é".repeat(50));
        assert_eq!(page_values, Some((cut.clone(), cut, language.as_deref())));
        assert_eq!(row.element.language, language.as_deref());
        assert_eq!(row.element.id.as_deref(), Some(long.as_str()));
    })
    .unwrap();
    assert_eq!(ids(&page, Level::Page), [long.as_str()]);
}

#[test]
fn elements_are_the_same_with_and_without_text() {
    for level in super::LEVELS {
        let mut with_text = Vec::new();
        let mut without = Vec::new();
        let options = |text| ReadOptions { level, text };
        read(PAGE, options(true), |row| {
            with_text.push(row.element.clone())
        })
        .unwrap();
        read(PAGE, options(false), |row| {
            without.push(row.element.clone())
        })
        .unwrap();
        assert_eq!(with_text, without);
    }
}
