-- A record of a web archive, with the content of its HTTP response.
WITH records AS (
    SELECT *, CASE WHEN lower(content_type) LIKE 'application/http%' THEN http_response(body) END AS http
    FROM records_of_the_file
)
SELECT source_file, "offset", length, warc_type, record_id, date, target_uri AS url, content_type, truncated,
    http['status'] AS status, http['reason'] AS reason, http['version'] AS version,
    coalesce(http['headers'], headers) AS headers, http['repaired'] AS repaired,
    coalesce(http['sniffed_type'], http['media_type'], content_type) AS media_type, http['charset'] AS declared,
    coalesce(payload_digest, block_digest) AS digest,
    CASE WHEN payload_digest IS NULL THEN warc_digest_ok(block_digest, body)
         ELSE warc_digest_ok(payload_digest, warc_payload(body)) END AS digest_ok,
    warc_digest('sha1', CASE WHEN payload_digest IS NULL THEN body ELSE warc_payload(body) END) AS digest_sha1,
    coalesce(error, http['error']) AS error,
    CASE WHEN http IS NULL THEN body ELSE http['body'] END AS data
FROM records
