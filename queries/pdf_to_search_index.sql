-- A full-text index of PDFs, one document per page. Unreadable files are in the index with their
-- error, and are listed at the end.
--
--   corpus-sql -f queries/pdf_to_search_index.sql -v input='filings/' -v output=filings-index/
--   corpus-sql -f queries/search.sql -v index=filings-index/ -v query='"united states" contract*'
--
-- input     a file, folder, glob or URL
-- output    the folder of the index; it appears when it is complete
-- mode      create, append (to an existing index), update (replaces the pages of the same url) or replace
-- language  english, german, …: removes endings, so that contracts finds contract; or none
-- password  tried if the empty password does not open a file

COPY (
    SELECT source_file AS url, page, text AS document, error
    FROM pdf_document_pages('${input:-data-samples/pdf/}', 'password', '${password:-}')
) TO '${output:-pdf-index/}' STORED AS SEARCH_INDEX
OPTIONS (id 'url', text 'document', mode '${mode:-create}', language '${language:-none}');

SELECT url, page, error
FROM search('${output:-pdf-index/}', '*')
WHERE error IS NOT NULL
ORDER BY url, page;
