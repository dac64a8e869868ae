//! Folders and globs of Parquet and CSV files: every file is read once.

use std::fs;
use std::path::Path;

use super::support::{Ran, corpus_sql, ran, run};

/// A folder with files.
pub struct Files(tempfile::TempDir);

impl Files {
    /// Writes CSV files, each with its own name as a row.
    pub fn new(names: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("file\n{name}\n")).unwrap();
        }
        Self(folder)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn query(&self, sql: &str) -> Ran {
        let folder = self.path().display().to_string();
        run(["-q", "--format", "csv", "-c", &sql.replace("{}", &folder)])
    }

    /// The names in a table, sorted.
    fn names(&self, location: &str) -> Vec<String> {
        let sql = format!("SELECT file FROM '{{}}/{location}' ORDER BY file");
        let ran = self.query(&sql);
        ran.succeeded().lines().skip(1).map(str::to_owned).collect()
    }
}

#[test]
fn folders_and_globs_read_the_files_of_all_folders() {
    let files = Files::new(&["1.csv", "a/2.csv", "a/b/3.csv", "c d%/4.csv"]);
    let all = ["1.csv", "a/2.csv", "a/b/3.csv", "c d%/4.csv"];
    assert_eq!(files.names(""), all);
    assert_eq!(files.names("**/*.csv"), all);
    assert_eq!(files.names("*.csv"), ["1.csv"]);
    assert_eq!(files.names("*/*.csv"), ["a/2.csv", "c d%/4.csv"]);
    assert_eq!(files.names("a/**"), ["a/2.csv", "a/b/3.csv"]);
    assert_eq!(files.names("**/[13].csv"), ["1.csv", "a/b/3.csv"]);
    assert_eq!(files.names("a/2.csv"), ["a/2.csv"]);
}

#[test]
fn created_tables_read_the_files_of_all_folders() {
    let files = Files::new(&[
        "1.csv",
        "a/2.csv",
        "a/b/3.csv",
        "a/_SUCCESS",
        "[c] d%/4.csv",
    ]);
    for (location, expected) in [
        ("", "file\n1.csv\n[c] d%/4.csv\na/2.csv\na/b/3.csv\n"),
        ("a/*/*.csv", "file\na/b/3.csv\n"),
        ("a/b/", "file\na/b/3.csv\n"),
    ] {
        let ran = files.query(&format!(
            "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '{{}}/{location}' OPTIONS ('format.has_header' 'true');
             SELECT file FROM t ORDER BY file"
        ));
        assert_eq!(ran.succeeded(), expected, "{location}");
    }
}

#[test]
fn folders_of_keys_and_values_become_columns() {
    let files = Files::new(&["year=2023/m=1/a.csv", "year=2024/m=2/b.csv"]);
    let all = "file,m,year\nyear=2023/m=1/a.csv,1,2023\nyear=2024/m=2/b.csv,2,2024\n";
    for location in ["", "**/*.csv"] {
        let sql = format!("SELECT file, m, year FROM '{{}}/{location}' ORDER BY file");
        assert_eq!(files.query(&sql).succeeded(), all, "{location}");
    }
    assert_eq!(files.names("year=2024/*/*.csv"), ["year=2024/m=2/b.csv"]);
}

