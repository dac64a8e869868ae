//! The message of an interrupted run with `--resume`: the parts that are done, and how to continue.

use std::ffi::OsString;
use std::path::Path;

use datafusion::prelude::SessionContext;

use crate::settings::{CorpusSettings, Resume};
use crate::shell::quote;
use crate::sinks::resume::Report;
use crate::statements::written_targets::count_of;

/// The line about the parts of the interrupted statement. Empty if it does not write any.
pub fn parts(report: Option<&Report>) -> String {
    let Some((folder, done, all)) = report.and_then(Report::progress) else {
        return String::new();
    };
    format!(
        "\n  {done} of {} are done in {folder}",
        count_of(all, "part")
    )
}

/// All lines. `parts` is what [`parts`] has returned, and `statements` the number of complete ones
/// and of all.
pub fn progress(
    parts: &str,
    statements: (usize, usize),
    context: &SessionContext,
    interactive: bool,
) -> String {
    let state = context.state();
    let resumes = CorpusSettings::of(state.config_options()).resume != Resume::Off;
    if !resumes && parts.is_empty() {
        return String::new();
    }
    let mut lines = parts.to_owned();
    let (done, all) = statements;
    if all > 1 {
        let all = count_of(all as u64, "statement");
        lines.push_str(&format!("\n  {done} of {all} are complete"));
    }
    if !interactive {
        let command = command(std::env::args_os());
        lines.push_str(&format!("\n  continue with: {command}"));
    }
    lines
}

/// The command line, as a shell reads it.
fn command(arguments: impl IntoIterator<Item = OsString>) -> String {
    let mut arguments = arguments.into_iter();
    let program = arguments.next().unwrap_or_default();
    // A program that was found in PATH is found there again.
    let name = if Path::new(&program).is_file() {
        program.to_string_lossy().into_owned()
    } else {
        "corpus-sql".to_owned()
    };
    let mut words = vec![quote(&name)];
    words.extend(arguments.map(|argument| quote(&argument.to_string_lossy())));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_quoted_for_a_shell() {
        let words = [
            "corpus-sql",
            "--resume",
            "-f",
            "a b.sql",
            "-v",
            "in=it's $x",
            "",
            "日本/",
        ];
        let words = words.map(OsString::from);
        assert_eq!(
            command(words),
            "corpus-sql --resume -f 'a b.sql' -v 'in=it'\\''s $x' '' 日本/"
        );
    }

    #[test]
    fn a_run_that_cannot_go_on_says_nothing_more() {
        let context = SessionContext::new();
        assert_eq!(progress("", (1, 3), &context, false), "");
        assert_eq!(parts(Some(&Report::default())), "");
        let lines = progress("\n  1 of 2 parts are done in out/", (1, 3), &context, true);
        assert_eq!(
            lines,
            "\n  1 of 2 parts are done in out/\n  1 of 3 statements are complete"
        );
    }
}
