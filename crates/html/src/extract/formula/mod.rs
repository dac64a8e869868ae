//! Formulas as text: the TeX that MathML was made from, or a linear form such as
//! `x=(−b±√(b²−4ac))/(2a)`.

mod linear;
#[cfg(test)]
mod tests;

use crate::events::Element;
use crate::extract::effect::Effect;
use crate::hidden::is_hidden;
use corpus_blocks::tex::TexBuilder;
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
    /// The depth inside an annotation; 0 outside.
    in_annotation: usize,
    /// Whether the open annotation contains TeX.
    in_tex: bool,
    /// The depth inside an element that is not part of the formula; 0 outside.
    in_other: usize,
    /// Whether the formula is set as a block.
    pub is_display: bool,
    /// Makes TeX, if it is wanted.
    tex_builder: Option<TexBuilder>,
}

/// A formula as text.
#[derive(Debug, PartialEq, Eq)]
pub struct Written {
    pub text: String,
    pub is_tex: bool,
    /// The TeX of the formula, if it is wanted and `text` is not TeX itself.
    pub tex: Option<String>,
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

    /// Converts the formula to TeX unless it contains TeX.
    pub fn make_tex(&mut self) {
        self.tex_builder = Some(TexBuilder::new());
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
            if let Some(tex) = &mut self.tex_builder {
                let value = |name: &str| element.attribute(name).map(|value| value.into_owned());
                tex.open(&element.tag(), value);
            }
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
            if let Some(tex) = &mut self.tex_builder {
                tex.close();
            }
        }
    }

    pub fn text(&mut self, text: &str) {
        if self.in_tex {
            self.tex.push_str(text);
        } else if self.in_annotation == 0 && self.in_other == 0 {
            self.linear.text(text);
            if let Some(tex) = &mut self.tex_builder {
                tex.text(text);
            }
        }
    }

    /// The text of the formula.
    pub fn finish(self) -> Written {
        let declared = |source: &str| Written {
            text: tex(source, self.is_display),
            is_tex: true,
            tex: None,
        };
        if !self.tex.trim().is_empty() {
            return declared(&self.tex);
        }
        let linear = self.linear.finish();
        if linear.is_empty() && !self.alternative.trim().is_empty() {
            return declared(&self.alternative);
        }
        let made = self.tex_builder.map(TexBuilder::finish);
        Written {
            text: linear,
            is_tex: false,
            tex: made
                .map(|made| tex(&made, self.is_display))
                .filter(|made| !made.is_empty()),
        }
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

/// TeX on one line, between dollar signs unless it already has delimiters.
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
