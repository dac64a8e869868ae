//! The request header that identifies a caller by its version and token. Ballista lets a client
//! choose one header of its requests: the user agent.

use std::fmt;

use super::token::Token;
use crate::cluster::version::{ADVICE, VERSION};

/// Precedes the version in the header. Earlier versions of this program have the token next.
const PRODUCT: &str = "corpus-sql";

/// The end of a version.
const VERSION_END: char = ')';

/// The maximum length of a version that is cited.
const MAX_VERSION_BYTES: usize = 40;

/// The placeholder for the token of a process without one.
const NO_TOKEN: &str = "-";

/// The header of this process.
pub fn user_agent(token: Option<&Token>) -> String {
    header(&VERSION, token.map_or(NO_TOKEN, Token::text))
}

fn header(version: &str, token: &str) -> String {
    format!("{PRODUCT}/{version} {token}")
}

/// Checks the header of a caller. Without a token, each process of this version may call.
pub fn check(user_agent: &str, token: Option<&Token>) -> Result<(), Refusal> {
    let product = user_agent.strip_prefix(PRODUCT);
    let versioned = product.and_then(|rest| rest.strip_prefix('/'));
    let parts = versioned.and_then(|rest| Some(rest.split_at(rest.find(VERSION_END)? + 1)));
    let parts = parts.filter(|(version, _)| version.len() <= MAX_VERSION_BYTES);
    let Some((version, rest)) = parts else {
        return Err(match (product, token) {
            (None, Some(_)) => Refusal::NoToken,
            _ => Refusal::OtherVersion("another version".to_owned()),
        });
    };
    if let Some(token) = token {
        match rest.split(' ').nth(1) {
            None | Some(NO_TOKEN) => return Err(Refusal::NoToken),
            Some(given) if !token.is(given) => return Err(Refusal::WrongToken),
            Some(_) => {}
        }
    }
    if version == *VERSION {
        Ok(())
    } else {
        Err(Refusal::OtherVersion(version.to_owned()))
    }
}

/// The reason why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    NoToken,
    WrongToken,
    /// The version of the caller.
    OtherVersion(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoToken => f.write_str("the cluster needs its token: add --token-file"),
            Self::WrongToken => f.write_str("the token is not that of the cluster"),
            Self::OtherVersion(version) => write!(
                f,
                "it is corpus-sql {}, but its caller is {version}: {ADVICE}",
                *VERSION
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "0123456789abcdef";

    /// A header as the HTTP/2 library sends it.
    fn sent(header: &str) -> String {
        format!("{header} tonic/0.14")
    }

    fn token() -> Token {
        Token::new(&format!(" {TEXT}\n"), "a test").unwrap()
    }

    #[test]
    fn only_the_same_token_passes() {
        let token = token();
        let check = |agent: &str| check(agent, Some(&token));
        assert_eq!(check(&sent(&user_agent(Some(&token)))), Ok(()));
        for wrong in [
            "0123456789abcdeX",
            "0123456789abcde",
            "0123456789abcdef0",
            "",
        ] {
            let agent = sent(&header(&VERSION, wrong));
            assert_eq!(check(&agent), Err(Refusal::WrongToken), "{wrong}");
        }
        for missing in ["", "tonic/0.14", TEXT, &sent(&user_agent(None))] {
            assert_eq!(check(missing), Err(Refusal::NoToken), "{missing}");
        }
    }

    #[test]
    fn only_the_same_version_passes() {
        assert_eq!(check(&sent(&user_agent(None)), None), Ok(()));
        assert_eq!(check(&sent(&user_agent(Some(&token()))), None), Ok(()));
        let other = "0.0.1 (revision 0)";
        for token in [None, Some(&token())] {
            let agent = header(other, token.map_or(NO_TOKEN, Token::text));
            let refusal = check(&sent(&agent), token).unwrap_err();
            assert_eq!(refusal, Refusal::OtherVersion(other.to_owned()));
            let text = refusal.to_string();
            assert!(
                text.contains(other) && text.contains(VERSION.as_str()),
                "{text}"
            );
            // Earlier versions, and what they send without a token.
            for earlier in [format!("corpus-sql {TEXT}"), "corpus-sql/1".to_owned()] {
                let refusal = check(&sent(&earlier), token).unwrap_err();
                assert!(matches!(refusal, Refusal::OtherVersion(_)), "{earlier}");
            }
        }
        assert!(check("tonic/0.14", None).is_err());
    }
}
