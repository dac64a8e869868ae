//! Prints the host and the registered domain of each URL argument.

use corpus_text::url::UrlParts;

fn main() {
    for url in std::env::args().skip(1) {
        let parts = UrlParts::parse(&url);
        let host = parts.as_ref().and_then(UrlParts::host);
        let domain = parts.as_ref().and_then(UrlParts::domain);
        println!("{url}\t{}\t{}", host.unwrap_or("-"), domain.unwrap_or("-"));
    }
}
