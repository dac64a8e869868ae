-- Removes long passages that occurred before in the corpus (Lee et al., Deduplicating Training Data
-- Makes Language Models Better, 2021): those of 50 words or more, wherever they start and end. Of
-- equal passages, the first in a given order is kept. Passages are compared exactly as they are, by
-- hashes of 128 bits; texts are streamed, and only hashes are grouped and joined, if necessary on
-- disk.
--
-- A word is removed if it is in a window of 50 words that occurred before. If a passage overlaps the passage that it
-- repeats, as in ha ha ha …, the first 50 words are kept. Documents with nothing left are removed.
--
-- The steps: fingerprints of all documents (equal windows share one, see text_fingerprints); the fingerprints that
-- occur twice; the hashes of the windows with one of these fingerprints; the first position of each hash that occurs
-- twice; its other positions. documents.parquet has the documents, removed.parquet each removed passage with the URL of
-- the document where it is kept, start and end in characters of the original text, removed_documents.parquet the
-- documents with nothing left but white space, and summary.parquet documents and characters in and out. The files of
-- the steps are removed at the end.
--
-- 1 GB of text with a tenth of it repeated takes one to two minutes on two cores, 0.8 GB of memory with --memory-limit
-- 1GB, and 1 GB of disk. Each repeated word takes 14 bytes of disk: run the other jobs for duplicates before.
--
--   corpus-sql -f queries/dedup_substring.sql -v input=documents.parquet -v output=deduplicated/ -v order='date, url'
--
-- input   documents with any columns, which are kept: Parquet or JSON lines, a file, folder or glob
-- text    the column with the text; by default the first of text, content and document that the input has
-- id      the column that identifies documents; by default the first of url and id
-- output  a folder
-- window  the shortest passage: '50 words', or for languages without spaces '100 characters'. '50 normalized words'
--         (or characters) also finds passages that differ in width, case and punctuation
-- order   the first document in this order is kept, as in ORDER BY
-- keep    true keeps the files of the steps, with which --resume continues when a variable has changed

-- Texts are read as plain columns. As views, all of them would stay in memory until the last one has its number.
SET datafusion.execution.parquet.schema_force_view_types = false;

COPY (
    SELECT row_number() OVER () AS _id, *
    FROM '${input:-data-samples/documents/}'
) TO '${output:-deduplicated}/numbered.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.execution.parquet.schema_force_view_types = true;

COPY (
    SELECT _id, "${input.id}" AS _url, row_number() OVER (ORDER BY ${order:-"${input.id}"}, _id ROWS UNBOUNDED PRECEDING) AS _rank
    FROM '${output:-deduplicated}/numbered.parquet'
) TO '${output:-deduplicated}/ranks.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT fingerprint
    FROM (SELECT unnest(text_fingerprints("${input.text}", '${window:-50 words}')) AS fingerprint
          FROM '${output:-deduplicated}/numbered.parquet')
    GROUP BY fingerprint HAVING count(*) > 1
) TO '${output:-deduplicated}/fingerprints.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- The narrow side of each join is on the left, where it is held in memory.
COPY (
    SELECT candidates._id, _rank, _fingerprints
    FROM (
        SELECT _id, array_agg(_fingerprint) AS _fingerprints
        FROM (
            SELECT DISTINCT _id, _fingerprint
            FROM '${output:-deduplicated}/fingerprints.parquet' AS repeated
            JOIN (SELECT _id, unnest(text_fingerprints("${input.text}", '${window:-50 words}')) AS _fingerprint
                  FROM '${output:-deduplicated}/numbered.parquet') AS found ON _fingerprint = repeated.fingerprint
        )
        GROUP BY _id
    ) AS candidates
    JOIN '${output:-deduplicated}/ranks.parquet' AS ranks ON ranks._id = candidates._id
) TO '${output:-deduplicated}/candidates.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- A place consists of the number of the document in the order and, in the lower 32 bits, the position of a window.
COPY (
    SELECT found['hash'] AS hash, _rank * 4294967296 + found['position'] AS place
    FROM (
        SELECT _rank, unnest(text_windows("${input.text}", '${window:-50 words}', _fingerprints)) AS found
        FROM '${output:-deduplicated}/candidates.parquet' AS candidates
        JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON numbered._id = candidates._id
    )
) TO '${output:-deduplicated}/windows.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT hash, min(place) AS first_place
    FROM '${output:-deduplicated}/windows.parquet'
    GROUP BY hash HAVING count(*) > 1
) TO '${output:-deduplicated}/firsts.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- Hashes are sorted for this join, if necessary on disk, instead of being held in memory.
SET datafusion.optimizer.prefer_hash_join = false;

