//! The options of the function `search`.

use corpus_search::{DEFAULT_SNIPPET_LENGTH, Operator, SearchOptions, SnippetFormat, Verify};

use crate::options::{FormatOption, Options};

const OPERATOR: FormatOption = FormatOption::one_of(
    "operator",
    &["and", "or"],
    Some("and"),
    "the operator between words",
);
const SNIPPET_FORMAT: FormatOption = FormatOption::one_of(
    "snippet",
    &["html", "text", "json"],
    Some("html"),
    "HTML has `<b>` around the words found, and JSON their positions",
);
const SNIPPET_LENGTH: FormatOption = FormatOption::number(
    "snippet_length",
    1..=100_000,
    DEFAULT_SNIPPET_LENGTH,
    "the maximum length of snippets, in characters",
);
const OFFSET: FormatOption =
    FormatOption::number("offset", 0..=usize::MAX, 0, "the number of hits to skip");

const VERIFY: FormatOption = FormatOption::one_of(
    "verify",
    &["used", "all", "none"],
    Some("used"),
    "which parts are compared with their checksums: those that are read, all, or none",
);

/// The options of the function `search`.
pub const OPTIONS: &[FormatOption] = &[OPERATOR, SNIPPET_FORMAT, SNIPPET_LENGTH, OFFSET, VERIFY];

/// Returns the parts of the index to check, from the options of a call.
pub fn verify(options: &Options) -> Verify {
    match options.get(&VERIFY) {
        Some("all") => Verify::All,
        Some("none") => Verify::None,
        _ => Verify::Used,
    }
}

/// The options of a search, from those of a call.
pub fn search_options(limit: Option<usize>, options: &Options) -> SearchOptions {
    SearchOptions {
        limit,
        offset: options.number(&OFFSET),
        operator: match options.get(&OPERATOR) {
            Some("or") => Operator::Or,
            _ => Operator::And,
        },
        snippet: match options.get(&SNIPPET_FORMAT) {
            Some("text") => SnippetFormat::Text,
            Some("json") => SnippetFormat::Json,
            _ => SnippetFormat::Html,
        },
        snippet_length: options.number(&SNIPPET_LENGTH),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn options_are_those_of_the_search() {
        let given = [
            ("offset", "10"),
            ("Operator", "OR"),
            ("snippet", "text"),
            ("snippet_length", "80"),
            ("verify", "all"),
        ];
        let given: HashMap<_, _> = given
            .map(|(name, value)| (name.into(), value.into()))
            .into();
        let given = Options::check("search", OPTIONS, &given).unwrap();
        assert_eq!(verify(&given), Verify::All);
        assert_eq!(verify(&Options::default()), Verify::Used);
        let options = search_options(Some(5), &given);
        assert_eq!((options.limit, options.offset), (Some(5), 10));
        assert_eq!(options.operator, Operator::Or);
        assert_eq!(options.snippet, SnippetFormat::Text);
        assert_eq!(options.snippet_length, 80);
        let options = search_options(None, &Options::default());
        let defaults = SearchOptions::default();
        assert_eq!((options.limit, options.offset), (None, 0));
        assert_eq!(options.operator, defaults.operator);
        assert_eq!(options.snippet, defaults.snippet);
        assert_eq!(options.snippet_length, defaults.snippet_length);
    }
}
