//! The parts of a URL.

use url::{Host, Url};

/// A URL in its parts.
#[derive(Debug, Clone)]
pub struct UrlParts(Url);

impl UrlParts {
    /// Parses an absolute URL; `None` for anything else.
    pub fn parse(url: &str) -> Option<Self> {
        let mut url = Url::parse(url).ok()?;
        // The standard keeps the case of hosts in schemes that browsers do not open.
        if let Some(host) = url.host_str()
            && host.contains(|c: char| c.is_ascii_uppercase())
        {
            let host = host.to_ascii_lowercase();
            url.set_host(Some(&host)).ok()?;
        }
        Some(Self(url))
    }

    /// The scheme in lower case, without its colon.
    pub fn scheme(&self) -> &str {
        self.0.scheme()
    }

    /// The host: a domain or an IP address. IPv6 addresses are in brackets.
    pub fn host(&self) -> Option<&str> {
        self.0.host_str().filter(|host| !host.is_empty())
    }

    /// The registered domain of the host; `None` for IP addresses, and for hosts that are public
    /// suffixes themselves.
    pub fn domain(&self) -> Option<&str> {
        self.is_domain().then(|| registered_domain(self.host()?))?
    }

    /// The public suffix of the host, such as `co.uk`.
    pub fn suffix(&self) -> Option<&str> {
        self.is_domain().then(|| public_suffix(self.host()?))?
    }

    fn is_domain(&self) -> bool {
        matches!(self.0.host(), Some(Host::Domain(_)))
    }

    /// The port, or the default one of the scheme.
    pub fn port(&self) -> Option<u16> {
        self.0.port_or_known_default()
    }

    /// The path, percent-encoded.
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// Returns the text after the question mark.
    pub fn query(&self) -> Option<&str> {
        self.0.query()
    }

    /// Returns the text after the hash sign.
    pub fn fragment(&self) -> Option<&str> {
        self.0.fragment()
    }
}

/// Returns the domain below a public suffix that somebody has registered: `example.co.uk` of
/// `www.example.co.uk`. `None` if the host is a public suffix, or has an empty label.
pub fn registered_domain(host: &str) -> Option<&str> {
    psl::domain_str(without_root(host)?)
}

/// Returns the public suffix of a host, such as `co.uk`. Unknown top-level domains are suffixes,
/// too. `None` if the host has an empty label.
pub fn public_suffix(host: &str) -> Option<&str> {
    psl::suffix_str(without_root(host)?)
}

/// Removes the dot of the root. `None` for hosts with an empty label, such as `ex..com`.
fn without_root(host: &str) -> Option<&str> {
    let host = host.strip_suffix('.').unwrap_or(host);
    (!host.split('.').any(str::is_empty)).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(url: &str) -> Option<String> {
        UrlParts::parse(url)?.domain().map(str::to_owned)
    }

    #[test]
    fn domains_are_registered_ones() {
        for (url, expected) in [
            ("http://example.com/", Some("example.com")),
            ("HTTP://WWW.Example.COM./x", Some("example.com")),
            ("https://a.b.c.example.co.jp/", Some("example.co.jp")),
            ("https://city.kobe.jp/", Some("city.kobe.jp")),
            ("https://someone.github.io/", Some("someone.github.io")),
            ("https://www.日本.jp/", Some("xn--wgv71a.jp")),
            (
                "https://www.食狮.公司.cn/",
                Some("xn--85x722f.xn--55qx5d.cn"),
            ),
            ("https://github.io/", None),
            ("https://co.uk/", None),
            ("http://192.0.2.7/", None),
            ("http://[2001:db8::1]:8080/", None),
            ("http://localhost/", None),
            ("http://ex..com/", None),
            ("http://.example.com/", None),
            ("http://example.com../", None),
            ("http://example.com\\@evil.example/", Some("example.com")),
            ("http://0x7f.1/", None),
            ("http://ex%41mple.com/", Some("example.com")),
            ("http://example\u{3002}com/", Some("example.com")),
            ("http:\\\\example.com\\a", Some("example.com")),
            ("http://user:a@b@example.com:81/", Some("example.com")),
            ("http://exa\tmple.com\n", Some("example.com")),
            ("gopher://www.Example.COM:70/", Some("example.com")),
            ("http://example.com:65536/", None),
            ("http://a b.example/", None),
            ("http://example.09/", None),
            ("mailto:ann@mail.example", None),
            ("not a url", None),
            ("", None),
        ] {
            assert_eq!(domain(url).as_deref(), expected, "{url}");
        }
    }

    #[test]
    fn parts_are_those_of_the_standard() {
        let parts = UrlParts::parse("HTTP://U:P@Example.com/a b/../c?x=ü#y").unwrap();
        assert_eq!(parts.scheme(), "http");
        assert_eq!(parts.host(), Some("example.com"));
        assert_eq!(parts.suffix(), Some("com"));
        assert_eq!(parts.port(), Some(80));
        assert_eq!(parts.path(), "/c");
        assert_eq!(parts.query(), Some("x=%C3%BC"));
        assert_eq!(parts.fragment(), Some("y"));
        let address = UrlParts::parse("http://192.0.2.7:81").unwrap();
        assert_eq!((address.suffix(), address.port()), (None, Some(81)));
        let empty_label = UrlParts::parse("http://ex..com/").unwrap();
        assert_eq!(empty_label.host(), Some("ex..com"));
        assert_eq!((empty_label.domain(), empty_label.suffix()), (None, None));
    }
}
