-- The pages of a domain in Common Crawl, with their text. Only the records that the columnar index
-- names are read. Unreadable records are rows with an error.
--
--   corpus-sql -f queries/common_crawl_domain.sql -v domain=example.com -v output=example.parquet \
--       -v index=s3://commoncrawl/cc-index/table/cc-main/warc/crawl=CC-MAIN-2024-10/subset=warc/ \
--       -v input=s3://commoncrawl/
--
-- index   the columnar index: Parquet files in a folder or bucket, or a single file of it
-- input   the folder, bucket or URL that contains the archives that the index names
-- domain  a registered domain
-- output  a file

COPY (
    SELECT url, date, lang, title, main_text AS text, source_file, "offset", error
    FROM web_pages('${input:-data-samples/}', 'records', '
        SELECT * FROM ''${index:-data-samples/common-crawl/index.csv}''
        WHERE url_host_registered_domain = ''${domain:-site.example}'' AND fetch_status = 200')
) TO '${output:-domain.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
