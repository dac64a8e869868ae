//! Text with marks as Markdown.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::Options;
use super::escape::{Context, escapes, formulas};
use crate::text::{Mark, MarkKind, Text};

/// Maximum nesting depth of marks. Deeper ones are dropped; their text is kept.
const MAX_OPEN_MARKS: usize = 12;

/// Writes a text as Markdown. Its lines end with a newline.
pub fn inline(text: &Text, context: Context, options: &Options) -> String {
    let pieces = nest(text, options);
    let mut writer = Writer::new(text, &pieces, context, options);
    for piece in &pieces {
        writer.close_until(piece.range.start);
        writer.open(piece);
    }
    writer.close_until(text.text.len());
    writer.text_until(text.text.len());
    writer.written
}

/// A mark, truncated at the end of the enclosing mark.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece<'a> {
    range: Range<usize>,
    kind: &'a MarkKind,
}

/// Whether a mark is written.
fn is_written(kind: &MarkKind, options: &Options) -> bool {
    match kind {
        MarkKind::Link(_) => options.links,
        MarkKind::Picture { .. } => options.pictures,
        _ => true,
    }
}

/// Returns the marks sorted by start and properly nested: where two overlap, the second is split
/// where the first ends.
fn nest<'a>(text: &'a Text, options: &Options) -> Vec<Piece<'a>> {
    // Marks without text come first, outside of the others.
    let order = |range: &Range<usize>, kind: &'a MarkKind| {
        Reverse((range.start, !range.is_empty(), Reverse(range.end), kind))
    };
    let mut waiting: BinaryHeap<_> = text
        .marks
        .iter()
        .filter(|mark| is_written(&mark.kind, options))
        .filter_map(|mark| Some(order(&trim(&text.text, mark)?, &mark.kind)))
        .collect();
    // Limits the splits, so that a hostile text cannot multiply its marks.
    let mut cuts = 4 * waiting.len();
    let mut pieces: Vec<Piece<'a>> = Vec::with_capacity(waiting.len());
    let mut open: Vec<(usize, &MarkKind)> = Vec::new();
    while let Some(Reverse((start, _, Reverse(end), kind))) = waiting.pop() {
        while open
            .last()
            .is_some_and(|(outer_end, _)| *outer_end <= start)
        {
            open.pop();
        }
        let mut cut = end;
        if let Some((outer_end, outer)) = open.last() {
            if matches!(
                outer,
                MarkKind::Code | MarkKind::Formula | MarkKind::LinearFormula(_) | MarkKind::Note(_)
            ) {
                if kind.may_be_empty() || end <= *outer_end {
                    continue;
                }
                cut = start;
            }
            if end > *outer_end && matches!(kind, MarkKind::LinearFormula(_)) {
                // Its TeX has no parts.
                continue;
            }
            if end > *outer_end {
                cut = cut.min(*outer_end);
                if cuts > 0 {
                    cuts -= 1;
                    let rest = Mark {
                        range: *outer_end..end,
                        kind: kind.clone(),
                    };
                    if let Some(range) = trim(&text.text, &rest) {
                        waiting.push(order(&range, kind));
                    }
                }
            }
        }
        let is_repeated = open.iter().any(|(_, outer)| {
            outer.name() == kind.name()
                && !matches!(kind, MarkKind::Superscript | MarkKind::Subscript)
        });
        let is_empty = cut <= start && !kind.may_be_empty();
        if is_empty || is_repeated || open.len() >= MAX_OPEN_MARKS {
            continue;
        }
        pieces.push(Piece {
            range: start..cut,
            kind,
        });
        open.push((cut, kind));
    }
    pieces
}

/// The range of a mark without white space at its ends. `None` if nothing is left.
fn trim(text: &str, mark: &Mark) -> Option<Range<usize>> {
    let Range { start, end } = mark.range;
    let end = text.floor_char_boundary(end);
    let start = text.floor_char_boundary(start).min(end);
    let content = text.get(start..end)?;
    let leading = content.len() - content.trim_start().len();
    let content = content.trim();
    if content.is_empty() {
        return mark.kind.may_be_empty().then_some(start..start);
    }
    Some(start + leading..start + leading + content.len())
}

