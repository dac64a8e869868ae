//! Decides which lines of text form a row together, where no rule separates them.

use super::class::Class;
use super::entries::Entry;
use super::rules::Rule;
use super::words::{OVERLAP_EMS, TextLine, Word};

/// A line that is farther from the line above it than usual, by this factor, starts a row.
const WIDE_LEADING: f32 = 1.35;
const VERY_WIDE_LEADING: f32 = 1.7;
/// If most lines are farther apart than the closest lines, by this factor, the closest lines form
/// one row.
const LOOSE_LEADING: f32 = 1.25;
const CLOSE_LEADING: f32 = 1.12;
/// The minimum distance of lines with a blank line between them, in ems.
const MIN_BLANK_EMS: f32 = 1.9;
/// Minimum share of the available width of a line that was wrapped for lack of space.
const MIN_FULL_WIDTH_SHARE: f32 = 0.7;

/// Minimum numbers of columns and lines, and minimum share of full lines (with text in all
/// columns), for each full line to be a row. Below `MANY_FULL_LINES`, all lines must be full.
const MIN_FULL_COLUMNS: usize = 3;
const MIN_FULL_LINES: usize = 3;
const MANY_FULL_LINES: usize = 5;
const MIN_FULL_SHARE: f32 = 0.9;
/// The minimum number of labels for their capital letters to count as evidence.
const MIN_LABELS: usize = 4;
/// Maximum number of lines of a row that is searched for a header.
const MAX_ROW_LINES: usize = 8;

/// Lines with their entries.
pub(super) struct Lines<'a> {
    pub(super) lines: &'a [TextLine],
    /// The entries of each line.
    pub(super) entries: &'a [Vec<Entry>],
    pub(super) words: &'a [Word<'a>],
    /// The boundaries of columns.
    pub(super) bounds: &'a [f32],
    /// Rules that cover some of the columns.
    pub(super) partial: &'a [Rule],
    /// Whether a rule separates all lines from the body.
    pub(super) is_header: bool,
}

/// Properties of the whole set of lines.
struct Context {
    /// The extent of the text in each column.
    extents: Vec<(f32, f32)>,
    /// The usual distance between close lines.
    leading: f32,
    /// Whether most lines are farther apart, so that close ones are in one row.
    is_loose: bool,
    /// The first line of the body; lines above it are headers.
    body: usize,
    /// Whether most labels in the first column start with a capital letter.
    has_capitals: bool,
    /// Whether nearly all lines have text in all columns, so that each is a row.
    is_full: bool,
    /// The first line of the group headings above the body, which have only a first cell.
    headings: usize,
}

impl Context {
    /// The width available to the text of a column.
    fn available(&self, column: usize, bounds: &[f32], size: f32) -> f32 {
        let extent = |column: usize| {
            let extent = self.extents.get(column).copied();
            extent.filter(|extent| extent.0 < extent.1)
        };
        let bound = |index: usize| bounds.get(index).copied().unwrap_or_default();
        let between = bound(column + 1) - bound(column) - size;
        let own = extent(column).map_or(0.0, |extent| extent.1 - extent.0);
        let labels = match (column, extent(0), extent(1)) {
            // Labels may reach up to the next column.
            (0, Some(labels), Some(next)) => next.0 - labels.0 - size,
            _ => 0.0,
        };
        own.max(between).max(labels)
    }
}

/// Returns the first line of each row, starting with 0.
pub(super) fn starts(lines: &Lines<'_>) -> Vec<usize> {
    let context = context(lines);
    let mut starts = vec![0];
    let mut start = 0;
    for index in 1..lines.lines.len() {
        if is_header_above(
            lines,
            &context,
            start.max(index.saturating_sub(MAX_ROW_LINES))..index,
        ) || repeats_values(lines.entries, start, index)
            || score(lines, &context, start, index) > 0.0
        {
            starts.push(index);
            start = index;
        }
    }
    starts
}

