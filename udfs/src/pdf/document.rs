//! `pdf_parse`: one struct per document.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{ArrayRef, StructArray};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;

use super::rows::{Cell, Kind, Rows, fields};
use super::{function, read_all};
use crate::function::Function;
use crate::lists::{ListLengths, list_of};
use crate::settings::CorpusSettings;
use corpus_pdf::isolation::Outcome;
use corpus_pdf::model::{Info, Page, Request};
use corpus_pdf::quality::{self, Garbled, PageFacts};

const DOCUMENT: [(&str, Kind); 22] = [
    ("pages", Kind::Integer),
    ("pages_ok", Kind::Integer),
    ("text", Kind::Text),
    ("title", Kind::Text),
    ("author", Kind::Text),
    ("subject", Kind::Text),
    ("keywords", Kind::Text),
    ("creator", Kind::Text),
    ("producer", Kind::Text),
    ("created", Kind::Time),
    ("modified", Kind::Time),
    ("version", Kind::Text),
    ("encrypted", Kind::Boolean),
    ("has_text", Kind::Boolean),
    ("garbled", Kind::Number),
    ("needs_ocr", Kind::Boolean),
    ("inferred", Kind::Integer),
    ("status", Kind::Text),
    ("error_kind", Kind::Text),
    ("error_stage", Kind::Text),
    ("error_page", Kind::Integer),
    ("error", Kind::Text),
];

const ITEM: [(&str, Kind); 3] = [
    ("level", Kind::Integer),
    ("title", Kind::Text),
    ("page", Kind::Integer),
];

static FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    let mut all: Vec<_> = fields(&DOCUMENT).iter().cloned().collect();
    let outline = Field::new("outline", list_of(&fields(&ITEM)), true);
    all.push(Arc::new(outline));
    Fields::from(all)
});

pub fn pdf_parse() -> Function {
    function(
        "pdf_parse",
        DataType::Struct(FIELDS.clone()),
        "A PDF as a whole: pages and pages_ok (how many there are, and could be read), text of \
         all pages in reading order (a newline and a form feed between pages), title, author, subject, \
         keywords, creator, producer, created, modified, version, encrypted, has_text, garbled (0 \
         to 1: how little the text looks like one), needs_ocr (pages are pictures, or their text \
         is of no use), inferred (the number of characters whose meaning the file does not declare; \
         see pdf_pages), status ('ok', 'partial': some could be read, 'failed'), error_kind \
         ('password', 'unsupported_crypto', 'invalid', 'truncated', 'limit', 'timeout', 'memory', \
         'killed', 'panic'), error_stage ('open', 'info', 'page', 'worker'), error_page, error, outline (a \
         list of structs of level, title and page).",
        "> SELECT d['pages'], d['title'], d['status'] FROM (
    SELECT pdf_parse(content) AS d FROM read_pdf('data-samples/pdf/article.pdf'));
3, Floods of a Small River, ok",
        invoke,
    )
}

fn invoke(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let wanted = Request {
        text: true,
        outline: true,
        ..Request::default()
    };
    let mut documents = Rows::new(&DOCUMENT);
    let mut items = Rows::new(&ITEM);
    let mut outlines = ListLengths::default();
    let mut valid = Vec::new();
    read_all(args, settings, wanted, |outcome| {
        valid.push(outcome.is_some());
        let outcome = outcome.unwrap_or_default();
        append(&outcome, &mut documents);
        let info = outcome.info.as_ref();
        for item in info.iter().flat_map(|info| &info.outline) {
            items.append([
                Cell::Integer(item.level),
                Cell::Text(&item.title),
                Cell::integer(item.page),
            ]);
        }
        outlines.append(info.map(|info| info.outline.len()));
    })?;
    let mut columns = documents.finish();
    columns.push(Arc::new(outlines.finish(&fields(&ITEM), items.finish())?));
    let nulls = NullBuffer::from(valid);
    let structs = StructArray::try_new(FIELDS.clone(), columns, Some(nulls))?;
    Ok(Arc::new(structs))
}

fn append(outcome: &Outcome, documents: &mut Rows) {
    let pages = &outcome.pages;
    let sound = pages.iter().filter(|page| page.failure.is_none()).count();
    let of_pages = pages.iter().find_map(|page| page.failure.as_ref());
    let failure = outcome.failure.as_ref().or(of_pages);
    let status = match failure {
        None => "ok",
        Some(_) if pages.is_empty() => "failed",
        Some(_) => "partial",
    };
    let text = text(pages);
    let nothing = Info::default();
    let info = outcome.info.as_ref();
    let about = info.unwrap_or(&nothing);
    let facts: Vec<_> = pages.iter().map(PageFacts::of).collect();
    let garbled: Garbled = facts.iter().map(|page| page.garbled).sum();
    let inferred = pages.iter().map(|page| page.inferred);
    let inferred = inferred.fold(0, u32::saturating_add);
    let message = failure.map(ToString::to_string);
    // A document that cannot be opened has no text; one of empty pages has an empty one.
    let read = |cell| if info.is_some() { cell } else { Cell::Null };
    documents.append([
        read(Cell::Integer(about.page_count)),
        Cell::Integer(u32::try_from(sound).unwrap_or(u32::MAX)),
        if pages.is_empty() && failure.is_some() {
            Cell::Null
        } else {
            read(Cell::Text(&text))
        },
        Cell::text(&about.title),
        Cell::text(&about.author),
        Cell::text(&about.subject),
        Cell::text(&about.keywords),
        Cell::text(&about.creator),
        Cell::text(&about.producer),
        Cell::time(about.created),
        Cell::time(about.modified),
        read(Cell::Text(&about.version)),
        read(Cell::Boolean(about.encrypted)),
        read(Cell::Boolean(quality::has_text(&text))),
        read(Cell::Number(garbled.share().into())),
        read(Cell::Boolean(quality::needs_ocr(&facts))),
        read(Cell::Integer(inferred)),
        Cell::Text(status),
        failure.map_or(Cell::Null, |failure| Cell::Text(failure.kind.name())),
        failure.map_or(Cell::Null, |failure| Cell::Text(failure.stage.name())),
        failure.map_or(Cell::Null, |failure| Cell::integer(failure.page)),
        Cell::text(&message),
    ]);
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
