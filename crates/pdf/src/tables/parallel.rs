//! Texts side by side in rows, such as two languages, or names, descriptions and prices.
//!
//! The cells are running text, so neither rules nor values show the rows. But the texts of each row
//! start on one line, although those of the row above end on different ones, or they start with the
//! same number. The step between rows is wider than that between lines, or each row starts with a
//! label. Columns of a page are not aligned like this.

use super::draft::TableDraft;
use super::grid::Span;
use super::judge;
use super::words::{Atom, TextLine, Word};

/// The minimum number of rows, and the minimum share of rows whose texts have different numbers of
/// lines or start with the same number.
const MIN_ROWS: usize = 4;
const MIN_ALIGNED_SHARE: f32 = 0.4;
/// The minimum mean number of words in the cells of a column of text.
const MIN_MEAN_WORDS: f32 = 5.0;
/// The maximum distance of lines, in ems, and the minimum step between rows relative to the usual
/// one between lines.
const MAX_STEP_EMS: f32 = 3.2;
const MIN_ROW_STEP_RATIO: f32 = 1.15;
/// The minimum gap between columns, in ems, and the maximum number of columns.
const MIN_GAP_EMS: f32 = 0.8;
const MAX_COLUMNS: usize = 12;
/// The maximum difference of sizes of lines, as a factor.
const MAX_SIZE_RATIO: f32 = 1.05;
/// The maximum share of rows that start with a bold line: more are titles of cards.
const MAX_BOLD_SHARE: f32 = 0.4;
/// The maximum share of lines with wide gaps in a column: more are several columns.
const MAX_DIVIDED_SHARE: f32 = 0.1;

/// The minimum share of rows with text in all columns, if only their labels show where they start.
const MIN_FULL_SHARE: f32 = 0.9;

/// Lines that leave common gaps.
struct Run<'a> {
    lines: &'a [TextLine],
    /// The gaps between columns, from left to right.
    gaps: Vec<(f32, f32)>,
}

/// Finds texts side by side. Lines have to be sorted from the top.
pub(super) fn find(lines: &[TextLine], words: &[Word<'_>]) -> Vec<TableDraft> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(rest) = lines.get(start..).filter(|rest| !rest.is_empty()) {
        let run = Run::at_start(rest);
        found.extend(run.as_ref().and_then(|run| run.draft(words)));
        start += run.map_or(1, |run| run.lines.len());
    }
    found
}

impl<'a> Run<'a> {
    /// The longest run of lines from the first one on that leave a common gap.
    fn at_start(lines: &'a [TextLine]) -> Option<Self> {
        let first = lines.first()?.atoms.as_slice();
        if !(2..=MAX_COLUMNS).contains(&first.len()) {
            return None;
        }
        let between = first.windows(2).filter_map(|pair| match pair {
            [left, right] => Some((left.x2, right.x1)),
            _ => None,
        });
        let mut gaps: Vec<(f32, f32)> = between.collect();
        let mut end = 0;
        let mut before: Option<&TextLine> = None;
        for line in lines {
            let is_near = before.is_none_or(|before| {
                let (smaller, larger) = (before.size.min(line.size), before.size.max(line.size));
                line.y - before.y <= MAX_STEP_EMS * larger && larger <= MAX_SIZE_RATIO * smaller
            });
            let narrowed: Vec<(f32, f32)> = (gaps.iter())
                .map(|gap| narrowed(*gap, &line.atoms))
                .filter(|gap| gap.1 - gap.0 >= MIN_GAP_EMS * line.size)
                .collect();
            if !is_near || narrowed.is_empty() {
                break;
            }
            gaps = narrowed;
            end += 1;
            before = Some(line);
        }
        let lines = lines.get(..end).filter(|lines| lines.len() >= MIN_ROWS)?;
        Some(Self { lines, gaps })
    }

    fn column(&self, atom: &Atom) -> usize {
        self.gaps.partition_point(|gap| gap.0 < atom.x1)
    }

    /// The columns in which a line has text, from left to right.
    fn columns(&self, line: &TextLine) -> Vec<usize> {
        let mut columns: Vec<usize> = line.atoms.iter().map(|atom| self.column(atom)).collect();
        columns.dedup();
        columns
    }

    /// The usual distance of lines in a column: that of the closest column.
    fn leading(&self) -> f32 {
        let mut heights: Vec<Vec<f32>> = vec![Vec::new(); self.gaps.len() + 1];
        for line in self.lines {
            for column in self.columns(line) {
                if let Some(heights) = heights.get_mut(column) {
                    heights.push(line.y);
                }
            }
        }
        let median = |heights: &Vec<f32>| {
            let steps = heights.windows(2).filter_map(|pair| match pair {
                [a, b] => Some(b - a),
                _ => None,
            });
            let mut steps: Vec<f32> = steps.collect();
            let middle = steps.len().checked_sub(1)? / 2;
            Some(*steps.select_nth_unstable_by(middle, f32::total_cmp).1)
        };
        let medians = heights.iter().filter_map(median);
        medians.fold(f32::INFINITY, f32::min)
    }

