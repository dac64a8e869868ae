//! `LIKE`, `SIMILAR TO` and regex operators on bytes: they match the bytes decoded as UTF-8.
//!
//! DataFusion would cast such operands to text, which fails at the first invalid sequence.

use std::sync::{Arc, LazyLock};

use corpus_udfs::bytes::lossy::Utf8Lossy;
use corpus_udfs::bytes::{strpos, substr};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, ExprSchema, Result};
use datafusion::logical_expr::expr::{Like, ScalarFunction};
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{
    BinaryExpr, DdlStatement, Expr, ExprSchemable, LogicalPlan, Operator, ScalarUDF,
};
use datafusion::optimizer::AnalyzerRule;
use datafusion::sql::sqlparser::ast::BinaryOperator;

use super::node::rewrite_plan;

static UTF8_LOSSY: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(Utf8Lossy::default().into()));

/// Wraps a binary operand. Returns other operands unchanged.
///
/// `CREATE VIEW` coerces types before the rule runs, so the operand may already be a cast.
fn as_text(operand: Expr, schema: &dyn ExprSchema) -> Transformed<Expr> {
    // The rules that follow report an operand without a type.
    let is_binary = |operand: &Expr| {
        let data_type = operand.get_type(schema);
        data_type.is_ok_and(|data_type| data_type.is_binary())
    };
    let operand = match operand {
        Expr::Cast(cast) if is_binary(&cast.expr) && !is_binary(&Expr::Cast(cast.clone())) => {
            *cast.expr
        }
        operand if is_binary(&operand) => operand,
        operand => return Transformed::no(operand),
    };
    let call = ScalarFunction::new_udf(Arc::clone(&UTF8_LOSSY), vec![operand]);
    Transformed::yes(Expr::ScalarFunction(call))
}

/// The analyzer rule for `LIKE` and `SIMILAR TO`, and for regex operators of the DataFrame API.
#[derive(Debug)]
pub struct BytesAsText;

impl AnalyzerRule for BytesAsText {
    fn name(&self) -> &str {
        "bytes_as_text"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        rewrite_plan(plan, is_pattern, rewrite_expr)
    }
}

/// Converts the patterns of a `CREATE VIEW`, which coerces types without running the analyzer's
/// other rules.
pub fn before_view(plan: LogicalPlan, config: &ConfigOptions) -> Result<LogicalPlan> {
    let LogicalPlan::Ddl(DdlStatement::CreateView(mut view)) = plan else {
        return Ok(plan);
    };
    let input = BytesAsText.analyze(Arc::unwrap_or_clone(view.input), config)?;
    view.input = Arc::new(input);
    Ok(LogicalPlan::Ddl(DdlStatement::CreateView(view)))
}

fn is_pattern(expr: &Expr) -> bool {
    match expr {
        Expr::Like(_) | Expr::SimilarTo(_) => true,
        Expr::BinaryExpr(binary) => is_pattern_operator(binary.op),
        _ => false,
    }
}

fn is_pattern_operator(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::RegexMatch
            | Operator::RegexIMatch
            | Operator::RegexNotMatch
            | Operator::RegexNotIMatch
            | Operator::LikeMatch
            | Operator::ILikeMatch
            | Operator::NotLikeMatch
            | Operator::NotILikeMatch
    )
}

fn rewrite_expr(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let both = |left: Box<Expr>, right: Box<Expr>| {
        let (left, right) = (as_text(*left, schema), as_text(*right, schema));
        let is_changed = left.transformed || right.transformed;
        (Box::new(left.data), Box::new(right.data), is_changed)
    };
    let like = |like: Like| {
        let (expr, pattern, is_changed) = both(like.expr, like.pattern);
        (
            Like {
                expr,
                pattern,
                ..like
            },
            is_changed,
        )
    };
    let (expr, is_changed) = match expr {
        Expr::Like(operands) => {
            let (operands, is_changed) = like(operands);
            (Expr::Like(operands), is_changed)
        }
        Expr::SimilarTo(operands) => {
            let (operands, is_changed) = like(operands);
            (Expr::SimilarTo(operands), is_changed)
        }
        Expr::BinaryExpr(binary) if is_pattern_operator(binary.op) => {
            let (left, right, is_changed) = both(binary.left, binary.right);
            let op = binary.op;
            (Expr::BinaryExpr(BinaryExpr { left, op, right }), is_changed)
        }
        other => (other, false),
    };
    Ok(Transformed::new_transformed(expr, is_changed))
}

/// Decodes the operands of operators whose types SQL resolves while parsing: regex operators,
/// `SUBSTRING(… FROM …)` and `POSITION(… IN …)`.
#[derive(Debug)]
pub struct BytesPlanner;

impl ExprPlanner for BytesPlanner {
    fn plan_binary_op(
        &self,
        mut expr: RawBinaryExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawBinaryExpr>> {
        let is_pattern = matches!(
            expr.op,
            BinaryOperator::PGRegexMatch
                | BinaryOperator::PGRegexIMatch
                | BinaryOperator::PGRegexNotMatch
                | BinaryOperator::PGRegexNotIMatch
                | BinaryOperator::PGLikeMatch
                | BinaryOperator::PGILikeMatch
                | BinaryOperator::PGNotLikeMatch
                | BinaryOperator::PGNotILikeMatch
        );
        if is_pattern {
            expr.left = as_text(expr.left, schema).data;
            expr.right = as_text(expr.right, schema).data;
        }
        Ok(PlannerResult::Original(expr))
    }

    fn plan_substring(&self, args: Vec<Expr>) -> Result<PlannerResult<Vec<Expr>>> {
        Ok(call(substr(), args))
    }

    fn plan_position(&self, args: Vec<Expr>) -> Result<PlannerResult<Vec<Expr>>> {
        Ok(call(strpos(), args))
    }
}

fn call(function: Arc<ScalarUDF>, args: Vec<Expr>) -> PlannerResult<Vec<Expr>> {
    PlannerResult::Planned(Expr::ScalarFunction(ScalarFunction::new_udf(
        function, args,
    )))
}
