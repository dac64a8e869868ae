//! Hadoop's standard classes of keys and values, and their serialized forms.

use std::io::{self, Read};
use std::ops::Range;

use super::reasons;
use super::vint;
use corpus_bytes::columns::ColumnType;
use corpus_bytes::file::read_up_to;
use corpus_bytes::record::{RecordError, Value};

/// A class of keys or values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Class {
    Text,
    Bytes,
    Boolean,
    Byte,
    Short,
    Int,
    Long,
    VInt,
    VLong,
    Float,
    Double,
    Null,
    /// Any other class; its values are their serialized bytes.
    Other,
}

const NAMES: &[(Class, &str)] = &[
    (Class::Text, "org.apache.hadoop.io.Text"),
    (Class::Bytes, "org.apache.hadoop.io.BytesWritable"),
    (Class::Boolean, "org.apache.hadoop.io.BooleanWritable"),
    (Class::Byte, "org.apache.hadoop.io.ByteWritable"),
    (Class::Short, "org.apache.hadoop.io.ShortWritable"),
    (Class::Int, "org.apache.hadoop.io.IntWritable"),
    (Class::Long, "org.apache.hadoop.io.LongWritable"),
    (Class::VInt, "org.apache.hadoop.io.VIntWritable"),
    (Class::VLong, "org.apache.hadoop.io.VLongWritable"),
    (Class::Float, "org.apache.hadoop.io.FloatWritable"),
    (Class::Double, "org.apache.hadoop.io.DoubleWritable"),
    (Class::Null, "org.apache.hadoop.io.NullWritable"),
];

const MAX_NUMBER_BYTES: usize = vint::MAX_BYTES;
/// Memory reserved before a payload is read. The buffer of a larger payload grows as data arrives.
const FIRST_ROOM_BYTES: u64 = 64 << 10;
/// The memory kept for the next value, whatever the size of the last one.
const MAX_KEPT_BYTES: usize = 4 << 20;

impl Class {
    /// Returns the class of a Java name.
    pub fn of(name: &str) -> Self {
        let known = NAMES.iter().find(|(_, known)| *known == name);
        known.map_or(Self::Other, |(class, _)| *class)
    }

    /// Returns the Java name; empty for [`Class::Other`].
    pub fn name(self) -> &'static str {
        let known = NAMES.iter().find(|(class, _)| *class == self);
        known.map_or("", |(_, name)| name)
    }

    /// Returns the type of a column that holds values of this class.
    pub fn column_type(self) -> ColumnType {
        match self {
            Self::Text => ColumnType::Text,
            Self::Bytes | Self::Null | Self::Other => ColumnType::Bytes,
            Self::Boolean => ColumnType::Boolean,
            Self::Float | Self::Double => ColumnType::Double,
            Self::Byte | Self::Short | Self::Int | Self::Long | Self::VInt | Self::VLong => {
                ColumnType::Integer
            }
        }
    }

    /// Whether a column of this type can hold values of this class. A column of bytes can hold any.
    pub fn fits(self, kind: ColumnType) -> bool {
        kind == self.column_type() || kind == ColumnType::Bytes || self == Self::Null
    }

    /// Appends the serialized form of a value; `false` if the value does not fit the class.
    pub fn serialize(self, value: Value<'_>, out: &mut Vec<u8>) -> bool {
        match (self, value) {
            (Self::Null, Value::Null) => {}
            (Self::Text, Value::Text(text)) => {
                vint::write(out, text.len() as i64);
                out.extend_from_slice(text.as_bytes());
            }
            (Self::Bytes, Value::Bytes(bytes)) => {
                let Ok(length) = i32::try_from(bytes.len()) else {
                    return false;
                };
                out.extend_from_slice(&length.to_be_bytes());
                out.extend_from_slice(bytes);
            }
            (Self::Other, Value::Bytes(bytes)) => out.extend_from_slice(bytes),
            (Self::Boolean, Value::Boolean(flag)) => out.push(u8::from(flag)),
            (Self::Double, Value::Double(number)) => out.extend_from_slice(&number.to_be_bytes()),
            (Self::Float, Value::Double(number)) => {
                out.extend_from_slice(&(number as f32).to_be_bytes());
            }
            (_, Value::Integer(number)) => return self.serialize_integer(number, out),
            _ => return false,
        }
        true
    }

    fn serialize_integer(self, number: i64, out: &mut Vec<u8>) -> bool {
        let bytes = match self {
            Self::Byte => 1,
            Self::Short => 2,
            Self::Int => 4,
            Self::Long => 8,
            Self::VInt | Self::VLong => {
                let fits = self == Self::VLong || i32::try_from(number).is_ok();
                if fits {
                    vint::write(out, number);
                }
                return fits;
            }
            _ => return false,
        };
        let unused = 64 - 8 * bytes;
        let fits = number << unused >> unused == number;
        if fits {
            out.extend_from_slice(&number.to_be_bytes()[8 - bytes as usize..]);
        }
        fits
    }

    /// Parses the serialized form of a number.
    fn number(self, bytes: &[u8]) -> Option<Datum> {
        let integer = |value: i64| Some(Datum::Integer(value));
        match self {
            Self::Boolean => Some(Datum::Boolean(
                u8::from_be_bytes(bytes.try_into().ok()?) != 0,
            )),
            Self::Byte => integer(i8::from_be_bytes(bytes.try_into().ok()?).into()),
            Self::Short => integer(i16::from_be_bytes(bytes.try_into().ok()?).into()),
            Self::Int => integer(i32::from_be_bytes(bytes.try_into().ok()?).into()),
            Self::Long => integer(i64::from_be_bytes(bytes.try_into().ok()?)),
            Self::VInt | Self::VLong => match vint::parse(bytes)? {
                (value, size) if size == bytes.len() => integer(value),
                _ => None,
            },
            Self::Float => {
                let number = f32::from_be_bytes(bytes.try_into().ok()?);
                Some(Datum::Double(number.into()))
            }
            Self::Double => Some(Datum::Double(f64::from_be_bytes(bytes.try_into().ok()?))),
            Self::Text | Self::Bytes | Self::Null | Self::Other => None,
        }
    }
}

