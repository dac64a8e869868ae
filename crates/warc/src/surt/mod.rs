//! The sort-friendly key of a URL (SURT) that indexes of web archives are sorted by: the host name
//! reversed, all in lower case, without irrelevant parts. It is byte for byte the key of Python's
//! `surt`, which pywb, cdxj-indexer and wayback machines use, with one exception: the host of a web
//! address is the host that browsers request, by the WHATWG's standard. Python interprets
//! `http://a\@b` as a page of `b`, `faß.de` as `fass.de`, and `0x7f.1` as a name.
//!
//! ```text
//! percent      percent-encoding
//! idna2003     host names beyond ASCII
//! session_ids  removes session ids
//! ```

mod idna2003;
mod percent;
mod session_ids;

use self::idna2003::host_to_ascii;
use self::percent::{escape_once, unescape_repeatedly};

use url::Url;

/// Returns the key of a URL, `-` if it is empty. A URL that cannot be parsed is its own key, as in
/// cdxj-indexer.
///
/// ```
/// use corpus_warc::surt;
///
/// assert_eq!(surt("http://www.Example.com:80/b?z=1&a=2"), "com,example)/b?a=2&z=1");
/// ```
pub fn surt(url: &str) -> String {
    if url.is_empty() {
        return "-".to_owned();
    }
    if url.starts_with("filedesc") {
        return url.to_owned();
    }
    match key(url.as_bytes()) {
        Some(key) => String::from_utf8_lossy(&key).into_owned(),
        None => url.to_owned(),
    }
}

fn key(url: &[u8]) -> Option<Vec<u8>> {
    let url = clean(url);
    let host = host_in_browsers(&url);
    key_with_host(&url, host)
}

/// Returns the key of Python's `surt`, with another host and port if there is one.
fn key_with_host(url: &[u8], host: Option<(Vec<u8>, Option<u16>)>) -> Option<Vec<u8>> {
    let mut parts = UrlParts::parse(url)?;
    if let Some((host, port)) = host {
        (parts.host, parts.port) = (Some(host), port);
    }
    parts.canonicalize()?;
    Some(parts.into_key())
}

/// Returns the host and the port of a web address by the WHATWG's standard; `None` for other URLs,
/// and for hosts that browsers refuse.
fn host_in_browsers(url: &[u8]) -> Option<(Vec<u8>, Option<u16>)> {
    let url = Url::parse(std::str::from_utf8(url).ok()?).ok()?;
    if !is_web(url.scheme().as_bytes()) {
        return None;
    }
    let host = url.host_str()?;
    // IPv6 addresses.
    let host = host.trim_start_matches('[').trim_end_matches(']');
    // Python's keys do not have the port 0.
    let port = url.port().filter(|port| *port > 0);
    Some((host.as_bytes().to_vec(), port))
}

/// Trims blanks, removes line ends and repeated schemes, and adds a missing scheme.
fn clean(url: &[u8]) -> Vec<u8> {
    // Python strips these six; Rust's ASCII whitespace lacks the vertical tab.
    let is_space = |b: &u8| matches!(b, b' ' | 0x09..=0x0d);
    let start = url.iter().position(|b| !is_space(b)).unwrap_or(url.len());
    let end = url
        .iter()
        .rposition(|b| !is_space(b))
        .map_or(start, |at| at + 1);
    let mut url: Vec<u8> = url[start..end].to_vec();
    url.retain(|b| !matches!(b, b'\n' | b'\r' | b'\t'));
    if !url.is_empty() && scheme_length(&url).is_none() {
        url.splice(0..0, *b"http://");
    }
    let mut doubled = 0;
    let mut last = 0;
    while let Some(length) = http_prefix(&url[doubled + last..]) {
        doubled += last;
        last = length;
    }
    url.drain(..doubled);
    url
}

fn http_prefix(url: &[u8]) -> Option<usize> {
    [&b"http://"[..], b"https://"]
        .iter()
        .find(|prefix| url.starts_with(prefix))
        .map(|prefix| prefix.len())
}

