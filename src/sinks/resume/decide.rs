//! Decides which parts a run has to write, from the existing parts and the inputs of its query.

use std::collections::{HashMap, HashSet};

use object_store::ObjectMeta;
use serde::{Deserialize, Serialize};

use super::manifest::{Done, Input, Job, Manifest};
use super::row_wise::ScannedInput;
use crate::sinks::target::is_part;

/// The limits of a part that holds several files.
const MAX_PART_FILES: usize = 256;
const MAX_PART_BYTES: u64 = 64 << 20;

/// The minimum number of parts per thread. If there are few files, parts hold fewer of them.
const MIN_PARTS_PER_THREAD: usize = 4;

/// The maximum number of bytes of a part's name that come from its first file.
const MAX_NAME_BYTES: usize = 120;

/// A part in the folder.
#[derive(Debug, Clone)]
pub struct Part {
    /// The name of the file.
    pub name: String,
    pub manifest: Manifest,
    pub version: PartVersion,
    /// The number of its rows with an error.
    pub error_rows: u64,
}

/// Distinguishes a part from one that replaces it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartVersion {
    pub size: u64,
    /// The time of modification, in nanoseconds since 1970.
    pub modified: i64,
    /// The ETag. Object stores report times in seconds only.
    pub tag: Option<String>,
}

impl From<&ObjectMeta> for PartVersion {
    fn from(meta: &ObjectMeta) -> Self {
        Self {
            size: meta.size,
            modified: meta.last_modified.timestamp_nanos_opt().unwrap_or_default(),
            tag: meta.e_tag.clone(),
        }
    }
}

/// A part to write.
#[derive(Debug)]
pub struct Task {
    pub name: String,
    pub job: Job,
    pub steps: Vec<Step>,
    /// The existing part of this name, from which rows are copied.
    pub replaces: Option<PartVersion>,
}

impl Task {
    /// The number of inputs to process.
    pub fn inputs(&self) -> usize {
        let runs = |step: &&Step| matches!(step, Step::Run(_));
        self.steps.iter().filter(runs).count()
    }
}

/// The action for one input of a part. Actions are in the order of the inputs.
#[derive(Debug)]
pub enum Step {
    /// Copies its rows from the old part.
    Keep(Done),
    /// Skips its rows in the old part.
    Leave(Done),
    /// Processes the input.
    Run(Box<ScannedInput>),
}

/// The inputs of one scan.
#[derive(Debug)]
pub struct ScanInputs {
    pub inputs: Vec<ScannedInput>,
    /// Whether a part holds several files.
    pub grouped: bool,
}

/// The tasks of a run.
#[derive(Debug, Default)]
pub struct Decision {
    pub tasks: Vec<Task>,
    /// The parts to remove, because the ranges of their inputs have changed.
    pub removed: Vec<String>,
    /// The bytes of the inputs that are done.
    pub done_bytes: u64,
    pub counts: Counts,
}

/// Counts for the summary of a run.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Counts {
    /// Inputs whose rows already existed.
    pub done: u64,
    /// Their unreadable records and rows with an error.
    pub done_errors: u64,
    /// Inputs that are new.
    pub new: u64,
    /// Inputs that have changed since their rows were written.
    pub changed: u64,
    /// Inputs that had errors and are retried.
    pub failed: u64,
    /// Inputs that are processed again because another job wrote their rows.
    pub outdated: u64,
    /// How that job differs from this one.
    pub difference: Option<&'static str>,
    /// Inputs that the query no longer reads, but whose rows are kept.
    pub gone: u64,
    /// Inputs that the query no longer reads, whose rows are removed with those of the other job.
    pub dropped: u64,
}

/// Decides what to do. An error says why the folder cannot be continued.
pub fn decide(
    job: &Job,
    existing: Vec<Part>,
    scans: Vec<ScanInputs>,
    retry_errors: bool,
    threads: usize,
) -> Result<Decision, String> {
    let mut decision = Decision::default();
    let mut names: HashSet<String> = existing.iter().map(|part| part.name.clone()).collect();
    let grouped: Vec<bool> = scans.iter().map(|scan| scan.grouped).collect();
    let mut open = UnclaimedInputs::new(scans);
    for part in existing {
        open.decide_part(job, part, retry_errors, &mut decision)?;
    }
    let rest = open.rest();
    decision.counts.new = rest.len() as u64;
    for group in groups(rest, &grouped, threads) {
        let Some(first) = group.first() else { continue };
        let name = free_name(&first.input, &mut names);
        decision.tasks.push(Task {
            name,
            job: job.clone(),
            steps: group.into_iter().map(Box::new).map(Step::Run).collect(),
            replaces: None,
        });
    }
    Ok(decision)
}

/// The inputs that no part has claimed yet.
struct UnclaimedInputs {
    inputs: HashMap<Key, (usize, ScannedInput)>,
    /// The files of each scan, whatever their ranges.
    files: HashSet<(usize, String)>,
}

type Key = (usize, String, Option<(u64, u64)>);

fn key(input: &Input) -> Key {
    (input.scan, input.file.clone(), input.range)
}

/// How an input of an existing part relates to the query.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InputState {
    Current,
    Changed,
    /// The query reads the file in other ranges, because its size has changed.
    Divided,
    Gone,
}

impl UnclaimedInputs {
    fn new(scans: Vec<ScanInputs>) -> Self {
        let all = scans.into_iter().flat_map(|scan| scan.inputs);
        let inputs: HashMap<_, _> = all
            .enumerate()
            .map(|(order, scanned)| (key(&scanned.input), (order, scanned)))
            .collect();
        let files = inputs
            .keys()
            .map(|(scan, file, _)| (*scan, file.clone()))
            .collect();
        Self { inputs, files }
    }

