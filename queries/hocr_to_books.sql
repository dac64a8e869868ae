-- The text of scanned books in one Parquet file, one row per book: the texts of its pages, ordered
-- by name (page-2 before page-10) and separated by blank lines. A book is the folder or package that
-- contains its pages. errors is the number of its pages and files with an error, or without a page,
-- and error is one of the errors.
-- The text of all books is sorted, and spills to disk if it does not fit into memory.
--
--   corpus-sql -f queries/hocr_to_books.sql -v input='scans/' -v output=books.parquet
--   corpus-sql -f queries/hocr_to_books.sql -v source=read_sequencefile -v key=key -v data=value -v input='books/*.seq'
--
-- input   a file, folder, glob or URL
-- output  the file; it appears when it is complete
-- source, key, data   the function that reads the input, and its columns with the key and the data

COPY (
    SELECT url, count(page['position']) AS pages,
           string_agg(nullif(page['text'], ''), chr(10) || chr(10) ORDER BY number) AS document,
           count(problem) AS errors, min(problem) AS error
    FROM (
        -- Sorts pages, so that they arrive book by book, and only a few books are held.
        SELECT *, row_number() OVER (PARTITION BY url ORDER BY ocr_order(page_key), page_key, page['page']) AS number,
               coalesce(error, page['error'], CASE WHEN page IS NULL THEN 'no page' END) AS problem
        FROM (
            -- Keeps a row for files without pages.
            SELECT ocr_key(${key:-source_file}, source_file, ${data:-content}) AS page_key, ocr_book(page_key) AS url, error,
                   hocr_pages(${data:-content}) AS pages,
                   unnest(CASE WHEN cardinality(pages) > 0 THEN pages ELSE [NULL] END) AS page
            FROM ${source:-read_hocr}('${input:-data-samples/files/}')
        )
    )
    GROUP BY url
    ORDER BY url
) TO '${output:-books.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
