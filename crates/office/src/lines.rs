//! Paragraphs and tables as lines of text.

/// The separator between the next text and the text before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Tab,
    Line,
}

/// An open row of a table.
#[derive(Debug, Clone, Copy)]
struct Row {
    has_text: bool,
    cell_has_text: bool,
}

/// Collects a text. Each paragraph is a line, and each row of a table, with tabs between its cells.
/// If a cell has several paragraphs, they are lines, too. Blank paragraphs and cells are dropped.
#[derive(Debug)]
pub struct Lines {
    text: String,
    gap: Gap,
    rows: Vec<Row>,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            text: String::new(),
            gap: Gap::None,
            rows: Vec::new(),
        }
    }
}

impl Lines {
    /// Starts or ends a paragraph.
    pub fn paragraph(&mut self) {
        let starts_cell = self.rows.last().is_some_and(|row| !row.cell_has_text);
        if !starts_cell {
            self.gap = Gap::Line;
        }
    }

    pub fn open_row(&mut self) {
        self.gap = Gap::Line;
        self.rows.push(Row {
            has_text: false,
            cell_has_text: false,
        });
    }

    pub fn close_row(&mut self) {
        let row = self.rows.pop();
        self.gap = Gap::Line;
        // The row of a nested table is text of the cell around it.
        if let (Some(row), Some(outer)) = (row, self.rows.last_mut())
            && row.has_text
        {
            outer.has_text = true;
            outer.cell_has_text = true;
        }
    }

    /// Starts a cell of the innermost row.
    pub fn cell(&mut self) {
        if let Some(row) = self.rows.last_mut() {
            row.cell_has_text = false;
            if row.has_text {
                self.gap = Gap::Tab;
            }
        }
    }

    /// Ends the line within a paragraph.
    pub fn line_break(&mut self) {
        self.gap = Gap::Line;
    }

    /// Adds text within a paragraph unchanged. White space at the ends of lines is dropped.
    pub fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let text = match self.gap {
            Gap::None if !self.text.is_empty() => text,
            _ => text.trim_start_matches(is_blank),
        };
        if text.is_empty() {
            return;
        }
        if self.gap != Gap::None {
            let end = self.text.trim_end_matches(is_blank).len();
            self.text.truncate(end);
        }
        if !self.text.is_empty() {
            match self.gap {
                Gap::None => {}
                Gap::Tab => self.text.push('\t'),
                Gap::Line => self.text.push('\n'),
            }
        }
        self.gap = Gap::None;
        if let Some(row) = self.rows.last_mut() {
            row.has_text = true;
            row.cell_has_text = true;
        }
        self.text.push_str(text);
    }

    /// Adds text in which a run of white space counts as one space.
    pub fn collapsed(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            let blank = rest.len() - rest.trim_start_matches(is_blank).len();
            if blank > 0 && !self.ends_blank() {
                self.text(" ");
            }
            rest = rest.get(blank..).unwrap_or_default();
            let end = rest.find(is_blank).unwrap_or(rest.len());
            let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            self.text(word);
            rest = after;
        }
    }

    fn ends_blank(&self) -> bool {
        self.gap != Gap::None || self.text.ends_with(is_blank)
    }

    /// The text.
    pub fn finish(mut self) -> String {
        let end = self.text.trim_end_matches(is_blank).len();
        self.text.truncate(end);
        self.text
    }
}

/// White space of XML. No-break spaces are text.
fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_lines() {
        let mut lines = Lines::default();
        for text in [" one ", "", "  ", "two"] {
            lines.paragraph();
            lines.text(text);
            lines.paragraph();
        }
        lines.text("three");
        lines.line_break();
        lines.collapsed(" four \n five");
        lines.collapsed("  six ");
        assert_eq!(lines.finish(), "one\ntwo\nthree\nfour five six");
    }

    #[test]
    fn rows_are_lines_with_tabs() {
        let mut lines = Lines::default();
        let cell = |lines: &mut Lines, paragraphs: &[&str]| {
            lines.cell();
            for text in paragraphs {
                lines.paragraph();
                lines.text(text);
                lines.paragraph();
            }
        };
        lines.text("before");
        lines.open_row();
        cell(&mut lines, &["a"]);
        cell(&mut lines, &[]);
        cell(&mut lines, &["", "b"]);
        lines.close_row();
        lines.open_row();
        cell(&mut lines, &["c", "d"]);
        cell(&mut lines, &["e"]);
        lines.close_row();
        lines.text("after");
        assert_eq!(lines.finish(), "before\na\tb\nc\nd\te\nafter");
    }

    #[test]
    fn nested_tables_keep_their_rows() {
        let mut lines = Lines::default();
        lines.open_row();
        lines.cell();
        for word in ["a", "b"] {
            lines.open_row();
            lines.cell();
            lines.text(word);
            lines.close_row();
        }
        lines.cell();
        lines.text("c");
        lines.close_row();
        assert_eq!(lines.finish(), "a\nb\tc");
    }
}
