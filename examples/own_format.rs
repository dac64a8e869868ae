//! Reads a custom format, mailboxes (mbox): `cargo run --example own_format`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;

use corpus_sql::corpus_bytes::columns::{Column, ColumnType, ERROR_COLUMN, SOURCE_FILE_COLUMN};
use corpus_sql::corpus_bytes::record::{ReadRequest, RecordError, RecordReader, Value};
use corpus_sql::options::Options;
use corpus_sql::session::{SessionOptions, session};
use corpus_sql::sources::format::RecordFormat;
use corpus_sql::sources::table::register::register;
use datafusion::error::Result;

const MAILBOX: &str = "\
From ada@site.example Fri Nov 10 08:30:00 2023\nSubject: Bridge\n\nIt opens on Friday.\n
From bob@site.example Fri Nov 10 09:00:00 2023\nSubject: Re: Bridge\n\nAt last!\n";

#[tokio::main]
async fn main() -> Result<()> {
    let mut file = tempfile::Builder::new().suffix(".mbox").tempfile()?;
    file.write_all(MAILBOX.as_bytes())?;

    let context = session(&SessionOptions::default())?;
    register(&context, Arc::new(Mbox));
    let path = file.path().display();
    let query = format!(
        "SELECT \"offset\", sender, regexp_match(message, 'Subject: ([^\n]*)')[1] AS subject, error
         FROM read_mbox('{path}')"
    );
    context.sql(&query).await?.show().await
}

const COLUMNS: &[Column] = &[
    SOURCE_FILE_COLUMN,
    Column::early("offset", ColumnType::Integer),
    Column::early("sender", ColumnType::Text),
    Column::payload("message", ColumnType::Bytes),
    ERROR_COLUMN,
];

#[derive(Debug)]
struct Mbox;

impl RecordFormat for Mbox {
    fn name(&self) -> &'static str {
        "MBOX"
    }

    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["mbox"]
    }

    fn with_options(&self, _options: &Options) -> Result<Arc<dyn RecordFormat>> {
        Ok(Arc::new(Self))
    }

    fn open(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
        let stream = request.file.stream(0);
        let mut reader = MboxReader {
            lines: BufReader::new(stream.map_err(|error| RecordError::io(&error))?),
            position: 0,
            line: Vec::new(),
            request,
            offset: 0,
            sender: String::new(),
            message: Vec::new(),
            error: None,
        };
        reader
            .read_line()
            .map_err(|error| RecordError::io(&error))?;
        Ok(Box::new(reader))
    }
}

/// Returns messages one after another. A message starts with a line such as `From ada@…`.
struct MboxReader {
    lines: BufReader<Box<dyn Read + Send>>,
    /// The offset after `line`.
    position: u64,
    /// The line read last.
    line: Vec<u8>,
    request: ReadRequest,
    offset: u64,
    sender: String,
    message: Vec<u8>,
    error: Option<RecordError>,
}

impl MboxReader {
    fn read_line(&mut self) -> io::Result<usize> {
        self.line.clear();
        let length = self.lines.read_until(b'\n', &mut self.line)?;
        self.position += length as u64;
        Ok(length)
    }

    /// Reads up to the next message. A real format also bounds the length of a line.
    fn read_message(&mut self) -> io::Result<()> {
        while self.read_line()? > 0 && !self.line.starts_with(b"From ") {
            if self.message.len() + self.line.len() <= self.request.max_record_bytes {
                self.message.extend_from_slice(&self.line);
            } else {
                self.error = Some(RecordError::new("message too large", ""));
            }
        }
        Ok(())
    }
}

impl RecordReader for MboxReader {
    fn advance(&mut self) -> bool {
        if self.line.is_empty() {
            return false;
        }
        self.offset = self.position - self.line.len() as u64;
        let line = String::from_utf8_lossy(&self.line);
        self.sender = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let is_message = line.starts_with("From ");
        self.error = (!is_message).then(|| RecordError::new("not an mbox", line.trim_end()));
        self.message.clear();
        if let Err(error) = self.read_message() {
            self.error = Some(RecordError::io(&error));
            self.line.clear();
        }
        true
    }

    /// Messages are read by `advance`, because only their end shows where the next one starts.
    fn load(&mut self, _payload: bool) {}

    fn value(&self, column: usize) -> Value<'_> {
        match COLUMNS[column].name {
            "source_file" => Value::Text(&self.request.name),
            "offset" => Value::Integer(self.offset as i64),
            "sender" => Value::Text(&self.sender),
            "message" => Value::Bytes(&self.message),
            _ => Value::Null,
        }
    }

    fn error(&self) -> Option<&RecordError> {
        self.error.as_ref()
    }

    fn offset(&self) -> u64 {
        self.offset
    }
}
