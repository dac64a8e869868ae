//! Files and members as owned values.

use std::path::Path;
use std::sync::Arc;

use crate::pull::{Rows, open_rows};
use corpus_bytes::file::FileBytes;
use corpus_bytes::local::LocalFile;
use corpus_bytes::record::{ColumnSet, ReadRequest, RecordError};

const DEFAULT_MAX_CONTENT_BYTES: usize = 128 << 20;

/// Options of reading a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Whether compressed files are inflated, and packages read member by member.
    pub unpack: bool,
    /// The extensions of the members that are read, in lower case without a dot; none means all.
    pub member_extensions: &'static [&'static str],
    /// Maximum size of content. Longer content is truncated, and the record has an error.
    pub max_content_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            unpack: true,
            member_extensions: &[],
            max_content_bytes: DEFAULT_MAX_CONTENT_BYTES,
        }
    }
}

/// A file, a member of a package, or a damaged place in a package.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The name of the file, or `package!member`.
    pub name: String,
    /// The size of the content; `None` if it was compressed and is truncated.
    pub size: Option<u64>,
    /// The time of the last change, in microseconds since the epoch.
    pub modified: Option<i64>,
    /// Everything that could be read; `None` for a damaged place between members.
    pub content: Option<Vec<u8>>,
    /// The error of the record, if any.
    pub error: Option<RecordError>,
}

/// Iterates over the members of a package, or over the one record of another file.
///
/// Damage never ends the iteration: it is reported in [`Record::error`], and the members after it
/// follow.
pub struct Reader(Box<dyn Rows>);

impl Reader {
    /// Opens a local file with the default options.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        let path = path.as_ref();
        let file =
            LocalFile::open(path, Arc::default()).map_err(|error| RecordError::io(&error))?;
        Self::from_file(Arc::new(file), &path.to_string_lossy(), &Options::default())
    }

    /// Reads a file wherever it is stored. `name` starts the names of its records.
    pub fn from_file(
        file: Arc<dyn FileBytes>,
        name: &str,
        options: &Options,
    ) -> Result<Self, RecordError> {
        let request = ReadRequest {
            range: 0..file.size(),
            file,
            name: name.into(),
            max_record_bytes: options.max_content_bytes,
            modified: None,
            columns: ColumnSet::ALL,
        };
        open_rows(request, options.unpack, options.member_extensions, false).map(Self)
    }
}

impl Iterator for Reader {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        if !self.0.advance() {
            return None;
        }
        self.0.load(true);
        let row = self.0.take_row();
        Some(Record {
            name: row.name,
            size: row.size.and_then(|size| u64::try_from(size).ok()),
            modified: row.modified,
            content: row.content,
            error: row.error,
        })
    }
}

#[cfg(test)]
mod tests {
    use corpus_bytes::memory::Memory;

    use super::*;
    use crate::testing::{gzip, tar, zip};

    fn read(bytes: Vec<u8>, options: &Options) -> Vec<Record> {
        let file = Arc::new(Memory(bytes.into()));
        Reader::from_file(file, "x", options).unwrap().collect()
    }

    fn members() -> Vec<Vec<u8>> {
        vec![b"first".to_vec(), Vec::new(), b"last".repeat(1000)]
    }

    fn is_sound(record: &Record, name: &str, content: &[u8]) -> bool {
        record.error.is_none()
            && record.name == name
            && record.size == Some(content.len() as u64)
            && record.content.as_deref() == Some(content)
    }

    #[test]
    fn members_of_packages() {
        let members = members();
        for bytes in [tar(&members), zip(&members), gzip(&tar(&members))] {
            let records = read(bytes.clone(), &Options::default());
            assert_eq!(records.len(), members.len());
            for (number, (record, content)) in records.iter().zip(&members).enumerate() {
                let name = format!("x!page-{number}.html");
                assert!(is_sound(record, &name, content), "{record:?}");
            }
            let none = Options {
                member_extensions: &["pdf"],
                ..Options::default()
            };
            assert_eq!(read(bytes.clone(), &none), []);
            let packed = Options {
                unpack: false,
                ..Options::default()
            };
            let records = read(bytes.clone(), &packed);
            assert!(is_sound(&records[0], "x", &bytes));
        }
        assert_eq!(
            read(tar(&members), &Options::default())[0].modified,
            Some(5_000_000)
        );
    }

