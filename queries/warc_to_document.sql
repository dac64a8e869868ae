-- Text of web pages: writes the URL and text of each page in WARC files to one Parquet file. Pages
-- are complete responses that are HTML, judged by the declared type and by their bytes. Pages
-- without text are left out. Errors are counted in the summary of the run;
-- warc_to_document_fulldata.sql keeps them as rows.
--
--   corpus-sql --resume -f queries/warc_to_document.sql -v input=crawl/ -v output=documents/
--   corpus-sql -f queries/warc_to_document.sql -v input='crawl/*.warc.gz' -v output=documents.parquet
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete

COPY (
    SELECT url, document
    FROM web_pages('${input:-data-samples/web/}')
    WHERE truncated IS NULL AND document <> ''
) TO '${output:-documents.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
