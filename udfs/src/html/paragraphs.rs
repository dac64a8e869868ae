//! The paragraphs of a page.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use super::{CHARSET, DATA, MODE, Mode, Reader, SECTION, texts};
use crate::function::{Returns, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{Cell, ColumnBuilder, ListOf, row};
use corpus_html::extract::{Extract, Paragraphs, UzushioParagraphs};

row! {
    /// A paragraph of a page.
    pub struct ParagraphRow<'a> {
        /// The number of the paragraph, from 1
        position: usize,
        /// The elements around it, such as `body>div.news>p#first`; long ones with a gap, `…12…`
        #[short]
        path: &'a str,
        /// 'text', 'h1' to 'h6', 'list', 'table', 'pre', 'quote' or 'caption'
        #[short]
        kind: &'a str,
        /// The text
        text: &'a str,
        /// The number of characters
        characters: usize,
        /// The number of characters in links
        link_characters: usize,
    }
}

/// The paragraphs of a page.
pub struct ParagraphRows<'a>(pub &'a Extract);

impl Cell for ParagraphRows<'_> {
    type Column = ListOf<ParagraphRow<'static>>;

    fn append_to(self, column: &mut Self::Column) {
        let paragraphs = (1..).zip(self.0.paragraphs());
        column.append(paragraphs.map(|(position, paragraph)| ParagraphRow {
            position,
            path: paragraph.path,
            kind: paragraph.kind.name(),
            text: paragraph.text,
            characters: paragraph.characters,
            link_characters: paragraph.link_characters,
        }));
    }
}

functions! {
    SECTION;

    /// The paragraphs of a page.
    ///
    /// > SELECT p['path'], p['kind'], p['link_characters']
    #[doc = "   FROM (SELECT unnest(html_paragraphs('<div id=a><h2>News</h2><p><a href=/>more</a>')) AS p);"]
    /// body>div#a>h2, h2, 0
    /// body>div#a>p, text, 4
    html_paragraphs(DATA, CHARSET, MODE) -> Returns::of::<ListOf<ParagraphRow>>(), costly;
}

fn html_paragraphs(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let mode = Mode::of_argument(&args[2]);
    let reader = Reader::new(settings, mode);
    let mut rows = ListOf::<ParagraphRow>::default();
    for page in texts(&args[0], &args[1]) {
        let extract = page.map(|page| match mode {
            Mode::Default(keep) => reader.read_keeping(&page, keep, Paragraphs::of).finish(),
            Mode::Uzushio => reader.read::<UzushioParagraphs>(&page).finish(),
        });
        extract.as_ref().map(ParagraphRows).append_to(&mut rows);
    }
    Ok(rows.finish()?)
}
