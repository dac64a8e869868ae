//! SQL functions: a function is a name, the types of its arguments and of its result,
//! documentation, and a closure over Arrow arrays.

use std::sync::{Arc, OnceLock};

use datafusion::arrow::array::{ArrayRef, AsArray, new_null_array};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, DocSection, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, Volatility,
};

use crate::arguments::{JSON_OR_NESTED, TEXT_OR_BYTES, cast_type, coerce};
use crate::settings::CorpusSettings;
use corpus_columns::{ColumnBuilder, ColumnInfo};

/// The section of functions that only rewritten statements call.
pub const INTERNAL: &str = "Internal functions";

/// A function with arguments of fixed types. Its result depends only on them and on the settings.
/// Defined by `functions!`.
#[derive(Debug)]
pub struct Function {
    name: &'static str,
    parameters: Vec<Parameter>,
    /// The types of the parameters.
    arguments: Vec<DataType>,
    /// The number of optional arguments. They are the last ones, and NULL if left out.
    optional: usize,
    returns: Returns,
    /// Called with arrays of the types of `arguments`, all of the same length. A `TEXT_OR_BYTES`
    /// is text or bytes.
    invoke: Invoke,
    costly: bool,
    documentation: Documentation,
    signature: Signature,
    /// A NULL for each of the `arguments`. They are cached, because many calls are for single
    /// values and short.
    nulls: OnceLock<Vec<ArrayRef>>,
}

/// The declaration of an argument of a function.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    name: &'static str,
    data_type: fn() -> DataType,
    /// One or more sentences. Empty if the documentation of an earlier argument includes it.
    pub(crate) about: &'static str,
    is_optional: bool,
    check: Option<Check>,
}

/// A check of a constant argument at planning: a wrong constant is a mistake in the query, not in
/// the data.
#[derive(Debug, Clone, Copy)]
struct Check {
    /// Whether columns are accepted as well. The function then reports wrong values row by row.
    may_vary: bool,
    /// Checks the value as text. An error lists the allowed values.
    check: fn(&str) -> Result<(), String>,
}

impl Parameter {
    pub const fn new(name: &'static str, data_type: fn() -> DataType, about: &'static str) -> Self {
        Self {
            name,
            data_type,
            about,
            is_optional: false,
            check: None,
        }
    }

    pub const fn text(name: &'static str, about: &'static str) -> Self {
        Self::new(name, || DataType::LargeUtf8, about)
    }

    pub const fn integer(name: &'static str, about: &'static str) -> Self {
        Self::new(name, || DataType::Int64, about)
    }

    pub const fn bytes(name: &'static str, about: &'static str) -> Self {
        Self::new(name, || DataType::LargeBinary, about)
    }

    /// Text, or bytes whose charset is detected.
    pub const fn text_or_bytes(name: &'static str, about: &'static str) -> Self {
        Self::new(name, || TEXT_OR_BYTES, about)
    }

    /// Declares that the argument may be left out, with all arguments after it.
    pub const fn optional(self) -> Self {
        Self {
            is_optional: true,
            ..self
        }
    }

    /// Declares that the argument must be a constant, and checks it.
    pub const fn constant(self, check: fn(&str) -> Result<(), String>) -> Self {
        let may_vary = false;
        Self {
            check: Some(Check { may_vary, check }),
            ..self
        }
    }

    /// Declares that the argument is checked at planning if it is a constant. It may be a column.
    pub const fn checked(self, check: fn(&str) -> Result<(), String>) -> Self {
        let may_vary = true;
        Self {
            check: Some(Check { may_vary, check }),
            ..self
        }
    }
}

