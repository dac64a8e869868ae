//! Creates, extends, searches and joins full-text indexes in SQL, and rejects invalid input.

use std::fs;
use std::path::Path;

use super::support::{Ran, run};

/// Five documents in three languages.
const DOCUMENTS: &str = "(VALUES \
    ('a', 'The great flood of the river', 1, TIMESTAMP '2024-01-01T00:00:00Z'), \
    ('b', 'A river without any flood', 2, NULL), \
    ('c', '日本語の文書を検索する', 3, NULL), \
    ('d', 'Grüße aus dem Café, wo Züge fahren', 4, NULL), \
    ('e', NULL, 5, NULL)) AS t(id, document, number, at)";

fn sql(statements: &str) -> Ran {
    run(["--quiet", "--format", "csv", "-c", statements])
}

fn index(folder: &Path, select: &str, options: &str) -> Ran {
    let folder = folder.display();
    let copy = format!("COPY ({select}) TO '{folder}' STORED AS SEARCH_INDEX {options}");
    run(["-c", &copy])
}

fn ids(folder: &Path, query: &str) -> String {
    let (folder, query) = (folder.display(), query.replace('\'', "''"));
    let found = sql(&format!(
        "SELECT string_agg(id, ' ' ORDER BY id) AS ids FROM search('{folder}', '{query}')"
    ));
    let found = found.succeeded().to_owned();
    let ids = found.trim_start_matches("ids\n").trim();
    ids.trim_matches('"').to_owned()
}

fn documents() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("index");
    index(&target, &format!("SELECT * FROM {DOCUMENTS}"), "").succeeded();
    (folder, target)
}

#[test]
fn words_of_all_scripts_are_found() {
    let (_folder, index) = documents();
    for (query, found) in [
        ("flood", "a b"),
        ("FLOOD great", "a"),
        ("\"great flood\"", "a"),
        ("\"flood great\"", ""),
        ("great OR any", "a b"),
        ("river -without", "a"),
        ("river NOT (great OR great)", "b"),
        ("flo*", "a b"),
        ("floud~1", "a b"),
        ("日本", "c"),
        ("語", "c"),
        ("本日", ""),
        ("cafe gruße", "d"),
        ("zuge", "d"),
        ("id:d", "d"),
        ("number:[2 TO 3]", "b c"),
        ("*", "a b c d e"),
    ] {
        assert_eq!(ids(&index, query), found, "{query}");
    }
}

#[test]
fn hits_are_rows_with_their_columns_the_best_first() {
    let (_folder, index) = documents();
    let folder = index.display();
    let found = sql(&format!(
        "SELECT id, number, at, snippet, score > 0 AS scored FROM search('{folder}', 'flood', 1)"
    ));
    assert_eq!(
        found.succeeded(),
        "id,number,at,snippet,scored\n\
         b,2,,A river without any <b>flood</b>,true\n"
    );
    let text = "SELECT snippet FROM search('{}', 'café', NULL, 'snippet', 'text')";
    let found = sql(&text.replace("{}", &folder.to_string()));
    assert_eq!(
        found.succeeded(),
        "snippet\n\"Grüße aus dem Café, wo Züge fahren\"\n"
    );
    let joined = sql(&format!(
        "SELECT s.id, t.number * 10 AS tens FROM search('{folder}', 'river') AS s \
         JOIN {DOCUMENTS} ON s.id = t.id ORDER BY 1"
    ));
    assert_eq!(joined.succeeded(), "id,tens\na,10\nb,20\n");
}

