//! The name, weight, slant and height of a font.

use hayro_syntax::object::{Dict, Name};

/// How a font looks, from its name and descriptor.
#[derive(Debug, Default)]
pub struct FontStyle {
    pub name: String,
    pub bold: bool,
    pub italic: bool,
    /// The height above the baseline, in ems.
    pub ascent: f32,
    /// The depth below the baseline, in ems (negative).
    pub descent: f32,
}

const ITALIC: i32 = 1 << 6;
const FORCE_BOLD: i32 = 1 << 18;
/// Defaults for fonts that declare no values, or implausible ones.
const DEFAULT_ASCENT_EMS: f32 = 0.8;
const DEFAULT_DESCENT_EMS: f32 = -0.2;

impl FontStyle {
    /// `described` is the dictionary with the font descriptor: the font itself, or the descendant
    /// of a composite font.
    pub fn new(dict: &Dict<'_>, described: &Dict<'_>) -> Self {
        let descriptor = described
            .get::<Dict<'_>>(b"FontDescriptor")
            .unwrap_or_default();
        let name = name_in(dict, b"BaseFont")
            .or_else(|| name_in(described, b"BaseFont"))
            .or_else(|| name_in(&descriptor, b"FontName"))
            .or_else(|| name_in(dict, b"Name"))
            .unwrap_or_default();
        let name = without_subset_tag(&name).to_owned();
        let lower = name.to_ascii_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let flags = descriptor.get::<i32>(b"Flags").unwrap_or(0);
        let weight = descriptor.get::<f32>(b"FontWeight").unwrap_or(0.0);
        let angle = descriptor.get::<f32>(b"ItalicAngle").unwrap_or(0.0);
        let ascent = descriptor.get::<f32>(b"Ascent").unwrap_or(0.0) / 1000.0;
        let descent = -descriptor.get::<f32>(b"Descent").unwrap_or(0.0).abs() / 1000.0;
        Self {
            bold: flags & FORCE_BOLD != 0
                || weight >= 600.0
                || says(&["bold", "black", "heavy", "demi"])
                || is_bold_of_tex(&lower),
            italic: flags & ITALIC != 0 || angle != 0.0 || says(&["italic", "oblique"]),
            ascent: if (0.3..=1.6).contains(&ascent) {
                ascent
            } else {
                DEFAULT_ASCENT_EMS
            },
            descent: if (-0.8..-0.05).contains(&descent) {
                descent
            } else {
                DEFAULT_DESCENT_EMS
            },
            name,
        }
    }
}

/// Whether a name belongs to a bold TeX font, such as `CMBX12` and `NimbusRomNo9L-Medi`.
fn is_bold_of_tex(name: &str) -> bool {
    const STARTS: [&str; 5] = ["cmbx", "cmb1", "cmssbx", "ecbx", "sfbx"];
    let is_computer_modern = STARTS.iter().any(|start| name.starts_with(start));
    is_computer_modern || name.ends_with("-medi") || name.ends_with("-mediital")
}

fn name_in(dict: &Dict<'_>, key: &[u8]) -> Option<String> {
    let name = dict.get::<Name<'_>>(key)?;
    Some(String::from_utf8_lossy(&name).into_owned()).filter(|name| !name.is_empty())
}

/// Removes the tag of a subset font, as in "ABCDEF+Times".
pub fn without_subset_tag(name: &str) -> &str {
    match name.split_once('+') {
        Some((tag, rest)) if tag.len() == 6 && tag.bytes().all(|c| c.is_ascii_uppercase()) => rest,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::is_bold_of_tex;

    #[test]
    fn bold_fonts_of_tex_are_known_by_their_names() {
        for name in ["cmbx12", "sfbx1000", "nimbusromno9l-medi"] {
            assert!(is_bold_of_tex(name), "{name}");
        }
        for name in ["cmr10", "medium", "nimbusromno9l-regu"] {
            assert!(!is_bold_of_tex(name), "{name}");
        }
    }
}
