//! Runs of lines that share gaps.

use std::ops::Range;

use super::class::Class;
use super::entries;
use super::rules::Rule;
use super::words::{OVERLAP_EMS, TextLine, Word};

/// The maximum distance of lines in a table, in ems.
const MAX_STEP_EMS: f32 = 3.2;
/// The maximum number of lines without gaps in sequence: headings of groups, wrapped labels.
const MAX_LINES_WITHOUT_GAPS: usize = 3;
/// Maximum number of lines of a header, and minimum step above it relative to the usual step.
const MAX_HEADER_LINES: usize = 4;
const MIN_STEP_ABOVE_HEADER_RATIO: f32 = 1.6;
/// Minimum distance between the lines of different tables, in ems.
const MIN_STEP_BETWEEN_TABLES_EMS: f32 = 1.5;
/// Minimum number of lines of a table that is followed by another.
const MIN_LINES: usize = 3;
/// Maximum number of words compared in headers.
const MAX_HEADER_WORDS: usize = 10;
/// The number of lines before and after a header whose columns are compared.
const MAX_COMPARED_LINES: usize = 8;
/// Maximum distance by which the rule below a header may be shorter than its text, in points, and
/// lower than it, in ems.
const MAX_RULE_GAP_POINTS: f32 = 2.0;
const MAX_RULE_STEP_EMS: f32 = 2.0;
/// How much larger than the line above it a heading between tables is.
const MIN_HEADING_SIZE_RATIO: f32 = 1.15;
/// Maximum line distance within a cell, relative to the row distance.
const MAX_STEP_IN_CELL_SHARE: f32 = 0.92;
/// The maximum difference of the steps within labels, as a factor.
const MAX_STEP_DIFFERENCE: f32 = 1.05;
/// The maximum difference of the left edges of the lines of a cell after the first one, in ems.
const MAX_EDGE_DIFFERENCE_EMS: f32 = 0.3;
/// The maximum number of further lines of the last label.
const MAX_LABEL_LINES: usize = 4;
/// The maximum size of a running line beside a table, relative to the lines of the table.
const MAX_RUNNING_SIZE_RATIO: f32 = 0.9;
/// The maximum number of gaps of a line that are compared.
const MAX_GAPS: usize = 500;
/// The minimum width of a gap, in ems.
const MIN_GAP_EMS: f32 = 0.5;

