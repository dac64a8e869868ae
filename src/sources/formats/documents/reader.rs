//! Opens a file with the reader of its kind.

use corpus_bytes::record::{NoRecords, ReadRequest, RecordError, RecordReader};
use corpus_sequence_file::{ColumnTypes, Header};

use super::detect::FileKind;
use super::mailbox::Mailbox;
use super::mapped::{Layout, Mapped};

/// Opens a file or range and returns a reader of its documents. An error means that the file cannot
/// be read at all; damage in it becomes records with an error.
///
/// Web archives and SequenceFiles can be read in ranges. Other files belong to the range that
/// starts at 0.
pub fn open(request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
    let kind = FileKind::detect(&request.file).map_err(|error| RecordError::io(&error))?;
    if request.range.start > 0 && !kind.is_splittable() {
        return Ok(Box::new(NoRecords));
    }
    let wanted = request.columns;
    let with_columns = |layout: Layout| ReadRequest {
        columns: layout.columns(wanted),
        ..request.clone()
    };
    let (layout, reader) = match kind {
        FileKind::Archive => {
            let layout = Layout::Archive;
            (layout, corpus_warc::open(with_columns(layout))?)
        }
        FileKind::SequenceFile => {
            let layout = Layout::SequenceFile;
            let types = sequence_types(&request);
            (
                layout,
                corpus_sequence_file::open(with_columns(layout), types)?,
            )
        }
        FileKind::Document | FileKind::Other => {
            let layout = Layout::File;
            let unpack = kind == FileKind::Other;
            (
                layout,
                corpus_packages::open(with_columns(layout), unpack, &[], true)?,
            )
        }
        FileKind::Mailbox(compression) => {
            return Ok(Box::new(Mailbox::open(request, compression)?));
        }
    };
    Ok(Box::new(Mapped::new(layout, reader)))
}

/// Returns the types of the columns: that of the key's class, and bytes for values of any class.
fn sequence_types(request: &ReadRequest) -> ColumnTypes {
    let header = Header::read(request.file.as_ref());
    let types = header.map(|header| ColumnTypes::of(&header));
    ColumnTypes {
        value: corpus_bytes::columns::ColumnType::Bytes,
        ..types.unwrap_or_default()
    }
}
