//! Sources: tables of raw records.
//!
//! ```text
//! location        the files that a location names
//! format          the trait of a format, and of its index
//! remote          requests for remote files, and transfers that resume after lost connections
//! indexed         records at the places that an index names
//! scan            from files to Arrow batches: filters, ranges, prefetching, counters
//! formats         one file or folder per format
//! data_files      Parquet, CSV, JSON and Arrow
//! table           CREATE EXTERNAL TABLE, read_x('…') and FROM 'file'
//! search          the table function search()
//! file_facts      parquet_metadata, parquet_schema, sniff_csv …
//! file_functions  read_parquet, read_csv and read_json, with the options of DuckDB
//! ```
//!
//! Each module uses only the ones above it, and the file extensions of `data_files`.

pub mod data_files;
pub mod file_facts;
pub mod file_functions;
pub mod format;
pub mod formats;
pub mod indexed;
pub mod location;
pub mod remote;
pub mod scan;
#[cfg(feature = "search")]
pub mod search;
pub mod table;
