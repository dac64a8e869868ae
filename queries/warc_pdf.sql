-- The text of the PDFs in web archives. Unreadable PDFs are rows with an error.
--
--   corpus-sql --resume -f queries/warc_pdf.sql -v input=crawl/ -v output=pdfs/
--   corpus-sql -f queries/warc_pdf.sql -v input='crawl/' -v output=pdfs.parquet
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete
-- errors  with --resume, a folder for the rows with an error

COPY (
    SELECT url, date, d['title'] AS title, d['pages'] AS pages, d['text'] AS document,
           d['needs_ocr'] AS needs_ocr, coalesce(d['status'], 'failed') AS status,
           d['error_kind'] AS error_kind, coalesce(error, r['error'], d['error']) AS error
    FROM (
        SELECT target_uri AS url, date, error, http_response(body) AS r, pdf_parse(r['body']) AS d
        FROM read_warc('${input:-data-samples/pdf/}')
        WHERE warc_type = 'response'
          AND (r['sniffed_type'] = 'application/pdf'
               -- Files that start with damage or another format.
               OR r['media_type'] = 'application/pdf'
               OR (url ILIKE '%.pdf%' AND coalesce(r['sniffed_type'], '') NOT LIKE 'text/%'))
    )
) TO '${output:-pdfs.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'errors' '${errors:-}');
