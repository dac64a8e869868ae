//! Text with inline marks.

use std::ops::Range;

/// A text and its marks. Lines end with a newline; a blank line separates paragraphs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    /// The text.
    pub text: String,
    /// The marks, in any order.
    pub marks: Vec<Mark>,
}

/// A mark over a range of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The bytes that it covers.
    pub range: Range<usize>,
    /// The meaning of the mark.
    pub kind: MarkKind,
}

/// The meaning of a mark. Marks with a lower rank are outside of others with the same range.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum MarkKind {
    /// A link to an address.
    Link(Box<str>),
    /// Strong emphasis.
    Strong,
    /// Emphasis.
    Emphasis,
    /// Text that was deleted or is no longer valid.
    Deleted,
    /// A superscript.
    Superscript,
    /// A subscript.
    Subscript,
    /// Code.
    Code,
    /// A formula in TeX with its delimiters.
    Formula,
    /// A formula in a linear form, with its TeX between delimiters.
    LinearFormula(Box<str>),
    /// A reference to the footnote with this label. It covers the reference mark.
    Note(Box<str>),
    /// A picture. The range is empty, or covers the alternative text.
    Picture {
        /// The address.
        address: Box<str>,
        /// The alternative text.
        alternative: Box<str>,
    },
}

impl Mark {
    /// Returns the part of the mark within a range, relative to the start of the range. `None` for
    /// a formula that the range cuts.
    fn within(&self, range: &Range<usize>) -> Option<Self> {
        let is_cut = self.range.start < range.start || self.range.end > range.end;
        if is_cut && matches!(self.kind, MarkKind::LinearFormula(_)) {
            return None;
        }
        let start = self.range.start.max(range.start);
        let end = self.range.end.min(range.end);
        let is_inside =
            start < end || (start == end && self.range.is_empty() && self.kind.may_be_empty());
        is_inside.then(|| Self {
            range: start - range.start..end - range.start,
            kind: self.kind.clone(),
        })
    }
}

impl MarkKind {
    /// The name, such as `strong`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Link(_) => "link",
            Self::Strong => "strong",
            Self::Emphasis => "emphasis",
            Self::Deleted => "deleted",
            Self::Superscript => "superscript",
            Self::Subscript => "subscript",
            Self::Code => "code",
            Self::Formula | Self::LinearFormula(_) => "formula",
            Self::Note(_) => "note",
            Self::Picture { .. } => "picture",
        }
    }

    /// Whether a mark without text has a meaning.
    pub const fn may_be_empty(&self) -> bool {
        matches!(self, Self::Note(_) | Self::Picture { .. })
    }
}

/// The number of marks at the end of a text that another mark may extend.
const MAX_MERGED_MARKS: usize = 4;

