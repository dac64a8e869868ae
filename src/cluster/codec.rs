//! Our operators as bytes, for plans that travel to other processes.
//!
//! DataFusion and Ballista encode their own operators. Of ours, those in [`AT_CLIENT`] never travel;
//! a test lists the others.

use std::collections::HashMap;
use std::sync::Arc;

use ballista_core::serde::BallistaPhysicalExtensionCodec;
use datafusion::common::{Result, internal_err, plan_err};
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::execution_plan::ChildrenPropertiesMode;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::sorts::partitioned_topk::{PartitionedTopKExec, WindowFnKind};
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{ExecutionPlan, ReplaceChildrenOptions};
use datafusion_proto::physical_plan::from_proto::{
    parse_protobuf_file_scan_config, parse_table_schema_from_proto,
};
use datafusion_proto::physical_plan::to_proto::serialize_file_scan_config;
use datafusion_proto::physical_plan::{
    PhysicalExtensionCodec, PhysicalPlanDecodeContext, PhysicalProtoConverterExtension,
};
use datafusion_proto::protobuf::{FileScanExecConf, PhysicalExprNode};
use prost::{Message, Oneof};

use super::marks::FileMark;
use super::parts::{PartsNode, WritePartsExec};
use super::plans::{damaged, plan_bytes, plan_of, schema_bytes, schema_of};
use super::version::{VERSION, mismatch};
use crate::connected_components::ConnectedComponentsExec;
use crate::planning::batch_size::BatchSizeExec;
use crate::planning::evaluate_once::EvaluateOnceExec;
use crate::planning::row_numbers::RowNumberExec;
use crate::settings::CorpusSettings;
use crate::sources::configured_format;
use crate::sources::scan::RecordSource;

/// Our operators that run in the client.
pub const AT_CLIENT: [&str; 6] = [
    "ClusterExec",
    "CompleteCopyExec",
    "InOrderExec",
    "PartsExec",
    "SearchExec",
    "UnchangedExec",
];

/// Precedes our operators.
const MAGIC: &[u8] = b"corpus-sql\0";

/// One operator of ours.
#[derive(Clone, PartialEq, Message)]
struct Node {
    #[prost(string, tag = "1")]
    version: String,
    #[prost(oneof = "Operator", tags = "2, 3, 4, 5, 6, 7, 8")]
    operator: Option<Operator>,
}

/// Only the version: operators of another version may look different.
#[derive(Clone, PartialEq, Message)]
struct Versioned {
    #[prost(string, tag = "1")]
    version: String,
}

#[derive(Clone, PartialEq, Oneof)]
enum Operator {
    #[prost(message, tag = "2")]
    Scan(Box<ScanNode>),
    /// The projection, above an operator without rows.
    #[prost(bytes, tag = "3")]
    EvaluateOnce(Vec<u8>),
    /// The window, above an operator without rows.
    #[prost(bytes, tag = "4")]
    RowNumber(Vec<u8>),
    #[prost(message, tag = "5")]
    ConnectedComponents(ComponentsNode),
    #[prost(message, tag = "6")]
    WriteParts(PartsNode),
    /// One of DataFusion's, which it does not encode.
    #[prost(message, tag = "7")]
    PartitionedTopK(TopKNode),
    #[prost(message, tag = "8")]
    BatchSize(BatchSizeNode),
}

#[derive(Clone, PartialEq, Message)]
struct ScanNode {
    #[prost(string, tag = "1")]
    format: String,
    #[prost(map = "string, string", tag = "2")]
    options: HashMap<String, String>,
    /// Has the projection, too.
    #[prost(message, optional, tag = "3")]
    config: Option<FileScanExecConf>,
    #[prost(message, repeated, tag = "4")]
    filters: Vec<PhysicalExprNode>,
    #[prost(message, repeated, tag = "5")]
    marks: Vec<FileMark>,
}

