//! Formulas of Word (OMML) and MathML as TeX.

/// Elements inside this number of others are written as their text, which bounds the time to copy
/// their TeX.
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
    open: Vec<Node>,
    /// The number of open elements beyond the limit.
    ignored: usize,
}

/// An open element.
#[derive(Debug, Default)]
struct Node {
    name: String,
    /// The TeX of its content, without parts.
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
    /// A formula whose element was opened.
    pub fn new() -> Self {
        Self {
            open: vec![Node::default()],
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
        self.open.push(Node {
            name: name.to_owned(),
            opening,
            closing,
            kind,
            ..Node::default()
        });
    }

    /// Stores a value in the element around the open properties.
    fn declare(&mut self, value: Option<String>, field: impl Fn(&mut Node) -> &mut Option<String>) {
        let is_outer = |node: &&mut Node| !is_property(&node.name);
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
        self.open.pop().map(Node::finish).unwrap_or_default()
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
            | "mfenced"
    )
}

impl Node {
    fn part(&self, name: &str) -> &str {
        let part = self.parts.iter().find(|(other, _)| other == name);
        part.map_or("", |(_, tex)| tex)
    }

    /// The part at a position.
    fn child(&self, index: usize) -> &str {
        self.parts.get(index).map_or("", |(_, tex)| tex)
    }

    fn joined(&self, separator: &str) -> String {
        let parts: Vec<&str> = self.parts.iter().map(|(_, tex)| &**tex).collect();
        parts.join(separator)
    }

