//! Options of formats and table functions. They are declared as data and checked here.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use datafusion::common::{DataFusionError, Result, plan_datafusion_err, plan_err};

use crate::settings::ByteSize;
use crate::similar_names::nearest;

/// An option of a format or a table function.
#[derive(Debug, Clone, Copy)]
pub struct FormatOption {
    pub name: &'static str,
    values: Values,
    default: Option<&'static str>,
    about: &'static str,
}

#[derive(Debug, Clone, Copy)]
enum Values {
    /// The first value means false, the second true. Other words for false and true are also
    /// accepted.
    Switch([&'static str; 2]),
    /// One of these, in any case.
    OneOf(&'static [&'static str]),
    /// A number in this range.
    Number {
        min: usize,
        max: usize,
        default: usize,
    },
    /// A number of bytes in this range, with or without a unit.
    Bytes {
        min: usize,
        max: usize,
        default: usize,
    },
    /// A text that the format checks.
    Text,
}

const TRUE: &str = "true";
const FALSE: &str = "false";

impl FormatOption {
    /// Declares an option that is true or false. `about` is its documentation, in one line.
    pub const fn boolean(name: &'static str, default: bool, about: &'static str) -> Self {
        Self::switch(name, [FALSE, TRUE], default, about)
    }

    /// Declares an option that is true or false, with other names for these values.
    pub const fn switch(
        name: &'static str,
        names: [&'static str; 2],
        default: bool,
        about: &'static str,
    ) -> Self {
        Self {
            name,
            values: Values::Switch(names),
            default: Some(names[default as usize]),
            about,
        }
    }

    /// Declares an option that is a number.
    pub const fn number(
        name: &'static str,
        range: RangeInclusive<usize>,
        default: usize,
        about: &'static str,
    ) -> Self {
        let (min, max) = (*range.start(), *range.end());
        Self {
            name,
            values: Values::Number { min, max, default },
            default: None,
            about,
        }
    }

    /// Declares an option that is a number of bytes.
    pub const fn bytes(
        name: &'static str,
        range: RangeInclusive<usize>,
        default: usize,
        about: &'static str,
    ) -> Self {
        let (min, max) = (*range.start(), *range.end());
        Self {
            name,
            values: Values::Bytes { min, max, default },
            default: None,
            about,
        }
    }

    /// Declares an option that has one of these values.
    pub const fn one_of(
        name: &'static str,
        allowed: &'static [&'static str],
        default: Option<&'static str>,
        about: &'static str,
    ) -> Self {
        Self {
            name,
            values: Values::OneOf(allowed),
            default,
            about,
        }
    }

    /// Declares an option whose value the format checks.
    pub const fn text(name: &'static str, about: &'static str) -> Self {
        Self {
            name,
            values: Values::Text,
            default: None,
            about,
        }
    }

    /// The allowed values, as users see them. Empty if the format checks the text.
    fn allowed(&self) -> Vec<String> {
        match self.values {
            Values::Switch(names) => names.iter().rev().map(|name| quote(name)).collect(),
            Values::OneOf(names) => names.iter().map(|name| quote(name)).collect(),
            Values::Number { min, max, .. } => vec![match max {
                usize::MAX => format!("a number of at least {min}"),
                max => format!("a number from {min} to {max}"),
            }],
            Values::Bytes { min, max, .. } => {
                vec![format!("{} to {}", ByteSize(min), ByteSize(max))]
            }
            Values::Text => Vec::new(),
        }
    }

    /// One line of documentation: the meaning, the allowed values and the default.
    pub fn help(&self) -> String {
        let mut allowed = self.allowed();
        let default = match (self.values, self.default) {
            (Values::Number { default, .. }, _) => Some(default.to_string()),
            (Values::Bytes { default, .. }, _) => Some(ByteSize(default).to_string()),
            (_, Some(default)) => {
                for value in &mut allowed {
                    if *value == quote(default) {
                        value.push_str(" (default)");
                    }
                }
                None
            }
            (_, None) => None,
        };
        match (allowed.as_slice(), default) {
            ([], _) => self.about.to_owned(),
            (allowed, None) => format!("{}: {}", self.about, alternatives(allowed)),
            (allowed, Some(default)) => {
                let allowed = alternatives(allowed);
                format!("{}: {allowed}, {default} by default", self.about)
            }
        }
    }

