//! Chooses the compression of text files that DataFusion writes, so that the file name and the
//! option agree.

use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::dml::CopyTo;

use super::target::Target;
use crate::sources::data_files::endings;

/// The endings of compressed files, and the names of the compressions in options.
pub const ENDINGS: [(&str, &str); 4] = [
    (".gz", "gzip"),
    (".zst", "zstd"),
    (".bz2", "bzip2"),
    (".xz", "xz"),
];

/// Whether an option of DataFusion compresses the files of a format as a whole.
pub fn has_option(format: &str) -> bool {
    format == endings::CSV[0] || endings::JSON.contains(&format)
}

const OPTION: &str = "format.compression";

const NONE: &str = "uncompressed";

/// Returns the ending and the name of a compression. The option may also be the ending without its
/// dot, such as 'gz'.
fn known(option: &str) -> Option<(&'static str, &'static str)> {
    ENDINGS
        .into_iter()
        .find(|(ending, name)| *name == option || ending.strip_prefix('.') == Some(option))
}

/// Sets the compression of a file from its name, or fails if the option differs. DataFusion names
/// the files of a folder after the option.
pub fn agree_with_name(copy: &mut CopyTo, target: &Target) -> Result<()> {
    let format = copy.file_type.get_ext().to_ascii_lowercase();
    if target.is_folder || !has_option(&format) {
        return Ok(());
    }
    let name = target.text.to_ascii_lowercase();
    let ending = ENDINGS.iter().find(|(ending, _)| name.ends_with(ending));
    let option = copy
        .options
        .get(OPTION)
        .map(|codec| codec.trim().to_ascii_lowercase());
    match (ending, option.as_deref()) {
        (Some((_, of_name)), None) => {
            copy.options
                .insert(OPTION.to_owned(), (*of_name).to_owned());
            Ok(())
        }
        (Some(of_name), Some(option)) if known(option) == Some(*of_name) => Ok(()),
        (Some((ending, of_name)), Some(option)) => plan_err!(
            "'{target}' ends with {ending}, which means {of_name}, but its compression is {option}: \
             change the name or OPTIONS (compression '…')"
        ),
        (None, Some("") | Some(NONE) | None) => Ok(()),
        (None, Some(option)) => match known(option) {
            Some((ending, option)) => plan_err!(
                "'{target}' has no ending for the compression {option}: name it '{target}{ending}'"
            ),
            // DataFusion reports the error, with a list of compressions.
            None => Ok(()),
        },
    }
}
