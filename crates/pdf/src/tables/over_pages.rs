//! Joins tables that continue across pages, also in another column of text if they repeat their
//! header.

use corpus_blocks::pages::is_caption;

use super::class::{Class, is_year};
use crate::glyphs::GlyphStyle;
use crate::layout::{Baseline, Layout};
use crate::model::{Line, Page, Rect, Table, TableCell, TableTitle, Word};

/// Minimum end of a part of a table, and maximum start of the next part on the next page, as shares
/// of the page height.
const MIN_END_SHARE: f32 = 0.5;
const MAX_START_SHARE: f32 = 0.4;
/// The maximum number of characters below the first part (its notes) and above the next one
/// (running lines). A longer text separates two tables.
const MAX_CHARACTERS_BELOW: u32 = 400;
const MAX_CHARACTERS_ABOVE: u32 = 120;
/// Minimum width of a line of running text, as a share of the table's width, and maximum gap
/// between its words, in word heights.
const MIN_TEXT_WIDTH_SHARE: f32 = 0.5;
const MAX_GAP_EMS: f32 = 2.0;
/// How much larger than the text of a table its title is.
const MIN_TITLE_SIZE_RATIO: f32 = 1.15;
/// The minimum number of letters of a title, the maximum number of its characters, and the maximum
/// number of titles of a table.
const MIN_TITLE_LETTERS: usize = 3;
const MAX_TITLE_CHARACTERS: usize = 200;
const MAX_TITLES: usize = 20;
/// How far the tops of running lines on two pages may differ, in points.
const MAX_TOP_DIFFERENCE_POINTS: f32 = 3.0;
/// The words, in lower case, with which a title says that a table goes on.
const CONTINUED: [&str; 9] = [
    "continued",
    "cont.",
    "cont'd",
    "contd",
    "fortsetzung",
    "(suite",
    "continuación",
    "continuação",
    "vervolg",
];
/// The minimum number of texts above numbers that are a header, and of rows with numbers.
const MIN_OWN_HEADERS: usize = 2;
const MIN_ROWS_BELOW_HEADER: usize = 2;
/// The minimum number of rows with a text in the first column that make it a column of keys.
const MIN_KEYED_ROWS: usize = 3;
/// The minimum overlap of two columns, as a share of the narrower one.
const MIN_OVERLAP_SHARE: f32 = 0.5;
/// Maximum difference of page sizes, in points.
const MAX_SIZE_DIFFERENCE_POINTS: f32 = 2.0;

/// Describes what is above the first table of a page and below the last one.
pub fn look_around(tables: &mut [Table], layout: &Layout, styles: &[GlyphStyle]) {
    let last = tables.len().saturating_sub(1);
    for index in [0, last] {
        if let Some(table) = tables.get_mut(index) {
            table.titles = titles(table, layout, styles);
        }
    }
    count_characters_around(tables, layout);
}

/// The titles above a table.
fn titles(table: &Table, layout: &Layout, styles: &[GlyphStyle]) -> Vec<TableTitle> {
    let style = |word: &Word| styles.get(word.style as usize).map(|style| &style.style);
    let are_bold =
        |words: &[Word]| (words.iter()).all(|word| style(word).is_some_and(|style| style.bold));
    let lines = layout.lines.iter().zip(&layout.baselines);
    let inside = lines.clone().filter(|(line, _)| {
        let middle = (line.bbox.y1 + line.bbox.y2) / 2.0;
        (table.bbox.y1..table.bbox.y2).contains(&middle)
    });
    let usual = inside.map(|(_, baseline)| baseline.size).reduce(f32::max);
    let usual = usual.unwrap_or(f32::INFINITY);
    let is_above = |line: &Line| line.bbox.y2 < table.bbox.y1 + 1.0;
    let title = |(line, baseline): (&Line, &Baseline)| {
        let words = words_of(layout, line);
        let text: Vec<&str> = words.iter().map(|word| &*word.text).collect();
        let text: String = text.join(" ").chars().take(MAX_TITLE_CHARACTERS).collect();
        let letters = text.chars().filter(|c| c.is_alphabetic());
        let bold = are_bold(words);
        let is_title = bold || baseline.size > MIN_TITLE_SIZE_RATIO * usual || is_caption(&text);
        (is_title && letters.take(MIN_TITLE_LETTERS).count() == MIN_TITLE_LETTERS).then_some(
            TableTitle {
                text,
                bold,
                size: baseline.size,
                y: line.bbox.y1,
            },
        )
    };
    let above = lines.filter(|(line, _)| is_above(line) && !has_wide_gap(words_of(layout, line)));
    above.filter_map(title).take(MAX_TITLES).collect()
}

