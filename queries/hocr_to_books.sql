-- The text of scanned books in one Parquet file, one row per book: the texts of its pages, ordered
-- by name and separated by blank lines. A book is the folder or package that contains its pages.
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
           count(coalesce(error, page['error'])) AS errors, min(coalesce(error, page['error'])) AS an_error
    FROM (
        -- Sorts pages, so that they arrive book by book, and only a few books are held.
        SELECT *, row_number() OVER (PARTITION BY url ORDER BY key, page['page']) AS number
        FROM (
            -- Keeps a row for files without pages.
            SELECT ${key:-source_file} AS key, regexp_replace(key, '[/!][^/!]*$', '') AS url, error,
                   hocr_pages(${data:-content}) AS pages,
                   unnest(CASE WHEN cardinality(pages) > 0 THEN pages ELSE [NULL] END) AS page
            FROM ${source:-read_hocr}('${input:-data-samples/files/}')
        )
    )
    GROUP BY url
    ORDER BY url
) TO '${output:-books.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
