//! The rules of the job `filter_documents`, as its SQL has them: what they measure, and their
//! thresholds.

use regex::Regex;
use serde_json::Value;

use crate::jobs;

/// The job whose SQL has the rules.
const JOB: &str = "filter_documents";

/// A rule, such as `CASE WHEN gopher['words'] < ${min_words:-50} THEN 'gopher_short_doc' END`.
#[derive(Debug, PartialEq)]
pub struct Rule {
    pub name: String,
    /// Its measures. Documents in languages without spaces have another one, and the others are
    /// NULL.
    measures: Vec<Measure>,
    /// Whether values below the threshold are removed.
    is_least: bool,
    /// The threshold of runs that set no other.
    pub default: f64,
}

#[derive(Debug, PartialEq)]
struct Measure {
    /// An expression over the columns of `removed.parquet`.
    value: String,
    /// Which documents the rule is for, such as `language = 'en'`.
    condition: Option<String>,
}

impl Rule {
    /// All rules that compare a number with a threshold.
    pub fn all() -> Vec<Self> {
        let pattern = r"CASE WHEN (\S+) ([<>]) \$\{\w+:-([0-9.]+)\}(?: AND ([^']*(?:'\w+'[^']*)*?))? THEN '(\w+)'";
        let (Ok(pattern), Ok(job)) = (Regex::new(pattern), jobs::find(JOB)) else {
            return Vec::new();
        };
        let rules = job.sql.lines().flat_map(|line| pattern.captures_iter(line));
        let mut all: Vec<Self> = Vec::new();
        for found in rules {
            // The column has another name in the files.
            let value = match found[1].strip_prefix("characters[") {
                Some(rest) => format!("by_characters[{rest}"),
                None => found[1].to_owned(),
            };
            let condition = found.get(4).map(|it| it.as_str().to_owned());
            let measure = Measure { value, condition };
            let Ok(default) = found[3].parse() else {
                continue;
            };
            match all.iter_mut().find(|rule| rule.name == found[5]) {
                Some(rule) => rule.measures.push(measure),
                None => all.push(Self {
                    name: found[5].to_owned(),
                    measures: vec![measure],
                    is_least: &found[2] == "<",
                    default,
                }),
            }
        }
        all
    }

    /// The measured value in SQL; NULL for documents that the rule is not for.
    pub fn measure(&self) -> String {
        let values = self.measures.iter();
        let values = values.map(|Measure { value, condition }| match condition {
            Some(condition) => format!("CASE WHEN {condition} THEN {value} END"),
            None => value.clone(),
        });
        format!("coalesce({})", values.collect::<Vec<_>>().join(", "))
    }

    /// The columns that hold the measured value.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let measures = self.measures.iter();
        measures.filter_map(|measure| measure.value.split('[').next())
    }

    /// The words for the values that are kept.
    pub fn keep(&self) -> &'static str {
        if self.is_least { "at least" } else { "at most" }
    }

    /// The measured value, from the columns of a row.
    pub fn value_in(&self, column: impl Fn(&str) -> Value) -> Value {
        let mut values = self.measures.iter().map(|measure| {
            let mut parts = measure
                .value
                .split(['[', ']'])
                .filter(|part| !part.is_empty());
            let mut value = column(parts.next().unwrap_or_default());
            for part in parts {
                let inner = match part.parse::<usize>() {
                    Ok(position) => value.get_mut(position.saturating_sub(1)),
                    Err(_) => value.get_mut(part.trim_matches('\'')),
                };
                value = inner.map(Value::take).unwrap_or_default();
            }
            value
        });
        values.find(|value| !value.is_null()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rules_are_those_of_the_job() {
        let rules = Rule::all();
        assert!(rules.len() >= 35, "{}", rules.len());
        let find = |name: &str| {
            let found = rules.iter().find(|rule| rule.name == name);
            found.unwrap_or_else(|| panic!("{name}"))
        };
        let short = find("gopher_short_doc");
        assert_eq!((short.keep(), short.default), ("at least", 50.0));
        let top = find("top_4_gram");
        assert_eq!((top.keep(), top.default), ("at most", 0.16));
        let value = top.value_in(|column| {
            assert_eq!(column, "repetition");
            json!({"top_ngrams": [0.1, 0.2, 0.3]})
        });
        assert_eq!(value, json!(0.3));
        assert_eq!(top.value_in(|_| Value::Null), Value::Null);
        assert_eq!(find("too_few_sentences").measure(), "coalesce(sentences)");
        let both = find("line_punct_ratio");
        let columns: Vec<_> = both.columns().collect();
        assert_eq!(columns, ["by_characters", "fineweb"]);
        let value = both.value_in(|column| match column {
            "fineweb" => json!({"punctuated_lines": 0.5}),
            _ => Value::Null,
        });
        assert_eq!(value, json!(0.5));
        let stop_words = find("gopher_enough_stop_words");
        assert_eq!(stop_words.default, 2.0);
        let measure = "coalesce(CASE WHEN language = 'en' THEN gopher['stop_words'] END)";
        assert_eq!(stop_words.measure(), measure);
        let sentences = find("long_sentences").measure();
        assert!(
            sentences.contains("WHEN language NOT IN ('th', 'lo') THEN"),
            "{sentences}"
        );
    }

    #[test]
    fn removed_documents_have_the_limits_of_their_rules() {
        let sql = jobs::find(JOB).unwrap().sql;
        let limit = Regex::new(r"'(\w+)': (\$\{\w+:-([0-9.]+)\})").unwrap();
        let limits: Vec<_> = limit.captures_iter(sql).collect();
        let rules = Rule::all();
        assert_eq!(limits.len(), rules.len());
        for (rule, limit) in rules.iter().zip(limits) {
            assert_eq!(
                (rule.name.as_str(), rule.default),
                (&limit[1], limit[3].parse().unwrap())
            );
            let compared = format!(" {} THEN '{}'", &limit[2], rule.name);
            let is_compared = sql.lines().any(|line| {
                line.contains(&compared)
                    || line.contains(&limit[2]) && line.contains(&format!("THEN '{}'", rule.name))
            });
            assert!(is_compared, "{compared}");
        }
    }
}
