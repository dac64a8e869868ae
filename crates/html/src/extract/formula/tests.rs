//! Formulas in both engines.

use crate::engine::Engine;
use crate::events::Options;
use crate::extract::Document;
use corpus_bytes::step_counter::assert_linear;

fn read(page: &str) -> String {
    let [native, tree] = [Engine::Native, Engine::Html5ever].map(|engine| {
        engine
            .read(page, &Options::default(), Document::default)
            .finish()
    });
    assert_eq!(native, tree, "{page}");
    native
}

#[track_caller]
fn assert_formulas(cases: &[(&str, &str)]) {
    for (formula, expected) in cases {
        assert_eq!(
            read(&format!("<math>{formula}</math>")),
            *expected,
            "{formula}"
        );
    }
}

#[test]
fn scripts_and_fractions_keep_their_value() {
    assert_formulas(&[
        (
            "<msup><mn>10</mn><mrow><mo>−</mo><mn>4</mn></mrow></msup>",
            "10⁻⁴",
        ),
        ("<msup><mn>2</mn><mn>10</mn></msup>", "2¹⁰"),
        ("<msup><mi>x</mi><mi>n</mi></msup>", "x^n"),
        (
            "<msup><mi>e</mi><mrow><mi>i</mi><mi>π</mi></mrow></msup>",
            "e^(iπ)",
        ),
        ("<msub><mi>x</mi><mn>1</mn></msub>", "x₁"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i²"),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "1/2"),
        (
            "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac>",
            "(a+b)/(2a)",
        ),
        (
            "<msup><mrow><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo></mrow><mn>2</mn></msup>",
            "(a+b)²",
        ),
        (
            "<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo><mo>(</mo><mi>b</mi><mo>)</mo></mrow><mn>2</mn></msup>",
            "((a)(b))²",
        ),
        (
            "<msup><mi>x</mi><mrow></mrow></msup><mo>+</mo><mn>1</mn>",
            "x+1",
        ),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
            "∑_(i=1)^n i",
        ),
    ]);
}

#[test]
fn roots_fences_accents_and_matrices_are_written() {
    assert_formulas(&[
        ("<msqrt><mi>x</mi></msqrt>", "√x"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "√(x+1)"),
        (
            "<mroot><mi>x</mi><mn>3</mn></mroot><mo>=</mo><mn>2</mn>",
            "x^(1/3)=2",
        ),
        ("<mroot><mi>x</mi><mrow></mrow></mroot>", "x"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a,b)"),
        ("<mfenced open='[' close=''><mi>a</mi></mfenced>", "[a"),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", "x\u{305}"),
        ("<mover><mi>v</mi><mo>→</mo></mover>", "v\u{20d7}"),
        ("<mover><mi>AB</mi><mo>→</mo></mover>", "AB^→"),
        (
            "<mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr>\
             <mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>)</mo>",
            "(1 2; 3 4)",
        ),
        (
            "<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>",
            "₆¹⁴C",
        ),
        ("<mi>x</mi><mphantom><mi>y</mi></mphantom><mi>z</mi>", "xz"),
        ("<ms>ab</ms>", "\"ab\""),
        (
            "<mo>(</mo><mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac><mo>)</mo>",
            "(n choose k)",
        ),
        (
            "<mfrac linethickness=' 0.0em '><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow><mi>k</mi></mfrac>",
            "(n+1) choose k",
        ),
        (
            "<mfrac linethickness=2px><mi>n</mi><mi>k</mi></mfrac>",
            "n/k",
        ),
    ]);
}

#[test]
fn words_in_formulas_are_separated() {
    assert_formulas(&[
        ("<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", "sin x"),
        ("<mn>2</mn><mo>&#x2062;</mo><mi>x</mi><mi>y</mi>", "2xy"),
        (
            "<mn>1</mn><mo>&#x2064;</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>",
            "1 1/2",
        ),
        ("<mi>x</mi><mtext> if </mtext><mi>y</mi>", "x if y"),
        ("\n <mi> x </mi>\n <mo>=</mo> <mn>1</mn>\n", "x=1"),
        ("<mn>1</mn><mspace width=1em></mspace><mn>2</mn>", "1 2"),
        ("<msup><mi>x</mi><mi>n</mi></msup><mi>y</mi>", "x^n y"),
        (
            "<msup><mi>x</mi><mi>n</mi></msup><mo>+</mo><mi>y</mi>",
            "x^n+y",
        ),
        ("<mn>1</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>", "1 1/2"),
        ("<mtext>a <b>b<i>c</b>d</i></mtext><mi>x</mi>", "a bcd x"),
    ]);
}

#[test]
fn annotations_with_tex_replace_the_formula() {
    let annotated = |encoding: &str| {
        format!(
            "<semantics><mi>x</mi><annotation encoding='{encoding}'>\n\\frac{{1}}{{x}} </annotation></semantics>"
        )
    };
    for encoding in ["application/x-tex", "LaTeX", "text/x-latex"] {
        assert_formulas(&[(&annotated(encoding), "$\\frac{1}{x}$")]);
    }
    for encoding in ["text/plain", "MathType", ""] {
        assert_formulas(&[(&annotated(encoding), "x")]);
    }
    for (page, expected) in [
        ("<p>a <math alttext='x^2'></math> b", "a $x^2$ b"),
        ("<p>a <math alttext='x^2'><mi>y</mi></math> b", "a y b"),
        (
            "<p>a<math display=block><semantics><mi>x</mi><annotation encoding=TeX>y</annotation></semantics></math>b",
            "a\n\n$$y$$\n\nb",
        ),
        (
            "<math><semantics><mi>x</mi><annotation-xml><ci>y</ci></annotation-xml></semantics></math>",
            "x",
        ),
    ] {
        assert_eq!(read(page), expected, "{page}");
    }
}

#[test]
fn formulas_take_linear_work() {
    for (begin, part, end) in [
        ("<math>", "<msup><mi>x</mi>", ""),
        ("<math>", "<mfrac><mrow><mi>x</mi><mi>y</mi>", ""),
        ("<math>", "<msqrt><mi>x</mi></msqrt>", "</math>"),
        (
            "<math><mfrac><mrow>",
            "<mi>x</mi>",
            "</mrow></mfrac></math>",
        ),
        ("", "<math><mi>x</mi></math>", ""),
        ("<math><mi>", "x&amp;", "</mi></math>"),
    ] {
        let page = |parts: usize| begin.to_owned() + &part.repeat(parts) + end;
        assert_linear(&format!("{begin}{part}{end}"), page, |page| {
            Engine::Native
                .read(page, &Options::default(), Document::default)
                .finish();
        });
    }
}
