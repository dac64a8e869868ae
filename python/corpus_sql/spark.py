"""Adds the sources to Spark 4 as data sources, and the functions to its SQL.

    from corpus_sql import spark as corpus_spark

    corpus_spark.register(spark)
    pages = spark.read.format("warc").load("crawl/").where("warc_type = 'response'")
    pages.selectExpr("html_main_text(http_response(body).body)")

The package must be installed on all nodes. Options of `read_warc` and the other sources are options of
the reader; options that start with `corpus.` are settings. Each file is a task. A file larger than the
option `split_bytes`, by default 128 MiB, is read by several tasks if its format can be divided. Spark
reads the columns of `schema(…)`, or all of them, and passes simple filters on; functions run on batches
of Arrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql import datasource
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, from_arrow_type, to_arrow_schema, to_arrow_type
from pyspark.sql.types import StructType

from corpus_sql import _native
from corpus_sql._sources import FORMATS, Scan, batches, plain_schema, plain_type, quoted

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.datasource import Filter

__all__ = ["register", "register_functions", "register_sources"]


def register(spark: SparkSession) -> None:
    """Add the data sources `warc`, `pdf` and so on, and the functions, to a session of Spark."""
    register_sources(spark)
    register_functions(spark)


def register_sources(spark: SparkSession) -> None:
    """Add the data sources, and let Spark pass filters on to those written in Python."""
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    for source in _SOURCES:
        spark.dataSource.register(source)


def register_functions(spark: SparkSession) -> None:
    """Add the scalar functions, under their names in SQL, but for those that return intervals."""
    from pyspark.sql.functions import arrow_udf

    for function in _native.functions():
        arrow_kind = plain_type(pa.array(function["empty"]).type)
        if pa.types.is_interval(arrow_kind):
            # Spark cannot read intervals from Arrow; it has make_interval.
            continue
        kind = from_arrow_type(arrow_kind)
        call = _ArrowFunction(function["name"], to_arrow_type(kind, timezone="UTC"))
        spark.udf.register(function["name"], arrow_udf(call.typed(), kind))


class _ArrowFunction:
    """A function on Arrow batches. Workers find it by its name."""

    def __init__(self, name: str, kind: pa.DataType) -> None:
        self.name = name
        self.kind = kind

    def typed(self) -> Any:
        """Return the function with annotations that declare its arguments to Spark."""

        def call(*arrays: pa.Array) -> pa.Array:
            return self(arrays)

        # Spark compares types, not their names.
        call.__annotations__ = {"arrays": pa.Array, "return": pa.Array}
        call.__name__ = self.name
        return call

    def __call__(self, arrays: Sequence[pa.Array]) -> pa.Array:
        from corpus_sql import functions

        if len(arrays[0]) == 0:
            return pa.array([], self.kind)
        first, *others = arrays
        result = getattr(functions, self.name)(first, *map(_constant, others))
        return pa.array(result).cast(self.kind)


def _constant(array: pa.Array) -> object:
    """Return the value of a constant argument, which Spark repeats for each row."""
    values = array.unique()
    return values[0].as_py() if len(values) == 1 else array


class _Source(DataSource):
    """A data source of Spark. Subclasses set its format."""

    format = ""

    @classmethod
    def name(cls) -> str:
        return cls.format

    def schema(self) -> StructType:
        return from_arrow_schema(plain_schema(Scan.of_options(self.format, self.options).relation()))

    def reader(self, schema: StructType) -> DataSourceReader:
        return _Reader(Scan.of_options(self.format, self.options), schema)


class _Reader(DataSourceReader):
    def __init__(self, scan: Scan, schema: StructType) -> None:
        self.scan = scan
        self.schema = schema
        self.conditions: list[str] = []
        self.params: dict[str, Any] = {}

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        for filter in filters:
            condition = self._condition(filter)
            if condition is None:
                yield filter
            else:
                self.conditions.append(condition)

    def partitions(self) -> Sequence[InputPartition]:
        return [InputPartition(split) for split in self.scan.splits()]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        columns = self.schema.names
        relation = partition.value.relation(columns, self.conditions, self.params)
        return batches(relation, to_arrow_schema(self.schema, timezone="UTC"))

    def _condition(self, filter: Filter) -> str | None:
        """Return a filter as SQL, or None if it is unknown or has another meaning there."""
        if isinstance(filter, datasource.Not):
            condition = self._condition(filter.child)
            return None if condition is None else f"NOT ({condition})"
        path: tuple[str, ...] = getattr(filter, "attribute", ())
        if len(path) != 1:
            return None
        column = quoted(path[0])
        if isinstance(filter, datasource.IsNull):
            return f"{column} IS NULL"
        if isinstance(filter, datasource.IsNotNull):
            return f"{column} IS NOT NULL"
        if isinstance(filter, datasource.In):
            values = [self._parameter(value) for value in filter.value]
            known = [value for value in values if value is not None]
            return f"{column} IN ({', '.join(known)})" if known and len(known) == len(values) else None
        pattern = _OPERATORS.get(type(filter))
        if pattern is None:
            return None
        value = self._parameter(getattr(filter, "value", None))
        return None if value is None else pattern.format(column=column, value=value)

    def _parameter(self, value: object) -> str | None:
        # Times and decimals have different types in Spark.
        if not isinstance(value, (bool, int, str)):
            return None
        name = f"filter{len(self.params)}"
        self.params[name] = value
        return f"${name}"


_OPERATORS = {
    datasource.EqualTo: "{column} = {value}",
    datasource.EqualNullSafe: "{column} IS NOT DISTINCT FROM {value}",
    datasource.GreaterThan: "{column} > {value}",
    datasource.GreaterThanOrEqual: "{column} >= {value}",
    datasource.LessThan: "{column} < {value}",
    datasource.LessThanOrEqual: "{column} <= {value}",
    datasource.StringStartsWith: "starts_with({column}, {value})",
    datasource.StringEndsWith: "ends_with({column}, {value})",
    datasource.StringContains: "contains({column}, {value})",
}


def _source(format: str) -> type[_Source]:
    name = f"_{format.title().replace('_', '')}Source"
    # Spark finds a class by its module and name in its workers.
    made = type(name, (_Source,), {"format": format, "__module__": __name__, "__qualname__": name})
    globals()[name] = made
    return made


_SOURCES = [_source(format) for format in FORMATS]
