//! Lines of heads: they end with CRLF, LF, CR CR LF, and sometimes a single CR.

use memchr::memchr2;

use super::repairs::Repairs;
use corpus_bytes::step_counter::count_steps;

/// Maximum length of a header's name.
const MAX_NAME_BYTES: usize = 128;
/// Maximum number of CRs before an LF. `\r\r\r\n` occurs; the limit prevents repeated searches.
const MAX_CRS: usize = 4;

#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    pub text: &'a [u8],
    pub start: usize,
    /// The offset of the next line.
    pub next: usize,
    /// Whether the line has a line end, rather than ending with the input.
    pub is_ended: bool,
}

/// The line at `start`; `None` at the end of the input.
pub fn line_at<'a>(bytes: &'a [u8], start: usize, repairs: &mut Repairs) -> Option<Line<'a>> {
    let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
    let line = |length: usize, size: usize, is_ended| Line {
        text: &rest[..length],
        start,
        next: start + size,
        is_ended,
    };
    let mut from = 0;
    while let Some(found) = memchr2(b'\n', b'\r', &rest[from..]) {
        let at = from + found;
        count_steps(found + 1);
        if rest[at] == b'\n' {
            repairs.add(Repairs::LF_LINE_ENDS);
            return Some(line(at, at + 1, true));
        }
        if let Some(size) = line_end_of_crs(&rest[at..]) {
            return Some(line(at, at + size, true));
        }
        if at + 1 == rest.len() {
            // The input may have been cut between CR and LF.
            return Some(line(at, at + 1, true));
        }
        repairs.add(Repairs::BARE_CR);
        if at == 0 || cr_ends_line(&rest[at + 1..]) {
            return Some(line(at, at + 1, true));
        }
        from = at + 1;
    }
    Some(line(rest.len(), rest.len(), false))
}

/// The length of CR LF, CR CR LF and so on.
fn line_end_of_crs(bytes: &[u8]) -> Option<usize> {
    let crs = bytes
        .iter()
        .take(MAX_CRS)
        .take_while(|b| **b == b'\r')
        .count();
    (bytes.get(crs) == Some(&b'\n')).then_some(crs + 1)
}

/// A single CR ends a line only if the next line of a head seems to follow.
fn cr_ends_line(rest: &[u8]) -> bool {
    match rest.first() {
        Some(b'\r' | b'<') => true,
        _ => begins_with_name(rest),
    }
}

fn begins_with_name(bytes: &[u8]) -> bool {
    let name = bytes
        .iter()
        .take(MAX_NAME_BYTES)
        .take_while(|b| is_name_byte(**b))
        .count();
    count_steps(name);
    name > 0 && bytes.get(name) == Some(&b':')
}

/// Whether a header's name may contain this byte. More than the standard allows, but JSON, markup
/// and prose must not pass for headers.
pub fn is_name_byte(byte: u8) -> bool {
    NAME_BYTES[usize::from(byte)]
}

static NAME_BYTES: [bool; 256] = name_bytes();

const fn name_bytes() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0x21;
    while byte < 256 {
        table[byte] = !matches!(
            byte as u8,
            b'"' | b'<' | b'>' | b'{' | b'}' | b',' | b';' | b'=' | b'?' | b':' | 0x7f
        );
        byte += 1;
    }
    table
}

pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> (Vec<&[u8]>, Repairs) {
        let (mut found, mut at, mut repairs) = (Vec::new(), 0, Repairs::default());
        while let Some(line) = line_at(bytes, at, &mut repairs) {
            assert!(line.next > at && line.start == at);
            found.push(line.text);
            at = line.next;
        }
        (found, repairs)
    }

    #[test]
    fn line_ends() {
        let (found, repairs) = lines(b"a\r\nb\r\n\r\nc");
        assert_eq!(found, [&b"a"[..], b"b", b"", b"c"]);
        assert!(repairs.is_empty());
        let (found, repairs) = lines(b"a\nb\r\r\n\n");
        assert_eq!(found, [&b"a"[..], b"b", b""]);
        assert_eq!(repairs.words(), ["lf_line_ends"]);
    }

    #[test]
    fn bare_cr() {
        let (found, repairs) = lines(b"HTTP/1.0 200 OK\rA: b\rC: d\r\r<p>");
        assert_eq!(
            found,
            [&b"HTTP/1.0 200 OK"[..], b"A: b", b"C: d", b"", b"<p>"]
        );
        assert_eq!(repairs.words(), ["bare_cr"]);
        assert_eq!(lines(b"A: b\rc d\r\n").0, [b"A: b\rc d"]);
    }

    #[test]
    fn many_crs_take_linear_time() {
        let crs = vec![b'\r'; 1 << 20];
        assert_eq!(lines(&crs).0.len(), 1 << 20);
        let mut names = vec![b'a'; 1 << 20];
        names.iter_mut().step_by(2).for_each(|b| *b = b'\r');
        lines(&names);
    }
}
