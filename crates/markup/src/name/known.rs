//! The names that have a constant, and the hash table that finds them.

use super::{Name, pack};

/// The number of indexes of names. Index 0 is shared by all names without a constant.
pub const KNOWN: usize = 256;

macro_rules! known {
    ($($constant:ident = $text:literal),* $(,)?) => {
        /// The numbers of the known names, starting with 1.
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u8)]
        enum Number { None = 0, $($constant),* }

        /// Known names.
        impl Name {
            $(pub const $constant: Self = Self::known(Number::$constant as u8);)*
        }

        const TEXTS: &[&str] = &["", $($text),*];

        // Names with the same number would compare equal.
        const _: () = assert!(TEXTS.len() < KNOWN - 1 && Number::None as u8 == 0);
    };
}

known! {
    A = "a", ABBR = "abbr", ACRONYM = "acronym", ADDRESS = "address", ANNOTATION = "annotation",
    ANNOTATION_XML = "annotation-xml", APPLET = "applet", AREA = "area", ARTICLE = "article",
    ASIDE = "aside", AUDIO = "audio", B = "b", BASE = "base", BASEFONT = "basefont", BDI = "bdi",
    BDO = "bdo", BGSOUND = "bgsound", BIG = "big", BLINK = "blink", BLOCKQUOTE = "blockquote",
    BODY = "body", BR = "br", BUTTON = "button", CANVAS = "canvas", CAPTION = "caption",
    CENTER = "center", CITE = "cite", CODE = "code", COL = "col", COLGROUP = "colgroup",
    DATA = "data", DATALIST = "datalist", DD = "dd", DEL = "del", DESC = "desc",
    DETAILS = "details", DFN = "dfn", DIALOG = "dialog", DIR = "dir", DIV = "div", DL = "dl",
    DT = "dt", EM = "em", EMBED = "embed", FIELDSET = "fieldset", FIGCAPTION = "figcaption",
    FIGURE = "figure", FONT = "font", FOOTER = "footer", FOREIGNOBJECT = "foreignobject",
    FORM = "form", FRAME = "frame", FRAMESET = "frameset", G = "g", H1 = "h1", H2 = "h2",
    H3 = "h3", H4 = "h4", H5 = "h5", H6 = "h6", HEAD = "head", HEADER = "header",
    HGROUP = "hgroup", HR = "hr", HTML = "html", I = "i", IFRAME = "iframe", IMAGE = "image",
    IMG = "img", INPUT = "input", INS = "ins", ISINDEX = "isindex", KBD = "kbd",
    KEYGEN = "keygen", LABEL = "label", LEGEND = "legend", LI = "li", LINK = "link",
    LISTING = "listing", MAIN = "main", MALIGNMARK = "malignmark", MAP = "map", MARK = "mark",
    MARQUEE = "marquee", MATH = "math", MENU = "menu", MENUITEM = "menuitem", META = "meta",
    METER = "meter", MGLYPH = "mglyph", MI = "mi", MN = "mn", MO = "mo", MS = "ms",
    MTEXT = "mtext", NAV = "nav", NOBR = "nobr", NOEMBED = "noembed", NOFRAMES = "noframes",
    NOSCRIPT = "noscript", OBJECT = "object", OL = "ol", OPTGROUP = "optgroup",
    OPTION = "option", OUTPUT = "output", P = "p", PARAM = "param", PATH = "path",
    PICTURE = "picture", PLAINTEXT = "plaintext", PRE = "pre", PROGRESS = "progress", Q = "q",
    RB = "rb", RP = "rp", RT = "rt", RTC = "rtc", RUBY = "ruby", S = "s", SAMP = "samp",
    SCRIPT = "script", SEARCH = "search", SECTION = "section", SELECT = "select",
    SELECTEDCONTENT = "selectedcontent", SLOT = "slot", SMALL = "small", SOURCE = "source",
    SPAN = "span", STRIKE = "strike", STRONG = "strong", STYLE = "style", SUB = "sub",
    SUMMARY = "summary", SUP = "sup", SVG = "svg", TABLE = "table", TBODY = "tbody", TD = "td",
    TEMPLATE = "template", TEXT = "text", TEXTAREA = "textarea", TFOOT = "tfoot", TH = "th",
    THEAD = "thead", TIME = "time", TITLE = "title", TR = "tr", TRACK = "track", TSPAN = "tspan",
    TT = "tt", U = "u", UL = "ul", USE = "use", VAR = "var", VIDEO = "video", WBR = "wbr",
    XMP = "xmp",
}

/// The text of a known name.
pub(super) fn text(number: u8) -> &'static str {
    TEXTS.get(usize::from(number)).copied().unwrap_or("")
}

const SLOTS: usize = 1024;

/// Packed names and their numbers, each in the first free slot from the slot of its hash.
static TABLE: [(u128, u8); SLOTS] = {
    let mut table = [(0, 0); SLOTS];
    let mut number = 1;
    while number < TEXTS.len() {
        let bytes = TEXTS[number].as_bytes();
        let mut packed = 0;
        let mut at = 0;
        while at < bytes.len() {
            packed = pack(packed, bytes[at]);
            at += 1;
        }
        let mut slot = slot_of(packed);
        while table[slot].1 != 0 {
            assert!(table[slot].0 != packed, "a name is listed twice");
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = (packed, number as u8);
        number += 1;
    }
    table
};

/// The number of a packed name; 0 if it has none.
#[inline]
pub(super) fn number_of(packed: u128) -> u8 {
    let mut slot = slot_of(packed);
    // The table is never full, so an empty slot ends the search.
    while let Some((name, number)) = TABLE.get(slot) {
        if *name == packed || *number == 0 {
            return *number;
        }
        slot = (slot + 1) % SLOTS;
    }
    0
}

const fn slot_of(packed: u128) -> usize {
    let folded = (packed as u64) ^ ((packed >> 64) as u64).rotate_left(7);
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54) as usize % SLOTS
}
