//! Tests of the layout with glyphs placed by hand.

mod blocks;
mod drawing;
mod drawing_order;
mod hostile;
mod hyphens;
mod initials;
mod mirrored;
mod order;
mod right_to_left;
mod vertical;
mod vertical_marks;
mod words;

use super::{Layout, WantedLayout, lay_out};
use crate::glyphs::Glyphs;
use crate::model::Options;

const ALL: WantedLayout = WantedLayout {
    text: true,
    words: true,
};

fn layout(glyphs: &Glyphs) -> Layout {
    let layout = lay_out(glyphs, ALL, &Options::default());
    assert_consistent(&layout);
    let text_only = lay_out(
        glyphs,
        WantedLayout {
            text: true,
            words: false,
        },
        &Options::default(),
    );
    assert_eq!((&text_only.text, text_only.words.len()), (&layout.text, 0));
    layout
}

fn text(glyphs: &Glyphs) -> String {
    layout(glyphs).text
}

/// Checks that lines contain all words in order, blocks all lines, and the text the same words.
fn assert_consistent(layout: &Layout) {
    let mut spelled = String::new();
    let (mut next_line, mut next_word) = (0, 0);
    for block in &layout.blocks {
        assert_eq!(block.lines.start, next_line);
        assert!(block.lines.end > block.lines.start);
        next_line = block.lines.end;
        if !spelled.is_empty() {
            spelled.push('\n');
        }
        for line in &layout.lines[block.lines.start as usize..block.lines.end as usize] {
            assert_eq!(line.words.start, next_word);
            assert!(line.words.end > line.words.start);
            next_word = line.words.end;
            let words = &layout.words[line.words.start as usize..line.words.end as usize];
            spelled.push_str(
                &words
                    .iter()
                    .map(|word| word.text.as_str())
                    .collect::<Vec<_>>()
                    .join(" "),
            );
            spelled.push('\n');
            for word in words {
                assert!(
                    !word.text.is_empty() && !word.text.contains(char::is_whitespace),
                    "{:?}",
                    word.text
                );
                assert!(line.bbox.x1 <= word.bbox.x1 && word.bbox.x2 <= line.bbox.x2);
                assert!(block.bbox.y1 <= word.bbox.y1 && word.bbox.y2 <= block.bbox.y2);
            }
        }
    }
    assert_eq!(
        (next_line as usize, next_word as usize),
        (layout.lines.len(), layout.words.len())
    );
    assert_eq!(spelled, layout.text);
}
