//! The horizontal and vertical rules of a page: drawn lines in a frame, joined where they meet.

use super::frame::Frame;
use super::words::Word;
use crate::drawing::Drawing;
use crate::model::Rect;

/// Maximum skew of a rule, in points.
const MAX_SKEW_POINTS: f32 = 1.0;
/// Maximum distance between lines of one rule, in points: double lines, and lines drawn cell by
/// cell.
const MAX_DISTANCE_WITHIN_RULE_POINTS: f32 = 2.5;
/// Maximum gap in a rule, in points: between dots or dashes.
const MAX_GAP_POINTS: f32 = 3.0;
/// The minimum length of a rule, in points.
const MIN_LENGTH: f32 = 6.0;
/// The maximum width of a rule, in points. Wider lines are areas.
const MAX_WIDTH_POINTS: f32 = 6.0;
/// The maximum number of areas with edges that count as rules.
const MAX_AREAS: usize = 20_000;
/// Maximum share of the page covered by an area whose edges are rules.
const MAX_AREA_SHARE: f32 = 0.5;
const WHITE: u32 = 0xff_ffff;
/// Maximum number of earlier areas searched for an enclosing area of the same color.
const MAX_AREAS_AROUND: usize = 64;
/// Maximum distance by which an area protrudes from the area around it, in points.
const MAX_PROTRUSION_POINTS: f32 = 1.0;

/// A rule at a coordinate of one axis, with its extent on the other axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rule {
    pub(super) at: f32,
    pub(super) from: f32,
    pub(super) to: f32,
}

/// Rules in two directions, sorted by position, then extent.
#[derive(Debug, Default)]
pub(super) struct Rules {
    pub(super) horizontal: Vec<Rule>,
    pub(super) vertical: Vec<Rule>,
    /// The centers of slanted lines, which diagrams have.
    pub(super) slanted: Vec<(f32, f32)>,
}

impl Rules {
    /// The lines that a page draws.
    pub(super) fn of_lines(drawing: &Drawing, frame: Frame) -> Self {
        let (mut horizontal, mut vertical, mut slanted) = (Vec::new(), Vec::new(), Vec::new());
        for line in drawing
            .lines
            .iter()
            .filter(|line| line.width <= MAX_WIDTH_POINTS)
        {
            let a = frame.point((line.x1, line.y1));
            let b = frame.point((line.x2, line.y2));
            if (a.1 - b.1).abs() <= MAX_SKEW_POINTS {
                horizontal.push(rule((a.1 + b.1) / 2.0, a.0, b.0));
            } else if (a.0 - b.0).abs() <= MAX_SKEW_POINTS {
                vertical.push(rule((a.0 + b.0) / 2.0, a.1, b.1));
            } else {
                slanted.push(((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0));
            }
        }
        Self {
            horizontal: join(horizontal),
            vertical: join(vertical),
            slanted,
        }
    }

    /// Adds the rules typed as hyphens or underscores.
    pub(super) fn with_typed<'a>(&self, typed: impl Iterator<Item = &'a Word<'a>>) -> Self {
        let mut horizontal = self.horizontal.clone();
        horizontal.extend(typed.map(|word| rule(word.center().1, word.bbox.x1, word.bbox.x2)));
        Self {
            horizontal: join(horizontal),
            vertical: self.vertical.clone(),
            slanted: Vec::new(),
        }
    }

    /// Adds the edges of filled areas that are not excluded.
    pub(super) fn with_edges(
        &self,
        drawing: &Drawing,
        frame: Frame,
        page_area: f32,
        is_excluded: impl Fn(Rect) -> bool,
    ) -> Self {
        let within = |rule: &Rule, is_horizontal: bool| {
            let (x, y) = ((rule.from, rule.to), (rule.at, rule.at));
            let (x, y) = if is_horizontal { (x, y) } else { (y, x) };
            is_excluded(Rect {
                x1: x.0,
                y1: y.0,
                x2: x.1,
                y2: y.1,
            })
        };
        let keep = |rules: &[Rule], is_horizontal: bool| -> Vec<Rule> {
            let rules = rules.iter().copied();
            rules.filter(|rule| !within(rule, is_horizontal)).collect()
        };
        let mut horizontal = keep(&self.horizontal, true);
        let mut vertical = keep(&self.vertical, false);
        let mut visible: Vec<(Rect, Option<u32>)> = Vec::new();
        for area in drawing.areas.iter().take(MAX_AREAS) {
            let rect = frame.rect(area.bbox);
            // The background of a paragraph has no edges within a cell of the same color.
            let is_same = |&(around, color): &(Rect, Option<u32>)| {
                color.is_some() && color == area.color && is_within(rect, around)
            };
            if visible.iter().rev().take(MAX_AREAS_AROUND).any(is_same) {
                continue;
            }
            let size = (rect.x2 - rect.x1) * (rect.y2 - rect.y1);
            let is_visible = area.color != Some(WHITE) && size <= MAX_AREA_SHARE * page_area;
            if !is_visible || is_excluded(rect) {
                continue;
            }
            visible.push((rect, area.color));
            horizontal.push(rule(rect.y1, rect.x1, rect.x2));
            horizontal.push(rule(rect.y2, rect.x1, rect.x2));
            vertical.push(rule(rect.x1, rect.y1, rect.y2));
            vertical.push(rule(rect.x2, rect.y1, rect.y2));
        }
        Self {
            horizontal: join(horizontal),
            vertical: join(vertical),
            slanted: Vec::new(),
        }
    }
}

fn is_within(inner: Rect, outer: Rect) -> bool {
    inner.x1 >= outer.x1 - MAX_PROTRUSION_POINTS
        && inner.y1 >= outer.y1 - MAX_PROTRUSION_POINTS
        && inner.x2 <= outer.x2 + MAX_PROTRUSION_POINTS
        && inner.y2 <= outer.y2 + MAX_PROTRUSION_POINTS
}

fn rule(at: f32, a: f32, b: f32) -> Rule {
    Rule {
        at,
        from: a.min(b),
        to: a.max(b),
    }
}

/// Joins rules that overlap or touch.
fn join(mut rules: Vec<Rule>) -> Vec<Rule> {
    rules.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut joined: Vec<Rule> = Vec::new();
    let mut start = 0;
    while let Some(first) = rules.get(start).copied() {
        let count = rules
            .get(start..)
            .unwrap_or_default()
            .iter()
            .take_while(|rule| rule.at - first.at <= MAX_DISTANCE_WITHIN_RULE_POINTS)
            .count();
        let Some(group) = rules.get_mut(start..start + count) else {
            break;
        };
        start += count.max(1);
        group.sort_by(|a, b| a.from.total_cmp(&b.from));
        // The longest line is at the true position.
        let weight: f32 = group.iter().map(|rule| rule.to - rule.from + 0.01).sum();
        let at = group
            .iter()
            .map(|rule| rule.at * (rule.to - rule.from + 0.01))
            .sum::<f32>()
            / weight;
        let mut last: Option<Rule> = None;
        for rule in group.iter() {
            match &mut last {
                Some(last) if rule.from - last.to <= MAX_GAP_POINTS => {
                    last.to = last.to.max(rule.to);
                }
                _ => {
                    joined.extend(last.filter(is_long));
                    last = Some(Rule { at, ..*rule });
                }
            }
        }
        joined.extend(last.filter(is_long));
    }
    joined
}

fn is_long(rule: &Rule) -> bool {
    rule.to - rule.from >= MIN_LENGTH
}