#[derive(Clone, PartialEq, Message)]
struct ComponentsNode {
    #[prost(uint32, optional, tag = "1")]
    max_size: Option<u32>,
    #[prost(bytes, tag = "2")]
    schema: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
struct BatchSizeNode {
    #[prost(uint64, tag = "1")]
    rows: u64,
    #[prost(uint64, optional, tag = "2")]
    output_rows: Option<u64>,
}

#[derive(Clone, PartialEq, Message)]
struct TopKNode {
    /// A sort in the same order, above an operator without rows.
    #[prost(bytes, tag = "1")]
    sort: Vec<u8>,
    #[prost(uint64, tag = "2")]
    partition_prefix: u64,
    #[prost(uint64, tag = "3")]
    fetch: u64,
    #[prost(bool, tag = "4")]
    is_rank: bool,
}

/// Encodes and decodes all operators. The other ones are left to Ballista.
#[derive(Debug, Default)]
pub struct CorpusCodec(BallistaPhysicalExtensionCodec);

impl PhysicalExtensionCodec for CorpusCodec {
    fn try_encode(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        if AT_CLIENT.contains(&plan.name()) {
            return plan_err!("{} runs in the client only", plan.name());
        }
        let Some(operator) = self.encoded(&plan, converter)? else {
            return self.0.try_encode(plan, bytes, converter);
        };
        let node = Node {
            version: VERSION.clone(),
            operator: Some(operator),
        };
        bytes.extend_from_slice(MAGIC);
        bytes.extend(node.encode_to_vec());
        Ok(())
    }

    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(bytes) = bytes.strip_prefix(MAGIC) else {
            return self.0.try_decode(bytes, inputs, context, converter);
        };
        let Versioned { version } = Versioned::decode(bytes).map_err(damaged)?;
        if version != *VERSION {
            return plan_err!("{}", mismatch("a process of this cluster", &version));
        }
        let Some(operator) = Node::decode(bytes).map_err(damaged)?.operator else {
            return internal_err!("an operator is missing");
        };
        match operator {
            Operator::Scan(scan) => self.scan(*scan, context, converter),
            Operator::EvaluateOnce(bytes) => {
                let plan = plan_of(&bytes, context, self)?;
                let Some(projection) = plan.downcast_ref::<ProjectionExec>() else {
                    return internal_err!("expected a projection, got {}", plan.name());
                };
                let projection =
                    ProjectionExec::try_new(projection.expr().to_vec(), only(inputs)?)?;
                Ok(Arc::new(EvaluateOnceExec::new(projection)))
            }
            Operator::RowNumber(bytes) => {
                let window = plan_of(&bytes, context, self)?;
                let window = window.replace_children(vec![only(inputs)?], RECOMPUTE)?;
                Ok(Arc::new(RowNumberExec::new(window)))
            }
            Operator::ConnectedComponents(ComponentsNode { max_size, schema }) => {
                let schema = schema_of(&schema, context, self)?;
                let edges = only(inputs)?;
                Ok(Arc::new(ConnectedComponentsExec::new(
                    edges, max_size, schema,
                )))
            }
            Operator::BatchSize(BatchSizeNode { rows, output_rows }) => {
                Ok(Arc::new(BatchSizeExec::new(
                    only(inputs)?,
                    rows as usize,
                    output_rows.map(|rows| rows as usize),
                )))
            }
            Operator::PartitionedTopK(node) => {
                let plan = plan_of(&node.sort, context, self)?;
                let Some(sort) = plan.downcast_ref::<SortExec>() else {
                    return internal_err!("expected a sort, got {}", plan.name());
                };
                Ok(Arc::new(PartitionedTopKExec::try_new(
                    only(inputs)?,
                    sort.expr().clone(),
                    node.partition_prefix as usize,
                    node.fetch as usize,
                    match node.is_rank {
                        true => WindowFnKind::Rank,
                        false => WindowFnKind::RowNumber,
                    },
                )?))
            }
            Operator::WriteParts(node) => {
                let exec = WritePartsExec::decode(node, only(inputs)?, context, self)?;
                Ok(Arc::new(exec))
            }
        }
    }
}

const RECOMPUTE: ReplaceChildrenOptions =
    ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);

