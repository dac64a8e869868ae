-- A summary of web archives: records by type; responses by status, media type, charset, source of
-- the charset, and host; and their errors, such as a body of another type than declared. One row
-- per value, with the number of records and bytes and an example.
--
--   corpus-sql -f queries/warc_report.sql -v input='crawl/*.warc.gz' -v most=50
--
-- input  a file, folder, glob or URL
-- most   the number of values per property, the most frequent ones

WITH described AS (
    SELECT concat(source_file, ' at ' || "offset") AS place, target_uri, content_length, warc_type, truncated,
           CASE WHEN warc_type = 'response' THEN http_response(body) END AS http,
           http['status'] AS status, http['media_type'] AS media_type,
           CASE WHEN http['sniffed_type'] IS DISTINCT FROM http['media_type']
                THEN coalesce(http['media_type'], '(none)') || ', body is ' || http['sniffed_type']
           END AS mismatch,
           CASE WHEN http['sniffed_type'] = 'text/html'
                THEN charset_detect(http['body'], http['charset']) END AS charset,
           regexp_replace(target_uri, '^[a-zA-Z]+://([^/?#]*).*$', '\1') AS host,
           array_to_string(http['repaired'], ', ') AS repaired,
           coalesce(error, http['error']) AS error
    FROM read_warc('${input:-data-samples/web/}')
),
properties AS (
    SELECT place, target_uri, content_length, unnest([
        {property: '1 type', value: coalesce(warc_type, '(damaged)')},
        {property: '2 status', value: CAST(status AS VARCHAR)},
        {property: '3 media type', value: media_type},
        {property: '4 declared type', value: mismatch},
        {property: '5 charset', value: charset['charset'] || ', ' || charset['source']},
        {property: '6 host', value: host},
        {property: '7 cut by crawler', value: truncated},
        {property: '8 repaired', value: nullif(repaired, '')},
        {property: '9 error', value: error}
    ]) AS p
    FROM described
),
counted AS (
    SELECT substr(p['property'], 3) AS property, p['value'] AS value, count(*) AS records,
           sum(content_length) AS bytes, min(coalesce(target_uri, place)) AS example,
           min(p['property']) AS rank
    FROM properties WHERE p['value'] IS NOT NULL
    GROUP BY 1, 2
)
SELECT property, value, records, bytes, example
FROM counted
QUALIFY row_number() OVER (PARTITION BY rank ORDER BY records DESC, value) <= ${most:-20}
ORDER BY rank, records DESC, value;