fn scheme_length(url: &[u8]) -> Option<usize> {
    let is_scheme = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let length = url.iter().take_while(|b| is_scheme(b)).count();
    let is_one = url.first()?.is_ascii_alphabetic() && url.get(length) == Some(&b':');
    is_one.then_some(length)
}

#[derive(Default)]
struct UrlParts {
    scheme: Vec<u8>,
    host: Option<Vec<u8>>,
    port: Option<u16>,
    path: Option<Vec<u8>>,
    query: Option<Vec<u8>>,
}

impl UrlParts {
    /// `None` where Python raises an exception: not a URL, or an impossible port.
    fn parse(url: &[u8]) -> Option<Self> {
        let length = scheme_length(url)?;
        let (scheme, rest) = (&url[..length], &url[length + 1..]);
        let mut rest = rest.split(|b| *b == b'#').next()?.to_vec();
        if is_web(scheme) {
            let is_slash = |b: &&mut u8| matches!(**b, b'/' | b'\\');
            rest.iter_mut().take_while(is_slash).for_each(|b| *b = b'/');
        }
        let rest = rest.as_slice();
        let (authority, rest) = match rest.strip_prefix(b"//") {
            Some(rest) => {
                let end = rest.iter().position(|b| match b {
                    b'/' | b'?' => true,
                    b'\\' => is_web(scheme),
                    _ => false,
                });
                rest.split_at(end.unwrap_or(rest.len()))
            }
            None => (&[][..], rest),
        };
        let (path, query) = partition(rest, b'?');
        let (host, port) = host_and_port(authority)?;
        let filled = |text: &[u8]| (!text.is_empty()).then(|| text.to_vec());
        let mut path = path.to_vec();
        if let Some(first @ b'\\') = path.first_mut()
            && host.is_some()
        {
            *first = b'/';
        }
        let mut parts = Self {
            scheme: scheme.to_vec(),
            host,
            port,
            path: filled(&path),
            query: filled(query),
        };
        parts.take_host_from_path();
        Some(parts)
    }

    /// Moves the host from the path, as in `http:////////www.vikings.com`.
    fn take_host_from_path(&mut self) {
        if !self.scheme.starts_with(b"http") || self.host.is_some() {
            return;
        }
        let Some(path) = &self.path else { return };
        let slashes = path.iter().take_while(|b| **b == b'/').count();
        let (host, rest) = partition(&path[slashes..], b'/');
        let (host, path) = (host.to_vec(), [b"/", rest].concat());
        (self.host, self.path) = (Some(host), Some(path));
    }

    fn canonicalize(&mut self) -> Option<()> {
        self.query = self.query.as_deref().map(reescape);
        self.host = match self.host.take() {
            Some(host) if !host.is_empty() => Some(canonical_host(&host)?),
            other => other,
        };
        let has_host = self.host.as_ref().is_some_and(|host| !host.is_empty());
        let path = self.path.as_deref().map(unescape_repeatedly);
        let path = if has_host {
            Some(normalized_path(path.as_deref().unwrap_or_default()))
        } else {
            path
        };
        self.path = path.map(|path| massaged_path(escape_once(&path)));
        if has_host && self.scheme != b"dns" {
            self.host = self.host.take().map(without_www);
        }
        if self.port == default_port(&self.scheme) {
            self.port = None;
        }
        self.query = self.query.take().and_then(massaged_query);
        Some(())
    }

    fn into_key(self) -> Vec<u8> {
        let mut key = Vec::new();
        match self.host.filter(|host| !host.is_empty()) {
            Some(host) => {
                let labels: Vec<&[u8]> = host.split(|b| *b == b'.').rev().collect();
                key.extend(labels.join(&b','));
                if let Some(port) = self.port {
                    key.extend(format!(":{port}").into_bytes());
                }
                key.push(b')');
            }
            None => {
                key.extend(self.scheme);
                key.push(b':');
            }
        }
        match self.path.filter(|path| !path.is_empty()) {
            Some(path) => key.extend(path),
            None if self.query.is_some() => key.push(b'/'),
            None => {}
        }
        if let Some(query) = self.query {
            key.push(b'?');
            key.extend(query);
        }
        key
    }
}

