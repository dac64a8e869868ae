//! Encodes tasks and their results as rows.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{ArrayRef, AsArray, BinaryArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::{Result, internal_datafusion_err, internal_err};
use datafusion::datasource::listing::PartitionedFile;
use datafusion_proto::protobuf;
use prost::Message;
use serde::{Deserialize, Serialize};

use crate::cluster::file_extensions::FileExtension;
use crate::sinks::resume::decide::{PartVersion, Step, Task};
use crate::sinks::resume::manifest::{Done, Input, Job};
use crate::sinks::resume::row_wise::ScannedInput;
use crate::sources::scan::counters::Counts;
use crate::sources::scan::exported::constant;

/// The table of the tasks.
pub static TASKS: LazyLock<SchemaRef> = LazyLock::new(|| one_column("task"));

/// The table of the parts that have been written.
pub static WRITTEN: LazyLock<SchemaRef> = LazyLock::new(|| one_column("part"));

fn one_column(name: &str) -> SchemaRef {
    let column = Field::new(name, DataType::Binary, false);
    Arc::new(Schema::new(vec![column]))
}

/// Makes a batch of a table of messages.
pub fn batch(schema: &SchemaRef, rows: &[Vec<u8>]) -> Result<RecordBatch> {
    let column: ArrayRef = Arc::new(BinaryArray::from_iter_values(rows));
    Ok(RecordBatch::try_new(Arc::clone(schema), vec![column])?)
}

/// The rows of a table of messages.
pub fn rows(batch: &RecordBatch) -> Result<Vec<&[u8]>> {
    match batch.columns() {
        [column] if *column.data_type() == DataType::Binary => {
            Ok(column.as_binary::<i32>().iter().flatten().collect())
        }
        columns => internal_err!("expected one binary column, got {}", columns.len()),
    }
}

#[derive(Clone, PartialEq, Message)]
struct TaskMessage {
    #[prost(message, repeated, tag = "1")]
    steps: Vec<StepMessage>,
    /// [`TaskHead`] in JSON.
    #[prost(string, tag = "2")]
    head: String,
}

#[derive(Serialize, Deserialize)]
struct TaskHead {
    name: String,
    job: Job,
    replaces: Option<PartVersion>,
}

#[derive(Clone, PartialEq, Message)]
struct StepMessage {
    /// [`StepHead`] in JSON.
    #[prost(string, tag = "1")]
    head: String,
    #[prost(message, optional, tag = "2")]
    file: Option<protobuf::PartitionedFile>,
    #[prost(message, optional, tag = "3")]
    mark: Option<FileExtension>,
}

#[derive(Serialize, Deserialize)]
enum StepHead {
    Keep(Done),
    Leave(Done),
    Run(Input),
}

fn json_error(error: serde_json::Error) -> datafusion::error::DataFusionError {
    internal_datafusion_err!("a damaged task: {error}")
}

/// Encodes a task.
pub fn task_bytes(task: &Task) -> Result<Vec<u8>> {
    let mut steps = Vec::with_capacity(task.steps.len());
    for step in &task.steps {
        let (head, scanned) = match step {
            Step::Keep(done) => (StepHead::Keep(done.clone()), None),
            Step::Leave(done) => (StepHead::Leave(done.clone()), None),
            Step::Run(scanned) => (StepHead::Run(scanned.input.clone()), Some(&scanned.file)),
        };
        steps.push(StepMessage {
            head: serde_json::to_string(&head).map_err(json_error)?,
            file: scanned.map(TryInto::try_into).transpose()?,
            mark: scanned.map(FileExtension::of).transpose()?.flatten(),
        });
    }
    let head = TaskHead {
        name: task.name.clone(),
        job: task.job.clone(),
        replaces: task.replaces.clone(),
    };
    let head = serde_json::to_string(&head).map_err(json_error)?;
    Ok(TaskMessage { steps, head }.encode_to_vec())
}

/// Decodes a task.
pub fn task_of(bytes: &[u8]) -> Result<Task> {
    let message =
        TaskMessage::decode(bytes).map_err(|e| internal_datafusion_err!("a damaged task: {e}"))?;
    let head: TaskHead = serde_json::from_str(&message.head).map_err(json_error)?;
    let mut steps = Vec::with_capacity(message.steps.len());
    for step in message.steps {
        steps.push(
            match serde_json::from_str(&step.head).map_err(json_error)? {
                StepHead::Keep(done) => Step::Keep(done),
                StepHead::Leave(done) => Step::Leave(done),
                StepHead::Run(input) => {
                    let Some(file) = &step.file else {
                        return internal_err!("a task has no file for {}", input.file);
                    };
                    let mut file = PartitionedFile::try_from(file)?;
                    if let Some(mark) = step.mark {
                        file = mark.restore(file);
                    }
                    Step::Run(Box::new(ScannedInput { input, file }))
                }
            },
        );
    }
    Ok(Task {
        name: head.name,
        job: head.job,
        steps,
        replaces: head.replaces,
    })
}

