-- Everything about the responses of web archives: WARC headers, HTTP headers, metadata of the page,
-- its raw body and its text. Every failure is a row with its reason, including damaged places of
-- the archives.
--
--   corpus-sql --resume -f queries/warc_to_document_fulldata.sql -v input=crawl/ -v output=fulldata/
--   corpus-sql -f queries/warc_to_document_fulldata.sql -v input='crawl/*.warc.gz' -v output=fulldata.parquet
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete
-- errors  with --resume, a folder for the rows with an error

COPY (
    SELECT
        source_file, "offset", target_uri AS url, date, truncated,
        headers AS warc_headers,
        http['status'] AS http_status, http['headers'] AS http_headers,
        http['media_type'] AS media_type, http['sniffed_type'] AS sniffed_type,
        http['repaired'] AS http_repaired,
        page['charset'] AS charset, page['charset_source'] AS charset_source,
        page['title'] AS title, page['lang'] AS lang, page['description'] AS description,
        page['canonical'] AS canonical, page['published'] AS published,
        http['body'] AS body,
        page['document'] AS document,
        coalesce(error, http['error'], page['error'],
                 CASE WHEN page['document'] = '' THEN 'no text'
                      WHEN page IS NULL AND http['media_type'] IN ('text/html', 'application/xhtml+xml')
                      THEN 'declared as ' || http['media_type'] || ', but the body is '
                           || http['sniffed_type'] END) AS error
    FROM (
        SELECT source_file, "offset", target_uri, date, truncated, headers, error,
               http_response(body) AS http,
               CASE WHEN http['sniffed_type'] IN ('text/html', 'application/xhtml+xml')
                    THEN html_parse(http['body'], http['charset']) END AS page
        FROM read_warc('${input:-data-samples/web/}')
        WHERE warc_type = 'response' OR warc_type IS NULL
    )
) TO '${output:-fulldata.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'errors' '${errors:-}');
