//! Access by an index: instead of the records of whole files, those that an index names.
//!
//! ```text
//! filters on the table  ->  RecordIndex::find    ->  for each file the places of its records
//! a file and its places ->  IndexedReader        ->  their rows, one small read each
//! ```

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::{self, Read};
use std::path::Path as FilePath;
use std::sync::{Arc, OnceLock};

use datafusion::catalog::Session;
use datafusion::common::{Result, plan_datafusion_err, plan_err};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::logical_expr::Expr;
use object_store::path::Path;

use super::batches::UnreadableFile;
use super::bytes::file_of;
use super::format::RecordFormat;
use super::location::{Location, display_name};
use super::record::{FileBytes, ReadRequest, RecordError, RecordReader, Value};

/// Larger records are streamed, and not fetched by one request.
const MAX_FETCH: u64 = 8 << 20;

/// Where a record lies in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub offset: u64,
    /// Indexes of some tools leave it out.
    pub length: Option<u64>,
}

/// The places to be read of one file: an extension of its [`PartitionedFile`].
#[derive(Debug)]
pub struct Places(pub Arc<[Place]>);

/// An index that a format's options name.
pub trait RecordIndex: Debug + Send + Sync {
    /// Where its files are.
    fn location(&self) -> &str;

    /// Whether a filter narrows what has to be read of it.
    fn uses(&self, filter: &Expr) -> bool;

    /// Tells the file and the place of every record in one file of the index that may pass the
    /// filters. An error says what is wrong with the file, and where in it.
    fn find(
        &self,
        file: Arc<dyn FileBytes>,
        filters: &[Expr],
        found: &mut dyn FnMut(&str, Place),
    ) -> Result<(), String>;
}

/// The files that hold what an index names, and the places in them.
pub async fn indexed_files(
    session: &dyn Session,
    index: Arc<dyn RecordIndex>,
    locations: &[Location],
    filters: &[Expr],
) -> Result<Vec<PartitionedFile>> {
    let places = find_places(session, index, filters).await?;
    let archives = Archives::new(session, locations, &places).await?;
    let mut files = Vec::with_capacity(places.len());
    for (name, mut places) in places {
        places.sort_unstable();
        places.dedup();
        let end = |place: &Place| place.offset.saturating_add(place.length.unwrap_or(1));
        let size = places.iter().map(end).max().unwrap_or(0);
        let path = archives.resolve(&name)?;
        let mut file = PartitionedFile::new(String::new(), size);
        file.object_meta.location = path;
        files.push(file.with_extension(Places(places.into())));
    }
    Ok(files)
}

async fn find_places(
    session: &dyn Session,
    index: Arc<dyn RecordIndex>,
    filters: &[Expr],
) -> Result<BTreeMap<String, Vec<Place>>> {
    let location = Location::parse(index.location())?;
    let store = session.runtime_env().object_store(location.store())?;
    let mut all: BTreeMap<String, Vec<Place>> = BTreeMap::new();
    for meta in location.files(&store, &[]).await? {
        let name = display_name(location.store(), &meta.location);
        let file = file_of(location.store(), &store, &meta)
            .map_err(|error| plan_datafusion_err!("cannot read the index '{name}': {error}"))?;
        let (index, filters) = (Arc::clone(&index), filters.to_vec());
        let search = move || {
            index.find(file, &filters, &mut |name, place| {
                match all.get_mut(name) {
                    Some(places) => places.push(place),
                    None => {
                        all.insert(name.to_owned(), vec![place]);
                    }
                };
            })?;
            Ok(all)
        };
        // Reading waits, perhaps for a network.
        all = tokio::task::spawn_blocking(search)
            .await
            .map_err(|error| plan_datafusion_err!("reading the index '{name}': {error}"))?
            .map_err(|error: String| plan_datafusion_err!("the index '{name}': {error}"))?;
    }
    Ok(all)
}

/// Where the files are that an index names.
struct Archives<'a> {
    locations: &'a [Location],
    /// The files of the locations, where these are not just a folder to put names behind.
    listed: Vec<Path>,
}

impl<'a> Archives<'a> {
    async fn new(
        session: &dyn Session,
        locations: &'a [Location],
        places: &BTreeMap<String, Vec<Place>>,
    ) -> Result<Self> {
        let mut archives = Self {
            locations,
            listed: Vec::new(),
        };
        let is_there = |name: &String| match archives.joined(name) {
            Some(path) => {
                let local = locations.iter().all(Location::is_local);
                !local || FilePath::new(&display_name(locations[0].store(), &path)).exists()
            }
            None => false,
        };
        if !places.keys().all(is_there) {
            for location in locations {
                let store = session.runtime_env().object_store(location.store())?;
                let files = location.files(&store, &[]).await?;
                archives
                    .listed
                    .extend(files.into_iter().map(|file| file.location));
            }
        }
        Ok(archives)
    }

    /// The name of an index as a file below the only location.
    fn joined(&self, name: &str) -> Option<Path> {
        match self.locations {
            [location] => location.join(name),
            _ => None,
        }
    }

