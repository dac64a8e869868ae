//! The cluster that a session sends its queries to.

use corpus_sql::session::SessionOptions;
use pyo3::prelude::*;
use tokio::runtime::Handle;

/// Makes a session a client of a cluster, which must have the same version.
#[cfg(feature = "cluster")]
pub fn use_cluster(
    py: Python<'_>,
    handle: &Handle,
    options: &mut SessionOptions,
    address: &str,
) -> PyResult<()> {
    use corpus_sql::cluster::{Access, AccessFiles, Cluster};
    use pyo3::exceptions::PyValueError;

    use crate::waiting::run;

    let wrong = |reason| PyValueError::new_err(format!("cluster: {reason}"));
    let cluster: Cluster = address.parse().map_err(wrong)?;
    // The environment names the token and the certificates.
    let access = Access::read(AccessFiles::default()).map_err(wrong)?;
    let cluster = cluster.with_access(access);
    let asked = cluster.clone();
    let status = run(py, handle, async move { asked.status().await })?;
    options.use_cluster(cluster, &status);
    Ok(())
}

/// Returns the error for a library without clusters.
#[cfg(not(feature = "cluster"))]
pub fn use_cluster(
    _py: Python<'_>,
    _handle: &Handle,
    _options: &mut SessionOptions,
    _address: &str,
) -> PyResult<()> {
    Err(crate::errors::Error::new_err(format!(
        "cluster: {}",
        corpus_udfs::not_built("clusters", "cluster")
    )))
}
