//! Detects mistakes in the use of variables: misspelled names, and defaults used by accident.

use std::collections::BTreeSet;

use super::script::{Failure, Script};
use super::variables::{Variables, names};
use crate::similar_names;
use crate::sql::parameters::{Parameters, Value};

/// Variables that name the input of a query.
const INPUTS: &[&str] = &["input", "index", "documents"];

/// Collects the variables of the command line. Fails if a name has two values.
pub fn collect(assignments: Vec<(String, String)>) -> Result<Variables, Failure> {
    unique("variable", assignments)
}

/// Collects the parameters of the command line, which are texts. Fails if a name has two values.
pub fn collect_parameters(assignments: Vec<(String, String)>) -> Result<Parameters, Failure> {
    let texts = unique("parameter", assignments)?.into_iter();
    Ok(texts
        .map(|(name, text)| (name, Value::Text(text)))
        .collect())
}

fn unique(kind: &str, assignments: Vec<(String, String)>) -> Result<Variables, Failure> {
    let mut variables = Variables::new();
    for (name, value) in assignments {
        match variables.get(&name) {
            Some(first) if *first != value => {
                return Err(Failure::Usage(format!(
                    "the {kind} '{name}' is set twice, to '{first}' and to '{value}'"
                )));
            }
            _ => variables.insert(name, value),
        };
    }
    Ok(variables)
}

/// Fails if a variable is set but used by no script.
pub fn check_all_used(scripts: &[Script], variables: &Variables) -> Result<(), Failure> {
    let mut known = BTreeSet::new();
    for script in scripts {
        known.extend(script_names(script)?);
    }
    let mut messages = Vec::new();
    for name in variables.keys().filter(|name| !known.contains(*name)) {
        let nearest = nearest(name, &known);
        let suggestion = nearest.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
        messages.push(format!(
            "no statement uses the variable '{name}'{suggestion}"
        ));
    }
    if messages.is_empty() {
        return Ok(());
    }
    messages.push(if known.is_empty() {
        "the statements have no variables".to_owned()
    } else {
        format!("their variables: {}", list(&known))
    });
    Err(Failure::Usage(messages.join("\n  ")))
}

/// Fails if a variable is set and not used by the script, but resembles an unset one that the
/// script uses. Other variables may be meant for other scripts of the session.
pub fn check_spelling(script: &Script, variables: &Variables) -> Result<(), Failure> {
    let known = script_names(script)?;
    let open: BTreeSet<String> = known
        .iter()
        .filter(|name| !variables.contains_key(*name))
        .cloned()
        .collect();
    for name in variables.keys().filter(|name| !known.contains(*name)) {
        if let Some(near) = nearest(name, &open) {
            return Err(Failure::Usage(format!(
                "{} uses the variable '{near}', which is not set, but '{name}' is: use \\set {near} \
                             VALUE",
                script.name
            )));
        }
    }
    Ok(())
}

fn script_names(script: &Script) -> Result<BTreeSet<String>, Failure> {
    names(&script.text)
        .map_err(|error| Failure::Usage(format!("{}:{}: {error}", script.name, error.line)))
}

/// The note that names inputs taken from defaults, if there are any.
pub fn default_note(defaults: &[(String, String)], interactive: bool) -> Option<String> {
    let inputs: Vec<_> = default_inputs(defaults).collect();
    let values: Vec<_> = inputs
        .iter()
        .map(|(name, value)| format!("{name} is '{value}'"))
        .collect();
    let how: Vec<_> = inputs
        .iter()
        .map(|(name, _)| how_to_set(name, interactive))
        .collect();
    let it = if inputs.len() == 1 { "it" } else { "them" };
    (!inputs.is_empty()).then(|| {
        let (values, how) = (values.join(" and "), how.join(" and "));
        format!("{values} by default; set {it} with {how}")
    })
}

/// Advice for an error that mentions a default input.
pub fn default_hint(message: &str, defaults: &[(String, String)], interactive: bool) -> String {
    let mut inputs = default_inputs(defaults);
    let named = inputs.find(|(_, value)| !value.is_empty() && message.contains(value));
    named.map_or(String::new(), |(name, value)| {
        let how = how_to_set(name, interactive);
        format!("\n  '{value}' is the default of '{name}': set another value with {how}")
    })
}

fn default_inputs(defaults: &[(String, String)]) -> impl Iterator<Item = &(String, String)> {
    defaults
        .iter()
        .filter(|(name, _)| INPUTS.contains(&name.as_str()))
}

/// The command that sets a variable.
fn how_to_set(name: &str, interactive: bool) -> String {
    if interactive {
        format!("\\set {name} …")
    } else {
        format!("-v {name}=…")
    }
}

fn list(names: &BTreeSet<String>) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.join(", ")
}

/// The known name that `name` most likely misspells.
fn nearest<'a>(name: &str, known: &'a BTreeSet<String>) -> Option<&'a str> {
    similar_names::nearest(name, known.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> Variables {
        let pairs = names.iter().map(|name| ((*name).to_owned(), String::new()));
        pairs.collect()
    }

    fn script(text: &str) -> Script {
        Script {
            name: "a.sql".to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        let known: BTreeSet<String> = ["input", "output", "key"].map(str::to_owned).into();
        for (name, expected) in [
            ("inptu", Some("input")),
            ("INPUT", Some("input")),
            ("inputs", Some("input")),
            ("outptu", Some("output")),
            ("kee", Some("key")),
            ("url", None),
            ("x", None),
        ] {
            assert_eq!(nearest(name, &known), expected, "{name}");
        }
    }

    #[test]
    fn one_of_several_scripts_has_to_use_a_variable() {
        let scripts = [script("SELECT '${a}'"), script("SELECT ${b:-1} -- ${c}")];
        assert!(check_all_used(&scripts, &set(&["a", "b"])).is_ok());
        let error = check_all_used(&scripts, &set(&["a", "c"]))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("'c'") && error.contains("variables: a, b"),
            "{error}"
        );
        let error = check_all_used(&[script("SELECT 1")], &set(&["a"]))
            .unwrap_err()
            .to_string();
        assert!(error.contains("no variables"), "{error}");
    }

    #[test]
    fn defaults_of_inputs_are_named_in_one_line() {
        let default = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let defaults = [
            default("input", "in/"),
            default("most", "20"),
            default("documents", "d.parquet"),
        ];
        assert_eq!(
            default_note(&defaults[..2], true).as_deref(),
            Some("input is 'in/' by default; set it with \\set input …")
        );
        let both = default_note(&defaults, false).unwrap();
        assert!(
            both.contains("input is 'in/' and documents is 'd.parquet'"),
            "{both}"
        );
        assert_eq!(default_note(&defaults[1..2], false), None);
        let hint = |message| default_hint(message, &defaults, false);
        assert!(hint("no files at 'd.parquet'").contains("-v documents="));
        assert_eq!(hint("20 mistakes"), "");
    }

    #[test]
    fn a_session_accepts_variables_of_other_scripts_but_no_misspelled_ones() {
        let script = script("SELECT '${input:-x}'");
        assert!(check_spelling(&script, &set(&["language"])).is_ok());
        assert!(check_spelling(&script, &set(&["inptu", "input"])).is_ok());
        let error = check_spelling(&script, &set(&["inptu"]))
            .unwrap_err()
            .to_string();
        assert!(error.contains("\\set input"), "{error}");
    }
}
