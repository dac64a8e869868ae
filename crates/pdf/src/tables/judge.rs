//! Decides whether a draft is a table.

use super::class::Class;
use super::draft::{Cell, OutlineSource, TableDraft};
use super::words::Word;
use super::{finish, headers};

/// The maximum mean number of words in a cell of spaced columns.
const MAX_SPACED_WORDS: f32 = 9.0;

/// The maximum mean number of words of labels beside paragraphs.
const MAX_LABEL_WORDS: f32 = 4.0;

/// Maximum number of rows removed as titles and notes.
const MAX_STRIPPED_ROWS: usize = 10;

/// Minimum gap between the boxes of a diagram, as a share of the box width.
const MIN_GAP_SHARE: f32 = 0.2;

/// Minimum share of the width of blank columns beside labels in a form, and maximum share of
/// values.
const MIN_BLANK_SHARE_OF_FORM: f32 = 0.4;
const MAX_VALUES_SHARE_OF_FORM: f32 = 0.2;
/// The minimum number of rows of a table of names below a bold header, and the maximum mean number
/// of words in its cells.
const MIN_BOLD_ROWS: usize = 4;
const MAX_WORDS_OF_NAMES: f32 = 2.5;
/// The minimum number of rows and columns of a table to be filled in. Forms have two columns.
const MIN_ROWS_TO_FILL: usize = 4;
const MIN_COLUMNS_TO_FILL: usize = 3;

/// The maximum share of values in columns of lists.
const MAX_VALUES_SHARE_OF_LIST: f32 = 0.1;

/// The sureness of labels with their values side by side.
const SURENESS_OF_PAIRS: f32 = 0.6;
/// The minimum number of columns of labels with their values.
const MIN_COLUMNS_OF_PAIRS: usize = 4;
/// The minimum number of signs between the parts of a court caption.
const MIN_SIGNS_OF_CAPTION: usize = 4;
/// The minimum share of filled cells of a ruled table of labels and values: forms have blanks.
const MIN_FILLED_SHARE_OF_LABELS: f32 = 0.9;

/// The minimum number of lines of a cell that is a block of text, such as an address.
const MIN_BLOCK_LINES: usize = 3;
/// Minimum share of such cells in text blocks side by side.
const MIN_BLOCKS: f32 = 0.4;

/// The maximum share of values after the first column in a table of contents of three columns.
const MAX_VALUES_SHARE_OF_CONTENTS: f32 = 0.75;

/// The share of cells that start with a small letter, and their mean number of words, from which
/// columns without values are those of running text.
const MAX_SMALL_SHARE: f32 = 0.6;
const MIN_TEXT_WORDS: f32 = 1.5;

/// The minimum number of values on an axis.
const MIN_AXIS: usize = 4;

/// Removes titles above and notes below the cells: rows of one cell across all columns.
pub(super) fn strip(draft: &mut TableDraft) {
    let columns = draft.xs.len().saturating_sub(1);
    if columns < 2 {
        return;
    }
    for _ in 0..MAX_STRIPPED_ROWS {
        let rows = draft.ys.len().saturating_sub(1);
        let words_across = |row: usize| {
            let mut cells = draft
                .cells
                .iter()
                .filter(|cell| cell.span.row <= row && row < cell.span.row_end);
            match (cells.next(), cells.next()) {
                (Some(cell), None) => Some(cell.words.len()),
                _ => None,
            }
        };
        if rows > 2 && words_across(0).is_some() {
            draft.cells.retain(|cell| cell.span.row_end > 1);
            for cell in &mut draft.cells {
                cell.span.row = cell.span.row.saturating_sub(1);
                cell.span.row_end -= 1;
            }
            draft.ys.remove(0);
        } else if rows > 2 && words_across(rows - 1).is_some_and(|words| words > 5) {
            draft.cells.retain(|cell| cell.span.row < rows - 1);
            draft.ys.pop();
        } else {
            return;
        }
    }
}

/// Whether cells are boxes with wide gaps between them in both directions, as in a diagram.
pub(super) fn are_boxes(draft: &TableDraft) -> bool {
    let filled = || draft.cells.iter().filter(|cell| !cell.words.is_empty());
    let columns = filled().map(|cell| (cell.span.column, cell.span.column_end));
    let rows = filled().map(|cell| (cell.span.row, cell.span.row_end));
    are_apart(columns.collect(), &draft.xs) && are_apart(rows.collect(), &draft.ys)
}