/// Defines the functions of a module: `functions()`, which lists them. A definition is the
/// documentation, the name, which is also that of the Rust function to call, the parameters and the
/// type of the result, then `costly` if it parses documents:
///
/// ```text
/// functions! {
///     "Text Functions";
///
///     /// Returns a text in reverse order.
///     ///
///     /// > SELECT text_reverse('abc');
///     /// cba
///     text_reverse(TEXT) -> DataType::LargeUtf8;
/// }
/// ```
///
/// The documentation ends with an example: a statement after `> ` that ends with a semicolon, then
/// its result, a line per row, with values separated by `, `. The tests run it.
macro_rules! functions {
    (
        $section:expr;
        $(
            $(#[doc = $documentation:expr])+
            $name:ident($($parameter:expr),* $(,)?) -> $returns:expr $(, $costly:ident)?;
        )+
    ) => {
        /// The functions of this module.
        pub fn functions() -> Vec<datafusion::logical_expr::ScalarUDF> {
            vec![$(
                $crate::function::Function::new(
                    stringify!($name),
                    $section,
                    &[$($documentation),+],
                    &[$($parameter),*],
                    $returns,
                    $name,
                )
                $(.$costly())?
                .into()
            ),+]
        }
    };
}

pub(crate) use functions;

/// Compares the functions of a type by one field, which determines the others.
macro_rules! compared_by {
    ($type:ty, $field:ident) => {
        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                self.$field == other.$field
            }
        }

        impl Eq for $type {}

        impl std::hash::Hash for $type {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                std::hash::Hash::hash(&self.$field, state);
            }
        }
    };
}

pub(crate) use compared_by;

/// Returns the functions of modules, ordered by name.
pub(crate) fn by_name(modules: &[Vec<ScalarUDF>]) -> Vec<ScalarUDF> {
    let mut functions = modules.concat();
    functions.sort_by(|one, other| one.name().cmp(other.name()));
    functions
}

/// The result of a function: its type, and the columns of the structs in it.
#[derive(Debug)]
pub struct Returns {
    data_type: DataType,
    columns: &'static [ColumnInfo],
}

impl Returns {
    /// The result type of a column builder, such as `ListOf<Row>`.
    pub fn of<C: ColumnBuilder>() -> Self {
        Self {
            data_type: C::data_type(),
            columns: C::nested(),
        }
    }
}

impl From<DataType> for Returns {
    fn from(data_type: DataType) -> Self {
        Self {
            data_type,
            columns: &[],
        }
    }
}

type Invoke = fn(&[ArrayRef], &CorpusSettings) -> Result<ArrayRef>;

impl Function {
    /// `lines`: the description, then the example, as `functions!` documents them.
    pub fn new(
        name: &'static str,
        section: &'static str,
        lines: &[&str],
        parameters: &[Parameter],
        returns: impl Into<Returns>,
        invoke: Invoke,
    ) -> Self {
        let returns = returns.into();
        let (mut description, example) = description_and_example(lines);
        if !returns.columns.is_empty() {
            let kind = match returns.data_type {
                DataType::Struct(_) => "a struct",
                _ => "a list of structs",
            };
            let columns = ColumnInfo::sentence(returns.columns);
            description.push_str(&format!(" Returns {kind} of {columns}."));
        }
        let documented = parameters.iter().filter(|it| !it.about.is_empty());
        let documented: Vec<_> = documented.map(|it| (it.name, it.about)).collect();
        let syntax = syntax(name, parameters);
        let types = parameters.iter().map(|parameter| (parameter.data_type)());
        Self {
            name,
            parameters: parameters.to_vec(),
            arguments: types.collect(),
            optional: parameters.iter().filter(|it| it.is_optional).count(),
            returns,
            invoke,
            costly: false,
            documentation: document(section, &syntax, &description, &example, &documented),
            signature: Signature::user_defined(Volatility::Immutable),
            nulls: OnceLock::new(),
        }
    }

    /// Declares that the function parses documents. The planner then calls it once per row, and not
    /// for rows that a filter drops.
    pub fn costly(self) -> Self {
        Self {
            costly: true,
            ..self
        }
    }

