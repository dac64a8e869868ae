//! Fields with parameters: `text/plain; charset="utf-8"` (RFC 2045 and 2231).

use percent_encoding::percent_decode_str;

use super::words::{decode_bytes, decode_field};

/// Maximum number of parameters of a field. Further ones are ignored.
const MAX_PARAMETERS: usize = 100;

/// The value of a field and its parameters.
#[derive(Debug, Default)]
pub struct Params {
    /// In lower case.
    pub value: String,
    /// Names are in lower case.
    parameters: Vec<(String, String)>,
}

impl Params {
    pub fn parse(field: &str) -> Self {
        let mut rest = field;
        let (value, _) = item(&mut rest, false);
        let mut params = Self {
            value: value.to_ascii_lowercase(),
            parameters: Vec::new(),
        };
        while !rest.is_empty() && params.parameters.len() < MAX_PARAMETERS {
            let (name, has_value) = item(&mut rest, true);
            let value = if has_value {
                item(&mut rest, false).0
            } else {
                String::new()
            };
            if !name.is_empty() {
                params.parameters.push((name.to_ascii_lowercase(), value));
            }
        }
        params
    }

    /// The decoded value of a parameter. It may be split: `name*0=a; name*1*=utf-8''b`.
    pub fn get(&self, name: &str) -> Option<String> {
        let mut pieces: Vec<(usize, bool, &str)> = Vec::new();
        for (key, value) in &self.parameters {
            let Some(rest) = key.strip_prefix(name) else {
                continue;
            };
            let is_encoded = rest.ends_with('*');
            match rest.trim_matches('*') {
                "" if rest.is_empty() => {}
                "" => pieces.push((0, true, value)),
                number => pieces.extend(
                    number
                        .parse()
                        .ok()
                        .map(|at| (at, is_encoded, value.as_str())),
                ),
            }
        }
        if pieces.is_empty() {
            let value = self.parameters.iter().find(|(key, _)| key == name);
            return value.map(|(_, value)| decode_field(value));
        }
        pieces.sort_by_key(|(at, ..)| *at);
        let mut charset = None;
        let mut bytes = Vec::new();
        for (number, (_, is_encoded, value)) in pieces.into_iter().enumerate() {
            let mut value = value;
            if is_encoded
                && number == 0
                && let Some((declared, (_, text))) = value
                    .split_once('\'')
                    .and_then(|(declared, rest)| Some((declared, rest.split_once('\'')?)))
            {
                (charset, value) = (Some(declared), text);
            }
            if is_encoded {
                bytes.extend(percent_decode_str(value))
            } else {
                bytes.extend_from_slice(value.as_bytes())
            }
        }
        Some(decode_bytes(&bytes, charset))
    }
}

/// Takes the text up to the next `;`, or `=` if `is_name`, without quotes, comments and surrounding
/// white space. Also returns whether it ended with a `=`.
fn item(rest: &mut &str, is_name: bool) -> (String, bool) {
    let mut out = String::new();
    let mut characters = rest.char_indices();
    let mut ended_by = None;
    let (mut is_quoted, mut comments) = (false, 0_usize);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if is_quoted => out.extend(characters.next().map(|(_, escaped)| escaped)),
            '"' if comments == 0 => is_quoted = !is_quoted,
            '\r' | '\n' => {}
            _ if is_quoted => out.push(character),
            // Some programs write file names with parentheses without quotes.
            '(' if comments > 0 || out.is_empty() || out.ends_with(' ') => comments += 1,
            ')' if comments > 0 => comments -= 1,
            _ if comments > 0 => {}
            ';' => {
                ended_by = Some((at, ';'));
                break;
            }
            '=' if is_name => {
                ended_by = Some((at, '='));
                break;
            }
            character => out.push(character),
        }
    }
    *rest = match ended_by {
        Some((at, _)) => rest.get(at + 1..).unwrap_or_default(),
        None => "",
    };
    (out.trim().to_owned(), matches!(ended_by, Some((_, '='))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded() {
        for (field, expected) in [
            ("a/b; name=x.pdf", "x.pdf"),
            ("a/b;Name = \"x; y\\\".pdf\" ; z", "x; y\".pdf"),
            ("a/b (c; name=d); name=x(1).pdf (e)", "x(1).pdf"),
            ("a/b; name==?utf-8?Q?=C3=BC?=", "ü"),
            ("a/b; name*=utf-8'de'%C3%BC.pdf", "ü.pdf"),
            (
                "a/b; name*1=\"b\"; name*0*=iso-8859-1''%FC; name*2*=%E9",
                "übé",
            ),
            ("a/b; name*=plain", "plain"),
            ("a/b; name=old; name*=utf-8''new", "new"),
            ("a/b;\r\n name=\"lo\r\n ng\"", "lo ng"),
        ] {
            let params = Params::parse(field);
            assert_eq!(params.value, "a/b");
            assert_eq!(params.get("name").as_deref(), Some(expected), "{field}");
            assert_eq!(params.get("nam"), None);
        }
    }

    #[test]
    fn odd_fields_do_no_harm() {
        for field in ["", ";", "=", ";=;=", "\"", "(", "a\\", "a;b", "a;\"b"] {
            assert_eq!(Params::parse(field).get("name"), None);
        }
        let many = format!("a/b{}", ";name=x".repeat(100_000));
        assert_eq!(Params::parse(&many).parameters.len(), MAX_PARAMETERS);
    }
}