/// A key or a value.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub enum Datum {
    #[default]
    Null,
    Text(String),
    Bytes(Vec<u8>),
    Integer(i64),
    Double(f64),
    Boolean(bool),
}

impl Datum {
    /// Returns the same value, borrowed.
    pub fn value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::Null,
            Self::Text(text) => Value::Text(text),
            Self::Bytes(bytes) => Value::Bytes(bytes),
            Self::Integer(number) => Value::Integer(*number),
            Self::Double(number) => Value::Double(*number),
            Self::Boolean(flag) => Value::Boolean(*flag),
        }
    }

    /// Returns the memory of the value for reuse.
    fn into_room(self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.into_bytes(),
            Self::Bytes(bytes) => bytes,
            _ => Vec::new(),
        }
    }
}

/// Reads keys, or values, of one class into a column of one type.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    pub class: Class,
    pub kind: ColumnType,
    /// Maximum size of a payload. Longer payloads are truncated.
    pub limit: usize,
}

/// The result of reading a key or value.
#[derive(Debug, Default)]
pub struct Decoded {
    pub datum: Datum,
    /// The range of the value in its buffer, used instead of `datum`.
    pub held: Option<Range<usize>>,
    pub cut: bool,
    pub error: Option<RecordError>,
}

impl Slot {
    /// Whether the column can hold such values; otherwise they are not read.
    pub fn fits(self) -> bool {
        self.class.fits(self.kind)
    }

    /// Returns the range of the payload in the serialized bytes of a value, if it can be used in
    /// place. [`Self::read`] handles all other and invalid values.
    pub fn held(self, serialized: &[u8]) -> Option<Range<usize>> {
        if self.class != Class::Bytes || self.kind != ColumnType::Bytes {
            return None;
        }
        let (length, payload) = serialized.split_first_chunk::<4>()?;
        let declared = usize::try_from(i32::from_be_bytes(*length)).ok()?;
        (declared == payload.len() && declared <= self.limit).then_some(4..serialized.len())
    }

    /// Reads one key or value from `input`. The memory of `old` is reused.
    pub fn read(self, input: &mut impl Read, old: Datum) -> Decoded {
        if !self.fits() {
            let detail = format!(
                "{} in a column of type {}",
                self.class.name().rsplit('.').next().unwrap_or_default(),
                format!("{:?}", self.kind).to_lowercase()
            );
            return failure(RecordError::new(reasons::OTHER_CLASS, detail));
        }
        match self.kind {
            ColumnType::Text | ColumnType::Bytes => self.read_payload(input, old.into_room()),
            _ => self.read_number(input),
        }
    }

