//! `mail_parse`, `mail_messages` and `mail_attachments`: a struct per message or attachment.

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::SECTION;
use crate::attachment::AttachmentRow;
use crate::function::{Parameter, Returns, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{Cell, ColumnBuilder, ListOf, StructOf, Timestamp, row};
use corpus_office::mail::{Attachment, Message, attachments, messages, read};

row! {
    /// A message.
    struct MessageRow<'a> {
        /// The subject
        subject: Option<&'a str>,
        /// The authors with their addresses
        sender: Option<&'a str>,
        /// The recipients
        recipients: Option<&'a str>,
        /// The recipients of copies
        cc: Option<&'a str>,
        /// When it was written
        date: Option<Timestamp>,
        /// The identifier, without brackets
        message_id: Option<&'a str>,
        /// The identifier of the message that is answered
        in_reply_to: Option<&'a str>,
        /// The language as declared
        #[short]
        lang: Option<&'a str>,
        /// Plain text, or that of HTML if there is none
        text: Option<&'a str>,
        /// The parts that are not text
        attachments: Attachments<'a>,
        /// The damage, if something could not be read
        #[short]
        error: Option<&'a str>,
    }
}

row! {
    /// An attachment, without its content.
    struct FileRow<'a> {
        /// The name of the file
        #[short]
        name: Option<&'a str>,
        /// The type as declared
        #[short]
        media_type: &'a str,
        /// The size in bytes, decoded
        size: i64,
    }
}

struct Attachments<'a>(&'a [Attachment<'a>]);

impl Cell for Attachments<'_> {
    type Column = ListOf<FileRow<'static>>;

    fn append_to(self, column: &mut Self::Column) {
        column.append(self.0.iter().map(|attachment| FileRow {
            name: attachment.name.as_deref(),
            media_type: &attachment.media_type,
            size: size(attachment),
        }));
    }
}

fn size(attachment: &Attachment<'_>) -> i64 {
    i64::try_from(attachment.content.len()).unwrap_or(i64::MAX)
}

impl<'a> From<&'a Attachment<'a>> for AttachmentRow<'a> {
    fn from(attachment: &'a Attachment<'a>) -> Self {
        Self {
            name: attachment.name.as_deref(),
            media_type: Some(&attachment.media_type),
            description: attachment.description.as_deref(),
            created: attachment.created.map(Timestamp),
            modified: attachment.modified.map(Timestamp),
            size: Some(size(attachment)),
            content: Some(&attachment.content),
            error: attachment.error.as_deref(),
            ..Self::default()
        }
    }
}

impl<'a> From<&'a Message<'a>> for MessageRow<'a> {
    fn from(message: &'a Message<'a>) -> Self {
        Self {
            subject: message.subject.as_deref(),
            sender: message.from.as_deref(),
            recipients: message.to.as_deref(),
            cc: message.cc.as_deref(),
            date: message.date.map(Timestamp),
            message_id: message.message_id.as_deref(),
            in_reply_to: message.in_reply_to.as_deref(),
            lang: message.language.as_deref(),
            text: Some(&message.text),
            attachments: Attachments(&message.attachments),
            error: message.error.as_deref(),
        }
    }
}

const DATA: Parameter = Parameter::new("data", || DataType::BinaryView, "The message as bytes.");

const DATA_ARGUMENT: Parameter =
    Parameter::new("data", || DataType::BinaryView, "The mailbox as bytes.");

functions! {
    SECTION;

    /// The files that are attached to a message, or to the messages of a mailbox. Those of
    /// forwarded messages are in the list, too; their texts are in that of the message.
    ///
    /// > SELECT mail_attachments(content)[1]['name'], mail_attachments(content)[1]['size']
    ///   FROM read_files('data-samples/office/message.eml');
    /// präise.pdf, 9
    mail_attachments(DATA_ARGUMENT) -> Returns::of::<ListOf<AttachmentRow>>(), costly;

    /// The messages of a mailbox (MBOX), or of a single message.
    ///
    /// > SELECT m['subject'], m['date'] FROM (
    #[doc = "     SELECT unnest(mail_messages(content)) AS m FROM read_files('data-samples/office/list.mbox'));"]
    /// First, 2023-11-14T22:13:20Z
    /// Second, 2023-11-15T08:00:00Z
    mail_messages(DATA_ARGUMENT) -> Returns::of::<ListOf<MessageRow>>(), costly;

    /// The text, the header and the attachments of a message (EML: RFC 5322, MIME).
    ///
    /// > SELECT mail_parse(content)['subject'], mail_parse(content)['sender']
    ///   FROM read_files('data-samples/office/message.eml');
    /// Grüße aus Köln, Jürgen <juergen@example.org>
    mail_parse(DATA) -> Returns::of::<StructOf<MessageRow>>(), costly;
}

fn mail_parse(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = StructOf::<MessageRow>::default();
    for data in args[0].as_binary_view() {
        let message = data.map(read);
        rows.append(message.as_ref().map(MessageRow::from));
    }
    Ok(rows.finish()?)
}

fn mail_messages(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = ListOf::<MessageRow>::default();
    for data in args[0].as_binary_view() {
        let Some(data) = data else {
            rows.append_null();
            continue;
        };
        for message in messages(data) {
            rows.push(MessageRow::from(&read(message)));
        }
        rows.end_list();
    }
    Ok(rows.finish()?)
}

fn mail_attachments(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = ListOf::<AttachmentRow>::default();
    for data in args[0].as_binary_view() {
        let Some(data) = data else {
            rows.append_null();
            continue;
        };
        for (position, attachment) in (1..).zip(messages(data).flat_map(attachments)) {
            rows.push(AttachmentRow {
                position: Some(position),
                ..AttachmentRow::from(&attachment)
            });
        }
        rows.end_list();
    }
    Ok(rows.finish()?)
}
