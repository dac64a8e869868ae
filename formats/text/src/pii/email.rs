//! E-mail addresses.

use std::ops::Range;

const MAX_LOCAL_BYTES: usize = 64;
const MAX_DOMAIN_BYTES: usize = 253;

/// The place of the address around an `@`.
pub fn around(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let start = local_start(bytes, at)?;
    let end = domain_end(bytes, at + 1)?;
    Some(start..end)
}

fn local_start(bytes: &[u8], at: usize) -> Option<usize> {
    let limit = at.saturating_sub(MAX_LOCAL_BYTES);
    let length = bytes[limit..at]
        .iter()
        .rev()
        .take_while(|byte| is_local(**byte))
        .count();
    let mut start = at - length;
    while start < at && !bytes[start].is_ascii_alphanumeric() {
        start += 1;
    }
    (start < at && bytes[at - 1] != b'.').then_some(start)
}

fn is_local(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte)
}

/// The end of the domain, which has at least one dot and a top level of letters.
fn domain_end(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = &bytes[start..bytes.len().min(start + MAX_DOMAIN_BYTES)];
    let length = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
        .count();
    let mut domain = &rest[..length];
    while let Some(last) = domain.last()
        && !last.is_ascii_alphanumeric()
    {
        domain = &domain[..domain.len() - 1];
    }
    let dot = memchr::memrchr(b'.', domain)?;
    let is_valid = domain.split(|byte| *byte == b'.').all(|label| {
        label.first().is_some_and(u8::is_ascii_alphanumeric)
            && label.last().is_some_and(u8::is_ascii_alphanumeric)
    });
    let top = &domain[dot + 1..];
    let is_name = top.len() >= 2 && top[0].is_ascii_alphabetic();
    (is_valid && is_name).then(|| start + domain.len())
}
