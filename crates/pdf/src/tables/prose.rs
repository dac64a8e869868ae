//! Recognizes running text, which is never part of a table without rules.

use super::words::{Atom, MAX_LEVEL_DIFFERENCE_EMS, Word};

/// The minimum number of lines of a paragraph.
const MIN_LINES: usize = 3;
/// The minimum mean number of words in a line.
const MIN_WORDS: f32 = 4.5;
/// Minimum share of full lines.
const MIN_FULL_SHARE: f32 = 0.6;
/// The maximum distance between lines, in ems.
const MAX_STEP_EMS: f32 = 2.3;
/// Maximum indent of a line, in ems.
const MAX_INDENT_EMS: f32 = 2.5;
/// Maximum share of words with digits in running text.
const MAX_NUMBERS: f32 = 0.3;
/// Minimum number of labels below a paragraph, their maximum width as a share of its width, and the
/// minimum step around them relative to the closest lines.
const MIN_LABELS: usize = 3;
const MAX_LABEL_SHARE: f32 = 0.5;
const MIN_WIDE_STEP_RATIO: f32 = 1.2;
/// The minimum number of labels with cells beside them.
const MIN_ROWS: usize = 2;
/// Maximum number of open paragraphs searched for the paragraph above a line.
const MAX_OPEN_PARAGRAPHS: usize = 40;

/// A paragraph under construction.
struct Stack {
    atoms: Vec<usize>,
    x1: f32,
    x2: f32,
    y: f32,
    size: f32,
}

