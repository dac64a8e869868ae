//! Regions between horizontal rules of the same extent.

use super::rules::Rule;
use super::words::{Atom, TextLine};
use crate::model::Rect;

/// Maximum difference of the ends of rules, in points.
const MAX_END_DIFFERENCE_POINTS: f32 = 4.0;
/// The minimum length of a rule around a table, in points.
const MIN_LENGTH_POINTS: f32 = 60.0;

/// The maximum height of the background of a header, and of the row below it, in points.
const MAX_FIRST_ROW_POINTS: f32 = 80.0;
/// Minimum width, as a share, of a line that was wrapped for lack of space.
const MIN_WRAPPED_SHARE: f32 = 0.85;

/// The minimum size of the title of the next table, relative to the cells above it.
const MIN_TITLE_RATIO: f32 = 1.15;

/// Rules of the same extent, from the top.
#[derive(Debug)]
pub(super) struct Stack {
    pub(super) from: f32,
    pub(super) to: f32,
    pub(super) ys: Vec<f32>,
}

impl Stack {
    /// Adds the edges of the background of a header above the first rule, from which rules separate
    /// the rows. Areas have to be sorted from the top.
    pub(super) fn add_header(&mut self, areas: &[Rect]) {
        let near = |a: f32, b: f32| (a - b).abs() <= MAX_END_DIFFERENCE_POINTS;
        let Some(first) = self.ys.first().copied() else {
            return;
        };
        let is_header = |area: &&Rect| {
            near(area.x1, self.from)
                && near(area.x2, self.to)
                && area.y2 < first - MAX_END_DIFFERENCE_POINTS
                && first - area.y2 < MAX_FIRST_ROW_POINTS
                && area.y2 - area.y1 < MAX_FIRST_ROW_POINTS
        };
        // Several such areas are the backgrounds of other rows.
        let near_top = areas.partition_point(|area| area.y1 < first - 2.0 * MAX_FIRST_ROW_POINTS);
        let above = areas.get(near_top..).unwrap_or_default().iter();
        let mut headers = above.take_while(|area| area.y1 < first).filter(is_header);
        if let (Some(header), None) = (headers.next(), headers.next()) {
            self.ys.splice(..0, [header.y1, header.y2]);
        }
    }
}

/// The number of lines of running text, without those that have entries beside them: the cells of a
/// row may have several lines.
pub(super) fn lines_of_prose(atoms: &[Atom], is_prose: &[bool]) -> usize {
    let kinds = || atoms.iter().zip(is_prose);
    let prose = || {
        kinds()
            .filter(|(_, is_prose)| **is_prose)
            .map(|(atom, _)| atom)
    };
    let extent = prose().fold((f32::INFINITY, f32::NEG_INFINITY), |(top, bottom), atom| {
        (top.min(atom.y), bottom.max(atom.y))
    });
    let is_beside = |(atom, is_prose): (&Atom, &bool)| {
        !is_prose && extent.0 - atom.size / 2.0 <= atom.y && atom.y <= extent.1 + atom.size / 2.0
    };
    if kinds().any(is_beside) {
        0
    } else {
        prose().count()
    }
}

/// Finds rules above each other with the same extent.
pub(super) fn stacks(rules: &[Rule]) -> Vec<Stack> {
    let mut long: Vec<Rule> = rules
        .iter()
        .copied()
        .filter(|rule| rule.to - rule.from >= MIN_LENGTH_POINTS)
        .collect();
    long.sort_by(|a, b| a.from.total_cmp(&b.from));
    let mut stacks: Vec<Stack> = Vec::new();
    for group in long.chunk_by(|a, b| b.from - a.from <= MAX_END_DIFFERENCE_POINTS) {
        let mut group = group.to_vec();
        group.sort_by(|a, b| a.to.total_cmp(&b.to));
        for same in group.chunk_by(|a, b| b.to - a.to <= MAX_END_DIFFERENCE_POINTS) {
            let mut ys: Vec<f32> = same.iter().map(|rule| rule.at).collect();
            ys.sort_by(f32::total_cmp);
            ys.dedup();
            if ys.len() >= 2 {
                stacks.push(Stack {
                    from: same
                        .iter()
                        .map(|rule| rule.from)
                        .fold(f32::INFINITY, f32::min),
                    to: same
                        .iter()
                        .map(|rule| rule.to)
                        .fold(f32::NEG_INFINITY, f32::max),
                    ys,
                });
            }
        }
    }
    stacks.sort_by(|a, b| {
        let top = |stack: &Stack| stack.ys.first().copied().unwrap_or_default();
        top(a).total_cmp(&top(b))
    });
    stacks
}

/// The content between two rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Lines with gaps.
    Cells,
    /// The same, without values.
    Header,
    /// A line or two without gaps, such as a header of all columns.
    Single,
    Other,
}

