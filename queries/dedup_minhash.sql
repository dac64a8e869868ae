-- Removes documents that are nearly the same as others: texts whose sets of shingles have at least a given Jaccard
-- similarity, by MinHash. Of a group of similar documents, the first in a given order is kept.
--
-- The steps: a signature of each document; keys of its bands; pairs of documents that share a key (each document is
-- only paired with a few before it, so that frequent keys do not pair all documents); their similarity, estimated from
-- the signatures, and computed from the texts if the estimate is close to the limit; groups of similar documents (see
-- connected_components).
--
-- documents.parquet has the kept documents, removed.parquet each removed document with the document kept in its place
-- and their similarity, sizes.parquet the number of groups of each size, largest.parquet the largest groups with the
-- start of a text, and summary.parquet documents and characters in and out. The files of the steps are removed at the
-- end.
--
-- Each file appears when it is complete. With --resume, an interrupted run continues with the missing step.
--
--   corpus-sql -f queries/dedup_minhash.sql -v input=documents.parquet -v output=deduplicated/ -v similarity=0.8
--
-- input       documents with any columns, which are kept: Parquet or JSON lines, a file, folder or glob
-- text        the column with the text; by default the first of text, content and document that the input has
-- id          the column that identifies documents; by default the first of url and id
-- output      a folder
-- key         the compared value, an expression; by default lower case, one width (NFKC) and single spaces
-- shingle     the parts that are compared: '5 characters', or for languages with spaces '5 words'
-- bins        the number of values of a signature
-- bands, rows   the number of bands, and of values per band: 18 and 7 find 98 % of the pairs of similarity 0.8
-- neighbours  the number of preceding documents with the same key that a document is paired with
-- compared    the maximum number of these pairs that are checked per document: the pairs that share most keys; the
--             summary counts the others as pairs_left_out
-- similarity  the smallest similarity of two documents of a group
-- margin      estimates that differ from it by less are checked with the texts: 0 checks none, 1 nearly all
-- order       the first document in this order is kept, as in ORDER BY
-- max_size    groups do not grow beyond this many documents
-- keep        true keeps the files of the steps, with which --resume continues when a variable has changed

COPY (
    SELECT row_number() OVER () AS _id, *, character_length("${input.text}") AS _characters,
           minhash(${key:-lower(text_collapse_space(text_normalize("${input.text}", 'nfkc')))},
                   '${shingle:-5 characters}', ${bins:-128}) AS _signature
    FROM '${input:-data-samples/documents/}'
    WHERE job_require_shares('similarity and margin', [${similarity:-0.8}, ${margin:-0.1}])
          AND job_require_counts('bins, bands, rows, neighbours and compared', 1,
                                 [${bins:-128}, ${bands:-18}, ${rows:-7}, ${neighbours:-8}, ${compared:-32}])
) TO '${output:-deduplicated}/signed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- Of equal signatures, one is compared with others. A single band of all values is a hash of the signature. Pairs are
-- chosen by these hashes, because the order of documents may differ in the next run.
COPY (
    SELECT whole, min(id) AS first_id
    FROM (SELECT _id AS id, minhash_bands(_signature, 1, ${bins:-128})[1] AS whole FROM '${output:-deduplicated}/signed.parquet')
    WHERE whole IS NOT NULL
    GROUP BY whole
) TO '${output:-deduplicated}/different.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT different.whole, unnest(minhash_bands(_signature, ${bands:-18}, ${rows:-7})) AS key
    FROM '${output:-deduplicated}/different.parquet' AS different
    JOIN (SELECT _id, _signature FROM '${output:-deduplicated}/signed.parquet') AS signed ON signed._id = different.first_id
) TO '${output:-deduplicated}/banded.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT key FROM '${output:-deduplicated}/banded.parquet' GROUP BY key HAVING count(*) > 1
) TO '${output:-deduplicated}/keys.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- Each of the next steps sorts or groups only once, so it can use all of the memory.
COPY (
    SELECT banded.key, banded.whole
    FROM '${output:-deduplicated}/keys.parquet' AS keys
    JOIN '${output:-deduplicated}/banded.parquet' AS banded ON banded.key = keys.key
) TO '${output:-deduplicated}/shared.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    SELECT first_whole, whole, count(*) AS keys
    FROM (
        SELECT whole, unnest(array_agg(whole) OVER (
                   PARTITION BY key ORDER BY whole ROWS BETWEEN ${neighbours:-8} PRECEDING AND 1 PRECEDING)) AS first_whole
        FROM '${output:-deduplicated}/shared.parquet'
    )
    GROUP BY first_whole, whole
) TO '${output:-deduplicated}/pairs.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    SELECT first_whole, whole, number
    FROM (
        SELECT first_whole, whole, row_number() OVER (PARTITION BY whole ORDER BY keys DESC, first_whole) AS number
        FROM '${output:-deduplicated}/pairs.parquet'
    )
    WHERE number <= ${compared:-32}
) TO '${output:-deduplicated}/chosen.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    SELECT one.first_id, other.first_id AS id, number
    FROM '${output:-deduplicated}/chosen.parquet' AS pairs
    JOIN '${output:-deduplicated}/different.parquet' AS one ON one.whole = pairs.first_whole
    JOIN '${output:-deduplicated}/different.parquet' AS other ON other.whole = pairs.whole
) TO '${output:-deduplicated}/candidates.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- The best pair of each document is checked first, then pairs whose documents are not in one group yet. Signatures are
-- sorted for these joins, if necessary on disk, instead of being held in memory. They are copied for sorting, because
-- views keep whole pages of the file in memory. Merging holds batches of each sorted part, so small batches need less
-- memory.
SET datafusion.optimizer.prefer_hash_join = false;
SET datafusion.execution.batch_size = 1024;
SET datafusion.execution.parquet.schema_force_view_types = false;

