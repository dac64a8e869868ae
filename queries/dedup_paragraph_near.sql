-- Removes paragraphs that are nearly the same as others in the corpus. Of a group of similar paragraphs, the first in
-- a given order is kept.
--
-- Paragraphs are similar if their sets of sequences of 4 characters, or of 2 characters if both are short, have a
-- Jaccard similarity of at least 0.7. MinHash finds candidate pairs, as in dedup_minhash.sql; each is then checked
-- with the texts. Only hashes and positions are sorted and grouped. Each distinct paragraph is signed once, however
-- often it occurs.
--
-- documents.parquet has the remaining documents. removed.parquet has each removed paragraph with the position of the
-- kept one and their similarity, removed_documents.parquet each document that had no paragraph or lost all of them,
-- similar.parquet each distinct removed paragraph with the start of both texts, stats.parquet how often a paragraph
-- occurs (occurrences) and how often it and similar paragraphs occur (near_occurrences), and summary.parquet documents,
-- paragraphs and characters in and out. The files of the steps are removed at the end.
--
-- uzushio's DeduplicateParagraphs finds such paragraphs with 128 bits of SimHash, in windows of the sorted hashes. It
-- estimates the similarity of long paragraphs, limits the edit distance of short ones, and leaves out documents of 2 MiB
-- or 1,000 paragraphs. The threshold of long paragraphs and both frequencies are the same here.
--
--   corpus-sql -f queries/dedup_paragraph_near.sql -v input=documents.parquet -v output=deduplicated/
--
-- input       documents with any columns, which are kept: Parquet or JSON lines, a file, folder or glob
-- text        the column with the text; by default the first of text, content and document that the input has
-- id          the column that identifies documents; by default the first of url and id
-- output      a folder
-- separator   the separator of paragraphs, an expression: chr(10) for lines
-- key         the compared value, an expression; by default lower case, one width (NFKC) and single spaces
-- shingle     the parts that are compared: '4 characters', or for languages with spaces '3 words'
-- similarity  the smallest similarity of two paragraphs of a group
-- short, short_shingle   paragraphs of up to 30 characters are compared by these parts, too: '2 characters'
-- shortest    paragraphs with fewer characters are kept, however often they occur: see dedup_paragraph_exact.sql
-- bins, bands, rows   100 values in 20 bands of 5 find 97 % of the pairs of similarity 0.7, 99.9 % at 0.8
-- neighbours, compared   as in dedup_minhash.sql. Each pair that is compared takes about the size of a paragraph on disk
-- tried       if none of this many pairs of a paragraph is similar, its other pairs are not compared. The summary
--             counts the pairs that tried and compared leave out as pairs_left_out
-- order       the first in this order is kept, as in ORDER BY; by default the order of the hashes of URLs, which
--             prefers no site
-- least       paragraphs that occur less often, and without similar ones, are not in stats.parquet: 1 for merge_stats.sql
-- max_size    groups do not grow beyond this many different paragraphs
-- keep        true keeps the files of the steps, with which --resume continues when a variable has changed

