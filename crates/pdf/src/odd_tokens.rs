//! Replaces tokens in dictionaries that hayro cannot parse, such as `nan`, `1e5`, `1.2.3` or
//! `12abc`, and removes last keys without a value.
//!
//! Because of one such token, hayro loses the whole dictionary, and with it a page or a font.
//! Viewers continue with the next entry. A replacement has the length of the token, so that all
//! offsets remain valid.

use memchr::memmem;

/// Maximum length of a number with an exponent that is evaluated. Of longer numbers, only the
/// leading digits are kept.
const MAX_EXPONENT_TOKEN_BYTES: usize = 32;

/// The odd tokens found in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OddTokens {
    pub odd_tokens: bool,
    /// Whether there are object streams. If the scan had to stop early, this and `brotli` are true.
    pub object_streams: bool,
    pub brotli: bool,
}

/// Repairs the tokens outside of streams.
pub fn repair(data: &mut [u8]) -> OddTokens {
    let mut found = OddTokens::default();
    let mut odd = Vec::new();
    let mut outer = Vec::new();
    let mut at = 0;
    let ends = memmem::Finder::new(END_OF_STREAM);
    while let Some(start) = dictionary_after(data, at) {
        let before = odd.len();
        outer.clear();
        let mut scanner = Scanner {
            data,
            at: start,
            length_at: None,
            found: &mut found,
            odd: &mut odd,
            outer: &mut outer,
        };
        match scanner.dictionary() {
            End::Closed => at = skip_stream(data, scanner.at, scanner.length_at, &ends),
            End::Broken => {
                at = scanner.at;
                odd.truncate(before);
            }
            End::Missing => {
                odd.truncate(before);
                found.object_streams = true;
                found.brotli = true;
                break;
            }
        }
    }
    found.odd_tokens = !odd.is_empty();
    for &(start, end) in &odd {
        if let Some(token) = data.get_mut(start..end) {
            replace(token);
        }
    }
    found
}

/// How a dictionary ends.
enum End {
    Closed,
    /// The object or the file continues with something else before the dictionary is closed.
    Broken,
    /// The file ends before the dictionary is closed.
    Missing,
}

struct Scanner<'d> {
    data: &'d [u8],
    at: usize,
    /// The offset after `/Length` in the outermost dictionary.
    length_at: Option<usize>,
    found: &'d mut OddTokens,
    /// The ranges of the odd tokens.
    odd: &'d mut Vec<(usize, usize)>,
    /// The dictionaries around the innermost open one.
    outer: &'d mut Vec<Level>,
}

/// An open dictionary.
#[derive(Default)]
struct Level {
    /// The number of open arrays in it.
    arrays: u32,
    /// The range of the latest key, until its value follows.
    key: Option<(usize, usize)>,
}

impl Level {
    /// Handles a name: a key, the value of the key before it, or an array item.
    fn add_name(&mut self, start: usize, end: usize) {
        if self.arrays == 0 {
            self.key = match self.key {
                Some(_) => None,
                None => Some((start, end)),
            };
        }
    }
}