COPY (
    SELECT first_id, id, similarity
    FROM (
        SELECT pairs.first_id, pairs.id, minhash_jaccard(one._signature, other._signature) AS similarity
        FROM (SELECT first_id, id FROM '${output:-deduplicated}/candidates.parquet' WHERE number = 1) AS pairs
        JOIN (SELECT _id, _signature FROM '${output:-deduplicated}/signed.parquet') AS one ON one._id = pairs.first_id
        JOIN (SELECT _id, _signature FROM '${output:-deduplicated}/signed.parquet') AS other ON other._id = pairs.id
    )
    WHERE similarity >= ${similarity:-0.8} - ${margin:-0.1}
) TO '${output:-deduplicated}/best_estimated.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.optimizer.prefer_hash_join = true;
RESET datafusion.execution.batch_size;
SET datafusion.execution.parquet.schema_force_view_types = true;

COPY (
    SELECT first_id, id
    FROM '${output:-deduplicated}/different.parquet' AS different
    JOIN (
        SELECT _id AS id, minhash_bands(_signature, 1, ${bins:-128})[1] AS whole FROM '${output:-deduplicated}/signed.parquet'
    ) AS signed ON signed.whole = different.whole
    WHERE first_id <> id
    UNION ALL
    SELECT first_id, id FROM '${output:-deduplicated}/best_estimated.parquet' WHERE similarity >= ${similarity:-0.8} + ${margin:-0.1}
) TO '${output:-deduplicated}/best_edges.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT id, component FROM connected_components('SELECT first_id, id FROM ''${output:-deduplicated}/best_edges.parquet''')
) TO '${output:-deduplicated}/best_groups.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT candidates.first_id, candidates.id
    FROM '${output:-deduplicated}/candidates.parquet' AS candidates
    LEFT JOIN '${output:-deduplicated}/best_groups.parquet' AS one ON one.id = candidates.first_id
    LEFT JOIN '${output:-deduplicated}/best_groups.parquet' AS other ON other.id = candidates.id
    WHERE number > 1 AND coalesce(one.component, candidates.first_id) <> coalesce(other.component, candidates.id)
) TO '${output:-deduplicated}/unconnected.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.optimizer.prefer_hash_join = false;
SET datafusion.execution.batch_size = 1024;
SET datafusion.execution.parquet.schema_force_view_types = false;

COPY (
    SELECT first_id, id, similarity
    FROM (
        SELECT pairs.first_id, pairs.id, minhash_jaccard(one._signature, other._signature) AS similarity
        FROM '${output:-deduplicated}/unconnected.parquet' AS pairs
        JOIN (SELECT _id, _signature FROM '${output:-deduplicated}/signed.parquet') AS one ON one._id = pairs.first_id
        JOIN (SELECT _id, _signature FROM '${output:-deduplicated}/signed.parquet') AS other ON other._id = pairs.id
    )
    WHERE similarity >= ${similarity:-0.8} - ${margin:-0.1}
) TO '${output:-deduplicated}/other_estimated.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.optimizer.prefer_hash_join = true;
RESET datafusion.execution.batch_size;
SET datafusion.execution.parquet.schema_force_view_types = true;

COPY (
    SELECT first_id, id, similarity FROM '${output:-deduplicated}/best_estimated.parquet'
    UNION ALL
    SELECT first_id, id, similarity FROM '${output:-deduplicated}/other_estimated.parquet'
) TO '${output:-deduplicated}/estimated.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT first_id, id FROM '${output:-deduplicated}/best_edges.parquet'
    UNION ALL
    SELECT first_id, id FROM '${output:-deduplicated}/other_estimated.parquet' WHERE similarity >= ${similarity:-0.8} + ${margin:-0.1}
) TO '${output:-deduplicated}/certain_edges.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT id, component FROM connected_components('SELECT first_id, id FROM ''${output:-deduplicated}/certain_edges.parquet''')
) TO '${output:-deduplicated}/certain_groups.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- Doubtful pairs are checked if they would connect two groups.
COPY (
    SELECT estimated.first_id, estimated.id
    FROM '${output:-deduplicated}/estimated.parquet' AS estimated
    LEFT JOIN '${output:-deduplicated}/certain_groups.parquet' AS one ON one.id = estimated.first_id
    LEFT JOIN '${output:-deduplicated}/certain_groups.parquet' AS other ON other.id = estimated.id
    WHERE similarity < ${similarity:-0.8} + ${margin:-0.1}
      AND coalesce(one.component, estimated.first_id) <> coalesce(other.component, estimated.id)
) TO '${output:-deduplicated}/doubtful.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- A join holds the smaller table. It knows the sizes only of files, so the ids are written first.
COPY (
    SELECT DISTINCT unnest(make_array(first_id, id)) AS _member FROM '${output:-deduplicated}/doubtful.parquet'
) TO '${output:-deduplicated}/doubtful_ids.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT _member AS id, ${key:-lower(text_collapse_space(text_normalize("${input.text}", 'nfkc')))} AS text
    FROM '${output:-deduplicated}/doubtful_ids.parquet' AS doubtful
    JOIN (SELECT * EXCLUDE (_signature) FROM '${output:-deduplicated}/signed.parquet') AS signed ON _id = _member
) TO '${output:-deduplicated}/texts.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- Texts are sorted for these joins, like the signatures above.
SET datafusion.optimizer.prefer_hash_join = false;
SET datafusion.execution.batch_size = 1024;
SET datafusion.execution.parquet.schema_force_view_types = false;