#[test]
fn the_values_of_folders_give_their_columns_types() {
    let of = |values: &[&str]| {
        let names: Vec<String> = values.iter().map(|it| format!("k={it}/a.csv")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let files = Files::new(&names);
        let ran = files.query("SELECT DISTINCT typeof(k) AS t FROM '{}/'");
        ran.succeeded().trim().to_owned()
    };
    for (values, expected) in [
        (&["1", "-20"][..], "BIGINT"),
        (&["01", "12"], "VARCHAR"),
        (&["1", "x"], "VARCHAR"),
        (&["1", "__HIVE_DEFAULT_PARTITION__"], "BIGINT"),
        (&["1", "NULL"], "BIGINT"),
        (&["__HIVE_DEFAULT_PARTITION__"], "VARCHAR"),
        (&["2024-01-31", "2023-2-1"], "DATE"),
        (&["2024-01-31", "5"], "VARCHAR"),
        (&["2024-02-30"], "VARCHAR"),
        (&["2024-01-31 10%3A00%3A00"], "TIMESTAMP"),
        (&["99999999999999999999"], "VARCHAR"),
        (&["1.5"], "VARCHAR"),
        (&["", "1"], "VARCHAR"),
    ] {
        assert_eq!(of(values), format!("t\n{expected}"), "{values:?}");
    }
}

#[test]
fn keys_are_columns_wherever_they_are_in_a_location() {
    let files = Files::new(&["b=1/x/a=p/1.csv", "b=2/x/a=q/2.csv", "c=3/4.csv"]);
    let all = "file,a,b\nb=1/x/a=p/1.csv,p,1\nb=2/x/a=q/2.csv,q,2\n";
    for location in ["b=*/x/*/*.csv", "b=*/**/*.csv", "*/x/*/*.csv"] {
        let sql = format!("SELECT * FROM '{{}}/{location}' ORDER BY file");
        assert_eq!(files.query(&sql).succeeded(), all, "{location}");
        let sql = format!("SELECT * FROM read_csv('{{}}/{location}') ORDER BY file");
        assert_eq!(files.query(&sql).succeeded(), all, "{location}");
        // Folders that a filter rules out are not read.
        let sql = format!("EXPLAIN FORMAT INDENT SELECT file FROM '{{}}/{location}' WHERE b > 1");
        let plan = files.query(&sql);
        assert!(!plan.succeeded().contains("1.csv"), "{location}");
    }
    let one = files.query("SELECT * FROM '{}/b=1/x/a=p/1.csv'");
    assert_eq!(one.succeeded(), "file,a,b\nb=1/x/a=p/1.csv,p,1\n");
    let list = "SELECT * FROM read_csv(['{}/b=1/x/a=p/1.csv', '{}/b=2/x/a=q/2.csv']) ORDER BY file";
    assert_eq!(files.query(list).succeeded(), all);
    // Other keys in other files.
    let sql = "SELECT * FROM '{}/' WHERE file = 'c=3/4.csv'";
    assert_eq!(files.query(sql).succeeded(), "file\nc=3/4.csv\n");
    let ran = files.query("SELECT * FROM read_csv('{}/', hive_partitioning => true)");
    ran.failed(1, ["some have a, b and others c"]);
    let text = "SELECT a, b || '!' AS b FROM read_csv('{}/b=*/x/*/*.csv', hive_types => {b: 'VARCHAR'}) ORDER BY a";
    assert_eq!(files.query(text).succeeded(), "a,b\np,1!\nq,2!\n");
    let text =
        "SELECT typeof(b) AS t FROM read_csv('{}/b=1/**/*.csv', hive_types_autocast => false)";
    assert_eq!(files.query(text).succeeded(), "t\nVARCHAR\n");
    let ran = files.query("SELECT * FROM read_csv('{}/b=*/**/*.csv', hive_types => {z: 'INT'})");
    ran.failed(1, ["not a key of the folders of all files: expected a, b"]);
    let ran = files.query("SELECT * FROM read_csv('{}/b=*/**/*.csv', hive_types => {a: 'INT'})");
    ran.failed(
        1,
        ["the value of the folder 'a=p' is not of the type INTEGER"],
    );
    let ran = files.query(
        "SELECT * FROM read_csv('{}/b=*/**/*.csv', hive_partitioning => false, hive_types => {a: 'INT'})",
    );
    ran.failed(1, ["leave out hive_partitioning => false, or hive_types"]);
    // Tables of the catalog have the same keys with the same types.
    let created =
        "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '{}/b=1/'; SELECT typeof(b) AS b, a FROM t";
    assert_eq!(files.query(created).succeeded(), "b,a\nBIGINT,p\n");
    let created = "CREATE EXTERNAL TABLE t (file VARCHAR, b INT, a VARCHAR) STORED AS CSV PARTITIONED BY (b, a)
        LOCATION '{}/b=1/'; SELECT typeof(b) AS b, a, file FROM t";
    assert_eq!(
        files.query(created).succeeded(),
        "b,a,file\nINTEGER,p,b=1/x/a=p/1.csv\n"
    );
}

/// Of folders whose keys differ only in case, the first counts, as in DuckDB.
#[test]
fn keys_of_folders_have_no_case() {
    let files = tempfile::tempdir().unwrap();
    let folder = files.path().join("Year=2020/year=2021");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.csv"), "x\n1\n").unwrap();
    fs::write(folder.join("a.lines"), "y\n").unwrap();
    let query = |sql: &str| {
        let location = files.path().display().to_string();
        let sql = sql.replace("{}", &location);
        ran(corpus_sql()
            .args(["-q", "--format", "csv", "-c", &sql])
            .output()
            .unwrap())
    };
    let ran = query("SELECT * FROM '{}/*/*/a.csv'");
    assert_eq!(ran.succeeded(), "x,Year\n1,2020\n");
    for (options, expected) in [
        ("", "text,Year\ny,2020\n"),
        (", hive_partitioning => false", "text\ny\n"),
    ] {
        let sql = format!(
            "SELECT * EXCLUDE (source_file, \"offset\", error) FROM read_lines('{{}}/*/*/a.lines'{options})"
        );
        assert_eq!(query(&sql).succeeded(), expected);
    }
    let typed = "SELECT typeof(\"Year\") AS t FROM read_lines('{}/*/*/a.lines', hive_types_autocast => false)";
    assert_eq!(query(typed).succeeded(), "t\nVARCHAR\n");
    let ran = query("FROM read_lines('{}/*/*/a.lines', hive_types => {year: 'INT'})");
    ran.failed(1, ["cast the column, as in year::INTEGER"]);
}

/// NULL is a value of a map, and a field.
#[test]
fn written_json_has_the_keys_of_nulls() {
    let files = tempfile::tempdir().unwrap();
    let sql = "COPY (SELECT MAP {1: NULL, 2: 'x'} AS m, {a: NULL} AS s, NULL AS n) TO 'x.jsonl';
        SELECT content FROM read_text('x.jsonl')";
    let mut command = corpus_sql();
    command
        .args(["-q", "--format", "ndjson", "-c", sql])
        .current_dir(files.path());
    let expected =
        r#"{"content":"{\"m\":{\"1\":null,\"2\":\"x\"},\"s\":{\"a\":null},\"n\":null}\n"}"#;
    let ran = ran(command.output().unwrap());
    assert_eq!(ran.succeeded().trim_end(), expected);
}

#[test]
fn the_value_of_a_folder_replaces_that_of_a_column() {
    let files = Files::new(&["file=5/K=2/a.csv", "file=6/K=3/b.csv"]);
    let all = "file,K\n5,2\n6,3\n";
    for table in [
        "'{}/'",
        "read_csv('{}/*/*/*.csv')",
        "read_csv('{}/', nullstr => 'x')",
    ] {
        let sql = format!("SELECT * FROM {table} ORDER BY file");
        assert_eq!(files.query(&sql).succeeded(), all, "{table}");
        let sql = format!("SELECT \"K\" FROM {table} WHERE file > 5");
        assert_eq!(files.query(&sql).succeeded(), "K\n3\n", "{table}");
    }
    let copy = "COPY (SELECT 1 AS k, 2 AS n) TO '{}/p/k=7/a.parquet'; SELECT * FROM '{}/p/'";
    assert_eq!(files.query(copy).succeeded(), "k,n\n7,2\n");
    // The columns of records keep their meaning.
    let files = Files::new(&["size=5/a.txt"]);
    let sql = "SELECT size > 5 AS is_size, size_1 FROM read_files('{}/')";
    assert_eq!(files.query(sql).succeeded(), "is_size,size_1\ntrue,5\n");
}

#[test]
fn partitions_that_are_written_keep_their_types() {
    let files = Files::new(&[]);
    let rows =
        "(1, DATE '2024-01-02', 'x', TIMESTAMP '2024-01-02 03:04:05'), (NULL, NULL, NULL, NULL)";
    let copy = format!(
        "COPY (SELECT 9 AS n, * FROM (VALUES {rows}) AS t(i, d, s, t)) TO '{{}}/out/' (FORMAT parquet, PARTITION_BY (i, d, s))"
    );
    files.query(&copy).succeeded();
    let read = files.query("SELECT typeof(i) AS i, typeof(d) AS d, typeof(s) AS s, count(i) AS n FROM '{}/out/' GROUP BY ALL");
    assert_eq!(read.succeeded(), "i,d,s,n\nBIGINT,DATE,VARCHAR,1\n");
}

/// A folder of CSV files with these contents.
fn csv_files(contents: &[&str]) -> Files {
    let files = Files::new(&[]);
    for (number, content) in contents.iter().enumerate() {
        fs::write(files.path().join(format!("{number}.csv")), content).unwrap();
    }
    files
}

#[test]
fn csv_files_are_read_by_the_names_in_their_headers() {
    let files = csv_files(&[
        "name,city\nAda,London\n",
        "city,name\nParis,Bob\n",
        "name\nEve\n",
        "name,town\nIda,Rome\n",
    ]);
    let ran = files.query("SELECT * FROM '{}/' ORDER BY name");
    assert_eq!(
        ran.succeeded(),
        "name,city,town\nAda,London,\nBob,Paris,\nEve,,\nIda,,Rome\n"
    );
    let sql = "SELECT upper(city) AS c, ends_with(filename, '0.csv') AS first FROM read_csv('{}/*.csv', filename => true) WHERE name < 'C' ORDER BY c";
    assert_eq!(
        files.query(sql).succeeded(),
        "c,first\nLONDON,true\nPARIS,false\n"
    );
    let sql = "SELECT count(*) AS n, count(town) AS towns FROM '{}/'";
    assert_eq!(files.query(sql).succeeded(), "n,towns\n4,1\n");
    // Declared columns may have other names.
    let sql = "CREATE EXTERNAL TABLE t (a TEXT, b TEXT) STORED AS CSV LOCATION '{}/1.csv' \
               OPTIONS ('format.has_header' 'true'); SELECT * FROM t";
    assert_eq!(files.query(sql).succeeded(), "a,b\nParis,Bob\n");
}

#[test]
fn a_csv_column_that_the_first_files_lack_is_an_error() {
    let long = format!("n\n{}", "1\n".repeat(1000));
    let files = csv_files(&[&long, "n,m\n1,2\n"]);
    let ran = files.query("SELECT sum(n) FROM '{}/'");
    ran.failed(1, ["1.csv", "the column 'm' is not in the first files"]);
}

#[test]
fn all_csv_columns_have_names_that_jobs_keep() {
    let files = csv_files(&[",id,text,id\n0,a,some text,b\n"]);
    let expected = "column0,id,text,id_1\n0,a,some text,b\n";
    let found = files.query("SELECT * FROM '{}/0.csv'");
    assert_eq!(found.succeeded(), expected);
    let (input, output) = (files.path().join("0.csv"), files.path().join("out"));
    let job = corpus_sql()
        .args(["-q", "run", "dedup_exact"])
        .arg(input)
        .arg("-o")
        .arg(&output)
        .output();
    ran(job.unwrap()).succeeded();
    let found = files.query("SELECT * FROM '{}/out/documents.parquet'");
    assert_eq!(found.succeeded(), expected);
}

#[test]
fn partition_columns_may_be_quoted() {
    let files = Files::new(&[]);
    let sql = "COPY (SELECT 1 AS \"my part\", 2 AS n) TO '{}/out/' STORED AS CSV PARTITIONED BY (\"my part\"); \
               SELECT n, \"my part\" FROM '{}/out/'";
    assert!(files.query(sql).succeeded().ends_with("n,my part\n2,1\n"));
}

#[test]
fn files_beside_folders_of_keys_and_values_are_read_once() {
    let files = Files::new(&["a.csv", "year=2023/b.csv", "c/year=2023/d.csv"]);
    assert_eq!(
        files.names(""),
        ["a.csv", "c/year=2023/d.csv", "year=2023/b.csv"]
    );
}

#[test]
fn hidden_and_unfinished_files_are_left_out() {
    let files = Files::new(&[
        "a.csv",
        ".b.csv",
        "_c.csv",
        "_temporary/d.csv",
        ".e/f.csv",
        "g.md",
    ]);
    assert_eq!(files.names(""), ["a.csv"]);
    assert_eq!(files.names("*.csv"), ["_c.csv", "a.csv"]);
}

#[test]
fn a_hidden_file_that_is_named_is_read() {
    let files = Files::new(&["_a.csv", ".b.csv", "_c/_d.csv"]);
    for name in ["_a.csv", ".b.csv", "_c/_d.csv"] {
        assert_eq!(files.names(name), [name]);
        let expected = format!("file\n{name}\n");
        let ran = files.query(&format!("SELECT * FROM read_csv('{{}}/{name}')"));
        assert_eq!(ran.succeeded(), expected);
        assert!(!ran.stderr.contains("not read"), "{}", ran.stderr);
        let ran = files.query(&format!(
            "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '{{}}/{name}'; SELECT * FROM t"
        ));
        assert_eq!(ran.succeeded(), expected);
    }
    assert_eq!(files.names("_c/*"), ["_c/_d.csv"]);
    let copied = files.query(
        "COPY (SELECT 1 AS a) TO '{}/_out.parquet'; SELECT * FROM '{}/_out.parquet'; \
         SELECT * FROM read_parquet('{}/_out.parquet')",
    );
    assert!(copied.succeeded().ends_with("a\n1\na\n1\n"));
}

#[test]
fn columns_of_all_folders_are_kept() {
    let files = Files::new(&[]);
    files.query("COPY (SELECT 1 AS x) TO '{}/a/1.parquet'; COPY (SELECT 2 AS x, 3 AS y) TO '{}/b/2.parquet'").succeeded();
    let rows = files.query("SELECT x, y FROM '{}/*/*.parquet' ORDER BY x");
    assert_eq!(rows.succeeded(), "x,y\n1,\n2,3\n");
}

#[test]
fn a_folder_of_several_formats_needs_a_glob() {
    let files = Files::new(&["a/b.csv"]);
    files
        .query("COPY (SELECT 1 AS x) TO '{}/1.parquet'")
        .succeeded();
    files
        .query("SELECT * FROM '{}/'")
        .failed(1, ["several formats (*.csv, *.parquet)", "/**/*.csv'"]);
    assert_eq!(files.names("**/*.csv"), ["a/b.csv"]);
}

#[test]
fn a_folder_of_archives_needs_no_function() {
    let rows = run([
        "-q",
        "--format",
        "csv",
        "-c",
        "SELECT count(*) > 1 AS many FROM 'data-samples/web/'",
    ]);
    assert_eq!(rows.succeeded(), "many\ntrue\n");
}

#[test]
fn missing_files_and_folders_are_reported() {
    let files = Files::new(&["a/b.csv"]);
    for (location, message) in [
        ("a/c.parquet", "no such file or folder"),
        ("c/", "no such file or folder"),
        ("a/*.parquet", "no files at"),
        ("c/*.csv", "no files at"),
    ] {
        let ran = files.query(&format!("SELECT * FROM '{{}}/{location}'"));
        ran.failed(1, [message, location]);
    }
}

#[cfg(unix)]
#[test]
fn files_with_odd_names_and_loops_of_links_are_read_once() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let files = Files::new(&["1.csv", "a/2.csv", "z/3.csv"]);
    for name in [&b"line\nbreak.csv"[..], b"\xff.csv"] {
        fs::write(files.path().join(OsStr::from_bytes(name)), "file\nx\n").unwrap();
    }
    std::os::unix::fs::symlink("..", files.path().join("a/loop")).unwrap();
    assert_eq!(files.names(""), ["1.csv", "a/2.csv", "x", "x", "z/3.csv"]);
    for name in ["line%0Abreak.csv", "%FF.csv"] {
        assert_eq!(files.names(name), ["x"]);
    }
    for reader in ["read_lines", "read_files", "read_csv"] {
        let ran = files.query(&format!(
            "SELECT string_agg(filename[-12:], ' ' ORDER BY filename) AS names \
             FROM (SELECT DISTINCT filename FROM {reader}('{{}}'))"
        ));
        assert!(ran.succeeded().contains("%0Abreak.csv"), "{}", ran.stdout);
        assert_eq!(ran.stdout.matches(".csv").count(), 5, "{}", ran.stdout);
        assert_eq!(ran.stderr, "");
    }
}

