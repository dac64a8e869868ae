//! Commands of other programs (DuckDB, SQLite, psql, MySQL): what they mean here.

use crate::sql::syntax::literal;

/// The meaning of a command of another program.
#[derive(Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A command of ours, with its arguments.
    Command(String),
    Statement(String),
    /// There is no such command; what to do instead.
    Advice(String),
}

/// The equivalent of such a command.
enum Equivalent {
    /// A command that takes the same arguments.
    Ours(&'static str),
    /// A command or statement that depends on the arguments.
    Computed(fn(&str) -> Meaning),
    Advice(&'static str),
}

/// Words that are commands if nothing follows them.
const WORDS: &[(&str, &str)] = &[
    ("exit", "\\q"),
    ("quit", "\\q"),
    ("help", "\\?"),
    ("?", "\\?"),
];

const OUTPUT: &str = "write COPY (SELECT …) TO 'file', or run corpus-sql -c 'SELECT …' -o file";
const IMPORT: &str = "write CREATE TABLE t AS SELECT * FROM 'file'";
const NO_DATABASES: &str =
    "there are no databases to open: query files directly, such as SELECT * FROM 'x.parquet'";
const NO_INDEXES: &str =
    "tables have no indexes; CREATE EXTERNAL TABLE and COPY know search indexes";
const NO_SHELL: &str = "commands of the shell are not run here: use another terminal";
const HEADERS: &str = "results have a header in all formats that have one; \\format changes it";
const SETTINGS: &str = "\\x, \\rows, \\fold and \\format change how results are shown";
const PRINT: &str = "write SELECT 'text';";
const EDIT: &str = "the arrow keys show earlier statements; \\i runs those of a file";
const REPEAT: &str = "the arrow keys repeat a statement";

const COMMANDS: &[(&str, Equivalent)] = &[
    (".exit", Equivalent::Ours("\\q")),
    (".quit", Equivalent::Ours("\\q")),
    (".help", Equivalent::Ours("\\?")),
    (".tables", Equivalent::Computed(tables)),
    (".schema", Equivalent::Computed(schema)),
    (".databases", Equivalent::Advice(NO_DATABASES)),
    (".open", Equivalent::Advice(NO_DATABASES)),
    (".read", Equivalent::Ours("\\i")),
    (".mode", Equivalent::Computed(mode)),
    (".timer", Equivalent::Ours("\\timing")),
    (".maxrows", Equivalent::Ours("\\rows")),
    (".headers", Equivalent::Advice(HEADERS)),
    (".header", Equivalent::Advice(HEADERS)),
    (".output", Equivalent::Advice(OUTPUT)),
    (".once", Equivalent::Advice(OUTPUT)),
    (".excel", Equivalent::Advice(OUTPUT)),
    (".save", Equivalent::Advice(OUTPUT)),
    (".dump", Equivalent::Advice(OUTPUT)),
    (".import", Equivalent::Advice(IMPORT)),
    (".shell", Equivalent::Advice(NO_SHELL)),
    (".sh", Equivalent::Advice(NO_SHELL)),
    (".system", Equivalent::Advice(NO_SHELL)),
    (".print", Equivalent::Advice(PRINT)),
    (".echo", Equivalent::Advice(PRINT)),
    (".width", Equivalent::Advice(SETTINGS)),
    (".nullvalue", Equivalent::Advice(SETTINGS)),
    (".separator", Equivalent::Advice(SETTINGS)),
    (".show", Equivalent::Advice(SETTINGS)),
    (".columns", Equivalent::Advice(SETTINGS)),
    (".rows", Equivalent::Advice(SETTINGS)),
    (".large_number_rendering", Equivalent::Advice(SETTINGS)),
    (".cd", Equivalent::Advice(NO_SHELL)),
    (".indexes", Equivalent::Advice(NO_INDEXES)),
    (".indices", Equivalent::Advice(NO_INDEXES)),
    (".version", Equivalent::Advice("write SELECT version();")),
    (
        ".bail",
        Equivalent::Advice("the first error ends a script; the session goes on"),
    ),
    (".functions", Equivalent::Ours("\\df")),
    (".edit", Equivalent::Advice(EDIT)),
    ("\\dt", Equivalent::Ours("\\d")),
    ("\\dt+", Equivalent::Ours("\\d")),
    ("\\dv", Equivalent::Ours("\\d")),
    ("\\d+", Equivalent::Ours("\\d")),
    ("\\df+", Equivalent::Ours("\\df")),
    ("\\l", Equivalent::Advice(NO_DATABASES)),
    ("\\c", Equivalent::Advice(NO_DATABASES)),
    ("\\connect", Equivalent::Advice(NO_DATABASES)),
    (
        "\\dn",
        Equivalent::Advice("there is one schema, public; \\d lists its tables"),
    ),
    ("\\di", Equivalent::Advice(NO_INDEXES)),
    ("\\o", Equivalent::Advice(OUTPUT)),
    ("\\!", Equivalent::Advice(NO_SHELL)),
    ("\\echo", Equivalent::Advice(PRINT)),
    ("\\pset", Equivalent::Advice(SETTINGS)),
    ("\\t", Equivalent::Advice(SETTINGS)),
    ("\\a", Equivalent::Advice(SETTINGS)),
    ("\\e", Equivalent::Advice(EDIT)),
    ("\\p", Equivalent::Advice(REPEAT)),
    ("\\s", Equivalent::Advice(REPEAT)),
    (
        "\\h",
        Equivalent::Advice("\\? lists the commands, and SHOW FUNCTIONS the functions"),
    ),
    ("\\help", Equivalent::Ours("\\?")),
    ("\\exit", Equivalent::Ours("\\q")),
    ("\\quit", Equivalent::Ours("\\q")),
    ("\\include", Equivalent::Ours("\\i")),
    ("\\.", Equivalent::Ours("\\i")),
    ("\\copy", Equivalent::Computed(copy)),
];

/// Names of modes of other shells, and our formats.
const MODES: &[(&str, &str)] = &[
    ("ascii", "table"),
    ("box", "table"),
    ("column", "table"),
    ("duckbox", "table"),
    ("grid", "table"),
    ("plain", "table"),
    ("psql", "table"),
    ("unicode", "table"),
    ("line", "vertical"),
    ("lines", "vertical"),
    ("list", "tsv"),
    ("tabs", "tsv"),
    ("tcl", "tsv"),
    ("jsonl", "ndjson"),
    ("jsonlines", "ndjson"),
];

/// Returns the meaning of a line that is a command of another program.
pub fn meaning(line: &str) -> Option<Meaning> {
    let line = line.trim().trim_end_matches(';').trim_end();
    let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let arguments = arguments.trim();
    if arguments.is_empty()
        && let Some((_, ours)) = WORDS
            .iter()
            .find(|(word, _)| word.eq_ignore_ascii_case(name))
    {
        return Some(Meaning::Command((*ours).to_owned()));
    }
    if let Some((_, here)) = COMMANDS.iter().find(|(known, _)| *known == name) {
        return Some(match here {
            Equivalent::Ours(ours) => Meaning::Command(format!("{ours} {arguments}")),
            Equivalent::Computed(make) => make(arguments),
            Equivalent::Advice(advice) => {
                Meaning::Advice(format!("no command {name} here: {advice}"))
            }
        });
    }
    // No statement begins with a dot. A number may continue one.
    let word = name.strip_prefix('.')?;
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        .then(|| {
            Meaning::Advice(format!(
                "unknown command {name}; commands begin with a backslash: type \\? for a list"
            ))
        })
}

/// The commands of other programs that do something here.
pub fn names() -> impl Iterator<Item = &'static str> {
    let known = COMMANDS.iter();
    let known = known.filter(|(_, here)| !matches!(here, Equivalent::Advice(_)));
    known.map(|(name, _)| *name)
}

fn tables(pattern: &str) -> Meaning {
    Meaning::Statement(match pattern {
        "" => "SHOW TABLES".to_owned(),
        pattern => format!("SHOW TABLES LIKE {}", literal(pattern.trim_matches('\''))),
    })
}

fn schema(table: &str) -> Meaning {
    Meaning::Statement(match table {
        "" => "SELECT table_name, column_name, data_type FROM information_schema.columns \
               WHERE table_schema <> 'information_schema' ORDER BY table_name, ordinal_position"
            .to_owned(),
        table => format!("DESCRIBE {table}"),
    })
}

fn mode(name: &str) -> Meaning {
    let name = name.to_lowercase();
    let here = MODES.iter().find(|(mode, _)| *mode == name);
    Meaning::Command(format!(
        "\\format {}",
        here.map_or(name.as_str(), |(_, here)| *here)
    ))
}

/// `\copy` of psql: `COPY` with files of this machine, whose names need no quotes.
fn copy(arguments: &str) -> Meaning {
    let example = || {
        Meaning::Advice(
            "expected \\copy (SELECT …) TO 'file' or \\copy table FROM 'file'".to_owned(),
        )
    };
    let Some((direction, at)) = direction(arguments) else {
        return example();
    };
    let (what, rest) = arguments.split_at(at);
    let rest = rest[direction.len()..].trim_start();
    let end = match rest.strip_prefix('\'') {
        Some(quoted) => quoted.find('\'').map(|end| end + 2),
        None => Some(rest.find(char::is_whitespace).unwrap_or(rest.len())),
    };
    let Some(end) = end.filter(|end| *end > 0) else {
        return example();
    };
    let (file, options) = rest.split_at(end);
    if ["stdin", "stdout", "pstdin", "pstdout", "program"]
        .iter()
        .any(|name| name.eq_ignore_ascii_case(file))
    {
        return Meaning::Advice(format!(
            "\\copy reads and writes files, not {file}: results are on stdout, and {IMPORT}"
        ));
    }
    let file = if file.starts_with('\'') {
        file.to_owned()
    } else {
        literal(file)
    };
    Meaning::Statement(format!(
        "COPY {what}{direction} {file}{}",
        copy_options(options)
    ))
}

/// The word TO or FROM outside of parentheses and quotes, and its offset.
fn direction(text: &str) -> Option<(&str, usize)> {
    let (mut depth, mut quote) = (0_usize, None);
    let mut is_start = true;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, _) if depth == 0 && is_start => {
                let end = text[at..].find(char::is_whitespace).unwrap_or_default();
                let word = &text[at..at + end];
                if word.eq_ignore_ascii_case("to") || word.eq_ignore_ascii_case("from") {
                    return Some((word, at));
                }
            }
            _ => {}
        }
        is_start = c.is_whitespace() || c == ')';
    }
    None
}