    #[test]
    fn members_with_the_name_of_another_are_reported() {
        let mut bytes = zip(&members());
        // Both names of the second member: in its local header and in the central directory.
        let name = b"page-1";
        let is_name = |at: &usize| bytes[*at..].starts_with(name);
        let places: Vec<usize> = (0..bytes.len()).filter(is_name).collect();
        assert_eq!(places.len(), 2);
        for place in places {
            bytes[place + name.len() - 1] = b'2';
        }
        let records = read(bytes, &Options::default());
        let last = records.last().unwrap().error.as_ref().unwrap();
        assert!(last.to_string().contains("1 of the 3 members"), "{last}");
        assert_eq!(records.len(), 3);
    }

    #[test]
    fn a_package_among_the_members_is_reported() {
        let mut bytes = zip(&members());
        for at in 0..bytes.len() {
            if bytes[at..].starts_with(b"page-1.html") {
                bytes[at..at + 11].copy_from_slice(b"page-11.zip");
            }
        }
        let pdfs = Options {
            member_extensions: &["pdf"],
            ..Options::default()
        };
        let records = read(bytes, &pdfs);
        assert_eq!(records.len(), 1);
        assert_eq!(records[0].name, "x!page-11.zip");
        let error = records[0].error.as_ref().unwrap();
        assert_eq!(error.reason, "package in a package");
    }

    #[test]
    fn single_files() {
        let text = b"text ".repeat(100);
        for bytes in [text.clone(), gzip(&text)] {
            let records = read(bytes, &Options::default());
            assert_eq!(records.len(), 1);
            assert!(is_sound(&records[0], "x", &text));
        }
        let inside = tar(&[gzip(&text)]);
        let records = read(inside, &Options::default());
        assert!(is_sound(&records[0], "x!page-0.html", &text));
        assert_eq!(read(Vec::new(), &Options::default()).len(), 1);
    }

    #[test]
    fn the_limit_is_exact() {
        let text = b"text".to_vec();
        for bytes in [
            text.clone(),
            gzip(&text),
            tar(std::slice::from_ref(&text)),
            zip(std::slice::from_ref(&text)),
        ] {
            for (limit, reason) in [(4, None), (3, Some("content cut"))] {
                let options = Options {
                    max_content_bytes: limit,
                    ..Options::default()
                };
                let records = read(bytes.clone(), &options);
                assert_eq!(records[0].content.as_deref(), Some(&text[..limit]));
                let error = records[0].error.as_ref();
                assert_eq!(error.map(|error| error.reason), reason);
            }
        }
    }

    #[test]
    fn a_zip_before_another_one_is_reported() {
        let first = zip(&[b"first".to_vec()]);
        let second = zip(&members());
        let records = read(
            [first.clone(), second.clone()].concat(),
            &Options::default(),
        );
        assert_eq!(records.len(), members().len() + 1);
        let error = records.last().and_then(|record| record.error.as_ref());
        let expected = format!("another zip of {} bytes", first.len());
        assert!(
            error.is_some_and(|error| error.detail.contains(&expected)),
            "{error:?}"
        );
    }

    #[test]
    fn what_precedes_a_cut_is_kept() {
        let members = members();
        let reasons = |bytes: &[u8]| -> Vec<_> {
            let records = read(bytes.to_vec(), &Options::default());
            let reason = |record: &Record| record.error.as_ref().map(|error| error.reason);
            records.iter().map(reason).collect()
        };
        let bytes = tar(&members);
        assert_eq!(
            reasons(&bytes[..bytes.len() - 5000]),
            [None, None, Some("truncated content")]
        );
        let bytes = zip(&members);
        assert_eq!(
            reasons(&bytes[..bytes.len() - 60]),
            [Some("damaged package"), None, None, None]
        );
        let bytes = gzip(&b"text ".repeat(1000));
        assert_eq!(
            reasons(&bytes[..bytes.len() - 9]),
            [Some("truncated compressed file")]
        );
    }
}
