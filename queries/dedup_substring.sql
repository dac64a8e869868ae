-- Removes passages of 50 words or more that occurred before in the corpus, in another document or in the same
-- one, wherever they start and end (Lee et al., Deduplicating Training Data Makes Language Models Better, 2021).
-- Of equal passages, the first in a given order is kept. Passages are compared exactly as they are, by hashes
-- of 128 bits; texts are streamed, and only hashes are grouped and joined, on disk if need be.
--
-- A word is removed if it is in a window of 50 words that occurred before. Where a passage overlaps the one
-- that it repeats, as in ha ha ha …, the first 50 words stay. Documents of which nothing is left are removed.
--
-- The steps: fingerprints of all documents, of which equal windows share one (see text_fingerprints); those that
-- occur twice; the hashes of windows that have one of these; the first place of each that occurs twice; the
-- other places. documents.parquet has the documents, removed.parquet each removed passage with the URL of the
-- document where it is kept, start and end in characters of the original text, and summary.parquet documents
-- and characters in and out. The other files are intermediate results.
--
-- 1 GB of text with a tenth of it repeated takes one to two minutes on two cores, 0.8 GB of memory with --memory-limit
-- 1GB, and 1 GB of disk. Each repeated word takes 14 bytes of disk: run the other jobs for duplicates before.
--
--   corpus-sql -f queries/dedup_substring.sql -v input=documents.parquet -v output=deduplicated/ -v order='date, url'
--
-- input   documents with the columns url and document, and any others, which are kept: Parquet or JSON lines,
--         a file, folder or glob
-- output  a folder
-- window  the shortest passage: '50 words', or for languages without spaces '100 characters'. '50 normalized words'
--         (or characters) also finds those that differ in width, case and punctuation
-- order   the order of which the first is kept, as in ORDER BY

-- Texts are read as plain columns: as views, all would stay in memory until the last one has its number.
SET datafusion.execution.parquet.schema_force_view_types = false;

COPY (
    SELECT CAST(row_number() OVER () AS BIGINT) AS id, *
    FROM '${input:-data-samples/documents/}'
) TO '${output:-deduplicated}/numbered.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

SET datafusion.execution.parquet.schema_force_view_types = true;

COPY (
    SELECT id, url, CAST(row_number() OVER (ORDER BY ${order:-url}, id) AS BIGINT) AS rank
    FROM '${output:-deduplicated}/numbered.parquet'
) TO '${output:-deduplicated}/ranks.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT fingerprint
    FROM (SELECT unnest(text_fingerprints(document, '${window:-50 words}')) AS fingerprint
          FROM '${output:-deduplicated}/numbered.parquet')
    GROUP BY fingerprint HAVING count(*) > 1
) TO '${output:-deduplicated}/fingerprints.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

-- The narrow side of each join is on the left, where it is held in memory.
COPY (
    SELECT ranks.id, rank, fingerprints
    FROM (
        SELECT id, array_agg(fingerprint) AS fingerprints
        FROM (
            SELECT DISTINCT id, found.fingerprint
            FROM '${output:-deduplicated}/fingerprints.parquet' AS repeated
            JOIN (SELECT id, unnest(text_fingerprints(document, '${window:-50 words}')) AS fingerprint
                  FROM '${output:-deduplicated}/numbered.parquet') AS found ON found.fingerprint = repeated.fingerprint
        )
        GROUP BY id
    ) AS candidates
    JOIN '${output:-deduplicated}/ranks.parquet' AS ranks ON ranks.id = candidates.id
) TO '${output:-deduplicated}/candidates.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

-- A place is the number of the document in the order, and in its lower 32 bits the position of a window.
COPY (
    SELECT found['hash'] AS hash, rank * 4294967296 + found['position'] AS place
    FROM (
        SELECT rank, unnest(text_windows(document, '${window:-50 words}', fingerprints)) AS found
        FROM '${output:-deduplicated}/candidates.parquet' AS candidates
        JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON numbered.id = candidates.id
    )
) TO '${output:-deduplicated}/windows.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT hash, min(place) AS first_place
    FROM '${output:-deduplicated}/windows.parquet'
    GROUP BY hash HAVING count(*) > 1
) TO '${output:-deduplicated}/firsts.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

