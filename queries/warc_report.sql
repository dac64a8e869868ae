-- What is in web archives: records by type and content type, their number and size, the span
-- of their dates, and what is wrong with them.
--
--   corpus-sql -f queries/warc_report.sql -v input='crawl/*.warc.gz'
--
-- input  a file, folder, glob or URL

SELECT
    warc_type,
    content_type,
    count(*) AS records,
    sum(content_length) AS bytes,
    min(date) AS first,
    max(date) AS last,
    count(truncated) AS truncated,
    count(error) AS errors,
    min(error) AS an_error
FROM read_warc('${input:-data-samples/warc}')
GROUP BY warc_type, content_type
ORDER BY records DESC, warc_type, content_type;
