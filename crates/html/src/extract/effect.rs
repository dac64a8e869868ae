//! The effect of each element on the text around it, in the default mode.

use corpus_markup::{KNOWN, Name};

/// The effect of an element on the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Inline,
    /// The whole page. Its language is recorded.
    Root,
    /// Not hidden itself: its children are, except noscript.
    Head,
    /// An inline element with a text or a picture as its content.
    Link,
    Superscript,
    Subscript,
    /// Text that was deleted or is no longer valid.
    Deleted,
    Quotation,
    /// An inline element that starts a word, because it names a control.
    Label,
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
    RowGroup,
    Table,
    Cell,
    LineBreak,
    /// A picture, whose alternative text may be part of the text.
    Picture,
    /// Its content is not shown.
    Hidden,
    /// Its content is not shown, unless it is a formula or the page has hardly any other text.
    Replaced,
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
    #[inline(always)]
    pub fn of(name: Name) -> Self {
        TABLE.get(name.index()).copied().unwrap_or(Effect::Inline)
    }

    const fn by_name(name: Name) -> Self {
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
            | Name::LEGEND
            | Name::MAIN
            | Name::MARQUEE
            | Name::NAV
            | Name::P
            | Name::SEARCH
            | Name::SECTION
            | Name::SUMMARY => Effect::Block,
            Name::HTML => Effect::Root,
            Name::HEAD => Effect::Head,
            Name::A => Effect::Link,
            Name::SUP => Effect::Superscript,
            Name::SUB => Effect::Subscript,
            Name::DEL | Name::S | Name::STRIKE => Effect::Deleted,
            Name::Q => Effect::Quotation,
            Name::LABEL => Effect::Label,
            Name::CAPTION => Effect::AlwaysBlock,
            Name::TABLE => Effect::Table,
            Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 => Effect::Heading,
            Name::LISTING | Name::PLAINTEXT | Name::PRE | Name::XMP => Effect::Preformatted,
            Name::HR => Effect::Rule,
            Name::DIR | Name::DL | Name::MENU | Name::OL | Name::UL => Effect::List,
            Name::DD | Name::DT | Name::LI => Effect::Item,
            Name::TR => Effect::Row,
            Name::TBODY | Name::TFOOT | Name::THEAD => Effect::RowGroup,
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
            | Name::NOEMBED
            | Name::OPTGROUP
            | Name::OPTION
            | Name::STYLE
            | Name::TITLE => Effect::Hidden,
            Name::MATH | Name::NOFRAMES | Name::NOSCRIPT | Name::SCRIPT | Name::TEMPLATE => {
                Effect::Replaced
            }
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
            Name::IMG => Effect::Picture,
            Name::BUTTON => Effect::Button,
            Name::DIALOG => Effect::Dialog,
            Name::AREA
            | Name::BASE
            | Name::BASEFONT
            | Name::BGSOUND
            | Name::COL
            | Name::FRAME
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
        !matches!(
            self,
            Effect::Inline
                | Effect::Button
                | Effect::Link
                | Effect::Superscript
                | Effect::Subscript
                | Effect::Deleted
                | Effect::Quotation
                | Effect::Label
        )
    }

    /// Whether elements with this effect never contain text.
    pub fn is_void(self) -> bool {
        matches!(
            self,
            Effect::Void
                | Effect::Head
                | Effect::VoidControl
                | Effect::LineBreak
                | Effect::Rule
                | Effect::Picture
        )
    }
}

/// The effects of the known names.
static TABLE: [Effect; KNOWN] = {
    let mut table = [Effect::Inline; KNOWN];
    let mut index = 0;
    while index < KNOWN {
        table[index] = Effect::by_name(Name::with_index(index as u8));
        index += 1;
    }
    table
};