impl Scanner<'_> {
    /// Scans a dictionary from `<<` to the end of the matching `>>`.
    fn dictionary(&mut self) -> End {
        let mut level = Level::default();
        loop {
            let Some(&byte) = self.data.get(self.at) else {
                return End::Missing;
            };
            match CLASSES[usize::from(byte)] {
                Class::Space => self.at += 1,
                Class::Regular => {
                    level.key = None;
                    let start = self.at;
                    if self.skip_digits() {
                        continue;
                    }
                    self.skip_regular();
                    let token = &self.data[start..self.at];
                    if matches!(token, b"endobj" | b"stream" | b"endstream" | b"obj") {
                        return End::Broken;
                    }
                    if is_odd(token) {
                        self.odd.push((start, self.at));
                    }
                }
                Class::Delimiter => match byte {
                    b'/' => {
                        let start = self.at;
                        self.at += 1;
                        self.skip_regular();
                        level.add_name(start, self.at);
                        match &self.data[start..self.at] {
                            b"/Length" if self.outer.len() == 1 => self.length_at = Some(self.at),
                            b"/ObjStm" => self.found.object_streams = true,
                            b"/BrotliDecode" => self.found.brotli = true,
                            _ => {}
                        }
                    }
                    b'(' => {
                        level.key = None;
                        if !self.skip_string() {
                            return End::Missing;
                        }
                    }
                    b'%' => {
                        let rest = &self.data[self.at..];
                        self.at += memchr::memchr2(b'\r', b'\n', rest).unwrap_or(rest.len());
                    }
                    b'<' if self.data.get(self.at + 1) == Some(&b'<') => {
                        self.at += 2;
                        level.key = None;
                        self.outer.push(std::mem::take(&mut level));
                    }
                    b'<' => {
                        level.key = None;
                        match memchr::memchr(b'>', &self.data[self.at..]) {
                            Some(end) => self.at += end + 1,
                            None => return End::Missing,
                        }
                    }
                    b'>' if self.data.get(self.at + 1) == Some(&b'>') => {
                        self.at += 2;
                        self.odd.extend(level.key);
                        level = self.outer.pop().unwrap_or_default();
                        if self.outer.is_empty() {
                            return End::Closed;
                        }
                    }
                    b'[' | b']' => {
                        self.at += 1;
                        level.key = None;
                        level.arrays = match byte {
                            b'[' => level.arrays.saturating_add(1),
                            _ => level.arrays.saturating_sub(1),
                        };
                    }
                    // A brace or a stray closing delimiter, with the characters attached to it.
                    _ => {
                        let start = self.at;
                        self.at += 1;
                        self.skip_regular();
                        level.key = None;
                        self.odd.push((start, self.at));
                    }
                },
            }
        }
    }

    /// Skips a token that consists of digits, as most do. Returns whether it skipped one.
    fn skip_digits(&mut self) -> bool {
        let rest = &self.data[self.at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_whole = rest
            .get(digits)
            .is_some_and(|byte| CLASSES[usize::from(*byte)] != Class::Regular);
        if digits > 0 && is_whole {
            self.at += digits;
        }
        digits > 0 && is_whole
    }

    fn skip_regular(&mut self) {
        let rest = &self.data[self.at..];
        let is_end = |byte: &u8| CLASSES[usize::from(*byte)] != Class::Regular;
        self.at += rest.iter().position(is_end).unwrap_or(rest.len());
    }

    fn skip_string(&mut self) -> bool {
        let mut depth = 0_usize;
        while let Some(&byte) = self.data.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }
}

const END_OF_STREAM: &[u8] = b"endstream";

/// The start of the next dictionary.
fn dictionary_after(data: &[u8], at: usize) -> Option<usize> {
    let rest = data.get(at..)?;
    let mut starts = memchr::memchr_iter(b'<', rest);
    let start = starts.find(|start| rest.get(start + 1) == Some(&b'<'))?;
    Some(at + start)
}

/// The offset after the stream of a dictionary that ends at `end`; `end` if it has no stream.
fn skip_stream(
    data: &[u8],
    end: usize,
    length_at: Option<usize>,
    ends: &memmem::Finder<'_>,
) -> usize {
    const KEYWORD: &[u8] = b"stream";
    let rest = data.get(end..).unwrap_or_default();
    let content = rest.trim_ascii_start();
    if !content.starts_with(KEYWORD) {
        return end;
    }
    let content_at = end + (rest.len() - content.len()) + KEYWORD.len();
    let after_length = length_at
        .and_then(|at| length(data.get(at..)?))
        .and_then(|length| content_at.checked_add(length))
        .filter(|at| {
            // A newline before the content, and perhaps one after it.
            let after = data.get(*at..).unwrap_or_default();
            let after = after.get(..END_OF_STREAM.len() + 4).unwrap_or(after);
            ends.find(after).is_some()
        });
    after_length.unwrap_or_else(|| {
        let content = data.get(content_at..).unwrap_or_default();
        let found = ends.find(content);
        found.map_or(data.len(), |at| content_at + at + END_OF_STREAM.len())
    })
}