    fn resolve(&self, name: &str) -> Result<Path> {
        let base = name.rsplit('/').next().unwrap_or(name);
        for wanted in [name, base] {
            let ends_so = |path: &&Path| {
                let rest = path.as_ref().strip_suffix(wanted.trim_start_matches('/'));
                rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            };
            let mut matching = self.listed.iter().filter(ends_so);
            if let Some(path) = matching.next() {
                return match matching.next() {
                    None => Ok(path.clone()),
                    Some(other) => plan_err!(
                        "the index names '{name}', which may be '{path}' or '{other}': name the \
                         folder of the archives as their location"
                    ),
                };
            }
        }
        // A file that is not there becomes a row with that error.
        match self.joined(name) {
            Some(path) => Ok(path),
            None => plan_err!("the index names '{name}', which is not among the files"),
        }
    }
}

/// Reads the records at given places of one file.
pub struct IndexedReader {
    format: Arc<dyn RecordFormat>,
    request: ReadRequest,
    places: Arc<[Place]>,
    next: usize,
    current: Option<Box<dyn RecordReader>>,
    /// The current place has given a row.
    found: bool,
}

impl IndexedReader {
    pub fn new(format: Arc<dyn RecordFormat>, request: ReadRequest, places: Arc<[Place]>) -> Self {
        Self {
            format,
            request,
            places,
            next: 0,
            current: None,
            found: true,
        }
    }

    fn open(&self, place: Place) -> Box<dyn RecordReader> {
        let size = self.request.file.size();
        let (file, range): (Arc<dyn FileBytes>, _) = match place.length {
            Some(length) => {
                let end = place.offset.saturating_add(length).min(size);
                let part = Fetched {
                    file: Arc::clone(&self.request.file),
                    start: place.offset.min(end),
                    end,
                    bytes: OnceLock::new(),
                };
                (Arc::new(part), place.offset..end)
            }
            None => {
                let file = Arc::clone(&self.request.file);
                (file, place.offset..place.offset.saturating_add(1))
            }
        };
        let request = ReadRequest {
            file,
            range,
            ..self.request.clone()
        };
        self.format
            .open_record(request)
            .unwrap_or_else(|error| self.nothing_at(place, error))
    }

    fn nothing_at(&self, place: Place, error: RecordError) -> Box<dyn RecordReader> {
        let name = Arc::clone(&self.request.name);
        Box::new(UnreadableFile::new(name, error).at(place.offset))
    }
}

impl RecordReader for IndexedReader {
    fn advance(&mut self) -> bool {
        loop {
            if let Some(reader) = &mut self.current
                && reader.advance()
            {
                self.found = true;
                return true;
            }
            let last = self
                .next
                .checked_sub(1)
                .and_then(|last| self.places.get(last));
            if let Some(place) = last.filter(|_| !self.found) {
                let error = RecordError::new("no record where the index says", "");
                self.current = Some(self.nothing_at(*place, error));
                continue;
            }
            let Some(place) = self.places.get(self.next) else {
                return false;
            };
            self.next += 1;
            self.found = false;
            self.current = Some(self.open(*place));
        }
    }

    fn load(&mut self, payload: bool) {
        if let Some(reader) = &mut self.current {
            reader.load(payload);
        }
    }

    fn value(&self, column: usize) -> Value<'_> {
        self.current
            .as_ref()
            .map_or(Value::Null, |reader| reader.value(column))
    }

    fn error(&self) -> Option<&RecordError> {
        self.current.as_ref().and_then(|reader| reader.error())
    }

    fn offset(&self) -> u64 {
        self.current.as_ref().map_or(0, |reader| reader.offset())
    }
}

/// A file that ends where a record does, and whose record is fetched by one read.
struct Fetched {
    file: Arc<dyn FileBytes>,
    start: u64,
    end: u64,
    bytes: OnceLock<Arc<[u8]>>,
}

impl Fetched {
    /// What of the record lies behind `offset`, if it is in memory.
    fn fetched(&self, offset: u64) -> io::Result<Option<io::Cursor<Arc<[u8]>>>> {
        if offset < self.start || self.end - self.start > MAX_FETCH {
            return Ok(None);
        }
        if self.bytes.get().is_none() {
            let mut bytes = vec![0; (self.end - self.start) as usize];
            let count = self.file.read_at(self.start, &mut bytes)?;
            bytes.truncate(count);
            // Whoever was first has read the same.
            let _ = self.bytes.set(bytes.into());
        }
        Ok(self.bytes.get().cloned().map(|bytes| {
            let mut cursor = io::Cursor::new(bytes);
            cursor.set_position(offset - self.start);
            cursor
        }))
    }
}

impl FileBytes for Fetched {
    fn size(&self) -> u64 {
        self.end
    }

    fn stream(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self.fetched(offset)? {
            Some(bytes) => Box::new(bytes),
            None => {
                let left = self.end.saturating_sub(offset);
                Box::new(self.file.stream(offset)?.take(left))
            }
        })
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self.fetched(offset)? {
            Some(mut bytes) => bytes.read(buffer),
            None => {
                let left = self.end.saturating_sub(offset).min(buffer.len() as u64);
                self.file.read_at(offset, &mut buffer[..left as usize])
            }
        }
    }
}
