//! Keeps long texts and files out of the memory of hash joins: the side without them is held in
//! memory, and the other one is streamed.
//!
//! DataFusion compares sizes if it knows them, and otherwise the numbers of rows. It cannot
//! estimate the size of lists: if documents are joined with a list for each, both sides look equal,
//! and it holds the first.

use std::cmp::Ordering;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult};
use datafusion::common::{JoinType, Result};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::joins::HashJoinExec;
use datafusion::physical_plan::statistics::{StatisticsArgs, StatisticsContext};
use datafusion::physical_plan::{ExecutionPlan, Statistics};

use super::batch_size::BatchSizes;
use crate::tree_walk::TreeWalk;

/// The narrower side is held if it has at most this many times the rows of the wider side.
const MAX_ROWS_RATIO: usize = 16;

/// Swaps the sides of a hash join that would hold wider rows than it streams. It runs after
/// DataFusion's `join_selection`, and before the rules that distribute rows for the chosen side.
#[derive(Debug)]
pub struct BuildOnNarrowSide {
    /// Distinguishes short texts from long ones.
    sizes: BatchSizes,
}

impl BuildOnNarrowSide {
    pub fn new(sizes: BatchSizes) -> Self {
        Self { sizes }
    }

    fn holds_wider_side(&self, join: &HashJoinExec) -> Result<bool> {
        if !join.join_type().supports_swap() || join.null_aware {
            return Ok(false);
        }
        let (held, streamed) = (join.left(), join.right());
        let is_wider = match self.width(held).cmp(&self.width(streamed)) {
            Ordering::Greater => true,
            Ordering::Less => false,
            // The other side then has only the keys of `IN (SELECT …)` or `EXISTS`.
            Ordering::Equal => {
                matches!(join.join_type(), JoinType::LeftSemi | JoinType::LeftAnti)
                    && held.schema().fields().len() > streamed.schema().fields().len()
            }
        };
        if !is_wider {
            return Ok(false);
        }
        let (held, streamed) = (statistics(held)?, statistics(streamed)?);
        let bytes = |side: &Statistics| side.total_byte_size.get_value().copied();
        if bytes(&held).is_some() && bytes(&streamed).is_some() {
            return Ok(false);
        }
        let rows = |side: &Statistics| side.num_rows.get_value().copied();
        Ok(match (rows(&held), rows(&streamed)) {
            (Some(held), Some(streamed)) => streamed / MAX_ROWS_RATIO <= held,
            _ => true,
        })
    }

    /// The width of the rows of a side.
    fn width(&self, side: &Arc<dyn ExecutionPlan>) -> Width {
        match widest(&side.schema()) {
            Width::LongTexts | Width::Bytes if !self.sizes.returns_wide_rows(side) => {
                Width::ShortTexts
            }
            width => width,
        }
    }
}

impl PhysicalOptimizerRule for BuildOnNarrowSide {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if !config.optimizer.join_reordering {
            return Ok(plan);
        }
        plan.transform_up_dyn(&mut |plan| {
            let Some(join) = plan.downcast_ref::<HashJoinExec>() else {
                return Ok(Transformed::no(plan));
            };
            if self.holds_wider_side(join)? {
                Ok(Transformed::yes(join.swap_inputs(*join.partition_mode())?))
            } else {
                Ok(Transformed::no(plan))
            }
        })
        .data()
    }

    fn name(&self) -> &str {
        "hold_narrow_side"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

fn statistics(plan: &Arc<dyn ExecutionPlan>) -> Result<Arc<Statistics>> {
    StatisticsContext::new().compute(plan.as_ref(), &StatisticsArgs::new())
}

/// The kinds of rows, ordered by the memory that they may need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Width {
    Fixed,
    Lists,
    ShortTexts,
    LongTexts,
    /// Whole files and records.
    Bytes,
}

/// Returns the width of the widest column. Treats all texts as long.
fn widest(schema: &Schema) -> Width {
    let fields = schema.fields().iter();
    fields
        .map(|field| width_of(field.data_type()))
        .max()
        .unwrap_or(Width::Fixed)
}

fn width_of(kind: &DataType) -> Width {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Width::LongTexts,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Width::Bytes,
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => width_of(item.data_type()).max(Width::Lists),
        DataType::Struct(fields) => {
            let widths = fields.iter().map(|field| width_of(field.data_type()));
            widths.max().unwrap_or(Width::Fixed)
        }
        _ => Width::Fixed,
    }
}

#[cfg(test)]
mod tests {
    use datafusion::physical_plan::displayable;
    use datafusion::prelude::SessionContext;

    use crate::session::{SessionOptions, session};

