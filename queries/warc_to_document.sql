-- Text of web pages: WARC records to one Parquet file with the URL and the text of each page.
-- Pages are responses that the crawler did not cut off and that are HTML, judged by the declared
-- type and by their bytes; pages without any text are left out. What could not be read is counted
-- in the summary of the run; warc_to_document_fulldata.sql keeps it as rows.
--
--   corpus-sql -f queries/warc_to_document.sql -v input='crawl/*.warc.gz' -v output=documents.parquet
--
-- input   a file, folder, glob or URL
-- output  the file; it appears when it is complete

COPY (
    SELECT url, document
    FROM (
        SELECT target_uri AS url, html_document(http['body'], http['charset']) AS document
        FROM (
            SELECT target_uri, http_response(body) AS http
            FROM read_warc('${input:-data-samples/web/}')
            WHERE warc_type = 'response' AND truncated IS NULL
              AND content_type LIKE 'application/http%'
        )
        WHERE http['sniffed_type'] IN ('text/html', 'application/xhtml+xml')
    )
    WHERE document <> ''
) TO '${output:-documents.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
