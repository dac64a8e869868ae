-- Paragraphs of web pages, one row each: its position in the page, the elements around it, its kind
-- (heading, list item, table, …), its text, and how much of it is in links. A starting point for
-- cleaning and deduplication by paragraphs. Pages and records that could not be read, or only in
-- part, have one more row, with an error and without a paragraph.
--
--   corpus-sql --resume -f queries/warc_to_paragraphs.sql -v input=crawl/ -v output=paragraphs/
--   corpus-sql -f queries/warc_to_paragraphs.sql -v input='crawl/*.warc.gz' -v output=paragraphs.parquet
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete
-- errors  with --resume, a folder for the rows with an error

COPY (
    SELECT url, date, paragraph['position'] AS position, paragraph['path'] AS path,
           paragraph['kind'] AS kind, paragraph['text'] AS text,
           paragraph['characters'] AS characters, paragraph['link_characters'] AS link_characters,
           CASE WHEN paragraph IS NULL THEN error END AS error
    FROM (
        SELECT url, date, error,
               unnest(CASE WHEN error IS NULL THEN paragraphs ELSE array_append(paragraphs, NULL) END) AS paragraph
        FROM web_pages('${input:-data-samples/web/}')
        WHERE truncated IS NULL
    )
) TO '${output:-paragraphs.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'errors' '${errors:-}');
