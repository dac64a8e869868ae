-- The text of scanned books in one Parquet file, one row per book: the texts of its pages, ordered
-- by name and separated by blank lines. A book is the folder or package that contains its pages.
-- The text of all books is sorted, and spills to disk if it does not fit into memory.
--
--   corpus-sql -f queries/hocr_to_books.sql -v input='scans/' -v output=books.parquet
--   corpus-sql -f queries/hocr_to_books.sql -v source=read_sequencefile -v key=key -v data=value -v input='books/*.seq'
--
-- input   a file, folder, glob or URL
-- output  the file; it appears when it is complete
-- source  the function that reads the input; key and data are its columns

COPY (
    SELECT regexp_replace(key, '[/!][^/!]*$', '') AS url, count(page['position']) AS pages,
           string_agg(nullif(page['text'], ''), chr(10) || chr(10) ORDER BY key, page['page']) AS document,
           count(coalesce(error, page['error'])) AS errors, min(coalesce(error, page['error'])) AS an_error
    FROM (
        -- Keeps a row for files without pages.
        SELECT key, error, unnest(CASE WHEN cardinality(pages) > 0 THEN pages ELSE [NULL] END) AS page
        FROM (
            SELECT ${key:-source_file} AS key, error, hocr_pages(${data:-content}) AS pages
            FROM ${source:-read_hocr}('${input:-data-samples/files/}')
        )
    )
    GROUP BY regexp_replace(key, '[/!][^/!]*$', '')
    ORDER BY url
) TO '${output:-books.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
