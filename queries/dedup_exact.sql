-- Removes documents whose text occurred before in the corpus. Of equal texts, the first in a given order is
-- kept. Only hashes and the columns of the order are held; texts are streamed.
--
-- The output folder has documents.parquet, removed.parquet (each removed document with the document kept in its place),
-- and summary.parquet (documents and characters in and out, the sizes of groups). The files of the steps are removed at
-- the end.
--
-- Each file appears when it is complete. With --resume, an interrupted run continues with the missing step.
--
--   corpus-sql -f queries/dedup_exact.sql -v input=documents.parquet -v output=deduplicated/ -v order='date, url'
--
-- input   documents with any columns, which are kept: Parquet or JSON lines, a file, folder or glob
-- text    the column with the text; by default the first of text, content and document that the input has
-- id      the column that identifies documents; by default the first of url and id
-- output  a folder
-- key     the compared value, an expression: text_collapse_space(lower(document)) ignores case and white space
-- order   the first document in this order is kept, as in ORDER BY
-- keep    true keeps the files of the steps, with which --resume continues when a variable has changed

COPY (
    SELECT row_number() OVER () AS _id, text_hash(${key:-"${input.text}"}) AS _hash,
           character_length("${input.text}") AS _characters, *
    FROM '${input:-data-samples/documents/}'
) TO '${output:-deduplicated}/numbered.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- Documents without a text are not duplicates of each other.
COPY (
    SELECT _hash AS _group, count(*) AS _documents, first_value(_id ORDER BY ${order:-"${input.id}"}, _id) AS _first_id,
           first_value("${input.id}" ORDER BY ${order:-"${input.id}"}, _id) AS _first_url
    FROM '${output:-deduplicated}/numbered.parquet' WHERE _hash IS NOT NULL
    GROUP BY _hash HAVING count(*) > 1
) TO '${output:-deduplicated}/groups.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT ${input.columns}
    FROM dedup_grouped('${output:-deduplicated}/numbered.parquet', _hash, '${output:-deduplicated}/groups.parquet', _group)
    WHERE _first_id IS NULL OR _id = _first_id
) TO '${output:-deduplicated}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT "${input.id}" AS url, _first_url AS first_url, _group AS hash,
           _characters AS characters, left("${input.text}", 200) AS start
    FROM dedup_grouped('${output:-deduplicated}/numbered.parquet', _hash, '${output:-deduplicated}/groups.parquet', _group)
    WHERE _id <> _first_id
) TO '${output:-deduplicated}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT * FROM dedup_summary(
        '${output:-deduplicated}/numbered.parquet', _characters, '${output:-deduplicated}/documents.parquet', "${input.text}",
        '${output:-deduplicated}/groups.parquet', _documents)
) TO '${output:-deduplicated}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-deduplicated}/summary.parquet';
