//! Chooses the compression of text files that DataFusion writes, so that the file name and the
//! option agree.

use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::dml::CopyTo;

use super::target::Target;
use crate::sources::data_files::extensions;

/// The extensions of compressed files, and the names of the compressions in options.
pub const EXTENSIONS: [(&str, &str); 4] = [
    (".gz", "gzip"),
    (".zst", "zstd"),
    (".bz2", "bzip2"),
    (".xz", "xz"),
];

/// Whether an option of DataFusion compresses the files of a format as a whole.
pub fn has_option(format: &str) -> bool {
    format == extensions::CSV[0] || extensions::JSON.contains(&format)
}

const OPTION: &str = "format.compression";

const NONE: &str = "uncompressed";

/// Returns the extension and the name of a compression. The option may be the extension without
/// its dot, too, such as 'gz'.
fn known(option: &str) -> Option<(&'static str, &'static str)> {
    EXTENSIONS
        .into_iter()
        .find(|(extension, name)| *name == option || extension.strip_prefix('.') == Some(option))
}

/// Sets the compression of a file from its name, or fails if the option differs. DataFusion names
/// the files of a folder after the option.
pub fn agree_with_name(copy: &mut CopyTo, target: &Target) -> Result<()> {
    let format = copy.file_type.get_ext().to_ascii_lowercase();
    if target.is_folder || !has_option(&format) {
        return Ok(());
    }
    let name = target.text.to_ascii_lowercase();
    let extension = EXTENSIONS
        .iter()
        .find(|(extension, _)| name.ends_with(extension));
    let option = copy
        .options
        .get(OPTION)
        .map(|codec| codec.trim().to_ascii_lowercase());
    match (extension, option.as_deref()) {
        (Some((_, of_name)), None) => {
            copy.options
                .insert(OPTION.to_owned(), (*of_name).to_owned());
            Ok(())
        }
        (Some(of_name), Some(option)) if known(option) == Some(*of_name) => Ok(()),
        (Some((extension, of_name)), Some(option)) => plan_err!(
            "'{target}' ends with {extension}, which means {of_name}, but its compression is {option}: \
             change the name or OPTIONS (compression '…')"
        ),
        (None, Some("") | Some(NONE) | None) => Ok(()),
        (None, Some(option)) => match known(option) {
            Some((extension, option)) => plan_err!(
                "'{target}' has no extension for the compression {option}: name it '{target}{extension}'"
            ),
            // DataFusion reports the error, with a list of compressions.
            None => Ok(()),
        },
    }
}
