-- A full-text index of PDFs, one document per page, so that a hit tells where to look. What could
-- not be read is left out, and listed with its error at the end.
--
--   corpus-sql -f queries/pdf_to_search_index.sql -v input='filings/' -v output=filings-index/
--   corpus-sql -f queries/search.sql -v index=filings-index/ -v query='"united states" contract*'
--
-- input     a file, folder, glob or URL
-- output    the folder of the index; it appears when it is complete
-- mode      create, append (to an index that is there) or replace
-- language  english, german, …: endings are cut off, so that contracts finds contract; none

COPY (
    SELECT source_file AS url, p['page'] AS page, p['text'] AS document
    FROM (
        SELECT source_file, unnest(pdf_pages(content)) AS p
        FROM read_pdf('${input:-data-samples/pdf/}')
    )
    WHERE p['text'] IS NOT NULL
) TO '${output:-pdf-index/}' STORED AS SEARCH_INDEX
OPTIONS (mode '${mode:-create}', language '${language:-none}');

SELECT source_file, error
FROM (
    SELECT source_file, coalesce(error, pdf_parse(content)['error']) AS error
    FROM read_pdf('${input:-data-samples/pdf/}')
)
WHERE error IS NOT NULL
ORDER BY source_file;
