//! Object stores, created when a URL first needs them.
//!
//! Credentials come from the environment variables that the vendors' own tools read
//! (`AWS_…`, `GOOGLE_…`, `AZURE_…`), or from options such as `'aws.region' 'eu-west-1'` of a
//! `CREATE EXTERNAL TABLE`, a table function or a `COPY`, which then hold for that bucket.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;

use datafusion::common::{DataFusionError, Result, plan_datafusion_err, plan_err};
use datafusion::execution::object_store::ObjectStoreRegistry;
use object_store::aws::AmazonS3ConfigKey;
use object_store::azure::AzureConfigKey;
use object_store::gcp::GoogleConfigKey;
use object_store::http::HttpBuilder;
use object_store::local::LocalFileSystem;
use object_store::{ClientConfigKey, ObjectStore, parse_url_opts};
use parking_lot::RwLock;
use url::{Position, Url};

/// The options of a vendor: their prefix in SQL, and the conversion to the keys of `object_store`.
struct OptionFamily {
    prefix: &'static str,
    known: fn(&str) -> Option<String>,
}

const OPTION_FAMILIES: &[OptionFamily] = &[
    OptionFamily {
        prefix: "aws.",
        known: |key| known_key::<AmazonS3ConfigKey>(format!("aws_{key}")),
    },
    OptionFamily {
        prefix: "gcp.",
        known: |key| known_key::<GoogleConfigKey>(format!("google_{key}")),
    },
    OptionFamily {
        prefix: "azure.",
        known: |key| known_key::<AzureConfigKey>(format!("azure_{key}")),
    },
    OptionFamily {
        prefix: "http.",
        known: |key| known_key::<ClientConfigKey>(key.to_owned()),
    },
];

/// The key with its vendor's prefix, or without it for options that all clients share.
fn known_key<K: FromStr>(prefixed: String) -> Option<String> {
    let bare = prefixed.split_once('_').map(|(_, rest)| rest.to_owned());
    [Some(prefixed), bare]
        .into_iter()
        .flatten()
        .find(|key| key.parse::<K>().is_ok())
}

/// The prefixes of environment variables that configure a store.
const ENVIRONMENT_PREFIXES: &[&str] = &["AWS_", "GOOGLE_", "AZURE_"];

/// The options of a store, with the names that `object_store` gives them.
pub type StoreOptions = Vec<(String, String)>;

/// Creates a store for any URL that `object_store` supports, and keeps it by scheme and host.
#[derive(Debug)]
pub struct LazyObjectStores {
    local: Arc<LocalFileSystem>,
    stores: RwLock<HashMap<String, Arc<dyn ObjectStore>>>,
}

impl Default for LazyObjectStores {
    fn default() -> Self {
        Self {
            local: Arc::new(LocalFileSystem::new()),
            stores: RwLock::default(),
        }
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
        let store = make_store(url, Vec::new())?;
        self.register_store(url, Arc::clone(&store));
        Ok(store)
    }
}

/// Creates a store for the bucket or host of `url`. `options` override the environment.
pub fn make_store(url: &Url, options: StoreOptions) -> Result<Arc<dyn ObjectStore>> {
    if matches!(url.scheme(), "http" | "https") {
        return make_http_store(url, options);
    }
    let environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| ENVIRONMENT_PREFIXES.iter().any(|p| name.starts_with(p)))
        .map(|(name, value)| (name.to_ascii_lowercase(), value));
    let (store, _path) = parse_url_opts(url, environment.chain(options)).map_err(|error| {
        DataFusionError::from(error).context(format!(
            "no object store for {url}: supported are file paths, s3://, gs://, az://, abfs://, \
             http:// and https://"
        ))
    })?;
    Ok(store.into())
}

/// Creates a store for plain HTTP. `parse_url_opts` would treat the https URL of a cloud vendor as
/// a bucket of that vendor, but a user who writes https means HTTP.
fn make_http_store(url: &Url, options: StoreOptions) -> Result<Arc<dyn ObjectStore>> {
    let mut builder = HttpBuilder::new().with_url(&url[..Position::BeforePath]);
    // An http:// URL implies that unencrypted access is intended.
    builder = builder.with_config(
        ClientConfigKey::AllowHttp,
        (url.scheme() == "http").to_string(),
    );
    for (name, value) in options {
        builder = builder.with_config(ClientConfigKey::from_str(&name)?, value);
    }
    Ok(Arc::new(builder.build()?))
}

/// Whether an option of a statement belongs to the object store.
pub fn is_store_option(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    OPTION_FAMILIES
        .iter()
        .any(|family| name.starts_with(family.prefix))
}

/// Removes the options that belong to the object store from a statement's options.
pub fn take_store_options(options: &mut HashMap<String, String>) -> Result<StoreOptions> {
    let mut taken = Vec::new();
    for family in OPTION_FAMILIES {
        let names: Vec<String> = options
            .keys()
            .filter(|name| name.to_ascii_lowercase().starts_with(family.prefix))
            .cloned()
            .collect();
        for name in names {
            let key = name[family.prefix.len()..].to_ascii_lowercase();
            let Some(known) = (family.known)(&key) else {
                return plan_err!("unknown object store option '{name}'");
            };
            taken.extend(options.remove(&name).map(|value| (known, value)));
        }
    }
    Ok(taken)
}

/// Recreates the store of `url` with these options. It then serves that bucket or host.
pub fn apply_store_options(
    registry: &dyn ObjectStoreRegistry,
    url: &Url,
    options: StoreOptions,
) -> Result<()> {
    if !options.is_empty() {
        registry.register_store(url, make_store(url, options)?);
    }
    Ok(())
}

fn key(url: &Url) -> String {
    url[..Position::BeforePath].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn an_unknown_scheme_names_the_known_ones() {
        let error = LazyObjectStores::default()
            .get_store(&Url::parse("gopher://x/y").unwrap())
            .unwrap_err();
        assert!(error.to_string().contains("s3://"), "{error}");
    }

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
