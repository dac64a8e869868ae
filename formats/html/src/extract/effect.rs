//! The effect of each element on the text around it, in the default mode.

use corpus_markup::Name;

/// The effect of an element on the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Inline,
    /// Has no content and no effect.
    Void,
    /// Separates the text before, inside and after it into paragraphs. A block that is alone in a
    /// cell or list item does not separate it from its neighbors.
    Block,
    /// A block that always separates.
    AlwaysBlock,
    Heading,
    Preformatted,
    /// A thematic break: has no content and separates.
    Rule,
    List,
    /// An item, term or description of a list.
    Item,
    /// A row of a table, or a group of rows.
    Row,
    Cell,
    LineBreak,
    /// Its content is not shown.
    Hidden,
    /// Its content is not part of the text, but separates the words around it.
    Control,
    /// A control without content.
    VoidControl,
    /// A control, unless it is in a heading and makes it clickable.
    Button,
    /// Hidden unless it has the attribute `open`.
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
            Name::CAPTION | Name::TABLE => Effect::AlwaysBlock,
            Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 => Effect::Heading,
            Name::LISTING | Name::PLAINTEXT | Name::PRE | Name::XMP => Effect::Preformatted,
            Name::HR => Effect::Rule,
            Name::DIR | Name::DL | Name::MENU | Name::OL | Name::UL => Effect::List,
            Name::DD | Name::DT | Name::LI => Effect::Item,
            Name::TBODY | Name::TFOOT | Name::THEAD | Name::TR => Effect::Row,
            Name::TD | Name::TH => Effect::Cell,
            Name::BR => Effect::LineBreak,
            // Labels of drawings have no reading order and mostly name icons.
            Name::SVG
            // Sources of formulas repeat the formula.
            | Name::ANNOTATION
            | Name::ANNOTATION_XML
            // Ruby readings would repeat the text.
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
            // Contain values to choose from, or text for old browsers.
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

    /// Whether elements with this effect contain paragraphs, so that the path of a paragraph may
    /// end with one.
    pub fn is_block(self) -> bool {
        !matches!(self, Effect::Inline | Effect::Button)
    }

    /// Whether elements with this effect never have content.
    pub fn is_void(self) -> bool {
        matches!(
            self,
            Effect::Void | Effect::VoidControl | Effect::LineBreak | Effect::Rule
        )
    }
}
