-- Tables of web pages: writes one row per table in WARC files to one Parquet file, with its caption, the
-- number of its header rows, and its rows as lists of the texts of cells.
--
--   corpus-sql --resume -f queries/warc_tables.sql -v input=crawl/ -v output=tables/
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete

COPY (
    SELECT url, position, caption, header_rows, rows, error
    FROM web_tables('${input:-data-samples/web/}')
) TO '${output:-tables.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
