//! Checks that the name of a file agrees with its format and compression.

use datafusion::common::{Result, plan_datafusion_err};

use super::compression::EXTENSIONS;
use crate::sources::data_files::extensions;

/// Extensions of formats that are not written.
pub const UNKNOWN_FORMATS: &[&str] = &[
    "avro", "db", "dbf", "duckdb", "html", "ods", "orc", "pdf", "sqlite", "xls", "xlsb", "xml",
];

/// Extensions of plain text, which a format that is not text cannot have.
const OF_TEXT: [&str; 4] = ["log", "md", "text", "txt"];

/// Formats whose files are not text.
const BINARY: [&str; 3] = ["PARQUET", "ARROW", "XLSX"];

/// Extensions of compressions and packages that are not written.
pub const UNKNOWN_COMPRESSIONS: &[&str] = &[
    "7z", "br", "bzip2", "gzip", "lz4", "lzma", "rar", "snappy", "sz", "tar", "tgz", "z", "zip",
    "zstd",
];

/// How the files of a format can be compressed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Compressed {
    AsText,
    /// Each record is compressed by itself.
    ByRecord,
    Inside,
}

#[derive(Debug, Clone, PartialEq)]
struct Format {
    name: &'static str,
    extensions: Vec<&'static str>,
    compressed: Compressed,
}

impl Format {
    /// The formats of files. Folders, such as search indexes, may have any name.
    fn all() -> Vec<Self> {
        let known = extensions::FORMATS.iter().map(|(name, extensions)| Self {
            name,
            extensions: extensions.to_vec(),
            compressed: match *name {
                "CSV" | "JSON" => Compressed::AsText,
                _ => Compressed::Inside,
            },
        });
        let sinks = super::formats().into_iter();
        let sinks = sinks.filter(|sink| !["files", "search_index"].contains(&sink.extension()));
        let sinks = sinks.map(|sink| Self {
            name: sink.name(),
            extensions: vec![sink.extension()],
            compressed: match sink.extension() {
                "warc" => Compressed::ByRecord,
                _ => Compressed::Inside,
            },
        });
        known.chain(sinks).collect()
    }

    /// Returns the format with this name or extension.
    fn of(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        Self::all().into_iter().find(|format| {
            format.name.eq_ignore_ascii_case(&name) || format.extensions.contains(&name.as_str())
        })
    }

    /// The extensions of its compressed files, with their dots.
    fn compressions(&self) -> Vec<&'static str> {
        let extensions = EXTENSIONS.iter().map(|(extension, _)| *extension);
        match self.compressed {
            Compressed::AsText => extensions.collect(),
            Compressed::ByRecord => vec![".gz", ".zst"],
            Compressed::Inside => Vec::new(),
        }
    }
}

/// Fails if a target is a file whose name says another format or compression than will be written.
/// `stored_as`: the format that the statement names.
pub fn check(target: &str, stored_as: Option<&str>) -> Result<()> {
    let checked = check_name(target, stored_as, |other| {
        format!("or write STORED AS {other}")
    });
    checked.map_err(|error| plan_datafusion_err!("{error}"))
}

/// Like [`check`], for a job, whose format cannot be chosen.
pub fn check_of_job(target: &str, stored_as: &str) -> Result<(), String> {
    check_name(target, Some(stored_as), |_| {
        format!("and convert it with COPY (SELECT * FROM …) TO '{target}'")
    })
}

