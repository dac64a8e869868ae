-- The links of web pages with source, target and text: the edges of a web graph. Pages and records that
-- could not be read, or only in part, have one more row, with an error and without a link.
--
--   corpus-sql --resume -f queries/warc_links.sql -v input=crawl/ -v output=links/
--   corpus-sql -f queries/warc_links.sql -v input='crawl/*.warc.gz' -v output=links.parquet
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete
-- errors  with --resume, a folder for the rows with an error

COPY (
    SELECT url, date, link['position'] AS position, link['kind'] AS kind, link['url'] AS target,
           link['text'] AS text, link['rel'] AS rel, CASE WHEN link IS NULL THEN error END AS error
    FROM (
        SELECT url, date, error, unnest(CASE WHEN error IS NULL THEN links ELSE array_append(links, NULL) END) AS link
        FROM web_pages('${input:-data-samples/web/}')
        WHERE truncated IS NULL
    )
) TO '${output:-links.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'errors' '${errors:-}');