/// The value of `/Length`, if it is a direct number.
fn length(value: &[u8]) -> Option<usize> {
    let value = value.trim_ascii_start();
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit());
    let number = str::from_utf8(value.get(..digits.count())?).ok()?;
    let after = value.get(number.len()..)?.trim_ascii_start();
    // A reference also starts with a number.
    (!after.first().is_some_and(u8::is_ascii_digit)).then(|| number.parse().ok())?
}

/// Whether hayro parses the token neither as a number nor as a keyword. It parses most words as
/// `null`.
fn is_odd(token: &[u8]) -> bool {
    match token {
        [b'n' | b't' | b'f', ..] => !matches!(token, b"null" | b"true" | b"false"),
        [b'+' | b'-' | b'.' | b'0'..=b'9', ..] => !is_number(token),
        _ => false,
    }
}

/// Whether hayro parses a token as a number: it tolerates stray minus signs.
fn is_number(token: &[u8]) -> bool {
    let unsigned = match token {
        [b'+' | b'-'] => return false,
        [b'+' | b'-', unsigned @ ..] => unsigned,
        _ => token,
    };
    let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
    let whole = unsigned.iter().take_while(|byte| is_part(byte)).count();
    match unsigned.get(whole..) {
        Some([]) => true,
        Some([b'.', fraction @ ..]) => fraction.iter().all(is_part),
        _ => false,
    }
}

/// Replaces a token with what viewers read: a number with its value or its leading digits (0 if
/// there are none), and any other word with one that hayro reads as `null`. A key is blanked.
fn replace(token: &mut [u8]) {
    if let [b'/', ..] = token {
        token.fill(b' ');
        return;
    }
    let text = String::from_utf8_lossy(token).to_ascii_lowercase();
    let number = match token.first() {
        _ if text.trim_start_matches(['+', '-']).starts_with("nan") => Some("0".to_owned()),
        Some(b'+' | b'-' | b'.' | b'0'..=b'9') => Some(number(&text, token.len())),
        Some(b'n' | b't' | b'f') => None,
        // A stray delimiter. 0 is the safest value for an entry.
        _ => Some("0".to_owned()),
    };
    match number {
        Some(number) => {
            let digits = number.bytes().chain(std::iter::repeat(b' '));
            token
                .iter_mut()
                .zip(digits)
                .for_each(|(byte, new)| *byte = new);
        }
        None => {
            if let Some(first) = token.first_mut() {
                *first = b'?';
            }
        }
    }
}

/// The value of a token in at most `length` characters. If only an exponent makes it odd, the
/// exponent is evaluated as far as the value fits; otherwise the leading number is kept.
fn number(token: &str, length: usize) -> String {
    let has_exponent = token.contains('e') && token.len() <= MAX_EXPONENT_TOKEN_BYTES;
    let value = token.parse::<f64>().ok().filter(|value| value.is_finite());
    if let Some(value) = value.filter(|_| has_exponent) {
        let mut written = value.to_string();
        let whole = written.find('.').unwrap_or(written.len());
        if whole > length {
            // The largest number that fits is closest to the value.
            let sign = if value < 0.0 { "-" } else { "" };
            return format!("{sign}{}", "9".repeat(length - sign.len()));
        }
        written.truncate(length);
        return written;
    }
    let mut has_point = false;
    let mut is_part = |(at, c): (usize, char)| match c {
        '0'..='9' => true,
        '+' | '-' => at == 0,
        '.' => !std::mem::replace(&mut has_point, true),
        _ => false,
    };
    let end = token.char_indices().find(|part| !is_part(*part));
    let start = token
        .get(..end.map_or(token.len(), |(at, _)| at))
        .unwrap_or_default();
    let has_digit = start.bytes().any(|byte| byte.is_ascii_digit());
    if has_digit { start } else { "0" }.to_owned()
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Space,
    Delimiter,
    Regular,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Regular; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            0 | b'\t' | b'\n' | 0x0c | b'\r' | b' ' => Class::Space,
            b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%' => Class::Delimiter,
            _ => Class::Regular,
        };
        byte += 1;
    }
    classes
};

