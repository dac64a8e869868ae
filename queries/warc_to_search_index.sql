-- A full-text index of the pages in web archives: one document per page with its title.
--
--   corpus-sql -f queries/warc_to_search_index.sql -v input='crawl/' -v output=crawl-index/
--   corpus-sql -f queries/search.sql -v index=crawl-index/ -v query='title:日本 OR 東京'
--
-- input   a file, folder, glob or URL
-- output  the folder of the index; it appears when it is complete
-- mode    create, append (to an existing index) or replace

COPY (
    SELECT url, date, title, document
    FROM web_pages('${input:-data-samples/web/}')
    WHERE status = 200 AND document <> ''
) TO '${output:-web-index/}' STORED AS SEARCH_INDEX OPTIONS (mode '${mode:-create}');
