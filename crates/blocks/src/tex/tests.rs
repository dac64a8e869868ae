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
fn scripts_around_a_base_in_mathml() {
    let base = "<mi>C</mi><mn>1</mn><none/>";
    for (scripts, expected) in [
        ("", "C_1"),
        ("<none/><mo>+</mo>", "C_1{}^+"),
        ("<mprescripts/><mn>6</mn><mn>14</mn>", "{}_6^{14}C_1"),
        ("<mprescripts/><mn>6</mn>", "{}_6C_1"),
        ("<mprescripts/>", "C_1"),
    ] {
        let xml = format!("<mmultiscripts>{base}{scripts}</mmultiscripts>");
        assert_eq!(tex(&xml), expected, "{scripts}");
    }
    assert_eq!(tex("<mmultiscripts></mmultiscripts>"), "");
    assert_eq!(
        tex("<mi>x</mi><mphantom><mi>y</mi></mphantom><ms>a b</ms>"),
        "x\\text{\"a b\"}"
    );
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
    for (opening, closing) in [
        ("<m:e><m:t>", "</m:t></m:e>"),
        ("<mfrac><mi>y</mi>", "</mfrac>"),
        ("<msqrt>", "</msqrt>"),
        ("<mtable><mtr>", "</mtr></mtable>"),
        ("<m:rad><m:e>", "</m:e></m:rad>"),
        ("<m:f><m:num>", "</m:num></m:f>"),
    ] {
        let xml = format!(
            "{}<mi>x</mi><mn>1</mn>{}",
            opening.repeat(DEPTH),
            closing.repeat(DEPTH)
        );
        let tex = tex(&xml);
        assert!(tex.len() < DEPTH + 2000, "{opening}");
        assert_eq!(
            tex.matches('y').count(),
            opening.matches('y').count() * DEPTH
        );
        assert!(tex.contains("x1"), "{opening} {tex}");
    }
}

#[test]
fn content_without_a_role_follows() {
    let xml = "<mfrac><mi>a</mi><mi>b</mi><mi>c</mi></mfrac>";
    assert_eq!(tex(xml), "\\frac{a}{b}c");
    let xml = "<m:rad><m:e><m:t>a</m:t></m:e><m:e><m:t>b</m:t></m:e><m:t>c</m:t></m:rad>";
    assert_eq!(tex(xml), "\\sqrt{a}cb");
}
