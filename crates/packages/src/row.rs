//! The current file or member, and how its content is read.

use std::io::{self, Cursor, Read};

use crate::columns::{CONTENT, MODIFIED, SIZE, SOURCE_FILE};
use crate::package::read_at_most;
use corpus_bytes::blank::{EMPTY_FILE, blank_file, is_blank};
use corpus_bytes::compression::{Compression, MAGIC_LENGTH};
use corpus_bytes::record::{RecordError, Value};

/// Maximum memory reserved for content before it is read.
const MAX_RESERVED_BYTES: usize = 1 << 20;

#[derive(Default)]
pub struct Row {
    pub name: String,
    pub size: Option<i64>,
    pub modified: Option<i64>,
    pub content: Option<Vec<u8>>,
    pub error: Option<RecordError>,
}

impl Row {
    pub fn value(&self, column: usize) -> Value<'_> {
        match column {
            SOURCE_FILE => Value::Text(&self.name),
            SIZE => self.size.map_or(Value::Null, Value::Integer),
            MODIFIED => self.modified.map_or(Value::Null, Value::Timestamp),
            CONTENT => self.content.as_deref().map_or(Value::Null, Value::Bytes),
            _ => Value::Null,
        }
    }

    /// Reads the content of a member, and inflates it if it is compressed itself.
    pub fn read_member(&mut self, mut input: impl Read + Send, limit: usize) -> io::Result<()> {
        let head = read_at_most(&mut input, MAGIC_LENGTH)?;
        let compression = Compression::detect(&head);
        let input = Cursor::new(head).chain(input);
        match compression {
            Some(found) => self.keep_content(found.decoder(input)?, compression, limit),
            None => self.keep_content(input, None, limit),
        }
        Ok(())
    }

    /// Keeps the content that `input` yields, up to `limit` bytes or an error. `compression` is the
    /// compression that `input` was inflated from.
    pub fn keep_content(
        &mut self,
        mut input: impl Read,
        compression: Option<Compression>,
        limit: usize,
    ) {
        let mut content = Vec::with_capacity(self.reserved_bytes(compression, limit));
        let read = input.by_ref().take(limit as u64).read_to_end(&mut content);
        // Content whose size is exactly the limit is also read to its end, which verifies its
        // checksum.
        let at_limit = read.is_ok() && content.len() == limit;
        let more = if at_limit {
            input.read(&mut [0])
        } else {
            Ok(0)
        };
        let cut = matches!(more, Ok(1..));
        let read = read.and(more);
        if let (Some(compression), Err(error)) = (compression, &read) {
            let reason = match error.kind() {
                io::ErrorKind::UnexpectedEof => "truncated compressed file",
                _ => "damaged compressed file",
            };
            self.error = Some(RecordError::new(
                reason,
                format!(
                    "{} after {} bytes: {error}",
                    compression.name(),
                    content.len()
                ),
            ));
        } else if let Err(error) = read {
            self.fail_reading(&error);
        }
        if compression.is_some() {
            // The whole size of cut content is unknown: inflating the rest to count it would let
            // a small file cost any amount of time.
            self.size = (!cut).then_some(content.len() as i64);
        }
        if cut {
            self.error = Some(RecordError::content_cut(limit));
        } else if compression.is_none() && self.error.is_none() {
            self.check_length(content.len());
        }
        self.content = Some(content);
    }

    /// The memory to reserve, so that content is read in large pieces. Declared sizes may be wrong.
    fn reserved_bytes(&self, compression: Option<Compression>, limit: usize) -> usize {
        let declared = self.size.filter(|_| compression.is_none());
        let size = declared.and_then(|size| usize::try_from(size).ok());
        size.map_or(0, |size| size.min(limit).min(MAX_RESERVED_BYTES))
    }

    /// Reports a file that is shorter than listed: it has changed since, or is truncated.
    fn check_length(&mut self, length: usize) {
        if let Some(size) = self.size.filter(|size| *size > length as i64) {
            self.error = Some(RecordError::new(
                "truncated content",
                format!("{length} of {size} bytes"),
            ));
        }
    }

    /// Reports a file or member without content: empty, or with blank bytes only.
    pub fn refuse_empty(&mut self) {
        if self.error.is_some() {
            return;
        }
        if self.size == Some(0) {
            self.error = Some(RecordError::new(EMPTY_FILE, ""));
        } else if let Some(content) = self.content.as_deref().filter(|content| is_blank(content)) {
            self.error = Some(blank_file(content.len() as u64));
        }
    }

    /// Reports a read error: damage, or a failing disk or network.
    pub fn fail_reading(&mut self, error: &io::Error) {
        let reason = match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => "damaged content",
            _ => "read error",
        };
        self.error = Some(RecordError::new(reason, error.to_string()));
    }
}
