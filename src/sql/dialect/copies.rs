//! Formats and partitions of written files.
//!
//! `COPY … TO 'x.warc.gz'`: the extension before `.gz` names the format. `.pq` also
//! names a format, which DataFusion knows by another extension. `PARTITIONED BY ("my column")`:
//! DataFusion keeps the quotes.

use corpus_bytes::compression::has_extension;
use datafusion::sql::parser::{CopyToStatement, Statement};

use crate::sinks::compression::{EXTENSIONS, has_option};
use crate::sources::data_files::extensions;

/// The format that chooses the compression by the name of the file.
const BY_NAME: &str = "warc";

/// Sets the format of the target, unless the statement does, and unquotes partition columns.
pub fn complete(statement: &mut Statement) {
    match statement {
        Statement::Explain(explain) => complete(&mut explain.statement),
        Statement::CopyTo(copy) => {
            if copy.stored_as.is_none() {
                name_format_of(copy);
            }
            copy.partitioned_by.iter_mut().for_each(unquote);
        }
        Statement::CreateExternalTable(table) => {
            table.table_partition_cols.iter_mut().for_each(unquote);
        }
        _ => {}
    }
}

fn unquote(name: &mut String) {
    let quoted = name
        .strip_prefix('"')
        .and_then(|name| name.strip_suffix('"'));
    if let Some(inner) = quoted {
        *name = inner.replace("\"\"", "\"");
    }
}

fn name_format_of(copy: &mut CopyToStatement) {
    let target = copy.target.to_ascii_lowercase();
    let plain = EXTENSIONS
        .iter()
        .find_map(|(extension, _)| target.strip_suffix(extension));
    if has_extension(&target, &extensions::PARQUET[1..]) {
        copy.stored_as = Some("PARQUET".to_owned());
    } else if let Some((_, format)) = plain.and_then(|name| name.rsplit_once('.'))
        && (has_option(format) || format == BY_NAME)
    {
        copy.stored_as = Some(format.to_ascii_uppercase());
    }
}