    /// Returns the missing arguments, from a position on.
    fn missing(&self, from: usize, rows: usize) -> impl Iterator<Item = ArrayRef> {
        let nulls = self.nulls.get_or_init(|| {
            let types = self.arguments.iter();
            types.map(|kind| new_null_array(kind, 1)).collect()
        });
        let types = self.arguments.iter().zip(nulls).skip(from);
        types.map(move |(kind, null)| match rows {
            1 => Arc::clone(null),
            rows => new_null_array(kind, rows),
        })
    }

    /// The positions and checks of the arguments that are checked.
    fn checks(&self) -> impl Iterator<Item = (usize, Check)> {
        let parameters = self.parameters.iter().enumerate();
        parameters.filter_map(|(position, parameter)| Some((position, parameter.check?)))
    }

    fn check(&self, position: usize, check: Check, value: Option<&ScalarValue>) -> Result<()> {
        let Some(value) = value else {
            if check.may_vary {
                return Ok(());
            }
            return plan_err!(
                "argument {} of {} must be a constant, not a column or an expression",
                position + 1,
                self.name
            );
        };
        if value.is_null() {
            return Ok(());
        }
        // Numbers are checked by their digits.
        let text = value
            .try_as_str()
            .flatten()
            .map_or_else(|| value.to_string(), str::to_owned);
        (check.check)(&text).or_else(|reason| plan_err!("{}: {reason}", self.name))
    }
}

/// Returns the syntax of a call: `name(a, b [, c [, d]])`.
fn syntax(name: &str, parameters: &[Parameter]) -> String {
    let mut syntax = format!("{name}(");
    let mut optional = 0;
    for (position, parameter) in parameters.iter().enumerate() {
        optional += usize::from(parameter.is_optional);
        syntax.push_str(match (position, parameter.is_optional) {
            (0, false) => "",
            (0, true) => "[",
            (_, false) => ", ",
            (_, true) => " [, ",
        });
        syntax.push_str(parameter.name);
    }
    syntax.extend(std::iter::repeat_n(']', optional));
    syntax.push(')');
    syntax
}

/// Splits documentation into the description and the example, which starts with `> `.
fn description_and_example(lines: &[&str]) -> (String, String) {
    let is_start = |line: &&str| line.starts_with(" > ");
    let end = lines.iter().position(is_start).unwrap_or(lines.len());
    let (description, example) = lines.split_at(end);
    let words: Vec<_> = description.iter().map(|line| line.trim()).collect();
    let example = example
        .iter()
        .map(|line| line.strip_prefix(' ').unwrap_or(line));
    let example: Vec<_> = example.collect();
    (words.join(" ").trim_end().to_owned(), example.join("\n"))
}

/// Returns the value of a constant argument.
pub fn constant(array: &ArrayRef) -> Option<&str> {
    array.as_string::<i64>().iter().next().flatten()
}

/// Whether calls of the function are expensive enough for the planner to consider.
pub fn is_costly(function: &ScalarUDF) -> bool {
    let function = function.inner().downcast_ref::<Function>();
    function.is_some_and(|function| function.costly)
}

/// Whether the first argument of the function is JSON, or a nested value to be written as JSON.
pub fn reads_json(function: &ScalarUDF) -> bool {
    let function = function.inner().downcast_ref::<Function>();
    function.is_some_and(|function| function.arguments.first() == Some(&JSON_OR_NESTED))
}

/// The name of the parameter for the names of the fields to compute, separated by spaces. The
/// planner sets it to the fields that a query uses; the others may be NULL.
pub const FIELDS: &str = "fields";

/// The word in that argument for all fields that are computed by default.
pub const ALL_FIELDS: &str = "*";

/// Checks that an argument [`FIELDS`] names fields of a struct.
pub fn check_fields<C: ColumnBuilder>(fields: &str) -> Result<(), String> {
    let known = C::nested();
    let is_known =
        |field: &&str| *field == ALL_FIELDS || known.iter().any(|column| column.name == *field);
    match fields.split(' ').find(|field| !is_known(field)) {
        None => Ok(()),
        Some(field) => {
            let known: Vec<&str> = known.iter().map(|column| column.name).collect();
            let known = known.join("', '");
            Err(format!("unknown field '{field}': expected '{known}'"))
        }
    }
}

