//! Lets several processes write the parts of one run together.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;

use corpus_staging::{PathError, remove_abandoned};
use datafusion::common::{Result, exec_err};
use futures::TryStreamExt;
use uuid::Uuid;

use super::decide::{Part, Step, Task};
use super::folder::{Folder, OpenFolder};
use super::manifest::{Input, Manifest};
use super::part::{Run, Written};

impl Folder {
    /// The names of the files in the folder.
    pub async fn names(&self) -> Result<Vec<String>> {
        let objects = self.store.list(Some(&self.prefix));
        let names = objects.try_filter_map(|object| async move {
            Ok(object.location.filename().map(str::to_owned))
        });
        Ok(names.try_collect().await?)
    }

    /// Removes the staging folders of processes that are gone.
    pub fn remove_abandoned(&self) -> Result<(), PathError> {
        match &self.local {
            Some(path) => remove_abandoned(path),
            None => Ok(()),
        }
    }

    /// Opens a folder that another process has locked for this run. `staged_files` comes from that
    /// process.
    pub fn join(&self, staged_files: Option<PathBuf>) -> OpenFolder {
        OpenFolder {
            folder: self.clone(),
            staged_files,
            _staging: None,
            lock: None,
            prefix: format!("{}-", Uuid::new_v4()),
            next: AtomicUsize::new(0),
        }
    }
}

impl OpenFolder {
    /// The folder in which local files are written before they appear.
    pub fn staged_files(&self) -> Option<&Path> {
        self.staged_files.as_deref()
    }

    /// Returns a part with its manifest, if it exists.
    pub async fn part(&self, name: &str) -> Result<Option<Part>> {
        match self.object(name).await? {
            Some(object) => Ok(Some(self.folder.part(name.to_owned(), object).await?)),
            None => Ok(None),
        }
    }
}

impl Manifest {
    /// Returns the number of rows of an input, if the part contains it.
    pub fn rows_of(&self, input: &Input) -> Option<u64> {
        let done = self.inputs.iter().find(|done| done.input == *input);
        done.map(|done| done.rows)
    }
}

impl Task {
    /// Returns the size of the inputs to process.
    pub fn bytes(&self) -> u64 {
        let bytes = |step: &Step| match step {
            Step::Run(scanned) => scanned.input.bytes(),
            Step::Keep(_) | Step::Leave(_) => 0,
        };
        self.steps.iter().map(bytes).sum()
    }

    /// Returns the number of rows that a part has from the processed inputs.
    pub fn rows_in(&self, manifest: &Manifest) -> u64 {
        let rows = self.steps.iter().filter_map(|step| match step {
            Step::Run(scanned) => manifest.rows_of(&scanned.input),
            Step::Keep(_) | Step::Leave(_) => None,
        });
        rows.sum()
    }

    /// Whether a part has exactly the inputs of this task, because an earlier attempt has written
    /// it.
    pub fn is_written(&self, manifest: &Manifest) -> bool {
        let inputs = self.steps.iter().filter_map(|step| match step {
            Step::Run(scanned) => Some(&scanned.input),
            Step::Keep(done) => Some(&done.input),
            Step::Leave(_) => None,
        });
        manifest.job == self.job && inputs.eq(manifest.inputs.iter().map(|done| &done.input))
    }
}

impl Run {
    /// Writes a part, unless an earlier attempt has already written it.
    pub async fn write_once(&self, task: Task) -> Result<Written> {
        match self.written(&task).await? {
            Some(written) => Ok(written),
            None => self.write(task).await,
        }
    }

    /// The folders of the run.
    pub fn folders(&self) -> Vec<Folder> {
        let errors = self.errors.iter().map(|(folder, _)| folder);
        let folders = std::iter::once(&self.folder).chain(errors);
        folders.map(|folder| folder.folder().clone()).collect()
    }

    /// Returns the numbers of rows of a part that an earlier attempt has written. `None` if there
    /// is no part, or only the one that the task replaces.
    pub async fn written(&self, task: &Task) -> Result<Option<Written>> {
        let part = self.folder.part(&task.name).await?;
        let Some(part) = part.filter(|part| task.replaces.as_ref() != Some(&part.version)) else {
            return Ok(None);
        };
        if !task.is_written(&part.manifest) {
            return exec_err!(
                "'{}' in '{}' was changed while this run was writing it",
                task.name,
                self.folder.folder().name
            );
        }
        let error_part = match &self.errors {
            Some((folder, _)) => folder.part(&task.name).await?,
            None => None,
        };
        Ok(Some(Written {
            rows: task.rows_in(&part.manifest),
            error_rows: error_part.map_or(0, |part| task.rows_in(&part.manifest)),
        }))
    }
}

#[cfg(test)]
mod tests {
    use datafusion::datasource::listing::PartitionedFile;

    use super::*;
    use crate::sinks::resume::manifest::{Done, Job};
    use crate::sinks::resume::row_wise::ScannedInput;

    fn input(file: &str, modified: i64) -> Input {
        Input {
            file: file.to_owned(),
            scan: 0,
            range: None,
            size: 10,
            modified,
        }
    }

    fn done(input: Input, rows: u64) -> Done {
        Done {
            input,
            rows,
            errors: 0,
        }
    }

    fn job(query: &str) -> Job {
        Job {
            query: query.to_owned(),
            settings: String::new(),
            columns: String::new(),
            revision: 1,
        }
    }

    #[test]
    fn a_part_that_an_earlier_attempt_has_written_is_recognized() {
        let run = |input: Input| {
            let file = PartitionedFile::new(input.file.clone(), input.size);
            Step::Run(Box::new(ScannedInput { input, file }))
        };
        // Of three inputs, the second has changed.
        let task = Task {
            name: "part.parquet".to_owned(),
            job: job("q"),
            steps: vec![
                Step::Keep(done(input("a", 1), 3)),
                Step::Leave(done(input("b", 1), 4)),
                run(input("b", 2)),
                Step::Keep(done(input("c", 1), 5)),
            ],
            replaces: None,
        };
        let part = |query, modified, rows| {
            let inputs = [("a", 1, 3), ("b", modified, rows), ("c", 1, 5)];
            let inputs = inputs.map(|(file, modified, rows)| done(input(file, modified), rows));
            Manifest::new(job(query), inputs.to_vec())
        };
        assert!(!task.is_written(&part("q", 1, 4)));
        assert!(!task.is_written(&part("other", 2, 7)));
        let written = part("q", 2, 7);
        assert!(task.is_written(&written));
        assert_eq!(task.rows_in(&written), 7);
        assert_eq!(task.bytes(), 10);
    }
}
