//! Values of CSV files: none is changed or lost without an error.

use std::fs;

use super::data_files::Files;
use super::support::Ran;

/// Runs a query of a CSV file.
fn query(csv: &str, sql: &str) -> Ran {
    let files = Files::new(&[]);
    fs::write(files.path().join("a.csv"), csv).unwrap();
    files.query(&sql.replace("FILE", "'{}/a.csv'"))
}

/// A column of 1,500 equal values, which decide its type, and another value after them.
fn late(first: &str, last: &str) -> String {
    format!("id,v\n{}1500,{last}\n", format!("1,{first}\n").repeat(1500))
}

#[test]
fn late_values_that_a_type_would_change_are_errors() {
    for (first, last, reason) in [
        (
            "2020-01-01",
            "2020-02-03T12:34:56",
            "of type DATE: it has a time of day",
        ),
        ("2020-01-01", "2020-02-31", "of type DATE: it is not a date"),
        (
            "12",
            "00123",
            "of type BIGINT: a number would lose its leading zero",
        ),
        ("12", "+5", "of type BIGINT: a number would lose"),
        ("12", "1.5", "of type BIGINT: it is not a whole number"),
        ("12", "1e3", "of type BIGINT: it is not a whole number"),
        ("1.5", "007", "of type DOUBLE: a number would lose"),
        ("1.5", "1e400", "of type DOUBLE: it is out of range"),
        (
            "2020-01-01 00:00:00",
            "2020-01-01 00:00:00.1234567",
            "of type TIMESTAMP: its second has more digits",
        ),
        (
            "2020-01-01 00:00:00",
            "2020-01-01 00:00:00+05:00",
            "of type TIMESTAMP: it has a time zone",
        ),
        ("true", "yes", "'yes'"),
    ] {
        let ran = query(&late(first, last), "SELECT max(v) FROM FILE");
        ran.failed(
            1,
            ["a.csv' with the types of its first records", last, reason],
        );
        ran.reports("all_varchar => true");
        if first != "true" {
            ran.reports(&format!("record 1501 has '{last}' in the column 'v'"));
        }
        // Columns that are not selected are not converted.
        let ran = query(&late(first, last), "SELECT count(*), max(id) FROM FILE");
        assert_eq!(ran.succeeded().lines().nth(1), Some("1501,1500"));
    }
    let text = "SELECT max(v) AS v FROM read_csv(FILE, all_varchar => true)";
    let ran = query(&late("2020-01-01", "2020-02-03T12:34:56"), text);
    assert_eq!(ran.succeeded(), "v\n2020-02-03T12:34:56\n");
}

#[test]
fn values_that_a_type_would_change_are_texts() {
    for (values, expected) in [
        ("00123\n12345", "Utf8,00123"),
        ("+49\n50", "Utf8,+49"),
        ("12\n34", "Int64,12"),
        ("1.5\n12", "Float64,1.5"),
        ("1.5\n9007199254740993", "Utf8,1.5"),
        ("2020-02-31\n2020-01-01", "Utf8,2020-02-31"),
        (
            "2020-01-01T00:00:60\n2020-01-01T00:00:00",
            "Utf8,2020-01-01T00:00:60",
        ),
        (
            "2020-01-01T00:00:00\n2020-01-02",
            "Timestamp(µs),2020-01-01T00:00:00",
        ),
        (
            "2020-01-01T00:00:00+01:00\n2020-01-02T00:00:00Z",
            "\"Timestamp(µs, \"\"UTC\"\")\",2019-12-31T23:00:00Z",
        ),
    ] {
        let ran = query(
            &format!("v\n{values}\n"),
            "SELECT arrow_typeof(v), v FROM FILE LIMIT 1",
        );
        assert_eq!(ran.succeeded().lines().nth(1), Some(expected), "{values}");
    }
}

#[test]
fn delimiters_are_those_of_the_first_records() {
    for (csv, sql, expected) in [
        (
            "a;b\n1;2,5\n",
            "SELECT a + 1 AS a, b FROM FILE",
            "a,b\n2,\"2,5\"\n",
        ),
        ("a\tb\n1\tx\n", "SELECT b FROM FILE", "b\nx\n"),
        ("a|b\n1|x\n", "SELECT b FROM read_csv(FILE)", "b\nx\n"),
        ("a;b\n1\n", "SELECT * FROM FILE", "a;b\n1\n"),
        (
            "a;b\n1;2\n",
            "SELECT * FROM read_csv(FILE, delim => ',')",
            "a;b\n1;2\n",
        ),
        (
            "a;b\n1;2\n",
            "SELECT count(*) AS n FROM read_csv(FILE, header => false)",
            "n\n2\n",
        ),
    ] {
        assert_eq!(query(csv, sql).succeeded(), expected, "{csv} {sql}");
    }
}

#[test]
fn a_column_without_early_values_keeps_late_ones() {
    let ran = query(&late("", "5"), "SELECT max(v) AS v FROM FILE");
    assert_eq!(ran.succeeded(), "v\n5\n");
}

#[test]
fn files_with_different_types_of_a_column_have_texts() {
    let files = Files::new(&[]);
    for (name, value) in [("1", "123"), ("2", "00123")] {
        let csv = format!("code\n{value}\n");
        fs::write(files.path().join(format!("{name}.csv")), csv).unwrap();
    }
    let ran = files.query("SELECT code FROM '{}/*.csv' ORDER BY code");
    assert_eq!(ran.succeeded(), "code\n00123\n123\n");
}

