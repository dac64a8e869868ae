//! The messages of a mailbox, one at a time, however large the mailbox is.

use std::io::{self, BufRead, BufReader, Read};

use corpus_bytes::compression::Compression;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader, Value};
use corpus_office::mail::{is_complete_separator, is_separator};

use super::columns::{CONTENT, DATE, MEDIA_TYPE, OFFSET, SOURCE_FILE};

/// The type of messages, which their content shows only if the header is intact.
const MESSAGE_TYPE: &str = "message/rfc822";

/// Longer lines are read in pieces.
const MAX_PIECE_BYTES: u64 = 64 << 10;

/// A line, or a part of a long one, and the result of reading it.
type Piece = (Vec<u8>, io::Result<usize>);

/// Reads messages.
pub struct Mailbox {
    input: BufReader<Box<dyn Read + Send>>,
    request: ReadRequest,
    /// The offset after the message so far, in the decompressed file.
    at: u64,
    start: u64,
    message: Vec<u8>,
    /// The first line of the next message.
    next: Vec<u8>,
    /// A piece that was read too early.
    ahead: Option<Piece>,
    error: Option<RecordError>,
    is_done: bool,
}

impl Mailbox {
    pub fn open(
        request: ReadRequest,
        compression: Option<Compression>,
    ) -> Result<Self, RecordError> {
        let input = request.file.stream(0);
        let input = input.and_then(|input| match compression {
            Some(compression) => Ok(Box::new(compression.decoder(input)?) as Box<dyn Read + Send>),
            None => Ok(input),
        });
        Ok(Self {
            input: BufReader::new(input.map_err(|error| RecordError::io(&error))?),
            request,
            at: 0,
            start: 0,
            message: Vec::new(),
            next: Vec::new(),
            ahead: None,
            error: None,
            is_done: false,
        })
    }

    fn next_piece(&mut self) -> Piece {
        if let Some(piece) = self.ahead.take() {
            return piece;
        }
        let mut piece = Vec::new();
        let mut input = self.input.by_ref().take(MAX_PIECE_BYTES);
        let read = input.read_until(b'\n', &mut piece);
        (piece, read)
    }

    /// Whether a line begins a message, although no blank line is before it.
    fn is_complete_separator(&mut self, line: &[u8]) -> bool {
        if !is_separator(line) {
            return false;
        }
        let ahead = self.next_piece();
        let is_complete = is_complete_separator(&[line, &ahead.0].concat());
        self.ahead = Some(ahead);
        is_complete
    }

    /// Appends to the message, up to the limit.
    fn append(&mut self, piece: &[u8]) {
        let limit = self.request.max_record_bytes;
        let room = limit.saturating_sub(self.message.len());
        self.message
            .extend_from_slice(piece.get(..room).unwrap_or(piece));
        if piece.len() > room && self.error.is_none() {
            self.error = Some(RecordError::content_cut(limit));
        }
    }
}

impl RecordReader for Mailbox {
    fn advance(&mut self) -> bool {
        if self.is_done {
            return false;
        }
        self.message.clear();
        self.error = None;
        let first = std::mem::take(&mut self.next);
        self.start = self.at;
        self.at += first.len() as u64;
        self.append(&first);
        let (mut is_line_start, mut is_after_blank) = (true, false);
        loop {
            let (piece, read) = self.next_piece();
            let may_start = is_line_start && self.at > self.start;
            if may_start
                && (is_after_blank && is_separator(&piece) || self.is_complete_separator(&piece))
            {
                self.next = piece;
                return true;
            }
            self.at += piece.len() as u64;
            self.append(&piece);
            match read {
                Ok(0) => {
                    self.is_done = true;
                    return !self.message.is_empty() || self.error.is_some();
                }
                Ok(_) => {}
                Err(error) => {
                    self.is_done = true;
                    self.error = Some(RecordError::new("damaged content", error.to_string()));
                    return true;
                }
            }
            is_after_blank = is_line_start && matches!(piece.as_slice(), b"\n" | b"\r\n");
            is_line_start = piece.ends_with(b"\n");
        }
    }

    fn load(&mut self, _payload: bool) {}

    fn value(&self, column: usize) -> Value<'_> {
        match column {
            SOURCE_FILE => Value::Text(&self.request.name),
            OFFSET => i64::try_from(self.start).map_or(Value::Null, Value::Integer),
            MEDIA_TYPE => Value::Text(MESSAGE_TYPE),
            DATE => self.request.modified.map_or(Value::Null, Value::Timestamp),
            CONTENT => Value::Bytes(&self.message),
            _ => Value::Null,
        }
    }

    fn error(&self) -> Option<&RecordError> {
        self.error.as_ref()
    }

    fn offset(&self) -> u64 {
        self.start
    }
}
