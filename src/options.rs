//! Options of formats that are read or written: declared as data, checked here.

use std::collections::{BTreeMap, HashMap};

use datafusion::common::{Result, plan_err};

/// An option of a format.
#[derive(Debug, Clone, Copy)]
pub struct FormatOption {
    pub name: &'static str,
    values: Values,
    default: Option<&'static str>,
    about: &'static str,
}

#[derive(Debug, Clone, Copy)]
enum Values {
    /// True or false.
    Boolean,
    /// One of these, in any case.
    OneOf(&'static [&'static str]),
    /// The format checks the text.
    Text,
}

const TRUE: &str = "true";
const FALSE: &str = "false";

impl FormatOption {
    /// An option that is true or false. `about` is its documentation, in one line.
    pub const fn boolean(name: &'static str, default: bool, about: &'static str) -> Self {
        Self {
            name,
            values: Values::Boolean,
            default: Some(if default { TRUE } else { FALSE }),
            about,
        }
    }

    /// An option that has one of these values.
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

    /// An option whose value the format checks.
    pub const fn text(name: &'static str, about: &'static str) -> Self {
        Self {
            name,
            values: Values::Text,
            default: None,
            about,
        }
    }

    /// The values that it may have; empty if the format checks them.
    fn allowed(&self) -> &'static [&'static str] {
        match self.values {
            Values::Boolean => &[TRUE, FALSE],
            Values::OneOf(allowed) => allowed,
            Values::Text => &[],
        }
    }

    /// One line of documentation: the meaning and the allowed values.
    pub fn help(&self) -> String {
        let shown = self.allowed().iter().map(|value| match self.default {
            Some(default) if default == *value => format!("'{value}' (default)"),
            _ => format!("'{value}'"),
        });
        let shown: Vec<_> = shown.collect();
        match shown.as_slice() {
            [] => self.about.to_owned(),
            shown => format!("{}: {}", self.about, alternatives(shown)),
        }
    }

    /// Returns a value as the option declares it, or what is allowed.
    fn parse(&self, value: &str) -> Result<String, String> {
        let lower = value.to_ascii_lowercase();
        let meant = match (self.values, lower.as_str()) {
            (Values::Text, _) => return Ok(value.to_owned()),
            (Values::Boolean, "on" | "1") => TRUE,
            (Values::Boolean, "off" | "0") => FALSE,
            (_, lower) => lower,
        };
        let mut allowed = self.allowed().iter();
        match allowed.find(|known| known.eq_ignore_ascii_case(meant)) {
            Some(known) => Ok((*known).to_owned()),
            None => {
                let allowed = self.allowed().iter().map(|known| format!("'{known}'"));
                Err(alternatives(&allowed.collect::<Vec<_>>()))
            }
        }
    }
}

/// Joins texts: `a, b or c`.
fn alternatives(texts: &[String]) -> String {
    match texts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The options of one table or statement, checked.
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
                let names: Vec<_> = known
                    .iter()
                    .map(|option| format!("'{}'", option.name))
                    .collect();
                let names = match names.as_slice() {
                    [] => "none".to_owned(),
                    names => names.join(", "),
                };
                return plan_err!("{format} has no option '{name}'; it has {names}");
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

    /// The value of an option: as it was given, or its default.
    pub fn get(&self, option: &FormatOption) -> Option<&str> {
        self.0
            .get(option.name)
            .map(String::as_str)
            .or(option.default)
    }

    pub fn is_true(&self, option: &FormatOption) -> bool {
        self.get(option) == Some(TRUE)
    }

    /// The options that were given, by their names.
    pub fn given(&self) -> &BTreeMap<String, String> {
        &self.0
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
    const ALL: [FormatOption; 4] = [FLAG, CHOICE, KIND, TEXT];

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
        ]);
        let options = options.unwrap();
        assert!(!options.is_true(&FLAG));
        assert_eq!(options.get(&CHOICE), Some("gzip"));
        assert_eq!(options.get(&TEXT), Some("A b"));
        assert_eq!(options.get(&KIND), None);
        assert_eq!(options.given().len(), 3);
        assert!(check(&[("unpack", "1")]).unwrap().is_true(&FLAG));
        let defaults = check(&[]).unwrap();
        assert!(defaults.is_true(&FLAG));
        assert_eq!(defaults.get(&CHOICE), Some("deflate"));
    }

    #[test]
    fn errors_say_what_is_allowed() {
        for (given, expected) in [
            (
                ("colour", "x"),
                "X has no option 'colour'; it has 'unpack', 'codec', 'kind', 'index'",
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
        ];
        assert_eq!(ALL.map(|option| option.help()), expected);
    }
}
