//! Staging folders in which an index is built until it is complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::{Result, SearchError};
use super::settings::SETTINGS_FILE;

/// A folder for building. It is removed with its content unless it becomes the index.
#[derive(Debug)]
pub struct Staging {
    folder: corpus_staging::Staging,
    target: PathBuf,
    /// Whether an index at the target is replaced.
    replaces: bool,
}

/// The current content of the target of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occupied {
    /// Nothing, or an empty folder.
    No,
    ByIndex,
    ByOther,
}

impl Occupied {
    pub fn of(target: &Path) -> Result<Self> {
        let mut entries = match fs::read_dir(target) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::No),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(Self::ByOther),
            Err(error) => return Err(SearchError::io(target, error)),
        };
        Ok(if target.join(SETTINGS_FILE).is_file() {
            Self::ByIndex
        } else if entries.next().is_none() {
            Self::No
        } else {
            Self::ByOther
        })
    }
}

impl Staging {
    pub fn beside(target: &Path, replaces: bool) -> Result<Self> {
        Ok(Self {
            folder: corpus_staging::Staging::beside(target)?,
            target: target.to_owned(),
            replaces,
        })
    }

    /// The folder to build in.
    pub fn path(&self) -> PathBuf {
        self.folder.new_content()
    }

    /// Moves the finished index into place.
    pub fn finish(self) -> Result<()> {
        let target = &self.target;
        match Occupied::of(target)? {
            Occupied::No => {
                if target.exists() {
                    fs::remove_dir(target).map_err(|error| SearchError::io(target, error))?;
                }
                self.folder.place(target)?;
            }
            Occupied::ByIndex if self.replaces => {
                if !self.folder.replace(target)? {
                    let message = "the folder cannot be replaced: choose another one";
                    return Err(SearchError::index(target, message));
                }
            }
            Occupied::ByIndex | Occupied::ByOther => {
                let message = "something else appeared there while the index was built";
                return Err(SearchError::index(target, message));
            }
        }
        Ok(())
    }
}
