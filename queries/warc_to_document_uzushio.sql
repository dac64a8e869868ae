-- Text of web pages with the rules of uzushio's WarcToDocument: the same columns, filters and rules for paragraphs.
-- As in uzushio, HTTP bodies are neither de-chunked nor decompressed, the status is ignored, and a page that does not
-- declare its charset is an empty document.
--
-- Some differences are inevitable: uzushio's HTML parser TagSoup closes and moves elements by rules that browsers do
-- not follow (misnested tags, content of textarea, select and iframe). uzushio loses pages whose HTTP head its parser
-- rejects; they are kept here. docs/uzushio.md counts the equal documents.
--
--   corpus-sql --resume -f queries/warc_to_document_uzushio.sql -v input=crawl/ -v output=documents/
--   corpus-sql -f queries/warc_to_document_uzushio.sql -v input='crawl/*.warc.gz' -v output=documents.parquet
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete

COPY (
    SELECT
        coalesce(target_uri, '') AS "WARC-Target-URI",
        CASE WHEN charset_decode(payload, charset) IS NOT NULL
             THEN html_document(charset_decode(payload, charset), 'utf-8', 'uzushio')
             WHEN charset_detect(payload)['source'] IN ('bom', 'meta') THEN html_document(payload, NULL, 'uzushio')
             ELSE '' END AS document
    FROM (
        SELECT target_uri, warc_payload(body) AS payload, http_response(body) AS http,
               http['charset'] AS charset, http_header(http['headers'], 'Content-Type') AS http_type
        FROM read_warc('${input:-data-samples/web/}')
        WHERE warc_type = 'response' AND truncated IS NULL
          AND starts_with(content_type, 'application/http') AND starts_with(trim(http_type), 'text/html')
    )
) TO '${output:-documents_uzushio.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
