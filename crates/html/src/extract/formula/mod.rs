//! Formulas as text: MathML as the TeX that it was made from, or in a linear form such as
//! `x=(−b±√(b²−4ac))/(2a)`.

mod linear;
#[cfg(test)]
mod tests;

use crate::events::Element;
use crate::extract::effect::Effect;
use crate::extract::hidden::is_hidden;
use corpus_markup::Name;
use linear::Linear;

/// A formula in MathML while it is parsed.
#[derive(Debug, Default)]
pub struct Formula {
    linear: Linear,
    /// The TeX of an annotation.
    tex: String,
    /// The alternative text, which is TeX on many sites.
    alternative: String,
    /// The number of open elements inside an annotation, including it.
    in_annotation: usize,
    /// Whether the open annotation contains TeX.
    in_tex: bool,
    /// The number of open elements inside one that is not part of the formula, including it.
    in_other: usize,
    /// Whether the formula is set as a block.
    pub is_display: bool,
}

impl Formula {
    /// A formula with the attributes of its `math` element.
    pub fn new(element: &Element<'_>) -> Self {
        let is_block = |value: &str| value.trim().eq_ignore_ascii_case("block");
        Self {
            alternative: element
                .attribute("alttext")
                .unwrap_or_default()
                .into_owned(),
            is_display: element.attribute("display").is_some_and(|v| is_block(&v)),
            ..Self::default()
        }
    }

    pub fn open(&mut self, element: &Element<'_>) {
        if self.in_annotation > 0 {
            self.in_annotation += 1;
        } else if self.in_other > 0 || is_other(element) {
            self.in_other += 1;
        } else if matches!(element.name, Name::ANNOTATION | Name::ANNOTATION_XML) {
            self.in_annotation = 1;
            self.in_tex = element.name == Name::ANNOTATION
                && self.tex.is_empty()
                && element.attribute("encoding").is_some_and(|e| is_tex(&e));
        } else {
            self.linear.open(element);
        }
    }

    pub fn close(&mut self, name: Name) {
        if self.in_annotation > 0 {
            self.in_annotation -= 1;
            self.in_tex &= self.in_annotation > 0;
        } else if self.in_other > 0 {
            self.in_other -= 1;
        } else {
            self.linear.close(name);
        }
    }

    pub fn text(&mut self, text: &str) {
        if self.in_tex {
            self.tex.push_str(text);
        } else if self.in_annotation == 0 && self.in_other == 0 {
            self.linear.text(text);
        }
    }

    /// The text of the formula, and whether it is TeX.
    pub fn finish(self) -> (String, bool) {
        if !self.tex.trim().is_empty() {
            return (tex(&self.tex, self.is_display), true);
        }
        let linear = self.linear.finish();
        if linear.is_empty() && !self.alternative.trim().is_empty() {
            return (tex(&self.alternative, self.is_display), true);
        }
        (linear, false)
    }
}

/// Whether an element is not part of a formula: hidden, a script or a control.
fn is_other(element: &Element<'_>) -> bool {
    let is_formula = matches!(
        element.name,
        Name::MATH | Name::ANNOTATION | Name::ANNOTATION_XML
    );
    let effect = Effect::of(element.name);
    is_hidden(element)
        || (!is_formula
            && matches!(
                effect,
                Effect::Hidden | Effect::Replaced | Effect::Control | Effect::Button
            ))
}

/// Whether the encoding of an annotation is TeX, such as `application/x-tex` and `LaTeX`.
fn is_tex(encoding: &str) -> bool {
    let mut words = encoding.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| word.eq_ignore_ascii_case("tex") || word.eq_ignore_ascii_case("latex"))
}

/// TeX on one line, between dollar signs unless it has delimiters already.
pub fn tex(source: &str, is_display: bool) -> String {
    let mut text = String::with_capacity(source.len() + 4);
    for word in source.split_ascii_whitespace() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    let is_delimited = text.starts_with("\\(") || text.starts_with("\\[") || text.starts_with('$');
    if text.is_empty() || is_delimited {
        return text;
    }
    let delimiter = if is_display { "$$" } else { "$" };
    text.insert_str(0, delimiter);
    text.push_str(delimiter);
    text
}
