//! The widths of the columns that an operator returns.

use std::sync::Arc;

use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::common::{JoinType, Statistics};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::aggregate::AggregateFunctionExpr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::aggregates::{
    AggregateExec, AggregateInputMode, AggregateOutputMode,
};
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::joins::{
    CrossJoinExec, HashJoinExec, NestedLoopJoinExec, SortMergeJoinExec,
};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::scalar_subquery::ScalarSubqueryExec;
use datafusion::physical_plan::streaming::StreamingTableExec;
use datafusion::physical_plan::union::{InterleaveExec, UnionExec};
use datafusion::physical_plan::unnest::UnnestExec;

use super::width::{self, Width};
use super::{FilesAreRows, PayloadColumns};
use crate::planner::evaluate_once::EvaluateOnceExec;
use crate::planner::lateral::LateralExec;

/// The maximum number of batches of an in-memory table that are measured.
const MAX_MEASURED_BATCHES: usize = 64;

/// The assumed compression ratio of files.
const COMPRESSION_RATIO: usize = 4;

/// The format whose reader holds all columns of a batch, whichever the query needs. The reader of
/// JSON does so, too, but limits the bytes of a batch.
const WHOLE_ROW_FORMAT: &str = "csv";

/// Aggregates that return one of their input values.
const SELECTING_AGGREGATES: [&str; 7] = [
    "any_value",
    "first_value",
    "last_value",
    "max",
    "min",
    "mode",
    "nth_value",
];

/// Returns the width of each column of an operator. `inputs`: the widths of its inputs.
pub fn widths(
    plan: &dyn ExecutionPlan,
    inputs: &[&[Width]],
    payloads: PayloadColumns,
) -> Vec<Width> {
    let schema = plan.schema();
    let widths = known_widths(plan, inputs, payloads);
    match widths.filter(|widths| widths.len() == schema.fields().len()) {
        Some(widths) => widths,
        None => unknown_widths(&schema),
    }
}

fn unknown_widths(schema: &Schema) -> Vec<Width> {
    let fields = schema.fields().iter();
    fields
        .map(|field| width::of_type(field.data_type()))
        .collect()
}

fn known_widths(
    plan: &dyn ExecutionPlan,
    inputs: &[&[Width]],
    payloads: PayloadColumns,
) -> Option<Vec<Width>> {
    if let Some(scan) = plan.downcast_ref::<DataSourceExec>() {
        let source = scan.data_source();
        if let Some(scan) = source.downcast_ref::<FileScanConfig>() {
            return Some(of_files(scan, payloads));
        }
        return source.downcast_ref::<MemorySourceConfig>().map(of_memory);
    }
    if let Some(stream) = plan.downcast_ref::<StreamingTableExec>()
        && !stream.is_infinite()
    {
        // Tables of the information schema are small. They also show the settings with which they
        // run, so these must not change.
        return Some(vec![Width::Narrow; plan.schema().fields().len()]);
    }
    match inputs {
        [] => None,
        [input] => of_one_input(plan, input),
        [input, ..] if plan.is::<ScalarSubqueryExec>() => Some(input.to_vec()),
        inputs if is_union(plan) => {
            let columns = 0..inputs.iter().map(|input| input.len()).min()?;
            let widest = |column| inputs.iter().filter_map(|input| input.get(column)).max();
            columns.map(|column| widest(column).copied()).collect()
        }
        [left, right] => of_join(plan, left, right),
        _ => None,
    }
}

pub fn is_union(plan: &dyn ExecutionPlan) -> bool {
    plan.is::<UnionExec>() || plan.is::<InterleaveExec>()
}

