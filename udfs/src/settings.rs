//! The settings `corpus.*`: `SET corpus.on_error = 'skip'`, `SHOW corpus.on_error`.

use std::any::Any;
use std::fmt;
use std::str::FromStr;

use datafusion::common::config::{ConfigEntry, ConfigExtension, ConfigOptions, ExtensionOptions};
use datafusion::common::{Result, plan_err};

use corpus_html::Engine;
#[cfg(feature = "pdf")]
use corpus_pdf::{Limits, isolation::Isolation};

/// The treatment of a record or a whole file that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnError {
    /// It becomes a row whose column `error` has the reason.
    #[default]
    Row,
    /// It is skipped, and counted in the summary of the run.
    Skip,
    /// The query fails.
    Fail,
}

impl FromStr for OnError {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "row" => Ok(Self::Row),
            "skip" => Ok(Self::Skip),
            "fail" => Ok(Self::Fail),
            _ => Err("expected 'row', 'skip' or 'fail'".to_owned()),
        }
    }
}

impl fmt::Display for OnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Row => "row",
            Self::Skip => "skip",
            Self::Fail => "fail",
        })
    }
}

/// The default treatment of the output of an earlier run by `COPY`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Resume {
    /// It is replaced.
    #[default]
    Off,
    /// Complete output is kept, and the rest is added.
    On,
    /// The same, and inputs that had errors are processed again.
    Errors,
}

impl FromStr for Resume {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "off" | "false" => Ok(Self::Off),
            "on" | "true" => Ok(Self::On),
            "errors" => Ok(Self::Errors),
            _ => Err("expected 'off', 'on' or 'errors'".to_owned()),
        }
    }
}

impl fmt::Display for Resume {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => "off",
            Self::On => "on",
            Self::Errors => "errors",
        })
    }
}

/// The treatment of words of scanned pages that are divided at the ends of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DividedWords {
    /// The text of pages and blocks has the whole word.
    #[default]
    Join,
    /// The text is as printed.
    Keep,
}

impl FromStr for DividedWords {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "join" => Ok(Self::Join),
            "keep" => Ok(Self::Keep),
            _ => Err("expected 'join' or 'keep'".to_owned()),
        }
    }
}

impl fmt::Display for DividedWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Join => "join",
            Self::Keep => "keep",
        })
    }
}

/// The unit of timestamps with nanoseconds in Parquet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ParquetTimestamps {
    /// The unit that every reader supports. Smaller fractions are dropped.
    #[default]
    Microseconds,
    Nanoseconds,
}

impl FromStr for ParquetTimestamps {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "microseconds" => Ok(Self::Microseconds),
            "nanoseconds" => Ok(Self::Nanoseconds),
            _ => Err("expected 'microseconds' or 'nanoseconds'".to_owned()),
        }
    }
}

impl fmt::Display for ParquetTimestamps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Microseconds => "microseconds",
            Self::Nanoseconds => "nanoseconds",
        })
    }
}

/// A number of bytes, written `1048576`, `1MiB`, `1.5 GB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteSize(pub usize);

impl FromStr for ByteSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let digits = text
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
            "" | "b" => 1,
            "k" | "kb" => 1_000,
            "m" | "mb" => 1_000_000,
            "g" | "gb" => 1_000_000_000,
            "t" | "tb" => 1_000_000_000_000,
            "kib" => 1 << 10,
            "mib" => 1 << 20,
            "gib" => 1 << 30,
            "tib" => 1 << 40,
            _ => return Err(Self::expected()),
        };
        let number: f64 = number.parse().map_err(|_| Self::expected())?;
        let bytes = number * factor as f64;
        if bytes.is_finite() && bytes < usize::MAX as f64 {
            Ok(Self(bytes as usize))
        } else {
            Err(Self::expected())
        }
    }
}

impl ByteSize {
    fn expected() -> String {
        "expected a number of bytes, such as 1048576, 512MiB or 1.5GB".to_owned()
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] {
            let size = 1usize << shift;
            if self.0 >= size && self.0.is_multiple_of(size) {
                return write!(f, "{}{unit}", self.0 >> shift);
            }
        }
        write!(f, "{}", self.0)
    }
}

