//! The text of a paragraph and its marks.

use corpus_blocks::{MarkKind, Text};

/// Collects the runs of a paragraph.
#[derive(Debug, Default)]
pub struct Runs {
    text: Text,
}

impl Runs {
    /// Appends text with these marks.
    pub fn push(&mut self, text: &str, marks: &[MarkKind]) {
        let start = self.text.text.len();
        self.text.text.push_str(text);
        self.mark(start, marks);
    }

    /// Appends text in which a run of white space counts as one space.
    pub fn push_collapsed(&mut self, text: &str, marks: &[MarkKind]) {
        let start = self.text.text.len();
        let is_blank = |character| matches!(character, b' ' | b'\t' | b'\n' | b'\r');
        let mut rest = text;
        while !rest.is_empty() {
            let word = rest.bytes().take_while(|byte| !is_blank(*byte)).count();
            self.text
                .text
                .push_str(rest.get(..word).unwrap_or_default());
            rest = rest.get(word..).unwrap_or_default();
            let blank = rest.bytes().take_while(|byte| is_blank(*byte)).count();
            let is_kept = !self.text.text.is_empty() && !self.text.text.ends_with(' ');
            if blank > 0 && is_kept {
                self.text.text.push(' ');
            }
            rest = rest.get(blank..).unwrap_or_default();
        }
        self.mark(start, marks);
    }

    fn mark(&mut self, start: usize, marks: &[MarkKind]) {
        let end = self.text.text.len();
        for kind in marks {
            self.text.mark(start..end, kind.clone());
        }
    }

    /// Appends a reference to a note.
    pub fn push_note(&mut self, label: &str) {
        let end = self.text.text.len();
        self.text.mark(end..end, MarkKind::Note(label.into()));
    }

    /// Appends a formula in TeX.
    pub fn push_formula(&mut self, tex: &str, is_display: bool) {
        let tex = tex.trim();
        if tex.is_empty() {
            return;
        }
        let delimiter = if is_display { "$$" } else { "$" };
        let start = self.text.text.len();
        self.text.text.extend([delimiter, tex, delimiter]);
        self.text
            .mark(start..self.text.text.len(), MarkKind::Formula);
    }

    /// The formula with these delimiters that is the whole text.
    pub fn only_formula(&self, delimiter: &str) -> Option<&str> {
        let text = self.text.text.trim();
        let tex = text.strip_prefix(delimiter)?.strip_suffix(delimiter)?;
        let is_one = matches!(self.text.marks.as_slice(), [mark] if mark.kind == MarkKind::Formula);
        (is_one && !tex.is_empty() && !tex.contains(delimiter)).then_some(tex)
    }

    /// The text without white space at its ends.
    pub fn finish(self) -> Text {
        let text = &self.text.text;
        let end = text.trim_end().len();
        let start = end - text.get(..end).unwrap_or_default().trim_start().len();
        if (start, end) == (0, text.len()) {
            return self.text;
        }
        self.text.part(start..end)
    }

    /// The text with the white space at the starts of its lines.
    pub fn finish_code(self) -> Text {
        let mut text = self.text.text;
        text.truncate(text.trim_end().len());
        Text::plain(text)
    }
}