/// Like [`starts`], for lines between two rules, which are one row unless there is clear evidence
/// against it: a blank line above text in all columns, or a header over several others.
pub(super) fn certain_starts(lines: &Lines<'_>) -> Vec<usize> {
    let context = context(lines);
    let mut filled: Vec<usize> = (lines.entries.iter().flatten())
        .map(|entry| entry.column)
        .collect();
    filled.sort_unstable();
    filled.dedup();
    let is_start = |index: &usize| {
        let (above, below) = (&lines.lines.get(index - 1), &lines.lines.get(*index));
        let (Some(above), Some(below)) = (above, below) else {
            return false;
        };
        let upper = lines.entries.get(index - 1).map_or(&[][..], Vec::as_slice);
        let lower = lines.entries.get(*index).map_or(&[][..], Vec::as_slice);
        let is_full = filled.len() >= 2 && lower.len() == filled.len();
        let is_over = |entry: &Entry| entry.spans() && shares_several(entry, lower);
        let size = above.size.min(below.size);
        let blank = (VERY_WIDE_LEADING * context.leading).max(MIN_BLANK_EMS * size);
        is_full && distance(above, below) > blank || lines.is_header && upper.iter().any(is_over)
    };
    std::iter::once(0)
        .chain((1..lines.lines.len()).filter(is_start))
        .collect()
}

/// Whether a line has numbers in the same columns as the row so far, at least two, or in one of
/// them if both have a label in the first column.
fn repeats_values(entries: &[Vec<Entry>], start: usize, index: usize) -> bool {
    let numbers = |line: &Vec<Entry>| -> Vec<usize> {
        let is_number = |entry: &&Entry| entry.class == Class::Number && entry.column > 0;
        let numbers = line.iter().filter(is_number);
        numbers.map(|entry| entry.column).collect()
    };
    let has_label = |line: &Vec<Entry>| line.first().is_some_and(|first| first.column == 0);
    let row = entries.get(start.max(index.saturating_sub(MAX_ROW_LINES))..index);
    let row = row.unwrap_or_default();
    let Some(line) = entries.get(index) else {
        return false;
    };
    let own = numbers(line);
    let before = row.iter().map(numbers).max_by_key(Vec::len);
    own.len() >= 2 && before.as_ref() == Some(&own)
        || has_label(line)
            && row.iter().any(|above| {
                has_label(above) && numbers(above).iter().any(|column| own.contains(column))
            })
}

/// The distance between the lowest part of a line and the highest part of the next line.
fn distance(above: &TextLine, below: &TextLine) -> f32 {
    let lowest = above.atoms.iter().map(|atom| atom.y);
    let highest = below.atoms.iter().map(|atom| atom.y);
    highest.fold(f32::INFINITY, f32::min) - lowest.fold(f32::NEG_INFINITY, f32::max)
}

fn context(lines: &Lines<'_>) -> Context {
    let columns = lines.bounds.len().saturating_sub(1);
    let mut extents = vec![(f32::INFINITY, f32::NEG_INFINITY); columns];
    for entry in lines
        .entries
        .iter()
        .flatten()
        .filter(|entry| !entry.spans())
    {
        if let Some(extent) = extents.get_mut(entry.column) {
            *extent = (extent.0.min(entry.x1), extent.1.max(entry.x2));
        }
    }
    let mut steps: Vec<f32> = lines
        .lines
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] => Some(b.y - a.y),
            _ => None,
        })
        .filter(|step| *step > 0.0)
        .collect();
    steps.sort_by(f32::total_cmp);
    let is_heading =
        |line: &&Vec<Entry>| matches!(line.as_slice(), [only] if only.column == 0 && !only.spans());
    let (body, headings) = if lines.is_header {
        (lines.lines.len(), lines.lines.len())
    } else {
        let body = first_line_of_row(lines.lines, body_start(lines.entries));
        let headers = lines.entries.get(..body).unwrap_or_default();
        (
            body,
            body - headers.iter().rev().take_while(is_heading).count(),
        )
    };
    let leading = steps.get(steps.len() / 5).copied().unwrap_or(f32::INFINITY);
    let median = steps.get(steps.len() / 2).copied().unwrap_or(leading);
    Context {
        extents,
        leading,
        is_loose: median > LOOSE_LEADING * leading,
        is_full: are_full(lines.entries, columns),
        body,
        headings,
        has_capitals: has_capitals(lines),
    }
}

