//! Object stores, created when a URL first needs them.
//!
//! Credentials come from the environment variables of the vendors' own tools (`AWS_…`, `GOOGLE_…`,
//! `AZURE_…`), or from options such as `'aws.region' 'eu-west-1'`. The options of a
//! `CREATE EXTERNAL TABLE`, a table function or a `COPY` then hold for that bucket.
//!
//! ```text
//! local            local files
//! cloud            stores of the cloud vendors, and web servers
//! client           the HTTP client of all stores
//! retries          repeats requests
//! watched_body     responses that must make progress and be complete
//! request_info     the file and the range that a request asks for
//! download         downloads small files as a whole
//! one_version      readers never mix two versions of a file
//! version          the version of a file
//! escaped_names    names of local files that paths cannot have
//! query_strings    URLs with a query
//! credentials      detects rejected credentials
//! failure          errors of requests, with reasons
//! readable_errors  errors without XML, JSON or HTML
//! ```

#[cfg(feature = "cloud")]
mod client;
#[cfg(feature = "cloud")]
mod cloud;
#[cfg(not(feature = "cloud"))]
#[path = "no_cloud.rs"]
mod cloud;
pub mod credentials;
#[cfg(all(feature = "cloud", feature = "ui"))]
mod download;
pub mod escaped_names;
#[cfg(feature = "cloud")]
mod failure;
pub mod local;
#[cfg(feature = "cloud")]
mod one_version;
#[cfg(feature = "cloud")]
mod query_strings;
pub mod readable_errors;
#[cfg(feature = "cloud")]
mod request_info;
#[cfg(feature = "cloud")]
mod retries;
pub mod version;
#[cfg(feature = "cloud")]
mod watched_body;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::{Result, plan_datafusion_err, plan_err};
use datafusion::execution::object_store::ObjectStoreRegistry;
use object_store::ObjectStore;
use parking_lot::RwLock;
use url::{Position, Url};

use self::cloud::{known_option, make_store};
#[cfg(all(feature = "cloud", feature = "ui"))]
pub use self::download::download;
use self::local::LocalFiles;

/// Separates the query of a URL from the file name that is repeated after it, for readers that
/// choose by the extension. A query cannot contain this character.
pub const NAME_AFTER_QUERY: char = '#';

/// The start of the query in the path of an encoded URL.
const ENCODED_QUERY: &str = "/%3F";

/// Options of one vendor.
#[derive(Debug, Clone, Copy)]
enum OptionFamily {
    Aws,
    Gcp,
    Azure,
    Http,
}

/// The prefix of a vendor's options in SQL.
const OPTION_FAMILIES: &[(&str, OptionFamily)] = &[
    ("aws.", OptionFamily::Aws),
    ("gcp.", OptionFamily::Gcp),
    ("azure.", OptionFamily::Azure),
    ("http.", OptionFamily::Http),
];

/// The options of a store, by their names in `object_store`.
pub type StoreOptions = Vec<(String, String)>;

/// Creates a store for any URL that `object_store` supports, and keeps it by scheme and host.
#[derive(Debug, Default)]
pub struct LazyObjectStores {
    local: Arc<LocalFiles>,
    stores: RwLock<HashMap<String, Arc<dyn ObjectStore>>>,
    /// The options of the stores that have some.
    options: RwLock<BTreeMap<String, StoreOptions>>,
}

impl LazyObjectStores {
    /// The options of all stores, for another process.
    pub fn options_as_text(&self) -> String {
        // Maps and lists of texts can always be encoded.
        serde_json::to_string(&*self.options.read()).unwrap_or_default()
    }

    /// Returns stores with the options of another process.
    pub fn with_options(text: &str) -> Result<Self> {
        let stores = Self::default();
        if !text.is_empty() {
            *stores.options.write() = serde_json::from_str(text)
                .map_err(|error| plan_datafusion_err!("damaged options of stores: {error}"))?;
        }
        Ok(stores)
    }
}

