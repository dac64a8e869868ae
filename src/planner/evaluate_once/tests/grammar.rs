//! Every clause of the grammar over costly functions, with and without the rules.

use std::sync::Arc;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::execution::SessionStateBuilder;
use datafusion::logical_expr::LogicalPlan;
use datafusion::optimizer::{Optimizer, OptimizerConfig, OptimizerRule};
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use datafusion::prelude::SessionContext;

use super::super::rewrite::{EvaluateOnce, extract_calls, has_calls};
use super::{context, fields, function, parse, render, rows};

/// Tables that a query reads as `q`, with the columns `id`, `body`, `kind` and `n`.
const TABLES: &[&str] = &[
    "few",
    "(SELECT * FROM few)",
    "(SELECT id, render(body) AS body, kind, n FROM few)",
    "(SELECT id, parse(body)['title'] AS body, kind, n FROM few WHERE parse(body)['error'] IS NULL)",
    "(SELECT DISTINCT id, render(body) AS body, kind, n FROM few)",
    "(SELECT * FROM few UNION ALL SELECT id, render(body), kind, n FROM few)",
    "(SELECT id, render(body) AS body, kind, n FROM few UNION SELECT * FROM few)",
    "(SELECT * FROM few INTERSECT SELECT * FROM few WHERE render(body) LIKE '%1%')",
    "(SELECT * FROM few EXCEPT SELECT * FROM few WHERE render(body) LIKE '%1%')",
    "(SELECT * FROM few ORDER BY render(body), id LIMIT 7 OFFSET 1)",
    "(SELECT a.* FROM few a JOIN few b ON render(a.body) = render(b.body) AND a.n = b.n)",
    "(SELECT a.id, b.body, a.kind, a.n FROM few a LEFT JOIN few b ON a.id = b.id AND render(b.body) LIKE '%2%')",
    "(SELECT b.id, a.body, b.kind, b.n FROM few a RIGHT JOIN few b ON render(a.body) = render(b.body))",
    "(SELECT coalesce(a.id, b.id) AS id, a.body, b.kind, a.n FROM few a FULL JOIN few b ON a.id = b.id + 3)",
    "(SELECT id, a.body, a.kind, a.n FROM few a JOIN few b USING (id))",
    "(SELECT * FROM few NATURAL JOIN (SELECT id, render(body) AS d FROM few))",
    "(SELECT a.* FROM few a LEFT SEMI JOIN few b ON render(a.body) = render(b.body))",
    "(SELECT a.* FROM few a LEFT ANTI JOIN few b ON render(a.body) = b.body)",
    "(SELECT a.* FROM few a CROSS JOIN (SELECT max(render(body)) AS m FROM few) b WHERE a.body <> b.m)",
    "(SELECT a.* FROM few a, few b WHERE length(render(a.body)) < length(render(b.body)) AND b.id < 3)",
    "(SELECT a.id, l.body, a.kind, a.n FROM few a CROSS JOIN LATERAL (SELECT render(b.body) AS body FROM few b WHERE b.id = a.id) l)",
    "(SELECT a.id, l.body, a.kind, a.n FROM few a LEFT JOIN LATERAL (SELECT max(render(b.body)) AS body FROM few b WHERE b.id < a.id) l ON true)",
    "(SELECT id, unnest([body, render(body)]) AS body, kind, n FROM few)",
    "(SELECT id, body, kind, n FROM (SELECT id, unnest(parse(body)), kind, n FROM few) AS p(id, title, body, error, kind, n))",
    "(WITH RECURSIVE r AS (SELECT 1 AS id UNION ALL SELECT id + 1 FROM r WHERE id < 5) SELECT f.* FROM few f JOIN r ON f.id = r.id)",
    "(WITH c AS (SELECT *, render(body) AS d FROM few) SELECT id, d AS body, kind, n FROM c WHERE d IN (SELECT d FROM c))",
    "(SELECT * FROM (VALUES (1, arrow_cast('page 1', 'LargeUtf8'), 'response', 1), (2, NULL, 'request', 0)) AS v(id, body, kind, n))",
    "rendered",
];

