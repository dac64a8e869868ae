//! The address that a page declares as its own.

/// Words in the addresses of pages of a kind. Each is a whole path segment or a hyphenated part of
/// one.
const DOCUMENTATION: &[&str] = &[
    "api",
    "developer",
    "developers",
    "doc",
    "docs",
    "documentation",
    "guide",
    "guides",
    "learn",
    "manual",
    "reference",
    "wiki",
];
const DISCUSSIONS: &[&str] = &[
    "community",
    "discuss",
    "discussion",
    "discussions",
    "forum",
    "forums",
    "questions",
    "t",
    "thread",
    "threads",
    "topic",
    "topics",
];
const PRODUCTS: &[&str] = &["dp", "item", "itm", "p", "product", "products"];
const SHOPS: &[&str] = &[
    "c",
    "categories",
    "category",
    "collection",
    "collections",
    "shop",
    "store",
];
const SERVICES: &[&str] = &["service", "services", "solutions"];
const NEWS: &[&str] = &["article", "articles", "blog", "blogs", "news", "story"];

/// Minimum number of hyphens in the name of a page that is a title.
const MIN_LONG_NAME_HYPHENS: usize = 5;
/// The first page of a site may have a path of its language.
const MAX_LANGUAGE_BYTES: usize = 3;
/// Minimum number of path segments of a page deep in a site.
const MIN_DEEP_SEGMENTS: usize = 3;
/// Longer addresses are truncated.
const MAX_BYTES: usize = 2048;

/// Evidence about a page from its address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Address {
    /// Whether this is the first page of a site.
    pub is_home: bool,
    pub is_deep: bool,
    /// Whether the name of the page has many words, as titles do.
    pub has_long_name: bool,
    pub is_documentation: bool,
    pub is_discussion: bool,
    pub is_product: bool,
    pub is_shop: bool,
    pub is_service: bool,
    pub is_news: bool,
}

impl Address {
    /// Reads an address, which may be relative.
    pub fn of(address: &str) -> Self {
        let address = address.trim();
        let address = address
            .get(..address.floor_char_boundary(MAX_BYTES))
            .unwrap_or_default();
        let (host, path) = match address.split_once("//") {
            Some((_, rest)) => rest.split_once('/').unwrap_or((rest, "")),
            None => ("", address),
        };
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        let (last, folders) = names.split_last().unwrap_or((&"", &[]));
        let subdomain = host.split('.').next().unwrap_or_default();
        let words = folders.iter().copied().chain([subdomain]);
        let words: Vec<String> = words
            .flat_map(|name| name.split(|c: char| !c.is_ascii_alphabetic()))
            .map(str::to_ascii_lowercase)
            .collect();
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        Self {
            is_home: folders.is_empty() && last.len() <= MAX_LANGUAGE_BYTES,
            is_deep: names.len() >= MIN_DEEP_SEGMENTS,
            has_long_name: last.matches(['-', '_']).count() >= MIN_LONG_NAME_HYPHENS,
            is_documentation: has(DOCUMENTATION),
            is_discussion: has(DISCUSSIONS),
            is_product: has(PRODUCTS),
            is_shop: has(SHOPS),
            is_service: has(SERVICES),
            is_news: has(NEWS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_and_the_first_name_of_the_host_count() {
        let home = Address::of("https://boots.example/");
        assert!(home.is_home && !home.is_deep && !home.is_shop);
        assert!(Address::of("https://boots.example/en?q=/docs/x").is_home);
        assert!(Address::of("https://docs.boots.example/laces").is_documentation);
        let post = Address::of("/blog/2024/how_to-tie-your-boots-in-winter#docs/");
        assert!(post.is_news && post.is_deep && post.has_long_name && !post.is_home);
        assert!(!post.is_documentation);
        // The name of the page itself is a title.
        assert!(!Address::of("https://boots.example/a/forum").is_discussion);
        assert!(Address::of("https://boots.example/Forum/a").is_discussion);
        assert!(Address::of("//boots.example/shop-all/boots").is_shop);
        assert!(Address::of("é").is_home);
        assert!(Address::of(&"/docs/é".repeat(2000)).is_documentation);
    }
}