    fn finish(self) -> String {
        let base = self.part("e");
        match &*self.name {
            "f" => match self.kind.as_deref() {
                Some("lin" | "skw") => format!("{}/{}", self.part("num"), self.part("den")),
                Some("noBar") => format!("\\binom{{{}}}{{{}}}", self.part("num"), self.part("den")),
                _ => format!("\\frac{{{}}}{{{}}}", self.part("num"), self.part("den")),
            },
            "sSup" | "sSub" | "sSubSup" => script(base, self.part("sub"), self.part("sup")),
            "sPre" => script("{}", self.part("sub"), self.part("sup")) + base,
            "rad" => match self.part("deg") {
                "" => format!("\\sqrt{{{base}}}"),
                degree => format!("\\sqrt[{degree}]{{{base}}}"),
            },
            "r" if self.kind.is_some() => format!("\\text{{{}}}", self.tex),
            "r" => match self.style.as_deref() {
                Some("b" | "bi") => format!("\\mathbf{{{}}}", self.tex),
                Some("p") => function(&self.tex),
                _ => self.tex,
            },
            "nary" => {
                let sign = self.character.as_deref().unwrap_or("∫");
                let sign = symbols(sign);
                let mut tex = script(sign.trim(), self.part("sub"), self.part("sup"));
                push(&mut tex, " ");
                push(&mut tex, base);
                tex
            }
            "d" => {
                let opening = self.opening.as_deref().unwrap_or("(");
                let closing = self.closing.as_deref().unwrap_or(")");
                fenced(opening, &self.joined(" | "), closing)
            }
            "func" => format!("{} {base}", function(self.part("fName"))),
            "limLow" => script(&function(base), self.part("lim"), ""),
            "limUpp" => script(&function(base), "", self.part("lim")),
            "acc" => {
                let accent = self.character.as_deref().unwrap_or("\u{302}");
                format!("{}{{{base}}}", accent_command(accent))
            }
            "bar" => match self.kind.as_deref() {
                Some("top") => format!("\\overline{{{base}}}"),
                _ => format!("\\underline{{{base}}}"),
            },
            "m" | "mtable" => format!(
                "\\begin{{matrix}} {} \\end{{matrix}}",
                self.joined(" \\\\ ")
            ),
            "mr" | "mtr" => self.joined(" & "),
            "eqArr" => format!(
                "\\begin{{aligned}} {} \\end{{aligned}}",
                self.joined(" \\\\ ")
            ),
            "mfrac" if self.kind.is_some() => {
                format!("\\binom{{{}}}{{{}}}", self.child(0), self.child(1))
            }
            "mfrac" => format!("\\frac{{{}}}{{{}}}", self.child(0), self.child(1)),
            "msup" => script(self.child(0), "", self.child(1)),
            "msub" | "munder" => script(self.child(0), self.child(1), ""),
            "msubsup" | "munderover" => script(self.child(0), self.child(1), self.child(2)),
            "mover" => match accent_of(self.child(1)) {
                Some(command) => format!("{command}{{{}}}", self.child(0)),
                None => script(self.child(0), "", self.child(1)),
            },
            "msqrt" => format!("\\sqrt{{{}}}", self.tex),
            "mroot" => format!("\\sqrt[{}]{{{}}}", self.child(1), self.child(0)),
            "mfenced" => {
                let opening = self.opening.as_deref().unwrap_or("(");
                fenced(
                    opening,
                    &self.joined(", "),
                    self.closing.as_deref().unwrap_or(")"),
                )
            }
            "mi" | "mo" => function(&self.tex),
            "mtext" => format!("\\text{{{}}}", self.tex),
            // Elements without a form of their own, such as a box.
            _ => {
                let mut tex = self.tex.clone();
                self.parts.iter().for_each(|(_, part)| push(&mut tex, part));
                match tex.strip_prefix('(').and_then(|tex| tex.strip_suffix(')')) {
                    Some(inner) if is_fenced_by_itself(inner) => fenced("(", inner, ")"),
                    _ => tex,
                }
            }
        }
    }
}

/// Appends TeX. A command needs a space before a letter.
fn push(tex: &mut String, next: &str) {
    let word = tex.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ends_command = word.len() < tex.len() && word.ends_with('\\');
    if ends_command && next.starts_with(|c: char| c.is_ascii_alphabetic()) {
        tex.push(' ');
    }
    tex.push_str(next);
}

fn script(base: &str, sub: &str, sup: &str) -> String {
    let mut tex = match is_one(base) || base == "{}" {
        true => base.to_owned(),
        false => format!("{{{base}}}"),
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

/// Whether TeX is a single character, command or group.
fn is_one(tex: &str) -> bool {
    let rest = tex.strip_prefix('\\').filter(|rest| !rest.is_empty());
    match rest {
        Some(rest) => rest.bytes().all(|byte| byte.is_ascii_alphabetic()),
        None => tex.chars().nth(1).is_none(),
    }
}

fn fenced(opening: &str, content: &str, closing: &str) -> String {
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

/// Alphabets of mathematical letters: the first of 26 capital and 26 small letters, and the command.
const ALPHABETS: &[(u32, &str)] = &[
    (0x1d400, "\\mathbf"),
    (0x1d434, ""),
    (0x1d468, "\\boldsymbol"),
    (0x1d49c, "\\mathcal"),
    (0x1d4d0, "\\mathcal"),
    (0x1d504, "\\mathfrak"),
    (0x1d538, "\\mathbb"),
    (0x1d56c, "\\mathfrak"),
    (0x1d5a0, "\\mathsf"),
    (0x1d670, "\\mathtt"),
];

/// The TeX of a letter of a mathematical alphabet.
fn letter(character: char) -> Option<String> {
    let of = |(first, command): &(u32, &str)| {
        let index = u32::from(character)
            .checked_sub(*first)
            .filter(|index| *index < 52)?;
        let start = if index < 26 { 'A' } else { 'a' };
        let letter = char::from_u32(u32::from(start) + index % 26)?;
        Some(match *command {
            "" => letter.to_string(),
            command => format!("{command}{{{letter}}}"),
        })
    };
    ALPHABETS.iter().find_map(of)
}

/// Names of functions that are commands of TeX.
const FUNCTIONS: &[&str] = &[
    "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "log", "ln", "exp", "lim",
    "max", "min", "sup", "inf", "det", "gcd", "arg", "dim", "ker", "arcsin", "arccos", "arctan",
];

fn function(name: &str) -> String {
    let name = name.trim();
    if FUNCTIONS.contains(&name) {
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

/// Characters and their commands. The letters of the Greek alphabet are computed.
const SYMBOLS: &[(char, &str)] = &[
    ('∑', "\\sum"),
    ('∏', "\\prod"),
    ('∫', "\\int"),
    ('∬', "\\iint"),
    ('∮', "\\oint"),
    ('⋃', "\\bigcup"),
    ('⋂', "\\bigcap"),
    ('∞', "\\infty"),
    ('∂', "\\partial"),
    ('∇', "\\nabla"),
    ('±', "\\pm"),
    ('∓', "\\mp"),
    ('×', "\\times"),
    ('÷', "\\div"),
    ('⋅', "\\cdot"),
    ('·', "\\cdot"),
    ('∗', "*"),
    ('−', "-"),
    ('≤', "\\leq"),
    ('≥', "\\geq"),
    ('≠', "\\neq"),
    ('≈', "\\approx"),
    ('≡', "\\equiv"),
    ('∼', "\\sim"),
    ('∝', "\\propto"),
    ('∈', "\\in"),
    ('∉', "\\notin"),
    ('⊂', "\\subset"),
    ('⊆', "\\subseteq"),
    ('∪', "\\cup"),
    ('∩', "\\cap"),
    ('∅', "\\emptyset"),
    ('∀', "\\forall"),
    ('∃', "\\exists"),
    ('¬', "\\neg"),
    ('∧', "\\wedge"),
    ('∨', "\\vee"),
    ('→', "\\rightarrow"),
    ('←', "\\leftarrow"),
    ('⇒', "\\Rightarrow"),
    ('⇔', "\\Leftrightarrow"),
    ('↦', "\\mapsto"),
    ('…', "\\ldots"),
    ('⋯', "\\cdots"),
    ('ℝ', "\\mathbb{R}"),
    ('ℕ', "\\mathbb{N}"),
    ('ℤ', "\\mathbb{Z}"),
    ('ℚ', "\\mathbb{Q}"),
    ('ℂ', "\\mathbb{C}"),
    ('′', "'"),
    ('∣', "\\mid"),
    ('ϵ', "\\epsilon"),
    ('ϕ', "\\phi"),
    ('ϑ', "\\vartheta"),
    ('\u{2009}', "\\,"),
    ('\u{200a}', "\\,"),
    ('\u{2061}', ""),
    ('\u{2062}', ""),
    ('%', "\\%"),
    ('#', "\\#"),
    ('&', "\\&"),
    ('$', "\\$"),
    ('{', "\\{"),
    ('}', "\\}"),
];

const GREEK: &[(char, &str)] = &[
    ('α', "alpha"),
    ('β', "beta"),
    ('γ', "gamma"),
    ('δ', "delta"),
    ('ε', "varepsilon"),
    ('ζ', "zeta"),
    ('η', "eta"),
    ('θ', "theta"),
    ('ι', "iota"),
    ('κ', "kappa"),
    ('λ', "lambda"),
    ('μ', "mu"),
    ('ν', "nu"),
    ('ξ', "xi"),
    ('π', "pi"),
    ('ρ', "rho"),
    ('σ', "sigma"),
    ('τ', "tau"),
    ('υ', "upsilon"),
    ('φ', "varphi"),
    ('χ', "chi"),
    ('ψ', "psi"),
    ('ω', "omega"),
    ('Γ', "Gamma"),
    ('Δ', "Delta"),
    ('Θ', "Theta"),
    ('Λ', "Lambda"),
    ('Ξ', "Xi"),
    ('Π', "Pi"),
    ('Σ', "Sigma"),
    ('Φ', "Phi"),
    ('Ψ', "Psi"),
    ('Ω', "Omega"),
];

/// The TeX of a text.
fn symbols(text: &str) -> String {
    let mut tex = String::new();
    for character in text.chars() {
        let symbol = SYMBOLS.iter().find(|(other, _)| *other == character);
        let greek = GREEK.iter().find(|(other, _)| *other == character);
        if let Some((_, command)) = symbol {
            push(&mut tex, command);
        } else if let Some((_, name)) = greek {
            tex.push('\\');
            tex.push_str(name);
        } else if let Some(letter) = letter(character) {
            push(&mut tex, &letter);
        } else {
            push(&mut tex, character.encode_utf8(&mut [0; 4]));
        }
    }
    tex
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The TeX of elements without attributes other than `val`.
    fn tex(xml: &str) -> String {
        let mut formula = TexBuilder::new();
        for part in xml.split('<').skip(1) {
            let (tag, text) = part.split_once('>').unwrap();
            if tag.starts_with('/') {
                formula.close();
            } else {
                let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
                let value = attributes.split('\'').nth(1).map(str::to_owned);
                formula.open(name.trim_start_matches("m:").trim_end_matches('/'), |_| {
                    value.clone()
                });
                if tag.ends_with('/') {
                    formula.close();
                }
            }
            formula.text(text);
        }
        formula.finish()
    }

    #[test]
    fn formulas_of_word() {
        let run = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
        let part = |name: &str, text: &str| format!("<m:{name}>{}</m:{name}>", run(text));
        let fraction = format!("<m:f>{}{}</m:f>", part("num", "a"), part("den", "αb"));
        assert_eq!(tex(&fraction), "\\frac{a}{\\alpha b}");
        let sum = format!(
            "<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr>{}{}<m:e>{fraction}</m:e></m:nary>",
            part("sub", "i=1"),
            part("sup", "n")
        );
        assert_eq!(tex(&sum), "\\sum_{i=1}^n \\frac{a}{\\alpha b}");
        let power = format!("<m:sSup>{}{}</m:sSup>", part("e", "ab"), part("sup", "−1"));
        assert_eq!(tex(&power), "{ab}^{-1}");
        let root = format!("<m:rad>{}{}</m:rad>", part("deg", "3"), part("e", "x"));
        assert_eq!(tex(&root), "\\sqrt[3]{x}");
        let braces = format!(
            "<m:d><m:dPr><m:begChr m:val='{{'/><m:endChr m:val=''/></m:dPr>{}</m:d>",
            part("e", "x")
        );
        assert_eq!(tex(&braces), "\\left\\{ x \\right.");
        let sine = format!(
            "<m:func>{}{}</m:func>",
            part("fName", "sin"),
            part("e", "x")
        );
        assert_eq!(tex(&sine), "\\sin x");
        let row = format!("<m:mr>{}{}</m:mr>", part("e", "1"), part("e", "2"));
        let matrix = format!("<m:m>{row}{row}</m:m>");
        assert_eq!(
            tex(&matrix),
            "\\begin{matrix} 1 & 2 \\\\ 1 & 2 \\end{matrix}"
        );
    }

    #[test]
    fn formulas_in_mathml() {
        let xml = "<mrow><msubsup><mi>x</mi><mn>1</mn><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow>\
            </msubsup><mo>≤</mo><msqrt><mi>y</mi></msqrt><mover><mi>v</mi><mo>→</mo></mover></mrow>\
            <annotation>x</annotation>";
        assert_eq!(tex("<mi>sin</mi><mi>x</mi>"), "\\sin x");
        assert_eq!(tex(xml), "x_1^{a+1}\\leq\\sqrt{y}\\vec{v}");
    }

    #[test]
    fn styles_of_runs_and_letters() {
        let run = |property: &str, text: &str| {
            format!("<m:r><m:rPr>{property}</m:rPr><m:t>{text}</m:t></m:r>")
        };
        assert_eq!(tex(&run("<m:sty m:val='b'/>", "v")), "\\mathbf{v}");
        assert_eq!(tex(&run("<m:sty m:val='p'/>", "sin")), "\\sin");
        assert_eq!(
            tex(&run("<m:nor/><m:sty m:val='p'/>", "if ")),
            "\\text{if }"
        );
        assert_eq!(
            tex("<mi>𝐯</mi><mi>𝔸</mi><mi>𝑥</mi>"),
            "\\mathbf{v}\\mathbb{A}x"
        );
    }

    #[test]
    fn binomials_and_matrices_have_their_own_parentheses() {
        let word = "<m:d><m:e><m:f><m:fPr><m:type m:val='noBar'/></m:fPr><m:num><m:r><m:t>n</m:t>\
            </m:r></m:num><m:den><m:r><m:t>k</m:t></m:r></m:den></m:f></m:e></m:d>";
        assert_eq!(tex(word), "\\binom{n}{k}");
        let matrix = "<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable>";
        let fenced = format!("<mrow><mo>(</mo>{matrix}<mo>)</mo></mrow>");
        assert_eq!(tex(&fenced), "\\begin{pmatrix} a & b \\end{pmatrix}");
        let two = format!("<mrow><mo>(</mo>{matrix}{matrix}<mo>)</mo></mrow>");
        assert!(tex(&two).starts_with("(\\begin{matrix}"));
    }

    #[test]
    fn deep_formulas_keep_their_text() {
        const DEPTH: usize = 10_000;
        let xml = format!(
            "{}x{}",
            "<m:e><m:t>".repeat(DEPTH),
            "</m:t></m:e>".repeat(DEPTH)
        );
        assert!(tex(&xml).len() < 1000);
        assert!(tex(&xml).contains('x'));
    }
}
