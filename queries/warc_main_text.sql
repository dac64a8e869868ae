-- The main text of web pages, with the declared title and date. Includes successful responses (status 200) that have
-- a main text. Pages and records that could not be read, or only in part, are rows with an error.
--
--   corpus-sql --resume -f queries/warc_main_text.sql -v input=crawl/ -v output=articles/
--   corpus-sql -f queries/warc_main_text.sql -v input='crawl/*.warc.gz' -v output=articles.parquet
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete
-- errors  with --resume, a folder for the rows with an error

COPY (
    SELECT url, date, article['title'] AS title, article['lang'] AS lang, article['published'] AS published,
        article['main_text'] AS text, error
    FROM web_pages('${input:-data-samples/web/}')
    WHERE truncated IS NULL AND (status = 200 AND article['main_text'] <> '' OR error IS NOT NULL)
) TO '${output:-main_text.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'errors' '${errors:-}');
