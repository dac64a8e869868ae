//! The declared type of a body.

use super::signatures::{self, Group, Match};

/// The declared type of a body.
#[derive(Debug, Default, Clone, Copy)]
pub struct Declared<'a> {
    /// In lower case, without parameters.
    pub media_type: Option<&'a str>,
    /// The `Content-Type` header as sent.
    pub content_type: Option<&'a str>,
}

/// The kind of a declared type, which determines how far it is trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DeclaredKind {
    /// No type, or a meaningless one.
    Unknown,
    Html,
    /// `text/plain` in a spelling that old Apache servers send for all unknown files.
    ApacheText,
    /// Another text format.
    Text,
    /// A binary format, with the group of signatures expected of it.
    Binary(Option<Group>),
}

/// The standard's unknown types, and types that servers send for downloads of any format.
const UNKNOWN: &[&str] = &[
    "unknown/unknown",
    "application/unknown",
    "*/*",
    "application/octet-stream",
    "binary/octet-stream",
    "application/x-octet-stream",
    "application/octetstream",
    "application/octet",
    "octet/stream",
    "application/binary",
    "application/x-binary",
    "application/x-unknown",
    "application/x-unknown-content-type",
    "content/unknown",
    "application/download",
    "application/x-download",
    "application/force-download",
    "application/x-force-download",
];

const HTML: &[&str] = &[
    "text/html",
    "application/xhtml+xml",
    "application/vnd.wap.xhtml+xml",
];

const APACHE_DEFAULTS: &[&str] = &[
    "text/plain",
    "text/plain; charset=ISO-8859-1",
    "text/plain; charset=iso-8859-1",
    "text/plain; charset=UTF-8",
];

/// Text formats outside `text/`, in addition to those that end with `+xml` and `+json`.
const TEXT: &[&str] = &[
    "application/xml",
    "application/json",
    "application/javascript",
    "application/x-javascript",
    "application/ecmascript",
    "application/x-ecmascript",
    "application/x-httpd-php",
    "application/x-json",
    "application/x-ndjson",
    "application/csv",
    "application/xml-dtd",
    "application/warc-fields",
];

const FONTS: &[&str] = &[
    "application/font-cff",
    "application/font-otf",
    "application/font-sfnt",
    "application/font-ttf",
    "application/font-woff",
    "application/vnd.ms-fontobject",
    "application/vnd.ms-opentype",
];

impl Declared<'_> {
    pub fn kind(&self) -> DeclaredKind {
        let Some(name) = self.media_type.filter(|name| is_media_type(name)) else {
            return DeclaredKind::Unknown;
        };
        let is_in = |names: &[&str]| names.contains(&name);
        if is_in(HTML) {
            return DeclaredKind::Html;
        }
        let is_apache_default = |value: &str| APACHE_DEFAULTS.contains(&value);
        if self.content_type.is_some_and(is_apache_default) {
            return DeclaredKind::ApacheText;
        }
        if name.ends_with("+xml") || name.ends_with("+json") || is_in(TEXT) {
            return DeclaredKind::Text;
        }
        match name.split_once('/') {
            _ if is_in(UNKNOWN) => DeclaredKind::Unknown,
            Some(("text", subtype)) if subtype != "rtf" => DeclaredKind::Text,
            Some(("image", _)) => DeclaredKind::Binary(Some(Group::Image)),
            Some(("audio" | "video", _)) | Some((_, "ogg")) => {
                DeclaredKind::Binary(Some(Group::Media))
            }
            Some(("font", _)) => DeclaredKind::Binary(Some(Group::Font)),
            _ if is_in(FONTS) => DeclaredKind::Binary(Some(Group::Font)),
            _ => DeclaredKind::Binary(None),
        }
    }

    pub fn is_xml(&self) -> bool {
        matches!(self.media_type, Some("text/xml" | "application/xml"))
    }

    pub fn is_html(&self) -> bool {
        self.kind() == DeclaredKind::Html
    }

    /// Whether the declared type may be a format based on the one found: many formats are zip
    /// files, and RTF has two names.
    pub fn may_be_in(&self, found: &Match) -> bool {
        let is_application = |name: &str| name.starts_with("application/");
        match self.media_type {
            Some("text/rtf") => found.media_type == "application/rtf",
            Some(name) if found.group == Group::Container => {
                is_application(name) && !signatures::is_listed(name)
            }
            _ => false,
        }
    }
}

/// Whether a text has the form `type/subtype`, with the characters that HTTP allows.
fn is_media_type(name: &str) -> bool {
    let is_token = |part: &str| {
        let is_allowed = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
        !part.is_empty() && part.bytes().all(is_allowed)
    };
    name.split_once('/')
        .is_some_and(|(main, subtype)| is_token(main) && is_token(subtype))
}