/// Returns the position of the parameter [`FIELDS`], if a function has one.
pub fn fields_position(function: &ScalarUDF) -> Option<usize> {
    let function = function.inner().downcast_ref::<Function>()?;
    let mut parameters = function.parameters.iter();
    parameters.position(|parameter| parameter.name == FIELDS)
}

/// Whether a function is of the section [`INTERNAL`].
pub fn is_internal(function: &ScalarUDF) -> bool {
    let documentation = function.documentation();
    documentation.is_some_and(|documentation| !documentation.doc_section.include)
}

/// Returns the type of the results of a function of this crate. It does not depend on the
/// arguments.
pub fn result_type(function: &ScalarUDF) -> Option<DataType> {
    let function = function.inner().downcast_ref::<Function>();
    function.map(|function| function.returns.data_type.clone())
}

/// An argument of a function.
#[derive(Debug, Clone)]
pub struct Argument {
    pub data_type: DataType,
    /// Whether it is checked if it is a constant. It must then not be passed as an array.
    pub is_checked: bool,
    pub is_optional: bool,
}

/// Returns the arguments of a function of this crate.
pub fn arguments_of(function: &ScalarUDF) -> Vec<Argument> {
    let Some(function) = function.inner().downcast_ref::<Function>() else {
        return Vec::new();
    };
    let required = function.arguments.len() - function.optional;
    let types = function.arguments.iter().enumerate();
    let arguments = types.map(|(position, data_type)| Argument {
        data_type: match data_type {
            kind if *kind == JSON_OR_NESTED => TEXT_OR_BYTES,
            kind => kind.clone(),
        },
        is_checked: function.parameters[position].check.is_some(),
        is_optional: position >= required,
    });
    arguments.collect()
}

/// Returns the columns of the structs that a function of this crate returns: of one struct, or of
/// those in a list. Empty for other results and functions.
pub fn columns_of(function: &ScalarUDF) -> &'static [ColumnInfo] {
    let function = function.inner().downcast_ref::<Function>();
    function.map_or(&[], |function| function.returns.columns)
}

/// Returns the documentation that `SHOW FUNCTIONS` and the reference show. `example` is a statement
/// after `> ` that ends with a semicolon, then its result, a line per row, with values separated by
/// `, `: the tests run it. `arguments` are names and descriptions. Functions of the section
/// [`INTERNAL`] appear in no list.
pub fn document(
    section: &'static str,
    syntax: &str,
    description: &str,
    example: &str,
    arguments: &[(&str, &str)],
) -> Documentation {
    let section = DocSection {
        include: section != INTERNAL,
        label: section,
        description: None,
    };
    let builder = Documentation::builder(section, description, syntax)
        .with_sql_example(format!("```sql\n{example}\n```"));
    arguments
        .iter()
        .fold(builder, |builder, (name, about)| {
            builder.with_argument(*name, *about)
        })
        .build()
}