const CONDITIONS: &[&str] = &[
    "true",
    "render(body) <> 'PAGE 3' OR n = 1",
    "kind = 'response' AND length(render(body)) > 5",
    "render(body) BETWEEN 'PAGE 1' AND 'PAGE 5' AND NOT (n = 2)",
    "render(body) LIKE '%1%' OR render(body) IS NULL",
    "render(body) ~ '[2-4]' IS NOT TRUE",
    "render(body) IN ('PAGE 1', 'PAGE 2', kind)",
    "id IN (SELECT id FROM few WHERE render(body) LIKE '%1')",
    "render(body) IN (SELECT render(body) FROM few WHERE n = 1)",
    "render(body) NOT IN (SELECT render(body) FROM few WHERE n = 1 AND body IS NOT NULL)",
    "EXISTS (SELECT 1 FROM few o WHERE o.id = q.id AND render(o.body) <> '')",
    "NOT EXISTS (SELECT 1 FROM few o WHERE render(o.body) = render(q.body) AND o.n = 0)",
    "render(body) = (SELECT max(render(body)) FROM few)",
    "length(render(body)) <= (SELECT max(length(render(o.body))) FROM few o WHERE o.n = q.n)",
    "length(render(body)) >= ALL (SELECT length(render(body)) FROM few WHERE n = 7)",
    "CASE WHEN kind = 'response' THEN render(body) ELSE kind END <> 'request'",
    "array_has(array_transform([1, 2], x -> length(render(body)) + x), 8)",
];

