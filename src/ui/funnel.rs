//! The funnel of a job that cleans documents: its stages, samples of what they removed, and the
//! values that a rule measured.

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::filter_rules::Rule;
use super::folder::{REMOVED_FILE, typed};
use super::messages::{Answer, Json, Problem, QueryParams};
use super::viewer::{Row, object, removed, rows};
use super::{App, Shared};
use crate::sql::syntax::literal;

/// The number of samples of a stage.
const STAGE_SAMPLES: usize = 5;

/// The maximum number of documents with a value, of those kept and of those removed.
const RULE_SAMPLES: usize = 100;

/// The number of characters of a sample.
const SAMPLE_CHARS: usize = 2000;

/// Returns the stages of the job whose output is in a folder, and samples of each.
pub async fn funnel(State(app): Shared, query: QueryParams) -> Answer {
    let folder = query.required("folder")?;
    let removed = location(&app, folder, REMOVED_FILE)?;
    let stages = match location(&app, folder, "summary.parquet") {
        Ok(summary) => stages(&app, &summary).await?,
        Err(_) => Vec::new(),
    };
    let mut samples = samples(&app, &removed).await?;
    if let Ok(documents) = location(&app, folder, "documents.parquet") {
        add_kept(&app, &documents, &mut samples).await?;
    }
    Ok(Json(json!({"stages": stages, "samples": samples})))
}

/// A file or folder of a job in SQL, if it is there.
fn location(app: &App, folder: &str, name: &str) -> Result<String, Problem> {
    let path = format!("{folder}/{name}");
    let path = path.trim_start_matches('/');
    app.folder.resolve(path)?;
    Ok(literal(&app.folder.name_in_sql(path)))
}

async fn stages(app: &App, summary: &str) -> Result<Vec<Value>, Problem> {
    let batch = rows(app, format!("SELECT * FROM {summary} LIMIT 1000"), None).await?;
    let mut stages: Vec<_> = Row::each(&batch)
        .map(|row| {
            let number = |names: &[&str]| row.number(names).unwrap_or(0);
            let rules = row.text(&["rules"]).unwrap_or_default();
            let rules = rules.split(", ").filter_map(|rule| {
                let (name, documents) = rule.rsplit_once(' ')?;
                Some(json!({"rule": name, "documents": documents.parse::<u64>().ok()?}))
            });
            let stage = json!({
                "stage": row.text(&["stage"]).unwrap_or_else(|| "removed".to_owned()),
                "documents_in": number(&["documents_in", "pages_in"]),
                "documents_out": number(&["documents_out", "pages_out"]),
                "characters_in": number(&["characters_in"]),
                "characters_out": number(&["characters_out"]),
                "rules": rules.collect::<Vec<_>>(),
            });
            (number(&["number"]), stage)
        })
        .collect();
    stages.sort_by_key(|(number, _)| *number);
    Ok(stages.into_iter().map(|(_, stage)| stage).collect())
}

async fn samples(app: &App, file: &str) -> Result<Vec<Value>, Problem> {
    let columns = columns(app, file).await?;
    let texts = texts(&columns);
    if texts.is_empty() || !columns.has("url") {
        return Err(Problem::wrong(format!(
            "{file} is not a file of removed documents"
        )));
    }
    let stage = if columns.has("stage") {
        "stage"
    } else {
        "'removed'"
    };
    let rules = Rule::all();
    let mut others: Vec<&str> = rules.iter().flat_map(Rule::columns).collect();
    others.extend(["rules", "limits", "kept_url", "similarity"]);
    others.retain(|name| columns.has(name) && !texts.contains(name));
    others.sort_unstable();
    others.dedup();
    let others: String = others.iter().map(|name| format!(", {name}")).collect();
    let sql = format!(
        "SELECT * FROM (SELECT {stage} AS stage, url, left(coalesce({}), {SAMPLE_CHARS}) AS text\
         {others}, row_number() OVER (PARTITION BY {stage} ORDER BY md5(CAST(url AS text))) AS n \
         FROM {file}) WHERE n <= {STAGE_SAMPLES} ORDER BY stage, n",
        texts.join(", "),
    );
    let batch = rows(app, sql, None).await?;
    let samples = Row::each(&batch).map(|row| {
        let mut sample = removed::document(&row);
        let (stage, url) = (row.text(&["stage"]), row.text(&["url"]));
        let condition = url.as_deref().map_or_else(
            || "url IS NULL".to_owned(),
            |url| format!("url = {}", literal(url)),
        );
        let of_stage = match (columns.has("stage"), &stage) {
            (true, Some(stage)) => format!(" AND stage = {}", literal(stage)),
            _ => String::new(),
        };
        sample["sql"] = json!(typed(&format!(
            "SELECT * FROM {file} WHERE {condition}{of_stage}"
        )));
        sample
    });
    Ok(samples.collect())
}