impl Content {
    pub(super) fn of(lines: &[TextLine], prose: usize, width: f32, height: f32) -> Self {
        // A line over nearly the whole width that continues on the next one is prose.
        let is_broken = matches!(lines, [first, second]
            if first.atoms.len() == 1 && first.x2() - first.x1() > MIN_WRAPPED_SHARE * width && second.atoms.len() == 1);
        let cells = lines.iter().filter(|line| line.atoms.len() >= 2).count();
        let size = lines.iter().map(|line| line.size).fold(0.0, f32::max);
        if lines.is_empty() || prose > cells || is_broken {
            Self::Other
        } else if 2 * cells >= lines.len() || are_wrapped(lines) {
            Self::Cells
        } else if lines.len() <= 2 && height < 4.0 * size {
            Self::Single
        } else {
            Self::Other
        }
    }
}

/// Whether the lines continue the cells of the first line, or are one row with values in the
/// middle: no line crosses a gap between these cells.
fn are_wrapped(lines: &[TextLine]) -> bool {
    let is_row = |line: &&TextLine| line.atoms.len() >= 2;
    let mut rows = lines.iter().filter(is_row);
    let (Some(cells), next) = (rows.next(), rows.next()) else {
        return false;
    };
    let is_across = |atom: &Atom| {
        let before = cells.atoms.partition_point(|cell| cell.x2 <= atom.x1);
        let next = cells.atoms.get(before + 1);
        next.is_some_and(|next| atom.x2 > next.x1)
    };
    let is_first = lines.first().is_some_and(|first| is_row(&first));
    let others = lines.iter().filter(|line| line.y != cells.y);
    (is_first || next.is_none()) && !others.flat_map(|line| &line.atoms).any(is_across)
}

/// The content between two rules, and the title of the next table at its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    pub(super) content: Content,
    /// The size of the first line, and of the largest other one.
    sizes: (f32, f32),
    /// Where the first line ends, if it has no gaps.
    end_of_first: Option<f32>,
}

impl Strip {
    pub(super) fn new(content: Content, lines: &[TextLine]) -> Self {
        let (first, others) = lines.split_first().unzip();
        let others = others.unwrap_or_default();
        let single = first.filter(|line| line.atoms.len() == 1);
        Self {
            content,
            sizes: (
                first.map_or(0.0, |line| line.size),
                others.iter().map(|line| line.size).fold(0.0, f32::max),
            ),
            end_of_first: single.map(|line| line.y + line.size / 2.0),
        }
    }

    /// Where the title of the next table ends: a first line that is larger than the other lines and
    /// the cells above it.
    fn end_of_title(&self, cells: f32) -> Option<f32> {
        let (title, others) = self.sizes;
        let is_title = title > MIN_TITLE_RATIO * cells.max(others);
        self.end_of_first.filter(|_| is_title)
    }
}

/// The boundaries of regions with cells, each from its first rule to its last one.
pub(super) fn regions(stack: &Stack, strip: impl Fn(f32, f32) -> Strip) -> Vec<Vec<f32>> {
    let strips: Vec<Strip> = (stack.ys.windows(2))
        .map(|pair| match pair {
            [top, bottom] => strip(*top, *bottom),
            _ => Strip::new(Content::Other, &[]),
        })
        .collect();
    let content = |index: usize| strips.get(index).map(|strip| strip.content);
    let mut regions: Vec<Vec<f32>> = Vec::new();
    let mut region: Vec<f32> = Vec::new();
    let mut cells = 0;
    let mut size_of_cells = f32::INFINITY;
    let mut close = |region: &mut Vec<f32>, cells: &mut usize| {
        let closed = std::mem::take(region);
        if *cells > 0 {
            regions.push(closed);
        }
        *cells = 0;
    };
    for (index, (pair, strip)) in stack.ys.windows(2).zip(&strips).enumerate() {
        let [top, bottom] = *pair else { continue };
        // A line above a header and its values is between two tables.
        let is_between = content(index) == Some(Content::Single)
            && content(index + 1) == Some(Content::Header)
            && content(index + 2) == Some(Content::Cells)
            && index > 0
            && content(index - 1) == Some(Content::Cells);
        let title = strip.end_of_title(size_of_cells);
        let is_title = title.is_some() && strip.content == Content::Single;
        if strip.content == Content::Other || is_between || is_title {
            close(&mut region, &mut cells);
            continue;
        }
        if title.is_some() {
            close(&mut region, &mut cells);
        }
        if region.is_empty() {
            region.push(title.unwrap_or(top));
        }
        region.push(bottom);
        if strip.content != Content::Single {
            cells += 1;
            let (first, others) = strip.sizes;
            size_of_cells = if title.is_some() {
                others
            } else {
                first.max(others)
            };
        }
    }
    close(&mut region, &mut cells);
    regions
}