fn partition(bytes: &[u8], separator: u8) -> (&[u8], &[u8]) {
    match memchr::memchr(separator, bytes) {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &[]),
    }
}

type HostAndPort = (Option<Vec<u8>>, Option<u16>);

fn host_and_port(authority: &[u8]) -> Option<HostAndPort> {
    let colons = authority.iter().rev().take_while(|b| **b == b':').count();
    let authority = &authority[..authority.len() - colons];
    let host_info = match memchr::memrchr(b'@', authority) {
        Some(at) => &authority[at + 1..],
        None => authority,
    };
    let (host, port) = match memchr::memchr(b'[', host_info) {
        Some(at) => {
            let (host, rest) = partition(&host_info[at + 1..], b']');
            (host, partition(rest, b':').1)
        }
        None => partition(host_info, b':'),
    };
    let zone = memchr::memchr(b'%', host).unwrap_or(host.len());
    let mut host = host.to_vec();
    host[..zone].make_ascii_lowercase();
    Some(((!host.is_empty()).then_some(host), port_number(port)?))
}

fn port_number(port: &[u8]) -> Option<Option<u16>> {
    if !port.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let zeros = port.iter().take_while(|b| **b == b'0').count();
    if zeros == port.len() {
        return Some(None);
    }
    let number = std::str::from_utf8(&port[zeros..]).ok()?;
    number.parse().ok().map(Some)
}

fn is_web(scheme: &[u8]) -> bool {
    scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https")
}

fn default_port(scheme: &[u8]) -> Option<u16> {
    if scheme.eq_ignore_ascii_case(b"http") {
        Some(80)
    } else if scheme.eq_ignore_ascii_case(b"https") {
        Some(443)
    } else {
        None
    }
}

fn reescape(bytes: &[u8]) -> Vec<u8> {
    escape_once(&unescape_repeatedly(bytes))
}

/// `None` only for a number that is too long for Python.
fn canonical_host(host: &[u8]) -> Option<Vec<u8>> {
    let mut host = unescape_repeatedly(host);
    if !host.is_ascii() {
        let text: String = host.utf8_chunks().map(|chunk| chunk.valid()).collect();
        if let Some(ascii) = host_to_ascii(&text) {
            host = ascii.into_bytes();
        }
    }
    let host = without_double_dots(&host);
    let is_dot = |b: &u8| *b == b'.';
    let start = host.iter().take_while(|b| is_dot(b)).count();
    let end = host.len() - host[start..].iter().rev().take_while(|b| is_dot(b)).count();
    let host = &host[start..end];
    if !host.is_empty() && host.iter().all(u8::is_ascii_digit) {
        return whole_number_ip(host);
    }
    Some(ip(host).unwrap_or_else(|| escape_once(host).to_ascii_lowercase()))
}

/// Replaces each pair of dots with a single dot, in one pass.
fn without_double_dots(host: &[u8]) -> Vec<u8> {
    let mut single = Vec::with_capacity(host.len());
    let mut rest = host;
    while let [first, tail @ ..] = rest {
        single.push(*first);
        rest = match tail {
            [b'.', tail @ ..] if *first == b'.' => tail,
            _ => tail,
        };
    }
    single
}

fn dotted_quad(address: u32) -> Vec<u8> {
    std::net::Ipv4Addr::from(address).to_string().into_bytes()
}

