//! Links and form fields. Each function returns a list of structs.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use super::listing::{edges, elements, listing, page_listing};
use super::{DATA, OPTIONS, PASSWORDS, SECTION};
use crate::function::{Returns, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{ListOf, row};
use corpus_pdf::model::{FormField, Page, Request};

elements!(LinkRow, FieldRow);

row! {
    /// A link.
    #[derive(Default)]
    pub struct LinkRow<'a> {
        /// The page, from 1
        page: Option<u32>,
        /// The address
        uri: Option<&'a str>,
        /// The page that a link within the document leads to
        target_page: Option<u32>,
        /// The left edge, in points from the left of the displayed page
        x1: Option<f32>,
        /// The top edge, in points from its top
        y1: Option<f32>,
        /// The right edge
        x2: Option<f32>,
        /// The bottom edge
        y2: Option<f32>,
        /// Why the page or document could not be read, or only in part; elements before it stay
        #[short]
        error: Option<&'a str>,
    }
}

functions! {
    SECTION;

    /// The fields of the form in a PDF, one for each place where a field is shown.
    ///
    /// > SELECT pdf_form_fields(content)[1]['name'], pdf_form_fields(content)[1]['value']
    ///   FROM read_pdf('data-samples/pdf/form.pdf');
    /// name, Zoë Sample
    pdf_form_fields(DATA, OPTIONS, PASSWORDS) -> Returns::of::<ListOf<FieldRow>>(), costly;

    /// The links of a PDF.
    ///
    /// > SELECT l['page'], l['uri'] FROM (
    ///     SELECT unnest(pdf_links(content)) AS l FROM read_pdf('data-samples/pdf/article.pdf'))
    ///     WHERE l['uri'] IS NOT NULL LIMIT 1;
    /// 3, https://river.example/data
    pdf_links(DATA, OPTIONS, PASSWORDS) -> Returns::of::<ListOf<LinkRow>>(), costly;
}

fn pdf_links(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let wanted = Request {
        links: true,
        ..Request::default()
    };
    page_listing(args, settings, wanted, append_links)
}

fn append_links(page: &Page, list: &mut ListOf<LinkRow>) {
    for link in &page.links {
        let [x1, y1, x2, y2] = edges(link.bbox);
        list.push(LinkRow {
            page: Some(page.number),
            uri: link.uri.as_deref(),
            target_page: link.page,
            x1,
            y1,
            x2,
            y2,
            error: None,
        });
    }
}

row! {
    /// A form field.
    #[derive(Default)]
    pub struct FieldRow<'a> {
        /// The page, from 1
        page: Option<u32>,
        /// The name, its parts joined by dots
        #[short]
        name: Option<&'a str>,
        /// 'text', 'checkbox', 'radio', 'button', 'choice' or 'signature'
        #[short]
        kind: Option<&'a str>,
        /// The value
        value: Option<&'a str>,
        /// The left edge, in points from the left of the displayed page
        x1: Option<f32>,
        /// The top edge, in points from its top
        y1: Option<f32>,
        /// The right edge
        x2: Option<f32>,
        /// The bottom edge
        y2: Option<f32>,
        /// Why the page or document could not be read, or only in part; elements before it stay
        #[short]
        error: Option<&'a str>,
    }
}

fn pdf_form_fields(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let wanted = Request {
        form_fields: true,
        ..Request::default()
    };
    listing(
        args,
        settings,
        wanted,
        |outcome, list: &mut ListOf<FieldRow>| {
            let info = outcome.info.iter();
            for field in info.flat_map(|info| &info.form_fields) {
                list.push(FieldRow::from(field));
            }
        },
    )
}

impl<'a> From<&'a FormField> for FieldRow<'a> {
    fn from(field: &'a FormField) -> Self {
        let [x1, y1, x2, y2] = field.bbox.map_or([None; 4], edges);
        Self {
            page: field.page,
            name: Some(&field.name),
            kind: Some(&field.kind),
            value: field.value.as_deref(),
            x1,
            y1,
            x2,
            y2,
            error: None,
        }
    }
}
