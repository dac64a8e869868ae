//! Line numbers in the margin of a page, as in pleadings. They are not part of the text.

use super::measure::MeasuredDocument;
use crate::block::Kind;

/// The minimum number of numbered lines, and their extent as a share of the height of the page.
const MIN_NUMBERS: usize = 10;
const MIN_HEIGHT_SHARE: f32 = 0.5;
/// Maximum difference of the edges of the numbers, in ems, and of the steps between them.
const MAX_EDGE_DIFFERENCE_EMS: f32 = 0.3;
const MAX_STEP_DIFFERENCE: f32 = 0.25;
/// Maximum share of other lines, such as running heads, that cross the margin.
const MAX_CROSSING_SHARE: f32 = 0.1;

/// Marks columns of growing numbers beside the text as running lines.
pub fn find(document: &mut MeasuredDocument) {
    let mut found: Vec<usize> = Vec::new();
    for sheet in &document.pages {
        let mut numbers: Vec<Number> = (sheet.first..sheet.end)
            .filter_map(|item| Number::of(document, item))
            .collect();
        if numbers.len() < MIN_NUMBERS {
            continue;
        }
        numbers.sort_by(|a, b| a.right.total_cmp(&b.right));
        for column in
            numbers.chunk_by_mut(|a, b| b.right - a.right < MAX_EDGE_DIFFERENCE_EMS * a.size)
        {
            column.sort_by(|a, b| a.base.total_cmp(&b.base));
            if are_of_lines(column, sheet.height)
                && is_margin(document, sheet.first..sheet.end, column)
            {
                found.extend(column.iter().map(|number| number.item));
            }
        }
    }
    for item in found {
        if let Some(line) = document.line_mut(item) {
            line.running = Some(Kind::PageNumber);
        }
    }
}

/// A line that is a number.
struct Number {
    item: usize,
    value: u32,
    left: f32,
    right: f32,
    base: f32,
    size: f32,
}

impl Number {
    fn of(document: &MeasuredDocument, item: usize) -> Option<Self> {
        let line = document.line(item).filter(|line| line.is_text())?;
        let is_number = line.letters <= 4 && line.text().bytes().all(|byte| byte.is_ascii_digit());
        Some(Self {
            item,
            value: line.text().parse().ok().filter(|_| is_number)?,
            left: line.left(),
            right: line.right(),
            base: line.base(),
            size: line.size(),
        })
    }
}

/// Whether a column of numbers counts the lines of most of a page.
fn are_of_lines(column: &[Number], height: f32) -> bool {
    let [first, second, .., last] = column else {
        return false;
    };
    let step = (last.base - first.base) / (column.len() - 1) as f32;
    let is_next = |pair: &[Number]| match pair {
        [a, b] => {
            b.value.checked_sub(a.value) == second.value.checked_sub(first.value)
                && (b.base - a.base - step).abs() < MAX_STEP_DIFFERENCE * step
        }
        _ => true,
    };
    column.len() >= MIN_NUMBERS
        && first.value < second.value
        && last.base - first.base > MIN_HEIGHT_SHARE * height
        && column.windows(2).all(is_next)
}

/// Whether hardly any other line of the page crosses a column.
fn is_margin(
    document: &MeasuredDocument,
    items: std::ops::Range<usize>,
    column: &[Number],
) -> bool {
    let left = column.iter().map(|number| number.left);
    let right = column.iter().map(|number| number.right);
    let (left, right) = (
        left.fold(f32::INFINITY, f32::min),
        right.fold(0.0, f32::max),
    );
    let (mut all, mut crossing) = (0, 0);
    for line in items.filter_map(|item| document.line(item)) {
        let is_number = line.left() >= left - 0.1 && line.right() <= right + 0.1;
        all += usize::from(!is_number);
        crossing += usize::from(!is_number && line.left() < right && line.right() > left);
    }
    all > 0 && crossing as f32 <= (MAX_CROSSING_SHARE * all as f32).max(1.0)
}
