//! Superscripts and subscripts in the text of cells.

use corpus_blocks::plain_text;
use corpus_blocks::{MarkKind, Text};

use super::words::Word;
use crate::model::{StructureMark, StructureMarkKind, TextWithScripts};

/// The maximum gap between a word and the superscript or subscript after it, in ems.
const MAX_GAP_EMS: f32 = 0.2;

/// Appends a word, after a space unless it starts the line or is a script of the last word.
pub(super) fn append(written: &mut TextWithScripts, last: Option<&Word<'_>>, word: &Word<'_>) {
    if last.is_some_and(|last| !is_attached(last, word)) {
        written.text.push(' ');
    }
    let start = written.text.len() as u32;
    written.text.push_str(word.text);
    // A raised bullet at the start of a line is no superscript.
    let is_bullet = last.is_none() && !word.text.contains(char::is_alphanumeric);
    let scripts = word.scripts.iter().filter(|_| !is_bullet);
    written.marks.extend(scripts.map(|script| StructureMark {
        range: start + script.range.start..start + script.range.end,
        kind: if script.is_raised {
            StructureMarkKind::Superscript
        } else {
            StructureMarkKind::Subscript
        },
    }));
}

fn is_attached(last: &Word<'_>, word: &Word<'_>) -> bool {
    (word.scripts.first()).is_some_and(|script| script.range.start == 0)
        && word.is_level
        && last.line == word.line
        && word.bbox.x1 - last.bbox.x2 < MAX_GAP_EMS * last.size
        && last.text.ends_with(char::is_alphanumeric)
}

/// The text with its marks.
pub fn mark_scripts(written: &TextWithScripts) -> Text {
    let mut text = Text::plain(written.text.as_str());
    for mark in &written.marks {
        let kind = match mark.kind {
            StructureMarkKind::Superscript => MarkKind::Superscript,
            StructureMarkKind::Subscript => MarkKind::Subscript,
            _ => continue,
        };
        let range = mark.range.start as usize..mark.range.end as usize;
        if text.text.get(range.clone()).is_some() {
            text.mark(range, kind);
        }
    }
    text
}

/// The text with scripts in characters that keep their meaning, such as `10²`.
pub(super) fn plain(written: TextWithScripts) -> String {
    if written.marks.is_empty() {
        written.text
    } else {
        plain_text::of_text(&mark_scripts(&written)).into_owned()
    }
}
