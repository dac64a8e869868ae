//! The header of a SequenceFile: version 4 (no codec class), 5 (no metadata) or 6.

use super::codec::Codec;
use super::{reasons, vint};
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::RecordError;

const FIRST_READ_BYTES: usize = 4 << 10;
/// Maximum size of a header. Larger ones count as damage.
const MAX_HEADER_BYTES: usize = 2 << 20;
/// The size of the sync bytes.
pub const SYNC_BYTES: usize = 16;

pub const MAGIC: &[u8] = b"SEQ";
const FIRST_VERSION: u8 = 4;
const VERSION_WITH_CODEC: u8 = 5;
const VERSION_WITH_METADATA: u8 = 6;
pub const LAST_VERSION: u8 = VERSION_WITH_METADATA;

/// The unit of compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    None,
    /// Each value separately.
    Record,
    /// The keys of many records together, and their values together.
    Block,
}

impl Compression {
    /// Returns the name that Hadoop uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Record => "RECORD",
            Self::Block => "BLOCK",
        }
    }
}

/// The header of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    pub version: u8,
    pub key_class: String,
    pub value_class: String,
    pub compression: Compression,
    /// [`Codec::Passthrough`] if the file is not compressed.
    pub codec: Codec,
    pub codec_class: Option<String>,
    pub metadata: Vec<(String, String)>,
    pub sync: [u8; SYNC_BYTES],
    /// The offset of the first record, or of the first block's sync mark.
    pub end: u64,
}

impl Header {
    /// Reads the header of a file.
    pub fn read(file: &dyn FileBytes) -> Result<Self, RecordError> {
        let mut bytes = Vec::new();
        let mut size = FIRST_READ_BYTES;
        loop {
            bytes.resize(size, 0);
            let count = file
                .read_at(0, &mut bytes)
                .map_err(|error| RecordError::io(&error))?;
            bytes.truncate(count);
            match Self::parse(&bytes) {
                Err(Fault::Bad(error)) => return Err(error),
                Ok(header) => return Ok(header),
                Err(Fault::Short) if count < size => {
                    return Err(not_one(format!(
                        "the file ends inside its header, after {count} bytes"
                    )));
                }
                Err(Fault::Short) if size >= MAX_HEADER_BYTES => {
                    return Err(not_one(format!(
                        "the header does not end within {size} bytes"
                    )));
                }
                Err(Fault::Short) => size = (size * 8).min(MAX_HEADER_BYTES),
            }
        }
    }

    fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let mut input = Input(bytes);
        let magic = bytes.get(..MAGIC.len()).unwrap_or(bytes);
        if !MAGIC.starts_with(magic) {
            let shown = bytes.get(..8).unwrap_or(bytes).escape_ascii();
            return Err(Fault::Bad(not_one(format!("it starts with \"{shown}\""))));
        }
        input.take(MAGIC.len())?;
        let version = input.byte()?;
        if !(FIRST_VERSION..=LAST_VERSION).contains(&version) {
            return Err(Fault::Bad(not_one(format!(
                "its version is {version}; versions {FIRST_VERSION} to {LAST_VERSION} are supported"
            ))));
        }
        let key_class = input.text()?;
        let value_class = input.text()?;
        let compressed = input.byte()? != 0;
        let blocks = input.byte()? != 0;
        let compression = match (compressed, blocks) {
            (false, false) => Compression::None,
            (true, false) => Compression::Record,
            (true, true) => Compression::Block,
            (false, true) => {
                let detail = "its header declares blocks without compression".to_owned();
                return Err(Fault::Bad(not_one(detail)));
            }
        };
        let (codec, codec_class) = if !compressed {
            (Codec::Passthrough, None)
        } else if version < VERSION_WITH_CODEC {
            let codec = Codec::Deflate;
            (codec, Some(codec.class().to_owned()))
        } else {
            let class = input.text()?;
            let codec = Codec::of_class(&class).map_err(Fault::Bad)?;
            (codec, Some(class))
        };
        let metadata = if version < VERSION_WITH_METADATA {
            Vec::new()
        } else {
            input.metadata()?
        };
        let mut sync = [0; SYNC_BYTES];
        sync.copy_from_slice(input.take(SYNC_BYTES)?);
        Ok(Self {
            version,
            key_class,
            value_class,
            compression,
            codec,
            codec_class,
            metadata,
            sync,
            end: (bytes.len() - input.0.len()) as u64,
        })
    }

    /// Appends the header in the format of its version.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(MAGIC);
        out.push(self.version);
        write_text(out, &self.key_class);
        write_text(out, &self.value_class);
        out.push(u8::from(self.compression != Compression::None));
        out.push(u8::from(self.compression == Compression::Block));
        if self.version >= VERSION_WITH_CODEC
            && let Some(class) = &self.codec_class
        {
            write_text(out, class);
        }
        if self.version >= VERSION_WITH_METADATA {
            out.extend_from_slice(&(self.metadata.len() as u32).to_be_bytes());
            for (name, value) in &self.metadata {
                write_text(out, name);
                write_text(out, value);
            }
        }
        out.extend_from_slice(&self.sync);
    }
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    vint::write(out, text.len() as i64);
    out.extend_from_slice(text.as_bytes());
}

fn not_one(detail: String) -> RecordError {
    RecordError::new(reasons::NOT_A_SEQUENCE_FILE, detail)
}

enum Fault {
    /// More bytes are needed.
    Short,
    Bad(RecordError),
}

/// The bytes not parsed yet.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Fault::Short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        Ok(self.take(1)?[0])
    }

    fn text(&mut self) -> Result<String, Fault> {
        let (length, size) = vint::parse(self.0).ok_or(Fault::Short)?;
        self.take(size)?;
        match usize::try_from(length) {
            Ok(length) if length <= MAX_HEADER_BYTES => {
                Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
            }
            _ => Err(Fault::Bad(not_one(format!(
                "its header has a text of {length} bytes"
            )))),
        }
    }

    fn metadata(&mut self) -> Result<Vec<(String, String)>, Fault> {
        let mut count = [0; 4];
        count.copy_from_slice(self.take(4)?);
        let count = i32::from_be_bytes(count);
        if count < 0 {
            let detail = format!("its header has {count} pairs of metadata");
            return Err(Fault::Bad(not_one(detail)));
        }
        // The vector grows with the pairs found; the count may be wrong.
        let mut pairs = Vec::new();
        for _ in 0..count {
            pairs.push((self.text()?, self.text()?));
        }
        Ok(pairs)
    }
}