/// Counts the characters of running text above the first table of a page and below the last one.
fn count_characters_around(tables: &mut [Table], layout: &Layout) {
    let count = |table: &Table, is_outside: &dyn Fn(Rect) -> bool| {
        let is_text = |line: &&Line| {
            let overlap = line.bbox.x2.min(table.bbox.x2) - line.bbox.x1.max(table.bbox.x1);
            is_outside(line.bbox)
                && overlap >= MIN_TEXT_WIDTH_SHARE * (table.bbox.x2 - table.bbox.x1)
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
        right.bbox.x1 - left.bbox.x2 > MAX_GAP_EMS * (left.bbox.y2 - left.bbox.y1)
    })
}

/// A table with its parts on consecutive pages.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct JoinedTable {
    pub caption: Option<String>,
    pub header_rows: u32,
    /// The rows of all parts, without repeated header rows.
    pub rows: Vec<Vec<Option<String>>>,
    /// The tables on single pages.
    pub parts: Vec<Table>,
    /// The number of omitted header rows of each part.
    pub repeated: Vec<u32>,
    /// Whether the first row of each part, after these, is the rest of the last row of the part
    /// before.
    pub cut: Vec<bool>,
}

/// The tables of a document. Tables that span pages are joined.
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
        for (index, table) in page.tables.iter().enumerate() {
            let last = joined.last_mut().filter(|_| index == 0).zip(before);
            match last {
                Some((last, above)) if goes_on(last, above, table, page) => last.add(table),
                _ => joined.push(JoinedTable {
                    caption: table.caption.clone(),
                    header_rows: table.header_rows,
                    rows: table.rows.clone(),
                    parts: vec![table.clone()],
                    repeated: vec![0],
                    cut: vec![false],
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
        // Labels that start both parts are a header, although they look like the other rows.
        let first = self.rows.first().zip(table.rows.first());
        if self.header_rows == 0 && first.is_some_and(|pair| is_same(&pair) && are_labels(pair.0)) {
            self.header_rows = 1;
        }
        let headers = self.rows.iter().take(self.header_rows as usize);
        let repeated = headers.zip(&table.rows).take_while(is_same).count();
        let mut rows = table.rows.iter().skip(repeated);
        let is_cut = self.ends_within_row(table, repeated);
        if let Some(last) = self.rows.last_mut().filter(|_| is_cut) {
            for (cell, rest) in last.iter_mut().zip(rows.next().into_iter().flatten()) {
                append(cell, rest.as_deref().unwrap_or_default());
            }
        }
        self.rows.extend(rows.cloned());
        self.parts.push(table.clone());
        self.repeated.push(repeated as u32);
        self.cut.push(is_cut);
    }

    /// Whether the first own row of the next part is the rest of the last row: it has nothing in
    /// the first column, which all other rows fill, or goes on within a sentence.
    fn ends_within_row(&self, table: &Table, repeated: usize) -> bool {
        let header = self.header_rows as usize;
        let (Some(last), Some(first)) = (self.rows.last(), table.rows.get(repeated)) else {
            return false;
        };
        if self.rows.len() <= header || first.iter().all(is_blank) {
            return false;
        }
        let has_key = |row: &Vec<Option<String>>| row.first().is_some_and(|cell| !is_blank(cell));
        let later = table.rows.iter().skip(repeated + 1);
        let others = || self.rows.iter().skip(header).chain(later.clone());
        let is_keyed =
            !has_key(first) && others().count() > MIN_KEYED_ROWS && others().all(has_key);
        let pairs = || last.iter().zip(first).filter(|(_, rest)| !is_blank(rest));
        let goes_on = |(cell, rest): (&Option<String>, &Option<String>)| {
            let start = rest.as_deref().unwrap_or_default().trim_start();
            let end = cell.as_deref().unwrap_or_default().trim_end();
            start.starts_with(char::is_lowercase)
                && end.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '-'))
        };
        is_keyed || first.iter().any(is_blank) && pairs().all(goes_on)
    }

    /// The cells of all parts, each with its page. Rows are counted over all parts; cells of
    /// repeated header rows are omitted.
    pub fn cells(&self) -> impl Iterator<Item = (u32, TableCell)> {
        let mut rows_before: u32 = 0;
        let parts = self.parts.iter().zip(&self.repeated).zip(&self.cut);
        parts.flat_map(move |((part, &repeated), &is_cut)| {
            let first = rows_before.saturating_sub(u32::from(is_cut));
            rows_before = first + (part.rows.len() as u32).saturating_sub(repeated);
            let kept = part.cells.iter().filter(move |cell| cell.row >= repeated);
            kept.map(move |cell| {
                let row = cell.row - repeated + first;
                let cell = cell.clone();
                (part.page, TableCell { row, ..cell })
            })
        })
    }
}

