//! The target of a `COPY`: a file or a folder, and the treatment of existing output.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf, absolute};

use datafusion::common::{Result, exec_err, plan_err};
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::logical_expr::dml::CopyTo;
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use percent_encoding::{
    AsciiSet, CONTROLS, PercentEncode, percent_decode_str, utf8_percent_encode,
};
use url::Url;

/// The length of the random part of the file names that DataFusion's writers choose.
const WRITE_ID_LENGTH: usize = 16;

/// The first bytes of a Parquet file.
const PARQUET_MAGIC: &[u8; 4] = b"PAR1";

/// The option of a `COPY` that chooses the [`Mode`].
const MODE_OPTION: &str = "format.mode";

/// The option of a `COPY` to a file. If it is false, the file is removed when its script has
/// succeeded.
const KEEP_OPTION: &str = "format.keep";

/// The treatment of existing output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A file is replaced, and so is a folder with nothing but the output of an earlier `COPY`.
    Default,
    /// Existing output is an error.
    Create,
    /// A folder keeps its files, and more are added.
    Append,
    /// A folder loses all its files.
    Replace,
    /// Output of the same query is kept, and missing parts are added (`resume`).
    Resume,
    /// Like `Resume`, but inputs that had errors are retried.
    RetryErrors,
}

/// Whether DataFusion would interpret the name of a target as a glob.
pub fn is_like_glob(name: &str) -> bool {
    name.contains(['*', '?', '[']) && !name.contains("://")
}

/// Returns the URL of a target. Names are literal: `part[1].parquet` is not a glob.
pub fn output_url(name: &str) -> Result<ListingTableUrl> {
    if !is_like_glob(name) {
        return ListingTableUrl::parse(name);
    }
    let path = absolute(name)?;
    let url = if name.ends_with('/') || path.is_dir() {
        Url::from_directory_path(&path)
    } else {
        Url::from_file_path(&path)
    };
    match url {
        Ok(url) => ListingTableUrl::try_new(url, None),
        Err(()) => plan_err!("not a usable path: '{name}'"),
    }
}

/// Characters that Hive and Spark, or object stores, do not take in the names of folders.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'\'')
    .add(b'*')
    .add(b'/')
    .add(b':')
    .add(b'<')
    .add(b'=')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}')
    .add(b'~');

fn escaped(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, ESCAPED)
}

/// The target of a `COPY`.
#[derive(Debug, Clone)]
pub struct Target {
    /// The target as the user wrote it, for messages.
    pub text: String,
    pub url: ListingTableUrl,
    pub is_folder: bool,
    pub mode: Mode,
}

/// Whether a copy writes an intermediate file, which only later statements of its script need.
pub fn is_step(copy: &CopyTo) -> bool {
    let keep = copy.options.get(KEEP_OPTION);
    keep.is_some_and(|keep| keep.trim().eq_ignore_ascii_case("false"))
}

impl Target {
    /// Returns where a file that DataFusion writes into the folder goes. The values in the names of
    /// folders `key=value` are escaped as in Hive and Spark.
    pub fn location_of(&self, file: &ObjectPath) -> object_store::Result<ObjectPath> {
        let prefix = self.url.prefix();
        let Some(inside) = file.prefix_match(prefix) else {
            return Ok(file.clone());
        };
        let mut location = prefix.to_string();
        for part in inside {
            let name = percent_decode_str(part.as_ref()).decode_utf8_lossy();
            location.push('/');
            match name.split_once('=') {
                Some((key, value)) => {
                    let (key, value) = (escaped(key), escaped(value));
                    location.push_str(&format!("{key}={value}"));
                }
                None => location.push_str(part.as_ref()),
            }
        }
        Ok(ObjectPath::parse(location)?)
    }

    /// Removes the options of this module from the statement.
    pub fn of(copy: &mut CopyTo) -> Result<Self> {
        let url = output_url(&copy.output_url)?;
        // The same rule as DataFusion's.
        let is_folder = !copy.partition_by.is_empty()
            || match copy
                .options
                .get("single_file_output")
                .map(|value| value.trim())
            {
                Some("true") => false,
                Some("false") => true,
                _ => url.is_collection() || url.file_extension().is_none(),
            };
        let is_step = is_step(copy);
        match copy.options.remove(KEEP_OPTION) {
            Some(_) if is_step && is_folder => {
                return plan_err!(
                    "OPTIONS (keep 'false') needs a file, and '{}' is a folder",
                    copy.output_url
                );
            }
            Some(keep) if !is_step && !keep.trim().eq_ignore_ascii_case("true") => {
                return plan_err!("keep: expected 'true' or 'false', got '{keep}'");
            }
            _ => {}
        }
        let mode = match copy.options.remove(MODE_OPTION) {
            None => Mode::Default,
            Some(mode) => match mode.to_ascii_lowercase().as_str() {
                "create" => Mode::Create,
                "replace" => Mode::Replace,
                "resume" => Mode::Resume,
                "retry_errors" => Mode::RetryErrors,
                "append" if is_folder => Mode::Append,
                "append" => {
                    return plan_err!(
                        "mode 'append' needs a folder, and '{}' is a file: end the name with '/'",
                        copy.output_url
                    );
                }
                _ => {
                    return plan_err!(
                        "unknown mode '{mode}': expected 'create', 'append', 'replace', 'resume' \
                         or 'retry_errors'"
                    );
                }
            },
        };
        Ok(Self {
            text: copy.output_url.clone(),
            url,
            is_folder,
            mode,
        })
    }

