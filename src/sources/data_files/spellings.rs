//! Columns whose names differ in case between files: `ID` in one export and `id` in the next. They
//! are one column, spelled as in the first file.
//!
//! Keys of JSON keep their case, because a record may have both.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use datafusion::arrow::datatypes::{FieldRef, Fields, Schema, SchemaRef};
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TransformedResult};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr_adapter::{
    DefaultPhysicalExprAdapterFactory, PhysicalExprAdapter, PhysicalExprAdapterFactory,
};

use crate::tree_walk::TreeWalk;

/// Returns the place of a column among those of others: the one with its name, or one whose name
/// differs in case and that the columns next to it, `own`, do not have.
pub fn place_of<'a>(
    name: &str,
    others: impl Iterator<Item = &'a str> + Clone,
    own: impl Fn(&str) -> bool,
) -> Option<usize> {
    let exact = others.clone().position(|other| other == name);
    exact.or_else(|| {
        let mut others = others;
        others.position(|other| other.eq_ignore_ascii_case(name) && !own(other))
    })
}

/// Spells the names of fields like known ones, of which the first counts.
pub fn respelled(fields: &Fields, known: impl IntoIterator<Item = FieldRef>) -> Fields {
    let known: Fields = known.into_iter().collect();
    let respelled = fields.iter().map(|field| {
        let place = place_in(field.name(), &known, fields);
        let name = place.map_or(field.name(), |place| known[place].name());
        Arc::new(field.as_ref().clone().with_name(name))
    });
    respelled.collect()
}

fn place_in(name: &str, others: &Fields, own: &Fields) -> Option<usize> {
    place_of(name, names(others), |other| own.find(other).is_some())
}

/// Whether names of columns differ in case only.
pub fn differ_in_case(columns: &Schema) -> bool {
    let mut lower: Vec<String> = names(columns.fields())
        .map(str::to_ascii_lowercase)
        .collect();
    lower.sort_unstable();
    lower.windows(2).any(|pair| pair[0] == pair[1])
}

fn names(fields: &Fields) -> impl Iterator<Item = &str> + Clone {
    fields.iter().map(|field| field.name().as_str())
}

/// Finds the columns of a table in Parquet files that spell them in another way.
#[derive(Debug)]
pub struct AnySpelling;

impl PhysicalExprAdapterFactory for AnySpelling {
    fn create(
        &self,
        of_table: SchemaRef,
        of_file: SchemaRef,
    ) -> Result<Arc<dyn PhysicalExprAdapter>> {
        let (table, file) = (of_table.fields(), of_file.fields());
        let in_file: HashSet<&str> = names(file).collect();
        if names(table).all(|name| in_file.contains(name)) {
            return DefaultPhysicalExprAdapterFactory.create(of_table, of_file);
        }
        let in_table: HashSet<&str> = names(table).collect();
        let mut others = HashMap::new();
        for name in names(file).filter(|name| !in_table.contains(name)) {
            others.entry(name.to_ascii_lowercase()).or_insert(name);
        }
        let mut renamed = Vec::new();
        let fields = table.iter().map(|field| {
            let name = field.name();
            if in_file.contains(name.as_str()) {
                return Arc::clone(field);
            }
            let Some(other) = others.remove(&name.to_ascii_lowercase()) else {
                return Arc::clone(field);
            };
            renamed.push((name.clone(), other.to_owned()));
            Arc::new(field.as_ref().clone().with_name(other))
        });
        let fields: Fields = fields.collect();
        let schema = Schema::new_with_metadata(fields, of_table.metadata.clone());
        let inner = DefaultPhysicalExprAdapterFactory.create(Arc::new(schema), of_file)?;
        Ok(Arc::new(Respelled { renamed, inner }))
    }
}

#[derive(Debug)]
struct Respelled {
    /// Names in the table and in the file.
    renamed: Vec<(String, String)>,
    inner: Arc<dyn PhysicalExprAdapter>,
}

impl PhysicalExprAdapter for Respelled {
    fn rewrite(&self, expr: Arc<dyn PhysicalExpr>) -> Result<Arc<dyn PhysicalExpr>> {
        let expr = expr.transform_up_dyn(&mut |expr| {
            let column = expr.downcast_ref::<Column>();
            let respelled = column.and_then(|column| {
                let mut renamed = self.renamed.iter();
                let (_, name) = renamed.find(|(name, _)| name == column.name())?;
                Some(Arc::new(Column::new(name, column.index())))
            });
            Ok(match respelled {
                Some(column) => Transformed::yes(column as _),
                None => Transformed::no(expr),
            })
        });
        self.inner.rewrite(expr.data()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_a_file_has_itself_are_not_taken_for_others() {
        let place = |name: &str, others: &[&str], own: &[&str]| {
            place_of(name, others.iter().copied(), |other| own.contains(&other))
        };
        assert_eq!(place("a", &["b", "A"], &["a", "B"]), Some(1));
        assert_eq!(place("a", &["A", "a"], &["a"]), Some(1));
        assert_eq!(place("a", &["A"], &["A", "a"]), None);
    }
}
