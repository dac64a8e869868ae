//! Whole files as rows. Compressed files are inflated; the members of .tar, .tar.gz and .zip
//! packages are separate rows, named `package!member`.
//!
//! `FILES` reads every file of a folder. `HOCR` and `PDF` are the same table, but read only the
//! files and members with their endings.

use std::sync::Arc;

use datafusion::common::Result;

use crate::options::{FormatOption, Options};
use crate::sources::format::RecordFormat;
use corpus_bytes::columns::Column;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader};

const PACKAGE_ENDINGS: &[&str] = &["tar", "tgz", "zip"];

const UNPACK: FormatOption = FormatOption::boolean(
    "unpack",
    true,
    "inflate files and list the members of packages, or return every file as it is",
);

/// A table of whole files.
#[derive(Debug, Clone)]
pub struct FilesFormat {
    name: &'static str,
    /// The endings of files of this kind, and of packages that may contain them.
    endings: &'static [&'static str],
    /// The endings by which `FROM 'file'` selects this format.
    direct_endings: &'static [&'static str],
    /// The endings of package members that are read; an empty list selects all.
    member_endings: &'static [&'static str],
    unpack: bool,
}

impl FilesFormat {
    pub fn files() -> Self {
        Self {
            name: "FILES",
            endings: &[],
            direct_endings: PACKAGE_ENDINGS,
            member_endings: &[],
            unpack: true,
        }
    }

    /// hOCR, ALTO and PAGE XML.
    pub fn hocr() -> Self {
        Self {
            name: "HOCR",
            endings: &["hocr", "html", "htm", "xhtml", "xml", "tar", "tgz", "zip"],
            direct_endings: &["hocr", "html", "htm", "xhtml", "xml"],
            member_endings: &["hocr", "html", "htm", "xhtml", "xml"],
            unpack: true,
        }
    }

    pub fn pdf() -> Self {
        Self {
            name: "PDF",
            endings: &["pdf", "tar", "tgz", "zip"],
            direct_endings: &["pdf"],
            member_endings: &["pdf"],
            unpack: true,
        }
    }
}

impl RecordFormat for FilesFormat {
    fn name(&self) -> &'static str {
        self.name
    }

    fn columns(&self) -> &'static [Column] {
        corpus_packages::columns::COLUMNS
    }

    fn endings(&self) -> &'static [&'static str] {
        self.endings
    }

    fn direct_endings(&self) -> &'static [&'static str] {
        self.direct_endings
    }

    fn records_are_files(&self) -> bool {
        true
    }

    fn options(&self) -> &'static [FormatOption] {
        &[UNPACK]
    }

    fn with_options(&self, options: &Options) -> Result<Arc<dyn RecordFormat>> {
        Ok(Arc::new(Self {
            unpack: options.is_true(&UNPACK),
            ..self.clone()
        }))
    }

    fn configuration(&self) -> Vec<(&'static str, String)> {
        vec![(UNPACK.name, self.unpack.to_string())]
    }

    fn open(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
        // An empty file is fine in general, but not as a PDF or a scanned page.
        let documents = !self.member_endings.is_empty();
        corpus_packages::open(request, self.unpack, self.member_endings, documents)
    }
}
