//! The kinds of page that a page declares in JSON-LD and meta elements, and its address.

use std::borrow::Cow;

use super::address::Address;
use super::linked_data::{ARTICLES, LinkedData};
use crate::events::{Element, Events};
use crate::json_ld::values;
use corpus_markup::Name;

/// Maximum number of bytes of JSON-LD to parse. The rest is ignored.
const MAX_LINKED_DATA_BYTES: usize = 1 << 20;

/// Maximum number of descriptions, and of bytes of each.
const MAX_DESCRIPTIONS: usize = 2;
const MAX_DESCRIPTION_BYTES: usize = 1024;

/// A listener for the declared types of a page and of what it describes.
#[derive(Debug, Default)]
pub struct Declared {
    /// Whether this is an article according to JSON-LD, ...
    pub is_article_type: bool,
    /// ... and according to `og:type`.
    pub is_article_object: bool,
    pub is_published: bool,
    /// Whether JSON-LD describes the site.
    pub is_site: bool,
    pub is_discussion: bool,
    pub is_documentation: bool,
    /// Whether this is the page of one product, according to `og:type` or a group of variants.
    pub is_product: bool,
    /// The number of products in JSON-LD.
    pub products: u32,
    /// The number of events and jobs in JSON-LD.
    pub announcements: u32,
    /// The descriptions in meta elements.
    pub descriptions: Vec<String>,
    /// The addresses in `link` and `og:url`.
    canonical: Option<String>,
    object_url: Option<String>,
    pub linked_data: LinkedData,
    /// The JSON-LD of an open script.
    script: Option<String>,
    bytes: usize,
}

impl Events for Declared {
    #[inline]
    fn open(&mut self, element: &Element<'_>) {
        match element.name {
            Name::META => self.read_meta(element),
            Name::LINK => self.read_link(element),
            Name::SCRIPT => self.open_script(element),
            _ => {}
        }
    }

    #[inline]
    fn close(&mut self, name: Name) {
        if name == Name::SCRIPT
            && let Some(json) = self.script.take()
        {
            self.read_linked_data(&json);
            self.linked_data.add(json);
        }
    }

    #[inline]
    fn text(&mut self, text: &str) {
        if let Some(script) = &mut self.script
            && self.bytes + text.len() <= MAX_LINKED_DATA_BYTES
        {
            self.bytes += text.len();
            script.push_str(text);
        }
    }

    #[inline]
    fn wants_text(&self) -> bool {
        self.script.is_some()
    }
}

impl Declared {
    /// Whether this is an article by any declaration.
    pub fn is_article(&self) -> bool {
        self.is_article_type || self.is_article_object
    }

    /// The address that the page declares as its own.
    pub fn address(&self) -> Address {
        let mut addresses = self.canonical.iter().chain(&self.object_url);
        let address = addresses.find(|address| !address.trim().is_empty());
        address.map_or_else(Address::default, |address| Address::of(address))
    }

    #[cold]
    fn read_link(&mut self, element: &Element<'_>) {
        let [relation, address] = element.attributes(["rel", "href"]);
        if self.canonical.is_none()
            && relation.is_some_and(|name| name.trim().eq_ignore_ascii_case("canonical"))
        {
            self.canonical = address.map(Cow::into_owned);
        }
    }

    #[cold]
    fn read_meta(&mut self, element: &Element<'_>) {
        let [name, property, content] = element.attributes(["name", "property", "content"]);
        let (Some(property), Some(content)) = (property.or(name), content) else {
            return;
        };
        let property = property.trim();
        if property.eq_ignore_ascii_case("og:type") {
            self.read_object_type(&content);
        } else if property.eq_ignore_ascii_case("og:url") {
            self.object_url.get_or_insert_with(|| content.into_owned());
        } else if property.eq_ignore_ascii_case("article:published_time") {
            self.is_published = true;
        } else if property.eq_ignore_ascii_case("og:description")
            || property.eq_ignore_ascii_case("description")
        {
            self.add_description(&content);
        }
    }

    fn add_description(&mut self, text: &str) {
        let is_wanted = self.descriptions.len() < MAX_DESCRIPTIONS
            && text.len() <= MAX_DESCRIPTION_BYTES
            && !text.trim().is_empty();
        if is_wanted && !self.descriptions.iter().any(|other| other == text) {
            self.descriptions.push(text.to_owned());
        }
    }

    fn read_object_type(&mut self, content: &str) {
        let content = content.trim().to_ascii_lowercase();
        // Shops use namespaces, such as "ebay-objects:item".
        match content.rsplit(':').next().unwrap_or_default() {
            "article" => self.is_article_object = true,
            "product" | "product.item" | "item" => self.is_product = true,
            _ => {}
        }
    }

    #[cold]
    fn open_script(&mut self, element: &Element<'_>) {
        let media_type = element.attribute("type");
        if media_type.is_some_and(|name| name.trim().eq_ignore_ascii_case("application/ld+json")) {
            self.script = Some(String::new());
        }
    }

    fn read_linked_data(&mut self, json: &str) {
        for name in values(json, "\"@type\"") {
            self.add_type(name.rsplit('/').next().unwrap_or(name));
        }
    }

    fn add_type(&mut self, name: &str) {
        match name {
            name if ARTICLES.contains(&name) => self.is_article_type = true,
            "APIReference" | "TechArticle" => self.is_documentation = true,
            "DiscussionForumPosting" | "QAPage" => self.is_discussion = true,
            "Product" => self.products = self.products.saturating_add(1),
            "ProductGroup" => self.is_product = true,
            name if name == "JobPosting" || name.ends_with("Event") => {
                self.announcements = self.announcements.saturating_add(1);
            }
            "WebSite" => self.is_site = true,
            _ => {}
        }
    }
}
