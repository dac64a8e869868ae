-- Adds up the statistics of several corpora that paragraph_stats.sql has written.
--
--   corpus-sql -f queries/merge_stats.sql -v stats='*.stats.parquet' -v output=all.stats.parquet
--
-- stats   the files
-- output  the file; it appears when it is complete

COPY (
    SELECT hash, sum(occurrences) AS occurrences, sum(documents) AS documents
    FROM '${stats}'
    GROUP BY hash
) TO '${output:-merged.stats.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
