//! E-mail messages and mailboxes.
//!
//! ```text
//! message  what is returned, made of the parts
//! parts    splits a message into parts, line by line
//! fields   the fields of a header
//! words    encoded words of header fields
//! params   parameters such as `charset` and `filename`
//! transfer quoted-printable and base64
//! flowed   soft line breaks
//! mbox     messages of a mailbox
//! kind     recognizes messages and mailboxes
//! ```

mod fields;
mod flowed;
mod kind;
mod mbox;
mod message;
mod params;
mod parts;
mod transfer;
mod words;

pub use kind::{Kind, begins_with_field, kind};
pub use mbox::{is_complete_separator, is_separator, messages};
pub use message::{Attachment, Message, attachments, read};