#[test]
fn null_has_a_partition_of_its_own() {
    let rows = "(1, 'a/b=%', 7, true, DATE '2024-01-02', 1.5), (2, '0', 0, false, DATE '1970-01-01', 0.0), \
                (3, NULL, NULL, NULL, NULL, NULL)";
    for (column, first, zero) in [
        ("text", "a/b=%", "0"),
        ("number", "7", "0"),
        ("flag", "true", "false"),
        ("day", "2024-01-02", "1970-01-01"),
        ("share", "1.5", "0.0"),
    ] {
        let files = Files::new(&[]);
        let table = format!("(VALUES {rows}) AS t(id, text, number, flag, day, share)");
        let copy = format!(
            "COPY (SELECT id, {column} FROM {table}) TO '{{}}/parts/' STORED AS PARQUET PARTITIONED BY ({column})"
        );
        files.query(&copy).succeeded();
        let hive = format!("parts/{column}=__HIVE_DEFAULT_PARTITION__");
        assert!(files.path().join(hive).is_dir(), "{column}");

        let all = format!("SELECT id, {column} FROM '{{}}/parts/' ORDER BY id");
        let expected = format!("id,{column}\n1,{first}\n2,{zero}\n3,\n");
        assert_eq!(files.query(&all).succeeded(), expected);
        for (filter, expected) in [
            (format!("{column} IS NULL"), "id\n3\n".to_owned()),
            (format!("{column} = '{first}'"), "id\n1\n".to_owned()),
            (format!("{column} <> '{first}'"), "id\n2\n".to_owned()),
        ] {
            let sql = format!("SELECT id FROM '{{}}/parts/' WHERE {filter}");
            assert_eq!(files.query(&sql).succeeded(), expected, "{filter}");
        }
    }
}