COPY (
    SELECT row_number() OVER () AS _id, *,
           array_transform("${input.text}", part -> CASE WHEN character_length(part) >= ${shortest:-20} THEN text_hash(
               ${key:-lower(text_collapse_space(text_normalize(part, 'nfkc')))}) END) AS _hashes
    FROM (
        SELECT * REPLACE (array_filter(string_to_array(coalesce("${input.text}", ''), ${separator:-chr(10) || chr(10)}),
                                       part -> trim(part) <> '') AS "${input.text}")
        FROM '${input:-data-samples/documents/}'
        WHERE job_require_shares('similarity', [${similarity:-0.7}])
              AND job_require_counts('bins, bands, rows, neighbours, compared and least', 1,
                                     [${bins:-100}, ${bands:-20}, ${rows:-5}, ${neighbours:-8}, ${compared:-32}, ${least:-2}])
              AND job_require_counts('short, shortest and tried', 0, [${short:-30}, ${shortest:-20}, ${tried:-8}])
    )
) TO '${output:-deduplicated}/numbered.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- A place is the rank of a document in the order, times 2^31, and the position of a paragraph in it.
COPY (
    SELECT _id AS _document, row_number() OVER (ORDER BY ${order:-text_hash(CAST("${input.id}" AS VARCHAR))}, _id) * 2147483648 AS _first_place
    FROM (SELECT * EXCLUDE (_hashes) REPLACE (array_to_string("${input.text}", ${separator:-chr(10) || chr(10)}) AS "${input.text}")
          FROM '${output:-deduplicated}/numbered.parquet')
) TO '${output:-deduplicated}/ranks.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT id, hash, first_place + position AS place, position
    FROM (
        SELECT ranks._document AS id, ranks._first_place AS first_place, unnest(_hashes) AS hash, unnest(range(CAST(cardinality(_hashes) AS BIGINT))) AS position
        FROM '${output:-deduplicated}/numbered.parquet' AS numbered
        JOIN '${output:-deduplicated}/ranks.parquet' AS ranks ON _document = _id
    )
) TO '${output:-deduplicated}/places.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT hash, min(place) AS place, count(*) AS occurrences
    FROM '${output:-deduplicated}/places.parquet' WHERE hash IS NOT NULL
    GROUP BY hash
) TO '${output:-deduplicated}/distinct.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- For each document, whether each of its paragraphs is the first of its kind. Joining these lists keeps the order of
-- the texts, so texts are never sorted.
COPY (
    SELECT id, places.place - position AS first_place,
           position * 2 + CASE WHEN different.place IS NULL THEN 0 ELSE 1 END AS numbered
    FROM '${output:-deduplicated}/places.parquet' AS places
    LEFT JOIN '${output:-deduplicated}/distinct.parquet' AS different ON different.place = places.place
) TO '${output:-deduplicated}/occurrences.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- array_agg needs a tenth of the memory if the rows of a document are adjacent.
COPY (
    SELECT id, first_place, numbered FROM '${output:-deduplicated}/occurrences.parquet' ORDER BY id
) TO '${output:-deduplicated}/ordered.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT id AS _document, min(first_place) AS _first_place,
           array_transform(array_sort(array_agg(numbered)), number -> number % 2 = 1) AS _is_first
    FROM '${output:-deduplicated}/ordered.parquet'
    GROUP BY id
) TO '${output:-deduplicated}/firsts.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT place, text,
           array_concat(minhash_bands(minhash(text, '${shingle:-4 characters}', ${bins:-100}), ${bands:-20}, ${rows:-5}),
                        CASE WHEN character_length(text) <= ${short:-30} THEN
                            minhash_bands(minhash(text, '${short_shingle:-2 characters}', ${bins:-100}), ${bands:-20}, ${rows:-5})
                        END) AS keys
    FROM (
        SELECT place, ${key:-lower(text_collapse_space(text_normalize(part, 'nfkc')))} AS text
        FROM (
            SELECT _first_place + position AS place, part
            FROM (
                SELECT _first_place, unnest("${input.text}") AS part, unnest(_is_first) AS is_first,
                       unnest(range(CAST(cardinality(_is_first) AS BIGINT))) AS position
                FROM '${output:-deduplicated}/firsts.parquet' AS firsts
                JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON _id = _document
            )
            WHERE is_first
        )
    )
) TO '${output:-deduplicated}/signed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT key
    FROM (SELECT unnest(keys) AS key FROM '${output:-deduplicated}/signed.parquet')
    GROUP BY key HAVING count(*) > 1
) TO '${output:-deduplicated}/keys.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- Each of the next steps sorts or groups only once, so it can use all of the memory.
COPY (
    SELECT banded.key, banded.place
    FROM '${output:-deduplicated}/keys.parquet' AS keys
    JOIN (SELECT place, unnest(keys) AS key FROM '${output:-deduplicated}/signed.parquet') AS banded ON banded.key = keys.key
) TO '${output:-deduplicated}/banded.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    SELECT place, unnest(array_agg(place) OVER (
               PARTITION BY key ORDER BY place ROWS BETWEEN ${neighbours:-8} PRECEDING AND 1 PRECEDING)) AS first_place
    FROM '${output:-deduplicated}/banded.parquet'
) TO '${output:-deduplicated}/neighbours.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    SELECT first_place, place, count(*) AS keys
    FROM '${output:-deduplicated}/neighbours.parquet'
    GROUP BY first_place, place
) TO '${output:-deduplicated}/pairs.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    SELECT first_place, place, number
    FROM (
        SELECT first_place, place, row_number() OVER (PARTITION BY place ORDER BY keys DESC, first_place) AS number
        FROM '${output:-deduplicated}/pairs.parquet'
    )
    WHERE number <= ${compared:-32}
) TO '${output:-deduplicated}/candidates.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT DISTINCT unnest(make_array(first_place, place)) AS place FROM '${output:-deduplicated}/candidates.parquet'
) TO '${output:-deduplicated}/compared.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- The best pair of each paragraph is checked first, then a few others, then the rest of paragraphs that have a similar
-- one by then. Pairs within a group are left out. Texts are sorted by their places for that, if necessary on disk,
-- instead of being held in memory. They are copied for sorting, because views keep whole pages of the file in memory.
SET datafusion.optimizer.prefer_hash_join = false;
SET datafusion.execution.parquet.schema_force_view_types = false;

