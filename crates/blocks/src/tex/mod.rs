//! Formulas of Word (OMML), MathML and lines of text as TeX.
//!
//! ```text
//! line     formulas in a line of text
//! symbols  characters as commands of TeX
//! ```

mod line;
mod symbols;
#[cfg(test)]
mod tests;

pub use line::Line;
use symbols::symbols;

/// Maximum nesting depth. Deeper elements are written as text, which bounds the time to copy TeX.
const MAX_DEPTH: usize = 64;

/// Makes TeX from the elements of a formula, which are named without a namespace prefix.
///
/// ```
/// use corpus_blocks::tex::TexBuilder;
///
/// let mut tex = TexBuilder::new();
/// tex.open("mfrac", |_| None);
/// for part in ["a", "α"] {
///     tex.open("mi", |_| None);
///     tex.text(part);
///     tex.close();
/// }
/// tex.close();
/// assert_eq!(tex.finish(), "\\frac{a}{\\alpha}");
/// ```
#[derive(Debug, Default)]
pub struct TexBuilder {
    open: Vec<Element>,
    /// The number of open elements beyond the limit.
    ignored: usize,
}

/// An open element.
#[derive(Debug, Default)]
struct Element {
    name: String,
    /// The TeX of its content, except for `parts`.
    tex: String,
    /// The TeX of its parts: children with a role.
    parts: Vec<(String, String)>,
    /// A character that it declares, such as the sign of a sum.
    character: Option<String>,
    opening: Option<String>,
    closing: Option<String>,
    kind: Option<String>,
    /// The style of a run.
    style: Option<String>,
}

/// Children of OMML's elements that have a role.
const PARTS: &[&str] = &["num", "den", "e", "sub", "sup", "deg", "lim", "fName", "mr"];

/// Elements that only declare properties of the element around them.
fn is_property(name: &str) -> bool {
    name.ends_with("Pr")
}

impl TexBuilder {
    /// Creates the builder of a formula whose outermost element is already open.
    pub fn new() -> Self {
        Self {
            open: vec![Element::default()],
            ignored: 0,
        }
    }

    /// Opens an element. `attribute` returns its attribute with a name.
    pub fn open(&mut self, name: &str, attribute: impl Fn(&str) -> Option<String>) {
        let value = || Some(attribute("val").unwrap_or_default());
        match name {
            "chr" => self.declare(value(), |node| &mut node.character),
            "begChr" => self.declare(value(), |node| &mut node.opening),
            "endChr" => self.declare(value(), |node| &mut node.closing),
            "type" | "pos" => self.declare(value(), |node| &mut node.kind),
            "sty" => self.declare(value(), |node| &mut node.style),
            "nor" => self.declare(Some(String::new()), |node| &mut node.kind),
            _ => {}
        }
        if self.open.len() >= MAX_DEPTH {
            self.ignored += 1;
            return;
        }
        let (opening, closing) = match name {
            "mfenced" => (attribute("open"), attribute("close")),
            _ => (None, None),
        };
        let has_no_line = || attribute("linethickness").is_some_and(|width| width.starts_with('0'));
        let kind = (name == "mfrac" && has_no_line()).then(|| "noBar".to_owned());
        self.open.push(Element {
            name: name.to_owned(),
            opening,
            closing,
            kind,
            ..Element::default()
        });
    }

    /// Stores a value in the element around the open properties.
    fn declare(
        &mut self,
        value: Option<String>,
        field: impl Fn(&mut Element) -> &mut Option<String>,
    ) {
        let is_outer = |node: &&mut Element| !is_property(&node.name);
        if let Some(node) = self.open.iter_mut().rev().find(is_outer) {
            *field(node) = value;
        }
    }

    /// Adds text of the innermost element.
    pub fn text(&mut self, text: &str) {
        let Some(node) = self.open.last_mut() else {
            return;
        };
        let is_text =
            self.ignored > 0 || matches!(&*node.name, "t" | "mi" | "mn" | "mo" | "mtext" | "ms");
        if is_text {
            // White space between the tags of MathML has no meaning.
            let text = match &*node.name {
                "mi" | "mn" | "mo" => text.trim(),
                _ => text,
            };
            push(&mut node.tex, &symbols(text));
        }
    }

