//! The secret that all processes of a cluster share.

use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use log::warn;
use subtle::ConstantTimeEq;

/// The minimum length. Shorter tokens can be guessed.
const MIN_CHARACTERS: usize = 16;

/// The maximum length. A header has a limited size.
const MAX_CHARACTERS: usize = 1024;

/// A secret text. Its debug format does not show it.
#[derive(Clone)]
pub struct Token(Arc<str>);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    /// Reads a file with a token. Space around it does not count.
    pub fn read(path: &Path) -> Result<Self, String> {
        let name = path.display();
        let text = fs::read_to_string(path);
        let text = text.map_err(|error| format!("cannot read the token in '{name}': {error}"))?;
        warn_if_exposed(path);
        Self::new(&text, &format!("'{name}'"))
    }

    /// `place` names the source of the text in errors.
    pub fn new(text: &str, place: &str) -> Result<Self, String> {
        let text = text.trim();
        let length = text.len();
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(format!(
                "the token in {place} has spaces, or characters beyond ASCII: make one with \
                 'openssl rand -hex 32'"
            ));
        }
        if !(MIN_CHARACTERS..=MAX_CHARACTERS).contains(&length) {
            return Err(format!(
                "the token in {place} has {length} characters, expected {MIN_CHARACTERS} to \
                 {MAX_CHARACTERS}: make one with 'openssl rand -hex 32'"
            ));
        }
        Ok(Self(text.into()))
    }

    /// The secret itself, for the header of requests.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is this token. The time does not depend on the place of a difference.
    pub fn is(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }
}

/// Warns of a secret file that every user of the machine can read.
pub fn warn_if_exposed(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;

        const WORLD_READABLE: u32 = 0o004;

        if fs::metadata(path).is_ok_and(|metadata| metadata.mode() & WORLD_READABLE != 0) {
            let name = path.display();
            warn!("other users of this machine can read '{name}': run chmod 600 '{name}'");
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_debug_format_shows_no_token() {
        let token = Token::new("0123456789abcdef", "a test").unwrap();
        assert_eq!(format!("{token:?}"), "Token");
    }

    #[test]
    fn errors_do_not_quote_tokens() {
        for (text, expected) in [
            ("short", "5 characters"),
            ("0123456789abcdef 0", "has spaces"),
            ("0123456789abcdefé", "beyond ASCII"),
            ("", "0 characters"),
        ] {
            let error = Token::new(text, "'token'").unwrap_err();
            assert!(error.contains(expected), "{error}");
            assert!(text.is_empty() || !error.contains(text), "{error}");
        }
    }
}
