//! The kind of item that microdata declares.

use std::borrow::Cow;

/// The item or property that an element contains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Item {
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

impl Item {
    pub fn of(property: Option<Cow<'_, str>>, item: Option<Cow<'_, str>>) -> Self {
        let mut properties = property
            .iter()
            .flat_map(|names| names.split_ascii_whitespace());
        match properties.find(|name| matches!(*name, "author" | "articleBody" | "text")) {
            Some("author") => return Item::Author,
            Some(_) if item.is_none() => return Item::Text,
            _ => {}
        }
        let mut types = item.iter().flat_map(|types| types.split_ascii_whitespace());
        types.find_map(Item::of_type).unwrap_or_default()
    }

    fn of_type(name: &str) -> Option<Self> {
        match name.rsplit(['/', '#']).next()? {
            "Answer" | "Comment" | "DiscussionForumPosting" | "Question" => Some(Item::Post),
            "Person" => Some(Item::Author),
            "Product" | "ProductGroup" => Some(Item::Product),
            _ => None,
        }
    }
}
