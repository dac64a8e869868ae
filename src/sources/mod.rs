//! Sources: tables of raw records.
//!
//! The generic half is shared by all formats: `location` finds files, `table` and `scan` plan
//! and open them, `batches` turns records into Arrow. A format adds one folder or file with a
//! [`format::RecordFormat`] and a [`RecordReader`](corpus_bytes::record::RecordReader), and one
//! line in [`formats`].

pub mod ahead;
pub mod arguments;
pub mod batches;
pub mod counters;
pub mod counts;
mod data_files;
pub mod documents;
pub mod events;
pub mod exported;
pub mod files;
pub mod filter;
pub mod format;
pub mod in_order;
pub mod index;
pub mod indexed;
pub mod lines;
pub mod location;
pub mod mediawiki;
pub mod mixed;
pub mod partition_values;
pub mod paths;
pub mod query;
pub mod ranges;
pub mod recognize;
pub mod register;
pub mod remote;
pub mod scan;
pub mod scanned;
#[cfg(feature = "search")]
pub mod search;
pub mod sequence_file;
pub mod table;
pub mod text_tables;
mod transfer;
pub mod warc;

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::common::{Result, plan_err};
use files::FilesFormat;
use format::RecordFormat;
use lines::LinesFormat;
use mediawiki::MediaWikiFormat;
use mixed::DocumentsFormat;
use sequence_file::SequenceFileFormat;
use warc::WarcFormat;

use crate::options::Options;

/// Every format that is a source.
pub fn formats() -> Vec<Arc<dyn RecordFormat>> {
    vec![
        Arc::new(WarcFormat::default()),
        Arc::new(SequenceFileFormat::default()),
        Arc::new(FilesFormat::files()),
        Arc::new(FilesFormat::hocr()),
        Arc::new(FilesFormat::pdf()),
        Arc::new(LinesFormat),
        Arc::new(MediaWikiFormat),
        Arc::new(DocumentsFormat),
    ]
}

/// Returns a format by its name and [`configuration`](RecordFormat::configuration).
pub fn configured_format(
    name: &str,
    options: &HashMap<String, String>,
) -> Result<Arc<dyn RecordFormat>> {
    let Some(format) = formats().into_iter().find(|format| format.name() == name) else {
        return plan_err!("the format {name} is not one of corpus-sql");
    };
    format.with_options(&Options::check(name, format.options(), options)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of options that are not their defaults. A new option needs one.
    const VALUES: [(&str, &str); 6] = [
        ("index", "index.cdxj"),
        ("index_order", "sorted"),
        ("key_type", "integer"),
        ("records", "SELECT 1"),
        ("unpack", "false"),
        ("value_type", "double"),
    ];

    #[test]
    fn the_configuration_of_a_format_makes_it_again() {
        for format in formats() {
            let mut options: HashMap<String, String> = HashMap::new();
            for option in format.options() {
                let value = VALUES.iter().find(|(name, _)| *name == option.name);
                let (name, value) = value.expect(option.name);
                options.insert((*name).to_owned(), (*value).to_owned());
            }
            let configured = configured_format(format.name(), &options).unwrap();
            let pairs = configured.configuration().into_iter();
            let pairs = pairs.map(|(name, value)| (name.to_owned(), value));
            let again: HashMap<String, String> = pairs.collect();
            assert_eq!(again, options, "{}", format.name());
        }
    }
}
