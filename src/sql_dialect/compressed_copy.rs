//! `COPY … TO 'x.warc.gz'`: the ending before that of the compression names the format.

use datafusion::sql::parser::{CopyToStatement, Statement};
use datafusion::sql::sqlparser::ast::Value;

/// Endings of compressed files, and the compressions by their names in options.
const COMPRESSIONS: [(&str, &str); 4] = [
    (".gz", "gzip"),
    (".zst", "zstd"),
    (".bz2", "bzip2"),
    (".xz", "xz"),
];

/// Formats of DataFusion that are compressed as a whole, by an option.
const WITH_OPTION: [&str; 4] = ["csv", "json", "jsonl", "ndjson"];

/// The format that chooses the compression by the name of the file.
const BY_NAME: &str = "warc";

const OPTION: &str = "compression";

/// Names the format and the compression of a compressed target, unless the statement does.
pub fn name_format(statement: &mut Statement) {
    match statement {
        Statement::Explain(explain) => name_format(&mut explain.statement),
        Statement::CopyTo(copy) if copy.stored_as.is_none() => name_format_of(copy),
        _ => {}
    }
}

fn name_format_of(copy: &mut CopyToStatement) {
    let target = copy.target.to_ascii_lowercase();
    let compressed = COMPRESSIONS.iter().find_map(|(ending, compression)| {
        Some((
            target.strip_suffix(ending)?.rsplit_once('.')?.1,
            compression,
        ))
    });
    let Some((format, compression)) = compressed else {
        return;
    };
    if WITH_OPTION.contains(&format) {
        let is_option = |name: &str| name.rsplit('.').next() == Some(OPTION);
        if !copy.options.iter().any(|(name, _)| is_option(name)) {
            let compression = Value::SingleQuotedString((*compression).to_owned());
            copy.options.push((OPTION.to_owned(), compression));
        }
    } else if format != BY_NAME {
        return;
    }
    copy.stored_as = Some(format.to_ascii_uppercase());
}
