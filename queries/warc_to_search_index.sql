-- A full-text index of the pages in web archives: one document per page with its title. Pages that could
-- not be read, or only in part, are in the index with their error, and are listed at the end.
--
--   corpus-sql -f queries/warc_to_search_index.sql -v input='crawl/' -v output=crawl-index/
--   corpus-sql -f queries/search.sql -v index=crawl-index/ -v query='title:日本 OR 東京'
--
-- input   a file, folder, glob or URL
-- output  the folder of the index; it appears when it is complete
-- mode    create, append (to an existing index), update (replaces pages with the same url) or replace

COPY (
    SELECT url, date, title, document, error
    FROM web_pages('${input:-data-samples/web/}')
    WHERE status = 200 AND document <> '' OR error IS NOT NULL
) TO '${output:-web-index/}' STORED AS SEARCH_INDEX OPTIONS (mode '${mode:-create}');

SELECT url, error FROM search('${output:-web-index/}', '*') WHERE error IS NOT NULL ORDER BY url;
