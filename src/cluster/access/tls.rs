//! The certificates of a process. Both ends of a connection show one.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::ServerCertVerifier;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::version::TLS13;
use tokio_rustls::rustls::{CertificateError, Error, RootCertStore, ServerConfig};
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

use super::CONNECT_TIMEOUT;
use super::token::warn_if_exposed;

/// The name in the certificates of all processes. Names of machines would need a certificate per
/// machine, and a new one when its address changes.
pub const NAME: &str = "corpus-sql";

/// The protocol inside of TLS.
const HTTP2: &[u8] = b"h2";

/// The files of the certificates.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The certificate of this process, with those between it and the authority.
    pub cert: PathBuf,
    pub key: PathBuf,
    /// The authority of the cluster's certificates.
    pub ca: PathBuf,
}

/// TLS for both directions.
#[derive(Clone)]
pub struct Tls {
    pub server: Arc<ServerConfig>,
    pub client: ClientTlsConfig,
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tls")
    }
}

impl Tls {
    /// Reads and checks the files.
    pub fn read(files: &TlsFiles) -> Result<Self, String> {
        let chain = certificates(&files.cert)?;
        let authorities = certificates(&files.ca)?;
        let key = PrivateKeyDer::from_pem_file(&files.key);
        let key = key.map_err(|error| unreadable("private key", &files.key, &error))?;
        warn_if_exposed(&files.key);
        let mut roots = RootCertStore::empty();
        for authority in authorities {
            let added = roots.add(authority);
            added.map_err(|error| rejected(&files.ca, &error))?;
        }
        let roots = Arc::new(roots);
        check(&chain, &roots, files)?;
        let provider = Arc::new(ring::default_provider());
        let clients = WebPkiClientVerifier::builder_with_provider(roots, Arc::clone(&provider));
        let clients = clients
            .build()
            .map_err(|error| rejected(&files.ca, &error))?;
        let server = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13])
            .and_then(|server| {
                server
                    .with_client_cert_verifier(clients)
                    .with_single_cert(chain, key)
            });
        let mut server = server.map_err(|error| match error {
            Error::InconsistentKeys(_) => format!(
                "the private key in '{}' is not that of the certificate in '{}'",
                files.key.display(),
                files.cert.display()
            ),
            error => rejected(&files.cert, &error),
        })?;
        server.alpn_protocols = vec![HTTP2.to_vec()];
        let client = ClientTlsConfig::new()
            .domain_name(NAME)
            .timeout(CONNECT_TIMEOUT)
            .ca_certificate(Certificate::from_pem(text(&files.ca)?))
            .identity(Identity::from_pem(text(&files.cert)?, text(&files.key)?));
        Ok(Self {
            server: Arc::new(server),
            client,
        })
    }
}

/// Checks the certificate of this process as other processes do, because its user can replace it.
fn check(
    chain: &[CertificateDer<'_>],
    roots: &Arc<RootCertStore>,
    files: &TlsFiles,
) -> Result<(), String> {
    let Some((own, between)) = chain.split_first() else {
        return Err(rejected(&files.cert, &"the file has none"));
    };
    let provider = Arc::new(ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::clone(roots), provider);
    let verifier = verifier
        .build()
        .map_err(|error| rejected(&files.ca, &error))?;
    let name = ServerName::try_from(NAME).map_err(|error| error.to_string())?;
    let checked = verifier.verify_server_cert(own, between, &name, &[], UnixTime::now());
    match checked {
        Ok(_) => Ok(()),
        Err(Error::InvalidCertificate(error)) => Err(rejected(&files.cert, &reason(&error))),
        Err(error) => Err(rejected(&files.cert, &error)),
    }
}

/// Returns why a certificate is refused.
fn reason(error: &CertificateError) -> String {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "it has expired: make a new one".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "it is not valid yet: check the clock".to_owned()
        }
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "the authority of --tls-ca has not signed it".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            format!("it needs the name {NAME}, as in subjectAltName=DNS:{NAME}")
        }
        error => error.to_string(),
    }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let failed = |error: pem::Error| unreadable("certificate", path, &error);
    let certificates = CertificateDer::pem_file_iter(path).map_err(failed)?;
    let certificates: Vec<_> = certificates.collect::<Result<_, _>>().map_err(failed)?;
    if certificates.is_empty() {
        return Err(unreadable("certificate", path, &pem::Error::NoItemsFound));
    }
    Ok(certificates)
}

fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read '{}': {error}", path.display()))
}

fn unreadable(what: &str, path: &Path, error: &pem::Error) -> String {
    let path = path.display();
    match error {
        pem::Error::Io(error) => format!("cannot read the {what} in '{path}': {error}"),
        _ => format!("'{path}' has no {what} in PEM format"),
    }
}

fn rejected(path: &Path, error: &dyn fmt::Display) -> String {
    format!(
        "cannot use the certificate in '{}': {error}",
        path.display()
    )
}
