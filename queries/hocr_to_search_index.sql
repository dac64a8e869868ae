-- A full-text index of scanned pages: one document per page, from any OCR program. Unreadable pages
-- are in the index with their error, and are listed at the end.
--
--   corpus-sql -f queries/hocr_to_search_index.sql -v input='scans/' -v output=scans-index/
--   corpus-sql -f queries/hocr_to_search_index.sql -v source=read_sequencefile -v key=key -v data=value -v input='books/*.seq'
--   corpus-sql -f queries/search.sql -v index=scans-index/ -v query='river'
--
-- input   a file, folder, glob or URL
-- output  the folder of the index; it appears when it is complete
-- source, key, data   the function that reads the input, and its columns with the key and the data
-- mode    create, append (to an existing index), update (replaces the pages of the same url) or replace

COPY (
    SELECT page_key AS url, p['page'] AS page, p['text'] AS document,
           coalesce(error, p['error'], CASE WHEN p IS NULL THEN 'no page' END) AS error
    FROM (
        -- Keeps a row for files without pages.
        SELECT job_text(${key:-source_file}) AS page_key, error, hocr_pages(${data:-content}) AS pages,
               unnest(CASE WHEN cardinality(pages) > 0 THEN pages ELSE [NULL] END) AS p
        FROM ${source:-read_hocr}('${input:-data-samples/files/}')
    )
) TO '${output:-hocr-index/}' STORED AS SEARCH_INDEX
OPTIONS (id 'url', text 'document', mode '${mode:-create}');

SELECT url, page, error
FROM search('${output:-hocr-index/}', '*')
WHERE error IS NOT NULL
ORDER BY url, page;
