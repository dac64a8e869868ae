-- A record of a web archive, with the content of its HTTP response.
WITH records AS (
    SELECT *, CASE WHEN lower(content_type) LIKE 'application/http%' THEN http_response(body) END AS http,
        coalesce(payload_digest, block_digest) AS digest,
        CASE WHEN payload_digest IS NULL THEN body ELSE warc_payload(body) END AS digested
    FROM found_row
)
SELECT source_file, "offset", length, target_uri AS url, http['status'] AS status,
    coalesce(http['headers'], headers) AS headers,
    coalesce(http['sniffed_type'], http['media_type'], content_type) AS media_type, http['charset'] AS declared,
    digest, warc_digest_ok(digest, digested) AS digest_ok, warc_digest('sha1', digested) AS digest_sha1,
    coalesce(error, http['error']) AS error,
    CASE WHEN http IS NULL THEN body ELSE http['body'] END AS data
FROM records
