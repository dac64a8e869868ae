//! Commands such as `.mode csv` and `\d` in scripts, as in the session.

use clap::ValueEnum;
use datafusion::sql::sqlparser::dialect::Dialect;

use super::foreign_commands::{Meaning, meaning};
use crate::results::{Expand, Format};
use crate::sql::syntax::literal;
use crate::statements::split::is_incomplete;

/// A change of how results are shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    Format(Format),
    Expand(Expand),
}

/// A script without its commands.
#[derive(Debug, PartialEq)]
pub struct Extracted {
    /// The statements, on their lines.
    pub sql: String,
    /// The changes, with their lines, counted from 1.
    pub changes: Vec<(usize, Change)>,
}

/// A command that does not work in a script.
#[derive(Debug, PartialEq)]
pub struct Refused {
    pub line: usize,
    pub message: String,
}

/// The replacement of a line with a command.
enum Line {
    Statement(String),
    Change(Change),
    Nothing,
    End,
}

/// Takes the commands out of a script. Those that ask for something become statements.
pub fn extract(sql: &str, dialect: &dyn Dialect) -> Result<Extracted, Refused> {
    let mut extracted = Extracted {
        sql: String::with_capacity(sql.len()),
        changes: Vec::new(),
    };
    // The end of the last statement before a command.
    let mut complete = 0;
    for (index, line) in sql.split_inclusive('\n').enumerate() {
        let is_outside = |before: &str| before.trim().is_empty() || !is_incomplete(before, dialect);
        let before = extracted.sql.get(complete..).unwrap_or_default();
        if !is_command(line) || !is_outside(before) {
            extracted.sql.push_str(line);
            continue;
        }
        let number = index + 1;
        match command(line.trim()).map_err(|message| Refused {
            line: number,
            message,
        })? {
            Line::Statement(statement) => {
                extracted.sql.push_str(&statement.replace('\n', " "));
                extracted.sql.push(';');
            }
            Line::Change(change) => extracted.changes.push((number, change)),
            Line::Nothing => {}
            Line::End => break,
        }
        extracted.sql.push('\n');
        complete = extracted.sql.len();
    }
    Ok(extracted)
}

/// Whether a line looks like a command. No statement starts like this.
fn is_command(line: &str) -> bool {
    let line = line.trim_start();
    line.strip_prefix(['.', '\\'])
        .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '?'))
}

fn command(line: &str) -> Result<Line, String> {
    let ours = match meaning(line) {
        Some(Meaning::Statement(statement)) => return Ok(Line::Statement(statement)),
        // Results have a header anyway.
        Some(Meaning::Advice(_)) if line.starts_with(".header") && line.ends_with("on") => {
            return Ok(Line::Nothing);
        }
        Some(Meaning::Advice(advice)) => return Err(advice),
        Some(Meaning::Command(ours)) => ours,
        None => line.to_owned(),
    };
    let ours = ours.trim_end_matches(';').trim();
    let (name, argument) = ours.split_once(char::is_whitespace).unwrap_or((ours, ""));
    let argument = argument.trim();
    Ok(match (name, argument) {
        ("\\format", format) => match Format::from_str(format, true) {
            Ok(format) => Line::Change(Change::Format(format)),
            Err(_) => return Err(format!("unknown format '{format}'; see --format")),
        },
        ("\\x", "" | "on") => Line::Change(Change::Expand(Expand::Always)),
        ("\\x", "off") => Line::Change(Change::Expand(Expand::Never)),
        ("\\x", "auto") => Line::Change(Change::Expand(Expand::Auto)),
        ("\\d", "") => Line::Statement("SHOW TABLES".to_owned()),
        ("\\d", table) => Line::Statement(format!("DESCRIBE {table}")),
        ("\\df", "") => Line::Statement("SHOW FUNCTIONS".to_owned()),
        ("\\df", part) => Line::Statement(format!(
            "SHOW FUNCTIONS LIKE {}",
            literal(&format!("%{part}%"))
        )),
        ("\\timing" | "\\rows" | "\\fold" | "\\?", _) => Line::Nothing,
        ("\\q", _) => Line::End,
        ("\\i", _) => {
            return Err(
                "scripts run no other scripts: name each with -f, as in -f a.sql -f b.sql"
                    .to_owned(),
            );
        }
        ("\\set", _) => {
            return Err("scripts set no variables: pass them with -v name=value".to_owned());
        }
        ("\\g" | "\\gx", _) => {
            return Err(format!("end the statement before {name} with a semicolon"));
        }
        _ => {
            return Err(format!(
                "unknown command {name}; type \\? in a session for a list"
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::GenericDialect;

    use super::*;

    fn extract_commands(sql: &str) -> Extracted {
        extract(sql, &GenericDialect {}).unwrap()
    }

    #[test]
    fn commands_become_statements_or_change_the_output() {
        let found = extract_commands(
            ".mode csv\nSELECT 1;\n.tables\n\\x on\nSELECT '\n.mode csv\n';\n\\q\nSELECT 2;",
        );
        assert_eq!(
            found.sql,
            "\nSELECT 1;\nSHOW TABLES;\n\nSELECT '\n.mode csv\n';\n"
        );
        let changes = [
            (1, Change::Format(Format::Csv)),
            (4, Change::Expand(Expand::Always)),
        ];
        assert_eq!(found.changes, changes);
    }

    #[test]
    fn other_scripts_stay_as_they_are() {
        for sql in [
            "SELECT 1",
            "SELECT\n.5",
            "SELECT a\n.b FROM t;\n",
            "-- x\n",
            "",
        ] {
            assert_eq!(extract_commands(sql).sql, sql);
        }
    }

    #[test]
    fn commands_that_need_a_session_are_refused() {
        for (sql, advice) in [
            ("SELECT 1;\n.read x.sql", "-f a.sql"),
            ("SELECT 1;\n.output x", "COPY"),
            ("SELECT 1;\n\\nosuch", "unknown command"),
        ] {
            let refused = extract(sql, &GenericDialect {}).unwrap_err();
            assert_eq!(refused.line, 2);
            assert!(refused.message.contains(advice), "{refused:?}");
        }
    }
}
