//! Charset declarations inside a page: `<meta>` and the XML declaration.

use encoding_rs::UTF_8;
use memchr::memmem;

use super::content_type::charset_of;
use super::label::Charset;

/// Bytes searched for a declaration. The standard searches 1024, but long comments and styles often
/// come first.
const MAX_SEARCHED_BYTES: usize = 8192;

/// The charset that the page declares.
pub fn declared_inside(bytes: &[u8]) -> Option<Charset> {
    let head = bytes.get(..MAX_SEARCHED_BYTES).unwrap_or(bytes);
    let charset = xml_declaration(head).or_else(|| meta(head))?;
    // These bytes were readable as ASCII, so the page is not UTF-16 or UTF-32.
    let wide = !charset.keeps_ascii();
    Some(if wide {
        Charset::standard(UTF_8)
    } else {
        charset
    })
}

fn xml_declaration(head: &[u8]) -> Option<Charset> {
    let inner = head.trim_ascii_start().strip_prefix(b"<?xml")?;
    let inner = inner.get(..memchr::memchr(b'>', inner)?)?;
    let mut rest = inner.get(memmem::find(inner, b"encoding")? + b"encoding".len()..)?;
    rest = rest
        .trim_ascii_start()
        .strip_prefix(b"=")?
        .trim_ascii_start();
    let (quote, rest) = rest.split_first()?;
    let value = rest.get(..memchr::memchr(*quote, rest)?)?;
    label(value)
}

fn label(bytes: &[u8]) -> Option<Charset> {
    Charset::for_label(std::str::from_utf8(bytes).ok()?)
}

/// The prescan of the HTML standard: the first `<meta>` that declares a charset. Skips comments and
/// the attributes of other tags.
fn meta(head: &[u8]) -> Option<Charset> {
    let mut rest = head;
    loop {
        rest = rest.get(memchr::memchr(b'<', rest)? + 1..)?;
        if rest.starts_with(b"!--") {
            // The dashes that open the comment may also close it: `<!-->` is complete.
            rest = rest.get(memmem::find(rest, b"-->")? + b"-->".len()..)?;
            continue;
        }
        let name_length = rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        let (name, tail) = rest.split_at(name_length);
        if name.is_empty() {
            continue;
        }
        let mut attributes = Attributes { rest: tail };
        if name.eq_ignore_ascii_case(b"meta") {
            if let Some(charset) = charset_of_meta(&mut attributes) {
                return Some(charset);
            }
        } else {
            attributes.by_ref().for_each(drop);
        }
        rest = attributes.rest;
    }
}

fn charset_of_meta(attributes: &mut Attributes<'_>) -> Option<Charset> {
    let mut contents = attributes.clone();
    let mut is_pragma = false;
    let mut from_charset = None;
    for (name, value) in attributes {
        if name.eq_ignore_ascii_case(b"charset") {
            from_charset = from_charset.or_else(|| label(value));
        } else if name.eq_ignore_ascii_case(b"http-equiv") {
            is_pragma = value.trim_ascii().eq_ignore_ascii_case(b"content-type");
        }
    }
    if from_charset.is_some() || !is_pragma {
        return from_charset;
    }
    contents.find_map(|(name, value)| {
        let value = name.eq_ignore_ascii_case(b"content").then_some(value)?;
        Charset::for_label(&charset_of(&String::from_utf8_lossy(value))?)
    })
}

/// The attributes of one tag. Afterwards `rest` holds the bytes after them.
#[derive(Clone)]
struct Attributes<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let blank = |b: &u8| b.is_ascii_whitespace() || *b == b'/';
        self.rest = skip(self.rest, blank);
        if let Some(b'>' | b'<') | None = self.rest.first() {
            return None;
        }
        // A leading equals sign is part of the name.
        let ends = |b: &u8| blank(b) || matches!(b, b'=' | b'>' | b'<');
        let name_length = 1 + count_until(self.rest.get(1..)?, ends);
        let (name, rest) = self.rest.split_at(name_length);
        self.rest = rest.trim_ascii_start();
        let Some(rest) = self.rest.strip_prefix(b"=") else {
            return Some((name, b""));
        };
        let rest = rest.trim_ascii_start();
        let (value, rest) = match rest.first() {
            Some(quote @ (b'"' | b'\'')) => {
                let inner = rest.get(1..)?;
                let (value, rest) = inner.split_at(count_until(inner, |b| b == quote));
                (value, rest.get(1..).unwrap_or_default())
            }
            _ => rest.split_at(count_until(rest, |b| b.is_ascii_whitespace() || *b == b'>')),
        };
        self.rest = rest;
        Some((name, value))
    }
}

fn skip(bytes: &[u8], wanted: impl Fn(&u8) -> bool) -> &[u8] {
    let length = bytes.iter().take_while(|b| wanted(b)).count();
    bytes.get(length..).unwrap_or_default()
}

fn count_until(bytes: &[u8], ends: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().take_while(|b| !ends(b)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_in(page: &str) -> Option<&'static str> {
        declared_inside(page.as_bytes()).map(|charset| charset.name())
    }

    #[test]
    fn declarations() {
        for (page, name) in [
            ("<meta charset=euc-jp>", "EUC-JP"),
            ("<html><head><META CharSet = 'Shift_JIS' />", "Shift_JIS"),
            (
                "<meta http-equiv='Content-Type' content='text/html; charset=big5'>",
                "Big5",
            ),
            (
                "<meta content=\"text/html;charset=koi8-r\" http-equiv=content-type>",
                "KOI8-R",
            ),
            ("<?xml version='1.0' encoding='euc-kr'?>", "EUC-KR"),
            (
                "\n<?xml version=\"1.0\" encoding = \"IBM866\" ?><x/>",
                "IBM866",
            ),
            ("<!-- <meta charset=gbk> --><meta charset=big5>", "Big5"),
            ("<!--><meta charset=gbk>", "GBK"),
            ("<a title='<meta charset=gbk>'><meta charset=big5>", "Big5"),
            ("<meta name=x charset=nonsense><meta charset=big5>", "Big5"),
            ("<meta charset=utf-16>", "UTF-8"),
            ("<meta charset=utf-32>", "UTF-8"),
            ("<meta charset=x-user-defined>", "windows-1252"),
            ("<meta charset=big5", "Big5"),
            ("a < b <1 <meta\ncharset=big5>", "Big5"),
        ] {
            assert_eq!(name_in(page), Some(name), "{page}");
        }
    }

    #[test]
    fn other_markup_is_not_a_declaration() {
        for page in [
            "",
            "<",
            "<meta",
            "<meta ",
            "<meta charset",
            "<meta charset=",
            "<meta charset='",
            "<meta =charset=big5>",
            "<meta name=description content='text/html; charset=big5'>",
            "<metal charset=big5>",
            "<!-- <meta charset=gbk>",
            "<a title='<meta charset=gbk>",
            "<?xml version='1.0'?>",
            "<?xml encoding=",
            "<?xml encoding",
            "x<?xml encoding='big5'?>",
        ] {
            assert_eq!(name_in(page), None, "{page}");
        }
    }

    #[test]
    fn only_the_beginning_is_searched() {
        let page = |blanks: usize| format!("{}<meta charset=big5>", " ".repeat(blanks));
        assert_eq!(name_in(&page(2000)), Some("Big5"));
        assert_eq!(name_in(&page(MAX_SEARCHED_BYTES)), None);
    }
}
