//! Converts host names to ASCII by the rules of 2003 (RFC 3490, 3491), like Python's `idna` codec
//! and the index files of web archives. (Today's rules, UTS 46, differ in ß, ς and the zero-width
//! joiners.)

use stringprep::tables;
use unicode_normalization::UnicodeNormalization;

const ACE_PREFIX: &str = "xn--";
const MAX_LABEL_BYTES: usize = 63;

/// Converts a host to ASCII; `None` where the codec fails: empty or too long labels, forbidden
/// characters.
pub fn host_to_ascii(host: &str) -> Option<String> {
    if host.is_ascii() {
        return ascii_host(host);
    }
    let is_dot = |c: char| matches!(c, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}');
    let mut labels: Vec<&str> = host.split(is_dot).collect();
    let ends_in_dot = labels.last().is_some_and(|label| label.is_empty());
    if ends_in_dot {
        labels.pop();
    }
    let mut ascii = String::with_capacity(host.len());
    for label in labels {
        if !ascii.is_empty() {
            ascii.push('.');
        }
        ascii.push_str(&label_to_ascii(label)?);
    }
    if ends_in_dot {
        ascii.push('.');
    }
    Some(ascii)
}

fn ascii_host(host: &str) -> Option<String> {
    let (labels, last) = host.rsplit_once('.').unwrap_or(("", host));
    let is_fit = |label: &str| !label.is_empty() && label.len() <= MAX_LABEL_BYTES;
    let are_fit = host.len() == last.len() || labels.split('.').all(is_fit);
    (are_fit && last.len() <= MAX_LABEL_BYTES).then(|| host.to_owned())
}

fn label_to_ascii(label: &str) -> Option<String> {
    let fit =
        |label: String| (!label.is_empty() && label.len() <= MAX_LABEL_BYTES).then_some(label);
    if label.is_ascii() {
        return fit(label.to_owned());
    }
    let prepared = nameprep(label)?;
    if prepared.is_ascii() {
        return fit(prepared);
    }
    if prepared.starts_with(ACE_PREFIX) {
        return None;
    }
    // Longer labels never fit, and encoding them takes quadratic time.
    if prepared.chars().count() > MAX_LABEL_BYTES {
        return None;
    }
    fit(format!("{ACE_PREFIX}{}", punycode(&prepared)?))
}

/// RFC 3491, with unassigned code points allowed.
fn nameprep(label: &str) -> Option<String> {
    let mapped: String = label
        .chars()
        .filter(|c| !tables::commonly_mapped_to_nothing(*c))
        .flat_map(fold)
        .collect();
    let mapped = normalize(&mapped);
    let is_forbidden = |c: char| {
        tables::non_ascii_space_character(c)
            || tables::non_ascii_control_character(c)
            || tables::private_use(c)
            || tables::non_character_code_point(c)
            || tables::inappropriate_for_plain_text(c)
            || tables::inappropriate_for_canonical_representation(c)
            || tables::change_display_properties_or_deprecated(c)
            || tables::tagging_character(c)
    };
    (!mapped.contains(is_forbidden) && has_one_direction(&mapped)).then_some(mapped)
}

/// Folds the case of a character. As in Python, capital letters that the table of 2003 lacks are
/// first converted to lower case by today's rules.
fn fold(c: char) -> impl Iterator<Item = char> {
    let is_known = !tables::case_fold_for_nfkc(c).eq([c]);
    let lower = if is_known {
        None
    } else {
        Some(c.to_lowercase())
    };
    let known = is_known.then_some(c);
    lower
        .into_iter()
        .flatten()
        .chain(known)
        .flat_map(tables::case_fold_for_nfkc)
}

/// Applies NFKC of 2003. Characters added later stay unchanged, and separate the others.
fn normalize(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let is_later = |c: &char| tables::unassigned_code_point(*c);
    let mut normalized = String::with_capacity(text.len());
    for run in characters.chunk_by(|a, b| is_later(a) == is_later(b)) {
        if run.first().is_some_and(is_later) {
            normalized.extend(run);
        } else {
            normalized.extend(run.iter().copied().nfkc());
        }
    }
    normalized
}

fn has_one_direction(label: &str) -> bool {
    if !label.contains(tables::bidi_r_or_al) {
        return true;
    }
    !label.contains(tables::bidi_l)
        && label.starts_with(tables::bidi_r_or_al)
        && label.ends_with(tables::bidi_r_or_al)
}

/// RFC 3492.
fn punycode(label: &str) -> Option<String> {
    let characters: Vec<u32> = label.chars().map(u32::from).collect();
    let mut encoded: String = label.chars().filter(char::is_ascii).collect();
    let basic = u32::try_from(encoded.len()).ok()?;
    if basic > 0 {
        encoded.push('-');
    }
    let (mut code, mut delta, mut bias, mut handled) = (128u32, 0u32, 72u32, basic);
    let total = u32::try_from(characters.len()).ok()?;
    while handled < total {
        let next = *characters.iter().filter(|c| **c >= code).min()?;
        delta = delta.checked_add((next - code).checked_mul(handled + 1)?)?;
        code = next;
        for character in &characters {
            if *character < code {
                delta = delta.checked_add(1)?;
            } else if *character == code {
                push_number(&mut encoded, delta, bias);
                bias = adapt(delta, handled + 1, handled == basic);
                delta = 0;
                handled += 1;
            }
        }
        delta += 1;
        code += 1;
    }
    Some(encoded)
}

fn push_number(encoded: &mut String, mut number: u32, bias: u32) {
    let digit = |value: u32| match value {
        0..=25 => char::from(b'a' + value as u8),
        _ => char::from(b'0' + (value - 26) as u8),
    };
    let mut k = 36;
    loop {
        let threshold = k.max(bias + 1).saturating_sub(bias).clamp(1, 26);
        if number < threshold {
            encoded.push(digit(number));
            return;
        }
        encoded.push(digit(threshold + (number - threshold) % (36 - threshold)));
        number = (number - threshold) / (36 - threshold);
        k += 36;
    }
}

fn adapt(delta: u32, handled: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / 700 } else { delta / 2 };
    delta += delta / handled;
    let mut k = 0;
    while delta > 455 {
        delta /= 35;
        k += 36;
    }
    k + 36 * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        for (host, expected) in [
            ("example.com", Some("example.com")),
            ("a..b", None),
            ("bücher.example.", Some("xn--bcher-kva.example.")),
            ("straße.de", Some("strasse.de")),
            ("日本語。jp", Some("xn--wgv71a119e.jp")),
            ("ＡＢＣ.jp", Some("abc.jp")),
            ("президент.рф", Some("xn--d1abbgf6aiiy.xn--p1ai")),
            ("😀.la", Some("xn--e28h.la")),
            ("ẞ.de", Some("ss.de")),
            ("Ⴀ.ge", Some("xn--rkj.ge")),
            ("xn--é", None),
            ("é..a", None),
            ("a\u{1680}é", None),
        ] {
            assert_eq!(host_to_ascii(host).as_deref(), expected, "{host}");
        }
    }
}
