//! Where text ends that has no markup in it: the content of script, style, title, …

use memchr::{memchr, memchr2};

use super::bytes::{ENDS_NAME, is};
use corpus_bytes::work::count_steps;

/// Where `</name` stands, or the end.
pub(super) fn end_of_text(bytes: &[u8], start: usize, name: &str) -> usize {
    let mut at = start;
    while let Some(skipped) = memchr(b'<', bytes.get(at..).unwrap_or_default()) {
        at += skipped;
        count_steps(skipped + 1);
        if is_end_tag(bytes, at, name) {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// Where `</script` stands, or the end. What is in a comment and begins with `<script` needs an
/// end tag of its own ("script data double escaped").
pub(super) fn end_of_script(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    let mut escape = Escape::None;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let found = match escape {
            Escape::None => memchr(b'<', rest),
            _ => memchr2(b'<', b'>', rest),
        };
        let Some(skipped) = found else {
            return bytes.len();
        };
        at += skipped;
        count_steps(skipped + 1);
        let rest = bytes.get(at..).unwrap_or_default();
        match escape {
            Escape::Once { dashes } | Escape::Twice { dashes } if rest.starts_with(b">") => {
                // The dashes of `<!--` are those of `-->`, too, but no dash before them is.
                let before = bytes.get(dashes..at).unwrap_or_default();
                if before.ends_with(b"--") {
                    escape = Escape::None;
                }
            }
            Escape::None if rest.starts_with(b"<!--") => {
                escape = Escape::Once { dashes: at + 2 };
                at += 3;
            }
            Escape::Twice { dashes } if is_end_tag(bytes, at, "script") => {
                escape = Escape::Once { dashes };
            }
            Escape::Twice { .. } => {}
            _ if is_end_tag(bytes, at, "script") => return at,
            Escape::Once { dashes } if is_tag(rest.get(1..), "script") => {
                escape = Escape::Twice { dashes };
            }
            _ => {}
        }
        at += 1;
    }
}

/// Is a script in a comment, and in a script in it? The dashes of a comment's end stand behind
/// where its own begin.
#[derive(Clone, Copy)]
enum Escape {
    None,
    Once { dashes: usize },
    Twice { dashes: usize },
}

fn is_end_tag(bytes: &[u8], at: usize, name: &str) -> bool {
    bytes.get(at + 1) == Some(&b'/') && is_tag(bytes.get(at + 2..), name)
}

fn is_tag(rest: Option<&[u8]>, name: &str) -> bool {
    let rest = rest.unwrap_or_default();
    rest.get(..name.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
        && rest
            .get(name.len())
            .is_some_and(|&byte| is(byte, ENDS_NAME))
}
