//! The columns of `pdf_attachments` and `mail_attachments`.

use corpus_columns::{Timestamp, row};

row! {
    /// A file in a document: in a PDF or a mail.
    #[derive(Default)]
    pub struct AttachmentRow<'a> {
        /// The number of the file in the document, from 1
        pub position: Option<usize>,
        /// The name of the file
        #[short]
        pub name: Option<&'a str>,
        /// The type as declared
        #[short]
        pub media_type: Option<&'a str>,
        /// The description
        pub description: Option<&'a str>,
        /// When it was created
        pub created: Option<Timestamp>,
        /// When it was modified
        pub modified: Option<Timestamp>,
        /// The page with its icon, from 1; NULL for other files
        pub page: Option<u32>,
        /// The size in bytes, decompressed
        pub size: Option<i64>,
        /// The file, decompressed
        pub content: Option<&'a [u8]>,
        /// Why the file or the document could not be read, or only in part
        #[short]
        pub error: Option<&'a str>,
    }
}
