-- The overlap of two corpora: pages (by url_surt), documents and paragraphs that are not blank (by the
-- hashes of their texts). For each, the number of different ones in both, in the first and in the second,
-- and the shares that are in both. Only hashes are held.
--
--   corpus-sql -f queries/crawl_overlap.sql -v first=2023.parquet -v second=2024.parquet
--
-- first, second  documents: Parquet or JSON lines, files, folders or globs
-- text           the column with the text; by default the first of text, content and document that the input has
-- id             the column with the URL; by default the first of url and id
-- separator      the separator of paragraphs, an expression: chr(10) for lines

WITH hashes AS (
    SELECT 'pages' AS what, 1 AS corpus, text_hash(url_surt(CAST("${first.id}" AS VARCHAR))) AS hash FROM '${first:-data-samples/documents/}'
    UNION ALL
    SELECT 'pages', 2, text_hash(url_surt(CAST("${second.id}" AS VARCHAR))) FROM '${second:-data-samples/documents/}'
    UNION ALL
    SELECT 'documents', 1, text_hash("${first.text}") FROM '${first:-data-samples/documents/}'
    UNION ALL
    SELECT 'documents', 2, text_hash("${second.text}") FROM '${second:-data-samples/documents/}'
    UNION ALL
    SELECT 'paragraphs', 1, unnest(array_transform(string_to_array("${first.text}", ${separator:-chr(10) || chr(10)}), part -> CASE WHEN trim(part) <> '' THEN text_hash(part) END))
    FROM '${first:-data-samples/documents/}'
    UNION ALL
    SELECT 'paragraphs', 2, unnest(array_transform(string_to_array("${second.text}", ${separator:-chr(10) || chr(10)}), part -> CASE WHEN trim(part) <> '' THEN text_hash(part) END))
    FROM '${second:-data-samples/documents/}'
),
found AS (
    SELECT what, hash, bool_or(corpus = 1) AS in_first, bool_or(corpus = 2) AS in_second
    FROM hashes WHERE hash IS NOT NULL
    GROUP BY what, hash
),
counted AS (
    SELECT what, count(*) FILTER (WHERE in_first) AS first, count(*) FILTER (WHERE in_second) AS second,
           count(*) FILTER (WHERE in_first AND in_second) AS both, count(*) AS total
    FROM found GROUP BY what
)
SELECT what, first, second, both, round(1.0 * both / nullif(first, 0), 4) AS share_of_first,
       round(1.0 * both / nullif(second, 0), 4) AS share_of_second, round(1.0 * both / total, 4) AS jaccard
FROM counted ORDER BY what;
