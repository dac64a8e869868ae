//! The blocks and tables of a page.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use super::{CHARSET, DATA, Mode, Reader, SECTION, URL, texts, urls};
use crate::blocks::{BlockRow, BlockRows, TableRow, TableRows};
use crate::function::{Returns, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{Cell, ColumnBuilder, ListOf};
use corpus_html::extract::{Addresses, PageUrl, blocks};

functions! {
    SECTION;

    /// The headings, paragraphs, list items, tables, code and other blocks of a page. Tables that
    /// only arrange their cells are the blocks in these.
    ///
    /// > SELECT b['kind'], b['depth'], b['number'], b['text'] FROM (
    #[doc = "     SELECT unnest(html_blocks('<h2>Fruit</h2><ol start=3><li>ripe <b>apples</b></ol>')) AS b);"]
    /// heading, 0, NULL, Fruit
    /// item, 1, 3, ripe apples
    html_blocks(DATA, CHARSET, URL) -> Returns::of::<ListOf<BlockRow>>(), costly;

    /// The tables of a page that have data, not those that only arrange their cells.
    ///
    /// > SELECT html_tables('<table><tr><th>a<th>b<tr><td colspan=2>1</table>')[1]['rows'];
    /// [[a, b], [1, NULL]]
    html_tables(DATA, CHARSET) -> Returns::of::<ListOf<TableRow>>(), costly;
}

/// The addresses of links and pictures: absolute if the address of the page is valid.
pub fn addresses(url: Option<PageUrl>) -> Addresses {
    match url {
        Some(Ok(url)) => Addresses::Absolute(url),
        _ => Addresses::AsWritten,
    }
}

fn html_blocks(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let reader = Reader::new(settings, Mode::default());
    let mut rows = ListOf::<BlockRow>::default();
    for (page, url) in texts(&args[0], &args[1]).zip(urls(&args[2])) {
        let blocks =
            page.map(|page| blocks(reader.engine, &reader.options, &page, &addresses(url)));
        blocks.as_deref().map(BlockRows).append_to(&mut rows);
    }
    Ok(rows.finish()?)
}

fn html_tables(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let reader = Reader::new(settings, Mode::default());
    let mut rows = ListOf::<TableRow>::default();
    for page in texts(&args[0], &args[1]) {
        let blocks =
            page.map(|page| blocks(reader.engine, &reader.options, &page, &Addresses::None));
        blocks.as_deref().map(TableRows).append_to(&mut rows);
    }
    Ok(rows.finish()?)
}
