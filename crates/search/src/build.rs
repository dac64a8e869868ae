//! Builds an index: each part on a separate thread, and one commit at the end.
//!
//! All parts write segments into the same folder. None of them is part of the index until
//! [`IndexBuild::finish`] commits all of them together.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::MmapDirectory;
use tantivy::index::{IndexSettings as TantivySettings, SegmentMeta};
use tantivy::indexer::{AddOperation, NoMergePolicy, SegmentWriter, merge_indices};
use tantivy::{Index, IndexWriter, Segment, SegmentReader, TantivyDocument, TantivyError};

use super::checksums::{CheckedDirectory, Checksums, Verify};
use super::error::{Result, SearchError};
use super::failures::Failures;
use super::ids::{KnownDocuments, SharedIds};
use super::merges::{BoundedMerges, merge_groups};
use super::open::{OpenIndex, guard, prefer_failures, register};
use super::options::{Duplicates, IndexOptions, Mode};
use super::settings::{IndexSettings, field};
use super::staging::{Occupied, Staging};
use super::value::{ColumnType, Value};
use corpus_staging::remove_abandoned;

/// The minimum that Tantivy accepts. No documents are added through the writer itself.
const MIN_WRITER_BYTES: usize = 15_000_000;

/// An index that is being built. If it is dropped before it is finished, nothing remains.
pub struct IndexBuild {
    folder: PathBuf,
    settings: Arc<IndexSettings>,
    memory: usize,
    merged_bytes: u64,
    replaces_ids: bool,
    duplicates: Duplicates,
    /// The number of documents of combined indexes whose ids also occur in another of these
    /// indexes.
    combined_duplicates: u64,
    index: Index,
    writer: IndexWriter,
    checksums: Arc<Checksums>,
    /// The errors of reading the files of the index.
    failures: Arc<Failures>,
    /// `None` when documents are added to an existing index. Dropped last.
    staging: Option<Staging>,
}

/// The result of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Built {
    /// The number of documents added, excluding combined indexes.
    pub documents: u64,
    /// The number of all documents in the index.
    pub total: u64,
    /// The number of documents that were removed because new ones have their ids.
    pub replaced: u64,
    /// The number of documents whose ids other documents of the index also have.
    pub duplicates: u64,
}

impl IndexBuild {
    /// Starts a build, and makes all checks that are possible before the first document.
    pub fn begin(
        target: &Path,
        columns: &[(String, ColumnType)],
        options: &IndexOptions,
    ) -> Result<Self> {
        options.check()?;
        remove_abandoned(target)?;
        match (Occupied::of(target)?, options.mode) {
            (Occupied::ByOther, _) => Err(SearchError::index(
                target,
                "the folder contains something other than a search index: choose another name",
            )),
            (Occupied::ByIndex, Mode::Create) => Err(SearchError::index(
                target,
                "there is an index already: add to it with OPTIONS (mode 'append'), replace \
                 documents by their ids with OPTIONS (mode 'update'), or make it anew with OPTIONS \
                 (mode 'replace')",
            )),
            (Occupied::ByIndex, Mode::Append | Mode::Update) => {
                Self::append(target, columns, options)
            }
            _ => Self::create(target, columns, options),
        }
    }

    fn create(
        target: &Path,
        columns: &[(String, ColumnType)],
        options: &IndexOptions,
    ) -> Result<Self> {
        let sources = options
            .combine
            .iter()
            .map(|path| OpenIndex::read(path, Verify::Used))
            .collect::<Result<Vec<_>>>()?;
        let mut settings = match sources.split_first() {
            None => IndexSettings::choose(columns, options)?,
            Some((first, others)) => {
                for other in others {
                    check_same(&other.path, &other.settings, &first.path, &first.settings)?;
                }
                settings_that_fit(first, columns, options)?
            }
        };
        // The settings may be from an index built by an older version.
        settings.has_sums = true;
        let staging = Staging::beside(target, options.mode == Mode::Replace)?;
        let folder = staging.path();
        let checksums = Arc::<Checksums>::default();
        let failures = Arc::<Failures>::default();
        let combined = guard(target, || {
            let directory = MmapDirectory::open(&folder);
            let directory = CheckedDirectory {
                directory: Box::new(
                    directory.map_err(|error| SearchError::while_writing(&folder)(error.into()))?,
                ),
                checksums: Arc::clone(&checksums),
                verify: Verify::Used,
                failures: Arc::clone(&failures),
                whole_files: true,
            };
            let index = new_index(&folder, directory, &settings, &sources)?;
            Ok((index, combined_duplicates(&settings, &sources)?))
        });
        let read = sources.iter().map(|source| &source.failures);
        let (index, combined_duplicates) = prefer_failures(target, combined, read)?;
        register(&index, &settings);
        let open = OpenIndex {
            path: folder,
            settings,
            index,
            checksums,
            failures,
        };
        let mut build = Self::with_index(open, options, Some(staging))?;
        build.combined_duplicates = combined_duplicates;
        Ok(build)
    }

