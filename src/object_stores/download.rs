//! Downloads of whole files that are small, by the client of the stores.

use bytes::{Bytes, BytesMut};
use futures::TryStreamExt;
use object_store::ClientOptions;
use object_store::client::{HttpConnector, HttpRequest, HttpRequestBody};
use url::Url;

use super::client::StoreConnector;
use super::failure::cause;
use super::readable_errors;

/// Downloads a file of a web server with at most `limit` bytes. Its path is sent as it is: a store
/// would decode `%2F`, which names of images contain.
pub async fn download(url: &Url, limit: usize) -> Result<Bytes, String> {
    let cannot = |reason: String| format!("cannot read {url}: {reason}");
    let options = ClientOptions::new()
        .with_allow_http(url.scheme() == "http")
        .with_timeout_disabled();
    let client = StoreConnector { is_web: true }
        .connect(&options)
        .map_err(|error| cannot(error.to_string()))?;
    let mut request = HttpRequest::new(HttpRequestBody::from(Vec::new()));
    *request.uri_mut() = url
        .as_str()
        .parse()
        .map_err(|_| cannot("not a valid address".to_owned()))?;
    let response = client.execute(request).await;
    let response = response.map_err(|error| cannot(cause(&error)))?;
    let status = response.status();
    let mut chunks = response.into_body().bytes_stream();
    let mut file = BytesMut::new();
    while let Some(chunk) = chunks
        .try_next()
        .await
        .map_err(|error| cannot(cause(&error)))?
    {
        if file.len() + chunk.len() > limit {
            return Err(cannot(format!("it is larger than {} MiB", limit >> 20)));
        }
        file.extend_from_slice(&chunk);
    }
    if !status.is_success() {
        let (code, reason) = readable_errors::reason(String::from_utf8_lossy(&file).trim_start());
        let said = readable_errors::in_parentheses(&code, &reason);
        return Err(cannot(format!("the server answered {status}{said}")));
    }
    Ok(file.freeze())
}
