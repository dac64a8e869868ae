//! Forms of `INSERT` that other engines have, refused with advice.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::tokenizer::Token;

use super::words::Words;

pub fn check(words: &Words<'_>) -> Result<()> {
    if words.is(1, "OVERWRITE") {
        return plan_err!(
            "INSERT OVERWRITE is not supported: write COPY (SELECT …) TO 'folder/' (FORMAT parquet, OVERWRITE), or \
             CREATE OR REPLACE TABLE t AS SELECT …"
        );
    }
    let into = if words.is(1, "INTO") { 2 } else { 1 };
    if let Token::SingleQuotedString(file) = words.token(into) {
        return plan_err!(
            "rows cannot be inserted into a file: write COPY (SELECT …) TO '{file}', or add files to a \
             folder with COPY (SELECT …) TO 'folder/' OPTIONS (mode 'append')"
        );
    }
    if words.is(1, "OR") || words.find("CONFLICT").is_some() {
        return plan_err!(
            "INSERT does not change rows that conflict: write INSERT INTO t SELECT … FROM u ANTI JOIN t USING \
             (key), and UPDATE t SET … FROM u WHERE t.key = u.key for the others"
        );
    }
    if words.find("RETURNING").is_some() {
        let table = words.text(into, into + 1);
        return plan_err!(
            "INSERT … RETURNING is not supported: leave RETURNING out, and query {table} after it"
        );
    }
    Ok(())
}
