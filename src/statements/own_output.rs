//! Refuses scripts whose output would replace their input, or be read by their next run.

use std::path::{Path, PathBuf, absolute};

use super::variables::{OUTPUT, Substituted, Use};
use crate::sources::location::Location;

/// The text before the name of files that are read whatever their format, or by their columns.
const READERS: [&str; 3] = ["from '", "join '", "read_files('"];

/// Checks the local inputs of a script that has an output.
pub fn check(script: &str, substituted: &Substituted) -> Result<(), String> {
    let uses = substituted.uses(script);
    let is_output = |one: &&Use<'_>| one.name == OUTPUT;
    let Some(output) = uses.iter().find(is_output) else {
        return Ok(());
    };
    let folder = real_path(Path::new(&output.value));
    // A script writes most files of its output that it names.
    let written: Vec<PathBuf> = uses
        .iter()
        .filter(is_output)
        .map(|one| real_path(Path::new(&format!("{}{}", one.value, one.rest))))
        .collect();
    for input in uses.iter().filter(|one| !is_output(one)) {
        let path = Path::new(&input.value);
        let (name, value) = (input.name, &input.value);
        if let Some(file) = written.iter().find(|file| is_matched(file, value)) {
            return Err(format!(
                "'{value}', the value of '{name}', selects the output '{}': choose another output",
                file.display()
            ));
        }
        let Ok(real) = path.canonicalize() else {
            continue;
        };
        if real.is_file() && written.contains(&real) {
            return Err(format!(
                "the output would replace '{value}', the value of '{name}': choose another output"
            ));
        }
        let before = input.before.to_ascii_lowercase();
        let reads_output = READERS.iter().any(|reader| before.ends_with(reader));
        if reads_output && real.is_dir() && folder.starts_with(&real) {
            return Err(format!(
                "the output '{}' is in '{value}', the value of '{name}', so the script would read \
                 its own output: choose an output outside of it",
                output.value
            ));
        }
    }
    Ok(())
}

/// Whether a glob selects a file.
fn is_matched(file: &Path, glob: &str) -> bool {
    Location::parse(glob).is_ok_and(|location| location.glob_selects(file))
}

/// The path without links, also of a file that does not exist yet.
fn real_path(path: &Path) -> PathBuf {
    let path = absolute(path).unwrap_or_else(|_| path.to_owned());
    let existing = path.ancestors().find_map(|folder| {
        let real = folder.canonicalize().ok()?;
        let rest = path.strip_prefix(folder).ok()?;
        Some(real.components().chain(rest.components()).collect())
    });
    existing.unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::document_columns::Inputs;
    use super::super::variables::{Variables, substitute};
    use super::*;

    const SCRIPT: &str = "COPY (SELECT * FROM '${input}') TO '${output}/numbered.parquet';
        COPY (SELECT * FROM '${output}/numbered.parquet') TO '${output}/documents.parquet'";

    fn check_script(script: &str, input: &Path, output: &Path) -> Result<(), String> {
        let text = |path: &Path| path.display().to_string();
        let variables = [("input", text(input)), ("output", text(output))];
        let variables: Variables = variables
            .map(|(name, value)| (name.to_owned(), value))
            .into();
        check(
            script,
            &substitute(script, &variables, &Inputs::new()).unwrap(),
        )
    }

    #[test]
    fn outputs_neither_replace_inputs_nor_lie_in_them() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path();
        let input = folder.join("documents.parquet");
        fs::write(&input, "").unwrap();
        let error = check_script(SCRIPT, &input, folder).unwrap_err();
        assert!(error.contains("would replace"), "{error}");
        for output in [folder.to_owned(), folder.join("a/b")] {
            let error = check_script(SCRIPT, folder, &output).unwrap_err();
            assert!(error.contains("its own output"), "{error}");
        }
        let other = folder.join("a.parquet");
        fs::write(&other, "").unwrap();
        for (input, output) in [(&other, folder), (&folder.join("in"), &folder.join("out"))] {
            assert_eq!(check_script(SCRIPT, input, output), Ok(()));
        }
    }

    #[test]
    fn globs_do_not_select_outputs() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path();
        fs::create_dir(folder.join("out")).unwrap();
        for (glob, output) in [
            ("doc*.parquet", ""),
            ("**/*.parquet", "out"),
            ("*/documents.parquet", "out"),
        ] {
            let error = check_script(SCRIPT, &folder.join(glob), &folder.join(output)).unwrap_err();
            assert!(error.contains("choose another output"), "{error}");
        }
        for (glob, output) in [
            ("*.parquet", "out"),
            ("*.jsonl", ""),
            ("in/**/*.parquet", ""),
        ] {
            let checked = check_script(SCRIPT, &folder.join(glob), &folder.join(output));
            assert_eq!(checked, Ok(()), "{glob}");
        }
    }

    #[test]
    fn outputs_may_lie_beside_files_of_other_formats() {
        let temporary = tempfile::tempdir().unwrap();
        let script = "COPY (SELECT * FROM pdf_documents('${input}')) TO '${output}'";
        let folder = temporary.path();
        assert_eq!(
            check_script(script, folder, &folder.join("out.parquet")),
            Ok(())
        );
    }
}
