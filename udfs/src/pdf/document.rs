//! `pdf_parse`: one struct per document.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use super::structure::is_unreadable;
use super::{DATA, OPTIONS, PASSWORDS, SECTION, read_all};
use crate::function::{self, ALL_FIELDS, Parameter, Returns, check_fields, constant, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{Cell, ColumnBuilder, ListOf, StructOf, Timestamp, row};
use corpus_html::corpus_blocks::markdown::{self, markdown};
use corpus_pdf::Outcome;
use corpus_pdf::blocks;
use corpus_pdf::model::{Info, OutlineItem, Page, Request};
use corpus_pdf::quality::{self, Garbled, OcrReason, PageFacts};

row! {
    /// A document.
    #[derive(Default)]
    struct DocumentRow<'a> {
        /// The number of pages
        pages: Option<u32>,
        /// The number of pages that could be read
        pages_ok: Option<usize>,
        /// All pages, with a newline and a form feed between them
        text: Option<&'a str>,
        /// The title
        title: Option<&'a str>,
        /// The author
        author: Option<&'a str>,
        /// The subject
        subject: Option<&'a str>,
        /// The keywords
        keywords: Option<&'a str>,
        /// The program in which the document was written
        creator: Option<&'a str>,
        /// The program that made the PDF
        producer: Option<&'a str>,
        /// When it was created
        created: Option<Timestamp>,
        /// When it was modified
        modified: Option<Timestamp>,
        /// The version of PDF
        version: Option<&'a str>,
        /// Whether it is encrypted
        encrypted: Option<bool>,
        /// Whether it has any text; NULL if it has none, but is incomplete
        has_text: Option<bool>,
        /// How little the text looks like a language, 0 to 1
        garbled: Option<f64>,
        /// Whether pages are images, or their text is useless; NULL if unknown
        needs_ocr: Option<bool>,
        /// The number of pages that need OCR
        ocr_pages: Option<usize>,
        /// The `ocr_reason` of pdf_pages that most of these pages have, if it needs OCR
        #[short]
        ocr_reason: Option<&'a str>,
        /// The sum of `inferred` of pdf_pages
        inferred: Option<u32>,
        /// 'ok', 'partial' (parts could be read) or 'failed'
        #[short]
        status: Option<&'a str>,
        /// 'password', 'unsupported_crypto', 'invalid', 'truncated', 'limit', 'timeout', 'memory',
        /// 'killed', 'panic', 'damaged' (parts cannot be decoded or understood) or 'xfa_form' (the
        /// form is not read, only the page that stands in for it)
        error_kind: Option<&'a str>,
        /// 'open', 'info', 'page' or 'worker'
        error_stage: Option<&'a str>,
        /// The first page that could not be read completely
        error_page: Option<u32>,
        /// The reason of the failure
        #[short]
        error: Option<&'a str>,
        /// The table of contents
        outline: Option<Outline<'a>>,
        /// The document as Markdown, as by pdf_markdown; NULL unless a query or `fields` names it
        markdown: Option<&'a str>,
    }
}

row! {
    /// An entry of the table of contents.
    struct OutlineRow<'a> {
        /// The depth, from 1
        level: u32,
        /// The title
        title: &'a str,
        /// The page it leads to
        page: Option<u32>,
    }
}

struct Outline<'a>(&'a [OutlineItem]);

impl Cell for Outline<'_> {
    type Column = ListOf<OutlineRow<'static>>;

    fn append_to(self, column: &mut Self::Column) {
        column.append(self.0.iter().map(|item| OutlineRow {
            level: item.level,
            title: &item.title,
            page: item.page,
        }));
    }
}

const FIELDS: Parameter = Parameter::text(
    function::FIELDS,
    "A constant of words: the fields to compute, '*' for all but markdown. Others may be NULL. \
     Queries set it to those that they use.",
)
.optional()
.constant(check_fields::<StructOf<DocumentRow>>);

/// The fields that do not depend on the content of pages.
const ABOUT_FILE: [&str; 12] = [
    "pages",
    "title",
    "author",
    "subject",
    "keywords",
    "creator",
    "producer",
    "created",
    "modified",
    "version",
    "encrypted",
    "outline",
];

/// The fields that judge the text as a whole, and the fields that judge each font.
const OF_TEXT: [&str; 2] = ["has_text", "garbled"];
const OF_FONTS: [&str; 3] = ["needs_ocr", "ocr_pages", "ocr_reason"];

/// The field that takes longer than all others together.
const MARKDOWN: &str = "markdown";

/// The parts of the result that take time.
struct RequestedParts {
    text: bool,
    judgement: bool,
    markdown: bool,
    request: Request,
}

