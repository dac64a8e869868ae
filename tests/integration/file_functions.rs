//! `read_parquet`, `read_csv` and `read_json` with the options of DuckDB.

use std::fs;

use super::data_files::Files;

fn check(files: &Files, sql: &str, expected: &str) {
    let ran = files.query(sql);
    let found = ran
        .succeeded()
        .replace(&files.path().display().to_string(), "{}");
    assert_eq!(found.trim_end(), expected, "{sql}");
}

#[test]
fn files_are_united_by_name() {
    let files = Files::new(&[]);
    let path = files.path();
    fs::write(path.join("o.csv"), "b,a\nz,9\n").unwrap();
    fs::write(path.join("p.csv"), "a,b\n1,x\n").unwrap();
    fs::write(path.join("q.csv"), "a,b\nword,y\n").unwrap();
    check(
        &files,
        "SELECT a, b, filename FROM read_csv('{}/[op].csv', filename => true) ORDER BY a",
        "a,b,filename\n1,x,{}/p.csv\n9,z,{}/o.csv",
    );
    check(
        &files,
        "SELECT a, b FROM read_csv(['{}/p.csv', '{}/q.csv']) ORDER BY b",
        "a,b\n1,x\nword,y",
    );
    check(
        &files,
        "COPY (SELECT 1 AS a, 'x' AS b) TO '{}/year=2024/p.parquet'; \
         COPY (SELECT 2 AS a, 3.5 AS c) TO '{}/year=2025/p.parquet'; \
         SELECT a, b, c, year, filename FROM read_parquet('{}/', filename => true) ORDER BY a",
        "a,b,c,year,filename\n1,x,,2024,{}/year=2024/p.parquet\n2,,3.5,2025,{}/year=2025/p.parquet",
    );
    check(
        &files,
        "SELECT count(*) AS n FROM read_parquet('{}/**/*.parquet') WHERE year = 2025",
        "n\n1",
    );
    // A view lists its files again.
    check(
        &files,
        "CREATE VIEW v AS SELECT * FROM read_parquet('{}/'); \
         COPY (SELECT 3 AS a) TO '{}/year=2025/q.parquet'; SELECT count(*) AS n FROM v",
        "n\n3",
    );
}

#[test]
fn columns_whose_names_differ_in_case_are_one() {
    let files = Files::new(&[]);
    let path = files.path();
    fs::write(path.join("p.csv"), "A,b\n1,2\n").unwrap();
    fs::write(path.join("q.csv"), "B,a,A_\n4,3,x\n").unwrap();
    let expected = "A,b,A_\n1,2,\n3,4,x";
    for sql in [
        "SELECT * FROM '{}/*.csv' ORDER BY 1",
        "SELECT * FROM read_csv('{}/') ORDER BY 1",
        "COPY (SELECT 1 AS \"A\", 2 AS b) TO '{}/f/p.parquet'; \
         COPY (SELECT 4 AS \"B\", 3 AS a, 'x' AS \"A_\") TO '{}/f/q.parquet'; \
         SELECT * FROM '{}/f/' ORDER BY 1",
        "SELECT * FROM read_parquet(['{}/f/p.parquet', '{}/f/q.parquet']) WHERE a > 0 ORDER BY 1",
    ] {
        check(&files, sql, expected);
    }
    check(
        &files,
        "SELECT count(a) AS n, max(b) AS m FROM '{}/f/' WHERE a IS NOT NULL",
        "n,m\n2,4",
    );
    // If a file has both, names are exact.
    check(
        &files,
        "COPY (SELECT 5 AS a, 6 AS \"A\", 7 AS b) TO '{}/f/r.parquet'; \
         SELECT * FROM '{}/f/*.parquet' ORDER BY 1 NULLS LAST, 2",
        "A,b,A_,a\n1,2,,\n6,7,,5\n,4,x,3",
    );
}

