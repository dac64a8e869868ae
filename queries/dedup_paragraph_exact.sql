-- Removes paragraphs that occurred before in the corpus. Of equal paragraphs, the one in the first document of a
-- given order is kept: by default the document whose URL has the smallest hash, so that no site is preferred. Texts
-- stay in their document and are streamed. Only hashes and positions are sorted and grouped, if necessary on disk.
-- The last join holds about 40 bytes for each document and a bit for each paragraph.
--
-- The output folder has documents.parquet, removed.parquet (each removed paragraph with its position),
-- removed_documents.parquet (each document that had no paragraph or lost all of them), and summary.parquet
-- (documents, paragraphs and characters in and out). The files of the steps are removed at the end. Each file
-- appears when it is complete. With --resume, an interrupted run continues with the missing step.
--
--   corpus-sql -f queries/dedup_paragraph_exact.sql -v input=documents.parquet -v output=deduplicated/
--
-- input      documents with any columns, which are kept: Parquet or JSON lines, a file, folder or glob
-- text       the column with the text; by default the first of text, content and document that the input has
-- id         the column that identifies documents; by default the first of url and id
-- output     a folder
-- separator  the separator of paragraphs, an expression: chr(10) for lines
-- key        the compared value, an expression: lower(text_collapse_space(part)) ignores case and white space
-- shortest   paragraphs with fewer characters are kept, however often they occur
-- order      the first in this order is kept, as in ORDER BY
-- keep       true keeps the files of the steps, with which --resume continues when a variable has changed

COPY (
    SELECT *, character_length(array_to_string("${input.text}", '')) AS _characters,
           array_transform("${input.text}", part -> CASE WHEN character_length(part) >= ${shortest:-1} THEN text_hash(${key:-part}) END) AS _hashes
    FROM (
        SELECT row_number() OVER () AS _id, text_hash("${input.text}") AS _text_hash,
               * REPLACE (array_filter(string_to_array(coalesce("${input.text}", ''), ${separator:-chr(10) || chr(10)}),
                                       part -> trim(part) <> '') AS "${input.text}")
        FROM '${input:-data-samples/documents/}'
        WHERE job_require_counts('shortest', 0, [${shortest:-1}])
    )
) TO '${output:-deduplicated}/numbered.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

-- Documents are renumbered in the given order, because numbers in the order of the input depend on the threads.
COPY (
    SELECT row_number() OVER (ORDER BY ${order:-text_hash(CAST("${input.id}" AS VARCHAR))}, _text_hash, _id) AS rank, _id AS id
    FROM '${output:-deduplicated}/numbered.parquet'
) TO '${output:-deduplicated}/ranked.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    SELECT * FROM dedup_first_places('${output:-deduplicated}/ranked.parquet', '${output:-deduplicated}/numbered.parquet', _id, _hashes)
) TO '${output:-deduplicated}/places.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    SELECT * FROM dedup_first_positions('${output:-deduplicated}/ranked.parquet', '${output:-deduplicated}/places.parquet')
) TO '${output:-deduplicated}/positions.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    SELECT * FROM dedup_is_first('${output:-deduplicated}/positions.parquet', '${output:-deduplicated}/numbered.parquet', _id, _hashes)
) TO '${output:-deduplicated}/firsts.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

-- The join holds its first table.
COPY (
    SELECT ${input.columns}
    FROM (
        SELECT * REPLACE (array_to_string(array_transform(array_filter(arrays_zip("${input.text}", _firsts), part -> part['2']),
                                                          part -> part['1']),
                                          ${separator:-chr(10) || chr(10)}) AS "${input.text}")
        FROM (SELECT id AS _document, firsts AS _firsts FROM '${output:-deduplicated}/firsts.parquet') AS firsts
        JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON _id = _document
    )
    WHERE array_has(_firsts, true)
) TO '${output:-deduplicated}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)');

COPY (
    SELECT url, part['1'] + 1 AS position, part['2'] AS text
    FROM (
        SELECT "${input.id}" AS url,
               unnest(array_filter(arrays_zip(range(CAST(cardinality("${input.text}") AS BIGINT)), "${input.text}", _firsts),
                                   part -> NOT part['3'])) AS part
        FROM (SELECT id AS _document, firsts AS _firsts FROM '${output:-deduplicated}/firsts.parquet') AS firsts
        JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON _id = _document
    )
) TO '${output:-deduplicated}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)');

COPY (
    SELECT "${input.id}" AS url, _paragraphs AS paragraphs
    FROM (
        SELECT id AS _document, CAST(cardinality(firsts) AS BIGINT) AS _paragraphs
        FROM '${output:-deduplicated}/firsts.parquet' WHERE array_has(firsts, true) IS NOT TRUE
    ) AS firsts
    JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON _id = _document
) TO '${output:-deduplicated}/removed_documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)');

COPY (
    SELECT * FROM dedup_paragraph_summary(
        '${output:-deduplicated}/numbered.parquet', cardinality(_hashes), _characters,
        '${output:-deduplicated}/removed.parquet', '${output:-deduplicated}/documents.parquet')
) TO '${output:-deduplicated}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-deduplicated}/summary.parquet';
