//! The addresses of links and pictures.

use corpus_blocks::text::is_script;
use url::Url;

use super::Addresses;
use crate::events::Element;

/// Maximum number of bytes that the base may add to the addresses of a page. Beyond it, addresses
/// stay relative, because a long base would multiply the size of hostile pages.
const MAX_ADDED_BYTES: usize = 16 << 20;
/// Longer bases are not used.
const MAX_BASE_BYTES: usize = 4096;

/// Resolves addresses.
#[derive(Debug)]
pub struct Resolver {
    is_wanted: bool,
    base: Option<Url>,
    had_base: bool,
    remaining: usize,
}

impl Resolver {
    pub fn new(addresses: &Addresses) -> Self {
        Self {
            is_wanted: *addresses != Addresses::None,
            base: match addresses {
                Addresses::Absolute(url) => Some(url.clone()),
                _ => None,
            },
            had_base: false,
            remaining: MAX_ADDED_BYTES,
        }
    }

    /// Whether addresses are kept.
    pub fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Reads the first base element.
    pub fn read_base(&mut self, element: &Element<'_>) {
        if self.had_base {
            return;
        }
        if let (Some(base), Some(address)) = (&self.base, element.attribute("href")) {
            self.had_base = true;
            if let Ok(url) = base.join(address.trim()) {
                self.base = Some(url);
            }
        }
    }

    /// Returns the absolute form of an address, or the address as written if it has none. `None`
    /// for scripts and inline content (`data:`).
    pub fn resolve(&mut self, address: &str) -> Option<Box<str>> {
        let address = address.trim();
        if address.is_empty() || is_script(address) {
            return None;
        }
        let base = self
            .base
            .as_ref()
            .filter(|base| base.as_str().len() <= MAX_BASE_BYTES);
        let url = base
            .filter(|_| self.remaining > 0)
            .and_then(|base| base.join(address).ok());
        Some(match url {
            Some(url) => {
                let added = url.as_str().len().saturating_sub(address.len());
                self.remaining = self.remaining.saturating_sub(added);
                String::from(url).into_boxed_str()
            }
            None => address.into(),
        })
    }
}
