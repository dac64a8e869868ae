-- Text of web pages: writes the URL and text of each page in WARC files to one Parquet file. Pages
-- are complete responses that are HTML, judged by the declared type and by their bytes. Pages
-- without text are left out. Pages and records that could not be read, or only in part, are rows
-- with an error.
--
--   corpus-sql --resume -f queries/warc_to_document.sql -v input=crawl/ -v output=documents/
--   corpus-sql -f queries/warc_to_document.sql -v input='crawl/*.warc.gz' -v output=documents.parquet
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete
-- errors  with --resume, a folder for the rows with an error

COPY (
    SELECT url, document, error
    FROM web_pages('${input:-data-samples/web/}')
    WHERE truncated IS NULL AND (document <> '' OR error IS NOT NULL)
) TO '${output:-documents.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'errors' '${errors:-}');
