//! Stores of the cloud vendors and of web servers.

use std::str::FromStr;
use std::sync::Arc;

use datafusion::common::{DataFusionError, Result};
use object_store::aws::AmazonS3ConfigKey;
use object_store::azure::AzureConfigKey;
use object_store::gcp::GoogleConfigKey;
use object_store::http::HttpBuilder;
use object_store::{ClientConfigKey, ObjectStore, parse_url_opts};
use url::{Position, Url};

use super::listings::CompleteListings;
use super::query_strings::QueryConnector;
use super::{OptionFamily, StoreOptions};

/// Environment variables with these prefixes configure a store.
const ENVIRONMENT_PREFIXES: &[&str] = &["AWS_", "GOOGLE_", "AZURE_"];

/// Returns the name by which `object_store` knows an option.
pub fn known_option(family: OptionFamily, key: &str) -> Option<String> {
    match family {
        OptionFamily::Aws => known_key::<AmazonS3ConfigKey>(format!("aws_{key}")),
        OptionFamily::Gcp => known_key::<GoogleConfigKey>(format!("google_{key}")),
        OptionFamily::Azure => known_key::<AzureConfigKey>(format!("azure_{key}")),
        OptionFamily::Http => known_key::<ClientConfigKey>(key.to_owned()),
    }
}

/// The key with its vendor's prefix, or without it for options that all clients share.
fn known_key<K: FromStr>(prefixed: String) -> Option<String> {
    let bare = prefixed.split_once('_').map(|(_, rest)| rest.to_owned());
    [Some(prefixed), bare]
        .into_iter()
        .flatten()
        .find(|key| key.parse::<K>().is_ok())
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
    Ok(Arc::new(CompleteListings::remote(store)))
}

/// Creates a store for plain HTTP. `parse_url_opts` would treat the https URL of a cloud vendor as
/// a bucket of that vendor, but a user who writes https means HTTP.
fn make_http_store(url: &Url, options: StoreOptions) -> Result<Arc<dyn ObjectStore>> {
    let mut builder = HttpBuilder::new()
        .with_url(&url[..Position::BeforePath])
        .with_http_connector(QueryConnector);
    // An http:// URL implies that unencrypted access is intended.
    builder = builder.with_config(
        ClientConfigKey::AllowHttp,
        (url.scheme() == "http").to_string(),
    );
    for (name, value) in options {
        builder = builder.with_config(ClientConfigKey::from_str(&name)?, value);
    }
    Ok(Arc::new(CompleteListings::remote(builder.build()?)))
}