#[test]
fn empty_texts_are_in_the_partition_of_null() {
    let files = Files::new(&[]);
    let copy = "COPY (SELECT * FROM (VALUES (1, ''), (2, NULL), (3, 'x')) AS t(id, text)) \
                TO '{}/parts/' STORED AS CSV PARTITIONED BY (text)";
    files.query(copy).succeeded();
    let read = files.query("SELECT id, text FROM '{}/parts/' ORDER BY id");
    assert_eq!(read.succeeded(), "id,text\n1,\n2,\n3,x\n");
    let read = files.query("SELECT count(*) AS n FROM '{}/parts/' WHERE text IS NULL");
    assert_eq!(read.succeeded(), "n\n2\n");
}

#[test]
fn records_of_the_partition_of_null_have_null() {
    let files = Files::new(&["kind=__HIVE_DEFAULT_PARTITION__/1.txt", "kind=b/2.txt"]);
    let read = files.query("SELECT kind, size FROM read_files('{}/') ORDER BY kind");
    assert_eq!(read.succeeded(), "kind,size\nb,18\n,43\n");
    let read = files.query("SELECT size FROM read_files('{}/') WHERE kind IS NULL");
    assert_eq!(read.succeeded(), "size\n43\n");
}

#[test]
fn a_copy_of_no_rows_can_be_read() {
    for format in ["PARQUET", "ARROW"] {
        let files = Files::new(&[]);
        let copy = |rows: &str, options: &str| {
            let rows = format!("SELECT value, 'x' AS text FROM generate_series(1, {rows})");
            files.query(&format!(
                "COPY ({rows}) TO '{{}}/out/' STORED AS {format} {options}"
            ))
        };
        let read = || {
            files
                .query("SELECT * FROM '{}/out/'")
                .succeeded()
                .to_owned()
        };
        copy("0", "").succeeded();
        assert_eq!(read(), "value,text\n", "{format}");
        copy("1", "").succeeded();
        assert_eq!(read(), "value,text\n1,x\n", "{format}");
        copy("0", "OPTIONS (mode 'append')").succeeded();
        assert_eq!(read(), "value,text\n1,x\n", "{format}");
        copy("0", "").succeeded();
        assert_eq!(read(), "value,text\n", "{format}");
    }
}

