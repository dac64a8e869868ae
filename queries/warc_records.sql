-- The metadata of all records of web archives, without their bodies: the position of each record, its type, and every
-- header field. Damaged places are rows with an error.
--
--   corpus-sql --resume -f queries/warc_records.sql -v input=crawl/ -v output=records/
--   corpus-sql -f queries/warc_records.sql -v input='crawl/*.warc.gz' -v output=records.parquet
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete
-- errors  with --resume, a folder for the rows with an error

COPY (
    SELECT source_file, "offset", length, warc_type, record_id, date, target_uri, content_type,
           ip_address, payload_digest, block_digest, refers_to, truncated, content_length,
           headers, error
    FROM read_warc('${input:-data-samples/warc}')
) TO '${output:-warc_records.parquet}' STORED AS PARQUET OPTIONS ('errors' '${errors:-}');
