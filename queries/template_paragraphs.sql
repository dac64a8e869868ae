-- The paragraphs that many pages of a host have, such as menus, footers and notices: one row for each host and
-- paragraph, the most frequent first, with an example. Documents whose id is not a URL count as one host, NULL.
--
--   corpus-sql -f queries/template_paragraphs.sql -v input=documents.parquet -v output=templates.parquet
--
-- input      documents: Parquet or JSON lines, a file, folder or glob
-- text       the column with the text; by default the first of text, content and document that the input has
-- id         the column with the URL; by default the first of url and id
-- output     the file; it appears when it is complete
-- separator  the separator of paragraphs, an expression: chr(10) for lines
-- pages      the smallest number of pages with the paragraph
-- share      the smallest share of the host's pages

COPY (
    WITH pages AS (
        SELECT "${input.id}" AS url, coalesce(url_host(CAST("${input.id}" AS VARCHAR)), '') AS host,
               array_filter(string_to_array("${input.text}", ${separator:-chr(10) || chr(10)}), part -> trim(part) <> '') AS parts
        FROM '${input:-data-samples/documents/}'
        WHERE job_require_shares('share', [${share:-0.05}]) AND job_require_counts('pages', 1, [${pages:-3}])
    ),
    hosts AS (
        SELECT host, count(*) AS host_pages FROM pages WHERE cardinality(parts) > 0 GROUP BY host
    ),
    -- Examples are looked up only for frequent paragraphs, so that texts are not held.
    frequent AS (
        SELECT host, hash, count(*) AS pages, min(url_hash) AS url_hash
        FROM (
            SELECT host, text_hash(CAST(url AS VARCHAR)) AS url_hash,
                   unnest(array_distinct(array_transform(parts, part -> text_hash(part)))) AS hash
            FROM pages
        )
        GROUP BY host, hash
        HAVING count(*) >= ${pages:-3}
    ),
    examples AS (
        SELECT host, text_hash(CAST(url AS VARCHAR)) AS url_hash, text_hash(part) AS hash, min(url) AS url, min(left(part, 200)) AS text
        FROM (SELECT host, url, unnest(parts) AS part FROM pages)
        WHERE text_hash(CAST(url AS VARCHAR)) IN (SELECT DISTINCT url_hash FROM frequent)
              AND text_hash(part) IN (SELECT DISTINCT hash FROM frequent)
        GROUP BY host, text_hash(CAST(url AS VARCHAR)), text_hash(part)
    )
    SELECT nullif(frequent.host, '') AS host, frequent.pages, host_pages, round(1.0 * frequent.pages / host_pages, 4) AS share,
           frequent.hash, examples.text, examples.url
    FROM frequent
    JOIN hosts ON hosts.host = frequent.host
    JOIN examples ON examples.host = frequent.host AND examples.hash = frequent.hash AND examples.url_hash = frequent.url_hash
    WHERE 1.0 * frequent.pages / host_pages >= ${share:-0.05}
    ORDER BY frequent.pages DESC, frequent.host, frequent.hash
) TO '${output:-templates.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
