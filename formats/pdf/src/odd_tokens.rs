//! Replaces tokens in dictionaries that hayro cannot parse, such as `nan`, `1e5`, `1.2.3` or `12abc`, and last keys
//! without a value.
//!
//! One of them costs hayro the whole dictionary, and so a page or a font; viewers go on with the next entry.
//! Replacements have the length of the token, so that all offsets stay valid.

use memchr::memmem;

/// A replacement longer than this cannot be needed: longer tokens become what their start says.
const MAX_NUMBER: usize = 32;

/// What was seen on the way through a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub odd_tokens: bool,
    /// Streams of objects, unless the scan had to end early: then this and the next are true.
    pub object_streams: bool,
    pub brotli: bool,
}

/// Mends what is outside of streams.
pub fn mend(data: &mut [u8]) -> Seen {
    let mut seen = Seen::default();
    let mut mended = Vec::new();
    let mut outer = Vec::new();
    let mut at = 0;
    let ends = memmem::Finder::new(END_OF_STREAM);
    while let Some(start) = dictionary_after(data, at) {
        let before = mended.len();
        outer.clear();
        let mut scanner = Scanner {
            data,
            at: start,
            length_at: None,
            seen: &mut seen,
            odd: &mut mended,
            outer: &mut outer,
        };
        match scanner.dictionary() {
            End::Closed => at = skip_stream(data, scanner.at, scanner.length_at, &ends),
            End::Broken => {
                at = scanner.at;
                mended.truncate(before);
            }
            End::Missing => {
                mended.truncate(before);
                seen.object_streams = true;
                seen.brotli = true;
                break;
            }
        }
    }
    seen.odd_tokens = !mended.is_empty();
    for &(start, end) in &mended {
        if let Some(token) = data.get_mut(start..end) {
            replace(token);
        }
    }
    seen
}

/// How a dictionary ends.
enum End {
    Closed,
    /// In the middle of it the object or the file goes on with something else.
    Broken,
    /// The file ends before.
    Missing,
}

struct Scanner<'d> {
    data: &'d [u8],
    at: usize,
    /// The offset after `/Length` in the outermost dictionary.
    length_at: Option<usize>,
    seen: &'d mut Seen,
    /// Where the odd tokens start and end.
    odd: &'d mut Vec<(usize, usize)>,
    /// What is around the innermost open dictionary.
    outer: &'d mut Vec<Level>,
}

/// An open dictionary.
#[derive(Default)]
struct Level {
    /// The number of arrays open in it.
    arrays: u32,
    /// Where the latest key starts and ends, until its value comes.
    key: Option<(usize, usize)>,
}

impl Level {
    /// A name is a key, the value of the key before it, or the item of an array.
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
    /// Scans from `<<` to behind the `>>` that belongs to it.
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
                            b"/ObjStm" => self.seen.object_streams = true,
                            b"/BrotliDecode" => self.seen.brotli = true,
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
                    // A brace, or the end of a string that did not start, and what it is glued to.
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

    /// Skips a token if it consists of digits, as most do.
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

/// Where the next dictionary starts.
fn dictionary_after(data: &[u8], at: usize) -> Option<usize> {
    let rest = data.get(at..)?;
    let mut starts = memchr::memchr_iter(b'<', rest);
    let start = starts.find(|start| rest.get(start + 1) == Some(&b'<'))?;
    Some(at + start)
}

/// The offset after the stream of a dictionary that ends at `end`, or `end` if it has none.
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
            // A line end before the content, and perhaps one after it.
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

/// The value of `/Length`, if it is a number.
fn length(value: &[u8]) -> Option<usize> {
    let value = value.trim_ascii_start();
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit());
    let number = str::from_utf8(value.get(..digits.count())?).ok()?;
    let after = value.get(number.len()..)?.trim_ascii_start();
    // A reference starts with a number, too.
    (!after.first().is_some_and(u8::is_ascii_digit)).then(|| number.parse().ok())?
}

/// Whether hayro takes the token neither for a number nor for a keyword. It takes most words for `null`.
fn is_odd(token: &[u8]) -> bool {
    match token {
        [b'n' | b't' | b'f', ..] => !matches!(token, b"null" | b"true" | b"false"),
        [b'+' | b'-' | b'.' | b'0'..=b'9', ..] => !is_number(token),
        _ => false,
    }
}

/// Whether hayro takes a token that starts like a number for one: it allows for stray minus signs.
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

/// Puts what a viewer reads in the place of a token: the number that it is or starts with, 0 for what is no
/// number, and otherwise a word that stands for `null`. A key becomes blank.
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
        // A delimiter that belongs to nothing. An entry may have no other value.
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

/// The value of a token, in no more characters than it has: with an exponent if that is what is odd, otherwise
/// as far as it is a number.
fn number(token: &str, length: usize) -> String {
    let has_exponent = token.contains('e') && token.len() <= MAX_NUMBER;
    let value = token.parse::<f64>().ok().filter(|value| value.is_finite());
    if let Some(value) = value.filter(|_| has_exponent) {
        let mut written = value.to_string();
        let whole = written.find('.').unwrap_or(written.len());
        if whole <= length {
            written.truncate(length);
            return written;
        }
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
    use super::mend;

    fn mended(text: &str) -> String {
        let mut data = text.as_bytes().to_vec();
        mend(&mut data);
        assert_eq!(data.len(), text.len());
        String::from_utf8(data).unwrap()
    }

    #[test]
    fn odd_tokens_become_what_viewers_read() {
        for (odd, plain) in [
            ("nan", "0  "),
            ("-NaN", "0   "),
            ("1.2.3", "1.2  "),
            ("12abc", "12   "),
            ("612pt", "612  "),
            ("1,5", "1  "),
            ("6.12e2", "612   "),
            ("2.5e-05", "0.00002"),
            ("1e5", "1  "),
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
            assert_eq!(mended(&file(odd)), file(plain), "{odd}");
        }
    }

    #[test]
    fn a_last_key_without_a_value_is_dropped() {
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
            assert_eq!(mended(odd), plain);
        }
    }

    #[test]
    fn all_else_stays() {
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
            assert_eq!(mended(text), text);
        }
    }

    #[test]
    fn what_follows_a_stream_or_a_broken_dictionary_is_mended() {
        assert_eq!(
            mended("<< /Length 3 >> stream\nabc\nendstream << /A 1e5 >>"),
            "<< /Length 3 >> stream\nabc\nendstream << /A 1   >>"
        );
        assert_eq!(
            mended("<< /A nan endobj << /A nan >>"),
            "<< /A nan endobj << /A 0   >>"
        );
    }
}
