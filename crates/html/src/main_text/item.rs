//! The kind of item that microdata declares.

use std::borrow::Cow;

/// The item or property that an element contains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Microdata {
    /// A post of a discussion: a question, an answer or a comment.
    Post,
    /// The text of something.
    Text,
    /// The author of something, or another person.
    Author,
    /// Something for sale.
    Product,
    #[default]
    Other,
}

impl Microdata {
    pub fn of(property: Option<Cow<'_, str>>, item: Option<Cow<'_, str>>) -> Self {
        let mut properties = property
            .iter()
            .flat_map(|names| names.split_ascii_whitespace());
        match properties.find(|name| matches!(*name, "author" | "articleBody" | "text")) {
            Some("author") => return Microdata::Author,
            Some(_) if item.is_none() => return Microdata::Text,
            _ => {}
        }
        let mut types = item.iter().flat_map(|types| types.split_ascii_whitespace());
        types.find_map(Microdata::of_type).unwrap_or_default()
    }

    fn of_type(name: &str) -> Option<Self> {
        match name.rsplit(['/', '#']).next()? {
            "Answer" | "Comment" | "DiscussionForumPosting" | "Question" => Some(Microdata::Post),
            "Person" => Some(Microdata::Author),
            "Product" | "ProductGroup" => Some(Microdata::Product),
            _ => None,
        }
    }
}
