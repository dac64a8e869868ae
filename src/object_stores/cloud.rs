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
    let options = with_plain_http(environment.chain(options).collect());
    let (store, _path) = parse_url_opts(url, options).map_err(|error| {
        DataFusionError::from(error).context(format!(
            "no object store for {url}: supported are file paths, s3://, gs://, az://, abfs://, \
             http:// and https://"
        ))
    })?;
    Ok(Arc::new(CompleteListings::remote(store)))
}

/// Allows unencrypted requests if the endpoint of a store is an http:// URL and no option forbids
/// them, because nobody writes such a URL by accident.
fn with_plain_http(mut options: StoreOptions) -> StoreOptions {
    let of_s3 = value_of(&options, &AmazonS3ConfigKey::S3Endpoint);
    let of_aws = of_s3.or_else(|| value_of(&options, &AmazonS3ConfigKey::Endpoint));
    let of_azure = value_of(&options, &AzureConfigKey::Endpoint);
    let aws = AmazonS3ConfigKey::Client(ClientConfigKey::AllowHttp);
    let azure = AzureConfigKey::Client(ClientConfigKey::AllowHttp);
    let is_http = |endpoint: Option<&str>| endpoint.is_some_and(|url| url.starts_with("http://"));
    let mut allowed = Vec::new();
    if is_http(of_aws) && value_of(&options, &aws).is_none() {
        allowed.push("aws_allow_http");
    }
    if is_http(of_azure) && value_of(&options, &azure).is_none() {
        allowed.push("azure_allow_http");
    }
    let allowed = allowed.into_iter();
    options.extend(allowed.map(|name| (name.to_owned(), "true".to_owned())));
    options
}

/// Returns the last value of an option under any of its names.
fn value_of<'a, K: FromStr + PartialEq>(options: &'a StoreOptions, key: &K) -> Option<&'a str> {
    let mut options = options.iter().rev();
    let found = options.find(|(name, _)| name.parse::<K>().is_ok_and(|it| it == *key));
    found.map(|(_, value)| value.as_str())
}

/// Creates a store for plain HTTP. `parse_url_opts` would treat the https URL of a cloud vendor as
/// a bucket of that vendor, but a user who writes https means HTTP.
fn make_http_store(url: &Url, options: StoreOptions) -> Result<Arc<dyn ObjectStore>> {
    let mut builder = HttpBuilder::new()
        .with_url(&url[..Position::BeforePath])
        .with_http_connector(QueryConnector);
    // An http:// URL shows that unencrypted access is intended.
    builder = builder.with_config(
        ClientConfigKey::AllowHttp,
        (url.scheme() == "http").to_string(),
    );
    for (name, value) in options {
        builder = builder.with_config(ClientConfigKey::from_str(&name)?, value);
    }
    Ok(Arc::new(CompleteListings::remote(builder.build()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_http_endpoint_allows_http_unless_an_option_decides() {
        let options = |pairs: &[(&str, &str)]| -> Vec<String> {
            let pairs = pairs.iter();
            let pairs = pairs.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            let all = with_plain_http(pairs.collect());
            let allowed = all
                .into_iter()
                .filter(|(name, _)| name.ends_with("allow_http"));
            allowed
                .map(|(name, value)| format!("{name}={value}"))
                .collect()
        };
        let http = ("aws_endpoint", "http://127.0.0.1:9000");
        assert_eq!(options(&[http]), ["aws_allow_http=true"]);
        let decided = options(&[http, ("aws_allow_http", "false")]);
        assert_eq!(decided, ["aws_allow_http=false"]);
        let later = ("endpoint_url", "https://example.org");
        assert!(options(&[http, later]).is_empty());
        assert!(options(&[("aws_region", "http://")]).is_empty());
        let azure = ("azure_storage_endpoint", "http://127.0.0.1:10000/account");
        assert_eq!(options(&[azure]), ["azure_allow_http=true"]);
    }
}