impl CorpusCodec {
    /// `None` if the operator is not one of ours.
    fn encoded(
        &self,
        plan: &Arc<dyn ExecutionPlan>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Option<Operator>> {
        if let Some(once) = plan.downcast_ref::<EvaluateOnceExec>() {
            let projection = once.projection();
            let nothing = Arc::new(EmptyExec::new(projection.input().schema()));
            let projection = ProjectionExec::try_new(projection.expr().to_vec(), nothing)?;
            let bytes = plan_bytes(Arc::new(projection), self)?;
            return Ok(Some(Operator::EvaluateOnce(bytes)));
        }
        if let Some(numbers) = plan.downcast_ref::<RowNumberExec>() {
            let window = numbers.window();
            let schema = window.children().first().map(|input| input.schema());
            let Some(schema) = schema else {
                return internal_err!("RowNumberExec has one input");
            };
            let nothing: Arc<dyn ExecutionPlan> = Arc::new(EmptyExec::new(schema));
            let window = Arc::clone(window).replace_children(vec![nothing], RECOMPUTE)?;
            return Ok(Some(Operator::RowNumber(plan_bytes(window, self)?)));
        }
        if let Some(sized) = plan.downcast_ref::<BatchSizeExec>() {
            return Ok(Some(Operator::BatchSize(BatchSizeNode {
                rows: sized.rows() as u64,
                output_rows: sized.output_rows().map(|rows| rows as u64),
            })));
        }
        if let Some(components) = plan.downcast_ref::<ConnectedComponentsExec>() {
            return Ok(Some(Operator::ConnectedComponents(ComponentsNode {
                max_size: components.max_size(),
                schema: schema_bytes(components.schema(), self)?,
            })));
        }
        if let Some(write) = plan.downcast_ref::<WritePartsExec>() {
            return Ok(Some(Operator::WriteParts(write.encode(self)?)));
        }
        if let Some(top) = plan.downcast_ref::<PartitionedTopKExec>() {
            let nothing = Arc::new(EmptyExec::new(top.input().schema()));
            let sort = SortExec::new(top.expr().clone(), nothing);
            return Ok(Some(Operator::PartitionedTopK(TopKNode {
                sort: plan_bytes(Arc::new(sort), self)?,
                partition_prefix: top.partition_prefix_len() as u64,
                fetch: top.fetch() as u64,
                is_rank: matches!(top.fn_kind(), WindowFnKind::Rank),
            })));
        }
        let scan = plan.downcast_ref::<DataSourceExec>();
        let scan = scan.and_then(|scan| scan.downcast_to_file_source::<RecordSource>());
        match scan {
            Some((config, source)) => {
                let scan = self.encoded_scan(config, source, converter)?;
                Ok(Some(Operator::Scan(Box::new(scan))))
            }
            None => Ok(None),
        }
    }

    fn encoded_scan(
        &self,
        config: &FileScanConfig,
        source: &RecordSource,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<ScanNode> {
        let format = source.format();
        let options = format.configuration().into_iter();
        let options = options.map(|(name, value)| (name.to_owned(), value));
        let options: HashMap<String, String> = options.collect();
        // A format that a program has registered does not exist in the other processes.
        configured_format(format.name(), &options)?;
        let filters = source.filters().iter();
        Ok(ScanNode {
            format: format.name().to_owned(),
            options,
            config: Some(serialize_file_scan_config(config, self, converter)?),
            filters: filters
                .map(|filter| converter.physical_expr_to_proto(filter, self))
                .collect::<Result<_>>()?,
            marks: FileMark::all(&config.file_groups),
        })
    }

    fn scan(
        &self,
        scan: ScanNode,
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let config = scan.config.unwrap_or_default();
        let schema = parse_table_schema_from_proto(&config)?;
        let decode = PhysicalPlanDecodeContext::new(context, self);
        let filters = scan
            .filters
            .iter()
            .map(|filter| converter.proto_to_physical_expr(filter, schema.table_schema(), &decode));
        let filters = filters.collect::<Result<_>>()?;
        let settings = CorpusSettings::of(context.session_config().options());
        let format = configured_format(&scan.format, &scan.options)?;
        let source = RecordSource::new(format, schema, settings).for_client(filters);
        let mut config =
            parse_protobuf_file_scan_config(&config, &decode, converter, Arc::new(source))?;
        FileMark::restore(scan.marks, &mut config.file_groups)?;
        Ok(DataSourceExec::from_data_source(config))
    }
}

fn only(inputs: &[Arc<dyn ExecutionPlan>]) -> Result<Arc<dyn ExecutionPlan>> {
    match inputs {
        [input] => Ok(Arc::clone(input)),
        inputs => internal_err!("expected one input, got {}", inputs.len()),
    }
}

/// Encodes a plan. An error says which of its operators cannot run elsewhere.
pub fn job_bytes(plan: &Arc<dyn ExecutionPlan>) -> Result<Vec<u8>> {
    let codec = CorpusCodec::default();
    let error = match plan_bytes(Arc::clone(plan), &codec) {
        Ok(bytes) => return Ok(bytes),
        Err(error) => error,
    };
    // The error of DataFusion has the whole plan.
    let reason = match culprit(plan, &codec) {
        Some(("SearchExec", _)) => "search() reads its index in the client".to_owned(),
        Some((name, Some(reason))) => format!("{name}: {reason}"),
        Some((name, None)) => format!("the operator {name} runs in one process only"),
        None => error.strip_backtrace(),
    };
    plan_err!("this cannot run on a cluster: {reason}; run it without --cluster")
}

/// The lowest operator that cannot be encoded, and why if that is not its kind.
fn culprit<'a>(
    plan: &'a Arc<dyn ExecutionPlan>,
    codec: &CorpusCodec,
) -> Option<(&'a str, Option<String>)> {
    let below = plan.children().into_iter();
    if let Some(found) = below.filter_map(|input| culprit(input, codec)).next() {
        return Some(found);
    }
    let error = plan_bytes(Arc::clone(plan), codec).err()?;
    let reason = error.strip_backtrace();
    let is_short = !reason.contains("Unsupported plan");
    Some((plan.name(), is_short.then_some(reason)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use corpus_bytes::places::Place;
    use corpus_bytes::record::RecordError;
    use datafusion::datasource::listing::PartitionedFile;
    use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder};
    use datafusion::datasource::table_schema::TableSchema;
    use datafusion::execution::object_store::ObjectStoreUrl;
    use datafusion::physical_plan::displayable;

    use super::*;
    use crate::session::{SessionOptions, session};
    use crate::sources::indexed::{KnownErrors, Places};

    /// Our operators that run on executors. A scan is DataFusion's operator with our source.
    const ON_EXECUTORS: [&str; 5] = [
        "BatchSizeExec",
        "ConnectedComponentsExec",
        "EvaluateOnceExec",
        "RowNumberExec",
        "WritePartsExec",
    ];

    fn operators_in(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                operators_in(&path, found);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for line in text.lines() {
                if let Some(name) = line.strip_prefix("impl ExecutionPlan for ") {
                    found.insert(name.trim_end_matches(" {").to_owned());
                }
            }
        }
    }

    #[test]
    fn every_operator_has_a_place() {
        let mut found = BTreeSet::new();
        operators_in(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
            &mut found,
        );
        let placed: BTreeSet<String> = ON_EXECUTORS
            .iter()
            .chain(&AT_CLIENT)
            .map(|name| (*name).to_owned())
            .collect();
        assert_eq!(found, placed);
    }

    /// Encodes and decodes a plan.
    fn travelled(plan: &Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
        let context = session(&SessionOptions::default()).unwrap().task_ctx();
        let bytes = job_bytes(plan).unwrap();
        plan_of(&bytes, &context, &CorpusCodec::default()).unwrap()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn plans_are_the_same_after_the_journey() {
        let context = session(&SessionOptions {
            cluster: Some("nowhere:1".parse().unwrap()),
            ..SessionOptions::default()
        });
        let context = context.unwrap();
        let mut seen = BTreeSet::new();
        for sql in [
            "SELECT row_number() OVER (ORDER BY offset DESC) AS n, p['title'] AS title FROM (SELECT \
             offset, html_parse(body) AS p FROM read_warc('data-samples/web/') WHERE warc_type = \
             'response' AND content_length > 10) WHERE p['title'] IS NOT NULL LIMIT 5",
            "SELECT * FROM read_warc('data-samples/warc/', 'index', 'data-samples/warc/crawl.cdxj')",
            "SELECT key, value FROM read_sequencefile('data-samples/sequence/')",
            "SELECT count(*) FROM read_files('data-samples/files/', 'unpack', 'false')",
            "SELECT * FROM connected_components('SELECT offset, length FROM \
             read_warc(''data-samples/web/'')', 'max_size', 3)",
        ] {
            let plan = context.sql(sql).await.unwrap().create_physical_plan().await;
            let plan = Arc::clone(plan.unwrap().children()[0]);
            let again = travelled(&plan);
            let text =
                |plan: &Arc<dyn ExecutionPlan>| displayable(plan.as_ref()).indent(true).to_string();
            assert_eq!(text(&again), text(&plan), "{sql}");
            seen.extend(
                ON_EXECUTORS
                    .into_iter()
                    .filter(|name| text(&plan).contains(name)),
            );
        }
        // That of parts has tests of its own.
        assert_eq!(seen.len(), ON_EXECUTORS.len() - 1, "{seen:?}");
    }

    #[test]
    fn a_scan_keeps_all_of_its_parts() {
        let options = |pairs: &[(&str, &str)]| -> HashMap<String, String> {
            let pairs = pairs.iter();
            pairs
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect()
        };
        let given = options(&[("index", "i.cdxj"), ("index_order", "sorted")]);
        let format = configured_format("WARC", &given).unwrap();
        let schema = corpus_columns::record::schema(format.columns());
        let schema = TableSchema::builder(schema).build();
        let source = RecordSource::new(Arc::clone(&format), schema, CorpusSettings::default());
        let places = [
            Place {
                offset: 5,
                length: None,
            },
            Place {
                offset: 9,
                length: Some(3),
            },
        ];
        let error = (7, RecordError::new("bad line in the index", "it is empty"));
        let files = vec![
            PartitionedFile::new("plain.warc.gz", 10).with_range(2, 8),
            PartitionedFile::new("a b.warc.gz", 20).with_extension(Places(Arc::from(places))),
            PartitionedFile::new("", 0).with_extension(KnownErrors {
                name: "index.cdxj".into(),
                errors: Arc::from([error.clone()]),
            }),
        ];
        let url = ObjectStoreUrl::parse("s3://bucket").unwrap();
        let config = FileScanConfigBuilder::new(url, Arc::new(source))
            .with_file_groups(vec![FileGroup::default(), FileGroup::new(files)])
            .with_limit(Some(4))
            .build();
        let scan: Arc<dyn ExecutionPlan> = DataSourceExec::from_data_source(config);
        let again = travelled(&scan);
        let again = again.downcast_ref::<DataSourceExec>().unwrap();
        let (config, source) = again.downcast_to_file_source::<RecordSource>().unwrap();
        assert_eq!(source.description(), format!("{format:?}"));
        assert_eq!(config.object_store_url.as_str(), "s3://bucket/");
        assert_eq!(config.limit, Some(4));
        let files: Vec<_> = config.file_groups[1].iter().collect();
        assert_eq!(
            files[0]
                .range
                .as_ref()
                .map(|range| (range.start, range.end)),
            Some((2, 8))
        );
        assert!(files[0].extension::<Places>().is_none());
        assert_eq!(*files[1].extension::<Places>().unwrap().0, places);
        let known = files[2].extension::<KnownErrors>().unwrap();
        assert_eq!(&*known.name, "index.cdxj");
        assert_eq!(format!("{:?}", known.errors), format!("{:?}", [error]));
    }

    #[test]
    fn another_version_is_refused() {
        let node = Node {
            version: "0.0.1 (revision 0)".to_owned(),
            operator: None,
        };
        let mut bytes = MAGIC.to_vec();
        bytes.extend(node.encode_to_vec());
        let context = session(&SessionOptions::default()).unwrap().task_ctx();
        let converter = datafusion_proto::physical_plan::DefaultPhysicalProtoConverter {};
        let decoded = CorpusCodec::default().try_decode(&bytes, &[], &context, &converter);
        let error = decoded.unwrap_err().to_string();
        assert!(
            error.contains("0.0.1") && error.contains("same version"),
            "{error}"
        );
    }
}
