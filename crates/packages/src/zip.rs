//! Reads the members of a zip by its central directory. A truncated zip has no directory; its
//! members are then found by their local headers.

use std::borrow::Cow;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use chrono::NaiveDate;
use zip::read::{ZipArchive, ZipFile, read_zipfile_from_stream};
use zip::result::ZipError;

use super::links::target_of_symbolic_link;
use super::package::{MemberHead, Package, read_at_most};
use super::zip_names::charset_of;
use corpus_bytes::file::{FileBytes, SeekableFile, seekable};
use corpus_bytes::record::RecordError;
use corpus_charset::{Charset, decode};

pub fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

type Input = SeekableFile;

/// Maximum size of the target of a link.
const MAX_TARGET_BYTES: usize = 4096;

pub enum ZipPackage {
    Directory {
        archive: ZipArchive<Input>,
        next: usize,
        /// The charset of names that do not declare UTF-8; `None` for code page 437.
        charset: Option<Charset>,
        /// An error to report after the members.
        unread: Option<RecordError>,
    },
    /// Salvages the members of a zip without a usable directory.
    Salvage {
        input: Input,
        current: u64,
        next: Option<u64>,
        reported: Option<RecordError>,
    },
}

impl ZipPackage {
    pub fn open(file: &Arc<dyn FileBytes>) -> Result<Self, RecordError> {
        match ZipArchive::new(seekable(file)) {
            Ok(archive) => Ok(Self::Directory {
                unread: preceding_zip_error(&archive, seekable(file))
                    .or_else(|| hidden_members_error(&archive, seekable(file))),
                charset: charset_of(
                    archive
                        .file_names_raw()
                        .zip(archive.file_names().map(Result::unwrap_or_default)),
                ),
                archive,
                next: 0,
            }),
            Err(ZipError::Io(error)) if error.kind() != io::ErrorKind::UnexpectedEof => {
                Err(RecordError::io(&error))
            }
            Err(error) => Ok(Self::Salvage {
                input: seekable(file),
                current: 0,
                next: Some(0),
                reported: Some(RecordError::new(
                    "damaged package",
                    format!(
                        "the zip has no usable directory, members are read one by one: {error}"
                    ),
                )),
            }),
        }
    }
}

impl Package for ZipPackage {
    fn next_member(&mut self) -> Option<Result<MemberHead, RecordError>> {
        match self {
            Self::Directory {
                archive,
                next,
                charset,
                unread,
            } => {
                while *next < archive.len() {
                    let index = *next;
                    *next += 1;
                    match archive.by_index_raw(index) {
                        Ok(member) if member.is_dir() => continue,
                        Ok(member) if member.is_file() => return Some(Ok(head(&member, *charset))),
                        Ok(_) => {}
                        Err(error) => return Some(Err(damaged_member(&error))),
                    }
                    return Some(link(archive, index, *charset));
                }
                unread.take().map(Err)
            }
            Self::Salvage {
                input,
                current,
                next,
                reported,
            } => {
                if let Some(error) = reported.take() {
                    return Some(Err(error));
                }
                while let Some(start) = next.take() {
                    *current = start;
                    let (member, after) = salvage(input, start)?;
                    *next = after;
                    if let Some(member) = member {
                        return Some(member);
                    }
                }
                None
            }
        }
    }

    fn member(&mut self) -> Result<Box<dyn Read + Send + '_>, RecordError> {
        let member = match self {
            Self::Directory { archive, next, .. } => archive.by_index(next.saturating_sub(1)),
            Self::Salvage { input, current, .. } => input
                .seek(SeekFrom::Start(*current))
                .map_err(ZipError::from)
                .and_then(|_| read_zipfile_from_stream(input)?.ok_or(ZipError::FileNotFound)),
        };
        match member {
            Ok(member) => Ok(Box::new(member)),
            Err(error) => Err(damaged_member(&error)),
        }
    }
}

/// Returns an error if another zip precedes the archive, as in `cat a.zip b.zip`. Other data there
/// is a program that unpacks the zip.
fn preceding_zip_error(archive: &ZipArchive<Input>, mut input: Input) -> Option<RecordError> {
    let mut start = [0; 4];
    input.read_exact(&mut start).ok()?;
    (archive.offset() > 0 && is_zip(&start)).then(|| {
        let text = format!(
            "another zip of {} bytes precedes this one, and is not read: write the first {0} bytes to another file",
            archive.offset()
        );
        RecordError::new("damaged package", text)
    })
}