#[test]
fn json_arrays_are_read_beside_lines() {
    let files = Files::new(&[]);
    let path = files.path();
    fs::write(path.join("1.jsonl"), "{\"a\":1}\n{\"a\":2}\n").unwrap();
    fs::write(path.join("2.jsonl"), "[{\"a\":3},\n{\"a\":4}]").unwrap();
    fs::write(path.join("3.geojson"), "{\"a\":5}{\"a\":6}\n").unwrap();
    for sql in [
        "SELECT * FROM '{}/' ORDER BY a",
        "SELECT * FROM read_json(['{}/1.jsonl', '{}/2.jsonl', '{}/3.geojson']) ORDER BY a",
    ] {
        check(&files, sql, "a\n1\n2\n3\n4\n5\n6");
    }
}

#[test]
fn empty_lines_of_one_column_are_null() {
    let files = Files::new(&[]);
    fs::write(files.path().join("n.csv"), "\na\n1\n\n3\n\n").unwrap();
    fs::write(
        files.path().join("m.csv"),
        "t,u\n2024-01-31 10:00,1\n\n2024-02-01 09:30,2\n",
    )
    .unwrap();
    check(
        &files,
        "SELECT count(*) AS c, count(a) AS n, sum(a) AS s FROM '{}/n.csv'",
        "c,n,s\n4,2,4",
    );
    check(
        &files,
        "SELECT typeof(t) AS k, max(t) AS m, count(*) AS n FROM read_csv('{}/m.csv') GROUP BY 1",
        "k,m,n\nTIMESTAMP,2024-02-01T09:30:00,2",
    );
}

#[test]
fn names_of_folders_are_escaped_as_in_hive() {
    let files = Files::new(&[]);
    let sql = "COPY (SELECT * FROM (VALUES (1, 'a=b:c%d/e', TIMESTAMP '2024-01-01 10:00:00'), (2, NULL, NULL)) t(i, k, t)) \
               TO '{}/h' (FORMAT parquet, PARTITION_BY (k, t)); \
               SELECT i, k, t FROM '{}/h/' ORDER BY i";
    check(&files, sql, "i,k,t\n1,a=b:c%d/e,2024-01-01T10:00:00\n2,,");
    let folder = files
        .path()
        .join("h/k=a%3Db%3Ac%25d%2Fe/t=2024-01-01 10%3A00%3A00");
    assert!(folder.is_dir(), "{}", folder.display());
}

#[test]
fn the_name_of_a_file_has_sparks_name_too() {
    let files = Files::new(&[]);
    fs::write(files.path().join("p.csv"), "a\n1\n").unwrap();
    check(
        &files,
        "SELECT input_file_name(), a FROM '{}/p.csv'",
        "input_file_name(),a\n{}/p.csv,1",
    );
}

#[test]
fn files_without_values_do_not_change_the_types_of_others() {
    let files = Files::new(&[]);
    let path = files.path();
    for (name, content) in [
        ("r1.csv", "n,d\n10,2024-01-31\n9,2024-02-29\n"),
        ("r2.csv", "n,d\n"),
        ("r3.csv", "d,n\n,\n"),
    ] {
        fs::write(path.join(name), content).unwrap();
    }
    check(
        &files,
        "SELECT max(n) AS n, typeof(max(d)) AS d, count(*) AS c FROM read_csv('{}/r*.csv')",
        "n,d,c\n10,DATE,3",
    );
    check(
        &files,
        "SELECT typeof(n) AS n FROM read_csv('{}/r3.csv')",
        "n\nVARCHAR",
    );
}

#[test]
fn csv_has_the_options_of_duckdb() {
    let files = Files::new(&[]);
    let path = files.path();
    fs::write(path.join("s.csv"), "a;b\n1;x\nNA;\n").unwrap();
    fs::write(path.join("t.tsv"), "a\tb\n1\tx\n").unwrap();
    check(
        &files,
        "SELECT a + 1 AS a, b = '' AS e FROM read_csv('{}/s.csv', delim = ';', nullstr = 'NA')",
        "a,e\n2,false\n,true",
    );
    check(
        &files,
        "SELECT * FROM read_csv('{}/s.csv', sep => ';', header => false, names => ['n', 'l'])",
        "n,l\na,b\n1,x\nNA,",
    );
    check(
        &files,
        "SELECT n FROM read_csv('{}/s.csv', delim => ';', columns => {n: 'VARCHAR', l: 'VARCHAR'})",
        "n\n1\nNA",
    );
    check(
        &files,
        "SELECT * FROM read_csv_auto('{}/t.tsv')",
        "a,b\n1,x",
    );
}