/// Whether ranges are equal or have wide gaps between them.
fn are_apart(mut ranges: Vec<(usize, usize)>, bounds: &[f32]) -> bool {
    ranges.sort_unstable();
    ranges.dedup();
    let at = |index: usize| bounds.get(index).copied().unwrap_or_default();
    let gaps = ranges.windows(2).all(|pair| match pair {
        [a, b] => at(b.0) - at(a.1) > MIN_GAP_SHARE * (at(a.1) - at(a.0)),
        _ => true,
    });
    ranges.len() >= 2 && gaps
}

/// Statistics about the cells of a draft. Shares are of the cells with text.
#[derive(Debug, Default)]
struct DraftStats {
    rows: usize,
    columns: usize,
    /// The share of cells with text.
    filled: f32,
    /// The share of values in columns other than the first one.
    values: f32,
    /// The share of values in all cells.
    all_values: f32,
    /// The share of rows with text in at least two cells.
    full_rows: f32,
    /// The mean number of words in a cell.
    words: f32,
    /// The share of cells that are labels with a colon, or contain an equals sign.
    labels: f32,
    equations: f32,
    /// The share of cells of several lines.
    blocks: f32,
    /// The share of cells that are a single row and column.
    simple: f32,
    /// The share of cells that start with a small letter.
    small: f32,
    /// The mean number of words in the first column.
    label_words: f32,
    /// Whether all cells of the first row, and no others, are bold.
    has_bold_header: bool,
    /// Whether the first row has only text, and other rows have values after the first column.
    has_plain_header: bool,
    /// Whether the first row has a text in each column, and all rows have one in the first column,
    /// as in tables to be filled in.
    has_heads: bool,
    /// Whether all labels end with a colon, and are in every second column beside their values.
    has_pairs: bool,
    /// Whether a column consists of the signs that court captions have between the parties and the
    /// number of the case.
    is_caption: bool,
    is_contents: bool,
    is_list: bool,
    is_axis: bool,
}