/// All settings under `corpus.`, with their defaults.
#[derive(Debug, Clone)]
pub struct CorpusSettings {
    pub on_error: OnError,
    pub resume: Resume,
    pub parquet_timestamps: ParquetTimestamps,
    pub max_record_bytes: ByteSize,
    pub html_engine: Engine,
    pub max_html_depth: usize,
    pub ocr_divided_words: DividedWords,
    #[cfg(feature = "pdf")]
    pub pdf_isolation: Isolation,
    #[cfg(feature = "pdf")]
    pub pdf_cpu_seconds: u32,
    #[cfg(feature = "pdf")]
    pub pdf_memory: ByteSize,
}

impl Default for CorpusSettings {
    fn default() -> Self {
        Self {
            on_error: OnError::Row,
            resume: Resume::Off,
            parquet_timestamps: ParquetTimestamps::Microseconds,
            max_record_bytes: ByteSize(128 << 20),
            html_engine: Engine::default(),
            max_html_depth: 512,
            ocr_divided_words: DividedWords::Join,
            #[cfg(feature = "pdf")]
            pdf_isolation: Isolation::default(),
            #[cfg(feature = "pdf")]
            pdf_cpu_seconds: 8,
            #[cfg(feature = "pdf")]
            pdf_memory: ByteSize(1 << 30),
        }
    }
}

/// A setting: its name, its description, and the functions that get and set it.
struct Setting {
    name: &'static str,
    description: &'static str,
    get: fn(&CorpusSettings) -> String,
    set: fn(&mut CorpusSettings, &str) -> Result<(), String>,
}

const SETTINGS: &[Setting] = &[
    Setting {
        name: "on_error",
        description: "The result for records and files that cannot be read: 'row' (a row with the \
         reason in the column error; damaged lines of JSON files are skipped), 'skip' (skipped and \
         counted), 'fail' (the query fails)",
        get: |s| s.on_error.to_string(),
        set: |s, value| assign(&mut s.on_error, value),
    },
    Setting {
        name: "resume",
        description: "Whether COPY to Parquet continues an earlier run: 'off', 'on' (--resume), \
                      'errors' (--retry-errors)",
        get: |s| s.resume.to_string(),
        set: |s, value| assign(&mut s.resume, value),
    },
    Setting {
        name: "parquet_timestamps",
        description: "The unit of timestamps with nanoseconds, such as TIMESTAMP(9), in Parquet: \
                      'microseconds' (Spark reads no others), 'nanoseconds'",
        get: |s| s.parquet_timestamps.to_string(),
        set: |s, value| assign(&mut s.parquet_timestamps, value),
    },
    Setting {
        name: "max_record_bytes",
        description: "The maximum payload of a record; a longer one is cut, and its row reports it",
        get: |s| s.max_record_bytes.to_string(),
        set: |s, value| assign(&mut s.max_record_bytes, value),
    },
    Setting {
        name: "html_engine",
        description: "The parser of HTML: 'native' (one pass, no tree), 'html5ever' (a tree, as in \
                      a browser; slower)",
        get: |s| s.html_engine.to_string(),
        set: |s, value| assign(&mut s.html_engine, value),
    },
    Setting {
        name: "max_html_depth",
        description: "The maximum depth of elements in a page; the text of deeper ones is kept",
        get: |s| s.max_html_depth.to_string(),
        set: |s, value| {
            let depth = value.parse().ok().filter(|depth| *depth > 0);
            s.max_html_depth = depth.ok_or("expected a number greater than 0")?;
            Ok(())
        },
    },
    Setting {
        name: "ocr_divided_words",
        description: "Words of scanned pages that are divided at the end of a line: 'join' (the \
                      text of pages and blocks has the whole word), 'keep' (as printed)",
        get: |s| s.ocr_divided_words.to_string(),
        set: |s, value| assign(&mut s.ocr_divided_words, value),
    },
    #[cfg(feature = "pdf")]
    Setting {
        name: "pdf_isolation",
        description: "Where PDFs are read: 'process' (in worker processes), 'thread' (in the \
                      process of the query; a little faster, for trusted files)",
        get: |s| s.pdf_isolation.to_string(),
        set: |s, value| assign(&mut s.pdf_isolation, value),
    },
    #[cfg(feature = "pdf")]
    Setting {
        name: "pdf_cpu_seconds",
        description: "The maximum CPU time for one PDF; the pages read until then are kept, and \
                      the error is a timeout",
        get: |s| s.pdf_cpu_seconds.to_string(),
        set: |s, value| {
            let seconds = value.parse().ok().filter(|seconds| *seconds > 0);
            s.pdf_cpu_seconds = seconds.ok_or("expected a number of seconds greater than 0")?;
            Ok(())
        },
    },
    #[cfg(feature = "pdf")]
    Setting {
        name: "pdf_memory",
        description: "The maximum memory for one PDF in its process; the limits of its \
                      decompressed streams follow from it",
        get: |s| s.pdf_memory.to_string(),
        set: |s, value| assign(&mut s.pdf_memory, value),
    },
];

