//! Runs of lines that share gaps.

use std::ops::Range;

use super::class::Class;
use super::words::{OVERLAP_EMS, TextLine, Word};

/// The maximum distance of lines in a table, in ems.
const MAX_STEP_EMS: f32 = 3.2;
/// The maximum number of lines without gaps in sequence: headings of groups, wrapped labels.
const MAX_SINGLE: usize = 3;
/// The maximum number of lines of a header, and the step above it in multiples of the usual one.
const MAX_HEADER_LINES: usize = 4;
const MIN_STEP_ABOVE_HEADER: f32 = 1.6;
/// Lines farther apart than this may be of different tables, in ems.
const MIN_STEP_BETWEEN_TABLES_EMS: f32 = 1.5;
/// The minimum number of lines of a table that another one follows.
const MIN_LINES: usize = 3;
/// The number of words by which headers are compared.
const MAX_HEADER_WORDS: usize = 10;
/// The maximum number of gaps of a line that are compared.
const MAX_GAPS: usize = 500;
/// The minimum width of a gap, in ems.
const MIN_GAP_EMS: f32 = 0.5;

/// Divides lines into runs that share a gap. Returns ranges of lines.
pub(super) fn runs(lines: &[TextLine], words: &[Word<'_>]) -> Vec<Range<usize>> {
    let mut divided = Vec::new();
    for run in shared_gaps(lines) {
        let mut start = run.start;
        let mut header = first_text(lines, words, start);
        for place in run.start + 1..run.end {
            // The header of the table before it again, after a wide step.
            let is_repeated = header.is_some()
                && [place, place + 1]
                    .iter()
                    .any(|later| first_text(lines, words, *later) == header);
            if !is_repeated {
                continue;
            }
            if is_wide_step(lines, place) && place - start >= MIN_LINES {
                divided.push(start..place);
                start = place;
                header = first_text(lines, words, start).or(first_text(lines, words, start + 1));
            } else if place > start + 1 {
                // A label of several rows.
                header = None;
            }
        }
        divided.push(start..run.end);
    }
    divided
}

fn is_wide_step(lines: &[TextLine], place: usize) -> bool {
    match (lines.get(place - 1), lines.get(place)) {
        (Some(above), Some(below)) => below.y - above.y > MIN_STEP_BETWEEN_TABLES_EMS * below.size,
        _ => false,
    }
}

/// The first cell of a line, if it is text.
fn first_text(lines: &[TextLine], words: &[Word<'_>], place: usize) -> Option<String> {
    let line = lines.get(place).filter(|line| line.atoms.len() >= 2)?;
    let places = &line.atoms.first()?.words;
    let word = |place: &u32| words.get(*place as usize).map(|word| word.text);
    let text: String = places
        .iter()
        .take(MAX_HEADER_WORDS)
        .filter_map(word)
        .collect();
    (Class::of(&text) == Class::Text).then_some(text)
}

/// Runs of lines that share a gap.
fn shared_gaps(lines: &[TextLine]) -> Vec<Range<usize>> {
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
                if single > MAX_SINGLE {
                    break;
                }
            }
            end += 1;
        }
        // The second line of a label beside the values of the last row.
        while let (Some(line), Some(next)) = (lines.get(last), lines.get(last + 1))
            && next.atoms.len() == 1
            && next.y - line.y < OVERLAP_EMS * next.size
        {
            last += 1;
        }
        runs.push(start..last + 1);
        start = last + 1;
    }
    runs
}

/// The last line of a table, if the last few lines are the header of the next one: these follow a
/// wide step.
fn before_heading(lines: &[TextLine], start: usize, last: usize) -> usize {
    let step = |place: usize| match (lines.get(place), lines.get(place + 1)) {
        (Some(a), Some(b)) => b.y - a.y,
        _ => 0.0,
    };
    let mut steps: Vec<f32> = (start..last).map(step).collect();
    steps.sort_by(f32::total_cmp);
    let usual = steps.get(steps.len() / 2).copied().unwrap_or_default();
    let first = last.saturating_sub(MAX_HEADER_LINES).max(start);
    (first..last)
        .rev()
        .find(|place| step(*place) > MIN_STEP_ABOVE_HEADER * usual)
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

/// The parts that two sorted lists of intervals share, if they are wide enough to be gaps.
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
