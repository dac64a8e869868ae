//! PDFs for tests, built in memory in a few lines.
//!
//! [`one_page`] is enough for a content stream in Helvetica. Otherwise a [`Pdf`] takes objects as
//! the text that they have in the file, and knows how files, pages ([`Page`]), streams
//! ([`Stream`]), fonts ([`fonts`]), metadata, outlines, annotations, fields, layers and encryption
//! ([`Cipher`]) are written, so that a test only says what matters to it:
//!
//! ```ignore
//! let mut pdf = Pdf::new();
//! let bold = fonts::standard(&mut pdf, "Helvetica-Bold");
//! pdf.page(Page::new("BT /F2 12 Tf 72 720 Td (Title) Tj ET").font("F2", bold).rotate(90));
//! pdf.info("Title", "A title");
//! let bytes = pdf.build();
//! ```
//!
//! Damaged files are written by the same means: objects 1 and 2 can be set by hand ([`Pdf::set`]),
//! a stream can lie about its length, and [`assemble`] takes any objects and trailer.
//! [`hostile`] has the hostile files.
//!
//! ```text
//! file        objects, and the tables with their offsets
//! page        pages
//! stream      streams and their encoders
//! text        strings
//! fonts       fonts
//! font_files  font programs
//! parts       metadata, outline, links, fields, layers, forms and images
//! crypt       encryption
//! hostile     hostile files
//! ```

mod crypt;
mod file;
pub mod font_files;
pub mod fonts;
pub mod hostile;
mod page;
mod parts;
mod stream;
mod text;

pub use crypt::{Cipher, Encryption};
pub use file::{CATALOG, PAGES, Pdf, Ref, assemble};
pub use page::Page;
pub use stream::Stream;
pub use text::{hex, text};

/// A page of this content; `/F1` is Helvetica in it.
pub fn one_page(content: &str) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.page(Page::new(content));
    pdf.build()
}

/// A content stream that shows lines of text in 12 points, the first of them at the top left.
pub fn lines(lines: &[&str]) -> String {
    let shown: String = lines
        .iter()
        .map(|line| format!("{} Tj T*\n", text::literal(line.as_bytes())))
        .collect();
    format!("BT /F1 12 Tf 72 720 Td 14 TL\n{shown}ET")
}