-- Hashes are sorted for this join, on disk if need be, instead of being held in memory.
SET datafusion.optimizer.prefer_hash_join = false;

-- 64 windows that follow each other are a row, with a bit for each that occurred before.
COPY (
    SELECT place / 64 AS block, first_place / 4294967296 AS first_rank, overlap, bit_or(CAST(1 AS BIGINT) << (place % 64)) AS windows
    FROM (
        SELECT place, first_place, greatest(CAST(split_part('${window:-50 words}', ' ', 1) AS BIGINT) - (place - first_place), 0) AS overlap
        FROM '${output:-deduplicated}/windows.parquet' AS windows
        JOIN '${output:-deduplicated}/firsts.parquet' AS firsts ON firsts.hash = windows.hash
        WHERE place > first_place
    )
    GROUP BY block, first_rank, overlap
) TO '${output:-deduplicated}/repeats.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

SET datafusion.optimizer.prefer_hash_join = true;

COPY (
    SELECT id, blocks
    FROM (
        SELECT block / 67108864 AS rank,
               array_agg(named_struct('position', block % 67108864 * 64, 'windows', windows, 'overlap', overlap, 'source', first_rank)) AS blocks
        FROM '${output:-deduplicated}/repeats.parquet'
        GROUP BY rank
    ) AS repeats
    JOIN '${output:-deduplicated}/ranks.parquet' AS ranks ON ranks.rank = repeats.rank
) TO '${output:-deduplicated}/blocks.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT numbered.id, text_window_ranges(document, '${window:-50 words}', blocks) AS ranges
    FROM '${output:-deduplicated}/blocks.parquet' AS blocks
    JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON numbered.id = blocks.id
) TO '${output:-deduplicated}/ranges.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT numbered.* EXCLUDE (id) REPLACE (text_remove_ranges(document, ranges) AS document)
    FROM '${output:-deduplicated}/ranges.parquet' AS ranges
    RIGHT JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON numbered.id = ranges.id
    WHERE ranges IS NULL OR text_collapse_space(text_remove_ranges(document, ranges)) <> ''
) TO '${output:-deduplicated}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

-- All passages of a document are cut out at once. The URLs that are held are those of documents that are repeated.
COPY (
    SELECT passages.url, part['start'] AS start, part['end'] AS "end", text, firsts.url AS first_url
    FROM (
        SELECT ranks.rank, ranks.url
        FROM (
            SELECT DISTINCT part['source'] AS rank
            FROM (SELECT unnest(ranges) AS part FROM '${output:-deduplicated}/ranges.parquet')
        ) AS sources
        JOIN '${output:-deduplicated}/ranks.parquet' AS ranks ON ranks.rank = sources.rank
    ) AS firsts
    JOIN (
        SELECT numbered.url, unnest(ranges) AS part, unnest(text_extract_ranges(document, ranges)) AS text
        FROM '${output:-deduplicated}/ranges.parquet' AS ranges
        JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON numbered.id = ranges.id
    ) AS passages ON part['source'] = firsts.rank
) TO '${output:-deduplicated}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    WITH total AS (
        SELECT count(*) AS documents, coalesce(sum(character_length(document)), 0) AS characters
        FROM '${output:-deduplicated}/numbered.parquet'
    ),
    kept AS (
        SELECT count(*) AS documents FROM '${output:-deduplicated}/documents.parquet'
    ),
    removed AS (
        SELECT count(*) AS passages, coalesce(sum("end" - start), 0) AS characters, coalesce(max("end" - start), 0) AS longest
        FROM '${output:-deduplicated}/removed.parquet'
    ),
    repeating AS (
        SELECT count(*) AS documents FROM '${output:-deduplicated}/ranges.parquet'
    )
    SELECT total.documents AS documents_in, kept.documents AS documents_out, repeating.documents AS documents_with_repeats,
           total.characters AS characters_in, total.characters - removed.characters AS characters_out,
           passages, longest AS longest_passage
    FROM total CROSS JOIN kept CROSS JOIN removed CROSS JOIN repeating
) TO '${output:-deduplicated}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-deduplicated}/summary.parquet';