    /// Closes the innermost element.
    pub fn close(&mut self) {
        if self.ignored > 0 {
            self.ignored -= 1;
            return;
        }
        if self.open.len() < 2 {
            return;
        }
        let Some(node) = self.open.pop() else {
            return;
        };
        let Some(outer) = self.open.last_mut() else {
            return;
        };
        if is_property(&node.name) || matches!(&*node.name, "annotation" | "annotation-xml") {
            return;
        }
        let is_part = PARTS.contains(&&*node.name) || takes_children(&outer.name);
        let name = node.name.clone();
        let tex = node.finish();
        if is_part {
            outer.parts.push((name, tex));
        } else {
            push(&mut outer.tex, &tex);
        }
    }

    /// The TeX of the formula.
    pub fn finish(mut self) -> String {
        while self.open.len() > 1 {
            self.close();
        }
        self.open.pop().map(Element::finish).unwrap_or_default()
    }
}

/// Whether the children of an element of MathML have a role by their order.
fn takes_children(name: &str) -> bool {
    matches!(
        name,
        "mfrac"
            | "msup"
            | "msub"
            | "msubsup"
            | "mroot"
            | "munder"
            | "mover"
            | "munderover"
            | "mtable"
            | "mtr"
            | "mlabeledtr"
            | "mfenced"
            | "mmultiscripts"
    )
}

impl Element {
    /// Takes the first part with a name.
    fn part(&mut self, name: &str) -> String {
        let part = self.parts.iter_mut().find(|(other, _)| other == name);
        part.map(|(_, tex)| std::mem::take(tex)).unwrap_or_default()
    }

    /// Takes the part at a position.
    fn child(&mut self, index: usize) -> String {
        let part = self.parts.get_mut(index);
        part.map(|(_, tex)| std::mem::take(tex)).unwrap_or_default()
    }

    /// Takes the content without parts.
    fn text(&mut self) -> String {
        std::mem::take(&mut self.tex)
    }

    /// Takes all parts.
    fn join_parts(&mut self, separator: &str) -> String {
        let parts: Vec<String> = self.parts.drain(..).map(|(_, tex)| tex).collect();
        parts.join(separator)
    }

    fn fence(&mut self, separator: &str) -> String {
        let content = self.join_parts(separator);
        let opening = self.opening.as_deref().unwrap_or("(");
        fence(opening, &content, self.closing.as_deref().unwrap_or(")"))
    }

    /// Returns the TeX of the element, followed by the children that its form does not use.
    fn finish(mut self) -> String {
        let mut tex = self.take_form();
        push(&mut tex, &self.tex);
        self.parts.iter().for_each(|(_, part)| push(&mut tex, part));
        tex
    }

