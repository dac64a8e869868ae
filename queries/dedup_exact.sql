-- Removes documents whose text occurred before in the corpus. Of equal texts, the first in a given order is
-- kept. Only hashes and the columns of the order are held; texts are streamed.
--
-- The output folder has documents.parquet, removed.parquet (each removed document with the one kept in its
-- place), and summary.parquet (documents and characters in and out, the sizes of groups). numbered.parquet and
-- groups.parquet are intermediate results.
--
-- Each file appears when it is complete. With --resume, a run that was interrupted goes on with the step that is
-- missing.
--
--   corpus-sql -f queries/dedup_exact.sql -v input=documents.parquet -v output=deduplicated/ -v order='date, url'
--
-- input   documents with the columns url and document, and any others, which are kept: Parquet or JSON lines,
--         a file, folder or glob
-- output  a folder
-- key     what is compared, an expression: text_collapse_space(lower(document)) ignores case and white space
-- order   the order of which the first is kept, as in ORDER BY

COPY (
    SELECT row_number() OVER () AS _id, text_hash(${key:-document}) AS _hash, *
    FROM '${input:-data-samples/documents/}'
) TO '${output:-deduplicated}/numbered.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

-- Documents without a text have nothing in common.
COPY (
    SELECT _hash AS hash, count(*) AS documents, first_value(_id ORDER BY ${order:-url}, _id) AS first_id,
           first_value(url ORDER BY ${order:-url}, _id) AS first_url
    FROM '${output:-deduplicated}/numbered.parquet' WHERE _hash IS NOT NULL
    GROUP BY _hash HAVING count(*) > 1
) TO '${output:-deduplicated}/groups.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT numbered.* EXCLUDE (_id, _hash)
    FROM '${output:-deduplicated}/numbered.parquet' AS numbered
    LEFT JOIN '${output:-deduplicated}/groups.parquet' AS groups ON groups.hash = numbered._hash
    WHERE groups.first_id IS NULL OR _id = groups.first_id
) TO '${output:-deduplicated}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT url, groups.first_url, groups.hash, character_length(document) AS characters, left(document, 200) AS start
    FROM '${output:-deduplicated}/numbered.parquet' AS numbered
    JOIN '${output:-deduplicated}/groups.parquet' AS groups ON groups.hash = numbered._hash
    WHERE _id <> groups.first_id
) TO '${output:-deduplicated}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    WITH removed AS (
        SELECT count(*) AS documents, coalesce(sum(characters), 0) AS characters
        FROM '${output:-deduplicated}/removed.parquet'
    ),
    kept AS (
        SELECT count(*) AS documents, coalesce(sum(character_length(document)), 0) AS characters
        FROM '${output:-deduplicated}/documents.parquet'
    ),
    grouped AS (
        SELECT count(*) AS groups, coalesce(max(documents), 1) AS largest_group
        FROM '${output:-deduplicated}/groups.parquet'
    )
    SELECT kept.documents + removed.documents AS documents_in, kept.documents AS documents_out,
           kept.characters + removed.characters AS characters_in, kept.characters AS characters_out,
           groups, largest_group
    FROM kept CROSS JOIN removed CROSS JOIN grouped
) TO '${output:-deduplicated}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-deduplicated}/summary.parquet';
