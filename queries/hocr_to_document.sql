-- The text of scanned pages in reading order, one row per page, as one Parquet file. What could not
-- be read is a row with its error.
--
--   corpus-sql -f queries/hocr_to_document.sql -v input='scans/' -v output=pages.parquet
--
-- input   a file, folder, glob or URL
-- output  the file; it appears when it is complete

COPY (
    SELECT source_file AS url, page['page'] AS page, page['page_number'] AS page_number,
           page['image'] AS image, page['text'] AS document, coalesce(error, page['error'], CASE WHEN page IS NULL THEN 'no page' END) AS error
    FROM (
        -- A file without pages stays as a row.
        SELECT source_file, error, unnest(CASE WHEN cardinality(pages) > 0 THEN pages ELSE [NULL] END) AS page
        FROM (
            SELECT source_file, error, hocr_pages(content) AS pages
            FROM read_hocr('${input:-data-samples/files/}')
        )
    )
) TO '${output:-pages.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
