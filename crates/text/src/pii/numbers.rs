//! Recognizes IP addresses, telephone and card numbers, and individual numbers.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use super::Kind;
use super::context::{is_after, is_near};
use super::fold::{after, before, is_hyphen};

/// Maximum length of a number. Longer runs of digits and separators are data.
const MAX_NUMBER_CHARACTERS: usize = 40;

/// The length of the longest IPv6 address, which ends with an IPv4 address.
const MAX_IPV6_BYTES: usize = 45;

/// A run of digits and separators.
pub struct Run {
    pub range: Range<usize>,
    /// Its first characters, converted to ASCII.
    ascii: [u8; MAX_NUMBER_CHARACTERS],
    /// The number of its characters, which may exceed the length of `ascii`.
    length: usize,
}

impl Run {
    /// The characters, converted to ASCII; `None` if there are too many for a number.
    fn number(&self) -> Option<&[u8]> {
        self.ascii.get(..self.length)
    }
}

/// Returns the run that starts at a digit, or at a plus sign or a parenthesis before a digit. It
/// ends with a digit. If `has_spaces` is false, it also ends at a space.
pub fn run(text: &str, start: usize, has_spaces: bool) -> Option<Run> {
    let mut run = Run {
        range: start..start,
        ascii: [0; MAX_NUMBER_CHARACTERS],
        length: 0,
    };
    let mut at = start;
    let mut characters = 0;
    let mut separators = 0;
    while let Some((character, next)) = after(text, at) {
        let byte = match character {
            '0'..='9' => {
                separators = 0;
                run.range.end = next;
                run.length = characters + 1;
                character as u8
            }
            '+' if characters == 0 => b'+',
            ' ' if !has_spaces => break,
            ' ' | '.' | ')' if characters > 0 && separators < 2 => character as u8,
            '(' if separators < 2 => b'(',
            _ if is_hyphen(character) && characters > 0 && separators < 2 => b'-',
            _ => break,
        };
        separators += usize::from(!byte.is_ascii_digit());
        if let Some(slot) = run.ascii.get_mut(characters) {
            *slot = byte;
        }
        characters += 1;
        at = next;
    }
    // A parenthesis that is not closed within the number surrounds more than the number.
    let kept = run.ascii.get(..run.length).unwrap_or(&run.ascii);
    let count = |wanted: u8| kept.iter().filter(|byte| **byte == wanted).count();
    let is_around = kept.first() == Some(&b'(') && count(b'(') > count(b')');
    (run.length > 0 && !is_around).then_some(run)
}

/// The kind of a run of digits and separators.
pub fn classify(text: &str, run: &Run, kinds: &[Kind]) -> Option<Kind> {
    let (number, range) = (run.number()?, &run.range);
    let is_kind = |kind: Kind| match kind {
        Kind::Email => false,
        Kind::Ip => is_public_ipv4(number) && !is_after(text, range.start, VERSION_WORDS),
        Kind::Phone => {
            is_phone(number)
                || is_mobile(number)
                || (is_phone_after_word(number) && is_after(text, range.start, PHONE_WORDS))
        }
        Kind::Card => is_card(number),
        Kind::MyNumber => is_my_number(number) && is_near(text, range, MY_NUMBER_WORDS),
    };
    [Kind::Ip, Kind::Card, Kind::MyNumber, Kind::Phone]
        .into_iter()
        .find(|kind| kinds.contains(kind) && !is_part_of_word(text, range, *kind) && is_kind(*kind))
}

/// The card number at the start of a run that continues with its date or code: `4111 1111 1111 1111
/// 12`.
pub fn card_at_start(text: &str, run: &Run, kinds: &[Kind]) -> Option<Range<usize>> {
    const MAX_SHORT_PARTS: usize = 3;
    const MAX_SHORT_DIGITS: usize = 3;
    let mut rest = Run {
        range: run.range.clone(),
        ..*run
    };
    for _ in 0..MAX_SHORT_PARTS {
        let (start, last) = text[rest.range.clone()].rsplit_once(' ')?;
        if last.len() > MAX_SHORT_DIGITS {
            return None;
        }
        rest.range.end = rest.range.start + start.len();
        rest.length = rest.length.checked_sub(last.len() + 1)?;
        if kinds.contains(&Kind::Card) && classify(text, &rest, &[Kind::Card]).is_some() {
            return Some(rest.range);
        }
    }
    None
}

/// Words before numbers of versions and sections, which look like IP addresses.
const VERSION_WORDS: &[&str] = &[
    "version",
    "versions",
    "ver",
    "v",
    "release",
    "releases",
    "rev",
    "revision",
    "build",
    "firmware",
    "driver",
    "bios",
    "kernel",
    "chrome",
    "chromium",
    "firefox",
    "windows",
    "android",
    "update",
    "upgrade",
    "patch",
    "section",
    "sections",
    "sec",
    "clause",
    "chapter",
    "table",
    "figure",
    "fig",
    "article",
    "rule",
    "paragraph",
    "para",
    "appendix",
    "annex",
    "step",
    "item",
    "§",
    "バージョン",
    "ヴァージョン",
    "版",
    "第",
    "節",
    "章",
];