impl DraftStats {
    fn of(draft: &TableDraft, words: &[Word<'_>]) -> Self {
        let rows = draft.ys.len().saturating_sub(1);
        let columns = draft.xs.len().saturating_sub(1);
        let mut look = Self {
            rows,
            columns,
            ..Self::default()
        };
        let mut in_row = vec![0_usize; rows];
        let mut values_in_row = vec![0_usize; rows];
        let (mut filled, mut others, mut count) = (0.0_f32, 0.0_f32, 0.0_f32);
        let mut first = Vec::new();
        let mut last: Vec<(usize, String)> = Vec::new();
        let mut leaders = vec![false; rows];
        let (mut marks, mut values) = (vec![(0_usize, 0_usize); columns], 0_usize);
        let (mut labels, mut signs) = (vec![0_usize; columns], vec![0_usize; columns]);
        let mut is_plain = true;
        for cell in &draft.cells {
            let span = cell.span;
            let is_simple = span.row_end - span.row == 1 && span.column_end - span.column == 1;
            look.simple += f32::from(u8::from(is_simple));
            if cell.words.is_empty() {
                continue;
            }
            let text = finish::text(&cell.words, words);
            let class = Class::of(&text);
            filled += 1.0;
            let texts = cell
                .words
                .iter()
                .filter_map(|index| words.get(*index as usize));
            count += texts.filter(|word| !word.is_leader()).count() as f32;
            let is_value = f32::from(u8::from(class.is_value()));
            let is_mark = is_list_mark(&text);
            look.all_values += is_value;
            if span.column > 0 {
                others += 1.0;
                look.values += is_value;
            }
            let is_header = span.row == 0;
            is_plain &= span.column == 0 && !is_header || class.is_value() != is_header;
            let lines = text.split('\n').count();
            look.blocks += f32::from(u8::from(lines >= MIN_BLOCK_LINES));
            look.small += f32::from(u8::from(text.starts_with(char::is_lowercase)));
            let is_label = text.ends_with(':');
            look.labels += f32::from(u8::from(is_label));
            if let (Some(labels), Some(signs)) =
                (labels.get_mut(span.column), signs.get_mut(span.column))
            {
                *labels += usize::from(is_label);
                *signs += usize::from(matches!(text.as_str(), ")" | "§"));
            }
            look.equations += f32::from(u8::from(text.contains(['=', '∑', '∫'])));
            if let Some(in_row) = in_row.get_mut(span.row) {
                *in_row += 1;
            }
            if let Some(values) = values_in_row.get_mut(span.row) {
                *values += usize::from(class.is_value());
            }
            if let Some((marks, all)) = marks.get_mut(span.column) {
                *marks += usize::from(is_mark);
                *all += 1;
                values += usize::from(class.is_value() && !is_mark);
            }
            if let Some(leaders) = leaders.get_mut(span.row).filter(|_| has_leaders(&text)) {
                *leaders = true;
            }
            if span.column == 0 {
                look.label_words += cell.words.len() as f32;
                first.push(text.clone());
            }
            if span.column_end == columns && span.column > 0 {
                last.push((span.row, text));
            }
        }
        let full = in_row.iter().filter(|count| **count >= 2).count();
        look.full_rows = full as f32 / rows.max(1) as f32;
        look.simple /= draft.cells.len().max(1) as f32;
        look.filled = filled / draft.cells.len().max(1) as f32;
        look.values /= others.max(1.0);
        look.words = count / filled.max(1.0);
        look.all_values /= filled.max(1.0);
        look.small /= filled.max(1.0);
        look.labels /= filled.max(1.0);
        look.equations /= filled.max(1.0);
        look.blocks /= filled.max(1.0);
        look.label_words /= first.len().max(1) as f32;
        look.has_bold_header = headers::has_bold_first_row(draft, words);
        look.has_plain_header = is_plain;
        look.has_heads = rows >= MIN_ROWS_TO_FILL
            && columns >= MIN_COLUMNS_TO_FILL
            && in_row.first() == Some(&columns)
            && first.len() == rows
            && look.simple == 1.0;
        let is_pair = |pair: &[usize]| pair.first() == Some(&rows) && pair.get(1) == Some(&0);
        look.has_pairs =
            columns >= MIN_COLUMNS_OF_PAIRS && look.filled == 1.0 && labels.chunks(2).all(is_pair);
        let mut signs = signs.iter().zip(&marks);
        look.is_caption =
            signs.any(|(signs, (_, all))| *signs >= MIN_SIGNS_OF_CAPTION && signs == all);
        // A column between the titles and the pages has texts.
        let may_have_titles = columns < 3 || look.values < MAX_VALUES_SHARE_OF_CONTENTS;
        let leaders = leaders.iter().filter(|has_leaders| **has_leaders).count();
        look.is_contents = may_have_titles && is_contents(&first, &last, columns, leaders);
        look.is_list = columns == 2 && is_list(&first) || is_list_in_column(&marks, values);
        look.is_axis = is_axis(&in_row, &values_in_row);
        look
    }
}

/// Whether one row has only values, and each other row at most two texts: the axis of a plot with
/// its title and legend.
fn is_axis(in_row: &[usize], values: &[usize]) -> bool {
    let is_scale = |(all, values): &(&usize, &usize)| **values >= MIN_AXIS && all == values;
    let is_label = |(all, values): &(&usize, &usize)| **values == 0 && **all <= 2;
    let rows = || in_row.iter().zip(values);
    rows().filter(is_scale).count() == 1 && rows().filter(is_label).count() + 1 == in_row.len()
}

/// Whether a text has leaders, as between titles and pages.
fn has_leaders(text: &str) -> bool {
    text.contains("...") || text.contains(". . .")
}

/// Whether the last column has the page numbers of a table of contents: increasing, and mostly
/// after leaders or titles. They start over after a row without a page, which is the title of
/// another list. `last` has rows and texts, `leaders` is the number of rows with leaders.
fn is_contents(first: &[String], last: &[(usize, String)], columns: usize, leaders: usize) -> bool {
    let pages: Vec<(usize, (u32, u32))> = (last.iter())
        .filter_map(|(row, text)| Some((*row, page_number(text)?)))
        .collect();
    let grows =
        |pair: &&[(usize, (u32, u32))]| matches!(pair, [a, b] if a.1 <= b.1 || b.0 > a.0 + 1);
    let grows = pages.windows(2).filter(grows).count();
    let titles = first
        .iter()
        .filter(|text| text.chars().filter(|c| c.is_alphabetic()).count() >= 3)
        .count();
    // The titles of sections may be on the other side of a gap, or seem to be running text.
    let is_section = |text: &&String| {
        text.contains('.') && (text.bytes()).all(|byte| byte == b'.' || byte.is_ascii_digit())
    };
    let sections = match titles {
        0 | 1 => 0,
        _ => first.iter().filter(is_section).count(),
    };
    let has_leaders = 2 * leaders >= last.len();
    let page = |page: &(usize, (u32, u32))| page.1;
    columns <= 3
        && pages.len() >= if has_leaders { 2 } else { 3 }
        && pages.len() * 4 >= last.len() * 3
        && grows + 1 >= pages.len().saturating_sub(pages.len() / 10)
        && (2 * (titles + sections) >= first.len() || has_leaders || columns == 3)
        && (has_leaders || pages.first().map(page) < pages.last().map(page))
}

/// The chapter (0 if none) and page of a page number such as `12`, `5-1` or `A-2`.
fn page_number(text: &str) -> Option<(u32, u32)> {
    let Some((chapter, page)) = text.split_once(['-', '–']) else {
        return Some((0, text.parse().ok()?));
    };
    let mut letters = chapter.chars();
    let chapter = match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_uppercase() => u32::from(letter),
        _ => chapter.parse().ok()?,
    };
    Some((chapter, page.parse().ok()?))
}

