//! `document_attachments`: the files in a document, and those in them.

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::SECTION;
use super::kind::kind_of;
use crate::attachment::AttachmentRow;
use crate::function::{Parameter, Returns, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{ColumnBuilder, ListOf};
use corpus_office::mail::{attachments, messages};

/// The maximum nesting depth of files.
const MAX_DEPTH: usize = 8;
/// The maximum number of nested files of a document.
const MAX_NESTED_FILES: usize = 10_000;

const DATA: Parameter = Parameter::new("data", || DataType::BinaryView, "The document as bytes.");
const KIND: Parameter = Parameter::text("kind", "Its kind, as by document_kind.");

functions! {
    SECTION;

    /// The files in a PDF, a mail or a mailbox, as by pdf_attachments and mail_attachments. Each is
    /// followed by those in it, whose names begin with its name and a slash. A first row without a
    /// position has the error of a document that cannot be read. NULL for documents of other kinds.
    ///
    /// > SELECT document_attachments(content, 'eml')[1]['name']
    ///   FROM read_files('data-samples/office/message.eml');
    /// präise.pdf
    document_attachments(DATA, KIND) -> Returns::of::<ListOf<AttachmentRow>>(), costly;
}

fn document_attachments(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = ListOf::<AttachmentRow>::default();
    let kinds = args[1].as_string::<i64>().iter();
    for (data, kind) in args[0].as_binary_view().iter().zip(kinds) {
        let (Some(data), Some(kind)) = (data, kind.filter(|kind| has_attachments(kind))) else {
            rows.append_null();
            continue;
        };
        let mut walk = Walk {
            settings,
            rows: &mut rows,
            position: 0,
            nested: MAX_NESTED_FILES,
            bytes: settings.max_record_bytes.0,
        };
        walk.add(data, kind, "", 0)?;
        rows.end_list();
    }
    Ok(rows.finish()?)
}

fn has_attachments(kind: &str) -> bool {
    matches!(kind, "pdf" | "eml" | "mbox")
}

/// The files of one document.
struct Walk<'a> {
    #[cfg_attr(not(feature = "pdf"), expect(dead_code))]
    settings: &'a CorpusSettings,
    rows: &'a mut ListOf<AttachmentRow<'static>>,
    position: usize,
    /// The number of nested files that may still be added, and of their bytes.
    nested: usize,
    bytes: usize,
}

impl Walk<'_> {
    /// Adds the files in a document at a nesting depth.
    fn add(&mut self, data: &[u8], kind: &str, path: &str, depth: usize) -> Result<()> {
        if kind == "pdf" {
            return self.add_of_pdf(data, path, depth);
        }
        for attachment in messages(data).flat_map(attachments) {
            if !self.add_file(AttachmentRow::from(&attachment), path, depth)? {
                break;
            }
        }
        Ok(())
    }

    #[cfg(feature = "pdf")]
    fn add_of_pdf(&mut self, data: &[u8], path: &str, depth: usize) -> Result<()> {
        let outcome = crate::pdf::attachments(data, self.settings)?;
        // An attached PDF has a row already.
        if depth == 0
            && let Some(failure) = &outcome.failure
        {
            self.rows.push(AttachmentRow {
                error: Some(&failure.to_string()),
                ..AttachmentRow::default()
            });
        }
        for attachment in &outcome.attachments {
            if !self.add_file(AttachmentRow::from(attachment), path, depth)? {
                break;
            }
        }
        Ok(())
    }

    #[cfg(not(feature = "pdf"))]
    fn add_of_pdf(&mut self, _: &[u8], _: &str, _: usize) -> Result<()> {
        Ok(())
    }

    /// Adds a file and those in it. Returns whether the limits allow more files beside it.
    fn add_file(&mut self, row: AttachmentRow<'_>, path: &str, depth: usize) -> Result<bool> {
        self.position += 1;
        let position = Some(self.position);
        let content = row.content.unwrap_or_default();
        if let Some(error) = self.limit(content.len(), depth) {
            let name = (!path.is_empty()).then_some(path);
            self.rows.push(AttachmentRow {
                position,
                name: name.map(|name| name.trim_end_matches('/')),
                error: Some(&error),
                ..AttachmentRow::default()
            });
            return Ok(false);
        }
        let declared = row.media_type.map(str::to_ascii_lowercase);
        let kind = kind_of(content, declared.as_deref(), row.name);
        if depth == 0 && row.name.is_none() && !has_attachments(kind) {
            self.rows.push(AttachmentRow { position, ..row });
            return Ok(true);
        }
        let name = match row.name {
            Some(name) => format!("{path}{name}"),
            None => format!("{path}attachment {}", self.position),
        };
        self.rows.push(AttachmentRow {
            position,
            name: Some(&name),
            ..row
        });
        if has_attachments(kind) {
            self.add(content, kind, &format!("{name}/"), depth + 1)?;
        }
        Ok(true)
    }

    /// Counts a file at a nesting depth. Returns an error if it exceeds a limit.
    fn limit(&mut self, bytes: usize, depth: usize) -> Option<String> {
        if depth == 0 {
            return None;
        }
        let left = (self.nested.checked_sub(1)).zip(self.bytes.checked_sub(bytes));
        match left {
            _ if depth > MAX_DEPTH => Some(format!(
                "limit: files inside more than {MAX_DEPTH} others are left out"
            )),
            None => Some(format!(
                "limit: the other files in attachments are left out, because they are more than \
                 {MAX_NESTED_FILES}, or larger than the largest record"
            )),
            Some(left) => {
                (self.nested, self.bytes) = left;
                None
            }
        }
    }
}
