//! The formats of records. A format adds one file or folder with a [`RecordFormat`] and a
//! [`RecordReader`](corpus_bytes::record::RecordReader), and one line in [`formats`].
//!
//! ```text
//! files          whole files, and members of packages
//! lines          lines of text files
//! documents      the documents in files of any kind
//! warc           WARC and ARC
//! sequence_file  Hadoop's SequenceFiles
//! mediawiki      MediaWiki exports
//! recognize      distinguishes formats with the same extensions
//! ```

pub mod documents;
pub mod files;
mod lines;
mod mediawiki;
pub mod recognize;
pub mod sequence_file;
pub mod warc;

use std::collections::HashMap;
use std::sync::Arc;

use super::format::RecordFormat;
use datafusion::common::{Result, plan_err};
use documents::DocumentsFormat;
use files::FilesFormat;
use lines::LinesFormat;
use mediawiki::MediaWikiFormat;
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
