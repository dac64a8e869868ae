-- Removes documents whose text occurred before in the corpus. Of equal texts, the first in a given order is
-- kept. Only hashes and the columns of the order are sorted, on disk if need be; texts are streamed.
--
-- The output folder has documents.parquet, removed.parquet (each removed document with the one kept in its
-- place), and summary.parquet (documents and characters in and out, the sizes of groups). numbered.parquet and
-- firsts.parquet are intermediate results.
--
--   corpus-sql -f queries/dedup_exact.sql -v input=documents.parquet -v output=deduplicated/ -v order='date, url'
--
-- input   documents with the columns url and document, and any others, which are kept: Parquet or JSON lines,
--         a file, folder or glob
-- output  a folder
-- key     what is compared, an expression: text_collapse_space(lower(document)) ignores case and white space
-- order   the order of which the first is kept, as in ORDER BY

COPY (
    SELECT row_number() OVER () AS id, text_hash(${key:-document}) AS hash, *
    FROM '${input:-data-samples/documents/}'
) TO '${output:-deduplicated}/numbered.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

-- Documents without a text have nothing in common.
COPY (
    SELECT id, hash IS NULL OR row_number() OVER equal = 1 AS is_first,
           CASE WHEN hash IS NOT NULL THEN first_value(url) OVER equal END AS first_url
    FROM '${output:-deduplicated}/numbered.parquet'
    WINDOW equal AS (PARTITION BY hash ORDER BY ${order:-url}, id)
) TO '${output:-deduplicated}/firsts.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT numbered.* EXCLUDE (id, hash)
    FROM '${output:-deduplicated}/numbered.parquet' AS numbered
    JOIN '${output:-deduplicated}/firsts.parquet' AS firsts ON numbered.id = firsts.id
    WHERE is_first
) TO '${output:-deduplicated}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT url, first_url, hash, character_length(document) AS characters, left(document, 200) AS start
    FROM '${output:-deduplicated}/numbered.parquet' AS numbered
    JOIN '${output:-deduplicated}/firsts.parquet' AS firsts ON numbered.id = firsts.id
    WHERE NOT is_first
) TO '${output:-deduplicated}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    WITH removed AS (
        SELECT count(*) AS documents, coalesce(sum(characters), 0) AS characters, count(DISTINCT hash) AS groups
        FROM '${output:-deduplicated}/removed.parquet'
    ),
    kept AS (
        SELECT count(*) AS documents, coalesce(sum(character_length(document)), 0) AS characters
        FROM '${output:-deduplicated}/documents.parquet'
    ),
    largest AS (
        SELECT coalesce(max(documents), 0) + 1 AS documents
        FROM (SELECT count(*) AS documents FROM '${output:-deduplicated}/removed.parquet' GROUP BY hash)
    )
    SELECT kept.documents + removed.documents AS documents_in, kept.documents AS documents_out,
           kept.characters + removed.characters AS characters_in, kept.characters AS characters_out,
           removed.groups AS groups, largest.documents AS largest_group
    FROM kept CROSS JOIN removed CROSS JOIN largest
) TO '${output:-deduplicated}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-deduplicated}/summary.parquet';
