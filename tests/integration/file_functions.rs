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
