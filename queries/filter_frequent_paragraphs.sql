-- Removes paragraphs that are frequent in a whole corpus, such as menus and notices: several in a row that are
-- frequent, or fewer at the start or end of a document (LargeFreqParagraphs of uzushio). A single frequent sentence
-- between others is kept. Unlike in dedup_paragraph_exact.sql, all copies of a paragraph are removed.
--
-- The output folder has documents.parquet, removed.parquet (each removed paragraph with its position),
-- removed_documents.parquet (each document that had no paragraph or lost all of them), and summary.parquet
-- (documents, paragraphs and characters in and out). The files of the steps are removed at the end. Texts stay in their
-- document and are streamed; only the hashes of frequent paragraphs are held.
--
--   corpus-sql -f queries/dedup_paragraph_near.sql -v input=documents.parquet -v shortest=1 -v output=near/
--   corpus-sql -f queries/filter_frequent_paragraphs.sql -v input=documents.parquet -v stats=near/stats.parquet -v output=rest/
--
-- input      documents with any columns, which are kept: Parquet or JSON lines, a file, folder or glob
-- text       the column with the text; by default the first of text, content and document that the input has
-- id         the column that identifies documents; by default the first of url and id
-- stats      how often paragraphs occur: files of dedup_paragraph_near.sql, paragraph_stats.sql or merge_stats.sql
-- output     a folder
-- frequency  paragraphs that occur at least this often are frequent, with similar ones if stats has near_occurrences
-- count      how many frequent paragraphs in a row are removed inside a document
-- separator  the separator of paragraphs, an expression: chr(10) for lines
-- key        the value whose hashes are in stats, an expression: by default the one of dedup_paragraph_near.sql; part
--            for paragraph_stats.sql. Another key than that of stats is an error
-- keep       true keeps the files of the steps, with which --resume continues when a variable has changed

COPY (
    -- Columns that the files do not have are NULL.
    SELECT DISTINCT hash
    FROM (
        SELECT * FROM '${stats}'
        UNION ALL BY NAME
        SELECT CAST(NULL AS BIGINT) AS hash, CAST(NULL AS BIGINT) AS occurrences, CAST(NULL AS BIGINT) AS near_occurrences
        WHERE false
    )
    WHERE job_require_counts('frequency and count', 1, [${frequency:-100}, ${count:-3}])
          AND CASE WHEN job_require_stats(hash, occurrences) THEN coalesce(near_occurrences, occurrences) >= ${frequency:-100} END
) TO '${output:-without-frequent}/frequent.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT *, array_transform("${input.text}", part -> text_hash(${key:-lower(text_collapse_space(text_normalize(part, 'nfkc')))})) AS _hashes
    FROM (
        SELECT row_number() OVER () AS _id,
               * REPLACE (array_filter(string_to_array(coalesce("${input.text}", ''), ${separator:-chr(10) || chr(10)}),
                                       part -> trim(part) <> '') AS "${input.text}")
        FROM '${input:-data-samples/documents/}'
    )
) TO '${output:-without-frequent}/numbered.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    SELECT id, array_agg(position) AS positions
    FROM '${output:-without-frequent}/frequent.parquet' AS frequent
    JOIN (
        SELECT _id AS id, unnest(_hashes) AS hash, unnest(range(CAST(cardinality(_hashes) AS BIGINT))) AS position
        FROM '${output:-without-frequent}/numbered.parquet'
    ) AS parts ON parts.hash = frequent.hash
    GROUP BY id
) TO '${output:-without-frequent}/positions.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

-- In the first documents, key has to find at least half as many paragraphs as the usual keys, because statistics of
-- another key would have little effect.
COPY (
    SELECT count(*) FILTER (WHERE part['key'] = 'key') AS found, count(*) FILTER (WHERE part['key'] = 'part') AS as_part,
           count(*) FILTER (WHERE part['key'] = 'normalized') AS as_normalized
    FROM '${output:-without-frequent}/frequent.parquet' AS frequent
    JOIN (
        SELECT unnest(array_concat(
                   array_transform(_hashes, hash -> {key: 'key', hash: hash}),
                   array_transform(_parts, part -> {key: 'part', hash: text_hash(part)}),
                   array_transform(_parts, part -> {key: 'normalized', hash: text_hash(lower(text_collapse_space(text_normalize(part, 'nfkc'))))}))) AS part
        FROM (SELECT "${input.text}" AS _parts, _hashes FROM '${output:-without-frequent}/numbered.parquet' LIMIT 1000)
    ) AS parts ON part['hash'] = frequent.hash
    HAVING job_require(greatest(as_part, as_normalized) <= 2 * found,
                       'key: the hashes in stats are of another key: add -v key=part for statistics of paragraph_stats.sql, leave it out for those of '
                       || 'dedup_paragraph_near.sql, or repeat the key with which they were made')
) TO '${output:-without-frequent}/checked.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

