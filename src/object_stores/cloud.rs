//! Stores of the cloud vendors and of web servers.

use std::str::FromStr;
use std::sync::Arc;

use datafusion::common::{DataFusionError, Result, plan_datafusion_err, plan_err};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::{ClientConfigKey, ClientOptions, ObjectStore, ObjectStoreScheme};
use url::{Host, Position, Url};

use super::client::StoreConnector;
use super::one_version::OneVersion;
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

/// Configures a builder of a store. It ignores options of other vendors.
macro_rules! build {
    ($builder:expr, $client:expr, $connector:expr, $options:expr) => {{
        let builder = $builder
            .with_client_options($client.with_timeout_disabled())
            .with_http_connector($connector);
        let builder =
            $options
                .into_iter()
                .fold(builder, |builder, (key, value)| match key.parse() {
                    Ok(key) => builder.with_config(key, value),
                    Err(_) => builder,
                });
        builder
            .build()
            .map(|store| Arc::new(OneVersion::new(Arc::new(store))) as Arc<dyn ObjectStore>)
    }};
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
    let (client, connector) = (ClientOptions::new(), StoreConnector { is_web: false });
    let made = match ObjectStoreScheme::parse(url).map(|(scheme, _path)| scheme) {
        Ok(ObjectStoreScheme::AmazonS3) => {
            let options = with_bucket_in_host(url, options);
            let builder = AmazonS3Builder::new().with_url(url.as_str());
            build!(builder, client, connector, options)
        }
        Ok(ObjectStoreScheme::GoogleCloudStorage) => {
            let builder = GoogleCloudStorageBuilder::new().with_url(url.as_str());
            // The service that issues tokens inside Google's cloud has no TLS.
            build!(builder, client.with_allow_http(true), connector, options)
        }
        Ok(ObjectStoreScheme::MicrosoftAzure) => {
            let builder = MicrosoftAzureBuilder::new().with_url(url.as_str());
            build!(builder, client, connector, options)
        }
        _ => {
            return plan_err!(
                "no object store for {url}: supported are file paths, s3://, gs://, az://, \
                 abfs://, http:// and https://"
            );
        }
    };
    made.map_err(|error| unusable(url, error))
}

fn unusable(url: &Url, error: object_store::Error) -> DataFusionError {
    if error.to_string().contains("Account must be specified") {
        return plan_datafusion_err!(
            "no account for {url}: set AZURE_STORAGE_ACCOUNT_NAME, or the option \
             'azure.account_name'"
        );
    }
    DataFusionError::from(error).context(format!("the settings of {url} cannot be used"))
}

/// Puts the bucket into the host of an endpoint if requests are to name it there. `object_store`
/// would send them without a bucket.
fn with_bucket_in_host(url: &Url, mut options: StoreOptions) -> StoreOptions {
    let style = value_of(&options, &AmazonS3ConfigKey::VirtualHostedStyleRequest);
    let bucket = url.host_str().unwrap_or_default();
    if !style.is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        return options;
    }
    let endpoints = [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint];
    let endpoint = endpoints.into_iter().find_map(|key| {
        let endpoint = Url::parse(value_of(&options, &key)?).ok()?;
        Some((key, endpoint))
    });
    if let Some((key, mut endpoint)) = endpoint
        && let Some(Host::Domain(host)) = endpoint.host()
        && !host.starts_with(&format!("{bucket}."))
        && let Ok(()) = endpoint.set_host(Some(&format!("{bucket}.{host}")))
    {
        let endpoint = endpoint.as_str().trim_end_matches('/').to_owned();
        options.push((key.as_ref().to_owned(), endpoint));
    }
    options
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
    // An http:// URL shows that unencrypted access is intended.
    let plain = (
        "allow_http".to_owned(),
        (url.scheme() == "http").to_string(),
    );
    let options = [plain].into_iter().chain(options);
    let builder = HttpBuilder::new().with_url(&url[..Position::BeforePath]);
    let client = ClientOptions::new();
    Ok(build!(builder, client, QueryConnector, options)?)
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

    #[test]
    fn a_missing_account_is_named() {
        let url = Url::parse("az://container/").unwrap();
        let error = unusable(
            &url,
            MicrosoftAzureBuilder::new()
                .with_container_name("container")
                .build()
                .unwrap_err(),
        );
        let error = error.to_string();
        assert!(error.contains("set AZURE_STORAGE_ACCOUNT_NAME"), "{error}");
    }

    #[test]
    fn a_bucket_is_in_the_host_if_requests_name_it_there() {
        let endpoint = |endpoint: &str, style: &str| {
            let pairs = [
                ("aws_endpoint", endpoint),
                ("aws_virtual_hosted_style_request", style),
            ];
            let options = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
            let url = Url::parse("s3://pages/crawl/").unwrap();
            let options = with_bucket_in_host(&url, options.to_vec());
            value_of(&options, &AmazonS3ConfigKey::Endpoint).map(str::to_owned)
        };
        for (given, style, expected) in [
            (
                "https://oss.example.org",
                "true",
                "https://pages.oss.example.org",
            ),
            (
                "https://pages.oss.example.org",
                "true",
                "https://pages.oss.example.org",
            ),
            (
                "http://oss.example.org:81",
                "TRUE",
                "http://pages.oss.example.org:81",
            ),
            (
                "https://oss.example.org",
                "false",
                "https://oss.example.org",
            ),
            ("http://127.0.0.1:9000", "true", "http://127.0.0.1:9000"),
        ] {
            assert_eq!(endpoint(given, style).as_deref(), Some(expected), "{given}");
        }
    }
}