fn are_full(entries: &[Vec<Entry>], columns: usize) -> bool {
    let full = entries.iter().filter(|line| line.len() == columns).count();
    let share = if entries.len() >= MANY_FULL_LINES {
        MIN_FULL_SHARE
    } else {
        1.0
    };
    columns >= MIN_FULL_COLUMNS
        && entries.len() >= MIN_FULL_LINES
        && full as f32 >= share * entries.len() as f32
}

fn has_capitals(lines: &Lines<'_>) -> bool {
    let first = |line: &Vec<Entry>| {
        let entry = line.first().filter(|entry| entry.column == 0)?;
        let word = lines.words.get(*entry.words.first()? as usize)?;
        word.text.chars().next().filter(|c| c.is_alphabetic())
    };
    let are_large = |starts: &[char]| {
        let large = starts.iter().filter(|c| !c.is_lowercase()).count();
        starts.len() >= MIN_LABELS && large * 10 >= starts.len() * 6
    };
    let starts: Vec<char> = lines.entries.iter().filter_map(first).collect();
    // Labels of several lines start in the lines with values.
    let with_values = lines.entries.iter().filter(|line| line.len() >= 2);
    are_large(&starts) || are_large(&with_values.filter_map(first).collect::<Vec<char>>())
}

/// The first line with values in most columns other than the first; 0 if there is none.
pub(super) fn body_start(entries: &[Vec<Entry>]) -> usize {
    let has_values = |line: &Vec<Entry>| {
        let values = line.iter().filter(|entry| entry.class.is_value()).count();
        let numbers = line.iter().any(|entry| entry.class == Class::Number);
        numbers && line.len() >= 2 && 2 * values >= line.len()
    };
    entries.iter().position(has_values).unwrap_or(0)
}

/// The first of the lines that overlap each other up to this one.
fn first_line_of_row(lines: &[TextLine], index: usize) -> usize {
    let overlaps = |index: &usize| match (lines.get(index - 1), lines.get(*index)) {
        (Some(above), Some(below)) => below.y - above.y < OVERLAP_EMS * above.size.min(below.size),
        _ => false,
    };
    let count = (1..=index).rev().take_while(overlaps).count();
    index - count
}

/// The evidence for a new row at this line; negative if it is against one. The row so far starts at
/// `start`.
fn score(lines: &Lines<'_>, context: &Context, start: usize, index: usize) -> f32 {
    let (Some(above), Some(below)) = (lines.lines.get(index - 1), lines.lines.get(index)) else {
        return 1.0;
    };
    let (Some(upper), Some(lower)) = (lines.entries.get(index - 1), lines.entries.get(index))
    else {
        return 1.0;
    };
    let size = above.size.min(below.size);
    let step = below.y - above.y;
    let shared = |entry: &Entry, others: &[Entry]| {
        let index = others.partition_point(|other| other.column_end <= entry.column);
        let other = others.get(index)?;
        (other.column < entry.column_end).then_some(index)
    };
    let pairs: Vec<(&Entry, &Entry)> = upper
        .iter()
        .filter_map(|entry| Some((entry, lower.get(shared(entry, lower)?)?)))
        .collect();
    if step < OVERLAP_EMS * size {
        return -10.0;
    }
    let mut score = 0.0;
    if step > VERY_WIDE_LEADING * context.leading {
        score += 2.0;
    } else if step > WIDE_LEADING * context.leading {
        score += 1.0;
    } else if context.is_loose && step < CLOSE_LEADING * context.leading {
        score -= 1.5;
    }
    let upper_only = upper
        .iter()
        .filter(|entry| shared(entry, lower).is_none())
        .count();
    let lower_only = lower
        .iter()
        .filter(|entry| shared(entry, upper).is_none())
        .count();
    if index == context.headings && index < context.body {
        return 1.0;
    }
    let is_header = index < context.headings;
    for (a, b) in &pairs {
        score += pair(lines, context, a, b, size);
    }
    if is_header {
        // Header words are short, so they seem to have space.
        return score.min(2.0) - 1.0 - pairs.len() as f32;
    }
    if index == context.body && context.body > 0 {
        return score + 2.0;
    }
    if upper.iter().chain(lower).any(Entry::spans) {
        score += 2.0;
    }
    if context.is_full && upper.len() == lower.len() {
        score += 2.0;
    }
    let columns = lines.bounds.len().saturating_sub(1);
    let first = lines.entries.get(start).and_then(|row| row.first());
    let starts_before = |entry: &Entry| first.is_some_and(|first| first.column < entry.column);
    if matches!(lower.as_slice(), [only] if starts_before(only) && !only.class.is_value())
        && columns >= MIN_FULL_COLUMNS
        && pairs.len() == 1
    {
        // This continues a cell.
        score -= 1.5;
    }
    if pairs.is_empty() {
        score += 1.0;
    } else if lower_only > 0 && upper.len() == 1 {
        score += 0.5;
    } else if lower_only > 0 {
        score += 1.0;
    } else if upper_only > 0 {
        score -= 1.0;
    }
    score
}