-- A row represents 64 consecutive windows, with a bit for each that occurred before.
COPY (
    SELECT place // 64 AS block, first_place // 4294967296 AS first_rank, overlap, bit_or(CAST(1 AS BIGINT) << (place % 64)) AS windows
    FROM (
        SELECT place, first_place, greatest(CAST(split_part('${window:-50 words}', ' ', 1) AS BIGINT) - (place - first_place), 0) AS overlap
        FROM '${output:-deduplicated}/windows.parquet' AS windows
        JOIN '${output:-deduplicated}/firsts.parquet' AS firsts ON firsts.hash = windows.hash
        WHERE place > first_place
    )
    GROUP BY block, first_rank, overlap
) TO '${output:-deduplicated}/repeats.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.optimizer.prefer_hash_join = true;

COPY (
    SELECT _id, _blocks
    FROM (
        SELECT block // 67108864 AS rank,
               array_agg(named_struct('position', block % 67108864 * 64, 'windows', windows, 'overlap', overlap, 'source', first_rank)) AS _blocks
        FROM '${output:-deduplicated}/repeats.parquet'
        GROUP BY rank
    ) AS repeats
    JOIN '${output:-deduplicated}/ranks.parquet' AS ranks ON _rank = repeats.rank
) TO '${output:-deduplicated}/blocks.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    -- The rest is the remaining text of a removed document.
    SELECT _id, _ranges, CASE WHEN text_collapse_space(_left) = '' THEN _left END AS _rest
    FROM (
        SELECT _id, _ranges, text_remove_ranges(_text, _ranges) AS _left
        FROM (
            SELECT blocks._id, "${input.text}" AS _text, text_window_ranges("${input.text}", '${window:-50 words}', _blocks) AS _ranges
            FROM '${output:-deduplicated}/blocks.parquet' AS blocks
            JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON numbered._id = blocks._id
        )
    )
) TO '${output:-deduplicated}/ranges.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT ${input.columns}
    FROM (
        SELECT * REPLACE (text_remove_ranges("${input.text}", _ranges) AS "${input.text}")
        FROM (SELECT _id AS _changed, _ranges, _rest FROM '${output:-deduplicated}/ranges.parquet') AS ranges
        RIGHT JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON _id = _changed
        WHERE _rest IS NULL
    )
) TO '${output:-deduplicated}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

-- All passages of a document are cut out together. Only the URLs of repeated documents are held.
COPY (
    SELECT passages.url, part['start'] AS start, part['end'] AS "end", text, firsts._url AS first_url
    FROM (
        SELECT _rank, _url
        FROM (
            SELECT DISTINCT part['source'] AS source
            FROM (SELECT unnest(_ranges) AS part FROM '${output:-deduplicated}/ranges.parquet')
        ) AS sources
        JOIN '${output:-deduplicated}/ranks.parquet' AS ranks ON _rank = source
    ) AS firsts
    JOIN (
        SELECT "${input.id}" AS url, unnest(_ranges) AS part, unnest(text_extract_ranges("${input.text}", _ranges)) AS text
        FROM '${output:-deduplicated}/ranges.parquet' AS ranges
        JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON numbered._id = ranges._id
    ) AS passages ON part['source'] = _rank
) TO '${output:-deduplicated}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT _url AS url, character_length(_rest) AS characters
    FROM (SELECT _id, _rest FROM '${output:-deduplicated}/ranges.parquet' WHERE _rest IS NOT NULL) AS ranges
    JOIN '${output:-deduplicated}/ranks.parquet' AS ranks ON ranks._id = ranges._id
) TO '${output:-deduplicated}/removed_documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    WITH total AS (
        SELECT count(*) AS documents, coalesce(sum(character_length("${input.text}")), 0) AS characters
        FROM '${output:-deduplicated}/numbered.parquet'
    ),
    kept AS (
        SELECT count(*) AS documents, coalesce(sum(character_length("${input.text}")), 0) AS characters
        FROM '${output:-deduplicated}/documents.parquet'
    ),
    removed AS (
        SELECT count(*) AS passages, coalesce(max("end" - start), 0) AS longest
        FROM '${output:-deduplicated}/removed.parquet'
    ),
    repeating AS (
        SELECT count(*) AS documents FROM '${output:-deduplicated}/ranges.parquet'
    )
    SELECT total.documents AS documents_in, kept.documents AS documents_out, repeating.documents AS documents_with_repeats,
           total.characters AS characters_in, kept.characters AS characters_out,
           passages, longest AS longest_passage
    FROM total CROSS JOIN kept CROSS JOIN removed CROSS JOIN repeating
) TO '${output:-deduplicated}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-deduplicated}/summary.parquet';
