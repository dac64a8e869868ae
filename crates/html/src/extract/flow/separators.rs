//! The separators between words: spaces, tabs, and the ends of lines and paragraphs.

use super::{Flow, Observer, crossed};
use crate::extract::characters::IDEOGRAPHIC_SPACE;
use crate::extract::tables::Indents;
use corpus_blocks::characters::joins_lines;

impl<M: Observer> Flow<M> {
    /// Writes the separator between the last word and the next one.
    #[inline]
    pub(super) fn separate(&mut self, next: char) {
        if self.crossed == 0 {
            return;
        }
        let crossed = std::mem::take(&mut self.crossed);
        if crossed >= crossed::LINE {
            self.separate_lines(crossed, next);
        } else if crossed == crossed::SPACE {
            self.text.push(' ');
        } else {
            self.separate_words(crossed, next);
        }
    }

    fn separate_words(&mut self, crossed: u16, next: char) {
        let starts_mark = crossed & crossed::MARK > 0;
        let spaces = crossed & !crossed::MARK;
        let joins = spaces == 0
            || (spaces != crossed::SPACE && self.joins(crossed, next))
            || (starts_mark && self.marks.starts_script());
        if !joins {
            self.text.push(' ');
        }
        if starts_mark {
            self.start_marks(next);
        }
    }

    /// Whether a source newline is between two characters of a script without spaces.
    fn joins(&self, crossed: u16, next: char) -> bool {
        crossed & crossed::HARD_SPACE == 0
            && joins_lines(next)
            && self.text.chars().next_back().is_some_and(joins_lines)
    }

    fn separate_lines(&mut self, crossed: u16, next: char) {
        self.trim_end();
        if crossed >= crossed::ALWAYS_BLOCK {
            self.has_blocks = false;
            self.start_paragraph();
        } else if crossed >= crossed::ITEM {
            if std::mem::take(&mut self.has_blocks) {
                self.start_paragraph();
            } else {
                self.start_item(crossed);
            }
        } else if crossed >= crossed::BLANK_LINE {
            self.split_item();
            self.has_blocks = true;
            self.start_paragraph();
        } else {
            self.start_line();
        }
        // An item starts a line, so markers are only written here.
        if let Some(markers) = &mut self.markers {
            markers.write(&mut self.text);
        }
        if crossed & crossed::MARK > 0 {
            self.start_marks(next);
        }
    }

    fn start_paragraph(&mut self) {
        self.item = None;
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.observer.paragraph(&self.text, self.has_blocks);
        self.tables.paragraph(self.text.len());
    }

    /// Starts a line, in its column if it is in a table.
    fn start_line(&mut self) {
        self.text.push('\n');
        let tabs = self.tables.tabs_of_line(self.text.len());
        self.text.extend(std::iter::repeat_n('\t', tabs));
    }

    fn start_item(&mut self, crossed: u16) {
        let start;
        if (crossed::CELL..crossed::ROW).contains(&crossed) {
            let tabs = self.tables.tabs();
            if let Some(indents) = self.tables.take_indents() {
                self.indent_lines(&indents);
            }
            start = self.text.len();
            self.text.extend(std::iter::repeat_n('\t', tabs));
        } else {
            start = self.text.len();
            if crossed >= crossed::ROW {
                self.start_line();
            } else {
                self.text.push('\n');
            }
        }
        self.item = Some(start..self.text.len());
        self.observer.item(&self.text);
    }

    /// A cell or item with several blocks is layout, not a table or list: its blocks are
    /// paragraphs.
    fn split_item(&mut self) {
        const SEPARATOR: &str = "\n\n";
        self.tables.become_layout();
        let Some(item) = self.item.take() else {
            return;
        };
        let growth = SEPARATOR.len().wrapping_sub(item.len()).cast_signed();
        self.text.replace_range(item.clone(), SEPARATOR);
        self.move_text(|position| {
            if position < item.end {
                position
            } else {
                position.saturating_add_signed(growth)
            }
        });
        self.observer.split(growth);
    }

    /// Writes the empty cells at the start of the lines of a table.
    #[cold]
    fn indent_lines(&mut self, indents: &Indents) {
        indents.insert(&mut self.text);
        self.move_text(|position| indents.moved(position));
        self.observer.indented(indents);
    }

    /// Updates positions after text was moved. `moved` maps an old position to the new one.
    fn move_text(&mut self, moved: impl Fn(usize) -> usize) {
        if let Some(item) = &mut self.item {
            *item = moved(item.start)..moved(item.end);
        }
        self.marks.move_text(&moved);
        self.link.move_text(&moved);
        if let Some(formula) = &mut self.last_formula {
            formula.move_text(&moved);
        }
    }

    #[inline]
    pub(super) fn trim_end(&mut self) {
        // The last bytes of a space and of U+3000.
        if matches!(self.text.as_bytes(), [.., b' ' | 0x80]) {
            self.trim_spaces();
        }
    }

    fn trim_spaces(&mut self) {
        let length = self.text.trim_end_matches([' ', IDEOGRAPHIC_SPACE]).len();
        if length < self.text.len() {
            self.text.truncate(length);
            self.observer.trimmed(&self.text);
        }
    }
}
