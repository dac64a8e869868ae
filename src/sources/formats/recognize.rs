//! Distinguishes formats with the same extensions by the starts of files.

use std::io::{self, Read};
use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::{Result, exec_datafusion_err, plan_err};
use object_store::ObjectMeta;

use crate::sources::format::RecordFormat;
use crate::sources::location::Location;
use crate::sources::remote::file_of;
use corpus_bytes::blank::is_blank;
use corpus_bytes::compression::{Compression, MAGIC_LENGTH};
use corpus_bytes::file::FileBytes;

/// The number of decompressed bytes passed to [`RecordFormat::recognizes`].
const START_BYTES: u64 = 4096;

/// Returns the start of a file, decompressed.
fn start_of(file: &dyn FileBytes) -> io::Result<Vec<u8>> {
    let mut start = vec![0; START_BYTES as usize];
    let count = file.read_at(0, &mut start)?;
    start.truncate(count);
    if let Some(compression) = Compression::detect(&start[..count.min(MAGIC_LENGTH)]) {
        start.clear();
        let decoder = compression.decoder(file.stream(0)?)?;
        decoder.take(START_BYTES).read_to_end(&mut start)?;
    }
    Ok(start)
}

/// Removes the files of a folder that have an extension of this format but belong to another one.
/// Keeps files that the user names, and empty or unreadable files, which become rows with an error.
pub async fn keep_recognized(
    session: &dyn Session,
    format: &Arc<dyn RecordFormat>,
    location: &Location,
    files: Vec<ObjectMeta>,
) -> Result<Vec<ObjectMeta>> {
    if format.recognizes(&[]).is_none() || location.names_files(&files) {
        return Ok(files);
    }
    let store = session.runtime_env().object_store(location.store())?;
    let (format, store_url) = (Arc::clone(format), location.store().clone());
    // Reading may block on the network.
    let kept = tokio::task::spawn_blocking(move || {
        let is_other = |meta: &ObjectMeta| {
            let start = file_of(&store_url, &store, meta).and_then(|file| start_of(file.as_ref()));
            start.is_ok_and(|start| !is_blank(&start) && format.recognizes(&start) == Some(false))
        };
        files.into_iter().filter(|meta| !is_other(meta)).collect()
    });
    kept.await
        .map_err(|error| exec_datafusion_err!("reading the start of a file: {error}"))
}

/// Chooses the format of a file among those with its extension: the first that recognizes it,
/// otherwise the first that does not check the starts of files.
pub async fn choose(
    session: &dyn Session,
    mut formats: Vec<Arc<dyn RecordFormat>>,
    name: &str,
) -> Result<Arc<dyn RecordFormat>> {
    if formats.len() > 1
        && let Some(start) = start_of_named(session, name).await
    {
        formats.retain(|format| format.recognizes(&start) != Some(false));
        formats.sort_by_key(|format| format.recognizes(&start).is_none());
    }
    match formats.into_iter().next() {
        Some(format) => Ok(format),
        None => plan_err!("no format recognizes the content of '{name}'"),
    }
}

/// Returns the start of a file. `None` if it cannot be read: opening the table reports why.
async fn start_of_named(session: &dyn Session, name: &str) -> Option<Vec<u8>> {
    let location = Location::parse(name).ok()?;
    let store = session.runtime_env().object_store(location.store()).ok()?;
    let files = location.files(&store, &[]).await.ok()?;
    let file = file_of(location.store(), &store, files.first()?).ok()?;
    let start = tokio::task::spawn_blocking(move || start_of(file.as_ref()));
    start.await.ok()?.ok()
}
