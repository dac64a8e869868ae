//! The table function `search('idx/', 'query' [, limit] [, option => value, …])`, which returns
//! hits, the best first.
//!
//! Its columns are the ids, the other columns that are stored, `score` and `snippet`. The query may
//! be a column of another table: `FROM queries AS q, LATERAL search('idx/', q.text, 10)`.
//!
//! ```text
//! mod      the function and its arguments
//! options  its options
//! open     indexes in local folders and in object stores
//! table    the table of one query
//! per_row  the table of a query per row
//! rows     hits as batches
//! ```

mod open;
mod options;
mod per_row;
mod rows;
mod table;

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl};
use datafusion::common::{
    DataFusionError, Result, ScalarValue, exec_datafusion_err, plan_datafusion_err, plan_err,
};
use datafusion::datasource::TableProvider;
use datafusion::logical_expr::Expr;

pub use self::options::OPTIONS;
use self::options::{search_options, verify};
use self::per_row::SearchPerRow;
use self::table::SearchTable;
use super::table::arguments::{TableFunctionHelp, options, text, text_list};
use crate::object_stores::{StoreOptions, take_store_options};
use crate::options::{Options, help_of, unknown_option};
use crate::planner::lateral::LateralProvider;
use corpus_search::{Search, SearchError, SearchOptions, Verify};

/// The name of the function.
pub const NAME: &str = "search";

/// The names of the arguments before the options.
pub const PARAMETERS: [&str; 3] = ["index", "query", "limit"];

/// The documentation of the function.
pub fn help() -> TableFunctionHelp {
    TableFunctionHelp {
        name: NAME.to_owned(),
        syntax: format!("{NAME}(index, query [, limit] [, option => value] …)"),
        description: format!(
            "The hits of a full-text search, the best first: the columns stored in the index, \
             score and snippet. The query may be a column of a table before it in FROM. \
             COPY … STORED AS SEARCH_INDEX makes an index.{}",
            help_of(OPTIONS)
        ),
    }
}

#[derive(Debug)]
pub struct SearchFunction;

impl TableFunctionImpl for SearchFunction {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let usage = || {
            plan_datafusion_err!(
                "{NAME}('index', 'query', limit, option => value, …) takes the folder of an \
                 index (or an array of them), a query, the number of hits if not all of them are \
                 wanted, then options; all of them constants, except that the \
                 query may be a column"
            )
        };
        let [location, query, rest @ ..] = args.exprs() else {
            return Err(usage());
        };
        let locations = text_list(location).ok_or_else(usage)?;
        let (limit, pairs) = match rest {
            [first, ..] if text(first).is_some() && !rest.len().is_multiple_of(2) => {
                return plan_err!(
                    "the argument 'limit' of {NAME} is a number of hits, not {first}"
                );
            }
            [first, others @ ..] if text(first).is_none() => {
                (limit(first).ok_or_else(usage)?, others)
            }
            pairs => (None, pairs),
        };
        let mut given: HashMap<String, String> = options(NAME, pairs)?.into_iter().collect();
        let store_options = take_store_options(&mut given)?;
        for name in given.keys() {
            let known: Vec<&str> = OPTIONS.iter().map(|option| option.name).collect();
            if !known.contains(&name.as_str()) {
                return Err(unknown_option(
                    NAME,
                    name,
                    &[&PARAMETERS, known.as_slice()].concat(),
                ));
            }
        }
        let given = Options::check(NAME, OPTIONS, &given)?;
        let indexes = Indexes {
            locations,
            store_options,
            verify: verify(&given),
        };
        let options = search_options(limit, &given);
        let session = args.session();
        if query.contains_outer() {
            return Ok(Arc::new(LateralProvider {
                table: Arc::new(SearchPerRow::open(indexes, options, session)?),
                argument: query.clone(),
            }));
        }
        let query = match query {
            Expr::Literal(value, _) if value.is_null() => None,
            query => Some(text(query).ok_or_else(usage)?),
        };
        Ok(Arc::new(SearchTable::open(
            indexes, query, options, session,
        )?))
    }
}

/// The indexes of a call.
#[derive(Debug, Clone)]
struct Indexes {
    locations: Vec<String>,
    store_options: StoreOptions,
    verify: Verify,
}

impl Indexes {
    /// The error for an index whose columns have changed since its table was opened.
    fn changed(&self) -> DataFusionError {
        plan_datafusion_err!(
            "the columns of the index at '{}' have changed: create the view or the prepared \
             statement again",
            self.locations.join("', '")
        )
    }
}

pub fn plan_error(error: SearchError) -> DataFusionError {
    plan_datafusion_err!("{error}")
}

pub fn exec_error(error: SearchError) -> DataFusionError {
    exec_datafusion_err!("{error}")
}

/// Parses a limit: a number, or NULL for all hits. `None` for anything else.
fn limit(expr: &Expr) -> Option<Option<usize>> {
    match expr {
        Expr::Literal(value, _) if value.is_null() => Some(None),
        Expr::Literal(ScalarValue::Int64(Some(limit)), _) => usize::try_from(*limit).ok().map(Some),
        Expr::Literal(ScalarValue::UInt64(Some(limit)), _) => {
            usize::try_from(*limit).ok().map(Some)
        }
        _ => None,
    }
}
