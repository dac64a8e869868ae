//! What the binary says to those who do not know its names yet, and what a job has written.

use std::fs;

use super::support::run;

#[test]
fn show_tables_lists_the_tables_of_the_user() {
    let tables = |show: &str| {
        let sql = format!(
            "CREATE VIEW pages AS SELECT 1 AS a; CREATE VIEW urls AS SELECT 2 AS b; {show}"
        );
        run(["-q", "--format", "csv", "-c", &sql])
            .succeeded()
            .to_owned()
    };
    let all = tables("SHOW TABLES");
    assert!(all.contains("public,pages,VIEW\n"), "{all}");
    assert!(!all.contains("information_schema"), "{all}");
    let some = tables("SHOW TABLES LIKE 'u%'");
    assert!(some.contains("urls") && !some.contains("pages"), "{some}");
    let system = tables("SHOW TABLES FROM information_schema");
    assert!(
        system.contains("routines") && !system.contains("urls"),
        "{system}"
    );
}

#[test]
fn a_missing_query_file_names_the_nearest_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["pages.sql", "zzzzzzzzzzzz.sql", "notes.txt"] {
        fs::write(folder.path().join(name), "SELECT 1").unwrap();
    }
    let missing = folder.path().join("page.sql");
    let ran = run(["-f", &missing.to_string_lossy()]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let near = ran.stderr.find("pages.sql");
    let far = ran.stderr.find("zzzzzzzzzzzz.sql");
    assert!(near.is_some() && near < far, "{}", ran.stderr);
    assert!(!ran.stderr.contains("notes.txt"), "{}", ran.stderr);

    let nowhere = folder.path().join("nosuch/page.sql");
    let ran = run(["-f", &nowhere.to_string_lossy()]);
    assert!(ran.stderr.contains("there is no folder"), "{}", ran.stderr);
}

#[test]
fn a_summary_ends_with_what_was_written_and_where() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.parquet").display().to_string();
    let parts = folder.path().join("parts").display().to_string();
    let sql = format!(
        "COPY (SELECT 1 AS a) TO '{file}'; COPY (VALUES (1), (2)) TO '{parts}/' STORED AS CSV"
    );
    let ran = run(["-c", &sql]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let lines: Vec<_> = ran.stderr.lines().rev().take(2).collect();
    let size = fs::metadata(&file).unwrap().len();
    let first = format!("1 row written to {file}, {size} B");
    assert_eq!(lines[1], first, "{}", ran.stderr);
    let second = format!("2 rows written to {parts}/, 1 file, ");
    assert!(lines[0].starts_with(&second), "{}", ran.stderr);

    // Files that a folder has already are not counted.
    let more = format!("COPY (VALUES (3)) TO '{parts}/' STORED AS CSV");
    let ran = run(["-c", &more]);
    let last = format!("1 row written to {parts}/, 1 file, ");
    assert!(ran.stderr.contains(&last), "{}", ran.stderr);
}