    /// Returns a value in its declared spelling. The error describes the allowed values.
    fn parse(&self, value: &str) -> Result<String, String> {
        let text = value.trim();
        let found = match self.values {
            Values::Text => return Ok(value.to_owned()),
            Values::Switch([off, on]) => match text.to_ascii_lowercase().as_str() {
                TRUE | "on" | "1" => Some(on.to_owned()),
                FALSE | "off" | "0" => Some(off.to_owned()),
                _ => known(&[off, on], text),
            },
            Values::OneOf(names) => known(names, text),
            Values::Number { min, max, .. } => in_range(text.parse().ok(), min, max),
            Values::Bytes { min, max, .. } => {
                in_range(text.parse().ok().map(|ByteSize(bytes)| bytes), min, max)
            }
        };
        found.ok_or_else(|| alternatives(&self.allowed()))
    }
}

fn quote(text: &str) -> String {
    format!("'{text}'")
}

/// Returns the name that equals a text, ignoring case.
fn known(names: &[&str], text: &str) -> Option<String> {
    let mut names = names.iter();
    let name = names.find(|name| name.eq_ignore_ascii_case(text))?;
    Some((*name).to_owned())
}

fn in_range(number: Option<usize>, min: usize, max: usize) -> Option<String> {
    let number = number.filter(|number| (min..=max).contains(number))?;
    Some(number.to_string())
}

/// Describes options in sentences, for the documentation of a function.
pub fn help_of(options: &[FormatOption]) -> String {
    let sentence = |option: &FormatOption| format!(" Option '{}': {}.", option.name, option.help());
    options.iter().map(sentence).collect()
}

/// Joins texts: `a, b or c`.
fn alternatives(texts: &[String]) -> String {
    match texts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Returns the error for an option that does not exist.
pub fn unknown_option(owner: &str, name: &str, known: &[&str]) -> DataFusionError {
    let names = match known {
        [] => "none".to_owned(),
        known => format!("'{}'", known.join("', '")),
    };
    match nearest(name, known.iter().copied()) {
        Some(near) => plan_datafusion_err!(
            "{owner} has no option '{name}'; did you mean '{near}'? It has {names}"
        ),
        None => plan_datafusion_err!("{owner} has no option '{name}'; it has {names}"),
    }
}

/// The checked options of a table or a statement.
#[derive(Debug, Clone, Default)]
pub struct Options(BTreeMap<String, String>);

impl Options {
    /// Checks the names and values of options. SQL puts `format.` before names without a dot.
    pub fn check(
        format: &str,
        known: &[FormatOption],
        given: &HashMap<String, String>,
    ) -> Result<Self> {
        let mut options = BTreeMap::new();
        for (name, value) in given {
            let name = name.to_ascii_lowercase();
            let name = name.strip_prefix("format.").unwrap_or(&name);
            let Some(option) = known.iter().find(|option| option.name == name) else {
                let names: Vec<&str> = known.iter().map(|option| option.name).collect();
                return Err(unknown_option(format, name, &names));
            };
            match option.parse(value) {
                Ok(value) => options.insert(name.to_owned(), value),
                Err(allowed) => {
                    return plan_err!("option '{name}' is {allowed}, not '{value}'");
                }
            };
        }
        Ok(Self(options))
    }

    /// Returns the value of an option, or its default.
    pub fn get(&self, option: &FormatOption) -> Option<&str> {
        self.0
            .get(option.name)
            .map(String::as_str)
            .or(option.default)
    }

    /// Whether a switch is true.
    pub fn is_true(&self, option: &FormatOption) -> bool {
        matches!(option.values, Values::Switch([_, on]) if self.get(option) == Some(on))
    }

    /// Returns the value of an option that is a number or a number of bytes.
    pub fn number(&self, option: &FormatOption) -> usize {
        let (Values::Number { default, .. } | Values::Bytes { default, .. }) = option.values else {
            return 0;
        };
        let given = self.get(option).and_then(|text| text.parse().ok());
        given.unwrap_or(default)
    }

    /// Returns the comma-separated names in the value of an option, if it is set.
    pub fn names(&self, option: &FormatOption) -> Option<Vec<String>> {
        let names = self.get(option)?.split(',').map(str::trim);
        let names = names.filter(|name| !name.is_empty());
        Some(names.map(str::to_owned).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAG: FormatOption =
        FormatOption::boolean("unpack", true, "list the members of packages");
    const CHOICE: FormatOption =
        FormatOption::one_of("codec", &["deflate", "gzip"], Some("deflate"), "the codec");
    const KIND: FormatOption = FormatOption::one_of("kind", &["text"], None, "the type");
    const TEXT: FormatOption = FormatOption::text("index", "an index");
    const SWITCH: FormatOption =
        FormatOption::switch("words", ["keep", "remove"], false, "frequent words");
    const NUMBER: FormatOption = FormatOption::number("length", 1..=100, 20, "the length");
    const SKIPPED: FormatOption = FormatOption::number("skip", 0..=usize::MAX, 0, "skipped");
    const BYTES: FormatOption =
        FormatOption::bytes("memory", 1 << 20..=4 << 30, 64 << 20, "the memory");
    const ALL: [FormatOption; 8] = [FLAG, CHOICE, KIND, TEXT, SWITCH, NUMBER, SKIPPED, BYTES];

    fn check(given: &[(&str, &str)]) -> Result<Options> {
        let pairs = given.iter();
        let given = pairs.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Options::check("X", &ALL, &given.collect())
    }

    #[test]
    fn values_come_as_they_are_declared() {
        let options = check(&[
            ("format.Unpack", "OFF"),
            ("codec", "GZip"),
            ("index", "A b"),
            ("words", "Remove"),
            ("length", " 100 "),
            ("memory", "1.5 GiB"),
        ]);
        let options = options.unwrap();
        assert!(!options.is_true(&FLAG));
        assert_eq!(options.get(&CHOICE), Some("gzip"));
        assert_eq!(options.get(&TEXT), Some("A b"));
        assert_eq!(options.get(&KIND), None);
        assert!(options.is_true(&SWITCH));
        assert_eq!(options.number(&NUMBER), 100);
        assert_eq!(options.number(&BYTES), 3 << 29);
        assert!(check(&[("unpack", "1")]).unwrap().is_true(&FLAG));
        assert!(check(&[("words", "true")]).unwrap().is_true(&SWITCH));
        let names = check(&[("index", "b, c d,,")]).unwrap().names(&TEXT);
        assert_eq!(names.unwrap(), ["b", "c d"]);
        let defaults = check(&[]).unwrap();
        assert!(defaults.is_true(&FLAG));
        assert_eq!(defaults.get(&CHOICE), Some("deflate"));
        assert!(!defaults.is_true(&SWITCH));
        assert_eq!(
            (defaults.number(&NUMBER), defaults.number(&SKIPPED)),
            (20, 0)
        );
        assert_eq!(defaults.number(&BYTES), 64 << 20);
        assert_eq!(defaults.names(&TEXT), None);
    }

    #[test]
    fn errors_say_what_is_allowed() {
        for (given, expected) in [
            (
                ("colour", "x"),
                "X has no option 'colour'; it has 'unpack', 'codec', 'kind', 'index', 'words', \
                 'length', 'skip', 'memory'",
            ),
            (
                ("unpack", "perhaps"),
                "option 'unpack' is 'true' or 'false', not 'perhaps'",
            ),
            (
                ("codec", "1"),
                "option 'codec' is 'deflate' or 'gzip', not '1'",
            ),
            (("kind", "true"), "option 'kind' is 'text', not 'true'"),
            (
                ("words", "drop"),
                "option 'words' is 'remove' or 'keep', not 'drop'",
            ),
            (
                ("length", "101"),
                "option 'length' is a number from 1 to 100, not '101'",
            ),
            (
                ("skip", "-1"),
                "option 'skip' is a number of at least 0, not '-1'",
            ),
            (
                ("memory", "99999999999999999999 GB"),
                "option 'memory' is 1MiB to 4GiB, not '99999999999999999999 GB'",
            ),
        ] {
            let error = check(&[given]).unwrap_err().strip_backtrace();
            assert!(error.ends_with(expected), "{error}");
        }
    }

    #[test]
    fn help_names_the_values() {
        let expected = [
            "list the members of packages: 'true' (default) or 'false'",
            "the codec: 'deflate' (default) or 'gzip'",
            "the type: 'text'",
            "an index",
            "frequent words: 'remove' or 'keep' (default)",
            "the length: a number from 1 to 100, 20 by default",
            "skipped: a number of at least 0, 0 by default",
            "the memory: 1MiB to 4GiB, 64MiB by default",
        ];
        assert_eq!(ALL.map(|option| option.help()), expected);
    }
}
