//! The members of a document's zip, read by [`corpus_packages`].

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use corpus_bytes::file::FileBytes;
use corpus_bytes::memory::Memory;
use corpus_bytes::record::{ColumnSet, ReadRequest, RecordReader, Value};
use corpus_markup::ending::{unclosed_in_html, unclosed_in_xml};
use corpus_markup::{Syntax, Token, Tokenizer};
use corpus_packages::columns::{CONTENT, SOURCE_FILE};

use crate::document::Document;
use crate::metadata::decode;

/// Maximum number of members. Documents have at most a few thousand.
const MAX_MEMBERS: usize = 100_000;

/// Maximum length of the name of a member. Members with longer names are not read.
const MAX_NAME_BYTES: usize = 4096;

/// The member that declares the type of an EPUB or of an OpenDocument file.
const MEDIA_TYPE: &str = "mimetype";
const MAX_MEDIA_TYPE_BYTES: usize = 256;
const OPEN_DOCUMENT: &[u8] = b"application/vnd.oasis.opendocument.";
const OPEN_DOCUMENT_TEXT: &[u8] = b"application/vnd.oasis.opendocument.text";

/// The number of bytes that may still be decompressed.
pub struct Budget {
    left: usize,
    limit: usize,
}

impl Budget {
    pub fn new(limit: usize) -> Self {
        Self { left: limit, limit }
    }
}

/// The names of the members.
#[derive(Default)]
pub struct Names {
    names: BTreeSet<String>,
    /// Whether the declared type is OpenDocument text, or is not a type of OpenDocument.
    pub is_open_document_text: bool,
    /// Damage of the zip itself.
    pub damage: Vec<String>,
}

#[cfg(test)]
impl<'a> FromIterator<&'a str> for Names {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        Self {
            names: names.into_iter().map(str::to_owned).collect(),
            ..Self::default()
        }
    }
}

impl Names {
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    pub fn any(&self, is_wanted: impl Fn(&str) -> bool) -> bool {
        self.names.iter().any(|name| is_wanted(name))
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

/// The contents of some members, by name.
#[derive(Default)]
pub struct Members {
    contents: HashMap<String, Vec<u8>>,
    /// The errors of members, read or not.
    pub errors: Vec<String>,
    /// The errors of members that end inside an element.
    pub cut: Vec<String>,
}

impl Members {
    /// Adds the errors of all members to those of the document.
    pub fn report(&self, document: &mut Document) {
        for error in self.errors.iter().chain(&self.cut) {
            document.add_error(error);
        }
    }

    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.contents.get(name).map(Vec::as_slice)
    }

    pub fn remove(&mut self, name: &str) -> Option<Vec<u8>> {
        self.contents.remove(name)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let contents = self.contents.iter();
        contents.map(|(name, content)| (name.as_str(), content.as_slice()))
    }
}

/// A zip in memory.
pub struct Package(Memory);

impl Package {
    /// `None` if the bytes do not start like a zip.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let is_zip = bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06");
        is_zip.then(|| Self(Memory(bytes.into())))
    }

    fn open(&self, max_record_bytes: usize) -> Result<Box<dyn RecordReader>, String> {
        let request = ReadRequest {
            range: 0..self.0.size(),
            file: Arc::new(self.0.clone()),
            name: "".into(),
            max_record_bytes,
            modified: None,
            columns: ColumnSet::from_iter([SOURCE_FILE, CONTENT]),
        };
        corpus_packages::open(request, true, &[], false).map_err(|error| error.to_string())
    }

    /// Lists the members.
    pub fn names(&self) -> Names {
        let mut names = Names {
            is_open_document_text: true,
            ..Names::default()
        };
        let mut reader = match self.open(MAX_MEDIA_TYPE_BYTES) {
            Ok(reader) => reader,
            Err(error) => {
                names.damage.push(error);
                return names;
            }
        };
        while reader.advance() {
            let Some(name) = name_of(reader.as_ref()) else {
                names.damage.extend(reader.error().map(ToString::to_string));
                continue;
            };
            if names.names.len() == MAX_MEMBERS {
                let error = format!("the zip has more than {MAX_MEMBERS} members");
                names.damage.push(error);
                break;
            }
            if name.len() > MAX_NAME_BYTES {
                let error = format!("the zip has names of more than {MAX_NAME_BYTES} bytes");
                if !names.damage.contains(&error) {
                    names.damage.push(error);
                }
                continue;
            }
            if name == MEDIA_TYPE {
                reader.load(true);
                if let Value::Bytes(media_type) = reader.value(CONTENT) {
                    names.is_open_document_text = media_type.starts_with(OPEN_DOCUMENT_TEXT)
                        || !media_type.starts_with(OPEN_DOCUMENT);
                }
            }
            names.names.insert(name);
        }
        names
    }

    /// Reads the wanted members, up to the budget.
    pub fn read(&self, budget: &mut Budget, is_wanted: impl Fn(&str) -> bool) -> Members {
        let mut members = Members::default();
        let mut reader = match self.open(budget.left) {
            Ok(reader) => reader,
            Err(error) => {
                members.errors.push(error);
                return members;
            }
        };
        let exceeded = |budget: &Budget| {
            let limit = budget.limit;
            format!("the decompressed data exceeds {limit} bytes")
        };
        while reader.advance() {
            let Some(name) = name_of(reader.as_ref()).filter(|name| is_wanted(name)) else {
                continue;
            };
            if budget.left == 0 {
                members.errors.push(exceeded(budget));
                break;
            }
            reader.load(true);
            let content = match reader.value(CONTENT) {
                Value::Bytes(content) => content,
                _ => &[],
            };
            // The reader truncates all members at the first member's limit, but later members have
            // a smaller limit.
            let is_too_long = content.len() > budget.left;
            let content = content.get(..budget.left).unwrap_or(content).to_vec();
            budget.left -= content.len();
            if let Some(error) = reader.error() {
                members.errors.push(match budget.left {
                    0 => exceeded(budget),
                    _ => format!("{name}: {error}"),
                });
            } else if is_too_long {
                members.errors.push(exceeded(budget));
            } else if let Some(what) = unclosed(&decode(&content)) {
                members.cut.push(format!("{name} ends inside {what}"));
            }
            members.contents.insert(name, content);
        }
        members
    }
}

/// Returns the markup that a truncated member ends in. Some chapters are HTML, which may omit end
/// tags.
fn unclosed(member: &str) -> Option<String> {
    let is_declared = member.starts_with("<?xml");
    let root = Tokenizer::new(member, Syntax::Xml).find_map(|token| match token {
        Token::Start(tag) => Some(tag),
        _ => None,
    });
    let is_html = root.is_some_and(|root| {
        root.written().eq_ignore_ascii_case("html") && root.attributes().get("xmlns").is_none()
    });
    if is_html && !is_declared {
        unclosed_in_html(member).map(str::to_owned)
    } else {
        unclosed_in_xml(member)
    }
}

/// The name of the current member; `None` if the record is about damage between members.
fn name_of(reader: &dyn RecordReader) -> Option<String> {
    match reader.value(SOURCE_FILE) {
        // Some programs write names with backslashes.
        Value::Text(name) => name.strip_prefix('!').map(|name| name.replace('\\', "/")),
        _ => None,
    }
}
