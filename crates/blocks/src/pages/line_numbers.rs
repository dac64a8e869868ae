//! Line numbers in the margin of a page, as in pleadings and manuscripts. They are not part of the
//! text.

use super::measure::{MeasuredDocument, MeasuredItem};
use crate::block::Kind;

/// The minimum number of numbered lines, and their extent as a share of the height of the page.
const MIN_NUMBERS: usize = 10;
const MIN_HEIGHT_SHARE: f32 = 0.5;
/// Maximum difference of the edges of the numbers, in ems, and of the steps between them.
const MAX_EDGE_DIFFERENCE_EMS: f32 = 0.3;
const MAX_STEP_DIFFERENCE: f32 = 0.25;
/// Maximum share of other lines, such as running heads, that cross the margin.
const MAX_CROSSING_SHARE: f32 = 0.1;
/// The maximum distance of text from its number, and of their baselines, in ems of the number.
const MAX_DISTANCE_EMS: f32 = 8.0;
const MAX_BASE_DIFFERENCE_EMS: f32 = 0.4;
/// The minimum share of numbers that have a line of text, and of lines that have a number.
const MIN_BESIDE_SHARE: f32 = 0.8;

/// Marks columns of growing numbers beside the text as running lines.
pub fn find(document: &mut MeasuredDocument) {
    let mut found: Vec<usize> = Vec::new();
    // The right edges of the columns that were found, and the columns with too few numbers.
    let mut edges: Vec<f32> = Vec::new();
    let mut short: Vec<Vec<Number>> = Vec::new();
    for sheet in &document.pages {
        let items = sheet.first..sheet.end;
        let mut numbers: Vec<Number> = (items.clone())
            .filter_map(|item| Number::of(document, item))
            .collect();
        numbers.sort_by(|a, b| a.right.total_cmp(&b.right));
        for column in
            numbers.chunk_by_mut(|a, b| b.right - a.right < MAX_EDGE_DIFFERENCE_EMS * a.size)
        {
            column.sort_by(|a, b| a.base.total_cmp(&b.base));
            let are_beside = || are_beside_lines(document, items.clone(), column);
            let are_many = are_many(column, sheet.height);
            if are_many && (are_even(column) || are_beside()) {
                if is_margin(document, items.clone(), column) {
                    found.extend(column.iter().map(|number| number.item));
                    edges.extend(column.first().map(|number| number.right));
                }
            } else if !are_many && are_beside() {
                short.push(column.to_vec());
            }
        }
    }
    // The numbers of short pages have the same place as those of other pages.
    edges.sort_by(f32::total_cmp);
    for column in short {
        let is_found = column.first().is_some_and(|number| {
            let tolerance = MAX_EDGE_DIFFERENCE_EMS * number.size;
            let first = edges.partition_point(|edge| *edge < number.right - tolerance);
            (edges.get(first)).is_some_and(|edge| *edge < number.right + tolerance)
        });
        if is_found {
            found.extend(column.iter().map(|number| number.item));
        }
    }
    if found.is_empty() {
        return;
    }
    for item in found {
        if let Some(line) = document.line_mut(item) {
            line.running = Some(Kind::PageNumber);
        }
    }
    // At the end of their pages, they do not separate the lines of a paragraph.
    let is_number = |item: &MeasuredItem| match item {
        MeasuredItem::Line(line) => line.running == Some(Kind::PageNumber),
        MeasuredItem::Block(_) => false,
    };
    for sheet in &document.pages {
        if let Some(items) = document.items.get_mut(sheet.first..sheet.end) {
            items.sort_by_key(is_number);
        }
    }
    document.find_leadings();
    document.find_columns();
}

/// A line that is a number.
#[derive(Clone, Copy)]
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

/// Whether a column has many numbers on most of a page.
fn are_many(column: &[Number], height: f32) -> bool {
    column.len() >= MIN_NUMBERS
        && (column.first().zip(column.last()))
            .is_some_and(|(first, last)| last.base - first.base > MIN_HEIGHT_SHARE * height)
}

/// Whether a column of numbers counts with equal steps at equal distances.
fn are_even(column: &[Number]) -> bool {
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
    first.value < second.value && column.windows(2).all(is_next)
}

/// Whether a column of numbers counts the lines of the text beside it.
fn are_beside_lines(
    document: &MeasuredDocument,
    items: std::ops::Range<usize>,
    column: &[Number],
) -> bool {
    let is_next = |pair: &[Number]| match pair {
        [a, b] => a.value.checked_add(1) == Some(b.value),
        _ => true,
    };
    let Some((first, last)) = column.first().zip(column.last()) else {
        return false;
    };
    if !column.windows(2).all(is_next) {
        return false;
    }
    let tolerance = MAX_BASE_DIFFERENCE_EMS * first.size;
    let mut is_beside = vec![false; column.len()];
    let (mut all, mut numbered) = (0, 0);
    for line in items.filter_map(|item| document.line(item)) {
        let distance = (line.left() - first.right).max(first.left - line.right());
        let is_near = (0.0..MAX_DISTANCE_EMS * first.size).contains(&distance)
            && (first.base - tolerance..last.base + tolerance).contains(&line.base());
        if !is_near {
            continue;
        }
        all += 1;
        let place = column.partition_point(|number| number.base < line.base() - tolerance);
        if let (Some(number), Some(is_beside)) = (column.get(place), is_beside.get_mut(place))
            && number.base < line.base() + tolerance
        {
            numbered += 1;
            *is_beside = true;
        }
    }
    let beside = is_beside.iter().filter(|is_beside| **is_beside).count();
    let is_most = |part: usize, all: usize| part as f32 >= MIN_BESIDE_SHARE * all as f32;
    all > 0 && is_most(beside, column.len()) && is_most(numbered, all)
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
