-- The main text of web pages without menus, side bars and footers, with the declared title and date
-- of the page. Includes successful responses (status 200) that have a main text.
--
--   corpus-sql --resume -f queries/warc_main_text.sql -v input=crawl/ -v output=articles/
--   corpus-sql -f queries/warc_main_text.sql -v input='crawl/*.warc.gz' -v output=articles.parquet
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete

COPY (
    SELECT url, date, meta['title'] AS title, meta['lang'] AS lang,
           meta['published'] AS published, text
    FROM (
        SELECT target_uri AS url, date, html_meta(http['body'], http['charset']) AS meta,
               html_main_text(http['body'], http['charset']) AS text
        FROM (
            SELECT target_uri, date, http_response(body) AS http
            FROM read_warc('${input:-data-samples/web/}')
            WHERE warc_type = 'response' AND truncated IS NULL
        )
        WHERE http['sniffed_type'] IN ('text/html', 'application/xhtml+xml') AND http['status'] = 200
    )
    WHERE text <> ''
) TO '${output:-main_text.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
