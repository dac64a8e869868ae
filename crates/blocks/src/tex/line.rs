//! Converts formulas in a line of text to TeX. The marks of the text are its superscripts and
//! subscripts.

use std::ops::Range;

use super::symbols::symbols;
use super::{accent_of, is_function, push};
use crate::text::{MarkKind, Text};

/// Dots that are drawn one by one.
const ELLIPSES: &[(&str, &str)] = &[
    (". . .", "\\ldots"),
    ("...", "\\ldots"),
    ("· · ·", "\\cdots"),
    ("···", "\\cdots"),
];

/// A line with formulas.
///
/// ```
/// use corpus_blocks::{MarkKind, Text, tex};
///
/// let mut text = Text::plain("if log xi2 ∈ R");
/// text.mark(8..9, MarkKind::Subscript);
/// text.mark(9..10, MarkKind::Superscript);
/// let line = tex::Line::new(&text, &[(15..16, "\\mathbb")]);
/// assert_eq!(line.tex(3..16), "\\log x_{i}^{2} \\in \\mathbb{R}");
/// ```
#[derive(Debug)]
pub struct Line<'a> {
    text: &'a str,
    /// The superscripts (`true`) and subscripts, in order.
    scripts: Vec<(Range<usize>, bool)>,
    alphabets: &'a [(Range<usize>, &'a str)],
}

