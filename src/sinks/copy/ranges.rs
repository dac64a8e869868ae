//! Checks options and settings of Parquet's writer, which panics or never ends with other values.

use datafusion::catalog::Session;
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::dml::CopyTo;

/// Options that must be at least 1.
const COUNTS: [&str; 4] = [
    "max_row_group_size",
    "write_batch_size",
    "column_index_truncate_length",
    "statistics_truncate_length",
];

const SHARE: &str = "bloom_filter_fpp";

/// Returns an error if a copy to Parquet has an option or a setting out of range.
pub fn check_parquet_ranges(copy: &CopyTo, session: &dyn Session) -> Result<()> {
    if copy.file_type.get_ext() != "parquet" {
        return Ok(());
    }
    for (name, value) in &copy.options {
        let name = name.strip_prefix("format.").unwrap_or(name);
        // An option may name a column: bloom_filter_fpp::url
        let option = name.split("::").next().unwrap_or(name);
        check(option, name, value)?;
    }
    let settings = &session.config_options().execution.parquet;
    let set = [
        Some(settings.max_row_group_size.to_string()),
        Some(settings.write_batch_size.to_string()),
        settings
            .column_index_truncate_length
            .map(|it| it.to_string()),
        settings.statistics_truncate_length.map(|it| it.to_string()),
        settings.bloom_filter_fpp.map(|it| it.to_string()),
    ];
    for (name, value) in COUNTS.into_iter().chain([SHARE]).zip(set) {
        let setting = format!("datafusion.execution.parquet.{name}");
        let is_replaced = copy.options.contains_key(&format!("format.{name}"));
        if let Some(value) = value.filter(|_| !is_replaced) {
            check(name, &setting, &value)?;
        }
    }
    Ok(())
}

/// Checks the value of an option, if it has a range. DataFusion refuses texts that are no numbers.
fn check(option: &str, name: &str, value: &str) -> Result<()> {
    let value = value.trim();
    if COUNTS.contains(&option) && value.parse() == Ok(0) {
        return plan_err!("{name} must be at least 1, not {value}");
    }
    if option == SHARE
        && let Ok(share) = value.parse::<f64>()
        && !(share > 0.0 && share < 1.0)
    {
        return plan_err!("{name} must be between 0 and 1, such as 0.01, not {value}");
    }
    Ok(())
}