/// Returns an error if the archive hides members of the directory because others have the same
/// names.
fn hidden_members_error(archive: &ZipArchive<Input>, mut input: Input) -> Option<RecordError> {
    /// The end of the directory, without the comment after it.
    const END_BYTES: usize = 22;
    /// The value that means: the real number is in the zip64 record.
    const IN_ZIP64: usize = 0xFFFF;
    let from_end = i64::try_from(END_BYTES + archive.comment().len()).ok()?;
    let mut end = [0; END_BYTES];
    input.seek(SeekFrom::End(-from_end)).ok()?;
    input.read_exact(&mut end).ok()?;
    let [
        b'P',
        b'K',
        5,
        6,
        ..,
        low,
        high,
        _,
        _,
        _,
        _,
        _,
        _,
        _,
        _,
        _,
        _,
    ] = end
    else {
        return None;
    };
    let members = usize::from(u16::from_le_bytes([low, high]));
    let unread = members
        .checked_sub(archive.len())
        .filter(|_| members != IN_ZIP64)?;
    (unread > 0).then(|| {
        let text = format!(
            "{unread} of the {members} members have the name of a later member, and are not read"
        );
        RecordError::new("damaged package", text)
    })
}

type Salvaged = (Option<Result<MemberHead, RecordError>>, Option<u64>);

/// Returns the member whose header is at `start`, and where the next one should be; `None` at
/// the end of the readable part.
fn salvage(input: &mut Input, start: u64) -> Option<Salvaged> {
    input.seek(SeekFrom::Start(start)).ok()?;
    // Dropping the member skips the rest of its bytes.
    let member = match read_zipfile_from_stream(input) {
        Ok(Some(member)) => {
            let name = member.name().unwrap_or_default();
            let charset = charset_of(std::iter::once((member.name_raw(), name)));
            Ok(member.is_file().then(|| Ok(head(&member, charset))))
        }
        Ok(None) => return None,
        Err(ZipError::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof => return None,
        Err(error) => Err(damaged_member(&error)),
    };
    match member {
        Ok(head) => {
            let after = input.stream_position().ok();
            Some((head, after.filter(|after| *after > start)))
        }
        Err(error) => Some((Some(Err(error)), None)),
    }
}

fn head<R: Read>(member: &ZipFile<'_, R>, charset: Option<Charset>) -> MemberHead {
    let raw = member.name_raw();
    let name = text(raw, charset).or_else(|| member.name().ok());
    MemberHead {
        name: name
            .unwrap_or_else(|| String::from_utf8_lossy(raw))
            .into_owned(),
        size: member.size(),
        modified: member.last_modified().and_then(microseconds),
        link: None,
    }
}

/// The text of a name. `None` if it is not UTF-8 and has no other charset than code page 437.
fn text(raw: &[u8], charset: Option<Charset>) -> Option<Cow<'_, str>> {
    match str::from_utf8(raw) {
        Ok(text) => Some(text.into()),
        Err(_) => charset.map(|charset| decode(raw, charset)),
    }
}

/// The head of a symbolic link, whose content is the path of its target.
fn link(
    archive: &mut ZipArchive<Input>,
    index: usize,
    charset: Option<Charset>,
) -> Result<MemberHead, RecordError> {
    let mut member = archive
        .by_index(index)
        .map_err(|error| damaged_member(&error))?;
    let target = read_at_most(&mut member, MAX_TARGET_BYTES)
        .map_err(|error| damaged_member(&error.into()))?;
    let mut head = head(&member, charset);
    let target = text(&target, charset).unwrap_or_else(|| String::from_utf8_lossy(&target));
    head.link = Some(target_of_symbolic_link(&head.name, &target));
    Ok(head)
}

/// Times in a zip have no time zone; they are interpreted as UTC.
fn microseconds(time: zip::DateTime) -> Option<i64> {
    let date = NaiveDate::from_ymd_opt(time.year().into(), time.month().into(), time.day().into())?;
    let time = date.and_hms_opt(
        time.hour().into(),
        time.minute().into(),
        time.second().into(),
    )?;
    Some(time.and_utc().timestamp_micros())
}

fn damaged_member(error: &ZipError) -> RecordError {
    RecordError::new("damaged member", error.to_string())
}