impl ObjectStoreRegistry for LazyObjectStores {
    fn register_store(
        &self,
        url: &Url,
        store: Arc<dyn ObjectStore>,
    ) -> Option<Arc<dyn ObjectStore>> {
        self.stores.write().insert(key(url), store)
    }

    fn deregister_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        self.stores
            .write()
            .remove(&key(url))
            .ok_or_else(|| plan_datafusion_err!("no object store is registered for {url}"))
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        if let Some(store) = self.stores.read().get(&key(url)) {
            return Ok(Arc::clone(store));
        }
        if url.scheme() == "file" {
            return Ok(Arc::clone(&self.local) as _);
        }
        let options = self.options.read().get(&key(url)).cloned();
        let store = make_store(url, options.unwrap_or_default())?;
        self.register_store(url, Arc::clone(&store));
        Ok(store)
    }
}

/// Whether an option of a statement belongs to the object store.
pub fn is_store_option(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    OPTION_FAMILIES
        .iter()
        .any(|(prefix, _)| name.starts_with(prefix))
}

/// Removes the options that belong to the object store from a statement's options.
pub fn take_store_options(options: &mut HashMap<String, String>) -> Result<StoreOptions> {
    let mut taken = Vec::new();
    for (prefix, family) in OPTION_FAMILIES {
        let names: Vec<String> = options
            .keys()
            .filter(|name| name.to_ascii_lowercase().starts_with(prefix))
            .cloned()
            .collect();
        for name in names {
            let key = name[prefix.len()..].to_ascii_lowercase();
            let Some(known) = known_option(*family, &key) else {
                return plan_err!("unknown object store option '{name}'");
            };
            taken.extend(options.remove(&name).map(|value| (known, value)));
        }
    }
    Ok(taken)
}

/// Recreates the store of `url` with these options. It then serves that bucket or host.
pub fn apply_store_options(session: &dyn Session, url: &Url, options: StoreOptions) -> Result<()> {
    if options.is_empty() {
        return Ok(());
    }
    let store = make_store(url, options.clone())?;
    let registry = &session.runtime_env().object_store_registry;
    registry.register_store(url, store);
    if let Some(stores) = session.config().get_extension::<LazyObjectStores>() {
        stores.options.write().insert(key(url), options);
    }
    Ok(())
}

fn key(url: &Url) -> String {
    url[..Position::BeforePath].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "cloud")]
    #[test]
    fn stores_are_made_once_per_bucket() {
        let stores = LazyObjectStores::default();
        let url = |text: &str| Url::parse(text).unwrap();
        let first = stores.get_store(&url("http://localhost:1/a")).unwrap();
        let again = stores.get_store(&url("http://localhost:1/b")).unwrap();
        let other = stores.get_store(&url("http://localhost:2/a")).unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        assert!(!Arc::ptr_eq(&first, &other));
    }

    #[cfg(feature = "cloud")]
    #[test]
    fn an_unknown_scheme_names_the_known_ones() {
        let error = LazyObjectStores::default()
            .get_store(&Url::parse("gopher://x/y").unwrap())
            .unwrap_err();
        assert!(error.to_string().contains("s3://"), "{error}");
    }

    #[cfg(not(feature = "cloud"))]
    #[test]
    fn a_build_without_stores_names_the_feature() {
        let url = Url::parse("s3://bucket/a").unwrap();
        let error = LazyObjectStores::default().get_store(&url).unwrap_err();
        assert!(error.to_string().contains("--features cloud"), "{error}");
    }

    #[cfg(feature = "cloud")]
    #[test]
    fn store_options_are_separated_from_others() {
        let mut options = HashMap::from([
            ("aws.region".to_owned(), "x".to_owned()),
            ("format.unpack".to_owned(), "false".to_owned()),
        ]);
        assert_eq!(
            take_store_options(&mut options).unwrap(),
            [("aws_region".to_owned(), "x".to_owned())]
        );
        assert_eq!(options.len(), 1);

        let mut options = HashMap::from([("aws.regoin".to_owned(), "x".to_owned())]);
        let error = take_store_options(&mut options).unwrap_err();
        assert!(error.to_string().contains("aws.regoin"), "{error}");
    }
}
