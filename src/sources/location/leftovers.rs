//! Files whose names continue after the extension of a format, such as `a.warc.gz.open` and
//! `a.pdf.1`. They are not read, and a warning says so.

use object_store::path::Path;

/// Extensions that programs append to the names of unfinished or replaced files.
const ADDITIONS: [&str; 11] = [
    "bak",
    "copy",
    "crdownload",
    "download",
    "filepart",
    "old",
    "open",
    "orig",
    "part",
    "partial",
    "tmp",
];

/// The leftovers at a location.
#[derive(Debug, Default)]
pub struct Leftovers {
    count: usize,
    /// The name of the first one.
    first: Option<String>,
}

impl Leftovers {
    /// Adds a file that is not read, if it is a leftover of a file with one of these extensions.
    pub fn add(&mut self, file: &Path, extensions: &[&str]) {
        let name = file.filename().unwrap_or_default();
        if is_leftover(name, extensions) {
            self.count += 1;
            self.first.get_or_insert_with(|| name.to_owned());
        }
    }

    /// Warns about them.
    pub fn warn(self, location: &str) {
        let Some(first) = self.first else { return };
        let others = match self.count - 1 {
            0 => String::new(),
            1 => " and another file".to_owned(),
            others => format!(" and {others} other files"),
        };
        log::warn!(
            "not read at '{location}': '{first}'{others}; rename such files, or name them by a \
             glob"
        );
    }
}

fn is_leftover(name: &str, extensions: &[&str]) -> bool {
    let name = name.to_ascii_lowercase();
    let start = match (name.strip_suffix('~'), name.rsplit_once('.')) {
        (Some(start), _) => start,
        (None, Some((start, last))) if is_addition(last) => start,
        _ => return false,
    };
    !name.starts_with('.') && corpus_bytes::compression::has_extension(start, extensions)
}

fn is_addition(extension: &str) -> bool {
    let is_number = !extension.is_empty() && extension.bytes().all(|digit| digit.is_ascii_digit());
    is_number || ADDITIONS.contains(&extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_and_replaced_files_are_leftovers() {
        let extensions = ["warc", "pdf"];
        for name in [
            "a.warc.gz.open",
            "a.warc.gz.1",
            "A.PDF.Partial",
            "a.pdf~",
            "a.warc.crdownload",
        ] {
            assert!(is_leftover(name, &extensions), "{name}");
        }
        for name in [
            "a.warc.gz.md5",
            "a.pdf.txt",
            "a.1",
            "a.pdf",
            ".a.pdf.tmp",
            "a.pdf.",
        ] {
            assert!(!is_leftover(name, &extensions), "{name}");
        }
    }
}
