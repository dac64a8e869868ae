//! Runs tests/slt/*.slt. `UPDATE_EXPECTED=1` rewrites their results.

use async_trait::async_trait;
use corpus_sql::errors::message;
use corpus_sql::session::{SessionOptions, session};
use corpus_sql::sql::dialect;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::prelude::SessionContext;
use sqllogictest::{
    AsyncDB, DBOutput, DefaultColumnType, Runner, default_column_validator, default_normalizer,
    default_validator,
};

use super::support::{features, files_in, is_built, root, use_built_binary_as_worker};

struct Session(SessionContext);

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct SqlError(String);

impl Session {
    async fn query(&self, sql: &str) -> datafusion::error::Result<DBOutput<DefaultColumnType>> {
        let frame = dialect::sql(&self.0, sql).await?;
        let columns = frame.schema().fields().len();
        let batches = frame.collect().await?;
        if columns == 0 {
            return Ok(DBOutput::StatementComplete(0));
        }
        let options = FormatOptions::new().with_null("NULL");
        let mut rows = Vec::new();
        for batch in &batches {
            for row in 0..batch.num_rows() {
                let cells = batch.columns().iter().map(|column| {
                    let formatter = ArrayFormatter::try_new(column.as_ref(), &options)?;
                    Ok(match formatter.value(row).to_string() {
                        // The test format has no empty cells.
                        text if text.is_empty() => "(empty)".to_owned(),
                        text => text
                            .replace(root().to_string_lossy().trim_start_matches('/'), "ROOT")
                            .replace('\n', "\\n"),
                    })
                });
                rows.push(cells.collect::<datafusion::error::Result<Vec<_>>>()?);
            }
        }
        Ok(DBOutput::Rows {
            types: vec![DefaultColumnType::Text; columns],
            rows,
        })
    }
}

#[async_trait]
impl AsyncDB for Session {
    type Error = SqlError;
    type ColumnType = DefaultColumnType;

    async fn run(&mut self, sql: &str) -> Result<DBOutput<DefaultColumnType>, SqlError> {
        self.query(sql)
            .await
            .map_err(|error| SqlError(message(&error)))
    }

    async fn shutdown(&mut self) {}
}

#[tokio::test(flavor = "multi_thread")]
async fn all_files_give_their_results() {
    std::env::set_current_dir(root()).unwrap();
    use_built_binary_as_worker();
    let options = SessionOptions {
        threads: Some(2),
        ..SessionOptions::default()
    };
    let mut failures = Vec::new();
    let files = files_in("tests/slt", ".slt").into_iter();
    for file in files.filter(|file| is_built(file)) {
        let mut runner = Runner::new(|| async { Ok(Session(session(&options).unwrap())) });
        // For `onlyif` and `skipif`.
        for feature in features() {
            runner.add_label(feature);
        }
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            runner
                .update_test_file(
                    &file,
                    " ",
                    default_validator,
                    default_normalizer,
                    default_column_validator,
                )
                .await
                .unwrap();
        } else if let Err(error) = runner.run_file_async(&file).await {
            failures.push(error.display(false).to_string());
        }
        // Updating would turn an error into an expected result; expected errors are written by
        // hand.
        let text = std::fs::read_to_string(&file).unwrap();
        if text.contains("\nquery error") {
            failures.push(format!("{}: contains `query error`", file.display()));
        }
    }
    // All files run, so that the first failure does not hide others.
    assert!(
        failures.is_empty(),
        "{} of the files failed:\n{}",
        failures.len(),
        failures.join("\n\n")
    );
}