    /// Takes the content that has a role in the element, and forms its TeX.
    fn take_form(&mut self) -> String {
        let name = std::mem::take(&mut self.name);
        match &*name {
            // The elements inside it are beyond the limit.
            _ if self.parts.is_empty() && takes_children(&name) => self.text(),
            "f" => match self.kind.as_deref() {
                Some("lin" | "skw") => format!("{}/{}", self.part("num"), self.part("den")),
                Some("noBar") => format!("\\binom{{{}}}{{{}}}", self.part("num"), self.part("den")),
                _ => format!("\\frac{{{}}}{{{}}}", self.part("num"), self.part("den")),
            },
            "sSup" | "sSub" | "sSubSup" => {
                script(&self.part("e"), &self.part("sub"), &self.part("sup"))
            }
            "sPre" => script("{}", &self.part("sub"), &self.part("sup")) + &self.part("e"),
            "rad" => match &*self.part("deg") {
                "" => format!("\\sqrt{{{}}}", self.part("e")),
                degree => format!("\\sqrt[{degree}]{{{}}}", self.part("e")),
            },
            "r" if self.kind.is_some() => format!("\\text{{{}}}", self.text()),
            "r" => match self.style.as_deref() {
                Some("b" | "bi") => format!("\\mathbf{{{}}}", self.text()),
                Some("p") => function(&self.text()),
                _ => self.text(),
            },
            "nary" => {
                let sign = self.character.as_deref().unwrap_or("∫");
                let sign = symbols(sign);
                let mut tex = script(sign.trim(), &self.part("sub"), &self.part("sup"));
                push(&mut tex, " ");
                push(&mut tex, &self.part("e"));
                tex
            }
            "d" => self.fence(" | "),
            "func" => format!("{} {}", function(&self.part("fName")), self.part("e")),
            "limLow" => script(&function(&self.part("e")), &self.part("lim"), ""),
            "limUpp" => script(&function(&self.part("e")), "", &self.part("lim")),
            "acc" => {
                let base = self.part("e");
                let accent = self.character.as_deref().unwrap_or("\u{302}");
                format!("{}{{{base}}}", accent_command(accent))
            }
            "bar" => match self.kind.as_deref() {
                Some("top") => format!("\\overline{{{}}}", self.part("e")),
                _ => format!("\\underline{{{}}}", self.part("e")),
            },
            "m" | "mtable" => format!(
                "\\begin{{matrix}} {} \\end{{matrix}}",
                self.join_parts(" \\\\ ")
            ),
            "mr" | "mtr" | "mlabeledtr" => self.join_parts(" & "),
            "mmultiscripts" => multiscripts(&std::mem::take(&mut self.parts)),
            "mphantom" => {
                self.parts.clear();
                self.tex.clear();
                String::new()
            }
            "ms" => format!("\\text{{\"{}\"}}", self.text()),
            "eqArr" => format!(
                "\\begin{{aligned}} {} \\end{{aligned}}",
                self.join_parts(" \\\\ ")
            ),
            "mfrac" if self.kind.is_some() => {
                format!("\\binom{{{}}}{{{}}}", self.child(0), self.child(1))
            }
            "mfrac" => format!("\\frac{{{}}}{{{}}}", self.child(0), self.child(1)),
            "msup" => script(&self.child(0), "", &self.child(1)),
            "msub" | "munder" => script(&self.child(0), &self.child(1), ""),
            "msubsup" | "munderover" => script(&self.child(0), &self.child(1), &self.child(2)),
            "mover" => {
                let (base, over) = (self.child(0), self.child(1));
                match accent_of(&over) {
                    Some(command) => format!("{command}{{{base}}}"),
                    None => script(&base, "", &over),
                }
            }
            "msqrt" => format!("\\sqrt{{{}}}", self.text()),
            "mroot" => format!("\\sqrt[{}]{{{}}}", self.child(1), self.child(0)),
            "mfenced" => self.fence(", "),
            "mi" | "mo" => function(&self.text()),
            "mtext" => format!("\\text{{{}}}", self.text()),
            // Elements without a TeX form, such as a box.
            _ => {
                let mut tex = self.text();
                for (_, part) in self.parts.drain(..) {
                    push(&mut tex, &part);
                }
                match tex.strip_prefix('(').and_then(|tex| tex.strip_suffix(')')) {
                    Some(inner) if is_fenced_by_itself(inner) => fence("(", inner, ")"),
                    _ => tex,
                }
            }
        }
    }
}

/// The maximum length of a command, with its backslash.
const MAX_COMMAND_BYTES: usize = 64;

/// Appends TeX. A command needs a space before a letter.
fn push(tex: &mut String, next: &str) {
    let mut last = tex.bytes().rev().take(MAX_COMMAND_BYTES);
    let is_letter = last.next().is_some_and(|byte| byte.is_ascii_alphabetic());
    let ends_command = is_letter && last.find(|byte| !byte.is_ascii_alphabetic()) == Some(b'\\');
    if ends_command && next.starts_with(|c: char| c.is_ascii_alphabetic()) {
        tex.push(' ');
    }
    tex.push_str(next);
}

fn script(base: &str, sub: &str, sup: &str) -> String {
    let mut tex = if is_one(base) || base == "{}" {
        base.to_owned()
    } else {
        format!("{{{base}}}")
    };
    for (sign, script) in [('_', sub), ('^', sup)] {
        let script = script.trim();
        if !script.is_empty() {
            tex.push(sign);
            match script.chars().nth(1) {
                None => tex.push_str(script),
                Some(_) => tex.extend(["{", script, "}"]),
            }
        }
    }
    tex
}