fn of_one_input(plan: &dyn ExecutionPlan, input: &[Width]) -> Option<Vec<Width>> {
    let child = Arc::clone(plan.children().first()?);
    let schema = child.schema();
    if let Some(projection) = plan.downcast_ref::<ProjectionExec>() {
        return Some(of_projection(projection, input, &schema));
    }
    if let Some(calls) = plan.downcast_ref::<EvaluateOnceExec>() {
        return Some(of_projection(calls.projection(), input, &schema));
    }
    if let Some(filter) = plan.downcast_ref::<FilterExec>() {
        return project(input.to_vec(), filter.projection().as_deref());
    }
    if let Some(unnest) = plan.downcast_ref::<UnnestExec>() {
        return Some(of_unnest(unnest, input, &schema));
    }
    if let Some(aggregate) = plan.downcast_ref::<AggregateExec>() {
        return of_aggregate(aggregate, input, &schema);
    }
    if plan.is::<LateralExec>() {
        let all = unknown_widths(&plan.schema());
        let of_call = all.into_iter().skip(input.len());
        return Some(input.iter().copied().chain(of_call).collect());
    }
    // Sorts, limits and repartitions pass all columns on. Windows append columns. Other operators
    // compute new columns from their input.
    let output = plan.schema();
    let is_passed_on = output.fields().len() >= schema.fields().len()
        && schema
            .fields()
            .iter()
            .zip(output.fields())
            .all(|(before, after)| {
                before.name() == after.name() && before.data_type() == after.data_type()
            });
    let passed_on = if is_passed_on { input } else { &[] };
    let widest = input.iter().copied().max().unwrap_or(Width::Wide);
    let made = output.fields().iter().skip(passed_on.len()).map(|field| {
        if width::is_fixed(field.data_type()) {
            Width::Narrow
        } else {
            widest
        }
    });
    Some(passed_on.iter().copied().chain(made).collect())
}

fn of_projection(projection: &ProjectionExec, input: &[Width], schema: &Schema) -> Vec<Width> {
    let columns = projection.expr().iter();
    columns
        .map(|column| width::of_expr(column.expr.as_ref(), input, schema))
        .collect()
}

fn project(widths: Vec<Width>, projection: Option<&[usize]>) -> Option<Vec<Width>> {
    match projection {
        None => Some(widths),
        Some(columns) => columns
            .iter()
            .map(|column| widths.get(*column).copied())
            .collect(),
    }
}

/// Returns the widths of the columns of a scan's files, before its projection.
fn of_table(scan: &FileScanConfig, payloads: PayloadColumns) -> Vec<Width> {
    let source = scan.file_source();
    let payloads = payloads(source.as_ref());
    let statistics = scan.statistics();
    let schema = source.table_schema().table_schema();
    let columns = schema.fields().iter().enumerate();
    columns
        .map(|(index, field)| match &payloads {
            // Further columns come from paths.
            Some(payloads) => match payloads.get(index) {
                Some(true) => width::of_type(field.data_type()),
                _ => Width::Narrow,
            },
            None => of_statistics(&statistics, index, field.data_type())
                .unwrap_or_else(|| width::of_type(field.data_type())),
        })
        .collect()
}

fn of_files(scan: &FileScanConfig, payloads: PayloadColumns) -> Vec<Width> {
    let table = of_table(scan, payloads);
    let source = scan.file_source();
    let Some(projection) = source.projection() else {
        return table;
    };
    let schema = source.table_schema().table_schema();
    let columns = projection.iter();
    columns
        .map(|column| width::of_expr(column.expr.as_ref(), &table, schema))
        .collect()
}

/// Whether an operator handles wide values that appear neither in its columns nor in those of its
/// inputs: a scan that returns only values computed from them, or an expression such as
/// `length(repeat(url, 1000))`.
pub fn has_hidden_wide_values(
    plan: &dyn ExecutionPlan,
    inputs: &[&[Width]],
    payloads: PayloadColumns,
) -> bool {
    if let Some(scan) = plan.downcast_ref::<DataSourceExec>() {
        let scan = scan.data_source().downcast_ref::<FileScanConfig>();
        return scan.is_some_and(|scan| holds_wide_values(scan, payloads));
    }
    let children = plan.children();
    let ([input], [child]) = (inputs, children.as_slice()) else {
        return false;
    };
    let schema = child.schema();
    let is_wide =
        |expr: &Arc<dyn PhysicalExpr>| width::computes_wide_values(expr.as_ref(), input, &schema);
    if let Some(projection) = plan.downcast_ref::<ProjectionExec>() {
        projection.expr().iter().any(|column| is_wide(&column.expr))
    } else if let Some(filter) = plan.downcast_ref::<FilterExec>() {
        is_wide(filter.predicate())
    } else if let Some(aggregate) = plan.downcast_ref::<AggregateExec>()
        && aggregate.mode().input_mode() == AggregateInputMode::Raw
    {
        let groups = aggregate.group_expr().expr().iter();
        let functions = aggregate.aggr_expr().iter();
        groups.map(|(group, _)| group).any(is_wide)
            || functions
                .flat_map(|function| function.expressions())
                .any(|argument| is_wide(&argument))
    } else {
        false
    }
}

