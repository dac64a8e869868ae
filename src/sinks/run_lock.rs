//! Keeps two runs of scripts with several steps from writing one folder: each would read the steps
//! of the other.

use corpus_staging::{Staging, remove_abandoned};
use datafusion::common::{Result, exec_err};
use object_store::local::LocalFileSystem;

use super::target::output_url;

/// Marks a local folder as being written by this run, until it is dropped. A killed run leaves a
/// mark that the next run removes.
///
/// Returns `None` if the folder is not local, or nothing can be written beside it.
pub fn lock(folder: &str) -> Result<Option<Staging>> {
    let url = output_url(folder)?;
    if url.scheme() != "file" {
        return Ok(None);
    }
    let path = LocalFileSystem::new().path_to_filesystem(url.prefix())?;
    let path = path.canonicalize().unwrap_or(path);
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        return Ok(None);
    };
    // Not the name that a COPY locks, because this run makes copies itself.
    let mark = path.with_file_name(format!("{name}.run"));
    let Ok(staging) = remove_abandoned(&mark).and_then(|()| Staging::beside(&mark)) else {
        return Ok(None);
    };
    match staging.other_run(&mark) {
        Ok(Some(other)) => exec_err!(
            "another run{} is writing '{folder}': wait until it ends, or choose another folder",
            process_of(&other.to_string_lossy())
        ),
        _ => Ok(Some(staging)),
    }
}

/// Returns the process in the name of a staging folder.
fn process_of(folder: &str) -> String {
    let numbers = folder.rsplit_once(".part-").map(|(_, numbers)| numbers);
    match numbers.and_then(|numbers| numbers.split_once('-')) {
        Some((process, _)) => format!(" (process {process})"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_run() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().join("new/out").display().to_string();
        let first = lock(&folder).unwrap();
        assert!(first.is_some());
        let error = lock(&folder).unwrap_err().to_string();
        let process = format!("another run (process {})", std::process::id());
        assert!(
            error.contains(&process) && error.contains(&folder),
            "{error}"
        );
        assert!(lock(&format!("{folder}2/")).unwrap().is_some());
        drop(first);
        assert!(lock(&folder).unwrap().is_some());
        assert!(lock("s3://bucket/out/").unwrap().is_none());
        // Nothing remains, not even the new folders.
        assert_eq!(temporary.path().read_dir().unwrap().count(), 0);
    }
}
