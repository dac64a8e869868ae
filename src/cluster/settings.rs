//! Settings that the sessions of the client, the scheduler and the executors share.

use ballista_core::extension::SessionConfigExt;
use datafusion::execution::SessionState;
use datafusion::prelude::SessionConfig;

use super::MAX_MESSAGE_BYTES;
use super::stores::StoreSettings;
use crate::settings::CorpusSettings;

/// Settings of Ballista that differ from its defaults.
const SETTINGS: [(&str, &str); 2] = [
    // Plans then stay as the client made them and as EXPLAIN shows them.
    ("ballista.planner.adaptive.enabled", "false"),
    // A failed task then repeats one partition, not all partitions of its executor.
    ("ballista.scheduler.max_partitions_per_task", "1"),
];

/// Adapts the configuration of a session so that its plans can be distributed.
pub fn client_config(config: SessionConfig) -> SessionConfig {
    let config = config.upgrade_for_ballista();
    SETTINGS
        .into_iter()
        .fold(config, |config, (name, value)| config.set_str(name, value))
}

/// Returns the configuration of sessions in schedulers and executors, to which the client's
/// settings are added.
pub fn server_config() -> SessionConfig {
    client_config(SessionConfig::new())
        .with_option_extension(CorpusSettings::default())
        .with_option_extension(StoreSettings::default())
        .set_str(
            "ballista.client.grpc_max_message_size",
            &MAX_MESSAGE_BYTES.to_string(),
        )
}

/// Returns a session whose plans the scheduler can divide into stages, whatever the user has set.
pub fn distributable(state: &SessionState) -> SessionState {
    let mut state = state.clone();
    let optimizer = &mut state.config_mut().options_mut().optimizer;
    // Ballista 55 changes a join that collects a side of unknown size into one of many partitions.
    // Operators above that read a single partition would lose the rows of the others. It collects
    // small sides by itself.
    optimizer.repartition_joins = true;
    optimizer.hash_join_single_partition_threshold = 0;
    optimizer.hash_join_single_partition_threshold_rows = 0;
    // A scan would wait forever for a filter from another stage.
    optimizer.enable_dynamic_filter_pushdown = false;
    optimizer.enable_join_dynamic_filter_pushdown = false;
    optimizer.enable_topk_dynamic_filter_pushdown = false;
    optimizer.enable_aggregate_dynamic_filter_pushdown = false;
    state
}
