//! Characters of formulas as commands of TeX.

use super::push;

/// Alphabets of mathematical letters: the first of 26 capital and 26 small letters, and the
/// command.
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
    ('⊤', "\\top"),
    ('⊥', "\\perp"),
    ('⋆', "\\star"),
    ('∘', "\\circ"),
    ('◦', "\\circ"),
    ('⊗', "\\otimes"),
    ('⊕', "\\oplus"),
    ('≜', "\\triangleq"),
    ('≃', "\\simeq"),
    ('≅', "\\cong"),
    ('≪', "\\ll"),
    ('≫', "\\gg"),
    ('≺', "\\prec"),
    ('≻', "\\succ"),
    ('⊃', "\\supset"),
    ('⊇', "\\supseteq"),
    ('∖', "\\setminus"),
    ('∥', "\\parallel"),
    ('ℓ', "\\ell"),
    ('ℏ', "\\hbar"),
    ('↑', "\\uparrow"),
    ('↓', "\\downarrow"),
    ('↔', "\\leftrightarrow"),
    ('⌊', "\\lfloor"),
    ('⌋', "\\rfloor"),
    ('⌈', "\\lceil"),
    ('⌉', "\\rceil"),
    ('⟨', "\\langle"),
    ('⟩', "\\rangle"),
    ('†', "\\dagger"),
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
    ('µ', "mu"),
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
pub fn symbols(text: &str) -> String {
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