    /// Returns the columns of the side that a join holds, if the sizes of both tables are unknown.
    async fn held(sql: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let context = tables(folder.path()).await;
        let plan = context.sql(sql).await.unwrap();
        let plan = plan.create_physical_plan().await.unwrap();
        let text = displayable(plan.as_ref()).indent(false).to_string();
        let mut below = text
            .lines()
            .skip_while(|line| !line.contains("HashJoinExec"));
        assert!(below.next().is_some(), "{text}");
        let scan = below.find(|line| line.contains("DataSourceExec")).unwrap();
        let columns = scan.split("projection=[").nth(1).unwrap();
        columns.split(']').next().unwrap().to_owned()
    }

    async fn tables(folder: &std::path::Path) -> SessionContext {
        let context = session(&SessionOptions::default()).unwrap();
        for (name, select) in [
            (
                "documents",
                "value AS id, concat(repeat('text ', 100), value) AS document",
            ),
            ("lists", "value AS id, [value, value] AS numbers"),
            ("numbers", "value AS id, value * 2 AS number"),
            ("few", "value AS id, 'word' AS word, [1] AS list"),
            (
                "urls",
                "value AS id, concat('https://example.org/', value) AS url",
            ),
        ] {
            let rows = if name == "few" { 2 } else { 100 };
            let path = folder.join(name).with_extension("parquet");
            let path = path.display();
            let copy = format!("COPY (SELECT {select} FROM range(0, {rows})) TO '{path}'");
            context.sql(&copy).await.unwrap().collect().await.unwrap();
            let table = format!("CREATE EXTERNAL TABLE {name} STORED AS PARQUET LOCATION '{path}'");
            context.sql(&table).await.unwrap();
        }
        context
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_side_without_texts_is_held() {
        for sql in [
            "SELECT * FROM documents JOIN lists USING (id)",
            "SELECT * FROM lists JOIN documents USING (id)",
            "SELECT * FROM documents LEFT JOIN lists ON lists.id = documents.id",
            "SELECT * FROM documents FULL JOIN lists ON lists.id = documents.id",
            "SELECT document, numbers FROM documents RIGHT JOIN lists ON lists.id = documents.id",
        ] {
            assert_eq!(held(sql).await, "id, numbers", "{sql}");
        }
        let sql = "SELECT numbers, number FROM lists JOIN numbers ON numbers.id = lists.id";
        assert_eq!(held(sql).await, "id, number");
        let sql = "SELECT unnest(numbers), number FROM numbers JOIN lists ON numbers.id = lists.id";
        assert_eq!(held(sql).await, "id, number");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn short_texts_are_held_rather_than_documents() {
        for sql in [
            "SELECT url, document FROM documents JOIN urls USING (id)",
            "SELECT url, document FROM urls JOIN documents USING (id)",
            "SELECT url, document FROM documents LEFT JOIN urls USING (id)",
        ] {
            assert_eq!(held(sql).await, "id, url", "{sql}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_side_without_files_is_held() {
        let files = "SELECT source_file, content FROM read_files('data-samples/files/')";
        let lines = "SELECT source_file, text FROM read_lines('data-samples/documents/')";
        for (sql, columns) in [
            (
                format!(
                    "SELECT * FROM ({files}) f JOIN ({lines}) l ON f.source_file = l.source_file"
                ),
                "source_file, text",
            ),
            (
                format!("{files} WHERE source_file IN (SELECT source_file FROM ({lines}))"),
                "source_file",
            ),
            (
                format!("{lines} WHERE source_file IN (SELECT source_file FROM ({files}))"),
                "source_file",
            ),
        ] {
            assert_eq!(held(&sql).await, columns, "{sql}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_side_with_far_fewer_rows_is_held_whatever_its_columns() {
        let sql = "SELECT word, few.list, numbers FROM few JOIN lists ON few.id = lists.id";
        assert_eq!(held(sql).await, "id, word, list");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn swapped_joins_return_the_same_rows() {
        let folder = tempfile::tempdir().unwrap();
        let context = tables(folder.path()).await;
        for kind in ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"] {
            let sql = format!(
                "SELECT count(*), sum(l.id), sum(n.id), sum(octet_length(document)) \
                 FROM documents l {kind} (SELECT id + 50 AS id, numbers FROM lists) n ON l.id = n.id"
            );
            let rows = async |reordering: bool| {
                let set = format!("SET datafusion.optimizer.join_reordering = {reordering}");
                context.sql(&set).await.unwrap().collect().await.unwrap();
                let batches = context.sql(&sql).await.unwrap().collect().await.unwrap();
                format!("{batches:?}")
            };
            assert_eq!(rows(true).await, rows(false).await, "{kind}");
        }
    }
}