/// Words before a telephone number.
const PHONE_WORDS: &[&str] = &[
    "tel",
    "telephone",
    "phone",
    "phones",
    "fax",
    "mobile",
    "call",
    "cell",
    "telefon",
    "telefono",
    "telefone",
    "teléfono",
    "téléphone",
    "tél",
    "téléfax",
    "telefax",
    "mobil",
    "móvil",
    "celular",
    "handy",
    "portable",
    "tlf",
    "тел",
    "телефон",
    "电话",
    "手机",
    "전화",
    "電話",
    "電話番号",
    "携帯",
    "携帯電話",
    "ファックス",
    "ファクス",
    "℡",
    "☎",
];

/// Words around an individual number.
const MY_NUMBER_WORDS: &[&str] = &[
    "マイナンバー",
    "個人番号",
    "共通番号",
    "my number",
    "mynumber",
    "individual number",
];

/// Returns the public IPv6 address at an offset, if there is one. All of them start with four
/// hexadecimal digits, the first of which is 2 or 3.
pub fn public_ipv6(text: &str, start: usize) -> Option<Range<usize>> {
    let bytes = &text.as_bytes()[start..];
    if bytes.get(4) != Some(&b':') || !matches!(bytes[0], b'2' | b'3') {
        return None;
    }
    let is_part = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.');
    let bytes = &bytes[..bytes.len().min(MAX_IPV6_BYTES + 1)];
    let length = bytes.iter().take_while(|byte| is_part(byte)).count();
    if length > MAX_IPV6_BYTES {
        return None;
    }
    // A colon or a period after the address belongs to the sentence.
    let address = text[start..start + length].trim_end_matches(['.', ':']);
    let whole = &text[start..start + length];
    let range = match (address.parse::<Ipv6Addr>(), whole.parse::<Ipv6Addr>()) {
        (_, Ok(_)) => start..start + whole.len(),
        (Ok(_), Err(_)) => start..start + address.len(),
        (Err(_), Err(_)) => return None,
    };
    (!is_part_of_word(text, &range, Kind::Ip)).then_some(range)
}

/// Whether a number is only a part of a word, an address or a decimal.
fn is_part_of_word(text: &str, range: &Range<usize>, kind: Kind) -> bool {
    let joins = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '=' | '%');
    let is_joined_before = match before(text, range.start) {
        Some(('=', at)) => !is_value(text, at, kind),
        Some(('/', at)) => kind != Kind::Ip || !is_end_of_scheme(text, at),
        Some((c, _)) => joins(c) || matches!(c, '.' | '-' | '#' | '&'),
        None => false,
    };
    let is_joined_after = || match after(text, range.end) {
        Some(('/', at)) => kind != Kind::Ip || !is_path(text, at),
        Some((c, _)) => joins(c),
        None => false,
    };
    is_joined_before || is_joined_after()
}

/// Whether the equals sign at an offset assigns a value to a name, as in `ip=…` and `tel=…`, but
/// not in `==…`. For telephone numbers, the name must mean a telephone, because most numbers in
/// URLs are something else.
fn is_value(text: &str, at: usize, kind: Kind) -> bool {
    let is_name = before(text, at).is_some_and(|(c, _)| c.is_alphanumeric() || c == '_');
    is_name
        && match kind {
            Kind::Ip => true,
            Kind::Phone => is_after(text, at, PHONE_WORDS),
            _ => false,
        }
}

/// Whether the slash at an offset ends `://`. Other slashes are before versions (`Chrome/1.2.3.4`).
fn is_end_of_scheme(text: &str, at: usize) -> bool {
    match before(text, at) {
        Some(('/', at)) => matches!(before(text, at), Some((':', _))),
        _ => false,
    }
}

/// Whether the text after a slash is a path or the length of a prefix (`/24`), and not another
/// version.
fn is_path(text: &str, at: usize) -> bool {
    let mut rest = text[at..]
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .chars();
    let has_digits = after(text, at).is_some_and(|(c, _)| c.is_ascii_digit());
    let is_continued = match (rest.next(), rest.next()) {
        (Some('.'), Some(c)) => c.is_ascii_digit(),
        _ => false,
    };
    !(has_digits && is_continued)
}

fn digits(text: &[u8]) -> impl DoubleEndedIterator<Item = u32> {
    text.iter()
        .filter(|byte| byte.is_ascii_digit())
        .map(|byte| u32::from(byte - b'0'))
}