-- A document is written as 0110…, with 1 for frequent paragraphs, and split into runs of these. In runs that are removed,
-- 1 becomes x.
COPY (
    SELECT _document, array_transform(string_to_array(array_to_string(array_transform(_numbered, run ->
                          CASE WHEN character_length(run['2']) >= ${count:-3} OR run['1'] = 0 OR run['1'] = cardinality(_numbered) - 1
                               THEN replace(run['2'], '1', 'x') ELSE run['2'] END), '0'), NULL), flag -> flag <> 'x') AS _kept
    FROM (
        SELECT _document, arrays_zip(range(CAST(cardinality(_runs) AS BIGINT)), _runs) AS _numbered
        FROM (
            SELECT _document, string_to_array(array_to_string(array_transform(array_sort(array_concat(
                       array_transform(_positions, position -> position * 2 + 1),
                       array_transform(array_except(_all, _positions), position -> position * 2))), place -> place % 2), ''), '0') AS _runs
            FROM (
                SELECT id AS _document, positions AS _positions, range(CAST(cardinality(_hashes) AS BIGINT)) AS _all
                FROM '${output:-without-frequent}/positions.parquet' AS positions
                JOIN (SELECT _id, _hashes FROM '${output:-without-frequent}/numbered.parquet') AS numbered ON _id = id
            )
        )
    )
) TO '${output:-without-frequent}/kept.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    SELECT ${input.columns}
    FROM (
        SELECT * REPLACE (array_to_string(CASE WHEN _kept IS NULL THEN "${input.text}"
                              ELSE array_transform(array_filter(arrays_zip("${input.text}", _kept), part -> part['2']), part -> part['1']) END,
                              ${separator:-chr(10) || chr(10)}) AS "${input.text}")
        FROM '${output:-without-frequent}/kept.parquet' AS kept
        RIGHT JOIN '${output:-without-frequent}/numbered.parquet' AS numbered ON _id = _document
        WHERE CASE WHEN _kept IS NULL THEN cardinality(_hashes) > 0 ELSE array_has(_kept, true) END
    )
) TO '${output:-without-frequent}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)');

COPY (
    SELECT url, part['1'] + 1 AS position, part['2'] AS text
    FROM (
        SELECT "${input.id}" AS url,
               unnest(array_filter(arrays_zip(range(CAST(cardinality("${input.text}") AS BIGINT)), "${input.text}", _kept),
                                   part -> NOT part['3'])) AS part
        FROM '${output:-without-frequent}/kept.parquet' AS kept
        JOIN '${output:-without-frequent}/numbered.parquet' AS numbered ON _id = _document
    )
) TO '${output:-without-frequent}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)');

COPY (
    SELECT "${input.id}" AS url, CAST(cardinality(_hashes) AS BIGINT) AS paragraphs
    FROM '${output:-without-frequent}/kept.parquet' AS kept
    RIGHT JOIN '${output:-without-frequent}/numbered.parquet' AS numbered ON _id = _document
    WHERE CASE WHEN _kept IS NULL THEN cardinality(_hashes) = 0 ELSE NOT array_has(_kept, true) END
) TO '${output:-without-frequent}/removed_documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)');

COPY (
    SELECT * FROM dedup_paragraph_summary(
        '${output:-without-frequent}/numbered.parquet', cardinality("${input.text}"), character_length(array_to_string("${input.text}", '')),
        '${output:-without-frequent}/removed.parquet', '${output:-without-frequent}/documents.parquet')
) TO '${output:-without-frequent}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-without-frequent}/summary.parquet';