fn holds_wide_values(scan: &FileScanConfig, payloads: PayloadColumns) -> bool {
    let source = scan.file_source();
    let table = of_table(scan, payloads);
    match source.projection() {
        Some(projection) if source.file_type() != WHOLE_ROW_FORMAT => {
            let schema = source.table_schema().table_schema();
            projection.column_indices().into_iter().any(|column| {
                table
                    .get(column)
                    .is_none_or(|width| *width != Width::Narrow)
            }) || projection
                .iter()
                .any(|column| width::computes_wide_values(column.expr.as_ref(), &table, schema))
        }
        _ => !width::is_narrow(&table),
    }
}

/// Whether an operator scans a source for which `is_source` holds.
pub fn reads(plan: &dyn ExecutionPlan, is_source: FilesAreRows) -> bool {
    plan.downcast_ref::<DataSourceExec>()
        .and_then(|scan| scan.data_source().downcast_ref::<FileScanConfig>())
        .is_some_and(|scan| is_source(scan.file_source().as_ref()))
}

/// The average size of the rows that a scan returns. `None` if the files have no statistics.
pub fn average_row(plan: &dyn ExecutionPlan) -> Option<usize> {
    let scan = plan.downcast_ref::<DataSourceExec>()?;
    let scan = scan.data_source().downcast_ref::<FileScanConfig>()?;
    let statistics = scan.statistics();
    let rows = *statistics.num_rows.get_value()?;
    let columns = match scan.file_source().projection() {
        Some(projection) => projection.column_indices(),
        None => (0..statistics.column_statistics.len()).collect(),
    };
    let (mut bytes, mut has_unknown) = (0, false);
    for column in columns {
        let column = statistics.column_statistics.get(column)?;
        match column.byte_size.get_value() {
            Some(size) => bytes += size,
            None => has_unknown = true,
        }
    }
    // Nested columns have no statistics.
    if has_unknown {
        let files = scan.file_groups.iter().flat_map(|group| group.files());
        let size: u64 = files.map(PartitionedFile::effective_size).sum();
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        bytes = bytes.max(size.saturating_mul(COMPRESSION_RATIO));
    }
    bytes.checked_div(rows)
}

fn of_statistics(statistics: &Statistics, column: usize, data_type: &DataType) -> Option<Width> {
    // The sizes of nested columns are unknown.
    if data_type.is_nested() {
        return None;
    }
    let rows = *statistics.num_rows.get_value()?;
    let column = statistics.column_statistics.get(column)?;
    Some(width::of_average(*column.byte_size.get_value()?, rows))
}

fn of_memory(source: &MemorySourceConfig) -> Vec<Width> {
    let batches: Vec<&RecordBatch> = source
        .partitions()
        .iter()
        .flatten()
        .take(MAX_MEASURED_BATCHES)
        .collect();
    let rows = batches.iter().map(|batch| batch.num_rows()).sum();
    let column = |index: usize| {
        let bytes = batches.iter().map(|batch| {
            let values = batch.column(index).to_data();
            values.get_slice_memory_size().unwrap_or(usize::MAX)
        });
        width::of_average(bytes.fold(0, usize::saturating_add), rows)
    };
    let columns = source.original_schema().fields().len();
    match source.projection() {
        Some(projection) => projection.iter().copied().map(column).collect(),
        None => (0..columns).map(column).collect(),
    }
}

/// Replaces lists by their elements, and structs by their fields.
fn of_unnest(unnest: &UnnestExec, input: &[Width], schema: &Schema) -> Vec<Width> {
    let mut widths = Vec::with_capacity(input.len());
    for ((index, field), width) in schema.fields().iter().enumerate().zip(input) {
        let lists = unnest.list_column_indices().iter();
        let depths = lists.filter(|list| list.index_in_input_schema == index);
        let outputs = depths.clone().count();
        if outputs > 0 {
            widths.extend(depths.map(|list| {
                let element = (0..list.depth).try_fold(field.data_type(), |data_type, _| {
                    width::element_type(data_type)
                });
                match (width, element.is_some_and(width::is_fixed)) {
                    (Width::Wide | Width::Structs(_), false) => *width,
                    _ => Width::Narrow,
                }
            }));
        } else if let DataType::Struct(fields) = field.data_type()
            && unnest.struct_column_indices().contains(&index)
        {
            widths.extend(fields.iter().map(|field| match width {
                Width::Narrow => Width::Narrow,
                Width::Structs(columns) => width::of_field(columns, field.name()),
                _ => width::of_type(field.data_type()),
            }));
        } else {
            widths.push(*width);
        }
    }
    widths
}