#[test]
fn a_damaged_parquet_file_is_named_and_an_empty_one_left_out() {
    let files = Files::new(&[]);
    for name in ["1", "2", "3"] {
        let copy = format!("COPY (SELECT 1 AS n) TO '{{}}/{name}.parquet'");
        files.query(&copy).succeeded();
    }
    fs::write(files.path().join("2.parquet"), "").unwrap();
    let read = files.query("SELECT count(*) AS n FROM '{}/'");
    assert_eq!(read.succeeded(), "n\n2\n");
    read.reports("2.parquet' is empty");

    fs::write(files.path().join("2.parquet"), "PAR1 cut off").unwrap();
    let read = files.query("SELECT count(*) AS n FROM '{}/'");
    read.failed(1, ["cannot read '/", "/2.parquet'"]);
}

/// Writes the numbers from 0 to 5 into files with and without compression, two into each.
fn numbers(extension: &str) -> Files {
    let files = Files::new(&[]);
    let copies: String = [("a", ""), ("b", ".gz"), ("sub/c", ".zst")]
        .iter()
        .enumerate()
        .map(|(number, (name, compression))| {
            let first = 2 * number;
            let rows = format!("SELECT value AS n FROM range({first}, {})", first + 2);
            format!("COPY ({rows}) TO '{{}}/{name}.{extension}{compression}';")
        })
        .collect();
    files.query(&copies).succeeded();
    files
}

#[test]
fn compressed_files_and_others_are_one_table() {
    for extension in ["csv", "jsonl", "json"] {
        let files = numbers(extension);
        for (location, expected) in [
            ("", "6,15"),
            (&format!("**/*.{extension}*"), "6,15"),
            (&format!("*.{extension}*"), "4,6"),
            (&format!("**/*.{extension}.gz"), "2,5"),
        ] {
            let sql = format!("SELECT count(*) AS n, sum(n) AS s FROM '{{}}/{location}'");
            let rows = files.query(&sql);
            assert_eq!(
                rows.succeeded(),
                format!("n,s\n{expected}\n"),
                "{extension} {location}"
            );
        }
    }
}