#[cfg(test)]
mod tests {
    use super::repair;

    fn repaired(text: &str) -> String {
        let mut data = text.as_bytes().to_vec();
        repair(&mut data);
        assert_eq!(data.len(), text.len());
        String::from_utf8(data).unwrap()
    }

    #[test]
    fn odd_tokens_are_replaced_by_what_viewers_read() {
        for (odd, plain) in [
            ("nan", "0  "),
            ("-NaN", "0   "),
            ("1.2.3", "1.2  "),
            ("12abc", "12   "),
            ("612pt", "612  "),
            ("1,5", "1  "),
            ("6.12e2", "612   "),
            ("2.5e-05", "0.00002"),
            ("1e5", "999"),
            ("-1e5", "-999"),
            ("-1e9999999", "-1        "),
            ("+", "0"),
            ("+inf", "0   "),
            ("-x", "0 "),
            ("truth", "?ruth"),
            ("nul", "?ul"),
            ("}", "0"),
            (")", "0"),
        ] {
            let file = |token: &str| {
                format!("1 0 obj << /A [1 {token} 2] /B {token} /C << /D {token} >> >>")
            };
            assert_eq!(repaired(&file(odd)), file(plain), "{odd}");
        }
    }

    #[test]
    fn a_last_key_without_a_value_is_blanked() {
        for (odd, plain) in [
            ("<< /A 1 /B >>", "<< /A 1    >>"),
            ("<< /A /B /C>>", "<< /A /B   >>"),
            (
                "<< /A << /B >> /C [/D << /E /F /G >> /H] /I >>",
                "<< /A <<    >> /C [/D << /E /F    >> /H]    >>",
            ),
            ("<< /A % /B\n /B % /C\n >>", "<< /A % /B\n /B % /C\n >>"),
            ("<< /A (b) /B % c\n >>", "<< /A (b)    % c\n >>"),
            ("<< /A>> stream", "<<   >> stream"),
        ] {
            assert_eq!(repaired(odd), plain);
        }
    }

    #[test]
    fn other_tokens_stay() {
        for text in [
            "<< /A 1 /B -1.5 /C .5 /D +3. /E 4-5 /F true /G null /H 3 0 R /1e5 /nan >>",
            "<< /A (1e5 nan \\( ) /B <1e5f> /C ((1.2.3)) % 12abc\n /D 1 >>",
            "12abc nan 1e5 [1.2.3]",
            "<< /Length 20 >> stream\n<< /A 1e5 >> endstream\nendstream",
            "<< /Length 20 /Length1 9 >> stream\n<< /A 1e5 >> endstream\nendstream",
            "<< /Length 9 0 R >>\nstream\n<< /A 1e5 >>\nendstream",
            "<< /A 1e5 endobj 2 0 obj 1e5",
            "<< /A 1e5 (",
        ] {
            assert_eq!(repaired(text), text);
        }
    }

    #[test]
    fn repairs_after_a_stream_or_a_broken_dictionary() {
        assert_eq!(
            repaired("<< /Length 3 >> stream\nabc\nendstream << /A 1e5 >>"),
            "<< /Length 3 >> stream\nabc\nendstream << /A 999 >>"
        );
        assert_eq!(
            repaired("<< /A nan endobj << /A nan >>"),
            "<< /A nan endobj << /A 0   >>"
        );
    }
}
