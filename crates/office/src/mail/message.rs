//! Builds a message from its parts.

use std::borrow::Cow;
use std::collections::HashSet;

use chrono::{DateTime, FixedOffset, ParseError};
use corpus_charset::{Charset, decode_text};
use corpus_html::extract::Document as HtmlText;
use corpus_html::{Engine, Options};

use super::fields::fields;
use super::flowed::join_lines;
use super::mbox::{is_separator, unquoted};
use super::parts::{BodyPart, Splitter};
use super::transfer::{self, Decoded};
use super::words::decode_field;

/// A message. Missing and blank values are `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message<'a> {
    /// The subject, decoded like all fields.
    pub subject: Option<String>,
    /// The authors with their addresses.
    pub from: Option<String>,
    /// The recipients.
    pub to: Option<String>,
    /// The recipients of copies.
    pub cc: Option<String>,
    /// The time of writing, in microseconds since the epoch.
    pub date: Option<i64>,
    /// The identifier, without brackets.
    pub message_id: Option<String>,
    /// The identifier of the message that this one replies to.
    pub in_reply_to: Option<String>,
    /// The language as declared.
    pub language: Option<String>,
    /// The text; empty if there is none.
    pub text: String,
    /// The parts that are not text.
    pub attachments: Vec<Attachment<'a>>,
    /// Parts that could not be read or were repaired.
    pub error: Option<String>,
}

/// A part that is not text of the message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attachment<'a> {
    /// The name of the file.
    pub name: Option<String>,
    /// The media type as declared, in lower case.
    pub media_type: String,
    /// The description.
    pub description: Option<String>,
    /// When the file was created, in microseconds since the epoch.
    pub created: Option<i64>,
    /// When the file was modified, in microseconds since the epoch.
    pub modified: Option<i64>,
    /// The file, decoded.
    pub content: Cow<'a, [u8]>,
    /// Why the content could not be decoded completely.
    pub error: Option<String>,
}

/// A text of a message, with the multipart of alternatives to which it belongs.
struct Text {
    text: String,
    is_plain: bool,
    alternative: Option<usize>,
}

/// Reads a message. Never fails: `error` reports what was lost.
pub fn read(bytes: &[u8]) -> Message<'_> {
    let bytes = without_mark(bytes);
    let is_of_mailbox = is_separator(bytes);
    let splitter = Splitter::split(bytes);
    let mut message = Message::default();
    let mut errors = splitter.errors;
    read_header(&splitter.header, &mut message, &mut errors);
    let mut texts = Vec::new();
    for part in splitter.parts {
        if let Some(subject) = part.subject.as_ref().filter(|subject| !subject.is_empty()) {
            texts.push(Text {
                text: subject.clone(),
                is_plain: true,
                alternative: None,
            });
        }
        read_part(&part, &mut message, &mut texts, &mut errors);
    }
    let with_plain: HashSet<usize> = texts
        .iter()
        .filter(|text| text.is_plain && !text.text.is_empty())
        .filter_map(|text| text.alternative)
        .collect();
    let is_chosen = |text: &&Text| {
        let has_plain = text
            .alternative
            .is_some_and(|number| with_plain.contains(&number));
        !text.text.is_empty() && (text.is_plain || !has_plain)
    };
    for text in texts.iter().filter(is_chosen) {
        if !message.text.is_empty() {
            message.text.push_str("\n\n");
        }
        message.text.push_str(&text.text);
    }
    if is_of_mailbox {
        message.text = unquoted(std::mem::take(&mut message.text));
    }
    message.error = (!errors.is_empty()).then(|| errors.join("; "));
    message
}

/// Reads the files in a message and in the messages that it forwards, without message texts. Unlike
/// with [`read`], no file contains another.
pub fn attachments(bytes: &[u8]) -> impl Iterator<Item = Attachment<'_>> {
    let parts = Splitter::split(without_mark(bytes)).parts.into_iter();
    let files = parts.filter(|part| !is_text(part) && !part.is_divided);
    files.map(|part| read_attachment(&part))
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

fn read_header(header: &str, message: &mut Message<'_>, errors: &mut Vec<String>) {
    let mut date = None;
    let mut any = false;
    for (name, value) in fields(header) {
        any = true;
        let field = match name.to_ascii_lowercase().as_str() {
            "subject" => &mut message.subject,
            "from" => &mut message.from,
            "to" => &mut message.to,
            "cc" => &mut message.cc,
            "date" => &mut date,
            "message-id" => &mut message.message_id,
            "in-reply-to" => &mut message.in_reply_to,
            "content-language" => &mut message.language,
            _ => continue,
        };
        if field.is_none() {
            *field = Some(decode_field(value)).filter(|value| !value.is_empty());
        }
    }
    for id in [&mut message.message_id, &mut message.in_reply_to] {
        let bare = id.as_ref().map(|id| id.trim_matches(['<', '>']).to_owned());
        *id = bare;
    }
    if let Some(date) = date {
        match parse_date(&date) {
            Ok(date) => message.date = Some(date.timestamp_micros()),
            Err(error) => {
                let date = date
                    .get(..date.floor_char_boundary(100))
                    .unwrap_or_default();
                add_error(errors, format!("the date '{date}' cannot be read: {error}"));
            }
        }
    }
    if !any {
        add_error(errors, "the message has no header".to_owned());
    }
}

