//! Compares reading with shapes, which skips tags without effect, with parsing every tag.

use corpus_bytes::random::Random;

use super::super::html::{read, read_without_shapes};
use super::super::level::{Level, Levels};
use super::super::row::OwnedRow;
use super::super::rows::Selection;
use super::oracle::random_page;

/// The beginnings of pages, from which the shapes of lines and words are learned.
const BEGINNINGS: [&str; 4] = [
    "<div class='ocr_page'>",
    "<?xml version='1.0'?><div class='ocr_page' title='bbox 0 0 9 9' lang='en'>",
    "<div class='ocrx_block' title='bbox 1 2 3 4'><p class='ocr_par'><span class='ocr_line' \
     title='bbox 1 2 3 4'><span class='ocrx_word' title='bbox 1 2 3 4'>a</span></span></p>",
    "<div class=\"ocr_carea\"><span class=\"ocr_line\" id=\"l\" title=\"bbox 1 2 3 4\">\
     <span class=\"ocrx_word\" id=\"w\" title=\"x_wconf 9\">a-</span></span>",
];
const COMMON_TAGS: [&str; 20] = [
    "<span class='ocr_line' title='bbox 1 2 3 4'>",
    "<span class='ocr_line' title='bbox 21 22 23 24;x_wconf 90'>",
    "<span class='ocrx_word' title='bbox 1 2 3 4'>",
    "<span class='ocrx_word' title='bbox 21 22 23 24;x_wconf 90'>",
    "<span class=\"ocr_line\" id=\"l\" title=\"bbox 1 2 3 4\">",
    "<span class=\"ocrx_word\" id=\"w2\" title=\"bbox 1 2 3 4; x_wconf 90\">",
    "</span>",
    "</span>",
    "</span> ",
    "</span></span>\n",
    "word",
    "di- ",
    "vided",
    " ",
    "<p class='ocr_par' title='bbox 1 2 3 4'>",
    "</p>",
    "<div class='ocrx_block' title='bbox 5 6 7 8'>",
    "<div class=\"ocr_carea\">",
    "</div>",
    "</div>",
];
const UNUSUAL: [&str; 60] = [
    "<div class=\"ocr_page\" title='image \"a;b.tif\"; bbox 0 0 9 9'>",
    "<div>",
    "</DIV>",
    "<DIV CLASS='ocrx_block'>",
    "<div class=ocrx_block title='bbox 1 2'>",
    "<div class='ocr&#95;carea'>",
    "<div class='ocrx_block'/>",
    "<p>",
    "<p class='ocr_par' lang='la'>",
    "<b class='ocr_par'>",
    "<span class='ocrx_block' title='bbox 9 9 9 9'>",
    "<span class='ocrx_word ocrx_block' title='bbox 9 9 9 9'>",
    "<span class='ocrx_word' title='bbox 1 2 3 4' lang='fr'>",
    "<span lang='de' class='ocr_line' title='bbox 1 2 3 4'>",
    "<span>",
    "<span class='other'>",
    "<b lang=it>",
    "</b>",
    "<em>",
    "</em>",
    "<SPAN CLASS='ocrx_word' title='x'>",
    "</SPAN>",
    "</span >",
    "</spanner>",
    "<spanner class='ocr_line'>",
    "<span class='ocr_line' title='<div class=\"ocrx_block\">'>",
    "<span class='ocrx_word' title='</span>'>",
    "<span class='ocrx_word' title='a &#39; &quot;' >",
    "<span class='ocr_line' title='bbox &#49; 2 3 4'>",
    "<span class='ocr_line' title='bbox 1 2 3 4>",
    "<span class=\"ocrx_word\" id=\"w title=\"bbox 1 2 3 4\">",
    "<span class='ocr_line' title='x'/>",
    "<span class='ocr_line'title='x'>",
    "<span class='ocrx_word' title=x>",
    "<span class='ocrx_word' title='x' title='y'>",
    "<!-- <div class='ocrx_block'> </span> -->",
    "<!-->",
    "<!--",
    "-->",
    "<!x '>'>",
    "<![CDATA[<div class='ocrx_block'>]]>",
    "]]>",
    "<?x <p>?>",
    "<script>'<div class=\"ocrx_block\">'</script>",
    "<script><!-- <script> </script>",
    "<title></span></title>",
    "<style>",
    "</style>",
    "<textarea>",
    "</textarea>",
    "<br/>",
    "<img title='</div>'>",
    "<",
    "</",
    "</>",
    "1 < 2 > 1",
    "<span",
    "'",
    "\"",
    "&lt;p>\u{e9}&nbsp;\0",
];

fn selections() -> impl Iterator<Item = Selection> {
    let of = |levels, text, joins| Selection {
        levels,
        text,
        joins,
    };
    let levels = Level::ALL.into_iter().map(Levels::from);
    levels
        .flat_map(move |level| [of(level, false, false), of(level, true, true)])
        .chain([of(Levels::ALL, false, false)])
}

/// Compares the elements of a page in both ways. Returns their number.
fn compare(page: &str) -> usize {
    let mut count = 0;
    for selection in selections() {
        let (mut rows, mut expected): (Vec<(Level, OwnedRow<'_>)>, Vec<_>) = Default::default();
        read(page, selection, |row| {
            rows.push((row.level, row.to_owned()))
        });
        read_without_shapes(page, selection, |row| {
            expected.push((row.level, row.to_owned()));
        });
        assert_eq!(rows, expected, "{selection:?}: {page}");
        count += rows.len();
    }
    count
}

fn page_of_parts(seed: u64) -> String {
    let mut numbers = Random::seeded(seed);
    let mut page = numbers.pick(&BEGINNINGS).to_owned();
    let is_usual = seed.is_multiple_of(8);
    for _ in 0..numbers.below(80) {
        if is_usual || numbers.below(8) != 0 {
            page.push_str(numbers.pick(&COMMON_TAGS));
        } else {
            page.push_str(numbers.pick(&UNUSUAL));
        }
    }
    page
}

/// Lines of words of all lengths, with one byte replaced.
fn page_of_words(seed: u64) -> String {
    let [_, _, mut page, _] = BEGINNINGS.map(str::to_owned);
    let mut numbers = Random::seeded(seed);
    for _ in 0..20 {
        if numbers.below(4) == 0 {
            page.push_str("</span><span class='ocr_line' title='bbox 1 2 3 4'>");
        }
        let [title, text] = ["1", "a"].map(|letter| letter.repeat(numbers.below(70)));
        page.push_str(&format!(
            "<span class='ocrx_word' title='{title}'>{text}</span> "
        ));
    }
    page.push_str("</span></div><div class='ocrx_block' title='bbox 5 6 7 8'>");
    let at = numbers.below(page.len());
    page.replace_range(at..=at, numbers.pick(&["<", ">", "'", "/", "s", " "]));
    page
}

#[test]
fn pages_have_the_same_elements_with_and_without_shapes() {
    let of_parts: usize = (0..3000).map(|seed| compare(&page_of_parts(seed))).sum();
    assert!(of_parts > 100_000, "{of_parts}");
    let of_words: usize = (0..500).map(|seed| compare(&page_of_words(seed))).sum();
    assert!(of_words > 20_000, "{of_words}");
    let random: usize = (0..1000).map(|seed| compare(&random_page(seed))).sum();
    assert!(random > 10_000, "{random}");
}
