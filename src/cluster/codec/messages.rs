//! The messages for our operators.

use std::collections::HashMap;

use datafusion_proto::protobuf::{FileScanExecConf, PhysicalExprNode};
use prost::{Message, Oneof};

use crate::cluster::file_extensions::ScanExtension;
use crate::cluster::parts::PartsNode;

/// One of our operators.
#[derive(Clone, PartialEq, Message)]
pub struct Node {
    #[prost(string, tag = "1")]
    pub version: String,
    #[prost(oneof = "Operator", tags = "2, 3, 4, 5, 6, 7, 8, 9, 10, 11")]
    pub operator: Option<Operator>,
}

/// The version alone, because operators of another version may have a different layout.
#[derive(Clone, PartialEq, Message)]
pub struct Versioned {
    #[prost(string, tag = "1")]
    pub version: String,
}

#[derive(Clone, PartialEq, Oneof)]
pub enum Operator {
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
    /// An operator of DataFusion that DataFusion does not encode.
    #[prost(message, tag = "7")]
    PartitionedTopK(TopKNode),
    #[prost(message, tag = "8")]
    BatchSize(BatchSizeNode),
    #[prost(message, tag = "9")]
    Json(Box<JsonNode>),
    #[prost(message, tag = "10")]
    Csv(CsvNode),
    /// A scan of DataFusion's, whose errors get the names of files.
    #[prost(bytes, tag = "11")]
    NamedFiles(Vec<u8>),
}

#[derive(Clone, PartialEq, Message)]
pub struct ScanNode {
    #[prost(string, tag = "1")]
    pub format: String,
    #[prost(map = "string, string", tag = "2")]
    pub options: HashMap<String, String>,
    /// Includes the projection.
    #[prost(message, optional, tag = "3")]
    pub config: Option<FileScanExecConf>,
    #[prost(message, repeated, tag = "4")]
    pub filters: Vec<PhysicalExprNode>,
    #[prost(message, repeated, tag = "5")]
    pub extensions: Vec<ScanExtension>,
}

#[derive(Clone, PartialEq, Message)]
pub struct JsonNode {
    /// Includes the projection, but not the compression.
    #[prost(message, optional, tag = "1")]
    pub config: Option<FileScanExecConf>,
    #[prost(string, tag = "2")]
    pub compression: String,
    #[prost(bool, tag = "3")]
    pub spans_lines: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct CsvNode {
    /// The scan, without the compression.
    #[prost(bytes, tag = "1")]
    pub scan: Vec<u8>,
    #[prost(string, tag = "2")]
    pub compression: String,
    /// Whether the columns are declared, and not those of the headers.
    #[prost(bool, tag = "3")]
    pub has_declared_columns: bool,
    /// The columns whose types are given: the number of first ones, and names.
    #[prost(uint64, tag = "4")]
    pub typed_columns: u64,
    #[prost(string, repeated, tag = "5")]
    pub typed_names: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ComponentsNode {
    #[prost(uint32, optional, tag = "1")]
    pub max_size: Option<u32>,
    #[prost(bytes, tag = "2")]
    pub schema: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub struct BatchSizeNode {
    #[prost(uint64, tag = "1")]
    pub rows: u64,
    #[prost(uint64, optional, tag = "2")]
    pub output_rows: Option<u64>,
    #[prost(bool, tag = "3")]
    pub is_gathered: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct TopKNode {
    /// A sort in the same order, above an operator without rows.
    #[prost(bytes, tag = "1")]
    pub sort: Vec<u8>,
    #[prost(uint64, tag = "2")]
    pub partition_prefix: u64,
    #[prost(uint64, tag = "3")]
    pub fetch: u64,
    #[prost(bool, tag = "4")]
    pub is_rank: bool,
}