COPY (
    SELECT compared.place, signed.text
    FROM '${output:-deduplicated}/compared.parquet' AS compared
    JOIN (SELECT place, text FROM '${output:-deduplicated}/signed.parquet') AS signed ON signed.place = compared.place
) TO '${output:-deduplicated}/texts.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT pairs.place, pairs.first_place, text AS first_text
    FROM (SELECT first_place, place FROM '${output:-deduplicated}/candidates.parquet' WHERE number = 1) AS pairs
    JOIN '${output:-deduplicated}/texts.parquet' AS texts ON texts.place = pairs.first_place
) TO '${output:-deduplicated}/best_pairs.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT * FROM dedup_similar_pairs(
        '${output:-deduplicated}/best_pairs.parquet', '${output:-deduplicated}/texts.parquet', ${similarity:-0.7},
        ${short:-30}, '${short_shingle:-2 characters}', '${shingle:-4 characters}')
) TO '${output:-deduplicated}/best_edges.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.optimizer.prefer_hash_join = true;
SET datafusion.execution.parquet.schema_force_view_types = true;

COPY (
    SELECT id AS place, component AS group_place
    FROM connected_components('SELECT first_place, place FROM ''${output:-deduplicated}/best_edges.parquet''')
) TO '${output:-deduplicated}/best_groups.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT candidates.first_place, candidates.place
    FROM '${output:-deduplicated}/candidates.parquet' AS candidates
    LEFT JOIN '${output:-deduplicated}/best_groups.parquet' AS one ON one.place = candidates.first_place
    LEFT JOIN '${output:-deduplicated}/best_groups.parquet' AS other ON other.place = candidates.place
    WHERE number BETWEEN 2 AND ${tried:-8} AND coalesce(one.group_place, candidates.first_place) <> coalesce(other.group_place, candidates.place)
) TO '${output:-deduplicated}/unconnected.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.optimizer.prefer_hash_join = false;
SET datafusion.execution.parquet.schema_force_view_types = false;

COPY (
    SELECT * FROM dedup_first_texts('${output:-deduplicated}/unconnected.parquet', '${output:-deduplicated}/texts.parquet')
) TO '${output:-deduplicated}/other_pairs.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT * FROM dedup_similar_pairs(
        '${output:-deduplicated}/other_pairs.parquet', '${output:-deduplicated}/texts.parquet', ${similarity:-0.7},
        ${short:-30}, '${short_shingle:-2 characters}', '${shingle:-4 characters}')
) TO '${output:-deduplicated}/other_edges.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.optimizer.prefer_hash_join = true;
SET datafusion.execution.parquet.schema_force_view_types = true;

COPY (
    SELECT id AS place, component AS group_place
    FROM connected_components('SELECT first_place, place FROM ''${output:-deduplicated}/best_edges.parquet''
                               UNION ALL SELECT first_place, place FROM ''${output:-deduplicated}/other_edges.parquet''')
) TO '${output:-deduplicated}/other_groups.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT candidates.first_place, candidates.place
    FROM '${output:-deduplicated}/candidates.parquet' AS candidates
    JOIN '${output:-deduplicated}/other_groups.parquet' AS other ON other.place = candidates.place
    LEFT JOIN '${output:-deduplicated}/other_groups.parquet' AS one ON one.place = candidates.first_place
    WHERE number > ${tried:-8} AND coalesce(one.group_place, candidates.first_place) <> other.group_place
) TO '${output:-deduplicated}/further.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.optimizer.prefer_hash_join = false;
SET datafusion.execution.parquet.schema_force_view_types = false;

COPY (
    SELECT * FROM dedup_first_texts('${output:-deduplicated}/further.parquet', '${output:-deduplicated}/texts.parquet')
) TO '${output:-deduplicated}/further_pairs.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT * FROM dedup_similar_pairs(
        '${output:-deduplicated}/further_pairs.parquet', '${output:-deduplicated}/texts.parquet', ${similarity:-0.7},
        ${short:-30}, '${short_shingle:-2 characters}', '${shingle:-4 characters}')
) TO '${output:-deduplicated}/further_edges.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.optimizer.prefer_hash_join = true;
SET datafusion.execution.parquet.schema_force_view_types = true;

-- The smallest place of a group, which is that of the kept paragraph, identifies the group.
COPY (
    SELECT id AS place, component AS kept_place, size
    FROM connected_components('SELECT first_place, place FROM ''${output:-deduplicated}/best_edges.parquet''
                               UNION ALL SELECT first_place, place FROM ''${output:-deduplicated}/other_edges.parquet''
                               UNION ALL SELECT first_place, place FROM ''${output:-deduplicated}/further_edges.parquet''',
                              'max_size', ${max_size:-100000})
) TO '${output:-deduplicated}/groups.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.optimizer.prefer_hash_join = false;
SET datafusion.execution.parquet.schema_force_view_types = false;