/// Returns the lower 32 bits of a number of any length, as an address.
fn whole_number_ip(digits: &[u8]) -> Option<Vec<u8>> {
    const MAX_PYTHON_DIGITS: usize = 4300;
    let significant = digits.len() - digits.iter().take_while(|b| **b == b'0').count();
    let address = digits.iter().fold(0u32, |number, digit| {
        number
            .wrapping_mul(10)
            .wrapping_add(u32::from(digit - b'0'))
    });
    // Python also counts leading zeros.
    (significant.max(digits.len()) <= MAX_PYTHON_DIGITS).then(|| dotted_quad(address))
}

/// Parses addresses of up to four decimal or octal numbers. The last number fills the remaining
/// bytes.
fn ip(host: &[u8]) -> Option<Vec<u8>> {
    let parts: Vec<&[u8]> = host.split(|b| *b == b'.').take(5).collect();
    // After an octal number, Python accepts octal digits only.
    let has_decimal_digits = host.iter().any(|b| matches!(b, b'8' | b'9'));
    if parts.len() > 4 || (host.first()? == &b'0' && has_decimal_digits) {
        return None;
    }
    let mut address = 0u32;
    for (index, part) in parts.iter().enumerate() {
        let number = ip_number(part)?;
        let is_last = index + 1 == parts.len();
        let room = if is_last { 32 - 8 * index } else { 8 };
        if u64::from(number) >= 1u64 << room {
            return None;
        }
        let shift = if is_last { 0 } else { 24 - 8 * index };
        address |= number << shift;
    }
    Some(dotted_quad(address))
}

fn ip_number(part: &[u8]) -> Option<u32> {
    if part.is_empty() || !part.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let radix = if part[0] == b'0' { 8 } else { 10 };
    u32::from_str_radix(std::str::from_utf8(part).ok()?, radix).ok()
}

/// Removes `www.` and `www7.`.
fn without_www(mut host: Vec<u8>) -> Vec<u8> {
    if let Some(rest) = host.strip_prefix(b"www") {
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        if rest.get(digits) == Some(&b'.') {
            host.drain(..b"www".len() + digits + 1);
        }
    }
    host
}

/// Resolves `.`, `..` and empty parts.
fn normalized_path(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for part in path.split(|b| *b == b'/').skip(1) {
        match part {
            b"." => {}
            b".." if !kept.is_empty() => drop(kept.pop()),
            part => kept.push(part),
        }
    }
    let mut normalized = vec![b'/'];
    if let Some((last, others)) = kept.split_last() {
        for part in others.iter().filter(|part| !part.is_empty()) {
            normalized.extend_from_slice(part);
            normalized.push(b'/');
        }
        normalized.extend_from_slice(last);
    }
    normalized
}

fn massaged_path(path: Vec<u8>) -> Vec<u8> {
    let mut path = session_ids::strip_from_path(path.to_ascii_lowercase());
    if path.len() > 1 && path.ends_with(b"/") {
        path.pop();
    }
    path
}

fn massaged_query(query: Vec<u8>) -> Option<Vec<u8>> {
    let query = session_ids::strip_from_query(query).to_ascii_lowercase();
    let query = sorted_query(query);
    (!query.is_empty()).then_some(query)
}

/// Sorts fields by name, then by value. A name without `=` comes before the same name with one.
fn sorted_query(query: Vec<u8>) -> Vec<u8> {
    let mut fields: Vec<(&[u8], Option<&[u8]>)> = query
        .split(|b| *b == b'&')
        .map(|field| match memchr::memchr(b'=', field) {
            Some(at) => (&field[..at], Some(&field[at + 1..])),
            None => (field, None),
        })
        .collect();
    if query.len() <= 1 {
        return query;
    }
    fields.sort();
    let mut sorted = Vec::with_capacity(query.len() + 1);
    for (name, value) in fields {
        sorted.extend_from_slice(name);
        if let Some(value) = value {
            sorted.push(b'=');
            sorted.extend_from_slice(value);
        }
        sorted.push(b'&');
    }
    sorted.pop();
    sorted
}

#[cfg(test)]
mod tests;
