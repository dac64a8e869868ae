//! The paragraphs of a page.

use super::{CHARSET, DATA, MODE, Mode, Reader, SECTION, arguments, texts};
use crate::function::{Function, Returns, document};
use corpus_charset::Charset;
use corpus_columns::{Cell, ColumnBuilder, ListOf, row};
use corpus_html::extract::{Extract, Paragraphs, UzushioParagraphs};

row! {
    /// A paragraph of a page.
    pub struct ParagraphRow<'a> {
        /// The number of the paragraph, from 1
        position: usize,
        /// The elements around it, such as `body>div.news>p#first`; long ones with a gap, `…12…`
        path: &'a str,
        /// 'text', 'h1' to 'h6', 'list', 'table', 'pre', 'quote' or 'caption'
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

pub fn html_paragraphs() -> Function {
    let documentation = document(
        SECTION,
        "html_paragraphs(data [, charset [, mode]])",
        "The paragraphs of a page.",
        "> SELECT p['path'], p['kind'], p['link_characters']
  FROM (SELECT unnest(html_paragraphs('<div id=a><h2>News</h2><p><a href=/>more</a>')) AS p);
body>div#a>h2, h2, 0
body>div#a>p, text, 4",
        &[DATA, CHARSET, MODE],
    );
    let returns = Returns::of::<ListOf<ParagraphRow>>();
    Function::new(
        "html_paragraphs",
        arguments(1),
        returns,
        documentation,
        |args, settings| {
            let mode = Mode::of_argument(&args[2]);
            let reader = Reader::new(settings, mode);
            let mut rows = ListOf::<ParagraphRow>::default();
            for page in texts(&args[0], &args[1]) {
                let extract = page.map(|(page, _)| match mode {
                    Mode::Default(keep) => {
                        reader.read_keeping(&page, keep, Paragraphs::of).finish()
                    }
                    Mode::Uzushio => reader.read::<UzushioParagraphs>(&page).finish(),
                });
                extract.as_ref().map(ParagraphRows).append_to(&mut rows);
            }
            Ok(rows.finish()?)
        },
    )
    .optional(2)
    .checked(1, Charset::check_declared)
    .constant(2, Mode::check)
    .costly()
}
