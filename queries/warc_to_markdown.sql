-- Main text of web pages as Markdown: writes the URL and the main text of each page in WARC files to one
-- Parquet file, with headings, lists, tables, code and formulas. Pages without text are left out. Pages and
-- records that could not be read, or only in part, are rows with an error.
--
--   corpus-sql --resume -f queries/warc_to_markdown.sql -v input=crawl/ -v output=markdown/
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete
-- errors  with --resume, a folder for the rows with an error

COPY (
    SELECT url, main_markdown AS markdown, error
    FROM web_pages('${input:-data-samples/web/}')
    WHERE truncated IS NULL AND (main_markdown <> '' OR error IS NOT NULL)
) TO '${output:-markdown.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'errors' '${errors:-}');
