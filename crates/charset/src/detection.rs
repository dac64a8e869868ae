//! The result of detection, and the declarations that it weighs.

use encoding_rs::UTF_8;

use super::label::Charset;

/// The result of [`detect`](super::detect()).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detected {
    pub charset: Charset,
    pub source: Source,
    /// The lead of this charset over the runner-up, from 0 to 1.
    pub confidence: f32,
}

impl Detected {
    /// The result for input that is text and needs no decoding.
    pub const TEXT: Self = Self {
        charset: Charset::standard(UTF_8),
        source: Source::Text,
        confidence: 1.0,
    };
}

/// The evidence that determined the charset. A declaration is named if it agrees with the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// A byte order mark.
    Bom,
    /// The charset that the caller passed, from the HTTP header.
    Http,
    /// A declaration inside the page.
    Meta,
    /// The bytes of the page.
    Detected,
    /// No decisive evidence: a common charset that fits.
    Fallback,
    /// No detection was needed: the input was text.
    Text,
}

impl Source {
    /// The lower-case name of the source.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bom => "bom",
            Self::Http => "http",
            Self::Meta => "meta",
            Self::Detected => "detected",
            Self::Fallback => "fallback",
            Self::Text => "text",
        }
    }
}

/// The charsets declared by the HTTP header and by the page.
#[derive(Debug, Clone, Copy)]
pub struct Declarations {
    pub http: Option<Charset>,
    pub meta: Option<Charset>,
}

impl Declarations {
    pub fn source_of(&self, charset: Charset) -> Source {
        if self.http == Some(charset) {
            Source::Http
        } else if self.meta == Some(charset) {
            Source::Meta
        } else {
            Source::Detected
        }
    }

    /// Whether a charset other than this one is declared.
    pub fn names_other(&self, charset: Charset) -> bool {
        [self.http, self.meta]
            .into_iter()
            .flatten()
            .any(|declared| declared != charset)
    }

    pub fn certain(&self, charset: Charset) -> Detected {
        Detected {
            charset,
            source: self.source_of(charset),
            confidence: 1.0,
        }
    }

    /// Every charset decodes ASCII alike. Browsers encode the page's links in the declared one.
    pub fn for_ascii(&self) -> Detected {
        self.certain(self.http.or(self.meta).unwrap_or(Charset::standard(UTF_8)))
    }
}
