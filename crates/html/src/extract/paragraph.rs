//! The properties of a paragraph.

use std::ops::Range;

use corpus_markup::Name;

/// The kind of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    Text,
    /// A heading of level 1 to 6.
    Heading(u8),
    List,
    Table,
    Preformatted,
    Quote,
    Caption,
}

impl Kind {
    /// The name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Heading(1) => "h1",
            Kind::Heading(2) => "h2",
            Kind::Heading(3) => "h3",
            Kind::Heading(4) => "h4",
            Kind::Heading(5) => "h5",
            Kind::Heading(_) => "h6",
            Kind::List => "list",
            Kind::Table => "table",
            Kind::Preformatted => "pre",
            Kind::Quote => "quote",
            Kind::Caption => "caption",
        }
    }

    /// The kind with a name.
    ///
    /// ```
    /// use corpus_html::extract::Kind;
    ///
    /// assert_eq!(Kind::from_name("h2"), Some(Kind::Heading(2)));
    /// assert_eq!(Kind::from_name("p"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        let others = [
            Kind::Text,
            Kind::List,
            Kind::Table,
            Kind::Preformatted,
            Kind::Quote,
            Kind::Caption,
        ];
        let mut kinds = (1..=6).map(Kind::Heading).chain(others);
        kinds.find(|kind| kind.name() == name)
    }

    /// The kind that an element gives to its content.
    pub fn of(name: Name) -> Option<Self> {
        Some(match name {
            Name::H1 => Kind::Heading(1),
            Name::H2 => Kind::Heading(2),
            Name::H3 => Kind::Heading(3),
            Name::H4 => Kind::Heading(4),
            Name::H5 => Kind::Heading(5),
            Name::H6 => Kind::Heading(6),
            Name::DD | Name::DT | Name::LI => Kind::List,
            Name::DIR | Name::DL | Name::MENU | Name::OL | Name::UL => Kind::List,
            Name::TABLE | Name::TD | Name::TH => Kind::Table,
            Name::LISTING | Name::PLAINTEXT | Name::PRE | Name::XMP => Kind::Preformatted,
            Name::BLOCKQUOTE => Kind::Quote,
            Name::CAPTION | Name::FIGCAPTION => Kind::Caption,
            _ => return None,
        })
    }
}

/// A paragraph of an [`Extract`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Paragraph<'a> {
    /// The path of its element, such as `body>div.container>p#id`.
    pub path: &'a str,
    /// The kind of the paragraph.
    pub kind: Kind,
    /// The text of the paragraph.
    pub text: &'a str,
    /// The number of Unicode scalar values.
    pub characters: usize,
    /// The number of characters that are in links.
    pub link_characters: usize,
}

/// A document and its paragraphs. They are stored as ranges, because pages have thousands of them.
#[derive(Debug, Clone, Default)]
pub struct Extract {
    /// The text of the document.
    pub document: String,
    pub(super) paths: String,
    pub(super) records: Vec<Record>,
}

#[derive(Debug, Clone)]
pub(super) struct Record {
    text: Range<usize>,
    path: Range<usize>,
    kind: Kind,
    characters: usize,
    link_characters: usize,
}

impl Record {
    /// The paragraph at a range of the document.
    pub fn new(
        document: &str,
        text: Range<usize>,
        path: Range<usize>,
        kind: Kind,
        link_characters: usize,
    ) -> Self {
        let characters = document
            .get(text.clone())
            .map_or(0, |text| text.chars().count());
        Self {
            text,
            path,
            kind,
            characters,
            // Trimmed white space may have been counted as part of a link.
            link_characters: link_characters.min(characters),
        }
    }
}

impl Extract {
    /// The paragraphs in order.
    pub fn paragraphs(&self) -> impl ExactSizeIterator<Item = Paragraph<'_>> {
        self.records.iter().map(|record| Paragraph {
            path: self.paths.get(record.path.clone()).unwrap_or_default(),
            kind: record.kind,
            text: self.document.get(record.text.clone()).unwrap_or_default(),
            characters: record.characters,
            link_characters: record.link_characters,
        })
    }
}