#[test]
fn the_first_record_of_csv_shows_the_header_and_the_delimiter() {
    let files = Files::new(&[]);
    let path = files.path();
    fs::write(path.join("plain.csv"), "1,a,2.5\n2,b,\n").unwrap();
    fs::write(path.join("texts.csv"), "a,b\nc,d\n").unwrap();
    fs::write(path.join("comma.csv"), "id,city\n1,Bonn\n").unwrap();
    fs::write(
        path.join("semicolon.csv"),
        "id;city\n2;\"Bonn, am Rhein\"\n",
    )
    .unwrap();
    fs::write(path.join("both.csv"), "id;city, state;n\n1;Bonn, NRW;2\n").unwrap();
    for (sql, expected) in [
        (
            "SELECT * FROM '{}/plain.csv'",
            "column0,column1,column2\n1,a,2.5\n2,b,",
        ),
        (
            "SELECT * FROM read_csv('{}/plain.csv', names => ['n', 'letter', 'value'])",
            "n,letter,value\n1,a,2.5\n2,b,",
        ),
        (
            "SELECT n FROM read_csv('{}/plain.csv', columns => {n: 'INTEGER', l: 'VARCHAR', v: 'DOUBLE'})",
            "n\n1\n2",
        ),
        (
            "SELECT * FROM read_csv('{}/plain.csv', header => true)",
            "1,a,2.5\n2,b,",
        ),
        ("SELECT * FROM '{}/texts.csv'", "a,b\nc,d"),
        (
            "SELECT * FROM read_csv(['{}/comma.csv', '{}/semicolon.csv']) ORDER BY id",
            "id,city\n1,Bonn\n2,\"Bonn, am Rhein\"",
        ),
        (
            "SELECT city FROM read_csv('{}/semicolon.csv', columns => {id: 'INTEGER', city: 'VARCHAR'})",
            "city\n\"Bonn, am Rhein\"",
        ),
        (
            "SELECT * FROM '{}/both.csv'",
            "id,\"city, state\",n\n1,\"Bonn, NRW\",2",
        ),
        (
            "CREATE TABLE t(n INT, l TEXT, v DOUBLE); COPY t FROM '{}/plain.csv'; SELECT count(*) AS n FROM t",
            "n\n2",
        ),
    ] {
        check(&files, sql, expected);
    }
}

#[test]
fn quotes_after_backslashes_are_part_of_the_text() {
    let files = Files::new(&[]);
    let write = |name, text: &str| fs::write(files.path().join(name), text).unwrap();
    write("1.csv", "id,text\n1,\"a, b\"\n");
    write(
        "2.csv",
        "id,text\n2,\"say \\\"x, y\\\"\"\n3,\"\\\\ends\\\"\"\n4,back\\slash\n5,\"\\\"\n\\\"\"\n",
    );
    for table in ["'{}/'", "read_csv('{}/*.csv')"] {
        check(
            &files,
            &format!("SELECT * FROM {table} ORDER BY id"),
            "id,text\n1,\"a, b\"\n2,\"say \"\"x, y\"\"\"\n3,\"\\ends\"\"\"\n4,back\\slash\n5,\"\"\"\n\"\"\"",
        );
    }
    check(
        &files,
        "SELECT count(*) AS n, max(length(text)) AS longest \
         FROM read_csv('{}/2.csv', columns => {'id': 'BIGINT', 'text': 'VARCHAR'})",
        "n,longest\n4,10",
    );
    check(
        &files,
        "SELECT escape FROM sniff_csv('{}/*.csv') ORDER BY escape",
        "escape\n\"\"\"\"\n\\",
    );
}

