//! Removes session ids from URLs, by hand and in linear time. Python's `surt` uses equivalent
//! regular expressions.

/// Removes path parts such as `/(S(24 letters and digits))/` and `/(24 letters and digits)/` before
/// a name with `.aspx`.
pub fn strip_from_path(path: Vec<u8>) -> Vec<u8> {
    let path = strip_path_part(path, lettered_part);
    strip_path_part(path, plain_part)
}

const ID_LENGTH: usize = 24;

/// `((?:[a-z]\([0-9a-z]{24}\))+\)/`, after the slash.
fn lettered_part(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    bytes.strip_prefix(b"(")?;
    loop {
        let group = bytes.get(at..)?;
        let is_group = matches!(group, [letter, b'(', ..] if letter.is_ascii_alphabetic())
            && all(group.get(2..2 + ID_LENGTH)?, u8::is_ascii_alphanumeric)
            && group.get(2 + ID_LENGTH) == Some(&b')');
        if !is_group {
            break;
        }
        at += ID_LENGTH + 3;
    }
    (at > 1 && bytes[at..].starts_with(b")/")).then_some(at + 2)
}

/// `\([0-9a-z]{24}\)/`, after the slash.
fn plain_part(bytes: &[u8]) -> Option<usize> {
    bytes.strip_prefix(b"(")?;
    let is_part = all(bytes.get(1..=ID_LENGTH)?, u8::is_ascii_alphanumeric)
        && bytes.get(ID_LENGTH + 1..ID_LENGTH + 3) == Some(b")/");
    is_part.then_some(ID_LENGTH + 3)
}

fn all(bytes: &[u8], is_fit: impl Fn(&u8) -> bool) -> bool {
    bytes.iter().all(is_fit)
}

/// Removes the last part that `[^?]+\.aspx` follows.
fn strip_path_part(mut path: Vec<u8>, part: impl Fn(&[u8]) -> Option<usize>) -> Vec<u8> {
    // The nearest two `.aspx` and the nearest `?` after the current position.
    let (mut aspx, mut question) = ([path.len(); 2], path.len());
    for at in (0..path.len()).rev() {
        match path[at] {
            b'.' if has_aspx(&path[at..]) => aspx = [at, aspx[0]],
            b'?' => question = at,
            b'/' => {
                let Some(length) = part(&path[at + 1..]) else {
                    continue;
                };
                let rest = at + 1 + length;
                let name_end = if aspx[0] > rest { aspx[0] } else { aspx[1] };
                if name_end < path.len() && name_end <= question {
                    path.drain(at + 1..rest);
                    return path;
                }
            }
            _ => {}
        }
    }
    path
}

fn has_aspx(bytes: &[u8]) -> bool {
    bytes
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case(b".aspx"))
}

type Matcher = fn(&[u8], usize) -> Option<usize>;

/// Removes the last occurrence of `jsessionid`, `phpsessid`, `sid`, `aspsessionid…` and `cfid` with
/// `cftoken`, also within a longer name.
pub fn strip_from_query(mut query: Vec<u8>) -> Vec<u8> {
    const MATCHERS: [Matcher; 5] = [
        |bytes, _| named_id(bytes, b"jsessionid="),
        |bytes, _| named_id(bytes, b"phpsessid="),
        |bytes, _| named_id(bytes, b"sid="),
        |bytes, _| asp(bytes),
        cold_fusion,
    ];
    for matcher in MATCHERS {
        strip_last(&mut query, matcher);
    }
    query
}

/// Removes the last match that ends at a `&` (which goes with it) or with the query.
fn strip_last(query: &mut Vec<u8>, matcher: Matcher) {
    // Knowing the distance to the next `&` avoids a search at every position.
    let mut to_ampersand = 0;
    for at in (0..query.len()).rev() {
        to_ampersand = if query[at] == b'&' {
            0
        } else {
            to_ampersand + 1
        };
        let Some(length) = matcher(&query[at..], to_ampersand) else {
            continue;
        };
        let end = at + length;
        if end == query.len() {
            return query.truncate(at);
        }
        if query[end] == b'&' {
            query.drain(at..=end);
            return;
        }
    }
}

