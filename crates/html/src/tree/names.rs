//! Sets of HTML tag names that the limits of the tree depend on.

use html5ever::{LocalName, local_name};

/// The effect of a start tag on the stack of open elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementRole {
    /// Never has content: void elements, and elements that every page has once.
    Flat,
    /// Contains text for which the tokenizer changes its state.
    Raw,
    /// Stored, and reopened in later blocks.
    Formatting,
    /// Other inline elements, including unknown ones.
    Inline,
    /// Starts a separate list of formatting elements, and may be left unclosed.
    Object,
    /// Separates the text before from the text after.
    Block,
}

pub fn role(name: &LocalName) -> ElementRole {
    match *name {
        local_name!("area")
        | local_name!("base")
        | local_name!("basefont")
        | local_name!("bgsound")
        | local_name!("body")
        | local_name!("br")
        | local_name!("col")
        | local_name!("embed")
        | local_name!("frame")
        | local_name!("head")
        | local_name!("hr")
        | local_name!("html")
        | local_name!("image")
        | local_name!("img")
        | local_name!("input")
        | local_name!("keygen")
        | local_name!("link")
        | local_name!("meta")
        | local_name!("param")
        | local_name!("source")
        | local_name!("track")
        | local_name!("wbr") => ElementRole::Flat,

        local_name!("iframe")
        | local_name!("noembed")
        | local_name!("noframes")
        | local_name!("plaintext")
        | local_name!("script")
        | local_name!("style")
        | local_name!("textarea")
        | local_name!("title")
        | local_name!("xmp") => ElementRole::Raw,

        local_name!("a")
        | local_name!("b")
        | local_name!("big")
        | local_name!("code")
        | local_name!("em")
        | local_name!("font")
        | local_name!("i")
        | local_name!("nobr")
        | local_name!("s")
        | local_name!("small")
        | local_name!("strike")
        | local_name!("strong")
        | local_name!("tt")
        | local_name!("u") => ElementRole::Formatting,

        local_name!("applet") | local_name!("marquee") | local_name!("object") => {
            ElementRole::Object
        }

        local_name!("address")
        | local_name!("article")
        | local_name!("aside")
        | local_name!("blockquote")
        | local_name!("caption")
        | local_name!("center")
        | local_name!("colgroup")
        | local_name!("dd")
        | local_name!("details")
        | local_name!("dialog")
        | local_name!("dir")
        | local_name!("div")
        | local_name!("dl")
        | local_name!("dt")
        | local_name!("fieldset")
        | local_name!("figcaption")
        | local_name!("figure")
        | local_name!("footer")
        | local_name!("form")
        | local_name!("frameset")
        | local_name!("h1")
        | local_name!("h2")
        | local_name!("h3")
        | local_name!("h4")
        | local_name!("h5")
        | local_name!("h6")
        | local_name!("header")
        | local_name!("hgroup")
        | local_name!("legend")
        | local_name!("li")
        | local_name!("listing")
        | local_name!("main")
        | local_name!("menu")
        | local_name!("nav")
        | local_name!("ol")
        | local_name!("optgroup")
        | local_name!("option")
        | local_name!("p")
        | local_name!("pre")
        | local_name!("search")
        | local_name!("section")
        | local_name!("select")
        | local_name!("summary")
        | local_name!("table")
        | local_name!("tbody")
        | local_name!("td")
        | local_name!("template")
        | local_name!("tfoot")
        | local_name!("th")
        | local_name!("thead")
        | local_name!("tr")
        | local_name!("ul") => ElementRole::Block,

        _ => ElementRole::Inline,
    }
}

/// All names with the role `ElementRole::Formatting`.
pub fn formatting_names() -> [LocalName; 14] {
    [
        local_name!("a"),
        local_name!("b"),
        local_name!("big"),
        local_name!("code"),
        local_name!("em"),
        local_name!("font"),
        local_name!("i"),
        local_name!("nobr"),
        local_name!("s"),
        local_name!("small"),
        local_name!("strike"),
        local_name!("strong"),
        local_name!("tt"),
        local_name!("u"),
    ]
}

/// Whether elements with this name have no end tag, so that their children are not serialized.
pub fn is_void(name: &LocalName) -> bool {
    role(name) == ElementRole::Flat
        && !matches!(
            *name,
            local_name!("body") | local_name!("head") | local_name!("html") | local_name!("image")
        )
}

/// Whether the text of these elements is serialized unchanged, without references.
pub fn is_verbatim(name: &LocalName, scripting: bool) -> bool {
    match *name {
        local_name!("noscript") => scripting,
        local_name!("title") | local_name!("textarea") => false,
        _ => role(name) == ElementRole::Raw,
    }
}