fn assign<T: FromStr<Err: ToString>>(target: &mut T, value: &str) -> Result<(), String> {
    *target = value.parse().map_err(|error: T::Err| error.to_string())?;
    Ok(())
}

impl CorpusSettings {
    /// Returns the settings of a session; the defaults if it was not created by this library.
    pub fn of(options: &ConfigOptions) -> Self {
        options
            .extensions
            .get::<Self>()
            .cloned()
            .unwrap_or_default()
    }
}

#[cfg(feature = "pdf")]
impl CorpusSettings {
    /// The limits of one PDF. Limits on counts grow with the CPU time.
    pub fn pdf_limits(&self) -> Limits {
        let limits = Limits::default();
        let cpu_ms = u64::from(self.pdf_cpu_seconds) * 1000;
        let longer = (cpu_ms / limits.cpu_ms).max(1);
        let memory_bytes = self.pdf_memory.0 as u64;
        Limits {
            operators: limits.operators.saturating_mul(longer),
            glyphs: limits.glyphs.saturating_mul(longer),
            // The buffer of a stream doubles when it is full.
            decoded_bytes: memory_bytes / 4,
            cpu_ms,
            memory_bytes,
            ..limits
        }
    }
}

impl ConfigExtension for CorpusSettings {
    const PREFIX: &'static str = "corpus";
}

impl ExtensionOptions for CorpusSettings {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn cloned(&self) -> Box<dyn ExtensionOptions> {
        Box::new(self.clone())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let Some(setting) = SETTINGS.iter().find(|s| s.name == key) else {
            if cfg!(not(feature = "pdf")) && key.starts_with("pdf_") {
                return plan_err!("{}", crate::not_built("PDF", "pdf"));
            }
            let names: Vec<_> = SETTINGS
                .iter()
                .map(|s| format!("corpus.{}", s.name))
                .collect();
            return plan_err!(
                "unknown setting corpus.{key}; the settings are {}",
                names.join(", ")
            );
        };
        (setting.set)(self, value)
            .or_else(|reason| plan_err!("cannot set corpus.{key} to '{value}': {reason}"))
    }

    fn entries(&self) -> Vec<ConfigEntry> {
        SETTINGS
            .iter()
            .map(|setting| ConfigEntry {
                key: format!("{}.{}", Self::PREFIX, setting.name),
                value: Some((setting.get)(self)),
                description: setting.description,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_sizes() {
        for (text, bytes) in [
            ("0", 0),
            ("1048576", 1 << 20),
            ("128MiB", 128 << 20),
            ("1.5 GB", 1_500_000_000),
            ("2k", 2000),
        ] {
            assert_eq!(text.parse(), Ok(ByteSize(bytes)), "{text}");
        }
        for text in ["", "MiB", "-1", "1 parsec", "1e99", "999999999999 TiB"] {
            assert!(text.parse::<ByteSize>().is_err(), "{text}");
        }
        assert_eq!(ByteSize(128 << 20).to_string(), "128MiB");
        assert_eq!(ByteSize(1000).to_string(), "1000");
    }

    #[test]
    fn a_wrong_value_names_the_allowed_ones() {
        let mut settings = CorpusSettings::default();
        let error = settings
            .set("on_error", "explode")
            .unwrap_err()
            .strip_backtrace();
        assert!(error.contains("'row', 'skip' or 'fail'"), "{error}");
        let error = settings.set("no_such", "1").unwrap_err().strip_backtrace();
        assert!(error.contains("corpus.max_record_bytes"), "{error}");
        settings.set("on_error", "SKIP").unwrap();
        assert_eq!(settings.on_error, OnError::Skip);
    }
}