impl<'a> Line<'a> {
    /// Creates a line. `alphabets` are the sorted ranges in other alphabets, with their TeX
    /// commands.
    pub fn new(text: &'a Text, alphabets: &'a [(Range<usize>, &'a str)]) -> Self {
        let scripts = text.marks.iter().filter_map(|mark| match mark.kind {
            MarkKind::Superscript => Some((mark.range.clone(), true)),
            MarkKind::Subscript => Some((mark.range.clone(), false)),
            _ => None,
        });
        let mut scripts: Vec<(Range<usize>, bool)> = scripts.collect();
        scripts.sort_by_key(|(range, _)| range.start);
        Self {
            text: &text.text,
            scripts,
            alphabets,
        }
    }

    /// The TeX of a formula in the line.
    pub fn tex(&self, range: Range<usize>) -> String {
        let first = (self.scripts).partition_point(|(script, _)| script.start < range.start);
        let scripts = self.scripts.iter().skip(first);
        let scripts = scripts.take_while(|(script, _)| script.end <= range.end);
        let part = |range: Range<usize>| self.text.get(range).unwrap_or_default();
        let base_of = |range: Range<usize>| base_of(self.text, range, self.alphabets);
        let mut tex = String::new();
        let mut at = range.start;
        // Whether the last base already has a superscript or a subscript.
        let mut taken = [false; 2];
        let mut scripts = scripts.peekable();
        while let Some((script, is_raised)) = scripts.next() {
            if script.start < at {
                continue;
            }
            let lower = scripts.peek().filter(|(lower, is_raised)| {
                !is_raised && part(script.end..lower.start).trim().is_empty()
            });
            if let Some((lower, _)) = lower.filter(|_| *is_raised)
                && has_no_base(part(range.start..script.start))
                && !part(0..script.start).ends_with(char::is_alphanumeric)
                && !part(lower.end..range.end).starts_with(char::is_alphanumeric)
            {
                push(&mut tex, &base_of(at..script.start));
                let (upper, below) = (base_of(script.clone()), base_of(lower.clone()));
                push(
                    &mut tex,
                    &format!("\\frac{{{}}}{{{}}}", upper.trim(), below.trim()),
                );
                at = lower.end;
                taken = [true; 2];
                continue;
            }
            if !part(at..script.start).trim().is_empty() {
                taken = [false; 2];
                push(&mut tex, &base_of(at..script.start));
            }
            tex.truncate(tex.trim_end().len());
            at = script.end;
            let content = part(script.clone()).trim();
            if *is_raised && !content.is_empty() && content.chars().all(|c| c == '′') {
                tex.extend(content.chars().map(|_| '\''));
                continue;
            }
            if let Some(is_taken) = taken.get_mut(usize::from(*is_raised)) {
                if *is_taken {
                    // TeX allows one script of each kind.
                    tex.push_str("{}");
                }
                *is_taken = true;
            }
            tex.push(if *is_raised { '^' } else { '_' });
            tex.extend(["{", base_of(script.clone()).trim(), "}"]);
        }
        push(&mut tex, &base_of(at..range.end));
        tex.trim().to_owned()
    }
}

/// Whether a superscript above a subscript is a fraction, because the text before them is not a
/// base.
fn has_no_base(text: &str) -> bool {
    let near = text.trim_end().chars().next_back();
    near.is_none_or(|c| matches!(c, '=' | '+' | '−' | '<' | '>' | '≤' | '≥' | '(' | '·' | '×'))
}

/// The TeX of a part of a text without scripts.
fn base_of(text: &str, range: Range<usize>, alphabets: &[(Range<usize>, &str)]) -> String {
    let mut tex = String::new();
    let mut at = range.start;
    let first = alphabets.partition_point(|(letters, _)| letters.end <= range.start);
    let own = alphabets.iter().skip(first);
    for (letters, command) in own.take_while(|(letters, _)| letters.start < range.end) {
        let (start, end) = (letters.start.max(at), letters.end.min(range.end));
        push(&mut tex, &plain(text.get(at..start).unwrap_or_default()));
        let letters = text.get(start..end).unwrap_or_default();
        push(&mut tex, &format!("{command}{{{letters}}}"));
        at = end.max(at);
    }
    push(
        &mut tex,
        &plain(text.get(at..range.end).unwrap_or_default()),
    );
    tex
}

/// The TeX of a text without scripts and alphabets.
fn plain(text: &str) -> String {
    let mut tex = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let letters = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        let after = rest.get(first.len_utf8()..).unwrap_or_default();
        let ellipsis = ELLIPSES.iter().find(|(dots, _)| rest.starts_with(dots));
        let (length, part) = if let Some((dots, command)) = ellipsis {
            (dots.len(), (*command).to_owned())
        } else if let Some((end, accented)) = accent(first, after) {
            (first.len_utf8() + end, accented)
        } else if letters > 1 {
            let word = rest.get(..letters).unwrap_or_default();
            let sign = if is_function(word) { "\\" } else { "" };
            (letters, format!("{sign}{word}"))
        } else {
            let length = first.len_utf8();
            (length, symbols(rest.get(..length).unwrap_or_default()))
        };
        push(&mut tex, &part);
        rest = rest.get(length..).unwrap_or_default();
    }
    tex
}

/// The number of bytes after the accent, and the TeX of the accent and its letter. Formulas draw
/// the accent first.
fn accent(accent: char, after: &str) -> Option<(usize, String)> {
    if accent.is_ascii() || accent == '→' {
        return None;
    }
    let command = accent_of(accent.encode_utf8(&mut [0; 4]))?;
    let letter = after.trim_start().chars().next()?;
    let end = after.len() - after.trim_start().len() + letter.len_utf8();
    let letter = letter
        .is_alphabetic()
        .then(|| symbols(letter.encode_utf8(&mut [0; 4])))?;
    Some((end, format!("{command}{{{letter}}}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tex(text: &str, scripts: &[(Range<usize>, MarkKind)]) -> String {
        let mut marked = Text::plain(text);
        for (range, kind) in scripts {
            marked.mark(range.clone(), kind.clone());
        }
        Line::new(&marked, &[]).tex(0..text.len())
    }

    #[test]
    fn scripts_follow_their_base() {
        let scripts = [(1..4, MarkKind::Superscript), (5..6, MarkKind::Subscript)];
        assert_eq!(tex("w(i) t + 1", &scripts), "w^{(i)}_{t} + 1");
        let twice = [(1..2, MarkKind::Subscript), (3..4, MarkKind::Subscript)];
        assert_eq!(tex("x1 2", &twice), "x_{1}{}_{2}");
        assert_eq!(tex("x′ y", &[(1..4, MarkKind::Superscript)]), "x' y");
    }

    #[test]
    fn scripts_without_a_base_are_a_fraction() {
        let scripts = [(4..7, MarkKind::Superscript), (8..9, MarkKind::Subscript)];
        assert_eq!(tex("y = a+b c , x", &scripts), "y = \\frac{a+b}{c} , x");
        // A nuclide, and limits of a sum.
        let scripts = [(0..2, MarkKind::Superscript), (2..3, MarkKind::Subscript)];
        assert_eq!(tex("146C", &scripts), "^{14}_{6}C");
        let scripts = [(3..4, MarkKind::Superscript), (4..5, MarkKind::Subscript)];
        assert_eq!(tex("∑ni x", &scripts), "\\sum^{n}_{i} x");
    }

    #[test]
    fn letters_of_alphabets_become_commands() {
        let text = Text::plain("x ∈ RGP");
        let alphabets = [(6..7, "\\mathbb"), (7..9, "\\mathcal")];
        assert_eq!(
            Line::new(&text, &alphabets).tex(0..9),
            "x \\in \\mathbb{R}\\mathcal{GP}"
        );
    }

    #[test]
    fn characters_become_commands() {
        assert_eq!(tex("αx ≤ log β", &[]), "\\alpha x \\leq \\log \\beta");
        assert_eq!(tex("ˆ θ + ˜x", &[]), "\\hat{\\theta} + \\tilde{x}");
        assert_eq!(tex("ˆ + logo → x", &[]), "ˆ + logo \\rightarrow x");
        assert_eq!(tex("0, . . . ,T···x", &[]), "0, \\ldots ,T\\cdots x");
        assert_eq!(tex("", &[]), "");
    }
}
