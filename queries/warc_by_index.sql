-- The captures of a page, found by a CDXJ or CDX index. Only the records that the index lists for
-- the page are read; from web servers, each with one request.
--
--   corpus-sql -f queries/warc_by_index.sql -v index=index.cdxj -v input=crawl/ -v url=http://www.example/
--
-- index   CDXJ or CDX files, for example made by warc_cdxj.sql
-- input   the folder or URL that contains the files named in the index
-- url     the page

SELECT warc_type, date, target_uri, source_file, "offset", length,
       http_response(body).status AS status, http_response(body).media_type AS media_type,
       octet_length(body) AS bytes, error
FROM read_warc('${input:-data-samples/warc/}', 'index', '${index:-data-samples/warc/crawl.cdxj}')
WHERE target_uri = '${url:-http://www.example/}'
ORDER BY date;
