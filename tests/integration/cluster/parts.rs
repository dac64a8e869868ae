//! Executors write parts, which later runs continue.

use std::fs;
use std::path::PathBuf;

use super::{Processes, totals, warc_to_document, write_archives};
use crate::support::{corpus_sql, ran, root, run};

#[test]
fn all_executors_write_parts_with_the_names_and_rows_of_a_local_run() {
    let cluster = Processes::start(2);
    let input = cluster.folder.path().join("input");
    write_archives(&input, 12, 20);
    let local = format!("{}/", cluster.folder.path().join("local").display());
    let output = cluster.output();
    let without = ran(warc_to_document(corpus_sql(), &input, &local)
        .arg("--resume")
        .output()
        .unwrap());
    without.succeeded();
    let with = ran(warc_to_document(cluster.client(), &input, &output)
        .output()
        .unwrap());
    with.succeeded();
    let names = |folder: &str| {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&output), names(&local));
    assert_eq!(totals(&output), totals(&local));
    for expected in ["12 files", "240 records", "240 rows", "0 errors"] {
        with.reports(expected);
    }
    // A local run continues the cluster's output.
    fs::remove_file(PathBuf::from(&output).join(names(&output).remove(0))).unwrap();
    let again = ran(warc_to_document(corpus_sql(), &input, &output)
        .arg("--resume")
        .output()
        .unwrap());
    again.succeeded();
    again.reports("1 file,");
    assert_eq!(totals(&output), totals(&local));
}

#[test]
fn inputs_with_errors_are_processed_again_on_a_cluster() {
    let cluster = Processes::start(2);
    let input = cluster.folder.path().join("input");
    fs::create_dir_all(&input).unwrap();
    for archive in ["crawl.warc.gz", "plain.warc"] {
        fs::copy(
            root().join("data-samples/warc").join(archive),
            input.join(archive),
        )
        .unwrap();
    }
    let damaged = fs::read(input.join("crawl.warc.gz")).unwrap();
    fs::write(input.join("damaged.warc.gz"), &damaged[..damaged.len() / 2]).unwrap();
    let copy = |folder: &str| {
        format!(
            "COPY (SELECT source_file, target_uri, error FROM read_warc('{}')) TO '{folder}' STORED \
             AS PARQUET",
            input.display()
        )
    };
    let rows = |folder: &str| {
        let sql = format!("SELECT * FROM '{folder}' ORDER BY source_file, target_uri, error");
        let ran = ran(corpus_sql()
            .args(["-q", "--format", "csv", "-c", &sql])
            .output()
            .unwrap());
        ran.succeeded().to_owned()
    };
    let output = cluster.output();
    cluster.run(&copy(&output)).succeeded();
    let local = format!("{}/", cluster.folder.path().join("local").display());
    let command = copy(&local);
    ran(corpus_sql()
        .args(["--resume", "-c", &command])
        .output()
        .unwrap())
    .succeeded();
    assert_eq!(rows(&output), rows(&local));
    let mut again = cluster.client();
    let again = ran(again
        .args(["--retry-errors", "-c", &copy(&output)])
        .output()
        .unwrap());
    again.succeeded();
    again.reports("2 inputs: done before");
    assert_eq!(rows(&output), rows(&local));
    // For a changed file, only its rows are replaced.
    fs::write(input.join("damaged.warc.gz"), &damaged).unwrap();
    cluster.run(&copy(&output)).succeeded();
    ran(corpus_sql()
        .args(["--resume", "-c", &command])
        .output()
        .unwrap())
    .succeeded();
    assert_eq!(rows(&output), rows(&local));
}

/// The extensions of files must reach the executors: places that an index names, and errors of
/// lists and indexes.
#[test]
fn indexes_and_lists_give_the_same_parts_on_a_cluster() {
    let cluster = Processes::start(2);
    let index = cluster.folder.path().join("some.cdxj");
    let lines = fs::read_to_string(root().join("data-samples/warc/crawl.cdxj")).unwrap();
    let mut some: Vec<_> = lines.lines().step_by(2).collect();
    some.push("a line that is none");
    fs::write(&index, some.join("\n")).unwrap();
    for (number, source) in [
        "'data-samples/web/', 'paths', 'SELECT * FROM (VALUES (''site.warc.gz''), (NULL)) AS t(path)'"
            .to_owned(),
        format!("'data-samples/warc/', 'index', '{}'", index.display()),
        "'data-samples/warc/', 'records', \
         'SELECT ''crawl.warc.gz'' AS filename, value AS \"offset\" FROM range(0, 2)'"
            .to_owned(),
    ]
    .into_iter()
    .enumerate()
    {
        let copy = |folder: &str| {
            format!(
                "COPY (SELECT source_file, \"offset\", target_uri, error FROM read_warc({source})) \
                 TO '{folder}' STORED AS PARQUET"
            )
        };
        let folder = |name: &str| {
            let folder = cluster.folder.path().join(format!("{name}-{number}"));
            format!("{}/", folder.display())
        };
        let (output, local) = (folder("cluster"), folder("local"));
        cluster.run(&copy(&output)).succeeded();
        run(["--resume", "-c", &copy(&local)]).succeeded();
        let rows = |folder: &str| {
            let sql = format!("SELECT * FROM '{folder}' ORDER BY source_file, \"offset\", target_uri, error");
            run(["-q", "--format", "csv", "-c", &sql]).succeeded().to_owned()
        };
        assert_eq!(rows(&output), rows(&local), "{source}");
        assert!(rows(&local).lines().count() > 2, "{}", rows(&local));
    }
}
