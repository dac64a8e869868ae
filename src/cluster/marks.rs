//! What planning knows of single files, as extensions that DataFusion does not encode: the places
//! that an index names, and errors.

use corpus_bytes::places::{Expected, NamedRecord, Place};
use corpus_bytes::record::RecordError;
use datafusion::common::{Result, internal_err};
use datafusion::datasource::physical_plan::FileGroup;
use prost::Message;

use crate::sources::exported::constant;
use crate::sources::indexed::{KnownErrors, Places};
use crate::sources::paths::UnknownSize;

/// The extension of one file of a scan.
#[derive(Clone, PartialEq, Message)]
pub struct FileMark {
    #[prost(uint32, tag = "1")]
    group: u32,
    #[prost(uint32, tag = "2")]
    file: u32,
    #[prost(message, repeated, tag = "3")]
    places: Vec<PlaceMessage>,
    /// Set if the file stands for errors.
    #[prost(string, optional, tag = "4")]
    name: Option<String>,
    #[prost(message, repeated, tag = "5")]
    errors: Vec<ErrorMessage>,
    #[prost(bool, tag = "6")]
    size_is_unknown: bool,
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
            offset: record.place.offset,
            length: record.place.length,
            url: text(&record.expected.url),
            digest: text(&record.expected.digest),
        }
    }
}

impl From<PlaceMessage> for NamedRecord {
    fn from(message: PlaceMessage) -> Self {
        Self {
            place: Place {
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

impl FileMark {
    /// The extensions of the files of a scan.
    pub fn all(groups: &[FileGroup]) -> Vec<Self> {
        let mut marks = Vec::new();
        for (group, files) in groups.iter().enumerate() {
            for (number, file) in files.iter().enumerate() {
                let mut mark = Self {
                    group: group as u32,
                    file: number as u32,
                    ..Self::default()
                };
                if let Some(Places(places)) = file.extension() {
                    mark.places = places.iter().map(PlaceMessage::from).collect();
                } else if let Some(known) = file.extension::<KnownErrors>() {
                    mark.name = Some(known.name.to_string());
                    let errors = known.errors.iter().map(|(offset, error)| ErrorMessage {
                        offset: *offset,
                        reason: error.reason.to_owned(),
                        detail: error.detail.clone(),
                    });
                    mark.errors = errors.collect();
                } else if file.extension::<UnknownSize>().is_some() {
                    mark.size_is_unknown = true;
                } else {
                    continue;
                }
                marks.push(mark);
            }
        }
        marks
    }

    /// Puts the extensions back.
    pub fn restore(marks: Vec<Self>, groups: &mut [FileGroup]) -> Result<()> {
        for mark in marks {
            let group = groups.get_mut(mark.group as usize);
            let Some(group) = group.filter(|group| (mark.file as usize) < group.len()) else {
                return internal_err!("no file {} in group {}", mark.file, mark.group);
            };
            let mut files = std::mem::take(group).into_inner();
            let file = files[mark.file as usize].clone();
            files[mark.file as usize] = match mark.name {
                Some(name) => {
                    let errors = mark.errors.into_iter().map(|error| {
                        let reason = constant(&error.reason);
                        (error.offset, RecordError::new(reason, error.detail))
                    });
                    let errors: Vec<_> = errors.collect();
                    file.with_extension(KnownErrors {
                        name: name.into(),
                        errors: errors.into(),
                    })
                }
                None if mark.size_is_unknown => file.with_extension(UnknownSize),
                None => {
                    let places = mark.places.into_iter().map(NamedRecord::from);
                    file.with_extension(Places(places.collect()))
                }
            };
            *group = FileGroup::new(files);
        }
        Ok(())
    }
}