/// Returns the widths of the groups, then of the results or states of the aggregates.
fn of_aggregate(aggregate: &AggregateExec, input: &[Width], schema: &Schema) -> Option<Vec<Width>> {
    let groups = aggregate.group_expr();
    let mut widths: Vec<_> = groups
        .expr()
        .iter()
        .map(|(expr, _)| width::of_expr(expr.as_ref(), input, schema))
        .collect();
    // The number of the grouping set.
    widths.resize(aggregate.output_group_expr().len(), Width::Narrow);
    let output = aggregate.schema();
    for (function, argument) in arguments(aggregate, input, schema)? {
        let fields = match aggregate.mode().output_mode() {
            AggregateOutputMode::Partial => function.state_fields().ok()?.len(),
            AggregateOutputMode::Final => 1,
        };
        for field in output.fields().iter().skip(widths.len()).take(fields) {
            let name = function.fun().name();
            let data_type = field.data_type();
            widths.push(if width::is_fixed(data_type) {
                Width::Narrow
            } else if SELECTING_AGGREGATES.contains(&name) {
                argument
            } else if width::element_type(data_type).is_some() && argument == Width::Narrow {
                Width::NarrowElements
            } else {
                Width::Wide
            });
        }
    }
    Some(widths)
}

/// Returns the aggregates with the width of their widest argument. A final aggregation has states
/// in place of arguments.
fn arguments<'a>(
    aggregate: &'a AggregateExec,
    input: &[Width],
    schema: &Schema,
) -> Option<Vec<(&'a AggregateFunctionExpr, Width)>> {
    let mut states = input.iter().skip(aggregate.output_group_expr().len());
    let functions = aggregate.aggr_expr().iter();
    functions
        .map(|function| {
            let widest = match aggregate.mode().input_mode() {
                AggregateInputMode::Raw => {
                    let arguments = function.expressions();
                    let arguments = arguments.iter();
                    arguments
                        .map(|argument| width::of_expr(argument.as_ref(), input, schema))
                        .max()
                }
                AggregateInputMode::Partial => {
                    let count = function.state_fields().ok()?.len();
                    states.by_ref().take(count).copied().max()
                }
            };
            Some((function.as_ref(), widest.unwrap_or(Width::Narrow)))
        })
        .collect()
}

/// Whether an aggregation holds wide values: as groups, or in its aggregates.
pub fn collects_wide_values(aggregate: &AggregateExec, input: &[Width], output: &[Width]) -> bool {
    let schema = aggregate.input().schema();
    let arguments = arguments(aggregate, input, &schema);
    !width::is_narrow(output)
        || arguments.is_none_or(|arguments| {
            arguments
                .iter()
                .any(|(_, argument)| *argument != Width::Narrow)
        })
}

fn of_join(plan: &dyn ExecutionPlan, left: &[Width], right: &[Width]) -> Option<Vec<Width>> {
    let (join_type, projection) = if let Some(join) = plan.downcast_ref::<HashJoinExec>() {
        (*join.join_type(), join.projection.as_deref())
    } else if let Some(join) = plan.downcast_ref::<NestedLoopJoinExec>() {
        (*join.join_type(), join.projection().as_deref())
    } else if let Some(join) = plan.downcast_ref::<SortMergeJoinExec>() {
        (join.join_type(), None)
    } else if plan.is::<CrossJoinExec>() {
        (JoinType::Inner, None)
    } else {
        return None;
    };
    let widths = match join_type {
        JoinType::Inner | JoinType::Left | JoinType::Right | JoinType::Full => {
            [left, right].concat()
        }
        JoinType::LeftSemi | JoinType::LeftAnti => left.to_vec(),
        JoinType::RightSemi | JoinType::RightAnti => right.to_vec(),
        JoinType::LeftMark => [left, &[Width::Narrow]].concat(),
        JoinType::RightMark => [right, &[Width::Narrow]].concat(),
    };
    project(widths, projection)
}