/// Whether any entry of a row so far is separated from the next line by a rule, or has several
/// entries below it in a header.
fn is_header_above(lines: &Lines<'_>, context: &Context, row: std::ops::Range<usize>) -> bool {
    let (Some(below), Some(lower)) = (lines.lines.get(row.end), lines.entries.get(row.end)) else {
        return false;
    };
    let is_header = row.end < context.headings;
    let above = lines.lines.get(row.clone()).unwrap_or_default();
    let entries = lines.entries.get(row).unwrap_or_default();
    above.iter().zip(entries).any(|(above, upper)| {
        let first = lines.partial.partition_point(|rule| rule.at < above.y);
        let mut between = (lines.partial.get(first..).unwrap_or_default().iter())
            .take_while(|rule| rule.at < below.y);
        between.any(|rule| {
            let is_over = |entry: &Entry| rule.from < entry.center() && entry.center() < rule.to;
            upper.iter().any(is_over) && lower.iter().any(is_over)
        }) || is_header && (upper.iter()).any(|entry| entry.spans() && shares_several(entry, lower))
    })
}

/// Whether an entry has several entries below it.
fn shares_several(entry: &Entry, lower: &[Entry]) -> bool {
    lower
        .iter()
        .filter(|below| below.column >= entry.column && below.column_end <= entry.column_end)
        .count()
        >= 2
}

/// The evidence that two entries in one column are in different rows.
fn pair(lines: &Lines<'_>, context: &Context, a: &Entry, b: &Entry, size: f32) -> f32 {
    match (a.class.is_value(), b.class.is_value()) {
        (true, true) => return 3.0,
        (true, false) | (false, true) => return 1.0,
        (false, false) => {}
    }
    let word = |index: Option<&u32>| index.and_then(|index| lines.words.get(*index as usize));
    let (Some(last), Some(first)) = (word(a.words.last()), word(b.words.first())) else {
        return 0.0;
    };
    let mut score = 0.0;
    if last.bold != first.bold {
        score += 1.0;
    }
    let available = context.available(a.column, lines.bounds, size);
    let room = available - (a.x2 - a.x1);
    let needed = (first.bbox.x2 - first.bbox.x1) + 0.3 * size;
    let is_full = room < needed && a.x2 - a.x1 > MIN_FULL_WIDTH_SHARE * available;
    let is_continued = last.text.ends_with(['-', ',', '/', '&', '(']);
    let start = first.text.chars().next();
    let starts_small = start.is_some_and(|c| c.is_lowercase() || matches!(c, '(' | '&' | '/'));
    let starts_large = start.is_some_and(|c| c.is_uppercase() || c.is_ascii_digit());
    let is_odd_label = a.column == 0 && starts_small && context.has_capitals;
    if last.text.ends_with(':') && starts_large {
        score += 1.5;
    }
    if is_odd_label {
        score -= 3.0;
    } else if is_continued || starts_small && is_full {
        score -= 1.5;
    } else if starts_small {
        score -= 0.8;
    } else if starts_large && a.column == 0 {
        score += 0.5;
    }
    score += if is_full && context.is_full {
        // A column is as wide as its longest cell, which was not broken.
        0.0
    } else if is_full {
        -1.0
    } else if room < needed {
        0.0
    } else if room < 2.0 * needed {
        0.8
    } else {
        1.5
    };
    score
}