/// The older options of `\copy`, `csv header`, as those of `COPY`.
fn copy_options(text: &str) -> String {
    let text = text.trim();
    let without_with = match text.get(..4) {
        Some(with) if with.eq_ignore_ascii_case("with") => text[4..].trim_start(),
        _ => text,
    };
    if without_with.is_empty() || without_with.starts_with('(') {
        return match without_with {
            "" => String::new(),
            options => format!(" {options}"),
        };
    }
    let mut options = Vec::new();
    let mut words = without_with.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word.to_lowercase().as_str() {
            "csv" => options.push("FORMAT csv".to_owned()),
            name @ ("delimiter" | "null") => {
                let value = words.next_if(|value| value.starts_with('\''));
                options.push(format!("{name} {}", value.unwrap_or_default()));
            }
            other => options.push(other.to_owned()),
        }
    }
    format!(" ({})", options.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str) -> Option<Meaning> {
        Some(Meaning::Command(text.to_owned()))
    }

    fn statement(text: &str) -> Option<Meaning> {
        Some(Meaning::Statement(text.to_owned()))
    }

    #[test]
    fn commands_of_other_programs_have_a_meaning() {
        for (line, expected) in [
            ("exit", command("\\q")),
            (" HELP;", command("\\?")),
            ("help me", None),
            ("SELECT 1", None),
            (".5 + 1", None),
            (".read 'a b.sql'", command("\\i 'a b.sql'")),
            (".mode line", command("\\format vertical")),
            (".mode csv", command("\\format csv")),
            (".tables", statement("SHOW TABLES")),
            (".tables p%", statement("SHOW TABLES LIKE 'p%'")),
            (".schema pages;", statement("DESCRIBE pages")),
            ("\\dt", command("\\d ")),
            ("\\x", None),
        ] {
            assert_eq!(meaning(line), expected, "{line}");
        }
        for line in [".output x", "\\o x", ".nosuch", "\\l"] {
            assert!(matches!(meaning(line), Some(Meaning::Advice(_))), "{line}");
        }
    }

    #[test]
    fn copies_of_psql_are_copies() {
        for (line, expected) in [
            (
                "\\copy t to out.csv csv header",
                "COPY t to 'out.csv' (FORMAT csv, header)",
            ),
            (
                "\\copy (SELECT 'to' AS \"to \" FROM x) TO 'a b.csv' WITH (FORMAT csv)",
                "COPY (SELECT 'to' AS \"to \" FROM x) TO 'a b.csv' (FORMAT csv)",
            ),
            (
                "\\copy t TO x.txt WITH CSV DELIMITER ';'",
                "COPY t TO 'x.txt' (FORMAT csv, delimiter ';')",
            ),
            ("\\copy t FROM in.csv", "COPY t FROM 'in.csv'"),
        ] {
            assert_eq!(meaning(line), statement(expected), "{line}");
        }
        for line in [
            "\\copy",
            "\\copy t TO",
            "\\copy t TO 'open",
            "\\copy t TO stdout",
        ] {
            assert!(matches!(meaning(line), Some(Meaning::Advice(_))), "{line}");
        }
    }
}
