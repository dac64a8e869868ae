//! Damaged lines of files with one record per line. They cost no other record: they are left out,
//! reported and counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::arrow::datatypes::Schema;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::ReaderBuilder;
use datafusion::arrow::json::reader::Decoder;
use serde::de::IgnoredAny;

/// How summaries name a damaged line.
pub const REASON: &str = "line that is not valid JSON, left out";

/// The number of damaged lines of a scan.
#[derive(Debug, Default)]
pub struct Damage(AtomicU64);

impl Damage {
    pub fn lines(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Counts lines. Returns whether they are the first ones.
    pub fn add(&self, lines: usize) -> bool {
        self.0.fetch_add(lines as u64, Ordering::Relaxed) == 0
    }
}

/// Damaged lines of a text.
#[derive(Default)]
pub struct DamagedLines {
    pub count: usize,
    /// The number of lines before the first one, and what is wrong with it.
    pub first: Option<(usize, String)>,
    lines: usize,
}

impl DamagedLines {
    /// Adds lines, and replaces the damaged ones by spaces.
    pub fn blank(&mut self, lines: &mut [u8]) -> Result<(), ArrowError> {
        let mut decoder = decoder()?;
        for line in lines.split_inclusive_mut(|byte| *byte == b'\n') {
            let text = line.trim_ascii();
            if !text.is_empty()
                && let Some(reason) = damage(&mut decoder, text)
            {
                decoder = self::decoder()?;
                self.count += 1;
                self.first.get_or_insert((self.lines, reason));
                let is_in_line = |byte: &&mut u8| **byte != b'\n';
                line.iter_mut()
                    .filter(is_in_line)
                    .for_each(|byte| *byte = b' ');
            }
            self.lines += 1;
        }
        Ok(())
    }

    /// The number of lines that were checked.
    pub fn checked(&self) -> usize {
        self.lines
    }
}

/// A decoder that parses records and reads no field.
fn decoder() -> Result<Decoder, ArrowError> {
    ReaderBuilder::new(Arc::new(Schema::empty()))
        .with_batch_size(1)
        .build_decoder()
}

/// Returns why a line has no records, if so.
fn damage(decoder: &mut Decoder, line: &[u8]) -> Option<String> {
    let mut rest = line;
    let mut decode = || -> Result<(), ArrowError> {
        while !rest.is_empty() {
            let length = decoder.decode(rest)?;
            rest = &rest[length..];
            // Numbers at the end of a text are complete at a space only.
            decoder.decode(b" ")?;
            decoder.flush()?;
        }
        Ok(())
    };
    let error = decode().err()?;
    let reason = match serde_json::from_slice::<IgnoredAny>(line) {
        Ok(_) => error.to_string(),
        Err(error) => error.to_string(),
    };
    let reason = reason.split(" at line ").next().unwrap_or_default();
    Some(reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_lines_become_blank() {
        for (text, expected, first) in [
            ("{\"a\":1}\n\n{}\n", "{\"a\":1}\n\n{}\n", None),
            ("{}\n{\"a\":\n{\"a\":{}}", "{}\n     \n{\"a\":{}}", Some(1)),
            (
                "{\"a\":\"x\n{\"a\":\"y\"}\n",
                "       \n{\"a\":\"y\"}\n",
                Some(0),
            ),
            ("{} {\"a\":1}\n[1]\n7\n", "{} {\"a\":1}\n   \n \n", Some(1)),
            (
                "\0\0{}\n{\"a\":\"\t\"}\n{}}\n",
                "    \n{\"a\":\"\t\"}\n   \n",
                Some(0),
            ),
        ] {
            let mut lines = text.as_bytes().to_vec();
            let mut damaged = DamagedLines::default();
            damaged.blank(&mut lines).unwrap();
            assert_eq!(String::from_utf8_lossy(&lines), expected, "{text:?}");
            assert_eq!(damaged.first.map(|(line, _)| line), first, "{text:?}");
        }
        let mut latin = b"{\"a\":\"\xe9\"}\n{}".to_vec();
        DamagedLines::default().blank(&mut latin).unwrap();
        assert_eq!(latin, b"         \n{}");
    }
}
