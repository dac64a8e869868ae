//! The token and the certificates with which a process joins a cluster.
//!
//! Ballista makes most connections itself, and lets a hook adapt their endpoints. Servers are ours
//! ([`server`](super::server)).
//!
//! ```text
//! token    the secret of all processes
//! tls      certificates
//! agent    the header with version and token
//! failure  describes failed connections
//! ```

mod agent;
mod failure;
mod tls;
mod token;

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ballista_core::extension::EndpointOverrideFn;
use tonic::transport::{Channel, Endpoint, Error};

pub use agent::Refusal;
pub use failure::{Mismatch, NEEDS_TLS, OTHER_PROGRAM, connection_failure};
pub use tls::{Tls, TlsFiles};
pub use token::Token;

/// The timeout for connections, and for the handshake of TLS.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);

/// The interval of keep-alive messages on connections, and their timeout.
pub const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// The files that the user names. Environment variables name the others.
#[derive(Debug, Clone, Default)]
pub struct AccessFiles {
    pub token: Option<PathBuf>,
    pub tls_cert: Option<PathBuf>,
    pub tls_key: Option<PathBuf>,
    pub tls_ca: Option<PathBuf>,
}

impl AccessFiles {
    pub fn is_empty(&self) -> bool {
        let files = [&self.token, &self.tls_cert, &self.tls_key, &self.tls_ca];
        files.iter().all(|file| file.is_none())
    }
}

/// The token and the certificates of a process.
#[derive(Debug, Clone, Default)]
pub struct Access {
    pub token: Option<Token>,
    pub tls: Option<Tls>,
}

impl Access {
    /// Reads the files, and the environment variables `CORPUS_SQL_…`.
    pub fn read(files: AccessFiles) -> Result<Self, String> {
        let token = match (files.token, variable("TOKEN")) {
            (Some(file), _) => Some(Token::read(&file)?),
            (None, Some(text)) => {
                let text = text.to_string_lossy();
                Some(Token::new(&text, "CORPUS_SQL_TOKEN")?)
            }
            (None, None) => match file(None, "TOKEN_FILE") {
                Some(file) => Some(Token::read(&file)?),
                None => None,
            },
        };
        let cert = file(files.tls_cert, "TLS_CERT");
        let key = file(files.tls_key, "TLS_KEY");
        let ca = file(files.tls_ca, "TLS_CA");
        let tls = match (cert, key, ca) {
            (Some(cert), Some(key), Some(ca)) => Some(Tls::read(&TlsFiles { cert, key, ca })?),
            (None, None, None) => None,
            _ => return Err("--tls-cert, --tls-key and --tls-ca need each other".to_owned()),
        };
        Ok(Self { token, tls })
    }

    /// Returns an endpoint at `HOST:PORT` of a process.
    pub fn endpoint(&self, authority: &str) -> Result<Endpoint, Error> {
        let scheme = match self.tls {
            Some(_) => "https",
            None => "http",
        };
        let mut endpoint = Endpoint::from_shared(format!("{scheme}://{authority}"))?
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_nodelay(true)
            .http2_keep_alive_interval(KEEP_ALIVE)
            .keep_alive_timeout(KEEP_ALIVE)
            .keep_alive_while_idle(true);
        if let Some(tls) = &self.tls {
            endpoint = endpoint.tls_config(tls.client.clone())?;
        }
        endpoint.user_agent(agent::user_agent(self.token.as_ref()))
    }

    /// Checks the user agent of a caller.
    pub fn check(&self, user_agent: &str) -> Result<(), Refusal> {
        agent::check(user_agent, self.token.as_ref())
    }

    /// Connects to a process. The error is a sentence about `HOST:PORT`.
    pub async fn connect(&self, authority: &str) -> Result<Channel, String> {
        let channel = match self.endpoint(authority) {
            Ok(endpoint) => endpoint.connect().await,
            Err(error) => Err(error),
        };
        channel.map_err(|error| connection_failure(&error))
    }

    /// Replaces the endpoints of Ballista's clients. `adapt` sets what only some of them need.
    pub fn hook(&self, adapt: fn(Endpoint) -> Endpoint) -> EndpointOverrideFn {
        let access = self.clone();
        Arc::new(move |endpoint: Endpoint| {
            let authority = endpoint
                .uri()
                .authority()
                .ok_or("an address without a host")?;
            Ok(adapt(access.endpoint(authority.as_str())?))
        })
    }
}

fn file(named: Option<PathBuf>, name: &str) -> Option<PathBuf> {
    named.or_else(|| variable(name).map(PathBuf::from))
}

fn variable(name: &str) -> Option<OsString> {
    let value = env::var_os(format!("CORPUS_SQL_{name}"));
    value.filter(|value| !value.is_empty())
}