/// Divides lines into runs that share a gap. Returns ranges of lines.
pub(super) fn runs(lines: &[TextLine], words: &[Word<'_>], rules: &[Rule]) -> Vec<Range<usize>> {
    let mut divided = Vec::new();
    let headers = Headers::new(lines, words, rules);
    for run in shared_gaps(lines, words, &headers) {
        let mut start = run.start;
        let mut header = first_text(lines, words, start);
        for index in run.start + 1..run.end {
            // This repeats the header of the previous table, after a wide step.
            let is_repeated = header.is_some()
                && [index, index + 1]
                    .iter()
                    .any(|later| first_text(lines, words, *later) == header);
            if !is_repeated {
                continue;
            }
            if is_wide_step(lines, index) && index - start >= MIN_LINES {
                divided.push(start..index);
                start = index;
                header = first_text(lines, words, start).or(first_text(lines, words, start + 1));
            } else if index > start + 1 {
                // This is a label of several rows.
                header = None;
            }
        }
        divided.push(start..run.end);
    }
    divided
}

fn is_wide_step(lines: &[TextLine], index: usize) -> bool {
    match (lines.get(index - 1), lines.get(index)) {
        (Some(above), Some(below)) => below.y - above.y > MIN_STEP_BETWEEN_TABLES_EMS * below.size,
        _ => false,
    }
}

/// The first cell of a line, if it is text.
fn first_text(lines: &[TextLine], words: &[Word<'_>], index: usize) -> Option<String> {
    let line = lines.get(index).filter(|line| line.atoms.len() >= 2)?;
    let indexes = &line.atoms.first()?.words;
    let word = |index: &u32| words.get(*index as usize).map(|word| word.text);
    let text: String = indexes
        .iter()
        .take(MAX_HEADER_WORDS)
        .filter_map(word)
        .collect();
    (Class::of(&text) == Class::Text).then_some(text)
}

/// The role of a line in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// It has one atom.
    Single,
    /// All atoms are text.
    Header,
    /// Atoms other than the first one are values.
    Body,
}

impl Row {
    pub(super) fn of(line: &TextLine, words: &[Word<'_>]) -> Self {
        let mut values = (line.atoms.iter())
            .map(|atom| entries::class(&atom.words, words))
            .map(Class::is_value);
        let first = values.next();
        match (line.atoms.len() < 2, values.any(|is_value| is_value), first) {
            (true, ..) => Self::Single,
            (_, true, _) | (.., Some(true)) => Self::Body,
            _ => Self::Header,
        }
    }
}

/// Finds the headers of tables that follow other tables without text between them.
struct Headers<'a> {
    lines: &'a [TextLine],
    rows: Vec<Row>,
    rules: &'a [Rule],
}

impl<'a> Headers<'a> {
    fn new(lines: &'a [TextLine], words: &[Word<'_>], rules: &'a [Rule]) -> Self {
        Self {
            lines,
            rows: lines.iter().map(|line| Row::of(line, words)).collect(),
            rules,
        }
    }

    fn row(&self, index: usize) -> Row {
        self.rows.get(index).copied().unwrap_or(Row::Single)
    }

    fn columns(&self, index: usize) -> usize {
        self.lines.get(index).map_or(0, |line| line.atoms.len())
    }

    /// Whether a rule below a line spans the width of this line and the next.
    fn is_underlined(&self, index: usize) -> bool {
        let Some(above) = self.lines.get(index) else {
            return false;
        };
        let reach = above.y + MAX_RULE_STEP_EMS * above.size;
        let below = self.lines.get(index + 1).filter(|below| below.y < reach);
        let left = below.map_or(above.x1(), |below| above.x1().min(below.x1()));
        let right = below.map_or(above.x2(), |below| above.x2().max(below.x2()));
        let first = self.rules.partition_point(|rule| rule.at <= above.y);
        let between = self.rules.get(first..).unwrap_or_default().iter();
        let mut between = between.take_while(|rule| rule.at < below.map_or(reach, |line| line.y));
        between.any(|rule| {
            rule.from <= left + MAX_RULE_GAP_POINTS && right - MAX_RULE_GAP_POINTS <= rule.to
        })
    }

    /// Whether a line starts the header of a new table after the lines from `start` to `last`: text
    /// below values, underlined like the first table's header, or followed by rows with another
    /// number of columns.
    fn starts_table(&self, start: usize, last: usize, index: usize) -> bool {
        if self.row(index) != Row::Header || self.row(last) != Row::Body {
            return false;
        }
        let header = (index..index + MAX_HEADER_LINES)
            .take_while(|line| self.row(*line) != Row::Body)
            .collect::<Vec<usize>>();
        let Some(end) = header.last().copied() else {
            return false;
        };
        let is_ruled = |line: usize| self.row(line) != Row::Body && self.is_underlined(line);
        let first_header = start..last.min(start + MAX_HEADER_LINES);
        header.iter().any(|line| is_ruled(*line))
            && !self.is_underlined(last)
            && first_header.into_iter().any(is_ruled)
            || self.row(end + 1) == Row::Body && self.has_other_columns(start, last, end)
    }

    /// Whether the rows below a header have the same number of columns as the header, and the rows
    /// above it another number.
    fn has_other_columns(&self, start: usize, last: usize, header: usize) -> bool {
        let columns = self.columns(header);
        let above = (start.max((last + 1).saturating_sub(MAX_COMPARED_LINES))..=last)
            .filter(|line| self.row(*line) == Row::Body)
            .map(|line| self.columns(line));
        let below = (header + 1..header + 1 + MAX_COMPARED_LINES)
            .take_while(|line| self.row(*line) == Row::Body)
            .map(|line| self.columns(line));
        // Words of two columns may be so close that a row seems to have fewer.
        let usual = |columns: &mut Vec<usize>| {
            columns.sort_unstable();
            columns.get(columns.len() / 2).copied().unwrap_or_default()
        };
        let (mut above, mut below): (Vec<usize>, Vec<usize>) = (above.collect(), below.collect());
        above.len().min(below.len()) >= 2
            && usual(&mut below) == columns
            && usual(&mut above) != columns
    }
}

