//! The labels of figures, such as the numbers at the axes of a plot. They are not part of the text;
//! they become the alternative text of the figure.
//!
//! Labels are the short lines between the caption of a figure and the nearest text above it, or
//! below it if there are none above.

use super::measure::{MeasuredDocument, MeasuredItem, MeasuredLine};
use super::segments::{is_caption, is_caption_of_figure};

/// The minimum number of labels of a figure.
const MIN_LABELS: usize = 3;
/// The maximum number of captions of a page.
const MAX_CAPTIONS: usize = 40;
/// The maximum number of letters of a label.
const MAX_LABEL_LETTERS: usize = 70;
/// Minimum width of a line of text, as a share of the usual width.
const MIN_TEXT_WIDTH_SHARE: f32 = 0.6;
/// Minimum font size of a line of text, relative to the body.
const MIN_TEXT_SIZE_RATIO: f32 = 0.93;
/// The minimum number of lines of text that make a column beside a caption.
const MIN_COLUMN_LINES: usize = 3;
/// The maximum share of letters among the characters of a number.
const MAX_LETTER_SHARE: f32 = 0.4;

/// The role of a line in the search for figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Text,
    Label,
    Caption,
    /// Running lines and finished blocks.
    Other,
}

/// Moves the labels of figures to their captions.
pub fn find(document: &mut MeasuredDocument) {
    let width = usual_width(document);
    let mut labels: Vec<Option<usize>> = vec![None; document.items.len()];
    for sheet in &document.pages {
        let range = sheet.first..sheet.end;
        let roles: Vec<Role> = range
            .clone()
            .map(|index| role(document, index, sheet.first, width))
            .collect();
        let captions = range
            .clone()
            .zip(&roles)
            .filter(|(_, role)| **role == Role::Caption);
        for (caption, _) in captions.take(MAX_CAPTIONS) {
            let lines: Vec<(&MeasuredLine, Role, usize)> = range
                .clone()
                .zip(&roles)
                .filter_map(|(index, role)| Some((document.line(index)?, *role, index)))
                .filter(|(_, role, _)| *role != Role::Other)
                .collect();
            let own = labels_of(document, &lines, caption, true)
                .or_else(|| labels_of(document, &lines, caption, false));
            for label in own.into_iter().flatten() {
                if let Some(entry) = labels.get_mut(label) {
                    entry.get_or_insert(caption);
                }
            }
        }
    }
    if labels.iter().any(Option::is_some) {
        take(document, &labels);
    }
}

/// The median width of lines of the size of the text with many letters.
fn usual_width(document: &MeasuredDocument) -> f32 {
    let mut widths: Vec<f32> = document
        .lines()
        .filter(|line| line.letters > 25 && document.is_same_size(line.size(), document.body_size))
        .map(|line| line.right() - line.left())
        .collect();
    widths.sort_by(f32::total_cmp);
    widths.get(widths.len() / 2).copied().unwrap_or(0.0)
}

fn role(document: &MeasuredDocument, index: usize, first: usize, width: f32) -> Role {
    let Some(line) = document.line(index).filter(|line| line.is_text()) else {
        return Role::Other;
    };
    if is_caption_of_figure(line.text()) {
        return Role::Caption;
    }
    let is_text = |line: &MeasuredLine| {
        document.ratio(line.size()) >= MIN_TEXT_SIZE_RATIO
            && line.right() - line.left() >= MIN_TEXT_WIDTH_SHARE * width
            && !is_numeric(line)
    };
    // The last line of a paragraph may be short; its first line is not.
    let ends_text = || {
        let before = index
            .checked_sub(1)
            .filter(|before| *before >= first)
            .and_then(|before| document.line(before));
        before.is_some_and(|before| {
            is_text(before)
                && document.is_below(before, line)
                && document.is_same_size(before.size(), line.size())
                && line.base() - before.base() < 1.4 * document.leading(line.size())
                && !is_numeric(line)
        })
    };
    let is_large = document.ratio(line.size()) > 1.1 && !is_numeric(line);
    // The figure may be a listing.
    let is_code = line.is_fixed && !document.is_body_fixed && !is_numeric(line);
    if is_text(line)
        || is_large
        || is_code
        || is_caption(line.text())
        || line.letters > MAX_LABEL_LETTERS
        || ends_text()
        || line.is_bold
    {
        Role::Text
    } else {
        Role::Label
    }
}