#[test]
fn created_tables_have_compressed_files_and_others() {
    for (extension, format) in [
        ("csv", "CSV OPTIONS ('format.has_header' 'true')"),
        ("json", "JSON"),
    ] {
        let files = numbers(extension);
        let (name, options) = format.split_once(' ').unwrap_or((format, ""));
        let ran = files.query(&format!(
            "CREATE EXTERNAL TABLE t STORED AS {name} LOCATION '{{}}/' {options}; \
             SELECT count(*) AS n, sum(n) AS s FROM t"
        ));
        assert_eq!(ran.succeeded(), "n,s\n6,15\n", "{extension}");
    }
}

#[test]
fn extensions_of_one_format_are_one_table() {
    for (format, names) in [
        ("JSON", ["a.json", "b.jsonl", "sub/c.ndjson", "d.JSONL"]),
        ("NDJSON", ["a.json", "b.jsonl", "sub/c.ndjson", "d.JSONL"]),
        ("CSV", ["a.csv", "b.CSV", "sub/c.csv", "d.Csv"]),
    ] {
        let files = Files::new(&[]);
        fs::create_dir(files.path().join("sub")).unwrap();
        for (name, number) in names.iter().zip(1..) {
            let text = match format {
                "CSV" => format!("n\n{number}\n"),
                _ => format!("{{\"n\": {number}}}\n"),
            };
            fs::write(files.path().join(name), text).unwrap();
        }
        let count = "SELECT count(*) AS n, sum(n) AS s FROM";
        let read = files.query(&format!("{count} '{{}}/'"));
        assert_eq!(read.succeeded(), "n,s\n4,10\n", "{format}");
        let options = match format {
            "CSV" => "OPTIONS ('format.has_header' 'true')",
            _ => "",
        };
        let sql = format!(
            "CREATE EXTERNAL TABLE t STORED AS {format} LOCATION '{{}}/' {options}; {count} t"
        );
        let read = files.query(&sql);
        assert_eq!(read.succeeded(), "n,s\n4,10\n", "{format}");
        // The usual extension need not occur.
        fs::remove_file(files.path().join(names[0])).unwrap();
        let read = files.query(&sql);
        assert_eq!(read.succeeded(), "n,s\n3,9\n", "{format}");
    }
}

#[test]
fn files_have_the_extensions_of_compressions_however_these_are_named() {
    let files = Files::new(&[]);
    for (option, extension) in [
        ("bz2", ".bz2"),
        ("bzip2", ".bz2"),
        ("gz", ".gz"),
        ("zst", ".zst"),
    ] {
        let copy = |name: &str| {
            files.query(&format!(
                "COPY (SELECT 1 AS n) TO '{{}}/{name}' OPTIONS (compression '{option}')"
            ))
        };
        let plain = format!("{option}.csv");
        let compressed = format!("{plain}{extension}");
        copy(&plain).failed(1, ["name it '", compressed.as_str()]);
        copy(&compressed).succeeded();
        let read = files.query(&format!("SELECT n FROM '{{}}/{compressed}'"));
        assert_eq!(read.succeeded(), "n\n1\n", "{option}");
    }
}

#[test]
fn arrow_files_have_only_the_options_of_all_formats() {
    let files = Files::new(&[]);
    let copy = |target: &str, options: &str| {
        files.query(&format!(
            "COPY (SELECT 1 AS n) TO '{{}}/{target}' {options}"
        ))
    };
    for target in ["a.arrow", "folder/"] {
        let ran = copy(target, "STORED AS ARROW OPTIONS (compression 'zstd')");
        ran.failed(1, ["ARROW has no option 'compression'", "'mode'"]);
        assert!(!files.path().join(target).exists(), "{target}");
    }
    copy("a.arrow", "OPTIONS (mode 'create')").succeeded();
    let read = files.query("SELECT n FROM '{}/a.arrow'");
    assert_eq!(read.succeeded(), "n\n1\n");
}

#[test]
fn the_content_decides_the_compression() {
    for extension in ["csv", "jsonl"] {
        let files = numbers(extension);
        let path = |name: &str| files.path().join(format!("{name}.{extension}"));
        let compressed = fs::read(path("b").with_extension(format!("{extension}.gz"))).unwrap();
        let plain = fs::read(path("a")).unwrap();
        fs::write(
            path("plain").with_extension(format!("{extension}.zst")),
            plain,
        )
        .unwrap();
        fs::write(path("compressed"), compressed).unwrap();
        let ranges = "SET datafusion.catalog.newlines_in_values = false; \
                      SET datafusion.optimizer.repartition_file_min_size = 1;";
        for settings in ["", ranges] {
            let sql = format!("{settings} SELECT count(*) AS n, sum(n) AS s FROM '{{}}/'");
            assert_eq!(
                files.query(&sql).succeeded(),
                "n,s\n10,21\n",
                "{extension} {settings}"
            );
        }
    }
}