    fn state(&self, input: &Input) -> InputState {
        match self.inputs.get(&key(input)) {
            Some((_, scanned)) if scanned.input == *input => InputState::Current,
            Some(_) => InputState::Changed,
            None if self.files.contains(&(input.scan, input.file.clone())) => InputState::Divided,
            None => InputState::Gone,
        }
    }

    fn decide_part(
        &mut self,
        job: &Job,
        part: Part,
        retry_errors: bool,
        decision: &mut Decision,
    ) -> Result<(), String> {
        let Part {
            name,
            manifest,
            version,
            ..
        } = part;
        let inputs = manifest.inputs;
        let states: Vec<InputState> = inputs.iter().map(|done| self.state(&done.input)).collect();
        let counts = &mut decision.counts;
        let fits = manifest.job == *job
            // A retry may have other limits or passwords.
            || retry_errors && manifest.job.columns == job.columns;
        if !fits && (inputs.is_empty() || states.iter().all(|state| *state == InputState::Gone)) {
            let difference = manifest.job.difference(job);
            return Err(format!(
                "'{name}' was written by {difference}, from files that this query does not read"
            ));
        }
        if !fits {
            counts.difference = Some(manifest.job.difference(job));
        }
        let mut steps = Vec::with_capacity(inputs.len());
        for (done, state) in inputs.into_iter().zip(states) {
            let failed = retry_errors && done.errors > 0;
            let runs = match state {
                InputState::Divided => false,
                InputState::Gone => false,
                InputState::Changed => true,
                InputState::Current => !fits || failed,
            };
            if runs {
                match state {
                    InputState::Changed => counts.changed += 1,
                    _ if !fits => counts.outdated += 1,
                    _ => counts.failed += 1,
                }
            }
            let scanned = self.inputs.remove(&key(&done.input));
            let step = match (state, scanned) {
                (_, Some((_, scanned))) if runs => {
                    steps.push(Step::Leave(done));
                    Step::Run(Box::new(scanned))
                }
                (InputState::Divided, _) => {
                    counts.changed += 1;
                    Step::Leave(done)
                }
                (InputState::Gone, _) if fits => {
                    counts.gone += 1;
                    Step::Keep(done)
                }
                (InputState::Gone, _) => {
                    counts.dropped += 1;
                    Step::Leave(done)
                }
                _ => {
                    counts.done += 1;
                    counts.done_errors += done.errors;
                    decision.done_bytes += done.input.bytes();
                    Step::Keep(done)
                }
            };
            steps.push(step);
        }
        if steps.iter().all(|step| matches!(step, Step::Leave(_))) {
            decision.removed.push(name);
        } else if !steps.iter().all(|step| matches!(step, Step::Keep(_))) {
            // After a retry, the part still belongs to the first job.
            let job = if fits { &manifest.job } else { job };
            decision.tasks.push(Task {
                name,
                job: job.clone(),
                steps,
                replaces: Some(version),
            });
        }
        Ok(())
    }

    /// Returns the inputs that are in no part, in their order.
    fn rest(self) -> Vec<ScannedInput> {
        let mut rest: Vec<_> = self.inputs.into_values().collect();
        rest.sort_by_key(|(order, _)| *order);
        rest.into_iter().map(|(_, scanned)| scanned).collect()
    }
}

/// Groups inputs into parts.
fn groups(inputs: Vec<ScannedInput>, grouped: &[bool], threads: usize) -> Vec<Vec<ScannedInput>> {
    let max_files =
        (inputs.len() / (threads * MIN_PARTS_PER_THREAD).max(1)).clamp(1, MAX_PART_FILES);
    let mut groups: Vec<Vec<ScannedInput>> = Vec::new();
    let mut bytes = 0;
    for scanned in inputs {
        let Input { scan, size, .. } = scanned.input;
        let joins = grouped.get(scan) == Some(&true) && bytes + size <= MAX_PART_BYTES;
        match groups.last_mut() {
            Some(group)
                if joins
                    && group.len() < max_files
                    && group.last().is_some_and(|last| last.input.scan == scan) =>
            {
                bytes += size;
                group.push(scanned);
            }
            _ => {
                bytes = size;
                groups.push(Vec::from([scanned]));
            }
        }
    }
    groups
}

/// Returns the name of the part that starts with this input. It has the name of the file, for
/// people, and a hash of its path, because several folders may have files of the same name.
fn free_name(input: &Input, names: &mut HashSet<String>) -> String {
    let file = input.file.rsplit(['/', '\\']).next().unwrap_or_default();
    // If the input is a part that another job wrote, its name already has a hash.
    let file = if is_part(file) {
        file.rsplit_once('-').map_or(file, |(name, _)| name)
    } else {
        file
    };
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let file = &file[..file.floor_char_boundary(MAX_NAME_BYTES)];
    let plain = file.replace(|c| !is_plain(c), "_");
    // Readers ignore files whose names start with a dot or an underscore.
    let plain = plain.trim_start_matches(['.', '_']);
    let path = format!("{}:{}", input.scan, input.file);
    let hash = corpus_dedup::hash::hash64(&path);
    let range = input
        .range
        .map_or(String::new(), |(start, _)| format!("-{start:012}"));
    let mut number = 1;
    loop {
        let again = match number {
            1 => String::new(),
            _ => format!("-{number}"),
        };
        let name = format!("{plain}-{hash:016x}{range}{again}.parquet");
        if names.insert(name.clone()) {
            return name;
        }
        number += 1;
    }
}
