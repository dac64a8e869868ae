//! `office_parse`: one struct per document.

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::SECTION;
use crate::function::{Parameter, Returns, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{ColumnBuilder, StructOf, row};
use corpus_office::{Document, Limits, read};

row! {
    /// A document.
    struct DocumentRow<'a> {
        /// 'epub', 'docx' or 'odt', by the content
        #[short]
        kind: Option<&'a str>,
        /// The title
        title: Option<&'a str>,
        /// The authors, separated by `; `
        author: Option<&'a str>,
        /// The language as declared
        #[short]
        lang: Option<&'a str>,
        /// The description
        description: Option<&'a str>,
        /// The keywords or subjects, separated by `; `
        keywords: Option<&'a str>,
        /// The publisher
        publisher: Option<&'a str>,
        /// When it was created or published, as written
        created: Option<&'a str>,
        /// When it was modified, as written
        modified: Option<&'a str>,
        /// As the last program counted; NULL for EPUB
        pages: Option<i64>,
        /// Plain text: blank lines between paragraphs, a line for each row of a table, with tabs
        text: Option<&'a str>,
        /// The damage, if something could not be read
        #[short]
        error: Option<&'a str>,
    }
}

const DATA: Parameter = Parameter::new("data", || DataType::BinaryView, "The document as bytes.");

functions! {
    SECTION;

    /// The text and the metadata of an EPUB, DOCX or ODT document. Footnotes follow the text,
    /// without comments, deleted text, headers and footers.
    ///
    /// > SELECT office_parse(content)['kind'], office_parse(content)['title']
    ///   FROM read_files('data-samples/office/report.docx', 'unpack', 'false');
    /// docx, Apples
    office_parse(DATA) -> Returns::of::<StructOf<DocumentRow>>(), costly;
}

fn office_parse(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let limits = Limits {
        max_bytes: settings.max_record_bytes.0,
    };
    let mut rows = StructOf::<DocumentRow>::default();
    for data in args[0].as_binary_view() {
        let document = data.map(|data| read(data, &limits));
        rows.append(document.as_ref().map(DocumentRow::from));
    }
    Ok(rows.finish()?)
}

impl<'a> From<&'a Document> for DocumentRow<'a> {
    fn from(document: &'a Document) -> Self {
        Self {
            kind: document.kind.map(|kind| kind.name()),
            title: document.title.as_deref(),
            author: document.author.as_deref(),
            lang: document.language.as_deref(),
            description: document.description.as_deref(),
            keywords: document.keywords.as_deref(),
            publisher: document.publisher.as_deref(),
            created: document.created.as_deref(),
            modified: document.modified.as_deref(),
            pages: document.pages.and_then(|pages| i64::try_from(pages).ok()),
            text: document.text.as_deref(),
            error: document.error.as_deref(),
        }
    }
}
