-- Finds documents that contain texts of a benchmark: it removes them, or cuts the shared passages
-- out. A document is contaminated if it shares an n-gram with an item of the benchmark: 13 words,
-- compared without case, width, marks, punctuation and symbols (see text_windows). Only the
-- benchmark is held in memory; documents are streamed.
--
-- contaminated.parquet has the items found in each document: the number of different n-grams in common, and share,
-- their share of the item's n-grams. passages.parquet has the passages with start and end in characters, items.parquet
-- each item with its number of n-grams and of contaminated documents, and summary.parquet documents and characters in
-- and out. documents.parquet has the remaining documents, and removed.parquet each document that lost text, with the
-- number of characters: all of them (dropped), or those of passages (cut). The files of the steps are removed at the
-- end.
--
--   corpus-sql -f queries/decontaminate.sql -v input=documents.parquet -v benchmark=questions.jsonl -v output=clean/
--
-- input      documents with any columns, which are kept: Parquet or JSON lines, a file, folder or glob
-- text       the column with the text; by default the first of text, content and document that the input has
-- id         the column that identifies documents; by default the first of url and id
-- benchmark  a file, folder or glob as well
-- item       the name of an item of the benchmark, an expression
-- item_text  its text, an expression: by default the question and the answer, if it has one
-- output     a folder
-- ngram      the length of n-grams; for languages without spaces '50 normalized characters'. Shorter items have none
--            and are never found: their n-grams are 0 in items.parquet
-- share      the smallest share of an item's n-grams that contaminates a document; 0 means any n-gram
-- mode       the treatment of contaminated documents: drop removes them, cut cuts the passages out, report keeps
--            them as they are
-- margin     the number of characters around a passage that are cut, too
-- max_cuts   documents with more passages are removed instead of being cut
-- keep       true keeps the files of the steps, with which --resume continues when a variable has changed

COPY (
    SELECT number, item, text, text_windows(text, '${ngram:-13 normalized words}') AS ngrams
    FROM (
        SELECT row_number() OVER () AS number, ${item:-id} AS item, ${item_text:-concat_ws(' ', question, answer)} AS text
        FROM '${benchmark:-data-samples/benchmark/}'
    )
    WHERE job_require('${mode:-drop}' IN ('drop', 'cut', 'report'), 'mode: expected drop, cut or report, got ${mode:-drop}')
          AND job_require_shares('share', [${share:-0}])
          AND job_require_counts('margin and max_cuts', 0, [${margin:-200}, ${max_cuts:-10}])
) TO '${output:-decontaminated}/benchmark.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT DISTINCT number, ngram['hash'] AS hash
    FROM (SELECT number, unnest(ngrams) AS ngram FROM '${output:-decontaminated}/benchmark.parquet')
) TO '${output:-decontaminated}/ngrams.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- Texts are read as plain columns. As views, all of them would stay in memory until the last one has its number.
SET datafusion.execution.parquet.schema_force_view_types = false;

COPY (
    SELECT row_number() OVER () AS _id, *
    FROM '${input:-data-samples/documents/}'
) TO '${output:-decontaminated}/numbered.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.execution.parquet.schema_force_view_types = true;

