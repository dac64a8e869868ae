//! The fields of a DOCX document whose results are links.

use corpus_blocks::MarkKind;

/// Maximum number of open fields, and maximum length of a field code. Deeper fields and longer
/// codes are not links.
const MAX_DEPTH: usize = 64;
const MAX_CODE_BYTES: usize = 4096;

/// The open fields.
#[derive(Debug, Default)]
pub struct Fields {
    open: Vec<Field>,
    /// The number of open fields beyond the limit.
    ignored: usize,
}

#[derive(Debug, Default)]
struct Field {
    code: String,
    link: Option<MarkKind>,
}

impl Fields {
    /// Reads a `<w:fldChar>`, which begins a field, separates its code from its result, or ends it.
    pub fn character(&mut self, kind: &str) {
        match kind {
            "begin" if self.open.len() < MAX_DEPTH => self.open.push(Field::default()),
            "begin" => self.ignored += 1,
            "separate" if self.ignored == 0 => {
                if let Some(field) = self.open.last_mut() {
                    field.link = link(&field.code);
                }
            }
            "end" if self.ignored > 0 => self.ignored -= 1,
            "end" => drop(self.open.pop()),
            _ => {}
        }
    }

    /// Opens a field whose code is in an attribute.
    pub fn open(&mut self, code: &str) {
        self.character("begin");
        self.code(code);
        self.character("separate");
    }

    /// Appends a part of the code of the innermost field.
    pub fn code(&mut self, part: &str) {
        if self.ignored == 0
            && let Some(field) = self.open.last_mut()
            && field.code.len() + part.len() <= MAX_CODE_BYTES
        {
            field.code.push_str(part);
        }
    }

    /// The link of the innermost field that is a link.
    pub fn link(&self) -> Option<&MarkKind> {
        self.open.iter().rev().find_map(|field| field.link.as_ref())
    }

    /// Ends open links at the end of a paragraph, because a field may have no end.
    pub fn end_links(&mut self) {
        self.open.iter_mut().for_each(|field| field.link = None);
    }
}

/// The link of a code such as `HYPERLINK "http://a.example/" \o "tip"`. Links to a place in the
/// document have no address.
fn link(code: &str) -> Option<MarkKind> {
    let (name, rest) = code.trim().split_once(char::is_whitespace)?;
    if !name.eq_ignore_ascii_case("HYPERLINK") {
        return None;
    }
    let rest = rest.trim_start();
    let address = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split_whitespace().next(),
    };
    let address = address?.trim();
    let is_address = !address.is_empty() && !address.starts_with('\\');
    is_address.then(|| MarkKind::Link(address.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_addresses() {
        for (code, expected) in [
            (
                " HYPERLINK \"http://a.b/c d\" \\o \"tip\" ",
                Some("http://a.b/c d"),
            ),
            ("hyperlink http://a.b/", Some("http://a.b/")),
            ("HYPERLINK \\l \"_Toc1\"", None),
            ("PAGEREF _Toc1 \\h", None),
            ("HYPERLINK", None),
        ] {
            let expected = expected.map(|address| MarkKind::Link(address.into()));
            assert_eq!(link(code), expected, "{code}");
        }
    }

    #[test]
    fn fields_nest_up_to_a_limit() {
        let mut fields = Fields::default();
        fields.open("HYPERLINK \"a\"");
        for _ in 0..2 * MAX_DEPTH {
            fields.character("begin");
        }
        fields.code("HYPERLINK \"b\"");
        for _ in 0..2 * MAX_DEPTH {
            assert_eq!(fields.link(), Some(&MarkKind::Link("a".into())));
            fields.character("end");
        }
        fields.character("end");
        assert_eq!(fields.link(), None);
    }
}