#[test]
fn all_members_of_a_compressed_file_are_read() {
    let files = Files::new(&[]);
    let member = |text: &str| zstd::encode_all(text.as_bytes(), 3).unwrap();
    let csv = [member("n\n1\n"), member("2\n")].concat();
    fs::write(files.path().join("a.csv.zst"), csv).unwrap();
    let json = [member("{\"n\": 1}\n"), member("{\"n\": 2}\n")].concat();
    fs::write(files.path().join("a.jsonl.zst"), json).unwrap();
    for name in ["a.csv.zst", "a.jsonl.zst"] {
        let rows = files.query(&format!("SELECT sum(n) AS s FROM '{{}}/{name}'"));
        assert_eq!(rows.succeeded(), "s\n3\n", "{name}");
    }
}

#[test]
fn a_folder_never_stands_for_a_table() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["pages/a.csv", "mixed/a.csv", "mixed/b.parquet"] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "n\n7\n").unwrap();
    }
    let query = |sql: &str| {
        let mut command = corpus_sql();
        command.current_dir(folder.path());
        ran(command
            .args(["-q", "--format", "csv", "-c", sql])
            .output()
            .unwrap())
    };
    for (sql, expected) in [
        (
            "CREATE TABLE pages AS SELECT 1 AS n; SELECT n FROM pages",
            "n\n1\n",
        ),
        (
            "CREATE TABLE mixed AS SELECT 2 AS n; SELECT n FROM mixed",
            "n\n2\n",
        ),
        (
            "CREATE VIEW pages AS SELECT n FROM 'pages/'; SELECT n FROM pages",
            "n\n7\n",
        ),
        ("SELECT pages.n FROM 'pages'", "n\n7\n"),
        ("SELECT p.n FROM 'pages' AS p", "n\n7\n"),
        ("SELECT n FROM \"pages/a.csv\"", "n\n7\n"),
    ] {
        let found = query(sql);
        assert!(
            found.succeeded().ends_with(expected),
            "{sql}: {}",
            found.stdout
        );
    }
    query("SELECT * FROM pages").failed(1, ["table 'pages' not found", "FROM 'pages/'"]);
    query("SELECT * FROM mixed").failed(1, ["table 'mixed' not found"]);
}

#[test]
fn other_extensions_of_parquet_are_parquet() {
    let files = Files::new(&[]);
    let ran = files.query(
        "COPY (SELECT 1 AS n) TO '{}/in/a.pq'; COPY (SELECT 2 AS n) TO '{}/in/b.PARQ';
         COPY (SELECT 3 AS n) TO '{}/in/c.parquet'",
    );
    ran.succeeded();
    for table in [
        "'{}/in/'",
        "'{}/in/*'",
        "read_parquet('{}/in/')",
        "(SELECT * FROM '{}/in/*.pq' UNION ALL SELECT * FROM '{}/in/b.PARQ' UNION ALL SELECT 3)",
    ] {
        let ran = files.query(&format!("SELECT sum(n) AS n FROM {table}"));
        assert_eq!(ran.succeeded(), "n\n6\n", "{table}");
    }
    let ran = files.query(
        "CREATE EXTERNAL TABLE t STORED AS PARQUET LOCATION '{}/in/'; SELECT sum(n) AS n FROM t",
    );
    assert_eq!(ran.succeeded(), "n\n6\n");
}

#[test]
fn the_extension_says_that_tabs_separate_values() {
    let files = Files::new(&[]);
    let written = files.query(
        "COPY (VALUES (1, 'a b'), (2, 'c')) TO '{}/1.tsv';
         COPY (VALUES (3, 'd')) TO '{}/more/2.tsv.gz'",
    );
    written.succeeded();
    fs::write(files.path().join("3.tab"), "column1\tcolumn2\n4\te\n").unwrap();
    for (location, rows) in [
        ("1.tsv", "1,a b\n2,c\n"),
        ("more/2.tsv.gz", "3,d\n"),
        ("3.tab", "4,e\n"),
        ("more/", "3,d\n"),
        ("*.tsv", "1,a b\n2,c\n"),
        ("", "1,a b\n2,c\n3,d\n4,e\n"),
    ] {
        let sql = format!("SELECT * FROM '{{}}/{location}' ORDER BY ALL");
        let expected = format!("column1,column2\n{rows}");
        assert_eq!(files.query(&sql).succeeded(), expected, "{location}");
    }
}

#[test]
fn other_extensions_of_arrow_are_arrow() {
    let files = Files::new(&[]);
    let path = |extension: &str| files.path().join(format!("a.{extension}"));
    files
        .query("COPY (SELECT 1 AS n) TO '{}/a.arrow'")
        .succeeded();
    for extension in ["feather", "ipc"] {
        fs::copy(path("arrow"), path(extension)).unwrap();
        let found = files.query(&format!("FROM '{{}}/a.{extension}'"));
        assert_eq!(found.succeeded(), "n\n1\n", "{extension}");
    }
}

#[test]
fn files_of_other_kinds_are_not_replaced() {
    let files = Files::new(&["program.py"]);
    let path = files.path().join("program.py");
    let before = fs::read(&path).unwrap();
    let copy = |name: &str| {
        files.query(&format!(
            "COPY (SELECT 1 AS a) TO '{{}}/{name}' STORED AS PARQUET"
        ))
    };
    copy("program.py").failed(1, ["exists and is no Parquet file"]);
    assert_eq!(fs::read(&path).unwrap(), before);
    for _ in 0..2 {
        copy("rows.data").succeeded();
    }
}

