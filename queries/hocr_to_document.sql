-- The text of scanned pages in reading order. Unreadable pages are rows with an error. hocr_to_books.sql joins the
-- pages of each book.
--
--   corpus-sql --resume -f queries/hocr_to_document.sql -v input=scans/ -v output=pages/
--   corpus-sql -f queries/hocr_to_document.sql -v input='scans/' -v output=pages.parquet
--   corpus-sql -f queries/hocr_to_document.sql -v source=read_sequencefile -v key=key -v data=value -v input='books/*.seq'
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete
-- errors  with --resume, a folder for the rows with an error
-- source, key, data   the function that reads the input, and its columns with the key and the data

COPY (
    SELECT page_key AS url, page['page'] AS page, page['page_number'] AS page_number,
           page['image'] AS image, page['text'] AS document, coalesce(error, page['error'], CASE WHEN page IS NULL THEN 'no page' END) AS error
    FROM (
        -- Keeps a row for files without pages.
        SELECT job_text(${key:-source_file}) AS page_key, error, hocr_pages(${data:-content}) AS pages,
               unnest(CASE WHEN cardinality(pages) > 0 THEN pages ELSE [NULL] END) AS page
        FROM ${source:-read_hocr}('${input:-data-samples/files/}')
    )
) TO '${output:-pages.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'errors' '${errors:-}');