/// `alternative`: what to do for the format that the name says.
fn check_name(
    target: &str,
    stored_as: Option<&str>,
    alternative: impl Fn(&str) -> String,
) -> Result<(), String> {
    let name = target.rsplit('/').next().unwrap_or_default();
    let name = name.to_ascii_lowercase();
    let Some((stem, last)) = name.rsplit_once('.') else {
        return Ok(());
    };
    let is_compression = UNKNOWN_COMPRESSIONS.contains(&last)
        || EXTENSIONS
            .iter()
            .any(|(extension, _)| extension[1..] == *last);
    let (extension, compression) = if is_compression {
        let extension = stem.rsplit_once('.').map(|(_, extension)| extension);
        (extension, Some(last))
    } else {
        (Some(last), None)
    };
    let of_name = extension.and_then(Format::of);
    // The name as it is written, without the extension of the compression and of the format.
    let written = &target[..target.len() - compression.map_or(0, |last| last.len() + 1)];
    let stem = |extension: &str| written[..written.len() - extension.len() - 1].to_owned();
    let Some(format) = stored_as.map_or_else(|| of_name.clone(), Format::of) else {
        return Ok(());
    };
    if let Some(extension) = extension {
        let of_format = format.extensions[0];
        match &of_name {
            Some(other) if other.name != format.name => {
                return Err(format!(
                    "'{target}' ends with .{extension}, which means {}, but it is STORED AS {}: name \
                     it '{}.{of_format}', {}",
                    other.name,
                    format.name,
                    stem(extension),
                    alternative(other.name)
                ));
            }
            None if UNKNOWN_FORMATS.contains(&extension)
                || OF_TEXT.contains(&extension) && BINARY.contains(&format.name) =>
            {
                return Err(format!(
                    "'{target}' ends with .{extension}, but it is STORED AS {}: name it \
                     '{}.{of_format}'",
                    format.name,
                    stem(extension)
                ));
            }
            _ => {}
        }
    }
    let Some(compression) = compression else {
        return Ok(());
    };
    let known = format.compressions();
    if known.iter().any(|known| known[1..] == *compression) {
        return Ok(());
    }
    if known.is_empty() {
        return Err(format!(
            "'{target}' ends with .{compression}, but {} files are compressed inside: name it \
             '{written}'",
            format.name
        ));
    }
    Err(format!(
        "'{target}' ends with .{compression}, which is not written: name it '{written}', or \
         '{written}{}' (compressed files end with {})",
        known[0],
        known.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_agree_with_formats() {
        for (target, format) in [
            ("x.jsonl", "JSON"),
            ("x.json.gz", "json"),
            ("X.TSV", "CSV"),
            ("x.csv.ZST", "CSV"),
            ("x.pq", "PARQUET"),
            ("x.parq", "parquet"),
            ("x.feather", "ARROW"),
            ("x.warc.gz", "WARC"),
            ("x.txt", "CSV"),
            ("x.dat.gz", "CSV"),
            ("2024.01", "PARQUET"),
            ("x.csv/", "PARQUET"),
            ("a.json/x", "PARQUET"),
            ("s3://bucket.zip/x.xlsx", "XLSX"),
            ("x.csv", "SEARCH_INDEX"),
            ("x.csv", "PARQET"),
        ] {
            assert!(check(target, Some(format)).is_ok(), "{target} {format}");
        }
        for target in ["x.parquet", "x.csv.bz2", "x.unknown", "x", "x.warc.zst"] {
            assert!(check(target, None).is_ok(), "{target}");
        }
    }

    #[test]
    fn other_names_are_refused_with_what_to_write() {
        for (target, format, advice) in [
            (
                "x.jsonl",
                Some("CSV"),
                "name it 'x.csv', or write STORED AS JSON",
            ),
            ("a/X.JSON.GZ", Some("csv"), "name it 'a/X.csv', or"),
            (
                "x.csv",
                Some("PARQUET"),
                "name it 'x.parquet', or write STORED AS CSV",
            ),
            ("x.parq", Some("JSON"), "STORED AS PARQUET"),
            ("x.csv", Some("XLSX"), "name it 'x.xlsx'"),
            ("x.warc", Some("CSV"), "STORED AS WARC"),
            ("x.orc", Some("PARQUET"), "name it 'x.parquet'"),
            ("x.txt", Some("PARQUET"), "name it 'x.parquet'"),
            ("x.parquet.gz", None, "name it 'x.parquet'"),
            ("x.dat.gz", Some("PARQUET"), "name it 'x.dat'"),
            ("x.arrow.zst", Some("ARROW"), "compressed inside"),
            ("x.csv.lz4", None, "'x.csv.gz'"),
            ("x.csv.gzip", Some("CSV"), "'x.csv.gz'"),
            ("x.zip", Some("CSV"), "name it 'x', or 'x.gz'"),
            (
                "x.warc.bz2",
                Some("WARC"),
                "'x.warc.gz' (compressed files end with .gz, .zst)",
            ),
        ] {
            let message = check(target, format).unwrap_err().to_string();
            assert!(message.contains(advice), "{target}: {message}");
        }
    }
}
