//! Stores of a build without the feature `cloud`: every remote URL is an error.

use std::sync::Arc;

use corpus_udfs::not_built;
use datafusion::common::{Result, plan_err};
use object_store::ObjectStore;
use url::Url;

use super::{OptionFamily, StoreOptions};

/// Accepts every option, because creating the store fails anyway.
pub fn known_option(_family: OptionFamily, key: &str) -> Option<String> {
    Some(key.to_owned())
}

pub fn make_store(_url: &Url, _options: StoreOptions) -> Result<Arc<dyn ObjectStore>> {
    plan_err!("{}", not_built("object stores and web servers", "cloud"))
}