/// Whether a line consists mostly of digits and signs.
fn is_numeric(line: &MeasuredLine) -> bool {
    let (mut alphabetic, mut all) = (0, 0);
    for character in line.text().chars().filter(|c| !c.is_whitespace()) {
        all += 1;
        alphabetic += usize::from(character.is_alphabetic());
    }
    alphabetic as f32 <= MAX_LETTER_SHARE * all as f32
}

/// The labels above or below a caption, if there are enough.
fn labels_of(
    document: &MeasuredDocument,
    lines: &[(&MeasuredLine, Role, usize)],
    caption: usize,
    is_above: bool,
) -> Option<Vec<usize>> {
    let own = document.line(caption)?;
    let is_beyond = |y: f32| {
        if is_above {
            y < own.base() - 0.5 * own.size()
        } else {
            y > own.base() + 0.5 * own.size()
        }
    };
    let is_barrier = |role: Role| matches!(role, Role::Text | Role::Caption);
    let across = |line: &MeasuredLine| line.right() > own.left() && line.left() < own.right();
    // The nearest text limits the figure.
    let barriers = lines
        .iter()
        .filter(|(line, role, index)| {
            is_barrier(*role) && *index != caption && is_beyond(line.base()) && across(line)
        })
        .map(|(line, ..)| line.base());
    let limit = if is_above {
        barriers.fold(f32::NEG_INFINITY, f32::max)
    } else {
        barriers.fold(f32::INFINITY, f32::min)
    };
    let is_inside = |line: &MeasuredLine| {
        is_beyond(line.base())
            && if is_above {
                line.base() > limit
            } else {
                line.base() < limit
            }
    };
    // Text beside it limits it, too.
    let (mut from, mut to) = (f32::NEG_INFINITY, f32::INFINITY);
    for (line, role, _) in lines {
        if is_barrier(*role) && is_inside(line) {
            if line.right() <= own.center() {
                from = from.max(line.right());
            } else if line.left() >= own.center() {
                to = to.min(line.left());
            }
        }
    }
    // So does a column of text beside the caption, at any height.
    let beside = |is_beside: &dyn Fn(&MeasuredLine) -> bool, edge: fn(&MeasuredLine) -> f32| {
        let text = lines.iter().filter(|(_, role, _)| *role == Role::Text);
        let beside =
            text.filter(|(line, ..)| line.letters > MAX_LABEL_LETTERS / 2 && is_beside(line));
        let mut edges: Vec<f32> = beside.map(|(line, ..)| edge(line)).collect();
        edges.sort_by(f32::total_cmp);
        let is_column = edges.len() >= MIN_COLUMN_LINES;
        edges.get(edges.len() / 2).copied().filter(|_| is_column)
    };
    if let Some(edge) = beside(&|line| line.right() <= own.left(), MeasuredLine::right) {
        from = from.max(edge);
    }
    if let Some(edge) = beside(&|line| line.left() >= own.right(), MeasuredLine::left) {
        to = to.min(edge);
    }
    let labels: Vec<usize> = lines
        .iter()
        .filter(|(line, role, _)| {
            *role == Role::Label && is_inside(line) && line.center() > from && line.center() < to
        })
        .map(|(.., index)| *index)
        .collect();
    (labels.len() >= MIN_LABELS).then_some(labels)
}

/// Removes the labels from the lines, and adds their text to the captions.
fn take(document: &mut MeasuredDocument, labels: &[Option<usize>]) {
    let mut texts: Vec<(usize, String)> = Vec::new();
    for (index, caption) in labels.iter().enumerate() {
        if let (Some(caption), Some(line)) = (caption, document.line(index)) {
            texts.push((*caption, line.text().to_owned()));
        }
    }
    for (caption, text) in texts {
        if let Some(line) = document.line_mut(caption) {
            if !line.labels.is_empty() {
                line.labels.push(' ');
            }
            line.labels.push_str(&text);
        }
    }
    // For each index, the number of items before it that remain.
    let mut remaining = Vec::with_capacity(labels.len() + 1);
    let mut count = 0;
    for label in labels {
        remaining.push(count);
        count += usize::from(label.is_none());
    }
    remaining.push(count);
    let items: Vec<MeasuredItem> = std::mem::take(&mut document.items)
        .into_iter()
        .zip(labels)
        .filter(|(_, label)| label.is_none())
        .map(|(item, _)| item)
        .collect();
    document.items = items;
    for sheet in &mut document.pages {
        let place = |index: usize| remaining.get(index).copied().unwrap_or(count);
        (sheet.first, sheet.end) = (place(sheet.first), place(sheet.end));
    }
    document.find_columns();
}
