-- How often each paragraph of a corpus occurs: its hash, the number of its occurrences, and the number of
-- documents that have it. Statistics of several crawls are added up by merge_stats.sql.
--
--   corpus-sql -f queries/paragraph_stats.sql -v input=documents.parquet -v output=2024-10.stats.parquet
--
-- input      documents: Parquet or JSON lines, a file, folder or glob
-- text       the column with the text; by default the first of text, content and document that the input has
-- output     the file; it appears when it is complete
-- separator  the separator of paragraphs, an expression: chr(10) for lines
-- key        the counted value, an expression: lower(text_collapse_space(part)) ignores case and white space
-- least      the smallest number of occurrences that is written

COPY (
    SELECT hash, sum(times) AS occurrences, count(*) AS documents
    FROM (
        SELECT id, hash, count(*) AS times
        FROM (
            SELECT row_number() OVER () AS id, unnest(array_transform(
                       array_filter(string_to_array("${input.text}", ${separator:-chr(10) || chr(10)}), part -> trim(part) <> ''),
                       part -> text_hash(${key:-part}))) AS hash
            FROM '${input:-data-samples/documents/}'
            WHERE job_require_counts('least', 1, [${least:-1}])
        )
        GROUP BY id, hash
    )
    GROUP BY hash
    HAVING sum(times) >= ${least:-1}
) TO '${output:-stats.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
