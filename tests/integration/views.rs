//! Views and prepared statements use the files that exist when they run, not when they were
//! defined.

use std::fs;
use std::path::Path;

use super::support::{Ran, corpus_sql, ran};

fn run_in(folder: &Path, sql: &str) -> Ran {
    let mut command = corpus_sql();
    command.current_dir(folder);
    ran(command
        .args(["-q", "--format", "csv", "-c", sql])
        .output()
        .unwrap())
}

#[test]
fn files_that_arrive_later_are_read() {
    for table in ["read_files('in/')", "read_files('in/*.txt')", "'in/*.hocr'"] {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("in")).unwrap();
        for extension in ["txt", "hocr"] {
            fs::write(folder.path().join(format!("in/a.{extension}")), "a").unwrap();
        }
        let extension = if table.contains("hocr") {
            "hocr"
        } else {
            "txt"
        };
        let count =
            format!("SELECT count(*) AS n FROM {table} WHERE source_file LIKE '%.{extension}'");
        let sql = format!(
            "CREATE VIEW v AS {count}; PREPARE p AS {count};
             COPY (SELECT 1 AS a) TO 'in/b.{extension}' STORED AS CSV;
             SELECT * FROM v; EXECUTE p; SELECT * FROM v; EXECUTE p"
        );
        let ran = run_in(folder.path(), &sql);
        assert_eq!(ran.succeeded(), "n\n2\n".repeat(4), "{table}");
    }
}

#[cfg(feature = "search")]
#[test]
fn an_index_that_was_built_again_is_searched() {
    let build = |word: &str| {
        format!(
            "COPY (SELECT value AS id, 'river {word}' AS document FROM range(0, 3))
             TO 'idx/' STORED AS SEARCH_INDEX OPTIONS (id 'id', text 'document', mode 'replace');"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let sql = format!(
        "{} CREATE VIEW v AS SELECT count(*) AS n FROM search('idx/', 'bank');
         {} SELECT * FROM v;",
        build("mouth").replace("'replace'", "'create'"),
        build("bank"),
    );
    assert_eq!(run_in(folder.path(), &sql).succeeded(), "n\n3\n");
}
