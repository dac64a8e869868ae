//! The marks of a line: styles, links, superscripts, subscripts, code and formulas.

use std::ops::Range;

use super::super::model::{StructureLine, StructureMark, StructureMarkKind};
use super::formulas::{FormulaWord, formulas};

/// Adds a mark, or extends the last mark of its kind over the preceding space.
pub(super) fn add(
    marks: &mut Vec<StructureMark>,
    start: usize,
    end: usize,
    kind: StructureMarkKind,
) {
    let (start, end) = (start as u32, end as u32);
    let last = marks
        .iter_mut()
        .rev()
        .take(4)
        .find(|mark| mark.kind == kind);
    let is_script = matches!(
        kind,
        StructureMarkKind::Superscript | StructureMarkKind::Subscript
    );
    match last {
        Some(last) if last.range.end == start || (!is_script && last.range.end + 1 == start) => {
            last.range.end = end;
        }
        _ => marks.push(StructureMark {
            range: start..end,
            kind,
        }),
    }
}

/// Marks the formulas of a line.
pub(super) fn add_formulas(line: &mut StructureLine, parts: &[FormulaWord]) {
    if !parts
        .iter()
        .any(|part| part.is_formula || part.starts_formula)
    {
        return;
    }
    let scripts = line.marks.iter().filter(|mark| {
        matches!(
            mark.kind,
            StructureMarkKind::Superscript | StructureMarkKind::Subscript
        )
    });
    let range = |mark: &StructureMark| mark.range.start as usize..mark.range.end as usize;
    let scripts: Vec<Range<usize>> = scripts.map(range).collect();
    let found = formulas(&line.text, parts, &scripts);
    for mark in &mut line.marks {
        if matches!(
            mark.kind,
            StructureMarkKind::Bold | StructureMarkKind::Italic
        ) {
            cut_at_formulas(&mut mark.range, &found);
        }
    }
    line.marks.retain(|mark| !mark.range.is_empty());
    line.marks
        .extend(found.into_iter().map(|range| StructureMark {
            range: range.start as u32..range.end as u32,
            kind: StructureMarkKind::Formula,
        }));
}

/// Clips a mark that starts or ends within a formula, because styles there have no meaning.
fn cut_at_formulas(mark: &mut Range<u32>, formulas: &[Range<usize>]) {
    let around = |at: u32| {
        let at = at as usize;
        let index = formulas.partition_point(|formula| formula.end <= at);
        formulas.get(index).filter(|formula| formula.start < at)
    };
    let is_outside = |formula: &&Range<usize>, mark: &Range<u32>| {
        formula.start < mark.start as usize || formula.end > mark.end as usize
    };
    if let Some(first) = around(mark.start + 1).filter(|formula| is_outside(formula, mark)) {
        mark.start = mark.end.min(first.end as u32);
    }
    if let Some(last) = around(mark.end).filter(|formula| is_outside(formula, mark)) {
        mark.end = mark.start.max(last.start as u32);
    }
}