COPY (
    SELECT groups.place, groups.kept_place, size, text AS kept_text
    FROM '${output:-deduplicated}/groups.parquet' AS groups
    JOIN '${output:-deduplicated}/texts.parquet' AS texts ON texts.place = groups.kept_place
    WHERE groups.place <> groups.kept_place
) TO '${output:-deduplicated}/kept_pairs.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT pairs.place, pairs.kept_place, size,
           dedup_jaccard(kept_text, text, ${short:-30}, '${short_shingle:-2 characters}',
                         '${shingle:-4 characters}') AS similarity,
           left(text, 200) AS start, left(kept_text, 200) AS kept_start
    FROM '${output:-deduplicated}/kept_pairs.parquet' AS pairs
    JOIN '${output:-deduplicated}/texts.parquet' AS texts ON texts.place = pairs.place
) TO '${output:-deduplicated}/similar.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

SET datafusion.optimizer.prefer_hash_join = true;
SET datafusion.execution.parquet.schema_force_view_types = true;

COPY (
    SELECT hash, occurrences, different.place, kept_place
    FROM '${output:-deduplicated}/distinct.parquet' AS different
    LEFT JOIN '${output:-deduplicated}/groups.parquet' AS groups ON groups.place = different.place
    WHERE occurrences >= ${least:-2} OR kept_place IS NOT NULL
) TO '${output:-deduplicated}/grouped.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT kept_place, sum(occurrences) AS near_occurrences
    FROM '${output:-deduplicated}/grouped.parquet' WHERE kept_place IS NOT NULL
    GROUP BY kept_place
) TO '${output:-deduplicated}/totals.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT hash, grouped.place, coalesce(grouped.kept_place, grouped.place) AS kept_place, occurrences,
           coalesce(near_occurrences, occurrences) AS near_occurrences, coalesce(similarity, 1.0) AS similarity
    FROM '${output:-deduplicated}/grouped.parquet' AS grouped
    LEFT JOIN '${output:-deduplicated}/totals.parquet' AS totals ON totals.kept_place = grouped.kept_place
    LEFT JOIN '${output:-deduplicated}/similar.parquet' AS others ON others.place = grouped.place
) TO '${output:-deduplicated}/repeated.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT repeated.hash, kept.hash AS kept_hash, repeated.occurrences, repeated.near_occurrences
    FROM '${output:-deduplicated}/repeated.parquet' AS repeated
    JOIN (SELECT place, hash FROM '${output:-deduplicated}/repeated.parquet' WHERE place = kept_place) AS kept
    ON kept.place = repeated.kept_place
) TO '${output:-deduplicated}/stats.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT id, position, places.place, repeated.kept_place, similarity
    FROM '${output:-deduplicated}/places.parquet' AS places
    LEFT JOIN '${output:-deduplicated}/repeated.parquet' AS repeated
    ON repeated.hash = places.hash AND repeated.kept_place <> places.place
) TO '${output:-deduplicated}/marked.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- Even numbers are positions of kept paragraphs, odd numbers those of others. Sorting them takes a tenth of the time
-- and a quarter of the memory of `array_agg(… ORDER BY position)`.
COPY (
    SELECT id, position * 2 + CASE WHEN kept_place IS NULL THEN 0 ELSE 1 END AS numbered
    FROM '${output:-deduplicated}/marked.parquet'
    ORDER BY id
) TO '${output:-deduplicated}/numbers.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT id, array_transform(array_sort(array_agg(numbered)), number -> number % 2 = 0) AS kept
    FROM '${output:-deduplicated}/numbers.parquet'
    GROUP BY id
) TO '${output:-deduplicated}/kept.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT ${input.columns}
    FROM (
        SELECT * REPLACE (array_to_string(array_transform(array_filter(arrays_zip("${input.text}", _kept), part -> part['2']),
                                                          part -> part['1']),
                                          ${separator:-chr(10) || chr(10)}) AS "${input.text}")
        FROM (SELECT id AS _document, kept AS _kept FROM '${output:-deduplicated}/kept.parquet') AS kept
        JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON _id = _document
    )
    WHERE array_has(_kept, true)
) TO '${output:-deduplicated}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