-- Documents that share fingerprints with the benchmark. The others have none of its n-grams. The narrow side of each
-- join is on the left, where it is held in memory.
COPY (
    SELECT _id, array_agg(_fingerprint) AS _fingerprints
    FROM (
        SELECT DISTINCT _id, _fingerprint
        FROM (SELECT DISTINCT unnest(text_fingerprints(text, '${ngram:-13 normalized words}')) AS fingerprint
              FROM '${output:-decontaminated}/benchmark.parquet') AS listed
        JOIN (SELECT _id, unnest(text_fingerprints("${input.text}", '${ngram:-13 normalized words}')) AS _fingerprint
              FROM '${output:-decontaminated}/numbered.parquet') AS found ON _fingerprint = listed.fingerprint
    )
    GROUP BY _id
) TO '${output:-decontaminated}/candidates.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT id, number, found.hash, position
    FROM '${output:-decontaminated}/ngrams.parquet' AS listed
    JOIN (
        SELECT id, ngram['hash'] AS hash, CAST(ngram['position'] AS BIGINT) AS position
        FROM (
            SELECT numbered._id AS id, unnest(text_windows("${input.text}", '${ngram:-13 normalized words}', _fingerprints)) AS ngram
            FROM '${output:-decontaminated}/candidates.parquet' AS candidates
            JOIN '${output:-decontaminated}/numbered.parquet' AS numbered ON numbered._id = candidates._id
        )
    ) AS found ON found.hash = listed.hash
) TO '${output:-decontaminated}/matches.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT id, matched.number, matched.ngrams, matched.ngrams / CAST(item.ngrams AS DOUBLE) AS share
    FROM (
        SELECT id, number, count(*) AS ngrams
        FROM (SELECT DISTINCT id, number, hash FROM '${output:-decontaminated}/matches.parquet')
        GROUP BY id, number
    ) AS matched
    JOIN (SELECT number, count(*) AS ngrams FROM '${output:-decontaminated}/ngrams.parquet' GROUP BY number) AS item
        ON item.number = matched.number
    WHERE matched.ngrams / CAST(item.ngrams AS DOUBLE) >= ${share:-0}
) TO '${output:-decontaminated}/pairs.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- The passages and the treatment of each contaminated document. It is dropped if nothing is left.
COPY (
    SELECT _id, _url, _start, _ranges, _cuts, _characters, _left,
           CASE WHEN '${mode:-drop}' = 'report' THEN NULL WHEN _left > 0 THEN 'cut' ELSE 'dropped' END AS _stage
    FROM (
        SELECT *, CASE WHEN '${mode:-drop}' = 'cut' AND cardinality(_ranges) <= ${max_cuts:-10}
                            AND text_collapse_space(text_remove_ranges(_text, _cuts)) <> ''
                       THEN character_length(text_remove_ranges(_text, _cuts)) ELSE 0 END AS _left
        FROM (
            SELECT *, array_transform(_ranges, part -> named_struct(
                          'start', part['start'] - ${margin:-200}, 'end', part['end'] + ${margin:-200})) AS _cuts
            FROM (
                SELECT _id, "${input.id}" AS _url, "${input.text}" AS _text, left("${input.text}", 200) AS _start,
                       character_length("${input.text}") AS _characters,
                       text_window_ranges("${input.text}", '${ngram:-13 normalized words}', _blocks) AS _ranges
                FROM (
                    SELECT id AS _found, array_agg(named_struct('position', position, 'windows', windows, 'overlap', 0, 'source', number)) AS _blocks
                    FROM (
                        SELECT matches.id, matches.number, position // 64 * 64 AS position, bit_or(CAST(1 AS BIGINT) << (position % 64)) AS windows
                        FROM '${output:-decontaminated}/pairs.parquet' AS pairs
                        JOIN '${output:-decontaminated}/matches.parquet' AS matches ON matches.id = pairs.id AND matches.number = pairs.number
                        GROUP BY 1, 2, 3
                    )
                    GROUP BY id
                ) AS blocks
                JOIN '${output:-decontaminated}/numbered.parquet' AS numbered ON _id = _found
            )
        )
    )
) TO '${output:-decontaminated}/ranges.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT ${input.columns}
    FROM (
        SELECT * REPLACE (CASE WHEN _stage = 'cut' THEN text_remove_ranges("${input.text}", _cuts) ELSE "${input.text}" END AS "${input.text}")
        FROM (SELECT _id AS _decided, _stage, _cuts FROM '${output:-decontaminated}/ranges.parquet') AS ranges
        RIGHT JOIN '${output:-decontaminated}/numbered.parquet' AS numbered ON _id = _decided
    )
    WHERE _stage IS DISTINCT FROM 'dropped'
) TO '${output:-decontaminated}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT _url AS url, _stage AS stage, _characters - _left AS characters, _start AS start
    FROM '${output:-decontaminated}/ranges.parquet' WHERE _stage IS NOT NULL
) TO '${output:-decontaminated}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT url, item, pairs.ngrams, share
    FROM '${output:-decontaminated}/pairs.parquet' AS pairs
    JOIN (SELECT _id, "${input.id}" AS url FROM '${output:-decontaminated}/numbered.parquet') AS numbered ON _id = pairs.id
    JOIN (SELECT number, item FROM '${output:-decontaminated}/benchmark.parquet') AS items ON items.number = pairs.number
) TO '${output:-decontaminated}/contaminated.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

-- All passages of a document are cut out together.
COPY (
    SELECT url, item, part['start'] AS start, part['end'] AS "end", text
    FROM (SELECT number, item FROM '${output:-decontaminated}/benchmark.parquet') AS items
    JOIN (
        SELECT "${input.id}" AS url, unnest(_ranges) AS part, unnest(text_extract_ranges("${input.text}", _ranges)) AS text
        FROM '${output:-decontaminated}/ranges.parquet' AS ranges
        JOIN '${output:-decontaminated}/numbered.parquet' AS numbered ON numbered._id = ranges._id
    ) AS passages ON part['source'] = items.number
) TO '${output:-decontaminated}/passages.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT item, coalesce(listed.ngrams, 0) AS ngrams, coalesce(found.documents, 0) AS documents, largest_share
    FROM '${output:-decontaminated}/benchmark.parquet' AS items
    LEFT JOIN (SELECT number, count(*) AS ngrams FROM '${output:-decontaminated}/ngrams.parquet' GROUP BY number) AS listed
        ON listed.number = items.number
    LEFT JOIN (
        SELECT number, count(*) AS documents, max(share) AS largest_share
        FROM '${output:-decontaminated}/pairs.parquet' GROUP BY number
    ) AS found ON found.number = items.number
) TO '${output:-decontaminated}/items.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    WITH total AS (
        SELECT count(*) AS documents, coalesce(sum(character_length("${input.text}")), 0) AS characters
        FROM '${output:-decontaminated}/numbered.parquet'
    ),
    kept AS (
        SELECT count(*) AS documents, coalesce(sum(character_length("${input.text}")), 0) AS characters
        FROM '${output:-decontaminated}/documents.parquet'
    ),
    contaminated AS (
        SELECT count(*) AS documents FROM '${output:-decontaminated}/ranges.parquet'
    ),
    items AS (
        SELECT count(*) AS items, coalesce(sum(CAST(documents > 0 AS BIGINT)), 0) AS found, coalesce(sum(CAST(ngrams = 0 AS BIGINT)), 0) AS too_short
        FROM '${output:-decontaminated}/items.parquet'
    )
    SELECT total.documents AS documents_in, kept.documents AS documents_out, contaminated.documents AS contaminated,
           total.characters AS characters_in, kept.characters AS characters_out,
           items, found AS items_found, too_short AS items_too_short
    FROM total CROSS JOIN kept CROSS JOIN contaminated CROSS JOIN items
) TO '${output:-decontaminated}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-decontaminated}/summary.parquet';