    /// Refuses to replace a local file that is no Parquet file by its name and its content, such as
    /// a program.
    pub fn check_replaced(&self, format: &str) -> Result<()> {
        let is_named = self.text.to_ascii_lowercase().ends_with(".parquet");
        let replaces = !self.is_folder && self.mode != Mode::Replace;
        if !replaces || is_named || self.url.scheme() != "file" || format != "parquet" {
            return Ok(());
        }
        let path = LocalFileSystem::new().path_to_filesystem(self.url.prefix())?;
        let mut start = [0; PARQUET_MAGIC.len()];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
        if read.is_ok() && start != *PARQUET_MAGIC {
            return plan_err!(
                "'{self}' exists and is no Parquet file: remove it, or choose a name that ends in \
                 .parquet"
            );
        }
        Ok(())
    }

    /// Checks the existing files, relative to the folder, and returns those to remove.
    pub fn replaced(&self, existing: Vec<PathBuf>) -> Result<Vec<PathBuf>> {
        match self.mode {
            Mode::Append => Ok(Vec::new()),
            Mode::Create => match existing.first() {
                None => Ok(existing),
                Some(file) => exec_err!(
                    "'{self}' exists ('{}'), and mode 'create' does not replace files",
                    file.display()
                ),
            },
            Mode::Replace => Ok(existing),
            Mode::Default | Mode::Resume | Mode::RetryErrors => {
                match existing.iter().find(|file| !is_output(file)) {
                    None => Ok(existing),
                    Some(file) if file.to_str().is_some_and(is_part) => exec_err!(
                        "the folder '{self}' contains parts of a COPY that can be continued, such as \
                     '{}': continue it with --resume or OPTIONS (mode 'resume'), or add OPTIONS \
                     (mode 'replace') to remove them all",
                        file.display()
                    ),
                    Some(file) => exec_err!(
                        "the folder '{self}' contains files that no earlier COPY wrote, such as '{}': \
                     choose another folder, or add OPTIONS (mode 'append') to keep its files, or \
                     OPTIONS (mode 'replace') to remove them all",
                        file.display()
                    ),
                }
            }
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Whether a path inside the folder is one that `COPY` writes: folders of partitions, and a
/// file named by 16 random letters and digits, a number and the format's extension.
fn is_output(path: &Path) -> bool {
    let mut folders = path.iter();
    let file = folders.next_back().and_then(OsStr::to_str);
    let is_partition = |name: &OsStr| name.to_str().is_some_and(|name| name.contains('='));
    folders.all(is_partition) && file.is_some_and(is_output_name)
}

/// Whether a file is named like a part of a copy that can be continued (`resume/decide.rs`): a hash
/// of 16 digits precedes the extension, or the numbers before it.
pub fn is_part(name: &str) -> bool {
    let name = name.strip_suffix(".parquet");
    let is_hash = |text: &str| {
        text.len() == WRITE_ID_LENGTH
            && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    name.is_some_and(|name| name.rsplit('-').take(3).any(is_hash))
}

fn is_output_name(name: &str) -> bool {
    let random = |text: &str| {
        text.len() == WRITE_ID_LENGTH && text.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let Some((stem, extension)) = name.split_once('.') else {
        return false;
    };
    // A folder of a partition holds one file without a number.
    let (id, part) = stem.split_once('_').unwrap_or((stem, "0"));
    random(id) && number(part) && !extension.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_output_are_recognized() {
        let is = |path: &str| is_output(Path::new(path));
        for path in [
            "aB3dEfGh1jKlMn0P_0.parquet",
            "aB3dEfGh1jKlMn0P_12.csv.gz",
            "year=2024/month=1/aB3dEfGh1jKlMn0P.parquet",
        ] {
            assert!(is(path), "{path}");
        }
        for path in [
            "part-00000.parquet",
            "aB3dEfGh1jKlMn0P_0",
            "aB3dEfGh1jKlMn0P_0.",
            "aB3dEfGh1jKlMn0P_x.parquet",
            "aB3dEfGh1jKlMn0_0.parquet",
            "aB3dEfGh1jKlMn-P_0.parquet",
            "notes.txt",
            "sub/aB3dEfGh1jKlMn0P_0.parquet",
        ] {
            assert!(!is(path), "{path}");
        }
    }
}
