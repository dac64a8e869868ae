//! `lead(x, 2 IGNORE NULLS)` over whole partitions. DataFusion computes it batch by batch, and
//! returns NULL where the value is in the next batch.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::FieldRef;
use datafusion::common::{Result, ScalarValue};
use datafusion::functions_window::lead_lag::{lag_udwf, lead_udwf};
use datafusion::logical_expr::function::{
    ExpressionArgs, PartitionEvaluatorArgs, WindowUDFFieldArgs,
};
use datafusion::logical_expr::{
    Documentation, LimitEffect, PartitionEvaluator, ReversedUDWF, Signature, WindowUDF,
    WindowUDFImpl,
};
use datafusion::physical_expr::PhysicalExpr;

use super::as_inner::named_as_inner;

/// `lead`, or `lag`, which looks ahead where rows come in reversed order.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Shift {
    inner: Arc<WindowUDF>,
    is_lead: bool,
}

/// `lead` and `lag`.
pub fn functions() -> [WindowUDF; 2] {
    [shift(true), shift(false)]
}

fn shift(is_lead: bool) -> WindowUDF {
    let inner = if is_lead { lead_udwf() } else { lag_udwf() };
    WindowUDF::from(Shift { inner, is_lead })
}

impl WindowUDFImpl for Shift {
    named_as_inner!();

    fn expressions(&self, args: ExpressionArgs) -> Vec<Arc<dyn PhysicalExpr>> {
        self.inner.expressions(args)
    }

    fn partition_evaluator(
        &self,
        args: PartitionEvaluatorArgs,
    ) -> Result<Box<dyn PartitionEvaluator>> {
        let looks_ahead = self.is_lead != args.is_reversed();
        let needs_partition = args.ignore_nulls() && looks_ahead;
        let inner = self.inner.partition_evaluator_factory(args)?;
        Ok(if needs_partition {
            Box::new(OverPartition(inner))
        } else {
            inner
        })
    }

    fn field(&self, args: WindowUDFFieldArgs) -> Result<FieldRef> {
        self.inner.field(args)
    }

    fn reverse_expr(&self) -> ReversedUDWF {
        ReversedUDWF::Reversed(Arc::new(shift(self.is_lead)))
    }

    fn limit_effect(&self, args: &[Arc<dyn PhysicalExpr>]) -> LimitEffect {
        self.inner.inner().limit_effect(args)
    }
}

/// Evaluates whole partitions only.
#[derive(Debug)]
struct OverPartition(Box<dyn PartitionEvaluator>);

impl PartitionEvaluator for OverPartition {
    fn evaluate_all(&mut self, values: &[ArrayRef], num_rows: usize) -> Result<ArrayRef> {
        self.0.evaluate_all(values, num_rows)
    }

    fn evaluate(&mut self, values: &[ArrayRef], range: &Range<usize>) -> Result<ScalarValue> {
        self.0.evaluate(values, range)
    }

    fn supports_bounded_execution(&self) -> bool {
        false
    }
}