    fn append(
        target: &Path,
        columns: &[(String, ColumnType)],
        options: &IndexOptions,
    ) -> Result<Self> {
        if !options.combine.is_empty() {
            return Err(SearchError::Settings(
                "combine makes a new index: use mode 'replace', and name the old index in combine, too"
                    .to_owned(),
            ));
        }
        let open = OpenIndex::write(target)?;
        let settings = settings_that_fit(&open, columns, options)?;
        Self::with_index(OpenIndex { settings, ..open }, options, None)
    }

    fn with_index(
        open: OpenIndex,
        options: &IndexOptions,
        staging: Option<Staging>,
    ) -> Result<Self> {
        let OpenIndex {
            path: folder,
            settings,
            index,
            checksums,
            failures,
        } = open;
        let writer: IndexWriter =
            index
                .writer_with_num_threads(1, MIN_WRITER_BYTES)
                .map_err(|error| match error {
                    TantivyError::LockFailure(..) => SearchError::index(
                        &folder,
                        "another run is adding documents to this index: wait until it has finished",
                    ),
                    error => SearchError::while_writing(&folder)(error),
                })?;
        // Merging is done once, at the end.
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(Self {
            folder,
            settings: Arc::new(settings),
            memory: options.memory,
            merged_bytes: options.merged_bytes,
            replaces_ids: options.mode == Mode::Update,
            duplicates: options.duplicates,
            combined_duplicates: 0,
            index,
            writer,
            checksums,
            failures,
            staging,
        })
    }

    pub fn settings(&self) -> &IndexSettings {
        &self.settings
    }

    /// Returns a part, for one thread.
    pub fn part(&self) -> PartWriter {
        PartWriter {
            folder: self.folder.clone(),
            settings: Arc::clone(&self.settings),
            memory: self.memory,
            index: self.index.clone(),
            open: None,
            written: Vec::new(),
            documents: 0,
        }
    }

    /// Commits the documents of all parts as the index.
    pub fn finish(self, parts: Vec<FinishedPart>) -> Result<Built> {
        let (folder, failures) = (self.folder.clone(), Arc::clone(&self.failures));
        let built = guard(&folder, || self.commit(parts));
        prefer_failures(&folder, built, [&failures])
    }

