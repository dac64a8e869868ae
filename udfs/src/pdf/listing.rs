//! Code that the functions for elements of a PDF share. Anything that could not be read is an
//! element with an `error`.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use super::read_all;
use crate::settings::CorpusSettings;
use corpus_columns::{ColumnBuilder, Columns, ListColumn};
use corpus_pdf::Failure;
use corpus_pdf::Outcome;
use corpus_pdf::model::{Page, Rect, Request};

/// Evaluates a function that lists elements.
pub fn listing<C: Columns>(
    args: &[ArrayRef],
    settings: &CorpusSettings,
    wanted: Request,
    append: impl Fn(&Outcome, &mut ListColumn<C>),
) -> Result<ArrayRef>
where
    ListColumn<C>: Elements,
{
    let mut elements = ListColumn::<C>::default();
    read_all(args, settings, wanted, |outcome| match outcome {
        Some(outcome) => {
            append(&outcome, &mut elements);
            let pages = outcome.pages.iter();
            let of_pages = pages.filter_map(|page| page.failure.as_ref());
            for failure in of_pages.chain(&outcome.failure) {
                elements.push_failure(failure);
            }
            elements.end_list();
        }
        None => elements.append_null(),
    })?;
    Ok(elements.finish()?)
}

/// Like [`listing`], for elements of pages.
pub fn page_listing<C: Columns>(
    args: &[ArrayRef],
    settings: &CorpusSettings,
    wanted: Request,
    append: impl Fn(&Page, &mut ListColumn<C>),
) -> Result<ArrayRef>
where
    ListColumn<C>: Elements,
{
    listing(args, settings, wanted, |outcome, list| {
        for page in &outcome.pages {
            append(page, list);
        }
    })
}

/// Lists of elements.
pub trait Elements {
    /// Adds an element for a page, or a document, that could not be read.
    fn push_failure(&mut self, failure: &Failure);
}

/// Implements [`Elements`] for lists of rows with the columns `page` and `error`.
macro_rules! elements {
    ($($row:ident),+) => {
        $(
            impl $crate::pdf::listing::Elements for corpus_columns::ListOf<$row<'static>> {
                fn push_failure(&mut self, failure: &corpus_pdf::Failure) {
                    self.push($row {
                        page: failure.page,
                        error: Some(&failure.to_string()),
                        ..$row::default()
                    });
                }
            }
        )+
    };
}

pub(crate) use elements;

/// The left, top, right and bottom edge.
pub fn edges(bbox: Rect) -> [Option<f32>; 4] {
    [bbox.x1, bbox.y1, bbox.x2, bbox.y2].map(Some)
}
