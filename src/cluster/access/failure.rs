//! Describes failed connections in sentences, from their nested errors.

use std::error::Error;

/// A connection of which only one end uses TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mismatch {
    /// The caller uses TLS, the called process does not.
    TlsToPlain,
    /// The called process uses TLS, the caller does not.
    PlainToTls,
}

impl Mismatch {
    /// The answer of the called process, with the reason.
    pub fn answer(self) -> &'static [u8] {
        match self {
            // An alert of TLS: fatal, protocol version.
            Self::TlsToPlain => &[21, 3, 3, 0, 2, 2, 70],
            // Two frames of HTTP/2: empty settings, and the end because of inadequate security.
            Self::PlainToTls => &[
                0, 0, 0, 4, 0, 0, 0, 0, 0, //
                0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12,
            ],
        }
    }
}

const NO_TLS: &str =
    "it does not use TLS: leave out --tls-cert, --tls-key and --tls-ca, or start it with them";
/// The reason why a process with TLS refuses one without.
pub const NEEDS_TLS: &str = "it uses TLS: add --tls-cert, --tls-key and --tls-ca";

/// The reason why an answer makes no sense.
pub const OTHER_PROGRAM: &str = "another program answers there";

const FOREIGN: &str = "its certificate is not from the authority of --tls-ca";
const FOREIGN_HERE: &str =
    "it refused the certificate of --tls-cert, which is not from the authority of the cluster";

/// Reasons of failures, by a text in the nested errors.
const REASONS: [(&str, &str); 14] = [
    ("type InvalidContentType", NO_TLS),
    ("fatal alert: ProtocolVersion", NO_TLS),
    ("do not meet minimum requirements", NEEDS_TLS),
    ("INADEQUATE_SECURITY", NEEDS_TLS),
    ("peer certificate: UnknownIssuer", FOREIGN),
    ("peer certificate: BadSignature", FOREIGN),
    ("certificate expired", "its certificate has expired"),
    (
        "certificate not valid for name",
        "its certificate needs the name corpus-sql",
    ),
    (
        "fatal alert: CertificateExpired",
        "it refused the certificate of --tls-cert, which has expired",
    ),
    ("fatal alert: UnknownCA", FOREIGN_HERE),
    ("fatal alert: DecryptError", FOREIGN_HERE),
    ("fatal alert: BadCertificate", FOREIGN_HERE),
    ("fatal alert: CertificateRequired", NEEDS_TLS),
    ("frame with invalid size", OTHER_PROGRAM),
];

/// Returns the reason of a failure: one that users can change, or the innermost error.
pub fn connection_failure(error: &(dyn Error + 'static)) -> String {
    let mut innermost = error;
    let mut all = format!("{error:?}");
    while let Some(source) = innermost.source() {
        innermost = source;
        all.push_str(&format!("; {source}"));
    }
    match REASONS.iter().find(|(text, _)| all.contains(text)) {
        Some((_, reason)) => (*reason).to_owned(),
        None => innermost.to_string(),
    }
}