/// A base with pairs of scripts after it and, after `mprescripts`, before it.
fn multiscripts(parts: &[(String, String)]) -> String {
    let Some(((_, base), scripts)) = parts.split_first() else {
        return String::new();
    };
    let end = scripts.iter().position(|(name, _)| name == "mprescripts");
    let (after, before) = scripts.split_at(end.unwrap_or(scripts.len()));
    let mut tex = String::new();
    let add = |tex: &mut String, base: &str, pair: &[(String, String)]| {
        let part = |index: usize| pair.get(index).map_or("", |(_, tex)| &**tex);
        tex.push_str(&script(base, part(0), part(1)));
    };
    for pair in before.get(1..).unwrap_or_default().chunks(2) {
        add(&mut tex, "{}", pair);
    }
    let mut after = after.chunks(2);
    add(&mut tex, base, after.next().unwrap_or_default());
    after.for_each(|pair| add(&mut tex, "{}", pair));
    tex
}

/// Whether TeX is a single character, command or group.
fn is_one(tex: &str) -> bool {
    let rest = tex.strip_prefix('\\').filter(|rest| !rest.is_empty());
    match rest {
        Some(rest) => rest.bytes().all(|byte| byte.is_ascii_alphabetic()),
        None => tex.chars().nth(1).is_none(),
    }
}

fn fence(opening: &str, content: &str, closing: &str) -> String {
    let delimiter = |text: &str| match text {
        "" => ".".to_owned(),
        "{" | "}" => format!("\\{text}"),
        "⟨" => "\\langle".to_owned(),
        "⟩" => "\\rangle".to_owned(),
        "‖" => "\\|".to_owned(),
        text => text.to_owned(),
    };
    // Some commands have their own parentheses.
    if (opening, closing) == ("(", ")") && is_fenced_by_itself(content) {
        return content.replace("{matrix}", "{pmatrix}");
    }
    format!(
        "\\left{} {content} \\right{}",
        delimiter(opening),
        delimiter(closing)
    )
}

/// Whether TeX is one binomial coefficient or matrix.
fn is_fenced_by_itself(tex: &str) -> bool {
    let is_binomial = tex.starts_with("\\binom{") && {
        let mut depth = 0_usize;
        let mut groups = 0;
        let rest = tex.get("\\binom".len()..).unwrap_or_default();
        let end = rest.char_indices().find_map(|(at, character)| {
            match character {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            groups += usize::from(character == '}' && depth == 0);
            (groups == 2).then_some(at + 1)
        });
        end == Some(rest.len())
    };
    let is_matrix = tex.starts_with("\\begin{matrix}")
        && tex.ends_with("\\end{matrix}")
        && tex.matches("\\begin{matrix}").count() == 1;
    is_binomial || is_matrix
}

/// Names of functions that are commands of TeX.
const FUNCTIONS: &[&str] = &[
    "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "log", "ln", "exp", "lim",
    "max", "min", "sup", "inf", "det", "gcd", "arg", "dim", "ker", "arcsin", "arccos", "arctan",
];

/// Whether a word is the name of a function that is a command of TeX, such as `log`.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

fn function(name: &str) -> String {
    let name = name.trim();
    if is_function(name) {
        format!("\\{name}")
    } else if name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        format!("\\operatorname{{{name}}}")
    } else {
        name.to_owned()
    }
}

/// The accents of both formats.
fn accent_of(character: &str) -> Option<&'static str> {
    Some(match character.trim() {
        "\u{302}" | "^" | "ˆ" => "\\hat",
        "\u{303}" | "~" | "˜" => "\\tilde",
        "\u{30c}" | "ˇ" => "\\check",
        "\u{304}" | "\u{305}" | "¯" | "‾" => "\\bar",
        "\u{307}" | "˙" => "\\dot",
        "\u{308}" | "¨" => "\\ddot",
        "\u{20d7}" | "→" | "\\rightarrow" => "\\vec",
        _ => return None,
    })
}

fn accent_command(character: &str) -> &'static str {
    accent_of(character).unwrap_or("\\hat")
}
