//! SQL functions of URLs.

use std::sync::Arc;

use corpus_columns::{ColumnBuilder, StructOf, row};
use corpus_text::url::{BlockList, UrlParts};
use corpus_warc::surt;
use datafusion::arrow::array::{ArrayRef, AsArray, LargeStringArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_datafusion_err};

use crate::function::{Parameter, Returns, constant, functions};
use crate::list_files::{LIST_ARGUMENT, ListFiles};
use crate::settings::CorpusSettings;

const SECTION: &str = "URL Functions";

const URL: DataType = DataType::LargeUtf8;

const URL_ARGUMENT: Parameter = Parameter::text("url", "The URL.");

/// Applies a function to each URL.
fn map_urls<'a>(
    argument: &'a ArrayRef,
    change: impl Fn(&'a str) -> Option<String>,
) -> Result<ArrayRef> {
    let urls = argument.as_string::<i64>().iter();
    let changed: LargeStringArray = urls.map(|url| url.and_then(&change)).collect();
    Ok(Arc::new(changed))
}

functions! {
    SECTION;

    /// Returns the entry of a block list that blocks a URL, or NULL. A list has one domain or URL
    /// per line, which also blocks subdomains and paths below.
    ///
    /// > SELECT url_blocked('https://ads.g.doubleclick.net/x', 'builtin:ad-hosts');
    /// doubleclick.net
    url_blocked(URL_ARGUMENT, LIST_ARGUMENT.constant(|list| block_list(list).map(|_| ()))) -> URL;

    /// Returns the registered domain of a URL by the Public Suffix List. NULL for IP addresses and
    /// other texts.
    ///
    /// > SELECT url_domain('http://www.example.co.jp/a');
    /// example.co.jp
    url_domain(URL_ARGUMENT) -> URL;

    /// Returns the host of a URL in lower case, an international one in Punycode.
    ///
    /// > SELECT url_host('HTTP://WWW.Example.com:8080/a');
    /// www.example.com
    url_host(URL_ARGUMENT) -> URL;

    /// Splits an absolute URL into its parts, by the WHATWG's standard.
    ///
    /// > SELECT url_parts('https://www.example.co.jp/a/../b?c')['domain'];
    /// example.co.jp
    url_parts(URL_ARGUMENT) -> Returns::of::<StructOf<PartsRow>>();

    /// Returns the sort-friendly form of a URL (SURT), the key of CDX and CDXJ indexes: host
    /// reversed, case, ports, session ids and `www.` unified, query sorted.
    ///
    /// > SELECT url_surt('http://www.Example.com:80/b?z=1&a=2');
    /// com,example)/b?a=2&z=1
    url_surt(URL_ARGUMENT) -> URL;
}

fn url_blocked(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let Some(list) = constant(&args[1]) else {
        return map_urls(&args[0], |_| None);
    };
    let list = block_list(list).map_err(|error| exec_datafusion_err!("url_blocked: {error}"))?;
    map_urls(&args[0], |url| list.find(url).map(str::to_owned))
}

/// Returns the block list with a path or a name.
fn block_list(list: &str) -> Result<Arc<BlockList>, String> {
    static LISTS: ListFiles<BlockList> =
        ListFiles::new(|text| BlockList::parse(text).map_err(|error| error.to_string()));
    LISTS.get(list)
}

fn url_domain(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    map_urls(&args[0], |url| {
        UrlParts::parse(url)?.domain().map(str::to_owned)
    })
}

fn url_host(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    map_urls(&args[0], |url| {
        UrlParts::parse(url)?.host().map(str::to_owned)
    })
}

row! {
    /// The parts of a URL.
    struct PartsRow<'a> {
        /// In lower case
        scheme: &'a str,
        /// The host in lower case, an international one in Punycode
        #[short]
        host: Option<&'a str>,
        /// The registered domain of the host
        #[short]
        domain: Option<&'a str>,
        /// The public suffix of the host, such as co.jp
        suffix: Option<&'a str>,
        /// The port, or the default one of the scheme
        port: Option<u16>,
        /// The path, percent-encoded
        #[short]
        path: &'a str,
        /// The part after the question mark
        query: Option<&'a str>,
        /// The part after the hash sign
        fragment: Option<&'a str>,
    }
}

fn url_parts(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = StructOf::<PartsRow>::default();
    for url in args[0].as_string::<i64>() {
        let parts = url.and_then(UrlParts::parse);
        rows.append(parts.as_ref().map(|parts| PartsRow {
            scheme: parts.scheme(),
            host: parts.host(),
            domain: parts.domain(),
            suffix: parts.suffix(),
            port: parts.port(),
            path: parts.path(),
            query: parts.query(),
            fragment: parts.fragment(),
        }));
    }
    Ok(rows.finish()?)
}

fn url_surt(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    map_urls(&args[0], |url| Some(surt(url)))
}
