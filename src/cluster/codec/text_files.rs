//! Encodes scans of CSV and JSON. DataFusion encodes neither the compression of text files nor the
//! layout of JSON.

use std::sync::Arc;

use datafusion::common::parsers::CompressionTypeVariant;
use datafusion::common::{Result, internal_err, not_impl_err};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::physical_plan::{CsvSource, FileScanConfig, FileScanConfigBuilder};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::from_proto::{
    parse_protobuf_file_scan_config, parse_table_schema_from_proto,
};
use datafusion_proto::physical_plan::to_proto::serialize_file_scan_config;
use datafusion_proto::physical_plan::{
    PhysicalExtensionCodec, PhysicalPlanDecodeContext, PhysicalProtoConverterExtension,
};

use super::messages::{CsvNode, JsonNode, Operator};
use crate::cluster::plans::{plan_bytes, plan_of};
use crate::sources::data_files::named_files::NamedFiles;
use crate::sources::data_files::text_tables::csv::read_options::ReadOptions;
use crate::sources::data_files::text_tables::csv::source::{CsvRecords, with_reader};
use crate::sources::data_files::text_tables::json::source::JsonRecords;

/// Encodes a scan of CSV or JSON. `None` for other scans.
pub fn encode(
    plan: &DataSourceExec,
    codec: &dyn PhysicalExtensionCodec,
    converter: &dyn PhysicalProtoConverterExtension,
) -> Result<Option<Operator>> {
    if let Some((config, json)) = plan.downcast_to_file_source::<JsonRecords>() {
        return Ok(Some(Operator::Json(Box::new(JsonNode {
            config: Some(serialize_file_scan_config(config, codec, converter)?),
            compression: compression(config).to_string(),
            spans_lines: json.spans_lines(),
        }))));
    }
    if let Some((config, named)) = plan.downcast_to_file_source::<NamedFiles>() {
        let unnamed = FileScanConfigBuilder::from(config.clone())
            .with_source(Arc::clone(&named.source))
            .build();
        let scan = DataSourceExec::from_data_source(unnamed);
        return Ok(Some(Operator::NamedFiles(plan_bytes(scan, codec)?)));
    }
    let Some((config, csv)) = plan.downcast_to_file_source::<CsvRecords>() else {
        return Ok(None);
    };
    // Executors would parse in another way, or leave out records without a warning.
    let types = ReadOptions {
        typed_columns: csv.read.typed_columns,
        typed_names: csv.read.typed_names.clone(),
        ..ReadOptions::default()
    };
    if csv.read != types {
        return not_impl_err!(
            "skip, dateformat, timestampformat, decimal_separator and ignore_errors of read_csv do not work on a \
             cluster: read the files into Parquet without one first"
        );
    }
    let plain = FileScanConfigBuilder::from(config.clone())
        .with_source(Arc::clone(&csv.source))
        .with_file_compression_type(FileCompressionType::UNCOMPRESSED);
    let scan = DataSourceExec::from_data_source(plain.build());
    Ok(Some(Operator::Csv(CsvNode {
        scan: plan_bytes(scan, codec)?,
        compression: compression(config).to_string(),
        has_declared_columns: csv.payloads.is_none(),
        typed_columns: types.typed_columns as u64,
        typed_names: types.typed_names.into_iter().collect(),
    })))
}

/// Decodes a scan of JSON.
pub fn json(
    node: JsonNode,
    context: &TaskContext,
    codec: &dyn PhysicalExtensionCodec,
    converter: &dyn PhysicalProtoConverterExtension,
) -> Result<Arc<dyn ExecutionPlan>> {
    let config = node.config.unwrap_or_default();
    let schema = parse_table_schema_from_proto(&config)?;
    let source = Arc::new(JsonRecords::new(schema, node.spans_lines));
    let decode = PhysicalPlanDecodeContext::new(context, codec);
    let config = parse_protobuf_file_scan_config(&config, &decode, converter, source)?;
    with_compression(config, &node.compression)
}

/// Decodes a scan of CSV.
pub fn csv(
    node: &CsvNode,
    context: &TaskContext,
    codec: &dyn PhysicalExtensionCodec,
) -> Result<Arc<dyn ExecutionPlan>> {
    let plan = plan_of(&node.scan, context, codec)?;
    let scan = plan.downcast_ref::<DataSourceExec>();
    let scan = scan.and_then(|scan| scan.downcast_to_file_source::<CsvSource>());
    let Some((config, _)) = scan else {
        return internal_err!("expected a scan of CSV, got {}", plan.name());
    };
    // Only the client plans by the sizes of values.
    let payloads = (!node.has_declared_columns).then(Vec::new);
    let read = ReadOptions {
        typed_columns: usize::try_from(node.typed_columns).unwrap_or(usize::MAX),
        typed_names: node.typed_names.iter().cloned().collect(),
        ..ReadOptions::default()
    };
    with_reader(
        with_compression(config.clone(), &node.compression)?,
        payloads,
        read,
    )
}

fn compression(config: &FileScanConfig) -> CompressionTypeVariant {
    config.file_compression_type.into()
}

fn with_compression(config: FileScanConfig, compression: &str) -> Result<Arc<dyn ExecutionPlan>> {
    let compression: FileCompressionType = compression.parse()?;
    let config = FileScanConfigBuilder::from(config).with_file_compression_type(compression);
    Ok(DataSourceExec::from_data_source(config.build()))
}
