-- Pages of one language in Common Crawl, with their text: a sample that is the same in each run.
-- Only the records that the columnar index names are read. Unreadable records are rows with an
-- error.
--
--   corpus-sql -f queries/common_crawl_language.sql -v language=jpn -v pages=100000 \
--       -v output=japanese.parquet \
--       -v index=s3://commoncrawl/cc-index/table/cc-main/warc/crawl=CC-MAIN-2024-10/subset=warc/ \
--       -v input=s3://commoncrawl/
--
-- index     the columnar index: Parquet files in a folder or bucket, or a single file of it
-- input     the folder, bucket or URL that contains the archives that the index names
-- language  a language with three letters (ISO 639-3): the first one of a page
-- pages     the maximum number of pages
-- output    a file

COPY (
    SELECT url, date, lang, title, main_text AS text, source_file, "offset", error
    FROM web_pages('${input:-data-samples/}', 'records', '
        SELECT * FROM ''${index:-data-samples/common-crawl/index.csv}''
        WHERE job_require(''${language:-jpn}'' ~ ''^[a-z]{3}$'',
                          ''language: expected a code of ISO 639-3 in lower case such as jpn, got ${language:-jpn}'')
          AND content_languages LIKE ''${language:-jpn}%'' AND fetch_status = 200
          AND content_mime_detected IN (''text/html'', ''application/xhtml+xml'')
        ORDER BY content_digest, url LIMIT ${pages:-1000}')
) TO '${output:-language.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
