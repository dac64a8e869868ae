-- The pages in hOCR, ALTO and PAGE XML files, one row each. A file without pages is a row with an
-- error.
CREATE MACRO ocr_pages(location) AS TABLE
WITH records AS (
    SELECT
        *,
        hocr_pages(content) AS pages,
        -- Keeps a row for files without pages.
        unnest(CASE WHEN cardinality(pages) > 0 THEN pages ELSE [NULL] END) AS page_
    FROM read_hocr(location)
)
SELECT
    -- The path or URL of the file
    source_file,
    -- The page in the file, from 1
    page_['page'] AS page,
    -- The number of the page as the file declares it
    page_['page_number'] AS page_number,
    -- The image of the page
    page_['image'] AS image,
    -- The language
    page_['lang'] AS lang,
    -- The width of the page
    page_['width'] AS width,
    -- The height of the page
    page_['height'] AS height,
    -- The unit of width and height: 'pixel', or what ALTO declares
    page_['unit'] AS unit,
    -- The text in reading order
    page_['text'] AS text,
    -- Why the file or the page could not be read, or NULL
    coalesce(error, page_['error'], CASE WHEN page_ IS NULL THEN 'no page' END) AS error,
    -- The names of folders, such as year=2024/.
    *
FROM records;
