//! The text and metadata of a document.

use std::fmt;

/// The formats that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Electronic books.
    Epub,
    /// Documents of Microsoft Word since 2007.
    Docx,
    /// Text documents of OpenDocument, which LibreOffice writes.
    Odt,
}

impl Kind {
    /// The name in lower case, such as `epub`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Epub => "epub",
            Self::Docx => "docx",
            Self::Odt => "odt",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Limits of [`read`](crate::read).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum total size of the decompressed members.
    pub max_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 128 << 20,
        }
    }
}

/// The text and the metadata of a document. Missing and blank values are `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document {
    /// The format; `None` if it is not one of [`Kind`].
    pub kind: Option<Kind>,
    /// The title.
    pub title: Option<String>,
    /// The authors, separated by `; `.
    pub author: Option<String>,
    /// The language as written, such as `ja` or `en-US`.
    pub language: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The keywords or subjects, separated by `; `.
    pub keywords: Option<String>,
    /// The publisher.
    pub publisher: Option<String>,
    /// The time of creation or publication, as written.
    pub created: Option<String>,
    /// The time of the last change, as written.
    pub modified: Option<String>,
    /// The number of pages, as counted by the program that last saved the document.
    pub pages: Option<u64>,
    /// The text; `None` if the part that contains it cannot be read.
    pub text: Option<String>,
    /// The error, if something could not be read.
    pub error: Option<String>,
}

/// Maximum length of an error message.
const MAX_ERROR_BYTES: usize = 1000;

impl Document {
    /// Adds an error to the document.
    pub(crate) fn add_error(&mut self, error: &str) {
        let all = self.error.get_or_insert_default();
        if all.ends_with('…') || all.contains(error) {
            return;
        }
        if !all.is_empty() {
            all.push_str("; ");
        }
        all.push_str(error);
        if all.len() > MAX_ERROR_BYTES {
            let end = all.floor_char_boundary(MAX_ERROR_BYTES);
            all.truncate(end);
            all.push('…');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_listed_up_to_a_limit() {
        let mut document = Document::default();
        document.add_error("a");
        document.add_error("b");
        document.add_error("b");
        assert_eq!(document.error.as_deref(), Some("a; b"));
        (0..1000).for_each(|number| document.add_error(&format!("é{number}")));
        assert!(
            document
                .error
                .is_some_and(|e| e.len() < 1100 && e.ends_with('…'))
        );
    }
}
