//! The format and the compression of `-o FILE`, by the name of the file.

use std::path::Path;

use crate::results::Format;
use crate::similar_names::nearest;
use crate::sinks::{self, names};

/// The extensions of result files, and the formats that they select.
const FORMATS: &[(&str, Format)] = &[
    ("csv", Format::Csv),
    ("tsv", Format::Tsv),
    ("tab", Format::Tsv),
    ("json", Format::Json),
    ("jsonl", Format::Ndjson),
    ("ndjson", Format::Ndjson),
    ("parquet", Format::Parquet),
    ("pq", Format::Parquet),
    ("parq", Format::Parquet),
    ("arrow", Format::Arrow),
    ("feather", Format::Arrow),
    ("ipc", Format::Arrow),
    ("xlsx", Format::Xlsx),
    ("md", Format::Markdown),
    ("txt", Format::Table),
];

/// How a file is compressed as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    Gzip,
    Zstd,
}

/// Returns the format and the compression of results for a file. `wanted` is the format that the
/// arguments name.
pub fn format_of(
    path: &Path,
    wanted: Option<Format>,
) -> Result<(Format, Option<Compression>), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let shown = path.display();
    if shown.to_string().contains("://") {
        return Err(format!(
            "-o writes local files: to write '{shown}', use COPY (SELECT …) TO '{shown}'"
        ));
    }
    let lower = name.to_lowercase();
    let (stem, compression) = if let Some(stem) = lower.strip_suffix(".gz") {
        (stem, Some(Compression::Gzip))
    } else if let Some(stem) = lower.strip_suffix(".zst") {
        (stem, Some(Compression::Zstd))
    } else {
        (lower.as_str(), None)
    };
    let extension = stem.rsplit_once('.').map_or("", |(_, extension)| extension);
    if ["bz2", "xz"].contains(&extension) || names::UNKNOWN_COMPRESSIONS.contains(&extension) {
        return Err(format!(
            "cannot write '{shown}': files are compressed with the extensions .gz and .zst"
        ));
    }
    let known = FORMATS.iter().find(|(known, _)| *known == extension);
    let format = match (known, wanted) {
        (Some((_, format)), None) => *format,
        (Some((_, format)), Some(wanted))
            if *format != wanted && (format.is_binary() || wanted.is_binary()) =>
        {
            return Err(format!(
                "'{shown}' ends with .{extension}, and --format is {}: leave --format out, or change \
                 the name",
                wanted.name()
            ));
        }
        (_, Some(wanted)) => wanted,
        (None, None) => match unknown(extension) {
            Some(reason) => return Err(format!("cannot write '{shown}': {reason}")),
            None => Format::Table,
        },
    };
    if compression.is_some() && format.is_binary() {
        return Err(format!(
            "'{shown}': {} files are compressed inside; leave the last extension out",
            format.name()
        ));
    }
    Ok((format, compression))
}

/// Returns why `-o` cannot write a file with this extension. `None` for a name without one: the
/// file gets the table that a terminal shows.
fn unknown(extension: &str) -> Option<String> {
    if let Some(sink) = sinks::formats()
        .iter()
        .find(|sink| sink.extension() == extension)
    {
        return Some(format!(
            "only COPY (SELECT …) TO 'name.{extension}' writes {} files",
            sink.name()
        ));
    }
    // Names such as report and report.2024 have no extension.
    if extension.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if let Some(near) = nearest(extension, FORMATS.iter().map(|(known, _)| *known)) {
        return Some(format!(
            "unknown extension .{extension}; did you mean .{near}? --format writes any name"
        ));
    }
    let known: Vec<_> = FORMATS
        .iter()
        .map(|(known, _)| format!(".{known}"))
        .collect();
    Some(format!(
        "the extensions of results are {}; --format writes another format under any name",
        known.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::data_files::extensions;

    fn of(name: &str, wanted: Option<Format>) -> Result<(Format, Option<Compression>), String> {
        format_of(Path::new(name), wanted)
    }

    #[test]
    fn the_extension_names_the_format() {
        for (name, wanted, expected) in [
            ("a.csv", None, (Format::Csv, None)),
            ("a.TSV.GZ", None, (Format::Tsv, Some(Compression::Gzip))),
            (
                "b/a.jsonl.zst",
                None,
                (Format::Ndjson, Some(Compression::Zstd)),
            ),
            ("a.parquet", Some(Format::Parquet), (Format::Parquet, None)),
            ("a.pq", None, (Format::Parquet, None)),
            ("a.json", Some(Format::Ndjson), (Format::Ndjson, None)),
            (
                "a.gz",
                Some(Format::Csv),
                (Format::Csv, Some(Compression::Gzip)),
            ),
            ("report", None, (Format::Table, None)),
            ("report.2024", None, (Format::Table, None)),
            ("/dev/stdout", Some(Format::Csv), (Format::Csv, None)),
        ] {
            assert_eq!(of(name, wanted), Ok(expected), "{name}");
        }
    }

    #[test]
    fn every_extension_of_a_table_names_a_format() {
        // A result is no map.
        for extension in extensions::all().filter(|it| *it != "geojson") {
            assert!(
                FORMATS.iter().any(|(known, _)| *known == extension),
                "{extension}"
            );
        }
    }

    #[test]
    fn names_that_would_hold_something_else_are_refused() {
        for (name, wanted, part) in [
            ("a.parquet", Some(Format::Csv), "--format is csv"),
            ("a.csv", Some(Format::Xlsx), "--format is xlsx"),
            ("a.parquet.gz", None, "compressed inside"),
            ("a.csv.bz2", None, ".gz and .zst"),
            ("a.parqet", None, "did you mean .parquet?"),
            ("a.xls", None, ".xlsx"),
            ("a.foo", None, "the extensions of results are .csv"),
            ("a.warc", None, "only COPY"),
            (
                "s3://bucket/a.csv",
                None,
                "COPY (SELECT …) TO 's3://bucket/a.csv'",
            ),
        ] {
            let message = of(name, wanted).unwrap_err();
            assert!(message.contains(part), "{name}: {message}");
        }
    }
}