#[test]
fn names_that_say_another_format_or_compression_are_refused() {
    let files = Files::new(&[]);
    for (name, format, advice) in [
        (
            "x.jsonl",
            "STORED AS CSV",
            "x.csv', or write STORED AS JSON",
        ),
        ("x.jsonl", "(FORMAT csv)", "x.csv', or write STORED AS JSON"),
        ("x.pq", "STORED AS JSON", "STORED AS PARQUET"),
        ("x.parquet.gz", "", "compressed inside: name it '"),
        (
            "x.arrow.zst",
            "STORED AS ARROW",
            "compressed inside: name it '",
        ),
        (
            "x.csv.lz4",
            "STORED AS CSV",
            "which is not written: name it '",
        ),
    ] {
        for explain in ["", "EXPLAIN "] {
            let ran = files.query(&format!(
                "{explain}COPY (SELECT 1 AS a) TO '{{}}/{name}' {format}"
            ));
            ran.failed(1, [advice]);
        }
    }
    assert_eq!(fs::read_dir(files.path()).unwrap().count(), 0);
}

#[test]
fn an_existing_name_is_not_a_pattern() {
    for name in ["out [1]", "what?", "a*b", "a{b}"] {
        let files = Files::new(&[]);
        let names = [name, &format!("{name}/of folder")];
        for (number, name) in names.iter().enumerate() {
            let copy = format!("COPY (SELECT {number} AS n) TO '{{}}/{name}.parquet'");
            files.query(&copy).succeeded();
        }
        for (number, name) in names.iter().enumerate() {
            let path = format!("{{}}/{name}.parquet");
            let expected = format!("n\n{number}\n");
            for sql in [
                format!("SELECT * FROM '{path}'"),
                format!("SELECT * FROM read_parquet('{path}')"),
                format!(
                    "CREATE EXTERNAL TABLE t STORED AS PARQUET LOCATION '{path}'; SELECT * FROM t"
                ),
            ] {
                assert_eq!(files.query(&sql).succeeded(), expected, "{sql}");
            }
        }
        let path = format!("{{}}/{name}/");
        for sql in [
            format!("SELECT * FROM '{path}'"),
            format!("CREATE EXTERNAL TABLE t STORED AS PARQUET LOCATION '{path}'; SELECT * FROM t"),
        ] {
            assert_eq!(files.query(&sql).succeeded(), "n\n1\n", "{sql}");
        }
    }
}

#[test]
fn a_damaged_page_is_reported_with_its_file() {
    for extension in ["parquet", "arrow"] {
        let files = Files::new(&[]);
        for name in ["a", "b"] {
            let copy = format!(
                "COPY (SELECT value, 'text ' || value AS text FROM range(50000)) \
                 TO '{{}}/{name}.{extension}'"
            );
            files.query(&copy).succeeded();
        }
        let path = files.path().join(format!("b.{extension}"));
        let mut bytes = fs::read(&path).unwrap();
        let half = bytes.len() / 2;
        bytes[half..half + 64].fill(0xa5);
        fs::write(&path, bytes).unwrap();
        let sql = format!("SELECT sum(value), sum(length(text)) FROM '{{}}/*.{extension}'");
        files
            .query(&sql)
            .failed(1, ["cannot read '", &format!("b.{extension}'")]);
    }
}

#[test]
fn files_with_different_types_of_a_column_are_read_together() {
    let files = Files::new(&[]);
    let columns = [
        "1::INTEGER AS n, 'x' AS t, {a: 1::INTEGER} AS s, [1::INTEGER] AS l",
        "5000000000::BIGINT AS n, 2 AS t, {a: 2.5::DOUBLE, b: 'y'} AS s, [2::BIGINT] AS l",
        "0.5::DOUBLE AS n, DATE '2024-05-06' AS t, {a: 3::BIGINT} AS s, [NULL]::INTEGER[] AS l",
    ];
    for (number, columns) in columns.iter().enumerate() {
        let file = format!("COPY (SELECT {columns}) TO '{{}}/{number}.parquet'");
        files.query(&file).succeeded();
    }
    for table in ["'{}/*.parquet'", "read_parquet('{}/*.parquet')", "created"] {
        let sql = format!(
            "CREATE EXTERNAL TABLE created STORED AS PARQUET LOCATION '{{}}/*.parquet'; \
             SELECT n, t, s.a AS a, s.b AS b, l[1] AS l FROM {table} ORDER BY n"
        );
        let expected = "n,t,a,b,l\n0.5,2024-05-06,3.0,,\n1.0,x,1.0,,1\n5000000000.0,2,2.5,y,2\n";
        assert_eq!(files.query(&sql).succeeded(), expected, "{table}");
        let filtered = sql.replace("ORDER BY", "WHERE t = '2' OR n < 1 ORDER BY");
        let rows = files.query(&filtered).succeeded().lines().count();
        assert_eq!(rows, 3, "{table}");
    }
}

#[test]
fn types_that_have_no_common_type_are_an_error_with_the_file() {
    for (extension, other) in [("parquet", "[1]"), ("arrow", "1.5")] {
        let files = Files::new(&[]);
        for (name, value) in [("a", "1"), ("b", other)] {
            let file = format!("COPY (SELECT {value} AS n) TO '{{}}/{name}.{extension}'");
            files.query(&file).succeeded();
        }
        let ran = files.query(&format!("SELECT * FROM '{{}}/*.{extension}'"));
        ran.failed(1, ["'n'", &format!("b.{extension}'"), "UNION ALL BY NAME"]);
    }
}