/// Returns for each atom whether it belongs to running text. Atoms have to be sorted from the top.
pub(super) fn find(atoms: &[Atom], words: &[Word<'_>]) -> Vec<bool> {
    let mut is_prose = vec![false; atoms.len()];
    let next = next_on_line(atoms);
    let mut open: Vec<Stack> = Vec::new();
    for (index, atom) in atoms.iter().enumerate() {
        let (closed, still): (Vec<Stack>, Vec<Stack>) = open
            .into_iter()
            .partition(|stack| atom.y - stack.y > MAX_STEP_EMS * stack.size);
        open = still;
        for stack in closed {
            close(&stack, atoms, &next, words, &mut is_prose);
        }
        let above = open.iter_mut().rev().find(|stack| {
            let overlap = stack.x2.min(atom.x2) - stack.x1.max(atom.x1);
            let least = (stack.x2 - stack.x1).min(atom.x2 - atom.x1);
            atom.y - stack.y > 0.5 * atom.size
                && (atom.size - stack.size).abs() < 0.15 * stack.size
                && overlap > 0.7 * least
                && (atom.x1 - stack.x1).abs() < MAX_INDENT_EMS * atom.size
        });
        if let Some(stack) = above {
            stack.atoms.push(index);
            (stack.x1, stack.x2) = (stack.x1.min(atom.x1), stack.x2.max(atom.x2));
            stack.y = atom.y;
        } else {
            if open.len() >= MAX_OPEN_PARAGRAPHS {
                let oldest = open.remove(0);
                close(&oldest, atoms, &next, words, &mut is_prose);
            }
            open.push(Stack {
                atoms: vec![index],
                x1: atom.x1,
                x2: atom.x2,
                y: atom.y,
                size: atom.size,
            });
        }
    }
    for stack in &open {
        close(stack, atoms, &next, words, &mut is_prose);
    }
    is_prose
}

/// Removes the first column of a table above or below the text: short lines with other text beside
/// them where the lines of the paragraph continue, or lines between wider steps.
fn without_labels(stack: &Stack, atoms: &[Atom], next: &[f32]) -> Stack {
    let step = |a: usize, b: usize| match (atoms.get(a), atoms.get(b)) {
        (Some(a), Some(b)) => b.y - a.y,
        _ => 0.0,
    };
    let steps = stack.atoms.windows(2).filter_map(|pair| match pair {
        [a, b] => Some(step(*a, *b)),
        _ => None,
    });
    let leading = steps.reduce(f32::min).unwrap_or_default();
    let is_short = |index: &usize| {
        let width = atoms.get(*index).map_or(0.0, |atom| atom.x2 - atom.x1);
        width < MAX_LABEL_SHARE * (stack.x2 - stack.x1)
    };
    let is_label = |index: &usize| next.get(*index).is_some_and(|next| *next < stack.x2);
    let parts = stack
        .atoms
        .chunk_by(|a, b| step(*a, *b) <= MIN_WIDE_STEP_RATIO * leading);
    let kept = parts.filter(|part| part.len() < MIN_LABELS || !part.iter().all(is_short));
    let mut kept: Vec<usize> = kept.flatten().copied().collect();
    let mut labels: Vec<usize> = Vec::new();
    for part in kept.chunk_by(|a, b| is_short(a) && is_short(b)) {
        let (Some(first), Some(last)) = (
            part.iter().position(is_label),
            part.iter().rposition(is_label),
        ) else {
            continue;
        };
        let count = part.iter().filter(|index| is_label(index)).count();
        if count < MIN_ROWS || 2 * count < last - first + 1 || !part.iter().all(is_short) {
            continue;
        }
        // The last label may have further lines.
        let rest = part.get(last..).unwrap_or_default().windows(2);
        let rest = rest.take_while(
            |pair| matches!(pair, [a, b] if step(*a, *b) <= MIN_WIDE_STEP_RATIO * leading),
        );
        labels.extend(part.get(first..=last + rest.count()).unwrap_or_default());
    }
    kept.retain(|index| labels.binary_search(index).is_err());
    Stack {
        atoms: kept,
        ..*stack
    }
}

/// Returns for each atom the start of the next one on its line. Atoms have to be sorted from the
/// top.
fn next_on_line(atoms: &[Atom]) -> Vec<f32> {
    let mut next = vec![f32::INFINITY; atoms.len()];
    let mut order: Vec<usize> = (0..atoms.len()).collect();
    let at = |index: &usize| atoms.get(*index);
    let is_level = |a: &usize, b: &usize| match (at(a), at(b)) {
        (Some(a), Some(b)) => b.y - a.y <= MAX_LEVEL_DIFFERENCE_EMS * a.size.min(b.size),
        _ => false,
    };
    for line in order.chunk_by_mut(is_level) {
        line.sort_by(|a, b| {
            let x = |index| at(index).map_or(0.0, |atom| atom.x1);
            x(a).total_cmp(&x(b))
        });
        for pair in line.windows(2) {
            if let [a, b] = pair
                && let (Some(next), Some(atom)) = (next.get_mut(*a), at(b))
            {
                *next = atom.x1;
            }
        }
    }
    next
}

fn close(stack: &Stack, atoms: &[Atom], next: &[f32], words: &[Word<'_>], is_prose: &mut [bool]) {
    let stack = &without_labels(stack, atoms, next);
    if stack.atoms.len() < MIN_LINES {
        return;
    }
    let (mut full, mut count, mut numbers) = (0, 0, 0);
    for pair in stack.atoms.windows(2) {
        let [above, below] = *pair else { continue };
        let (Some(above), Some(below)) = (atoms.get(above), atoms.get(below)) else {
            continue;
        };
        let first = below
            .words
            .first()
            .and_then(|index| words.get(*index as usize));
        let needed = first.map_or(0.0, |word| word.bbox.x2 - word.bbox.x1) + 0.5 * above.size;
        full += usize::from(above.x2 + needed > stack.x2);
    }
    for atom in stack.atoms.iter().filter_map(|index| atoms.get(*index)) {
        count += atom.words.len();
        let has_digit = |index: &&u32| {
            let word = words.get(**index as usize);
            word.is_some_and(|word| word.text.contains(|c: char| c.is_ascii_digit()))
        };
        numbers += atom.words.iter().filter(has_digit).count();
    }
    let lines = stack.atoms.len() as f32;
    if count as f32 >= MIN_WORDS * lines
        && full as f32 >= MIN_FULL_SHARE * (lines - 1.0)
        && numbers as f32 <= MAX_NUMBERS * count as f32
    {
        for index in &stack.atoms {
            if let Some(is_prose) = is_prose.get_mut(*index) {
                *is_prose = true;
            }
        }
    }
}
