//! The styles of a document, each of which may be based on another.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::{StyleRole, compact, is_code};

/// Maximum number of styles in a chain of styles based on each other.
const MAX_BASES: usize = 10;

/// A style of a format.
pub trait Style {
    fn parse(element: &str) -> Self;

    /// The name that users see, given the one that the document refers to.
    fn shown_name<'s>(&'s self, name: &'s str) -> &'s str;

    /// The style that it is based on.
    fn base(&self) -> Option<&str>;

    /// The role of its paragraphs, if its names do not show it.
    fn other_role(&self) -> Option<StyleRole>;

    /// Whether its text is hidden, if it declares that.
    fn is_hidden(&self) -> Option<bool>;
}

/// The styles by the names that the document refers to.
#[derive(Debug)]
pub struct StyleSheet<'x, S> {
    /// The markup of each style, and the style, parsed on first use.
    styles: HashMap<String, (&'x str, OnceCell<S>)>,
    /// Caches of the roles of styles, and of whether they are for code.
    roles: HashMap<String, StyleRole>,
    codes: HashMap<String, bool>,
}

impl<S> Default for StyleSheet<'_, S> {
    fn default() -> Self {
        Self {
            styles: HashMap::new(),
            roles: HashMap::new(),
            codes: HashMap::new(),
        }
    }
}

impl<'x, S: Style> StyleSheet<'x, S> {
    pub fn insert(&mut self, name: String, element: &'x str) {
        self.styles.insert(name, (element, OnceCell::new()));
    }

    fn get(&self, name: &str) -> Option<&S> {
        let (element, style) = self.styles.get(name)?;
        Some(style.get_or_init(|| S::parse(element)))
    }

    /// Returns a style and the styles that it is based on, with their shown names.
    pub fn chain<'s>(&'s self, name: &'s str) -> impl Iterator<Item = (&'s str, &'s S)> {
        let mut next = self.get(name).map(|style| (name, style));
        let chain = std::iter::from_fn(move || {
            let (name, style) = next?;
            next = style.base().and_then(|base| Some((base, self.get(base)?)));
            Some((style.shown_name(name), style))
        });
        chain.take(MAX_BASES)
    }

    /// The role of paragraphs with a style.
    pub fn role(&mut self, name: &str) -> StyleRole {
        if let Some(role) = self.roles.get(name) {
            return *role;
        }
        let of_chain = self
            .chain(name)
            .find_map(|(shown, style)| StyleRole::of_name(shown).or_else(|| style.other_role()));
        let role = of_chain.or_else(|| StyleRole::of_name(name));
        let role = role.unwrap_or_default();
        self.roles.insert(name.to_owned(), role);
        role
    }

    /// Whether characters with a style are code.
    pub fn is_code(&mut self, name: &str) -> bool {
        if let Some(is_code) = self.codes.get(name) {
            return *is_code;
        }
        let is_code_name = |name: &str| is_code(&compact(name));
        let is_code = self.chain(name).any(|(shown, _)| is_code_name(shown)) || is_code_name(name);
        self.codes.insert(name.to_owned(), is_code);
        is_code
    }

    /// Whether the text of a style is hidden, if it or one that it is based on declares that.
    pub fn is_hidden(&self, name: &str) -> Option<bool> {
        self.chain(name).find_map(|(_, style)| style.is_hidden())
    }
}
