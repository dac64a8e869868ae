//! Reads files of statements.

use std::fmt::Display;
use std::io::{self, Read};
use std::path::Path;
use std::string::FromUtf8Error;

use crate::jobs;
use crate::sql::missing_names::sort_by_distance;
use crate::statements::script::{Failure, Script};

/// Reads a file of statements, or stdin for `-`.
pub fn read(name: &str) -> Result<Script, Failure> {
    let (name, bytes) = if name == "-" {
        let mut bytes = Vec::new();
        ("stdin", io::stdin().read_to_end(&mut bytes).map(|_| bytes))
    } else {
        (name, std::fs::read(name))
    };
    let cannot = |error: &dyn Display| Failure::Usage(format!("cannot read {name}: {error}"));
    let bytes = bytes.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::Usage(missing_query_file(name)),
        _ => cannot(&error),
    })?;
    Ok(Script {
        name: name.to_owned(),
        text: decode(bytes).map_err(|error| cannot(&error.utf8_error()))?,
    })
}

/// Decodes UTF-8, or by its byte order mark UTF-16, which PowerShell writes.
fn decode(bytes: Vec<u8>) -> Result<String, FromUtf8Error> {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let (units, _) = bytes.as_chunks();
        let units: Vec<u16> = units.iter().map(|bytes| unit(*bytes)).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes.as_slice() {
        [0xff, 0xfe, text @ ..] => Ok(utf16(text, u16::from_le_bytes)),
        [0xfe, 0xff, text @ ..] => Ok(utf16(text, u16::from_be_bytes)),
        [0xef, 0xbb, 0xbf, text @ ..] => String::from_utf8(text.to_vec()),
        _ => String::from_utf8(bytes),
    }
}

/// Returns the message for a missing file, with the most similar names of queries in its folder.
fn missing_query_file(name: &str) -> String {
    const MAX_NAMED_FILES: usize = 10;
    let path = Path::new(name);
    let folder = path.parent().unwrap_or(Path::new(""));
    let listed = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    // Examples write -f queries/job.sql, and the jobs are in the program, too.
    let job = path
        .file_name()
        .and_then(|name| jobs::find(&name.to_string_lossy()).ok());
    if let Some(job) = job {
        return format!(
            "no file '{name}'; the job of that name is built in: corpus-sql run {}",
            job.name
        );
    }
    let Ok(entries) = std::fs::read_dir(listed) else {
        return format!(
            "no file '{name}': the folder '{}' does not exist",
            folder.display()
        );
    };
    let mut queries: Vec<String> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|file| file.ends_with(".sql"))
        .collect();
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    sort_by_distance(&wanted, &mut queries);
    let mut message = format!("no file '{name}'");
    if !queries.is_empty() {
        message.push_str("; queries in that folder, most similar first:");
    }
    for query in queries.iter().take(MAX_NAMED_FILES) {
        message.push_str(&format!("\n  {}", folder.join(query).display()));
    }
    if queries.len() > MAX_NAMED_FILES {
        message.push_str(&format!("\n  and {} more", queries.len() - MAX_NAMED_FILES));
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_order_marks_name_the_encoding() {
        let utf16 = |unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            "\u{feff}SELECT 'é'".encode_utf16().flat_map(unit).collect()
        };
        let files = [
            "SELECT 'é'".into(),
            "\u{feff}SELECT 'é'".into(),
            utf16(u16::to_le_bytes),
            utf16(u16::to_be_bytes),
        ];
        for file in files {
            assert_eq!(decode(file).unwrap(), "SELECT 'é'");
        }
        assert!(decode(b"SELECT '\xe9'".to_vec()).is_err());
    }
}
