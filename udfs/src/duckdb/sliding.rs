//! Sums and averages of floating-point numbers in a window frame. DataFusion subtracts the numbers
//! that leave the frame: after one NaN all sums are NaN, and a large number swallows small ones.

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, FieldRef, Float64Type};
use datafusion::common::{Result, ScalarValue, not_impl_err};
use datafusion::functions_aggregate::average::avg_udaf;
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{Accumulator, AggregateUDF};

use super::adjusted::Adjusted;

/// Whether an aggregate adds floating-point numbers.
pub fn adds_floats(args: &AccumulatorArgs) -> bool {
    let adds = |field: &FieldRef| *field.data_type() == DataType::Float64;
    !args.is_distinct && adds(&args.return_field) && args.expr_fields.iter().all(adds)
}

/// The numbers of a frame, from the last one that entered.
#[derive(Debug, Default)]
struct Frame {
    /// The numbers that entered since `leaving` was empty, and their sum.
    entered: Vec<Option<f64>>,
    entered_sum: f64,
    entered_count: u64,
    /// For each earlier number, the last one first: the sum and the count of it and those after it.
    leaving: Vec<(f64, u64)>,
}

impl Frame {
    fn enter(&mut self, number: Option<f64>) {
        self.entered.push(number);
        if let Some(number) = number {
            self.entered_sum += number;
            self.entered_count += 1;
        }
    }

    fn leave(&mut self) {
        if self.leaving.is_empty() {
            let (mut sum, mut count) = (0.0, 0);
            for number in std::mem::take(&mut self.entered).into_iter().rev() {
                sum += number.unwrap_or_default();
                count += u64::from(number.is_some());
                self.leaving.push((sum, count));
            }
            (self.entered_sum, self.entered_count) = (0.0, 0);
        }
        self.leaving.pop();
    }

    /// The sum and the count of the numbers.
    fn total(&self) -> (f64, u64) {
        let (sum, count) = self.leaving.last().copied().unwrap_or_default();
        (sum + self.entered_sum, count + self.entered_count)
    }
}

/// Computes the sum or the average of a frame.
#[derive(Debug)]
pub struct Sliding {
    frame: Frame,
    result: fn(f64, u64) -> f64,
}

impl Sliding {
    pub fn sum() -> Self {
        Self::new(|sum, _| sum)
    }

    fn average() -> Self {
        Self::new(|sum, count| sum / count as f64)
    }

    fn new(result: fn(f64, u64) -> f64) -> Self {
        let frame = Frame::default();
        Self { frame, result }
    }
}

impl Accumulator for Sliding {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let numbers = values[0].as_primitive::<Float64Type>();
        numbers.iter().for_each(|number| self.frame.enter(number));
        Ok(())
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        // The first numbers that entered leave first.
        (0..values[0].len()).for_each(|_| self.frame.leave());
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let (sum, count) = self.frame.total();
        let result = (count > 0).then(|| (self.result)(sum, count));
        Ok(ScalarValue::Float64(result))
    }

    fn size(&self) -> usize {
        let (entered, leaving) = (&self.frame.entered, &self.frame.leaving);
        size_of_val(self)
            + entered.capacity() * size_of::<Option<f64>>()
            + leaving.capacity() * size_of::<(f64, u64)>()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        not_impl_err!("the sum of a window frame has no parts")
    }

    fn merge_batch(&mut self, _states: &[ArrayRef]) -> Result<()> {
        not_impl_err!("the sum of a window frame has no parts")
    }
}

/// `avg` that keeps the numbers of its frame.
pub fn average() -> AggregateUDF {
    let sliding = |args: &AccumulatorArgs| -> Option<Box<dyn Accumulator>> {
        adds_floats(args).then(|| Box::new(Sliding::average()) as Box<dyn Accumulator>)
    };
    Adjusted::new(avg_udaf()).with_sliding(sliding).into()
}
