"""Reads sources by SQL for Spark and Ray: one task per file, or per range of a large file."""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from corpus_sql._relation import Relation
from corpus_sql._session import Session

if TYPE_CHECKING:
    import pyarrow

#: The names of the sources; the function of "warc" is `read_warc`.
FORMATS = ("documents", "files", "hocr", "lines", "mediawiki", "pdf", "sequencefile", "warc")

#: Options with this prefix are settings of the session.
_SETTING = "corpus."

#: The option for the size of the ranges that tasks read, and its default.
SPLIT_BYTES = "split_bytes"
DEFAULT_SPLIT_BYTES = 128 << 20

#: Options of a whole scan, which its parts do not have.
_OF_WHOLE = ("paths", "range", SPLIT_BYTES)


@functools.lru_cache(maxsize=4)
def _session(settings: tuple[tuple[str, str], ...]) -> Session:
    """The session of a task. It has one thread, because there are as many tasks as cores."""
    session = Session(threads=1, progress=False)
    for name, value in settings:
        if not name.replace(".", "").replace("_", "").isalnum():
            raise ValueError(f"not a setting: '{name}'")
        quotes_doubled = value.replace("'", "''")
        session.sql(f"SET {name} = '{quotes_doubled}'")
    return session


@dataclass(frozen=True)
class Scan:
    """The location and the options that a data source reads."""

    format: str
    #: A file, a folder, a glob or a URL, or several of them.
    location: str | list[str]
    #: Options of the source, `split_bytes`, and settings whose names start with `corpus.`.
    options: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def of_options(format: str, options: Mapping[str, str]) -> Scan:
        """Make a scan from the options of a Spark reader, which include the path."""
        rest = {name.lower(): value for name, value in options.items()}
        path = rest.pop("path", None)
        paths = json.loads(rest.pop("paths", "[]")) or ([path] if path else [])
        if not paths:
            raise ValueError(f"{format}: name the files to read, with load(…) or option('path', …)")
        return Scan(format, paths[0] if len(paths) == 1 else paths, rest)

    def relation(
        self,
        columns: Sequence[str] | None = None,
        conditions: Sequence[str] = (),
        params: Mapping[str, Any] | None = None,
    ) -> Relation:
        """Return these columns of the rows that fulfil all conditions."""
        options = sorted(
            (name, str(value)) for name, value in self.options.items() if name != SPLIT_BYTES
        )
        settings = tuple(option for option in options if option[0].startswith(_SETTING))
        session = _session(settings)
        arguments = ["$read_location"]
        values = {"read_location": self.location, **(params or {})}
        for number, (name, value) in enumerate(one for one in options if one not in settings):
            arguments += [f"$read_option{number}", f"$read_value{number}"]
            values |= {f"read_option{number}": name, f"read_value{number}": value}
        selected = ", ".join(map(quoted, columns)) if columns else "*"
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        sql = f"SELECT {selected} FROM read_{self.format}({', '.join(arguments)}){where}"
        relation = session.sql(sql, values)
        assert relation is not None
        return relation

    def splits(self) -> list[Scan]:
        """Return scans of single files, and of byte ranges of large files, which together have these rows.

        A scan that reads more than whole files, such as the places that an index names, is not divided.
        """
        whole = self.relation()
        divided = whole._native.parts(_split_bytes(self.options.get(SPLIT_BYTES, DEFAULT_SPLIT_BYTES)))
        if divided is None:
            return [self]
        fixed, parts = divided
        kept = {name: value for name, value in self.options.items() if name not in _OF_WHOLE}
        splits = [
            Scan(self.format, file, {**kept, **dict(fixed), **({"range": range} if range else {})})
            for file, range in parts
        ]
        # Folders such as `year=2024/` are columns only if the folder above them is read.
        for candidate in (splits, self._within_folders(splits)):
            if candidate and candidate[0].relation().columns == whole.columns:
                return candidate
        return [self]

    def _within_folders(self, splits: Sequence[Scan]) -> list[Scan]:
        """Return scans of the same files that name them as files within the folders of this scan."""
        locations = [self.location] if isinstance(self.location, str) else self.location
        folders = [_folder(location) for location in locations]
        within = []
        for split in splits:
            file = str(split.location)
            above = next((folder for folder in folders if file.startswith(folder)), None)
            if above is None:
                return []
            path = file.replace("'", "''")
            within.append(Scan(self.format, above, {**split.options, "paths": f"SELECT '{path}' AS path"}))
        return within


def _folder(location: str) -> str:
    """Return the folder or URL above all files of a location, for workers with another working folder."""
    folder = re.split(r"[^/]*[*?\[{]", location)[0]
    return folder if "://" in folder else os.path.abspath(os.path.expanduser(folder))


def _split_bytes(text: object) -> int:
    try:
        return max(int(str(text)), 1)
    except ValueError:
        raise ValueError(f"{SPLIT_BYTES}: expected a number of bytes, got '{text}'") from None


def quoted(name: str) -> str:
    """Return the name of a column as SQL."""
    return '"' + name.replace('"', '""') + '"'


def plain_type(kind: pyarrow.DataType) -> pyarrow.DataType:
    """Return the type that other systems use for an Arrow type: no large, unsigned or view types."""
    import pyarrow as pa

    types = pa.types
    if types.is_large_string(kind) or types.is_string_view(kind):
        return pa.string()
    if types.is_large_binary(kind) or types.is_binary_view(kind) or types.is_fixed_size_binary(kind):
        return pa.binary()
    if types.is_unsigned_integer(kind):
        return pa.int64()
    if types.is_timestamp(kind):
        return pa.timestamp("us", "UTC" if kind.tz else None)
    if types.is_dictionary(kind):
        return plain_type(kind.value_type)
    if types.is_list(kind) or types.is_large_list(kind):
        return pa.list_(plain_type(kind.value_type))
    if types.is_struct(kind):
        return pa.struct([one.with_type(plain_type(one.type)) for one in kind])
    return kind


def plain_schema(relation: Relation) -> pyarrow.Schema:
    """Return the columns of a relation with types that other systems use."""
    import pyarrow as pa

    return pa.schema([one.with_type(plain_type(one.type)) for one in pa.schema(relation)])


def batches(relation: Relation, schema: pyarrow.Schema) -> Iterator[pyarrow.RecordBatch]:
    """Return the rows, cast to the types of a schema."""
    import pyarrow as pa

    for batch in relation:
        yield pa.record_batch(batch).cast(schema)
