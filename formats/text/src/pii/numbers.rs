//! Numbers that identify: IP addresses, telephone and card numbers, individual numbers.

use std::net::Ipv4Addr;
use std::ops::Range;

use super::Kind;

/// Longer runs of digits and separators are data, not one number.
const MAX_NUMBER_BYTES: usize = 40;

/// The end of the run of digits and separators that starts at `start`. It ends with a digit, if it
/// has one.
pub fn end(bytes: &[u8], start: usize) -> usize {
    let mut end = start + 1;
    let mut separators = usize::from(!bytes[start].is_ascii_digit());
    for (at, byte) in (start + 1..).zip(&bytes[start + 1..]) {
        match byte {
            b'0'..=b'9' => {
                end = at + 1;
                separators = 0;
            }
            b' ' | b'-' | b'.' | b'(' | b')' if separators < 2 => separators += 1,
            _ => break,
        }
    }
    end
}

/// What a run of digits and separators is.
pub fn classify(bytes: &[u8], place: Range<usize>, kinds: &[Kind]) -> Option<(Kind, Range<usize>)> {
    let text = &bytes[place.clone()];
    if text.len() > MAX_NUMBER_BYTES || is_part_of_word(bytes, &place) {
        return None;
    }
    let is_kind = |kind: Kind| match kind {
        Kind::Email => false,
        Kind::Ip => is_public_ip(text),
        Kind::Phone => is_phone(text),
        Kind::Card => is_card(text),
        Kind::MyNumber => is_my_number(text),
    };
    [Kind::Ip, Kind::Card, Kind::MyNumber, Kind::Phone]
        .into_iter()
        .find(|kind| kinds.contains(kind) && is_kind(*kind))
        .map(|kind| (kind, place))
}

/// Numbers inside of words, addresses and decimals are something else.
fn is_part_of_word(bytes: &[u8], place: &Range<usize>) -> bool {
    let before = place.start.checked_sub(1).map(|at| bytes[at]);
    let after = bytes.get(place.end);
    let joins =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/' | b'=' | b'%');
    before.is_some_and(|byte| joins(byte) || matches!(byte, b'.' | b'-' | b'#' | b'&'))
        || after.is_some_and(|byte| joins(*byte))
}

fn digits(text: &[u8]) -> impl DoubleEndedIterator<Item = u32> {
    text.iter()
        .filter(|byte| byte.is_ascii_digit())
        .map(|byte| u32::from(byte - b'0'))
}

fn is_public_ip(text: &[u8]) -> bool {
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

/// Major issuers by their first digits and lengths, in one run or in usual groups, with a valid
/// check digit.
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
        13 | 19 => start(1) == 4,
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

/// Twelve digits, in one run or in groups of four, with a valid check digit.
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

/// A number with a country code (`+81 3-…`), or a national one with its trunk prefix 0 and
/// separators (03-1234-5678), or one in the North American form (212-555-0123, (212) 555-0123).
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
