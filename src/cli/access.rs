//! The options for the token and the certificates of a cluster.

use std::path::PathBuf;

use clap::ValueHint;

use crate::cluster::{Access, AccessFiles};

#[derive(Debug, Clone, clap::Args)]
pub struct AccessArgs {
    /// File with the secret that all processes of a cluster share [env: CORPUS_SQL_TOKEN_FILE, or
    /// CORPUS_SQL_TOKEN with the secret]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    token_file: Option<PathBuf>,

    /// This process's certificate in the cluster, in PEM format [env: CORPUS_SQL_TLS_CERT]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    tls_cert: Option<PathBuf>,

    /// Private key of that certificate [env: CORPUS_SQL_TLS_KEY]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    tls_key: Option<PathBuf>,

    /// Certificate of the authority that signs those of the cluster [env: CORPUS_SQL_TLS_CA]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    tls_ca: Option<PathBuf>,
}

impl AccessArgs {
    /// Whether none of the options is given.
    pub fn is_empty(&self) -> bool {
        self.files().is_empty()
    }

    /// Reads the files.
    pub fn read(&self) -> Result<Access, String> {
        Access::read(self.files())
    }

    fn files(&self) -> AccessFiles {
        AccessFiles {
            token: self.token_file.clone(),
            tls_cert: self.tls_cert.clone(),
            tls_key: self.tls_key.clone(),
            tls_ca: self.tls_ca.clone(),
        }
    }
}