-- The removed paragraphs, in the order of their documents. Positions are in the high bits of each number, so sorted
-- lists of numbers are in the order of the paragraphs.
COPY (
    SELECT id, position * 2147483648 + kept_place // 2147483648 AS kept_rank,
           position * 2147483648 + kept_place % 2147483648 AS kept_position,
           position * 2147483648 + CAST(round(similarity * 1000000000) AS BIGINT) AS similarity
    FROM '${output:-deduplicated}/marked.parquet'
    WHERE kept_place IS NOT NULL
    ORDER BY id
) TO '${output:-deduplicated}/removals.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT id, array_sort(array_agg(kept_rank)) AS kept_ranks, array_sort(array_agg(kept_position)) AS kept_positions,
           array_sort(array_agg(similarity)) AS similarities
    FROM '${output:-deduplicated}/removals.parquet'
    GROUP BY id
) TO '${output:-deduplicated}/removal_lists.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- A join holds its first table unless it knows that the second is smaller, so the narrow ones come first. Texts are
-- never sorted.
COPY (
    SELECT url, kept_rank // 2147483648 + 1 AS position, text, kept_rank % 2147483648 AS kept_rank,
           kept_position % 2147483648 + 1 AS kept_position, similarity % 2147483648 / 1000000000.0 AS similarity
    FROM (
        SELECT numbered."${input.id}" AS url, unnest(removals.kept_ranks) AS kept_rank,
               unnest(removals.kept_positions) AS kept_position, unnest(removals.similarities) AS similarity,
               unnest(array_transform(array_filter(arrays_zip(numbered."${input.text}", _kept), part -> NOT part['2']),
                                      part -> part['1'])) AS text
        FROM (SELECT id AS _removed, * EXCLUDE (id) FROM '${output:-deduplicated}/removal_lists.parquet') AS removals
        JOIN (SELECT id AS _document, kept AS _kept FROM '${output:-deduplicated}/kept.parquet') AS kept ON _document = _removed
        JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON _id = _removed
    )
) TO '${output:-deduplicated}/removed_texts.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    SELECT texts.url, position, text, kept.url AS kept_url, kept_position, similarity
    FROM (
        SELECT _first_place // 2147483648 AS rank, numbered."${input.id}" AS url
        FROM '${output:-deduplicated}/ranks.parquet' AS ranks
        JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON _id = _document
    ) AS kept
    JOIN '${output:-deduplicated}/removed_texts.parquet' AS texts ON kept_rank = rank
) TO '${output:-deduplicated}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT "${input.id}" AS url, CAST(cardinality(_hashes) AS BIGINT) AS paragraphs
    FROM (SELECT id AS _document FROM '${output:-deduplicated}/kept.parquet' WHERE array_has(kept, true)) AS kept
    RIGHT JOIN '${output:-deduplicated}/numbered.parquet' AS numbered ON _id = _document
    WHERE _document IS NULL
) TO '${output:-deduplicated}/removed_documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    WITH total AS (
        SELECT * FROM dedup_paragraph_summary(
            '${output:-deduplicated}/numbered.parquet', cardinality("${input.text}"), character_length(array_to_string("${input.text}", '')),
            '${output:-deduplicated}/removed.parquet', '${output:-deduplicated}/documents.parquet')
    ),
    grouped AS (
        SELECT count(DISTINCT kept_place) AS groups, coalesce(max(size), 1) AS largest_group
        FROM '${output:-deduplicated}/groups.parquet'
    ),
    pairs AS (
        SELECT count(*) AS pairs FROM '${output:-deduplicated}/pairs.parquet'
    ),
    chosen AS (
        SELECT count(*) FILTER (WHERE number <= ${tried:-8} OR grouped.place IS NOT NULL) AS pairs
        FROM '${output:-deduplicated}/candidates.parquet' AS candidates
        LEFT JOIN (SELECT place FROM '${output:-deduplicated}/other_groups.parquet') AS grouped ON grouped.place = candidates.place
    )
    SELECT total.*, groups, largest_group, pairs.pairs, pairs.pairs - chosen.pairs AS pairs_left_out
    FROM total CROSS JOIN grouped CROSS JOIN pairs CROSS JOIN chosen
) TO '${output:-deduplicated}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-deduplicated}/summary.parquet';