/// A part that an executor has written.
#[derive(Debug, Serialize, Deserialize)]
pub struct PartRow {
    pub file: String,
    pub rows: u64,
    pub error_rows: u64,
    files: u64,
    records: u64,
    bytes: u64,
    errors: BTreeMap<String, u64>,
}

impl PartRow {
    /// `counts` are the counts of the scans for this part.
    pub fn new(file: String, rows: u64, error_rows: u64, counts: Counts) -> Self {
        let errors = counts.errors.into_iter();
        Self {
            file,
            rows,
            error_rows,
            files: counts.files,
            records: counts.records,
            bytes: counts.bytes,
            errors: errors
                .map(|(reason, count)| (reason.to_owned(), count))
                .collect(),
        }
    }

    pub fn counts(&self) -> Counts {
        let errors = self.errors.iter();
        Counts {
            files: self.files,
            records: self.records,
            bytes: self.bytes,
            errors: errors
                .map(|(reason, count)| (constant(reason), *count))
                .collect(),
        }
    }

    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(json_error)
    }

    pub fn of(bytes: &[u8]) -> Result<Self> {
        serde_json::from_slice(bytes).map_err(json_error)
    }
}

#[cfg(test)]
mod tests {
    use corpus_bytes::record::RecordError;

    use super::*;
    use crate::sources::indexed::paths::UnknownSize;
    use crate::sources::indexed::{KnownErrors, RecordPlaces};

    fn input(file: &str) -> Input {
        Input {
            file: file.to_owned(),
            scan: 1,
            range: Some((10, 20)),
            size: 30,
            modified: 40,
        }
    }

    fn done(file: &str) -> Done {
        Done {
            input: input(file),
            rows: 5,
            errors: 6,
        }
    }

    fn task(steps: Vec<Step>) -> Task {
        Task {
            name: "a.parquet".to_owned(),
            job: Job {
                query: "q".to_owned(),
                settings: "s".to_owned(),
                columns: "c".to_owned(),
                revision: 7,
            },
            steps,
            replaces: Some(PartVersion {
                size: 8,
                modified: 9,
                tag: Some("t".to_owned()),
            }),
        }
    }

    #[test]
    fn what_planning_knows_of_a_file_travels_along() {
        let errors = (7, RecordError::new("bad line in the index", "it is empty"));
        let known = || KnownErrors {
            name: "index.cdxj".into(),
            errors: Arc::from([errors.clone()]),
        };
        let file = || PartitionedFile::new("a", 1);
        let travelled = |file: PartitionedFile| {
            let input = input("a");
            let steps = vec![Step::Run(Box::new(ScannedInput { input, file }))];
            let task = task_of(&task_bytes(&task(steps)).unwrap()).unwrap();
            match task.steps.into_iter().next() {
                Some(Step::Run(scanned)) => scanned.file,
                step => panic!("{step:?}"),
            }
        };
        let again = travelled(file().with_extension(known()));
        assert_eq!(
            format!("{:?}", again.extension::<KnownErrors>()),
            format!("{:?}", Some(known()))
        );
        let again = travelled(file().with_extension(RecordPlaces(Arc::from([]))));
        assert!(again.extension::<RecordPlaces>().is_some());
        let again = travelled(file().with_extension(UnknownSize));
        assert!(again.extension::<UnknownSize>().is_some());
        assert!(travelled(file()).extensions.is_empty());
    }

    #[test]
    fn an_unknown_extension_is_not_lost() {
        struct Unknown;
        for file in [
            PartitionedFile::new("a", 1).with_extension(Unknown),
            PartitionedFile::new("a", 1)
                .with_extension(Unknown)
                .with_extension(UnknownSize),
        ] {
            let input = input("a");
            let task = task(vec![Step::Run(Box::new(ScannedInput { input, file }))]);
            let error = task_bytes(&task).unwrap_err().to_string();
            assert!(error.contains("of a cannot be encoded"), "{error}");
        }
    }

    #[test]
    fn tasks_are_the_same_after_the_journey() {
        let file = PartitionedFile::new("folder/c d.warc.gz", 30).with_range(10, 20);
        let task = task(vec![
            Step::Keep(done("a")),
            Step::Leave(done("b")),
            Step::Run(Box::new(ScannedInput {
                input: input("/folder/c d.warc.gz"),
                file,
            })),
        ]);
        let again = task_of(&task_bytes(&task).unwrap()).unwrap();
        assert_eq!(format!("{again:?}"), format!("{task:?}"));
    }

    #[test]
    fn results_are_the_same_after_the_journey() {
        let counts = Counts {
            files: 1,
            records: 2,
            bytes: 3,
            errors: [("bad crc", 4)].into(),
        };
        let row = PartRow::new("a.parquet".to_owned(), 5, 6, counts.clone());
        let again = PartRow::of(&row.to_bytes().unwrap()).unwrap();
        assert_eq!(again.counts(), counts);
        assert_eq!(format!("{again:?}"), format!("{row:?}"));
    }
}
