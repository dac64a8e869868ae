//! What each element does to the text around it, in the default mode.

use corpus_markup::Name;

/// What an element does to the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Inline,
    /// No content, and no effect.
    Void,
    /// Text before, in and after it are different paragraphs; but the only block in a cell or in a
    /// list item does not part it from its neighbours.
    Block,
    /// A block that parts, wherever it stands.
    Apart,
    Heading,
    Preformatted,
    /// A thematic break: empty, and parts.
    Rule,
    List,
    /// An item of a list, a term or its description.
    Item,
    /// A row of a table, or a group of rows.
    Row,
    Cell,
    LineBreak,
    /// Its content is not shown.
    Hidden,
    /// Its content is not text of the document, but it stands between the words around it.
    Control,
    /// The same without content.
    VoidControl,
    /// A control, unless it makes a heading clickable.
    Button,
    /// Hidden unless it says that it is open.
    Dialog,
}

impl Effect {
    #[inline]
    pub fn of(name: Name) -> Self {
        match name {
            Name::ADDRESS
            | Name::ARTICLE
            | Name::ASIDE
            | Name::BLOCKQUOTE
            | Name::BODY
            | Name::CENTER
            | Name::DETAILS
            | Name::DIV
            | Name::FIELDSET
            | Name::FIGCAPTION
            | Name::FIGURE
            | Name::FOOTER
            | Name::FORM
            | Name::FRAMESET
            | Name::HEADER
            | Name::HGROUP
            | Name::HTML
            | Name::LEGEND
            | Name::MAIN
            | Name::MARQUEE
            | Name::NAV
            | Name::P
            | Name::SEARCH
            | Name::SECTION
            | Name::SUMMARY => Effect::Block,
            Name::CAPTION | Name::TABLE => Effect::Apart,
            Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 => Effect::Heading,
            Name::LISTING | Name::PLAINTEXT | Name::PRE | Name::XMP => Effect::Preformatted,
            Name::HR => Effect::Rule,
            Name::DIR | Name::DL | Name::MENU | Name::OL | Name::UL => Effect::List,
            Name::DD | Name::DT | Name::LI => Effect::Item,
            Name::TBODY | Name::TFOOT | Name::THEAD | Name::TR => Effect::Row,
            Name::TD | Name::TH => Effect::Cell,
            Name::BR => Effect::LineBreak,
            // Drawings: their labels are in no order of reading, and mostly name icons.
            Name::SVG
            // Sources of formulas, which repeat what is shown.
            | Name::ANNOTATION
            | Name::ANNOTATION_XML
            // Readings over and beside a text would be read twice.
            | Name::RP
            | Name::RT
            | Name::RTC
            | Name::DATALIST
            | Name::HEAD
            | Name::NOEMBED
            | Name::NOFRAMES
            | Name::NOSCRIPT
            | Name::OPTGROUP
            | Name::OPTION
            | Name::SCRIPT
            | Name::STYLE
            | Name::TEMPLATE
            | Name::TITLE => Effect::Hidden,
            // What they hold are values to choose from, or words for old browsers.
            Name::AUDIO
            | Name::CANVAS
            | Name::IFRAME
            | Name::METER
            | Name::PROGRESS
            | Name::SELECT
            | Name::TEXTAREA
            | Name::VIDEO => Effect::Control,
            Name::EMBED | Name::INPUT | Name::KEYGEN => Effect::VoidControl,
            Name::BUTTON => Effect::Button,
            Name::DIALOG => Effect::Dialog,
            Name::AREA
            | Name::BASE
            | Name::BASEFONT
            | Name::BGSOUND
            | Name::COL
            | Name::FRAME
            | Name::IMG
            | Name::LINK
            | Name::META
            | Name::PARAM
            | Name::SOURCE
            | Name::TRACK
            | Name::WBR => Effect::Void,
            _ => Effect::Inline,
        }
    }

    /// Whether elements of this kind hold paragraphs, so that a paragraph's path ends with one.
    pub fn is_block(self) -> bool {
        !matches!(self, Effect::Inline | Effect::Button)
    }

    /// Whether elements of this kind never have content.
    pub fn is_void(self) -> bool {
        matches!(
            self,
            Effect::Void | Effect::VoidControl | Effect::LineBreak | Effect::Rule
        )
    }
}
