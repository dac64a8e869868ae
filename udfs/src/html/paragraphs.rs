//! The paragraphs of a page.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{ArrayRef, Int32Builder};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;

use super::{CHARSET, DATA, MODE, Mode, Reader, SECTION, arguments, texts};
use crate::function::{Function, document};
use crate::lists::{ListLengths, TextColumns, list_of};
use corpus_charset::Charset;
use corpus_html::extract::{Extract, Paragraphs, SeedParagraphs};

static PARAGRAPH: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("position", DataType::Int32, true),
        Field::new("path", DataType::LargeUtf8, true),
        Field::new("kind", DataType::LargeUtf8, true),
        Field::new("text", DataType::LargeUtf8, true),
        Field::new("characters", DataType::Int32, true),
        Field::new("link_characters", DataType::Int32, true),
    ])
});

pub fn html_paragraphs() -> Function {
    let documentation = document(
        SECTION,
        "html_paragraphs(data [, charset [, mode]])",
        "The paragraphs of a page: a list of structs of position (from 1), path (the elements \
         around it, such as `body>div.news>p#first`; a long one shows its gap, `…12…`), kind ('text', 'h1' to 'h6', 'list', 'table', \
         'pre', 'quote', 'caption'), text, characters, and link_characters (how many of them are \
         in links).",
        "> SELECT p['path'], p['kind'], p['link_characters']
  FROM (SELECT unnest(html_paragraphs('<div id=a><h2>News</h2><p><a href=/>more</a>')) AS p);
body>div#a>h2, h2, 0
body>div#a>p, text, 4",
        &[DATA, CHARSET, MODE],
    );
    let returns = paragraphs_type();
    Function::new(
        "html_paragraphs",
        arguments(1),
        returns,
        documentation,
        |args, settings| {
            let mode = Mode::of_argument(&args[2]);
            let reader = Reader::new(settings, mode);
            let mut columns = ParagraphColumns::default();
            for page in texts(&args[0], &args[1]) {
                let extract = page.map(|(page, _)| match mode {
                    Mode::Default(keep) => {
                        reader.read_keeping(&page, keep, Paragraphs::of).finish()
                    }
                    Mode::Seed => reader.read::<SeedParagraphs>(&page).finish(),
                });
                columns.append(extract.as_ref());
            }
            columns.finish()
        },
    )
    .optional(2)
    .checked(1, Charset::check_declared)
    .constant(2, Mode::check)
    .costly()
}

pub fn paragraphs_type() -> DataType {
    list_of(&PARAGRAPH)
}

/// Builds a column of lists of paragraphs.
#[derive(Default)]
pub struct ParagraphColumns {
    lengths: ListLengths,
    position: Int32Builder,
    path_kind_text: TextColumns<3>,
    characters: Int32Builder,
    link_characters: Int32Builder,
}

impl ParagraphColumns {
    pub fn append(&mut self, extract: Option<&Extract>) {
        self.lengths.append(extract.map(|e| e.paragraphs().len()));
        let paragraphs = extract.into_iter().flat_map(Extract::paragraphs);
        for (position, paragraph) in (1..).zip(paragraphs) {
            self.position.append_value(position);
            self.path_kind_text.append([
                Some(paragraph.path),
                Some(paragraph.kind.name()),
                Some(paragraph.text),
            ]);
            self.characters.append_value(count(paragraph.characters));
            self.link_characters
                .append_value(count(paragraph.link_characters));
        }
    }

    pub fn finish(mut self) -> Result<ArrayRef> {
        let [path, kind, text] = self.path_kind_text.finish();
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.position.finish()),
            path,
            kind,
            text,
            Arc::new(self.characters.finish()),
            Arc::new(self.link_characters.finish()),
        ];
        Ok(Arc::new(self.lengths.finish(&PARAGRAPH, columns)?))
    }
}

fn count(characters: usize) -> i32 {
    i32::try_from(characters).unwrap_or(i32::MAX)
}
