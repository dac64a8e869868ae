-- A full-text index of scanned pages, whatever program read them: one document per page. What could
-- not be read is left out, and listed with its error at the end.
--
--   corpus-sql -f queries/hocr_to_search_index.sql -v input='scans/' -v output=scans-index/
--   corpus-sql -f queries/search.sql -v index=scans-index/ -v query='river'
--
-- input   a file, folder, glob or URL
-- output  the folder of the index; it appears when it is complete
-- mode    create, append (to an index that is there) or replace

COPY (
    SELECT source_file AS url, p['page'] AS page, p['text'] AS document
    FROM (
        SELECT source_file, unnest(hocr_pages(content)) AS p
        FROM read_hocr('${input:-data-samples/files/}')
    )
    WHERE p['text'] IS NOT NULL
) TO '${output:-hocr-index/}' STORED AS SEARCH_INDEX OPTIONS (mode '${mode:-create}');

SELECT source_file, error
FROM (
    SELECT source_file, coalesce(error, hocr_pages(content)[1]['error']) AS error
    FROM read_hocr('${input:-data-samples/files/}')
)
WHERE error IS NOT NULL
ORDER BY source_file;