/// Whether the first column has the marks of a list.
fn is_list(first: &[String]) -> bool {
    let is_mark = |text: &String| {
        let bare = text.trim_matches(['(', ')', '[', ']', '.', ':']);
        let is_short = bare.chars().count() <= 3 || text.starts_with('[');
        let is_bullet = bare.is_empty() || !bare.contains(char::is_alphanumeric);
        let has_sign = text.ends_with(['.', ')', ']', ':']);
        is_bullet || is_short && (has_sign || bare.chars().count() <= 1)
    };
    let marks = first.iter().filter(|text| is_mark(text)).count();
    !first.is_empty() && 10 * marks >= 6 * first.len()
}

/// Whether a column after the first has the marks of a list that starts beside other text. `marks`
/// has the numbers of marks and of cells per column; `values` is the number of other values.
fn is_list_in_column(marks: &[(usize, usize)], values: usize) -> bool {
    let are_marks = |(marks, all): &(usize, usize)| *marks >= 2 && 10 * marks >= 6 * all;
    let all: usize = marks.iter().map(|(_, all)| all).sum();
    marks.iter().skip(1).any(are_marks) && values as f32 <= MAX_VALUES_SHARE_OF_LIST * all as f32
}

/// Whether a cell starts with the mark of a list item.
fn is_list_mark(text: &str) -> bool {
    let mark = text.split_whitespace().next().unwrap_or_default();
    let number = mark.strip_suffix(['.', ')']).unwrap_or_default();
    let is_number = (1..=2).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    is_number || matches!(mark, "•" | "◦" | "▪" | "■" | "➢" | "\u{f0b7}")
}

