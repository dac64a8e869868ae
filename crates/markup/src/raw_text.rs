//! Finds the end of text without markup: the content of script, style, title and the like.

use memchr::{memchr, memchr2};

use super::bytes::{ENDS_NAME, is};
use corpus_bytes::step_counter::count_steps;

/// The position of `</name`, or the end of the page.
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

/// The position of `</script`, or the end of the page. Inside a comment, `<script` requires a
/// separate end tag (the state "script data double escaped" of the standard).
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
                // The dashes of `<!--` may also be those of `-->`, but earlier dashes may not.
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

/// Whether the position is inside a comment, and inside a script in this comment. `dashes` is the
/// position of the comment's first dash.
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