compared_by!(Function, name);

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let mut types = coerce(self.name, given, &self.arguments, self.optional)?;
        for (position, _) in self.checks() {
            // A cast would hide that the argument is a constant.
            if let Some(given) = given.get(position) {
                types[position] = given.clone();
            }
        }
        Ok(types)
    }

    fn return_type(&self, _given: &[DataType]) -> Result<DataType> {
        Ok(self.returns.data_type.clone())
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        for (position, check) in self.checks() {
            if let Some(value) = args.scalar_arguments.get(position) {
                self.check(position, check, *value)?;
            }
        }
        let data_type = self.returns.data_type.clone();
        Ok(Arc::new(Field::new(self.name, data_type, true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let mut arrays = Vec::with_capacity(self.arguments.len());
        for (value, wanted) in args.args.iter().zip(&self.arguments) {
            let kind = cast_type(&value.data_type(), wanted);
            if *wanted == JSON_OR_NESTED && kind.is_nested() {
                return exec_err!("{} takes JSON as text: call to_json first", self.name);
            }
            arrays.push(match value {
                ColumnarValue::Array(array) if *array.data_type() == kind => Arc::clone(array),
                value => value.cast_to(&kind, None)?.to_array(rows)?,
            });
        }
        arrays.extend(self.missing(arrays.len(), rows));
        let settings = CorpusSettings::of(&args.config_options);
        Ok(ColumnarValue::Array((self.invoke)(&arrays, &settings)?))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

#[cfg(test)]
mod tests {
    use corpus_columns::{StructOf, row};
    use datafusion::arrow::array::Array;
    use datafusion::common::config::ConfigOptions;

    use super::*;

    row! {
        /// The size of a text.
        struct SizeRow<'a> {
            /// The number of bytes
            bytes: usize,
            /// The first word
            word: Option<&'a str>,
        }
    }

    const TEXT: Parameter = Parameter::text("text", "The text.");
    const UNIT: Parameter = Parameter::text("unit", "The unit.").optional();

    functions! {
        "Text Functions";

        /// Measures
        /// a text.
        ///
        /// > SELECT text_size('two words')['bytes'],
        ///     2;
        /// 9, 2
        text_size(TEXT, UNIT) -> Returns::of::<StructOf<SizeRow>>(), costly;
    }

    fn text_size(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
        let mut rows = StructOf::<SizeRow>::default();
        for text in args[0].as_string::<i64>() {
            rows.append(text.map(|text| SizeRow {
                bytes: text.len(),
                word: text.split_whitespace().next(),
            }));
        }
        Ok(rows.finish()?)
    }

    #[test]
    fn the_syntax_and_the_example_are_of_the_definition() {
        let [function] = functions().try_into().unwrap();
        assert_eq!(function.name(), "text_size");
        assert!(is_costly(&function));
        let documentation = function.documentation().unwrap();
        assert_eq!(documentation.syntax_example, "text_size(text [, unit])");
        let example = "```sql\n> SELECT text_size('two words')['bytes'],\n    2;\n9, 2\n```";
        assert_eq!(documentation.sql_example.as_deref(), Some(example));
        let arguments = documentation.arguments.as_ref().unwrap();
        assert_eq!(arguments.len(), 2);
        let optional = arguments_of(&function).into_iter().map(|it| it.is_optional);
        assert_eq!(optional.collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn columns_are_documented_and_built_from_one_definition() {
        let [function] = functions().try_into().unwrap();
        let columns = columns_of(&function).iter();
        let found: Vec<_> = columns
            .map(|column| (column.name, column.sql_type(), column.description))
            .collect();
        let expected = [
            ("bytes", "integer".to_owned(), "The number of bytes"),
            ("word", "text".to_owned(), "The first word"),
        ];
        assert_eq!(found, expected);
        assert_eq!(
            function.documentation().unwrap().description,
            "Measures a text. Returns a struct of bytes (the number of bytes) and word (the first word)."
        );
        let returned = result_type(&function).unwrap();
        let DataType::Struct(fields) = &returned else {
            panic!("{returned}");
        };
        assert_eq!(fields.len(), 2);
        let args = ScalarFunctionArgs {
            args: vec![ColumnarValue::Scalar(ScalarValue::LargeUtf8(Some(
                "two words".to_owned(),
            )))],
            arg_fields: Vec::new(),
            number_rows: 1,
            return_field: Arc::new(Field::new("text_size", returned.clone(), true)),
            config_options: Arc::new(ConfigOptions::default()),
        };
        let result = function
            .invoke_with_args(args)
            .unwrap()
            .to_array(1)
            .unwrap();
        assert_eq!(*result.data_type(), returned);
        assert_eq!(
            result.as_struct().column(1).as_string::<i64>().value(0),
            "two"
        );
    }
}