/// Queries over a table, with a condition.
const QUERIES: &[&str] = &[
    "SELECT * FROM {t} AS q WHERE {c}",
    "SELECT * EXCLUDE (body), render(body) FROM {t} AS q WHERE {c}",
    "SELECT * REPLACE (render(body) AS body) FROM {t} AS q WHERE {c}",
    "SELECT id, render(body), parse(body)['title'], parse(body)['error'] FROM {t} AS q WHERE {c}",
    "SELECT q.id, render(q.body) AS d, length(d) FROM {t} AS q WHERE {c}",
    "SELECT render(parse(body)['body']), coalesce(kind, render(body)) FROM {t} AS q WHERE {c}",
    "SELECT id, CASE WHEN kind = 'response' THEN render(body) WHEN render(body) = '' THEN 'x' END FROM {t} AS q WHERE {c}",
    "SELECT id, (SELECT count(*) FROM few o WHERE render(o.body) = render(q.body)) AS n FROM {t} AS q WHERE {c}",
    "SELECT id, array_transform([kind], k -> concat(k, render(body))) FROM {t} AS q WHERE {c}",
    "SELECT id, unnest(parse(body)) FROM {t} AS q WHERE {c}",
    "SELECT id, unnest([render(body), kind]) FROM {t} AS q WHERE {c}",
    "SELECT id, {body: render(body), kind: kind} AS s FROM {t} AS q WHERE {c}",
    "SELECT id, render(body) FROM {t} AS q WHERE {c} ORDER BY render(body), id, kind LIMIT 5",
    "SELECT id FROM {t} AS q WHERE {c} ORDER BY length(render(body)) DESC NULLS LAST, id, body, kind OFFSET 2",
    "SELECT id, render(body) AS d FROM {t} AS q WHERE {c} ORDER BY ALL LIMIT 3",
    "SELECT DISTINCT render(body) FROM {t} AS q WHERE {c}",
    "SELECT DISTINCT n, render(body) AS d FROM {t} AS q WHERE {c} ORDER BY d, n LIMIT 4",
    "SELECT DISTINCT ON (n) n, render(body) FROM {t} AS q WHERE {c} ORDER BY n, id, render(body)",
    "SELECT DISTINCT ON (render(body)) id, kind FROM {t} AS q WHERE {c} ORDER BY render(body), id, kind",
    "SELECT DISTINCT ON (kind, length(render(body))) render(body), kind FROM {t} AS q WHERE {c} ORDER BY kind, length(render(body)), render(body)",
    "SELECT d FROM (SELECT DISTINCT ON (n) n, render(body) AS d FROM {t} AS q WHERE {c} ORDER BY n, id, render(body)) WHERE d <> ''",
    "SELECT count(*), max(render(body)), count(DISTINCT render(body)) FROM {t} AS q WHERE {c}",
    "SELECT count(render(body)) FILTER (WHERE render(body) > 'PAGE 2') FROM {t} AS q WHERE {c}",
    "SELECT string_agg(render(body), ',' ORDER BY render(body), id) FROM {t} AS q WHERE {c}",
    "SELECT first_value(render(body) ORDER BY render(body), id), approx_distinct(render(body)) FROM {t} AS q WHERE {c}",
    "SELECT n, max(render(body)) FROM {t} AS q WHERE {c} GROUP BY n",
    "SELECT render(body), count(*) FROM {t} AS q WHERE {c} GROUP BY render(body)",
    "SELECT length(render(body)) AS l, count(*) FROM {t} AS q WHERE {c} GROUP BY l HAVING max(render(body)) <> ''",
    "SELECT render(body) AS d, kind, count(*) FROM {t} AS q WHERE {c} GROUP BY ALL",
    "SELECT render(max(body)), n FROM {t} AS q WHERE {c} GROUP BY n ORDER BY render(max(body)), n",
    "SELECT render(body), kind, count(*) FROM {t} AS q WHERE {c} GROUP BY ROLLUP (render(body), kind)",
    "SELECT render(body), kind, max(render(body)) FROM {t} AS q WHERE {c} GROUP BY CUBE (render(body), kind)",
    "SELECT n, render(body), grouping(render(body)), count(*) FROM {t} AS q WHERE {c} GROUP BY GROUPING SETS ((n), (render(body)), (n, render(body)), ())",
    "SELECT n, length(render(body)), count(*) FROM {t} AS q WHERE {c} GROUP BY n, ROLLUP (length(render(body)))",
    "SELECT n, max(parse(body)['title']) FROM {t} AS q WHERE {c} GROUP BY ROLLUP (n) HAVING count(render(body)) > 0",
    "SELECT kind, render(kind), count(*) FROM (SELECT arrow_cast(kind, 'LargeUtf8') AS kind, body FROM {t} AS q WHERE {c}) GROUP BY CUBE (kind, render(kind))",
    "SELECT id, rank() OVER (PARTITION BY n ORDER BY render(body)) FROM {t} AS q WHERE {c}",
    "SELECT id, max(render(body)) OVER w, count(*) OVER (PARTITION BY render(body)) FROM {t} AS q WHERE {c} WINDOW w AS (PARTITION BY kind)",
    "SELECT id, lag(render(body), 1, 'none') OVER (ORDER BY id, render(body)) FROM {t} AS q WHERE {c}",
    "SELECT id, count(*) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM {t} AS q WHERE {c} ORDER BY render(body), id",
    "SELECT count(*) FROM (SELECT row_number() OVER () AS r, render(body) FROM {t} AS q WHERE {c})",
    "SELECT n, render(body) FROM {t} AS q WHERE {c} QUALIFY rank() OVER (PARTITION BY n ORDER BY render(body)) = 1",
    "SELECT n, sum(count(*)) OVER (ORDER BY n), max(render(body)) FROM {t} AS q WHERE {c} GROUP BY n",
    "SELECT render(body) FROM {t} AS q WHERE {c} UNION ALL SELECT kind FROM few",
    "SELECT render(body) FROM {t} AS q WHERE {c} UNION SELECT render(body) FROM few",
    "SELECT render(body) FROM {t} AS q WHERE {c} INTERSECT SELECT render(body) FROM few",
    "SELECT id, render(body) FROM {t} AS q WHERE {c} EXCEPT SELECT id, render(body) FROM few WHERE n = 1",
    "WITH x AS (SELECT *, render(body) AS d FROM {t} AS q WHERE {c}) SELECT a.d, b.d FROM x a JOIN x b ON a.d = b.d",
    "SELECT q.id, o.id FROM (SELECT * FROM {t} AS q WHERE {c}) AS q LEFT JOIN few AS o ON render(q.body) = render(o.body) AND length(render(o.body)) > 2",
    "SELECT q.id, l.r FROM (SELECT * FROM {t} AS q WHERE {c}) AS q, LATERAL (SELECT render(o.body) AS r FROM few o WHERE o.n = q.n) AS l",
    "FROM {t} AS q SELECT render(body) WHERE {c}",
    "SELECT id FROM (SELECT id, render(body) AS d, parse(body) AS p FROM {t} AS q WHERE {c})",
    "SELECT count(*) FROM (SELECT render(body) AS d FROM {t} AS q WHERE {c})",
];

