-- The heads of all records of web archives, without their bodies, as one Parquet file: where
-- each record is, what it is, and every header field. Damaged places are rows whose error says
-- why.
--
--   corpus-sql -f queries/warc_records.sql -v input='crawl/*.warc.gz' -v output=records.parquet
--
-- input   a file, folder, glob or URL
-- output  the Parquet file; it appears when it is complete

COPY (
    SELECT source_file, "offset", length, warc_type, record_id, date, target_uri, content_type,
           ip_address, payload_digest, block_digest, refers_to, truncated, content_length,
           headers, error
    FROM read_warc('${input:-data-samples/warc}')
) TO '${output:-warc_records.parquet}' STORED AS PARQUET;