    fn commit(mut self, parts: Vec<FinishedPart>) -> Result<Built> {
        let documents = parts.iter().map(|part| part.documents).sum();
        let writing = SearchError::while_writing(&self.folder);
        let segments: Vec<SegmentMeta> = parts.into_iter().flat_map(|part| part.segments).collect();
        let new = self.open_segments(&segments)?;
        let shared = self.shared_ids(&new)?;
        let repeated = SharedIds::count_repeated(&self.settings, &new)
            .map_err(SearchError::damaged(&self.folder))?;
        drop(new);
        let count = shared.count();
        for segment in &segments {
            self.writer.add_segment(segment.clone()).map_err(&writing)?;
        }
        let groups = merge_groups(&self.folder, &segments, self.merged_bytes)
            .map_err(|error| SearchError::io(&self.folder, error))?;
        for group in groups {
            self.writer.merge(&group).wait().map_err(&writing)?;
        }
        if self.replaces_ids && count > 0 {
            let replaced = KnownDocuments::new(shared.documents);
            self.writer
                .delete_query(Box::new(replaced))
                .map_err(&writing)?;
        }
        // Keeps the number of segments small over many runs.
        self.writer.set_merge_policy(Box::new(BoundedMerges {
            folder: self.folder.clone(),
            max_bytes: self.merged_bytes,
        }));
        self.writer.commit().map_err(&writing)?;
        // The files of merged segments are removed once nothing refers to them.
        drop(segments);
        let collected = self.writer.garbage_collect_files().wait();
        collected.map_err(&writing)?;
        self.writer.wait_merging_threads().map_err(&writing)?;
        let metas = self.index.searchable_segment_metas().map_err(&writing)?;
        let total = metas.iter().map(|meta| u64::from(meta.num_docs())).sum();
        self.checksums.write(&self.folder, &self.index)?;
        if let Some(staging) = self.staging {
            self.settings.write(&self.folder)?;
            staging.finish()?;
        }
        let (replaced, kept) = if self.replaces_ids {
            (count, 0)
        } else {
            (0, count)
        };
        Ok(Built {
            documents,
            total,
            replaced,
            duplicates: kept + repeated + self.combined_duplicates,
        })
    }

    fn open_segments(&self, segments: &[SegmentMeta]) -> Result<Vec<SegmentReader>> {
        let readers = segments
            .iter()
            .map(|meta| SegmentReader::open(&self.index.segment(meta.clone())));
        let readers = readers.collect::<tantivy::Result<_>>();
        readers.map_err(SearchError::damaged(&self.folder))
    }

    /// Returns the documents of the index whose ids new segments have.
    fn shared_ids(&self, new: &[SegmentReader]) -> Result<SharedIds> {
        let damaged = SearchError::damaged(&self.folder);
        let old = self.index.searchable_segments().map_err(&damaged)?;
        if old.is_empty() {
            return Ok(SharedIds::default());
        }
        let old = old.iter().map(SegmentReader::open);
        let old: Vec<_> = old.collect::<tantivy::Result<_>>().map_err(&damaged)?;
        let shared = SharedIds::find(&self.settings, &old, new).map_err(&damaged)?;
        // Combined indexes were built separately, so their duplicates could not be avoided.
        let is_append = self.staging.is_none() && !self.replaces_ids;
        match (self.duplicates, &shared.example) {
            (Duplicates::Refuse, Some(id)) if is_append => Err(SearchError::index(
                &self.folder,
                format!(
                    "{} documents of the index have ids of new rows, such as '{id}', and nothing \
                     was added: replace these documents with OPTIONS (mode 'update'), or keep both \
                     with OPTIONS (duplicates 'keep')",
                    shared.count()
                ),
            )),
            _ => Ok(shared),
        }
    }
}

/// Counts the documents of indexes whose ids an earlier index has.
fn combined_duplicates(settings: &IndexSettings, sources: &[OpenIndex]) -> Result<u64> {
    let mut before = Vec::new();
    let mut duplicates = 0;
    for source in sources {
        let segments = source.searcher()?.segment_readers().to_vec();
        let shared = SharedIds::find(settings, &before, &segments);
        duplicates += shared.map_err(SearchError::damaged(&source.path))?.count();
        before.extend(segments);
    }
    Ok(duplicates)
}

/// Creates a new index in its folder, with the documents of others.
fn new_index(
    folder: &Path,
    directory: CheckedDirectory,
    settings: &IndexSettings,
    sources: &[OpenIndex],
) -> Result<Index> {
    let writing = SearchError::while_writing(folder);
    let mut filled = Vec::new();
    for source in sources {
        let segments = source.index.searchable_segment_metas();
        if !segments
            .map_err(SearchError::damaged(&source.path))?
            .is_empty()
        {
            filled.push(source.index.clone());
        }
    }
    if !filled.is_empty() {
        return merge_indices(&filled, directory).map_err(&writing);
    }
    let tantivy_settings = TantivySettings {
        // The parts already run on separate threads.
        docstore_compress_dedicated_thread: false,
        ..TantivySettings::default()
    };
    Index::create(directory, settings.schema(), tantivy_settings).map_err(&writing)
}

