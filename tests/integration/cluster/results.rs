//! Results, settings and counters equal those of a run without a cluster.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::{Processes, wait_until, write_archives};
use crate::queries::check_all_queries;
use crate::support::{Ran, corpus_sql, ran};

#[test]
fn all_queries_give_the_same_results_on_a_cluster() {
    let cluster = Processes::start(2);
    check_all_queries(&["--cluster", &cluster.address]);
}

/// The join has one partition, and more rows than the batches of texts that the client writes.
#[test]
fn stages_of_one_partition_return_their_rows_once() {
    let cluster = Processes::start(2);
    let path = |name: &str| cluster.folder.path().join(name).display().to_string();
    let (left, right, output) = (path("left"), path("right"), path("groups.parquet"));
    for sql in [
        format!("COPY (SELECT value AS rank FROM range(61)) TO '{left}.parquet'"),
        format!("COPY (SELECT value AS place FROM range(700)) TO '{right}.parquet'"),
    ] {
        ran(corpus_sql().args(["-c", &sql]).output().unwrap()).succeeded();
    }
    let joined = format!(
        "SELECT l.rank, array_agg(place) AS places FROM read_parquet('{left}.parquet') AS l
         JOIN (SELECT place, place % 61 AS rank FROM read_parquet('{right}.parquet')) AS r
         ON l.rank = r.rank GROUP BY l.rank"
    );
    cluster
        .run(&format!("COPY ({joined}) TO '{output}'"))
        .succeeded();
    let count = format!("SELECT sum(cardinality(places)) AS places FROM '{output}'");
    let counted = corpus_sql()
        .args(["--format", "csv", "-c", &count])
        .output();
    assert_eq!(ran(counted.unwrap()).succeeded(), "places\n700\n");
}

#[test]
fn texts_never_cross_a_shuffle() {
    let cluster = Processes::start(2);
    let input = cluster.folder.path().join("input");
    write_archives(&input, 10, 40);
    let read = size(&input);
    let documents = format!(
        "(SELECT target_uri AS url, html_document(http['body'], http['charset']) AS document
          FROM (SELECT target_uri, http_response(body) AS http FROM read_warc('{}')))",
        input.display()
    );
    let paragraphs = format!(
        "(SELECT url, p['position'] AS position, text_hash(p['text']) AS hash
          FROM (SELECT url, unnest(text_lines(document)) AS p FROM {documents})
          WHERE p['text'] <> '')"
    );
    for (sql, expected, limit) in [
        (
            format!(
                "SELECT count(*) AS n
                 FROM (SELECT text_hash(document) AS hash, count(*) FROM {documents} GROUP BY 1)"
            ),
            "400",
            read / 20,
        ),
        (
            format!(
                "SELECT count(*) > 0 AS n FROM (
                     SELECT key, min(hash) FROM (
                         SELECT text_hash(document) AS hash, unnest(minhash_bands(minhash(document), 16, 8)) AS key
                         FROM {documents})
                     GROUP BY key)"
            ),
            "true",
            read / 20,
        ),
        (
            // The lines are short: the address of its page makes up a third of each.
            format!(
                "SELECT count(*) AS n FROM (
                     SELECT row_number() OVER (PARTITION BY hash ORDER BY url, position) AS number FROM {paragraphs})
                 WHERE number = 1"
            ),
            "160000",
            read / 2,
        ),
    ] {
        let (ran, shuffled) = watched(&cluster, || cluster.run(&sql));
        assert!(ran.succeeded().contains(&format!(" {expected} ")), "{}", ran.stdout);
        assert!(shuffled < limit, "{shuffled} bytes shuffled of {read}: {sql}");
        wait_until("shuffled data is removed", || {
            size(&cluster.temporary()) == 0
        });
    }
}

