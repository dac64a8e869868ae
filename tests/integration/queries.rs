//! Every file in queries/ runs unchanged and has its stored result.
//!
//! tests/queries/NAME.expected is the output of the query. If the query writes to `${output}`,
//! tests/queries/NAME.check.sql reads the written files, and its result is also stored. If the
//! query requires input, tests/queries/NAME.before.sql creates it, and the query reads it from
//! `${documents}`, `${index}` or `${stats}`. `UPDATE_EXPECTED=1` rewrites the results.

use std::path::Path;

use super::support::{corpus_sql, files_in, is_built, ran, root};

/// Runs a file with options of the command line and with the variables that it uses. Their values
/// are file names.
fn run_file(options: &[&str], file: &Path, variables: &[(&str, &Path)]) -> String {
    let mut command = corpus_sql();
    command.args(options);
    command.args(["--quiet", "--format", "csv", "--threads", "2", "-f"]);
    command.arg(file);
    let sql = std::fs::read_to_string(file).unwrap();
    let used = |name: &str| sql.contains(&format!("${{{name}"));
    for (name, path) in variables.iter().filter(|(name, _)| used(name)) {
        command.args(["-v", &format!("{name}={}", path.display())]);
    }
    let ran = ran(command.output().unwrap());
    ran.succeeded().replace(&*root().to_string_lossy(), "ROOT")
}

/// A name with the default extension of a query's output.
fn output_name(query: &Path) -> String {
    let sql = std::fs::read_to_string(query).unwrap();
    let default = sql
        .split_once("${output:-")
        .and_then(|(_, rest)| rest.split_once('}'))
        .and_then(|(name, _)| name.rsplit_once('.'));
    let extension = default.map_or("parquet", |(_, extension)| extension);
    format!("output.{extension}")
}

#[test]
fn all_queries_give_their_results() {
    check_all_queries(&[]);
}

/// Runs all queries with these options of the command line.
pub fn check_all_queries(options: &[&str]) {
    let queries = files_in("queries", ".sql").into_iter();
    for query in queries.filter(|query| is_built(query)) {
        let name = query.file_stem().unwrap().to_string_lossy().into_owned();
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join(output_name(&query));
        let mut variables = vec![("output", output.as_path())];
        let before = root().join(format!("tests/queries/{name}.before.sql"));
        let documents = folder.path().join("documents.parquet");
        if before.exists() {
            run_file(options, &before, &[("output", &documents)]);
            variables.extend(["documents", "index", "stats"].map(|name| (name, &*documents)));
        }
        let mut result = run_file(options, &query, &variables);
        let check = root().join(format!("tests/queries/{name}.check.sql"));
        if output.exists() {
            assert!(
                check.exists(),
                "{name} writes, but {} is missing",
                check.display()
            );
            // The check reads files like other programs.
            result.push_str(&run_file(&[], &check, &[("output", &output)]));
        }
        let expected = root().join(format!("tests/queries/{name}.expected"));
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            std::fs::write(&expected, &result).unwrap();
        }
        let expected = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(result, expected, "{name}");
    }
}