impl Text {
    /// A text without marks.
    pub fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            marks: Vec::new(),
        }
    }

    /// Whether there is neither text nor a mark that has a meaning without text.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && !self.marks.iter().any(|mark| mark.kind.may_be_empty())
    }

    /// Adds a mark, or extends an equal mark that it directly continues. Ignores links to scripts.
    pub fn mark(&mut self, range: Range<usize>, kind: MarkKind) {
        let is_script = matches!(&kind, MarkKind::Link(address) if is_script(address));
        if is_script || range.is_empty() && !kind.may_be_empty() {
            return;
        }
        let may_continue = matches!(
            kind,
            MarkKind::Link(_) | MarkKind::Strong | MarkKind::Emphasis | MarkKind::Code
        );
        let mut last = self.marks.iter_mut().rev().take(MAX_MERGED_MARKS);
        if may_continue
            && let Some(last) = last.find(|last| last.kind == kind)
            && let Some(between) = self.text.get(last.range.end..range.start)
            && (between.is_empty() || (between == " " && kind != MarkKind::Code))
        {
            last.range.end = range.end;
            return;
        }
        self.marks.push(Mark { range, kind });
    }

    /// Appends another text after a separator, unless one of them is empty.
    pub fn append(&mut self, separator: &str, other: Self) {
        if !self.text.is_empty() && !other.text.is_empty() {
            self.text.push_str(separator);
        }
        let start = self.text.len();
        self.text.push_str(&other.text);
        self.marks.extend(other.marks.into_iter().map(|mark| Mark {
            range: mark.range.start + start..mark.range.end + start,
            kind: mark.kind,
        }));
    }

    /// The text after a label, such as `(a)`, and a space.
    pub fn after_label(self, label: &str) -> Self {
        let mut labeled = Self::plain(label);
        labeled.append(" ", self);
        labeled
    }

    /// A part of the text, with the parts of its marks.
    pub fn part(&self, range: Range<usize>) -> Self {
        let text = self.text.get(range.clone()).unwrap_or_default().to_owned();
        let marks = self.marks.iter().filter_map(|mark| mark.within(&range));
        let marks = marks.collect();
        Self { text, marks }
    }

    /// Removes and returns the text from a position on, with the last marks that start there.
    pub fn split_off(&mut self, at: usize) -> Self {
        let at = self.text.floor_char_boundary(at);
        let text = self.text.split_off(at);
        let starts = |mark: &Mark| mark.range.start >= at;
        let count = self
            .marks
            .iter()
            .rev()
            .take_while(|mark| starts(mark))
            .count();
        let mut marks = self.marks.split_off(self.marks.len() - count);
        for mark in &mut marks {
            mark.range = mark.range.start - at..mark.range.end.saturating_sub(at);
        }
        Self { text, marks }
    }

    /// Its paragraphs, which are between blank lines.
    pub fn paragraphs(&self) -> Vec<Self> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut start = 0;
        for part in self.text.split("\n\n") {
            if !part.is_empty() {
                ranges.push(start..start + part.len());
            }
            start += part.len() + "\n\n".len();
        }
        let text = |range: &Range<usize>| self.text.get(range.clone()).unwrap_or_default();
        let mut paragraphs: Vec<Self> = ranges.iter().map(|r| Self::plain(text(r))).collect();
        for mark in &self.marks {
            // Each mark is compared with the paragraphs that it touches.
            let first = ranges.partition_point(|range| range.end < mark.range.start);
            let touched = ranges.iter().zip(&mut paragraphs).skip(first);
            for (range, paragraph) in touched.take_while(|(range, _)| range.start <= mark.range.end)
            {
                paragraph.marks.extend(mark.within(range));
            }
        }
        paragraphs
    }

    /// Whether a mark of this kind covers the whole text.
    pub fn is_all(&self, kind: &MarkKind) -> bool {
        let mut marks = self.marks.iter();
        marks.any(|mark| mark.kind == *kind && mark.range == (0..self.text.len()))
    }
}

/// Whether an address is a script or inline content, such as `javascript:` or `data:`. Browsers
/// ignore white space and control characters in the scheme.
pub fn is_script(address: &str) -> bool {
    let Some((scheme, _)) = address.split_once(':') else {
        return false;
    };
    let is_kept = |c: &char| !c.is_whitespace() && !c.is_control();
    let letters = || scheme.chars().filter(is_kept);
    ["javascript", "vbscript", "data"]
        .iter()
        .any(|name| letters().map(|c| c.to_ascii_lowercase()).eq(name.chars()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_continue_are_merged() {
        let mut text = Text::plain("ab cd\nef");
        text.mark(0..1, MarkKind::Strong);
        text.mark(1..2, MarkKind::Strong);
        text.mark(3..5, MarkKind::Strong);
        text.mark(6..8, MarkKind::Strong);
        text.mark(8..8, MarkKind::Code);
        let ranges: Vec<_> = text.marks.iter().map(|mark| mark.range.clone()).collect();
        assert_eq!(ranges, [0..5, 6..8]);
    }

    #[test]
    fn scripts_are_no_links() {
        for address in [
            "javascript:alert(1)",
            " JavaScript:alert(1)",
            "java\nscript:alert(1)",
            "vbscript:x",
            "data:text/html,x",
        ] {
            let mut text = Text::plain("here");
            text.mark(0..4, MarkKind::Link(address.into()));
            assert!(text.marks.is_empty(), "{address}");
        }
        let mut text = Text::plain("here");
        text.mark(0..4, MarkKind::Link("http://a.example/javascript:b".into()));
        assert_eq!(text.marks.len(), 1);
    }

    #[test]
    fn parts_keep_their_marks() {
        let mut text = Text::plain("one\n\ntwo");
        text.mark(1..7, MarkKind::Emphasis);
        let parts = text.paragraphs();
        assert_eq!(parts.len(), 2);
        assert_eq!(
            (&*parts[1].text, parts[1].marks[0].range.clone()),
            ("two", 0..2)
        );
    }
}
