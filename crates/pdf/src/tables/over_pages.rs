//! Joins tables that continue across pages, also in another column of text if they repeat their
//! header.

use crate::layout::Layout;
use crate::model::{Line, Page, Rect, Table, TableCell, Word};

/// A part of a table has to end below this share of the page's height, and the next one to start
/// above the other, on the next page.
const MIN_END: f32 = 0.5;
const MAX_START: f32 = 0.4;
/// The maximum number of characters below the first part (its notes) and above the next one
/// (running lines). A longer text separates two tables.
const MAX_CHARACTERS_BELOW: u32 = 400;
const MAX_CHARACTERS_ABOVE: u32 = 120;
/// A line of such a paragraph has this share of the table's width, and its words are no further
/// apart than this, in heights of words.
const MIN_TEXT_WIDTH: f32 = 0.5;
const MAX_GAP_EM: f32 = 2.0;
/// The minimum overlap of two columns, as a share of the narrower one.
const MIN_OVERLAP: f32 = 0.5;
/// How much the sizes of pages may differ, in points.
const MAX_SIZE_DIFFERENCE_POINTS: f32 = 2.0;

/// Counts the characters of running text above the first table of a page and below the last one.
pub fn count_characters_around(tables: &mut [Table], layout: &Layout) {
    let count = |table: &Table, is_outside: &dyn Fn(Rect) -> bool| {
        let is_text = |line: &&Line| {
            let overlap = line.bbox.x2.min(table.bbox.x2) - line.bbox.x1.max(table.bbox.x1);
            is_outside(line.bbox)
                && overlap >= MIN_TEXT_WIDTH * (table.bbox.x2 - table.bbox.x1)
                && !has_wide_gap(words_of(layout, line))
        };
        let lines = layout.lines.iter().filter(is_text);
        let words = lines.flat_map(|line| words_of(layout, line));
        words.map(|word| word.text.chars().count() as u32).sum()
    };
    if let Some(first) = tables.first_mut() {
        first.characters_above = count(first, &|line| line.y2 < first.bbox.y1);
    }
    if let Some(last) = tables.last_mut() {
        last.characters_below = count(last, &|line| line.y1 > last.bbox.y2);
    }
}

fn words_of<'a>(layout: &'a Layout, line: &Line) -> &'a [Word] {
    let range = line.words.start as usize..line.words.end as usize;
    layout.words.get(range).unwrap_or_default()
}

/// Whether a line looks like a row of a header.
fn has_wide_gap(words: &[Word]) -> bool {
    let mut pairs = words.iter().zip(words.iter().skip(1));
    pairs.any(|(left, right)| {
        right.bbox.x1 - left.bbox.x2 > MAX_GAP_EM * (left.bbox.y2 - left.bbox.y1)
    })
}

/// A table with its parts on consecutive pages.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct JoinedTable {
    pub caption: Option<String>,
    pub header_rows: u32,
    /// The rows of all parts. Header rows that are repeated are left out.
    pub rows: Vec<Vec<Option<String>>>,
    /// The tables on single pages.
    pub parts: Vec<Table>,
    /// The number of header rows of each part that are left out.
    pub repeated: Vec<u32>,
}

/// The tables of a document. Those that go on over pages are joined.
///
/// ```
/// use corpus_pdf::{Request, joined_tables, read};
///
/// let file = std::fs::read("../../data-samples/pdf/article.pdf")?;
/// let mut request = Request::text();
/// request.tables = true;
/// for table in joined_tables(&read(&file, &request).pages) {
///     println!("{} rows on {} pages", table.rows.len(), table.parts.len());
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn joined_tables(pages: &[Page]) -> Vec<JoinedTable> {
    let mut joined: Vec<JoinedTable> = Vec::new();
    let mut before: Option<&Page> = None;
    for page in pages {
        for (place, table) in page.tables.iter().enumerate() {
            let last = joined.last_mut().filter(|_| place == 0).zip(before);
            match last {
                Some((last, above)) if goes_on(last, above, table, page) => last.add(table),
                _ => joined.push(JoinedTable {
                    caption: table.caption.clone(),
                    header_rows: table.header_rows,
                    rows: table.rows.clone(),
                    parts: vec![table.clone()],
                    repeated: vec![0],
                }),
            }
        }
        before = Some(page);
    }
    joined
}