fn is_blank(cell: &Option<String>) -> bool {
    cell.as_ref().is_none_or(|text| text.trim().is_empty())
}

/// Appends the rest of a cell.
fn append(cell: &mut Option<String>, rest: &str) {
    if rest.is_empty() {
        return;
    }
    let text = cell.get_or_insert_default();
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(rest);
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
        && part.bbox.y2 > MIN_END_SHARE * above.height
        && table.bbox.y1 < MAX_START_SHARE * page.height
        && part.characters_below <= MAX_CHARACTERS_BELOW
        && table.characters_above <= MAX_CHARACTERS_ABOVE + caption
        && !has_other_caption
        && !table.titles.iter().any(|title| is_new(title, part, last))
        && !has_own_header(last, table)
        && (have_same_columns(part, table, 0.0)
            || repeats_header(last, table)
                && have_same_columns(part, table, table.bbox.x1 - part.bbox.x1))
}

/// Whether a title belongs to the table below it: the page before has no such line at the same
/// height or with the same words, and it does not say that the table goes on.
fn is_new(title: &TableTitle, part: &Table, last: &JoinedTable) -> bool {
    let text = title.text.to_lowercase();
    let has_same_start = |other: &str| {
        let other = other.to_lowercase();
        text.starts_with(&other) || other.starts_with(&text)
    };
    let is_same = |other: &TableTitle| {
        let is_running = (other.y - title.y).abs() < MAX_TOP_DIFFERENCE_POINTS
            && other.bold == title.bold
            && (other.size - title.size).abs() < 0.1;
        is_running || has_same_start(&other.text)
    };
    let is_same_number = |caption: &String| {
        has_same_start(caption) || is_caption(&title.text) && number(caption) == number(&title.text)
    };
    !CONTINUED.iter().any(|word| text.contains(word))
        && !part.titles.iter().any(is_same)
        && !last.caption.iter().any(is_same_number)
}

/// Whether a table has a header that is not the one of the table before it.
fn has_own_header(last: &JoinedTable, table: &Table) -> bool {
    let [header, rows @ ..] = table.rows.as_slice() else {
        return false;
    };
    if last.rows.first() == Some(header) || last.header_rows == 0 || rows.is_empty() {
        return false;
    }
    let filled = |row: &[Option<String>], column: usize| -> Option<String> {
        row.get(column)?.clone().filter(|text| !text.is_empty())
    };
    let texts: Vec<(usize, String)> = (1..header.len())
        .filter_map(|column| Some((column, filled(header, column)?)))
        .collect();
    if table.has_bold_header && !texts.is_empty() {
        return true;
    }
    // Texts or years above numbers in all columns.
    let are_numbers = |column: usize| {
        let values = rows.iter().filter_map(|row| filled(row, column));
        let classes: Vec<Class> = values.map(|text| Class::of(&text)).collect();
        let numbers = classes
            .iter()
            .filter(|class| **class == Class::Number)
            .count();
        2 * numbers > classes.len() && classes.len() >= MIN_ROWS_BELOW_HEADER
    };
    let has_years = |column| {
        rows.iter()
            .any(|row| filled(row, column).is_some_and(|text| is_year(&text)))
    };
    texts.len() >= MIN_OWN_HEADERS
        && texts.iter().all(|(column, text)| {
            are_numbers(*column)
                && (Class::of(text) == Class::Text || is_year(text) && !has_years(*column))
        })
}

/// Whether all cells of a row, at least two, have words without digits.
fn are_labels(row: &[Option<String>]) -> bool {
    let is_label = |cell: &Option<String>| {
        let text = cell.as_deref().unwrap_or_default();
        text.contains(char::is_alphabetic) && !text.contains(|c: char| c.is_ascii_digit())
    };
    row.len() >= 2 && row.iter().all(is_label)
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

/// Whether the second table has the columns of the first one, shifted to the right.
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
            overlap >= MIN_OVERLAP_SHARE * (a.x2 - a.x1).min(b.x2 - b.x1)
        }
        _ => true,
    })
}
