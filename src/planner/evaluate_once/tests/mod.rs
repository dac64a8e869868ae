//! Counts the runs of parsers, for SQL of many shapes.

mod grammar;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use corpus_udfs::function::{ALL_FIELDS, FIELDS, Function, Parameter, constant};
use corpus_udfs::settings::CorpusSettings;
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, LargeStringArray, StructArray, new_null_array,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::common::Result;
use datafusion::prelude::SessionContext;

use crate::session::{SessionOptions, session};
use crate::sql::dialect;

static PARSED: AtomicUsize = AtomicUsize::new(0);
static RENDERED: AtomicUsize = AtomicUsize::new(0);

fn fields() -> Fields {
    let text = |name| Field::new(name, DataType::LargeUtf8, true);
    Fields::from(vec![text("title"), text("body"), text("error")])
}

/// Returns structs of three texts; every tenth one has an error. Fields that are not asked for are
/// NULL.
fn parse(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let values = args[0].as_string::<i64>();
    let title: LargeStringArray = values
        .iter()
        .map(|v| v.map(|v| format!("title {v}")))
        .collect();
    let error: LargeStringArray = values
        .iter()
        .map(|v| v.filter(|v| v.ends_with('0')).map(|_| "damaged"))
        .collect();
    let mut columns: Vec<ArrayRef> = vec![Arc::new(title), Arc::clone(&args[0]), Arc::new(error)];
    if let Some(asked) = constant(&args[1]) {
        for (column, field) in columns.iter_mut().zip(&fields()) {
            if !asked
                .split(' ')
                .any(|name| name == field.name() || name == ALL_FIELDS)
            {
                *column = new_null_array(field.data_type(), column.len());
            }
        }
    }
    let nulls = values.nulls().cloned();
    Ok(Arc::new(StructArray::try_new(fields(), columns, nulls)?))
}

fn render(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let values = args[0].as_string::<i64>().iter();
    let texts: LargeStringArray = values.map(|v| v.map(str::to_uppercase)).collect();
    Ok(Arc::new(texts))
}

fn function(
    name: &'static str,
    returns: DataType,
    invoke: fn(&[ArrayRef], &CorpusSettings) -> Result<ArrayRef>,
) -> Function {
    const TEXT: Parameter = Parameter::text("text", "The text.");
    const ASKED: Parameter = Parameter::text(FIELDS, "The fields.").optional();
    let parameters: &[Parameter] = match returns {
        DataType::Struct(_) => &[TEXT, ASKED],
        _ => &[TEXT],
    };
    Function::new(name, "Tests", &["Counts."], parameters, returns, invoke)
}

/// Makes a session with 1000 pages: 100 of them are damaged, 800 are responses, and 80 are both.
/// `parse` and `render` are costly and counted; `parse_cheap` and `render_cheap` are neither.
async fn context() -> SessionContext {
    let context = session(&SessionOptions::default()).unwrap();
    let parsed = DataType::Struct(fields());
    let text = DataType::LargeUtf8;
    let counted_parse = |args: &[ArrayRef], settings: &CorpusSettings| {
        PARSED.fetch_add(args[0].len(), Ordering::Relaxed);
        parse(args, settings)
    };
    let counted_render = |args: &[ArrayRef], settings: &CorpusSettings| {
        RENDERED.fetch_add(args[0].len(), Ordering::Relaxed);
        render(args, settings)
    };
    for function in [
        function("parse", parsed.clone(), counted_parse).costly(),
        function("render", text.clone(), counted_render).costly(),
        function("parse_cheap", parsed, parse),
        function("render_cheap", text, render),
    ] {
        context.register_udf(function.into());
    }
    context
        .sql(
            "CREATE TABLE pages AS SELECT value AS id, arrow_cast('page ' || value, 'LargeUtf8') \
             AS body, CASE WHEN value % 5 = 1 THEN 'request' ELSE 'response' END AS kind \
             FROM generate_series(1, 1000)",
        )
        .await
        .unwrap();
    context
}

async fn result(context: &SessionContext, sql: &str) -> String {
    let plan = dialect::sql(context, sql)
        .await
        .unwrap_or_else(|e| panic!("{sql}: {e}"));
    let batches = plan
        .collect()
        .await
        .unwrap_or_else(|e| panic!("{sql}: {e}"));
    pretty_format_batches(&batches).unwrap().to_string()
}

/// The rows of a statement, sorted.
async fn rows(context: &SessionContext, sql: &str) -> Result<Vec<String>> {
    let mut batches = dialect::sql(context, sql).await?.collect().await?;
    // Whether a result without rows has a batch depends on the plan.
    batches.retain(|batch| batch.num_rows() > 0);
    let table = pretty_format_batches(&batches)?.to_string();
    let lines = table.lines().filter(|line| line.starts_with('|'));
    let mut lines: Vec<String> = lines
        .map(|line| line.split_whitespace().collect())
        .collect();
    lines.sort_unstable();
    Ok(lines)
}

