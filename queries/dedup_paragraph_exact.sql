-- Removes paragraphs that occurred before in the corpus, in the same document or in another one, and puts the
-- documents together again. Of equal paragraphs, the one in the document with the first hash of its URL is
-- kept, so that no site is preferred. Only hashes are sorted, on disk if need be; texts are streamed.
--
-- The output folder has documents.parquet, removed.parquet (each removed paragraph with its position), and
-- summary.parquet (documents, paragraphs and characters in and out). numbered.parquet and firsts.parquet are
-- intermediate results.
--
--   corpus-sql -f queries/dedup_paragraph_exact.sql -v input=documents.parquet -v output=deduplicated/
--
-- input      documents with the columns url and document, and any others, which are kept: Parquet or JSON lines,
--            a file, folder or glob
-- output     a folder
-- separator  what separates paragraphs, an expression: chr(10) for lines
-- key        what is compared, an expression: lower(text_collapse_space(part)) ignores case and white space
-- shortest   paragraphs with fewer characters are kept, however often they occur

COPY (
    SELECT row_number() OVER () AS _id, *, text_hash(url) AS _url_hash,
           array_transform(document, part -> CASE WHEN character_length(part) >= ${shortest:-1} THEN text_hash(${key:-part}) END) AS _hashes
    FROM (
        SELECT * REPLACE (array_filter(string_to_array(coalesce(document, ''), ${separator:-chr(10) || chr(10)}),
                                       part -> trim(part) <> '') AS document)
        FROM '${input:-data-samples/documents/}'
    )
) TO '${output:-deduplicated}/numbered.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

-- Rows are narrow here, so that many of them fit into a batch.
SET datafusion.execution.batch_size = 8192;

COPY (
    SELECT id, array_agg(is_first ORDER BY position) AS firsts
    FROM (
        SELECT id, position,
               hash IS NULL OR row_number() OVER (PARTITION BY hash ORDER BY url_hash, id, position) = 1 AS is_first
        FROM (SELECT _id AS id, _url_hash AS url_hash, unnest(_hashes) AS hash,
                     unnest(range(CAST(cardinality(_hashes) AS BIGINT))) AS position
              FROM '${output:-deduplicated}/numbered.parquet')
    )
    GROUP BY id
) TO '${output:-deduplicated}/firsts.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

SET datafusion.execution.batch_size = 256;

COPY (
    SELECT numbered.* EXCLUDE (_id, _url_hash, _hashes)
           REPLACE (array_to_string(array_transform(array_filter(arrays_zip(document, firsts.firsts), part -> part['2']),
                                                    part -> part['1']),
                                    ${separator:-chr(10) || chr(10)}) AS document)
    FROM '${output:-deduplicated}/numbered.parquet' AS numbered
    JOIN '${output:-deduplicated}/firsts.parquet' AS firsts ON numbered._id = firsts.id
    WHERE array_has(firsts.firsts, true)
) TO '${output:-deduplicated}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT url, part['1'] + 1 AS position, part['2'] AS text
    FROM (
        SELECT url, unnest(array_filter(arrays_zip(range(CAST(cardinality(document) AS BIGINT)), document, firsts.firsts),
                                        part -> NOT part['3'])) AS part
        FROM '${output:-deduplicated}/numbered.parquet' AS numbered
        JOIN '${output:-deduplicated}/firsts.parquet' AS firsts ON numbered._id = firsts.id
    )
) TO '${output:-deduplicated}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    WITH removed AS (
        SELECT count(*) AS paragraphs, coalesce(sum(character_length(text)), 0) AS characters
        FROM '${output:-deduplicated}/removed.parquet'
    ),
    total AS (
        SELECT count(*) AS documents, CAST(sum(cardinality(document)) AS BIGINT) AS paragraphs,
               sum(character_length(array_to_string(document, ''))) AS characters
        FROM '${output:-deduplicated}/numbered.parquet'
    ),
    kept AS (
        SELECT count(*) AS documents FROM '${output:-deduplicated}/documents.parquet'
    )
    SELECT total.documents AS documents_in, kept.documents AS documents_out,
           total.paragraphs AS paragraphs_in, total.paragraphs - removed.paragraphs AS paragraphs_out,
           total.characters AS characters_in, total.characters - removed.characters AS characters_out
    FROM total CROSS JOIN removed CROSS JOIN kept
) TO '${output:-deduplicated}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-deduplicated}/summary.parquet';