/// A row without values, which has the columns of a file.
async fn columns(app: &App, file: &str) -> Result<Row, Problem> {
    let none = rows(app, format!("SELECT * FROM {file} LIMIT 0"), None);
    none.await.map(Row)
}

/// The columns with texts.
fn texts(columns: &Row) -> Vec<&'static str> {
    let texts = removed::TEXTS.into_iter();
    texts.filter(|name| columns.has(name)).collect()
}

/// Adds the texts of the documents that were kept in place of others.
async fn add_kept(app: &App, documents: &str, samples: &mut [Value]) -> Result<(), Problem> {
    let urls = samples
        .iter()
        .filter_map(|sample| sample["kept"]["url"].as_str());
    let urls: Vec<_> = urls.map(literal).collect();
    let texts = texts(&columns(app, documents).await?);
    if urls.is_empty() || texts.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "SELECT CAST(url AS text) AS url, left(coalesce({}), {SAMPLE_CHARS}) AS text \
         FROM {documents} WHERE CAST(url AS text) IN ({})",
        texts.join(", "),
        urls.join(", ")
    );
    let batch = rows(app, sql, None).await?;
    for row in Row::each(&batch) {
        let (url, text) = (row.json("url"), row.json("text"));
        let of_url = samples
            .iter_mut()
            .filter(|sample| sample["kept"]["url"] == url);
        for sample in of_url {
            sample["kept"]["text"] = text.clone();
        }
    }
    Ok(())
}

/// Returns a sample of the documents that the `rule` of a `stage` measured, with their values. If
/// the job's folder `stages` is there, it has documents that were kept, too.
pub async fn threshold(State(app): Shared, measured: QueryParams) -> Answer {
    let rules = Rule::all();
    let name = measured.required("rule")?;
    let rule = rules.iter().find(|rule| rule.name == name);
    let rule = rule.ok_or_else(|| {
        let text = format!("the rule '{name}' has no threshold");
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, text)
    })?;
    let folder = measured.required("folder")?;
    let removed = location(&app, folder, REMOVED_FILE)?;
    let limit = limit(&app, &removed, &rule.name).await?;
    let measure = rule.measure();
    let select = format!(
        "SELECT CAST(url AS text) AS title, CAST({measure} AS double) AS value, \
         left(document, {SAMPLE_CHARS}) AS text"
    );
    let order = format!("ORDER BY md5(CAST(url AS text)) LIMIT {RULE_SAMPLES}");
    let mut sql = format!(
        "({select} FROM {removed} WHERE stage = {} AND {measure} IS NOT NULL {order})",
        literal(measured.required("stage")?)
    );
    if let Ok(stages) = location(&app, folder, "stages/") {
        sql.push_str(&format!(
            " UNION ALL ({select} FROM {stages} WHERE stage IS NULL AND {measure} IS NOT NULL \
             {order})"
        ));
    }
    let batch = rows(&app, sql, None).await?;
    let samples = Row::each(&batch).map(|row| object(&row.0));
    Ok(Json(json!({
        "rule": rule.name,
        "threshold": limit.unwrap_or(rule.default),
        "is_default": limit.is_none(),
        "keep": rule.keep(),
        "samples": samples.map(Value::Object).collect::<Vec<_>>(),
    })))
}

/// The threshold of a rule in the run that wrote a file, if that has it.
async fn limit(app: &App, removed: &str, rule: &str) -> Result<Option<f64>, Problem> {
    if !columns(app, removed).await?.has("limits") {
        return Ok(None);
    }
    let rule = literal(rule);
    let sql = format!(
        "SELECT max(limits[CAST(array_position(rules, {rule}) AS bigint)]) AS \"limit\" \
         FROM {removed} WHERE array_has(rules, {rule})"
    );
    let found = rows(app, sql, None).await?;
    Ok(Row(found).json("limit").as_f64())
}