#[test]
fn an_index_is_extended_replaced_and_combined() {
    let (folder, first) = documents();
    let more = "SELECT 'f' AS id, 'another flood' AS document, 6 AS number, NULL AS at";
    index(&first, more, "").failed(1, ["there is an index already", "'append'"]);
    index(&first, more, "OPTIONS (mode 'append')").failed(1, ["at"]);
    let more = "SELECT 'f' AS id, 'another flood' AS document, 6 AS number, \
                CAST(NULL AS TIMESTAMP) AS at";
    index(&first, more, "OPTIONS (mode 'append')").succeeded();
    assert_eq!(ids(&first, "flood"), "a b f");

    let second = folder.path().join("second");
    let other = "SELECT 'g' AS id, 'flood seven' AS document, 7 AS number, \
                 CAST(NULL AS TIMESTAMP) AS at";
    index(&second, other, "").succeeded();
    let both = format!("{},{}", first.display(), second.display());
    assert_eq!(ids(Path::new(&both), "flood"), "a b f g");

    let all = folder.path().join("all");
    let options = format!("OPTIONS (combine '{both}')");
    index(&all, &format!("{other} WHERE false"), &options).succeeded();
    assert_eq!(ids(&all, "flood"), "a b f g");

    index(&second, more, "OPTIONS (mode 'replace')").succeeded();
    assert_eq!(ids(&second, "*"), "f");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn documents_are_updated_by_their_ids() {
    let (_folder, target) = documents();
    let row = |id: &str, document: &str| {
        format!(
            "SELECT '{id}' AS id, '{document}' AS document, 9 AS number, \
             CAST(NULL AS TIMESTAMP) AS at"
        )
    };
    let rows = format!(
        "{} UNION ALL {}",
        row("a", "a bridge"),
        row("x", "a bridge")
    );
    let known = [
        "1 documents of the index have ids of new rows, such as 'a'",
        "mode 'update'",
    ];
    index(&target, &rows, "OPTIONS (mode 'append')").failed(1, known);
    assert_eq!(ids(&target, "*"), "a b c d e");
    let updated = index(&target, &rows, "OPTIONS (mode 'update')");
    updated.succeeded();
    updated.reports("1 document replaced by id");
    assert_eq!(ids(&target, "*"), "a b c d e x");
    assert_eq!(ids(&target, "bridge"), "a x");
    assert_eq!(ids(&target, "flood"), "b");
    let keep = "OPTIONS (mode 'append', duplicates 'keep')";
    let kept = index(&target, &row("b", "a tower"), keep);
    kept.succeeded();
    kept.reports("1 document with the id of another document");
    assert_eq!(ids(&target, "*"), "a b b c d e x");
    let twice = format!("{} UNION ALL {}", row("y", "a bridge"), row("y", "a tower"));
    let replaced = index(&target, &twice, "OPTIONS (mode 'replace')");
    replaced.succeeded();
    replaced.reports("1 document with the id of another document");
}

#[test]
fn words_near_each_other_and_wildcards_are_found() {
    let (_folder, index) = documents();
    for (query, found) in [
        ("great w/1 flood", "a"),
        ("flood NEAR/3 river", "a b"),
        ("flood PRE/3 river", "a"),
        ("river NOT w/3 great", "a b"),
        ("river NOT w/4 great", "b"),
        ("(great OR any) w/1 fl*", "a b"),
        ("\"any river\"~2", ""),
        ("\"any river\"~3", "b"),
        ("\"the river\"~3", "a"),
        ("r?ver", "a b"),
        ("*oo?", "a b"),
        ("Z?ge", "d"),
    ] {
        assert_eq!(ids(&index, query), found, "{query}");
    }
    let location = index.display();
    for (query, advice) in [
        ("great NEAR flood", "write NEAR/10"),
        ("great /s flood", "w/15"),
        ("great | flood", "written OR"),
        ("floo!", "written *"),
        ("great OR any w/1 flood", "(great OR any) w/1 c"),
        ("title:flood", "its fields are"),
    ] {
        let found = sql(&format!("SELECT id FROM search('{location}', '{query}')"));
        let advice = advice.replace("great OR any", "a OR b");
        found.failed(1, ["query, character", &advice]);
    }
}

#[test]
fn damage_is_found_in_what_is_read_or_in_all_files() {
    let (_folder, index) = documents();
    for entry in fs::read_dir(&index).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "pos") {
            let mut bytes = fs::read(&path).unwrap();
            bytes[0] ^= 1;
            fs::write(&path, bytes).unwrap();
        }
    }
    let location = index.display();
    let search = |option: &str| {
        sql(&format!(
            "SELECT count(*) AS n FROM search('{location}', '\"great flood\"'{option})"
        ))
    };
    for option in ["", ", 'verify', 'all'", ", 5, 'verify', 'used'"] {
        search(option).failed(1, [".pos is damaged", "build the index again"]);
    }
    search(", 'verify', 'none'").succeeded();
}

#[test]
fn extensions_of_a_language_are_removed_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("index");
    let select = "SELECT 'x' AS id, 'The contracts were signed' AS document";
    index(&target, select, "OPTIONS (language 'english')").succeeded();
    assert_eq!(ids(&target, "contract signing"), "x");
    let other = folder.path().join("other");
    index(&other, select, "").succeeded();
    assert_eq!(ids(&other, "contract"), "");
    index(
        &other,
        select,
        "OPTIONS (mode 'replace', language 'klingon')",
    )
    .failed(1, ["klingon", "english"]);
}

#[test]
fn a_failed_copy_leaves_no_index() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("index");
    let select = "SELECT 'x' AS id, CAST(1 / (value - 3) AS VARCHAR) AS document \
                  FROM generate_series(1, 5)";
    index(&target, select, "").failed(1, ["division by zero"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn invalid_indexes_and_queries_are_explained() {
    let (folder, index) = documents();
    let refused = |location: &str, query: &str, messages: [&str; 2]| {
        sql(&format!("SELECT id FROM search('{location}', '{query}')")).failed(1, messages);
    };
    let location = index.display().to_string();
    refused(&location, "(a OR", ["character", "OR"]);
    refused(&location, "\"a", ["character", "\""]);
    refused(&location, "colour:red", ["'colour'", "document"]);
    refused("data-samples", "a", ["not a search index", "STORED AS"]);
    refused("no/such/folder", "a", ["no/such/folder", "no such folder"]);
    sql(&format!("SELECT id FROM search('{location}')")).failed(1, ["search('index', 'query'"]);
    sql(&format!(
        "SELECT id FROM search('{location}', 'a', 5, 'colour', 'red')"
    ))
    .failed(1, ["colour", "snippet"]);

    // A truncated file of the index is an error, not a panic.
    for entry in fs::read_dir(&index).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "term")
        {
            fs::write(&path, b"cut").unwrap();
        }
    }
    sql(&format!("SELECT id FROM search('{location}', 'flood')")).failed(1, [&location]);
    drop(folder);
}
