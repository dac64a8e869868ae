-- Main text of web pages as Markdown: writes the URL and the main text of each page in WARC files to one
-- Parquet file, with headings, lists, tables, code and formulas. Pages without text are left out.
--
--   corpus-sql --resume -f queries/warc_to_markdown.sql -v input=crawl/ -v output=markdown/
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete

COPY (
    SELECT url, main_markdown AS markdown
    FROM web_pages('${input:-data-samples/web/}')
    WHERE truncated IS NULL AND main_markdown <> ''
) TO '${output:-markdown.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
