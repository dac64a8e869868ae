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
-- A revisit names its original in up to three ways, the best first.
revisits AS (
    SELECT number, source_file, "offset", target_uri, date, unnest([
        {rank: 1, key: 'id ' || refers_to},
        {rank: 2, key: 'date ' || original_date || ' ' || original_uri},
        {rank: 3, key: 'digest ' || payload_digest || ' ' || coalesce(original_uri, target_uri)}
    ]) AS way
    FROM (
        -- Records of an archive that is compressed as a whole have the same offset.
        SELECT *, row_number() OVER () AS number, http_header(headers, 'WARC-Refers-To-Target-URI') AS original_uri,
               arrow_try_cast(http_header(headers, 'WARC-Refers-To-Date'), 'Timestamp(Microsecond, Some("UTC"))') AS original_date
        FROM records WHERE warc_type = 'revisit'
    )
),
originals AS (
    SELECT source_file AS original_file, "offset" AS original_offset, target_uri AS original_uri, unnest([
        'id ' || record_id,
        'date ' || date || ' ' || target_uri,
        'digest ' || payload_digest || ' ' || target_uri
    ]) AS key
    FROM records WHERE warc_type <> 'revisit'
)
SELECT * FROM (
    SELECT DISTINCT ON (number)
           target_uri, date, source_file, "offset", original_uri, original_file, original_offset
    FROM revisits LEFT JOIN originals ON way['key'] = key
    ORDER BY number, original_file IS NULL, way['rank'], original_file, original_offset, original_uri
)
ORDER BY source_file, "offset", date, target_uri;