/// Runs a job, and returns the maximum size of the shuffled data.
fn watched(cluster: &Processes, job: impl FnOnce() -> Ran) -> (Ran, u64) {
    let largest = AtomicU64::new(0);
    let is_done = AtomicBool::new(false);
    let ran = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                largest.fetch_max(size(&cluster.temporary()), Ordering::Relaxed);
            }
        });
        let ran = job();
        is_done.store(true, Ordering::Relaxed);
        ran
    });
    let largest = largest.into_inner();
    assert!(largest > 0, "no shuffle was seen");
    (ran, largest)
}

/// Returns the total size of the files below a folder, except for the lock files of executors.
/// Files may disappear meanwhile.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) if entry.file_name() != "lock" => metadata.len(),
        _ => 0,
    });
    sizes.sum()
}

#[test]
fn settings_and_counters_travel() {
    let cluster = Processes::start(2);
    let sql = "SET corpus.on_error = 'skip'; SELECT count(*) FROM read_warc('data-samples/damaged-warc/')";
    let with = cluster.run(sql);
    let without = ran(corpus_sql().args(["-c", sql]).output().unwrap());
    assert_eq!(with.succeeded(), without.succeeded());
    let errors = |ran: &Ran| -> Vec<String> {
        let lines = ran.stderr.lines().filter(|line| line.contains('×'));
        lines.map(str::to_owned).collect()
    };
    assert!(!errors(&without).is_empty());
    assert_eq!(errors(&with), errors(&without));
    assert!(
        with.stderr
            .contains(without.stderr.split(" read").next().unwrap()),
        "{} {}",
        with.stderr,
        without.stderr
    );
}

/// Operators above a join that need all rows in one partition, or partitioned by keys.
#[test]
fn hash_joins_lose_no_rows() {
    let cluster = Processes::start(2);
    let folder = cluster.folder.path().display();
    let prepared = format!(
        "COPY (SELECT value AS k, concat('left ', value) AS a FROM generate_series(1, 1000)) TO '{folder}/left.parquet';
         COPY (SELECT value * 3 AS k, concat('right ', value) AS b FROM generate_series(1, 500)) TO '{folder}/right.parquet'"
    );
    ran(corpus_sql().args(["-q", "-c", &prepared]).output().unwrap()).succeeded();
    let (left, right) = (
        format!("'{folder}/left.parquet' AS l"),
        format!("'{folder}/right.parquet' AS r"),
    );
    // The planner does not know the number of rows of this query.
    let few = format!(
        "(SELECT * FROM '{folder}/left.parquet' WHERE a LIKE '%5%' ORDER BY a LIMIT 50) AS l"
    );
    let mut queries = vec![
        format!("SELECT k, a FROM {left} WHERE k IN (SELECT k FROM {right}) ORDER BY k"),
        format!("SELECT k, a FROM {left} WHERE k NOT IN (SELECT k FROM {right}) ORDER BY k"),
        format!(
            "SELECT l.a, r.b, o.a FROM {few} JOIN {right} ON l.k = r.k JOIN '{folder}/left.parquet' AS o ON o.k = l.k + 1 ORDER BY 1"
        ),
    ];
    for input in [&left, &few] {
        for join in ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"] {
            let joined = format!("{input} {join} {right} ON l.k = r.k");
            queries.push(format!("SELECT a, b FROM {joined} ORDER BY 1, 2"));
            queries.push(format!("SELECT count(a), count(b) FROM {joined}"));
            queries.push(format!(
                "SELECT left(a, 6) AS s, count(*) FROM {joined} GROUP BY 1 ORDER BY 1"
            ));
        }
    }
    for threshold in [
        "",
        "SET datafusion.optimizer.hash_join_single_partition_threshold = 1000000000;",
    ] {
        let set = format!("SET datafusion.optimizer.prefer_hash_join = true; {threshold}");
        // Running all statements in one process is faster.
        let sql = format!("{set} {}", queries.join("; "));
        let args = ["-q", "--format", "csv", "-c", &sql];
        let with = ran(cluster.client().args(args).output().unwrap());
        let without = ran(corpus_sql().args(args).output().unwrap());
        assert_eq!(with.succeeded(), without.succeeded());
        assert!(without.stdout.lines().count() > 2000, "{}", without.stdout);
    }
}
