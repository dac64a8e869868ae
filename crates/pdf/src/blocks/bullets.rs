//! Drawn bullets: browsers draw the markers of lists as shapes. They become characters at the
//! starts of their lines.

use std::collections::HashMap;

use corpus_blocks::characters::is_right_to_left;

use super::super::drawing::DrawnBullet;
use super::super::model::{Rect, StructureEntry, StructureLine, StructureMarkKind};
use super::super::tables::frame::Frame;
use super::MAX_COMPARED;

/// The size of a bullet, the gap between it and the text, and the height of its center above the
/// baseline, in ems.
const SIDE_EMS: std::ops::Range<f32> = 0.12..0.75;
const GAP_EMS: std::ops::Range<f32> = 0.1..2.5;
const HEIGHT_EMS: std::ops::Range<f32> = 0.05..0.65;
/// The minimum number of equal bullets on a page: a single shape may be anything.
const MIN_BULLETS: usize = 2;

/// The indent of a list within a list, in ems.
const MIN_INDENT_EMS: f32 = 0.8;
const MAX_INDENT_EMS: f32 = 4.0;

/// Adds the bullets of a page to their lines.
pub(super) fn add(entries: &mut [StructureEntry], bullets: &[DrawnBullet], frame: Frame) {
    if bullets.len() < MIN_BULLETS {
        return;
    }
    let mut places: Vec<(f32, Rect, char)> = bullets
        .iter()
        .map(|bullet| {
            let bbox = frame.rect(bullet.bbox);
            ((bbox.y1 + bbox.y2) / 2.0, bbox, bullet.sign)
        })
        .collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut found: Vec<(usize, Rect, char)> = Vec::new();
    let mut counts: HashMap<(char, i32), usize> = HashMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let StructureEntry::Line(line) = entry else {
            continue;
        };
        if let Some((bbox, sign)) = beside(line, &places) {
            *counts.entry((sign, side(bbox))).or_default() += 1;
            found.push((index, bbox, sign));
        }
    }
    let are_many = |bbox: Rect, sign: char| {
        let count = counts.get(&(sign, side(bbox))).copied().unwrap_or(0);
        count >= MIN_BULLETS
    };
    let mut lefts: Vec<f32> = (found.iter())
        .filter(|(_, bbox, sign)| are_many(*bbox, *sign))
        .map(|(_, bbox, _)| bbox.x1)
        .collect();
    lefts.sort_by(f32::total_cmp);
    // A single item may be inside of others.
    let is_inner = |bbox: Rect, size: f32| {
        let first = lefts.partition_point(|left| *left < bbox.x1 - MAX_INDENT_EMS * size);
        (lefts.get(first)).is_some_and(|left| *left < bbox.x1 - MIN_INDENT_EMS * size)
    };
    for (index, bbox, sign) in found {
        if let Some(StructureEntry::Line(line)) = entries.get_mut(index)
            && (are_many(bbox, sign) || is_inner(bbox, line.size))
        {
            prepend(line, bbox, sign);
        }
    }
}

/// The side of a bullet in half points, so that equal ones have the same key.
fn side(bbox: Rect) -> i32 {
    (2.0 * (bbox.x2 - bbox.x1)).round() as i32
}

/// The bullet beside the start of a line. Shapes beside bold lines decorate headings.
fn beside(line: &StructureLine, places: &[(f32, Rect, char)]) -> Option<(Rect, char)> {
    let em = line.size;
    let is_bold = line.marks.iter().any(|mark| {
        mark.kind == StructureMarkKind::Bold && mark.range == (0..line.text.len() as u32)
    });
    if line.is_outside || is_bold || line.text.is_empty() {
        return None;
    }
    let starts_right = line.text.chars().find(|c| c.is_alphabetic());
    let starts_right = starts_right.is_some_and(is_right_to_left);
    let first = places.partition_point(|place| place.0 < line.base - HEIGHT_EMS.end * em);
    let level = places.get(first..).unwrap_or_default().iter();
    let level = level.take_while(|place| place.0 <= line.base - HEIGHT_EMS.start * em);
    let beside = level.take(MAX_COMPARED).filter_map(|(_, bbox, sign)| {
        let gap = if starts_right {
            bbox.x1 - line.bbox.x2
        } else {
            line.bbox.x1 - bbox.x2
        };
        let is_bullet =
            SIDE_EMS.contains(&((bbox.x2 - bbox.x1) / em)) && GAP_EMS.contains(&(gap / em));
        is_bullet.then_some((gap, *bbox, *sign))
    });
    let nearest = beside.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some((nearest.1, nearest.2))
}

fn prepend(line: &mut StructureLine, bbox: Rect, sign: char) {
    let added = sign.len_utf8() as u32 + 1;
    line.text.insert_str(0, &format!("{sign} "));
    for mark in &mut line.marks {
        mark.range.start += added;
        mark.range.end += added;
    }
    line.run_in = line.run_in.map(|end| end + added);
    line.bbox = line.bbox.around(bbox);
}