/// Maximum number of errors that are listed.
const MAX_ERRORS: usize = 20;

fn add_error(errors: &mut Vec<String>, error: String) {
    if errors.len() == MAX_ERRORS {
        errors.push("and further errors".to_owned());
    } else if errors.len() < MAX_ERRORS && !errors.contains(&error) {
        errors.push(error);
    }
}

/// Parses a date. A wrong day of the week is ignored.
fn parse_date(date: &str) -> Result<DateTime<FixedOffset>, ParseError> {
    let parsed = DateTime::parse_from_rfc2822(date);
    match (parsed, date.split_once(',')) {
        (Err(_), Some((_, date))) => DateTime::parse_from_rfc2822(date),
        (parsed, _) => parsed,
    }
}

/// The media type of a part, in lower case.
fn media_type<'a>(part: &'a BodyPart<'_>) -> &'a str {
    match part.content_type.value.as_str() {
        "" => "text/plain",
        media_type => media_type,
    }
}

fn name(part: &BodyPart<'_>) -> Option<String> {
    let name = part.disposition.get("filename");
    name.or_else(|| part.content_type.get("name"))
}

/// Whether a part is text of the message.
fn is_text(part: &BodyPart<'_>) -> bool {
    matches!(media_type(part), "text/plain" | "text/html")
        && part.disposition.value != "attachment"
        && (part.disposition.value == "inline"
            || part.alternative.is_some()
            || name(part).is_none())
}

/// Describes damage in a decoded part.
fn damage(part: &BodyPart<'_>, decoded: &Decoded<'_>) -> Option<String> {
    if !decoded.is_damaged {
        return None;
    }
    let encoding = part.encoding.get(..part.encoding.floor_char_boundary(50));
    let encoding = encoding.unwrap_or_default();
    Some(if transfer::is_known(encoding) {
        format!("a part is not valid {encoding}")
    } else {
        format!("a part has the unknown encoding '{encoding}'")
    })
}

fn read_attachment<'a>(part: &BodyPart<'a>) -> Attachment<'a> {
    let decoded = transfer::decode(part.body, &part.encoding);
    let mut errors: Vec<String> = damage(part, &decoded).into_iter().collect();
    if !decoded.footer.is_empty() {
        errors.push(FOOTER_ERROR.to_owned());
    }
    let date = |name| parse_date(&part.disposition.get(name)?).ok();
    let micros = |name| date(name).map(|date| date.timestamp_micros());
    Attachment {
        name: name(part),
        media_type: media_type(part).to_owned(),
        description: part.description.clone(),
        created: micros("creation-date"),
        modified: micros("modification-date"),
        content: decoded.bytes,
        error: (!errors.is_empty()).then(|| errors.join("; ")),
    }
}

const FOOTER_ERROR: &str = "a part has text after its base64";

fn read_part<'a>(
    part: &BodyPart<'a>,
    message: &mut Message<'a>,
    texts: &mut Vec<Text>,
    errors: &mut Vec<String>,
) {
    if !is_text(part) {
        let attachment = read_attachment(part);
        if let Some(error) = &attachment.error {
            add_error(errors, error.clone());
        }
        message.attachments.push(attachment);
        return;
    }
    if part.body.is_empty() {
        return;
    }
    let decoded = transfer::decode(part.body, &part.encoding);
    if let Some(error) = damage(part, &decoded) {
        add_error(errors, error);
    }
    let charset = part.content_type.get("charset");
    let mut bytes = decoded.bytes;
    if !decoded.footer.is_empty() {
        add_error(errors, FOOTER_ERROR.to_owned());
        let bytes = bytes.to_mut();
        if bytes.last().is_some_and(|last| *last != b'\n') {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(decoded.footer);
    }
    let text = decode_text(&bytes, charset.as_deref(), None);
    if let Some(charset) = &charset
        && Charset::for_label(charset).is_none()
    {
        let charset = charset.get(..charset.floor_char_boundary(50));
        let charset = charset.unwrap_or_default();
        add_error(
            errors,
            format!("a part has the unknown charset '{charset}'"),
        );
    }
    let is_plain = media_type(part) == "text/plain";
    let text = if is_plain {
        plain_text(&text, part)
    } else {
        let page = Engine::Native.read(&text, &Options::default(), HtmlText::default);
        page.finish()
    };
    texts.push(Text {
        text,
        is_plain,
        alternative: part.alternative,
    });
}

/// Normalizes line breaks, and removes white space at the ends of lines and blank lines around the
/// text.
fn plain_text(text: &str, part: &BodyPart<'_>) -> String {
    let parameter = |name, value: &str| {
        let found = part.content_type.get(name);
        found.is_some_and(|found| found.eq_ignore_ascii_case(value))
    };
    let joined;
    let text = if parameter("format", "flowed") {
        joined = join_lines(text, parameter("delsp", "yes"));
        joined.as_str()
    } else {
        text
    };
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.trim_end();
        if !out.is_empty() {
            out.push('\n');
        }
        if !out.is_empty() || !line.is_empty() {
            out.push_str(line);
        }
    }
    out.truncate(out.trim_end().len());
    out
}