/// Fails where [`EvaluateOnce`] leaves a plan unchanged.
#[derive(Debug)]
struct Strict;

impl OptimizerRule for Strict {
    fn name(&self) -> &str {
        "evaluate_once"
    }

    fn rewrite(
        &self,
        plan: LogicalPlan,
        config: &dyn OptimizerConfig,
    ) -> Result<Transformed<LogicalPlan>> {
        if has_calls(&plan)? {
            extract_calls(plan, config).map(Transformed::yes)
        } else {
            Ok(Transformed::no(plan))
        }
    }
}

/// Returns a session without our plan rules, and one with all of them.
async fn sessions() -> (SessionContext, SessionContext) {
    let context = context().await;
    let parsed = DataType::Struct(fields());
    context.register_udf(function("parse", parsed, parse).costly().into());
    context.register_udf(
        function("render", DataType::LargeUtf8, render)
            .costly()
            .into(),
    );
    for sql in [
        "CREATE TABLE few AS SELECT id, CASE WHEN id % 7 > 0 THEN body END AS body, kind, id % 3 AS n \
         FROM pages WHERE id <= 20",
        "CREATE VIEW rendered AS SELECT id, render(body) AS body, kind, n, parse(body) AS p FROM few",
    ] {
        rows(&context, sql).await.unwrap();
    }
    let mut strict = context.state().optimizer().rules.clone();
    for rule in &mut strict {
        if rule.name() == EvaluateOnce.name() {
            *rule = Arc::new(Strict);
        }
    }
    let with = SessionStateBuilder::new_from_existing(context.state())
        .with_optimizer_rules(strict)
        .build();
    let without = SessionStateBuilder::new_from_existing(context.state())
        .with_optimizer_rules(Optimizer::new().rules)
        .with_physical_optimizer_rules(PhysicalOptimizer::new().rules)
        .build();
    (
        SessionContext::new_with_state(without),
        SessionContext::new_with_state(with),
    )
}

/// Combines each query with every second table, and with as many conditions.
fn statements() -> Vec<String> {
    let mut statements = Vec::new();
    for (number, query) in QUERIES.iter().enumerate() {
        for (place, table) in TABLES.iter().enumerate().skip(number % 2).step_by(2) {
            let condition = CONDITIONS[(number + place) % CONDITIONS.len()];
            statements.push(query.replace("{t}", table).replace("{c}", condition));
        }
    }
    statements
}

#[tokio::test(flavor = "multi_thread")]
async fn every_clause_gives_the_same_rows_with_and_without_the_rules() {
    let (without, with) = sessions().await;
    let statements = statements();
    let mut unsupported = 0;
    let mut wrong = Vec::new();
    for sql in &statements {
        let Ok(expected) = rows(&without, sql).await else {
            unsupported += 1;
            continue;
        };
        match rows(&with, sql).await {
            Ok(found) if found == expected => {}
            Ok(found) => wrong.push(format!("{sql}\n  {found:?}\n  instead of {expected:?}")),
            Err(error) => wrong.push(format!("{sql}\n  {error}")),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        statements.len(),
        wrong.join("\n")
    );
    // DataFusion cannot decorrelate some subqueries.
    assert!(
        unsupported < statements.len() / 8,
        "{unsupported} of {} fail without the rules",
        statements.len()
    );
}
