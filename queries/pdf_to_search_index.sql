-- A full-text index of PDFs, one document per page, so that a hit tells where to look. What could
-- not be read is in the index with its error, and listed at the end.
--
--   corpus-sql -f queries/pdf_to_search_index.sql -v input='filings/' -v output=filings-index/
--   corpus-sql -f queries/search.sql -v index=filings-index/ -v query='"united states" contract*'
--
-- input     a file, folder, glob or URL
-- output    the folder of the index; it appears when it is complete
-- mode      create, append (to an index that is there) or replace
-- language  english, german, …: endings are cut off, so that contracts finds contract; none

COPY (
    SELECT source_file AS url, p['page'] AS page, p['text'] AS document,
           coalesce(error, p['error']) AS error
    FROM (
        -- A file without pages stays as a row.
        SELECT source_file, error, unnest(CASE WHEN cardinality(pages) > 0 THEN pages ELSE [NULL] END) AS p
        FROM (
            SELECT source_file, error, pdf_pages(content) AS pages
            FROM read_pdf('${input:-data-samples/pdf/}')
        )
    )
) TO '${output:-pdf-index/}' STORED AS SEARCH_INDEX
OPTIONS (id 'url, page', text 'document', mode '${mode:-create}', language '${language:-none}');

SELECT url, page, error
FROM search('${output:-pdf-index/}', '*')
WHERE error IS NOT NULL
ORDER BY url, page;
