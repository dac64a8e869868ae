//! Encodes the extensions of files, which DataFusion does not: places that an index names, and
//! errors that planning has found.

use corpus_bytes::record::RecordError;
use corpus_bytes::record_locations::{Expected, NamedRecord, RecordLocation};
use datafusion::common::{Result, internal_err};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::FileGroup;
use prost::Message;

use crate::sources::indexed::paths::UnknownSize;
use crate::sources::indexed::{KnownErrors, RecordPlaces};
use crate::sources::scan::exported::constant;

/// The extension of a file.
#[derive(Clone, PartialEq, Message)]
pub struct FileExtension {
    #[prost(message, repeated, tag = "1")]
    places: Vec<PlaceMessage>,
    /// Set if the file represents errors.
    #[prost(string, optional, tag = "2")]
    name: Option<String>,
    #[prost(message, repeated, tag = "3")]
    errors: Vec<ErrorMessage>,
    #[prost(bool, tag = "4")]
    size_is_unknown: bool,
}

/// The extension of one file of a scan.
#[derive(Clone, PartialEq, Message)]
pub struct ScanExtension {
    #[prost(uint32, tag = "1")]
    group: u32,
    #[prost(uint32, tag = "2")]
    file: u32,
    #[prost(message, required, tag = "3")]
    extension: FileExtension,
}

#[derive(Clone, PartialEq, Message)]
struct PlaceMessage {
    #[prost(uint64, tag = "1")]
    offset: u64,
    #[prost(uint64, optional, tag = "2")]
    length: Option<u64>,
    #[prost(string, optional, tag = "3")]
    url: Option<String>,
    #[prost(string, optional, tag = "4")]
    digest: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
struct ErrorMessage {
    #[prost(uint64, tag = "1")]
    offset: u64,
    #[prost(string, tag = "2")]
    reason: String,
    #[prost(string, tag = "3")]
    detail: String,
}

impl From<&NamedRecord> for PlaceMessage {
    fn from(record: &NamedRecord) -> Self {
        let text = |text: &Option<Box<str>>| text.as_deref().map(str::to_owned);
        Self {
            offset: record.location.offset,
            length: record.location.length,
            url: text(&record.expected.url),
            digest: text(&record.expected.digest),
        }
    }
}

impl From<PlaceMessage> for NamedRecord {
    fn from(message: PlaceMessage) -> Self {
        Self {
            location: RecordLocation {
                offset: message.offset,
                length: message.length,
            },
            expected: Expected {
                url: message.url.map(Into::into),
                digest: message.digest.map(Into::into),
            },
        }
    }
}

impl FileExtension {
    /// Returns the extension of a file, if it has one.
    pub fn of(file: &PartitionedFile) -> Result<Option<Self>> {
        let mut extension = Self::default();
        if let Some(RecordPlaces(places)) = file.extension() {
            extension.places = places.iter().map(PlaceMessage::from).collect();
        } else if let Some(known) = file.extension::<KnownErrors>() {
            extension.name = Some(known.name.to_string());
            let errors = known.errors.iter().map(|(offset, error)| ErrorMessage {
                offset: *offset,
                reason: error.reason.to_owned(),
                detail: error.detail.clone(),
            });
            extension.errors = errors.collect();
        } else if file.extension::<UnknownSize>().is_some() {
            extension.size_is_unknown = true;
        } else {
            return if file.extensions.is_empty() {
                Ok(None)
            } else {
                internal_err!("the extension of {} cannot be encoded", file.path())
            };
        }
        match file.extensions.len() {
            1 => Ok(Some(extension)),
            count => internal_err!("{count} extensions of {} cannot be encoded", file.path()),
        }
    }

    /// Adds the extension to a decoded file.
    pub fn restore(self, file: PartitionedFile) -> PartitionedFile {
        match self.name {
            Some(name) => {
                let errors = self.errors.into_iter().map(|error| {
                    let reason = constant(&error.reason);
                    (error.offset, RecordError::new(reason, error.detail))
                });
                let errors: Vec<_> = errors.collect();
                file.with_extension(KnownErrors {
                    name: name.into(),
                    errors: errors.into(),
                })
            }
            None if self.size_is_unknown => file.with_extension(UnknownSize),
            None => {
                let places = self.places.into_iter().map(NamedRecord::from);
                file.with_extension(RecordPlaces(places.collect()))
            }
        }
    }
}

impl ScanExtension {
    /// Returns the extensions of the files of a scan.
    pub fn all(groups: &[FileGroup]) -> Result<Vec<Self>> {
        let mut extensions = Vec::new();
        for (group, files) in groups.iter().enumerate() {
            for (number, file) in files.iter().enumerate() {
                extensions.extend(FileExtension::of(file)?.map(|extension| Self {
                    group: group as u32,
                    file: number as u32,
                    extension,
                }));
            }
        }
        Ok(extensions)
    }

    /// Adds the extensions to the decoded files of a scan.
    pub fn restore(extensions: Vec<Self>, groups: &mut [FileGroup]) -> Result<()> {
        for Self {
            group,
            file,
            extension,
        } in extensions
        {
            let files = groups.get_mut(group as usize);
            let Some(files) = files.filter(|files| (file as usize) < files.len()) else {
                return internal_err!("no file {file} in group {group}");
            };
            let mut extended = std::mem::take(files).into_inner();
            let plain = extended[file as usize].clone();
            extended[file as usize] = extension.restore(plain);
            *files = FileGroup::new(extended);
        }
        Ok(())
    }
}