struct Writer<'a> {
    text: &'a str,
    options: &'a Options,
    context: Context,
    /// The positions of the backslashes that are not written yet.
    escapes: std::iter::Peekable<std::vec::IntoIter<usize>>,
    open: Vec<OpenMark<'a>>,
    /// The position up to which the text is written.
    at: usize,
    written: String,
    /// Whether the last characters written are the end of emphasis.
    ends_emphasis: bool,
}

struct OpenMark<'a> {
    end: usize,
    kind: &'a MarkKind,
    closing: &'static str,
}

impl<'a> Writer<'a> {
    fn new(text: &'a Text, pieces: &[Piece<'a>], context: Context, options: &'a Options) -> Self {
        let raw = raw_ranges(text);
        let marks: Vec<usize> = pieces
            .iter()
            .filter(|piece| *piece.kind != MarkKind::Formula)
            .map(|piece| piece.range.start)
            .collect();
        Self {
            text: &text.text,
            options,
            context,
            escapes: escapes(&text.text, context, &marks, &raw)
                .into_iter()
                .peekable(),
            open: Vec::new(),
            at: 0,
            written: String::with_capacity(text.text.len() + text.text.len() / 8),
            ends_emphasis: false,
        }
    }

    /// Closes the marks that end up to a position.
    fn close_until(&mut self, position: usize) {
        while let Some(end) = self.open.last().map(|open| open.end)
            && end <= position
        {
            self.text_until(end);
            let Some(open) = self.open.pop() else {
                return;
            };
            match open.kind {
                MarkKind::Link(address) => {
                    self.written.push_str("](");
                    push_address(&mut self.written, address, self.context);
                    self.written.push(')');
                }
                _ => self.written.push_str(open.closing),
            }
            self.ends_emphasis = open.closing.starts_with(['*', '~']);
        }
    }

    fn open(&mut self, piece: &Piece<'a>) {
        self.text_until(piece.range.start);
        // An exclamation mark before a link would make it a picture.
        if matches!(piece.kind, MarkKind::Link(_) | MarkKind::Note(_))
            && self.written.ends_with('!')
            && !self.written.ends_with("\\!")
        {
            self.written.pop();
            self.written.push_str("\\!");
        }
        let (opening, closing) = match piece.kind {
            MarkKind::Strong => self.emphasis(&piece.range, "**", "**", "<strong>", "</strong>"),
            MarkKind::Emphasis => self.emphasis(&piece.range, "*", "*", "<em>", "</em>"),
            MarkKind::Deleted => self.emphasis(&piece.range, "~~", "~~", "<del>", "</del>"),
            MarkKind::Superscript => ("<sup>", "</sup>"),
            MarkKind::Subscript => ("<sub>", "</sub>"),
            MarkKind::Link(_) => ("[", ""),
            MarkKind::Code => return self.code(&piece.range),
            MarkKind::Formula => {
                let formula = self.text.get(piece.range.clone()).unwrap_or_default();
                return self.formula(formula, piece.range.end);
            }
            MarkKind::LinearFormula(tex) => return self.formula(tex, piece.range.end),
            MarkKind::Note(label) => {
                self.written.extend(["[^", label, "]"]);
                self.skip_to(piece.range.end);
                return;
            }
            MarkKind::Picture {
                address,
                alternative,
            } => {
                return self.picture(piece.range.end, address, alternative);
            }
        };
        self.written.push_str(opening);
        self.ends_emphasis = false;
        self.open.push(OpenMark {
            end: piece.range.end,
            kind: piece.kind,
            closing,
        });
    }

    /// The delimiters of emphasis. HTML tags where Markdown would not recognize any, such as inside
    /// a word next to punctuation.
    fn emphasis(
        &self,
        range: &Range<usize>,
        opening: &'static str,
        closing: &'static str,
        opening_tag: &'static str,
        closing_tag: &'static str,
    ) -> (&'static str, &'static str) {
        let inner = self.text.get(range.clone()).unwrap_or_default();
        let before = self
            .text
            .get(..range.start)
            .unwrap_or_default()
            .chars()
            .next_back();
        let after = self
            .text
            .get(range.end..)
            .unwrap_or_default()
            .chars()
            .next();
        let is_word = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace() && !is_punctuation(c));
        let starts = !is_word(before) || is_word(inner.chars().next());
        let ends = !is_word(after) || is_word(inner.chars().next_back());
        if starts && ends && !self.ends_emphasis {
            (opening, closing)
        } else {
            (opening_tag, closing_tag)
        }
    }

    /// Writes a picture, with spaces around it.
    fn picture(&mut self, end: usize, address: &str, alternative: &str) {
        if self
            .written
            .ends_with(|c: char| !c.is_whitespace() && c != '[')
        {
            self.written.push(' ');
        }
        self.written.push_str("![");
        push_alternative(&mut self.written, alternative);
        self.written.push_str("](");
        push_address(&mut self.written, address, self.context);
        self.written.push(')');
        self.skip_to(end);
        let after = self.text.get(end..).and_then(|rest| rest.chars().next());
        if after.is_some_and(char::is_alphanumeric) {
            self.written.push(' ');
        }
    }

    /// Writes code between more backticks than it contains in a row.
    fn code(&mut self, range: &Range<usize>) {
        let code = self.text.get(range.clone()).unwrap_or_default();
        let fence = "`".repeat(longest_run(code, '`') + 1);
        let pad = if code.starts_with('`') || code.ends_with('`') {
            " "
        } else {
            ""
        };
        let mut code = code.replace('\n', " ");
        if self.context.in_cell {
            code = code.replace('|', "\\|");
        }
        self.written.extend([&fence, pad, &code, pad, &fence]);
        self.skip_to(range.end);
    }

    /// Writes a formula in TeX instead of the text up to a position.
    fn formula(&mut self, formula: &str, end: usize) {
        let formula = formula.replace('\n', " ");
        if self.context.in_cell {
            self.written.push_str(&formula.replace('|', "\\|"));
        } else {
            self.written.push_str(&formula);
        }
        self.skip_to(end);
    }

    /// Skips text that was already written in another form.
    fn skip_to(&mut self, position: usize) {
        self.at = self.at.max(position);
        while self.escapes.next_if(|at| *at < position).is_some() {}
        self.ends_emphasis = false;
    }

    fn text_until(&mut self, position: usize) {
        if self.at >= position {
            return;
        }
        self.ends_emphasis = false;
        let in_link = self.options.links
            && self
                .open
                .iter()
                .any(|open| matches!(open.kind, MarkKind::Link(_)));
        while let Some(at) = self.escapes.next_if(|at| *at < position) {
            self.push(at, in_link);
            self.written.push('\\');
            // The character itself must not get a second backslash.
            let next = self.text.get(at..).and_then(|rest| rest.chars().next());
            let next = next.map_or(0, char::len_utf8);
            self.written
                .push_str(self.text.get(at..at + next).unwrap_or_default());
            self.at = at + next;
        }
        self.push(position, in_link);
    }

    fn push(&mut self, position: usize, in_link: bool) {
        let part = self.text.get(self.at..position).unwrap_or_default();
        if in_link && part.contains(['[', ']']) {
            for character in part.chars() {
                if matches!(character, '[' | ']') {
                    self.written.push('\\');
                }
                self.written.push(character);
            }
        } else {
            self.written.push_str(part);
        }
        self.at = self.at.max(position);
    }
}