/// Statements with the numbers of rows for which `parse` and `render` must run.
const SHAPES: &[(&str, usize, usize)] = &[
    (
        "SELECT parse(body)['title'], parse(body)['error'], parse(body)['body'] FROM pages ORDER BY id",
        1000,
        0,
    ),
    (
        "SELECT parse(body)['title'], parse(body)['error'] FROM pages WHERE kind = 'response' ORDER BY id",
        800,
        0,
    ),
    // In SELECT and WHERE, with an additional cheap filter.
    (
        "SELECT id, render(body) FROM pages WHERE render(body) <> '' AND kind = 'response' ORDER BY id",
        0,
        800,
    ),
    (
        "SELECT id FROM pages WHERE length(render(body)) > 6 AND render(body) NOT LIKE '%7' AND kind = 'response' ORDER BY id",
        0,
        800,
    ),
    // Nested queries, filters outside.
    (
        "SELECT id, document FROM (SELECT id, kind, render(body) AS document FROM pages WHERE kind = 'response') WHERE document <> '' ORDER BY id",
        0,
        800,
    ),
    (
        "SELECT id, document FROM (SELECT id, kind, render(body) AS document FROM pages) WHERE document <> '' AND kind = 'response' ORDER BY id",
        0,
        800,
    ),
    (
        "SELECT p['title'] FROM (SELECT id, kind, parse(body) AS p FROM pages) AS q WHERE p['error'] IS NULL AND kind = 'response' ORDER BY q.id",
        800,
        0,
    ),
    // One parser feeds another, which runs only for the rows that remain after the first.
    (
        "SELECT render(p['body']) FROM (SELECT id, parse(body) AS p FROM pages WHERE kind = 'response') WHERE p['error'] IS NULL ORDER BY id",
        800,
        700,
    ),
    (
        "SELECT id, render(parse(body)['body']) FROM pages WHERE parse(body)['error'] IS NULL AND render(parse(body)['body']) LIKE '%2' AND kind = 'response' ORDER BY id",
        800,
        700,
    ),
    // The same call in an outer query, on a renamed column.
    (
        "SELECT render(q.content) FROM (SELECT id, body AS content FROM pages WHERE render(body) LIKE '%3') AS q ORDER BY id",
        0,
        1000,
    ),
    (
        "SELECT q.document, render(q.body) FROM (SELECT id, body, render(body) AS document FROM pages) AS q ORDER BY q.id",
        0,
        1000,
    ),
    // Sorting by a call, with and without the call in SELECT.
    (
        "SELECT id FROM pages WHERE kind = 'response' ORDER BY render(body), id",
        0,
        800,
    ),
    (
        "SELECT render(body) FROM pages ORDER BY render(body) DESC LIMIT 3",
        0,
        1000,
    ),
    // Aggregates.
    (
        "SELECT count(DISTINCT length(render(body))), max(render(body)) FROM pages WHERE render(body) IS NOT NULL AND kind = 'response'",
        0,
        800,
    ),
    (
        "SELECT length(render(body)) AS size, count(*) FROM pages GROUP BY length(render(body)) HAVING count(*) > 1 ORDER BY size",
        0,
        1000,
    ),
    (
        "SELECT parse(body)['error'] AS error, count(*), min(parse(body)['title']) FROM pages WHERE kind = 'response' GROUP BY 1 ORDER BY 1",
        800,
        0,
    ),
    (
        "SELECT DISTINCT parse(body)['error'] AS error FROM pages ORDER BY error",
        1000,
        0,
    ),
    // Joins: on other columns, on the call, and calls above them.
    (
        "SELECT render(a.body), b.id FROM pages a JOIN pages b ON a.id = b.id + 1 WHERE a.kind = 'response' AND render(a.body) LIKE '%4' ORDER BY b.id",
        0,
        800,
    ),
    (
        "SELECT a.id FROM pages a JOIN (SELECT arrow_cast('PAGE 7', 'LargeUtf8') AS text) b ON render(a.body) = b.text WHERE render(a.body) <> '' ORDER BY a.id",
        0,
        1000,
    ),
    (
        "SELECT b.id, render(b.body) FROM pages a LEFT JOIN (SELECT * FROM pages WHERE render(body) LIKE '%9') b ON a.id = b.id ORDER BY a.id",
        0,
        2000,
    ),
    // Columns of an inner query that the outer one does not use.
    (
        "SELECT id FROM (SELECT id, parse(body) AS p, render(body) AS d FROM pages) WHERE id < 10 ORDER BY id",
        0,
        0,
    ),
    (
        "SELECT count(*) FROM (SELECT parse(body) AS p, render(body) AS d FROM pages WHERE kind = 'response')",
        0,
        0,
    ),
    (
        "SELECT title FROM (SELECT id, p['title'] AS title, render(p['body']) AS d, CASE WHEN kind = 'response' THEN render(body) END AS e FROM (SELECT *, parse(body) AS p FROM pages) WHERE p['error'] IS NULL) ORDER BY id",
        1000,
        0,
    ),
    (
        "SELECT t FROM (SELECT id, unnest([p['title'], p['error']]) AS t, render(body) AS d FROM (SELECT *, parse(body) AS p FROM pages)) ORDER BY id, t",
        1000,
        0,
    ),
    // Filters with subqueries, above the query with the calls.
    (
        "SELECT id, title FROM (SELECT id, parse(body)['title'] AS title FROM pages) WHERE id IN (SELECT value FROM generate_series(1, 10)) ORDER BY id",
        10,
        0,
    ),
    (
        "SELECT q.i, title FROM (SELECT id AS i, parse(body)['title'] AS title FROM pages) AS q WHERE q.i NOT IN (SELECT value FROM generate_series(11, 1000)) AND title LIKE '%1%' ORDER BY q.i",
        1000,
        0,
    ),
    (
        "SELECT id, t FROM (SELECT id, kind, p['title'] AS t FROM (SELECT *, parse(body) AS p FROM pages) WHERE p['error'] IS NULL) WHERE kind = 'response' AND id IN (SELECT value FROM generate_series(1, 20)) ORDER BY id",
        16,
        0,
    ),
    (
        "SELECT id, t FROM (SELECT id, unnest([p['title'], p['error']]) AS t FROM (SELECT *, parse(body) AS p FROM pages)) WHERE id IN (SELECT value FROM generate_series(1, 10)) ORDER BY id, t",
        10,
        0,
    ),
    (
        "SELECT id, d FROM (SELECT id, render(body) AS d FROM pages) WHERE id < (SELECT min(value) + 4 FROM generate_series(1, 10)) ORDER BY id",
        0,
        4,
    ),
    (
        "SELECT id, d FROM (SELECT id, render(body) AS d FROM pages) WHERE d IN (SELECT 'PAGE ' || value FROM generate_series(1, 10)) ORDER BY id",
        0,
        1000,
    ),
    (
        "SELECT id, d FROM (SELECT id, render(body) AS d FROM pages) AS q WHERE EXISTS (SELECT 1 FROM generate_series(1, 10) AS s WHERE s.value = q.id) ORDER BY id",
        0,
        1000,
    ),
    // Aliases that the same SELECT uses again.
    (
        "SELECT id, parse(body) AS p, p['title'] AS t, p.error AS e, length(t) FROM pages WHERE kind = 'response' AND e IS NULL AND t <> '' ORDER BY id",
        800,
        0,
    ),
    (
        "SELECT parse(body) AS p, render(p.body) AS d, length(d) AS n FROM pages WHERE n > 0 AND kind = 'response' AND p.error IS NULL ORDER BY id",
        800,
        700,
    ),
    (
        "SELECT parse(body)['error'] AS e, count(*) AS n, n + 1 FROM pages WHERE kind = 'response' GROUP BY e HAVING n > 1 ORDER BY n",
        800,
        0,
    ),
    // Windows, unions, unnest, subqueries.
    (
        "SELECT id, row_number() OVER (PARTITION BY parse(body)['error'] ORDER BY parse(body)['title'], id) AS n FROM pages WHERE kind = 'response' ORDER BY id",
        800,
        0,
    ),
    (
        "SELECT render(body) AS d FROM pages WHERE kind = 'request' UNION ALL SELECT render(body) FROM pages WHERE kind = 'response' ORDER BY d",
        0,
        1000,
    ),
    (
        "SELECT id, unnest([parse(body)['title'], parse(body)['error']]) AS text FROM pages WHERE kind = 'response' ORDER BY id, text",
        800,
        0,
    ),
    (
        "SELECT id, unnest(parse(body)) FROM pages WHERE kind = 'response' ORDER BY id",
        800,
        0,
    ),
    (
        "SELECT id FROM pages WHERE id IN (SELECT id FROM pages WHERE render(body) LIKE '%5' AND kind = 'response') ORDER BY id",
        0,
        800,
    ),
    // Conditional calls, only for the rows that need them.
    (
        "SELECT CASE WHEN kind = 'response' THEN render(body) END AS d FROM pages ORDER BY id",
        0,
        800,
    ),
    (
        "SELECT d, length(d) FROM (SELECT id, CASE WHEN kind = 'response' THEN render(body) END AS d FROM pages) WHERE d <> '' ORDER BY id",
        0,
        800,
    ),
    (
        "WITH p AS (SELECT id, kind, parse(body) AS p FROM pages), q AS (SELECT id, p['body'] AS b FROM p WHERE kind = 'response') SELECT render(b) FROM q WHERE b LIKE '%8' ORDER BY id",
        800,
        100,
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_shape_parses_each_record_once() {
    let context = context().await;
    let mut wrong = Vec::new();
    for (sql, parsed, rendered) in SHAPES {
        PARSED.store(0, Ordering::Relaxed);
        RENDERED.store(0, Ordering::Relaxed);
        let rows = result(&context, sql).await;
        let calls = (
            PARSED.load(Ordering::Relaxed),
            RENDERED.load(Ordering::Relaxed),
        );
        if calls != (*parsed, *rendered) {
            wrong.push(format!(
                "{calls:?} instead of {:?}: {sql}",
                (parsed, rendered)
            ));
        }
        let cheap = sql
            .replace("parse(", "parse_cheap(")
            .replace("render(", "render_cheap(");
        let plain = result(&context, &cheap).await;
        let unnamed = |table: String| {
            table
                .replace("parse_cheap(", "parse(")
                .replace("render_cheap(", "render(")
        };
        let lines = |table: &str| -> Vec<String> {
            let lines = table.lines().filter(|line| line.starts_with('|'));
            lines
                .map(|line| line.split_whitespace().collect())
                .collect()
        };
        assert_eq!(lines(&rows), lines(&unnamed(plain)), "{sql}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn explain_shows_it_and_cheap_filters_stay_below() {
    let context = context().await;
    let plan = result(
        &context,
        "EXPLAIN SELECT id FROM (SELECT id, kind, render(body) AS d FROM pages) \
         WHERE d <> '' AND kind = 'response'",
    )
    .await;
    let place = |text: &str| {
        plan.find(text)
            .unwrap_or_else(|| panic!("{text} not in\n{plan}"))
    };
    assert!(
        place("EvaluateOnce: render(") < place("EvaluateOnceExec: render("),
        "{plan}"
    );
    let physical = &plan[place("physical_plan")..];
    let once = physical.find("EvaluateOnceExec").unwrap();
    let cheap = physical.find("FilterExec: kind").unwrap();
    assert!(once < cheap, "{plan}");
}

#[tokio::test]
async fn a_limit_passes() {
    let context = context().await;
    let plan = result(&context, "EXPLAIN SELECT render(body) FROM pages LIMIT 3").await;
    assert!(plan.contains("fetch=3"), "{plan}");
}

#[tokio::test]
async fn functions_learn_which_fields_are_used() {
    let context = context().await;
    for (sql, call) in [
        (
            "SELECT parse(body)['title'], parse(body)['error'] IS NULL FROM pages WHERE id < 10",
            "parse(body@1, error title) as",
        ),
        // A whole struct, in each place where it may be.
        ("SELECT parse(body) FROM pages", "parse(body@0) as"),
        (
            "SELECT parse(body), parse(body)['title'] FROM pages",
            "parse(body@0, * title) as",
        ),
        ("SELECT count(parse(body)) FROM pages", "parse(body@0) as"),
        (
            "SELECT DISTINCT p['title'] FROM (SELECT DISTINCT parse(body) AS p FROM pages)",
            "parse(body@0, * title) as",
        ),
        (
            "SELECT p['title'] FROM (SELECT parse(body) AS p FROM pages UNION ALL SELECT parse(body) FROM pages)",
            "parse(body@0, * title) as",
        ),
        // Under other names, also where another column has such a name.
        (
            "SELECT t.p['title'], t.id FROM (SELECT q AS p, id FROM (SELECT parse(body) AS q, id FROM pages)) AS t",
            "title) as",
        ),
        (
            "SELECT t.p['title'], u.p FROM (SELECT id, parse(body) AS p FROM pages) AS t \
             JOIN (SELECT id, kind AS p FROM pages) AS u ON t.id = u.id",
            "* title) as",
        ),
        // Below projections that only pass the struct on, and as the result of a subquery.
        (
            "SELECT sum(length(parse(body)['title'])) FROM pages",
            "parse(body@0, title) as",
        ),
        (
            "SELECT (SELECT parse(body) FROM pages LIMIT 1)['title'] FROM pages",
            "parse(body@0) as",
        ),
        // The caller's own fields stay.
        (
            "SELECT parse(body, 'title')['error'] FROM pages",
            "parse(body@0, title) as",
        ),
    ] {
        let plan = result(&context, &format!("EXPLAIN {sql}")).await;
        assert!(plan.contains(call), "{call} not in\n{plan}");
    }
}
