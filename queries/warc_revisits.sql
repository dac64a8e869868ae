-- Revisit records, joined with the records that they refer to: by record identifier, by URL and
-- date, or by URL and payload digest, whichever is available. If no original is found, its columns
-- are NULL.
--
--   corpus-sql -f queries/warc_revisits.sql -v input='crawl/*.warc.gz'
--
-- input  a file, folder, glob or URL: the archives with the revisits and with the originals

WITH records AS (
    SELECT source_file, "offset", warc_type, record_id, date, target_uri, payload_digest,
           refers_to, headers
    FROM read_warc('${input:-data-samples/warc/crawl.warc.gz}')
    WHERE warc_type IN ('response', 'resource', 'revisit')
),
revisits AS (
    SELECT *, http_header(headers, 'WARC-Refers-To-Target-URI') AS original_uri,
           http_header(headers, 'WARC-Refers-To-Date') AS original_date
    FROM records WHERE warc_type = 'revisit'
),
originals AS (SELECT * FROM records WHERE warc_type <> 'revisit'),
matches AS (
    SELECT r.source_file, r."offset", o.source_file AS original_file,
           o."offset" AS original_offset, o.target_uri AS original_uri, 1 AS rank
    FROM revisits r JOIN originals o ON r.refers_to = o.record_id
    UNION ALL
    SELECT r.source_file, r."offset", o.source_file, o."offset", o.target_uri, 2
    FROM revisits r JOIN originals o
      ON r.original_uri = o.target_uri AND arrow_try_cast(r.original_date, 'Timestamp(Microsecond, Some("UTC"))') = o.date
    UNION ALL
    SELECT r.source_file, r."offset", o.source_file, o."offset", o.target_uri, 3
    FROM revisits r JOIN originals o
      ON coalesce(r.original_uri, r.target_uri) = o.target_uri AND r.payload_digest = o.payload_digest
),
best AS (
    SELECT DISTINCT ON (source_file, "offset") *
    FROM matches ORDER BY source_file, "offset", rank, original_file, original_offset
)
SELECT r.target_uri, r.date, r.source_file, r."offset",
       b.original_uri, b.original_file, b.original_offset
FROM revisits r LEFT JOIN best b ON r.source_file = b.source_file AND r."offset" = b."offset"
ORDER BY r.source_file, r."offset";