impl RequestedParts {
    /// The parts for these fields, or for all but Markdown.
    fn of(fields: Option<&str>) -> Self {
        let named = |wanted: &dyn Fn(&str) -> bool| {
            fields.is_some_and(|fields| fields.split(' ').any(wanted))
        };
        let all = fields.is_none() || named(&|field| field == ALL_FIELDS);
        let uses = |wanted: &dyn Fn(&str) -> bool| all || named(wanted);
        let fonts = uses(&|field| OF_FONTS.contains(&field));
        let markdown = named(&|field| field == MARKDOWN);
        Self {
            text: uses(&|field| field == "text"),
            judgement: fonts || uses(&|field| OF_TEXT.contains(&field)),
            markdown,
            request: Request {
                // Only the content of the pages shows their damage.
                text: uses(&|field| !ABOUT_FILE.contains(&field) && field != MARKDOWN),
                structure: markdown,
                fonts,
                outline: markdown || uses(&|field| field == "outline"),
                ..Request::default()
            },
        }
    }
}

functions! {
    SECTION;

    /// A PDF as a whole.
    ///
    /// > SELECT pdf_parse(content)['title'], pdf_parse(content)['status']
    ///   FROM read_pdf('data-samples/pdf/article.pdf');
    /// Floods of a Small River, ok
    pdf_parse(DATA, OPTIONS, PASSWORDS, FIELDS) -> Returns::of::<StructOf<DocumentRow>>(), costly;
}

fn pdf_parse(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let parts = RequestedParts::of(constant(&args[3]));
    let mut rows = StructOf::<DocumentRow>::default();
    read_all(
        args,
        settings,
        parts.request.clone(),
        |outcome| match outcome {
            Some(outcome) => append(&outcome, &parts, &mut rows),
            None => rows.append_null(),
        },
    )?;
    Ok(rows.finish()?)
}

fn append(outcome: &Outcome, parts: &RequestedParts, rows: &mut StructOf<DocumentRow>) {
    let pages = &outcome.pages;
    let sound = pages.iter().filter(|page| page.failure.is_none()).count();
    let of_pages = pages.iter().find_map(|page| page.failure.as_ref());
    let failure = outcome.failure.as_ref().or(of_pages);
    let status = match failure {
        None => "ok",
        Some(_) if pages.is_empty() => "failed",
        Some(_) => "partial",
    };
    let text = parts.text.then(|| text(pages));
    let nothing = Info::default();
    let info = outcome.info.as_ref();
    let about = info.unwrap_or(&nothing);
    let judged = info.filter(|_| parts.judgement);
    let judged_pages = pages.iter().filter(|_| parts.judgement);
    let facts: Vec<_> = judged_pages.map(PageFacts::of).collect();
    let has_text = judged.and_then(|_| quality::has_text(&facts));
    let garbled: Garbled = facts.iter().map(|page| page.garbled).sum();
    let ocr = quality::ocr(&facts);
    let inferred = pages.iter().map(|page| page.inferred);
    let inferred = inferred.fold(0, u32::saturating_add);
    let message = failure.map(|failure| match (failure.page, pages.len() - sound) {
        (Some(_), 2..) => format!("{failure}; {} pages are incomplete", pages.len() - sound),
        _ => failure.to_string(),
    });
    let is_unreadable = is_unreadable(outcome);
    let written = (parts.markdown && !is_unreadable)
        .then(|| markdown(&blocks(outcome), &markdown::Options::default()));
    // A document that cannot be opened has no text; one of empty pages has an empty one.
    rows.append(Some(DocumentRow {
        pages: info.map(|_| about.page_count),
        pages_ok: Some(sound),
        text: text.as_deref().filter(|_| info.is_some() && !is_unreadable),
        title: about.title.as_deref(),
        author: about.author.as_deref(),
        subject: about.subject.as_deref(),
        keywords: about.keywords.as_deref(),
        creator: about.creator.as_deref(),
        producer: about.producer.as_deref(),
        created: about.created.map(Timestamp),
        modified: about.modified.map(Timestamp),
        version: info.map(|_| about.version.as_str()),
        encrypted: info.map(|_| about.encrypted),
        has_text,
        garbled: has_text.map(|_| garbled.share().into()),
        needs_ocr: judged.and(ocr.is_needed),
        ocr_pages: judged.map(|_| ocr.pages),
        ocr_reason: ocr.reason.map(OcrReason::name),
        inferred: info.map(|_| inferred),
        status: Some(status),
        error_kind: failure.map(|failure| failure.kind.name()),
        error_stage: failure.map(|failure| failure.stage.name()),
        error_page: failure.and_then(|failure| failure.page),
        error: message.as_deref(),
        outline: info.map(|info| Outline(&info.outline)),
        markdown: written.as_deref(),
    }));
}

fn text(pages: &[Page]) -> String {
    let mut text = String::new();
    for (number, page) in pages.iter().enumerate() {
        if number > 0 {
            text.push_str("\n\u{c}");
        }
        text.push_str(page.text.trim_end());
    }
    text
}