fn is_public_ipv4(text: &[u8]) -> bool {
    let address = std::str::from_utf8(text)
        .ok()
        .and_then(|text| text.parse::<Ipv4Addr>().ok());
    address.is_some_and(|address| {
        let [first, second, ..] = address.octets();
        let is_shared = first == 100 && (64..128).contains(&second);
        !(address.is_private()
            || address.is_loopback()
            || address.is_link_local()
            || address.is_documentation()
            || address.is_unspecified()
            || is_shared
            || first == 0
            || first >= 224)
    })
}

/// Whether this is a card number: the first digits and length of a major issuer, in one run or in
/// the usual groups, with a valid check digit.
fn is_card(text: &[u8]) -> bool {
    if text
        .iter()
        .any(|byte| !byte.is_ascii_digit() && !matches!(byte, b' ' | b'-'))
    {
        return false;
    }
    let count = digits(text).count();
    let start = |length: usize| {
        digits(text)
            .take(length)
            .fold(0, |number, digit| number * 10 + digit)
    };
    let is_issued = match count {
        // Not 13, an old length of Visa's, because article numbers have it.
        19 => start(1) == 4,
        14 => matches!(start(3), 300..=305 | 360..=369 | 380..=389),
        15 => matches!(start(2), 34 | 37),
        16 => {
            start(1) == 4
                || matches!(start(2), 51..=55 | 62 | 65)
                || matches!(start(4), 2221..=2720 | 3528..=3589 | 6011)
        }
        _ => false,
    };
    is_issued && passes_luhn(text)
}

fn passes_luhn(text: &[u8]) -> bool {
    let sum: u32 = digits(text)
        .rev()
        .enumerate()
        .map(|(at, digit)| match (at % 2, digit * 2) {
            (0, _) => digit,
            (_, doubled) if doubled > 9 => doubled - 9,
            (_, doubled) => doubled,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Whether this is an individual number: twelve digits, in one run or in groups of four, with a
/// valid check digit.
fn is_my_number(text: &[u8]) -> bool {
    let groups = text.split(|byte| matches!(byte, b' ' | b'-'));
    let has_form = text.len() == 12
        || groups.clone().count() == 3 && groups.clone().all(|group| group.len() == 4);
    if !has_form || digits(text).count() != 12 {
        return false;
    }
    let mut reversed = digits(text).rev();
    let check = reversed.next();
    let sum: u32 = reversed
        .zip([2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6])
        .map(|(digit, weight)| digit * weight)
        .sum();
    let expected = match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    };
    check == Some(expected) && digits(text).any(|digit| digit != 0)
}

/// Whether this is a telephone number: with a country code (`+81 3-…`), with the national trunk
/// prefix 0 and separators (03-1234-5678), or in the North American form (212-555-0123, (212)
/// 555-0123).
fn is_phone(text: &[u8]) -> bool {
    let count = digits(text).count();
    if text[0] == b'+' {
        return (8..=15).contains(&count);
    }
    let groups: Vec<usize> = text
        .split(|byte| !byte.is_ascii_digit())
        .map(<[u8]>::len)
        .filter(|length| *length > 0)
        .collect();
    let first = digits(text).next();
    let is_national = first == Some(0)
        && (10..=11).contains(&count)
        && groups.len() == 3
        && !text.contains(&b'.')
        && groups[1] >= 1
        && groups[2] == 4;
    let is_american = groups == [3, 3, 4] && first.is_some_and(|digit| digit >= 2);
    is_national || is_american
}

/// Whether this is a Japanese mobile or IP telephone number without separators, such as
/// 09012345678.
fn is_mobile(text: &[u8]) -> bool {
    matches!(text, [b'0', b'5' | b'7'..=b'9', b'0', b'1'..=b'9', rest @ ..]
        if rest.len() == 7 && rest.iter().all(u8::is_ascii_digit))
}

/// Whether this may be a telephone number, given that a word before it indicates one: ten or eleven
/// digits, or a national number in any groups, such as 030 1234567 and 01.23.45.67.89.
fn is_phone_after_word(text: &[u8]) -> bool {
    let is_undivided = text.iter().all(u8::is_ascii_digit);
    if is_undivided {
        return (10..=11).contains(&text.len());
    }
    let groups = text.split(|byte| !byte.is_ascii_digit());
    let count = groups.filter(|group| !group.is_empty()).count();
    // A number with one period is a decimal.
    let may_have_periods = count >= 4;
    // With other separators in it, the part after a space is another number.
    let has_other_number = text.contains(&b' ') && text.iter().any(|b| matches!(b, b'-' | b'.'));
    digits(text).next() == Some(0)
        && !has_other_number
        && (9..=12).contains(&digits(text).count())
        && (may_have_periods || !text.contains(&b'.'))
}