impl JoinedTable {
    fn add(&mut self, table: &Table) {
        let is_same = |pair: &(&Vec<Option<String>>, &Vec<Option<String>>)| pair.0 == pair.1;
        let headers = self.rows.iter().take(self.header_rows as usize);
        let repeated = headers.zip(&table.rows).take_while(is_same).count();
        self.rows.extend(table.rows.iter().skip(repeated).cloned());
        self.parts.push(table.clone());
        self.repeated.push(repeated as u32);
    }

    /// The cells of all parts, each with its page. Rows are counted over all parts; the cells of
    /// repeated header rows are left out.
    pub fn cells(&self) -> impl Iterator<Item = (u32, TableCell)> {
        let mut rows_before = 0;
        let parts = self.parts.iter().zip(&self.repeated);
        parts.flat_map(move |(part, &repeated)| {
            let first = rows_before;
            rows_before += (part.rows.len() as u32).saturating_sub(repeated);
            let kept = part.cells.iter().filter(move |cell| cell.row >= repeated);
            kept.map(move |cell| {
                let row = cell.row - repeated + first;
                let cell = cell.clone();
                (part.page, TableCell { row, ..cell })
            })
        })
    }
}

/// Whether a table at the top of a page continues the last one of the page before it.
fn goes_on(last: &JoinedTable, above: &Page, table: &Table, page: &Page) -> bool {
    let Some(part) = last.parts.last() else {
        return false;
    };
    let has_other_caption = match (&table.caption, &last.caption) {
        (Some(caption), Some(before)) => number(caption) != number(before),
        (Some(caption), None) => caption.contains(char::is_numeric),
        (None, _) => false,
    };
    let caption = table.caption.iter().flat_map(|caption| caption.chars());
    let caption = caption
        .filter(|character| !character.is_whitespace())
        .count() as u32;
    part.page == above.number
        && page.number == above.number + 1
        && (page.width - above.width).abs() < MAX_SIZE_DIFFERENCE_POINTS
        && (page.height - above.height).abs() < MAX_SIZE_DIFFERENCE_POINTS
        && part.bbox.y2 > MIN_END * above.height
        && table.bbox.y1 < MAX_START * page.height
        && part.characters_below <= MAX_CHARACTERS_BELOW
        && table.characters_above <= MAX_CHARACTERS_ABOVE + caption
        && !has_other_caption
        && (have_same_columns(part, table, 0.0)
            || repeats_header(last, table)
                && have_same_columns(part, table, table.bbox.x1 - part.bbox.x1))
}

/// Whether a table starts with the header of another one.
fn repeats_header(last: &JoinedTable, table: &Table) -> bool {
    let header = last
        .rows
        .get(..last.header_rows as usize)
        .unwrap_or_default();
    !header.is_empty() && table.rows.len() > header.len() && table.rows.starts_with(header)
}

/// The first number in a caption.
fn number(caption: &str) -> Option<&str> {
    let words = caption.split_whitespace();
    let trimmed = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    trimmed.take(3).find(|word| word.contains(char::is_numeric))
}

/// Whether the columns of the second table are those of the first one, moved to the right.
fn have_same_columns(a: &Table, b: &Table, shift: f32) -> bool {
    let columns = |table: &Table| table.rows.first().map_or(0, Vec::len);
    if columns(a) != columns(b) {
        return false;
    }
    let extent = |table: &Table, column: u32| -> Option<Rect> {
        let is_own = |cell: &&TableCell| cell.column == column && cell.column_span == 1;
        table.cells.iter().find(is_own).map(|cell| cell.bbox)
    };
    (0..columns(a) as u32).all(|column| match (extent(a, column), extent(b, column)) {
        (Some(a), Some(b)) => {
            let overlap = a.x2.min(b.x2 - shift) - a.x1.max(b.x1 - shift);
            overlap >= MIN_OVERLAP * (a.x2 - a.x1).min(b.x2 - b.x1)
        }
        _ => true,
    })
}
