-- The size of a crawl by host, from Common Crawl's columnar index alone: pages, pages with different
-- content, their most frequent language, and the bytes of their records. No archive is read.
--
--   corpus-sql -f queries/common_crawl_hosts.sql -v most=100 \
--       -v index=s3://commoncrawl/cc-index/table/cc-main/warc/crawl=CC-MAIN-2024-10/subset=warc/
--
-- index  the columnar index: Parquet files in a folder or bucket, or a single file of it
-- most   the number of hosts to return, the largest first

WITH languages AS (
    SELECT url_host_name, nullif(split_part(content_languages, ',', 1), '') AS language,
           count(*) AS pages, count(DISTINCT content_digest) AS contents, sum(warc_record_length) AS bytes
    FROM '${index:-data-samples/common-crawl/index.csv}'
    GROUP BY 1, 2
)
SELECT url_host_name AS host, sum(pages) AS pages, sum(contents) AS different_pages, sum(bytes) AS bytes,
       first_value(language ORDER BY language IS NULL, pages DESC, language) AS language
FROM languages
GROUP BY url_host_name
ORDER BY bytes DESC, host
LIMIT ${most:-20};