/// Adds the further lines of a cell of the last row, closer to each other than rows: those of the
/// label, or of another text with a cell to its right.
fn with_label(lines: &[TextLine], run: Range<usize>, gap: f32) -> Range<usize> {
    let rows = lines.get(run.clone()).unwrap_or_default();
    let steps = |is_of_kind: fn(&TextLine, &TextLine) -> bool| {
        rows.windows(2).filter_map(move |pair| match pair {
            [a, b] if is_of_kind(a, b) => Some(b.y - a.y),
            _ => None,
        })
    };
    let of_rows = steps(|a, b| a.atoms.len() >= 2 && b.atoms.len() >= 2);
    let mut step = of_rows.fold(f32::INFINITY, f32::min);
    if step.is_infinite() {
        // All rows have labels of several lines.
        let in_labels = steps(|a, b| a.atoms.len() >= 2 && b.atoms.len() == 1);
        let widest = in_labels.reduce(f32::max);
        step = widest.map_or(step, |step| {
            MAX_STEP_DIFFERENCE * step / MAX_STEP_IN_CELL_SHARE
        });
    }
    let last = rows.last().map_or(&[][..], |row| row.atoms.as_slice());
    let left = last.first().map_or(0.0, |atom| atom.x1);
    // The further lines of another cell, which are not as close.
    let is_in_cell = |next: &TextLine| {
        let column = last
            .iter()
            .skip(1)
            .position(|atom| (atom.x1 - next.x1()).abs() < MAX_EDGE_DIFFERENCE_EMS * next.size);
        column.is_some_and(|column| {
            last.get(column + 2)
                .is_some_and(|atom| next.x2() + MIN_GAP_EMS * next.size < atom.x1)
        })
    };
    let mut end = run.end;
    while let (Some(line), Some(next)) = (lines.get(end - 1), lines.get(end))
        && end < run.end + MAX_LABEL_LINES
        && step.is_finite()
        && next.atoms.len() == 1
    {
        let distance = next.y - line.y;
        let is_label = distance < MAX_STEP_IN_CELL_SHARE * step
            && (next.x1() - left).abs() < next.size
            && next.x2() < gap;
        if !(is_label || distance <= step && is_in_cell(next)) {
            break;
        }
        end += 1;
    }
    run.start..end
}

