//! Whole files as rows. Compressed files are inflated; the members of .tar, .tar.gz and .zip
//! packages are separate rows, named `package!member`.
//!
//! `FILES` reads every file of a folder. `HOCR` and `PDF` are the same table, but read only the
//! files and members with their extensions.

use std::sync::Arc;

use datafusion::common::Result;

use crate::options::{FormatOption, Options};
use crate::sources::format::RecordFormat;
use corpus_bytes::columns::Column;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader};
use corpus_packages::PACKAGES;

const UNPACK: FormatOption = FormatOption::boolean(
    "unpack",
    true,
    "inflate files and list the members of packages, or return every file as it is",
);

/// A table of whole files.
#[derive(Debug, Clone)]
pub struct FilesFormat {
    name: &'static str,
    /// The extensions of files of this kind, and of packages that may contain them.
    extensions: &'static [&'static str],
    /// The extensions by which `FROM 'file'` selects this format.
    direct_extensions: &'static [&'static str],
    /// The extensions of package members that are read; an empty list selects all.
    member_extensions: &'static [&'static str],
    unpack: bool,
}

impl FilesFormat {
    pub fn files() -> Self {
        Self {
            name: "FILES",
            extensions: &[],
            direct_extensions: PACKAGES,
            member_extensions: &[],
            unpack: true,
        }
    }

    /// hOCR, ALTO and PAGE XML.
    pub fn hocr() -> Self {
        Self {
            name: "HOCR",
            extensions: &["hocr", "html", "htm", "xhtml", "xml", "tar", "tgz", "zip"],
            direct_extensions: &["hocr", "html", "htm", "xhtml", "xml"],
            member_extensions: &["hocr", "html", "htm", "xhtml", "xml"],
            unpack: true,
        }
    }

    pub fn pdf() -> Self {
        Self {
            name: "PDF",
            extensions: &["pdf", "tar", "tgz", "zip"],
            direct_extensions: &["pdf"],
            member_extensions: &["pdf"],
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

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn direct_extensions(&self) -> &'static [&'static str] {
        self.direct_extensions
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
        let documents = !self.member_extensions.is_empty();
        corpus_packages::open(request, self.unpack, self.member_extensions, documents)
    }
}
