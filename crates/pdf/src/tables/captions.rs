//! Captions of tables.

use std::collections::HashSet;

use super::words::{Atom, TextLine, Word, lines};
use crate::model::Rect;

/// The words with which captions start, in lower case and without their number.
const STARTS: [&str; 30] = [
    "table",
    "tab",
    "exhibit",
    "figure",
    "fig",
    "chart",
    "schedule",
    "appendix",
    "box",
    "tabelle",
    "tableau",
    "tabla",
    "cuadro",
    "tabella",
    "tabela",
    "quadro",
    "tabel",
    "tabell",
    "tabulka",
    "tabuľka",
    "táblázat",
    "taulukko",
    "tablo",
    "таблица",
    "таблиця",
    "πίνακας",
    "جدول",
    "טבלה",
    "表",
    "표",
];
/// The maximum distance of a caption from its table, and between its lines, in ems.
const MAX_DISTANCE_EMS: f32 = 3.0;
const MAX_STEP_EMS: f32 = 1.9;
/// The maximum ratio of the sizes of the lines of a caption.
const MAX_SIZE_RATIO: f32 = 1.06;
/// Maximum height of the area above or below a table that is searched for a caption, in points.
const MAX_HEIGHT_POINTS: f32 = 120.0;
/// Maximum number of atoms searched for a caption.
const MAX_ATOMS: usize = 10_000;
/// The maximum number of lines of a caption.
const MAX_LINES: usize = 8;

/// Whether these words start a caption: "Table" and a number.
pub(super) fn is_start(indexes: &[u32], words: &[Word<'_>]) -> bool {
    let mut texts = indexes
        .iter()
        .filter_map(|index| words.get(*index as usize))
        .map(|word| word.text);
    let Some(first) = texts.next() else {
        return false;
    };
    let lower = first.to_lowercase();
    let stem = lower.trim_end_matches(|c: char| !c.is_alphabetic());
    let is_label = |text: &str| {
        text.chars().any(char::is_numeric)
            || text
                .trim_end_matches(['.', ':'])
                .chars()
                .all(|c| matches!(c, 'I' | 'V' | 'X' | 'A'..='H' | '.' | '-'))
    };
    STARTS.contains(&stem)
        && (stem.len() < lower.len() && lower.contains(char::is_numeric)
            || texts.next().is_some_and(is_label))
}

/// Finds the caption of a table among atoms that are sorted from the top. Returns the indexes of
/// its words.
pub(super) fn find(atoms: &[Atom], words: &[Word<'_>], table: Rect) -> Option<Vec<u32>> {
    let height = MAX_HEIGHT_POINTS;
    let first = atoms.partition_point(|atom| atom.y < table.y1 - height);
    let end = atoms.partition_point(|atom| atom.y < table.y2 + height);
    let near = atoms.get(first..end).unwrap_or_default();
    let near = near.iter().take(MAX_ATOMS);
    let line = |atom: &Atom| {
        let first = atom
            .words
            .first()
            .and_then(|index| words.get(*index as usize));
        first.map(|word| word.line)
    };
    // Text in a column beside the table is on other lines of the layout.
    let over: HashSet<Option<u32>> = near
        .clone()
        .filter(|atom| atom.x1 < table.x2 && table.x1 < atom.x2)
        .map(line)
        .collect();
    let lines = lines(
        near.filter(|atom| over.contains(&line(atom)))
            .cloned()
            .collect(),
    );
    above(&lines, words, table).or_else(|| below(&lines, words, table))
}

fn places(line: &TextLine) -> impl Iterator<Item = u32> {
    line.atoms
        .iter()
        .flat_map(|atom| atom.words.iter().copied())
}

fn above(lines: &[TextLine], words: &[Word<'_>], table: Rect) -> Option<Vec<u32>> {
    let mut y = table.y1;
    let mut caption: Vec<&TextLine> = Vec::new();
    let candidates = lines.iter().rev().filter(|line| line.y < table.y1);
    for line in candidates.take(MAX_LINES) {
        let limit = if caption.is_empty() {
            MAX_DISTANCE_EMS
        } else {
            MAX_STEP_EMS
        };
        if y - line.y > limit * line.size {
            break;
        }
        caption.push(line);
        y = line.y;
        let first: Vec<u32> = places(line).collect();
        if is_start(&first, words) {
            return Some(caption.iter().rev().flat_map(|line| places(line)).collect());
        }
    }
    // Without a number, only a bold line close to the table is a caption.
    let nearest = *caption.first()?;
    let all: Vec<u32> = places(nearest).collect();
    let is_bold = all
        .iter()
        .filter_map(|index| words.get(*index as usize))
        .all(|word| word.bold);
    (is_bold && table.y1 - nearest.y < 2.0 * nearest.size).then_some(all)
}

fn below(lines: &[TextLine], words: &[Word<'_>], table: Rect) -> Option<Vec<u32>> {
    let mut candidates = lines.iter().filter(|line| line.y > table.y2);
    let first = candidates.next()?;
    let mut caption: Vec<u32> = places(first).collect();
    if first.y - table.y2 > MAX_DISTANCE_EMS * first.size || !is_start(&caption, words) {
        return None;
    }
    let mut y = first.y;
    for line in candidates.take(MAX_LINES - 1) {
        // A larger line is a heading.
        let is_larger = line.size > MAX_SIZE_RATIO * first.size;
        if line.y - y > 1.4 * line.size || is_larger {
            break;
        }
        caption.extend(places(line));
        y = line.y;
    }
    Some(caption)
}