#[test]
fn declared_columns_keep_the_values_of_texts() {
    let declared = "CREATE EXTERNAL TABLE t (v TYPE) STORED AS CSV LOCATION FILE \
                    OPTIONS ('format.has_header' 'true'); SELECT v FROM t";
    let ran = query("v\n00123\n", &declared.replace("TYPE", "BIGINT"));
    assert_eq!(ran.succeeded(), "v\n123\n");
    let ran = query(
        "v\n2020-01-01T12:00:00\n",
        &declared.replace("TYPE", "DATE"),
    );
    ran.failed(
        1,
        [
            "with the declared types",
            "record 1",
            "it has a time of day",
        ],
    );
}

#[test]
fn a_quote_that_is_never_closed_is_an_error() {
    let rest = "3,x\n".repeat(5000);
    for (csv, line, column) in [
        (format!("id,v\n1,a\n2,\"b\n{rest}"), 3, 2),
        (format!("id,v\n\"1\n2\",a\n\"2,b\n{rest}"), 4, 1),
        ("v\n\"a".to_owned(), 2, 1),
        (format!("id,\"v\n1,a\n{rest}"), 1, 2),
        ("id,v\n1,\"a\"\"".to_owned(), 2, 2),
    ] {
        let ran = query(&csv, "SELECT count(*) FROM FILE");
        let place = format!("the record in line {line} opens a quote in column {column} and never");
        ran.failed(1, ["a.csv'", &place, "quote => "]);
    }
    for (csv, expected) in [
        ("id,v\n1,\"a\n\"\n", "1"),
        ("id,v\n1,\"a\"", "1"),
        ("id,v\n1,a \"b\n2,c\n", "2"),
        ("id,v\n1,\"\"\"\"\n\n", "1"),
        ("id,v", "0"),
    ] {
        let ran = query(csv, "SELECT count(*) FROM FILE");
        assert_eq!(ran.succeeded().lines().nth(1), Some(expected), "{csv:?}");
    }
    let ran = query(
        "id|v\n1|\"a\n",
        "SELECT v FROM read_csv(FILE, delim => '|', quote => '~')",
    );
    assert_eq!(ran.succeeded(), "v\n\"\"\"a\"\n");
}

#[test]
fn the_size_of_a_record_is_limited() {
    let csv = format!("id,v\n1,a\n2,\"b{}", "some text\n".repeat(7 << 20));
    let ran = query(&csv, "SELECT count(*) FROM FILE");
    let place = "the record in line 3 opens a quote in column 2 and has more than 64 MiB";
    ran.failed(1, ["a.csv'", place]);
}

#[test]
fn records_that_do_not_fit_are_left_out_and_counted() {
    let csv = "id,v\n1,2\n3\n4,5,6\nx,7\n8,\"9\n10\"\n11,\n";
    let ran = query(
        csv,
        "SELECT id, v FROM read_csv(FILE, ignore_errors => true, columns => {id: 'BIGINT', v: 'VARCHAR'})",
    );
    assert_eq!(ran.succeeded(), "id,v\n1,2\n8,\"9\n10\"\n11,\n");
    ran.reports("another number of fields are left out: 2");
    ran.reports("do not fit the types of their columns are left out: 1");
    let ran = query(
        csv,
        "SELECT count(*) AS n FROM read_csv(FILE, ignore_errors => true)",
    );
    ran.succeeded();
    ran.reports("another number of fields are left out: 2");
}

#[test]
fn whole_numbers_of_given_types_are_rounded() {
    let csv = "a,b\n1.5,x\n-2.5,y\n007,z\n1e2,u\n";
    for options in [
        "types => {a: 'BIGINT'}",
        "types => ['INTEGER']",
        "types => {a: 'SMALLINT'}, ignore_errors => true",
        "columns => {a: 'UTINYINT', b: 'VARCHAR'}, ignore_errors => true",
    ] {
        let ran = query(csv, &format!("SELECT a FROM read_csv(FILE, {options})"));
        let negative = if options.contains("UTINYINT") {
            ""
        } else {
            "-3\n"
        };
        assert_eq!(
            ran.succeeded(),
            format!("a\n2\n{negative}7\n100\n"),
            "{options}"
        );
    }
    // Without a type, such numbers keep their text.
    let ran = query("a\n007\n1\n", "SELECT a FROM FILE");
    assert_eq!(ran.succeeded(), "a\n007\n1\n");
    let ran = query(
        "a\n1\nx\n",
        "SELECT a FROM read_csv(FILE, types => {a: 'INTEGER'})",
    );
    ran.failed(
        1,
        [
            "with the declared types",
            "record 2 has 'x' in the column 'a' of type INTEGER",
        ],
    );
}

#[test]
fn lines_before_the_header_are_skipped() {
    let csv = "made by \"me\n2024\na,b\n1,x\n";
    let ran = query(csv, "SELECT a, b FROM read_csv(FILE, skip => 2)");
    assert_eq!(ran.succeeded(), "a,b\n1,x\n");
    let ran = query(
        "x\na,b\n1,\"x\n",
        "SELECT a, b FROM read_csv(FILE, skip => 1, columns => {a: 'BIGINT', b: 'VARCHAR'})",
    );
    ran.failed(1, ["the record in line 3 opens a quote in column 2"]);
}

#[test]
fn dates_have_the_given_format() {
    let csv = "a,b\n31/12/1523,x\n,y\n01/02/2024,z\n";
    let sql = "SELECT a + 1 AS a FROM read_csv(FILE, dateformat => '%d/%m/%Y')";
    let ran = query(csv, sql);
    assert_eq!(ran.succeeded(), "a\n1524-01-01\n\"\"\n2024-02-02\n");
    let late = late("31/12/2023", "2024-01-01");
    let sql = "SELECT max(v) FROM read_csv(FILE, dateformat => '%d/%m/%Y')";
    query(&late, sql).failed(1, ["record 1501", "it does not have the given format"]);
}
