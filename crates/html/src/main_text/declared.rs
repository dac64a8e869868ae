//! The kinds of page that a page declares in JSON-LD and `og:type`.

use crate::events::{Element, Events};
use corpus_markup::Name;
use memchr::memmem;

/// Maximum number of bytes of JSON-LD that are read. More is ignored.
const MAX_LINKED_DATA_BYTES: usize = 1 << 20;

/// A listener for the declared types of a page and of what it describes.
#[derive(Debug, Default)]
pub struct Declared {
    pub is_article: bool,
    pub is_collection: bool,
    pub is_discussion: bool,
    pub is_documentation: bool,
    /// Whether this is the page of one product, according to `og:type` or a group of variants.
    pub is_product: bool,
    /// The number of products in JSON-LD.
    pub products: u32,
    /// The JSON-LD of an open script.
    script: Option<String>,
    bytes: usize,
}

impl Events for Declared {
    #[inline]
    fn open(&mut self, element: &Element<'_>) {
        match element.name {
            Name::META => self.read_meta(element),
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
    #[cold]
    fn read_meta(&mut self, element: &Element<'_>) {
        let [property, content] = element.attributes(["property", "content"]);
        let (Some(property), Some(content)) = (property, content) else {
            return;
        };
        if !property.trim().eq_ignore_ascii_case("og:type") {
            return;
        }
        let content = content.trim().to_ascii_lowercase();
        // Shops have their own names, such as "ebay-objects:item".
        match content.rsplit(':').next().unwrap_or_default() {
            "article" => self.is_article = true,
            "product" | "product.item" | "item" => self.is_product = true,
            "product.group" => self.is_collection = true,
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

    /// Finds the types in JSON-LD. This is not a JSON parser, because pages contain broken JSON and
    /// nothing else in it is needed.
    fn read_linked_data(&mut self, json: &str) {
        const KEY: &str = "\"@type\"";
        for at in memmem::find_iter(json.as_bytes(), KEY) {
            let rest = json.get(at + KEY.len()..).unwrap_or_default();
            let name = rest
                .trim_start()
                .strip_prefix(':')
                .map(|value| value.trim_start_matches(|c: char| c.is_whitespace() || c == '['))
                .and_then(|value| value.strip_prefix('"'))
                .and_then(|value| value.split('"').next());
            if let Some(name) = name {
                self.add_type(name.rsplit('/').next().unwrap_or(name));
            }
        }
    }

    fn add_type(&mut self, name: &str) {
        match name {
            "Article" | "BlogPosting" | "NewsArticle" | "Report" | "ScholarlyArticle" => {
                self.is_article = true;
            }
            "APIReference" | "TechArticle" => self.is_documentation = true,
            "CollectionPage" | "ItemList" | "OfferCatalog" => self.is_collection = true,
            "DiscussionForumPosting" | "QAPage" => self.is_discussion = true,
            "Product" => self.products = self.products.saturating_add(1),
            "ProductGroup" => self.is_product = true,
            _ => {}
        }
    }
}
