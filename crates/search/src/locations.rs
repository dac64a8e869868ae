//! Locations of indexes: folders, lists of folders, and patterns.

use std::path::PathBuf;

use corpus_staging::is_unfinished;

use super::error::{Result, SearchError};

/// Returns the folders that a location names: one, several between commas, or a pattern with `*`. A
/// literal folder need not exist; a pattern must match.
pub fn resolve(location: &str) -> Result<Vec<PathBuf>> {
    let whole = local(location)?;
    if location.trim().is_empty() {
        return Err(SearchError::Settings(
            "the location of an index is empty".to_owned(),
        ));
    }
    if whole.exists() {
        return Ok(vec![whole]);
    }
    let mut folders = Vec::new();
    for part in location.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let path = local(part)?;
        if path.exists() || !part.contains(['*', '?', '[']) {
            folders.push(path);
            continue;
        }
        let matches = matching_folders(part)?;
        if matches.is_empty() {
            return Err(SearchError::Settings(format!("no folder matches '{part}'")));
        }
        folders.extend(matches);
    }
    let mut seen = std::collections::HashSet::new();
    folders.retain(|folder| seen.insert(folder.clone()));
    Ok(folders)
}

/// Returns the folder of a location. An index is built in a local folder.
pub fn local(location: &str) -> Result<PathBuf> {
    if let Some(path) = location.strip_prefix("file://") {
        return Ok(PathBuf::from(path));
    }
    if location.contains("://") {
        return Err(SearchError::Settings(format!(
            "'{location}': a search index is built in a local folder, from local ones; build it there, \
             and upload all of its files, corpus-search.json last (for example with 'aws s3 cp \
             --recursive'); search() reads it in an object store, too"
        )));
    }
    Ok(PathBuf::from(location))
}

fn matching_folders(pattern: &str) -> Result<Vec<PathBuf>> {
    let invalid = |error: &dyn std::fmt::Display| {
        SearchError::Settings(format!("the pattern '{pattern}' is not valid: {error}"))
    };
    let mut folders = Vec::new();
    for found in glob::glob(pattern).map_err(|error| invalid(&error))? {
        let path = found.map_err(|error| invalid(&error))?;
        // Not an index yet: a run is building it, or was killed.
        let name = path.file_name().and_then(|name| name.to_str());
        if path.is_dir() && !name.is_some_and(is_unfinished) {
            folders.push(path);
        }
    }
    Ok(folders)
}