#[test]
fn quotes_after_backslashes_late_in_a_file_are_an_error() {
    let files = Files::new(&[]);
    let lines = "1,\"a \"\"plain\"\" text, without anything else in it\"\n".repeat(40_000);
    for (name, end) in [
        ("late.csv", "2,\"say \\\"x\\\"\"\n"),
        ("folder.csv", "2,\"C:\\\"\n3,5\\\"disk\n"),
    ] {
        let text = format!("id,text\n{lines}{end}");
        fs::write(files.path().join(name), text).unwrap();
    }
    let ran = files.query("SELECT count(*) FROM '{}/late.csv'");
    ran.failed(
        1,
        ["late.csv': backslashes escape quotes", "escape => '\\'"],
    );
    let declared = "SELECT max(id) AS id FROM read_csv('{}/late.csv', escape => '\\')";
    check(&files, declared, "id\n2");
    check(&files, "SELECT max(id) AS id FROM '{}/folder.csv'", "id\n3");
}

#[test]
fn options_say_names_types_and_folders() {
    let files = Files::new(&[]);
    let path = files.path();
    fs::write(
        path.join("n.csv"),
        "First Name,2nd,Größe %,select\nAnn,NA,31/12/2023,\n",
    )
    .unwrap();
    fs::write(path.join("a.json"), r#"[{"a": 1, "b": "x"}, {"a": 2}]"#).unwrap();
    for year in ["2023", "2024"] {
        let folder = path.join(format!("year={year}"));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("p.csv"), format!("a\n{year}\n")).unwrap();
    }
    for (sql, expected) in [
        (
            "SELECT * FROM read_csv('{}/n.csv', normalize_names => true)",
            "first_name,_2nd,groe,_select\nAnn,NA,31/12/2023,",
        ),
        (
            "SELECT \"2nd\", \"Größe %\" + 1 AS d FROM \
             read_csv('{}/n.csv', nullstr => 'NA', dateformat => '%d/%m/%Y')",
            "2nd,d\n,2024-01-01",
        ),
        (
            "SELECT * FROM read_csv('{}/*/p.csv', hive_partitioning => false) ORDER BY a",
            "a\n2023\n2024",
        ),
        (
            "SELECT a, year FROM '{}/*/*.csv' WHERE year = '2024'",
            "a,year\n2024,2024",
        ),
        (
            "SELECT p.a, p.year FROM '{}/year=*/p.csv' ORDER BY p.a LIMIT 1",
            "a,year\n2023,2023",
        ),
        (
            "SELECT a, b FROM read_json('{}/a.json', columns => {a: 'INTEGER', b: 'VARCHAR'}) ORDER BY a",
            "a,b\n1,x\n2,",
        ),
    ] {
        check(&files, sql, expected);
    }
}

#[test]
fn errors_of_csv_name_the_option_to_write() {
    let files = Files::new(&[]);
    let csv = files.path().join("p.csv");
    for (content, table, message) in [
        (
            "a,b\n1,2\n",
            "read_csv('{}/p.csv', skip => 9)",
            "no line after the first 9",
        ),
        (
            "a,b\n1,2\n3\n",
            "'{}/p.csv'",
            "the number of fields in line 3 is 1, not 2 as in the first: read_csv('…') has the \
             options null_padding => true",
        ),
        (
            "a,b\n1,2\n3,4,5\n",
            "read_csv('{}/p.csv', null_padding => true)",
            "the number of fields in line 3 is 3, not 2",
        ),
    ] {
        fs::write(&csv, content).unwrap();
        let ran = files.query(&format!("SELECT * FROM {table}"));
        ran.failed(1, [message]);
    }
    // Types of columns may be names.
    fs::write(&csv, "a,b\n1,2\n").unwrap();
    let sql = "SELECT typeof(a) AS a, typeof(b) AS b FROM read_csv('{}/p.csv', types = {a: VARCHAR, 'b': DECIMAL(5, 1)})";
    assert_eq!(
        files.query(sql).succeeded(),
        "a,b\nVARCHAR,\"DECIMAL(5,1)\"\n"
    );
}
