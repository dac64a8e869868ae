-- Adds up the statistics of several corpora: those of paragraph_stats.sql, or of dedup_paragraph_near.sql with
-- -v least=1. Two paragraphs are in one group if a chain of corpora connects them: for example, the first corpus keeps
-- a paragraph in place of another, and the second keeps a third one in place of the first. The smallest hash of a group
-- represents it.
--
-- hash, occurrences and documents describe a paragraph; kept_hash is its representative, and near_occurrences the
-- number of occurrences of all paragraphs with the same representative.
--
--   corpus-sql -f queries/merge_stats.sql -v stats='*.stats.parquet' -v output=all.stats.parquet
--
-- stats   the files
-- output  the file; it appears when it is complete

COPY (
    -- Columns that the files do not have are NULL.
    WITH given AS (
        SELECT *
        FROM (
            SELECT * FROM '${stats}'
            UNION ALL BY NAME
            SELECT CAST(NULL AS BIGINT) AS hash, CAST(NULL AS BIGINT) AS kept_hash, CAST(NULL AS BIGINT) AS occurrences,
                   CAST(NULL AS BIGINT) AS documents
            WHERE false
        )
        WHERE job_require_stats(hash, occurrences)
    ),
    merged AS (
        SELECT hash, CAST(sum(occurrences) AS BIGINT) AS occurrences, CAST(sum(documents) AS BIGINT) AS documents
        FROM given GROUP BY hash
    ),
    groups AS (
        SELECT id, component
        FROM connected_components('SELECT kept_hash, hash
                                   FROM (SELECT * FROM ''${stats}''
                                         UNION ALL BY NAME
                                         SELECT CAST(NULL AS BIGINT) AS hash, CAST(NULL AS BIGINT) AS kept_hash WHERE false)
                                   WHERE kept_hash <> hash')
    ),
    totals AS (
        SELECT groups.component, CAST(sum(given.occurrences) AS BIGINT) AS near_occurrences
        FROM groups JOIN given ON given.hash = groups.id GROUP BY groups.component
    )
    SELECT merged.hash, merged.occurrences, merged.documents, coalesce(groups.component, merged.hash) AS kept_hash,
           coalesce(near_occurrences, merged.occurrences) AS near_occurrences
    FROM groups
    JOIN totals ON totals.component = groups.component
    RIGHT JOIN merged ON merged.hash = groups.id
) TO '${output:-merged.stats.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