COPY (
    SELECT doubtful.id, doubtful.first_id, text AS first_text
    FROM '${output:-deduplicated}/doubtful.parquet' AS doubtful
    JOIN '${output:-deduplicated}/texts.parquet' AS texts ON texts.id = doubtful.first_id
) TO '${output:-deduplicated}/doubtful_pairs.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT pairs.first_id, pairs.id
    FROM '${output:-deduplicated}/doubtful_pairs.parquet' AS pairs
    JOIN '${output:-deduplicated}/texts.parquet' AS texts ON texts.id = pairs.id
    WHERE text_jaccard(first_text, text, '${shingle:-5 characters}') >= ${similarity:-0.8}
) TO '${output:-deduplicated}/checked_edges.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.optimizer.prefer_hash_join = true;
RESET datafusion.execution.batch_size;
SET datafusion.execution.parquet.schema_force_view_types = true;

COPY (
    SELECT id, component, size
    FROM connected_components('SELECT first_id, id FROM ''${output:-deduplicated}/certain_edges.parquet''
                               UNION ALL SELECT first_id, id FROM ''${output:-deduplicated}/checked_edges.parquet''',
                              'max_size', ${max_size:-100000})
) TO '${output:-deduplicated}/groups.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT groups.id, groups.component, size, groups.id = first_id AS is_first, first_id AS kept_id, first_url AS kept_url
    FROM '${output:-deduplicated}/groups.parquet' AS groups
    JOIN (
        SELECT _component AS component, first_value(_id ORDER BY ${order:-"${input.id}"}, _id) AS first_id,
               first_value("${input.id}" ORDER BY ${order:-"${input.id}"}, _id) AS first_url
        FROM (SELECT id AS _member, component AS _component FROM '${output:-deduplicated}/groups.parquet')
        JOIN (SELECT * EXCLUDE (_signature) FROM '${output:-deduplicated}/signed.parquet') ON _id = _member
        GROUP BY _component
    ) AS firsts ON firsts.component = groups.component
) TO '${output:-deduplicated}/firsts.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT ${input.columns}
    FROM (SELECT id AS _first_of, is_first AS _is_first FROM '${output:-deduplicated}/firsts.parquet') AS firsts
    RIGHT JOIN '${output:-deduplicated}/signed.parquet' AS signed ON _first_of = signed._id
    WHERE _is_first IS NOT FALSE
) TO '${output:-deduplicated}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

SET datafusion.optimizer.prefer_hash_join = false;
SET datafusion.execution.batch_size = 1024;
SET datafusion.execution.parquet.schema_force_view_types = false;

COPY (
    SELECT firsts.id, firsts.kept_url, firsts.component, minhash_jaccard(signed._signature, kept._signature) AS similarity
    FROM '${output:-deduplicated}/firsts.parquet' AS firsts
    JOIN (SELECT _id, _signature FROM '${output:-deduplicated}/signed.parquet') AS signed ON signed._id = firsts.id
    JOIN (SELECT _id, _signature FROM '${output:-deduplicated}/signed.parquet') AS kept ON kept._id = firsts.kept_id
    WHERE NOT firsts.is_first
) TO '${output:-deduplicated}/similarities.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.optimizer.prefer_hash_join = true;
RESET datafusion.execution.batch_size;
SET datafusion.execution.parquet.schema_force_view_types = true;

-- The join holds the first table. Its texts are copied, because views would keep more memory than the rows need.
COPY (
    SELECT "${input.id}" AS url, _kept_url AS kept_url, _component AS component, _similarity AS similarity,
           _characters AS characters, left("${input.text}", 200) AS start
    FROM (
        SELECT id AS _removed, component AS _component, similarity AS _similarity,
               arrow_cast(CAST(kept_url AS VARCHAR), 'LargeUtf8') AS _kept_url
        FROM '${output:-deduplicated}/similarities.parquet'
    ) AS similarities
    JOIN '${output:-deduplicated}/signed.parquet' AS signed ON _id = _removed
) TO '${output:-deduplicated}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT size, count(*) AS groups
    FROM (SELECT component, min(size) AS size FROM '${output:-deduplicated}/groups.parquet' GROUP BY component)
    GROUP BY size ORDER BY size
) TO '${output:-deduplicated}/sizes.parquet' STORED AS PARQUET;

COPY (
    SELECT _size AS size, _kept_url AS url, left("${input.text}", 200) AS start
    FROM (SELECT id AS _first, size AS _size, kept_url AS _kept_url FROM '${output:-deduplicated}/firsts.parquet' WHERE is_first ORDER BY size DESC, id LIMIT 20) AS largest
    JOIN '${output:-deduplicated}/signed.parquet' AS signed ON _id = _first
    ORDER BY _size DESC, _kept_url
) TO '${output:-deduplicated}/largest.parquet' STORED AS PARQUET;

COPY (
    WITH total AS (
        SELECT count(*) AS documents, coalesce(sum(_characters), 0) AS characters, count(*) - count(_signature) AS too_short
        FROM '${output:-deduplicated}/signed.parquet'
    ),
    kept AS (
        SELECT count(*) AS documents, coalesce(sum(character_length("${input.text}")), 0) AS characters
        FROM '${output:-deduplicated}/documents.parquet'
    ),
    grouped AS (
        SELECT coalesce(sum(groups), 0) AS groups, coalesce(max(size), 1) AS largest_group FROM '${output:-deduplicated}/sizes.parquet'
    ),
    pairs AS (
        SELECT count(*) AS pairs FROM '${output:-deduplicated}/pairs.parquet'
    ),
    chosen AS (
        SELECT count(*) AS pairs FROM '${output:-deduplicated}/chosen.parquet'
    )
    SELECT total.documents AS documents_in, kept.documents AS documents_out,
           total.characters AS characters_in, kept.characters AS characters_out,
           groups, largest_group, too_short, pairs.pairs, pairs.pairs - chosen.pairs AS pairs_left_out
    FROM total CROSS JOIN kept CROSS JOIN grouped CROSS JOIN pairs CROSS JOIN chosen
) TO '${output:-deduplicated}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-deduplicated}/summary.parquet';