/// The formulas of a text, marked or between delimiters, in order.
fn raw_ranges(text: &Text) -> Vec<Range<usize>> {
    let mut ranges = formulas(&text.text);
    let marked = text
        .marks
        .iter()
        .filter(|mark| mark.kind == MarkKind::Formula);
    ranges.extend(marked.map(|mark| mark.range.clone()));
    ranges.sort_by_key(|range| range.start);
    ranges
}

/// Whether a character is punctuation for the rules of emphasis.
fn is_punctuation(character: char) -> bool {
    !character.is_alphanumeric() && !character.is_whitespace()
}

/// The length of the longest run of a character.
pub fn longest_run(text: &str, character: char) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for other in text.chars() {
        run = if other == character { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Appends an address. Characters that would end it are percent-encoded.
pub fn push_address(written: &mut String, address: &str, context: Context) {
    for character in address.chars() {
        match character {
            '(' => written.push_str("%28"),
            ')' => written.push_str("%29"),
            '<' => written.push_str("%3C"),
            '>' => written.push_str("%3E"),
            '\\' => written.push_str("%5C"),
            '|' if context.in_cell => written.push_str("%7C"),
            c if c.is_whitespace() || c.is_control() => written.push_str("%20"),
            c => written.push(c),
        }
    }
}

/// Appends an alternative text in one line.
pub fn push_alternative(written: &mut String, alternative: &str) {
    for (index, word) in alternative.split_whitespace().enumerate() {
        if index > 0 {
            written.push(' ');
        }
        for character in word.chars() {
            if matches!(
                character,
                '[' | ']' | '\\' | '*' | '_' | '`' | '<' | '|' | '~' | '&'
            ) {
                written.push('\\');
            }
            written.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, marks: &[(&str, MarkKind)]) -> String {
        let mut marked = Text::plain(text);
        for (part, kind) in marks {
            let start = text.find(part).unwrap();
            marked.marks.push(Mark {
                range: start..start + part.len(),
                kind: kind.clone(),
            });
        }
        let options = Options {
            links: true,
            pictures: true,
            ..Options::default()
        };
        inline(&marked, Context::default(), &options)
    }

    #[test]
    fn marks_nest() {
        use MarkKind::{Emphasis, Strong};
        assert_eq!(written("a bold b", &[("bold", Strong)]), "a **bold** b");
        assert_eq!(
            written("abc def", &[("abc def", Strong), ("def", Emphasis)]),
            "**abc *def***"
        );
        assert_eq!(
            written("abc", &[("ab", Strong), ("bc", Emphasis)]),
            "**a*b***<em>c</em>"
        );
        assert_eq!(written("a b ", &[(" b ", Strong)]), "a **b** ");
        assert_eq!(
            written("f\"g\"h", &[("\"g\"", Strong)]),
            "f<strong>\"g\"</strong>h"
        );
        assert_eq!(
            written("ab", &[("a", Strong), ("b", Emphasis)]),
            "**a**<em>b</em>"
        );
        assert_eq!(
            written("x2", &[("2", MarkKind::Superscript)]),
            "x<sup>2</sup>"
        );
    }

    #[test]
    fn links_code_and_formulas() {
        let link = || MarkKind::Link("http://a.b/c (d)".into());
        assert_eq!(
            written("see [x]!", &[("[x]", link())]),
            "see [\\[x\\]](http://a.b/c%20%28d%29)!"
        );
        assert_eq!(
            written("see!x", &[("x", link())]),
            "see\\![x](http://a.b/c%20%28d%29)"
        );
        assert_eq!(
            written("a! note! b", &[("note!", MarkKind::Emphasis)]),
            "a! *note!* b"
        );
        assert_eq!(
            written("a `*b*", &[("`*b*", MarkKind::Code)]),
            "a `` `*b* ``"
        );
        assert_eq!(
            written(
                "x*(1/2)",
                &[("(1/2)", MarkKind::LinearFormula("$\\frac12$".into()))]
            ),
            "x\\*$\\frac12$"
        );
        let cut = [
            ("see x", MarkKind::Emphasis),
            ("x2 y", MarkKind::LinearFormula("$x^2y$".into())),
        ];
        assert_eq!(written("see x2 y", &cut), "*see x*2 y");
        assert_eq!(
            written("*$a*b$", &[("$a*b$", MarkKind::Formula)]),
            "\\*$a*b$"
        );
        assert_eq!(
            written("code", &[("code", link()), ("code", MarkKind::Code)]),
            "[`code`](http://a.b/c%20%28d%29)"
        );
    }

    #[test]
    fn overlapping_marks_do_not_multiply() {
        let mut text = Text::plain("x ".repeat(2000));
        for start in 0..2000 {
            let kind = if start % 2 == 0 {
                MarkKind::Strong
            } else {
                MarkKind::Emphasis
            };
            text.marks.push(Mark {
                range: start..start + 1000,
                kind,
            });
        }
        let written = inline(&text, Context::default(), &Options::default());
        assert!(written.len() < 4 * text.text.len() + 20 * text.marks.len());
    }
}
