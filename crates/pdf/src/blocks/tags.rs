//! Judges the structure tree of a document. Many programs write a meaningless tree: a paragraph per
//! line, or one paragraph for everything.

use super::super::model::{Page, StructureEntry, StructureLine, TagRole};

/// Minimum share of tagged lines.
const MIN_TAGGED_SHARE: f32 = 0.8;
/// The maximum share of blocks that end within a sentence.
const MAX_BROKEN_SHARE: f32 = 0.08;
/// Maximum share of lines that are headings.
const MAX_HEADINGS: f32 = 0.4;
/// Maximum mean number of lines per block.
const MAX_LINES: f32 = 40.0;

/// Whether the structure tree describes the blocks of the document.
pub fn are_good(pages: &[Page]) -> bool {
    let (mut lines, mut tagged, mut headings, mut blocks, mut broken) = (0, 0, 0, 0, 0);
    let mut last: Option<&StructureLine> = None;
    let entries = pages.iter().flat_map(|page| &page.structure.entries);
    for entry in entries {
        let StructureEntry::Line(line) = entry else {
            last = None;
            continue;
        };
        if line.is_outside {
            continue;
        }
        lines += 1;
        let Some((block, role)) = line.tagged else {
            continue;
        };
        tagged += 1;
        headings += usize::from(matches!(role, Some(TagRole::Heading(_))));
        let before = last.and_then(|last| Some((last, last.tagged?.0)));
        if before.is_none_or(|(_, before)| before != block) {
            blocks += 1;
        }
        if let Some((before, number)) = before
            && number != block
        {
            let goes_on = line.text.starts_with(char::is_lowercase)
                && before
                    .text
                    .ends_with(|c: char| c.is_lowercase() || matches!(c, ',' | '-'));
            broken += usize::from(goes_on);
        }
        last = Some(line);
    }
    let share = |part: usize, whole: usize| part as f32 / whole.max(1) as f32;
    share(tagged, lines) >= MIN_TAGGED_SHARE
        && share(broken, blocks) <= MAX_BROKEN_SHARE
        && share(headings, tagged) <= MAX_HEADINGS
        && share(tagged, blocks) <= MAX_LINES
}