/// Whether rules enclose labels beside wide blank cells. `blank` is the share of the width of
/// columns without text.
pub(super) fn is_form(draft: &TableDraft, words: &[Word<'_>], blank: f32) -> bool {
    draft.has_ruled_columns
        && blank >= MIN_BLANK_SHARE_OF_FORM
        && DraftStats::of(draft, words).is_form()
}

/// Whether a draft has the marks of a list or the pages of a table of contents.
pub(super) fn is_list_or_contents(draft: &TableDraft, words: &[Word<'_>]) -> bool {
    let look = DraftStats::of(draft, words);
    let labels = draft.cells.iter().filter(|cell| cell.span.column == 0);
    let is_marked = |cell: &&Cell| is_list_mark(&finish::text(&cell.words, words));
    let marked = labels.filter(is_marked).count();
    look.is_contents || look.is_list || 2 * marked > look.rows
}

/// Returns the probability that a draft is a table; `None` if it is certainly not one.
pub(super) fn sureness(
    draft: &TableDraft,
    words: &[Word<'_>],
    source: OutlineSource,
) -> Option<f32> {
    let look = DraftStats::of(draft, words);
    let is_small = look.rows < 2 || look.columns < 2;
    if is_small || look.filled * (draft.cells.len() as f32) < 4.0 || look.is_caption {
        return None;
    }
    // Columns separated only by white space contain paragraphs only beside labels, and with rules
    // between the rows.
    let has_ruled_rows = source != OutlineSource::Spaces && !draft.has_spaced_rows;
    let has_labels = has_ruled_rows && look.rows >= 3 && look.label_words < MAX_LABEL_WORDS;
    if draft.has_spaced_columns && look.words > MAX_SPACED_WORDS && look.values < 0.2 && !has_labels
    {
        return None;
    }
    if look.has_pairs && look.words <= MAX_SPACED_WORDS {
        return Some(SURENESS_OF_PAIRS);
    }
    match source {
        OutlineSource::Spaces => judge_spaced(&look, draft.has_ruled_header),
        _ if !draft.has_ruled_columns => judge_half_ruled(&look, has_labels, has_ruled_rows),
        // Bars of a plot have edges, too.
        OutlineSource::Areas if look.filled < 0.6 || look.simple < 0.5 => None,
        _ => judge_ruled(&look),
    }
}

impl DraftStats {
    fn is_form(&self) -> bool {
        self.values < MAX_VALUES_SHARE_OF_FORM && !self.has_heads
    }
}

fn judge_ruled(look: &DraftStats) -> Option<f32> {
    let is_sparse = look.filled < 0.2 || look.full_rows < 0.3;
    let is_plot = look.simple < 0.3 || is_sparse && !look.has_heads;
    // Forms have labels beside empty cells.
    let has_labels = look.labels > 0.4 && look.filled < MIN_FILLED_SHARE_OF_LABELS;
    let is_form = look.filled < 0.5 && look.is_form() || has_labels;
    // Axes of plots are values alone.
    let is_axes = look.all_values > 0.9 && look.filled < 0.7;
    if is_plot || is_form || is_axes || look.is_axis {
        return None;
    }
    Some((0.5 + 0.3 * look.filled + 0.2 * look.simple).min(1.0))
}

/// Whether the first of two rows is a header with a text over each of at least three cells.
fn is_header_and_row(look: &DraftStats, is_marked: bool) -> bool {
    look.rows == 2 && look.columns >= 3 && look.filled == 1.0 && look.simple == 1.0 && is_marked
}

fn judge_half_ruled(look: &DraftStats, has_labels: bool, has_ruled_rows: bool) -> Option<f32> {
    let is_sparse = look.filled < 0.4 || look.full_rows < 0.4;
    let is_small =
        look.rows < 3 && !is_header_and_row(look, has_ruled_rows || look.has_bold_header);
    let is_text = look.values < 0.2 && (look.words > 12.0 && !has_labels || is_small);
    if is_sparse
        || is_text
        || look.is_axis
        || look.is_contents
        || look.is_list
        || look.equations > 0.4
        || look.labels > 0.4
    {
        return None;
    }
    Some((0.3 + 0.3 * look.filled + 0.3 * look.values.min(1.0) + 0.1 * look.full_rows).min(0.95))
}

fn judge_spaced(look: &DraftStats, has_ruled_header: bool) -> Option<f32> {
    let is_sparse = look.filled < 0.5 || look.full_rows < 0.6;
    let is_underlined = has_ruled_header && look.has_plain_header;
    let is_pair = is_header_and_row(look, look.has_plain_header)
        || is_underlined && look.rows == 2 && look.filled == 1.0;
    let is_small = look.rows < 3 && (look.columns < 3 || look.all_values < 0.5) && !is_pair;
    // Axes of plots are values alone.
    let is_axes = look.all_values > 0.9 && look.filled < 0.8;
    if is_sparse
        || is_small
        || is_axes
        || look.is_axis
        || look.is_contents
        || look.is_list
        || look.blocks >= MIN_BLOCKS
        || look.equations > 0.3
        || look.labels > 0.3
    {
        return None;
    }
    let needed = match look.columns {
        2 => 0.7,
        3 => 0.45,
        _ => 0.35,
    };
    // A header has no values.
    let has_header = (look.has_bold_header || is_underlined)
        && look.has_plain_header
        && look.rows >= 3
        && look.label_words < MAX_LABEL_WORDS;
    // Names and roles, for example.
    let is_bold_table = look.has_bold_header
        && look.rows >= MIN_BOLD_ROWS
        && look.filled == 1.0
        && look.words <= MAX_WORDS_OF_NAMES
        && look.small < MAX_SMALL_SHARE;
    if look.values < needed && !is_pair && !has_header && !is_bold_table {
        let is_text = look.small > MAX_SMALL_SHARE && look.words > MIN_TEXT_WORDS;
        let is_text_table = look.columns >= 3
            && look.rows >= 4
            && look.filled > 0.85
            && look.words < 3.5
            && !is_text;
        if !is_text_table {
            return None;
        }
    }
    Some((0.1 + 0.3 * look.filled + 0.4 * look.values + 0.02 * look.rows.min(5) as f32).min(0.9))
}