    /// The table, if the texts are aligned in rows.
    fn draft(&self, words: &[Word<'_>]) -> Option<TableDraft> {
        let leading = self.leading();
        let is_one_row = |a: &TextLine, b: &TextLine| {
            b.y - a.y <= MIN_ROW_STEP_RATIO * leading || self.columns(b).len() < 2
        };
        let rows: Vec<&[TextLine]> = self.lines.chunk_by(is_one_row).collect();
        if self.are_rows(&rows, words) {
            return Some(self.filled(&rows));
        }
        self.labelled(words)
    }

    /// The table, if each row starts with a line that has text in all columns, and the first column
    /// has text in no other line.
    fn labelled(&self, words: &[Word<'_>]) -> Option<TableDraft> {
        let is_label = |line: &TextLine| self.columns(line).first() == Some(&0);
        let rows: Vec<&[TextLine]> = self.lines.chunk_by(|_, line| !is_label(line)).collect();
        let first_lines = rows.iter().filter_map(|row| row.first());
        let full = first_lines.filter(|line| self.columns(line).len() > self.gaps.len());
        let has_full_rows = full.count() as f32 >= MIN_FULL_SHARE * rows.len() as f32;
        if self.gaps.len() < 2 || !has_full_rows || !self.are_rows(&rows, words) {
            return None;
        }
        let draft = self.filled(&rows);
        (!judge::is_list_or_contents(&draft, words)).then_some(draft)
    }

    /// Whether the texts of these rows are level, and some texts have several lines.
    fn are_rows(&self, rows: &[&[TextLine]], words: &[Word<'_>]) -> bool {
        let (mut aligned, mut bold, mut divided) = (0, 0, 0);
        let mut counts = vec![0; self.gaps.len() + 1];
        for row in rows {
            // The lines of the texts are level until the shorter ones end.
            let columns: Vec<Vec<usize>> = row.iter().map(|line| self.columns(line)).collect();
            let is_level = columns.windows(2).all(|pair| match pair {
                [above, below] => below.iter().all(|column| above.contains(column)),
                _ => true,
            });
            let first = columns.first().map_or(0, Vec::len);
            if first < 2 || !is_level {
                return false;
            }
            for (line, columns) in row.iter().zip(&columns) {
                divided += usize::from(columns.len() < line.atoms.len());
                for atom in &line.atoms {
                    if let Some(count) = counts.get_mut(self.column(atom)) {
                        *count += atom.words.len();
                    }
                }
            }
            let is_uneven = columns.last().is_some_and(|last| last.len() < first);
            let has_label = || row.first().is_some_and(|line| has_same_start(line, words));
            aligned += usize::from(is_uneven || has_label());
            bold += usize::from(row.first().is_some_and(|line| has_bold_atom(line, words)));
        }
        let share = |count: usize| count as f32 / rows.len() as f32;
        let texts = counts
            .iter()
            .filter(|count| share(**count) >= MIN_MEAN_WORDS);
        // A column of labels beside one of text may be a list.
        let has_texts = texts.count() >= if counts.len() == 2 { 2 } else { 1 };
        let is_divided = divided as f32 > MAX_DIVIDED_SHARE * self.lines.len() as f32;
        rows.len() >= MIN_ROWS
            && has_texts
            && !is_divided
            && share(aligned) >= MIN_ALIGNED_SHARE
            && share(bold) <= MAX_BOLD_SHARE
    }

    fn filled(&self, rows: &[&[TextLine]]) -> TableDraft {
        let left = self.lines.iter().map(TextLine::x1);
        let right = self.lines.iter().map(TextLine::x2);
        let left = left.fold(f32::INFINITY, f32::min);
        let right = right.fold(f32::NEG_INFINITY, f32::max);
        let middles = self.gaps.iter().map(|gap| f32::midpoint(gap.0, gap.1));
        let tops = rows
            .iter()
            .map(|row| row.first().map_or(0.0, |line| line.y - 0.7 * line.size));
        let bottom = (self.lines.last()).map_or(0.0, |line| line.y + 0.7 * line.size);
        let mut draft = TableDraft {
            xs: std::iter::once(left)
                .chain(middles)
                .chain([right])
                .collect(),
            ys: tops.chain([bottom]).collect(),
            cells: Vec::new(),
            has_spaced_columns: true,
            has_spaced_rows: true,
            has_ruled_columns: false,
            has_ruled_header: false,
        };
        for (number, row) in rows.iter().enumerate() {
            for column in 0..=self.gaps.len() {
                let atoms = row.iter().flat_map(|line| &line.atoms);
                let own = atoms.filter(|atom| self.column(atom) == column);
                let span = Span {
                    row: number,
                    column,
                    row_end: number + 1,
                    column_end: column + 1,
                };
                draft.push(
                    span,
                    own.flat_map(|atom| atom.words.iter().copied()).collect(),
                );
            }
        }
        draft
    }
}

/// The part of a gap that the atoms of a line leave. Atoms on its middle leave nothing.
fn narrowed(gap: (f32, f32), atoms: &[Atom]) -> (f32, f32) {
    let middle = f32::midpoint(gap.0, gap.1);
    atoms.iter().fold(gap, |gap, atom| {
        if atom.x1 + atom.x2 < 2.0 * middle {
            (gap.0.max(atom.x2), gap.1)
        } else {
            (gap.0, gap.1.min(atom.x1))
        }
    })
}

/// Whether both texts of a line start with the same number, such as `12.` or `Art. 5`.
fn has_same_start(line: &TextLine, words: &[Word<'_>]) -> bool {
    let [left, right] = line.atoms.as_slice() else {
        return false;
    };
    let start = |atom: &Atom| {
        let mut texts = (atom.words.iter()).filter_map(|place| words.get(*place as usize));
        Some((texts.next()?.text, texts.next().map(|word| word.text)))
    };
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    match (start(left), start(right)) {
        (Some((left, left_next)), Some((right, right_next))) if left == right => {
            has_digit(left) || left_next.is_some_and(has_digit) && left_next == right_next
        }
        _ => false,
    }
}

/// Whether one of the texts of a line is bold.
fn has_bold_atom(line: &TextLine, words: &[Word<'_>]) -> bool {
    let is_bold = |atom: &Atom| {
        let mut own = (atom.words.iter()).filter_map(|place| words.get(*place as usize));
        own.all(|word| word.bold)
    };
    line.atoms.iter().any(is_bold)
}