/// Whether a line ends like a sentence.
fn is_sentence(line: &TextLine, words: &[Word<'_>]) -> bool {
    let last = line.atoms.last().and_then(|atom| atom.words.last());
    let last = last.and_then(|place| words.get(*place as usize));
    last.is_some_and(|word| word.text.ends_with(['.', '!', '?', '。']))
}

/// Runs of lines that share a gap.
fn shared_gaps(lines: &[TextLine], words: &[Word<'_>], headers: &Headers<'_>) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut start = 0;
    while start < lines.len() {
        let Some(first) = lines.get(start).filter(|line| line.atoms.len() >= 2) else {
            start += 1;
            continue;
        };
        let mut shared = gaps(first);
        let mut end = start + 1;
        let mut last = start;
        let mut single = 0;
        while let (Some(line), Some(before)) = (lines.get(end), lines.get(end - 1)) {
            if line.y - before.y > MAX_STEP_EMS * line.size.max(before.size) {
                break;
            }
            if line.atoms.len() >= 2 {
                if headers.starts_table(start, last, end) {
                    break;
                }
                let both = intersection(&shared, &gaps(line));
                if both.is_empty() {
                    last = before_heading(lines, start, last);
                    break;
                }
                shared = both;
                last = end;
                single = 0;
            } else {
                single += 1;
                let is_heading = line.size > MIN_HEADING_SIZE_RATIO * before.size;
                let is_across = || {
                    shared
                        .iter()
                        .all(|gap| line.x1() < gap.0 && gap.1 < line.x2())
                };
                let is_text = is_heading || is_sentence(line, words) && is_across();
                if single > MAX_LINES_WITHOUT_GAPS || is_text && (last > start || is_heading) {
                    break;
                }
            }
            end += 1;
        }
        // This is the second line of a label beside the values of the last row.
        while let (Some(line), Some(next)) = (lines.get(last), lines.get(last + 1))
            && next.atoms.len() == 1
            && next.y - line.y < OVERLAP_EMS * next.size
        {
            last += 1;
        }
        let gap = shared.first().map_or(0.0, |gap| gap.1);
        let first = after_running_head(lines, headers, start, last);
        let run = with_label(lines, first..last + 1, gap);
        start = run.end;
        runs.push(without_running_lines(lines, run));
    }
    runs
}

/// The first line of a table, excluding a running head with gaps: it is far above a header with
/// more columns.
fn after_running_head(
    lines: &[TextLine],
    headers: &Headers<'_>,
    start: usize,
    last: usize,
) -> usize {
    let (step, usual) = (step(lines, start), usual_step(lines, start, last));
    let is_head = last > start + 1
        && step > MIN_STEP_ABOVE_HEADER_RATIO * usual
        && headers.row(start) != Row::Body
        && headers.row(start + 1) == Row::Header
        && headers.columns(start) < headers.columns(start + 1);
    start + usize::from(is_head)
}

/// A run without the first and last line of the page, if these are running lines.
fn without_running_lines(lines: &[TextLine], run: Range<usize>) -> Range<usize> {
    let start = run.start + usize::from(run.start == 0 && is_running_line(lines, &run, 0));
    let is_last = run.end == lines.len() && run.end > start + 1;
    start..run.end - usize::from(is_last && is_running_line(lines, &run, run.end - 1))
}

/// Whether a line is smaller than those of a run and has fewer texts, as the lines that browsers
/// print close to a table.
pub(super) fn is_running_line(lines: &[TextLine], run: &Range<usize>, index: usize) -> bool {
    let own = lines.get(run.clone()).unwrap_or_default();
    let widest = own.iter().map(|line| line.atoms.len()).max().unwrap_or(0);
    let mut sizes: Vec<f32> = own.iter().map(|line| line.size).collect();
    sizes.sort_by(f32::total_cmp);
    let size = sizes.get(sizes.len() / 2).copied().unwrap_or_default();
    lines
        .get(index)
        .is_some_and(|line| line.atoms.len() < widest && line.size < MAX_RUNNING_SIZE_RATIO * size)
}

/// The distance of a line to the next one.
fn step(lines: &[TextLine], index: usize) -> f32 {
    match (lines.get(index), lines.get(index + 1)) {
        (Some(a), Some(b)) => b.y - a.y,
        _ => 0.0,
    }
}

fn usual_step(lines: &[TextLine], start: usize, last: usize) -> f32 {
    let mut steps: Vec<f32> = (start..last).map(|index| step(lines, index)).collect();
    steps.sort_by(f32::total_cmp);
    steps.get(steps.len() / 2).copied().unwrap_or_default()
}

/// The last line of a table, excluding a header of the next table: a few lines after a wide step.
fn before_heading(lines: &[TextLine], start: usize, last: usize) -> usize {
    let usual = usual_step(lines, start, last);
    let step = |index: usize| step(lines, index);
    let first = last.saturating_sub(MAX_HEADER_LINES).max(start);
    (first..last)
        .rev()
        .find(|index| step(*index) > MIN_STEP_ABOVE_HEADER_RATIO * usual)
        .unwrap_or(last)
}

fn gaps(line: &TextLine) -> Vec<(f32, f32)> {
    line.atoms
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] => Some((a.x2, b.x1)),
            _ => None,
        })
        .filter(|gap| gap.1 - gap.0 >= MIN_GAP_EMS * line.size)
        .take(MAX_GAPS)
        .collect()
}

/// The intersections of two sorted lists of intervals that are wide enough to be gaps.
fn intersection(a: &[(f32, f32)], b: &[(f32, f32)]) -> Vec<(f32, f32)> {
    let mut both = Vec::new();
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        let (from, to) = (x.0.max(y.0), x.1.min(y.1));
        if to - from >= 1.0 {
            both.push((from, to));
        }
        if x.1 < y.1 {
            i += 1;
        } else {
            j += 1;
        }
    }
    both
}
