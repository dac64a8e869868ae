//! Continues statements whose scheduler, or whose rows on an executor, are lost.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use datafusion::common::{Result, exec_err};
use datafusion::error::DataFusionError;
use log::warn;
use tokio::time::{Instant, sleep};

use super::Cluster;

/// The pauses between attempts to reach a scheduler, at first and later.
const MIN_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// The maximum number of losses without progress between them.
const MAX_LOSSES: u32 = 8;

/// Precedes the error of a task that cannot read the rows of an executor.
pub const LOST_ROWS: &str = "lost rows on an executor";

/// The loss of a job with its scheduler, or of rows with an executor.
#[derive(Debug)]
pub struct Loss(pub String);

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Loss {}

impl Loss {
    /// Extracts a loss from an error, or returns the error unchanged.
    pub fn of(error: DataFusionError) -> Result<Self> {
        match error {
            DataFusionError::External(error) => match error.downcast() {
                Ok(loss) => Ok(*loss),
                Err(error) => Err(DataFusionError::External(error)),
            },
            error => Err(error),
        }
    }

    /// The error of a statement that cannot continue.
    fn into_error(self) -> DataFusionError {
        DataFusionError::Execution(format!("{self}; run the statement again"))
    }
}

/// The failure of a job: a loss, after which it may run again, or another error.
#[derive(Debug)]
pub enum Failure {
    Loss(Loss),
    Other(DataFusionError),
}

impl From<DataFusionError> for Failure {
    fn from(error: DataFusionError) -> Self {
        Self::Other(error)
    }
}

impl From<Loss> for Failure {
    fn from(loss: Loss) -> Self {
        Self::Loss(loss)
    }
}

impl Failure {
    /// The error of a statement that cannot continue.
    pub fn into_error(self) -> DataFusionError {
        match self {
            Self::Loss(loss) => loss.into_error(),
            Self::Other(error) => error,
        }
    }

    /// An error from which [`Loss::of`] restores a loss.
    pub fn into_recognizable(self) -> DataFusionError {
        match self {
            Self::Loss(loss) => DataFusionError::External(Box::new(loss)),
            Self::Other(error) => error,
        }
    }
}

/// Waits for the scheduler after losses, as long as there is progress between them.
#[derive(Debug)]
pub struct Recovery {
    cluster: Cluster,
    losses: u32,
}

impl Recovery {
    pub fn new(cluster: Cluster) -> Self {
        Self { cluster, losses: 0 }
    }

    /// Notes that the job made progress since the last loss.
    pub fn progress(&mut self) {
        self.losses = 0;
    }

    /// Waits until the scheduler is ready for the rest of the job. Fails if it should not run
    /// again.
    pub async fn wait(&mut self, loss: Loss) -> Result<()> {
        let limit = self.cluster.wait;
        self.losses += 1;
        if limit.is_zero() || self.losses > MAX_LOSSES {
            return Err(loss.into_error());
        }
        warn!("{loss}; continuing");
        // Another executor may not be known as lost yet.
        let mut pause = MIN_PAUSE * (1 << (self.losses - 1).min(4));
        let start = Instant::now();
        loop {
            sleep(pause.min(limit.saturating_sub(start.elapsed()))).await;
            let Err(error) = self.cluster.ready().await else {
                return Ok(());
            };
            let left = limit.saturating_sub(start.elapsed());
            if left.is_zero() {
                let seconds = limit.as_secs();
                return exec_err!(
                    "gave up after {seconds} s: {}; run the statement again",
                    crate::errors::message(&error)
                );
            }
            pause = (pause * 2).min(MAX_PAUSE);
            warn!(
                "{}: trying again in {} s, for up to {} s",
                crate::errors::message(&error),
                pause.min(left).as_secs().max(1),
                left.as_secs().max(1)
            );
        }
    }
}