fn begins(bytes: &[u8], word: &[u8]) -> bool {
    bytes
        .get(..word.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// The name and 32 letters and digits.
fn named_id(bytes: &[u8], name: &[u8]) -> Option<usize> {
    let end = name.len() + 32;
    let is_match =
        begins(bytes, name) && all(bytes.get(name.len()..end)?, u8::is_ascii_alphanumeric);
    is_match.then_some(end)
}

/// `ASPSESSIONID[a-zA-Z]{8}=[a-zA-Z]{24}`
fn asp(bytes: &[u8]) -> Option<usize> {
    let is_match = begins(bytes, b"aspsessionid")
        && all(bytes.get(12..20)?, u8::is_ascii_alphabetic)
        && bytes.get(20) == Some(&b'=')
        && all(bytes.get(21..45)?, u8::is_ascii_alphabetic);
    is_match.then_some(45)
}

/// `cfid=[^&]+&cftoken=[^&]+`
fn cold_fusion(bytes: &[u8], to_ampersand: usize) -> Option<usize> {
    const FIRST: &[u8] = b"cfid=";
    const SECOND: &[u8] = b"&cftoken=";
    if !begins(bytes, FIRST) || to_ampersand <= FIRST.len() {
        return None;
    }
    let rest = bytes.get(to_ampersand..)?;
    if !begins(rest, SECOND) {
        return None;
    }
    let token = &rest[SECOND.len()..];
    let length = memchr::memchr(b'&', token).unwrap_or(token.len());
    (length > 0).then_some(to_ampersand + SECOND.len() + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let id = "0123456789abcdefghijklmn";
        let strip = |path: &str| String::from_utf8(strip_from_path(path.into())).unwrap();
        assert_eq!(strip(&format!("/a/(S({id}))/b.aspx")), "/a/b.aspx");
        assert_eq!(strip(&format!("/(a({id})b({id}))/b.ASPX?x")), "/b.ASPX?x");
        assert_eq!(strip(&format!("/({id})/b.aspx")), "/b.aspx");
        assert_eq!(strip(&format!("/({id})/.aspx.aspx")), "/.aspx.aspx");
        for kept in [
            format!("/({id})/b.asp"),
            format!("/({id})/.aspx"),
            format!("/({id})/b?.aspx"),
            format!("/({id}/b.aspx"),
            format!("/(S({id})/b.aspx"),
        ] {
            assert_eq!(strip(&kept), kept);
        }
    }

    #[test]
    fn queries() {
        let id = "0123456789abcdef0123456789ABCDEF";
        let strip = |query: &str| String::from_utf8(strip_from_query(query.into())).unwrap();
        assert_eq!(strip(&format!("a=1&jsessionid={id}")), "a=1&");
        assert_eq!(strip(&format!("PHPSESSID={id}&b=2")), "b=2");
        assert_eq!(strip(&format!("xsid={id}&")), "x");
        assert_eq!(strip(&format!("sid={id}0")), format!("sid={id}0"));
        assert_eq!(
            strip(&format!("sid={id}&sid={id}&a")),
            format!("sid={id}&a")
        );
        assert_eq!(
            strip("ASPSESSIONIDABCDEFGH=ABCDEFGHIJKLMNOPQRSTUVWX&a"),
            "a"
        );
        assert_eq!(strip("a&cfid=1&CFTOKEN=2&b"), "a&b");
        assert_eq!(strip("cfid=&cftoken=2"), "cfid=&cftoken=2");
        assert_eq!(strip("cfid=1&cftoken="), "cfid=1&cftoken=");
    }

    #[test]
    fn hostile_queries_only_lose_bytes() {
        for piece in [
            "cfid=",
            "cfid=1&cftoken=",
            "sid=",
            "/(0123456789abcdefghijklmn)/",
            ".aspx",
        ] {
            let text = piece.repeat(200_000).into_bytes();
            let length = text.len();
            assert!(strip_from_query(text.clone()).len() <= length, "{piece}");
            assert!(strip_from_path(text).len() <= length, "{piece}");
        }
    }
}