/// Returns the settings of an existing index, if the columns and options match them.
fn settings_that_fit(
    there: &OpenIndex,
    columns: &[(String, ColumnType)],
    options: &IndexOptions,
) -> Result<IndexSettings> {
    let known = there.settings.columns.iter();
    let known: Vec<_> = known
        .map(|column| (column.name.clone(), column.kind))
        .collect();
    if known != columns {
        return Err(SearchError::index(
            &there.path,
            format!(
                "the index has the columns {}; this query has {}",
                listed(&known),
                listed(columns)
            ),
        ));
    }
    if options.decide_settings() {
        let chosen = IndexSettings::choose(columns, options)?;
        check_same(
            &there.path,
            &there.settings,
            Path::new("the options"),
            &chosen,
        )?;
    }
    Ok(there.settings.clone())
}

fn listed(columns: &[(String, ColumnType)]) -> String {
    let columns = columns.iter();
    let columns: Vec<_> = columns
        .map(|(name, kind)| format!("{name} {}", kind.name()))
        .collect();
    columns.join(", ")
}

/// Checks that indexes were built in the same way, so that they can be searched together or
/// combined.
pub fn check_same(
    path: &Path,
    settings: &IndexSettings,
    first_path: &Path,
    first: &IndexSettings,
) -> Result<()> {
    if settings == first {
        return Ok(());
    }
    let difference = if settings.columns != first.columns {
        "other columns, or other options for them,"
    } else if settings.words != first.words {
        "another language"
    } else {
        "other columns for id or text"
    };
    Err(SearchError::index(
        path,
        format!("this index has {difference} than {}", first_path.display()),
    ))
}

/// Adds the documents of one thread.
pub struct PartWriter {
    folder: PathBuf,
    settings: Arc<IndexSettings>,
    memory: usize,
    index: Index,
    /// The segment that is being filled.
    open: Option<(Segment, SegmentWriter)>,
    written: Vec<SegmentMeta>,
    documents: u64,
}

/// The segments of a part, all of them written.
pub struct FinishedPart {
    segments: Vec<SegmentMeta>,
    documents: u64,
}

impl PartWriter {
    /// Adds a document: a value for each column, in order.
    pub fn add(&mut self, row: &[Value<'_>]) -> Result<()> {
        let document = self.document(row);
        let writing = SearchError::while_writing(&self.folder);
        let (_, writer) = match &mut self.open {
            Some(open) => open,
            none => {
                let segment = self.index.new_segment();
                let writer = SegmentWriter::for_segment(self.memory, segment.clone());
                none.insert((segment, writer.map_err(&writing)?))
            }
        };
        let opstamp = self.documents;
        let added = writer.add_document(AddOperation { opstamp, document });
        added.map_err(&writing)?;
        self.documents += 1;
        if writer.mem_usage() >= self.memory {
            self.write_segment()?;
        }
        Ok(())
    }

    fn document(&self, row: &[Value<'_>]) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        for (at, value) in row.iter().enumerate() {
            let field = field(at);
            match (
                value,
                self.settings.columns.get(at).map(|column| column.kind),
            ) {
                (Value::Text(text), Some(ColumnType::Text)) => document.add_text(field, text),
                (Value::Double(number), Some(ColumnType::Double)) => {
                    document.add_f64(field, *number);
                }
                (
                    Value::Integer(number),
                    Some(ColumnType::Integer | ColumnType::Boolean | ColumnType::Timestamp),
                ) => document.add_i64(field, *number),
                // NULL. Other values have the types of their columns.
                _ => {}
            }
        }
        document
    }

    fn write_segment(&mut self) -> Result<()> {
        let Some((segment, writer)) = self.open.take() else {
            return Ok(());
        };
        let documents = writer.max_doc();
        writer
            .finalize()
            .map_err(SearchError::while_writing(&self.folder))?;
        let meta = segment.with_max_doc(documents).meta().clone();
        meta.untrack_temp_docstore();
        self.written.push(meta);
        Ok(())
    }

    pub fn finish(mut self) -> Result<FinishedPart> {
        self.write_segment()?;
        Ok(FinishedPart {
            segments: self.written,
            documents: self.documents,
        })
    }
}