    fn read_number(self, input: &mut impl Read) -> Decoded {
        let mut bytes = [0; MAX_NUMBER_BYTES + 1];
        match read_up_to(input, &mut bytes) {
            Err(error) => failure(io_error(&error)),
            Ok(0) if self.class == Class::Null => Decoded::default(),
            Ok(count) => match self.class.number(&bytes[..count]) {
                Some(datum) => Decoded {
                    datum,
                    ..Decoded::default()
                },
                None => failure(bad(format!("{count} bytes are not a number of the class"))),
            },
        }
    }

    fn read_payload(self, input: &mut impl Read, mut room: Vec<u8>) -> Decoded {
        room.clear();
        room.shrink_to(MAX_KEPT_BYTES);
        let declared = match self.declared_length(input) {
            Ok(declared) => declared,
            Err(error) => return failure(error),
        };
        let mut error = None;
        // One byte more than the limit shows that it was exceeded.
        let max = (self.limit as u64).saturating_add(1);
        let wanted = declared.unwrap_or(max).min(max);
        room.reserve(wanted.min(FIRST_ROOM_BYTES) as usize);
        if let Err(failure) = input.take(wanted).read_to_end(&mut room) {
            error = Some(io_error(&failure));
        } else if let Some(declared) = declared
            && (room.len() as u64) < wanted
        {
            let count = room.len();
            error = Some(bad(format!("it declares {declared} bytes but has {count}")));
        }
        let cut = room.len() > self.limit;
        room.truncate(self.limit);
        if !cut && error.is_none() {
            error = nothing_more(input).err();
        }
        let datum = match self.class {
            Class::Null => Datum::Null,
            _ if self.kind == ColumnType::Text => {
                let (text, is_utf8) = text(room, cut);
                if !is_utf8 {
                    error.get_or_insert(RecordError::new(reasons::NOT_UTF8, ""));
                }
                Datum::Text(text)
            }
            _ => Datum::Bytes(room),
        };
        Decoded {
            datum,
            cut,
            error,
            held: None,
        }
    }

    /// Reads the length of the payload, if the serialized form starts with it.
    fn declared_length(self, input: &mut impl Read) -> Result<Option<u64>, RecordError> {
        let length = match self.class {
            Class::Text => vint::read(input).map_err(|error| io_error(&error))?,
            Class::Bytes => {
                let mut length = [0; 4];
                match read_up_to(input, &mut length).map_err(|error| io_error(&error))? {
                    4 => Some(i32::from_be_bytes(length).into()),
                    _ => None,
                }
            }
            Class::Null => Some(0),
            _ => return Ok(None),
        };
        let length = length.ok_or_else(|| bad("it has no length".to_owned()))?;
        match u64::try_from(length) {
            Ok(length) => Ok(Some(length)),
            Err(_) => Err(bad(format!("it declares {length} bytes"))),
        }
    }
}

fn nothing_more(input: &mut impl Read) -> Result<(), RecordError> {
    match read_up_to(input, &mut [0]) {
        Ok(0) => Ok(()),
        Ok(_) => Err(bad("it continues after its declared end".to_owned())),
        Err(error) => Err(io_error(&error)),
    }
}

/// Decodes text, and returns whether it is valid. A character cut by the limit is dropped.
fn text(bytes: Vec<u8>, cut: bool) -> (String, bool) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, true),
        Err(error) => {
            let utf8 = error.utf8_error();
            let mut bytes = error.into_bytes();
            let only_cut = cut && utf8.error_len().is_none();
            if only_cut {
                bytes.truncate(utf8.valid_up_to());
            }
            (String::from_utf8_lossy(&bytes).into_owned(), only_cut)
        }
    }
}

fn failure(error: RecordError) -> Decoded {
    Decoded {
        error: Some(error),
        ..Decoded::default()
    }
}

fn bad(detail: String) -> RecordError {
    RecordError::new(reasons::BAD_WRITABLE, detail)
}

/// Converts an error of reading compressed data.
pub fn io_error(error: &io::Error) -> RecordError {
    let detail = match error.kind() {
        io::ErrorKind::UnexpectedEof => "the compressed data ends early".to_owned(),
        _ => error.to_string(),
    };
    RecordError::new(reasons::DAMAGED, detail)
}
