-- The captures of a page, fetched by a CDXJ or CDX index from archives of any number and size: only the
-- records that the index names for the page are read, from web servers by one request each.
--
--   corpus-sql -f queries/warc_by_index.sql -v index=index.cdxj -v input=crawl/ -v url=http://www.example/
--
-- index   CDXJ or CDX files, such as warc_cdxj.sql makes
-- input   the folder or the URL that the file names in the index are below
-- url     the page

SELECT warc_type, date, target_uri, source_file, "offset", length,
       http_response(body)['status'] AS status, http_response(body)['media_type'] AS media_type,
       octet_length(body) AS bytes, error
FROM read_warc('${input:-data-samples/warc/}', 'index', '${index:-data-samples/warc/crawl.cdxj}')
WHERE target_uri = '${url:-http://www.example/}'
ORDER BY date;
